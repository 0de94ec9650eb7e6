//! Games played by hand at `arena serve`, over HTTP as a client speaks it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::own_games::with_telo;
use crate::own_rules::RULES;
use crate::serving::Server;
use crate::workshop::{Workshop, chaos};

/// A server that takes orders, and what is known of it.
struct Hall {
    server: Server,
    token: String,
}

impl Hall {
    /// Serves a folder with one run, with a bot `bad` that has a vice.
    fn open(workshop: &Workshop, vice: &str) -> Self {
        let bots = "{name: one, builtin: random}, {name: two, builtin: random}";
        workshop.write("cup.yaml", &format!("games: [farook]\nbots: [{bots}]\nrounds: 1\nout: runs/cup\n"));
        workshop.run(&["run", "cup.yaml"]).expect(0);
        let bad = format!(
            "games: [farook]\nbots:\n  - {{name: one, builtin: random}}\n  - {{name: bad, cmd: {}}}\n",
            chaos(vice)
        );
        workshop.write("bots.yaml", &bad);
        let server = Server::start(workshop, &["--allow-actions", "--file", "bots.yaml"]);
        let token = format!("x-arena-token: {}\r\n", server.token);
        Self { server, token }
    }

    /// Asks for a game; returns what is answered.
    #[track_caller]
    fn begin(&self, wish: &Value, status: &str) -> Value {
        body(&self.server.check("POST /play/games", &self.token, &wish.to_string(), status))
    }

    /// Begins a game and returns where it is.
    #[track_caller]
    fn table(&self, wish: &Value) -> String {
        self.begin(wish, "201")["link"].as_str().expect("a link").to_owned()
    }

