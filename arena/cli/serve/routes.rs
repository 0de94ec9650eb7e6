//! What is asked for, and what is answered.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::{HeaderMap, Method, Request, StatusCode};
use live::{ControlOrder, SocketError};
use page::{LivePage, Stage};
use percent_encoding::percent_decode_str;
use protocol::printable_capped;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::feed::{Feeds, MOST_WATCHERS};
use super::guard::{Hosts, Token, is_same_origin};
use super::http::{self, Answer, Body, HTML, JSON, TEXT, refuse};
use super::play::Hall;
use crate::showing::{self, FILES, Library, Watcher};

/// How large what is sent to us may be, in bytes.
const MOST_SENT: usize = 4096;

/// How long sending it may take.
const SENT_WITHIN: Duration = Duration::from_secs(10);

/// How much of a file is read at once, in bytes.
const PART: usize = 64 * 1024;

/// Everything that is served.
pub(super) struct Site {
    library: Arc<Library>,
    feeds: Feeds,
    hosts: Hosts,
    actions: Option<Actions>,
}

/// What those may do who know the token.
pub(super) struct Actions {
    /// What has to come with an order.
    pub(super) token: Token,
    /// Where games are played by hand.
    pub(super) hall: Arc<Hall>,
}

/// What is sent with an order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    order: String,
}

impl Site {
    /// Puts a site together.
    pub(super) fn new(library: Library, feeds: Feeds, hosts: Hosts, actions: Option<Actions>) -> Self {
        Self { library: Arc::new(library), feeds, hosts, actions }
    }

