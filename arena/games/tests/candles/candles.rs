//! Candles as in candles.py, with the kit in Rust.

#[path = "arena_rules.rs"]
mod arena_rules;

use arena_rules::{Choice, End, Exit, Info, Rules, Seat, Values};

#[derive(Clone)]
pub struct Position {
    candles: Vec<u8>,
    places: Vec<u8>,
    reasons: Vec<&'static str>,
    seat: Seat,
}

impl Position {
    fn left(&self) -> u8 {
        self.candles.iter().filter(|candles| **candles > 0).count() as u8
    }

    fn lose(&mut self, seat: Seat, count: u8, reason: &'static str, is_turn: bool) {
        let left = self.left();
        self.candles[seat.index()] -= count;
        if self.candles[seat.index()] == 0 {
            (self.places[seat.index()], self.reasons[seat.index()]) = (left, reason);
        }
        let mut is_over = is_turn;
        while is_over || self.candles[self.seat.index()] == 0 {
            self.seat = self.seat.next(self.candles.len());
            is_over = false;
        }
    }
}

impl Rules for Position {
    const INFO: Info = Info {
        id: "candles",
        version: "1.0",
        title: "Candles",
        about: "whose light lasts",
        seats: [2, 8],
        options: &[Choice {
            name: "players",
            about: "seats at the table",
            default: "2",
            values: Values::Range(2, 8),
        }],
        ..Info::EMPTY
    };

    fn start(options: &[u32]) -> Self {
        let seats = options[0] as usize;
        Self { candles: vec![2; seats], places: vec![0; seats], reasons: vec![""; seats], seat: Seat::P1 }
    }

    fn parse(options: &[u32], text: &str) -> Result<Self, String> {
        let none = || "it is no position".to_owned();
        let seats = options[0] as usize;
        let words: Vec<_> = text.split(' ').collect();
        let [candles, places, seat] = words[..] else { return Err(none()) };
        let digits = |text: &str| text.bytes().map(|byte| byte.wrapping_sub(b'0')).collect::<Vec<_>>();
        let seat = Seat::read_of(seat, seats).ok_or_else(none)?;
        let state =
            Self { candles: digits(candles), places: digits(places), reasons: vec![""; seats], seat };
        let fits = [&state.candles, &state.places].into_iter().all(|list| list.len() == seats);
        let is_sound = fits
            && state.candles.iter().all(|candles| *candles <= 2)
            && state.candles[seat.index()] > 0
            && state.candles.iter().zip(&state.places).all(|(lit, place)| (*lit > 0) == (*place == 0));
        let mut dark: Vec<_> = state.places.iter().copied().filter(|place| *place > 0).collect();
        dark.sort_unstable();
        let is_ordered = is_sound && dark.into_iter().eq(state.left() + 1..=seats as u8);
        if is_ordered { Ok(state) } else { Err(none()) }
    }

    fn show(&self) -> String {
        let digits = |list: &[u8]| list.iter().map(u8::to_string).collect::<String>();
        format!("{} {} {}", digits(&self.candles), digits(&self.places), self.seat.name())
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn legal(&self) -> Vec<String> {
        let lit = (0..self.candles.len()).filter(|seat| self.candles[*seat] > 0);
        lit.map(|seat| arena_rules::cell(seat, 0)).collect()
    }

    fn play(&mut self, ply: &str) {
        self.lose(Seat::ALL[arena_rules::cell_of(ply).0], 1, "dark", true);
    }

    fn end(&self) -> Option<End> {
        let winner = Seat::ALL.into_iter().zip(&self.candles).find(|(_, candles)| **candles > 0);
        (self.left() == 1).then(|| End { winner: winner.map(|(seat, _)| seat), reason: "dark", words: "" })
    }

    fn places(&self) -> Vec<u8> {
        self.places.iter().map(|place| (*place).max(1)).collect()
    }

    fn out(&self) -> Vec<Exit> {
        let out = Seat::ALL.into_iter().zip(self.places.iter().zip(&self.reasons));
        out.filter(|(_, (place, _))| **place > 0)
            .map(|(seat, (place, reason))| Exit { seat, place: *place, reason })
            .collect()
    }

    fn put_out(&mut self, seat: Seat) {
        self.lose(seat, self.candles[seat.index()], "fault", seat == self.seat);
    }
}

arena_rules::export!(Position);
