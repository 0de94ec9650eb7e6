//! The kits: manifests with their files.

use crate::embedded::{EMBEDDED, File};
use crate::manifest::{Manifest, Part};

/// Two bots in one language.
#[derive(Clone, Debug)]
pub struct Kit {
    /// What its manifest says.
    pub manifest: Manifest,
    files: &'static [File],
}

impl Kit {
    /// Returns all its files: the manifest, the sources, and a `README.md` in the kits that are documented in full.
    #[must_use]
    pub const fn files(&self) -> &'static [File] {
        self.files
    }

    /// Returns the text of a file that it has.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&'static str> {
        self.files.iter().find(|file| file.name == name).map(|file| file.text)
    }

    /// Returns the lines that build both bots, none if nothing has to be built.
    #[must_use]
    pub fn build(&self) -> Vec<String> {
        Part::ALL.into_iter().filter_map(|part| self.manifest.build(part)).collect()
    }

    /// Returns whether `name` means this kit: its name, its language or another name for it, in any case.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.names().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Returns all its names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = [self.manifest.name.as_str(), self.manifest.language.as_str()];
        names.into_iter().chain(self.manifest.aliases.iter().map(String::as_str))
    }
}

/// Returns all kits, by name.
///
/// # Panics
/// Never: that every manifest can be read is tested.
#[must_use]
pub fn kits() -> Vec<Kit> {
    let read = |files: &'static [File]| {
        let text = files.iter().find(|file| file.name == "bot.yaml").map_or("", |file| file.text);
        Kit { manifest: Manifest::parse(text).expect("a test reads every manifest"), files }
    };
    EMBEDDED.iter().map(|files| read(files)).collect()
}

/// Finds the kit of a language.
#[must_use]
pub fn find(name: &str) -> Option<Kit> {
    kits().into_iter().find(|kit| kit.is_called(name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_folder_with_a_manifest_is_a_kit_under_its_own_name() {
        let bots = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it lies in `bots`");
        let folders = fs::read_dir(bots).unwrap().map(|entry| entry.unwrap().path());
        let folders: BTreeSet<_> = folders
            .filter(|path| path.join("bot.yaml").is_file())
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        let names: Vec<_> = kits().into_iter().map(|kit| kit.manifest.name).collect();
        assert_eq!(names, folders.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn a_kit_has_the_sources_that_its_manifest_names_and_a_readme_if_there_is_one() {
        let bots = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it lies in `bots`");
        for kit in kits() {
            for part in Part::ALL {
                assert!(kit.text(kit.manifest.source(part)).is_some(), "{:?}", kit.manifest);
            }
            let readme = bots.join(&kit.manifest.name).join("README.md");
            assert_eq!(kit.text("README.md").is_some(), readme.is_file(), "{}", kit.manifest.name);
        }
    }

    #[test]
    fn the_page_on_languages_counts_the_lines_of_every_kit() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../arena/docs/languages.md");
        let page = fs::read_to_string(page).unwrap();
        let rows: Vec<_> = page.lines().filter(|line| line.contains("| `--lang ")).collect();
        let row = |kit: &Kit| {
            let [random, greedy] = Part::ALL.map(|part| {
                let text = kit.text(kit.manifest.source(part)).expect("a kit has its sources");
                text.lines().count()
            });
            let Manifest { language, name, .. } = &kit.manifest;
            format!("| {language} | `--lang {name}` | {random} | {greedy} |")
        };
        assert_eq!(rows, kits().iter().map(row).collect::<Vec<_>>());
    }

    #[test]
    fn no_name_means_two_kits() {
        let kits = kits();
        let names = kits.iter().flat_map(|kit| kit.names().map(str::to_lowercase).collect::<BTreeSet<_>>());
        let names: Vec<_> = names.collect();
        assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len(), "{names:?}");
    }

    #[test]
    fn a_kit_is_found_by_its_name_its_language_and_other_names() {
        for name in ["cpp", "C++", "c++", "CXX"] {
            assert_eq!(find(name).expect(name).manifest.language, "C++");
        }
        assert!(find("cobol").is_none());
    }
}
