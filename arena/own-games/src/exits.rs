//! What answers say at tables of more than two seats: places, and the seats that are out.

use rules::{Places, Reason, Seat, SeatOut};

use crate::answers::{self, PositionAnswer};

impl PositionAnswer {
    /// Holds what must be true of what an answer says of places and of seats that are out. At a table of two there is neither.
    ///
    /// # Errors
    /// Says what is wrong with it, in a phrase.
    pub fn check_table(&self, seats: usize) -> Result<(), String> {
        if seats == 2 {
            return Ok(());
        }
        if let Some(places) = &self.places {
            let places = Places::new(places).map_err(|error| format!("`places`: {error}"))?;
            if self.result.as_deref() != Some(places.to_string().as_str()) {
                return Err("`places` is not the list that `result` is".to_owned());
            }
        }
        for (name, reason) in &self.exits {
            if !self.out.contains_key(name) {
                return Err(format!("`exits` has {name:?}, which is not in `out`"));
            }
            answers::reason(reason).map_err(|error| format!("`exits`: {error}"))?;
        }
        let out = self.read_out(seats)?;
        if self.result.is_some() {
            return Ok(());
        }
        places_if_left(&out, seats)?;
        if seats - out.len() < 2 {
            return Err(format!("the game goes on, but `out` leaves {} of {seats} seats", seats - out.len()));
        }
        match self.out.contains_key(&self.seat) {
            true => Err(format!("{} is to decide, but it is in `out`", self.seat)),
            false => Ok(()),
        }
    }

    /// Returns the seats that are out, in order, with the reasons that the answer gives.
    ///
    /// # Errors
    /// When one is no seat of the table.
    fn read_out(&self, seats: usize) -> Result<Vec<SeatOut>, String> {
        let read = |(name, place): (&String, &u8)| {
            let seat = answers::seat(name, seats)
                .ok_or_else(|| format!("`out` has {name:?}, which is no seat of a table of {seats}"))?;
            let reason = self.exits.get(name).and_then(|reason| answers::reason(reason).ok());
            Ok(SeatOut { seat, place: *place, reason })
        };
        self.out.iter().map(read).collect()
    }

    /// Returns the seats that are out, in order. The answer has been checked; at a table of two none ever is.
    pub(crate) fn seats_out(&self, seats: usize) -> Vec<SeatOut> {
        if seats == 2 {
            Vec::new()
        } else {
            self.read_out(seats).expect("a checked answer has seats in `out`")
        }
    }
}

/// Returns the places at the end of a game that stops undecided: the seats that are left share the first one.
///
/// # Errors
/// When seats are out with places that cannot be theirs while others play on.
pub(crate) fn places_if_left(out: &[SeatOut], seats: usize) -> Result<Places, String> {
    let left = seats - out.len();
    if let Some(out) = out.iter().find(|out| usize::from(out.place) <= left) {
        return Err(format!(
            "`out` gives {} the place {}, but {left} seats are left, which come before it",
            out.seat, out.place
        ));
    }
    let place = |seat: Seat| out.iter().find(|out| out.seat == seat).map_or(1, |out| out.place);
    let places: Vec<_> = Seat::all(seats).map(place).collect();
    Places::new(&places).map_err(|error| format!("`out`: {error}"))
}

/// Returns the word that stands among plies for a fault of a seat: no ply is spelled like it.
#[must_use]
pub fn fault_word(seat: Seat) -> String {
    format!("fault.{seat}")
}

