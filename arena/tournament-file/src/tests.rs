//! What tournaments without errors mean. Those with errors stand in `tests/config_errors/`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use runner::{OpeningLength, OpeningSource};
use settings::{Illegal, Restart};
use tempfile::TempDir;

use crate::plan::parse;
use crate::{Overrides, Plan};

const BOTS: &str = "bots: [{builtin: random}, {builtin: greedy}]\n";

fn plan(text: &str) -> Plan {
    overridden(text, &Overrides::default())
}

fn overridden(text: &str, overrides: &Overrides) -> Plan {
    let plan = parse(text, "cups/spring.yaml", Path::new("cups"), overrides);
    plan.unwrap_or_else(|failure| panic!("{failure}"))
}

fn errors(text: &str, overrides: &Overrides) -> String {
    match parse(text, "cups/spring.yaml", Path::new("cups"), overrides) {
        Ok(plan) => panic!("accepted: {plan:?}"),
        Err(failure) => failure.to_string(),
    }
}

const fn random(length: OpeningLength, deepens: bool) -> OpeningSource {
    OpeningSource::Random { length, deepens }
}

#[test]
fn what_is_not_written_has_defaults() {
    let plan = plan(BOTS);
    assert_eq!(plan.config.name, "spring");
    assert_eq!(plan.config.format, settings::Format::RoundRobin);
    assert_eq!((plan.config.rounds, plan.config.seed), (1, 1));
    assert_eq!(plan.out, Path::new("results/spring"));
    assert_eq!(plan.contests.len(), rules::GAMES.len());
    assert!(plan.contests.iter().all(|contest| contest.tc.to_string() == "10+0.1"));
    assert!(plan.contests.iter().all(|contest| contest.openings == random(OpeningLength::Turns(2), true)));
    assert_eq!(plan.settings.conditions.margin, Duration::from_millis(50));
    assert_eq!(plan.settings.conditions.think_limit, Duration::from_secs(60));
    assert_eq!(
        (plan.settings.conditions.illegal, plan.settings.conditions.restart),
        (Illegal::Forfeit, Restart::Auto)
    );
    assert_eq!(plan.config.settings, settings::Conditions::default());
    assert_eq!(plan.games(), 2 * rules::GAMES.len() as u64);
}

