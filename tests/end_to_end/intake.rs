//! `arena intake`: entries of all kinds, from the directories that were handed in to the table of those that play.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Instant;

use crate::workshop::{Ended, Workshop, is_second_stage, wait_until};

/// A bot for the shell: it plays the first legal ply.
pub(crate) const SHELL_BOT: &str = "\
cr=$(printf '\\r') IFS=$(printf ' \\t\\r')
while read -r word rest; do
  case $word in
    ugi) printf '%s\\n' 'id name Sh' 'protocol 1' 'plays farook' 'want legal' ugiok ;;
    isready) echo readyok ;;
    legal) ply=${rest%% *} ply=${ply%$cr} ;;
    go) echo \"bestmove $ply\" ;;
    quit) exit ;;
  esac
done
";

/// What is handed in, and what is to come of it.
pub(crate) struct Kind {
    /// The name in folders.
    name: &'static str,
    /// The text of its file, `NAME` standing for the name of the entry.
    manifest: &'static str,
    /// Other files.
    files: &'static [(&'static str, &'static str)],
    /// The stage at which it stops.
    stage: &'static str,
    /// What the table says of it, in part.
    reason: &'static str,
    /// What its author is told, in part.
    told: &'static str,
}

pub(crate) const SHELL: Kind = Kind {
    name: "shell",
    manifest: "name: NAME\nlanguage: sh\nrun: [sh, bot.sh]\n",
    files: &[("bot.sh", SHELL_BOT)],
    stage: "accepted",
    reason: "",
    told: "Accepted: the entry plays",
};

