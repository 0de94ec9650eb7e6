//! Names that are meant to do harm where they come out: what a tournament file may not say is refused, and what it may say is
//! harmless in every output; so is what a journal from elsewhere says.

use std::fs;

use serde_json::{Value, json};

use crate::outputs::{faults_of_run, faults_of_text};
use crate::serving::Server;
use crate::workshop::{Workshop, chaos, unsealed};

/// Names of bots that are played with.
const NAMES: [&str; 8] = [
    "=cmd|'/c calc'!A1",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "<img src=x onerror=alert(2)>",
    "</script><script>alert(1)</script>",
    "a\"] [Result \"1-0\"] \\ {x} ;%$1",
    "../../../etc/passwd",
    "NUL.txt",
    "`|**x** [l](javascript:alert(1)) ]]>&lt;!--",
];

/// The name of the tournament and of its file of openings.
const EVENT: &str = "-1+<img src=x>\"] {=HYPERLINK(1)} \\ ../..";

/// Names that no tournament file may give, with what is said of them.
const REFUSED: [(&str, &str); 12] = [
    ("\u{1b}[2Jred", "\\x1b[2Jred"),
    ("two\nlines", "two\\x0alines"),
    ("nul\0", "nul\\x00"),
    ("carriage\r", "cannot be"),
    ("\u{202e}gpj.exe", "\\u{202e}gpj.exe"),
    ("zero\u{200b}width", "\\u{200b}width"),
    ("\u{9b}31m", "U+009B"),
    ("a,b", "commas"),
    (" blank", "blanks at its ends"),
    ("", "is empty"),
    ("\u{feff}mark", "\\u{feff}"),
    ("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "longer than 80"),
];

/// Says hostile things of itself, and plays.
const BOASTER: &str = "\
import sys
for line in sys.stdin:
    word, *rest = line.split() or ['']
    if word == 'ugi':
        print('id name \\x1b[2J</script><script>alert(1)</script>=1+1\"] [Evil \"x\"]')
        print('id author <img src=x onerror=alert(2)>\\u202e')
        print('id version -1+1|`x`')
        print('option name =1+1 type string default <img src=x>')
        print('protocol 1\\nwant legal\\nugiok')
    elif word == 'isready': print('readyok')
    elif word == 'legal': legal = rest
    elif word == 'go':
        print('info depth 1 score cp 1 pv ' + legal[0] + ' string </script><script>alert(1)</script>\\x1b]0;x\\x07')
        print('bestmove', legal[0])
    elif word == 'quit': break
    sys.stdout.flush()
";

/// Parses pages and reports, and says what a reader of its own finds in them.
const JUDGE: &str = r#"
import html.parser, re, sys, xml.dom.minidom
class Page(html.parser.HTMLParser):
    known = set()
    def handle_starttag(self, tag, pairs):
        for name, value in pairs:
            if name.startswith('on') or (value or '').strip().lower().startswith('javascript:') or (name == 'src' and value == 'x'):
                print('FAULT', tag, name, value)
        self.inside = tag
    def handle_data(self, data):
        if self.inside == 'script' and 'alert(1)' in data and '</script>' in data.lower(): print('FAULT script', data[:80])
    def handle_endtag(self, tag): self.inside = ''
for name in sys.argv[1:]:
    text = open(name, encoding='utf-8').read()
    if name.endswith('.xml'): xml.dom.minidom.parseString(text)
    else:
        page = Page(); page.inside = ''; page.feed(text); page.close()
        # What stands in a script element by itself would run.
        for script in re.findall(r'<script[^>]*>(.*?)</script>', text, re.S):
            if script.strip().startswith('alert(1)'): print('FAULT runs', script[:80])
print('judged', len(sys.argv) - 1)
"#;

/// Has Python's own readers look at pages and XML, and fails where they find something.
#[track_caller]
fn judge(workshop: &Workshop, files: &[String]) {
    let words: Vec<_> = ["-c", JUDGE].into_iter().chain(files.iter().map(String::as_str)).collect();
    let output = workshop.command("python3", &words).output().expect("Python is there");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(text, format!("judged {}\n", files.len()), "{errors}");
}

/// Returns text that YAML and JSON read alike.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("text")
}

