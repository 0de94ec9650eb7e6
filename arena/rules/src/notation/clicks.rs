//! How a ply is made by clicks, one part after the other: where it begins, where it goes, which capture, when a chain
//! stops.
//!
//! The parts are read off the spelling of the legal plies, so whoever draws a board needs to know no rule. They form a
//! tree in which every path from the top to a [`Click::ply`] is a legal ply, and every legal ply is one path. A choice
//! that leaves nothing to choose is not asked for.

use crate::Diagram;

/// One click: what it decides, where it may fall, and what can follow.
///
/// ```
/// let setup = rules::find("farook").unwrap().setup(&[]).unwrap();
/// let referee = setup.referee(None).unwrap();
/// let first = rules::clicks("farook", &referee.position(), &referee.legal());
/// assert_eq!((first.len(), first[0].ply.as_deref()), (16, Some("a1")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Click {
    /// The word for it, unlike those of all clicks that could be made in its place: the name of a cell, or that of a
    /// choice.
    pub code: String,
    /// What a choice means, for people; `None` where the click is a cell.
    pub label: Option<String>,
    /// The cells on which the click may fall, none of them shared with a click that could be made in its place. A choice
    /// may have none: it needs a button.
    pub cells: Vec<String>,
    /// The ply that the click completes; nothing follows it then.
    pub ply: Option<String>,
    /// The clicks that can follow.
    pub next: Vec<Self>,
}

impl Click {
    /// Returns the plies that can still come of it, in byte order.
    #[must_use]
    pub fn plies(&self) -> Vec<&str> {
        let mut plies: Vec<_> = self.ply.as_deref().into_iter().collect();
        plies.extend(self.next.iter().flat_map(Self::plies));
        plies.sort_unstable();
        plies
    }

    /// Returns the ply that is played if nothing is clicked after this: the one that it completes, or the chain that stops
    /// here. `None` where something is still to be decided.
    #[must_use]
    pub fn so_far(&self) -> Option<&str> {
        let stop = || self.next.iter().find(|click| click.code == STOP)?.ply.as_deref();
        self.ply.as_deref().or_else(stop)
    }
}

/// The word for the end of a chain that could go on.
const STOP: &str = "stop";

/// Returns the clicks with which the legal plies of a position can begin. `game` is the game's id.
#[must_use]
pub fn clicks(game: &str, position: &str, legal: &[String]) -> Vec<Click> {
    let mut top = Branch::default();
    for ply in legal {
        let mut branch = &mut top;
        for step in steps(ply) {
            branch = branch.child(step);
        }
        branch.ply = Some(ply.clone());
    }
    let diagram = Diagram::parse(position);
    let clicks = top.children.into_iter().map(|(step, branch)| branch.into_click(&step, game, &[]));
    let mut clicks: Vec<_> = clicks.collect();
    for click in &mut clicks {
        if let (Some(_), Some(diagram)) = (click.ply.as_deref().filter(|ply| ply.starts_with(KEEP)), &diagram)
        {
            click.cells = group(diagram, &click.code);
        }
    }
    clicks
}

/// What a ply that keeps a school begins with.
const KEEP: &str = "keep=";

/// A part of a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// A cell.
    Cell(String),
    /// Whether a capture is by approach (`+`) or by withdrawal (`-`).
    Sign(char),
    /// What is left of the spelling: what kind of ply it is. It comes last, so that every ply ends where no other goes on.
    Kind(String),
}

