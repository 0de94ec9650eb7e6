//! How clicks make a ply, part by part: where it begins, where it goes, which capture it is, when a chain stops.
//!
//! The parts come from the spelling of the legal plies, as the game's look says ([`GameLook::entry`]), so code that draws a
//! board needs no rules. They form a tree in which every path from the top to a [`Click::ply`] is a legal ply, and every legal
//! ply is one path. A choice with only one possibility is skipped.

use std::collections::HashMap;

use crate::{Board, GameLook, PlyEntry, Setup};

/// One click: what it decides, where it is made, and what can follow.
///
/// ```
/// let setup = rules::find("farook").unwrap().setup(&[]).unwrap();
/// let referee = setup.referee(None).unwrap();
/// let first = rules::clicks(&setup, &referee.position(), &referee.legal());
/// assert_eq!((first.len(), first[0].ply.as_deref()), (16, Some("a1")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Click {
    /// The code, which differs from those of all alternative clicks: the name of a cell, or that of a choice.
    pub code: String,
    /// The meaning of a choice, for people; `None` if the click is on a cell.
    pub label: Option<String>,
    /// The cells on which the click can be made, which no alternative click shares. A choice may have none and then needs a
    /// button.
    pub cells: Vec<String>,
    /// The ply that the click completes. Nothing follows it then.
    pub ply: Option<String>,
    /// The clicks that can follow.
    pub next: Vec<Self>,
}

impl Click {
    /// Returns the plies that are still possible, in byte order.
    #[must_use]
    pub fn plies(&self) -> Vec<&str> {
        let mut plies: Vec<_> = self.ply.as_deref().into_iter().collect();
        plies.extend(self.next.iter().flat_map(Self::plies));
        plies.sort_unstable();
        plies
    }

    /// Returns the ply that is played if no click follows: the one that this click completes, or the chain that stops here.
    /// `None` if a decision is missing.
    #[must_use]
    pub fn so_far(&self) -> Option<&str> {
        let stop = || self.next.iter().find(|click| click.code == STOP)?.ply.as_deref();
        self.ply.as_deref().or_else(stop)
    }
}

/// The code for the end of a chain that could continue.
const STOP: &str = "stop";

/// Returns the clicks with which the legal plies of a position can begin. For a game without a look, this is the list of plies.
#[must_use]
pub fn clicks(setup: &Setup, position: &str, legal: &[String]) -> Vec<Click> {
    let scheme = ClickScheme::of(setup);
    let mut top = Branch::default();
    for (ply, steps) in legal.iter().zip(scheme.all_steps(legal)) {
        let mut branch = &mut top;
        for step in steps {
            branch = branch.child(step);
        }
        branch.ply = Some(ply.clone());
    }
    let mut clicks = top.into_clicks(&scheme, &[]);
    let prefix = scheme.look.map_or("", |look| &look.group_prefix);
    let is_group = |click: &&mut Click| {
        let ply = click.ply.as_deref();
        !prefix.is_empty() && ply.is_some_and(|ply| ply.starts_with(prefix))
    };
    let mut groups = clicks.iter_mut().filter(is_group).peekable();
    if groups.peek().is_some()
        && let Some((board, placement)) = scheme.board.zip(setup.placement(position))
    {
        for click in groups {
            click.cells = group(board, &placement.cells, &click.code);
        }
    }
    clicks
}

/// How the plies of a game are split into steps.
struct ClickScheme<'a> {
    look: Option<&'a GameLook>,
    board: Option<Board>,
}

/// A part of a ply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Step {
    /// A cell.
    Cell(String),
    /// Whether a capture is by approach (`+`) or by withdrawal (`-`).
    Sign(char),
    /// The rest of the spelling: the kind of the ply. It comes last, so that no ply ends where another continues.
    Kind(String),
    /// The whole spelling of a ply that its cells and its kind do not identify.
    Whole(String),
}

impl<'a> ClickScheme<'a> {
    fn of(setup: &'a Setup) -> Self {
        let look = setup.look();
        Self { look, board: look.and_then(|look| look.board(setup.options())) }
    }

