//! Follows every link, anchor and picture of a site within the site.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::book::paths::joined;
use crate::shell::ChoreError;

/// A page as far as links matter.
#[derive(Debug, Default, PartialEq, Eq)]
struct Page {
    anchors: BTreeSet<String>,
    /// What it leads to, shows or loads.
    links: Vec<Link>,
}

#[derive(Debug, PartialEq, Eq)]
struct Link {
    target: String,
    /// Whether the page needs it to be shown, so that it must not come from elsewhere.
    is_loaded: bool,
}

/// Returns how many pages a site has, and how many links within it.
///
/// # Errors
/// When a link leads nowhere, or a page loads something from elsewhere.
pub(super) fn check(site: &Path) -> Result<(usize, usize), ChoreError> {
    let mut files = BTreeSet::new();
    walk(site, Path::new(""), &mut files)?;
    let mut pages = BTreeMap::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|kind| kind == "html")) {
        pages.insert(file.clone(), Page::parse(&fs::read_to_string(site.join(file))?));
    }
    let mut count = 0;
    let mut wrong = Vec::new();
    for (path, page) in &pages {
        for link in &page.links {
            match fault(path, link, &files, &pages) {
                Some(fault) => wrong.push(format!("{}: {}: {fault}", path.display(), link.target)),
                None => count += usize::from(!is_elsewhere(&link.target)),
            }
        }
    }
    if wrong.is_empty() { Ok((pages.len(), count)) } else { Err(ChoreError(wrong.join("\n"))) }
}

/// Collects the files below a folder of the site.
fn walk(site: &Path, folder: &Path, files: &mut BTreeSet<PathBuf>) -> Result<(), ChoreError> {
    for entry in fs::read_dir(site.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            walk(site, &path, files)?;
        } else {
            files.insert(path);
        }
    }
    Ok(())
}

fn is_elsewhere(target: &str) -> bool {
    target.contains("://") || target.starts_with("//") || target.starts_with("mailto:")
}

/// Returns what is wrong with a link of a page.
fn fault(
    page: &Path,
    link: &Link,
    files: &BTreeSet<PathBuf>,
    pages: &BTreeMap<PathBuf, Page>,
) -> Option<&'static str> {
    if link.target.starts_with("data:") || link.target.starts_with("javascript:") {
        return None;
    }
    if is_elsewhere(&link.target) {
        return link.is_loaded.then_some("loaded from elsewhere");
    }
    let (path, anchor) = link.target.split_once('#').unwrap_or((&link.target, ""));
    let target = match path {
        "" => page.to_owned(),
        path => match joined(page.parent().unwrap_or(Path::new("")), path) {
            Some(target) => target,
            None => return Some("outside of the book"),
        },
    };
    if !files.contains(&target) {
        return Some("there is no such file");
    }
    match pages.get(&target) {
        Some(found) if !anchor.is_empty() && !found.anchors.contains(anchor) => {
            Some("there is no such heading")
        }
        _ => None,
    }
}

impl Page {
    /// Reads the tags of a page as mdBook writes them: attributes in double quotes.
    fn parse(html: &str) -> Self {
        let mut page = Self::default();
        for tag in html.split('<').skip(1).filter_map(|rest| tag(rest)) {
            let name = tag.split(|c: char| c.is_whitespace() || c == '>').next().unwrap_or_default();
            if let Some(id) = attribute(tag, "id") {
                page.anchors.insert(id);
            }
            let targets = [("href", name != "a"), ("src", true)];
            for (key, is_loaded) in targets {
                page.links.extend(attribute(tag, key).map(|target| Link { target, is_loaded }));
            }
        }
        page
    }
}

/// Returns a tag up to its end, which is not within quotes.
fn tag(rest: &str) -> Option<&str> {
    if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let mut is_quoted = false;
    let end = rest.find(|c| {
        is_quoted ^= c == '"';
        c == '>' && !is_quoted
    });
    rest.get(..end?)
}

/// Returns the value of an attribute of a tag.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = tag.split_once(&format!(" {name}=\"")).or_else(|| tag.split_once(&format!("\n{name}=\"")))?.1;
    let value = value.split('"').next()?;
    let plain =
        value.replace("&amp;", "&").replace("&quot;", "\"").replace("&#x27;", "'").replace("&lt;", "<");
    Some(decoded(&plain))
}

/// Returns a text in which `%41` has become `A`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        match after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the faults of a link on the page `a/one.html`, beside which stands `a/two.html` with one heading.
    fn fault_of(html: &str) -> Option<&'static str> {
        let page = Page::parse(html);
        let files: BTreeSet<_> = ["a/one.html", "a/two.html", "b.png"].map(PathBuf::from).into();
        let two = Page::parse("<h2 id=\"there-%41\"><a class=\"header\" href=\"#there-%41\">There</a></h2>");
        let pages =
            BTreeMap::from([(PathBuf::from("a/one.html"), Page::default()), ("a/two.html".into(), two)]);
        fault(Path::new("a/one.html"), page.links.first().unwrap(), &files, &pages)
    }

    #[test]
    fn links_within_the_book_must_lead_to_files_and_headings() {
        assert_eq!(fault_of("<a href=\"two.html#there-A\">"), None);
        assert_eq!(fault_of("<a title=\"a > b\" href=\"two.html\">"), None);
        assert_eq!(fault_of("<img src=\"../b.png\">"), None);
        assert_eq!(fault_of("<a href=\"two.html#here\">"), Some("there is no such heading"));
        assert_eq!(fault_of("<a href=\"three.html\">"), Some("there is no such file"));
        assert_eq!(fault_of("<a href=\"../../c.html\">"), Some("outside of the book"));
    }

    #[test]
    fn a_page_may_lead_elsewhere_but_load_nothing_from_there() {
        assert_eq!(fault_of("<a href=\"https://a.example/b\">"), None);
        assert_eq!(fault_of("<script src=\"https://a.example/b\">"), Some("loaded from elsewhere"));
        assert_eq!(
            fault_of("<link rel=\"stylesheet\" href=\"//a.example/b\">"),
            Some("loaded from elsewhere")
        );
    }
}
