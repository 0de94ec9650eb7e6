//! What is asked for of the games that are played by hand, and what is answered.

use std::sync::Arc;
use std::time::Instant;

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use protocol::printable_capped;
use serde_json::json;

use super::open_tables::{MOST_TABLES, OpenTables, TableRefusal};
use super::shared_table::SharedTable;
use super::table_order::TableOrder;
use super::table_request::{Misfit, TableRequest};
use crate::http::answer::{self, Body, HTML, HttpAnswer, JSON, TEXT, refuse};
use crate::http::exchange::{aside, crowded, nothing, say, sent};
use crate::http::feed::{Feeds, Pictures};

/// How many cells of a try are looked at: no ply has more.
const MOST_CELLS: usize = 64;

impl OpenTables {
    /// Returns the page where a game is chosen.
    pub(crate) fn page(&self) -> HttpAnswer {
        answer::whole(HTML, page::begin_page(&self.offered().list(), self.offered().catalogue()))
    }

    /// Begins a game.
    pub(crate) async fn begin(self: &Arc<Self>, request: Request<Incoming>) -> HttpAnswer {
        let sent = match sent(request).await {
            Ok(sent) => sent,
            Err(status) => return say(status, "no wish of at most 4096 bytes came in time"),
        };
        let wanted: TableRequest = match serde_json::from_slice(&sent) {
            Ok(wanted) => wanted,
            Err(error) => return say(StatusCode::BAD_REQUEST, &error.to_string()),
        };
        let open_tables = Arc::clone(self);
        match aside(move || open_tables.open(wanted, Instant::now())).await {
            Ok((name, shared)) => {
                tokio::spawn(Arc::clone(self).attend(name.clone(), shared));
                let link = json!({ "link": format!("/play/{name}/") }).to_string();
                answer::answer(StatusCode::CREATED, JSON, Body::Whole(Some(link.into())))
            }
            Err(TableRefusal::Unfit(misfit)) => complain(&misfit),
            Err(TableRefusal::Full) => say(StatusCode::SERVICE_UNAVAILABLE, &full()),
        }
    }

    /// Returns the tables that are kept.
    pub(crate) async fn saved(self: &Arc<Self>) -> HttpAnswer {
        let open_tables = Arc::clone(self);
        let list = aside(move || open_tables.list().to_string()).await;
        answer::answer(StatusCode::OK, JSON, Body::Whole(Some(list.into())))
    }

    /// Returns a table by its name: one that is there, or one that was kept.
    async fn seek(self: &Arc<Self>, name: &str) -> Result<Option<Arc<SharedTable>>, TableRefusal> {
        let (open_tables, wanted) = (Arc::clone(self), name.to_owned());
        let Some((shared, is_new)) = aside(move || open_tables.fetch(&wanted, Instant::now())).await? else {
            return Ok(None);
        };
        if is_new {
            tokio::spawn(Arc::clone(self).attend(name.to_owned(), Arc::clone(&shared)));
        }
        Ok(Some(shared))
    }

    /// Returns the pictures of a table; `None` where there is none that can be shown.
    pub(crate) async fn pictures(self: &Arc<Self>, name: &str) -> Option<Pictures> {
        self.seek(name).await.ok().flatten().map(|shared| shared.watch())
    }

    /// Answers what is asked of one table.
    pub(crate) async fn table(
        self: &Arc<Self>,
        name: &str,
        part: &str,
        query: &str,
        feeds: &Feeds,
    ) -> HttpAnswer {
        let shared = match self.seek(name).await {
            Ok(Some(shared)) => shared,
            Ok(None) => return nothing(),
            Err(TableRefusal::Full) => return refuse(StatusCode::SERVICE_UNAVAILABLE, &full()),
            Err(TableRefusal::Unfit(misfit)) => {
                let words = format!("the game is kept, but cannot continue: {}", misfit.words);
                return refuse(StatusCode::CONFLICT, &printable_capped(&words, 500));
            }
        };
        match part {
            "" => {
                let made = aside(move || {
                    shared.with(|table| {
                        let setup = table.game.session().setup();
                        let changed = setup.label();
                        let options = changed.strip_prefix(setup.game().id).unwrap_or_default();
                        page::play_page(&format!("{}{options}", setup.game().title), &table.stage)
                    })
                });
                made.await.map_or_else(nothing, |page| answer::whole(HTML, page))
            }
            "events" => feeds.stream(shared.watch()).unwrap_or_else(crowded),
            "why" => why(query, &shared),
            "game.pgn" => match aside(move || shared.log()).await {
                Some(log) => answer::download(TEXT, Body::Whole(Some(log.into()))),
                None => nothing(),
            },
            _ => nothing(),
        }
    }

    /// Carries out an order for a table.
    pub(crate) async fn order(self: &Arc<Self>, name: &str, request: Request<Incoming>) -> HttpAnswer {
        let gone = || say(StatusCode::NOT_FOUND, "there is no such game: it was taken away");
        let sent = match sent(request).await {
            Ok(sent) => sent,
            Err(status) => return say(status, "no order of at most 4096 bytes came in time"),
        };
        let order = match TableOrder::read(&sent) {
            Ok(order) => order,
            Err(words) => return say(StatusCode::BAD_REQUEST, &words),
        };
        if matches!(order, TableOrder::Leave | TableOrder::Remove) {
            let (open_tables, name, is_kept) =
                (Arc::clone(self), name.to_owned(), order == TableOrder::Leave);
            let was_there = aside(move || open_tables.close(&name, is_kept)).await;
            return if was_there { say(StatusCode::OK, "left") } else { gone() };
        }
        let shared = match self.seek(name).await {
            Ok(Some(shared)) => shared,
            Ok(None) => return gone(),
            Err(TableRefusal::Full) => return say(StatusCode::SERVICE_UNAVAILABLE, &full()),
            Err(TableRefusal::Unfit(misfit)) => return say(StatusCode::CONFLICT, &misfit.words),
        };
        match aside(move || shared.obey(&order)).await {
            Some(Ok(())) => say(StatusCode::OK, ""),
            Some(Err(words)) => say(StatusCode::CONFLICT, &words),
            None => gone(),
        }
    }
}

/// Says why the rules refuse the cells that a player clicked: `cells=e3,h4`.
fn why(query: &str, shared: &SharedTable) -> HttpAnswer {
    let cells: Vec<_> =
        query.strip_prefix("cells=").unwrap_or_default().split(',').take(MOST_CELLS).collect();
    let refusal = shared.with(|table| {
        let session = table.game.session();
        let referee = session.setup().referee(Some(&session.position())).ok()?;
        rules::refusal(&*referee, &cells)
    });
    match refusal.flatten() {
        Some(words) => say(StatusCode::OK, &words),
        None => say(StatusCode::NOT_FOUND, "the rules have no words for it"),
    }
}

/// Says what is wrong with a wish, and at which field of the page.
fn complain(misfit: &Misfit) -> HttpAnswer {
    let said = json!({ "said": printable_capped(&misfit.words, 500), "field": misfit.field }).to_string();
    answer::answer(StatusCode::BAD_REQUEST, JSON, Body::Whole(Some(said.into())))
}

fn full() -> String {
    format!("{MOST_TABLES} games are being played already: leave one, or wait a minute")
}
