//! All tables: a bounded number, each until it is left or nothing happens at it for long. All are kept in files, and come
//! back from there when somebody asks for them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::offered_bots::OfferedBots;
use super::shared_table::SharedTable;
use super::table_request::{Misfit, TableRequest};
use super::table_saver::TableSaver;
use super::table_store::{NAME_DIGITS, TableStore};
use crate::http::guard::AccessToken;

/// How many tables there are at most; each has up to three bots.
pub(super) const MOST_TABLES: usize = 16;

/// How long nothing may happen at a table.
const IDLE: Duration = Duration::from_secs(2 * 60 * 60);

/// After how long without anything happening a table that no page shows is given up for another one, where all are taken.
const ABANDONED: Duration = Duration::from_secs(60);

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(200);

/// All tables, and the bots that can be chosen.
pub(crate) struct OpenTables {
    offered: OfferedBots,
    store: Arc<TableStore>,
    tables: Mutex<BTreeMap<String, Arc<SharedTable>>>,
}

/// Why no table was set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TableRefusal {
    /// What is wanted cannot be had.
    Unfit(Misfit),
    /// All tables are taken.
    Full,
}

impl OpenTables {
    /// Begins without tables; those that are played at are kept in `folder`.
    pub(crate) fn new(offered: OfferedBots, folder: PathBuf) -> Self {
        Self { offered, store: Arc::new(TableStore::new(folder)), tables: Mutex::new(BTreeMap::new()) }
    }

    /// Returns the bots that can be chosen.
    pub(crate) const fn offered(&self) -> &OfferedBots {
        &self.offered
    }

    /// Sets a table up at `now`. Returns its name, which nobody can guess, and the table; somebody has to [`OpenTables::attend`]
    /// to it.
    ///
    /// # Errors
    /// When all tables are taken, or with what is wrong in the request.
    pub(crate) fn open(
        &self,
        request: TableRequest,
        now: Instant,
    ) -> Result<(String, Arc<SharedTable>), TableRefusal> {
        let seed = jiff::Timestamp::now().as_microsecond().unsigned_abs();
        let plan = request.check(&self.offered, seed).map_err(TableRefusal::Unfit)?;
        let token = AccessToken::random().map_err(|failure| unfit(failure.first()))?;
        let name: String = token.words().chars().take(NAME_DIGITS).collect();
        self.clear(now)?;
        let saver = TableSaver::new(Arc::clone(&self.store), name.clone());
        let shared = SharedTable::new(plan, None, saver).map(Arc::new).map_err(unfit)?;
        let mut tables = self.tables();
        if tables.len() >= MOST_TABLES {
            drop(tables);
            // Somebody was quicker.
            shared.end(false);
            return Err(TableRefusal::Full);
        }
        tables.insert(name.clone(), Arc::clone(&shared));
        Ok((name, shared))
    }

    /// Returns a table by its name, from its file if need be, and whether it was set up for that: somebody has to
    /// [`OpenTables::attend`] to it then. `None` where there is none.
    ///
    /// # Errors
    /// When all tables are taken, or with what is wrong in what was kept.
    pub(crate) fn fetch(
        &self,
        name: &str,
        now: Instant,
    ) -> Result<Option<(Arc<SharedTable>, bool)>, TableRefusal> {
        if let Some(shared) = self.find(name) {
            return Ok(Some((shared, false)));
        }
        let Some(saved) = self.store.get(name).map_err(unfit)? else { return Ok(None) };
        let plan = saved.request.clone().check(&self.offered, saved.seed).map_err(TableRefusal::Unfit)?;
        self.clear(now)?;
        let saver = TableSaver::new(Arc::clone(&self.store), name.to_owned());
        let shared = SharedTable::new(plan, Some(&saved), saver).map(Arc::new).map_err(unfit)?;
        let mut tables = self.tables();
        // Somebody may have been quicker: no bot of ours has begun.
        if let Some(other) = tables.get(name) {
            return Ok(Some((Arc::clone(other), false)));
        }
        if tables.len() >= MOST_TABLES {
            return Err(TableRefusal::Full);
        }
        tables.insert(name.to_owned(), Arc::clone(&shared));
        Ok(Some((shared, true)))
    }

    /// Returns the tables that are kept as a page lists them: the link, the game, who plays, how many plies there are, how it
    /// stands, and when that was (in milliseconds since 1970).
    pub(crate) fn list(&self) -> Value {
        let listed = self.store.list().into_iter().map(|(name, when, summary)| {
            let when = when.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
            let names: Vec<_> =
                summary.names.iter().map(|name| protocol::printable_capped(name, 60)).collect();
            let state = protocol::printable_capped(&summary.state, 200);
            let game = protocol::printable_capped(&summary.game, 100);
            json!([format!("/play/{name}/"), game, names, summary.plies, state, when])
        });
        listed.collect()
    }

    /// Removes a table without players if all places are taken.
    fn clear(&self, now: Instant) -> Result<(), TableRefusal> {
        if let Some(abandoned) = self.make_room(now)? {
            abandoned.end(true);
        }
        Ok(())
    }

