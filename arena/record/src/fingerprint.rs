//! What tells whether games are the same ply for ply, or begin alike.

use rules::Fnv128;

/// The hash of a start and plies while it is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(Fnv128);

impl Fingerprint {
    /// Begins with a start, where it is not the game's own.
    pub(crate) fn of(start: Option<&str>) -> Self {
        let mut hash = Self(Fnv128::default());
        hash.push(start.unwrap_or_default());
        hash
    }

    /// Returns all of it.
    pub(crate) const fn whole(self) -> u128 {
        self.0.value()
    }

    /// Returns 64 bits of it. Of a million openings two have the same ones once in forty million runs.
    pub(crate) const fn short(self) -> u64 {
        let whole = self.whole();
        (whole ^ (whole >> 64)) as u64
    }

    /// Takes the next ply, or several with a line feed between them.
    pub(crate) fn push(&mut self, text: &str) {
        self.0.feed(text.bytes());
        self.0.feed([b'\n']);
    }
}

/// The plies of a game in one text.
#[derive(Debug, Default)]
pub(crate) struct PlyTexts {
    pub(crate) count: usize,
    /// With a line feed between them.
    texts: String,
}

impl PlyTexts {
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

    /// How many bytes they take.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns the hash of the whole game and of its first `opening` plies, from a start that is not the game's own where one
    /// is given.
    pub(crate) fn fingerprints(&self, start: Option<&str>, opening: usize) -> (u128, u64) {
        let (first, rest) = self.divided(opening);
        let mut hash = Fingerprint::of(start);
        first.into_iter().for_each(|plies| hash.push(plies));
        let opening = hash.short();
        rest.into_iter().for_each(|plies| hash.push(plies));
        (hash.whole(), opening)
    }

    /// Returns the first plies and the others.
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
