//! What is asked for, and what is answered.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hyper::body::{Bytes, Incoming};
use hyper::{HeaderMap, Method, Request, StatusCode};
use live::{ControlOrder, SocketError};
use page::{GamePage, LivePage, Stage};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use tokio::sync::mpsc;

use super::continuation::Continuation;
use crate::http::answer::{self, Body, HTML, HttpAnswer, TEXT, refuse};
use crate::http::cached::CachedText;
use crate::http::exchange::{aside, broken, crowded, nothing, say, sent};
use crate::http::feed::{Feeds, Pictures};
use crate::http::guard::{AccessToken, Hosts, is_same_origin};
use crate::runs::{self, FILES, FoundGame, GameWatcher, RunIndex, RunWatcher};
use crate::tables::OpenTables;

/// How much of a file is read at once, in bytes.
const PART: usize = 64 * 1024;

/// What is said where a game has no transcript.
const NO_TRANSCRIPT: &str = "there is no transcript of this game: `transcripts: true` in the tournament file keeps one of every game, \
                             and a game that ends by a fault always has one";

/// How many feeds one stream brings at most.
const MOST_FEEDS: usize = 64;

/// Everything that is served.
pub(super) struct Site {
    run_index: Arc<RunIndex>,
    feeds: Feeds,
    hosts: Hosts,
    actions: Option<Actions>,
    /// The parts of the pages that were asked for, by name: the kind and the text.
    assets: Mutex<BTreeMap<String, (&'static str, CachedText)>>,
}

/// What those may do who know the token.
pub(super) struct Actions {
    /// What has to come with an order.
    pub token: AccessToken,
    /// Where games are played by hand.
    pub open_tables: Arc<OpenTables>,
    /// The run that can be continued from its page.
    pub continuation: Option<Continuation>,
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
        Self { run_index: Arc::new(run_index), feeds, hosts, actions, assets: Mutex::default() }
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
            [""] | ["runs", _, "" | "report.html"]
                | ["runs", _, "games", _, ""]
                | ["play"]
                | ["play", ""]
                | ["play", _, ""]
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
            ["feed"] => self.feed(request.uri().query().unwrap_or_default()).await,
            ["token"] => match self.check_token(request.headers()) {
                Ok(()) => answer::answer(StatusCode::NO_CONTENT, TEXT, Body::Whole(None)),
                Err(words) => say(StatusCode::FORBIDDEN, words),
            },
            ["events"] if self.run_index.only().is_none() => self.stream(Some(self.list_pictures())),
            ["assets", name] => self.asset(name, request.headers()),
            ["play"] => answer::lead("/play/"),
            ["play", ref rest @ ..] => self.play(rest, request).await,
            ["runs", name, ref rest @ ..] => {
                let Some(directory) = self.run_index.directory(name) else { return nothing() };
                match rest {
                    // Its parts are named from there.
                    [] => answer::lead(&format!("{path}/")),
                    [""] => self.live_page(name.to_owned(), directory).await,
                    ["report.html"] => self.report(name.to_owned(), directory, request.headers()).await,
                    ["events"] => self.stream(Some(self.run_pictures(name))),
                    ["files", file] => self.file(directory, file).await,
                    ["games", number, part @ ..] => match number.parse() {
                        Ok(number) => self.game(name, directory, number, part, &request).await,
                        Err(_) => nothing(),
                    },
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

    /// Returns a part of the pages, compressed when it is first asked for.
    fn asset(&self, name: &str, headers: &HeaderMap) -> HttpAnswer {
        let mut assets = self.assets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((kind, text)) = assets.get(name) {
            return text.answer(headers, kind);
        }
        let Some((kind, text)) = page::asset(name) else { return nothing() };
        let (kind, text) = assets.entry(name.to_owned()).or_insert((kind, CachedText::new(text)));
        text.answer(headers, kind)
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
            [name, part] => {
                let query = request.uri().query().unwrap_or_default().to_owned();
                open_tables.table(name, part, &query, &self.feeds).await
            }
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
        let is_continuable = self.continuation(&directory).is_some();
        let made = picture_of(&self.run_index, move |run_index| {
            let is_on = live::read(&directory).is_ok_and(|state| state.is_some());
            let summary = run_index.summary(&name, &directory, is_on)?;
            let stages: Vec<_> =
                summary.labels.iter().map(|label| Stage::named(label, &summary.catalogue)).collect();
            let title = if summary.name.is_empty() { &name } else { &summary.name };
            let page = LivePage {
                name: title,
                stages: &stages,
                files: &FILES,
                takes_orders,
                is_continuable,
                has_list,
            };
            Ok::<_, String>(page.render())
        });
        match made.await {
            Ok(page) => answer::whole(HTML, page),
            Err(words) => broken(&words),
        }
    }

    async fn report(&self, name: String, directory: PathBuf, headers: &HeaderMap) -> HttpAnswer {
        let made = picture_of(&self.run_index, move |run_index| {
            let is_on = live::read(&directory).is_ok_and(|state| state.is_some());
            run_index.report(&name, &directory, is_on)
        });
        match made.await {
            Ok(page) => answer::as_report(page.answer(headers, HTML)),
            Err(words) => broken(&words),
        }
    }

    fn stream(&self, pictures: Option<Pictures>) -> HttpAnswer {
        pictures.map_or_else(nothing, |pictures| self.feeds.stream(pictures).unwrap_or_else(crowded))
    }

    /// Streams the pictures of all pages that the query names: `of=/runs/cup/events&of=/play/3f…/events`.
    async fn feed(&self, query: &str) -> HttpAnswer {
        let mut feeds = Vec::new();
        for path in query.split('&').filter_map(|pair| pair.strip_prefix("of=")).take(MOST_FEEDS) {
            let Ok(path) = percent_decode_str(path).decode_utf8() else { continue };
            // It is repeated in a line of its own.
            if path.chars().any(char::is_control) {
                continue;
            }
            let pictures = self.pictures(&path).await;
            feeds.push((path.into_owned(), pictures));
        }
        self.feeds.stream_all(feeds).unwrap_or_else(crowded)
    }

    /// Returns the pictures that a page follows, by the path of its feed; `None` where there are none.
    async fn pictures(&self, path: &str) -> Option<Pictures> {
        let parts: Option<Vec<String>> = path
            .strip_prefix('/')?
            .split('/')
            .map(|part| Some(percent_decode_str(part).decode_utf8().ok()?.into_owned()))
            .collect();
        let parts = parts?;
        let parts: Vec<_> = parts.iter().map(String::as_str).collect();
        match parts[..] {
            ["events"] if self.run_index.only().is_none() => Some(self.list_pictures()),
            ["runs", name, "events"] => {
                self.run_index.directory(name)?;
                Some(self.run_pictures(name))
            }
            ["runs", name, "games", number, "events"] => {
                self.run_index.directory(name)?;
                Some(self.game_pictures(name, number.parse().ok()?))
            }
            ["play", name, "events"] => self.actions.as_ref()?.open_tables.pictures(name).await,
            _ => None,
        }
    }

    fn list_pictures(&self) -> Pictures {
        let run_index = Arc::clone(&self.run_index);
        let look = Arc::new(move |before: Option<&str>| runs::list(&run_index, before));
        // No run has an empty name.
        self.feeds.subscribe("", look)
    }

    fn run_pictures(&self, name: &str) -> Pictures {
        let watcher = RunWatcher::new(Arc::clone(&self.run_index), name.to_owned());
        let look = Arc::new(move |before: Option<&str>| watcher.look(before));
        self.feeds.subscribe(name, look)
    }

    fn game_pictures(&self, name: &str, number: u64) -> Pictures {
        let watcher = GameWatcher::new(Arc::clone(&self.run_index), name.to_owned(), number);
        let look = Arc::new(move |before: Option<&str>| watcher.look(before));
        // No run has a slash in its name.
        self.feeds.subscribe(&format!("{name}/{number}"), look)
    }

    /// Answers what is asked of one game of a run.
    async fn game(
        &self,
        name: &str,
        directory: PathBuf,
        number: u64,
        part: &[&str],
        request: &Request<Incoming>,
    ) -> HttpAnswer {
        match part {
            [] => answer::lead(&format!("{}/", request.uri().path())),
            [""] => {
                let takes_orders = self.actions.is_some();
                let name = name.to_owned();
                let made = picture_of(&self.run_index, move |run_index| {
                    let catalogue = run_index.catalogue(&name, &directory);
                    let stage = Stage::named(FoundGame::find(&directory, number)?.label(), &catalogue)?;
                    let summary = run_index.summary(&name, &directory, true).ok();
                    let title =
                        summary.map(|it| it.name.clone()).filter(|title| !title.is_empty()).unwrap_or(name);
                    Some(GamePage { run: &title, number, stage: &stage, takes_orders }.render())
                });
                // A game of long ago is in the report.
                match made.await {
                    Some(page) => answer::whole(HTML, page),
                    None => answer::lead(&format!("../../report.html#g{number}")),
                }
            }
            ["events"] => self.stream(Some(self.game_pictures(name, number))),
            ["position"] => {
                let query = request.uri().query().unwrap_or_default();
                let plies = query.strip_prefix("at=").and_then(|plies| plies.parse().ok());
                let name = name.to_owned();
                let found = picture_of(&self.run_index, move |run_index| {
                    let catalogue = run_index.catalogue(&name, &directory);
                    FoundGame::find(&directory, number)?.position(plies?, &catalogue)
                })
                .await;
                found.map_or_else(nothing, |position| answer::whole(TEXT, position))
            }
            // What bots wrote to their standard error is not for everybody.
            ["transcript"] => match self.check_token(request.headers()) {
                Ok(()) => match aside(move || runs::explanation(&directory, number)).await {
                    Some(text) => answer::whole(TEXT, text),
                    None => refuse(StatusCode::NOT_FOUND, NO_TRANSCRIPT),
                },
                Err(words) => say(StatusCode::FORBIDDEN, words),
            },
            _ => nothing(),
        }
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

    /// Returns how the run of a directory is continued, where the command line says so.
    fn continuation(&self, directory: &Path) -> Option<Continuation> {
        let continuation = self.actions.as_ref()?.continuation.as_ref()?;
        continuation.is_for(directory).then(|| continuation.clone())
    }

    async fn continue_run(&self, directory: &Path) -> HttpAnswer {
        let Some(continuation) = self.continuation(directory) else {
            let words =
                "only the run of the tournament file in `--file` of `arena serve` can be continued from here";
            return say(StatusCode::CONFLICT, words);
        };
        match aside(move || continuation.start()).await {
            Ok(words) => say(StatusCode::OK, &words),
            Err(words) => say(StatusCode::CONFLICT, &words),
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
        if order == "continue" {
            return self.continue_run(&directory).await;
        }
        let order: ControlOrder = match order.parse() {
            Ok(order) => order,
            Err(words) => return say(StatusCode::BAD_REQUEST, &words),
        };
        let told = picture_of(&self.run_index, move |_| live::ask(&directory, &order)).await;
        match told {
            Ok(words) => say(StatusCode::OK, &words),
            Err(error @ SocketError::NobodyThere) => say(StatusCode::NOT_FOUND, &error.to_string()),
            Err(error @ SocketError::Forbidden) => say(StatusCode::FORBIDDEN, &error.to_string()),
            Err(error @ SocketError::Refused(_)) => say(StatusCode::CONFLICT, &error.to_string()),
            Err(error @ SocketError::NoAnswer(_)) => say(StatusCode::BAD_GATEWAY, &error.to_string()),
        }
    }
}

/// Works something out beside the connections, which continue meanwhile.
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
