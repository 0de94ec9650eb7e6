//! Whatever a bot sends, nothing panics, nothing grows without bound, and nothing changes with the way in
//! which its bytes are cut into pieces.

mod talk;

use proptest::collection::vec;
use proptest::prelude::*;
use protocol::{Line, LineBuffer, printable, printable_capped};

use crate::talk::{read_and_write, talk};

const EXAMPLES: [&str; 6] = [
    include_str!("../../../protocol-spec/vectors/dialogues/handshake.abp"),
    include_str!("../../../protocol-spec/vectors/dialogues/game-fanorona.abp"),
    include_str!("../../../protocol-spec/vectors/dialogues/turn.abp"),
    include_str!("../../../protocol-spec/vectors/dialogues/options.abp"),
    include_str!("data/bot-lines.txt"),
    include_str!("data/arena-lines.txt"),
];

fn example() -> impl Strategy<Value = Vec<u8>> {
    let lines: Vec<Vec<u8>> = EXAMPLES
        .iter()
        .flat_map(|text| text.lines())
        .filter_map(|line| line.split(" => ").next())
        .map(|line| line.trim_start_matches(['<', '>', ' ']).as_bytes().to_vec())
        .collect();
    proptest::sample::select(lines)
}

/// A valid line with some bytes replaced, or bytes of any kind.
fn hostile_line() -> impl Strategy<Value = Vec<u8>> {
    let mutated =
        (example(), vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)).prop_map(|(mut line, edits)| {
            for (index, byte) in edits {
                if !line.is_empty() {
                    let index = index.index(line.len());
                    line[index] = byte;
                }
            }
            line
        });
    prop_oneof![3 => mutated, 1 => vec(any::<u8>(), 0..80)]
}

fn stream() -> impl Strategy<Value = Vec<u8>> {
    vec(hostile_line(), 0..30).prop_map(|lines| lines.join(&b'\n'))
}

fn pop_all(buffer: &mut LineBuffer) -> Vec<Line> {
    std::iter::from_fn(|| buffer.pop()).collect()
}

fn split(bytes: &[u8], limit: usize, chunk: impl Fn(usize) -> usize) -> (Vec<Line>, Vec<u8>) {
    let mut buffer = LineBuffer::with_limit(limit);
    let mut lines = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (now, later) = rest.split_at(chunk(rest.len()).clamp(1, rest.len()));
        buffer.push(now);
        lines.extend(pop_all(&mut buffer));
        assert!(buffer.unfinished().len() <= limit);
        rest = later;
    }
    (lines, buffer.unfinished().to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chunks_make_no_difference(bytes in stream(), limit in 1..100usize, sizes in vec(1..40usize, 1..10)) {
        let whole = split(&bytes, limit, |rest| rest);
        let count = std::cell::Cell::new(0);
        let cut = split(&bytes, limit, |_| {
            count.set(count.get() + 1);
            sizes[count.get() % sizes.len()]
        });
        prop_assert_eq!(&cut, &whole);
        prop_assert_eq!(split(&bytes, limit, |_| 1), whole);
    }

    #[test]
    fn lines_hold_nothing_that_a_line_may_not_hold(bytes in stream()) {
        for line in split(&bytes, 100, |rest| rest).0 {
            let text = line.text().unwrap_or_default();
            prop_assert!(!text.contains(|c: char| c.is_ascii_control()), "{:?}", text);
            prop_assert_eq!(protocol::normalise(text), text);
        }
    }

    #[test]
    fn no_line_is_ever_a_panic(bytes in stream()) {
        let lines = split(&bytes, 65_536, |rest| rest).0;
        let texts: Vec<String> = lines.iter().map(|line| line.text().unwrap_or_default().to_owned()).collect();
        talk(&texts);
    }

    #[test]
    fn every_line_is_read_alike_once_it_is_written(line in hostile_line()) {
        read_and_write(&String::from_utf8_lossy(&line));
    }

    #[test]
    fn nothing_that_hides_gets_through_the_escape(bytes in vec(any::<u8>(), 0..60), text in ".{0,40}", cap in 0..50usize) {
        for shown in [printable(&bytes), printable(&text)] {
            prop_assert!(!shown.contains(char::is_control));
            prop_assert_eq!(printable(shown.as_ref()), shown.as_ref(), "what is shown needs no more escapes");
        }
        prop_assert!(printable_capped(&bytes, cap).chars().count() <= cap);
    }
}
