//! Command lines of cutechess-cli and fastchess, imported and then played: a game that engines of UCI can play without chess.

use std::collections::BTreeSet;
use std::fs::{self, File};

use record::GameRecord;

use crate::own_rules::RULES;
use crate::workshop::{Ended, Workshop};

/// An engine of UCI for the seven stones. Its first argument is how many stones it takes: `best`, or a number.
const ENGINE: &str = "
import sys
options, stones = {}, 7
for line in sys.stdin:
    word, *rest = line.split() or ['']
    if word == 'uci':
        print('id name stones\\noption name Hash type spin default 1 min 1 max 64\\noption name Style type string default plain\\nuciok')
    elif word == 'setoption': options[rest[1]] = ' '.join(rest[3:])
    elif word == 'isready':
        assert options.get('Hash') == '16', options
        print('readyok')
    elif word == 'position':
        assert rest[0] == 'startpos', rest
        stones = 7 - sum(int(ply[1:]) for ply in rest[2:])
    elif word == 'go':
        words = dict(zip(rest[::2], rest[1::2]))
        assert words['winc'] == '500' and int(words['wtime']) > 50000, rest
        taken = (stones % 4 or 1) if sys.argv[1] == 'best' else int(sys.argv[1])
        score = 900 if stones % 4 else -900
        print(f'info depth 1 score cp {score} nodes 7')
        print(f'bestmove t{min(taken, stones)}')
    elif word == 'quit': break
    else: assert word in ('ucinewgame', 'stop', ''), line
    sys.stdout.flush()
";

/// Returns a folder with the rules, the engine, and what a command line becomes: `cup.yaml`. It is read as a shell reads it.
fn imported(line: &str) -> (Workshop, String) {
    let workshop = Workshop::new();
    workshop.write("stones.py", RULES);
    workshop.write("engine.py", ENGINE);
    let file = File::open(workshop.write("match.sh", line)).expect("it was written");
    let mut command = workshop.arena(&["import", "-o", "cup.yaml", "--rules", "python3 stones.py"]);
    let said = Ended::new(command.stdin(file).output().expect("the executable starts")).expect(0).stderr;
    (workshop, said)
}

/// Returns who played the game, and who won.
fn names(game: &GameRecord) -> (String, String, &str) {
    let bot = |seat: usize| game.seats[seat].bot.clone();
    let winner = match game.result.to_string().as_str() {
        "p1win" => 0,
        "p2win" => 1,
        other => panic!("{other}"),
    };
    (bot(0), bot(1), &game.seats[winner].bot)
}

#[test]
fn a_command_line_of_fastchess_is_played_as_it_says() {
    let (workshop, said) = imported(
        "fastchess -engine cmd=python3 args='engine.py best' name=new option.Style=sharp \\\n  -engine cmd=python3 args=\"engine.py 1\" \
         -each tc=1:00+0.5 option.Hash=16 proto=uci -variant stones -rounds 3 -repeat -concurrency 2 -recover -srand 7 \
         -pgnout file=out.pgn nodes=true -log file=log.txt engine=true -report penta=true -maxmoves 100\n",
    );
    assert!(said.contains("`-pgnout`: always so: `games.pgn` is written"), "{said}");
    assert!(said.contains("`-maxmoves`: no counterpart: "), "{said}");
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("results/cup");
    // Who moves second against one stone at a time wins as well: seven stones, of which one is taken, are six.
    assert_eq!(games.len(), 6);
    for game in &games {
        let (first, second, winner) = names(game);
        assert_ne!(first, second);
        assert_eq!((winner, game.reason.to_string().as_str(), game.fault()), ("new", "last-stone", None));
        assert_eq!(game.seats[0].tc.to_string(), "60+0.5");
    }
    assert_eq!(games.iter().filter(|game| names(game).0 == "new").count(), 3);
    assert_eq!(fs::read_dir(workshop.path("results/cup/transcripts")).expect("a folder").count(), 6);
    assert!(workshop.read("results/cup/games.pgn").contains("[White \"new\"]"));
    // The same command continues, and there is nothing left.
    workshop.run(&["run", "cup.yaml"]).expect(0);
    assert_eq!(workshop.games("results/cup").len(), 6);
}

#[test]
fn a_gauntlet_of_cutechess_is_played_and_its_games_are_resigned() {
    let (workshop, said) = imported(
        "cutechess-cli -tournament gauntlet -engine name=seed cmd=python3 arg=engine.py arg=best -engine name=one cmd=python3 \
         arg=engine.py arg=1 -engine name=two cmd=python3 arg=engine.py arg=2 -each proto=uci tc=60+0.5 option.Hash=16 -games 2 \
         -rounds 1 -variant stones -resign movecount=1 score=600 -event 'Three Stones' -pgnout out.pgn min\n",
    );
    assert!(said.contains("`-pgnout`: always so: "), "{said}");
    let end = workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(end.stdout.starts_with("Three Stones\n"), "{}", end.stdout);
    let games = workshop.games("results/three-stones");
    let pairings: BTreeSet<_> = games.iter().map(|game| (names(game).0, names(game).1)).collect();
    let expected = [("seed", "one"), ("one", "seed"), ("seed", "two"), ("two", "seed")];
    assert_eq!(pairings, expected.map(|(first, second)| (first.to_owned(), second.to_owned())).into());
    assert_eq!(games.len(), 4);
    for game in &games {
        let (_, _, winner) = names(game);
        assert_eq!(
            (winner, game.reason.to_string().as_str()),
            ("seed", "adjudicated-win"),
            "{:?}",
            game.detail
        );
        // It ends when the loser has said that it is lost.
        assert!(game.plies.len() < 4, "{}", game.plies.len());
    }
}

#[test]
fn rules_that_cannot_be_run_are_told_once_and_not_their_games() {
    let (workshop, _) =
        imported("fastchess -engine cmd=python3 tc=1 -engine cmd=python3 tc=1 -variant stones");
    let file = workshop.read("cup.yaml").replace("python3 stones.py", "no-such-rules");
    workshop.write("cup.yaml", &file.replace("games: [stones]", "games: [stones, farok]"));
    let told = workshop.run(&["plan", "cup.yaml"]).expect(2).stderr;
    assert!(told.contains("error: program `no-such-rules` is not in `PATH`"), "{told}");
    assert!(told.contains("unknown game `farok`") && !told.contains("unknown game `stones`"), "{told}");
}