const KINDS: &[Kind] = &[
    SHELL,
    Kind {
        name: "c",
        manifest: "name: NAME\nlanguage: C\ntools: [cc]\nbuild: cc -O1 -o bot bot.c\nrun: [./bot]\n",
        files: &[("bot.c", include_str!("../../bots/c/random_bot.c"))],
        told: "Accepted",
        ..SHELL
    },
    // It is called what would hurt in a table, a page or a path, and its build writes such things.
    Kind {
        name: "=cmd|'<b>`",
        manifest: "name: '=NAME ../../<script>`|'\nlanguage: '@sh'\nbuild: |\n  printf '\\033[2J\\n`````\\n# <script>\\n'; pwd\nrun: [sh, bot.sh]\n",
        told: "\\x1b[2J\n`````\n# <script>\n.\n``````\n",
        ..SHELL
    },
    Kind {
        name: "does-not-build",
        // Its build puts a file there that would let it play.
        manifest: "name: NAME\nlanguage: C\nbuild: |\n  printf 'name: planted\\nrun: [cat]\\n' > bot.yaml\n  cc -o bot bot.c\nrun: ./bot\n",
        files: &[("bot.c", "int main(void) { return nonsense; }\n")],
        stage: "build",
        reason: "the build ended with exit 1",
        told: "nonsense",
    },
    Kind {
        name: "builds-for-ever",
        manifest: "name: NAME\nbuild: echo begun; sleep 3600 | cat\nrun: ./bot\n",
        files: &[],
        stage: "build",
        reason: "the build was not done within 15s",
        told: "its time was over",
    },
    Kind {
        name: "syntax-error",
        manifest: "name: NAME\nlanguage: sh\nrun: [sh, bot.sh]\n",
        files: &[("bot.sh", "while while\n")],
        stage: "check",
        reason: "the bot crashes (exit 2): `bot.sh: ",
        told: "T01",
    },
    Kind {
        name: "illegal",
        manifest: "name: NAME\nrun: [sh, bot.sh]\n",
        files: &[(
            "bot.sh",
            "while read -r word rest; do case $word in ugi) printf '%s\\n' 'id name I' 'protocol 1' 'plays farook' ugiok ;; isready) echo readyok ;; go) echo bestmove z99 ;; quit) exit ;; esac; done\n",
        )],
        stage: "check",
        reason: "the bot plays illegal plies such as `z99`",
        told: "z99",
    },
    Kind {
        name: "hangs",
        manifest: "name: NAME\nrun: [sh, -c, sleep 3600]\n",
        files: &[],
        stage: "check",
        reason: "the bot does not write `ugiok` within 10 s",
        told: "What to do",
    },
    Kind {
        name: "floods",
        manifest: "name: NAME\nrun: [sh, -c, exec yes $(printf %02000d 7)]\n",
        files: &[],
        stage: "check",
        reason: "the bot wrote more than 16 MiB",
        told: "What to do",
    },
    Kind {
        name: "bad-name",
        manifest: "name: \"a,\\x1b[2Jb\"\nrun: [sh, bot.sh]\n",
        files: &[("bot.sh", SHELL_BOT)],
        stage: "entry",
        reason: "`name` cannot be",
        told: "commas, control characters",
    },
    Kind {
        name: "twin",
        manifest: "name: the twins\nrun: [sh, bot.sh]\n",
        stage: "entry",
        reason: "the name `the twins` is that of another entry too",
        told: "choose one that nobody else has",
        ..SHELL
    },
    Kind {
        name: "other-twin",
        manifest: "name: the twins\nrun: [sh, bot.sh]\n",
        stage: "entry",
        reason: "the name `the twins` is that of another entry too",
        told: "choose one that nobody else has",
        ..SHELL
    },
    // From here on only where many are handed in.
    Kind {
        name: "python",
        manifest: "name: NAME\nlanguage: Python\nrun: [python3, bot.py]\n",
        files: &[("bot.py", include_str!("../../bots/python/random_bot.py"))],
        told: "Accepted",
        ..SHELL
    },
    Kind {
        name: "python-syntax",
        manifest: "name: NAME\nlanguage: Python\nrun: [python3, bot.py]\n",
        files: &[("bot.py", "def main(:\n")],
        stage: "check",
        reason: "the bot crashes (exit 1): `SyntaxError: ",
        told: "File \"./bot.py\"",
    },
    Kind {
        name: "floods-build",
        manifest: "name: NAME\nbuild: yes\nrun: ./bot\n",
        files: &[],
        stage: "build",
        reason: "the build wrote more than 64 MiB",
        told: "bytes are left out here",
    },
    Kind {
        name: "builds-nothing",
        manifest: "name: NAME\nbuild: 'true'\nrun: ./bot\n",
        files: &[],
        stage: "build",
        reason: "program `./bot` does not exist",
        told: "run: ./bot",
    },
    Kind {
        name: "lacks-a-tool",
        manifest: "name: NAME\ntools: [no-such-compiler]\nbuild: no-such-compiler\nrun: ./bot\n",
        files: &[],
        stage: "machine",
        reason: "it needs `no-such-compiler`, which this machine does not have",
        told: "no-such-compiler",
    },
    Kind {
        name: "lacks-a-tool-it-does-not-name",
        manifest: "name: NAME\nbuild: no-such-compiler -O2 bot.x\nrun: ./bot\n",
        files: &[],
        stage: "machine",
        reason: "it needs `no-such-compiler`, which this machine does not have",
        told: "This is not about your entry",
    },
    Kind {
        name: "lacks-an-interpreter",
        manifest: "name: NAME\nrun: [no-such-interpreter, bot.x]\n",
        files: &[("bot.x", "")],
        stage: "machine",
        reason: "it needs `no-such-interpreter`, which this machine does not have",
        told: "This is not about your entry",
    },
    Kind {
        name: "lacks-run",
        manifest: "language: C\nname: NAME\n",
        files: &[],
        stage: "entry",
        reason: "this entry has no `run`",
        told: "an entry has at least these keys",
    },
    Kind {
        name: "unknown-key",
        manifest: "name: NAME\nrun: [sh, bot.sh]\ntc: 1000+100\n",
        files: &[("bot.sh", SHELL_BOT)],
        stage: "entry",
        reason: "unknown key `tc`",
        told: "tc: 1000+100",
    },
    Kind {
        name: "no-yaml",
        manifest: "name: NAME\n\trun: x\n",
        files: &[],
        stage: "entry",
        reason: "this is not YAML",
        told: "Not accepted: this is not YAML",
    },
    Kind {
        name: "no-file",
        manifest: "",
        files: &[("README", "")],
        stage: "entry",
        reason: "failed to read the file of an entry",
        told: "bot.yaml",
    },
    Kind {
        name: "link",
        manifest: "name: NAME\nrun: [sh, bot.sh]\n",
        files: &[("bot.sh", SHELL_BOT), ("secret", "-> ../shell-0/bot.sh")],
        stage: "entry",
        reason: "the link `secret` leads out of the entry's directory",
        told: "Not accepted",
    },
    Kind {
        name: "crashes",
        manifest: "name: NAME\nrun: [sh, bot.sh]\n",
        files: &[(
            "bot.sh",
            "n=0\nwhile read -r word rest; do case $word in ugi) printf '%s\\n' 'id name Crash' 'protocol 1' 'plays farook' 'want legal' ugiok ;; isready) echo readyok ;; legal) ply=${rest%% *} ;; go) n=$((n+1)); [ $n = 3 ] && { echo boom >&2; exit 7; }; echo bestmove $ply ;; quit) exit ;; esac; done\n",
        )],
        stage: "check",
        reason: "the bot crashes (exit 7): `boom`",
        told: "boom",
    },
    Kind {
        name: "leaves-something-behind",
        manifest: "name: NAME\nbuild: setsid sleep 3600 &\nrun: [sh, bot.sh]\n",
        told: "Accepted",
        ..SHELL
    },
];

