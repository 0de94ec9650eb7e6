//! Games of one's own: where their rules are, as a file or a command line names them.

use std::path::Path;
use std::sync::Arc;

use diagnostic::Diagnostic;
use own_games::{LoadError, Origin, ProgramLimits, RulesCarrier, RulesProgram};
use rules::{Catalogue, GameRef, RulesSource};

use crate::bots::{
    self, launcher,
    program::{Directories, Program, origin},
};
use crate::flags::words;
use crate::written::errors::{InputErrors, Spot};
use crate::written::raw::{RawBot, RawCommand, RawLimits, RawSandbox};

/// Where rules are, and what holds those that are programs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RulesPlace<'a> {
    /// The directory from which paths are taken, and in which programs run.
    pub base: &'a Path,
    /// How far bots without a `sandbox` of their own are confined, and programs of rules with them.
    pub sandbox: Option<&'a RawSandbox>,
    /// What the processes of such bots may use, and those of such programs.
    pub limits: Option<&'a RawLimits>,
    /// The files that a program reads besides those of its command.
    pub files: &'a [String],
}

impl<'a> RulesPlace<'a> {
    /// Returns a directory where nothing is said of programs.
    pub(crate) const fn of(base: &'a Path) -> Self {
        Self { base, sandbox: None, limits: None, files: &[] }
    }
}

/// Rules as they are named.
struct NamedRules {
    source: RulesSource,
    /// The command of a program as it was written: its digest is made of that, wherever the files lie.
    command: RawCommand,
    /// Which of their games is meant.
    game: Option<String>,
}

