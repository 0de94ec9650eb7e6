//! What runs leave on a broker: nothing but the word that they have ended, and nothing that another run needs is taken away.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use fleet::broker::BrokerRole;
use serde_json::Value;

use crate::lies::open;
use crate::{CUP, Running, Site, signal, told};

/// What a broker keeps in a stream.
#[derive(Debug, PartialEq, Eq)]
struct Kept {
    messages: u64,
    bytes: u64,
    consumers: u64,
}

/// A site whose broker tells what it keeps.
struct Watched {
    site: Site,
    port: u16,
}

impl Watched {
    fn new() -> Self {
        let site = Site::new();
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        let file = site.path().join("broker.conf");
        let text = fs::read_to_string(&file).expect("a file");
        fs::write(file, format!("http: \"127.0.0.1:{port}\"\n{text}")).expect("a file");
        Self { site, port }
    }

    fn kept(&self, stream: &str) -> Kept {
        let mut connection = TcpStream::connect(("127.0.0.1", self.port)).expect("the broker listens");
        let request = "GET /jsz?streams=1&consumers=1 HTTP/1.0\r\n\r\n";
        connection.write_all(request.as_bytes()).expect("it listens");
        let mut answer = String::new();
        connection.read_to_string(&mut answer).expect("it answers");
        let body = answer.split_once("\r\n\r\n").expect("a body").1;
        let told: Value = serde_json::from_str(body).expect("JSON");
        let streams = told["account_details"][0]["stream_detail"].as_array().expect("streams");
        let state = &streams.iter().find(|found| found["name"] == stream).expect("the stream")["state"];
        let number = |key: &str| state[key].as_u64().expect("a number");
        Kept { messages: number("messages"), bytes: number("bytes"), consumers: number("consumer_count") }
    }
}

#[test]
fn a_run_leaves_only_the_word_that_it_has_ended() {
    let watched = Watched::new();
    let site = &watched.site;
    let _broker = site.broker();
    let _worker = site.worker("a");
    fs::write(site.path().join("cup.yaml"), CUP.replace("rounds: 10", "rounds: 2")).expect("a file");
    let mut sent = Vec::new();
    let mut table = Vec::new();
    for out in ["first", "second"] {
        let mut run = site.start(out);
        site.wait_for_games(out, 1);
        sent.push(watched.kept("OBJ_arena-files").messages);
        assert!(run.0.wait().expect("it ends").success(), "{}", site.log(out));
        site.assert_has(out, 24);
        let files = watched.kept("OBJ_arena-files");
        assert_eq!((files.messages, files.bytes), (0, 0));
        assert_eq!(watched.kept("arena-results"), Kept { messages: 0, bytes: 0, consumers: 0 });
        table.push(watched.kept("KV_arena-runs").messages);
        assert!(!site.log(out).contains("could not be removed"), "{}", site.log(out));
    }
    assert!(sent[0] > 0);
    assert_eq!(sent[0], sent[1]);
    // For every run that it has ended, and once that files were removed.
    assert_eq!(table, [2, 3]);
}

#[test]
fn what_another_run_uses_stays() {
    let watched = Watched::new();
    let site = &watched.site;
    let _broker = site.broker();
    fs::write(site.path().join("cup.yaml"), CUP.replace("rounds: 10", "rounds: 20")).expect("a file");
    let _first = site.worker("a");
    let mut run = site.start("out");
    site.wait_for_games("out", 2);
    let before = watched.kept("OBJ_arena-files");
    // It shares a bot with the other run, has one of its own, and is given up.
    fs::write(site.path().join("own.py"), format!("{}# another one\n", crate::SLOW)).expect("a file");
    let other = CUP
        .replace("rounds: 10", "rounds: 1")
        .replace("  - {name: random, builtin: random}\n", "  - {name: own, cmd: [python3, own.py]}\n");
    fs::write(site.path().join("cup.yaml"), other).expect("a file");
    let mut given_up: Running = site.start("other");
    site.wait_for("other", "games");
    assert!(watched.kept("OBJ_arena-files").messages > before.messages);
    signal(&given_up, "-INT");
    given_up.0.wait().expect("it ends");
    let after = watched.kept("OBJ_arena-files");
    assert_eq!((after.messages, after.bytes), (before.messages, before.bytes), "{}", site.log("other"));
    // One that comes now has none of the files.
    let _second = site.worker("b");
    site.wait_for("out", "worker b: joins");
    assert!(run.0.wait().expect("it ends").success(), "{}\n{}", site.log("out"), site.log("b"));
    site.assert_has("out", 240);
    assert!(!site.log("out").contains("does not play there"), "{}", site.log("out"));
    assert!(open(site, &BrokerRole::Coordinator).objects().expect("the broker answers").is_empty());
    let again = site.run_command("other").output().expect("it runs");
    assert!(again.status.success(), "{}", told(&again));
    site.assert_has("other", 12);
}