/// Hands in an entry and returns its folder.
pub(crate) fn hand_in(root: &Path, kind: &Kind, number: usize) -> String {
    let folder =
        if kind.name.contains("twin") { kind.name.to_owned() } else { format!("{}-{number}", kind.name) };
    let directory = root.join(&folder);
    fs::create_dir_all(&directory).expect("a folder");
    if !kind.manifest.is_empty() {
        let name = format!("{} {number}", kind.name.trim_matches(|letter: char| !letter.is_alphabetic()));
        let text = kind.manifest.replace("NAME", &name.replace(['\'', '|', '<', '>'], ""));
        fs::write(directory.join("bot.yaml"), text).expect("a file");
    }
    for (name, text) in kind.files {
        let path = directory.join(name);
        match text.strip_prefix("-> ") {
            Some(target) => symlink(target, &path).expect("a link"),
            None => fs::write(&path, text).expect("a file"),
        }
    }
    folder
}

/// Returns the rows of a table by their first cell, each by the names of its columns.
pub(crate) fn table(text: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut lines = text.lines().map(cells);
    let header = lines.next().expect("a header");
    lines.map(|row| (row[0].clone(), header.iter().cloned().zip(row).collect())).collect()
}

fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            _ => cells.last_mut().expect("one").push(letter),
        }
    }
    cells
}

const INTAKE: [&str; 11] = [
    "intake",
    "entries",
    "--game",
    "farook",
    "--quick",
    "--margin",
    "2s",
    "--build-limit",
    "15s",
    "--concurrency",
    "2",
];

