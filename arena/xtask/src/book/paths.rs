//! Where pages lie, and where links lead.

use std::path::{Path, PathBuf};

/// Returns the path to which a relative link in a folder leads; `None` outside of the repository.
pub(super) fn joined(folder: &Path, link: &str) -> Option<PathBuf> {
    link.split('/').filter(|part| !matches!(*part, "" | ".")).try_fold(folder.to_owned(), |mut path, part| {
        match part {
            ".." if !path.pop() => return None,
            ".." => {}
            part => path.push(part),
        }
        Some(path)
    })
}

/// Returns the path of a page in the sources of the book.
pub(super) fn in_book(page: &Path) -> PathBuf {
    if page.ends_with("README.md") { page.with_file_name("index.md") } else { page.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_may_go_up_but_not_out() {
        assert_eq!(joined(Path::new("a/b"), "../c/./d.md"), Some("a/c/d.md".into()));
        assert_eq!(joined(Path::new("a"), "../../c.md"), None);
    }

    #[test]
    fn a_readme_is_the_start_of_its_folder() {
        assert_eq!(in_book(Path::new("../a/README.md")), Path::new("../a/index.md"));
        assert_eq!(in_book(Path::new("a/b.md")), Path::new("a/b.md"));
    }
}
