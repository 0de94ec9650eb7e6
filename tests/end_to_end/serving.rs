//! `arena serve`, over HTTP as a client speaks it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Child;
use std::time::Duration;

use crate::resume::wait_for_games;
use crate::workshop::{Workshop, wait_until};

/// A run that goes on for longer than anybody looks at it.
pub(crate) const CUP: &str = "\
name: cup
games: [farook]
bots:
  - {name: '<img src=x>', builtin: random}
  - {name: greedy, builtin: greedy}
rounds: 4000
tc: nodes 300
concurrency: 1
out: runs/cup
";

/// A server of the folder `runs`, which ends with this.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    pub(crate) token: String,
}

impl Server {
    pub(crate) fn start(workshop: &Workshop, words: &[&str]) -> Self {
        let mut child = workshop.start(&[&["serve", "runs", "--port", "0"], words].concat());
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("an address");
        let line = line.trim().strip_prefix("http://").expect("an address").to_owned();
        let (address, rest) = line.split_once('/').expect("a path");
        let token = rest.strip_prefix("#token=").unwrap_or_default().to_owned();
        Self { child, address: address.to_owned(), token }
    }

    /// Sends the head of a request with these further lines, and a body.
    pub(crate) fn send(&self, request: &str, host: &str, lines: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        let length = body.len();
        let head = format!(
            "{request} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {length}\r\n"
        );
        write!(stream, "{head}{lines}\r\n{body}").expect("it reads");
        stream
    }

    fn ask(&self, request: &str, host: &str, lines: &str, body: &str) -> String {
        let mut bytes = Vec::new();
        self.send(request, host, lines, body).read_to_end(&mut bytes).expect("an answer");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[track_caller]
    pub(crate) fn check(&self, request: &str, lines: &str, body: &str, status: &str) -> String {
        let answer = self.ask(request, &self.address, lines, body);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {answer}");
        assert!(answer.contains("x-content-type-options: nosniff"), "{answer}");
        assert!(answer.contains("content-security-policy: "), "{answer}");
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_run_is_shown_while_it_goes_on_and_steered_with_the_token_alone() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let mut run = workshop.start(&["run", "cup.yaml"]);
    wait_for_games(&workshop, "runs/cup", 2);
    let server = Server::start(&workshop, &["--allow-actions"]);
    assert!(server.check("GET /", "", "", "200").contains("href=\"/runs/cup/\""));
    let report = server.check("GET /runs/cup/report.html", "", "", "200");
    assert!(report.contains("&#60;img src=x&#62;") && !report.contains("<img"), "the name stays text");
    assert!(server.check("GET /runs/cup/files/games.csv", "", "", "200").contains("attachment"));
    let journal = server.check("GET /runs/cup/files/journal.jsonl", "", "", "200");
    assert!(journal.contains("\"type\":\"run\""), "{journal}");

    // Pictures come for as long as something changes.
    let events = server.send("GET /runs/cup/events", &server.address, "", "");
    let lines = BufReader::new(events).lines().map_while(Result::ok);
    let mut pictures = lines.filter(|line| line.starts_with("data: {")).take(2);
    let (one, two) = (pictures.next().expect("a picture"), pictures.next().expect("another one"));
    assert!(one.contains("\"stage\":\"running\"") && one != two, "{one}");
    drop(pictures);

    let order =
        |lines: &str, body: &str, status: &str| server.check("POST /runs/cup/orders", lines, body, status);
    let token = format!("x-arena-token: {}\r\n", server.token);
    let pause = "{\"order\": \"pause\"}";
    order("", pause, "403");
    order("x-arena-token: 00\r\n", pause, "403");
    order(&format!("{token}origin: http://evil.example\r\n"), pause, "403");
    order(&token, "{\"order\": \"explode\"}", "400");
    order(&token, &"x".repeat(5000), "400");
    assert!(order(&token, pause, "200").contains("paused"));
    assert!(order(&token, "{\"order\": \"stop\"}", "200").contains("stopping"));
    assert_eq!(run.wait().expect("it ends").code(), Some(130));
    order(&token, pause, "404");
}

#[test]
fn a_token_outlives_the_server_until_it_is_renewed() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &CUP.replace("4000", "1"));
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let header = |token: &str| format!("x-arena-token: {token}\r\n");
    let first = Server::start(&workshop, &["--allow-actions"]);
    let token = first.token.clone();
    drop(first);
    let second = Server::start(&workshop, &["--allow-actions"]);
    assert_eq!(second.token, token);
    second.check("GET /token", &header(&token), "", "204");
    drop(second);
    let third = Server::start(&workshop, &["--allow-actions", "--new-token"]);
    assert_ne!(third.token, token);
    third.check("GET /token", &header(&token), "", "403");
    third.check("GET /token", &header(&third.token), "", "204");
}

