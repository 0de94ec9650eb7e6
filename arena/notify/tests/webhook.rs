//! Addresses that answer, refuse and say nothing.

#![cfg(feature = "webhook")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use notify::{Notice, Notifier, Recipients, RunName};

/// Listens for one request; answers it with a status, or not at all. Returns the address, and what will have been posted.
fn server(status: Option<&'static str>) -> (String, thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = format!("http://{}/hook/secret", listener.local_addr().expect("it is bound"));
    let answer = thread::spawn(move || {
        let (stream, _) = listener.accept().expect("somebody connects");
        let mut reader = BufReader::new(stream);
        let (mut length, mut line) = (0, String::new());
        while reader.read_line(&mut line).is_ok_and(|count| count > 2) {
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("it is a number");
            }
            line.clear();
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("the body is whole");
        match status {
            Some(status) => {
                let answer = format!("HTTP/1.1 {status}\r\nlocation: /\r\ncontent-length: 0\r\n\r\n");
                reader.into_inner().write_all(answer.as_bytes()).expect("it is read");
            }
            None => thread::park_timeout(Duration::from_secs(5)),
        }
        String::from_utf8(body).expect("it is text")
    });
    (address, answer)
}

fn tell(address: String) -> Vec<String> {
    let deadline = Duration::from_secs(2);
    let recipients = Recipients { webhook: Some(address), deadline, ..Recipients::default() };
    let run =
        RunName { name: "cup".to_owned(), format: "swiss".to_owned(), directory: "/results/cup".into() };
    let mut notifier = Notifier::open(&recipients, run, || 0);
    notifier.tell(&Notice::RunEnded { games_recorded: 6, games_left: 0, left_out: Vec::new() });
    notifier.close()
}

#[test]
fn an_event_is_posted_as_json() {
    let (address, posted) = server(Some("204 No Content"));
    assert_eq!(tell(address), Vec::<String>::new());
    let event: serde_json::Value = serde_json::from_str(&posted.join().expect("it ran")).expect("it is JSON");
    assert_eq!((&event["event"], &event["games_recorded"]), (&"run-ended".into(), &6.into()));
}

#[test]
fn refusals_are_told_without_the_secret_of_the_address() {
    for (status, part) in
        [("404 Not Found", "status 404"), ("302 Found", "status 302"), ("500 No", "status 500")]
    {
        let (address, _) = server(Some(status));
        let complaints = tell(address);
        assert!(complaints.len() == 1 && complaints[0].contains(part), "{status}: {complaints:?}");
        assert!(!complaints[0].contains("secret"), "{complaints:?}");
    }
    let nobody =
        TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("there is a port");
    let complaints = tell(format!("http://{nobody}/hook/secret"));
    assert!(complaints.len() == 1 && !complaints[0].contains("secret"), "{complaints:?}");
}

#[test]
fn an_address_that_does_not_answer_is_given_up() {
    let (address, _) = server(None);
    let began = Instant::now();
    let complaints = tell(address);
    assert!(complaints.len() == 1 && complaints[0].contains("did not answer within 2s"), "{complaints:?}");
    assert!(began.elapsed() < Duration::from_secs(30));
}