    fn all_steps(&self, legal: &[String]) -> Vec<Vec<Step>> {
        let mut all: Vec<_> = legal.iter().map(|ply| self.steps(ply)).collect();
        let mut counts: HashMap<Vec<Step>, usize> = HashMap::new();
        for steps in &all {
            *counts.entry(steps.clone()).or_default() += 1;
        }
        for (steps, ply) in all.iter_mut().zip(legal) {
            if counts[steps] > 1 {
                steps.pop();
                steps.push(Step::Whole(ply.clone()));
            }
        }
        all
    }

    /// Splits the spelling of a ply into steps.
    fn steps(&self, ply: &str) -> Vec<Step> {
        let (Some(look), Some(board)) = (self.look, self.board) else {
            return vec![Step::Whole(ply.to_owned())];
        };
        if look.entry == PlyEntry::List {
            return vec![Step::Whole(ply.to_owned())];
        }
        let (mut steps, kind) = parts(look, board, ply);
        match look.entry {
            PlyEntry::To => drop(steps.drain(..steps.len().saturating_sub(1))),
            PlyEntry::FromTo if steps.len() > 2 => drop(steps.drain(1..steps.len() - 1)),
            PlyEntry::FromTo | PlyEntry::Path | PlyEntry::List => {}
        }
        steps.push(Step::Kind(kind));
        steps
    }
}

/// Returns the cells and signs that a ply names, in order, and the rest of its spelling.
fn parts(look: &GameLook, board: Board, ply: &str) -> (Vec<Step>, String) {
    let has_signs = look.entry == PlyEntry::Path;
    let (mut steps, mut kind) = (Vec::new(), String::new());
    let mut rest = ply;
    while let Some(first) = rest.chars().next() {
        if let Some((cell, after)) = board.split_cell(rest) {
            steps.push(Step::Cell(board.cell(cell).to_string()));
            rest = after;
            continue;
        }
        let sign = rest.get(..1).filter(|sign| has_signs && matches!(*sign, "+" | "-"));
        match sign.and_then(|sign| look.kind(sign)) {
            Some(_) => steps.push(Step::Sign(first)),
            None => kind.push(first),
        }
        rest = &rest[first.len_utf8()..];
    }
    (steps, kind)
}

impl GameLook {
    /// Returns the cells that a ply names, in order, and whether they are two corners of a rectangle.
    #[must_use]
    pub fn cells_of(&self, board: Board, ply: &str) -> (Vec<usize>, bool) {
        let (steps, rest) = parts(self, board, ply);
        let cell = |step: &Step| match step {
            Step::Cell(name) => board.read_cell(name),
            _ => None,
        };
        let cells: Vec<_> = steps.iter().filter_map(cell).collect();
        let is_region = cells.len() == 2 && self.kind(&rest).is_some_and(|kind| kind.is_region);
        (cells, is_region)
    }
}

/// What can follow a step.
#[derive(Debug, Default)]
struct Branch {
    ply: Option<String>,
    children: Vec<(Step, Self)>,
}

impl Branch {
    fn child(&mut self, step: Step) -> &mut Self {
        let found = self.children.iter().position(|(known, _)| *known == step);
        let index = found.unwrap_or_else(|| {
            self.children.push((step, Self::default()));
            self.children.len() - 1
        });
        &mut self.children[index].1
    }

    /// Converts the branch into clicks. `before` are the cells clicked so far.
    fn into_clicks(self, scheme: &ClickScheme<'_>, before: &[String]) -> Vec<Click> {
        let children = self.children.into_iter();
        let mut clicks: Vec<_> =
            children.map(|(step, branch)| branch.into_click(&step, scheme, before)).collect();
        for index in 1..clicks.len() {
            // A look may use the same code for two kinds.
            let (earlier, rest) = clicks.split_at_mut(index);
            while earlier.iter().any(|click| click.code == rest[0].code) {
                rest[0].code.push('\'');
            }
        }
        clicks
    }