/// Fails where a table of Markdown has rows of different lengths, or markup that stands for itself.
#[track_caller]
fn judge_markdown(text: &str) {
    let mut columns = None;
    for line in text.lines() {
        let is_row = line.starts_with('|');
        let bars = line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        let expected = *columns.get_or_insert(bars);
        assert!(!is_row || bars == expected, "{expected} bars, not {bars}: {line}");
        if !is_row {
            columns = None;
        }
        let plain = line.replace("\\[", "").replace("\\]", "");
        for mark in ["<script", "<img", "](javascript"] {
            assert!(!plain.contains(mark), "{mark} in {line}");
        }
    }
}

/// Runs a command and fails where its output is dangerous on a terminal; returns its standard output.
#[track_caller]
fn shown(workshop: &Workshop, words: &[&str]) -> String {
    let ended = workshop.run(words);
    assert!([0, 1, 3].contains(&ended.code), "{words:?}: {}\n{}", ended.code, ended.stderr);
    for (name, text) in [("stdout", &ended.stdout), ("stderr", &ended.stderr)] {
        let faults = faults_of_text(name, text);
        assert!(faults.is_empty(), "{words:?}: {faults:?}");
    }
    assert!(!ended.stdout.is_empty(), "{words:?}: {}\n{}", ended.code, ended.stderr);
    ended.stdout
}

/// Fails where an output about these runs is harmful. `names` are the bots as they are shown.
fn judge_outputs(workshop: &Workshop, names: &[String]) {
    for run in ["runs/one", "runs/two"] {
        shown(workshop, &["report", run]);
        let mut faults = faults_of_run(&workshop.path(run));
        // The journal is that of whoever wrote it.
        faults.retain(|fault| !fault.starts_with("journal.jsonl: holds"));
        assert_eq!(faults, Vec::<String>::new());
    }
    for words in [
        &["rate", "runs/one", "runs/two"][..],
        &["rate", "runs/one/games.pgn"],
        &["compare", "runs/one", "runs/two"],
        &["replay", "runs/one"],
    ] {
        shown(workshop, words);
    }
    for words in [
        &["rate", "runs/one", "--format", "markdown"][..],
        &["compare", "runs/one", "runs/two", "--format", "markdown"],
    ] {
        judge_markdown(&shown(workshop, words));
    }
    for words in [
        &["rate", "runs/one", "--format", "json"][..],
        &["compare", "runs/one", "runs/two", "--format", "json"],
    ] {
        let text = shown(workshop, words);
        serde_json::from_str::<Value>(&text).unwrap_or_else(|error| panic!("{words:?}: {error}: {text}"));
    }
    for (file, words) in [
        ("rate.csv", &["rate", "runs/one", "--format", "csv"][..]),
        ("compare.csv", &["compare", "runs/one", "runs/two", "--format", "csv"]),
    ] {
        fs::create_dir_all(workshop.path("tables")).expect("a folder");
        workshop.write(&format!("tables/{file}"), &shown(workshop, words));
    }
    assert_eq!(faults_of_run(&workshop.path("tables")), Vec::<String>::new());
    // The game log is read back: the names are those that are shown.
    let log = workshop.read("runs/one/games.pgn");
    let games = record::PgnReader::new(&log).collect::<Result<Vec<_>, _>>().expect("the log is read");
    assert_eq!(
        games.len(),
        record::read(&workshop.path("runs/one")).expect("the journal is read").games.len()
    );
    for (tag, name) in games.iter().flat_map(|game| &game.tags) {
        assert!(!tag.starts_with("Evil"), "{log}");
        assert!(
            !["White", "Black"].contains(&tag.as_str()) || names.contains(name),
            "{name:?} is none of {names:?}"
        );
    }
    workshop.run(&["report", "runs/one", "--watch", "--to", "watched"]).expect(0);
    let mut pages = vec!["runs/one/report.html".to_owned()];
    pages.extend(pages_below(workshop, "watched"));
    let server = Server::start(workshop, &[]);
    for (number, path) in ["/", "/runs/one/", "/runs/one/report.html"].iter().enumerate() {
        let answer = server.check(&format!("GET {path}"), "", "", "200");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        assert!(
            faults_of_text("head", &head.replace('\r', "")).is_empty() && !head.contains("alert"),
            "{head}"
        );
        workshop.write(&format!("served-{number}.html"), body);
        pages.push(format!("served-{number}.html"));
    }
    judge(workshop, &pages);
}

/// Returns the pages below a folder.
fn pages_below(workshop: &Workshop, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(workshop.path(folder)).expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().into_string().expect("a plain name"));
    names.filter(|name| name.ends_with(".html")).map(|name| format!("{folder}/{name}")).collect()
}

