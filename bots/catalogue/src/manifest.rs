//! What a kit's `bot.yaml` says.

use serde::Deserialize;
use thiserror::Error;

/// Stands in `build` and `run` for the name of a source without its ending.
const BOT: &str = "{bot}";

/// A manifest. Keys that are not known are refused.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The name of the kit and of its folder: lower-case letters.
    pub name: String,
    /// The language as it is written.
    pub language: String,
    /// Further names by which the kit is found.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The programs that building and running need in `PATH`.
    pub tools: Vec<String>,
    /// The packages of Debian 12 that hold them.
    pub packages: Vec<String>,
    random: String,
    greedy: String,
    build: Option<String>,
    run: Vec<String>,
}

/// One of the two bots of a kit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Plays a random ply of the `legal` line.
    Random,
    /// Reads the `board` line too, and plays the ply that takes most and keeps most company.
    Greedy,
}

impl Part {
    /// Both, in the order in which they are shown.
    pub const ALL: [Self; 2] = [Self::Random, Self::Greedy];

    /// Returns its name: `random` or `greedy`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
        }
    }
}

/// Why a text is no manifest.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// It is not YAML, a key is missing or unknown, or a value is of the wrong kind.
    #[error(transparent)]
    Structure(#[from] serde_yaml::Error),
    /// A value cannot be used.
    #[error("`{key}` {fault}")]
    Value {
        /// The key.
        key: &'static str,
        /// What is wrong with its value.
        fault: &'static str,
    },
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// When the text is no manifest; the message names the key, and where it can the line.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let manifest: Self = serde_yaml::from_str(text)?;
        let wrong = |key, fault| Err(ManifestError::Value { key, fault });
        if manifest.name.is_empty() || !manifest.name.chars().all(|letter| letter.is_ascii_lowercase()) {
            return wrong("name", "must consist of lower-case letters");
        }
        if manifest.run.first().is_none_or(String::is_empty) {
            return wrong("run", "must name a program");
        }
        if manifest.tools.is_empty() {
            return wrong("tools", "must name at least one program");
        }
        for (key, source) in [("random", &manifest.random), ("greedy", &manifest.greedy)] {
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_.".contains(letter);
            if !source.contains('.') || source.starts_with('.') || !source.chars().all(is_plain) {
                return wrong(key, "must be the name of a file, with an ending");
            }
        }
        Ok(manifest)
    }

    /// Returns the source file of a bot.
    #[must_use]
    pub fn source(&self, part: Part) -> &str {
        match part {
            Part::Random => &self.random,
            Part::Greedy => &self.greedy,
        }
    }

    /// Returns the line of a shell that builds a bot in the folder of its source, if it has to be built.
    #[must_use]
    pub fn build(&self, part: Part) -> Option<String> {
        self.build.as_ref().map(|line| self.fill(line, part))
    }

    /// Returns the program that runs a bot in the folder of its source, and the program's arguments.
    #[must_use]
    pub fn run(&self, part: Part) -> Vec<String> {
        self.run.iter().map(|word| self.fill(word, part)).collect()
    }

    fn fill(&self, text: &str, part: Part) -> String {
        let source = self.source(part);
        text.replace(BOT, source.rsplit_once('.').map_or(source, |(stem, _)| stem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GO: &str = "name: go\nlanguage: Go\ntools: [go]\npackages: [golang-go]\nrandom: random_bot.go\n\
                      greedy: greedy_bot.go\nbuild: go build -o {bot} {bot}.go\nrun: [\"./{bot}\", -v]\n";

    #[test]
    fn the_name_of_the_source_is_filled_in() {
        let manifest = Manifest::parse(GO).unwrap();
        assert_eq!(manifest.build(Part::Greedy).unwrap(), "go build -o greedy_bot greedy_bot.go");
        assert_eq!(manifest.run(Part::Random), ["./random_bot", "-v"]);
        assert_eq!(Manifest::parse(&GO.replace("build:", "# ")).unwrap().build(Part::Random), None);
    }

    #[track_caller]
    fn refuses(old: &str, new: &str, message: &str) {
        let error = Manifest::parse(&GO.replace(old, new)).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn an_unknown_key_is_refused() {
        refuses("tools:", "tool:", "unknown field `tool`");
    }

    #[test]
    fn a_missing_key_is_refused() {
        refuses("packages: [golang-go]\n", "", "missing field `packages`");
    }

    #[test]
    fn values_that_cannot_be_used_are_refused() {
        refuses("name: go", "name: Go", "`name` must consist of lower-case letters");
        refuses("[\"./{bot}\", -v]", "[]", "`run` must name a program");
        refuses("[go]", "[]", "`tools` must name at least one program");
        refuses("random_bot.go", "../random_bot.go", "`random` must be the name of a file");
        refuses("greedy_bot.go", "greedy_bot", "`greedy` must be the name of a file");
    }
}
