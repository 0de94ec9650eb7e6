//! Engines: what stands behind `-engine` and `-each`.

use std::collections::BTreeMap;

use crate::clock::{Limits, millis, read_clock};
use crate::counterpart::{Counterpart, ENGINE_KEYS};
use crate::error::ImportError;
use crate::note::ImportNote;
use crate::program::Program;

/// An engine as both programs describe it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Engine {
    pub name: Option<String>,
    pub program: Option<String>,
    pub arguments: Vec<String>,
    pub directory: Option<String>,
    pub limits: Limits,
    /// Milliseconds.
    pub margin: Option<u64>,
    pub options: BTreeMap<String, String>,
    pub restarts: bool,
}

impl Engine {
    /// Takes one `key=value`; says what has no counterpart.
    ///
    /// # Errors
    /// When the program has no such key, or the value is none of it.
    pub(crate) fn take(
        &mut self,
        program: Program,
        (key, value): (&str, &str),
        notes: &mut Vec<ImportNote>,
    ) -> Result<(), ImportError> {
        if let Some(option) = key.strip_prefix("option.") {
            if option.is_empty() {
                return Err(ImportError::value("-engine option.=", "the option has no name"));
            }
            self.options.insert(option.to_owned(), value.to_owned());
            return Ok(());
        }
        let known = |known: &&Counterpart| known.is_of(program) && known.name == key;
        let Some(counterpart) = ENGINE_KEYS.iter().find(known) else {
            let near = ENGINE_KEYS
                .iter()
                .filter(|known| known.is_of(program) && strsim::damerau_levenshtein(known.name, key) <= 2)
                .min_by_key(|known| strsim::damerau_levenshtein(known.name, key));
            let option = format!("-engine {key}=");
            return Err(ImportError::Unknown {
                program: program.name(),
                option,
                near: near.map(|near| near.name),
            });
        };
        let fault = |what: &str| ImportError::value(format!("-engine {key}="), format!("`{value}` {what}"));
        let count = || {
            value.parse::<u64>().ok().filter(|count| *count > 0).ok_or_else(|| fault("is no count from 1 up"))
        };
        let seconds = || {
            millis(value).filter(|millis| *millis > 0).ok_or_else(|| fault("is no number of seconds above 0"))
        };
        match key {
            // Without a name, as with an empty one, it is called like its program.
            "name" => self.name = Some(value.trim().to_owned()).filter(|name| !name.is_empty()),
            "cmd" => self.program = Some(value.to_owned()),
            "arg" => self.arguments.push(value.to_owned()),
            "args" => {
                let words = shlex::split(value).ok_or_else(|| fault("has a quote that is not closed"))?;
                self.arguments = words;
            }
            "dir" => self.directory = Some(value.to_owned()),
            "proto" if value == "uci" => {}
            "proto" => {
                let what = format!(
                    "`proto={value}`: the arena speaks its own protocol and UCI, not that of {value}"
                );
                return Err(ImportError::Unplayable(what));
            }
            "tc" => (self.limits.clock, self.limits.is_given) = (read_clock(value)?, true),
            "st" => (self.limits.movetime, self.limits.is_given) = (Some(seconds()?), true),
            "nodes" => self.limits.nodes = Some(count()?),
            "depth" | "plies" => self.limits.depth = Some(count()?),
            "timemargin" => {
                self.margin = Some(value.parse().map_err(|_| fault("is no number of milliseconds"))?);
            }
            "restart" => match value {
                "on" => self.restarts = true,
                "off" => self.restarts = false,
                "auto" if program == Program::Cutechess => self.restarts = false,
                _ if program == Program::Cutechess => {
                    return Err(fault("is neither `on`, `off` nor `auto`"));
                }
                _ => return Err(fault("is neither `on` nor `off`")),
            },
            _ => {
                ImportNote::of(notes, format!("{key}="), counterpart);
            }
        }
        Ok(())
    }

    /// Returns the name, from the program where none was given.
    pub(crate) fn shown_name(&self) -> String {
        let program = self.program.as_deref().unwrap_or("engine");
        let file = program.rsplit(['/', '\\']).next().unwrap_or(program);
        let file = file.strip_suffix(".exe").unwrap_or(file);
        self.name
            .clone()
            .unwrap_or_else(|| if file.is_empty() { "engine".to_owned() } else { file.to_owned() })
    }
}