    #[track_caller]
    fn order(&self, table: &str, order: &Value, status: &str) -> String {
        let answer =
            self.server.check(&format!("POST {table}orders"), &self.token, &order.to_string(), status);
        body(&answer)["said"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns the pictures of a table, the present one first.
    fn watch(&self, table: &str) -> impl Iterator<Item = Value> + use<> {
        let stream: TcpStream = self.server.send(&format!("GET {table}events"), &self.server.address, "", "");
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        let values = lines.filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok());
        // The server's clock comes between them.
        values.filter(Value::is_object)
    }

    /// Plays a ply, and returns the first picture that is so.
    #[track_caller]
    fn answer(&self, table: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let seen = self.wait(table, |seen| seen["clicks"].is_array());
        self.order(table, &json!({ "order": "play", "ply": first_ply(&seen["clicks"]) }), "200");
        self.wait(table, is_so)
    }

    /// Returns the first picture that is so.
    #[track_caller]
    fn wait(&self, table: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        self.watch(table).find(is_so).expect("a picture like that")
    }
}

/// Returns the JSON of an answer.
#[track_caller]
fn body(answer: &str) -> Value {
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

fn wish(seats: &Value) -> Value {
    json!({ "game": "farook", "seats": seats, "think": "nodes 300" })
}

/// Returns the first ply that the clicks of a picture lead to.
fn first_ply(clicks: &Value) -> String {
    let click = &clicks[0];
    click[3].as_str().map_or_else(|| first_ply(&click[4]), str::to_owned)
}

#[test]
fn a_game_is_played_to_its_end_by_its_clicks_taken_back_and_saved() {
    let workshop = Workshop::new();
    let hall = Hall::open(&workshop, "hang");
    let table = hall.table(&wish(&json!([{ "person": "<b>Ada" }, { "bot": "greedy" }])));
    let page = hall.server.check(&format!("GET {table}"), "", "", "200");
    assert!(page.contains("board-frame") && !page.contains("<b>Ada"));
    let mut at = 0;
    let last = loop {
        let seen = hall.wait(&table, |seen| seen["at"].as_u64() >= Some(at) && seen["thinks"].is_null());
        if !seen["ending"].is_null() {
            break seen;
        }
        at = seen["at"].as_u64().expect("a number");
        let ply = first_ply(&seen["clicks"]);
        hall.order(&table, &json!({ "order": "play", "ply": ply, "at": at }), "200");
        at += 1;
    };
    let log = hall.server.check(&format!("GET {table}game.pgn"), "", "", "200");
    assert!(log.contains("attachment") && log.contains("<b>Ada"), "{log}");
    let (_, log) = log.split_once("\r\n\r\n").expect("a body");
    workshop.write("game.pgn", log);
    workshop.run(&["replay", "game.pgn"]).expect(0);
    hall.order(&table, &json!({ "order": "undo" }), "200");
    let back = hall.wait(&table, |_| true);
    assert!(back["at"].as_u64() < last["at"].as_u64() && back["ending"].is_null(), "{back}");
    hall.order(&table, &json!({ "order": "hint" }), "200");
    let advised = hall.wait(&table, |seen| !seen["advice"].is_null());
    assert!(
        advised["advice"]["words"].as_str().is_some_and(|words| words.starts_with("hint: ")),
        "{advised}"
    );
    // Left, it is kept, and there when it is asked for; removed, it is gone.
    hall.order(&table, &json!({ "order": "leave" }), "200");
    assert_eq!(hall.wait(&table, |_| true)["at"], back["at"]);
    hall.order(&table, &json!({ "order": "remove" }), "200");
    hall.server.check(&format!("GET {table}"), "", "", "404");
    assert_eq!(body(&hall.server.check("GET /play/saved", &hall.token, "", "200")), json!([]));
}

#[test]
fn two_bots_play_ply_by_ply_or_by_themselves() {
    let workshop = Workshop::new();
    let hall = Hall::open(&workshop, "hang");
    let table = hall.table(&wish(&json!([{ "bot": "random" }, { "bot": "greedy" }])));
    let seen = hall.wait(&table, |_| true);
    assert_eq!((&seen["at"], &seen["waits"]), (&json!(0), &json!(true)), "{seen}");
    hall.order(&table, &json!({ "order": "step" }), "200");
    let seen = hall.wait(&table, |seen| seen["at"] == 1);
    assert_eq!(seen["waits"], true, "{seen}");
    // A person may play in the place of a bot that waits.
    hall.order(&table, &json!({ "order": "play", "ply": first_ply(&seen["clicks"]) }), "200");
    hall.order(&table, &json!({ "order": "go" }), "200");
    hall.wait(&table, |seen| !seen["ending"].is_null());
}

#[test]
fn who_has_no_token_or_no_table_plays_nothing() {
    let workshop = Workshop::new();
    let hall = Hall::open(&workshop, "hang");
    let wanted = wish(&json!([{ "person": "" }, { "bot": "random" }]));
    for lines in ["", "x-arena-token: 00\r\n", &format!("{}origin: http://evil.example\r\n", hall.token)] {
        hall.server.check("POST /play/games", lines, &wanted.to_string(), "403");
    }
    let table = hall.table(&wanted);
    hall.server.check(&format!("POST {table}orders"), "", "{\"order\": \"resign\"}", "403");
    hall.server.check(&format!("GET {table}events"), "origin: http://evil.example\r\n", "", "403");
    hall.server.check("GET /play/games", "", "", "405");
    let other = format!("/play/{}/", "0".repeat(64));
    hall.server.check(&format!("GET {other}"), "", "", "404");
    hall.server.check(&format!("GET {other}events"), "", "", "404");
    hall.order(&other, &json!({ "order": "undo" }), "404");
    // Nothing of all that has touched the game.
    assert_eq!(hall.wait(&table, |_| true)["ending"], Value::Null);
}

#[test]
fn bots_are_offered_for_the_games_that_they_can_play() {
    let workshop = with_telo();
    fs::create_dir(workshop.path("runs")).expect("a folder");
    let server = Server::start(&workshop, &["--allow-actions", "--file", "cup.yaml"]);
    let page = server.check("GET /play/", "", "", "200");
    for (bot, games) in [
        ("greedy", " data-lacks=\"telo\""),
        ("alphabeta", " data-lacks=\"telo\""),
        ("mcts", " data-lacks=\"telo\""),
        ("random", ""),
        ("mine", ""),
    ] {
        // Where hints come from, nobody is chosen.
        assert!(page.contains(&format!("<option value=\"{bot}\"{games}>{bot}</option>")), "{bot}: {page}");
    }
}

#[test]
fn a_game_that_nobody_has_drawn_is_played_as_text() {
    let workshop = Workshop::new();
    fs::create_dir(workshop.path("runs")).expect("a folder");
    workshop.write("stones.py", RULES);
    let server = Server::start(&workshop, &["--allow-actions", "--rules", "stones=python3 stones.py"]);
    let token = format!("x-arena-token: {}\r\n", server.token);
    let hall = Hall { server, token };
    let table = hall.table(&json!({ "game": "stones", "seats": [{ "person": "" }, { "person": "" }] }));
    let page = hall.server.check(&format!("GET {table}"), "", "", "200");
    assert!(page.contains("is-plain") && page.contains("id=\"plain\""), "{page}");
    for (ply, position) in [("t3", "n=4 p2"), ("t3", "n=1 p1"), ("t1", "n=0 p2")] {
        hall.order(&table, &json!({ "order": "play", "ply": ply }), "200");
        let seen = hall.wait(&table, |seen| seen["position"] == position);
        let texts = seen["texts"].as_array().expect("a text before and after each ply");
        assert_eq!((&texts[0], texts.last()), (&json!("n=7 p1"), Some(&json!(position))), "{seen}");
    }
    let seen = hall.wait(&table, |_| true);
    assert!(seen["ending"].as_str().is_some_and(|words| words.contains("last-stone")), "{seen}");
}

#[test]
fn without_actions_nobody_plays_and_no_bot_is_named() {
    let workshop = Workshop::new();
    drop(Hall::open(&workshop, "hang"));
    let server = Server::start(&workshop, &[]);
    server.check("GET /play/", "", "", "403");
    server.check("POST /play/games", "x-arena-token: \r\n", "{}", "403");
    let said = workshop.run(&["serve", "runs", "--bot", "mine=true"]).expect(2).stderr;
    assert!(said.contains("--allow-actions"), "{said}");
    for (word, what) in
        [("mine", "NAME=CMD"), ("greedy=true", "already"), ("mine=no-such-program", "no-such-program")]
    {
        let said = workshop.run(&["serve", "runs", "--allow-actions", "--bot", word]).expect(2).stderr;
        assert!(said.contains(what), "{word}: {said}");
    }
}

#[test]
fn what_is_wrong_in_a_wish_or_an_order_is_said() {
    let workshop = Workshop::new();
    let hall = Hall::open(&workshop, "hang");
    let seats = json!([{ "person": "" }, { "bot": "random" }]);
    let check = |more: Value, words: &str| {
        let mut wanted = wish(&seats);
        wanted.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let said = hall.begin(&wanted, "400")["said"].to_string();
        assert!(said.contains(words), "{words}: {said}");
    };
    check(json!({ "game": "chess" }), "unknown game `chess`");
    check(json!({ "options": { "max-moves": "0" } }), "max-moves");
    check(json!({ "position": "zzz" }), "not a position of `farook`");
    check(json!({ "tc": "soon" }), "time control `soon`");
    check(json!({ "think": "60+1" }), "one for each turn");
    // A command is no name of a bot.
    check(json!({ "seats": [{ "person": "" }, { "bot": "python3 mine.py" }] }), "there is no bot");
    check(json!({ "seats": [{ "person": "" }] }), "farook has 2 seats, not 1");
    check(json!({ "cmd": "sh" }), "unknown field");
    let table = hall.table(&wish(&seats));
    hall.order(&table, &json!({ "order": "explode" }), "400");
    hall.order(&table, &json!({ "order": "play" }), "400");
    assert!(hall.order(&table, &json!({ "order": "play", "ply": "\u{1b}[2Jz9" }), "409").contains("\\x1b"));
    hall.order(&table, &json!({ "order": "play", "ply": "a1", "at": 7 }), "409");
    hall.order(&table, &json!({ "order": "undo" }), "409");
    assert_eq!(hall.wait(&table, |_| true)["at"], 0);
}

#[test]
fn a_bot_that_hangs_ends_with_its_table_and_the_tables_are_bounded() {
    let workshop = Workshop::new();
    let hall = Hall::open(&workshop, "hang");
    let table = hall.table(&wish(&json!([{ "bot": "bad" }, { "person": "" }])));
    // It hangs at its second decision.
    let seen = hall.answer(&table, |seen| seen["at"] == 2 && seen["thinks"] == "bad");
    assert_eq!(seen["clicks"], Value::Null);
    hall.order(&table, &json!({ "order": "step" }), "409");
    assert!(hall.order(&table, &json!({ "order": "play", "ply": "a1" }), "409").contains("bad decides"));
    let persons = wish(&json!([{ "person": "" }, { "person": "" }]));
    let others: Vec<_> = (1..16).map(|_| hall.table(&persons)).collect();
    assert!(hall.begin(&persons, "503")["said"].to_string().contains("16 games"));
    // The bot is still asked: other tables do not wait for it.
    hall.order(&others[0], &json!({ "order": "play", "ply": "a1" }), "200");
    hall.order(&table, &json!({ "order": "leave" }), "200");
    hall.table(&persons);
}

#[test]
fn a_bot_that_fails_costs_nobody_the_game() {
    let workshop = Workshop::new();
    let hall = Hall::open(&workshop, "illegal");
    let table = hall.table(&wish(&json!([{ "bot": "bad" }, { "person": "" }])));
    let seen = hall.answer(&table, |seen| seen["isFault"] == true);
    assert!(seen["said"].as_str().is_some_and(|said| said.contains("not legal")), "{seen}");
    assert_eq!((&seen["waits"], &seen["ending"]), (&json!(true), &Value::Null), "{seen}");
    hall.order(&table, &json!({ "order": "play", "ply": first_ply(&seen["clicks"]) }), "200");
    assert_eq!(hall.wait(&table, |_| true)["at"], 3);
}

#[test]
fn games_survive_a_server_that_is_killed_with_their_clocks() {
    let workshop = Workshop::new();
    let hall = Hall::open(&workshop, "hang");
    let persons = json!([{ "person": "Ada" }, { "person": "Bob" }]);
    let timed = json!({ "game": "farook", "seats": persons, "tc": "3600+60" });
    let timed = hall.table(&timed);
    for (at, ply) in ["a1", "b2", "c3"].iter().enumerate() {
        hall.order(&timed, &json!({ "order": "play", "ply": ply, "at": at }), "200");
    }
    hall.order(&timed, &json!({ "order": "undo" }), "200");
    let against = hall.table(&wish(&json!([{ "person": "" }, { "bot": "greedy" }])));
    hall.answer(&against, |seen| seen["at"] == 2 && seen["thinks"].is_null());
    hall.order(&against, &json!({ "order": "hint" }), "200");
    let seen = hall.wait(&against, |seen| !seen["advice"].is_null() && seen["thinks"].is_null());
    assert!(seen["advice"]["way"].as_str().is_some_and(|way| !way.is_empty()), "{seen}");
    let left = hall.table(&wish(&json!([{ "person": "" }, { "bot": "random" }])));
    let shown = [hall.wait(&timed, |_| true), seen];
    // That is by a signal that nobody can catch.
    drop(hall);

    let server = Server::start(&workshop, &["--allow-actions"]);
    let token = format!("x-arena-token: {}\r\n", server.token);
    let hall = Hall { server, token };
    hall.server.check("GET /play/saved", "", "", "403");
    let list = body(&hall.server.check("GET /play/saved", &hall.token, "", "200"));
    let links: Vec<_> = list.as_array().expect("a list").iter().map(|game| game[0].as_str()).collect();
    assert!([&timed, &against, &left].iter().all(|table| links.contains(&Some(table.as_str()))), "{list}");
    for (table, before) in [&timed, &against].into_iter().zip(&shown) {
        let after = hall.wait(table, |_| true);
        for part in ["plies", "from", "ahead", "position", "decider", "advice"] {
            assert_eq!(after[part], before[part], "{part}");
        }
    }
    // The clock of a person stands still until somebody says so, and shows at least what it showed.
    let halted = hall.wait(&timed, |_| true);
    assert_eq!((&halted["isHalted"], &halted["clicks"]), (&json!(true), &Value::Null));
    for seat in 0..2 {
        let clock = |picture: &Value| picture["seats"][seat]["clock"].as_u64().expect("a clock");
        // Two plies with their increments, and a slow machine.
        assert!(clock(&halted).abs_diff(clock(&shown[0])) < 50_000, "{halted}");
    }
    hall.order(&timed, &json!({ "order": "play", "ply": "d4" }), "409");
    hall.order(&timed, &json!({ "order": "resume" }), "200");
    hall.order(&timed, &json!({ "order": "redo" }), "200");
    hall.wait(&timed, |seen| seen["at"] == 3 && seen["isHalted"] == false);
    // A game without clocks just goes on; its log holds.
    hall.answer(&against, |seen| seen["at"] == 4 && seen["thinks"].is_null());
    for table in [&timed, &against] {
        let name = table.trim_start_matches("/play/").trim_end_matches('/');
        workshop.run(&["replay", &format!("runs/by-hand/{name}-1.pgn")]).expect(0);
    }
    // One that is left before anything was played is not kept.
    hall.wait(&left, |_| true);
    hall.order(&left, &json!({ "order": "leave" }), "200");
    hall.server.check(&format!("GET {left}"), "", "", "404");
}

#[test]
fn bots_are_confined_as_the_command_line_says() {
    let workshop = Workshop::new();
    std::fs::create_dir(workshop.path("runs")).expect("a folder");
    let script = "import os, sys\ntry: open('mark', 'w')\nexcept OSError: pass\nfor line in sys.stdin:\n    \
                  word, *rest = line.split() or ['']\n    \
                  if word == 'ugi': print('protocol 1\\nwant legal\\nugiok')\n    \
                  elif word == 'isready': print('readyok')\n    elif word == 'legal': legal = rest\n    \
                  elif word == 'go': print('bestmove', legal[0])\n    elif word == 'quit': break\n    sys.stdout.flush()\n";
    workshop.write("bot.py", script);
    for (level, is_marked) in [("basic", false), ("none", true)] {
        let words = [
            "--allow-actions",
            "--bot",
            "mine=python3 bot.py",
            "--sandbox",
            level,
            "--limits",
            "memory=1GiB",
        ];
        let server = Server::start(&workshop, &words);
        let hall = Hall { token: format!("x-arena-token: {}\r\n", server.token), server };
        let table = hall.table(&wish(&json!([{ "person": "Ada" }, { "bot": "mine" }])));
        hall.answer(&table, |seen| seen["at"] == json!(2));
        assert_eq!(workshop.path("mark").exists(), is_marked, "{level}");
    }
    for (words, told) in [
        (&["--sandbox", "basic"][..], "`--allow-actions`"),
        (&["--allow-actions", "--sandbox", "some"], "`--sandbox` cannot be `some`"),
        (&["--allow-actions", "--limits", "processes=x"], "cannot be `x`"),
    ] {
        let ended = workshop.run(&[&["serve", "runs", "--port", "0"], words].concat()).expect(2);
        assert!(ended.stderr.contains(told), "{}", ended.stderr);
    }
}
