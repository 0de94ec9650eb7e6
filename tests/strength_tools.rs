//! `arena sprt` and `arena simulate`, as a user or a script meets them. What is shown to people stands in
//! `strength_tools/`.

use std::process::{Command, Output};

use serde_json::Value;

fn run(line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(line.split_whitespace()).env("LC_ALL", "C").output().expect("the arena runs")
}

fn json(line: &str) -> Value {
    let output = run(line);
    // A verdict is an exit code too.
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a line of JSON")
}

#[test]
fn what_people_see() {
    trycmd::TestCases::new().env("LC_ALL", "C").case("tests/strength_tools/*.trycmd");
}

#[test]
fn a_test_has_these_keys_in_json() {
    let figures = json("sprt --counts 10,20,5,0,0 --elo0 -300 --elo1 -100 --format json");
    let keys: Vec<_> = figures.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = [
        "counts",
        "decision",
        "elo",
        "elo_error",
        "elo_high",
        "elo_low",
        "elo_unbiased",
        "elo_unbiased_high",
        "elo_unbiased_low",
        "error95",
        "hypotheses",
        "llr",
        "los",
        "lower",
        "nelo",
        "nelo_error",
        "nelo_error95",
        "pairs",
        "question",
        "score",
        "upper",
        "verdict",
    ];
    assert_eq!(keys, expected);
    assert!((figures["llr"].as_f64().expect("a number") + 5.831_246_098_825).abs() < 1e-9);
    assert_eq!(figures["decision"], "H0");
    assert_eq!((&figures["pairs"], &figures["hypotheses"]["elo0"]), (&35.into(), &(-300.0).into()));
}

#[test]
fn counted_results_end_as_a_played_test_does() {
    let code = |counts: &str| run(&format!("sprt --counts {counts} --elo0 0 --elo1 100")).status.code();
    assert_eq!(code("1,10,50,60,40"), Some(0));
    assert_eq!(code("40,60,50,10,1"), Some(1));
    assert_eq!(code("1,1,2,1,1"), Some(3));
}

#[test]
fn figures_that_do_not_exist_are_null() {
    let figures = json("sprt --counts 0,0,10,0,0 --elo0 0 --elo1 5 --format json");
    assert_eq!((&figures["nelo"], &figures["nelo_error"]), (&Value::Null, &Value::Null));
    assert_eq!(figures["decision"], "continue");
    assert_eq!((&figures["elo"], &figures["elo_unbiased"]), (&Value::Null, &Value::Null));
    assert!((figures["elo_low"].as_f64().expect("a number") + 110.79).abs() < 0.01, "{figures}");
}

/// Issue 17: `+2538.54 ± 0.00`, and of one pair `+1041 ± 396, LOS 100 %`.
#[test]
fn results_that_are_all_the_same_have_a_bound_and_no_error() {
    let figures = json("sprt --counts 0,0,0,0,5550 --elo0 0 --elo1 5 --format json");
    assert!((figures["elo_low"].as_f64().expect("a number") - 1307.1).abs() < 0.2, "{figures}");
    assert_eq!((&figures["elo"], &figures["elo_high"]), (&Value::Null, &Value::Null));
    let one = json("sprt --counts 0,0,0,0,1 --elo0 0 --elo1 5 --format json");
    assert_eq!(one["los"], 0.5);
    for format in ["text", "markdown", "junit"] {
        let output = run(&format!("sprt --counts 0,0,0,0,1 --elo0 0 --elo1 5 --format {format}"));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("above -511.50 (95%)") && text.contains("50.00%"), "{text}");
        assert!(!text.contains("1041") && !text.contains('\u{b1}'), "{text}");
    }
}

#[test]
fn three_counts_are_single_games() {
    let figures = json("sprt --counts 100,800,120 --elo0 0 --elo1 5 --model logistic --format json");
    assert!((figures["llr"].as_f64().expect("a number") - 0.845_836_657_485_005).abs() < 1e-9);
}

#[test]
fn a_preset_stands_for_hypotheses_and_gives_way_to_flags() {
    let counts = "sprt --counts 10,20,50,30,20 --format json";
    let written = json(&format!("{counts} --elo0 -100 --elo1 0"));
    assert_eq!(json(&format!("{counts} --preset smoke")), written);
    let other = json(&format!("{counts} --preset smoke --elo0 -50 --alpha 0.1"));
    assert_eq!(other, json(&format!("{counts} --elo0 -50 --elo1 0 --alpha 0.1")));
    assert_ne!(other, written);
}

#[test]
fn simulations_follow_their_seed() {
    let line = "simulate --elo0 0 --elo1 100 --draw-elo 100 --first-seat 50 --runs 200 --json";
    let one = json(line);
    assert_eq!(one, json(line));
    assert_ne!(one, json(&format!("{line} --seed 2")));
    assert_eq!(one["runs"], 200);
    let best = one["pair_scores"][4].as_f64().expect("a number");
    assert!((best - 0.127_110_465_9).abs() < 1e-9, "{best}");
}

