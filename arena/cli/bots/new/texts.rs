//! The files of a new kit: the sources of the catalogue, an entry's file, a tournament, and a page that says what to do
//! with them.

use std::fmt::Write as _;

use catalogue::{Kit, Part};

/// The file that makes a directory an entry.
const ENTRY: &str = "bot.yaml";

/// Returns the names and texts of all files.
pub(super) fn files(kit: &Kit) -> Vec<(&'static str, String)> {
    // The manifest of the catalogue is about two bots; an entry is one.
    let text = |file: &catalogue::File| if file.name == ENTRY { entry(kit) } else { file.text.to_owned() };
    let mut files: Vec<_> = kit.files().iter().map(|file| (file.name, text(file))).collect();
    if kit.text("README.md").is_none() {
        files.push(("README.md", readme(kit)));
    }
    files.push(("tournament.yaml", tournament(kit)));
    files
}

/// Returns a tournament of the kit's bots and two of the arena's own.
fn tournament(kit: &Kit) -> String {
    let manifest = &kit.manifest;
    let mut text =
        "# Your two bots against two of the arena's own: `arena run tournament.yaml`, in this folder.\n"
            .to_owned();
    let build = kit.build();
    if !build.is_empty() {
        text.push_str("# Build them first, and again after every change:\n");
        text.extend(build.iter().map(|line| format!("#   {line}\n")));
    }
    text.push_str("name: first tournament\ngames: [farook, fanorona, frenzy]\nbots:\n");
    for part in Part::ALL {
        let run = manifest.run(part);
        let source = manifest.source(part);
        // A changed file of the command makes a new version; where none is a file, the source does.
        let files = if run.iter().any(|word| word == source) {
            String::new()
        } else {
            format!(", files: [{source}]")
        };
        let name = format!("{}-{}", manifest.name, part.name());
        let _ = writeln!(text, "  - {{name: {name}, cmd: {}{files}}}", flow_list(&run));
    }
    text + "  - {name: random, builtin: random}\n\
            \x20 - {name: greedy, builtin: greedy}\n\
            rounds: 2    # pairs of games of each two bots in each game\n\
            tc: 10+0.1   # ten seconds for a game, a tenth of a second more per turn\n\
            out: results # where the tables and the games go\n"
}

/// Returns the file that enters the better one of the two bots in a course or contest.
fn entry(kit: &Kit) -> String {
    let (manifest, part) = (&kit.manifest, Part::Greedy);
    let (run, source) = (manifest.run(part), manifest.source(part));
    let mut text = format!(
        "# One of your two bots as an entry of a course or contest: `arena intake` reads this file (arena/docs/course.md).\n\
         name: {}-{}\nlanguage: {}\n\
         tools: {} # programs that must be in PATH\n\
         packages: {} # Debian 12's, which hold them\n",
        manifest.name,
        part.name(),
        scalar(&manifest.language),
        flow_list(&manifest.tools),
        flow_list(&manifest.packages),
    );
    if let Some(line) = manifest.build(part) {
        let _ = writeln!(text, "build: {}", scalar(&line));
    }
    let _ = writeln!(text, "run: {}", flow_list(&run));
    if !run.iter().any(|word| word == source) {
        let _ = writeln!(text, "files: [{source}] # a change of these makes a new version");
    }
    text
}

/// Returns words as a list in the flow style of YAML.
fn flow_list(words: &[String]) -> String {
    format!("[{}]", words.iter().map(|word| scalar(word)).collect::<Vec<_>>().join(", "))
}

/// Returns a text as a scalar of YAML.
fn scalar(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "''")) }
}

