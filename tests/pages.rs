//! The pages of the project: their links lead somewhere, the files they name exist, the README leads to all of them, and the book
//! has each of them once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folders with pages.
const FOLDERS: [&str; 3] = ["arena/docs", "protocol-spec", "bots"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the pages in a folder and the folders below it, relative to the root.
fn pages(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(root().join(folder)).expect("the folder can be read") {
        let path = folder.join(entry.expect("the folder can be read").file_name());
        if root().join(&path).is_dir() {
            found.append(&mut pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.insert(path);
        }
    }
    found
}

fn read(page: &Path) -> String {
    fs::read_to_string(root().join(page)).expect("a page is text")
}

/// Returns the lines of a page outside of blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Returns the targets of the links and pictures of a page that lie in the repository.
fn links(text: &str) -> Vec<String> {
    let cut = |line: &str, start: &str, end: char| -> Vec<String> {
        line.split(start).skip(1).filter_map(|rest| rest.split(end).next()).map(str::to_owned).collect()
    };
    let found = prose(text).flat_map(|line| [cut(line, "](", ')'), cut(line, "src=\"", '"')].concat());
    found.filter(|link| !link.contains("://")).collect()
}

/// Returns the anchor that a heading gets: its letters, digits, hyphens and underscores in lower case, blanks as hyphens.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn anchors(text: &str) -> BTreeSet<String> {
    let heading = |line: &str| line.strip_prefix('#').map(|rest| anchor(rest.trim_start_matches('#').trim()));
    prose(text).filter_map(heading).collect()
}

/// Returns the path to which a link of a page leads.
fn target(page: &Path, link: &str) -> PathBuf {
    let path = link.split('#').next().unwrap_or_default();
    if path.is_empty() {
        return page.to_owned();
    }
    let mut target = page.parent().expect("a page lies in a folder").to_owned();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => assert!(target.pop(), "{} leaves the repository: {link}", page.display()),
            part => target.push(part),
        }
    }
    target
}

/// Returns every page of [`FOLDERS`], and the README.
fn all_pages() -> BTreeSet<PathBuf> {
    let mut pages: BTreeSet<_> = FOLDERS.iter().flat_map(|folder| pages(Path::new(folder))).collect();
    pages.insert("README.md".into());
    pages
}

/// Returns the files of the repository that a page names in backticks. A stem in capitals stands for any: `GAME.rs`.
fn named_files(text: &str) -> Vec<String> {
    let words = prose(text).flat_map(|line| line.split('`').skip(1).step_by(2));
    let is_file = |word: &&str| {
        let stem = Path::new(word).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        FOLDERS.iter().chain(&["arena"]).any(|folder| word.starts_with(&format!("{folder}/")))
            && Path::new(word).extension().is_some()
            && !word.contains([' ', '*'])
            && stem.chars().any(char::is_lowercase)
    };
    words.filter(is_file).map(str::to_owned).collect()
}

#[test]
fn files_that_pages_name_exist() {
    let mut wrong = Vec::new();
    // The changelog tells of files as they were.
    for page in all_pages().iter().filter(|page| !page.ends_with("CHANGELOG.md")) {
        let named = named_files(&read(page)).into_iter();
        wrong.extend(
            named
                .filter(|file| !root().join(file).exists())
                .map(|file| format!("{}: {file}", page.display())),
        );
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut wrong = Vec::new();
    for page in &all_pages() {
        for link in links(&read(page)) {
            let target = target(page, &link);
            let has_heading =
                || link.split_once('#').is_none_or(|(_, wanted)| anchors(&read(&target)).contains(wanted));
            if !root().join(&target).exists() || !has_heading() {
                wrong.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Returns the README and every page to which pages lead from there.
fn reached() -> BTreeSet<PathBuf> {
    let mut reached = BTreeSet::from([PathBuf::from("README.md")]);
    let mut open = vec![PathBuf::from("README.md")];
    while let Some(page) = open.pop() {
        for link in links(&read(&page)) {
            let target = target(&page, &link);
            if target.extension().is_some_and(|extension| extension == "md") && reached.insert(target.clone())
            {
                open.push(target);
            }
        }
    }
    reached
}

#[test]
fn the_readme_leads_to_every_page() {
    let reached = reached();
    let all: BTreeSet<_> =
        ["arena/docs", "protocol-spec"].iter().flat_map(|folder| pages(Path::new(folder))).collect();
    assert_eq!(all.difference(&reached).collect::<Vec<_>>(), Vec::<&PathBuf>::new());
}

#[test]
fn the_book_has_every_page_once() {
    let contents = Path::new("arena/docs/contents.md");
    let text = read(contents);
    // What stands above the first heading of a part introduces the list.
    let list = text.split_once("\n## ").expect("the list has parts").1;
    let mut listed: Vec<_> = links(list).iter().map(|link| target(contents, link)).collect();
    listed.sort();
    let mut wanted: Vec<_> = reached().into_iter().filter(|page| page != contents).collect();
    wanted.sort();
    let missing: Vec<_> = wanted.iter().filter(|page| !listed.contains(page)).collect();
    assert_eq!(missing, Vec::<&PathBuf>::new(), "arena/docs/contents.md needs a line for each page");
    assert_eq!(listed, wanted, "arena/docs/contents.md lists a page twice, or one to which no page leads");
}
