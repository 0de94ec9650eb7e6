//! The end of a game as the script of the pages reads it.

use board::Drawing;
use rules::{End, Proof};
use serde_json::{Value, json};

use crate::games::two_digits;

/// Returns why a game is over: the words for it, and what shows it on the board, each its shape, the places one after the other,
/// and 1 where it belongs to the seat that does not win.
pub(crate) fn end_value(drawing: &Drawing, end: &End) -> Value {
    let cells = &drawing.places()[..drawing.cells()];
    let proof = |proof: &Proof| {
        let names = proof.cells.iter().map(ToString::to_string);
        let places = names.filter_map(|name| cells.iter().position(|place| place.name == name));
        let places: String = places.flat_map(two_digits).collect();
        json!([proof.shape.name(), places, u8::from(end.is_beaten(proof))])
    };
    json!([end.words(), end.proofs.iter().map(proof).collect::<Vec<_>>()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lines_of_an_end_are_told_and_which_of_them_wins() {
        let setup = rules::find("sophia").expect("a game").setup(&[]).expect("defaults");
        let drawing = Drawing::of(&setup).expect("a drawing");
        let referee = setup.referee(Some("bbbb/4/4/AAAA p1 stock=0,0 c=AB n=20")).expect("a position");
        let end = referee.end().expect("the game is over");
        let words = "p2 has the row a4 b4 c4 d4; p1 has the row a1 b1 c1 d1";
        let proofs = json!([["row", "0c0d0e0f", 0], ["row", "00010203", 1]]);
        assert_eq!(end_value(&drawing, &end), json!([words, proofs]));
    }
}
