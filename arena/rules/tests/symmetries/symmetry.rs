//! Which symmetries each game has.

use rules::{BoardMap, Diagram, Places, cell_keys};

/// What happens to the seats and their stones beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exchange {
    /// Nothing.
    Nothing,
    /// The seats change places, with all that is theirs: the other one decides, and wins.
    Seats,
    /// The seats change places and keep their colours or sets, so that the stones stay as they are (Faust, Sophia).
    SeatsAlone,
    /// The colours, or sets and goals, change owners, and the same seat decides (Faust, Sophia).
    Sets,
    /// Every seat becomes the one so many further on, with all that is its: at tables of more than two (2-Frenzy).
    Cycle(usize),
}

/// A symmetry: a map of the board and an exchange.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetry {
    pub(crate) map: BoardMap,
    pub(crate) exchange: Exchange,
}

impl Symmetry {
    /// Returns the symmetries of a game that a position has, the identity aside; `has_swap` says whether the game is
    /// played with the option `swap=on`.
    pub(crate) fn of(game: &str, text: &Diagram, has_swap: bool) -> Vec<Self> {
        let exchanges: &[Exchange] = match game {
            // The sides are not alike.
            "frenzy" => &[Exchange::Nothing],
            // Seats have their turns in a circle, but place their sharks from `p1` on.
            "2-frenzy" if !text.value("out").is_empty() => match (text.value("phase"), players(text)) {
                ("sharks", _) => &[Exchange::Nothing],
                (_, 3) => &[Exchange::Nothing, Exchange::Cycle(1), Exchange::Cycle(2)],
                _ => &[Exchange::Nothing, Exchange::Cycle(1), Exchange::Cycle(2), Exchange::Cycle(3)],
            },
            // `p1` places its sharks before `p2` does.
            "2-frenzy" if text.value("phase") == "sharks" => &[Exchange::Nothing],
            // Whether `swap` is still to come depends on the colours or sets that the seats have.
            "faust" | "sophia" if !has_swap || !matches!(text.value("n"), "0" | "1") => {
                &[Exchange::Nothing, Exchange::Seats, Exchange::SeatsAlone, Exchange::Sets]
            }
            _ => &[Exchange::Nothing, Exchange::Seats],
        };
        let all = BoardMap::of(game, (text.files(), text.ranks()))
            .flat_map(|map| exchanges.iter().map(move |exchange| Self { map, exchange: *exchange }));
        all.filter(|one| one.map != BoardMap::IDENTITY || one.exchange != Exchange::Nothing).collect()
    }

    /// Returns the places of which these are the image.
    pub(crate) fn places(self, places: Places) -> Places {
        let Exchange::Cycle(by) = self.exchange else { return places };
        let mut list: Vec<_> = places.iter().map(|(_, place)| place).collect();
        list.rotate_right(by);
        Places::new(&list).expect("places in another order")
    }

    /// Returns whether a win becomes a win of the other seat.
    pub(crate) fn exchanges_winners(self) -> bool {
        matches!(self.exchange, Exchange::Seats | Exchange::SeatsAlone)
    }

    /// Returns the position string to which a position of the game is mapped.
    pub(crate) fn apply(self, game: &str, text: &str) -> String {
        let mut text = parse(text);
        self.map.apply(&mut text, cell_keys(game));
        let (seats, stones) = match self.exchange {
            Exchange::Nothing => (false, false),
            Exchange::Cycle(by) => {
                cycle(&mut text, by);
                (false, false)
            }
            Exchange::Seats => (true, true),
            Exchange::SeatsAlone => (true, false),
            Exchange::Sets => (false, true),
        };
        if seats {
            text.seat = other_seat(&text.seat);
            text.change("school", other_seat);
        }
        if stones {
            text.exchange(|letter| other_stone(game, letter));
            text.change("stock", other_order);
            text.change("last", other_order);
        }
        if seats != stones {
            text.change("c", |value| value.chars().rev().collect());
        }
        text.to_string()
    }
}

