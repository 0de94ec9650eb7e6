//! The games of one's own in `arena/games` that need a compiler: built into `target/games`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::shell::{ChoreError, SECOND_STAGE, need, root, run};
use crate::{readme, shell};

/// The release of the compiler for modules in TypeScript: another one would write other bytes.
const ASSEMBLYSCRIPT: &str = "assemblyscript@0.28.20";

/// How a game becomes what the arena can load.
#[derive(Clone, Copy)]
enum Language {
    C,
    Rust,
    TypeScript,
    /// A package of the workspace, which becomes a program.
    Package,
}

/// A game: what it is called below `target/games`, its folder and its file in `arena/games`, and its language.
struct Game {
    name: &'static str,
    folder: &'static str,
    language: Language,
    /// Whether it is built where no game is named: everything but what needs a part of the toolchain that no package has.
    is_usual: bool,
}

const GAMES: [Game; 6] = [
    Game { name: "dao", folder: "dao", language: Language::C, is_usual: true },
    Game { name: "trails", folder: "trails", language: Language::C, is_usual: true },
    Game { name: "othello", folder: "othello", language: Language::C, is_usual: true },
    Game { name: "othello-rust", folder: "othello", language: Language::Rust, is_usual: false },
    Game { name: "connect-four", folder: "connect-four", language: Language::TypeScript, is_usual: true },
    Game { name: "chess", folder: "chess", language: Language::Package, is_usual: true },
];

/// The most lines of a game's tree that the arena counts here; `modules_test.mjs` counts them all.
const MOST_LINES: u64 = 2000;

/// Builds games into `target/games`, all usual ones if none is named.
///
/// # Errors
/// When a compiler is missing or fails, or a game is named that there is not.
pub(crate) fn build(names: &[String]) -> Result<(), ChoreError> {
    if let Some(unknown) = names.iter().find(|name| GAMES.iter().all(|game| game.name != **name)) {
        let known: Vec<_> = GAMES.iter().map(|game| game.name).collect();
        return Err(ChoreError(format!("no game to build is called `{unknown}`: {}", known.join(", "))));
    }
    let wanted =
        |game: &&Game| (names.is_empty() && game.is_usual) || names.iter().any(|name| name == game.name);
    GAMES.iter().filter(wanted).try_for_each(|game| game.build(&folder()))
}

/// Returns where games are built.
fn folder() -> PathBuf {
    root().join("target").join("games")
}

/// Installs the compilers, builds all games, and builds the modules once more elsewhere: the bytes must be the same. Then asks the
/// modules what nobody should ask, holds them to the counts of `perft.csv` and to random games, and lets the arena do the same.
/// The search that knows no game has to win by the rules of a module, and every game keeps the laws of the built-in ones.
///
/// # Errors
/// When a game cannot be built, is not the same twice, or breaks its rules.
pub(crate) fn check(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    build(&[])?;
    let again = work.join("games-again");
    for game in GAMES.iter().filter(|game| game.is_checked()) {
        game.build(&again)?;
        let [first, second] = [folder(), again.clone()].map(|folder| fs::read(folder.join(game.file())));
        if first? != second? {
            return Err(ChoreError(format!("`{}` is not the same when it is built twice", game.file())));
        }
    }
    let tests = "arena/games/tests";
    for game in GAMES.iter().filter(|game| game.is_checked()) {
        let module = folder().join(game.file());
        let line = format!("python3 {tests}/hostile.py node {tests}/module.mjs '{}'", module.display());
        run(&line, &root())?;
    }
    run(&format!("node {tests}/modules_test.mjs '{}'", folder().display()), &root())?;
    GAMES.iter().filter(|game| game.is_checked()).try_for_each(|game| game.hold_to_the_arena(arena))?;
    search_wins(arena, work)?;
    hold_rust_to_c(arena, work)?;
    seat_tables(arena, work)?;
    run(&format!("{SECOND_STAGE} cargo test --locked --quiet --test shipped_games"), &root())?;
    // What the page tells authors to type, with the compilers that are here now.
    readme::check_pages(
        &["protocol-spec/own-games.md"],
        &work.join("own-games-clone"),
        &shell::target(),
        "debug",
    )
}

