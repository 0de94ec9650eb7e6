//! What is asked for of the games that are played by hand, and what is answered.

use std::sync::Arc;
use std::time::Instant;

use hand_play::log_text;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use protocol::printable_capped;
use serde_json::json;

use super::open_tables::{MOST_TABLES, OpenTables, TableRefusal};
use super::shared_table::SharedTable;
use super::table_order::TableOrder;
use super::table_request::TableRequest;
use crate::http::answer::{self, Body, HTML, HttpAnswer, JSON, TEXT, refuse};
use crate::http::exchange::{aside, crowded, nothing, say, sent};
use crate::http::feed::Feeds;

impl OpenTables {
    /// Returns the page where a game is chosen.
    pub(crate) fn page(&self) -> HttpAnswer {
        answer::whole(HTML, page::begin_page(&self.offered().list()))
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
            Err(TableRefusal::Unfit(words)) => say(StatusCode::BAD_REQUEST, &words),
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

    /// Answers what is asked of one table.
    pub(crate) async fn table(self: &Arc<Self>, name: &str, part: &str, feeds: &Feeds) -> HttpAnswer {
        let shared = match self.seek(name).await {
            Ok(Some(shared)) => shared,
            Ok(None) => return nothing(),
            Err(TableRefusal::Full) => return refuse(StatusCode::SERVICE_UNAVAILABLE, &full()),
            Err(TableRefusal::Unfit(words)) => {
                let words = format!("the game is kept, but cannot go on: {words}");
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
            "game.pgn" => match aside(move || shared.record()).await {
                Some(record) => answer::download(TEXT, Body::Whole(Some(log_text(&record).into()))),
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
            Err(TableRefusal::Unfit(words)) => return say(StatusCode::CONFLICT, &words),
        };
        match aside(move || shared.obey(&order)).await {
            Some(Ok(())) => say(StatusCode::OK, ""),
            Some(Err(words)) => say(StatusCode::CONFLICT, &words),
            None => gone(),
        }
    }
}

fn full() -> String {
    format!("{MOST_TABLES} games are being played already: leave one, or wait a minute")
}
