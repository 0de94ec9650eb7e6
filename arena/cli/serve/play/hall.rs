//! All tables: a bounded number, each until it is left or nothing happens at it for long.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::task::spawn_blocking;

use super::place::Place;
use super::roster::Roster;
use super::wish::Wish;
use crate::serve::guard::Token;

/// How many tables there are at most; each has up to three bots.
pub(super) const MOST_TABLES: usize = 16;

/// How long nothing may happen at a table.
const IDLE: Duration = Duration::from_secs(2 * 60 * 60);

/// After how long without anything happening a table that no page shows is given up for another one, where all are taken.
const ABANDONED: Duration = Duration::from_secs(60);

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(200);

/// All tables, and the bots that can be chosen.
pub(in crate::serve) struct Hall {
    roster: Roster,
    tables: Mutex<BTreeMap<String, Arc<Place>>>,
}

/// Why no table was set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// What is wanted cannot be had.
    Wish(String),
    /// All tables are taken.
    Full,
}

impl Hall {
    /// Returns a hall without tables.
    pub(in crate::serve) const fn new(roster: Roster) -> Self {
        Self { roster, tables: Mutex::new(BTreeMap::new()) }
    }

    /// Returns the bots that can be chosen.
    pub(super) const fn roster(&self) -> &Roster {
        &self.roster
    }

    /// Sets a table up at `now`. Returns its name, which nobody can guess, and the table; somebody has to [`Hall::attend`]
    /// to it.
    ///
    /// # Errors
    /// When all tables are taken, or with what is wrong in the wish.
    pub(super) fn open(&self, wish: Wish, now: Instant) -> Result<(String, Arc<Place>), Refused> {
        let seed = jiff::Timestamp::now().as_microsecond().unsigned_abs();
        let plan = wish.check(&self.roster, seed).map_err(Refused::Wish)?;
        let name = Token::random().map_err(|failure| Refused::Wish(failure.first()))?.words().to_owned();
        if let Some(abandoned) = self.make_room(now)? {
            abandoned.end();
        }
        let place = Place::new(plan).map(Arc::new).map_err(Refused::Wish)?;
        let mut tables = self.tables();
        if tables.len() >= MOST_TABLES {
            drop(tables);
            // Somebody was quicker.
            place.end();
            return Err(Refused::Full);
        }
        tables.insert(name.clone(), Arc::clone(&place));
        Ok((name, place))
    }

    /// Takes away a table at which nobody is, where all are taken.
    fn make_room(&self, now: Instant) -> Result<Option<Arc<Place>>, Refused> {
        let mut tables = self.tables();
        if tables.len() < MOST_TABLES {
            return Ok(None);
        }
        let name = abandoned(&tables, now).ok_or(Refused::Full)?;
        Ok(tables.remove(&name))
    }

    /// Returns a table by its name.
    pub(super) fn find(&self, name: &str) -> Option<Arc<Place>> {
        self.tables().get(name).cloned()
    }

    /// Sees to a table until it is left, or nothing has happened for long.
    pub(super) async fn attend(self: Arc<Self>, name: String, place: Arc<Place>) {
        let inbox = place.inbox();
        loop {
            inbox.wait(TICK).await;
            let there = Arc::clone(&place);
            let is_there = spawn_blocking(move || there.attend()).await.unwrap_or(false);
            if !is_there || place.rested(Instant::now()) > IDLE {
                break;
            }
        }
        // The pages that show it hear that it is over when nobody holds it any more.
        let hall = Arc::clone(&self);
        let _ = spawn_blocking(move || hall.close(&name)).await;
    }

    /// Ends a table and its bots, and waits for these.
    pub(super) fn close(&self, name: &str) {
        let place = self.tables().remove(name);
        if let Some(place) = place {
            place.end();
        }
    }

    /// Ends all tables with their bots, and waits for these.
    pub(in crate::serve) fn end(&self) {
        let tables = std::mem::take(&mut *self.tables());
        thread::scope(|scope| {
            for place in tables.values() {
                scope.spawn(|| place.end());
            }
        });
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Place>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the name of the table that nobody looks at and at which nothing has happened for the longest time.
fn abandoned(tables: &BTreeMap<String, Arc<Place>>, now: Instant) -> Option<String> {
    let left = tables.iter().map(|(name, place)| (place.rested(now), name, place));
    let left = left.filter(|(rested, _, place)| *rested > ABANDONED && !place.is_watched());
    left.max_by_key(|(rested, ..)| *rested).map(|(_, name, _)| name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Confinement;
    use crate::serve::play::order::Order;

    fn wish() -> Wish {
        let text = r#"{"game": "farook", "seats": [{"person": "Ada"}, {"person": ""}]}"#;
        serde_json::from_str(text).expect("a wish")
    }

    #[test]
    fn where_all_tables_are_taken_only_an_abandoned_one_makes_room() {
        let hall = Hall::new(Roster::read(&[], None, Confinement::default()).expect("no words are right"));
        let begun = Instant::now();
        let tables: Vec<_> =
            (0..MOST_TABLES).map(|_| hall.open(wish(), begun).expect("there is room")).collect();
        let refused = |now: Instant| hall.open(wish(), now).err();
        assert_eq!(refused(Instant::now()), Some(Refused::Full));
        // The first is looked at, the second was played at last.
        let watching = tables[0].1.watch();
        assert_eq!(tables[1].1.obey(&Order::Play("a1".to_owned(), Some(0))), Some(Ok(())));
        let later = Instant::now() + ABANDONED + Duration::from_secs(1);
        for _ in 2..MOST_TABLES {
            assert_eq!(refused(later), None);
        }
        let is_there = |index: usize| hall.find(&tables[index].0).is_some();
        assert_eq!([0, 1, 2, MOST_TABLES - 1].map(is_there), [true, true, false, false]);
        assert!(tables[2].1.record().is_none(), "it is over for those who still hold it");
        drop(watching);
        hall.end();
        assert!(!is_there(0));
    }

    #[test]
    fn a_table_rests_from_its_last_order_on() {
        let hall = Hall::new(Roster::read(&[], None, Confinement::default()).expect("no words are right"));
        let (_, place) = hall.open(wish(), Instant::now()).expect("there is room");
        let later = Instant::now() + IDLE;
        assert!(place.rested(later) > IDLE - ABANDONED);
        assert_eq!(place.obey(&Order::Resign), Some(Ok(())));
        assert!(place.rested(Instant::now()) < ABANDONED);
    }
}