/// What makes a program of a game in Rust, which answers the lines of its standard input as a module answers questions.
const RUST_MAIN: &str = "
fn main() {
    let mut kept = arena_rules::Kept::<Position>::NONE;
    for line in std::io::stdin().lines() {
        match line {
            Ok(line) => println!(\"{}\", arena_rules::answer_line(&mut kept, &line)),
            Err(error) => panic!(\"{error}\"),
        }
    }
}
";

/// Builds the games in Rust as programs, which needs no target of WebAssembly: the game to start from passes the checks of the
/// arena, and Othello answers as its twin in C does.
fn hold_rust_to_c(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    let folder = work.join("rust-games");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    // The kit comes with it.
    run(&format!("'{}' new game --lang rust '{}'", arena.display(), folder.display()), work)?;
    let source = |name: &str| folder.join(format!("{name}.rs"));
    fs::rename(source("rust-games"), source("start"))?;
    fs::copy(root().join("arena/games/othello/othello.rs"), source("othello"))?;
    for name in ["start", "othello"] {
        let text = fs::read_to_string(source(name))?;
        fs::write(source(name), text + RUST_MAIN)?;
        run(&format!("rustc --edition 2024 -O -D warnings {name}.rs"), &folder)?;
        run(&format!("'{}' check-game --quick -- ./{name}", arena.display()), &folder)?;
    }
    let module =
        format!("node arena/games/tests/module.mjs {}", self::folder().join("othello.wasm").display());
    let program = folder.join("othello");
    run(
        &format!(
            "python3 arena/games/tests/twins.py 200 'othello,othello size=4,othello size=6' '{}' '{module}'",
            program.display()
        ),
        &root(),
    )
}

/// The game for two to eight that is there in every language of a kit but C, in which Trails is written.
const CANDLES: &str = "arena/games/tests/candles";

/// Holds the kits to tables of more than two: the same small game in each language passes the checks of the arena. Trails is held to a
/// second implementation of its rules.
fn seat_tables(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    let folder = work.join("candles");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let games = root().join("arena/games");
    run(
        &format!(
            "cp '{0}'/tests/candles/* '{0}'/python/*.py '{0}'/javascript/*.mjs '{0}'/rust/*.rs '{0}'/typescript/*.ts .",
            games.display()
        ),
        &folder,
    )?;
    let text = fs::read_to_string(root().join(CANDLES).join("candles.rs"))?;
    fs::write(folder.join("candles.rs"), text + RUST_MAIN)?;
    run("rustc --edition 2024 -O -D warnings candles.rs", &folder)?;
    let asc = need_assemblyscript()?;
    run(
        &format!(
            "node '{}' candles.ts --outFile candles.wasm -O3 --runtime minimal --use abort=",
            asc.display()
        ),
        &folder,
    )?;
    for rules in ["-- python3 candles.py", "-- node candles.mjs", "-- ./candles", "candles.wasm"] {
        run(
            &format!(
                "'{}' check-game --games 60 --time 20s --output-format junit {rules} > candles.xml",
                arena.display()
            ),
            &folder,
        )?;
    }
    let module = self::folder().join("trails.wasm");
    run(&format!("python3 arena/games/tests/trails_test.py '{}'", module.display()), &root())
}

/// Plays `mcts` against `random` by the rules of a module, with so few playouts that it takes seconds, and always the same games.
///
/// # Errors
/// When `mcts` scores less than 90 %, or a game is lost by a fault.
fn search_wins(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    let game = format!("{}:width=5,height=4,connect=3", folder().join("connect-four.wasm").display());
    let words =
        ["match", "mcts", "random", "--game", &game, "--rounds", "10", "--tc", "nodes 20", "--seed", "1"];
    let output = Command::new(arena).args(words).arg("--json").current_dir(work).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&text)
        .map_err(|error| ChoreError(format!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr))))?;
    let row = |name: &str| {
        report["standings"].as_array()?.iter().find(|row| row["name"].as_str() == Some(name)).cloned()
    };
    let [search, random] = ["mcts", "random"].map(|name| row(name).unwrap_or_default());
    println!("mcts against random in {game}: {} of {}", search["score"], search["games"]);
    let has_won =
        search["games"] == 20 && search["score_percent"].as_f64().is_some_and(|score| score >= 90.0);
    if has_won && [search, random].iter().all(|row| row["faults"] == 0) {
        return Ok(());
    }
    Err(ChoreError(format!("`mcts` has to win against `random`: {}", report["standings"])))
}

impl Game {
    /// Returns whether the second stage asks it.
    fn is_checked(&self) -> bool {
        self.is_module() && self.is_usual
    }

    fn is_module(&self) -> bool {
        !matches!(self.language, Language::Package)
    }

    /// Returns the name of what is built.
    fn file(&self) -> String {
        if self.is_module() { format!("{}.wasm", self.name) } else { self.name.to_owned() }
    }

