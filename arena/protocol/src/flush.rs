//! Recipes for flushing output after every line, by language.

use crate::Identity;

/// Returns how to flush after every line in the bot's language, which the bot declares or its command suggests: a fragment that
/// follows "flush stdout after every line".
///
/// ```
/// let identity = protocol::Identity::default();
/// assert_eq!(protocol::flush_advice("python3 bot.py", &identity), "in Python: `print(line, flush=True)`");
/// ```
#[must_use]
pub fn flush_advice(command: &str, identity: &Identity) -> String {
    let recipe = identity.language.as_deref().and_then(by_language).or_else(|| by_command(command));
    match recipe {
        Some(Recipe { language, how }) => format!("in {language}: `{how}`"),
        None => "in C `setvbuf(stdout, NULL, _IOLBF, 0)` at the start, elsewhere the `flush` of the output"
            .to_owned(),
    }
}

/// How to flush in one language.
struct Recipe {
    language: &'static str,
    how: &'static str,
}

/// Each language's name, the words of a command that suggest it, and its recipe.
const RECIPES: [(&str, &[&str], &str); 19] = [
    ("Python", &["python", "python3", "pypy", "pypy3", "py"], "print(line, flush=True)"),
    ("JavaScript", &["node", "deno", "bun", "js", "mjs"], "process.stdout.write(line + \"\\n\")"),
    ("TypeScript", &["tsx", "ts-node", "ts"], "process.stdout.write(line + \"\\n\")"),
    ("Java", &["java", "jar"], "System.out.println(line); System.out.flush();"),
    ("Kotlin", &["kotlin", "kts"], "println(line); System.out.flush()"),
    ("C++", &["cpp", "c++", "cc"], "std::cout << line << std::endl;"),
    ("C", &["c"], "printf(\"%s\\n\", line); fflush(stdout);"),
    ("C#", &["dotnet", "mono", "csx"], "Console.WriteLine(line); Console.Out.Flush();"),
    ("Rust", &["rs", "cargo"], "std::io::stdout().flush()"),
    ("Go", &["go"], "fmt.Fprintln(writer, line); writer.Flush()"),
    ("Ruby", &["ruby", "rb"], "$stdout.sync = true"),
    ("Perl", &["perl", "pl"], "$| = 1;"),
    ("Lua", &["lua", "luajit"], "io.stdout:setvbuf(\"line\")"),
    ("PHP", &["php"], "echo $line, \"\\n\"; flush();"),
    ("Haskell", &["runghc", "runhaskell", "hs"], "hSetBuffering stdout LineBuffering"),
    ("OCaml", &["ocaml", "ml"], "print_endline line"),
    ("R", &["rscript", "r"], "cat(line, \"\\n\", sep = \"\"); flush(stdout())"),
    ("Tcl", &["tclsh", "tcl"], "fconfigure stdout -buffering line"),
    ("awk", &["awk", "gawk", "mawk"], "print line; fflush()"),
];

fn by_language(language: &str) -> Option<Recipe> {
    let first = language.split_whitespace().next()?;
    let found = RECIPES.iter().find(|(name, _, _)| name.eq_ignore_ascii_case(first));
    found.map(|&(language, _, how)| Recipe { language, how })
}

fn by_command(command: &str) -> Option<Recipe> {
    // The program first, then the files: `env python3 bot.py`, `./bot.rb`.
    command.split_whitespace().find_map(|word| {
        let file = word.trim_matches('\'').rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        let stem = file.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let ending = file.rsplit_once('.').map(|(_, ending)| ending);
        let is_meant =
            |words: &[&str]| words.iter().any(|word| *word == file || *word == stem || Some(*word) == ending);
        // A single letter names a file, not a language.
        let is_meant = |words: &[&str]| is_meant(words) && (file.len() > 1 || file == "r");
        RECIPES
            .iter()
            .find(|(_, words, _)| is_meant(words))
            .map(|&(language, _, how)| Recipe { language, how })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(command: &str, language: Option<&str>, expected: &str) {
        let identity = Identity { language: language.map(str::to_owned), ..Identity::default() };
        let advice = flush_advice(command, &identity);
        assert!(advice.contains(expected), "{command}: {advice}");
    }

    #[test]
    fn the_language_is_guessed_from_the_command() {
        check("python3 bot.py", None, "in Python");
        check("python3.12 -m bot", None, "in Python");
        check("env LANG=C perl ./bot", None, "$| = 1;");
        check("./engine.rb --fast", None, "in Ruby");
        check("java -jar bot.jar", None, "in Java:");
        check("/usr/bin/Rscript bot.R", None, "in R:");
        check("node bot.js", None, "in JavaScript");
    }

    #[test]
    fn what_the_bot_says_of_itself_comes_first() {
        check("./a.out", Some("C++ 20"), "std::endl");
        check("python3 start.py", Some("haskell"), "LineBuffering");
    }

    #[test]
    fn without_a_guess_the_advice_is_general() {
        check("./engine", None, "setvbuf");
        check("./c", None, "elsewhere");
    }
}
