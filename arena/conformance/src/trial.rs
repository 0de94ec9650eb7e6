//! A dialogue held with a bot: every `>` line is sent, every answer compared.

use std::time::{Duration, Instant};

use protocol::{BotMessage, Choice, Identity, printable_capped};

use crate::fault::{Fault, Step, Stop};
use crate::report::TestVerdict;
use crate::script::{Act, Need, Script};
use crate::session::{Heard, Session, seconds};
use crate::suite::{CheckError, broken_off};
use crate::{Connector, SuiteSettings};

/// How long an answer may take where the dialogue does not say.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a process may take to end.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How many characters of a line are shown.
const SHOWN: usize = 160;

/// The words that answers begin with: whatever else a bot writes is skipped.
const ANSWERS: [&str; 5] = ["ugiok", "readyok", "bestmove", "reject", "response"];

/// The lines that are sent to bots that want them only.
const ON_DEMAND: [&str; 4] = ["board", "legal", "after", "played"];

/// Holds a dialogue with a new process of the bot. One that is meant for other bots, or for arenas, is skipped. Limits
/// of time may be overrun by the margin of the settings; its other fields but the command say nothing here.
///
/// # Errors
/// When the bot cannot be started, or the dialogue is broken off.
pub fn hold(
    connector: &dyn Connector,
    settings: &SuiteSettings,
    script: &Script,
) -> Result<TestVerdict, CheckError> {
    if script.is_for_arenas() {
        return Ok(TestVerdict::Skipped("a dialogue for arenas".to_owned()));
    }
    let session = Session::open(connector, settings).map_err(broken_off)?;
    let mut trial = Trial { session, margin: settings.margin, patience: PATIENCE, legal: Vec::new() };
    let held = trial.hold(script);
    let remains = trial.session.finish();
    match held {
        Ok(()) => Ok(TestVerdict::Passed(None)),
        Err(Stop::Skip(why)) => Ok(TestVerdict::Skipped(why)),
        Err(Stop::Faults(faults)) => Ok(TestVerdict::Failed(
            faults.into_iter().map(|fault| fault.with_remains(remains.clone())).collect(),
        )),
        Err(stop) => Err(broken_off(stop)),
    }
}

struct Trial<'a> {
    session: Session<'a>,
    margin: Duration,
    /// How long the next answer may take.
    patience: Duration,
    /// The plies of the `legal` line that came last.
    legal: Vec<String>,
}

