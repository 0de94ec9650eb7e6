//! Node signatures: two versions that search the same nodes on the same positions play the same, and need no test.

use std::env;
use std::fs;
use std::path::Path;

use diagnostic::Failure;
use tournament_file::TypedBot;

use super::shell;

/// Runs the user's bench command for a bot and returns the number by which its search is known. The command finds the
/// bot's command line in the variable `BOT`; its output is kept in `out`.
///
/// # Errors
/// When the command fails or prints no number.
pub(super) fn measure(line: &str, bot: &TypedBot, out: &Path) -> Result<u64, Failure> {
    let failed = |error: &std::io::Error| Failure::io(format!("failed to bench `{}`", bot.name), error);
    fs::create_dir_all(out).map_err(|error| failed(&error))?;
    let log = out.join(format!("bench-{}.log", bot.name));
    let here = Path::new(".");
    let directory = bot.checkout.as_ref().map_or(here, |checkout| &checkout.dir);
    let program = match kit::builtin(&bot.program).filter(|_| bot.checkout.is_none()) {
        Some(builtin) => {
            let arena = env::current_exe().map_err(|error| failed(&error))?;
            format!("{} bot {}", arena.display(), builtin.name)
        }
        None => bot.program.clone(),
    };
    let done = shell::run(line, directory, &log, &[("BOT", &program)]).map_err(|error| failed(&error))?;
    let fault = match signature(&done.output) {
        Some(signature) if done.status.success() => return Ok(signature),
        Some(_) => format!("the bench of `{}` failed: {}", bot.name, done.status),
        None => format!("the bench of `{}` printed no number ({})", bot.name, done.status),
    };
    let failure = Failure::usage(fault).hint(format!("it was `{line}` with BOT=`{program}`"));
    Err(match done.last_lines() {
        lines if lines.is_empty() => failure.hint("it wrote nothing"),
        lines => failure.hint(format!("the end of its output:\n{lines}")),
    })
}

/// Returns the signature in an output: the whole number beside the word `nodes` in the last line that has both, else the
/// last whole number there is.
fn signature(output: &str) -> Option<u64> {
    let number = |word: &str| word.parse::<u64>().ok();
    let last = || output.split_whitespace().rev().find_map(|word| number(trim(word)));
    output.lines().rev().find_map(nodes).or_else(last)
}

/// Returns the number beside the word `nodes`: before it, else the first one after it.
fn nodes(line: &str) -> Option<u64> {
    let words: Vec<_> = line.split_whitespace().map(trim).collect();
    let place = words.iter().position(|word| word.eq_ignore_ascii_case("nodes"))?;
    let before = words[..place].last().and_then(|word| word.parse().ok());
    before.or_else(|| words[place + 1..].iter().find_map(|word| word.parse().ok()))
}

fn trim(word: &str) -> &str {
    word.trim_matches([':', ',', '=', '.', ';', '(', ')'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(output: &str, expected: Option<u64>) {
        assert_eq!(signature(output), expected, "{output}");
    }

    #[test]
    fn the_number_beside_the_word_nodes_is_the_signature() {
        check("position 1\n4823 nodes 1200000 nps\n", Some(4823));
        check("Total time (ms) : 611\nNodes searched  : 2030154\nNodes/second    : 3322674\n", Some(2030154));
        check("nodes: 17, time: 5", Some(17));
        check("7 nodes\n9 nodes\ndone in 3 s", Some(9));
    }

    #[test]
    fn without_that_word_it_is_the_last_number() {
        check("depth 6\nsignature 5550123\n\n", Some(5_550_123));
        check("12 monkeys, 1.5 s", Some(12));
        check("no number at all", None);
        check("", None);
    }
}
