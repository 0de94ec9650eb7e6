//! What shows on the board why a game is over, and the same in words.
//!
//! If the result consists in something being absent (no stone left, a cap), there is nothing to show and only words remain.

use crate::{Cell, Outcome, Places, Reason, Seat, Verdict};

/// Cells of a final position that show why the game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The kind of the cells.
    pub shape: ProofShape,
    /// The seat that wins by them. For [`ProofShape::Stuck`], the seat whose pieces are on them.
    pub seat: Seat,
    /// The cells. Those of a row are in order from one end to the other.
    pub cells: Vec<Cell>,
}

/// The kind of the cells of a [`Proof`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofShape {
    /// Adjacent cells on a straight line (Farook, Sophia).
    Row,
    /// Two by two cells (Farook).
    Square,
    /// The corners of the board (Farook).
    Corners,
    /// The cells of pieces that cannot do what they must: sharks that cannot eat (Frenzy), stones that cannot move (Fanorona).
    Stuck,
}

impl ProofShape {
    /// Returns the name that programs use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Square => "square",
            Self::Corners => "corners",
            Self::Stuck => "stuck",
        }
    }
}

/// The end of a game by its rules: the verdict, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Who won, and why.
    pub verdict: Verdict,
    /// What shows it on the board, the winner's first; empty if only the absence of something does.
    pub proofs: Vec<Proof>,
    /// The reason in the words of a game of one's own; `None` if it gives none, and for built-in games.
    pub own_words: Option<String>,
}

impl End {
    /// Returns an end with a verdict only.
    #[must_use]
    pub const fn plain(verdict: Verdict) -> Self {
        Self { verdict, proofs: Vec::new(), own_words: None }
    }

    /// Returns why the game is over, in a phrase without a full stop: `p1 has the row a1 b1 c1 d1`.
    #[must_use]
    pub fn words(&self) -> String {
        if let Some(words) = &self.own_words {
            return words.clone();
        }
        if let Outcome::Places(places) = self.verdict.outcome
            && let Some(words) = table_words(places, self.verdict.reason)
        {
            return words;
        }
        let loser = match self.verdict.outcome {
            Outcome::Win(seat) => Some(seat.other()),
            Outcome::Draw | Outcome::Places(_) => None,
        };
        let lacks = |what: &str| loser.map_or_else(String::new, |seat| format!("{seat} has no {what} left"));
        match self.verdict.reason {
            Reason::Pattern | Reason::BothPatterns | Reason::Line | Reason::BothLines => self.made(),
            Reason::Annihilated => lacks("disc"),
            Reason::NoFish => lacks("fish"),
            Reason::NoSharks => lacks("shark"),
            Reason::NoStones => lacks("stone"),
            Reason::BothLost => "each seat has lost its fish or its sharks".to_owned(),
            Reason::AllLost => "all remaining seats have lost their fish or their sharks".to_owned(),
            Reason::Fault => "all other seats are out".to_owned(),
            Reason::SharksImmobilized => format!("no shark has a fish beside it{}", self.stuck()),
            Reason::NoLegalPly => match loser {
                Some(seat) => format!("{seat} has no stone that can move{}", self.stuck()),
                None => "neither seat has a legal ply".to_owned(),
            },
            Reason::MaxMoves => "the cap on plies is reached".to_owned(),
            Reason::MaxTurns => "the cap on turns is reached".to_owned(),
            Reason::QuietCap => "the cap on plies without a capture is reached".to_owned(),
            Reason::Repetition => "the same position was reached for the third time".to_owned(),
            Reason::Own(own) => own.code().replace('-', " "),
        }
    }

    /// Returns whether a proof belongs to a seat that does not win although it has it, because both have one and the rules
    /// prefer the other.
    #[must_use]
    pub fn is_beaten(&self, proof: &Proof) -> bool {
        let winner = self.verdict.outcome.winner();
        proof.shape != ProofShape::Stuck && winner.is_some_and(|winner| winner != proof.seat)
    }

