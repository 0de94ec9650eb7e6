//! The only list of built-in games.

pub(crate) mod catalogue;
pub(crate) mod fanorona;
pub(crate) mod farook;
pub(crate) mod faust;
pub(crate) mod frenzy;
pub(crate) mod frenzy_table;
mod looks;
pub(crate) mod school;
pub(crate) mod sophia;
pub(crate) mod two_frenzy;

use std::fmt::Write as _;

use std::sync::Arc;

use crate::{
    Dice, GameRef, Given, NotationError, OptionError, OptionSpec, Options, OwnRules, PLAYERS_OPTION,
    PerftResources, Playouts, Position, Referee, RefereedPosition, StartError, divide_with, playouts,
};

/// The list: id, title, description, and the type of the position, with those for tables of more than two seats if there are
/// any. Games are shown in this order.
macro_rules! games {
    ($($id:literal, $title:literal, $about:literal => $position:ty $(, $players:literal => $table:ty)*;)*) => {
        /// Every built-in game, in the order in which they are shown.
        pub static GAMES: &[Game] = &[$(
            Game {
                id: $id,
                title: $title,
                about: $about,
                options: <<$position as Position>::Options as Options>::SPECS,
                source: Source::BuiltIn(setup::<$position>),
            },
        )*];

        impl Setup {
            /// Calls `visitor` with the type of the game's position and the options. This leads from a built-in game's name to
            /// code that is generic over [`Position`]. Returns `None` for a game of one's own, whose rules only exchange text.
            pub fn visit<V: Visitor>(&self, visitor: V) -> Option<V::Output> {
                if self.game.own_rules().is_some() {
                    return None;
                }
                let players = self.pairs.iter().find(|(key, _)| *key == PLAYERS_OPTION);
                match (self.game.id, players.map(|(_, value)| value.as_str())) {
                    $($(($id, Some($players)) => Some(visitor.visit::<$table>(&typed::<$table>(&self.pairs))),)*)*
                    $(($id, _) => Some(visitor.visit::<$position>(&typed::<$position>(&self.pairs))),)*
                    _ => None,
                }
            }
        }
    };
}

games! {
    "farook", "Farook", "six stones each and two wild ones on 4x4" => crate::Farook;
    "faust", "Faust", "captures of walled rectangles and of patterns until one colour is wiped out" => crate::Faust;
    "frenzy", "Frenzy", "two sharks hunt a school of fish" => crate::Frenzy;
    "2-frenzy", "2-Frenzy", "two schools of fish, each with two sharks, two plies a turn" => crate::TwoFrenzy,
        "3" => crate::ThreeFrenzy, "4" => crate::FourFrenzy;
    "sophia", "Sophia", "a line of light stones against a line of dark ones" => crate::Sophia;
    "fanorona", "Fanorona", "captures of whole rows by approach or withdrawal, in chains" => crate::Fanorona;
}

/// A game that can be played.
#[derive(Debug)]
pub struct Game {
    /// The name that users and bots use: lower case, digits and hyphens.
    pub id: &'static str,
    /// The name in titles.
    pub title: &'static str,
    /// A description, as a phrase.
    pub about: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
    source: Source,
}

/// The source of a game's rules.
#[derive(Debug)]
enum Source {
    BuiltIn(ReadOptions),
    Own(Arc<dyn OwnRules>),
}