#[test]
fn hostile_names_of_a_tournament_file_are_harmless_in_every_output() {
    let workshop = Workshop::new();
    workshop.write("boaster.py", BOASTER);
    let book = "openings <img src=x onerror=alert(2)>=1.txt";
    workshop.write(book, "a1\n");
    let mut bots: Vec<_> = NAMES[1..]
        .iter()
        .map(|name| format!("  - {{name: {}, builtin: random, version: {}}}\n", quoted(name), quoted(name)))
        .collect();
    bots.push(format!("  - {{name: {}, cmd: {}}}\n", quoted(NAMES[0]), chaos("crash")));
    let options = "{\"=1+1\": \"</script><script>alert(1)</script> |\\\"\"}";
    bots.push(format!("  - {{name: '%s%n', cmd: [python3, boaster.py], options: {options}}}\n"));
    let file = |out: &str, seed: u32| {
        format!(
            "name: {}\ngames: [farook]\nbots:\n{}seed: {seed}\nformat: gauntlet\nseeds: ['%s%n']\nrounds: 1\ntc: 60+1\nmax-faults: none\nconcurrency: 2\ntranscripts: true\n\
         openings: {{file: {}, repeat: true}}\nout: {out}\n",
            quoted(EVENT),
            bots.concat(),
            quoted(book)
        )
    };
    workshop.write("one.yaml", &file("runs/one", 1));
    workshop.write("two.yaml", &file("runs/two", 2));
    shown(&workshop, &["plan", "one.yaml"]);
    shown(&workshop, &["schedule", "one.yaml"]);
    shown(&workshop, &["run", "one.yaml"]);
    shown(&workshop, &["run", "two.yaml"]);
    let names: Vec<_> = NAMES.iter().map(|name| (*name).to_owned()).chain(["%s%n".to_owned()]).collect();
    judge_outputs(&workshop, &names);
    for name in &names {
        let ended = workshop.run(&["report", "runs/one", "--bot", name]).expect(0);
        assert!(faults_of_text("stderr", &ended.stderr).is_empty(), "{:?}", ended.stderr);
    }
    // Nothing was written beside the runs: the name that leads elsewhere leads nowhere.
    assert!(!workshop.path("etc").exists() && !workshop.path("../etc/passwd").exists());
    // Without `out` the name of the tournament is that of a directory below `results`.
    let usual = file("runs/one", 1).replace("out: runs/one\n", "").replace(
        "format: gauntlet\nseeds: ['%s%n']\n",
        "format: list\nmatches: [[NUL.txt, '@SUM(1+1)*cmd|'' /C calc''!A0']]\n",
    );
    workshop.write("usual.yaml", &usual);
    shown(&workshop, &["run", "usual.yaml"]);
    let made: Vec<_> = fs::read_dir(workshop.path("results"))
        .expect("a folder")
        .flatten()
        .map(|it| it.file_name())
        .collect();
    assert_eq!(made, ["1-img-src-x-hyperlink-1"]);
    assert_eq!(faults_of_run(&workshop.path("results")), Vec::<String>::new());
}

#[test]
fn names_that_cannot_be_harmless_are_refused_with_what_is_wrong() {
    let workshop = Workshop::new();
    for (name, said) in REFUSED {
        for (key, text) in [
            (
                "bot",
                format!(
                    "games: [farook]\nbots: [{{name: {}, builtin: random}}, {{builtin: greedy}}]\n",
                    quoted(name)
                ),
            ),
            (
                "event",
                format!(
                    "name: {}\ngames: [farook]\nbots: [{{builtin: random}}, {{builtin: greedy}}]\n",
                    quoted(name)
                ),
            ),
            (
                "version",
                format!(
                    "games: [farook]\nbots: [{{builtin: random, version: {}}}, {{builtin: greedy}}]\n",
                    quoted(name)
                ),
            ),
        ] {
            workshop.write("cup.yaml", &text);
            let ended = workshop.run(&["plan", "cup.yaml"]).expect(2);
            assert!(ended.stderr.contains(said), "{key} {name:?}: {}", ended.stderr);
            assert!(faults_of_text("stderr", &ended.stderr).is_empty(), "{key} {name:?}: {:?}", ended.stderr);
        }
    }
    // Values of options reach a bot on one line.
    for value in ["a\nquit", "\u{1b}[2J", "\u{202e}x"] {
        let entry = format!("{{builtin: random, options: {{Hash: {}}}}}", quoted(value));
        workshop.write("cup.yaml", &format!("games: [farook]\nbots: [{entry}, {{builtin: greedy}}]\n"));
        let ended = workshop.run(&["plan", "cup.yaml"]).expect(2);
        assert!(
            ended.stderr.contains("the value of option `Hash` has control characters"),
            "{}",
            ended.stderr
        );
        assert!(faults_of_text("stderr", &ended.stderr).is_empty(), "{:?}", ended.stderr);
    }
}