    /// Removes a table without players if all places are taken.
    fn make_room(&self, now: Instant) -> Result<Option<Arc<SharedTable>>, TableRefusal> {
        let mut tables = self.tables();
        if tables.len() < MOST_TABLES {
            return Ok(None);
        }
        let name = abandoned(&tables, now).ok_or(TableRefusal::Full)?;
        Ok(tables.remove(&name))
    }

    /// Returns a table by its name.
    pub(crate) fn find(&self, name: &str) -> Option<Arc<SharedTable>> {
        self.tables().get(name).cloned()
    }

    /// Sees to a table until it is left, or nothing has happened for long.
    pub(crate) async fn attend(self: Arc<Self>, name: String, shared: Arc<SharedTable>) {
        let inbox = shared.inbox();
        loop {
            inbox.wait(TICK).await;
            let there = Arc::clone(&shared);
            let is_there = spawn_blocking(move || there.attend()).await.unwrap_or(false);
            if !is_there || shared.rested(Instant::now()) > IDLE {
                break;
            }
        }
        // The pages that show it hear that it is over when nobody holds it any more.
        let open_tables = Arc::clone(&self);
        let close = move || {
            let mut tables = open_tables.tables();
            // It may have been left, and set up again since.
            if tables.get(&name).is_some_and(|other| Arc::ptr_eq(other, &shared)) {
                tables.remove(&name);
            }
            drop(tables);
            shared.end(true);
        };
        let _ = spawn_blocking(close).await;
    }

    /// Ends a table and its bots, and waits for these; its file stays or not. Returns whether there was one.
    pub(crate) fn close(&self, name: &str, is_kept: bool) -> bool {
        let shared = self.tables().remove(name);
        let is_there = shared.is_some() || self.store.get(name).is_ok_and(|saved| saved.is_some());
        if let Some(shared) = shared {
            shared.end(is_kept);
        }
        if !is_kept {
            self.store.remove(name);
        }
        is_there
    }

    /// Ends all tables with their bots, and waits for these.
    pub(crate) fn end(&self) {
        let tables = std::mem::take(&mut *self.tables());
        thread::scope(|scope| {
            for shared in tables.values() {
                scope.spawn(|| shared.end(true));
            }
        });
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<String, Arc<SharedTable>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses a table for a reason that no field of the page explains.
fn unfit(words: String) -> TableRefusal {
    TableRefusal::Unfit(words.into())
}

/// Returns the name of the table that has been idle longest among those that no page shows.
fn abandoned(tables: &BTreeMap<String, Arc<SharedTable>>, now: Instant) -> Option<String> {
    let left = tables.iter().map(|(name, shared)| (shared.rested(now), name, shared));
    let left = left.filter(|(rested, _, shared)| *rested > ABANDONED && !shared.is_watched());
    left.max_by_key(|(rested, ..)| *rested).map(|(_, name, _)| name.clone())
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::tables::table_order::TableOrder;
    use tournament_file::Confinement;

    fn request() -> TableRequest {
        let text = r#"{"game": "farook", "seats": [{"person": "Ada"}, {"person": ""}]}"#;
        serde_json::from_str(text).expect("a request")
    }

    fn open_tables(folder: &TempDir) -> OpenTables {
        OpenTables::new(
            OfferedBots::read(&[], None, rules::Catalogue::default(), Confinement::default())
                .expect("no words are right"),
            folder.path().join("by-hand"),
        )
    }

    #[test]
    fn where_all_tables_are_taken_only_an_abandoned_one_makes_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let open_tables = open_tables(&folder);
        let begun = Instant::now();
        let tables: Vec<_> =
            (0..MOST_TABLES).map(|_| open_tables.open(request(), begun).expect("there is room")).collect();
        let refused = |now: Instant| open_tables.open(request(), now).err();
        assert_eq!(refused(Instant::now()), Some(TableRefusal::Full));
        // The first is looked at, the second was played at last.
        let watching = tables[0].1.watch();
        assert_eq!(tables[1].1.obey(&TableOrder::Play("a1".to_owned(), Some(0))), Some(Ok(())));
        let later = Instant::now() + ABANDONED + Duration::from_secs(1);
        for _ in 2..MOST_TABLES {
            assert_eq!(refused(later), None);
        }
        let is_there = |index: usize| open_tables.find(&tables[index].0).is_some();
        assert_eq!([0, 1, 2, MOST_TABLES - 1].map(is_there), [true, true, false, false]);
        assert!(tables[2].1.log().is_none(), "it is over for those who still hold it");
        drop(watching);
        open_tables.end();
        assert!(!is_there(0));
    }

    #[test]
    fn a_table_rests_from_its_last_order_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let open_tables = open_tables(&folder);
        let (_, shared) = open_tables.open(request(), Instant::now()).expect("there is room");
        let later = Instant::now() + IDLE;
        assert!(shared.rested(later) > IDLE - ABANDONED);
        assert_eq!(shared.obey(&TableOrder::Resign), Some(Ok(())));
        assert!(shared.rested(Instant::now()) < ABANDONED);
    }
}
