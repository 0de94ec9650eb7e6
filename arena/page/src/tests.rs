//! The page of the run that is kept with the sources.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;
use record::{Contents, LineGame, Summarizer};
use report::RunReport;
use serde_json::Value;

use crate::{GameDecisions, PartReader, ReportPage};

fn showcase() -> Contents {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/showcase");
    record::read(&root).expect("the showcase")
}

/// Returns the page of a journal that is in memory.
fn report_page(contents: &Contents) -> String {
    let mut summarizer = Summarizer::default();
    contents.runs.iter().for_each(|run| summarizer.configure(run.clone()));
    for game in &contents.games {
        summarizer.push(game, 0);
    }
    contents.void.iter().for_each(|game| summarizer.push_void(game, 0));
    let mut games: Vec<_> = contents.games.iter().collect();
    games.sort_by_key(|game| game.number);
    let run = RunReport::of(summarizer.run());
    let mut page = ReportPage::new(&run);
    let mut readers = [page.reader(), page.reader()].map(|reader| (reader, GameDecisions::default()));
    for (number, games) in games.chunks(PartReader::GAMES).enumerate() {
        let lines: Vec<_> = games.iter().map(|game| serde_json::to_string(game).expect("JSON")).collect();
        let games: Vec<LineGame<'_>> =
            lines.iter().map(|line| serde_json::from_str(line).expect("a game")).collect();
        let (reader, decisions) = &mut readers[number % 2];
        games.iter().for_each(|game| decisions.push(game));
        page.push(reader.read(&games));
    }
    readers.into_iter().for_each(|(_, decisions)| page.absorb(decisions));
    let overview = page.overview().pack();
    page.finish(overview).to_string()
}

/// Returns what stands between two words, every time.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    text.split(start).skip(1).map(|rest| rest.split(end).next().unwrap_or_default()).collect()
}

fn unpack(text: &str) -> Value {
    let bytes = STANDARD.decode(text.trim()).expect("base 64");
    serde_json::from_reader(DeflateDecoder::new(&*bytes)).expect("JSON")
}

#[test]
fn the_same_games_give_the_same_page_in_any_order() {
    let contents = showcase();
    let mut turned = contents.clone();
    turned.games.reverse();
    assert_eq!(report_page(&contents), report_page(&turned));
}

#[test]
fn every_game_is_there_with_every_board() {
    let contents = showcase();
    let page = report_page(&contents);
    let chunks = between(&page, "<script type=\"text/plain\" class=\"chunk\">", "</script>");
    let games: Vec<Value> =
        chunks.iter().flat_map(|chunk| unpack(chunk).as_array().cloned().unwrap_or_default()).collect();
    assert_eq!(games.len(), contents.games.len());
    for (game, record) in games.iter().zip(&contents.games) {
        assert_eq!(game[0], record.number);
        let start = game[4].as_str().expect("a scene");
        assert!(!start.is_empty(), "game {} is drawn", record.number);
        let plies = game[6].as_array().expect("plies");
        let told: Vec<_> = plies.iter().filter_map(|ply| ply[0].as_str()).collect();
        assert_eq!(told, record.plies.iter().map(|ply| ply.ply.as_str()).collect::<Vec<_>>());
    }
    let index = unpack(between(&page, "id=\"index\">", "</script>")[0]);
    assert_eq!(index.as_array().map(Vec::len), Some(contents.games.len()));
}

#[test]
fn the_cells_of_many_bots_are_small_and_on_paper_those_of_very_many_are_left_out() {
    let mut contents = showcase();
    let small = report_page(&contents);
    assert!(small.contains("<div class=\"card scroll \" tabindex=\"0\""));
    // Every game is between two bots of its own: 40 of them.
    contents.games.truncate(20);
    for game in &mut contents.games {
        for seat in 0..2 {
            game.seats[seat].bot = format!("bot {}", 2 * game.number + seat as u64);
        }
    }
    contents.runs[0].config.bots.clear();
    let page = report_page(&contents);
    assert!(page.contains("card scroll many vast\" tabindex=\"0\""));
    assert!(page.contains("on-paper\">A table of 40 bots does not fit on paper"));
}

#[test]
fn hostile_names_and_details_stay_text() {
    let mut contents = showcase();
    let hostile = "</script><img src=x onerror=alert(1)>\u{1b}[2J\"'";
    for bot in &mut contents.runs[0].config.bots {
        if bot.name == "random" {
            bot.name = hostile.to_owned();
            bot.command.push(hostile.to_owned());
        }
    }
    contents.runs[0].config.name = hostile.to_owned();
    for game in &mut contents.games {
        game.detail = Some(hostile.to_owned());
        if let Some(ply) = game.plies.last_mut() {
            ply.info.get_or_insert_default().text = Some(hostile.to_owned());
        }
        for seat in &mut game.seats {
            if seat.bot == "random" {
                seat.bot = hostile.to_owned();
                seat.version = hostile.to_owned();
            }
        }
    }
    let page = report_page(&contents);
    assert!(!page.contains("<img") && !page.contains('\u{1b}'));
    // The elements of the page, and nothing that ends one of them early.
    let chunks = contents.games.len().div_ceil(crate::games::CHUNK);
    assert_eq!(page.matches("</script>").count(), 4 + chunks);
    let chunk = unpack(between(&page, "class=\"chunk\">", "</script>")[0]);
    let last = chunk[0][6].as_array().and_then(|plies| plies.last()).expect("a ply");
    assert_eq!(last[13], "</script><img src=x onerror=alert(1)>\\x1b[2J\"'");
}

