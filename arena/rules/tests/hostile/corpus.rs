//! The texts of `data/hostile.txt`, and others made from them.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const FILE: &str = include_str!("../data/hostile.txt");

/// Returns the texts of the file; `{}` stands for each of the valid texts in turn.
pub(crate) fn texts(valid: &[String]) -> Vec<String> {
    let mut texts = vec![String::new()];
    for line in FILE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (times, text) = match line.strip_prefix('*').and_then(|rest| rest.split_once(' ')) {
            Some((times, text)) => (times.parse().expect("`*N TEXT`"), text),
            None => (1, line),
        };
        let text = unescaped(text);
        match text.contains("{}") {
            true => texts.extend(valid.iter().map(|valid| text.replace("{}", valid).repeat(times))),
            false => texts.push(text.repeat(times)),
        }
    }
    texts
}

/// Makes so many texts from these: pieces of two that are put together, with a letter changed here and there.
pub(crate) fn crossed(texts: &[String], count: usize, seed: u64) -> Vec<String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let short: Vec<Vec<char>> =
        texts.iter().filter(|text| text.len() < 400).map(|text| text.chars().collect()).collect();
    let mut cross = || {
        let one = &short[rng.random_range(0..short.len())];
        let other = &short[rng.random_range(0..short.len())];
        let mut text = one[..rng.random_range(0..=one.len())].to_vec();
        text.extend_from_slice(&other[rng.random_range(0..=other.len())..]);
        for _ in 0..rng.random_range(0..3) {
            let letters = &short[rng.random_range(0..short.len())];
            if !text.is_empty() && !letters.is_empty() {
                let place = rng.random_range(0..text.len());
                text[place] = letters[rng.random_range(0..letters.len())];
            }
        }
        text.into_iter().collect()
    };
    (0..count).map(|_| cross()).collect()
}

/// Reads the escapes of a line: `\n`, `\r`, `\t`, `\0`, `\\` and `\u{HEX}`.
fn unescaped(line: &str) -> String {
    let mut text = String::new();
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        text.push(match letters.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('0') => '\0',
            Some('\\') => '\\',
            Some('u') => {
                let code: String = letters.by_ref().skip(1).take_while(|letter| *letter != '}').collect();
                let code = u32::from_str_radix(&code, 16).expect("hexadecimal digits");
                char::from_u32(code).expect("a code point")
            }
            other => panic!("{line}: unknown escape {other:?}"),
        });
    }
    text
}

#[test]
fn the_file_is_read_with_its_escapes() {
    assert_eq!(unescaped("a\\0\\u{301}\\\\n"), "a\0\u{301}\\n");
    let texts = texts(&["a1".to_owned(), "pass".to_owned()]);
    for text in ["", " ", "\0", "pass\0", "a1a1", "\u{feff}a1", "4294967296"] {
        assert!(texts.iter().any(|other| other == text), "{text:?}");
    }
    assert!(texts.iter().any(|text| text.len() == 70_000 && text.starts_with("aa")));
}
