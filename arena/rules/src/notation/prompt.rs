//! What the seat that decides should do, in words, and why it cannot do what it tried.
//!
//! Like [`clicks`](crate::clicks()), this uses only the position string and the legal plies.

use crate::{PlyEntry, Referee, Rejection, Setup};

/// Returns what the seat that decides may do now, as an imperative without a full stop: `choose which school survives: one of
/// the marked groups`. It is empty when the game is over. For a game that is not built in, it explains how a ply is made.
///
/// ```
/// let setup = rules::find("frenzy").unwrap().setup(&[]).unwrap();
/// let referee = setup.referee(None).unwrap();
/// let words = rules::prompt(&setup, &referee.position(), &referee.legal());
/// assert_eq!(words, "place a shark: choose the fish that it replaces (2 to place)");
/// ```
#[must_use]
pub fn prompt(setup: &Setup, position: &str, legal: &[String]) -> String {
    let game = setup.game();
    let position = PositionFields::of(position);
    let has = |is: &dyn Fn(&str) -> bool| legal.iter().any(|ply| is(ply));
    let words = match (game.id, legal) {
        (_, []) => "",
        (_, [only]) if only == "pass" => "pass: no other ply is legal",
        ("frenzy", _) if position.is("phase", "keep") => {
            "choose which school survives: one of the marked groups"
        }
        ("2-frenzy", _) if position.is("phase", "keep") => {
            if position.is("school", position.seat) {
                "choose which of your own schools survives: one of the marked groups"
            } else {
                "choose which of your opponent's schools survives: one of the marked groups"
            }
        }
        ("frenzy", _) if position.is("phase", "sharks") => {
            return format!(
                "place a shark: choose the fish that it replaces ({} to place)",
                position.get("left")
            );
        }
        ("2-frenzy", _) if position.is("phase", "sharks") => {
            return format!(
                "place a shark: choose the enemy fish that it captures ({} to place)",
                position.get("left")
            );
        }
        ("frenzy", _) if position.seat == "p1" => "move a shark: it eats a fish next to it",
        ("frenzy", _) => "move a fish: one step, or a chain of hops over fish next to it",
        ("2-frenzy", _) if position.is("left", "1") => {
            return format!(
                "second ply of the turn: move another animal than the one on {}",
                position.get("used")
            );
        }
        ("2-frenzy", _) => "first ply of the turn: move a fish, or capture with a shark",
        ("fanorona", _) if has(&|ply| ply.contains(['+', '-'])) => {
            "capture: choose a stone that moves towards enemy stones or away from them"
        }
        ("fanorona", _) => "move a stone along a line: nothing can be captured",
        ("faust", _) if has(&|ply| ply == "swap") => "place a disc, flip discs, or swap the colours",
        ("faust", _) if has(&|ply| ply.contains('x')) => {
            "place a disc, or flip enemy discs: a walled rectangle or a pattern"
        }
        ("faust", _) => "place a disc: nothing can be flipped",
        ("sophia", _) => {
            let goal = match (position.get("c").starts_with('A'), position.seat) {
                (true, "p1") | (false, "p2") => "light",
                _ => "dark",
            };
            let deed = if has(&|ply| ply == "swap") {
                "drop a stone, or swap the goals"
            } else if has(&|ply| ply.starts_with(['L', 'D'])) {
                "drop a stone, light or dark side up"
            } else {
                "step with a stone, or jump over one, which turns over"
            };
            return format!("{deed}; your goal is a line of {goal} stones");
        }
        ("farook", _) => {
            let drops = has(&|ply| !ply.starts_with('W') && ply.len() == 2);
            match (drops, has(&|ply| ply.len() == 4), has(&|ply| ply.starts_with('W'))) {
                (true, false, false) => "drop a stone on an empty cell",
                (true, true, false) => "drop a stone, or step or jump with one of yours",
                (true, true, true) => "drop a stone of yours or a wild one, or move one",
                (true, false, true) => "drop a stone of yours or a wild one",
                (false, true, true) => "move a stone, or drop a wild one",
                (false, false, true) => "drop a wild stone",
                (false, ..) => "move a stone: your hand is empty",
            }
        }
        _ => match game.look().map(|look| look.entry) {
            Some(PlyEntry::To) => "choose a cell",
            Some(PlyEntry::FromTo) => "choose a piece and where it goes",
            Some(PlyEntry::Path) => "choose the cells of a ply, one after the other",
            Some(PlyEntry::List) | None => "choose a ply",
        },
    };
    words.to_owned()
}

