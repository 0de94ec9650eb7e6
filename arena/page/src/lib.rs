//! The report of a run as one page for browsers: tables, charts and a replay of every game.
//!
//! A [`ReportPage`] is a pure function of a journal: the same journal gives the same bytes. The page asks for nothing
//! from anywhere, which its content security policy makes sure of: what it runs and how it looks is named there by hash.
//! [`LivePage`], [`GamePage`], [`list_page`], [`begin_page`] and [`play_page`] are the pages of `arena serve`, which ask their own
//! server and nobody else. [`author_page`] is for the author of one bot and has no script.
//!
//! Names and details come from users and bots. They reach the page as printable text through the escaping of the
//! templates, or within JSON that is compressed, and its script makes text of them, never markup.
//!
//! ```
//! use page::ListedRun;
//!
//! let run = ListedRun {
//!     name: "<b>cup".to_owned(),
//!     link: "/runs/cup/".to_owned(),
//!     state: "finished".to_owned(),
//!     games: "90 games".to_owned(),
//!     about: "farook".to_owned(),
//! };
//! let html = page::list_page("runs", &[run], false);
//! assert!(html.contains("&#60;b&#62;cup") && !html.contains("<b>cup"));
//! ```

mod author;
mod charts;
mod decisions;
mod figures;
mod files;
mod games;
mod live;
mod naming;
mod outcome;
mod page;
mod panel;
mod play;
mod rules_drawer;
mod script;

pub use author::{AuthorBlock, ListedAuthor, author_list, author_page};
pub use decisions::GameDecisions;
pub use figures::{decimals, milliseconds};
pub use files::{PICTURE, as_file, parts};
pub use live::watch::{GamePage, thinking_time};
pub use live::{ListedRun, LivePage, Stage, asset, list_page};
pub use page::{PackedOverview, PageOverview, PagePart, PartReader, ReportPage};
pub use play::{ListedBot, begin_page, play_page};

#[cfg(test)]
mod tests;