#[test]
fn what_is_written_is_meant() {
    let plan = plan(
        "
name: Spring Cup
games:
  - farook
  - {game: frenzy, options: {max-turns: 40}, tc: depth 3, openings: {plies: 0, repeat: true}}
bots:
  - {name: ab, version: 1.10, builtin: alphabeta, options: {Hash: 016}, tc: nodes 5000}
  - {name: line, cmd: \"cat -u 'a b'\", env: {THREADS: 1}, options: {Ponder: false}}
rounds: 3
tc: 60+0.60
concurrency: 2
seed: 18446744073709551615
openings: {plies: 4}
margin: 0s
think-limit: 1m
illegal: retry:2
restart: always
",
    );
    let contests: Vec<_> =
        plan.contests.iter().map(|c| (c.label.as_str(), c.tc.to_string(), c.openings.clone())).collect();
    assert_eq!(
        contests,
        [
            ("farook", "60+0.6".to_owned(), random(OpeningLength::Plies(4), false)),
            ("frenzy max-turns=40", "depth 3".to_owned(), random(OpeningLength::Plies(0), false)),
        ]
    );
    assert_eq!(plan.out, Path::new("results/spring-cup"));
    assert_eq!(plan.config.seed, u64::MAX);
    assert_eq!(plan.config.settings.think_limit, Duration::from_secs(60));
    assert_eq!(plan.config.settings.illegal.to_string(), "retry:2");
    let [ab, line] = &plan.bots[..] else { panic!("two bots") };
    // Scalars are what was written: 1.10 is no number, and `false` no truth value.
    assert_eq!(ab.version.as_deref(), Some("1.10"));
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(ab.options, [pair("Hash", "016")]);
    assert_eq!(ab.launch.args, ["bot", "alphabeta"]);
    assert_eq!(line.launch.program, Path::new("cat"));
    assert_eq!(line.launch.args, ["-u", "a b"]);
    // Where it is confined, a variable of its own waits until it is.
    let threads =
        if line.launch.prefix.is_empty() { "THREADS".to_owned() } else { sandbox::carried("THREADS") };
    assert_eq!(line.launch.env, [pair(&threads, "1")]);
    assert_eq!(line.options, [pair("Ponder", "false")]);
    assert_eq!(plan.config.bots[1].command, ["cat", "-u", "a b"]);
    assert_eq!(plan.games(), 2 * 3 * 2);
}

#[test]
fn the_command_line_comes_first() {
    let given = [("out", "elsewhere"), ("rounds", "7"), ("tc", "1+1"), ("seed", "9")];
    let overrides = given.into_iter().fold(Overrides::default(), |all, (key, text)| all.with(key, text));
    let plan = overridden(&format!("rounds: none\ntc: none\nseed: 3\nout: here\n{BOTS}"), &overrides);
    assert_eq!((plan.config.rounds, plan.config.seed), (7, 9));
    assert_eq!(plan.config.games[0].tc.to_string(), "1+1");
    assert_eq!(plan.out, Path::new("elsewhere"));
}

#[test]
fn chosen_games_and_bots_keep_their_settings() {
    const FILE: &str = "
games: [{game: frenzy, options: {max-turns: 40}, tc: depth 3}, {game: sophia, tc: depth 4}]
bots: [{name: one, builtin: random, tc: depth 5}, {name: two, builtin: greedy}]
";
    let chosen = |games: &str| {
        let overrides = Overrides::default().with("games", games).with("bots", "greedy, one");
        let plan = overridden(FILE, &overrides);
        let bots: Vec<_> = plan.bots.iter().map(|bot| (bot.name.as_str(), bot.tc.is_some())).collect();
        assert_eq!(bots, [("greedy", false), ("one", true)]);
        plan.config.games.iter().map(|game| format!("{} at {}", game.label, game.tc)).collect::<Vec<_>>()
    };
    assert_eq!(chosen("sophia"), ["sophia at depth 4"]);
    assert_eq!(chosen("frenzy,farook"), ["frenzy max-turns=40 at depth 3", "farook at 10+0.1"]);
    assert_eq!(chosen("frenzy:max-turns=40"), ["frenzy max-turns=40 at depth 3"]);
    assert_eq!(chosen("frenzy:max-turns=41"), ["frenzy max-turns=41 at 10+0.1"]);
    assert_eq!(chosen("sophia:line=3+max-moves=9"), ["sophia line=3 max-moves=9 at 10+0.1"]);
}

#[test]
fn errors_of_the_command_line_name_the_flag() {
    let games = "farok,frenzy:max-turns=x+nonsense";
    let overrides = Overrides::default().with("games", games).with("bots", "randm").with("rounds", "-1");
    insta::assert_snapshot!(errors(BOTS, &overrides));
}

#[test]
fn the_shown_errors_are_bounded() {
    let games = vec!["nonsense"; 100].join(", ");
    let shown = errors(&format!("games: [{games}]\n{BOTS}"), &Overrides::default());
    assert_eq!(shown.matches("error: ").count(), 21);
    assert!(shown.ends_with("error: 80 more of `cups/spring.yaml` are not shown\n"), "{shown}");
}

/// A directory with a tournament file's surroundings.
struct Surroundings(TempDir);

impl Surroundings {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("bots")).unwrap();
        fs::write(dir.path().join("bots/mine.py"), "#!/usr/bin/env python3\nprint(1)").unwrap();
        fs::write(dir.path().join("weights"), "1").unwrap();
        Self(dir)
    }

    fn bot(&self, bot: &str) -> runner::PlannedBot {
        let text = format!("bots: [{{builtin: random}}, {{name: mine, {bot}}}]");
        let plan = parse(&text, "cup.yaml", self.0.path(), &Overrides::default());
        plan.unwrap_or_else(|failure| panic!("{failure}")).bots.remove(1)
    }
}