    fn into_click(self, step: &Step, scheme: &ClickScheme<'_>, before: &[String]) -> Click {
        let mut so_far = before.to_vec();
        if let Step::Cell(cell) = step {
            so_far.push(cell.clone());
        }
        let mut ply = self.ply;
        let mut next = Self { ply: None, children: self.children }.into_clicks(scheme, &so_far);
        // A single possibility is not a choice.
        if let [only] = next.as_mut_slice()
            && only.label.is_some()
        {
            let only = next.swap_remove(0);
            (ply, next) = (only.ply, only.next);
        }
        let mut taken: Vec<_> =
            next.iter().filter(|click| click.label.is_none()).flat_map(|click| click.cells.clone()).collect();
        for choice in next.iter_mut().filter(|click| click.label.is_some()) {
            choice.cells.retain(|cell| !taken.contains(cell));
            taken.extend(choice.cells.iter().cloned());
        }
        let (code, label, cells) = describe(step, scheme, before);
        Click { code, label, cells, ply, next }
    }
}

/// Returns the code of a step, its meaning, and where it can be clicked.
fn describe(
    step: &Step,
    scheme: &ClickScheme<'_>,
    before: &[String],
) -> (String, Option<String>, Vec<String>) {
    let choice = |code: &str, label: &str, cell: Option<String>| {
        (code.to_owned(), Some(label.to_owned()), cell.into_iter().collect())
    };
    let last = before.last().cloned();
    let known = |rest: &str| scheme.look.and_then(|look| look.kind(rest));
    match step {
        Step::Cell(cell) => (cell.clone(), None, vec![cell.clone()]),
        Step::Sign(sign) => {
            // The first captured stone: beyond the target cell, or behind the starting cell.
            let cell = beyond(before, if *sign == '+' { 1 } else { -2 });
            let kind = known(sign.encode_utf8(&mut [0; 4]));
            let words = kind.map_or("", |kind| &kind.words);
            choice(&sign.to_string(), words, cell.filter(|_| kind.is_some_and(|kind| kind.is_on_cell)))
        }
        Step::Kind(rest) => match (known(rest), rest.as_str()) {
            (Some(kind), _) => choice(&kind.code, &kind.words, last.filter(|_| kind.is_on_cell)),
            (None, "swap") => choice("swap", "swap sides", None),
            (None, "") => choice("play", "play", last),
            (None, rest) => choice(rest, rest, None),
        },
        Step::Whole(ply) => choice(ply, ply, None),
    }
}

/// Returns the cell on the line through the last two cells, `steps` steps after the last one; `None` off the largest board.
fn beyond(cells: &[String], steps: i32) -> Option<String> {
    let [.., from, to] = cells else { return None };
    let (from, to) = (place(from)?, place(to)?);
    let (file, rank) = (to.0 + steps * (to.0 - from.0), to.1 + steps * (to.1 - from.1));
    let file = u8::try_from(file).ok().filter(|file| *file < 26)?;
    (rank > 0).then(|| format!("{}{rank}", char::from(b'a' + file)))
}

/// Returns the file of a cell, from 0, and its rank, from 1.
fn place(cell: &str) -> Option<(i32, i32)> {
    let file = cell.bytes().next()?.checked_sub(b'a')?;
    Some((i32::from(file), cell.get(1..)?.parse().ok()?))
}

