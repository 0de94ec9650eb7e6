//! What a run was played under: changes while it goes on, and what its bots were started with.

use crate::workshop::Workshop;

/// Answers the first question of a game by a bad ply unless it has a level; greets whoever greets it.
const CLUMSY: &str = "\
import os, sys
level = int(os.environ.get('LEVEL', '0'))
for line in sys.stdin:
    word, *rest = line.split() or ['']
    if word in ('ugi', 'usi'): print(f'protocol 1\\nwant legal\\ncan nodes\\n{word}ok')
    elif word == 'isready': print('readyok')
    elif word == 'game': asked = 0
    elif word == 'legal': legal = rest
    elif word == 'go':
        asked += 1
        print('bestmove', 'a1a1' if asked == 1 and level == 0 else legal[level % len(legal)])
    elif word == 'quit': break
    sys.stdout.flush()
";

const CUP: &str = "\
games: [farook]
bots: [{name: clumsy, cmd: [python3, clumsy.py]}, {builtin: random}]
tc: nodes 100
sandbox: none
out: out
";

fn workshop(cup: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("clumsy.py", CLUMSY);
    workshop.write("cup.yaml", cup);
    workshop
}

/// Verifies all games by the commands of the journal.
const VERIFY: [&str; 7] = ["verify", "--yes", "--sandbox", "recorded", "out", "--sample", "100"];

#[test]
fn games_are_verified_under_the_conditions_that_they_were_played_under() {
    let workshop = workshop(CUP);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let going_on = ["run", "cup.yaml", "--rounds", "2", "--illegal", "retry:1", "--on-fail", "random"];
    let told = workshop.run(&going_on).expect(0).stderr;
    for change in ["illegal: retry:1 instead of forfeit", "on-fail: random instead of lose"] {
        assert!(told.contains(change), "{told}");
    }
    let games = workshop.games("out");
    let lost = games.iter().map(|game| game.reason == record::Termination::BadMove);
    assert_eq!(lost.collect::<Vec<_>>(), [true, true, false, false]);
    let same = workshop.run(&VERIFY).expect(0);
    assert!(same.stdout.contains("4 the same, 0 different"), "{}", same.stdout);
    // So is a game whose bots were said to be reproducible when it was played, whatever is said now.
    workshop.write("cup.yaml", &CUP.replace("nodes 100", "60").replace("out: out", "out: clock"));
    workshop.run(&["run", "cup.yaml", "--illegal", "retry:1", "--reproducible"]).expect(0);
    let told = workshop.run(&["run", "cup.yaml", "--illegal", "retry:1", "--rounds", "2"]).expect(0).stderr;
    assert!(told.contains("reproducible: false instead of true"), "{told}");
    let same = workshop.run(&VERIFY.map(|word| if word == "out" { "clock" } else { word })).expect(0);
    assert!(same.stdout.contains("2 of 2 reproducible games"), "{}", same.stdout);
}

#[test]
fn another_environment_makes_another_bot_and_its_values_stay_out_of_the_journal() {
    let with = |level: &str| CUP.replace("clumsy.py]}", &format!("clumsy.py], env: {{LEVEL: '{level}'}}}}"));
    let workshop = workshop(&with("771103"));
    workshop.run(&["run", "cup.yaml"]).expect(0);
    workshop.write("cup.yaml", &with("771104"));
    let told = workshop.run(&["run", "cup.yaml"]).expect(0).stderr;
    assert!(told.contains("new version of bot clumsy"), "{told}");
    assert_eq!(workshop.games("out").len(), 4);
    let journal = workshop.read("out/journal.jsonl");
    assert!(journal.contains(r#""start":{"env":["LEVEL"]}"#) && !journal.contains("77110"), "{journal}");
    // Without the values nobody can say whether it plays the same.
    let refused = workshop.run(&VERIFY).expect(2).stderr;
    assert!(refused.contains("the variables `LEVEL`") && refused.contains("--config FILE"), "{refused}");
    let now = workshop.run(&["verify", "out", "--config", "cup.yaml"]).expect(1);
    assert!(now.stdout.contains("2 the same, 2 different"), "{}", now.stdout);
    assert!(now.stderr.contains("not the version that was recorded"), "{}", now.stderr);
}

#[test]
fn a_bot_is_greeted_again_as_it_was_greeted() {
    let workshop = workshop(&CUP.replace("clumsy.py]}", "clumsy.py], hello: usi, quiet: false}"));
    workshop.run(&["run", "cup.yaml", "--illegal", "retry:1"]).expect(0);
    assert!(workshop.read("out/journal.jsonl").contains(r#""start":{"hello":"usi"}"#));
    let same = workshop.run(&VERIFY).expect(0);
    assert!(same.stdout.contains("2 the same, 0 different"), "{}", same.stdout);
    assert!(!same.stderr.contains("not the version that was recorded"), "{}", same.stderr);
}
