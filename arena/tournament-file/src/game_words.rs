//! How a game is written in one word, with its options: the same on the command line, in a file and in the protocol.

use rules::Setup;

/// A game as it is typed: its name, and options as `key=value`, or a word alone where the value is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameWords {
    /// The name of the game.
    pub game: String,
    /// Its options, in the order in which they were typed.
    pub options: Vec<String>,
}

impl GameWords {
    /// Reads a game: `fanorona:size=5x5,quiet-cap=10`.
    ///
    /// A blank may stand for the colon, as in tables and game logs (`fanorona size=5x5`), and `+` for a comma.
    ///
    /// ```
    /// use tournament_file::game_options::GameWords;
    ///
    /// let game = GameWords::read("fanorona:size=5x5,quiet-cap=10");
    /// assert_eq!((game.game.as_str(), game.options.len()), ("fanorona", 2));
    /// assert_eq!(GameWords::read("fanorona size=5x5+quiet-cap=10"), game);
    /// ```
    #[must_use]
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        // Words after a blank are options only if they look like some: an indented list of YAML is one text as well.
        let after_blank =
            || text.split_once(' ').filter(|(_, rest)| rest.split(' ').all(|word| word.contains('=')));
        let (game, options) = text.split_once(':').or_else(after_blank).unwrap_or((text, ""));
        let options = options.split([',', '+', ' ']).filter(|option| !option.is_empty());
        Self { game: game.to_owned(), options: options.map(str::to_owned).collect() }
    }

    /// Splits a list of games at the commas between games; those between the options of a game do not split it.
    ///
    /// ```
    /// use tournament_file::game_options::GameWords;
    ///
    /// let games = GameWords::list("farook,fanorona:size=5x5,quiet-cap=10, faust");
    /// assert_eq!(games, ["farook", "fanorona:size=5x5,quiet-cap=10", "faust"]);
    /// ```
    #[must_use]
    pub fn list(text: &str) -> Vec<String> {
        let mut games: Vec<String> = Vec::new();
        for part in text.split(',').map(str::trim) {
            // A name has no equals sign; what has one, without a name before it, is an option.
            let is_option = part.contains('=') && !part.contains([':', ' ']);
            match games.last_mut().filter(|last| is_option && last.contains([':', ' '])) {
                Some(game) => *game = format!("{game},{part}"),
                None => games.push(part.to_owned()),
            }
        }
        games
    }
}

/// Returns a game with all its options as it is typed: `fanorona:size=5x5,quiet-cap=10`.
#[must_use]
pub fn typed(setup: &Setup) -> String {
    let options = setup.changed_options();
    let options: Vec<_> = options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    match options.is_empty() {
        true => setup.game().id.to_owned(),
        false => format!("{}:{}", setup.game().id, options.join(",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, game: &str, options: &[&str]) {
        let words = GameWords::read(text);
        assert_eq!(words.game, game, "{text}");
        assert_eq!(words.options, options, "{text}");
    }

    #[test]
    fn every_way_to_write_options_is_read() {
        check("farook", "farook", &[]);
        check("fanorona:size=5x5,quiet-cap=10", "fanorona", &["size=5x5", "quiet-cap=10"]);
        check("fanorona:size=5x5+quiet-cap=10", "fanorona", &["size=5x5", "quiet-cap=10"]);
        check(" fanorona size=5x5 quiet-cap=10 ", "fanorona", &["size=5x5", "quiet-cap=10"]);
        check("fanorona:size", "fanorona", &["size"]);
        check("2-frenzy:", "2-frenzy", &[]);
        check("farook - fanorona", "farook - fanorona", &[]);
    }

    #[test]
    fn commas_between_options_do_not_split_a_list() {
        assert_eq!(GameWords::list("farook"), ["farook"]);
        assert_eq!(GameWords::list("a:x=1,y=2,b,c:z=3"), ["a:x=1,y=2", "b", "c:z=3"]);
        assert_eq!(GameWords::list("a:x=1+y=2, b"), ["a:x=1+y=2", "b"]);
        assert_eq!(
            GameWords::list("a,x=1"),
            ["a", "x=1"],
            "what no game takes is told as a game that there is not"
        );
    }
}