/// Returns the cells of the group of equal stones that contains a cell, connected in eight directions.
fn group(board: Board, letters: &[Option<char>], cell: &str) -> Vec<String> {
    let Some(start) = board.read_cell(cell) else { return vec![cell.to_owned()] };
    let mut found = vec![start];
    let mut at = 0;
    while let Some(centre) = found.get(at).map(|number| board.cell(*number)) {
        at += 1;
        for number in 0..board.cells() {
            let other = board.cell(number);
            let is_beside = other.file.abs_diff(centre.file) <= 1 && other.rank.abs_diff(centre.rank) <= 1;
            if is_beside
                && letters[start].is_some()
                && letters[number] == letters[start]
                && !found.contains(&number)
            {
                found.push(number);
            }
        }
    }
    let mut cells: Vec<_> = found.iter().map(|number| board.cell(*number)).collect();
    cells.sort_unstable_by_key(|cell| (cell.file, cell.rank));
    cells.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(game: &str, options: &[(&str, &str)], from: Option<&str>) -> String {
        fn write(click: &Click, text: &mut String) {
            text.push_str(&click.code);
            if click.label.is_some() && !click.cells.is_empty() {
                text.push_str(&format!("@{}", click.cells.join("@")));
            }
            if !click.next.is_empty() {
                text.push('(');
                for (index, next) in click.next.iter().enumerate() {
                    text.push_str(if index > 0 { " " } else { "" });
                    write(next, text);
                }
                text.push(')');
            }
        }
        let setup = crate::find(game).unwrap().setup(options).unwrap();
        let referee = setup.referee(from).unwrap();
        let mut words = Vec::new();
        for click in clicks(&setup, &referee.position(), &referee.legal()) {
            let mut text = String::new();
            write(&click, &mut text);
            words.push(text);
        }
        words.join(" ")
    }

    #[test]
    fn approach_or_withdrawal_is_asked_where_both_are_possible() {
        let tree = tree("fanorona", &[], Some("6b2/5b3/9/3w5/2b6 p1 quiet=4"));
        assert_eq!(tree, "d2(e3(+@f4 -@c1))");
    }

    #[test]
    fn a_chain_goes_on_or_stops_cell_by_cell() {
        let tree = tree("fanorona", &[], Some("4b4/1b1b5/2b1w4/9/8b p1 quiet=3"));
        assert_eq!(tree, "e3(d3(stop@d3 d2(stop@d2 c3(stop@c3 d4))) e4(stop@e4 f4) f2)");
    }

    #[test]
    fn a_begun_chain_is_a_ply_so_far() {
        let from = "4b4/1b1b5/2b1w4/9/8b p1 quiet=3";
        let setup = crate::find("fanorona").unwrap().setup(&[]).unwrap();
        let mut level = clicks(&setup, from, &setup.referee(Some(from)).unwrap().legal());
        let mut seen = Vec::new();
        for cell in ["e3", "d3", "d2", "c3", "d4"] {
            let click = level.iter().find(|click| click.code == cell).unwrap().clone();
            seen.push(click.so_far().unwrap_or("-").to_owned());
            level = click.next;
        }
        assert_eq!(seen, ["-", "e3d3+", "e3d3+d2-", "e3d3+d2-c3+", "e3d3+d2-c3+d4+"]);
    }

    #[test]
    fn a_stone_of_two_kinds_may_be_dropped() {
        let tree = tree("farook", &[], Some("bbww/bwbw/wbwb/x2b p1 stock=0,0,1 last=-,- ko=- n=14"));
        assert!(tree.starts_with("b1 c1 a1(b1)"), "{tree}");
        let from = Some("x3/4/4/4 p1 stock=1,0,1 last=-,- ko=- n=10");
        let drops = self::tree("farook", &[], from);
        assert!(drops.contains("d1(wild own@d1)"), "{drops}");
        let sophia = self::tree("sophia", &[("swap", "on")], Some("4/4/4/A3 p2 stock=6,7 c=AB n=1"));
        assert!(sophia.contains("b2(dark light)") && sophia.ends_with("swap"), "{sophia}");
    }

    #[test]
    fn a_school_is_kept_by_a_click_on_any_of_its_fish() {
        let from = "8/6s1/8/f1f5/1f1f4/2s5/f1f5/1f1f4 p1 phase=keep turn=p1 n=17";
        let setup = crate::find("frenzy").unwrap().setup(&[]).unwrap();
        let clicks = clicks(&setup, from, &setup.referee(Some(from)).unwrap().legal());
        let cells: Vec<_> = clicks.iter().map(|click| click.cells.join(" ")).collect();
        assert_eq!(cells, ["a2 b1 c2 d1", "a5 b4 c5 d4"]);
    }

    #[test]
    fn a_rectangle_is_named_by_its_corners() {
        let tree = tree("faust", &[("size", "5")], Some("5/5/2b2/1bwb1/2w2 p1 c=bw n=10"));
        assert!(tree.contains("c2(c2)"), "{tree}");
    }
}