#[test]
fn entries_come_from_their_directories_to_a_table() {
    // 80 entries in the second stage of CI, 12 before.
    let count: usize = if is_second_stage() { 80 } else { 12 };
    let workshop = Workshop::new();
    let root = workshop.path("entries");
    let mut expected = BTreeMap::new();
    // Most of what is handed in beyond one of each kind is good.
    let more = [0, 1, 0, 3, 0, 5, 2, 0].map(|index: usize| &KINDS[index]);
    for (number, kind) in KINDS.iter().chain(more.into_iter().cycle()).take(count).enumerate() {
        expected.insert(hand_in(&root, kind, number), kind);
    }
    assert_eq!(expected.len(), count);
    let began = Instant::now();
    let told = workshop.run(&INTAKE).expect(1).stderr;
    let intake = began.elapsed();
    let rows = table(&workshop.read("intake/intake.csv"));
    assert_eq!(rows.len(), count, "{told}");
    let mut accepted = BTreeSet::new();
    for (folder, kind) in &expected {
        let shown = if folder.starts_with('=') { format!("'{folder}") } else { folder.clone() };
        let row = rows.get(&shown).unwrap_or_else(|| panic!("{shown}: {rows:#?}"));
        assert_eq!(
            (row["stage"].as_str(), row["verdict"] == "accepted"),
            (kind.stage, kind.stage == "accepted"),
            "{row:#?}"
        );
        assert!(row["reason"].contains(kind.reason), "{row:#?}");
        // A crash breaks no clause.
        let breaks_a_clause = kind.stage == "check" && !kind.reason.contains("crashes");
        assert_eq!(row["clause"].is_empty(), !breaks_a_clause, "{row:#?}");
        let page = workshop.read(&format!("intake/{}", row["feedback"]));
        assert!(page.contains(kind.told), "{}: {page}", kind.told);
        let html = workshop.read(&format!("intake/{}", row["feedback"].replace(".md", ".html")));
        assert!(html.contains("script-src &#39;none&#39;") && !html.contains("<script"), "{html}");
        assert!(!html.contains(&workshop.path("").display().to_string()), "{html}");
        // Nobody sees where on the machine things lie, nor what is not theirs.
        assert!(!page.contains(&workshop.path("").display().to_string()), "{page}");
        assert!(!page.contains('\u{1b}') && !page.contains("first legal"), "{page}");
        if kind.stage == "accepted" {
            accepted.insert(row["name"].trim_start_matches('\'').to_owned());
        }
    }
    assert_eq!(workshop.read("intake/index.html").matches("<a href=\"feedback/").count(), count);
    let began = Instant::now();
    let mut words =
        vec!["run", "intake/tournament.yaml", "--out", "cup", "--margin", "2s", "--concurrency", "2"];
    if count > 12 {
        words.extend(["--format", "swiss", "--rounds", "5"]);
    }
    let ended = workshop.run(&words).expect(0);
    let games = workshop.games("cup");
    let played: BTreeSet<_> =
        games.iter().flat_map(|game| &game.seats).map(|seat| seat.bot.clone()).collect();
    assert_eq!(played, accepted, "{}", ended.stderr);
    assert!(games.iter().all(|game| game.fault().is_none()), "{}", ended.stdout);
    println!(
        "{count} entries in {intake:.0?}, {} accepted; {} games in {:.0?}",
        accepted.len(),
        games.len(),
        began.elapsed()
    );
}

#[test]
fn a_game_that_an_entry_does_not_play_is_not_called_lost() {
    let workshop = Workshop::new();
    for (name, declared) in [("declares", "plays farook\\n"), ("refuses", "")] {
        let folder = workshop.path(&format!("entries/{name}"));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("bot.yaml"), format!("name: {name}\nrun: [python3, bot.py]\n"))
            .expect("a file");
        let script = format!(
            "import sys\nfor line in sys.stdin:\n    word, *rest = line.split() or ['']\n    \
             if word == 'ugi': print('protocol 1\\n{declared}want legal\\nugiok')\n    \
             if word == 'game' and rest[0] != 'farook': print('reject unknown-game')\n    \
             if word == 'isready': print('readyok')\n    if word == 'legal': legal = rest\n    \
             if word == 'go': print('bestmove', legal[0])\n    if word == 'quit': break\n    sys.stdout.flush()\n"
        );
        fs::write(folder.join("bot.py"), script).expect("a file");
    }
    workshop
        .run(&["intake", "entries", "--game", "farook", "--game", "frenzy", "--quick", "--margin", "2s"])
        .expect(1);
    let rows = table(&workshop.read("intake/intake.csv"));
    let reason = |name: &str| rows[name]["reason"].as_str();
    assert_eq!(reason("declares"), "it cannot play: it does not play frenzy; it plays farook");
    assert_eq!(reason("refuses"), "it refuses 2 of 4 games, the first of frenzy");
    for (name, next) in
        [("declares", "no game was played"), ("refuses", "by faults of the entry, not by its play")]
    {
        let page = workshop.read(&format!("intake/feedback/{name}.md"));
        assert!(page.contains(next) && !page.contains("lost by faults"), "{page}");
    }
}

