//! `arena run` without a file.

use std::path::Path;
use std::{env, fs};

use crate::workshop::Workshop;

#[test]
fn the_main_job_can_be_planned_and_leaves_nothing_behind() {
    let workshop = Workshop::new();
    let plan = workshop.run(&["plan", "--rounds", "3"]).expect(0).stdout;
    assert!(plan.contains("default: round-robin, 3 rounds, 252 games"), "{plan}");
    assert!(plan.contains("python-random") && plan.contains("results go to results/default"), "{plan}");
    let pairs = workshop.run(&["plan", "--rounds", "1", "--pairs"]).expect(0).stdout;
    assert!(pairs.contains("python-random"), "{pairs}");
    assert!(!workshop.path("results").exists());
}

#[test]
fn the_main_job_plays_every_game_with_a_stranger_and_ranks_the_bots() {
    let workshop = Workshop::new();
    // Nothing here is about time, and other tests keep the machine busy.
    let ended = workshop.run(&["run", "--rounds", "2", "--margin", "60s"]).expect(0);
    let games = workshop.games("results/default");
    let labels = ["farook", "faust", "frenzy", "2-frenzy", "sophia", "fanorona", "fanorona size=5x5"];
    assert_eq!(games.len(), labels.len() * 6 * 2 * 2);
    for label in labels {
        let of_label = games.iter().filter(|game| game.label == label);
        assert!(of_label.flat_map(|game| &game.seats).any(|seat| seat.bot == "python-random"), "{label}");
    }
    let faults: Vec<_> = games.iter().filter(|game| game.fault().is_some()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    let warned: Vec<_> = games.iter().flat_map(|game| &game.seats).flat_map(|seat| &seat.warnings).collect();
    assert!(warned.is_empty(), "what the built-in bots say of their search is true: {warned:?}");
    // Both games of a pair have the same opening, with the seats swapped.
    for pair in games.chunks(2) {
        assert_eq!((pair[0].pair, pair[0].leg, pair[1].leg), (pair[1].pair, 1, 2));
        assert_eq!(pair[0].seats[0].bot, pair[1].seats[1].bot);
        let opening = |game: &record::GameRecord| {
            game.plies[..game.opening as usize].iter().map(|ply| ply.ply.clone()).collect::<Vec<_>>()
        };
        assert_eq!(opening(&pair[0]), opening(&pair[1]));
    }
    workshop.run(&["replay", "results/default", "results/default/games.pgn"]).expect(0);
    let table =
        ended.stdout.find("alphabeta").zip(ended.stdout.find("greedy")).expect("both are in the table");
    assert!(table.0 < table.1, "{}", ended.stdout);
    for name in [
        "journal.jsonl",
        "games.pgn",
        "games.csv",
        "standings.csv",
        "crosstable.csv",
        "report.txt",
        "report.html",
    ] {
        assert!(workshop.path("results/default").join(name).is_file(), "{name}");
        assert!(ended.stderr.contains(name), "{}", ended.stderr);
    }
    // What was made from the games as they ended is what the journal gives at any time.
    fs::create_dir(workshop.path("again")).expect("a folder");
    let path = |directory: &str, name: &str| workshop.path(directory).join(name);
    fs::copy(path("results/default", "journal.jsonl"), path("again", "journal.jsonl")).expect("a journal");
    assert_eq!(workshop.run(&["report", "again"]).expect(0).stdout, ended.stdout);
    for name in fs::read_dir(workshop.path("again")).expect("a folder") {
        let name = name.expect("a file").file_name().into_string().expect("a name");
        let [one, other] =
            ["results/default", "again"].map(|place| fs::read(path(place, &name)).expect("a file"));
        assert!(one == other, "{name}");
    }
}

/// What is in `results/showcase` beside the journal is what the arena of today makes of it. It is written anew only by
/// `cargo xtask bless`.
#[test]
fn the_run_that_is_kept_with_the_sources_is_what_its_journal_gives() {
    let workshop = Workshop::new();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/showcase");
    fs::create_dir(workshop.path("again")).expect("a folder");
    fs::copy(kept.join("journal.jsonl"), workshop.path("again/journal.jsonl")).expect("a journal");
    workshop.run(&["report", "again"]).expect(0);
    for name in ["games.pgn", "games.csv", "standings.csv", "crosstable.csv", "report.txt"] {
        let text = workshop.read(&format!("again/{name}"));
        if env::var_os("ARENA_BLESS").is_some_and(|value| value == "1") {
            fs::write(kept.join(name), &text).expect("the folder takes a file");
        }
        assert!(fs::read_to_string(kept.join(name)).expect("a file") == text, "{name} has changed");
    }
    workshop.run(&["replay", "again", "again/games.pgn"]).expect(0);
}

#[test]
fn without_python_the_main_job_is_played_without_the_stranger() {
    let workshop = Workshop::new();
    fs::create_dir(workshop.path("empty")).expect("a folder");
    let mut command = workshop.arena(&["run", "--rounds", "1", "--games", "farook"]);
    let output = command.env("PATH", workshop.path("empty")).output().expect("the executable starts");
    let ended = crate::workshop::Ended::new(output).expect(0);
    assert!(ended.stderr.contains("`python3` does not run here"), "{}", ended.stderr);
    assert_eq!(workshop.games("results/default").len(), 3 * 2);
}

#[test]
fn a_bot_that_is_told_what_its_plies_lead_to_plays_every_game_and_takes_its_wins() {
    let workshop = Workshop::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/python/one_ply_bot.py");
    let text = format!(
        "bots:\n  - {{name: one-ply, cmd: [python3, '{}']}}\n  - {{name: random, builtin: random}}\n\
         tc: 60\nout: out\n",
        script.display()
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), rules::GAMES.len() * 2);
    assert!(games.iter().all(|game| matches!(game.reason, record::Termination::Rules(_))), "{games:?}");
    // No ply that wins at once is passed over. The rules say so here, not the bot.
    let (mut asked, mut wins) = (0, 0);
    for game in &games {
        let setup = rules::GAMES.iter().find(|info| info.id == game.label).expect("a game with its defaults");
        let setup = setup.setup(&[]).expect("the defaults are valid");
        let mut table = setup.referee(None).expect("the start is valid");
        for ply in &game.plies {
            let seat = table.seat();
            if ply.us.is_some() && game.seats[seat.index()].bot == "one-ply" {
                asked += 1;
                let is_win = |ply: &str| {
                    let mut next = table.fork();
                    next.submit(ply).expect("the ply is legal");
                    next.outcome().is_some_and(|verdict| verdict.outcome.winner() == Some(seat))
                };
                if table.legal().iter().any(|legal| is_win(legal)) {
                    wins += 1;
                    assert!(is_win(&ply.ply), "game {}: {}", game.number, ply.ply);
                }
            }
            table.submit(&ply.ply).expect("the journal holds legal plies");
        }
    }
    assert!(asked > 0 && wins > 0, "{asked} decisions, {wins} with a win");
}

#[test]
fn the_bots_in_python_play_every_game_as_strangers() {
    let workshop = Workshop::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/python");
    let text = format!(
        "bots:\n  - {{name: random, cmd: [python3, '{0}/random_bot.py']}}\n  \
         - {{name: greedy, cmd: [python3, '{0}/greedy_bot.py']}}\ntc: 60\nout: out\n",
        folder.display()
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), rules::GAMES.len() * 2);
    assert!(games.iter().all(|game| matches!(game.reason, record::Termination::Rules(_))), "{games:?}");
}