    /// Returns the patterns of each seat.
    fn made(&self) -> String {
        let of = |seat: Seat| {
            let made = self.proofs.iter().filter(|proof| proof.seat == seat);
            let made: Vec<_> =
                made.map(|proof| format!("the {} {}", proof.shape.name(), names(&proof.cells))).collect();
            (!made.is_empty()).then(|| format!("{seat} has {}", made.join(" and ")))
        };
        let first = self.verdict.outcome.winner().unwrap_or(Seat::P1);
        [first, first.other()].into_iter().filter_map(of).collect::<Vec<_>>().join("; ")
    }

    fn stuck(&self) -> String {
        let cells: Vec<_> = self.proofs.iter().map(|proof| names(&proof.cells)).collect();
        if cells.is_empty() { String::new() } else { format!(": {}", cells.join(" ")) }
    }
}

/// Returns why a game at a table of more than two seats is over, if one seat outlives the others.
fn table_words(places: Places, reason: Reason) -> Option<String> {
    let winner = places.winner()?;
    // The seats that went out last.
    let last = places.iter().filter(|(_, place)| *place == 2).map(|(seat, _)| seat.to_string());
    let last = last.collect::<Vec<_>>().join(" and ");
    let why = match reason {
        Reason::NoFish => format!("{last} lost the last fish"),
        Reason::NoSharks => format!("{last} lost the last shark"),
        Reason::Fault => format!("{last} committed a fault"),
        _ => return None,
    };
    Some(format!("{why}, so only {winner} is left"))
}