#[test]
fn one_stream_brings_the_pictures_of_many_pages() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &CUP.replace("4000", "1"));
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let server = Server::start(&workshop, &[]);
    let request = "GET /feed?of=/runs/cup/events&of=/events&of=/runs/none/events&of=/play/3f/events";
    let stream = server.send(request, &server.address, "", "");
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let mut told = std::collections::BTreeSet::new();
    let mut event = String::new();
    for line in lines {
        if let Some(name) = line.strip_prefix("event: ") {
            name.clone_into(&mut event);
        } else if let Some(path) = line.strip_prefix("data: /") {
            told.insert(format!("{event} /{path}"));
        }
        if told.len() == 4 {
            break;
        }
    }
    let told: Vec<_> = told.iter().map(String::as_str).collect();
    let expected =
        ["gone /play/3f/events", "gone /runs/none/events", "picture /events", "picture /runs/cup/events"];
    assert_eq!(told, expected);
}

#[test]
fn a_stopped_run_continues_from_its_page_only_where_its_file_is_named() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let mut run = workshop.start(&["run", "cup.yaml"]);
    wait_for_games(&workshop, "runs/cup", 2);
    let without = Server::start(&workshop, &["--allow-actions"]);
    let token = format!("x-arena-token: {}\r\n", without.token);
    let order = |server: &Server, word: &str, status: &str| {
        server.check("POST /runs/cup/orders", &token, &format!("{{\"order\": \"{word}\"}}"), status)
    };
    order(&without, "stop", "200");
    assert_eq!(run.wait().expect("it ends").code(), Some(130));
    assert!(order(&without, "continue", "409").contains("--file"));
    drop(without);
    let with = Server::start(&workshop, &["--allow-actions", "--file", "cup.yaml"]);
    let before = workshop.games("runs/cup").len();
    with.check("POST /runs/cup/orders", "", "{\"order\": \"continue\"}", "403");
    assert!(order(&with, "continue", "200").contains("the run continues"));
    assert!(order(&with, "continue", "409").contains("in progress"));
    wait_for_games(&workshop, "runs/cup", before + 2);
    order(&with, "stop", "200");
    let is_on = || live::is_in_use(&workshop.path("runs/cup")).unwrap_or(true);
    assert!(wait_until(|| !is_on()), "the run stops");
}

#[test]
fn a_game_is_followed_ply_by_ply_and_its_transcript_needs_the_token() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &format!("{}transcripts: true\n", CUP.replace("4000", "1")));
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let server = Server::start(&workshop, &["--allow-actions"]);
    assert!(server.check("GET /runs/cup/games/1/", "", "", "200").contains("Game 1: farook"));
    let position = server.check("GET /runs/cup/games/1/position?at=0", "", "", "200");
    assert!(position.ends_with("4/4/4/4 p1 stock=6,6,2 last=-,- ko=- n=0"), "{position}");
    server.check("GET /runs/cup/games/1/position?at=999", "", "", "404");
    server.check("GET /runs/cup/games/1/transcript", "", "", "403");
    let token = format!("x-arena-token: {}\r\n", server.token);
    assert!(server.check("GET /runs/cup/games/1/transcript", &token, "", "200").contains("bestmove"));
    server.check("GET /runs/cup/games/99/transcript", &token, "", "404");
    assert!(server.check("GET /runs/cup/games/99/", "", "", "303").contains("report.html#g99"));
    let events = server.send("GET /runs/cup/games/1/events", &server.address, "", "");
    let mut lines = BufReader::new(events).lines().map_while(Result::ok);
    let picture = lines.find(|line| line.starts_with("data: {")).expect("a picture");
    assert!(picture.contains("\"over\":\"") && picture.contains("\"plies\":[["), "{picture}");
}

