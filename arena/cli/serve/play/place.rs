//! A table where several can reach it: the page that plays, those that watch, the bots.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hand_play::TellEvent;
use record::GameRecord;
use runner::PartnerEvent;
use tokio::sync::{Notify, watch};

use super::keeper::Keeper;
use super::order::Order;
use super::picture::picture;
use super::saved::Saved;
use super::table::Table;
use super::wish::Plan;
use crate::serve::feed::Pictures;
use crate::showing::Seen;

/// A table where several can reach it.
pub(super) struct Place {
    /// The table, until it was left.
    table: Mutex<Option<Table>>,
    keeper: Mutex<Keeper>,
    inbox: Arc<Inbox>,
    pictures: watch::Sender<Option<Arc<Seen>>>,
    /// When something happened last.
    stirred: Mutex<Instant>,
}

/// What bots have said and nobody has taken yet. It stays small: of what one says while it thinks the latest is kept, and
/// everything else comes once for a question.
#[derive(Default)]
pub(super) struct Inbox {
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
    pub(super) async fn wait(&self, most: Duration) {
        let _ = tokio::time::timeout(most, self.news.notified()).await;
    }
}

impl Place {
    /// Sets a table up, or once more one that was kept.
    ///
    /// # Errors
    /// As [`Table::new`] and [`Table::restore`].
    pub(super) fn new(plan: Plan, saved: Option<&Saved>, mut keeper: Keeper) -> Result<Self, String> {
        let inbox = Arc::new(Inbox::default());
        let tell: TellEvent = {
            let inbox = Arc::clone(&inbox);
            Arc::new(move |who, event| inbox.put(who, event))
        };
        let table = match saved {
            Some(saved) => {
                let table = Table::restore(plan, saved, tell)?;
                keeper.note(&table);
                table
            }
            None => {
                let mut table = Table::new(plan, tell)?;
                keeper.keep(&mut table);
                table
            }
        };
        let place = Self {
            table: Mutex::new(Some(table)),
            keeper: Mutex::new(keeper),
            inbox,
            pictures: watch::Sender::new(None),
            stirred: Mutex::new(Instant::now()),
        };
        place.show();
        Ok(place)
    }

    /// Returns what bots have said.
    pub(super) fn inbox(&self) -> Arc<Inbox> {
        Arc::clone(&self.inbox)
    }

    /// Returns the pictures of the table, the latest one and those to come.
    pub(super) fn watch(&self) -> Pictures {
        self.pictures.subscribe()
    }

    /// Carries an order out; `None` where the table was left.
    pub(super) fn obey(&self, order: &Order) -> Option<Result<(), String>> {
        let mut table = lock(&self.table);
        let there = table.as_mut()?;
        let done = there.obey(order);
        // Before anybody is shown it.
        lock(&self.keeper).keep(there);
        drop(table);
        *lock(&self.stirred) = Instant::now();
        self.show();
        Some(done)
    }

    /// Takes what bots have said, and looks at the clocks. Returns whether the table is still there.
    pub(super) fn attend(&self) -> bool {
        let events = std::mem::take(&mut *lock(&self.inbox.events));
        let mut table = lock(&self.table);
        let Some(there) = table.as_mut() else { return false };
        let mut has_changed = there.flag();
        for (who, event) in events {
            has_changed |= there.hear(who, event);
        }
        let before = there.unkept.clone();
        lock(&self.keeper).keep(there);
        has_changed |= before != there.unkept;
        drop(table);
        if has_changed {
            *lock(&self.stirred) = Instant::now();
            self.show();
        }
        true
    }

    /// Returns for how long nothing has happened at it.
    pub(super) fn rested(&self, now: Instant) -> Duration {
        now.saturating_duration_since(*lock(&self.stirred))
    }

    /// Returns whether a page shows it.
    pub(super) fn is_watched(&self) -> bool {
        self.pictures.receiver_count() > 0
    }

    /// Works something out of the table; `None` where it was left.
    pub(super) fn with<T>(&self, work: impl FnOnce(&Table) -> T) -> Option<T> {
        lock(&self.table).as_ref().map(work)
    }

    /// Returns the record of the game as it stands.
    pub(super) fn record(&self) -> Option<GameRecord> {
        self.with(|table| table.game.record())
    }

    /// Ends the bots, and waits for these; what was played is kept, or forgotten.
    pub(super) fn end(&self, is_kept: bool) {
        let table = lock(&self.table).take();
        let Some(mut table) = table else { return };
        let mut keeper = lock(&self.keeper);
        if is_kept {
            keeper.leave(&mut table);
        } else {
            keeper.forget();
        }
        drop(keeper);
        table.game.end();
    }

    fn show(&self) {
        // While the table is held, so that no picture overtakes a later one.
        self.with(|table| {
            let text = picture(table).to_string();
            self.pictures.send_replace(Some(Arc::new(Seen { mark: String::new(), text })))
        });
    }
}

/// A table that somebody panicked at is shown as it is.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
