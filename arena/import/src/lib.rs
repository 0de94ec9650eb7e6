//! Command lines of `cutechess-cli` and `fastchess`, translated to tournament files.
//!
//! Every option of both programs is declared once, in `counterpart`: what it becomes, or why it becomes nothing. The page
//! `arena/docs/moving-over.md` has its tables from there, and a test compares them. The crate reads the command line and the file of
//! openings that it names; it plays nothing and never overwrites a file.
//!
//! ```
//! let words = "fastchess -engine cmd=./new name=new -engine cmd=./old name=old -each tc=8+0.08 -rounds 100 -tb /syzygy";
//! let imported = import::translate(words.split(' ').map(str::to_owned), &import::Surroundings::default())?;
//! assert!(imported.text.contains("tc: 8+0.08\n"));
//! assert_eq!(imported.notes[0].option, "-tb");
//! # Ok::<(), import::ImportError>(())
//! ```

mod arguments;
mod clock;
mod command_line;
mod counterpart;
mod draft;
mod engine;
mod error;
mod note;
mod openings;
mod options;
mod page;
mod program;
#[cfg(test)]
mod tests;
mod yaml;

pub use arguments::ImportArguments;
pub use draft::{Imported, Surroundings, translate};
pub use error::ImportError;
pub use note::ImportNote;
pub use page::tables;