    /// Answers a request.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Answer {
        if !self.hosts.know(request.headers()) {
            let words =
                "this server is not known by that name: `--host NAME` of `arena serve` makes it known";
            return refuse(StatusCode::FORBIDDEN, words);
        }
        let path = request.uri().path().to_owned();
        // An address without a path, as proxies and `OPTIONS *` are asked by.
        let Some(below) = path.strip_prefix('/') else {
            return refuse(StatusCode::BAD_REQUEST, "a path begins with `/`");
        };
        let parts: Option<Vec<String>> = below
            .split('/')
            .map(|part| Some(percent_decode_str(part).decode_utf8().ok()?.into_owned()))
            .collect();
        let parts = parts.unwrap_or_default();
        let parts: Vec<_> = parts.iter().map(String::as_str).collect();
        let is_order = matches!(parts[..], ["runs" | "play", _, "orders"] | ["play", "games"]);
        // A link from elsewhere leads to a page; nothing else is for others.
        let is_page = matches!(
            parts[..],
            [""] | ["runs", _, "" | "report.html"] | ["play"] | ["play", ""] | ["play", _, ""]
        );
        if !is_page && !is_same_origin(request.headers()) {
            return refuse(StatusCode::FORBIDDEN, "a page of another server asks");
        }
        match (request.method(), is_order) {
            (&Method::POST, true) => {}
            (_, true) => return http::refuse_method("POST"),
            (&Method::GET | &Method::HEAD, false) => {}
            (_, false) => return http::refuse_method("GET, HEAD"),
        }
        if is_order && let Err(words) = self.check_token(request.headers()) {
            return say(StatusCode::FORBIDDEN, words);
        }
        match parts[..] {
            [""] => self.front().await,
            ["events"] if self.library.only().is_none() => self.watch_list(),
            ["assets", name] => match page::asset(name) {
                Some((kind, text)) => http::whole(kind, text),
                None => nothing(),
            },
            ["play"] => http::lead("/play/"),
            ["play", ref rest @ ..] => self.play(rest, request).await,
            ["runs", name, ref rest @ ..] => {
                let Some(directory) = self.library.directory(name) else { return nothing() };
                match rest {
                    // Its parts are named from there.
                    [] => http::lead(&format!("{path}/")),
                    [""] => self.live_page(name.to_owned(), directory).await,
                    ["report.html"] => self.report(name.to_owned(), directory).await,
                    ["events"] => self.watch_run(name),
                    ["files", file] => self.file(directory, file).await,
                    ["orders"] => self.order(directory, request).await,
                    _ => nothing(),
                }
            }
            _ => nothing(),
        }
    }

    /// Returns whether a request brings the token, which opens the last places too.
    pub(super) fn brings_token(&self, headers: &HeaderMap) -> bool {
        self.check_token(headers).is_ok()
    }

    async fn front(&self) -> Answer {
        if self.library.only().is_some() {
            let runs = picture_of(&self.library, showing::runs).await;
            return runs.first().map_or_else(nothing, |run| http::lead(&run.link));
        }
        let runs = picture_of(&self.library, showing::runs).await;
        let title = self.library.root().canonicalize().ok();
        let title = title.as_deref().and_then(|path| path.file_name()).unwrap_or_default().to_string_lossy();
        http::whole(HTML, page::list_page(&title, &runs, self.actions.is_some()))
    }

    async fn play(&self, path: &[&str], request: Request<Incoming>) -> Answer {
        let Some(Actions { hall, .. }) = &self.actions else {
            return refuse(
                StatusCode::FORBIDDEN,
                "games are played here with `--allow-actions` of `arena serve`",
            );
        };
        match path {
            [""] => hall.page(),
            ["games"] => hall.begin(request).await,
            // The names of games are known to those who were given them, and to those who play.
            ["saved"] => match self.check_token(request.headers()) {
                Ok(()) => hall.saved().await,
                Err(words) => say(StatusCode::FORBIDDEN, words),
            },
            [name, "orders"] => hall.order(name, request).await,
            [name, part] => hall.table(name, part, &self.feeds).await,
            _ => nothing(),
        }
    }

    /// Says why an order is not taken from who sent these headers.
    fn check_token(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        match &self.actions {
            None => Err("orders are not taken: `--allow-actions` of `arena serve` takes them"),
            Some(actions) if actions.token.is_brought(headers) => Ok(()),
            Some(_) => Err("the token is missing or wrong: `arena serve` has printed the address with it"),
        }
    }

    async fn live_page(&self, name: String, directory: PathBuf) -> Answer {
        let (takes_orders, has_list) = (self.actions.is_some(), self.library.only().is_none());
        let made = picture_of(&self.library, move |library| {
            let is_on = live::read(&directory).is_ok_and(|state| state.is_some());
            let summary = library.summary(&name, &directory, is_on)?;
            let stages: Vec<_> = summary.labels.iter().map(|label| Stage::named(label)).collect();
            let title = if summary.name.is_empty() { &name } else { &summary.name };
            let page = LivePage { name: title, stages: &stages, files: &FILES, takes_orders, has_list };
            Ok::<_, String>(page.render())
        });
        match made.await {
            Ok(page) => http::whole(HTML, page),
            Err(words) => broken(&words),
        }
    }

    async fn report(&self, name: String, directory: PathBuf) -> Answer {
        let made = picture_of(&self.library, move |library| {
            let is_on = live::read(&directory).is_ok_and(|state| state.is_some());
            library.report(&name, &directory, is_on)
        });
        match made.await {
            Ok(page) => http::report(page),
            Err(words) => broken(&words),
        }
    }

    fn watch_list(&self) -> Answer {
        let library = Arc::clone(&self.library);
        let look = Arc::new(move |before: Option<&str>| showing::list(&library, before));
        // No run has an empty name.
        self.feeds.watch("", look).unwrap_or_else(crowded)
    }

    fn watch_run(&self, name: &str) -> Answer {
        let watcher = Watcher::new(Arc::clone(&self.library), name.to_owned());
        let look = Arc::new(move |before: Option<&str>| watcher.look(before));
        self.feeds.watch(name, look).unwrap_or_else(crowded)
    }

    async fn file(&self, directory: PathBuf, name: &str) -> Answer {
        if !FILES.contains(&name) {
            return nothing();
        }
        if name == record::JOURNAL {
            return match record::open_regular(&directory.join(name)) {
                Ok(file) => http::download(TEXT, in_parts(file)),
                Err(error) => broken(&error.to_string()),
            };
        }
        let file = name.to_owned();
        let made = picture_of(&self.library, move |library| library.file(&directory, &file)).await;
        match made {
            Ok(Some(bytes)) => http::download(TEXT, Body::Whole(Some(bytes.into()))),
            Ok(None) => nothing(),
            Err(words) => broken(&words),
        }
    }

    async fn order(&self, directory: PathBuf, request: Request<Incoming>) -> Answer {
        let sent = match sent(request).await {
            Ok(sent) => sent,
            Err(status) => return say(status, "no order of at most 4096 bytes came in time"),
        };
        let Ok(Sent { order }) = serde_json::from_slice(&sent) else {
            return say(StatusCode::BAD_REQUEST, "expected `{\"order\": \"pause\"}`");
        };
        let order: ControlOrder = match order.parse() {
            Ok(order) => order,
            Err(words) => return say(StatusCode::BAD_REQUEST, &words),
        };
        let told = picture_of(&self.library, move |_| live::ask(&directory, order)).await;
        match told {
            Ok(words) => say(StatusCode::OK, &words),
            Err(error @ SocketError::NobodyThere) => say(StatusCode::NOT_FOUND, &error.to_string()),
            Err(error @ SocketError::Forbidden) => say(StatusCode::FORBIDDEN, &error.to_string()),
            Err(error @ SocketError::Refused(_)) => say(StatusCode::CONFLICT, &error.to_string()),
            Err(error @ SocketError::NoAnswer(_)) => say(StatusCode::BAD_GATEWAY, &error.to_string()),
        }
    }
}