#[test]
fn what_is_typed_wrongly_is_explained() {
    let test = "--elo0 0 --elo1 5";
    let lines = [
        format!("sprt {test}"),
        "sprt --counts 1,2,3".to_owned(),
        format!("sprt --counts 1,2,3 {test} --out somewhere"),
        format!("sprt --counts 1,2,3 {test} --game farook"),
        format!("sprt --counts 1,2,3 {test} --max-time 1m"),
        format!("sprt --new random --base greedy --game farook {test} --max-pairs 0"),
        format!("sprt --new random --base greedy --game farook {test} --max-time 20"),
        "sprt --counts 1,2,3 --preset best".to_owned(),
        format!("sprt --counts 0,0,0,0,0 {test}"),
        format!("sprt --counts 1,2 {test}"),
        format!("sprt --counts 1,-2,3 {test}"),
        format!("sprt --counts 1,2,99999999999999999999 {test}"),
        format!("sprt --counts 1,2,18446744073709551615 {test}"),
        "sprt --counts 1,2,3 --elo0 5 --elo1 0".to_owned(),
        "sprt --counts 1,2,3 --elo0 nan --elo1 0".to_owned(),
        format!("sprt --counts 1,2,3 {test} --alpha 0"),
        format!("sprt --counts 1,2,3 {test} --alpha 0.5 --beta 0.5"),
        format!("sprt --counts 1,2,3 {test} --model pentanomial"),
        format!("sprt --counts 1,2,3,4,5 {test} --model bayesian"),
        format!("sprt --counts 1,2,3 {test} --format xml"),
        format!("simulate {test} --draw-rate 1"),
        format!("simulate {test} --draw-elo -1"),
        format!("simulate {test} --elo 1e9"),
        format!("simulate {test} --runs 0"),
        format!("simulate {test} --max-pairs 0"),
    ];
    for line in lines {
        let output = run(&line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        let told = String::from_utf8(output.stderr).expect("text");
        assert!(
            output.stdout.is_empty() && told.starts_with("error: ") && !told.contains("panicked"),
            "{line}: {told}"
        );
    }
}

#[test]
fn old_tests_are_judged_by_bayes_elo() {
    let figures = json("sprt --counts 5900,30000,6100 --elo0 0 --elo1 6 --model bayesian --format json");
    assert!((figures["llr"].as_f64().expect("a number") - 0.662_678_458).abs() < 1e-8, "{figures}");
    let text = run("sprt --counts 5900,30000,6100 --elo0 0 --elo1 6 --model bayesian");
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("BayesElo [0, 6]") && text.contains("BayesElo +3.38 at draw Elo 311.28"), "{text}");
    for line in ["--counts 1,2,3,4,5", "--new greedy --base random --game farook"] {
        let output = run(&format!("sprt {line} --elo0 0 --elo1 6 --model bayesian"));
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("--counts LOST,DRAWN,WON"), "{line}");
    }
    let line = "simulate --elo0 0 --elo1 50 --elo 50 --model bayesian --draw-rate 0.4 --runs 200 --json";
    let simulated = json(line);
    assert!(simulated["pass"].as_f64().is_some_and(|pass| pass > 0.88), "{simulated}");
    assert_eq!(simulated["brownian_pairs"], Value::Null);
}

#[test]
fn a_table_is_planned_before_it_is_played() {
    let line = "simulate --table --bots 4 --gap 60 --draw-rate 0.3 --runs 60 --json";
    let one = json(line);
    assert_eq!(one, json(line));
    let told = one["told_apart"].as_f64().expect("a share");
    assert!((0.62..0.98).contains(&told), "{one}");
    let rounds = |line: &str| json(line)["rounds"].as_u64().expect("a number");
    let three = rounds(&format!("{line} --games 3"));
    assert_eq!(three, one["rounds"].as_u64().expect("a number").div_ceil(3));
    let text = run("simulate --table --bots 3 --gap 100 --runs 20");
    assert!(String::from_utf8_lossy(&text.stdout).contains("3, each 100 Elo above the next"), "{text:?}");
    for wrong in ["--gap 0", "--gap -5", "--bots 1", "--power 2", "--elo0 0", "--gap 0.001", "--gap 5000"] {
        let output = run(&format!("simulate --table {wrong}"));
        assert_eq!(output.status.code(), Some(2), "{wrong}: {output:?}");
    }
    for wrong in ["--bots 4 --elo0 0 --elo1 100", "--gap 30 --preset smoke", "--bots 4"] {
        assert_eq!(run(&format!("simulate {wrong}")).status.code(), Some(2), "{wrong}");
    }
}