/// All options of a game with their values, in the game's order.
type Pairs = Vec<(&'static str, String)>;

/// Reads the options of one game.
type ReadOptions = fn(&[(&str, &str)]) -> Result<Pairs, OptionError>;

impl Game {
    /// Returns a game of one's own. If the default of an option is none of its values, the rules calculate it.
    pub fn own(
        id: &'static str,
        title: &'static str,
        about: &'static str,
        options: &'static [OptionSpec],
        rules: Arc<dyn OwnRules>,
    ) -> Self {
        Self { id, title, about, options, source: Source::Own(rules) }
    }

    /// Returns the rules of a game of one's own; `None` for a built-in one.
    #[must_use]
    pub fn own_rules(&self) -> Option<&Arc<dyn OwnRules>> {
        match &self.source {
            Source::BuiltIn(_) => None,
            Source::Own(rules) => Some(rules),
        }
    }

    /// Sets up a built-in game with these options; the others take their defaults.
    ///
    /// # Errors
    /// If an option is unknown or out of range. The error names it and what is allowed.
    pub fn setup(&'static self, options: &[(&str, &str)]) -> Result<Setup, OptionError> {
        GameRef::BuiltIn(self).setup(options)
    }

    /// Returns all options with their values. Options that are not given have their defaults.
    fn pairs(&self, options: &[(&str, &str)]) -> Result<Pairs, OptionError> {
        match &self.source {
            Source::BuiltIn(read) => read(options),
            Source::Own(_) => {
                let given = Given::check(self.options, options)?;
                // The rules calculate a default that depends on other options.
                let value = |spec: &OptionSpec| {
                    let value =
                        given.text(spec.name).or_else(|| spec.has_fixed_default().then_some(spec.default));
                    Some((spec.name, value?.to_owned()))
                };
                let pairs = self.options.iter().filter_map(value);
                // As in built-in games, a game for two seats is recorded as if it had no other tables.
                Ok(pairs.filter(|(key, value)| *key != PLAYERS_OPTION || value != "2").collect())
            }
        }
    }
}

/// Code that is generic over the games: see [`Setup::visit`].
pub trait Visitor {
    /// The result of the visit.
    type Output;

    /// Runs with the type of the game's position.
    fn visit<P: Position>(self, options: &P::Options) -> Self::Output;
}

/// A game with valid options: everything that is needed to start playing.
#[derive(Clone, Debug)]
pub struct Setup {
    game: GameRef,
    pairs: Pairs,
}

impl PartialEq for Setup {
    fn eq(&self, other: &Self) -> bool {
        self.game.id == other.game.id && self.pairs == other.pairs
    }
}

impl Eq for Setup {}

impl Setup {
    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns a handle to the game that outlives the set-up.
    #[must_use]
    pub fn game_ref(&self) -> GameRef {
        self.game.clone()
    }

    /// Returns all options with their values, in the game's order.
    #[must_use]
    pub fn options(&self) -> &[(&'static str, String)] {
        &self.pairs
    }

    /// Returns how many seats the table has: 2 to [`Seat::MOST`](crate::Seat::MOST).
    #[must_use]
    pub fn seats(&self) -> usize {
        struct Count;
        impl Visitor for Count {
            type Output = usize;
            fn visit<P: Position>(self, options: &P::Options) -> usize {
                P::start(options).seats()
            }
        }
        self.game.own_rules().map_or_else(|| self.typed(Count), |rules| rules.seats(&self.pairs))
    }

    /// Returns how many seats a table of the game has by default.
    #[must_use]
    pub fn usual_seats(&self) -> usize {
        self.game.setup(&[]).map_or(2, |setup| setup.seats())
    }

    /// Returns the options that must be given to get this set-up, in the game's order: those whose values are neither the
    /// defaults nor follow from the others.
    #[must_use]
    pub fn changed_options(&self) -> Vec<(&'static str, &str)> {
        let leads_here = |pairs: &[(&str, &str)]| self.game.setup(pairs).is_ok_and(|setup| setup == *self);
        let mut given: Vec<_> = self.pairs.iter().map(|(key, value)| (*key, value.as_str())).collect();
        // From the last one on, because a default depends only on earlier options.
        for index in (0..given.len()).rev() {
            let mut fewer = given.clone();
            fewer.remove(index);
            if leads_here(&fewer) {
                given = fewer;
            }
        }
        given
    }

    /// Returns the game's name with the options that differ from the defaults: `fanorona size=5x5`.
    #[must_use]
    pub fn label(&self) -> String {
        let mut label = self.game.id.to_owned();
        for (key, value) in self.changed_options() {
            let _ = write!(label, " {key}={value}");
        }
        label
    }

    /// Starts a game, from the start or from a position string.
    ///
    /// # Errors
    /// If the position string is wrong, or if the rules of a game of one's own fail.
    pub fn referee(&self, from: Option<&str>) -> Result<Box<dyn Referee>, StartError> {
        struct Seated<'a>(Option<&'a str>);
        impl Visitor for Seated<'_> {
            type Output = Result<Box<dyn Referee>, NotationError>;
            fn visit<P: Position>(self, options: &P::Options) -> Self::Output {
                Ok(Box::new(RefereedPosition::new(position::<P>(options, self.0)?)))
            }
        }
        match self.game.own_rules() {
            Some(rules) => rules.referee(&self.pairs, from),
            None => Ok(self.typed(Seated(from))?),
        }
    }

    /// Returns the number of lines of exactly `depth` plies.
    ///
    /// # Errors
    /// If the position string is wrong, or if the rules of a game of one's own fail.
    pub fn perft(&self, from: Option<&str>, depth: u32) -> Result<u64, StartError> {
        self.perft_with(from, depth, PerftResources::default())
    }

    /// Returns the same count with threads and a table, which only built-in games use.
    ///
    /// # Errors
    /// If the position string is wrong, or if the rules of a game of one's own fail.
    pub fn perft_with(
        &self,
        from: Option<&str>,
        depth: u32,
        effort: PerftResources,
    ) -> Result<u64, StartError> {
        struct Count<'a>(Option<&'a str>, u32, PerftResources);
        impl Visitor for Count<'_> {
            type Output = Result<u64, NotationError>;
            fn visit<P: Position>(self, options: &P::Options) -> Self::Output {
                Ok(crate::perft_with(&position::<P>(options, self.0)?, self.1, self.2))
            }
        }
        match self.game.own_rules() {
            Some(rules) if depth == 0 => rules.referee(&self.pairs, from).map(|_| 1),
            Some(rules) => Ok(rules.divide(&self.pairs, from, depth)?.iter().map(|(_, count)| count).sum()),
            None => Ok(self.typed(Count(from, depth, effort))?),
        }
    }

    /// Plays games of random plies to their ends: see [`playouts`].
    ///
    /// # Errors
    /// If the position string is wrong, or if the rules of a game of one's own fail.
    pub fn playouts(&self, from: Option<&str>, games: u64, dice: &mut Dice) -> Result<Playouts, StartError> {
        struct Play<'a>(Option<&'a str>, u64, &'a mut Dice);
        impl Visitor for Play<'_> {
            type Output = Result<Playouts, NotationError>;
            fn visit<P: Position>(self, options: &P::Options) -> Self::Output {
                Ok(playouts(&position::<P>(options, self.0)?, self.1, self.2, &mut Vec::new()))
            }
        }
        match self.game.own_rules() {
            Some(rules) => {
                crate::tree::playout::refereed_playouts(&*rules.referee(&self.pairs, from)?, games, dice)
            }
            None => Ok(self.typed(Play(from, games, dice))?),
        }
    }

    /// Returns the same count split by first ply, in byte order.
    ///
    /// # Errors
    /// If the position string is wrong, or if the rules of a game of one's own fail.
    pub fn divide(&self, from: Option<&str>, depth: u32) -> Result<Vec<(String, u64)>, StartError> {
        self.divide_with(from, depth, PerftResources::default())
    }

    /// Returns the same counts with threads and a table, which only built-in games use.
    ///
    /// # Errors
    /// If the position string is wrong, or if the rules of a game of one's own fail.
    pub fn divide_with(
        &self,
        from: Option<&str>,
        depth: u32,
        effort: PerftResources,
    ) -> Result<Vec<(String, u64)>, StartError> {
        struct Split<'a>(Option<&'a str>, u32, PerftResources);
        impl Visitor for Split<'_> {
            type Output = Result<Vec<(String, u64)>, NotationError>;
            fn visit<P: Position>(self, options: &P::Options) -> Self::Output {
                Ok(divide_with(&position::<P>(options, self.0)?, self.1, self.2))
            }
        }
        match self.game.own_rules() {
            Some(rules) => rules.divide(&self.pairs, from, depth),
            None => Ok(self.typed(Split(from, depth, effort))?),
        }
    }

    /// Visits a game that must be built in.
    fn typed<V: Visitor>(&self, visitor: V) -> V::Output {
        self.visit(visitor).expect("a game whose rules are not one's own is in the list of games")
    }
}

