//! Hashes that identify games with the same plies and games with the same opening.

use rules::Fnv128;

/// The hash of a start and the plies pushed so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(Fnv128);

impl Fingerprint {
    /// Begins a hash with a start, if it is not the game's own.
    pub(crate) fn of(start: Option<&str>) -> Self {
        let mut hash = Self(Fnv128::default());
        hash.push(start.unwrap_or_default());
        hash
    }

    /// Returns the whole hash.
    pub(crate) const fn whole(self) -> u128 {
        self.0.value()
    }

    /// Returns 64 bits of the hash. Among a million openings two collide once in forty million runs.
    pub(crate) const fn short(self) -> u64 {
        let whole = self.whole();
        (whole ^ (whole >> 64)) as u64
    }

    /// Adds the next ply, or several plies separated by line feeds.
    pub(crate) fn push(&mut self, text: &str) {
        self.0.feed(text.bytes());
        self.0.feed([b'\n']);
    }
}

/// The plies of a game in one string.
#[derive(Debug, Default)]
pub(crate) struct PlyTexts {
    pub(crate) count: usize,
    /// The plies, separated by line feeds.
    texts: String,
}

impl PlyTexts {
    /// Makes room for so many bytes.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.texts.reserve(bytes);
    }

    pub(crate) fn push(&mut self, ply: &str) {
        if self.count > 0 {
            self.texts.push('\n');
        }
        self.texts.push_str(ply);
        self.count += 1;
    }

    /// Replaces the last ply.
    pub(crate) fn replace_last(&mut self, ply: &str) {
        let start = self.texts.rfind('\n').map_or(0, |end| end + 1);
        self.texts.truncate(start);
        self.texts.push_str(ply);
    }

    /// Returns the length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns the hash of the whole game and that of its first `opening` plies. `start` is given if it is not the game's own.
    pub(crate) fn fingerprints(&self, start: Option<&str>, opening: usize) -> (u128, u64) {
        let (first, rest) = self.divided(opening);
        let mut hash = Fingerprint::of(start);
        first.into_iter().for_each(|plies| hash.push(plies));
        let opening = hash.short();
        rest.into_iter().for_each(|plies| hash.push(plies));
        (hash.whole(), opening)
    }

    /// Returns the first plies and the rest.
    fn divided(&self, first: usize) -> (Option<&str>, Option<&str>) {
        if self.count == 0 || first == 0 {
            return (None, (self.count > 0).then_some(&self.texts));
        }
        match self.texts.match_indices('\n').nth(first - 1) {
            Some((end, _)) => (Some(&self.texts[..end]), Some(&self.texts[end + 1..])),
            None => (Some(&self.texts), None),
        }
    }
}
