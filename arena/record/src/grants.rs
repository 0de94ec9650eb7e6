//! What a confined bot is allowed besides what its level says.

use serde::{Deserialize, Serialize};

/// What a confined bot is allowed besides what its level says, in the words of the tournament file. What is not said is as
/// the level has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Grants {
    /// Files and directories that it may read too, taken from the directory of the tournament file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<String>,
    /// Files and directories that it may read and write too, from there as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write: Vec<String>,
    /// Whether TCP and UDP are open to it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// The most open descriptors of a process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// The most bytes of a file, with their unit: `64MiB`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_size: Option<String>,
}

impl Grants {
    /// Returns whether nothing but the level holds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns them in words: `read books, network`; nothing where nothing but the level holds.
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
