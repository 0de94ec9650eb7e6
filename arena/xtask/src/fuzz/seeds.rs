//! Where the fuzzer starts from: inputs that are right.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::ChoreError;

/// How many lines of a long file make one seed.
const LINES: usize = 12;

/// Returns the seeds of a target.
pub(super) fn of(target: &str, root: &Path) -> Result<Vec<String>, ChoreError> {
    match target {
        "positions" => positions(&root.join("protocol-spec").join("vectors")),
        "lines" => {
            let mut seeds = lines(&root.join("arena").join("protocol").join("tests").join("data"))?;
            seeds.extend(lines(&root.join("protocol-spec").join("vectors").join("dialogues"))?);
            Ok(seeds)
        }
        "journals" => {
            let mut seeds = logs(&root.join("results").join("showcase"))?;
            // Places and what stands there: a line feed, a digit, a quotation mark.
            seeds.extend(["!", "!\0\u{2}\n", "!\u{10}\u{4}0", "!\u{7f}\u{8}\" \n"].map(str::to_owned));
            Ok(seeds)
        }
        _ => logs(&root.join("results").join("showcase")),
    }
}

/// Makes seeds `GAME OPTIONS`, position, one ply a line, from the scripts and the tables of counts.
fn positions(folder: &Path) -> Result<Vec<String>, ChoreError> {
    let mut seeds = Vec::new();
    for path in files(&folder.join("positions"))? {
        let script = fs::read_to_string(&path)?;
        seeds.extend(from_script(&stem(&path), &script));
    }
    for path in files(&folder.join("perft"))? {
        let (game, table) = (stem(&path), fs::read_to_string(&path)?);
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split("; ");
            let (Some(options), Some(position)) = (fields.next(), fields.next()) else { continue };
            seeds.push(format!("{}\n{position}\n", setup(&game, options)));
        }
    }
    Ok(seeds)
}

/// Returns the positions of a script with the tokens that are tried there.
fn from_script(game: &str, script: &str) -> Vec<String> {
    let (mut options, mut seeds) = (String::new(), vec![format!("{game}\n\n")]);
    for line in script.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "options" => {
                rest.clone_into(&mut options);
                seeds.push(format!("{}\n\n", setup(game, rest)));
            }
            "from" | "position" | "invalid" => {
                let position = if rest == "start" { "" } else { rest };
                seeds.push(format!("{}\n{position}\n", setup(game, &options)));
            }
            "play" | "has" | "lacks" | "legal" => {
                let seed = seeds.last_mut().expect("there is one from the beginning on");
                for token in rest.split_whitespace() {
                    seed.push_str(token);
                    seed.push('\n');
                }
            }
            _ => {}
        }
    }
    seeds
}

fn setup(game: &str, options: &str) -> String {
    match options {
        "" | "-" => game.to_owned(),
        options => format!("{game} {options}"),
    }
}

/// Takes the lines of the protocol's examples, alone and as whole dialogues.
fn lines(folder: &Path) -> Result<Vec<String>, ChoreError> {
    let mut seeds = Vec::new();
    for path in files(folder)? {
        let text = fs::read_to_string(path)?;
        let lines = text.lines().filter(|line| !line.starts_with(['#', '!']));
        let lines = lines.filter_map(|line| line.split(" => ").next());
        let lines: Vec<_> =
            lines.map(|line| format!("{}\n", line.trim_start_matches(['<', '>', ' ']))).collect();
        seeds.extend(lines.chunks(LINES).map(<[String]>::concat));
        seeds.extend(lines);
    }
    Ok(seeds)
}

/// Takes the first lines of the journal and the first games of the log that are kept as an example.
fn logs(folder: &Path) -> Result<Vec<String>, ChoreError> {
    let journal = fs::read_to_string(folder.join("journal.jsonl"))?;
    let mut lines = journal.split_inclusive('\n');
    let run = lines.next().unwrap_or_default();
    let mut seeds: Vec<_> = lines.take(LINES).map(|game| format!("{run}{game}")).collect();
    let log = fs::read_to_string(folder.join("games.pgn"))?;
    let games = log.split("\n\n[").take(LINES);
    seeds.extend(games.map(|game| format!("[{}\n\n", game.trim_start_matches('['))));
    Ok(seeds)
}

/// Returns the files of a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, ChoreError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    Ok(files)
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_becomes_positions_with_their_tokens() {
        let script = "# A line.\nplay a1\noptions size=3\nfrom w2/3/3 p1\nhas b1 c1\nlacks pass\noptions\n";
        let expected =
            ["faust\n\na1\n", "faust size=3\n\n", "faust size=3\nw2/3/3 p1\nb1\nc1\npass\n", "faust\n\n"];
        assert_eq!(from_script("faust", script), expected);
    }

    #[test]
    fn every_target_has_seeds() {
        for target in crate::fuzz::TARGETS {
            let seeds = of(target, &crate::shell::root()).unwrap_or_else(|error| panic!("{error}"));
            // Lines, but for changes of a journal, which are bytes.
            let is_seed =
                |seed: &String| seed.ends_with('\n') || target == "journals" && seed.starts_with('!');
            assert!(seeds.len() > 20 && seeds.iter().all(is_seed), "{target}");
        }
    }
}