/// Loads a game and adds it to the catalogue; one that is there already is taken from there. `name` is the id under which it is
/// played, if it is not the one that its rules give it.
///
/// # Errors
/// Says what is wrong with the rules, or with their id.
pub(crate) fn add(
    line: &RawCommand,
    name: Option<&str>,
    place: &RulesPlace<'_>,
    catalogue: &mut Catalogue,
) -> Result<GameRef, Diagnostic> {
    let NamedRules { source, command, game } = source(line, place)?;
    let known = catalogue.own().find(|known| {
        let same = known.own_rules().is_some_and(|rules| {
            *rules.source() == source && game.as_deref().is_none_or(|game| game == rules.own_id())
        });
        same && name.is_none_or(|name| name == known.id)
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let (carrier, origin) = open(source, command, place)?;
    let game =
        own_games::load(carrier, game.as_deref(), name, origin).map_err(|fault| unfit(&fault.into()))?;
    catalogue.add(Arc::clone(&game)).map_err(|taken| {
        let id = game.id;
        Diagnostic::new(taken.to_string()).hint(format!(
            "give it another one at the top of the file: `rules: {{my-{id}: …}}`, and name that in `games`"
        ))
    })?;
    Ok(GameRef::Own(game))
}

/// Opens the rules that words on the command line name, to be asked without being played: each time another instance of a
/// module, another process of a program.
///
/// # Errors
/// Says what is wrong with the module or the command.
pub fn open_rules(words: &[String]) -> Result<Arc<dyn RulesCarrier>, Diagnostic> {
    // As everywhere else, a command in one word is split as a shell would.
    let line = match words {
        [word] => RawCommand::Line(word.clone()),
        words => RawCommand::Words(words.to_vec()),
    };
    let place = RulesPlace::of(Path::new("."));
    let NamedRules { source, command, .. } = source(&line, &place)?;
    Ok(open(source, command, &place)?.0)
}

/// Returns what carries questions to rules, and what is recorded of them.
fn open(
    source: RulesSource,
    command: RawCommand,
    place: &RulesPlace<'_>,
) -> Result<(Arc<dyn RulesCarrier>, Origin), Diagnostic> {
    match &source {
        RulesSource::Module(file) => own_games::open_module(file).map_err(|error| unfit(&error)),
        RulesSource::Program { .. } => {
            let (program, digest) = program(command, place)?;
            Ok((Arc::new(program), Origin { digest, source, module: None }))
        }
    }
}

fn unfit(error: &LoadError) -> Diagnostic {
    let diagnostic = Diagnostic::new(error.to_string());
    let hint = match error {
        LoadError::Module { error, .. } => error.hint(),
        LoadError::Rules(_) => Some("`arena check-game` says more about rules"),
    };
    match hint {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    }
}

/// Returns a program that can be asked, with its digest. It is checked, started, confined and told apart as a bot is.
fn program(command: RawCommand, place: &RulesPlace<'_>) -> Result<(RulesProgram, String), Diagnostic> {
    let as_bot = RawBot {
        name: Some("rules".to_owned()),
        cmd: Some(command),
        sandbox: place.sandbox.cloned(),
        limits: place.limits.cloned(),
        files: (!place.files.is_empty()).then(|| place.files.to_vec()),
        ..RawBot::default()
    };
    let mut errors = InputErrors::default();
    let found = bots::check_one(&as_bot, &Spot::top(), place.base, &bots::Usual::default(), &mut errors);
    let Some((_, bot)) = found.filter(|_| errors.is_empty()) else {
        return Err(Diagnostic::new(errors.into_failure("the rules", "").first()));
    };
    let launcher = launcher::launcher().map_err(|failure| Diagnostic::new(failure.to_string()))?;
    let program = RulesProgram::new(bot.launch.to_process_spec(), launcher, ProgramLimits::default())
        .map_err(|error| Diagnostic::new(format!("failed to prepare for asking the rules: {error}")))?;
    Ok((program, bot.digest))
}

/// Returns where the rules are, and which of their games is meant: `all.wasm#dao`.
fn source(line: &RawCommand, place: &RulesPlace<'_>) -> Result<NamedRules, Diagnostic> {
    let base = place.base;
    let (line, game) = match line {
        RawCommand::Line(text) => match text.rsplit_once('#') {
            Some((text, game)) => (RawCommand::Line(text.trim_end().to_owned()), Some(game.to_owned())),
            None => (line.clone(), None),
        },
        RawCommand::Words(words) => match words.split_last() {
            Some((last, words)) if last.starts_with('#') => {
                (RawCommand::Words(words.to_vec()), Some(last[1..].to_owned()))
            }
            _ => (line.clone(), None),
        },
    };
    let alone = match &line {
        // A command has several words, unless they are the name of one file.
        RawCommand::Line(text) => Some(text.trim()).filter(|text| {
            base.join(text).is_file() || words::split(text).is_none_or(|words| words.len() == 1)
        }),
        RawCommand::Words(words) => words.first().filter(|_| words.len() == 1).map(String::as_str),
    };
    if let Some((mut named, text)) = alone.and_then(|text| Some((own_games::named_source(text, base)?, text)))
    {
        let command = match &mut named {
            RulesSource::Program { command, .. } => {
                // What is recorded is what the digest covers, so that it can be typed again.
                command.pop();
                command.push(text.to_owned());
                RawCommand::Words(command.clone())
            }
            RulesSource::Module(_) => line,
        };
        return Ok(NamedRules { source: with_files(named, place)?, command, game });
    }
    let line = with_own_executable(line);
    let program = Program::command(&line, Directories { base, dir: base, origin: &origin(base) })?;
    let words = program.args.iter().map(|word| word.to_string_lossy().into_owned());
    let command = [program.program.to_string_lossy().into_owned()].into_iter().chain(words).collect();
    let source = RulesSource::Program { command, directory: base.to_owned(), files: place.files.to_vec() };
    Ok(NamedRules { source, command: line, game })
}

/// Returns the rules with the files that they read.
///
/// # Errors
/// When a module is given some: it reads no files.
fn with_files(source: RulesSource, place: &RulesPlace<'_>) -> Result<RulesSource, Diagnostic> {
    match source {
        RulesSource::Module(_) if !place.files.is_empty() => {
            Err(Diagnostic::new("a module reads no files")
                .hint("`files` are those of a program: leave them out"))
        }
        RulesSource::Module(_) => Ok(source),
        RulesSource::Program { command, directory, .. } => {
            Ok(RulesSource::Program { command, directory, files: place.files.to_vec() })
        }
    }
}

/// Returns the command with this executable in place of the word `arena`: `arena rules` answers for the built-in games.
fn with_own_executable(line: RawCommand) -> RawCommand {
    let words = match &line {
        RawCommand::Words(words) => Some(words.clone()),
        RawCommand::Line(text) => words::split(text),
    };
    match (words, std::env::current_exe()) {
        (Some(mut words), Ok(own)) if words.first().is_some_and(|first| first == "arena") => {
            words[0] = own.to_string_lossy().into_owned();
            RawCommand::Words(words)
        }
        _ => line,
    }
}