/// Returns how many seats a table of 2-Frenzy for more than two has.
fn players(text: &Diagram) -> usize {
    if text.files() == 9 { 3 } else { 4 }
}

/// Makes every seat the one so many further on.
fn cycle(text: &mut Diagram, by: usize) {
    let players = players(text);
    let further = |seat: usize| (seat + by) % players;
    let seat = |name: &str| {
        let number: usize = name[1..].parse().expect("a seat");
        format!("p{}", further(number - 1) + 1)
    };
    text.seat = seat(&text.seat);
    text.change("school", seat);
    text.change("out", |value| {
        let mut out: Vec<_> = value
            .split(',')
            .filter_map(|part| part.split_once(':'))
            .map(|(name, place)| format!("{}:{place}", seat(name)))
            .collect();
        out.sort_unstable();
        if out.is_empty() { "-".to_owned() } else { out.join(",") }
    });
    text.exchange(|letter| {
        let of = |letters: &str| {
            let seat = letters.chars().position(|other| other == letter)?;
            letters.chars().nth(further(seat))
        };
        of("FfGg").or_else(|| of("SsTt")).unwrap_or(letter)
    });
}

/// Takes a valid position string apart.
pub(crate) fn parse(text: &str) -> Diagram {
    Diagram::parse(text).unwrap_or_else(|| panic!("{text}"))
}

fn other_seat(seat: &str) -> String {
    if seat == "p1" { "p2".to_owned() } else { "p1".to_owned() }
}

/// Exchanges the first two of values with commas between them; a third one stays where it is.
fn other_order(value: &str) -> String {
    let mut parts: Vec<_> = value.split(',').collect();
    parts.swap(0, 1);
    parts.join(",")
}

/// Returns the stone that is to the other side what this one is to its own.
fn other_stone(game: &str, letter: char) -> char {
    match (game, letter) {
        ("farook" | "faust" | "fanorona", 'w') => 'b',
        ("farook" | "faust" | "fanorona", 'b') => 'w',
        // The goals go with the sets: light stones become dark ones.
        ("sophia", 'A') => 'b',
        ("sophia", 'a') => 'B',
        ("sophia", 'B') => 'a',
        ("sophia", 'b') => 'A',
        ("2-frenzy", letter) if letter.is_ascii_uppercase() => letter.to_ascii_lowercase(),
        ("2-frenzy", letter) => letter.to_ascii_uppercase(),
        (_, letter) => letter,
    }
}

#[test]
fn seats_and_stones_are_exchanged_in_the_text() {
    let check = |game, exchange, text: &str, expected: &str| {
        assert_eq!(Symmetry { map: BoardMap::IDENTITY, exchange }.apply(game, text), expected);
    };
    let farook = "wb1x/4/4/4 p1 stock=4,5,1 last=a4,- ko=- n=9";
    check("farook", Exchange::Seats, farook, "bw1x/4/4/4 p2 stock=5,4,1 last=-,a4 ko=- n=9");
    let sophia = "AaBb/4/4/4 p1 stock=1,2 c=AB n=9";
    check("sophia", Exchange::Seats, sophia, "bBaA/4/4/4 p2 stock=2,1 c=AB n=9");
    check("sophia", Exchange::SeatsAlone, sophia, "AaBb/4/4/4 p2 stock=1,2 c=BA n=9");
    check("sophia", Exchange::Sets, sophia, "bBaA/4/4/4 p1 stock=2,1 c=BA n=9");
    let frenzy = "8/8/8/8/8/8/8/FfSs4 p1 phase=keep left=0 used=- school=p1 n=4";
    let exchanged = "8/8/8/8/8/8/8/fFsS4 p2 phase=keep left=0 used=- school=p2 n=4";
    check("2-frenzy", Exchange::Seats, frenzy, exchanged);
}