#[test]
fn what_is_not_for_the_asker_is_refused() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &CUP.replace("4000", "1"));
    workshop.run(&["run", "cup.yaml"]).expect(0);
    workshop.write("runs/secret", "a secret");
    let server = Server::start(&workshop, &[]);
    for host in ["evil.example", "127.0.0.1.evil.example", ""] {
        let answer = server.ask("GET /", host, "", "");
        assert!(answer.starts_with("HTTP/1.1 403 "), "{host}: {answer}");
    }
    assert!(server.ask("GET /", "localhost", "", "").starts_with("HTTP/1.1 200 "));
    let evil = "origin: http://evil.example\r\n";
    server.check("GET /runs/cup/events", evil, "", "403");
    server.check("GET /runs/cup/files/games.csv", "sec-fetch-site: cross-site\r\n", "", "403");
    for path in [
        "/secret",
        "/runs/secret/",
        "/runs/%2e%2e/",
        "/runs/../secret",
        "/runs/cup/files/..%2f..%2fsecret",
        "/runs/cup%2f..%2fsecret/",
        "/runs/cup/files/control.sock",
        "/assets/..%2fsecret",
        "/%ff",
    ] {
        let answer = server.check(&format!("GET {path}"), "", "", "404");
        assert!(!answer.contains("a secret"), "{path}");
    }
    server.check("POST /", "", "", "405");
    server.check("GET /runs/cup/orders", "", "", "405");
    // Without `--allow-actions` nobody gives orders.
    server.check("POST /runs/cup/orders", "", "{\"order\": \"stop\"}", "403");
}

#[test]
fn a_request_without_a_path_is_refused_and_ends_nothing() {
    let workshop = Workshop::new();
    std::fs::create_dir_all(workshop.path("runs")).expect("a folder");
    let mut server = Server::start(&workshop, &["--allow-actions"]);
    for request in ["CONNECT a:1", "GET 127.0.0.1:80", "OPTIONS *", "CONNECT 127.0.0.1:8642", "POST a:1"] {
        server.check(request, "", "", "400");
    }
    server.check("GET /", "", "", "200");
    server.check("GET http://127.0.0.1", "", "", "200");
    let _ = server.child.kill();
    let mut told = String::new();
    let _ = server.child.stderr.take().expect("its output").read_to_string(&mut told);
    assert!(!told.contains("panic"), "{told}");
}

#[test]
fn silent_and_half_open_connections_keep_nobody_out() {
    let workshop = Workshop::new();
    std::fs::create_dir_all(workshop.path("runs")).expect("a folder");
    let server = Server::start(&workshop, &["--allow-actions"]);
    let connect = |number: usize| {
        let mut stream = TcpStream::connect(&server.address).expect("it listens");
        // Some send the start of a request, some send one and keep the connection.
        let text = match number % 3 {
            0 => "",
            1 => "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ",
            _ => "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
        };
        stream.write_all(text.as_bytes()).map(|()| stream)
    };
    let _held: Vec<_> = (0..300).map(connect).collect();
    for _ in 0..10 {
        server.check("GET /", "", "", "200");
    }
}

#[test]
fn what_cannot_be_served_is_said() {
    let workshop = Workshop::new();
    let said = workshop.run(&["serve", "nowhere"]).expect(2).stderr;
    assert!(said.contains("there is no directory `nowhere`"), "{said}");
    // Who only plays by hand needs no run.
    let hall = Server::start(&workshop, &["--allow-actions"]);
    assert!(hall.check("GET /", "", "", "200").contains("href=\"/play/\""));
    drop(hall);
    let said = workshop.run(&["serve", "."]).expect(2).stderr;
    assert!(said.contains("there is no run in `.`") && said.contains("hint: "), "{said}");
    workshop.write("cup.yaml", &CUP.replace("4000", "1"));
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let server = Server::start(&workshop, &[]);
    let port = server.address.rsplit(':').next().expect("a port");
    let said = workshop.run(&["serve", "runs", "--port", port]).expect(4).stderr;
    assert!(said.contains("failed to listen") && said.contains("--port"), "{said}");
}