#[test]
fn at_a_table_of_three_an_entry_meets_copies_of_the_opponent() {
    let workshop = Workshop::new();
    let folder = workshop.path("entries/shell");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("bot.yaml"), "name: shell\nrun: [sh, bot.sh]\n").expect("a file");
    let bot = SHELL_BOT.replace("plays farook", "plays 2-frenzy:players=2|3");
    fs::write(folder.join("bot.sh"), bot).expect("a file");
    let games = ["--game", "2-frenzy", "--game", "2-frenzy:players=3"];
    workshop.run(&[&["intake", "entries", "--quick", "--margin", "2s"], &games[..]].concat()).expect(0);
    let row = &table(&workshop.read("intake/intake.csv"))["shell"];
    let count = |word: &str| row[word].parse::<u32>().expect("a number");
    assert_eq!(count("won") + count("drawn") + count("lost"), 5, "a pair and a block of three");
    let page = workshop.read("intake/feedback/shell.md");
    for seat in ["p1", "p2", "p3"] {
        assert!(page.contains(&format!("| 2-frenzy players=3 | {seat} | place ")), "{page}");
    }
}

#[test]
fn entries_made_to_break_the_intake_fail_alone() {
    let workshop = Workshop::new();
    hand_in(&workshop.path("entries"), &SHELL, 1);
    let directory = |name: &str| {
        let path = workshop.path(&format!("entries/{name}"));
        fs::create_dir_all(&path).expect("a folder");
        path
    };
    for (name, text) in [
        ("deep-keys", "? ".repeat(20_000) + "x"),
        ("deep-lists", "- ".repeat(20_000) + "x"),
        ("brackets", "[".repeat(60_000)),
        ("keys", (0..6000).map(|key| format!("k{key}: 1\n")).collect()),
        ("zero-in-build", "name: zero\nbuild: \"echo \\0\"\nrun: [sh, bot.sh]\n".to_owned()),
        ("zero-in-run", "name: zero\nrun: [sh, \"bot\\0.sh\"]\n".to_owned()),
        // What it builds lets nobody in, and shall be removed by the next intake.
        (
            "closed",
            "name: closed\nbuild: mkdir -p a/b && touch a/b/c && chmod 0 a/b && chmod 500 a .; false\nrun: [sh, bot.sh]\n"
                .to_owned(),
        ),
    ] {
        fs::write(directory(name).join("bot.yaml"), text).expect("a file");
    }
    let pipe = directory("pipe").join("bot.yaml");
    let mode = rustix::fs::Mode::RWXU;
    rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, mode, 0).expect("a pipe");
    fs::write(directory("deep-folders").join("bot.yaml"), "name: deep\nrun: [sh, bot.sh]\n").expect("a file");
    directory(&format!("deep-folders/{}", "d/".repeat(300)));
    for words in [&[][..], &["--force"]] {
        workshop.run(&[&INTAKE, words].concat()).expect(1);
        let rows = table(&workshop.read("intake/intake.csv"));
        assert_eq!(rows.len(), 10, "{rows:?}");
        for (name, row) in &rows {
            let verdict = if name == "shell-1" { "accepted" } else { "failed" };
            assert_eq!(row["verdict"], verdict, "{name}: {row:?}");
            assert!(row["reason"].len() < 400, "{row:?}");
        }
        assert_eq!(rows["closed"]["stage"], "build", "{rows:?}");
        assert!(rows["deep-keys"]["reason"].contains("stand within each other"), "{rows:?}");
        assert!(rows["pipe"]["reason"].contains("not a regular file"), "{rows:?}");
        assert!(rows["deep-folders"]["reason"].contains("too deep"), "{rows:?}");
    }
}

/// Returns a workshop with a good entry and one that cannot be built.
fn two() -> Workshop {
    let workshop = Workshop::new();
    for index in [0, 3] {
        hand_in(&workshop.path("entries"), &KINDS[index], index);
    }
    workshop
}

