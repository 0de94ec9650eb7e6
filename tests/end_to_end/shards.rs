//! A run that is played in shards, by arenas that know nothing of each other, is the run that one arena plays.

use std::fs;

use crate::resume::timeless;
use crate::workshop::{Ended, Workshop, chaos, executable};

/// Bots limited by nodes play the same games in any shard.
const CUP: &str = "\
name: cup
games: [farook, {game: fanorona, options: {size: 5x5}}]
bots:
  - {name: ab, builtin: alphabeta}
  - {name: greedy, builtin: greedy}
  - {name: random, builtin: random}
rounds: 2
tc: nodes 300
seed: 5
out: cup
";

/// Returns a folder with the cup and its shards, played.
fn shards(count: usize, played: &[usize]) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    for index in played {
        workshop.run(&["run", "cup.yaml", "--shard", &format!("{index}/{count}")]).expect(0);
    }
    workshop
}

#[test]
fn merged_shards_are_the_unsharded_run() {
    let workshop = shards(3, &[1, 2, 3]);
    let whole = workshop.run(&["run", "cup.yaml"]).expect(0);
    assert_eq!(workshop.games("cup").len(), 2 * 3 * 2 * 2, "{}", whole.stderr);
    for index in 0..3 {
        let pairs: Vec<_> =
            workshop.games(&format!("cup.shard-{index}-of-3")).iter().map(|game| game.pair).collect();
        assert_eq!(pairs.len(), 8);
        assert!(pairs.iter().all(|pair| pair % 3 == index), "{pairs:?}");
    }
    let directories = ["cup.shard-0-of-3", "cup.shard-1-of-3", "cup.shard-2-of-3"];
    let merge = |out| workshop.run(&[&["merge"], &directories[..], &["-o", out]].concat());
    let told = merge("merged").expect(0).stderr;
    assert!(told.contains("24 games") && !told.contains("missing"), "{told}");
    assert_eq!(timeless(&workshop.games("merged")), timeless(&workshop.games("cup")));
    assert_eq!(workshop.read("merged/crosstable.csv"), workshop.read("cup/crosstable.csv"));
    // Once more, into the same directory: what is there is dropped as a duplicate.
    let journal = workshop.read("merged/journal.jsonl");
    assert!(merge("merged").expect(0).stderr.contains("24 exact duplicates dropped"));
    assert_eq!(workshop.read("merged/journal.jsonl"), journal);
    // A merged run is a run like any other: it is finished, and can grow.
    let ended = workshop.run(&["run", "cup.yaml", "--out", "merged"]).expect(0);
    assert!(ended.stderr.contains("nothing is left to play"), "{}", ended.stderr);
    for out in ["merged", "cup"] {
        workshop.run(&["run", "cup.yaml", "--out", out, "--rounds", "3"]).expect(0);
    }
    assert_eq!(timeless(&workshop.games("merged")), timeless(&workshop.games("cup")));
}