#[test]
fn the_policy_names_the_script_and_the_style() {
    let page = report_page(&showcase());
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\">")[0].replace("&#39;", "'");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    let script = between(&page, "<script type=\"module\">", "</script>")[0];
    let style = between(&page, "<style>", "</style>")[0];
    assert_eq!(crate::script::policy(script, style), policy);
    // Neither an attribute of style nor a handler would be obeyed.
    let body = page.split("<body>").nth(1).and_then(|body| body.split("<script").next()).expect("a body");
    assert!(
        !body.contains(" style=") && !body.contains(" onclick") && !body.contains("http"),
        "something that is not obeyed"
    );
}

#[test]
fn a_run_without_games_has_a_page() {
    let mut contents = showcase();
    contents.games.clear();
    let page = report_page(&contents);
    assert!(page.contains("No game with a result has been played yet."));
    contents.runs.clear();
    assert!(report_page(&contents).contains("<title>Games</title>"));
}

#[test]
fn a_game_that_the_rules_do_not_take_is_listed_without_a_board() {
    let mut contents = showcase();
    contents.games.truncate(2);
    contents.games[0].plies[3].ply = "z9z9".to_owned();
    let page = report_page(&contents);
    let chunk = unpack(between(&page, "class=\"chunk\">", "</script>")[0]);
    assert_eq!(chunk[0][4], "");
    assert_ne!(chunk[1][4], "");
    assert_eq!(chunk[0][6].as_array().map(Vec::len), Some(contents.games[0].plies.len()));
}

#[test]
fn a_test_of_strength_shows_its_verdict_and_its_ratio() {
    let mut contents = showcase();
    let config = &mut contents.runs[0].config;
    config.format = settings::Format::Sprt.into();
    config.bots.truncate(2);
    config.sprt = Some(record::SprtConfig {
        model: "normalized".parse().map(settings::Recorded::Known).expect("a model"),
        elo0: 0.0,
        elo1: 10.0,
        alpha: 0.05,
        beta: 0.05,
        overshoot: true,
    });
    let page = report_page(&contents);
    assert!(page.contains("Likelihood ratio of the test") && page.contains("class=\"chart ratio\""));
    assert!(!report_page(&showcase()).contains("Likelihood ratio of the test"));
}

#[test]
fn void_games_stand_in_a_list_of_their_own_and_change_nothing_else() {
    let plain = report_page(&showcase());
    let mut contents = showcase();
    let mut game = contents.games[0].clone();
    (game.result, game.reason) = (record::GameResult::P2Win, record::Termination::Timeout);
    game.detail = Some("late </td><script>x</script>".to_owned());
    contents.void.push(game);
    let page = report_page(&contents);
    let start = page.find("<h3>Played again").unwrap();
    let end = start + page[start..].find("</section>").unwrap();
    let section = &page[start..end];
    assert!(section.contains("1 game of 1 pair was void") && section.contains("attempt 1"), "{section}");
    assert!(section.contains("late &#60;/td&#62;&#60;script&#62;"), "{section}");
    let rest = format!("{}{}", &page[..start], &page[end..]);
    assert_eq!(rest.replace(char::is_whitespace, ""), plain.replace(char::is_whitespace, ""));
}

#[test]
fn what_workers_report_in_vain_stands_beside_their_results() {
    let worker = |uncounted: Option<&str>| {
        let uncounted = uncounted.map(str::to_owned);
        Some(record::WorkerRecord { uncounted, ..record::WorkerRecord::named("w") })
    };
    let mut contents = showcase();
    contents.games.iter_mut().for_each(|game| game.worker = worker(None));
    let plain = report_page(&contents);
    assert!(plain.contains("Results by machine") && !plain.contains(">Duplicate<"));
    for word in ["duplicate", "late", "failed"] {
        let mut game = contents.games[0].clone();
        game.worker = worker(Some(word));
        game.detail = Some("no </p> room".to_owned());
        contents.void.push(game);
    }
    let set_aside = Some("its last pairs have all failed".to_owned());
    contents.void[2].worker.as_mut().unwrap().set_aside = set_aside;
    let page = report_page(&contents);
    let section = page.split("id=\"machines\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(section.contains(">Late</th>") && section.contains(">Duplicate</th>"), "{section}");
    assert_eq!(section.matches("<td class=\"n\">1</td>").count(), 3, "{section}");
    assert!(section.contains("1 failed attempt, the last one at pair 1: no &#60;/p&#62; room."), "{section}");
    assert!(section.contains("set aside at pair 1: its last pairs have all failed."), "{section}");
    assert!(!page.contains("<h3>Played again"));
}
