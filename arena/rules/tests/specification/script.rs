//! Scripts that say what the rules say: positions, legal plies, results, refusals, counts.
//!
//! `#` begins a comment line, and every other line is one of
//!
//! ```text
//! options KEY=VALUE …    from now on these options (none: the defaults), from the start
//! from start | STRING    from this position
//! play PLY …             play these plies
//! fault SEAT             this seat commits a fault
//! position STRING        the current position is written so
//! seat SEAT              this seat decides
//! turn SEAT [begun]      it is this seat's turn, of which no ply, or at least one, has been played
//! legal [PLY …]          exactly these plies are legal, in byte order
//! count N                so many plies are legal
//! has PLY …              these plies are among the legal ones
//! lacks TOKEN …          these tokens are rejected
//! because TOKEN TEXT     this token is rejected with a reason that contains TEXT
//! wins [PLY …]           exactly these plies win at once for the seat to move, in byte order
//! result none | OUTCOME REASON
//! perft DEPTH COUNT      so many lines of exactly DEPTH plies
//! invalid STRING         this position string is refused
//! bad-options KEY=VALUE … these options are refused
//! ```

use std::path::Path;

use rules::{Game, Referee, Setup};

/// A script that is being run: the options, and the game as far as it was played.
pub(crate) struct Script {
    game: &'static Game,
    setup: Setup,
    from: Option<String>,
    table: Box<dyn Referee>,
}

impl Script {
    /// Begins a script with the defaults and the start of the game.
    pub(crate) fn new(game: &'static Game) -> Self {
        let setup = game.setup(&[]).expect("defaults are valid");
        let table = setup.referee(None).expect("the start is valid");
        Self { game, setup, from: None, table }
    }

    fn restart(&mut self) -> Result<(), String> {
        self.table = self.setup.referee(self.from.as_deref()).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Runs a line; empty lines and comments say nothing.
    ///
    /// # Errors
    /// Says what does not hold.
    pub(crate) fn run(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        let tokens: Vec<&str> = rest.split_whitespace().collect();
        match word {
            "options" => {
                self.setup = self.game.setup(&pairs(&tokens)?).map_err(|error| error.to_string())?;
                self.from = None;
                self.restart()
            }
            "bad-options" => match self.game.setup(&pairs(&tokens)?) {
                Ok(_) => Err("these options are accepted".to_owned()),
                Err(_) => Ok(()),
            },
            "from" => {
                self.from = (rest != "start").then(|| rest.to_owned());
                self.restart()?;
                match &self.from {
                    Some(text) => equal(self.table.position(), text),
                    None => Ok(()),
                }
            }
            "invalid" => match self.setup.referee(Some(rest)) {
                Ok(_) => Err("this position is accepted".to_owned()),
                Err(_) => Ok(()),
            },
            "play" => tokens.iter().try_for_each(|ply| {
                self.table.submit(ply).map_err(|rejection| format!("`{ply}` is rejected: {rejection}"))
            }),
            "fault" => {
                let seat = rest.parse().map_err(|()| format!("`{rest}` is no seat"))?;
                self.table.fault(seat).map_err(|rejection| rejection.to_string())
            }
            "position" => equal(self.table.position(), rest),
            "seat" => equal(self.table.seat().to_string(), rest),
            "turn" => {
                let turn = self.table.turn();
                equal(format!("{}{}", turn.seat, if turn.is_fresh { "" } else { " begun" }), rest)
            }
            "legal" => equal(self.table.legal().join(" "), tokens.join(" ")),
            "count" => equal(self.table.legal().len().to_string(), rest),
            "has" => tokens.iter().try_for_each(|ply| {
                let is_listed = self.table.legal().iter().any(|legal| legal == ply);
                let is_taken = self.table.fork().submit(ply).is_ok();
                if is_listed && is_taken { Ok(()) } else { Err(format!("`{ply}` is not legal")) }
            }),
            "lacks" => tokens.iter().try_for_each(|ply| {
                let is_listed = self.table.legal().iter().any(|legal| legal == ply);
                let is_taken = self.table.fork().submit(ply).is_ok();
                if is_listed || is_taken { Err(format!("`{ply}` is legal")) } else { Ok(()) }
            }),
            "because" => {
                let (token, text) = rest.split_once(' ').ok_or("a token and a text are needed")?;
                match self.table.fork().submit(token) {
                    Ok(()) => Err(format!("`{token}` is legal")),
                    Err(rejection) if rejection.to_string().contains(text.trim()) => Ok(()),
                    Err(rejection) => Err(format!("`{token}` is rejected because: {rejection}")),
                }
            }
            "wins" => {
                let win = format!("{}win", self.table.seat());
                let mut plies = self.table.legal();
                plies.retain(|ply| {
                    let mut next = self.table.fork();
                    next.submit(ply).is_ok()
                        && next.outcome().is_some_and(|end| end.outcome.to_string() == win)
                });
                equal(plies.join(" "), tokens.join(" "))
            }
            "result" => {
                let result = self.table.outcome();
                let text = result.map_or("none".to_owned(), |end| format!("{} {}", end.outcome, end.reason));
                equal(text, rest)?;
                match result {
                    Some(_) => equal(self.table.legal().join(" "), String::new()),
                    None => Ok(()),
                }
            }
            "perft" => {
                let [depth, count] = tokens[..] else {
                    return Err("a depth and a count are needed".to_owned());
                };
                let depth = depth.parse().map_err(|_| "the depth is no number")?;
                let leaves = self.setup.perft(Some(&self.table.position()), depth);
                equal(leaves.map_err(|error| error.to_string())?.to_string(), count)
            }
            _ => Err(format!("unknown directive `{word}`")),
        }
    }
}

/// Runs lines with their numbers and adds what does not hold to `faults`.
pub(crate) fn run<'a>(
    script: &mut Script,
    path: &Path,
    lines: impl IntoIterator<Item = (usize, &'a str)>,
    faults: &mut Vec<String>,
) {
    for (number, line) in lines {
        if let Err(fault) = script.run(line) {
            faults.push(format!("{}:{number}: {line}\n  {fault}", path.display()));
        }
    }
}

fn pairs<'a>(tokens: &[&'a str]) -> Result<Vec<(&'a str, &'a str)>, String> {
    tokens
        .iter()
        .map(|token| token.split_once('=').ok_or_else(|| format!("`{token}` is not KEY=VALUE")))
        .collect()
}

fn equal(found: impl AsRef<str>, expected: impl AsRef<str>) -> Result<(), String> {
    let (found, expected) = (found.as_ref(), expected.as_ref());
    if found == expected { Ok(()) } else { Err(format!("\n  expected {expected}\n  found    {found}")) }
}