#[test]
fn what_has_not_changed_is_not_built_again() {
    let workshop = two();
    let intake = |words: &[&str], code| workshop.run(&[&INTAKE, words].concat()).expect(code).stderr;
    assert!(!intake(&[], 1).contains("as before"));
    let table = workshop.read("intake/intake.csv");
    assert_eq!(intake(&[], 1).matches("as before").count(), 2);
    assert_eq!(workshop.read("intake/intake.csv"), table);
    assert!(!intake(&["--force"], 1).contains("as before"));
    // Another time control is another intake, and another file another entry.
    assert!(!intake(&["--tc", "9+0.1"], 1).contains("as before"));
    workshop.write("entries/does-not-build-3/bot.c", include_str!("../../bots/c/random_bot.c"));
    assert_eq!(intake(&["--tc", "9+0.1"], 0).matches("as before").count(), 1);
    // What was taken back plays no more; a tournament that was changed stays.
    fs::remove_dir_all(workshop.path("entries/shell-0")).expect("removed");
    workshop.write(
        "intake/tournament.yaml",
        "bots: [{from: 'entries/*/bot.yaml'}, {builtin: random}]\ngames: [farook]\n",
    );
    let told = intake(&["--tc", "9+0.1"], 0);
    assert!(told.contains("tournament.yaml has been changed and stays as it is"), "{told}");
    assert!(
        !workshop.path("intake/entries/shell-0").exists()
            && !workshop.path("intake/feedback/shell-0.md").exists()
    );
    let plan = workshop.run(&["plan", "intake/tournament.yaml"]).expect(0).stdout;
    assert!(plan.contains("does-not-build 3") && !plan.contains("shell 0"), "{plan}");
}

#[test]
fn an_intake_that_was_interrupted_goes_on() {
    let workshop = two();
    hand_in(&workshop.path("entries"), &KINDS[4], 4);
    let words = [
        "intake",
        "entries",
        "--game",
        "farook",
        "--quick",
        "--margin",
        "2s",
        "--build-limit",
        "1h",
        "--concurrency",
        "1",
    ];
    let child = workshop.start(&words);
    assert!(wait_until(|| workshop.path("intake/entries/builds-for-ever-4").exists()));
    let number = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(number, rustix::process::Signal::INT).expect("it lives");
    let ended = Ended::new(child.wait_with_output().expect("it ends")).expect(130);
    assert!(ended.stderr.contains("to continue: "), "{}", ended.stderr);
    let ended = workshop.run(&INTAKE).expect(1);
    assert!(ended.stderr.contains("1 of 3 accepted"), "{}", ended.stderr);
}

#[test]
fn a_new_bot_is_an_entry_as_it_is_written() {
    let workshop = Workshop::new();
    fs::create_dir(workshop.path("entries")).expect("a folder");
    for language in ["bash", "c"] {
        workshop.run(&["new", "bot", "--lang", language, &format!("entries/{language}")]).expect(0);
    }
    let told = workshop.run(&INTAKE).expect(0).stderr;
    assert!(told.contains("2 of 2 accepted"), "{told}");
    let plan = workshop.run(&["plan", "intake/tournament.yaml"]).expect(0).stdout;
    assert!(plan.contains("bash-greedy") && plan.contains("c-greedy"), "{plan}");
}

#[test]
fn what_cannot_be_an_intake_is_refused() {
    let workshop = two();
    let fails = |words: &[&str], message: &str| {
        let told = workshop.run(words).expect(2).stderr;
        assert!(told.contains(message), "{told}");
    };
    fails(&["intake", "nowhere"], "failed to read `nowhere`");
    fs::create_dir(workshop.path("empty")).expect("a folder");
    fails(&["intake", "empty"], "there are no entries in `empty`");
    fails(&["intake", "entries", "--out", "entries/out"], "lies within the entries");
    fails(&["intake", "entries", "--out", "."], "holds something else than an intake");
    fails(&["intake", "entries", "--build-limit", "0s"], "leaves no time");
    fails(&["intake", "entries", "--tc", "x"], "`--tc` cannot be `x`");
    fails(&["intake", "entries", "--game", "farok"], "did you mean `farook`?");
    assert!(workshop.path("entries/shell-0").exists() && !workshop.path("intake").exists());
}
