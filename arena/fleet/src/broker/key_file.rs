//! The key of one user of a broker: a file with its seed, and whose it is.

/// What a file of `arena workers keys` says.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct KeyFile {
    /// The worker whose key it is; `None` for the key of a coordinator.
    pub worker: Option<String>,
    /// The secret: an nkey seed.
    pub seed: String,
}

impl KeyFile {
    /// Reads a file; `None` where it is another one, such as one of credentials with a token.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let worker = text.lines().find_map(|line| Some(line.strip_prefix("# worker ")?.trim().to_owned()));
        let seed = lines.find(|line| !line.starts_with('#'))?;
        nkeys::KeyPair::from_seed(seed).ok()?;
        Some(Self { worker, seed: seed.to_owned() })
    }

    /// Returns the text of the file.
    pub(crate) fn to_text(&self) -> String {
        let whose =
            self.worker.as_ref().map_or_else(|| "coordinator".to_owned(), |name| format!("worker {name}"));
        format!("# {whose}\n{}\n", self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_is_written() {
        let seed = nkeys::KeyPair::new_user().seed().unwrap();
        for worker in [None, Some("w7".to_owned())] {
            let file = KeyFile { worker, seed: seed.clone() };
            assert!(KeyFile::read(&file.to_text()) == Some(file));
        }
        for other in ["", "# worker w7\n", "-----BEGIN NATS USER JWT-----\neyJ\n", "SUnonsense"] {
            assert!(KeyFile::read(other).is_none(), "{other}");
        }
    }
}