/// Returns why the rules refuse the cells that a user chose, in order. `None` if the cells do not form the spelling of any ply.
#[must_use]
pub fn refusal(referee: &dyn Referee, cells: &[&str]) -> Option<String> {
    let together = cells.concat();
    // With the sign of a capture, and with that of a dropped piece.
    let tried = [together.clone(), format!("{together}+"), format!("{together}-"), format!("S{together}")];
    tried.iter().find_map(|ply| match referee.fork().submit(ply) {
        Err(Rejection::Illegal(words)) => Some(words),
        Err(Rejection::NotAPly(_) | Rejection::Rules(_)) | Ok(()) => None,
    })
}

/// The seat and the keys of a position string.
struct PositionFields<'a> {
    seat: &'a str,
    fields: Vec<(&'a str, &'a str)>,
}

impl<'a> PositionFields<'a> {
    fn of(position: &'a str) -> Self {
        let mut words = position.split(' ').skip(1);
        let seat = words.next().unwrap_or_default();
        Self { seat, fields: words.filter_map(|word| word.split_once('=')).collect() }
    }

    fn get(&self, key: &str) -> &'a str {
        self.fields.iter().find(|(name, _)| *name == key).map_or("", |(_, value)| value)
    }

    fn is(&self, key: &str, value: &str) -> bool {
        self.get(key) == value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(game: &str, options: &[(&str, &str)], from: Option<&str>, expected: &str) {
        let setup = crate::find(game).unwrap().setup(options).unwrap();
        let referee = setup.referee(from).unwrap();
        let words = prompt(&setup, &referee.position(), &referee.legal());
        assert!(words.starts_with(expected), "{words}");
    }

    #[test]
    fn every_phase_is_named() {
        check("frenzy", &[], None, "place a shark: choose the fish that it replaces (2 to place)");
        let tie = "8/6s1/8/f1f5/1f1f4/2s5/f1f5/1f1f4 p1 phase=keep turn=p1 n=17";
        check("frenzy", &[], Some(tie), "choose which school survives");
        check("frenzy", &[], Some("8/6s1/8/f1f5/1f1f4/2fs4/f1f5/1f1f4 p1 phase=play n=17"), "move a shark");
        check("frenzy", &[], Some("8/8/8/8/8/8/1ff5/f2s4 p2 phase=play n=2"), "move a fish");
        check("frenzy", &[], Some("8/8/8/8/8/8/ss6/fs6 p2 phase=play n=6"), "pass: no other");
        check("2-frenzy", &[], None, "place a shark: choose the enemy fish");
        check("fanorona", &[], None, "capture:");
        check("fanorona", &[], Some("9/b8/9/9/8w p1 quiet=3"), "move a stone along a line");
        check("faust", &[], None, "place a disc: nothing");
        check("faust", &[("size", "4")], Some("4/4/4/b3 p2 c=bw n=1"), "place a disc, flip discs, or swap");
        check(
            "sophia",
            &[],
            None,
            "drop a stone, light or dark side up; your goal is a line of light stones",
        );
        check("farook", &[], None, "drop a stone on an empty cell");
        check(
            "farook",
            &[],
            Some("4/4/4/w3 p1 stock=5,6,2 last=-,- ko=- n=1"),
            "drop a stone, or step or jump",
        );
    }

    #[test]
    fn every_position_of_every_game_has_words_until_it_is_over() {
        for game in crate::GAMES {
            let setup = game.setup(&[]).unwrap();
            let mut referee = setup.referee(None).unwrap();
            for step in 0..400_usize {
                let legal = referee.legal();
                let words = prompt(&setup, &referee.position(), &legal);
                assert_eq!(words.is_empty(), legal.is_empty(), "{}: {}", game.id, referee.position());
                let Some(ply) = legal.get(step.wrapping_mul(7919) % legal.len().max(1)) else { break };
                referee.submit(ply).unwrap();
            }
        }
    }

    #[test]
    fn a_refusal_is_that_of_the_rules() {
        let refused = |game: &str, from: Option<&str>, cells: &[&str]| {
            let referee = crate::find(game).unwrap().setup(&[]).unwrap().referee(from).unwrap();
            refusal(&*referee, cells)
        };
        assert_eq!(refused("fanorona", None, &["b2", "b4"]).as_deref(), Some("no line joins b2 and b4"));
        let placed = "4/4/4/w3 p2 stock=5,6,2 last=-,- ko=- n=1";
        assert_eq!(refused("farook", Some(placed), &["a1"]).as_deref(), Some("a1 is not empty"));
        assert!(refused("frenzy", None, &["a1"]).is_some());
        assert_eq!(refused("fanorona", None, &["zz"]), None);
    }
}