    /// Lets the arena check the module, and count what `perft.csv` has.
    fn hold_to_the_arena(&self, arena: &Path) -> Result<(), ChoreError> {
        let file = folder().join(self.file());
        let (arena, file) = (arena.display(), file.display());
        run(&format!("'{arena}' check-game --time 20s '{file}'"), &root())?;
        let table = fs::read_to_string(root().join("arena/games/tests/perft.csv"))?;
        for row in table.lines() {
            let columns: Vec<_> = row.split(',').collect();
            let [game, options, position, depth, count] = columns[..] else {
                return Err(ChoreError(format!("perft.csv: `{row}` has not five columns")));
            };
            if game != self.folder || count.parse().is_ok_and(|count: u64| count > MOST_LINES) {
                continue;
            }
            let options =
                if options.is_empty() { String::new() } else { format!(":{}", options.replace(' ', ",")) };
            let from = if position == "start" { String::new() } else { format!("--from '{position}'") };
            let line = format!("'{arena}' perft '{file}{options}' {depth} {from}");
            run(&format!("[ \"$({line} | head -n 1 | tr -dc 0-9)\" = {count} ]"), &root())?;
        }
        Ok(())
    }

    /// Builds the game into a folder. The game's file and that of its kit lie side by side meanwhile, as an author has them.
    fn build(&self, target: &Path) -> Result<(), ChoreError> {
        fs::create_dir_all(target)?;
        // Parts of the second stage build at the same time: each in a folder of its own.
        let beside = tempfile::Builder::new().prefix(&format!("{}-", self.name)).tempdir_in(target)?;
        let folder = beside.path();
        let source = |ending: &str| format!("{}.{ending}", self.folder);
        let result = target.join(self.file());
        let built = folder.join(self.file());
        match self.language {
            Language::C => {
                need(&["clang", "wasm-ld"], &["clang", "lld"])?;
                self.copy_to(folder, &source("c"), "c/arena_rules.h")?;
                run(
                    &format!(
                        "clang --target=wasm32 -O2 -mbulk-memory -nostdlib -Wall -Wextra -Werror -Wl,--no-entry -Wl,--strip-all \
                         -Wl,--stack-first -o {} {}",
                        self.file(),
                        source("c")
                    ),
                    folder,
                )?;
            }
            Language::Rust => {
                need_wasm_target()?;
                self.copy_to(folder, &source("rs"), "rust/arena_rules.rs")?;
                run(
                    &format!(
                        "rustc --target wasm32-unknown-unknown --edition 2024 --crate-type cdylib -C opt-level=3 \
                         -C panic=abort -C strip=symbols -D warnings -o {} {}",
                        self.file(),
                        source("rs")
                    ),
                    folder,
                )?;
            }
            Language::TypeScript => {
                let asc = need_assemblyscript()?;
                self.copy_to(folder, &source("ts"), "typescript/arena_rules.ts")?;
                run(
                    &format!(
                        "node '{}' {} --outFile {} -O3 --runtime minimal --use abort=",
                        asc.display(),
                        source("ts"),
                        self.file()
                    ),
                    folder,
                )?;
            }
            Language::Package => {
                if !root().join("arena/games").join(self.folder).join("Cargo.toml").is_file() {
                    return Ok(());
                }
                fs::copy(shell::executable(self.name)?, &built)?;
            }
        }
        // A process may have the old file open: it is replaced, not written over.
        fs::rename(&built, &result)?;
        Ok(())
    }

    /// Copies the file of the game and that of its kit into a folder.
    fn copy_to(&self, folder: &Path, game: &str, kit: &str) -> Result<(), ChoreError> {
        let games = root().join("arena").join("games");
        for file in [games.join(self.folder).join(game), games.join(kit)] {
            let name = file.file_name().unwrap_or_default();
            fs::copy(&file, folder.join(name))
                .map_err(|error| ChoreError(format!("{}: {error}", file.display())))?;
        }
        Ok(())
    }
}

fn need_wasm_target() -> Result<(), ChoreError> {
    let words = ["--print", "target-libdir", "--target", "wasm32-unknown-unknown"];
    let output = Command::new("rustc").args(words).output()?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && Path::new(&folder).is_dir() {
        return Ok(());
    }
    Err(ChoreError(
        "the compiler has no target wasm32-unknown-unknown: `rustup target add wasm32-unknown-unknown`, or with Debian's rustc \
         install the package libstd-rust-dev-wasm32"
            .to_owned(),
    ))
}

/// Installs the compiler of AssemblyScript below `target`, and returns its script.
fn need_assemblyscript() -> Result<PathBuf, ChoreError> {
    need(&["node"], &["nodejs"])?;
    let folder = root().join("target").join("games").join("npm");
    let asc = folder.join("node_modules/assemblyscript/bin/asc.js");
    let version = ASSEMBLYSCRIPT.rsplit('@').next().unwrap_or_default();
    let manifest = fs::read_to_string(folder.join("node_modules/assemblyscript/package.json"));
    if !manifest.is_ok_and(|text| text.contains(&format!("\"version\": \"{version}\""))) {
        need(&["npm"], &["npm"])?;
        fs::create_dir_all(&folder)?;
        run(
            &format!("npm install --no-audit --no-fund --no-save --silent --prefix . {ASSEMBLYSCRIPT}"),
            &folder,
        )?;
    }
    Ok(asc)
}
