//! The rules in plain code, written from their text: a board of letters, lists of cells, one rule after the other.

use std::collections::{BTreeSet, HashMap};

const FISH: [char; 4] = ['F', 'f', 'G', 'g'];
const SHARKS: [char; 4] = ['S', 's', 'T', 't'];

/// A cell: file and rank, from 0.
pub(crate) type Cell = (usize, usize);

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Phase {
    Placing(usize),
    Turn { used: Option<Cell> },
    Keep(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Naive {
    pub(crate) players: usize,
    pub(crate) max_turns: usize,
    pub(crate) board: HashMap<Cell, char>,
    pub(crate) seat: usize,
    pub(crate) phase: Phase,
    pub(crate) out: Vec<Option<usize>>,
    pub(crate) n: usize,
    seen: HashMap<String, usize>,
    /// The places and the reason.
    pub(crate) end: Option<(Vec<usize>, &'static str)>,
}

pub(crate) fn name((file, rank): Cell) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn read(text: &str) -> Cell {
    let bytes = text.as_bytes();
    ((bytes[0] - b'a') as usize, (bytes[1] - b'1') as usize)
}

impl Naive {
    /// Starts from a board whose turn, or placing, begins.
    pub(crate) fn new(
        players: usize,
        max_turns: usize,
        board: HashMap<Cell, char>,
        seat: usize,
        phase: Phase,
    ) -> Self {
        let (out, seen) = (vec![None; players], HashMap::new());
        let mut game = Self { players, max_turns, board, seat, phase, out, n: 0, seen, end: None };
        game.judge();
        game
    }

    pub(crate) fn start(players: usize, max_turns: usize) -> Self {
        let mut board = HashMap::new();
        for file in 0..if players == 3 { 9 } else { 8 } {
            for rank in 0..8 {
                let owner = match players {
                    3 => file / 3,
                    _ => [[0, 1], [3, 2]][file / 4][rank / 4],
                };
                board.insert((file, rank), FISH[owner]);
            }
        }
        Self::new(players, max_turns, board, 0, Phase::Placing(2))
    }

    fn files(&self) -> usize {
        if self.players == 3 { 9 } else { 8 }
    }

    fn cells(&self) -> Vec<Cell> {
        (0..8).flat_map(|rank| (0..self.files()).map(move |file| (file, rank))).collect()
    }

    /// Returns the cell that lies so many files and ranks away, if the board has it.
    fn away(&self, (file, rank): Cell, files: i64, ranks: i64) -> Option<Cell> {
        let mut file = file as i64 + files;
        let rank = rank as i64 + ranks;
        if self.players == 3 {
            file = file.rem_euclid(9);
        }
        let is_there = (0..self.files() as i64).contains(&file) && (0..8).contains(&rank);
        is_there.then_some((file as usize, rank as usize))
    }

    fn directions() -> Vec<(i64, i64)> {
        let all = (-1..=1).flat_map(|files| (-1..=1).map(move |ranks| (files, ranks)));
        all.filter(|direction| *direction != (0, 0)).collect()
    }

    fn neighbours(&self, cell: Cell) -> Vec<Cell> {
        Self::directions().into_iter().filter_map(|(files, ranks)| self.away(cell, files, ranks)).collect()
    }

    fn is_fish(letter: char) -> bool {
        FISH.contains(&letter)
    }

    fn owner(letter: char) -> usize {
        FISH.iter()
            .chain(&SHARKS)
            .position(|known| *known == letter)
            .expect("a naive game is played by its rules")
            % 4
    }

    fn of(&self, letter: char) -> Vec<Cell> {
        self.cells().into_iter().filter(|cell| self.board.get(cell) == Some(&letter)).collect()
    }

    fn is_in(&self, seat: usize) -> bool {
        self.out[seat].is_none()
    }

    fn lacks(&self, seat: usize) -> bool {
        self.of(FISH[seat]).is_empty() || self.of(SHARKS[seat]).is_empty()
    }

    fn groups(&self, seat: usize) -> Vec<Vec<Cell>> {
        let mut rest: BTreeSet<Cell> = self.of(FISH[seat]).into_iter().collect();
        let mut groups = Vec::new();
        while let Some(first) = rest.pop_first() {
            let mut group = vec![first];
            let mut at = 0;
            while at < group.len() {
                for next in self.neighbours(group[at]) {
                    if rest.remove(&next) {
                        group.push(next);
                    }
                }
                at += 1;
            }
            group.sort_unstable();
            groups.push(group);
        }
        groups
    }

    fn largest(&self, seat: usize) -> Vec<Vec<Cell>> {
        let groups = self.groups(seat);
        let most = groups.iter().map(Vec::len).max().unwrap_or(0);
        groups.into_iter().filter(|group| group.len() == most).collect()
    }

    fn keep(&mut self, seat: usize, group: &[Cell]) {
        for cell in self.of(FISH[seat]) {
            if !group.contains(&cell) {
                self.board.remove(&cell);
            }
        }
    }

    /// Follows every chain of hops.
    fn chains(
        &self,
        at: Cell,
        start: Cell,
        hopped: &BTreeSet<Cell>,
        seen: &mut BTreeSet<(Cell, BTreeSet<Cell>)>,
    ) {
        if !seen.insert((at, hopped.clone())) {
            return;
        }
        for (files, ranks) in Self::directions() {
            let (Some(over), Some(to)) = (self.away(at, files, ranks), self.away(at, 2 * files, 2 * ranks))
            else {
                continue;
            };
            let is_fish = over != start && self.board.get(&over).is_some_and(|letter| Self::is_fish(*letter));
            let is_empty = to == start || !self.board.contains_key(&to);
            if is_fish && is_empty && !hopped.contains(&over) {
                let mut more = hopped.clone();
                more.insert(over);
                self.chains(to, start, &more, seen);
            }
        }
    }

    fn targets(&self, from: Cell) -> BTreeSet<Cell> {
        let letter = self.board[&from];
        let mut targets = BTreeSet::new();
        for cell in self.neighbours(from) {
            match self.board.get(&cell) {
                None if Self::is_fish(letter) => drop(targets.insert(cell)),
                Some(other) if !Self::is_fish(letter) && Self::owner(*other) != self.seat => {
                    targets.insert(cell);
                }
                _ => {}
            }
        }
        if Self::is_fish(letter) {
            let mut seen = BTreeSet::new();
            self.chains(from, from, &BTreeSet::new(), &mut seen);
            targets.extend(seen.into_iter().map(|(cell, _)| cell));
            targets.remove(&from);
        }
        targets
    }

    pub(crate) fn legal(&self) -> Vec<String> {
        let mut plies = Vec::new();
        if self.end.is_some() {
            return plies;
        }
        match &self.phase {
            Phase::Placing(_) => {
                for seat in (0..self.players).filter(|seat| *seat != self.seat) {
                    plies.extend(self.of(FISH[seat]).into_iter().map(|cell| format!("S{}", name(cell))));
                }
            }
            Phase::Turn { used } => {
                for letter in [FISH[self.seat], SHARKS[self.seat]] {
                    for from in self.of(letter).into_iter().filter(|from| Some(*from) != *used) {
                        plies.extend(self.targets(from).into_iter().map(|to| name(from) + &name(to)));
                    }
                }
            }
            Phase::Keep(school) => {
                plies.extend(self.largest(*school).iter().map(|group| format!("keep={}", name(group[0]))));
            }
        }
        if plies.is_empty() {
            plies.push("pass".to_owned());
        }
        plies.sort();
        plies
    }

    pub(crate) fn play(&mut self, ply: &str) {
        match self.phase.clone() {
            Phase::Placing(left) => {
                if let Some(cell) = ply.strip_prefix('S') {
                    self.board.insert(read(cell), SHARKS[self.seat]);
                }
                match left {
                    2 => self.phase = Phase::Placing(1),
                    _ => self.after_placing(),
                }
            }
            Phase::Turn { used } => {
                if ply != "pass" {
                    let letter =
                        self.board.remove(&read(&ply[..2])).expect("a naive game is played by its rules");
                    self.board.insert(read(&ply[2..]), letter);
                }
                match used {
                    None if ply != "pass" => self.phase = Phase::Turn { used: Some(read(&ply[2..])) },
                    _ => self.end_turn(self.seat),
                }
            }
            Phase::Keep(school) => {
                let group =
                    self.largest(school).into_iter().find(|group| ply == format!("keep={}", name(group[0])));
                self.keep(school, &group.expect("a naive game is played by its rules"));
                self.end_turn(school);
            }
        }
        self.judge();
    }

    fn next_in(&self, seat: usize) -> usize {
        (1..=self.players)
            .map(|step| (seat + step) % self.players)
            .find(|next| self.is_in(*next))
            .expect("a naive game is played by its rules")
    }

    fn after_placing(&mut self) {
        match (self.seat + 1..self.players).find(|seat| self.is_in(*seat)) {
            Some(next) => (self.seat, self.phase) = (next, Phase::Placing(2)),
            None => {
                self.seat = (0..self.players)
                    .find(|seat| self.is_in(*seat))
                    .expect("a naive game is played by its rules");
                self.phase = Phase::Turn { used: None };
            }
        }
    }

    /// Steps 1 and 2, from the school of this seat on.
    fn end_turn(&mut self, from: usize) {
        let distance = |seat: usize| (seat + self.players - self.seat) % self.players;
        for step in distance(from)..self.players {
            let school = (self.seat + step) % self.players;
            if !self.is_in(school) {
                continue;
            }
            match &self.largest(school)[..] {
                [] => {}
                [one] => {
                    let one = one.clone();
                    self.keep(school, &one);
                }
                _ => {
                    self.phase = Phase::Keep(school);
                    return;
                }
            }
        }
        // Step 3.
        let isolated = |cell: &Cell| {
            let owner = Self::owner(self.board[cell]);
            self.neighbours(*cell)
                .iter()
                .all(|next| self.board.get(next).is_none_or(|other| Self::owner(*other) == owner))
        };
        let sharks = SHARKS.iter().flat_map(|letter| self.of(*letter));
        let dead: Vec<_> = sharks.filter(isolated).collect();
        for cell in dead {
            self.board.remove(&cell);
        }
        self.n += 1;
        self.phase = Phase::Turn { used: None };
        let mover = self.seat;
        self.drop_out();
        self.seat = self.next_in(mover);
    }

    /// Step 4. Returns whether the game goes on.
    fn drop_out(&mut self) {
        let living: Vec<_> = (0..self.players).filter(|seat| self.is_in(*seat)).collect();
        let (lost, left): (Vec<_>, Vec<_>) = living.into_iter().partition(|seat| self.lacks(*seat));
        if left.len() >= 2 {
            for seat in lost {
                self.out[seat] = Some(left.len() + 1);
                self.take_sharks(seat);
            }
        }
    }

    fn take_sharks(&mut self, seat: usize) {
        for cell in self.of(SHARKS[seat]) {
            self.board.remove(&cell);
        }
    }

    /// The seat that decides commits a fault.
    pub(crate) fn fault(&mut self) {
        let seat = self.seat;
        let before = self.clone();
        let living = (0..self.players).filter(|seat| self.is_in(*seat)).count();
        self.out[seat] = Some(living);
        self.take_sharks(seat);
        let is_placing = matches!(self.phase, Phase::Placing(_));
        let rest: Vec<_> = (0..self.players).filter(|seat| self.is_in(*seat)).collect();
        let lost: Vec<_> = rest.iter().copied().filter(|seat| !is_placing && self.lacks(*seat)).collect();
        let left = rest.len() - lost.len();
        let mut places: Vec<_> = self.out.iter().map(|place| place.unwrap_or(1)).collect();
        if rest.len() == 1 {
            self.end = Some((places, "fault"));
        } else if left < 2 {
            for other in &lost {
                places[*other] = left + 1;
            }
            let no_fish = lost.iter().any(|seat| self.of(FISH[*seat]).is_empty());
            let reason = if no_fish { "no-fish" } else { "no-sharks" };
            self.end = Some((places, if left == 0 { "all-lost" } else { reason }));
        } else if !is_placing {
            self.drop_out();
        }
        if self.end.is_some() {
            (self.board, self.out) = (before.board, before.out);
        }
        if is_placing {
            self.after_placing();
        } else {
            self.phase = Phase::Turn { used: None };
            self.seat = self.next_in(seat);
        }
        if self.end.is_none() {
            self.judge();
        }
    }

    fn judge(&mut self) {
        let is_fresh = matches!(self.phase, Phase::Placing(2) | Phase::Turn { used: None });
        if !is_fresh {
            return;
        }
        let text = self.position();
        let times = self
            .seen
            .entry(text[..text.rfind(" n=").expect("a naive game is played by its rules")].to_owned())
            .or_insert(0);
        *times += 1;
        let times = *times;
        if matches!(self.phase, Phase::Placing(_)) {
            return;
        }
        let living: Vec<_> = (0..self.players).filter(|seat| self.is_in(*seat)).collect();
        let (lost, left): (Vec<_>, Vec<_>) = living.into_iter().partition(|seat| self.lacks(*seat));
        let mut places: Vec<_> = self.out.iter().map(|place| place.unwrap_or(1)).collect();
        if left.len() < 2 {
            for seat in &lost {
                places[*seat] = left.len() + 1;
            }
            let no_fish = lost.iter().any(|seat| self.of(FISH[*seat]).is_empty());
            let reason = if no_fish { "no-fish" } else { "no-sharks" };
            self.end = Some((places, if left.is_empty() { "all-lost" } else { reason }));
        } else if times >= 3 {
            self.end = Some((places, "repetition"));
        } else if self.n >= self.max_turns {
            self.end = Some((places, "max-turns"));
        }
    }

    pub(crate) fn position(&self) -> String {
        let mut ranks = Vec::new();
        for rank in (0..8).rev() {
            let letters = (0..self.files()).map(|file| self.board.get(&(file, rank)).copied());
            let text: String = letters.map(|letter| letter.unwrap_or('.')).collect();
            let mut packed = String::new();
            for part in text.split_inclusive(|letter| letter != '.') {
                let dots = part.matches('.').count();
                if dots > 0 {
                    packed += &dots.to_string();
                }
                packed += part.trim_start_matches('.');
            }
            ranks.push(packed);
        }
        let out = self.out.iter().enumerate();
        let out = out.filter_map(|(seat, place)| place.map(|place| format!("p{}:{place}", seat + 1)));
        let out = out.collect::<Vec<_>>().join(",");
        let phase = match &self.phase {
            Phase::Placing(left) => format!("phase=sharks left={left} used=-"),
            Phase::Turn { used: None } => "phase=play left=2 used=-".to_owned(),
            Phase::Turn { used: Some(cell) } => format!("phase=play left=1 used={}", name(*cell)),
            Phase::Keep(school) => format!("phase=keep left=0 used=- school=p{}", school + 1),
        };
        let out = if out.is_empty() { "-" } else { &out };
        format!("{} p{} {phase} out={out} n={}", ranks.join("/"), self.seat + 1, self.n)
    }
}
