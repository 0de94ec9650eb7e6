//! Lines in, lines of JSON out; whatever a line holds, the program goes on.

use std::io::{self, BufRead, BufReader, Read, Write};

use crate::answer::answer;
use crate::request::RequestError;

/// The longest line that is read, with its end.
const MOST_BYTES: u64 = 1 << 20;

/// Answers every line by one line, until `quit` or the end of the input.
///
/// # Errors
/// When the input or the output fails.
pub fn serve<R: Read>(mut input: BufReader<R>, mut output: impl Write) -> io::Result<()> {
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
            let error = RequestError::new("bad-request", format!("a line longer than {MOST_BYTES} bytes"));
            writeln!(output, "{}", error.to_json())?;
            continue;
        }
        let text = String::from_utf8_lossy(&line);
        match text.trim() {
            "" => {}
            "quit" => return output.flush(),
            text if text.starts_with('#') => {}
            text if text.contains(';') => {
                for (index, request) in text.split(';').enumerate() {
                    output.write_all(if index > 0 { b"," } else { b"[" })?;
                    output.write_all(answer(request).as_bytes())?;
                }
                output.write_all(b"]\n")?;
            }
            text => writeln!(output, "{}", answer(text))?,
        }
    }
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
        let answers = ask(b"\n# words\nabout\r\n  games\nlegal chess startpos;about;\nquit\nabout\n");
        assert_eq!(answers.len(), 3);
        assert_eq!(answers[0]["format"], 2);
        assert_eq!(answers[1][0]["game"], "chess");
        let codes: Vec<_> =
            answers[2].as_array().into_iter().flatten().map(|one| one["error"].as_str()).collect();
        assert_eq!(codes, [None, None, Some("bad-request")]);
    }

    #[test]
    fn a_position_is_answered_with_what_follows() {
        let answer = &ask(b"position chess fen 7k/5Q2/6K1/8/8/8/8/8 w - - 4 90\n")[0];
        assert_eq!((&answer["seat"], &answer["count"]), (&"p1".into(), &serde_json::json!([9, 0])));
        assert_eq!(answer["key"], "7k/5Q2/6K1/8/8/8/8/8 w - -");
        assert_eq!(answer["legal"].as_array().map(Vec::len), answer["san"].as_array().map(Vec::len));
        assert_eq!(answer["ends"]["f7g7"], serde_json::json!({"result": "p1win", "reason": "checkmate"}));
        assert_eq!(answer["ends"]["f7f6"], Value::Null);
        assert_eq!(answer["ends"]["g6f6"], serde_json::json!({"result": "draw", "reason": "stalemate"}));
        let place = answer["legal"].as_array().and_then(|all| all.iter().position(|ply| ply == "f7g7"));
        assert_eq!(answer["san"][place.expect("legal")], "Qg7#");
        let answer = &ask(b"legal chess startpos moves f2f3 e7e5 g2g4 d8h4\n")[0];
        assert_eq!((&answer["result"], &answer["reason"]), (&"p2win".into(), &"checkmate".into()));
        assert_eq!((&answer["legal"], answer.get("next")), (&Value::Array(vec![]), None));
    }

    #[test]
    fn an_error_is_an_answer_and_the_program_goes_on() {
        for (line, code, words) in [
            (&b"hello"[..], "bad-request", "`hello` is no request"),
            (b"position", "bad-request", "names no game"),
            (b"position draughts startpos", "unknown-game", "`draughts`"),
            (b"position chess size=9 startpos", "bad-option", "`size`"),
            (b"position chess", "bad-request", "`startpos` or `fen`"),
            (b"position chess startpos e2e4", "bad-request", "`moves`"),
            (b"position chess fen", "bad-position", ""),
            (b"position chess startpos moves e2e5", "illegal-ply", "ply 1, `e2e5`"),
            (b"position chess startpos moves e2e4 e2e4", "illegal-ply", "ply 2, `e2e4`"),
            (b"legal chess startpos moves f2f3 e7e5 g2g4 d8h4 a2a3", "illegal-ply", "ply 5, `a2a3`"),
            (b"\xff\xfe", "bad-request", "is no request"),
            (b"position chess fen \xff\xfe w - - 0 1", "bad-position", ""),
            (b"position chess startpos moves \xc3\xa4\xc3\xa4", "illegal-ply", ""),
            (b"position \x1b[31m startpos", "unknown-game", "\\u{1b}"),
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
