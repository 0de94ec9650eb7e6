//! The page for the author of one bot, and the list of such pages for a teacher: what was played, what went wrong, what to do.
//!
//! The pages have no script and ask for nothing from anywhere. All text is escaped by the template.

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use board::{Caption, Drawing, Scene, Story};
use rules::Catalogue;

use crate::naming::shown;
use crate::script;

/// The rules of these pages besides those of the report.
const STYLE: &str = include_str!("../assets/author.css");

/// A part of an author's page. Words between backticks in a text are shown as code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthorBlock {
    /// A heading of level 2 or 3.
    Heading(u8, String),
    /// A paragraph.
    Text(String),
    /// Lines as they are: a log, a dialogue.
    Lines(Vec<String>),
    /// A table.
    Table {
        /// The words above the columns.
        head: Vec<String>,
        /// The rows, of as many cells.
        rows: Vec<Vec<String>>,
    },
    /// A position, drawn.
    Position {
        /// The game with its options, as tables have it: `fanorona size=5x5`.
        game: String,
        /// The position string.
        position: String,
    },
}

/// A bot in the list of pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedAuthor {
    /// The name of the bot.
    pub name: String,
    /// Where its page is, seen from the list.
    pub link: String,
    /// What came of it, in a word or a few.
    pub verdict: String,
    /// Why, if there is something to say.
    pub about: String,
}

/// A part as the template reads it.
enum Part {
    Heading(String),
    Subheading(String),
    Text(Vec<Span>),
    Lines(String),
    Table(Vec<String>, Vec<Vec<String>>),
    Picture(String, String),
}

/// A piece of a text.
struct Span {
    text: String,
    is_code: bool,
}

#[derive(Template)]
#[template(path = "author.html")]
struct AuthorTemplate {
    policy: String,
    style: String,
    title: String,
    summary: String,
    parts: Vec<Part>,
}

#[derive(Template)]
#[template(path = "authors.html")]
struct AuthorsTemplate<'a> {
    policy: String,
    style: String,
    title: String,
    authors: &'a [ListedAuthor],
}

/// Returns the page for the author of a bot: a title, what came of it in a sentence, and the rest. Positions of games in the
/// catalogue are drawn.
#[must_use]
pub fn author_page(title: &str, summary: &str, blocks: &[AuthorBlock], catalogue: &Catalogue) -> String {
    let style = script::style(STYLE);
    let page = AuthorTemplate {
        policy: policy(&style),
        style,
        title: shown(title),
        summary: shown(summary),
        parts: blocks.iter().filter_map(|block| part(block, catalogue)).collect(),
    };
    page.render().expect("strings can be written into a string")
}

/// Returns the list of such pages.
#[must_use]
pub fn author_list(title: &str, authors: &[ListedAuthor]) -> String {
    let style = script::style(STYLE);
    let authors: Vec<_> = authors
        .iter()
        .map(|author| ListedAuthor {
            name: shown(&author.name),
            link: author.link.clone(),
            verdict: shown(&author.verdict),
            about: shown(&author.about),
        })
        .collect();
    let page = AuthorsTemplate { policy: policy(&style), style, title: shown(title), authors: &authors };
    page.render().expect("strings can be written into a string")
}

/// Returns the policy of a page without a script.
fn policy(style: &str) -> String {
    let policy = script::policy("", style);
    let parts = policy
        .split("; ")
        .map(|part| if part.starts_with("script-src") { "script-src 'none'" } else { part });
    parts.collect::<Vec<_>>().join("; ")
}

fn part(block: &AuthorBlock, catalogue: &Catalogue) -> Option<Part> {
    Some(match block {
        AuthorBlock::Heading(0..=2, text) => Part::Heading(shown(text)),
        AuthorBlock::Heading(_, text) => Part::Subheading(shown(text)),
        AuthorBlock::Text(text) => Part::Text(spans(&shown(text))),
        AuthorBlock::Lines(lines) => {
            Part::Lines(lines.iter().map(|line| shown(line)).collect::<Vec<_>>().join("\n"))
        }
        AuthorBlock::Table { head, rows } => {
            let cells = |row: &Vec<String>| row.iter().map(|cell| shown(cell)).collect::<Vec<_>>();
            Part::Table(cells(head), rows.iter().map(cells).collect())
        }
        AuthorBlock::Position { game, position } => {
            let svg = drawn(game, position, catalogue)?;
            Part::Picture(STANDARD.encode(svg), shown(position))
        }
    })
}

/// Returns the picture of a position, if the game is known and the position can be read.
fn drawn(game: &str, position: &str, catalogue: &Catalogue) -> Option<String> {
    let setup = catalogue.labelled(game)?;
    let drawing = Drawing::of(&setup)?;
    let scene = Scene::of(&drawing, position)?;
    let caption = Caption { title: setup.label(), description: scene.words(&drawing) };
    Some(board::picture(&drawing, &scene, &Story::default(), &caption))
}

/// Returns a text in pieces: what stands between two backticks is code. Where they do not come in pairs nothing is.
fn spans(text: &str) -> Vec<Span> {
    let pieces: Vec<_> = text.split('`').collect();
    if pieces.len().is_multiple_of(2) {
        return vec![Span { text: text.to_owned(), is_code: false }];
    }
    let span = |(index, text): (usize, &&str)| Span { text: (*text).to_owned(), is_code: index % 2 == 1 };
    pieces.iter().enumerate().map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(blocks: &[AuthorBlock]) -> String {
        author_page("<b>", "failed", blocks, &Catalogue::default())
    }

    #[test]
    fn nothing_that_a_bot_wrote_is_markup_and_nothing_is_asked_from_anywhere() {
        let evil = "<script>alert(1)</script>\u{1b}[2J".to_owned();
        let page = page(&[
            AuthorBlock::Heading(2, evil.clone()),
            AuthorBlock::Text(format!("`{evil}`")),
            AuthorBlock::Lines(vec![evil.clone()]),
            AuthorBlock::Table { head: vec![evil.clone()], rows: vec![vec![evil.clone()]] },
            AuthorBlock::Position { game: evil.clone(), position: evil },
        ]);
        assert!(!page.contains("<script") && !page.contains('\u{1b}') && !page.contains("://"), "{page}");
        assert!(
            page.contains("script-src &#39;none&#39;") && page.contains("<title>&#60;b&#62;</title>"),
            "{page}"
        );
        assert!(!page.contains(" style=") && page.matches("<style>").count() == 1);
    }

    #[test]
    fn a_position_is_drawn_and_one_that_cannot_be_read_is_left_out() {
        let position = |position: &str| AuthorBlock::Position {
            game: "fanorona size=3x3".to_owned(),
            position: position.to_owned(),
        };
        assert!(page(&[position("bbb/b1w/www p1 quiet=0")]).contains("src=\"data:image/svg+xml;base64,"));
        assert!(!page(&[position("nonsense")]).contains("<img"));
    }

    #[test]
    fn words_between_backticks_are_code() {
        assert!(
            page(&[AuthorBlock::Text("say `ugiok` now".to_owned())]).contains("say <code>ugiok</code> now")
        );
        assert!(page(&[AuthorBlock::Text("a ` b".to_owned())]).contains("a ` b"));
    }

    #[test]
    fn the_list_leads_to_each_page() {
        let author = ListedAuthor {
            name: "<x>".to_owned(),
            link: "a%20b/index.html".to_owned(),
            verdict: "2 faults".to_owned(),
            about: String::new(),
        };
        let list = author_list("cup", &[author]);
        assert!(list.contains("<a href=\"a%20b/index.html\">&#60;x&#62;</a>"), "{list}");
    }
}