/// Returns the page of a kit that has none of its own.
fn readme(kit: &Kit) -> String {
    let manifest = &kit.manifest;
    let [random, greedy] = Part::ALL.map(|part| manifest.source(part));
    let indented = |lines: &[String]| lines.iter().map(|line| format!("    {line}\n")).collect::<String>();
    let build = kit.build();
    let build = if build.is_empty() {
        String::new()
    } else {
        format!("\nBuild them first, and again after every change:\n\n{}", indented(&build))
    };
    let run = manifest.run(Part::Greedy).join(" ");
    format!(
        "# Two bots in {language}\n\
         \n\
         * `{random}` plays a random ply of the list that the arena sends. Start from it.\n\
         * `{greedy}` reads the board as well: it takes what it can, and keeps its pieces together.\n\
         \n\
         They need {tools} (on Debian: `apt-get install {packages}`).\n\
         {build}\n\
         Then let them play, here and in one game that you watch line by line:\n\
         \n\
         \x20   arena run tournament.yaml\n\
         \x20   arena match '{run}' random --game farook --trace\n\
         \n\
         ## What the bot reads and writes\n\
         \n\
         | The arena writes | The bot |\n\
         |---|---|\n\
         | `ugi` | says who it is and which lines it wants, then `ugiok` |\n\
         | `game farook … you=p1 seed=42` | learns the game, its seat and a seed: the same seed, the same plies |\n\
         | `isready` | answers `readyok` |\n\
         | `board 4/1b2/2w1/4 p1 …` | if it said `want board`: the rows, the top rank first, digits for empty cells |\n\
         | `legal a1 a2 b1` | if it said `want legal`: every ply that it may play |\n\
         | `go p1time 9900 … budget=540` | answers `bestmove a2`, within `budget` milliseconds to be safe |\n\
         | `quit`, or the end of the input | ends |\n\
         \n\
         Anything else is skipped: `uginewgame`, `position`, `gameover`, lines that do not exist yet.\n\
         \n\
         ## When something is wrong\n\
         \n\
         * Nothing happens: flush the output after every line.\n\
         * To print something of your own, use standard error, or a line that starts with `#`.\n\
         * A game is lost by an illegal ply, a late answer or a crash; `arena run` says which, with the last lines of\n\
         \x20 standard error.\n",
        language = manifest.language,
        tools = manifest.tools.join(" and "),
        packages = manifest.packages.join(" "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tournament_says_how_its_bots_are_built_and_run() {
        let kit = catalogue::find("java").expect("there is one");
        let text = tournament(&kit);
        assert!(text.contains("#   javac RandomBot.java\n#   javac GreedyBot.java\n"), "{text}");
        assert!(
            text.contains("{name: java-greedy, cmd: [java, GreedyBot], files: [GreedyBot.java]}"),
            "{text}"
        );
        let kit = catalogue::find("ruby").expect("there is one");
        assert!(tournament(&kit).contains("{name: ruby-random, cmd: [ruby, random_bot.rb]}"));
    }

    #[test]
    fn words_that_yaml_would_misread_are_quoted() {
        assert_eq!(flow_list(&["./a-b_1.c".to_owned(), "it's, x".to_owned()]), "[./a-b_1.c, 'it''s, x']");
    }

    #[test]
    fn every_kit_is_an_entry() {
        let folder = tempfile::tempdir().unwrap();
        for kit in catalogue::kits() {
            let path = folder.path().join(ENTRY);
            std::fs::write(&path, entry(&kit)).unwrap();
            let read = tournament_file::Submission::read(&path, ENTRY, None);
            let read = read.unwrap_or_else(|failure| panic!("{failure}"));
            assert_eq!(read.build(), kit.manifest.build(Part::Greedy).as_deref());
            assert_eq!(
                (read.language(), read.tools()),
                (Some(&*kit.manifest.language), &kit.manifest.tools[..])
            );
        }
    }

    #[test]
    fn every_kit_has_its_own_page_or_one_that_says_how_to_build_it() {
        for kit in catalogue::kits() {
            let files = files(&kit);
            let readme = files.iter().find(|file| file.0 == "README.md").expect("every kit has one");
            assert!(kit.build().iter().all(|line| readme.1.contains(line.as_str())), "{}", readme.1);
            assert_eq!(files.iter().filter(|file| file.0 == "README.md").count(), 1);
        }
    }
}
