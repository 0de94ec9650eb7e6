//! When the arena ends games that their rules have not ended.

use diagnostic::Diagnostic;
use record::GameConfig;
use runner::{Contest, OpeningLength, OpeningSource};
use settings::{Adjudication, DrawRule, ResignRule};
use settings::{number, truth};

use crate::written::errors::{InputErrors, Spot};
use crate::written::raw::{RawDraw, RawFile, RawResign};
use settings::Complaint;

/// The turns of a rule that does not say how many.
const TURNS: u32 = 4;
/// The most turns that a rule may want.
const MOST_TURNS: u32 = 1000;
/// The greatest score that a rule may want, in hundredths of a game's unit.
const MOST_SCORE: u32 = 1_000_000;
/// The most plies of a limit.
const MOST_PLIES: u32 = 1_000_000;

/// Flags for the same; they come before what the file says.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Adjudication, off unless set")]
pub struct Flags {
    /// A bot that says it is SCORE hundredths behind in TURNS own turns has lost, if its opponent agrees; with `:one` at
    /// the end its own word suffices: `800x4`, `800x4:one`
    #[arg(long, value_name = "SCORExTURNS")]
    pub resign: Option<String>,
    /// A game is drawn when both bots are within SCORE hundredths of zero in TURNS own turns, not before the turn after
    /// the colon: `10x8:40`
    #[arg(long, value_name = "SCORExTURNS")]
    pub draw: Option<String>,
    /// A game ends after N plies: the greater count of stones, discs or animals wins
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_plies: Option<String>,
}

impl Flags {
    /// Replaces what the file says by what the command line says.
    pub fn apply(&self, raw: &mut RawFile) {
        let Self { resign, draw, max_plies } = self;
        if let Some(text) = resign {
            let (rule, word) =
                text.split_once(':').map_or((&**text, None), |(rule, word)| (rule, Some(word)));
            let (score, turns) = split(rule);
            // Any other word is wrong, and told as the truth value that it is not.
            let both = word.map(|word| if word == "one" { "false" } else { word }.to_owned());
            raw.adjudicate.get_or_insert_default().resign = Some(RawResign { score, turns, both });
            raw.flags.insert("adjudicate.resign", "--resign");
        }
        if let Some(text) = draw {
            let (rule, after) =
                text.split_once(':').map_or((&**text, None), |(rule, after)| (rule, Some(after)));
            let (score, turns) = split(rule);
            let after = after.map(str::to_owned);
            raw.adjudicate.get_or_insert_default().draw = Some(RawDraw { score, turns, after });
            raw.flags.insert("adjudicate.draw", "--draw");
        }
        if let Some(plies) = max_plies {
            raw.adjudicate.get_or_insert_default().plies = Some(plies.clone());
            raw.flags.insert("adjudicate.plies", "--max-plies");
        }
    }
}

/// Splits `800x4` into its score and its turns.
fn split(rule: &str) -> (Option<String>, Option<String>) {
    let (score, turns) = rule.split_once('x').map_or((rule, None), |(score, turns)| (score, Some(turns)));
    (Some(score.to_owned()), turns.map(str::to_owned))
}

/// Checks the adjudication of a tournament with these games.
pub(crate) fn check(
    raw: &RawFile,
    games: &[(GameConfig, Contest)],
    errors: &mut InputErrors,
) -> Adjudication {
    let Some(written) = &raw.adjudicate else { return Adjudication::default() };
    let spot = |key: &'static str, whole: &'static str| match raw.flags.get(whole) {
        Some(flag) => Spot::Flag(flag),
        None => raw.spot("adjudicate").key(key),
    };
    let resign = written.resign.as_ref().and_then(|rule| {
        let spot = spot("resign", "adjudicate.resign");
        let score = score(rule.score.as_deref(), "resign", "800", 1, &spot, errors);
        let turns = turns(rule.turns.as_deref(), &spot, errors);
        let both = rule
            .both
            .as_deref()
            .map(|text| truth(text).map_err(|complaint| errors.complain(&spot.key("both"), &complaint)));
        Some(ResignRule { score: score?, turns: turns?, both: both.unwrap_or(Ok(true)).ok()? })
    });
    let draw = written.draw.as_ref().and_then(|rule| {
        let spot = spot("draw", "adjudicate.draw");
        let score = score(rule.score.as_deref(), "draw", "10", 0, &spot, errors);
        let turns = turns(rule.turns.as_deref(), &spot, errors);
        let after = rule.after.as_deref().map_or(Ok(0), |text| number(text, 0..=MOST_PLIES, "40"));
        let after = after.map_err(|complaint| errors.complain(&spot.key("after"), &complaint));
        Some(DrawRule { score: score?, turns: turns?, after: after.ok()? })
    });
    let plies = written.plies.as_deref().and_then(|text| {
        let spot = spot("plies", "adjudicate.plies");
        let plies = number(text, 1..=MOST_PLIES, "200")
            .map_err(|complaint| errors.complain(&spot, &complaint))
            .ok()?;
        let longest = games.iter().map(|(game, contest)| (game, longest_opening(&contest.openings)));
        if let Some((game, length)) = longest.into_iter().find(|(_, length)| *length >= plies) {
            let message = format!("a limit of {plies} plies ends {} in an opening of {length}", game.label);
            errors
                .add(&spot, Diagnostic::new(message).hint("allow more plies, or make the openings shorter"));
        }
        Some(plies)
    });
    Adjudication { resign, draw, plies }
}

/// Returns how many plies the longest opening has at least.
fn longest_opening(source: &OpeningSource) -> u32 {
    match source {
        // A turn has a ply or more.
        OpeningSource::Random {
            length: OpeningLength::Plies(count) | OpeningLength::Turns(count), ..
        } => *count,
        OpeningSource::Listed(openings) => {
            openings.iter().map(|opening| opening.plies.len() as u32).max().unwrap_or(0)
        }
    }
}

fn score(
    text: Option<&str>,
    rule: &str,
    example: &str,
    least: u32,
    spot: &Spot,
    errors: &mut InputErrors,
) -> Option<u32> {
    let Some(text) = text else {
        let message = format!("the rule `{rule}` lacks its `score`, in hundredths of a game's unit");
        errors.lack(
            spot,
            &["score"],
            Diagnostic::new(message).hint(format!("for example `score: {example}`")),
        );
        return None;
    };
    let score = number(text, least..=MOST_SCORE, example);
    score.map_err(|complaint: Complaint| errors.complain(&spot.key("score"), &complaint)).ok()
}

fn turns(text: Option<&str>, spot: &Spot, errors: &mut InputErrors) -> Option<u32> {
    let turns = text.map_or(Ok(TURNS), |text| number(text, 1..=MOST_TURNS, "4"));
    turns.map_err(|complaint| errors.complain(&spot.key("turns"), &complaint)).ok()
}