#[test]
fn two_names_for_one_directory_do_not_become_one_run_unsaid() {
    let workshop = Workshop::new();
    let file = |name: &str| {
        format!("name: {name}\ngames: [farook]\nbots: [{{builtin: random}}, {{builtin: greedy}}]\n")
    };
    workshop.write("one.yaml", &file("spring cup"));
    workshop.write("two.yaml", &file("'spring/../cup'"));
    workshop.run(&["run", "one.yaml"]).expect(0);
    let again = workshop.run(&["run", "two.yaml"]).expect(0);
    assert!(again.stderr.contains("name: `spring/../cup` instead of `spring cup`"), "{}", again.stderr);
}

#[test]
fn a_journal_from_elsewhere_is_harmless_in_every_output() {
    let workshop = Workshop::new();
    let file = "games: [farook]\nbots: [{name: bot-a, builtin: random}, {name: bot-b, builtin: greedy}]\nrounds: 2\ntc: 60+1\n";
    workshop.write("cup.yaml", file);
    let long = "x".repeat(4000);
    for (run, a, b) in [
        ("runs/one", "\u{1b}]0;x\u{7}\n=1+1,\0\"<img src=x onerror=alert(2)>", long.as_str()),
        (
            "runs/two",
            "\u{202e}</script><script>alert(1)</script>|`",
            "../../\u{9b}31m[Evil \"x\"]\r\n[Result \"1-0\"]",
        ),
    ] {
        workshop.run(&["run", "cup.yaml", "--out", run]).expect(0);
        let journal = unsealed(&workshop.read(&format!("{run}/journal.jsonl")));
        let journal = journal.replace("\"bot-a\"", &quoted(a)).replace("\"bot-b\"", &quoted(b));
        let journal = journal.replace("\"name\":\"cup\"", &format!("\"name\":{}", json!(a)));
        // Names that are said raw are those of whoever wrote the journal; the files made of it are the arena's.
        workshop.write(&format!("{run}/journal.jsonl"), &journal);
    }
    let one = record::read(&workshop.path("runs/one")).expect("the journal is read");
    let names: Vec<_> =
        one.runs[0].config.bots.iter().map(|bot| protocol::printable(&bot.name).into_owned()).collect();
    judge_outputs(&workshop, &names);
    for bot in ["nobody", "\u{1b}[2J"] {
        let ended = workshop.run(&["report", "runs/one", "--bot", bot]).expect(2);
        assert!(faults_of_text("stderr", &ended.stderr).is_empty(), "{:?}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 2, "{}", ended.stderr);
    }
}

#[test]
fn hostile_commands_are_harmless_in_the_reports_of_a_test_of_strength() {
    let workshop = Workshop::new();
    let script = "a\"]]><img src=x onerror=alert(2)>&|`=1+1.py";
    workshop.write(script, BOASTER);
    let command = format!("python3 '{script}'");
    let sprt = |format: &str| {
        let words = [
            "sprt",
            "--new",
            &command,
            "--base",
            "random",
            "--elo0",
            "0",
            "--elo1",
            "50",
            "--game",
            "farook",
            "--max-pairs",
            "2",
            "--out",
            "sprt",
        ];
        shown(&workshop, &[&words[..], &["--format", format]].concat())
    };
    workshop.write("sprt.xml", &sprt("junit"));
    judge(&workshop, &["sprt.xml".to_owned(), "sprt/report.html".to_owned()]);
    judge_markdown(&sprt("markdown"));
    serde_json::from_str::<Value>(&sprt("json")).expect("JSON");
    sprt("text");
    assert_eq!(faults_of_run(&workshop.path("sprt")), Vec::<String>::new());
    // Of one game there is no verdict over several: that is said, and the file of the run with it.
    for format in ["markdown", "text", "json"] {
        let ended = workshop.run(&["report", "sprt", "--several", format]);
        assert!(faults_of_text("output", &(ended.stdout + &ended.stderr)).is_empty(), "{format}");
    }
}
