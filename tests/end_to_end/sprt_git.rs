//! Tests of strength between commits.

use std::fs;
use std::process::Command;

use crate::workshop::{Ended, Workshop};

/// Looks one ply ahead.
pub(crate) const STRONG: &str = include_str!("../../bots/python/one_ply_bot.py");
/// Plays anything.
pub(crate) const WEAK: &str = include_str!("../../bots/python/random_bot.py");

/// What is played in most of these tests.
const GAME: [&str; 6] = ["--game", "farook", "--tc", "nodes 100", "--preset", "smoke"];

/// A repository with a bot in the folder `repository`, `origin/main` its first commit.
pub(crate) struct Repository {
    pub(crate) workshop: Workshop,
}

impl Repository {
    pub(crate) fn new(bot: &str) -> Self {
        let repository = Self { workshop: Workshop::new() };
        fs::create_dir(repository.workshop.path("repository")).expect("a folder");
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository.commit(bot);
        repository.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        repository
    }

    fn write(&self, name: &str, text: &str) {
        self.workshop.write(&format!("repository/{name}"), text);
    }

    /// Commits this bot and returns the beginning of the commit's hash.
    pub(crate) fn commit(&self, bot: &str) -> String {
        // These bots search nothing: any limit of nodes holds.
        let able = bot.replace("plays *\\n", "plays *\\ncan nodes\\n");
        assert_ne!(able, bot);
        self.write("bot.py", &able);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message=bot"]);
        self.git(&["rev-parse", "--short=12", "HEAD"]).trim().to_owned()
    }

    pub(crate) fn git(&self, words: &[&str]) -> String {
        let mut command = self.workshop.command("git", words);
        command.current_dir(self.workshop.path("repository"));
        for (name, value) in [
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_SYSTEM", "/dev/null"),
            ("GIT_AUTHOR_NAME", "a"),
            ("GIT_AUTHOR_EMAIL", "a@example.org"),
            ("GIT_COMMITTER_NAME", "a"),
            ("GIT_COMMITTER_EMAIL", "a@example.org"),
        ] {
            command.env(name, value);
        }
        Ended::new(command.output().expect("git runs")).expect(0).stdout
    }

    /// Runs a command in the repository, with a cache of its own.
    fn run(&self, mut command: Command) -> Ended {
        command.current_dir(self.workshop.path("repository"));
        command.env("XDG_CACHE_HOME", self.workshop.path("cache"));
        Ended::new(command.output().expect("it starts"))
    }

    fn arena(&self, words: &[&str]) -> Ended {
        self.run(self.workshop.arena(&[&["sprt"], words].concat()))
    }

    /// Tests `HEAD` against `origin/main`, with these words besides.
    fn test(&self, words: &[&str]) -> Ended {
        let words = [&["--new", "git:HEAD", "--base", "git:origin/main"], &GAME[..], words].concat();
        self.arena(&words)
    }
}

#[test]
fn commits_are_built_once_and_the_working_tree_is_left_alone() {
    let repository = Repository::new(WEAK);
    let new = repository.commit(STRONG);
    repository.write("bot.py", "this is not committed");
    let words = ["--build", "cp bot.py built.py", "--run", "python3 built.py", "--max-pairs", "2"];
    let first = repository.test(&words).expect(3);
    assert_eq!(first.stderr.matches("building ").count(), 2, "{}", first.stderr);
    assert!(first.stderr.contains("`git:HEAD` is the commit, without them"), "{}", first.stderr);
    assert_eq!(repository.git(&["status", "--porcelain", "bot.py"]), " M bot.py\n");
    assert!(!repository.workshop.path("repository/built.py").exists());
    let games = repository.workshop.games("repository/results/sprt");
    let versions: Vec<_> =
        games.iter().flat_map(|game| &game.seats).filter(|seat| seat.bot == "new").collect();
    assert_eq!(versions.len(), 4);
    let journal = repository.workshop.read("repository/results/sprt/journal.jsonl");
    assert!(journal.contains(&format!("\"version\":\"{new}\"")), "{journal}");
    let second = repository.test(&words).expect(3);
    assert!(!second.stderr.contains("building "), "{}", second.stderr);
    // A build server is told which commits were compared.
    let report = repository.test(&[&words[..], &["--format", "junit"]].concat()).expect(3).stdout;
    assert!(report.contains(&format!("<property name=\"new.version\" value=\"{new}\"/>")), "{report}");
    assert!(report.contains("<property name=\"base.digest\" value=\""), "{report}");
    // A new commit is another bot: it plays anew.
    repository.commit(&format!("{STRONG}\n"));
    let third = repository.test(&words).expect(3);
    assert_eq!(third.stderr.matches("building ").count(), 1, "{}", third.stderr);
    assert_eq!(repository.workshop.games("repository/results/sprt").len(), 8);
}

