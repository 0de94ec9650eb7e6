//! All tables: a bounded number, each until it is left or nothing happens at it for long. All are kept on the shelf, and come
//! back from there when somebody asks for them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::keeper::Keeper;
use super::place::Place;
use super::roster::Roster;
use super::shelf::{NAME_DIGITS, Shelf};
use super::wish::Wish;
use crate::http::guard::Token;

/// How many tables there are at most; each has up to three bots.
pub(super) const MOST_TABLES: usize = 16;

/// How long nothing may happen at a table.
const IDLE: Duration = Duration::from_secs(2 * 60 * 60);

/// After how long without anything happening a table that no page shows is given up for another one, where all are taken.
const ABANDONED: Duration = Duration::from_secs(60);

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(200);

/// All tables, and the bots that can be chosen.
pub(crate) struct Hall {
    roster: Roster,
    shelf: Arc<Shelf>,
    tables: Mutex<BTreeMap<String, Arc<Place>>>,
}

/// Why no table was set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// What is wanted cannot be had.
    Wish(String),
    /// All tables are taken.
    Full,
}

impl Hall {
    /// Returns a hall without tables; those that are played at are kept in `folder`.
    pub(crate) fn new(roster: Roster, folder: PathBuf) -> Self {
        Self { roster, shelf: Arc::new(Shelf::new(folder)), tables: Mutex::new(BTreeMap::new()) }
    }

    /// Returns the bots that can be chosen.
    pub(crate) const fn roster(&self) -> &Roster {
        &self.roster
    }

    /// Sets a table up at `now`. Returns its name, which nobody can guess, and the table; somebody has to [`Hall::attend`]
    /// to it.
    ///
    /// # Errors
    /// When all tables are taken, or with what is wrong in the wish.
    pub(crate) fn open(&self, wish: Wish, now: Instant) -> Result<(String, Arc<Place>), Refused> {
        let seed = jiff::Timestamp::now().as_microsecond().unsigned_abs();
        let plan = wish.check(&self.roster, seed).map_err(Refused::Wish)?;
        let token = Token::random().map_err(|failure| Refused::Wish(failure.first()))?;
        let name: String = token.words().chars().take(NAME_DIGITS).collect();
        self.clear(now)?;
        let keeper = Keeper::new(Arc::clone(&self.shelf), name.clone());
        let place = Place::new(plan, None, keeper).map(Arc::new).map_err(Refused::Wish)?;
        let mut tables = self.tables();
        if tables.len() >= MOST_TABLES {
            drop(tables);
            // Somebody was quicker.
            place.end(false);
            return Err(Refused::Full);
        }
        tables.insert(name.clone(), Arc::clone(&place));
        Ok((name, place))
    }

    /// Returns a table by its name, from the shelf if need be, and whether it was set up for that: somebody has to
    /// [`Hall::attend`] to it then. `None` where there is none.
    ///
    /// # Errors
    /// When all tables are taken, or with what is wrong in what was kept.
    pub(crate) fn fetch(&self, name: &str, now: Instant) -> Result<Option<(Arc<Place>, bool)>, Refused> {
        if let Some(place) = self.find(name) {
            return Ok(Some((place, false)));
        }
        let Some(saved) = self.shelf.get(name).map_err(Refused::Wish)? else { return Ok(None) };
        let plan = saved.wish.clone().check(&self.roster, saved.seed).map_err(Refused::Wish)?;
        self.clear(now)?;
        let keeper = Keeper::new(Arc::clone(&self.shelf), name.to_owned());
        let place = Place::new(plan, Some(&saved), keeper).map(Arc::new).map_err(Refused::Wish)?;
        let mut tables = self.tables();
        // Somebody may have been quicker: no bot of ours has begun.
        if let Some(other) = tables.get(name) {
            return Ok(Some((Arc::clone(other), false)));
        }
        if tables.len() >= MOST_TABLES {
            return Err(Refused::Full);
        }
        tables.insert(name.to_owned(), Arc::clone(&place));
        Ok(Some((place, true)))
    }

    /// Returns the tables on the shelf as a page lists them: the link, the game, who plays, how many plies there are, how it
    /// stands, and when that was (in milliseconds since 1970).
    pub(crate) fn list(&self) -> Value {
        let listed = self.shelf.list().into_iter().map(|(name, when, summary)| {
            let when = when.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
            let names = summary.names.map(|name| protocol::printable_capped(&name, 60));
            let state = protocol::printable_capped(&summary.state, 200);
            let game = protocol::printable_capped(&summary.game, 100);
            json!([format!("/play/{name}/"), game, names, summary.plies, state, when])
        });
        listed.collect()
    }

    /// Takes a table away at which nobody is, where all are taken.
    fn clear(&self, now: Instant) -> Result<(), Refused> {
        if let Some(abandoned) = self.make_room(now)? {
            abandoned.end(true);
        }
        Ok(())
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
    pub(crate) fn find(&self, name: &str) -> Option<Arc<Place>> {
        self.tables().get(name).cloned()
    }

    /// Sees to a table until it is left, or nothing has happened for long.
    pub(crate) async fn attend(self: Arc<Self>, name: String, place: Arc<Place>) {
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
        let close = move || {
            let mut tables = hall.tables();
            // It may have been left, and set up once more since.
            if tables.get(&name).is_some_and(|other| Arc::ptr_eq(other, &place)) {
                tables.remove(&name);
            }
            drop(tables);
            place.end(true);
        };
        let _ = spawn_blocking(close).await;
    }

    /// Ends a table and its bots, and waits for these; it stays on the shelf or not. Returns whether there was one.
    pub(crate) fn close(&self, name: &str, is_kept: bool) -> bool {
        let place = self.tables().remove(name);
        let is_there = place.is_some() || self.shelf.get(name).is_ok_and(|saved| saved.is_some());
        if let Some(place) = place {
            place.end(is_kept);
        }
        if !is_kept {
            self.shelf.remove(name);
        }
        is_there
    }

    /// Ends all tables with their bots, and waits for these.
    pub(crate) fn end(&self) {
        let tables = std::mem::take(&mut *self.tables());
        thread::scope(|scope| {
            for place in tables.values() {
                scope.spawn(|| place.end(true));
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
    use tempfile::TempDir;

    use super::*;
    use crate::tables::order::Order;
    use tournament_file::Confinement;

    fn wish() -> Wish {
        let text = r#"{"game": "farook", "seats": [{"person": "Ada"}, {"person": ""}]}"#;
        serde_json::from_str(text).expect("a wish")
    }

    fn hall(folder: &TempDir) -> Hall {
        Hall::new(
            Roster::read(&[], None, Confinement::default()).expect("no words are right"),
            folder.path().join("by-hand"),
        )
    }

    #[test]
    fn where_all_tables_are_taken_only_an_abandoned_one_makes_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let hall = hall(&folder);
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
        let folder = tempfile::tempdir().expect("a folder");
        let hall = hall(&folder);
        let (_, place) = hall.open(wish(), Instant::now()).expect("there is room");
        let later = Instant::now() + IDLE;
        assert!(place.rested(later) > IDLE - ABANDONED);
        assert_eq!(place.obey(&Order::Resign), Some(Ok(())));
        assert!(place.rested(Instant::now()) < ABANDONED);
    }
}