#[test]
fn paths_are_taken_from_the_directory_of_the_file() {
    let here = Surroundings::new();
    let base = here.0.path();
    // The program runs where the file is: what it is given names the same files.
    let bot = here.bot("cmd: [cat, bots/mine.py]");
    assert_eq!((bot.launch.dir.as_path(), bot.launch.args[0].as_os_str()), (base, "bots/mine.py".as_ref()));
    // It runs elsewhere: an argument that names a file here is made to name it there.
    let bot = here.bot("cmd: [cat, weights, mine.py, other], dir: bots");
    let given: Vec<_> = bot.launch.args.iter().map(Path::new).collect();
    assert_eq!(given, [&*base.join("weights"), Path::new("mine.py"), Path::new("other")]);
    assert_eq!(bot.launch.dir, base.join("bots"));
}

#[cfg(unix)]
#[test]
fn a_program_with_a_path_becomes_absolute() {
    use std::os::unix::fs::PermissionsExt as _;
    let here = Surroundings::new();
    let program = here.0.path().join("bots/mine.py");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(here.bot("cmd: bots/mine.py").launch.program, program);
    assert_eq!(here.bot("cmd: ./mine.py, dir: bots").launch.program, here.0.path().join("bots/./mine.py"));
}

#[test]
fn a_digest_changes_with_what_makes_the_bot() {
    let here = Surroundings::new();
    let digest = |bot: &str| here.bot(bot).digest;
    let first = digest("cmd: [cat, bots/mine.py]");
    assert_eq!(first.len(), 16);
    assert_eq!(first, digest("cmd: cat bots/mine.py"));
    assert_eq!(first, digest("cmd: [cat, bots/mine.py], hello: ugi, io: tcp, at-once: 1, version: 2"));
    for other in [
        "cmd: [cat, bots/mine.py, x]",
        "cmd: [cat, bots/mine.py], options: {Hash: 1}",
        "cmd: [cat, bots/mine.py], tc: depth 1",
        "cmd: [cat, bots/mine.py], files: [weights]",
        "cmd: [tee, bots/mine.py]",
        "cmd: [cat, bots/mine.py], env: {A: 1}",
        "cmd: [cat, bots/mine.py], hello: uci",
    ] {
        assert_ne!(first, digest(other), "{other}");
    }
    let order = digest("cmd: cat, options: {A: 1, B: 2}");
    assert_eq!(order, digest("cmd: cat, options: {B: 2, A: 1}"));
    fs::write(here.0.path().join("bots/mine.py"), "print(2)").unwrap();
    assert_ne!(first, digest("cmd: [cat, bots/mine.py]"));
}

#[test]
fn nothing_that_is_written_panics() {
    const PARTS: [&str; 14] =
        ["games", ": ", "[", "]", "{", "}", "\n", "  ", "- ", "farook", "bots", "name", ",", "é"];
    // A plain counter is stream enough: every text of up to five parts of these, thinned out.
    for number in (0..14_u32.pow(5)).step_by(97) {
        let text: String = (0..5).map(|place| PARTS[(number / 14_u32.pow(place) % 14) as usize]).collect();
        let _ = parse(&text, "a.yaml", Path::new("."), &Overrides::default());
    }
}

