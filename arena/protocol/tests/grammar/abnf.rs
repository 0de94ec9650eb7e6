//! `protocol-spec/grammar.abnf` as a machine: does a line match a rule, and which lines does a rule make.
//!
//! The file is read by the crate `abnf`. Matching keeps every possible end of every element, as ABNF means it, and
//! prefers nothing: no alternative hides another.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use abnf::types::{Node, Repeat, TerminalValues};

/// The grammar.
pub(crate) struct Grammar {
    rules: BTreeMap<String, Node>,
}

type Ends = BTreeSet<usize>;

/// Where a rule that begins at a place may end, as far as it is known.
type Memory<'a> = HashMap<(&'a str, usize), Ends>;

impl Grammar {
    /// Reads the file and checks that every rule it names is there.
    pub(crate) fn new(text: &str) -> Self {
        // The last line of a rule list needs its line end, and RFC 5234 wants CRLF.
        let text = text.replace('\n', "\r\n");
        let rules = abnf::rulelist(&text).unwrap_or_else(|error| panic!("{error}"));
        let count = rules.len();
        let rules: BTreeMap<_, _> =
            rules.into_iter().map(|rule| (rule.name().to_owned(), rule.node().clone())).collect();
        assert_eq!(rules.len(), count, "a rule is there twice");
        let grammar = Self { rules };
        for node in grammar.rules.values() {
            walk(node, &mut |node| match node {
                Node::Rulename(name) => assert!(grammar.knows(name), "no rule `{name}`"),
                Node::Prose(prose) => {
                    let (is, is_not) = difference(prose);
                    assert!(grammar.knows(is) && grammar.knows(is_not), "{prose}");
                }
                _ => {}
            });
        }
        grammar
    }

    fn knows(&self, name: &str) -> bool {
        self.rules.contains_key(name) || core(name).is_some()
    }

    /// Returns whether a line is made by a rule.
    pub(crate) fn matches(&self, rule: &str, line: &str) -> bool {
        let line: Vec<char> = line.chars().collect();
        self.rule_ends(rule, &line, 0, &mut Memory::new()).contains(&line.len())
    }

    /// Returns the words of a rule and of those it leads to: what stands between double quotes.
    pub(crate) fn words(&self, rule: &str) -> BTreeSet<String> {
        let mut words = BTreeSet::new();
        let mut open = vec![rule.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(rule) = open.pop() {
            let Some(node) = self.rules.get(&rule).filter(|_| seen.insert(rule.clone())) else { continue };
            walk(node, &mut |node| match node {
                Node::String(word) => drop(words.insert(word.value().to_owned())),
                Node::Rulename(name) => open.push(name.clone()),
                _ => {}
            });
        }
        words
    }

    fn rule_ends<'a>(&'a self, rule: &'a str, line: &[char], start: usize, memory: &mut Memory<'a>) -> Ends {
        if let Some(holds) = core(rule) {
            return line.get(start).filter(|letter| holds(**letter)).map(|_| start + 1).into_iter().collect();
        }
        if let Some(ends) = memory.get(&(rule, start)) {
            return ends.clone();
        }
        let ends = self.ends(&self.rules[rule], line, start, memory);
        memory.insert((rule, start), ends.clone());
        ends
    }

