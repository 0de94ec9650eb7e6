//! Writing many recorded games as text.

use std::collections::BTreeMap;

use rules::Catalogue;

use crate::pgn::write::End;
use crate::pgn::{PgnForm, tags, told, write};
use crate::{GameRecord, PlyRecord, RunRecord};

/// Writes recorded games as [`PgnGame::write`](crate::PgnGame::write) does, without copying each game. It calculates the start
/// of games with the same options only once.
#[derive(Clone, Debug)]
pub struct PgnWriter<'a> {
    run: Option<&'a RunRecord>,
    catalogue: &'a Catalogue,
    form: PgnForm,
    start: Option<Start>,
}

/// The start of all games with the same options that have no start of their own.
#[derive(Clone, Debug)]
struct Start {
    game: String,
    options: BTreeMap<String, String>,
    position: Option<String>,
}

impl<'a> PgnWriter<'a> {
    /// Creates a writer. `run` provides the name of the tournament and the arena's version, `catalogue` the rules of its games.
    #[must_use]
    pub const fn new(run: Option<&'a RunRecord>, catalogue: &'a Catalogue, form: PgnForm) -> Self {
        Self { run, catalogue, form, start: None }
    }

    /// Appends the text of a game in UTF-8: tags, movetext and the empty line after each. Returns whether it did: a game of
    /// more than two seats has no safe form.
    pub fn write<T: AsRef<str> + Ord, C: AsRef<str>>(
        &mut self,
        game: &GameRecord<T, Vec<PlyRecord<T>>, C>,
        out: &mut Vec<u8>,
    ) -> bool {
        let (run, form) = (self.run, self.form);
        let is_table = game.seats.len() > 2;
        if is_table && form == PgnForm::Safe {
            return false;
        }
        let is_chess = tags::is_chess(game, run, self.catalogue);
        let start = match &game.start {
            Some(start) => Some(start.as_ref()),
            None => self.start(game),
        };
        tags::each(game, run, start, is_chess, |name, value| write::tag(name, value, form, out));
        let form = if is_chess { PgnForm::Native } else { form };
        let end = End { comment: game.detail.as_ref().map(T::as_ref), result: game.result.pgn(), is_table };
        write::movetext(told(game), end, form, out);
        true
    }

    /// Returns the start of a game that has none of its own, if its rules are known.
    fn start<T: AsRef<str> + Ord, P, C>(&mut self, game: &GameRecord<T, P, C>) -> Option<&str> {
        let known = self.start.take();
        let known =
            known.filter(|start| start.game == game.game.as_ref() && game.has_options(&start.options));
        let start = known.unwrap_or_else(|| {
            let options = game.options();
            let options = options.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
            Start {
                game: game.game.as_ref().to_owned(),
                options,
                position: tags::start(game, self.catalogue),
            }
        });
        self.start.insert(start).position.as_deref()
    }
}