#[test]
fn missing_pairs_are_named_with_the_command_that_plays_them() {
    let workshop = shards(3, &[0, 1]);
    let arguments = ["merge", "cup.shard-0-of-3", "cup.shard-1-of-3", "-o", "merged"];
    let told = workshop.run(&arguments).expect(1).stderr;
    assert!(told.contains("missing: 8 games of 4 pairs: 2, 5, 8, 11"), "{told}");
    assert!(told.contains("arena run FILE --out merged"), "{told}");
    // A shard that comes later joins the others.
    workshop.run(&["run", "cup.yaml", "--shard", "2/3"]).expect(0);
    workshop.run(&["merge", "cup.shard-2-of-3", "-o", "merged"]).expect(0);
    assert_eq!(workshop.games("merged").len(), 24);
    // Or the merged run goes on by itself.
    workshop.run(&[&arguments[..4], &["alone"]].concat()).expect(1);
    workshop.run(&["run", "cup.yaml", "--out", "alone"]).expect(0);
    assert_eq!(timeless(&workshop.games("alone")), timeless(&workshop.games("merged")));
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_written() {
    let workshop = shards(6, &[0, 1]);
    let refused = |words: &[&str], code| {
        let ended =
            workshop.run(&[&["merge", "cup.shard-0-of-6"], words, &["-o", "merged"]].concat()).expect(code);
        assert!(!workshop.path("merged").exists());
        ended.stderr
    };
    // The same pairs, played twice.
    workshop.run(&["run", "cup.yaml", "--out", "again", "--shard", "0/6"]).expect(0);
    let text = refused(&["again.shard-0-of-6"], 1);
    assert!(
        text.contains("stands in cup.shard-0-of-6 and in again.shard-0-of-6 with the same plies"),
        "{text}"
    );
    workshop.run(&["run", "cup.yaml", "--out", "other", "--seed", "6", "--shard", "1/6"]).expect(0);
    let text = refused(&["other.shard-1-of-6"], 2);
    assert!(text.contains("`seed` is 5 in cup.shard-0-of-6 and 6 in other.shard-1-of-6"), "{text}");
    assert!(refused(&["nowhere"], 4).contains("journal.jsonl"));
    // A directory of which only a draft of the journal is there is as good as new.
    fs::create_dir(workshop.path("draft")).expect("the folder takes a directory");
    workshop.write("draft/journal.jsonl.1.new", "{");
    workshop.run(&["merge", "cup.shard-0-of-6", "-o", "draft"]).expect(1);
    assert_eq!(workshop.games("draft").len(), 4);
}

#[test]
fn shards_are_refused_where_results_decide_what_is_played() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let test = "games: [farook]\nbots: [{builtin: greedy}, {builtin: random}]\nformat: sprt\nsprt: {elo0: 0, elo1: 10}\n";
    workshop.write("test.yaml", test);
    for words in
        [&["cup.yaml", "--schedule", "rank"][..], &["cup.yaml", "--schedule", "best"], &["test.yaml"]]
    {
        let ended = workshop.run(&[&["run"], words, &["--shard", "0/2"]].concat()).expect(2);
        assert!(ended.stderr.contains("cannot be played in shards: results decide"), "{}", ended.stderr);
    }
    let ended = workshop.run(&["run", "--shard", "0/2"]).expect(2);
    assert!(ended.stderr.contains("FILE"), "{}", ended.stderr);
}

#[test]
fn an_array_job_names_its_shards_in_the_environment() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let task = |shard: &str, id: &str| {
        let mut arena = workshop.arena(&["run", "cup.yaml", "--shard", shard, "--rounds", "1"]);
        let variables = [("ID", id), ("COUNT", "2"), ("MIN", "1"), ("MAX", "2")];
        arena.envs(variables.map(|(name, value)| (format!("SLURM_ARRAY_TASK_{name}"), value)));
        Ended::new(arena.output().expect("the executable starts")).expect(0);
    };
    task("auto", "1");
    task("auto/2", "2");
    workshop.run(&["merge", "cup.shard-0-of-2", "cup.shard-1-of-2", "-o", "merged"]).expect(0);
    assert_eq!(workshop.games("merged").len(), 12);
    // More tasks than pairs: what has nothing to play is done, and fits the others.
    task("auto/1000", "2");
    task("7/1000", "2");
    workshop.run(&["merge", "cup.shard-2-of-1000", "cup.shard-7-of-1000", "-o", "few"]).expect(1);
    assert_eq!(workshop.games("few").len(), 2);
}

#[test]
fn what_explains_faults_is_merged_as_well() {
    let workshop = Workshop::new();
    let bots = format!("bots: [{{builtin: random}}, {{name: bad, cmd: {}}}]", chaos("illegal"));
    workshop.write("bad.yaml", &format!("games: [farook]\n{bots}\nrounds: 4\nout: bad\n"));
    for shard in ["0/2", "1/2"] {
        workshop.run(&["run", "bad.yaml", "--shard", shard]).expect(0);
    }
    workshop.run(&["merge", "bad.shard-0-of-2", "bad.shard-1-of-2", "-o", "merged"]).expect(0);
    let pages = |directory: &str| {
        // A shard in which the bot played no illegal ply has no such directory.
        fs::read_dir(workshop.path(directory)).into_iter().flatten().count()
    };
    assert_ne!(pages("merged/faults"), 0);
    assert_eq!(pages("merged/faults"), pages("bad.shard-0-of-2/faults") + pages("bad.shard-1-of-2/faults"));
}

#[test]
fn the_recipe_for_background_jobs_works_as_written() {
    let page =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/arena/docs/sharding.md")).expect("the page");
    let script = page
        .split("```")
        .filter_map(|block| block.strip_prefix("sh\n"))
        .find(|block| block.contains("wait"))
        .expect("a recipe with background jobs");
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let folder = std::path::Path::new(executable()).parent().expect("a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = workshop.command("sh", &["-e", "-c", script]);
    Ended::new(shell.env("PATH", path).output().expect("a shell")).expect(0);
    assert_eq!(workshop.games("cup").len(), 24);
}
