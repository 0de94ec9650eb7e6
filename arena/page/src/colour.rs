//! The colours of bots in charts: those of Okabe and Ito, which people with any kind of sight tell apart
//! (Okabe and Ito, "Color Universal Design", 2008), and dashes once they come round again.

/// How many colours there are, as classes `c0` and so on of the style sheet.
pub(crate) const COLOURS: usize = 7;

/// Returns the class of the colour of a bot.
pub(crate) fn class(bot: usize) -> String {
    format!("c{}", bot % COLOURS)
}

/// Returns the dashes of the line of a bot.
pub(crate) fn dashes(bot: usize) -> &'static str {
    match bot / COLOURS {
        0 => "",
        1 => " stroke-dasharray=\"7 4\"",
        2 => " stroke-dasharray=\"2 4\"",
        _ => " stroke-dasharray=\"9 3 2 3\"",
    }
}
