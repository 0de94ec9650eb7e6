//! `cargo xtask book`: the pages of the project as one site that can be searched, made by mdBook.
//!
//! `arena/docs/contents.md` is the list of the pages. They stay where they are and as they are: the book's sources are a copy in
//! `target/book/src`, in the same folders, with a page for each command and pictures of boards that the executable makes.

mod boards;
mod commands;
mod contents;
mod help;
mod links;
mod paths;
mod pictures;
mod site;
mod sources;

use std::fs;
use std::path::Path;

use crate::book::contents::Contents;
use crate::shell::{ChoreError, executable, need, root, run};

/// The version of mdBook. Its licence is MPL-2.0, which allows any use of a program that is not linked with ours.
const MDBOOK: &str = "0.5.4";

/// What mdBook is told of the book: no text is changed, there is no page of all pages, and the search leaves out
/// the changelog, which has every word once more.
const CONFIGURATION: &str = r#"[book]
title = "arena"
description = "A tournament harness for bots that play abstract board games."
language = "en"

[build]
build-dir = "site"
create-missing = false

[output.html]
smart-punctuation = false
no-section-label = true
preferred-dark-theme = "navy"
input-404 = ""

[output.html.fold]
enable = true

[output.html.playground]
runnable = false

[output.html.print]
enable = false

[output.html.search.chapter]
"arena/docs/CHANGELOG.md" = { enable = false }
"#;

/// Makes the book in `target/book/site`; with `are_pictures_new`, first the pictures of pages in `arena/docs/images`.
///
/// # Errors
/// When a page, a link or an anchor is missing, or a tool fails.
pub(crate) fn make(are_pictures_new: bool) -> Result<(), ChoreError> {
    let arena = executable("arena")?;
    if are_pictures_new {
        pictures::take(&arena)?;
    }
    build(&arena)?;
    println!("open {}", root().join("target/book/site/index.html").display());
    Ok(())
}

/// Makes the book and looks at it in a browser: the part of the second stage.
///
/// # Errors
/// As [`make`], and when the browser finds a fault.
pub(crate) fn check(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    build(arena)?;
    need(&["node"], &["nodejs"])?;
    need(&["chromium"], &["chromium"])?;
    let site = root().join("target/book/site");
    run(
        &format!("node tests/browser/book.mjs '{}' '{}'", site.display(), work.join("book").display()),
        &root(),
    )
}

/// Writes the sources, lets mdBook make the site, and follows every link in it.
fn build(arena: &Path) -> Result<(), ChoreError> {
    let root = root();
    let book = root.join("target/book");
    if book.exists() {
        fs::remove_dir_all(&book)?;
    }
    let source = book.join("src");
    fs::create_dir_all(&source)?;
    let contents = Contents::read(&root)?;
    sources::copy(&contents, &root, &source)?;
    boards::draw(arena, &root, &source)?;
    let commands = commands::write(arena, &source)?;
    fs::write(source.join("SUMMARY.md"), contents.summary(&commands))?;
    fs::write(book.join("book.toml"), CONFIGURATION)?;
    let tool = site::mdbook()?;
    site::build(&tool, &book)?;
    let (pages, links) = links::check(&book.join("site"))?;
    println!("{pages} pages, {links} links within the book, all of which lead somewhere");
    Ok(())
}
