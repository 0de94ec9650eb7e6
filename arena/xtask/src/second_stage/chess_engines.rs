//! Engines of chess that know nothing of the arena play by rules of one's own, and python-chess judges their games.

use std::fs;
use std::path::Path;

use crate::shell::{ChoreError, need, root, run};
use crate::{game_logs, games};

/// Two engines of Debian, each in the package of its name.
const ENGINES: [&str; 2] = ["stockfish", "toga2"];

/// The engines, limited so that a game can be played again (of Debian's engines that answer `go depth` alike each time, Toga is one;
/// it does not heed `go nodes`), and two bots that bring about every kind of end.
const CUP: &str = "\
name: strangers
rules: {chess: CHESS}
bots:
  - {name: stockfish, cmd: [/usr/games/stockfish], hello: uci, clock: wb, quiet: true, position-keyword: fen, options: {Threads: 1, Hash: 16}}
  - {name: toga, cmd: [/usr/games/toga2], hello: uci, clock: wb, quiet: true, position-keyword: fen, tc: depth 4, options: {OwnBook: false, Hash: 16}}
  - {name: random, builtin: random}
  - {name: again, builtin: random}
rounds: 15
tc: nodes 2000
seed: 5
concurrency: 2
";

/// Reads two logs of the same tournament: python-chess has to agree on every move, result and reason, and no game may go on after
/// its end. Most reasons occur, and both runs have the same games.
const JUDGE: &str = r#"
import collections, sys, chess, chess.pgn

def end_of(board):
    """What the rules of the game declare, in the order in which they decide."""
    if board.is_checkmate():
        return "0-1" if board.turn else "1-0", "checkmate"
    if board.is_stalemate():
        return "1/2-1/2", "stalemate"
    if board.is_insufficient_material():
        return "1/2-1/2", "insufficient-material"
    if board.is_repetition(3):
        return "1/2-1/2", "repetition"
    return ("1/2-1/2", "fifty-moves") if board.halfmove_clock >= 100 else None

def read(name):
    games, reasons = [], collections.Counter()
    with open(name) as file:
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors, (game.headers, game.errors)
            board = game.board()
            assert type(board) is chess.Board and board.fen() == chess.STARTING_FEN, game.headers
            moves = list(game.mainline_moves())
            assert len(moves) == int(game.headers["PlyCount"]), game.headers
            for move in moves:
                assert end_of(board) is None, (game.headers, board)
                board.push(move)
            told = game.headers["Result"], game.headers["Reason"]
            assert end_of(board) == told, (game.headers, board, end_of(board))
            reasons[told[1]] += 1
            games.append((game.headers["White"], game.headers["Black"], moves))
    return games, reasons

(first, reasons), (second, _) = map(read, sys.argv[1:])
assert len(first) == 180, len(first)
assert len(reasons) >= 4 and reasons["checkmate"], reasons
for number, (one, other) in enumerate(zip(first, second, strict=True), 1):
    assert one == other, f"game {number} went another way: {one} {other}"
print(f"python-chess agrees on {len(first)} games, which went the same way twice: {dict(reasons)}")
"#;

/// Lines of the trees that everybody publishes: the start, and the position that is called Kiwipete.
const COUNTS: [(&str, u32, u64); 2] = [
    ("", 5, 4_865_609),
    ("--from 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'", 4, 4_085_603),
];

/// A command line as people have it, for the two engines.
const FOREIGN: &str = "fastchess -engine cmd=/usr/games/stockfish name=stockfish option.Threads=1 nodes=500 \\
    -engine cmd=/usr/games/toga2 name=toga option.OwnBook=false depth=3 \\
    -openings file=book.epd format=epd order=random -each proto=uci option.Hash=16 \\
    -rounds 4 -repeat -concurrency 2 -resign movecount=3 score=600 -tb /none\n";

/// Positions as books of openings have them: with en passant squares where nothing can capture.
const BOOK: &str = "\
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2
rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - bm c4; id \"Indian\";
rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR w KQkq e6 0 2
";

/// Translates a command line of another program and plays it with the rules of chess.
///
/// # Errors
/// When it is not translated, or a game is lost by a fault.
fn check_import(arena: &str, folder: &Path) -> Result<(), ChoreError> {
    fs::write(folder.join("foreign.sh"), FOREIGN)?;
    fs::write(folder.join("book.epd"), BOOK)?;
    let rules = root().join("target/games/chess");
    run("rm -f foreign.yaml foreign.openings.txt", folder)?;
    let rules = rules.display();
    run(
        &format!(
            "'{arena}' import -o foreign.yaml --rules '{rules}' < foreign.sh 2> notes.txt && grep -q -e '-tb' notes.txt"
        ),
        folder,
    )?;
    run(&format!("'{arena}' run foreign.yaml --out foreign > foreign.txt"), folder)?;
    run(
        "grep -q '8 games played' foreign.txt && grep -q 'No game was lost by a fault.' foreign/report.txt",
        folder,
    )
}

/// Plays two engines of Debian twice in a tournament of chess, with rules of one's own; python-chess reads the logs. Translates a command line of
/// fastchess and plays it. Then counts the lines of chess through the command line.
pub(crate) fn check(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    need(&ENGINES, &ENGINES)?;
    games::build(&["chess".to_owned()])?;
    let arena = arena.display();
    let chess = root().join("target/games/chess");
    let python = game_logs::install_python_chess(work)?;
    let folder = work.join("strangers");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("cup.yaml"), CUP.replace("CHESS", &chess.display().to_string()))?;
    fs::write(folder.join("judge.py"), JUDGE)?;
    for out in ["first", "second"] {
        run(&format!("'{arena}' run cup.yaml --out {out} > {out}.txt"), &folder)?;
        run(&format!("grep -q 'No game was lost by a fault.' {out}/report.txt"), &folder)?;
    }
    // The log is made from the journal alone; refereeing it needs the rules.
    let chess = chess.display();
    run(
        &format!(
            "cp first/games.pgn was.pgn && '{arena}' report first > /dev/null && cmp first/games.pgn was.pgn"
        ),
        &folder,
    )?;
    run(&format!("'{arena}' replay first/games.pgn --rules chess='{chess}'"), &folder)?;
    run(&format!("'{}' judge.py first/games.pgn second/games.pgn", python.display()), &folder)?;
    check_import(&arena.to_string(), &folder)?;
    COUNTS.iter().try_for_each(|(from, depth, count)| {
        let line = format!("'{arena}' perft '{chess}' {depth} {from}");
        run(&format!("[ \"$({line} | head -n 1 | tr -dc 0-9)\" = {count} ]"), &folder)
    })
}
