//! What tells whether games are the same ply for ply, or begin alike.

/// The hash of a start and plies while it is made: FNV-1a of 128 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(pub(crate) u128);

impl Fingerprint {
    /// Begins with a start, where it is not the game's own.
    pub(crate) fn of(start: Option<&str>) -> Self {
        let mut hash = Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        hash.push(start.unwrap_or_default());
        hash
    }

    /// Returns 64 bits of it. Of a million openings two have the same ones once in forty million runs.
    pub(crate) const fn short(self) -> u64 {
        (self.0 ^ (self.0 >> 64)) as u64
    }

    /// Takes the next ply, or several with a line feed between them.
    pub(crate) fn push(&mut self, text: &str) {
        for byte in text.bytes().chain([b'\n']) {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
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

    /// Puts another ply in the place of the last one.
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
        (hash.0, opening)
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
