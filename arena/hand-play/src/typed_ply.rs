//! A ply as it is typed: its spelling, or its parts one after the other.

use rules::{Click, nearest};

/// How many plies are named in a message.
const NAMED: usize = 8;

/// What was typed so far of a ply.
#[derive(Debug, Default)]
pub struct TypedPly {
    path: Vec<Click>,
}

impl TypedPly {
    /// Takes a text. Returns the ply that it completes; `None` where more is to be typed.
    ///
    /// # Errors
    /// Says what is wrong with it and which plies are near; what was typed before stays.
    pub fn take(&mut self, text: &str, clicks: &[Click], legal: &[String]) -> Result<Option<String>, String> {
        let text: String = text.split_whitespace().collect();
        if let Some(ply) = spelled(&text, legal) {
            self.path.clear();
            return Ok(Some(ply));
        }
        // A begun ply continues; otherwise another begins.
        let path = walk(&self.path, clicks, &text).or_else(|| walk(&[], clicks, &text));
        let Some(path) = path else { return Err(fault(&text, legal)) };
        let plies = path.last().map(Click::plies).unwrap_or_default();
        if let [only] = plies.as_slice() {
            let ply = (*only).to_owned();
            self.path.clear();
            return Ok(Some(ply));
        }
        self.path = path;
        Ok(None)
    }

    /// Returns whether anything was typed.
    pub const fn is_begun(&self) -> bool {
        !self.path.is_empty()
    }

    /// Takes the last part back.
    pub fn back(&mut self) {
        self.path.pop();
    }

    /// Forgets what was typed.
    pub fn clear(&mut self) {
        self.path.clear();
    }

    /// Returns the ply that would be played if it ended here; parts that are not decided yet are left out.
    pub fn so_far(&self) -> Option<&str> {
        self.path.iter().rev().find_map(Click::so_far)
    }

    /// Says what was typed and taken, and what can follow: `e3 d3 (c3 taken) ... 1 stop (stop here), 2 d2`. `taken` returns what a
    /// ply takes that begins in a cell.
    pub fn describe(&self, taken: impl Fn(&str, &str) -> Vec<String>) -> String {
        let typed: Vec<_> = self.path.iter().map(|click| click.code.as_str()).collect();
        let from = typed.first().copied().unwrap_or_default();
        let gone = self.so_far().map(|ply| taken(from, ply)).unwrap_or_default();
        // What a capture takes beyond that.
        let takes = |click: &Click| {
            let is_capture = click.code == "+" || click.code == "-";
            let cells = click.so_far().filter(|_| is_capture).map(|ply| taken(from, ply)).unwrap_or_default();
            let cells: Vec<_> = cells.into_iter().filter(|cell| !gone.contains(cell)).collect();
            if cells.is_empty() { String::new() } else { format!(": {}", cells.join(" ")) }
        };
        let next = self.path.last().map(|click| click.next.as_slice()).unwrap_or_default();
        let choices: Vec<_> = next
            .iter()
            .enumerate()
            .map(|(index, click)| match &click.label {
                Some(label) if *label == click.code => format!("{} {label}", index + 1),
                Some(label) => format!("{} {} ({label}{})", index + 1, click.code, takes(click)),
                None => format!("{} {}", index + 1, click.code),
            })
            .collect();
        let gone = if gone.is_empty() { String::new() } else { format!(" ({} taken)", gone.join(" ")) };
        format!("{}{gone} ... {}", typed.join(" "), choices.join(", "))
    }
}

/// Returns the legal ply with this spelling, or the only one that begins so or differs from it in upper and lower case alone.
fn spelled(text: &str, legal: &[String]) -> Option<String> {
    let only = |fits: &dyn Fn(&String) -> bool| {
        let mut found = legal.iter().filter(|ply| fits(ply));
        found.next().filter(|_| found.next().is_none()).cloned()
    };
    if legal.iter().any(|ply| ply == text) {
        return Some(text.to_owned());
    }
    let same = only(&|ply| ply.eq_ignore_ascii_case(text));
    same.or_else(|| only(&|ply| !text.is_empty() && ply.starts_with(text)))
}

/// Follows the clicks that a text names after those of `start`; `None` where it names none.
fn walk(start: &[Click], top: &[Click], text: &str) -> Option<Vec<Click>> {
    let mut path = start.to_vec();
    let mut rest = text;
    while !rest.is_empty() {
        let siblings = path.last().map_or(top, |click| &click.next);
        let (click, length) = step(siblings, rest)?;
        path.push(click);
        rest = &rest[length..];
    }
    (path.len() > start.len()).then_some(path)
}

/// Returns the click that the start of a text names, and the length of its name.
fn step(siblings: &[Click], text: &str) -> Option<(Click, usize)> {
    let first = text.chars().next()?;
    let digits = text[first.len_utf8()..].bytes().take_while(u8::is_ascii_digit).count();
    if first.is_ascii_alphabetic() && digits > 0 {
        let cell = text[..=digits].to_ascii_lowercase();
        let clicked = siblings.iter().find(|click| click.cells.contains(&cell))?;
        return Some((clicked.clone(), digits + 1));
    }
    if first.is_ascii_digit() {
        let number: usize = text.parse().ok()?;
        return Some((siblings.get(number.checked_sub(1)?)?.clone(), text.len()));
    }
    if first == '+' || first == '-' {
        let sign = siblings.iter().find(|click| click.code.starts_with(first))?;
        return Some((sign.clone(), 1));
    }
    // A word, or the start of one that is no other's.
    let word = text.to_ascii_lowercase();
    let begins = |click: &&Click| {
        let has_label = click.label.is_some();
        has_label && click.code.to_ascii_lowercase().starts_with(&word)
    };
    let mut found = siblings.iter().filter(begins);
    let only = found.next().filter(|_| found.next().is_none())?;
    Some((only.clone(), text.len()))
}