impl Trial<'_> {
    fn hold(&mut self, script: &Script) -> Step {
        self.session.begin();
        let mut needs = Vec::new();
        for step in &script.steps {
            let done = match &step.act {
                Act::Tell(line) => self.tell(line),
                Act::Expect(pattern) => self.expect(pattern),
                Act::Within(time) => {
                    self.patience = *time + self.margin;
                    Ok(())
                }
                Act::Silence(time) => self.is_silent_for(*time),
                Act::Close => {
                    self.session.close_input();
                    Ok(())
                }
                Act::Ends => self.ends(),
                Act::Need(need) => {
                    needs.push(need);
                    Ok(())
                }
                Act::ArenaOnly => Ok(()),
            };
            done.map_err(|stop| at(stop, step.line, &step.text))?;
            // What the bot can is known when the greeting is over.
            let is_greeted = matches!(&step.act, Act::Expect(pattern) if pattern == "ugiok");
            if is_greeted && let Some(need) = needs.iter().find(|need| !is_met(self.session.identity(), need))
            {
                return Err(Stop::Skip(lacking(need)));
            }
        }
        Ok(())
    }

    fn tell(&mut self, line: &str) -> Step {
        let word = first_word(line);
        if word == "legal" {
            self.legal = line.split(' ').skip(1).map(str::to_owned).collect();
        }
        let is_wanted = self.session.identity().wants.iter().any(|wanted| wanted == word);
        if is_wanted || !ON_DEMAND.contains(&word) {
            self.session.say(&format!("{line}\n"));
        }
        Ok(())
    }

    /// Waits for the answer that this pattern asks for, if it asks for one.
    fn expect(&mut self, pattern: &str) -> Step {
        let word = first_word(pattern);
        if !ANSWERS.contains(&word) {
            return Ok(());
        }
        let limit = std::mem::replace(&mut self.patience, PATIENCE);
        match self.answer(Instant::now() + limit)? {
            Heard::Said(_, line, _) if self.fits(pattern, &line) => Ok(()),
            Heard::Said(_, line, _) => {
                let line = printable_capped(&line, SHOWN);
                Err(self.fault(format!("`{line}` is no `{pattern}`")))
            }
            Heard::Closed => Err(self.session.died(&format!("before `{word}`")).into()),
            Heard::Silence => Err(self.session.silent(word, limit)?.into()),
        }
    }

    fn is_silent_for(&mut self, time: Duration) -> Step {
        match self.answer(Instant::now() + time)? {
            Heard::Said(_, line, _) => {
                let line = printable_capped(&line, SHOWN);
                Err(self.fault(format!("`{line}` within {} that were to be silent", seconds(time))))
            }
            Heard::Closed => Err(self.session.died("while it was to be silent").into()),
            Heard::Silence => Ok(()),
        }
    }

    fn ends(&mut self) -> Step {
        let limit = LAST_WORDS + self.margin;
        let deadline = Instant::now() + limit;
        if let Heard::Said(_, line, _) = self.answer(deadline)? {
            let line = printable_capped(&line, SHOWN);
            return Err(self.fault(format!("`{line}` was not asked for")));
        }
        match self.session.ended(deadline) {
            Some(_) => Ok(()),
            None => Err(self.fault(format!("the process lives on after {}", seconds(limit)))),
        }
    }

    /// Returns the next line that is an answer.
    fn answer(&mut self, deadline: Instant) -> Step<Heard> {
        loop {
            match self.session.hear(deadline)? {
                Heard::Said(_, line, _) if !ANSWERS.contains(&first_word(&line)) => {}
                heard => return Ok(heard),
            }
        }
    }

    fn fault(&self, what: String) -> Stop {
        Stop::from(self.session.fault(what, ""))
    }

    /// Returns whether a line is of a pattern. Pairs and `ponder` behind the plies of a `bestmove` are allowed.
    fn fits(&self, pattern: &str, line: &str) -> bool {
        let words: Vec<String> = match BotMessage::parse(line) {
            Ok(BotMessage::BestMove(answer)) => {
                let plies: Vec<_> = match &answer.choice {
                    Choice::Resign => vec!["resign".to_owned()],
                    // More plies of the turn are the bot's own business where one is asked for.
                    Choice::Plies(plies) if pattern == "bestmove %legal" => {
                        plies.iter().take(1).map(ToString::to_string).collect()
                    }
                    Choice::Plies(plies) => plies.iter().map(ToString::to_string).collect(),
                };
                std::iter::once("bestmove".to_owned()).chain(plies).collect()
            }
            _ => line.split(' ').map(str::to_owned).collect(),
        };
        let (mut patterns, mut words) = (pattern.split(' '), words.iter());
        loop {
            match (patterns.next(), words.next()) {
                (None, None) | (Some("%text"), Some(_)) => return true,
                (Some("%legal"), Some(word)) if self.legal.contains(word) => {}
                (Some(pattern), Some(word)) if pattern == word => {}
                _ => return false,
            }
        }
    }
}

/// Adds to a fault where the dialogue was broken, unless there is better advice.
fn at(stop: Stop, line: usize, text: &str) -> Stop {
    let Stop::Faults(faults) = stop else { return stop };
    let advice = format!("compare with line {line} of the dialogue: `{}`", printable_capped(text, SHOWN));
    let with = |fault: Fault| {
        if fault.is_unflushed { fault } else { Fault { advice: advice.clone(), is_advised: true, ..fault } }
    };
    Stop::Faults(faults.into_iter().map(with).collect())
}

fn is_met(identity: &Identity, need: &Need) -> bool {
    match need {
        Need::Plays(game, options) => identity.plays(game, options, None),
        Need::Can(words) => words.iter().all(|word| identity.abilities.contains(word)),
        Need::Want(words) => words.iter().all(|word| identity.wants.contains(word)),
    }
}

fn lacking(need: &Need) -> String {
    match need {
        Need::Plays(game, options) => {
            let options: String = options.iter().map(|(key, value)| format!(" {key}={value}")).collect();
            format!("the bot does not play {game}{options}")
        }
        Need::Can(words) => format!("the bot does not declare `can {}`", words.join(" ")),
        Need::Want(words) => format!("the bot does not declare `want {}`", words.join(" ")),
    }
}

fn first_word(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}
