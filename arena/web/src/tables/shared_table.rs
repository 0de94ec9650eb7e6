//! A table where several can reach it: the page that plays, those that watch, the bots.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hand_play::TellEvent;
use hand_play::log_text;
use runner::PartnerEvent;
use tokio::sync::{Notify, watch};

use super::game_table::GameTable;
use super::picture::picture;
use super::saved_table::SavedTable;
use super::table_order::TableOrder;
use super::table_request::CheckedRequest;
use super::table_saver::TableSaver;
use crate::http::feed::Pictures;
use crate::runs::PictureText;

/// A table where several can reach it.
pub(crate) struct SharedTable {
    /// The table, until it was left.
    table: Mutex<Option<GameTable>>,
    saver: Mutex<TableSaver>,
    inbox: Arc<Inbox>,
    pictures: watch::Sender<Option<Arc<PictureText>>>,
    /// When something happened last.
    stirred: Mutex<Instant>,
}

/// What bots have said and nobody has taken yet. It stays small: of what one says while it thinks the latest is kept, and
/// everything else comes once for a question.
#[derive(Default)]
pub(crate) struct Inbox {
    events: Mutex<VecDeque<(usize, PartnerEvent)>>,
    news: Notify,
}

impl Inbox {
    fn put(&self, who: usize, event: PartnerEvent) {
        let mut events = lock(&self.events);
        let is_report = |event: &PartnerEvent| matches!(event, PartnerEvent::Report(..));
        if is_report(&event) {
            // It waits until somebody looks again: a bot may say a thousand things a second.
            events.retain(|(other, earlier)| *other != who || !is_report(earlier));
        } else {
            self.news.notify_one();
        }
        events.push_back((who, event));
    }

    /// Waits until something was said, at most for so long.
    pub(crate) async fn wait(&self, most: Duration) {
        let _ = tokio::time::timeout(most, self.news.notified()).await;
    }
}

impl SharedTable {
    /// Sets a table up, new or kept.
    ///
    /// # Errors
    /// As [`GameTable::new`] and [`GameTable::restore`].
    pub(crate) fn new(
        plan: CheckedRequest,
        saved: Option<&SavedTable>,
        mut saver: TableSaver,
    ) -> Result<Self, String> {
        let inbox = Arc::new(Inbox::default());
        let tell: TellEvent = {
            let inbox = Arc::clone(&inbox);
            Arc::new(move |who, event| inbox.put(who, event))
        };
        let table = match saved {
            Some(saved) => {
                let table = GameTable::restore(plan, saved, tell)?;
                saver.note(&table);
                table
            }
            None => {
                let mut table = GameTable::new(plan, tell)?;
                saver.keep(&mut table);
                table
            }
        };
        let shared = Self {
            table: Mutex::new(Some(table)),
            saver: Mutex::new(saver),
            inbox,
            pictures: watch::Sender::new(None),
            stirred: Mutex::new(Instant::now()),
        };
        shared.show();
        Ok(shared)
    }

    /// Returns what bots have said.
    pub(crate) fn inbox(&self) -> Arc<Inbox> {
        Arc::clone(&self.inbox)
    }

    /// Returns the pictures of the table, the latest one and those to come.
    pub(crate) fn watch(&self) -> Pictures {
        self.pictures.subscribe()
    }

    /// Carries an order out; `None` where the table was left.
    pub(crate) fn obey(&self, order: &TableOrder) -> Option<Result<(), String>> {
        let mut table = lock(&self.table);
        let there = table.as_mut()?;
        let done = there.obey(order);
        // Before anybody is shown it.
        lock(&self.saver).keep(there);
        drop(table);
        *lock(&self.stirred) = Instant::now();
        self.show();
        Some(done)
    }

    /// Takes what bots have said, and looks at the clocks. Returns whether the table is still there.
    pub(crate) fn attend(&self) -> bool {
        let events = std::mem::take(&mut *lock(&self.inbox.events));
        let mut table = lock(&self.table);
        let Some(there) = table.as_mut() else { return false };
        let mut has_changed = there.flag();
        for (who, event) in events {
            has_changed |= there.hear(who, event);
        }
        let before = there.unkept.clone();
        lock(&self.saver).keep(there);
        has_changed |= before != there.unkept;
        drop(table);
        if has_changed {
            *lock(&self.stirred) = Instant::now();
            self.show();
        }
        true
    }

    /// Returns for how long nothing has happened at it.
    pub(crate) fn rested(&self, now: Instant) -> Duration {
        now.saturating_duration_since(*lock(&self.stirred))
    }

    /// Returns whether a page shows it.
    pub(crate) fn is_watched(&self) -> bool {
        self.pictures.receiver_count() > 0
    }

    /// Works something out of the table; `None` where it was left.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&GameTable) -> T) -> Option<T> {
        lock(&self.table).as_ref().map(work)
    }

    /// Returns the game as it stands, as a game log.
    pub(crate) fn log(&self) -> Option<String> {
        self.with(|table| log_text(&table.game.record(), table.game.session().setup()))
    }

    /// Ends the bots, and waits for these; what was played is kept, or forgotten.
    pub(crate) fn end(&self, is_kept: bool) {
        let table = lock(&self.table).take();
        let Some(mut table) = table else { return };
        let mut saver = lock(&self.saver);
        if is_kept {
            saver.leave(&mut table);
        } else {
            saver.forget();
        }
        drop(saver);
        table.game.end();
    }

    fn show(&self) {
        // While the table is held, so that no picture overtakes a later one.
        self.with(|table| {
            let text = picture(table).to_string();
            self.pictures.send_replace(Some(Arc::new(PictureText { mark: String::new(), text })))
        });
    }
}

/// A table whose thread panicked is shown as it is.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
