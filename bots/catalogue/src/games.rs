//! The small game to start from in each language, with the kit that answers questions for it.

/// The names in the sources that become those of the new game.
const ID: &str = "tic-tac-toe";
const TITLE: &str = "Tic-tac-toe";

/// A game in one language, with the file that answers questions for it.
#[derive(Debug)]
pub struct GameKit {
    /// What `--lang` takes.
    pub name: &'static str,
    /// Other words for it.
    pub aliases: &'static [&'static str],
    /// What the language is called.
    pub language: &'static str,
    /// The programs that are needed, and the packages of Debian that hold them.
    pub tools: &'static [&'static str],
    /// Those packages.
    pub packages: &'static [&'static str],
    /// The extension of the game's file.
    pub extension: &'static str,
    /// The text of the game.
    pub source: &'static str,
    /// The file beside it that answers questions.
    pub kit: (&'static str, &'static str),
    /// The lines that build it, with `NAME` for its name; none where nothing has to be built.
    pub build: &'static [&'static str],
    /// What is asked: a module, or a command.
    pub rules: &'static [&'static str],
}

/// The languages.
pub const GAME_KITS: [GameKit; 5] = [
    GameKit {
        name: "c",
        aliases: &[],
        language: "C",
        tools: &["clang", "wasm-ld"],
        packages: &["clang", "lld"],
        extension: "c",
        source: include_str!("../../../arena/games/start/start.c"),
        kit: ("arena_rules.h", include_str!("../../../arena/games/c/arena_rules.h")),
        build: &[
            "clang --target=wasm32 -O2 -mbulk-memory -nostdlib -Wl,--no-entry -Wl,--strip-all -Wl,--stack-first -o NAME.wasm NAME.c",
        ],
        rules: &["NAME.wasm"],
    },
    GameKit {
        name: "javascript",
        aliases: &["js", "node"],
        language: "JavaScript",
        tools: &["node"],
        packages: &["nodejs"],
        extension: "mjs",
        source: include_str!("../../../arena/games/start/start.mjs"),
        kit: ("arena_rules.mjs", include_str!("../../../arena/games/javascript/arena_rules.mjs")),
        build: &[],
        rules: &["node", "NAME.mjs"],
    },
    GameKit {
        name: "python",
        aliases: &["py"],
        language: "Python",
        tools: &["python3"],
        packages: &["python3"],
        extension: "py",
        source: include_str!("../../../arena/games/start/start.py"),
        kit: ("arena_rules.py", include_str!("../../../arena/games/python/arena_rules.py")),
        build: &[],
        rules: &["python3", "NAME.py"],
    },
    GameKit {
        name: "rust",
        aliases: &["rs"],
        language: "Rust",
        tools: &["rustc"],
        packages: &["rustc", "libstd-rust-dev-wasm32", "lld"],
        extension: "rs",
        source: include_str!("../../../arena/games/start/start.rs"),
        kit: ("arena_rules.rs", include_str!("../../../arena/games/rust/arena_rules.rs")),
        build: &[
            "rustc --target wasm32-unknown-unknown --edition 2024 --crate-type cdylib -C opt-level=3 -C panic=abort \
             -C strip=symbols -o NAME.wasm NAME.rs",
        ],
        rules: &["NAME.wasm"],
    },
    GameKit {
        name: "typescript",
        aliases: &["ts", "assemblyscript"],
        language: "TypeScript",
        tools: &["node", "npx"],
        packages: &["nodejs", "npm"],
        extension: "ts",
        source: include_str!("../../../arena/games/start/start.ts"),
        kit: ("arena_rules.ts", include_str!("../../../arena/games/typescript/arena_rules.ts")),
        build: &[
            "npm install --no-save assemblyscript",
            "npx asc NAME.ts --outFile NAME.wasm -O3 --runtime minimal --use abort=",
        ],
        rules: &["NAME.wasm"],
    },
];

impl GameKit {
    /// Returns the lines that build a game of this id.
    #[must_use]
    pub fn build(&self, id: &str) -> Vec<String> {
        self.build.iter().map(|line| line.replace("NAME", id)).collect()
    }

    /// Returns the words that name its rules.
    #[must_use]
    pub fn rules(&self, id: &str) -> Vec<String> {
        self.rules.iter().map(|word| word.replace("NAME", id)).collect()
    }

    /// Returns the names and texts of all files.
    #[must_use]
    pub fn files(&self, id: &str) -> Vec<(String, String)> {
        let mut source = self.source.to_owned();
        for quote in ['"', '\''] {
            let quoted = |text: &str| format!("{quote}{text}{quote}");
            source = source.replace(&quoted(ID), &quoted(id)).replace(&quoted(TITLE), &quoted(&title(id)));
        }
        vec![
            (format!("{id}.{}", self.extension), source),
            (self.kit.0.to_owned(), self.kit.1.to_owned()),
            ("tournament.yaml".to_owned(), self.tournament(id)),
        ]
    }

    /// Returns a tournament of two built-in bots in the game.
    fn tournament(&self, id: &str) -> String {
        let build: String = self.build(id).iter().map(|line| format!("#   {line}\n")).collect();
        let build = match build.as_str() {
            "" => String::new(),
            build => format!("# Build the rules first, and again after every change:\n{build}"),
        };
        let rules = match self.rules(id).as_slice() {
            [file] => file.clone(),
            words => format!("[{}]", words.join(", ")),
        };
        format!(
            "# Two of the arena's own bots in your game: `arena run tournament.yaml`, in this folder.\n{build}\
             name: first tournament\n\
             games:\n\
             \x20 - {{rules: {rules}}}\n\
             bots:\n\
             \x20 - {{name: one, builtin: random}}\n\
             \x20 - {{name: two, builtin: random}}\n\
             rounds: 10   # pairs of games\n\
             tc: 10+0.1   # ten seconds for a game, a tenth of a second more per turn\n\
             out: results # where the tables and the games go\n"
        )
    }
}

/// Returns a name as it stands in titles: `my-game` is `My game`.
fn title(id: &str) -> String {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kit(name: &str) -> &'static GameKit {
        GAME_KITS.iter().find(|kit| kit.name == name).expect("a kit")
    }

    #[test]
    fn every_source_takes_the_name_of_the_new_game_and_no_other_word() {
        for kit in &GAME_KITS {
            let files = kit.files("my-game");
            let (name, source) = &files[0];
            assert_eq!(*name, format!("my-game.{}", kit.extension));
            let same = source.replace("my-game", ID).replace("My game", TITLE);
            assert_eq!(same, kit.source);
            assert_eq!(
                (source.matches("my-game").count(), source.matches("My game").count()),
                (1, 1),
                "{name}"
            );
        }
    }

    #[test]
    fn a_tournament_says_how_its_rules_are_built() {
        let text = kit("c").tournament("hop");
        assert!(text.contains("#   clang ") && text.contains("  - {rules: hop.wasm}\n"), "{text}");
        let text = kit("python").tournament("hop");
        assert!(!text.contains("Build") && text.contains("  - {rules: [python3, hop.py]}\n"), "{text}");
    }
}