fn names(cells: &[Cell]) -> String {
    cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how the game ends in this position, in words, and the cells that show it.
    fn end(game: &str, options: &[(&str, &str)], position: &str) -> (String, Vec<String>) {
        let setup = crate::find(game).expect("a game").setup(options).expect("options");
        let end = setup.referee(Some(position)).expect("a position").end().expect("the game is over");
        let proof = |proof: &Proof| format!("{} {} {}", proof.seat, proof.shape.name(), names(&proof.cells));
        (end.words(), end.proofs.iter().map(proof).collect())
    }

    fn check(game: &str, options: &[(&str, &str)], position: &str, words: &str, proofs: &[&str]) {
        assert_eq!(
            end(game, options, position),
            (words.to_owned(), proofs.iter().map(|p| (*p).to_owned()).collect())
        );
    }

    #[test]
    fn a_game_that_goes_on_has_no_end() {
        for game in crate::GAMES {
            assert_eq!(game.setup(&[]).expect("defaults").referee(None).expect("a start").end(), None);
        }
    }

    #[test]
    fn every_pattern_of_the_winner_is_shown() {
        let position = "4/4/ww2/wwww p2 stock=0,6,2 last=-,- ko=- n=11";
        let words = "p1 has the row a1 b1 c1 d1 and the square a1 b1 a2 b2";
        check("farook", &[], position, words, &["p1 row a1 b1 c1 d1", "p1 square a1 b1 a2 b2"]);
    }

    #[test]
    fn wild_stones_count_once_a_stock_is_empty() {
        let position = "w2x/3w/b1w1/wb1w p2 stock=0,2,1 last=-,- ko=- n=14";
        check("farook", &[], position, "p1 has the corners a1 d1 a4 d4", &["p1 corners a1 d1 a4 d4"]);
    }

    #[test]
    fn both_patterns_of_a_draw_are_shown() {
        let position = "bbbb/4/4/wwww p2 stock=2,2,2 last=-,- ko=- n=8";
        let words = "p1 has the row a1 b1 c1 d1; p2 has the row a4 b4 c4 d4";
        check("farook", &[], position, words, &["p1 row a1 b1 c1 d1", "p2 row a4 b4 c4 d4"]);
    }

    #[test]
    fn a_line_is_shown_whole_and_with_all_others() {
        let position = "5/5/4A/5/AAAAA p2 stock=5,11 c=AB n=6";
        check(
            "sophia",
            &[("size", "5")],
            position,
            "p1 has the row a1 b1 c1 d1 e1",
            &["p1 row a1 b1 c1 d1 e1"],
        );
        let position = "a3/1b2/2a1/bbba p1 stock=3,3 c=AB n=8";
        let words = "p2 has the row a1 b1 c1 d1 and the row d1 c2 b3 a4";
        check("sophia", &[], position, words, &["p2 row a1 b1 c1 d1", "p2 row d1 c2 b3 a4"]);
    }

    #[test]
    fn both_lines_are_shown_the_winners_first() {
        let position = "bbbb/4/4/AAAA p1 stock=0,0 c=AB n=20";
        let words = "p2 has the row a4 b4 c4 d4; p1 has the row a1 b1 c1 d1";
        check("sophia", &[], position, words, &["p2 row a4 b4 c4 d4", "p1 row a1 b1 c1 d1"]);
        let words = "p1 has the row a1 b1 c1 d1; p2 has the row a4 b4 c4 d4";
        let proofs = ["p1 row a1 b1 c1 d1", "p2 row a4 b4 c4 d4"];
        check("sophia", &[("both", "opponent")], position, words, &proofs);
    }

    #[test]
    fn lines_that_do_not_count_are_not_shown() {
        let position = "3A/2A1/1A2/AAAA p2 stock=0,7 c=AB n=8";
        let words = "p1 has the row a1 b1 c1 d1";
        check("sophia", &[("lines", "orthogonal")], position, words, &["p1 row a1 b1 c1 d1"]);
    }

    #[test]
    fn sharks_that_cannot_eat_are_shown() {
        let position = "7s/8/8/8/8/8/s7/3f4 p1 phase=play n=9";
        check("frenzy", &[], position, "no shark has a fish beside it: a2 h8", &["p1 stuck a2 h8"]);
    }

    #[test]
    fn stones_that_cannot_move_are_shown() {
        let position = "wbw/wbw/wbw p2 quiet=3";
        let words = "p2 has no stone that can move: b1 b2 b3";
        check("fanorona", &[("size", "3x3")], position, words, &["p2 stuck b1 b2 b3"]);
    }

    #[test]
    fn what_is_gone_is_told_in_words_alone() {
        check("frenzy", &[], "8/8/8/8/8/8/s7/8 p2 phase=play n=9", "p2 has no fish left", &[]);
        check("fanorona", &[("size", "3x3")], "3/1w1/3 p2 quiet=0", "p2 has no stone left", &[]);
        check("faust", &[("size", "3")], "3/1b1/b2 p2 c=bw n=5", "p2 has no disc left", &[]);
        let one = "8/8/8/8/8/8/sF6/S7 p1 phase=play left=2 used=- n=9";
        check("2-frenzy", &[], one, "p2 has no fish left", &[]);
        let two = "8/8/8/8/8/8/fF6/S7 p1 phase=play left=2 used=- n=9";
        check("2-frenzy", &[], two, "p2 has no shark left", &[]);
        let both = "8/8/8/8/8/8/1F6/1s6 p1 phase=play left=2 used=- n=9";
        check("2-frenzy", &[], both, "each seat has lost its fish or its sharks", &[]);
    }

    #[test]
    fn caps_and_repetition_are_told_in_words_alone() {
        let words = "the cap on plies is reached";
        check("farook", &[], "4/4/4/4 p1 stock=6,6,2 last=-,- ko=- n=50", words, &[]);
        let words = "the cap on plies without a capture is reached";
        check("fanorona", &[("size", "3x3")], "b2/3/w2 p1 quiet=100", words, &[]);
        let setup = crate::find("fanorona").expect("a game").setup(&[]).expect("options");
        let mut referee = setup.referee(Some("b8/9/9/9/8w p1 quiet=0")).expect("a position");
        for ply in ["i1i2", "a5a4", "i2i1", "a4a5", "i1i2", "a5a4", "i2i1", "a4a5"] {
            referee.submit(ply).expect("legal");
        }
        let end = referee.end().expect("the game is over");
        assert_eq!(
            (end.words().as_str(), end.proofs),
            ("the same position was reached for the third time", vec![])
        );
    }
}
