//! What is asked for of the games that are played by hand, and what is answered.

use std::sync::Arc;
use std::time::Instant;

use hyper::body::Incoming;
use hyper::{Request, StatusCode};
use serde_json::json;

use super::hall::{Hall, MOST_TABLES, Refused};
use super::order::Order;
use super::wish::Wish;
use crate::play::log_text;
use crate::serve::feed::Feeds;
use crate::serve::http::{self, Answer, Body, HTML, JSON, TEXT};
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
            Err(Refused::Full) => say(
                StatusCode::SERVICE_UNAVAILABLE,
                &format!("{MOST_TABLES} games are being played already: leave one, or wait a minute"),
            ),
        }
    }

    /// Answers what is asked of one table.
    pub(in crate::serve) async fn table(&self, name: &str, part: &str, feeds: &Feeds) -> Answer {
        let Some(place) = self.find(name) else { return nothing() };
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
        let gone =
            || say(StatusCode::NOT_FOUND, "there is no such game: it was left, or it is over for long");
        let Some(place) = self.find(name) else { return gone() };
        let sent = match sent(request).await {
            Ok(sent) => sent,
            Err(status) => return say(status, "no order of at most 4096 bytes came in time"),
        };
        let order = match Order::read(&sent) {
            Ok(order) => order,
            Err(words) => return say(StatusCode::BAD_REQUEST, &words),
        };
        if order == Order::Leave {
            let (hall, name) = (Arc::clone(self), name.to_owned());
            aside(move || hall.close(&name)).await;
            return say(StatusCode::OK, "left");
        }
        match aside(move || place.obey(&order)).await {
            Some(Ok(())) => say(StatusCode::OK, ""),
            Some(Err(words)) => say(StatusCode::CONFLICT, &words),
            None => gone(),
        }
    }
}
