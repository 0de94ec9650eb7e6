//! What tells the versions of a bot apart: a digest of what it is made of.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use protocol::Profile;
use settings::TimeControl;
use sha2::{Digest as _, Sha256};

/// The hexadecimal digits of a digest.
const DIGITS: usize = 16;

/// How a bot is started and addressed, besides its command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner<'a> {
    /// The variables of its environment.
    pub env: &'a [(String, String)],
    /// The words by which it is addressed.
    pub dialect: &'a Profile,
}

impl Manner<'_> {
    /// Adds what is not usual: where everything is, the digest stays what it was before there was a manner.
    fn feed(&self, digest: &mut Digest) {
        let usual = Profile::default();
        let Profile { hello, clock, position_keyword, quiet } = self.dialect;
        // Their order in the file is of no consequence.
        let env: BTreeMap<_, _> = self.env.iter().map(|(name, value)| (name, value)).collect();
        let mut words: Vec<[String; 3]> = Vec::new();
        words.extend(env.into_iter().map(|(name, value)| ["env".to_owned(), name.clone(), value.clone()]));
        for (key, word, is_usual) in [
            ("hello", hello.to_string(), *hello == usual.hello),
            ("clock", clock.to_string(), *clock == usual.clock),
            ("position-keyword", position_keyword.to_string(), *position_keyword == usual.position_keyword),
            ("quiet", quiet.to_string(), *quiet == usual.quiet),
        ] {
            if !is_usual {
                words.push([key.to_owned(), String::new(), word]);
            }
        }
        // Files follow, each with 32 bytes: no key is as long.
        for part in words.iter().flatten() {
            digest.feed(part.as_bytes());
        }
    }
}

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
        manner: &Manner<'_>,
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
        manner.feed(&mut digest);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(env: &[(&str, &str)], dialect: &Profile) -> String {
        let pair = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        let env: Vec<_> = env.iter().map(pair).collect();
        let command = ["python3", "mine.py"].map(str::to_owned);
        let tc = "10+0.1".parse().unwrap();
        let manner = Manner { env: &env, dialect };
        Hasher::default().digest(&command, &[pair(&("Hash", "16"))], Some(&tc), None, &manner).finish()
    }

    #[test]
    fn a_bot_that_is_addressed_as_usual_has_the_digest_that_it_always_had() {
        // Computed by another program from the lengths and bytes of the parts.
        assert_eq!(digest(&[], &Profile::default()), "3e43f5567726770e");
    }

    #[test]
    fn whatever_changes_what_a_bot_is_told_changes_its_digest() {
        let usual = Profile::default();
        let mut digests = vec![
            digest(&[], &usual),
            digest(&[("LEVEL", "3")], &usual),
            digest(&[("LEVEL", "4")], &usual),
            digest(&[("LEVEL", "3"), ("MODE", "")], &usual),
            digest(&[("hello", "uci")], &usual),
            digest(&[], &Profile { hello: "uci".parse().unwrap(), ..usual.clone() }),
            digest(&[], &Profile { clock: "wb".parse().unwrap(), ..usual.clone() }),
            digest(&[], &Profile { position_keyword: "sfen".parse().unwrap(), ..usual.clone() }),
            digest(&[], &Profile { quiet: true, ..usual.clone() }),
        ];
        assert_eq!(digest(&[("B", "2"), ("A", "1")], &usual), digest(&[("A", "1"), ("B", "2")], &usual));
        let count = digests.len();
        digests.sort();
        digests.dedup();
        assert_eq!(digests.len(), count);
    }
}
