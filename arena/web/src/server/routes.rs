//! What is asked for, and what is answered.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::Arc;

use hyper::body::{Bytes, Incoming};
use hyper::{HeaderMap, Method, Request, StatusCode};
use live::{ControlOrder, SocketError};
use page::{LivePage, Stage};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use tokio::sync::mpsc;

use crate::http::answer::{self, Body, HTML, HttpAnswer, TEXT, refuse};
use crate::http::exchange::{aside, broken, crowded, nothing, say, sent};
use crate::http::feed::Feeds;
use crate::http::guard::{AccessToken, Hosts, is_same_origin};
use crate::runs::{self, FILES, RunIndex, RunWatcher};
use crate::tables::OpenTables;

/// How much of a file is read at once, in bytes.
const PART: usize = 64 * 1024;

/// Everything that is served.
pub(super) struct Site {
    run_index: Arc<RunIndex>,
    feeds: Feeds,
    hosts: Hosts,
    actions: Option<Actions>,
}

/// What those may do who know the token.
pub(super) struct Actions {
    /// What has to come with an order.
    pub token: AccessToken,
    /// Where games are played by hand.
    pub open_tables: Arc<OpenTables>,
}

/// What is sent with an order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SentOrder {
    order: String,
}

impl Site {
    /// Puts a site together.
    pub(super) fn new(run_index: RunIndex, feeds: Feeds, hosts: Hosts, actions: Option<Actions>) -> Self {
        Self { run_index: Arc::new(run_index), feeds, hosts, actions }
    }

    /// Answers a request.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> HttpAnswer {
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
            (_, true) => return answer::refuse_method("POST"),
            (&Method::GET | &Method::HEAD, false) => {}
            (_, false) => return answer::refuse_method("GET, HEAD"),
        }
        if is_order && let Err(words) = self.check_token(request.headers()) {
            return say(StatusCode::FORBIDDEN, words);
        }
        match parts[..] {
            [""] => self.front().await,
            ["events"] if self.run_index.only().is_none() => self.watch_list(),
            ["assets", name] => match page::asset(name) {
                Some((kind, text)) => answer::whole(kind, text),
                None => nothing(),
            },
            ["play"] => answer::lead("/play/"),
            ["play", ref rest @ ..] => self.play(rest, request).await,
            ["runs", name, ref rest @ ..] => {
                let Some(directory) = self.run_index.directory(name) else { return nothing() };
                match rest {
                    // Its parts are named from there.
                    [] => answer::lead(&format!("{path}/")),
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

    async fn front(&self) -> HttpAnswer {
        if self.run_index.only().is_some() {
            let runs = picture_of(&self.run_index, runs::runs).await;
            return runs.first().map_or_else(nothing, |run| answer::lead(&run.link));
        }
        let runs = picture_of(&self.run_index, runs::runs).await;
        let title = self.run_index.root().canonicalize().ok();
        let title = title.as_deref().and_then(|path| path.file_name()).unwrap_or_default().to_string_lossy();
        answer::whole(HTML, page::list_page(&title, &runs, self.actions.is_some()))
    }

    async fn play(&self, path: &[&str], request: Request<Incoming>) -> HttpAnswer {
        let Some(Actions { open_tables, .. }) = &self.actions else {
            return refuse(
                StatusCode::FORBIDDEN,
                "games are played here with `--allow-actions` of `arena serve`",
            );
        };
        match path {
            [""] => open_tables.page(),
            ["games"] => open_tables.begin(request).await,
            // The names of games are known to those who were given them, and to those who play.
            ["saved"] => match self.check_token(request.headers()) {
                Ok(()) => open_tables.saved().await,
                Err(words) => say(StatusCode::FORBIDDEN, words),
            },
            [name, "orders"] => open_tables.order(name, request).await,
            [name, part] => open_tables.table(name, part, &self.feeds).await,
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

    async fn live_page(&self, name: String, directory: PathBuf) -> HttpAnswer {
        let (takes_orders, has_list) = (self.actions.is_some(), self.run_index.only().is_none());
        let made = picture_of(&self.run_index, move |run_index| {
            let is_on = live::read(&directory).is_ok_and(|state| state.is_some());
            let summary = run_index.summary(&name, &directory, is_on)?;
            let stages: Vec<_> = summary.labels.iter().map(|label| Stage::named(label)).collect();
            let title = if summary.name.is_empty() { &name } else { &summary.name };
            let page = LivePage { name: title, stages: &stages, files: &FILES, takes_orders, has_list };
            Ok::<_, String>(page.render())
        });
        match made.await {
            Ok(page) => answer::whole(HTML, page),
            Err(words) => broken(&words),
        }
    }

    async fn report(&self, name: String, directory: PathBuf) -> HttpAnswer {
        let made = picture_of(&self.run_index, move |run_index| {
            let is_on = live::read(&directory).is_ok_and(|state| state.is_some());
            run_index.report(&name, &directory, is_on)
        });
        match made.await {
            Ok(page) => answer::report(page),
            Err(words) => broken(&words),
        }
    }

    fn watch_list(&self) -> HttpAnswer {
        let run_index = Arc::clone(&self.run_index);
        let look = Arc::new(move |before: Option<&str>| runs::list(&run_index, before));
        // No run has an empty name.
        self.feeds.watch("", look).unwrap_or_else(crowded)
    }

    fn watch_run(&self, name: &str) -> HttpAnswer {
        let watcher = RunWatcher::new(Arc::clone(&self.run_index), name.to_owned());
        let look = Arc::new(move |before: Option<&str>| watcher.look(before));
        self.feeds.watch(name, look).unwrap_or_else(crowded)
    }

    async fn file(&self, directory: PathBuf, name: &str) -> HttpAnswer {
        if !FILES.contains(&name) {
            return nothing();
        }
        if name == record::JOURNAL {
            return match record::open_regular(&directory.join(name)) {
                Ok(file) => answer::download(TEXT, in_parts(file)),
                Err(error) => broken(&error.to_string()),
            };
        }
        let file = name.to_owned();
        let made = picture_of(&self.run_index, move |run_index| run_index.file(&directory, &file)).await;
        match made {
            Ok(Some(bytes)) => answer::download(TEXT, Body::Whole(Some(bytes.into()))),
            Ok(None) => nothing(),
            Err(words) => broken(&words),
        }
    }

    async fn order(&self, directory: PathBuf, request: Request<Incoming>) -> HttpAnswer {
        let sent = match sent(request).await {
            Ok(sent) => sent,
            Err(status) => return say(status, "no order of at most 4096 bytes came in time"),
        };
        let Ok(SentOrder { order }) = serde_json::from_slice(&sent) else {
            return say(StatusCode::BAD_REQUEST, "expected `{\"order\": \"pause\"}`");
        };
        let order: ControlOrder = match order.parse() {
            Ok(order) => order,
            Err(words) => return say(StatusCode::BAD_REQUEST, &words),
        };
        let told = picture_of(&self.run_index, move |_| live::ask(&directory, order)).await;
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
    run_index: &Arc<RunIndex>,
    work: impl FnOnce(&RunIndex) -> T + Send + 'static,
) -> T {
    let run_index = Arc::clone(run_index);
    aside(move || work(&run_index)).await
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