fn setup<P: Position>(pairs: &[(&str, &str)]) -> Result<Vec<(&'static str, String)>, OptionError> {
    Ok(P::Options::from_pairs(pairs)?.to_pairs())
}

fn typed<P: Position>(pairs: &[(&'static str, String)]) -> P::Options {
    let pairs: Vec<_> = pairs.iter().map(|(key, value)| (*key, value.as_str())).collect();
    P::Options::from_pairs(&pairs).expect("the pairs were written by the same options")
}

fn position<P: Position>(options: &P::Options, from: Option<&str>) -> Result<P, NotationError> {
    from.map_or_else(|| Ok(P::start(options)), |text| P::read(options, text))
}

#[cfg(test)]
mod tests {
    use crate::find;

    fn label(game: &str, options: &[(&str, &str)]) -> String {
        find(game).unwrap().setup(options).unwrap().label()
    }

    #[test]
    fn a_label_names_what_must_be_given() {
        assert_eq!(label("faust", &[]), "faust");
        assert_eq!(label("faust", &[("size", "5"), ("max-moves", "150")]), "faust size=5");
        assert_eq!(label("faust", &[("max-moves", "9"), ("size", "5")]), "faust size=5 max-moves=9");
        assert_eq!(label("sophia", &[("size", "5")]), "sophia size=5");
        assert_eq!(label("fanorona", &[("size", "9x5")]), "fanorona");
    }
}
