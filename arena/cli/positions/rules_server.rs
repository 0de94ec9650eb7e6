//! `arena rules`: the rules as a server on standard input and output, for programs in any language.
//!
//! One line out for every line in, in order; whatever a line holds, the server goes on. The format is
//! `protocol-spec/rules-server.md`.

mod answer;
mod document;
mod request;

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::harmless::{Harmless, Styles};

use crate::positions::rules_server::answer::answer;
use crate::positions::rules_server::document::RequestError;
use crate::positions::rules_server::request::PositionReader;

/// The longest line that is read, with its end.
const MOST_BYTES: u64 = 1 << 20;

/// Answers questions about positions: one line of JSON for every line.
///
/// `position GAME [KEY=VALUE…] startpos|fen STRING [moves PLY…]` is answered with the legal plies, the position
/// after each of them and the result; `legal …` is the same without the positions after. Several requests on a
/// line, separated by `;`, are answered by one array. `games` and `about` tell what there is. Ends with the
/// input or `quit`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

impl Arguments {
    /// Runs the command.
    #[expect(
        clippy::disallowed_methods,
        reason = "lines of JSON for programs, each made harmless in `serve`"
    )]
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let input = BufReader::with_capacity(1 << 16, io::stdin().lock());
        let output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        match serve(input, output) {
            Ok(()) => Ok(Exit::Done),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::quiet()),
            Err(error) => Err(Failure::io("the rules server failed", &error)),
        }
    }
}

fn serve<R: Read>(mut input: BufReader<R>, mut output: impl Write) -> io::Result<()> {
    let mut reader = PositionReader::default();
    let mut line = Vec::new();
    loop {
        // Answers may wait only while further questions are there already.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
        line.clear();
        let count = input.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line)? as u64;
        if count == 0 {
            return output.flush();
        }
        if count == MOST_BYTES && line.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            let fault = RequestError::new("bad-request", format!("a line longer than {MOST_BYTES} bytes"));
            writeln!(output, "{}", fault.to_json())?;
            continue;
        }
        let text = String::from_utf8_lossy(&line);
        match text.trim() {
            "" => {}
            "quit" => return output.flush(),
            text if text.starts_with('#') => {}
            text if text.contains(';') => {
                output.write_all(b"[")?;
                for (index, part) in text.split(';').enumerate() {
                    output.write_all(if index > 0 { b"," } else { b"" })?;
                    output.write_all(harmless(&answer(&mut reader, part)).as_str().as_bytes())?;
                }
                output.write_all(b"]\n")?;
            }
            text => writeln!(output, "{}", harmless(&answer(&mut reader, text)).as_str())?,
        }
    }
}

fn harmless(json: &str) -> Harmless<'_> {
    Harmless::of(json, Styles::Escaped)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Returns the lines that answer these lines.
    fn ask(lines: &[u8]) -> Vec<Value> {
        let mut output = Vec::new();
        serve(BufReader::new(lines), &mut output).expect("memory does not fail");
        let text = String::from_utf8(output).expect("JSON is UTF-8");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    #[test]
    fn every_line_has_its_answer_and_blank_lines_and_comments_have_none() {
        let answers = ask(b"\n# words\nabout\r\n  games\nposition faust size=2 startpos\nquit\nabout\n");
        assert_eq!(answers.len(), 3);
        assert_eq!(answers[1].as_array().map(Vec::len), Some(rules::GAMES.len()));
        assert_eq!(answers[2]["legal"], serde_json::json!(["a1", "a2", "b1", "b2"]));
    }

    #[test]
    fn a_position_is_answered_with_what_follows() {
        let answer = &ask(b"position faust size=2 startpos moves a1 b1")[0];
        let expected = serde_json::json!({
            "game": "faust size=2", "position": "2/bw p1 c=bw n=2", "seat": "p1", "turn": "p1", "fresh": true,
            "legal": ["a2", "b2"], "next": ["b1/bw p2 c=bw n=3", "1b/bw p2 c=bw n=3"], "ends": {},
            "result": null, "reason": null
        });
        assert_eq!(answer, &expected);
        let answer = &ask(b"legal farook fen bb1w/bwxb/wwbw/1bxw p1 stock=0,0,0 last=-,- ko=- n=14")[0];
        assert_eq!((answer["legal"].as_array().map(Vec::len), answer.get("next")), (Some(6), None));
        let answer = &ask(b"position farook fen bb1w/bwxb/wwbw/1bxw p1 stock=0,0,0 last=-,- ko=- n=14")[0];
        let win = serde_json::json!({"a2a1": {"result": "p1win", "reason": "pattern"}});
        assert_eq!(answer["ends"], win);
    }

    #[test]
    fn what_is_over_has_a_result_and_no_plies() {
        let answer = &ask(b"position farook max-moves=2 startpos moves a1 b2")[0];
        assert_eq!((&answer["result"], &answer["reason"]), (&"draw".into(), &"max-moves".into()));
        assert_eq!((&answer["legal"], &answer["next"]), (&Value::Array(vec![]), &Value::Array(vec![])));
    }

    #[test]
    fn the_history_counts_for_repetition() {
        let line =
            b"legal sophia fen A3/4/4/3B p1 stock=0,0 c=AB n=2 moves a4a3 d1d2 a3a4 d2d1 a4a3 d1d2 a3a4 d2d1";
        assert_eq!(ask(line)[0]["reason"], "repetition");
    }

    #[test]
    fn several_requests_on_a_line_are_one_array() {
        let answers = ask(b"legal faust size=2 startpos; legal chess startpos ;about;\n");
        let array = answers[0].as_array().expect("an array");
        let errors: Vec<_> = array.iter().map(|answer| answer["error"].as_str()).collect();
        assert_eq!(errors, [None, Some("unknown-game"), None, Some("bad-request")]);
    }

    #[test]
    fn an_error_is_an_answer_and_the_server_goes_on() {
        for (line, code, words) in [
            (&b"hello"[..], "bad-request", "`hello` is no request"),
            (b"position", "bad-request", "names no game"),
            (b"position farok startpos", "unknown-game", "did you mean `farook`"),
            (b"position farook wild=strict startpos", "bad-option", "did you mean `wilds`"),
            (b"position farook", "bad-request", "`startpos` or `fen`"),
            (b"position farook here", "bad-request", "`startpos` or `fen`"),
            (b"position farook startpos a1", "bad-request", "`moves`"),
            (b"position farook fen", "bad-position", ""),
            (b"position farook fen 4/4/4/4 p1", "bad-position", ""),
            (b"position farook startpos moves a1 a1", "illegal-ply", "ply 2, `a1`, is refused to p2"),
            (b"\xff\xfe", "bad-request", "is no request"),
            (b"position \x1b[31m startpos", "unknown-game", "\\x1b"),
        ] {
            let answers = ask(&[line, b"\nabout\n"].concat());
            assert_eq!(answers.len(), 2, "{answers:?}");
            assert_eq!(answers[0]["error"], code, "{answers:?}");
            assert!(answers[0]["message"].as_str().expect("text").contains(words), "{answers:?}");
        }
        let long = [&vec![b'x'; 3 << 20][..], b"\nabout\n"].concat();
        assert_eq!(ask(&long).len(), 2);
    }
}