/// Says which legal plies are near to what was typed.
fn fault(text: &str, legal: &[String]) -> String {
    let shown = protocol::printable_capped(text, 40);
    let begun: Vec<_> = (1..=text.chars().count())
        .rev()
        .filter_map(|length| text.char_indices().nth(length - 1).map(|(at, c)| &text[..at + c.len_utf8()]))
        .map(|start| legal.iter().filter(|ply| ply.starts_with(start)).collect::<Vec<_>>())
        .find(|plies| !plies.is_empty())
        .unwrap_or_default();
    let near = nearest(text, legal.iter().map(String::as_str));
    let mut names: Vec<_> = near.into_iter().collect();
    names.extend(begun.iter().map(|ply| ply.as_str()).filter(|ply| near != Some(*ply)));
    if names.is_empty() {
        let shown_plies: Vec<_> = legal.iter().take(NAMED).map(String::as_str).collect();
        let all = if legal.len() > NAMED { ", `legal` lists them all" } else { "" };
        let plies = shown_plies.join(" ");
        return format!("`{shown}` is neither a command nor a legal ply; legal are {plies}{all}");
    }
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("`{shown}` is not a legal ply here; near it: {}{more}", names.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ply_preview;

    /// Types texts one after the other; what comes of each.
    fn check(game: &str, from: &str, texts: &[&str], expected: &[&str]) {
        let setup = rules::find(game).unwrap().setup(&[]).unwrap();
        let referee = setup.referee(Some(from)).unwrap();
        let legal = referee.legal();
        let clicks = rules::clicks(&setup, from, &legal);
        let mut entry = TypedPly::default();
        let came = texts.iter().map(|text| match entry.take(text, &clicks, &legal) {
            Ok(Some(ply)) => ply,
            Ok(None) => entry.describe(|cell, ply| ply_preview::cells_taken(&setup, from, cell, ply)),
            Err(fault) => fault,
        });
        assert_eq!(came.collect::<Vec<_>>(), expected);
    }

    const CHAIN: &str = "4b4/1b1b5/2b1w4/9/8b p1 quiet=3";

    #[test]
    fn a_chain_is_typed_part_by_part() {
        let steps = [
            "e3 ... 1 d3, 2 e4, 3 f2",
            "e3 d3 (c3 taken) ... 1 stop (stop here), 2 d2",
            "e3 d3 d2 (c3 d4 taken) ... 1 stop (stop here), 2 c3",
        ];
        check("fanorona", CHAIN, &["e3", "d3", "d2"], &steps);
        check(
            "fanorona",
            CHAIN,
            &["e3d3d2", "2", "stop"],
            &[steps[2], "e3 d3 d2 c3 (b4 c3 d4 taken) ... 1 stop (stop here), 2 d4", "e3d3+d2-c3+"],
        );
        check("fanorona", CHAIN, &["e3 f2"], &["e3f2-"]);
        check("fanorona", CHAIN, &["e3d3+", "E3", "d3", "d3"], &["e3d3+", steps[0], steps[1], "e3d3+"]);
    }

    #[test]
    fn approach_or_withdrawal_is_chosen_by_sign_number_or_stone() {
        let from = "6b2/5b3/9/3w5/2b6 p1 quiet=4";
        let asked = "d2 e3 ... 1 + (by approach: f4 g5), 2 - (by withdrawal: c1)";
        for (choice, ply) in [("+", "d2e3+"), ("2", "d2e3-"), ("c1", "d2e3-"), ("f4", "d2e3+")] {
            check("fanorona", from, &["d2 e3", choice], &[asked, ply]);
        }
    }

    #[test]
    fn what_is_wrong_names_what_is_near() {
        check(
            "farook",
            "bb1w/bwxb/wwbw/1bxw p1 stock=0,0,0 last=-,- ko=- n=14",
            &["a2a9", "zz"],
            &[
                "`a2a9` is not a legal ply here; near it: a2a1",
                "`zz` is neither a command nor a legal ply; legal are a2a1 a2c4 b2a1 b3c4 c3c4 d4c4",
            ],
        );
    }

    /// Returns the codes of the clicks that lead to a ply.
    fn codes(clicks: &[Click], ply: &str) -> Option<Vec<String>> {
        clicks.iter().find_map(|click| {
            if click.ply.as_deref() == Some(ply) {
                return Some(vec![click.code.clone()]);
            }
            let rest = codes(&click.next, ply)?;
            Some([vec![click.code.clone()], rest].concat())
        })
    }

    #[test]
    fn every_ply_can_be_typed_by_its_parts() {
        for game in rules::GAMES {
            let mut dice = rules::Dice::new(5);
            let setup = game.setup(&[]).unwrap();
            let mut referee = setup.referee(None).unwrap();
            for _ in 0..60 {
                let legal = referee.legal();
                let clicks = rules::clicks(&setup, &referee.position(), &legal);
                for ply in &legal {
                    let codes = codes(&clicks, ply).unwrap();
                    let typed = TypedPly::default().take(&codes.concat(), &clicks, &legal);
                    assert_eq!(typed, Ok(Some(ply.clone())), "{} {codes:?}", game.id);
                }
                if legal.is_empty() {
                    break;
                }
                referee.submit(&legal[dice.below(legal.len())]).unwrap();
            }
        }
    }
}