    fn ends<'a>(&'a self, node: &'a Node, line: &[char], start: usize, memory: &mut Memory<'a>) -> Ends {
        match node {
            Node::Alternatives(nodes) => {
                nodes.iter().flat_map(|node| self.ends(node, line, start, memory)).collect()
            }
            Node::Concatenation(nodes) => nodes.iter().fold(Ends::from([start]), |starts, node| {
                starts.into_iter().flat_map(|start| self.ends(node, line, start, memory)).collect()
            }),
            Node::Repetition { repeat, node } => {
                let (least, most) = bounds(repeat);
                let (mut ends, mut now) = (Ends::new(), Ends::from([start]));
                for count in 0..=most {
                    if count >= least {
                        let new: Ends = now.difference(&ends).copied().collect();
                        if new.is_empty() {
                            break;
                        }
                        ends.extend(&new);
                        // What was there before leads nowhere new; below the least count all of it may.
                        now = new;
                    }
                    now = now.into_iter().flat_map(|start| self.ends(node, line, start, memory)).collect();
                }
                ends
            }
            Node::Group(node) => self.ends(node, line, start, memory),
            Node::Optional(node) => {
                let mut ends = self.ends(node, line, start, memory);
                ends.insert(start);
                ends
            }
            Node::Rulename(name) => self.rule_ends(name, line, start, memory),
            Node::String(word) => {
                let word: Vec<char> = word.value().chars().collect();
                let is_there = line[start..].starts_with(&word);
                is_there.then_some(start + word.len()).into_iter().collect()
            }
            Node::TerminalValues(TerminalValues::Range(from, to)) => {
                let is_there =
                    line.get(start).is_some_and(|letter| (*from..=*to).contains(&u32::from(*letter)));
                is_there.then_some(start + 1).into_iter().collect()
            }
            Node::TerminalValues(TerminalValues::Concatenation(values)) => {
                let found = line[start..].iter().map(|letter| u32::from(*letter));
                let is_there = found.take(values.len()).eq(values.iter().copied());
                is_there.then_some(start + values.len()).into_iter().collect()
            }
            Node::Prose(prose) => {
                let (is, is_not) = difference(prose);
                let not = self.rule_ends(is_not, line, start, memory);
                &self.rule_ends(is, line, start, memory) - &not
            }
        }
    }

    /// Makes a line by a rule. The choices say which way is taken; when they are used up the shortest is.
    ///
    /// `None` when the choices lead to something that an `other than` excludes.
    pub(crate) fn derive(&self, rule: &str, choices: &mut Choices<'_>) -> Option<String> {
        let mut line = String::new();
        self.derive_node(&Node::rulename(rule), choices, &mut line).then_some(line)
    }

    fn derive_node(&self, node: &Node, choices: &mut Choices<'_>, line: &mut String) -> bool {
        match node {
            Node::Alternatives(nodes) => self.derive_node(&nodes[choices.below(nodes.len())], choices, line),
            Node::Concatenation(nodes) => nodes.iter().all(|node| self.derive_node(node, choices, line)),
            Node::Repetition { repeat, node } => {
                let (least, most) = bounds(repeat);
                let count = least + choices.below((most - least).min(6) + 1);
                (0..count).all(|_| self.derive_node(node, choices, line))
            }
            Node::Group(node) => self.derive_node(node, choices, line),
            Node::Optional(node) => choices.below(2) == 0 || self.derive_node(node, choices, line),
            Node::Rulename(name) => match core(name) {
                Some(holds) => {
                    let letters: Vec<char> = ('\0'..='\u{7f}').filter(|letter| holds(*letter)).collect();
                    line.push(letters[choices.below(letters.len())]);
                    true
                }
                None => self.derive_node(&self.rules[name], choices, line),
            },
            Node::String(word) => {
                line.push_str(word.value());
                true
            }
            Node::TerminalValues(TerminalValues::Range(from, to)) => {
                let value = from + choices.below((to - from + 1) as usize) as u32;
                line.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
                true
            }
            Node::TerminalValues(TerminalValues::Concatenation(values)) => {
                line.extend(values.iter().filter_map(|value| char::from_u32(*value)));
                true
            }
            Node::Prose(prose) => {
                let (is, is_not) = difference(prose);
                let Some(part) = self.derive(is, choices).filter(|part| !self.matches(is_not, part)) else {
                    return false;
                };
                line.push_str(&part);
                true
            }
        }
    }
}

/// The choices by which a line is made.
pub(crate) struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Choices<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes: bytes.iter() }
    }

    /// Returns a number below `count`, 0 when there are no more choices.
    fn below(&mut self, count: usize) -> usize {
        let width = if count > 256 { 3 } else { 1 };
        let number = self.bytes.by_ref().take(width).fold(0, |n, byte| n << 8 | usize::from(*byte));
        number % count
    }
}

/// The core rules of RFC 5234 that are used.
fn core(name: &str) -> Option<fn(char) -> bool> {
    match name {
        "ALPHA" => Some(|letter| letter.is_ascii_alphabetic()),
        "DIGIT" => Some(|letter| letter.is_ascii_digit()),
        "SP" => Some(|letter| letter == ' '),
        _ => None,
    }
}

/// Reads `A other than B`.
fn difference(prose: &str) -> (&str, &str) {
    prose.split_once(" other than ").unwrap_or_else(|| panic!("`<{prose}>` is not `<A other than B>`"))
}

/// Returns how often an element stands there; no line of a test holds more than a few hundred.
fn bounds(repeat: &Repeat) -> (usize, usize) {
    (repeat.min().unwrap_or(0), repeat.max().unwrap_or(1000))
}

fn walk(node: &Node, visit: &mut impl FnMut(&Node)) {
    visit(node);
    match node {
        Node::Alternatives(nodes) | Node::Concatenation(nodes) => {
            nodes.iter().for_each(|node| walk(node, visit));
        }
        Node::Repetition { node, .. } | Node::Group(node) | Node::Optional(node) => walk(node, visit),
        Node::Rulename(_) | Node::String(_) | Node::TerminalValues(_) | Node::Prose(_) => {}
    }
}