#[test]
fn openings_of_a_file_are_checked_against_the_rules() {
    let directory = TempDir::new().unwrap();
    let read = |lines: &str, openings: &str| {
        fs::write(directory.path().join("book.txt"), lines).unwrap();
        let text = format!("{BOTS}rounds: 3\ngames: [{{game: faust, openings: {openings}}}]\n");
        parse(&text, "cup.yaml", directory.path(), &Overrides::default()).map_err(|error| error.to_string())
    };
    let book = "# game: faust\na1\nb1\nc1 # twice below\nh8\n";
    let plan = read(book, "{file: book.txt}").unwrap();
    let OpeningSource::Listed(openings) = &plan.contests[0].openings else { panic!("a list") };
    assert_eq!(openings.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a1", "b1", "c1"]);
    assert!(plan.notes[0].contains("(line 5 is that of line 2)"), "{:?}", plan.notes);
    let digest = |plan: &Plan| plan.config.games[0].openings.digest.clone().unwrap();
    let spaced = read("a1\n\nb1\nc1\n", "{file: book.txt, order: shuffled}").unwrap();
    assert_eq!(digest(&plan), digest(&spaced));
    assert_ne!(digest(&plan), digest(&read("a1\nb1\nd1\n", "{file: book.txt}").unwrap()));

    let check = |lines: &str, openings: &str, expected: &str| {
        let error = read(lines, openings).expect_err("an error");
        assert!(error.contains(expected), "{expected}: {error}");
    };
    check("a1\na1 a1\n", "{file: book.txt}", "`book.txt`, line 2: ply 2, `a1`, is refused in faust");
    check(
        "# game: farook\na1\n",
        "{file: book.txt}",
        "line 1: the openings are for `farook`, not for `faust`",
    );
    check("# nothing\n", "{file: book.txt}", "`book.txt` holds no opening");
    check(book, "{file: nowhere.txt}", "failed to read the openings");
    check(book, "{file: book.txt, count: 9}", "holds 3 different openings, not 9");
    check(book, "{file: book.txt, count: 2}", "these are 3 rounds, but faust has only 2 different openings");
    check(book, "{file: book.txt, plies: 2}", "cannot have both `plies` and `file`");
    check(book, "{file: book.txt, order: backwards}", "allowed: in-order, shuffled");
    check(book, "{turns: 2, count: 2}", "`count` of `openings` belongs to `file`");
    check(book, "{plies: 0}", "faust has only 1 different opening: 0 plies");
    assert!(read(book, "{plies: 0, repeat: true}").is_ok());
    assert!(read(book, "{file: book.txt, count: 2, repeat: true}").is_ok());
}

#[test]
fn openings_that_nobody_chose_become_longer() {
    let text = format!("{BOTS}games: [{{game: fanorona, options: {{size: 3x3}}}}]\n");
    assert_eq!(plan(&format!("{text}rounds: 30")).config.rounds, 30);
    let error = errors(&format!("{text}rounds: 30\nopenings: {{turns: 1}}"), &Overrides::default());
    assert!(
        error.contains("these are 30 rounds, but fanorona size=3x3 has only 4 different openings: 1 turn")
    );
    assert!(error.contains("`repeat: true`"), "{error}");
}

/// Returns a folder with entries of these names, each a program that copies its input.
fn entries(names: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        let dir = folder.path().join("entries").join(name);
        fs::create_dir_all(&dir).unwrap();
        let text = format!(
            "name: the {name}\nlanguage: C\nversion: 1.10\nbuild: make\nrun: [cat, own.txt]\nfiles: [own.txt]\n"
        );
        fs::write(dir.join("bot.yaml"), text).unwrap();
        fs::write(dir.join("own.txt"), name).unwrap();
    }
    folder
}

fn names(plan: &Plan) -> Vec<&str> {
    plan.bots.iter().map(|bot| bot.name.as_str()).collect()
}

#[test]
fn entries_play_in_the_order_of_their_paths() {
    let folder = entries(&["cleo", "ada", "bob", ".hidden"]);
    let read = |bots: &str, overrides: &Overrides| {
        let text = format!("games: [farook]\nbots: {bots}\n");
        parse(&text, "cup.yaml", folder.path(), overrides).unwrap_or_else(|failure| panic!("{failure}"))
    };
    let plan = read("{from: 'entries/*/bot.yaml'}", &Overrides::default());
    assert_eq!(names(&plan), ["the ada", "the bob", "the cleo"]);
    let ada = &plan.bots[0];
    assert_eq!(ada.launch.dir, folder.path().join("entries/ada"));
    assert_eq!((ada.version.as_deref(), &ada.launch.args[..]), (Some("1.10"), &["own.txt".into()][..]));
    assert_ne!(ada.digest, plan.bots[1].digest, "the files of an entry make its version");
    // No entry plays twice, and other bots stand beside them.
    let mixed = "[{builtin: random}, {from: [entries/bob/bot.yaml, 'entries/[ab]*/bot.yaml']}]";
    assert_eq!(names(&read(mixed, &Overrides::default())), ["random", "the bob", "the ada"]);
    let chosen = Overrides::default().with("bots", "greedy,the cleo");
    assert_eq!(names(&read("{from: 'entries/*/bot.yaml'}", &chosen)), ["greedy", "the cleo"]);
}

