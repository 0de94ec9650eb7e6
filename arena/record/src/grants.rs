//! What the sandbox of a bot permits beyond its level.

use serde::{Deserialize, Serialize};

/// What the sandbox of a bot permits beyond its level, in the words of the tournament file. The level decides everything that
/// is absent here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Grants {
    /// Files and directories that the bot may also read, relative to the directory of the tournament file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<String>,
    /// Files and directories that the bot may also read and write, relative to the same directory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write: Vec<String>,
    /// Whether the bot may use TCP and UDP.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// The most open descriptors of a process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// The largest file that a process may write, with the unit: `64MiB`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_size: Option<String>,
}

impl Grants {
    /// Returns whether nothing is granted beyond the level.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the grants in words: `read books, network`; empty if there are none.
    #[must_use]
    pub fn words(&self) -> String {
        let list = |what: &str, paths: &[String]| {
            (!paths.is_empty()).then(|| format!("{what} {}", paths.join(" and ")))
        };
        let limit = |what: &str, most: Option<&String>| Some(format!("{what} {}", most?));
        let words = [
            list("read", &self.read),
            list("write", &self.write),
            self.network.then(|| "network".to_owned()),
            limit("files", self.files.as_ref()),
            limit("file-size", self.file_size.as_ref()),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_said_is_written() {
        let grants = Grants {
            read: vec!["books".to_owned()],
            network: true,
            file_size: Some("1GiB".to_owned()),
            ..Grants::default()
        };
        let text = r#"{"read":["books"],"network":true,"file-size":"1GiB"}"#;
        assert_eq!(serde_json::to_string(&grants).ok().as_deref(), Some(text));
        assert_eq!(serde_json::from_str::<Grants>(text).ok(), Some(grants.clone()));
        assert_eq!(grants.words(), "read books, network, file-size 1GiB");
        assert!(Grants::default().is_empty() && Grants::default().words().is_empty());
    }
}