/// Returns the seats that are out after a ply, or after a fault of the seat `faulty`, as a checked answer says it. Those with which
/// the game ends are not among them: they have their places in its result.
///
/// # Errors
/// Says how the answer contradicts what was told before it.
pub fn seats_after(
    before: &[SeatOut],
    answer: &PositionAnswer,
    seats: usize,
    faulty: Option<Seat>,
) -> Result<Vec<SeatOut>, String> {
    if seats == 2 {
        return Ok(Vec::new());
    }
    if let Some(result) = &answer.result {
        let places: Places = result.parse().expect("a checked answer has a result");
        let has_place = |out: &&SeatOut| places.of_seat(out.seat) == Some(out.place);
        if let Some(out) = before.iter().find(|out| !has_place(out)) {
            return Err(format!(
                "{} went out with the place {}, but the result is {places}",
                out.seat, out.place
            ));
        }
        let is_in = |seat: &Seat| before.iter().all(|out| out.seat != *seat);
        let is_behind = |seat: Seat| {
            let others = Seat::all(seats).filter(is_in).filter(|other| *other != seat);
            others.into_iter().all(|other| places.of_seat(other) < places.of_seat(seat))
        };
        return match faulty.filter(|seat| !is_behind(*seat)) {
            Some(seat) => Err(format!(
                "{seat} has committed a fault, but the result {places} does not place it behind all that were in"
            )),
            None => Ok(before.to_vec()),
        };
    }
    let mut out = answer.seats_out(seats);
    for known in before {
        match out.iter_mut().find(|out| out.seat == known.seat) {
            Some(out) if out.place == known.place => out.reason = known.reason,
            _ => {
                return Err(format!(
                    "{} went out with the place {}, but `out` has it otherwise",
                    known.seat, known.place
                ));
            }
        }
    }
    if let Some(faulty) = faulty {
        let worst = (seats - before.len()) as u8;
        match out.iter_mut().find(|out| out.seat == faulty) {
            Some(out) if out.place == worst => out.reason = Some(Reason::Fault),
            _ => {
                return Err(format!(
                    "{faulty} has committed a fault, but is not in `out` with the place {worst}"
                ));
            }
        }
    }
    let is_new = |out: &&SeatOut| before.iter().all(|known| known.seat != out.seat);
    match out.iter().filter(is_new).find(|out| out.reason.is_none()) {
        Some(silent) => Err(format!("{} goes out, but `exits` does not say why", silent.seat)),
        None => Ok(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks an answer at a table of four with these keys beside those that are always there.
    fn check(keys: &str) -> Result<(), String> {
        let text = format!(r#"{{"position":"x","seat":"p1",{keys}}}"#);
        serde_json::from_str::<PositionAnswer>(&text).expect("an answer").check(4)
    }

    #[test]
    fn what_cannot_be_at_a_table_is_told() {
        let goes_on = |keys: &str| check(&format!(r#""legal":["a1"],{keys}"#));
        let ends = |keys: &str| check(&format!(r#""legal":[],"reason":"stuck",{keys}"#));
        for fine in [
            r#""out":{}"#,
            r#""out":{"p2":4}"#,
            r#""out":{"p2":3,"p4":3},"exits":{"p2":"fault"}"#,
            r#""count":[1,2,3,4]"#,
            r#""seat":"p4""#,
        ] {
            let fine = fine.replace(r#""seat":"p4""#, r#""turn":"p4""#);
            assert_eq!(goes_on(&fine), Ok(()), "{fine}");
        }
        for (bad, why) in [
            (r#""out":{"p5":4}"#, "which is no seat of a table of 4"),
            (r#""out":{"p1":4}"#, "p1 is to decide, but it is in `out`"),
            (r#""out":{"p2":3}"#, "gives p2 the place 3, but 3 seats are left"),
            (r#""out":{"p2":4,"p3":4}"#, "p2 cannot have the place 4"),
            (r#""out":{"p2":4,"p3":3,"p4":2}"#, "`out` leaves 1 of 4 seats"),
            (r#""out":{},"exits":{"p2":"stuck"}"#, "which is not in `out`"),
            (r#""out":{"p2":4},"exits":{"p2":"timeout"}"#, "the arena itself says"),
            (r#""count":[1,2]"#, "2 numbers in `count` for 4 seats"),
            (r#""turn":"p5""#, "`turn` is none of `p1` to `p4`"),
            (r#""places":[1,2,3,4]"#, "`places` is not the list that `result` is"),
        ] {
            let told = goes_on(bad).expect_err(bad);
            assert!(told.contains(why), "{bad}: {told}");
        }
        assert_eq!(ends(r#""result":"1,2,2,4","places":[1,2,2,4],"out":{"p4":4}"#), Ok(()));
        for (bad, why) in [
            (r#""result":"p1win""#, "`result` is \"p1win\""),
            (r#""result":"1,2,3""#, "`result` has 3 places for 4 seats"),
            (r#""result":"1,2,2,3""#, "p4 cannot have the place 3"),
            (r#""result":"1,2,3,4","places":[1,2,4,3]"#, "`places` is not the list that `result` is"),
            (r#""result":"1,2,3,4","places":[1,2,4,4]"#, "`places`: p3 cannot have the place 4"),
        ] {
            let told = ends(bad).expect_err(bad);
            assert!(told.contains(why), "{bad}: {told}");
        }
    }
}