#[test]
fn a_text_that_goes_too_deep_is_refused_before_a_parser_calls_itself_for_every_level() {
    let anchors: String =
        (1..20_000).map(|level| format!("a{level}: &a{level} [*a{}]\n", level - 1)).collect();
    for text in [
        "? ".repeat(20_000) + "x",
        "- ".repeat(20_000) + "x",
        "[".repeat(100_000),
        "{a: ".repeat(20_000),
        "a:\n".to_owned() + &(1..3000).map(|level| format!("{:level$}a:\n", "")).collect::<String>(),
    ] {
        let told = errors(&text, &Overrides::default());
        assert!(told.contains("more than 64 lists and maps stand within each other"), "{told}");
        assert!(told.contains("spring.yaml") && told.len() < 2000, "{told}");
    }
    assert!(errors(&format!("a0: &a0 x\n{anchors}"), &Overrides::default()).contains("error: "));
    let sixty = format!("{BOTS}name: {}x{}\n", "[".repeat(60), "]".repeat(60));
    assert!(errors(&sixty, &Overrides::default()).contains("`name` cannot be a list"), "deep enough");
}

#[test]
fn of_many_errors_the_first_are_shown_and_what_is_quoted_is_bounded() {
    let count = |told: &str| told.matches("error: ").count();
    for (text, words, shown) in [
        ((0..100_000).map(|key| format!("key{key}: 1\n")).collect(), "unknown key `key0`", 21),
        (format!("bots: [{}]\n", "{nam: 1}, ".repeat(20_000)), "unknown key `nam`", 21),
        ((0..50_000).map(|key| format!("ké{key}: 1\n")).collect(), "unknown key `ké0`", 21),
        (format!("{BOTS}tc: {}\n", "9".repeat(200_000)), "characters left out] ", 1),
        (format!("{BOTS}tc: [{}", "a, ".repeat(100_000)), "the bracket `[` is not closed", 1),
        (format!("{BOTS}? {}\n: 1\n", "k".repeat(200_000)), "unknown key `kkk", 1),
    ] {
        let text: String = text;
        let told = errors(&text, &Overrides::default());
        assert!(told.contains(words), "{told}");
        assert_eq!(count(&told), shown, "{told}");
        assert!(told.len() < 20_000, "{} bytes", told.len());
    }
    let told = errors(&format!("bots: [{}]\n", "{nam: 1}, ".repeat(20_000)), &Overrides::default());
    assert!(
        told.contains("error: at least ") && told.contains(" more of `cups/spring.yaml` are not shown"),
        "{told}"
    );
}

#[test]
fn options_of_bots_have_the_names_that_bots_can_declare() {
    let text = |name: &str| {
        format!(
            "games: [faust]\nbots: [{{name: a, cmd: \"true\", options: {{\"{name}\": 1}}}}, {{builtin: random}}]\n"
        )
    };
    for name in ["Hash", "Move Overhead", "type of play", "UCI_Elo (max)"] {
        plan(&text(name));
    }
    for name in
        ["", " Hash", "Hash ", "Move  Overhead", "Hash\\t1", "Hash type spin", "Hash value 3", "Größe"]
    {
        let error = errors(&text(name), &Overrides::default());
        assert!(error.contains("cannot be the name of an option"), "{name}: {error}");
    }
}
