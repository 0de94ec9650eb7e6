//! Files of openings: from the tournament file to the bots, the records and back.

use crate::workshop::Workshop;

/// A position of Fanorona on 5x5 after one ply, in which `p2` decides.
const POSITION: &str = "bb1bb/bb1bb/bwwbw/ww1ww/wwwww p2 quiet=0";

const CUP: &str = "games: [{game: fanorona, options: {size: 5x5}}]\n\
    bots: [{name: one, builtin: greedy}, {name: two, builtin: random}]\n\
    tc: nodes 100\ntranscripts: true\nout: out\n";

fn workshop(openings: &str, rounds: u32) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &format!("{CUP}rounds: {rounds}\nopenings: {openings}\n"));
    workshop
}

#[test]
fn games_begin_from_the_positions_of_a_file_everywhere() {
    let workshop = workshop("{file: book.txt}", 3);
    let book = format!("# game: fanorona size=5x5\nfen {POSITION} moves d4c5-\nc2c3+ # as above\n\nb2c3+\n");
    workshop.write("book.txt", &book);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 6);
    for game in &games {
        let opening: Vec<_> =
            game.plies[..game.opening as usize].iter().map(|ply| (ply.ply.as_str(), ply.seat)).collect();
        let expected = match game.round {
            1 => (Some(POSITION), vec![("d4c5-", 2)]),
            2 => (None, vec![("c2c3+", 1)]),
            _ => (None, vec![("b2c3+", 1)]),
        };
        assert_eq!((game.start.as_deref(), opening), expected);
    }
    let told = workshop.read("out/transcripts/1.txt");
    assert!(told.contains(&format!(" > position fen {POSITION} moves d4c5-\n")), "{told}");
    let log = workshop.read("out/games.pgn");
    assert_eq!(log.matches(&format!("[StartPosition \"{POSITION}\"]")).count(), 2, "{log}");
    for source in ["out", "out/games.pgn"] {
        workshop.run(&["replay", source]).expect(0);
    }
    let verified = workshop.run(&["verify", "out"]).expect(0);
    assert!(
        verified.stdout.contains("6 of 6 reproducible games played once more: 6 the same"),
        "{}",
        verified.stdout
    );
    workshop.run(&["repro", "out", "1", "--seat", "p1"]).expect(0);

    // The same openings elsewhere are the same run; other ones are not.
    std::fs::rename(workshop.path("book.txt"), workshop.path("moved.txt")).unwrap();
    let moved = workshop.read("cup.yaml").replace("book.txt", "moved.txt");
    workshop.write("cup.yaml", &moved);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    workshop.write("moved.txt", &book.replace("b2c3+", "b3c3-"));
    let refused = workshop.run(&["run", "cup.yaml"]).expect(2);
    assert!(refused.stderr.contains("the openings of fanorona size=5x5 was `file "), "{}", refused.stderr);
    assert_eq!(workshop.games("out").len(), 6);
}

#[test]
fn more_rounds_than_openings_are_refused_or_played_again() {
    let workshop = workshop("{plies: 0}", 2);
    let refused = workshop.run(&["run", "cup.yaml"]).expect(2);
    assert!(refused.stderr.contains("has only 1 different opening: 0 plies"), "{}", refused.stderr);
    assert!(refused.stderr.contains("`repeat: true`"), "{}", refused.stderr);
    let text = workshop.read("cup.yaml").replace("plies: 0", "plies: 0, repeat: true");
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(workshop.games("out").iter().all(|game| game.opening == 0));
}