/// Takes the spelling of a ply apart.
fn steps(ply: &str) -> Vec<Step> {
    let (mut steps, mut kind) = (Vec::new(), String::new());
    let mut rest = ply;
    while let Some(first) = rest.chars().next() {
        let digits = rest[first.len_utf8()..].bytes().take_while(u8::is_ascii_digit).count();
        let length = match first {
            'a'..='z' if digits > 0 => {
                steps.push(Step::Cell(rest[..=digits].to_owned()));
                digits + 1
            }
            '+' | '-' => {
                steps.push(Step::Sign(first));
                1
            }
            _ => {
                kind.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    steps.push(Step::Kind(kind));
    steps
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

    /// `before` are the cells that were clicked so far.
    fn into_click(self, step: &Step, game: &str, before: &[String]) -> Click {
        let mut so_far = before.to_vec();
        if let Step::Cell(cell) = step {
            so_far.push(cell.clone());
        }
        let mut next: Vec<_> =
            self.children.into_iter().map(|(step, branch)| branch.into_click(&step, game, &so_far)).collect();
        let mut ply = self.ply;
        // A choice of one is none.
        if let [only] = next.as_mut_slice()
            && only.label.is_some()
        {
            let only = next.swap_remove(0);
            (ply, next) = (only.ply, only.next);
        }
        let taken: Vec<_> =
            next.iter().filter(|click| click.label.is_none()).flat_map(|click| click.cells.clone()).collect();
        for choice in next.iter_mut().filter(|click| click.label.is_some()) {
            choice.cells.retain(|cell| !taken.contains(cell));
        }
        let (code, label, cells) = describe(step, game, before);
        Click { code, label, cells, ply, next }
    }
}

/// Returns the word for a step, what it means, and where it may be clicked.
fn describe(step: &Step, game: &str, before: &[String]) -> (String, Option<String>, Vec<String>) {
    let choice = |code: &str, label: &str, cell: Option<String>| {
        (code.to_owned(), Some(label.to_owned()), cell.into_iter().collect())
    };
    let last = before.last().cloned();
    match step {
        Step::Cell(cell) => (cell.clone(), None, vec![cell.clone()]),
        // The stone that is taken first: beyond the cell that was moved to, or behind the one that was left.
        Step::Sign('+') => choice("+", "by approach", beyond(before, 1)),
        Step::Sign(_) => choice("-", "by withdrawal", beyond(before, -2)),
        Step::Kind(kind) => match (game, kind.as_str()) {
            ("farook", "") => choice("own", "an own stone", last),
            ("farook", "W") => choice("wild", "a wild stone", None),
            ("sophia", "L") => choice("light", "light side up", None),
            ("sophia", "D") => choice("dark", "dark side up", None),
            ("faust", "") => choice("place", "place a disc", last),
            ("faust", "x") => choice("flip", "flip the rectangle", last),
            ("faust", "Bx") => choice("pattern", "flip the pattern", None),
            ("fanorona", "") => choice(STOP, "stop here", last),
            (_, "swap") => choice("swap", "swap sides", None),
            (_, "") => choice("play", "play", last),
            (_, kind) => choice(kind, kind, None),
        },
    }
}

/// Returns the cell on the line through the last two cells, so many steps after the last one; none off every board.
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

/// Returns the cells of the group of equal stones to which a cell belongs: they hang together in eight directions.
fn group(diagram: &Diagram, cell: &str) -> Vec<String> {
    let (files, ranks) = (diagram.files() as i32, diagram.ranks() as i32);
    let letter = |file: i32, rank: i32| {
        let is_inside = (0..files).contains(&file) && (1..=ranks).contains(&rank);
        is_inside.then(|| diagram.rows[(ranks - rank) as usize][file as usize])
    };
    let Some(start) = place(cell) else { return vec![cell.to_owned()] };
    let stone = letter(start.0, start.1);
    let mut found = vec![start];
    let mut at = 0;
    while let Some((file, rank)) = found.get(at).copied() {
        at += 1;
        for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (file + x, rank + y))) {
            if stone.is_some() && letter(x, y) == stone && !found.contains(&(x, y)) {
                found.push((x, y));
            }
        }
    }
    found.sort_unstable();
    found.iter().map(|(file, rank)| format!("{}{rank}", char::from(b'a' + *file as u8))).collect()
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
        let referee = crate::find(game).unwrap().setup(options).unwrap().referee(from).unwrap();
        let mut words = Vec::new();
        for click in clicks(game, &referee.position(), &referee.legal()) {
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
        let referee = crate::find("fanorona").unwrap().setup(&[]).unwrap().referee(Some(from)).unwrap();
        let mut level = clicks("fanorona", from, &referee.legal());
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
        let referee = crate::find("frenzy").unwrap().setup(&[]).unwrap().referee(Some(from)).unwrap();
        let clicks = clicks("frenzy", from, &referee.legal());
        let cells: Vec<_> = clicks.iter().map(|click| click.cells.join(" ")).collect();
        assert_eq!(cells, ["a2 b1 c2 d1", "a5 b4 c5 d4"]);
    }

    #[test]
    fn a_rectangle_is_named_by_its_corners() {
        let tree = tree("faust", &[("size", "5")], Some("5/5/2b2/1bwb1/2w2 p1 c=bw n=10"));
        assert!(tree.contains("c2(c2)"), "{tree}");
    }
}
