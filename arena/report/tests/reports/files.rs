//! The files that are derived from a journal.

use insta::assert_snapshot;
use record::{Contents, InfoRecord, JournalLine, PgnForm, PgnGame, PgnReader};
use report::{RunReport, tables};
use rules::Catalogue;

use crate::sample::{cup, files, games_csv, games_pgn, hostile, summary};

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("the files are UTF-8")
}

#[test]
fn every_game_has_a_line() {
    let mut contents = cup();
    contents.games.retain(|game| [1, 72, 96, 120].contains(&game.number));
    assert_snapshot!(text(games_csv(&contents)), @r"
number,pair,leg,round,game,options,p1,p1_version,p2,p2_version,result,reason,fault,plies,turns,seconds,p1_ms_per_ply,p2_ms_per_ply,p1_overruns,p2_overruns,opening,p1_tc,p2_tc,started,detail
1,1,1,1,farook,,ada,,bob,,p1win,pattern,,11,11,1.500,1.049,1.155,0,0,2,60+0.5,60+0.5,2026-11-21T09:30:05.123Z,
72,36,2,6,fanorona size=3x3,size=3x3,dan,,cleo,,p2win,illegal-move,p1,11,11,1.500,1.060,1.146,0,0,2,60+0.5,60+0.5,2026-11-21T09:30:05.123Z,`a1\x1b[31m` is not a ply of this game
96,48,2,8,fanorona size=3x3,size=3x3,dan,,cleo,,p1win,crash,p2,11,11,1.500,1.061,1.151,0,0,2,60+0.5,60+0.5,2026-11-21T09:30:05.123Z,
120,60,2,10,fanorona size=3x3,size=3x3,dan,,cleo,,none,spawn-failed,,10,10,1.500,1.055,1.147,0,0,2,60+0.5,60+0.5,2026-11-21T09:30:05.123Z,
");
}

fn table(contents: &Contents, wanted: &str) -> Vec<u8> {
    let tables = tables(&RunReport::of(&summary(contents)));
    tables.into_iter().find(|(name, _)| *name == wanted).expect("the table is made").1
}

#[test]
fn standings_have_a_block_for_all_games_and_one_for_each() {
    assert_snapshot!(text(table(&cup(), "standings.csv")), @"
    game,rank,bot,version,elo,error95,mark,bound,games,score,score_percent,wins,draws,losses,p1_games,p1_score,p2_games,p2_score,ladder_elo,glicko2,glicko2_deviation,timeout,crash,stall,illegal-move,bad-move,flood,resource,ms_per_ply,los_next,los_next_holm
    all,1,ada,,53.0,58.9,,,72,43,59.72,39,8,25,36,20.5,36,22.5,1537.7,1587.7,48.9,0,0,0,0,0,0,0,1.095,0.8474,0.5421
    all,2,bob,,3.8,56.6,,,72,36.5,50.69,32,9,31,36,20,36,16.5,1499.4,1543.0,48.2,0,0,0,0,0,0,0,1.096,0.5524,0.5421
    all,3,dan,,-2.5,59.9,,,71,35,49.30,31,8,32,35,18.5,36,16.5,1502.2,1538.2,48.9,1,0,0,1,0,0,0,1.100,0.8381,0.5421
    all,4,cleo,,-54.3,63.3,,,71,28.5,40.14,25,7,39,36,16,35,12.5,1460.7,1510.5,49.9,0,1,0,0,0,0,0,1.095,,
    farook,1,ada,,37.0,91.4,,,36,20.5,56.94,18,5,13,18,7.5,18,13,1539.0,1585.4,67.3,0,0,0,0,0,0,0,1.095,0.5443,0.2153
    farook,2,bob,,29.6,85.9,,,36,20,55.56,18,4,14,18,9,18,11,1506.9,1549.1,67.9,0,0,0,0,0,0,0,1.096,0.7565,0.2695
    farook,3,dan,,-22.2,99.8,,,36,16.5,45.83,15,3,18,18,8,18,8.5,1490.3,1512.1,70.1,0,0,0,0,0,0,0,1.101,0.6076,0.2153
    farook,4,cleo,,-44.5,102.1,,,36,15,41.67,14,2,20,18,8,18,7,1463.9,1491.9,70.6,0,0,0,0,0,0,0,1.094,,
    fanorona size=3x3,1,ada,,70.2,83.6,,,36,22.5,62.50,21,3,12,18,13,18,9.5,1529.0,1531.3,72.3,0,0,0,0,0,0,0,1.095,0.8192,0.4575
    fanorona size=3x3,2,dan,,18.7,75.2,,,35,18.5,52.86,16,5,14,17,10.5,18,8,1508.0,1513.0,69.9,1,0,0,1,0,0,0,1.099,0.7485,0.4575
    fanorona size=3x3,3,bob,,-23.2,82.7,,,36,16.5,45.83,14,5,17,18,11,18,5.5,1494.4,1493.1,69.2,0,0,0,0,0,0,0,1.096,0.7555,0.4575
    fanorona size=3x3,4,cleo,,-65.7,84.3,,,35,13.5,38.57,11,5,19,18,8,17,5.5,1468.7,1469.6,72.2,0,1,0,0,0,0,0,1.097,,
    ");
}

#[test]
fn crosstables_have_the_same_blocks() {
    assert_snapshot!(text(table(&cup(), "crosstable.csv")), @r"
game,bot,version,ada,bob,dan,cleo
all,ada,,,14/24 (+13 =2 -9),13/24 (+11 =4 -9),16/24 (+15 =2 -7)
all,bob,,10/24 (+9 =2 -13),,12.5/24 (+11 =3 -10),14/24 (+12 =4 -8)
all,dan,,11/24 (+9 =4 -11),11.5/24 (+10 =3 -11),,12.5/23 (+12 =1 -10)
all,cleo,,8/24 (+7 =2 -15),10/24 (+8 =4 -12),10.5/23 (+10 =1 -12),
farook,ada,,,6/12 (+5 =2 -5),6.5/12 (+5 =3 -4),8/12 (+8 =0 -4)
farook,bob,,6/12 (+5 =2 -5),,7/12 (+7 =0 -5),7/12 (+6 =2 -4)
farook,dan,,5.5/12 (+4 =3 -5),5/12 (+5 =0 -7),,6/12 (+6 =0 -6)
farook,cleo,,4/12 (+4 =0 -8),5/12 (+4 =2 -6),6/12 (+6 =0 -6),
fanorona size=3x3,ada,,,8/12 (+8 =0 -4),6.5/12 (+6 =1 -5),8/12 (+7 =2 -3)
fanorona size=3x3,bob,,4/12 (+4 =0 -8),,5.5/12 (+4 =3 -5),7/12 (+6 =2 -4)
fanorona size=3x3,dan,,5.5/12 (+5 =1 -6),6.5/12 (+5 =3 -4),,6.5/11 (+6 =1 -4)
fanorona size=3x3,cleo,,4/12 (+3 =2 -7),5/12 (+4 =2 -6),4.5/11 (+4 =1 -6),
");
}

#[test]
fn no_cell_of_another_hand_is_a_formula() {
    for (name, bytes) in files(&hostile()).into_iter().filter(|(name, _)| name.ends_with(".csv")) {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice());
        for record in reader.records() {
            for cell in &record.expect("every line has as many cells") {
                let is_number = cell.parse::<f64>().is_ok();
                assert!(is_number || !cell.starts_with(['=', '+', '-', '@']), "{name}: {cell}");
                assert!(!cell.contains(char::is_control), "{name}: {cell:?}");
            }
        }
    }
}

#[test]
fn the_game_log_is_read_back() {
    for contents in [cup(), hostile()] {
        let run = contents.runs.last();
        let games: Vec<_> = contents
            .games
            .iter()
            .map(|game| PgnGame::from_record(game, run, &Catalogue::default()))
            .collect();
        for form in [PgnForm::Native, PgnForm::Safe] {
            let log = games_pgn(&contents, form);
            let read: Result<Vec<_>, _> = PgnReader::new(&log).collect();
            assert_eq!(read.as_ref(), Ok(&games));
        }
    }
}

#[test]
fn an_empty_journal_gives_empty_files() {
    for (name, bytes) in files(&Contents::default()) {
        let lines = text(bytes).lines().count();
        assert_eq!(lines, usize::from(!name.ends_with(".pgn")), "{name}");
    }
}

/// Every name of a field in a value.
fn fields(value: &serde_json::Value, names: &mut Vec<String>) {
    if let Some(list) = value.as_array() {
        list.iter().for_each(|item| fields(item, names));
    }
    for (name, item) in value.as_object().into_iter().flatten() {
        names.push(name.clone());
        if name != "options" {
            fields(item, names);
        }
    }
}

#[test]
fn every_field_and_column_is_documented() {
    let specification = include_str!("../../../../protocol-spec/results.md");
    let mut contents = cup();
    let bot = &mut contents.runs[0].config.bots[0];
    (bot.version, bot.tc) = (Some("1".to_owned()), "10+1".parse().ok().map(settings::Recorded::Known));
    bot.options.insert("Hash".to_owned(), "1".to_owned());
    let game = &mut contents.games[0];
    (game.start, game.detail) = (Some("4/4".to_owned()), Some("so".to_owned()));
    let seat = &mut game.seats[0];
    (seat.overruns, seat.retries, seat.exit) = (1, 1, Some("exit 1".to_owned()));
    (seat.cpu_ms, seat.peak_kib) = (Some(1), Some(1));
    let ply = &mut game.plies[3];
    (ply.of, ply.clock) = (Some(1), Some(1));
    ply.info = Some(InfoRecord {
        depth: Some(1),
        cp: Some(1),
        mate: Some(1),
        nodes: Some(1),
        text: Some("x".to_owned()),
    });
    let mut names = Vec::new();
    for line in
        [JournalLine::Run(Box::new(contents.runs[0].clone())), JournalLine::Game(Box::new(game.clone()))]
    {
        fields(&serde_json::to_value(line).expect("a line of a journal"), &mut names);
    }
    for bytes in [games_csv(&contents), table(&contents, "standings.csv")] {
        let text = text(bytes);
        names.extend(text.lines().next().unwrap_or_default().split(',').map(str::to_owned));
    }
    names.extend(files(&contents).iter().map(|(name, _)| (*name).to_owned()));
    for name in names {
        assert!(specification.contains(&format!("`{name}`")), "{name}");
    }
}
