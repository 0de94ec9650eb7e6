//! How text is laid out for the terminal of this process.

use diagnostic::harmless::{Stream, is_terminal};
use diagnostic::output::{PLAIN_WIDTH, is_unicode, may_colour, width, wrap};
use report::Look;

/// Returns how text is laid out, for a terminal or for something else.
pub(crate) fn look(is_terminal: bool) -> Look {
    Look {
        width: if is_terminal { width() } else { PLAIN_WIDTH },
        color: is_terminal && may_colour(),
        ascii: !is_unicode(),
    }
}

/// Returns how text on standard output is laid out.
pub(crate) fn look_at_output() -> Look {
    look(is_terminal(Stream::Out))
}

/// Returns texts as paragraphs, each after an empty line.
pub(crate) fn paragraphs(texts: &[String], look: &Look) -> String {
    texts.iter().map(|text| format!("\n{}\n", wrap(text.split(' '), 0, look.width))).collect()
}
