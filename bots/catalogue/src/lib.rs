//! The kits of bots in many languages, which lie in `bots/LANGUAGE/`, and what their manifests say.
//!
//! A [`Kit`] is two bots, each one source file, and a manifest `bot.yaml` that says how they are built and run.
//! A [`GameKit`] is the same for a game of one's own. The files are part of this crate, so that they can be written without the repository. It reads and writes no
//! file and starts no program.
//!
//! A new language is a folder with two sources and a manifest, a line in `embedded.rs` and a row in the list of
//! `README.md`; the second stage of CI then builds it and plays with it.
//!
//! ```
//! use catalogue::Part;
//!
//! let kit = catalogue::find("python").expect("it is in the list");
//! let run = kit.manifest.run(Part::Random);
//! assert_eq!(run[0], "python3");
//! assert!(kit.text("bot.yaml").is_some() && kit.build().is_empty());
//! ```

mod embedded;
mod games;
mod kit;
mod manifest;

pub use embedded::File;
pub use games::{GAME_KITS, GameKit};
pub use kit::{Kit, find, kits};
pub use manifest::{Manifest, ManifestError, Part};
