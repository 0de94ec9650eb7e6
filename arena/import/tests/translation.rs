//! Command lines as people have them, and the tournament files that they become: each is read by the arena.

use std::fs;
use std::path::Path;

use import::{ImportError, Imported, Surroundings, translate};
use tournament_file::{Overrides, Plan};

/// Rules of a game that needs no program: those of the arena itself, under the name that the file gives them.
fn surroundings() -> Surroundings {
    Surroundings { rules: Some("arena rules".to_owned()), ..Surroundings::default() }
}

fn imported(line: &str) -> Imported {
    let words = shlex_split(line);
    translate(words, &surroundings()).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Splits at blanks outside of single quotes.
fn shlex_split(line: &str) -> Vec<String> {
    line.split('\'')
        .enumerate()
        .fold(vec![String::new()], |mut words, (i, part)| {
            if i % 2 == 1 {
                words.last_mut().expect("there is a word").push_str(part);
            } else {
                let mut pieces = part.split(' ');
                words.last_mut().expect("there is a word").push_str(pieces.next().unwrap_or_default());
                words.extend(pieces.map(str::to_owned));
            }
            words
        })
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect()
}

/// Returns what the arena makes of a file, with built-in games and bots in place of chess and its engines.
fn plan(imported: &Imported) -> Plan {
    let mut text = String::new();
    for line in imported.text.lines() {
        let line = match line.trim_start() {
            line if line.starts_with("rules:") || line.starts_with("games:") => "games: [farook]".to_owned(),
            line if line.starts_with("cmd:") => "    cmd: [sh, -c, \"true\"]".to_owned(),
            line if line.starts_with("dir:") => continue,
            line if line.starts_with("openings: {file:") => continue,
            _ => line.to_owned(),
        };
        if !text.contains(&line) || !line.starts_with("games:") {
            text.push_str(&line);
            text.push('\n');
        }
    }
    tournament_file::parse(&text, "imported.yaml", Path::new("."), &Overrides::default())
        .unwrap_or_else(|failure| panic!("{failure}\n{text}"))
}

fn notes(imported: &Imported) -> Vec<&str> {
    imported.notes.iter().map(|note| note.option.as_str()).collect()
}

const TWO: &str = "-engine cmd=./new name=new -engine cmd=./old name=old -each tc=8+0.08";

#[test]
fn a_test_of_fastchess_becomes_a_test() {
    let imported = imported(&format!(
        "fastchess {TWO} proto=uci option.Hash=16 -rounds 5000 -repeat -concurrency 2 -sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 \
         -resign movecount=3 score=600 twosided=true -draw movenumber=34 movecount=8 score=20 -recover -srand 7 -event 'a test'"
    ));
    assert_eq!(
        imported.text,
        "name: \"a test\"\nrules: {chess: \"arena rules\"}\ngames: [chess]\nformat: sprt\n\
         sprt: {elo0: 0, elo1: 5, alpha: 0.05, beta: 0.1, model: normalized}\nrounds: 5000\ntc: 8+0.08\nopenings: {turns: 0, repeat: true}\nseed: 7\nconcurrency: 2\n\
         adjudicate: {resign: {score: 600, turns: 3, both: true}, draw: {score: 20, turns: 8, after: 68}}\nmargin: 0ms\nbots:\n  \
         - name: new\n    cmd: [./new]\n    hello: uci\n    clock: wb\n    position-keyword: fen\n    quiet: true\n    options: {Hash: \"16\"}\n  \
         - name: old\n    cmd: [./old]\n    hello: uci\n    clock: wb\n    position-keyword: fen\n    quiet: true\n    options: {Hash: \"16\"}\n"
    );
    assert_eq!(notes(&imported), ["-repeat", "-recover"]);
    assert!(imported.notes.iter().all(|note| note.why.starts_with("always so: ")), "{:?}", imported.notes);
    let plan = plan(&imported);
    assert_eq!(plan.config.name, "a test");
    // Without `-openings`, games begin at the start position.
    let openings = &plan.config.games[0].openings;
    assert_eq!((openings.turns, openings.plies, openings.repeat), (Some(0), None, true), "{openings:?}");
}

#[test]
fn a_gauntlet_of_cutechess_keeps_its_games() {
    let imported = imported(
        "/usr/games/cutechess-cli -tournament gauntlet -seeds 1 -engine cmd=a tc=40/1:30+1 -engine cmd=b tc=40/60 arg=-x arg='y z' -engine cmd=b \
         dir=engines tc=40/60 nodes=500 restart=on -games 2 -rounds 10 -each proto=uci timemargin=100",
    );
    let plan = plan(&imported);
    // Ten rounds of two games for the seed and each of two others.
    assert_eq!(plan.games(), 40);
    assert!(imported.text.contains("seeds: [a]\n"), "{}", imported.text);
    assert!(imported.text.contains("name: b-2\n"), "{}", imported.text);
    assert!(imported.text.contains("cmd: [b, \"-x\", \"y z\"]"), "{}", imported.text);
    assert!(imported.text.contains("tc: 40/60, nodes 500\n"), "{}", imported.text);
    assert!(imported.text.contains("margin: 100ms\n") && imported.text.contains("restart: always\n"));
    assert_eq!(notes(&imported), ["restart=on"]);
}

#[test]
fn options_of_several_words_and_names_of_bots_are_such_as_the_arena_reads() {
    let line = "-engine cmd=./new name=new 'option.Move Overhead=30' 'option.Clear Hash' -engine cmd=./old name= -each tc=1";
    let imported = imported(&format!("fastchess {line}"));
    plan(&imported);
    assert!(
        imported.text.contains("options: {\"Clear Hash\": \"\", \"Move Overhead\": \"30\"}"),
        "{}",
        imported.text
    );
    assert!(imported.text.contains("name: old\n"), "{}", imported.text);
    for (wrong, said) in [
        ("-engine cmd=./c tc=1 name=a,b", "`-engine name=`: cannot be `a,b`"),
        ("-engine cmd=./c,d tc=1", "`-engine name=`: cannot be `c,d`"),
        ("-engine cmd=./c tc=1 option.=5", "`-engine option.=`"),
        ("-event 'a, b'", "`-event`: cannot be `a, b`"),
    ] {
        let error = translate(shlex_split(&format!("fastchess {TWO} {wrong}")), &surroundings());
        let error = error.expect_err(wrong).to_string();
        assert!(error.starts_with(said), "{error}");
    }
}

#[test]
fn values_that_an_option_does_not_have_are_refused_with_its_name() {
    for (program, wrong, said) in [
        ("fastchess", "-recover rounds 500", "`-recover`: takes no value, and `rounds`"),
        ("fastchess", "-noswap games=7", "`-noswap`: takes no value"),
        ("cutechess-cli", "-pgnout out.pgn min fi stderr=x", "`-pgnout`: `stderr=x` is none of `min`, `fi`"),
        ("fastchess", "-pgnout out.pgn", "`-pgnout`: `out.pgn` belongs to no key"),
        ("fastchess", "-epdout out.epd", "`-epdout`: `out.epd` belongs to no key"),
        ("fastchess", "-tbadjudicate both", "`-tbadjudicate`: `both` is none of"),
        ("cutechess-cli", "-debug some", "`-debug`: `some` is none of `all`"),
        ("cutechess-cli", "-bookmode tape", "`-bookmode`: `tape` is none of"),
        ("cutechess-cli", "-draw movecount=3 score=5", "`-draw`: `movenumber=` is missing"),
        ("cutechess-cli", "-resign score=5", "`-resign`: `movecount=` is missing"),
        ("cutechess-cli", "-sprt elo0=0 elo1=5 alpha=0.05", "`-sprt`: `beta=` is missing"),
        ("cutechess-cli", "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic", "`-sprt model=`"),
        (
            "cutechess-cli",
            "-tournament roundrobin",
            "`-tournament`: `roundrobin` is no kind of tournament of cutechess",
        ),
        (
            "fastchess",
            "-tournament knockout",
            "`-tournament`: `knockout` is no kind of tournament of fastchess",
        ),
        ("fastchess", "-openings file=b.epd policy=encounter", "`-openings policy=`: `encounter`"),
        ("fastchess", "-engine cmd=c tc=1 restart=auto", "`-engine restart=`: `auto` is neither"),
        ("fastchess", "-games 3 -rounds 3", "`-games`: its number and that of `-rounds`"),
        ("fastchess", "-quick cmd=a book=b.epd", "`-quick`: needs two times `cmd=`"),
        ("cutechess-cli", "-concurrency -1", "`-concurrency`: `-1` is not a whole number"),
        ("fastchess", "-log level=bogus engine=true", "`-log level=`: `bogus` is none of"),
        ("fastchess", "-log engine=yes", "`-log engine=`: `yes` is neither"),
        ("fastchess", "-wait abc", "`-wait`: `abc` is not a whole number"),
        ("fastchess", "-resign score=5 twosided=maybe", "`-resign twosided=`: `maybe` is neither"),
        ("fastchess", "-tb a b", "`-tb`: takes one value, and `b`"),
        ("fastchess", "-rounds", "`-rounds`: needs a value"),
        ("fastchess", "-openings file=b.epd foo=1", "`-openings foo=`: there is no such key"),
        ("cutechess-cli", "-concurrency 0", "`-concurrency`: `0` is not above 0"),
    ] {
        let error = translate(shlex_split(&format!("{program} {TWO} {wrong}")), &surroundings());
        let error = error.expect_err(wrong).to_string();
        assert!(error.starts_with(said), "{wrong}: {error}");
    }
    for right in [
        "-pgnout file=out.pgn notation=san nodes=true",
        "-pgnout",
        "-epdout",
        "-repeat 2",
        "-config file=x.json discard=true",
        "-games 7 -rounds 2",
        "-event My Cup",
        "-openings file=b.epd policy=round",
        "-use-affinity 0-3",
        "-log file=log.txt level=info realtime=false",
    ] {
        imported(&format!("fastchess {TWO} {right}"));
    }
    for right in
        ["-pgnout out.pgn min fi", "-debug all", "-debug", "-engine cmd=c tc=1 restart=auto trust=true"]
    {
        imported(&format!("cutechess-cli {TWO} {right}"));
    }
}

#[test]
fn defaults_of_theirs_are_written_and_what_has_no_effect_is_named() {
    let text = |more: &str| imported(&format!("fastchess {TWO} {more}")).text;
    assert!(text("").contains("concurrency: 1\nmargin: 0ms\n"), "{}", text(""));
    for all in ["-concurrency 0", "-concurrency -2", "-concurrency 3 -quick cmd=a cmd=b book=b.epd"] {
        assert!(text(all).contains("concurrency: auto\n"), "{all}");
    }
    let named = |line: &str| notes(&imported(line)).join(" ");
    let fastchess = |more: &str| named(&format!("fastchess {TWO} {more}"));
    let cutechess = |more: &str| named(&format!("cutechess-cli {TWO} {more}"));
    assert_eq!(cutechess("-tournament knockout -games 2 -rounds 5 -seeds 2"), "-seeds -rounds");
    assert_eq!(fastchess("-pgnout file=a.pgn -report penta=false"), "-pgnout -report");
    assert_eq!(fastchess("-concurrency -2"), "-concurrency -2");
    // There, these values switch both rules off.
    let off = "-games 2 -draw movenumber=0 movecount=8 score=20 -resign movecount=0 score=600";
    assert_eq!(cutechess(off), "-draw movenumber=0 -resign movecount=0");
    assert!(!imported(&format!("cutechess-cli {TWO} {off}")).text.contains("adjudicate"));
    assert!(text("-draw movecount=8 score=20").contains("draw: {score: 20, turns: 8, after: 0}"));
    assert_eq!(named(&format!("cutechess-cli {TWO} stderr=x -games 2")), "stderr=");
    let book = "-games 2 -openings file=b.epd format=epd";
    assert_eq!(named(&format!("cutechess-cli {TWO} {book}")), "-openings");
    assert_eq!(named(&format!("cutechess-cli {TWO} {book} -repeat")), "-repeat");
    assert_eq!(named(&format!("fastchess {TWO} {book}")), "");
}

#[test]
fn numbers_of_games_are_those_of_each_program() {
    let games = |line: &str| plan(&imported(line)).games();
    assert_eq!(games(&format!("cutechess-cli {TWO}")), 2);
    assert_eq!(games(&format!("cutechess-cli {TWO} -games 2 -rounds 10")), 20);
    assert_eq!(games(&format!("cutechess-cli {TWO} -rounds 10")), 10);
    assert_eq!(games(&format!("fastchess {TWO}")), 4);
    assert_eq!(games(&format!("fastchess {TWO} -rounds 10 -games 1")), 10);
    assert_eq!(games(&format!("fastchess {TWO} -rounds 7 -games 1 -repeat")), 14);
    assert_eq!(games("fastchess -quick cmd=./new cmd=./old book=book.epd"), 50_000);
    assert_eq!(notes(&imported(&format!("cutechess-cli {TWO} -rounds 5"))), ["-games"]);
}

#[test]
fn what_cannot_be_played_is_refused_with_the_reason() {
    let refused = |line: &str| match translate(shlex_split(line), &Surroundings::default()) {
        Err(error @ (ImportError::Unplayable(_) | ImportError::Value { .. })) => error.to_string(),
        other => panic!("{line}: {other:?}"),
    };
    assert!(refused(&format!("cutechess-cli {TWO} -variant atomic")).contains("atomic"));
    for program in ["cutechess-cli", "fastchess"] {
        let told = refused(&format!("{program} {TWO} -variant fischerandom"));
        assert!(told.contains("no castling of Chess960"), "{told}");
    }
    assert!(refused(&format!("cutechess-cli {TWO} proto=xboard")).contains("xboard"));
    assert!(refused("fastchess -engine cmd=a tc=1 -engine name=b tc=1").contains("`b` has no command"));
    assert!(refused("fastchess -engine cmd=a -engine cmd=b").contains("`a` has no time control"));
    assert!(refused("fastchess -engine cmd=a tc=inf -engine cmd=b tc=1").contains("unlimited"));
    assert!(refused("fastchess -engine cmd=a tc=1").contains("two engines"));
    assert!(refused(&format!("fastchess {TWO} -sprt elo0=0 elo1=5 model=bayesian")).contains("bayesian"));
    assert!(refused(&format!("fastchess {TWO} -engine cmd=c tc=1 -sprt elo1=5")).contains("there are 3"));
    for read in ["file=all.json", "discard=true file=all.json"] {
        assert!(
            refused(&format!("fastchess {TWO} -config {read}")).contains("`-config file=all.json`"),
            "{read}"
        );
    }
    assert!(
        refused(&format!("fastchess {TWO} -rounds 18446744073709551615 -games 2"))
            .contains("more than 100000 pairs")
    );
    assert!(refused(&format!("fastchess {TWO} -rounds 200000")).contains("more than 100000 pairs"));
    for wrong in
        ["-rounds x", "-rounds 0", "-draw score=x", "-draw moves=3", "-openings format=epd", "-sprt elo0=0"]
    {
        refused(&format!("fastchess {TWO} {wrong}"));
    }
    let unknown = translate(shlex_split(&format!("fastchess {TWO} -round 5")), &surroundings());
    assert!(matches!(unknown, Err(ImportError::Unknown { near: Some("rounds"), .. })), "{unknown:?}");
    assert!(matches!(translate(shlex_split("xboard -x"), &surroundings()), Err(ImportError::Program(_))));
    assert!(matches!(translate([], &surroundings()), Err(ImportError::Empty)));
}

#[test]
fn a_variant_is_played_by_rules_of_ones_own() {
    let imported = imported(&format!("cutechess-cli {TWO} -variant kingofthehill"));
    assert!(imported.text.contains("rules: {kingofthehill: \"arena rules\"}\ngames: [kingofthehill]\n"));
}

#[test]
fn paths_stay_where_the_command_line_was_given() {
    let rules = Some("./rules --fast".to_owned());
    let elsewhere = Surroundings { rules, base: Some("/srv/me".into()), ..surroundings() };
    let line = "fastchess -engine cmd=./new dir=d tc=1 -engine cmd=old tc=1";
    let imported = translate(shlex_split(line), &elsewhere).expect(line);
    assert!(imported.text.contains("cmd: [/srv/me/./new]\n    dir: /srv/me/d\n"), "{}", imported.text);
    assert!(imported.text.contains("cmd: [old]\n"), "{}", imported.text);
    assert!(imported.text.contains("rules: {chess: \"/srv/me/./rules --fast\"}\n"), "{}", imported.text);
}

#[test]
fn the_page_shows_a_command_line_that_is_translated() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/moving-over.md"))
        .expect("the page is there");
    let line = page.lines().find(|line| line.starts_with("$ arena import")).expect("the page has an example");
    let (_, words) = line.split_once(" -- ").expect("it has a command line");
    plan(&imported(words));
}
