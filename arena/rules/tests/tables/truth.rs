//! Whole games, cases with faults, and perft counts computed by an independent implementation of the rules (`tests/data/`).

use rules::Referee;
use serde_json::Value;

use crate::{start, table};

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("an array").iter().map(|item| item.as_str().expect("a string")).collect()
}

fn lines(text: &'static str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"))
}

fn setup(row: &Value) -> rules::Setup {
    let option = |key: &str| row["options"][key].as_u64().expect("a number");
    table(option("players") as usize, option("max-turns") as u32)
}

/// Returns the places at the end as a list of JSON, and the reason; nothing while the game goes on.
fn result(referee: &dyn Referee) -> (Value, Value) {
    referee.outcome().map_or((Value::Null, Value::Null), |verdict| {
        let places: Vec<_> = verdict.outcome.places(referee.seats()).iter().map(|(_, place)| place).collect();
        (places.into(), verdict.reason.code().into())
    })
}

#[test]
fn whole_games_replay_to_the_letter() {
    let mut games = 0;
    for row in lines(include_str!("../data/seats_games.jsonl")) {
        let setup = setup(&row);
        let mut table = setup.referee(None).expect("the start");
        for (index, ply) in strings(&row["plies"]).into_iter().enumerate() {
            let place = format!("{} {} ply {} `{ply}`", setup.label(), row["seed"], index + 1);
            assert_eq!(table.outcome(), None, "{place}");
            assert_eq!(table.seat().to_string(), row["seats"][index], "{place}");
            let legal = table.legal();
            assert_eq!(Some(legal.len() as u64), row["nlegal"][index].as_u64(), "{place}: {legal:?}");
            table.submit(ply).unwrap_or_else(|rejection| panic!("{place}: {rejection}"));
            let position = row["positions"][index].as_str().expect("a position");
            assert_eq!(table.position(), position, "{place}");
            // A loaded position goes on exactly as the one that was reached, repetition aside.
            let loaded = start(&setup, position);
            assert_eq!((loaded.position(), loaded.legal()), (position.to_owned(), table.legal()), "{place}");
            assert_eq!(loaded.outcome(), table.outcome(), "{place}");
        }
        // Those that go out with the end of the game have their places in the outcome alone.
        let last = row["plies"].as_array().map(Vec::len);
        let is_early = |out: &&Value| out["ply"].as_u64().map(|ply| ply as usize) < last;
        let outs = row["outs"].as_array().expect("a list").iter().filter(is_early);
        let mut outs: Vec<_> = outs
            .map(|out| (out["seat"].clone(), out["place"].clone(), out["reason"].clone()))
            .collect();
        outs.sort_by_key(|(seat, ..)| seat.to_string());
        let found = table.out().into_iter().map(|out| {
            let reason = out.reason.expect("it was seen").code();
            (out.seat.to_string().into(), out.place.into(), reason.into())
        });
        assert_eq!(found.collect::<Vec<(Value, Value, Value)>>(), outs, "{}", row["seed"]);
        assert_eq!(result(&*table), (row["places"].clone(), row["reason"].clone()), "{}", row["seed"]);
        games += 1;
    }
    assert_eq!(games, 20);
}

#[test]
fn cases_with_faults_hold() {
    for row in lines(include_str!("../data/seats_cases.jsonl")) {
        let what = &row["what"];
        let mut table = start(&setup(&row), row["from"].as_str().expect("a position"));
        for step in row["steps"].as_array().expect("steps") {
            let verb = step[0].as_str().expect("a verb");
            match verb {
                "play" => strings(&step[1]).into_iter().for_each(|ply| {
                    table.submit(ply).unwrap_or_else(|rejection| panic!("{what}: {ply}: {rejection}"));
                }),
                "fault" => table.fault(table.seat()).expect("the game goes on"),
                "position" => assert_eq!(table.position(), step[1], "{what}"),
                "legal" => assert_eq!(table.legal(), strings(&step[1]), "{what}"),
                "has" | "lacks" => strings(&step[1]).into_iter().for_each(|ply| {
                    let is_there = table.legal().iter().any(|legal| legal == ply);
                    assert_eq!(is_there, verb == "has", "{what}: {ply}");
                }),
                "result" => {
                    let (places, reason) = result(&*table);
                    assert_eq!((&places, &reason), (&step[1], &step[2]), "{what}");
                }
                other => panic!("{what}: `{other}` is no step"),
            }
        }
    }
}

#[test]
fn perft_counts_agree() {
    let mut rows = 0;
    for line in include_str!("../data/seats_perft.csv").lines().skip(1) {
        // The places of seats that are out have commas between them.
        let (players, rest) = line.split_once(',').expect("players");
        let mut fields = rest.trim_matches('"').rsplitn(3, ',');
        let mut field = || fields.next().expect("four fields").trim_matches('"');
        let (count, depth, position) = (field(), field(), field());
        let leaves = table(players.parse().expect("a number"), 300)
            .perft(Some(position), depth.parse().expect("a depth"))
            .unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(leaves.to_string(), count, "{line}");
        rows += 1;
    }
    assert_eq!(rows, 250);
}
