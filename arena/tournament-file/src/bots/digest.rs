//! What tells the versions of a bot apart: a digest of what it is made of.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use settings::TimeControl;
use sha2::{Digest as _, Sha256};

/// The hexadecimal digits of a digest.
const DIGITS: usize = 16;

/// Hashes files, each once: bots share interpreters, and executables are large.
#[derive(Debug, Default)]
pub(crate) struct Hasher {
    files: BTreeMap<PathBuf, [u8; 32]>,
}

/// A digest in the making.
#[derive(Debug)]
pub(crate) struct Digest(Sha256);

impl Hasher {
    /// Begins a digest with everything but files. `identity` stands for the files of a bot of the arena or of a
    /// commit.
    pub(crate) fn digest(
        &self,
        command: &[String],
        options: &[(String, String)],
        tc: Option<&TimeControl>,
        identity: Option<&str>,
    ) -> Digest {
        let mut digest = Digest(Sha256::new());
        // Every part carries its length: no two bots read the same.
        digest.feed_count(command.len());
        for word in command {
            digest.feed(word.as_bytes());
        }
        // Their order in the file is of no consequence.
        let options: BTreeMap<_, _> = options.iter().map(|(key, value)| (key, value)).collect();
        digest.feed_count(options.len());
        for (key, value) in options {
            digest.feed(key.as_bytes());
            digest.feed(value.as_bytes());
        }
        digest.feed(tc.map(ToString::to_string).unwrap_or_default().as_bytes());
        digest.feed(identity.unwrap_or_default().as_bytes());
        digest
    }

    /// Adds the contents of a file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn add(&mut self, digest: &mut Digest, file: &Path) -> io::Result<()> {
        let file = file.canonicalize()?;
        let hash = match self.files.get(&file) {
            Some(hash) => *hash,
            None => *self.files.entry(file.clone()).or_insert(hash(&file)?),
        };
        digest.feed(&hash);
        Ok(())
    }
}

impl Digest {
    /// Returns the digest in hexadecimal digits.
    pub(crate) fn finish(self) -> String {
        let mut text = String::new();
        for byte in &self.0.finalize()[..DIGITS / 2] {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    fn feed_count(&mut self, count: usize) {
        self.0.update((count as u64).to_le_bytes());
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.feed_count(bytes.len());
        self.0.update(bytes);
    }
}

fn hash(file: &Path) -> io::Result<[u8; 32]> {
    let mut file = record::open_regular(file)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.finalize().into()),
            count => hash.update(&buffer[..count]),
        }
    }
}