/// Works something out beside the connections, which go on meanwhile.
async fn picture_of<T: Send + 'static>(
    library: &Arc<Library>,
    work: impl FnOnce(&Library) -> T + Send + 'static,
) -> T {
    let library = Arc::clone(library);
    aside(move || work(&library)).await
}

/// Does work beside the connections, which go on meanwhile.
pub(super) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(made) => made,
        // It ends this connection only, as a panic of its own would.
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// Returns what was sent with a request.
pub(super) async fn sent(request: Request<Incoming>) -> Result<Bytes, StatusCode> {
    let body = Limited::new(request.into_body(), MOST_SENT).collect();
    match timeout(SENT_WITHIN, body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(_)) => Err(StatusCode::BAD_REQUEST),
        Err(_) => Err(StatusCode::REQUEST_TIMEOUT),
    }
}

/// Returns a file as it is read, as far as it goes now.
fn in_parts(file: File) -> Body {
    let (sender, parts) = mpsc::channel(1);
    tokio::task::spawn_blocking(move || {
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let mut file = file.take(length);
        loop {
            let mut part = vec![0; PART];
            let read: io::Result<Bytes> = file.read(&mut part).map(|count| {
                part.truncate(count);
                part.into()
            });
            let is_last = read.is_err();
            // Nothing read is the end; what could not be read is told, and is the end too.
            if read.as_ref().is_ok_and(Bytes::is_empty) || sender.blocking_send(read).is_err() || is_last {
                return;
            }
        }
    });
    Body::Parts(parts)
}

/// Answers a script in words for people.
pub(super) fn say(status: StatusCode, words: &str) -> Answer {
    let said = json!({ "said": printable_capped(words, 500) }).to_string();
    http::answer(status, JSON, Body::Whole(Some(said.into())))
}

pub(super) fn nothing() -> Answer {
    refuse(StatusCode::NOT_FOUND, "there is no such page")
}

fn broken(words: &str) -> Answer {
    refuse(StatusCode::INTERNAL_SERVER_ERROR, &printable_capped(words, 500))
}

pub(super) fn crowded() -> Answer {
    refuse(StatusCode::SERVICE_UNAVAILABLE, &format!("{MOST_WATCHERS} pages watch already"))
}