#[test]
fn what_cannot_be_built_is_told_with_its_output() {
    let repository = Repository::new(WEAK);
    repository.commit(STRONG);
    let failed = repository.test(&["--build", "echo almost; exit 7", "--run", "./bot"]).expect(2);
    for part in ["cannot be built: exit status: 7", "the end of its output", "almost"] {
        assert!(failed.stderr.contains(part), "{part}: {}", failed.stderr);
    }
    let unknown = ["--new", "git:nowhere", "--base", "random", "--run", "./bot"];
    let unknown = repository.arena(&[&unknown[..], &GAME[..]].concat()).expect(2);
    assert!(unknown.stderr.contains("`git:nowhere` is no commit of this repository"), "{}", unknown.stderr);
    let unsaid = repository.test(&[]).expect(2);
    assert!(unsaid.stderr.contains("add for example `--run ./bot`"), "{}", unsaid.stderr);
    let missing = repository.test(&["--run", "./bot"]).expect(2);
    assert!(missing.stderr.contains("`--new`: program `./bot` does not exist"), "{}", missing.stderr);
    assert!(
        missing.stderr.contains("hint: paths are taken from the directory of the commit, "),
        "{}",
        missing.stderr
    );
    let outside = ["sprt", "--new", "git:HEAD", "--base", "random", "--run", "./bot"];
    let outside = repository.workshop.run(&[&outside[..], &GAME[..]].concat()).expect(2);
    assert!(outside.stderr.contains("is in no git repository"), "{}", outside.stderr);
}

#[test]
fn the_program_of_a_commit_is_never_that_of_the_working_tree() {
    let repository = Repository::new(WEAK);
    fs::create_dir(repository.workshop.path("repository/sub")).expect("a folder");
    let start = "#!/bin/sh\nexec python3 ../bot.py\n";
    repository.write("sub/start", start);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(repository.workshop.path("repository/sub/start"), mode).expect("a mode");
    repository.commit(STRONG);
    repository.write("sub/start", "#!/bin/sh\nexit 9\n");
    let words = ["sprt", "--new", "git:HEAD", "--base", "random", "--run", "./start", "--max-pairs", "2"];
    let mut command = repository.workshop.arena(&[&words[..], &GAME[..], &["--builds", "kept"]].concat());
    command.current_dir(repository.workshop.path("repository/sub"));
    Ended::new(command.output().expect("it starts")).expect(3);
    assert!(repository.workshop.path("repository/sub/kept").is_dir());
    assert_eq!(repository.workshop.games("repository/sub/results/sprt").len(), 4);
}

#[test]
fn versions_with_the_same_node_signature_are_not_played() {
    let repository = Repository::new(WEAK);
    repository.write("bench", "4823");
    repository.commit(&format!("{WEAK}# a remark\n"));
    let bench = "echo $BOT; echo 4823 nodes $$ nps";
    for (format, said) in [
        ("text", "nothing changed: both versions have the node signature 4823; no game was played"),
        ("json", "{\"decision\":\"unchanged\",\"signature\":4823}"),
        ("markdown", "**nothing changed: both versions have the node signature 4823**"),
        ("junit", "failures=\"0\" errors=\"0\" skipped=\"0\""),
    ] {
        let words = ["--run", "python3 bot.py", "--bench", bench, "--format", format];
        let same = repository.test(&words).expect(0);
        assert!(same.stdout.contains(said), "{}", same.stdout);
    }
    assert!(!repository.workshop.path("repository/results/sprt/journal.jsonl").exists());
    let other = ["--run", "python3 bot.py", "--bench", "wc -c < bot.py", "--max-pairs", "1"];
    let other = repository.test(&other).expect(3);
    assert!(other.stderr.contains("node signatures: new "), "{}", other.stderr);
    let broken = repository.test(&["--run", "python3 bot.py", "--bench", "echo nothing; exit 3"]).expect(2);
    assert!(broken.stderr.contains("the bench of `new` printed no number"), "{}", broken.stderr);
    let commands = ["--new", "random", "--base", "greedy", "--bench", "$BOT < /dev/null; echo ${#BOT} nodes"];
    let commands = repository.arena(&[&commands[..], &GAME[..], &["--max-pairs", "1"]].concat()).expect(0);
    assert!(commands.stdout.contains("nothing changed"), "{}", commands.stdout);
}
