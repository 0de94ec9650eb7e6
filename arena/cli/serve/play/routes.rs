//! What is asked for of the games that are played by hand, and what is answered.

use std::sync::Arc;
use std::time::Instant;

use hand_play::log_text;
use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use protocol::printable_capped;
use serde_json::json;

use super::hall::{Hall, MOST_TABLES, Refused};
use super::order::Order;
use super::place::Place;
use super::wish::Wish;
use crate::serve::feed::Feeds;
use crate::serve::http::{self, Answer, Body, HTML, JSON, TEXT, refuse};
use crate::serve::routes::{aside, crowded, nothing, say, sent};

impl Hall {
    /// Returns the page where a game is chosen.
    pub(in crate::serve) fn page(&self) -> Answer {
        http::whole(HTML, page::begin_page(&self.roster().list()))
    }

    /// Begins a game.
    pub(in crate::serve) async fn begin(self: &Arc<Self>, request: Request<Incoming>) -> Answer {
        let sent = match sent(request).await {
            Ok(sent) => sent,
            Err(status) => return say(status, "no wish of at most 4096 bytes came in time"),
        };
        let wish: Wish = match serde_json::from_slice(&sent) {
            Ok(wish) => wish,
            Err(error) => return say(StatusCode::BAD_REQUEST, &error.to_string()),
        };
        let hall = Arc::clone(self);
        match aside(move || hall.open(wish, Instant::now())).await {
            Ok((name, place)) => {
                tokio::spawn(Arc::clone(self).attend(name.clone(), place));
                let link = json!({ "link": format!("/play/{name}/") }).to_string();
                http::answer(StatusCode::CREATED, JSON, Body::Whole(Some(link.into())))
            }
            Err(Refused::Wish(words)) => say(StatusCode::BAD_REQUEST, &words),
            Err(Refused::Full) => say(StatusCode::SERVICE_UNAVAILABLE, &full()),
        }
    }

    /// Returns the tables that are kept.
    pub(in crate::serve) async fn saved(self: &Arc<Self>) -> Answer {
        let hall = Arc::clone(self);
        let list = aside(move || hall.list().to_string()).await;
        http::answer(StatusCode::OK, JSON, Body::Whole(Some(list.into())))
    }

    /// Returns a table by its name: one that is there, or one that was kept.
    async fn seek(self: &Arc<Self>, name: &str) -> Result<Option<Arc<Place>>, Refused> {
        let (hall, wanted) = (Arc::clone(self), name.to_owned());
        let Some((place, is_new)) = aside(move || hall.fetch(&wanted, Instant::now())).await? else {
            return Ok(None);
        };
        if is_new {
            tokio::spawn(Arc::clone(self).attend(name.to_owned(), Arc::clone(&place)));
        }
        Ok(Some(place))
    }

    /// Answers what is asked of one table.
    pub(in crate::serve) async fn table(self: &Arc<Self>, name: &str, part: &str, feeds: &Feeds) -> Answer {
        let place = match self.seek(name).await {
            Ok(Some(place)) => place,
            Ok(None) => return nothing(),
            Err(Refused::Full) => return refuse(StatusCode::SERVICE_UNAVAILABLE, &full()),
            Err(Refused::Wish(words)) => {
                let words = format!("the game is kept, but cannot go on: {words}");
                return refuse(StatusCode::CONFLICT, &printable_capped(&words, 500));
            }
        };
        match part {
            "" => {
                let made = aside(move || {
                    place.with(|table| {
                        let setup = table.game.session().setup();
                        let changed = setup.label();
                        let options = changed.strip_prefix(setup.game().id).unwrap_or_default();
                        page::play_page(&format!("{}{options}", setup.game().title), &table.stage)
                    })
                });
                made.await.map_or_else(nothing, |page| http::whole(HTML, page))
            }
            "events" => feeds.stream(place.watch()).unwrap_or_else(crowded),
            "game.pgn" => match aside(move || place.record()).await {
                Some(record) => http::download(TEXT, Body::Whole(Some(log_text(&record).into()))),
                None => nothing(),
            },
            _ => nothing(),
        }
    }

    /// Carries out an order for a table.
    pub(in crate::serve) async fn order(self: &Arc<Self>, name: &str, request: Request<Incoming>) -> Answer {
        let gone = || say(StatusCode::NOT_FOUND, "there is no such game: it was taken away");
        let sent = match sent(request).await {
            Ok(sent) => sent,
            Err(status) => return say(status, "no order of at most 4096 bytes came in time"),
        };
        let order = match Order::read(&sent) {
            Ok(order) => order,
            Err(words) => return say(StatusCode::BAD_REQUEST, &words),
        };
        if matches!(order, Order::Leave | Order::Remove) {
            let (hall, name, is_kept) = (Arc::clone(self), name.to_owned(), order == Order::Leave);
            let was_there = aside(move || hall.close(&name, is_kept)).await;
            return if was_there { say(StatusCode::OK, "left") } else { gone() };
        }
        let place = match self.seek(name).await {
            Ok(Some(place)) => place,
            Ok(None) => return gone(),
            Err(Refused::Full) => return say(StatusCode::SERVICE_UNAVAILABLE, &full()),
            Err(Refused::Wish(words)) => return say(StatusCode::CONFLICT, &words),
        };
        match aside(move || place.obey(&order)).await {
            Some(Ok(())) => say(StatusCode::OK, ""),
            Some(Err(words)) => say(StatusCode::CONFLICT, &words),
            None => gone(),
        }
    }
}

fn full() -> String {
    format!("{MOST_TABLES} games are being played already: leave one, or wait a minute")
}
