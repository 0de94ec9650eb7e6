//! The question of a run with `schedule: rank | best` as text.

use std::fmt::Write as _;

use stats::{Evidence, Goal, RankingVerdict};

use crate::tables::notes;
use crate::writing::number::{fixed, percent};
use crate::{Look, Ranking};

/// The most open statements that are listed.
const MOST_OPEN: usize = 10;

/// A statement to prove: the first bot is stronger than the second.
type Statement = (usize, usize);

/// Returns one line for a display during play: how much is proved.
#[must_use]
pub fn ranking_line(ranking: &Ranking) -> String {
    let pairs = ranking.pairs();
    match ranking.settled() {
        Some(settled) => format!("{} is settled after {settled} pairs", subject(ranking.evidence().goal())),
        None => {
            let statements = statements(ranking);
            let proved = statements.iter().filter(|&&(one, other)| ranking.evidence().proves(one, other));
            let (proved, all) = (proved.count(), statements.len());
            match ranking.evidence().goal() {
                Goal::Rank => format!("{proved} of {all} neighbours in order are proved, {pairs} pairs"),
                Goal::Best => {
                    format!("{proved} of {all} bots are proved weaker than the first, {pairs} pairs")
                }
            }
        }
    }
}

/// Returns the verdict: the order or the best bot, or the open statements.
#[must_use]
pub(crate) fn ranking_text(ranking: &Ranking, look: &Look) -> String {
    let evidence = ranking.evidence();
    let level = percent(Some(evidence.alpha()));
    let mut text = notes::wrapped(&[verdict(ranking)], look);
    if ranking.settled().is_none() {
        let open: Vec<Statement> =
            statements(ranking).into_iter().filter(|&(one, other)| !evidence.proves(one, other)).collect();
        for &(one, other) in open.iter().take(MOST_OPEN) {
            let _ = writeln!(text, "  open: {}", statement(ranking, one, other));
        }
        if open.len() > MOST_OPEN {
            let _ = writeln!(text, "  and {} more", open.len() - MOST_OPEN);
        }
    }
    let note = format!(
        "Meetings were chosen by the results. What is proved rests on evidence from direct meetings that holds however \
         often one looked and whoever met: false in at most {level} of such runs. LOS and errors of ratings do not allow \
         for the choice and prove nothing here."
    );
    text + &notes::wrapped(&[note], look)
}

/// Returns the verdict in words.
pub(crate) fn verdict(ranking: &Ranking) -> String {
    let names =
        |bots: &[usize]| bots.iter().map(|&bot| format!("`{}`", ranking.name(bot))).collect::<Vec<_>>();
    let after = ranking.settled().map_or_else(String::new, |pairs| format!(" after {pairs} pairs of games"));
    match ranking.verdict() {
        RankingVerdict::Order(order) => format!(
            "The order is settled{after}: {}. Each is proved stronger than the next.{}",
            names(&order).join(" > "),
            assumed(ranking, &order)
        ),
        RankingVerdict::Best(best) => format!(
            "The best bot is settled{after}: `{}` is stronger than every other, proved against each in their own meetings.",
            ranking.name(best)
        ),
        RankingVerdict::Circle(circle) if ranking.evidence().goal() == Goal::Best => format!(
            "It is settled{after} that there is no best bot: every bot is proved weaker than another. {} form a circle.",
            names(&circle).join(", ")
        ),
        RankingVerdict::Circle(circle) => format!(
            "It is settled{after} that there is no order: {} are proved stronger than each other in a circle.",
            names(&circle).join(", ")
        ),
        RankingVerdict::Open => format!(
            "{} is not settled after {} pairs of games.",
            subject(ranking.evidence().goal()),
            ranking.pairs()
        ),
    }
}

/// Returns which relations of an order are not proved: those between bots further apart.
fn assumed(ranking: &Ranking, order: &[usize]) -> String {
    let evidence = ranking.evidence();
    let apart = |place: usize| order.iter().skip(place + 2).map(move |&below| (order[place], below));
    let unproved: Vec<Statement> =
        (0..order.len()).flat_map(apart).filter(|&(one, other)| !evidence.proves(one, other)).collect();
    if unproved.is_empty() {
        return String::new();
    }
    let unmet = unproved.iter().filter(|&&(one, other)| evidence.meetings(one, other) == 0).count();
    format!(
        " For {} further apart this is assumed, not proved; {unmet} of them never met.",
        if unproved.len() == 1 {
            "1 pair of bots".to_owned()
        } else {
            format!("{} pairs of bots", unproved.len())
        }
    )
}

const fn subject(goal: Goal) -> &'static str {
    match goal {
        Goal::Rank => "The order",
        Goal::Best => "The best bot",
    }
}

/// Returns the statements that would settle the question if the ratings are correct: each bot against the next, or the first
/// against every other.
fn statements(ranking: &Ranking) -> Vec<Statement> {
    let order = ranking.by_rating();
    match ranking.evidence().goal() {
        Goal::Rank => order.windows(2).map(|pair| (pair[0], pair[1])).collect(),
        Goal::Best => order.iter().skip(1).map(|&other| (order[0], other)).collect(),
    }
}

fn statement(ranking: &Ranking, one: usize, other: usize) -> String {
    let evidence: &Evidence = ranking.evidence();
    let closed = if ranking.is_closed(one.min(other), one.max(other)) {
        "; they no longer meet: their games repeat earlier ones or do not count"
    } else {
        ""
    };
    format!(
        "`{}` > `{}`, evidence {} of {} from {} meetings{closed}",
        ranking.name(one),
        ranking.name(other),
        fixed(evidence.capital(one, other), 1),
        fixed(evidence.enough(), 0),
        evidence.meetings(one, other)
    )
}
