//! The second stage of CI: foreign programs read what we write.

use std::fs;

use crate::shell::{Fault, root, run};
use crate::{browser, chaos, check_faults, kits, shards, statistics};

/// Reads the tags of every game, and every ply of the safe form, with python-chess.
const READ_WITH_PYTHON_CHESS: &str = r#"
import logging, sys, chess.pgn
logging.disable()
native, safe = sys.argv[1:]
with open(native) as file:
    headers = []
    while (tags := chess.pgn.read_headers(file)) is not None:
        headers.append(dict(tags))
with open(safe) as file:
    games = []
    while (game := chess.pgn.read_game(file)) is not None:
        # It does not know our games, and says so; the plies must read all the same.
        assert all("unsupported variant" in str(error) for error in game.errors), game.errors
        plies = list(game.mainline())
        assert all("[%mv " in node.comment for node in plies), game
        assert len(plies) == int(game.headers["PlyCount"]), game.headers
        games.append(dict(game.headers))
assert headers and len(headers) == len(games), (len(headers), len(games))
for tags in headers:
    assert tags["Result"] in ("1-0", "0-1", "1/2-1/2", "*"), tags
    assert {"White", "Black", "Variant", "StartPosition", "Reason"} <= tags.keys(), tags
print(f"python-chess reads {len(games)} games")
"#;

/// Node is a package of Debian: it is installed where that is allowed, and nothing is skipped where it is not.
const NEED_NODE: &str = "command -v node > /dev/null || apt-get install --yes --no-install-recommends nodejs || \
                         { echo 'install the Debian package nodejs' >&2; exit 1; }";

/// The fuzz targets stand outside the workspace, where nothing else compiles them. Their library is C++.
const CHECK_FUZZ: &str = "command -v g++ > /dev/null || command -v clang++ > /dev/null || \
                          { echo 'install the Debian package g++' >&2; exit 1; }; \
                          cargo check --locked --quiet --manifest-path arena/fuzz/Cargo.toml";

/// Plays a small tournament and lets a foreign reader of game logs read it; asks for the rules from JavaScript;
/// takes in 80 entries; plays by the recipes for shards; plays every attack of misbehaving bots; looks at a page in a
/// browser; plays tournaments by lot and holds intervals to what they promise; compiles the fuzz targets; lets `arena check` find every fault of a broken bot; builds the kits and plays with them;
/// holds the dialogues with all bots.
pub(crate) fn check() -> Result<(), Fault> {
    let root = root();
    let work = root.join("target").join("second-stage");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    fs::create_dir_all(&work)?;
    let venv = "python3 -m venv venv || { echo 'install the Debian package python3-venv' >&2; exit 1; }";
    run(venv, &work)?;
    run("venv/bin/pip install --quiet --disable-pip-version-check chess==1.11.2", &work)?;
    run("cargo build --locked --quiet --bin arena", &root)?;
    let arena = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let arena = arena.join("debug").join("arena");
    run(&format!("'{}' run --rounds 1 --bots random,greedy --out run", arena.display()), &work)?;
    run(&format!("'{}' report run --pgn safe > safe.pgn", arena.display()), &work)?;
    fs::write(work.join("read.py"), READ_WITH_PYTHON_CHESS)?;
    run("venv/bin/python read.py run/games.pgn safe.pgn", &work)?;
    run(NEED_NODE, &work)?;
    run(&format!("node tests/bots/rules_test.mjs '{}'", arena.display()), &root)?;
    run("ARENA_SECOND_STAGE=1 cargo test --locked --quiet --test end_to_end interruptions::", &root)?;
    run("ARENA_SECOND_STAGE=1 cargo test --locked --quiet --test end_to_end intake -- --nocapture", &root)?;
    shards::check(&arena, &work)?;
    chaos::check(&["basic".to_owned(), "contest".to_owned()], None, 1)?;
    run("ARENA_SECOND_STAGE=1 cargo test --locked --quiet --test chaos limits::", &root)?;
    browser::check(&arena, &work)?;
    kits::check_types(&work)?;
    statistics::check_shortly()?;
    run(CHECK_FUZZ, &root)?;
    check_faults::check(&arena)?;
    kits::check(&arena, &work)?;
    // The kits have brought the interpreters.
    run("ARENA_BOTS=all cargo test --locked --quiet --test end_to_end dialogues", &root)
}
