//! The colours of boards and pieces, in the light and in the dark, as classes of a style sheet.
//!
//! Colour never tells pieces apart alone: white and black differ in brightness, all others in shape as well.

use std::fmt::Write as _;

use rules::BoardTheme;

/// The colour of one class.
struct Colour {
    class: &'static str,
    property: &'static str,
    light: &'static str,
    dark: &'static str,
}

const fn colour(
    class: &'static str,
    property: &'static str,
    light: &'static str,
    dark: &'static str,
) -> Colour {
    Colour { class, property, light, dark }
}

/// The frame of what shows the end of a game, dark within white: one of both stands out from whatever is below.
const PROOF: &str = "#5b1fb8";
const PROOF_HALO: &str = "#ffffff";

/// What all boards share: the pieces, and the frames of what ended a game.
const PIECES: &[Colour] = &[
    colour("b-shadow", "fill", "#00000047", "#00000073"),
    colour("b-white-in", "stop-color", "#ffffff", "#f6f4ee"),
    colour("b-white-out", "stop-color", "#d6d0c2", "#c4beb0"),
    colour("b-white", "fill", "#fbfaf6", "#efece4"),
    colour("b-white-edge", "stroke", "#857d6c", "#5d574b"),
    colour("b-black-in", "stop-color", "#5a5b61", "#55565c"),
    colour("b-black-out", "stop-color", "#121317", "#0d0e11"),
    colour("b-black", "fill", "#1d1f24", "#17181c"),
    colour("b-black-edge", "stroke", "#000000", "#8a8c93"),
    colour("b-pale-line", "stroke", "#e8edf2", "#d6dde4"),
    colour("b-deep-line", "stroke", "#16202b", "#10171f"),
    colour("b-pale", "fill", "#f4f7fa", "#e6ebf0"),
    colour("b-deep", "fill", "#16202b", "#10171f"),
    colour("b-wild-in", "stop-color", "#59e0d0", "#4fd0c1"),
    colour("b-wild-out", "stop-color", "#0c7f83", "#0b7276"),
    colour("b-wild-edge", "stroke", "#053d40", "#03292b"),
    colour("b-yellow-in", "stop-color", "#ffe36e", "#f6d85f"),
    colour("b-yellow-out", "stop-color", "#eab308", "#d9a406"),
    colour("b-yellow-edge", "stroke", "#8d6a00", "#6d5200"),
    colour("b-blue-in", "stop-color", "#2b57b0", "#2b57b0"),
    colour("b-blue-out", "stop-color", "#12307a", "#12307a"),
    colour("b-blue-edge", "stroke", "#0a1c4a", "#7d9be0"),
    colour("b-proof", "stroke", PROOF, PROOF),
    colour("b-proof-halo", "stroke", PROOF_HALO, PROOF_HALO),
];

/// The colours of a kind of board.
const fn of(theme: BoardTheme) -> [[&'static str; 2]; 10] {
    // frame, its edge, one cell, another one, lines, coordinates, last ply, arrow, taken, the outline of these marks
    match theme {
        BoardTheme::Felt => [
            ["#5f3b57", "#44293f"],
            ["#472b41", "#2f1c2b"],
            ["#e9d9bd", "#c8b695"],
            ["#e2cfae", "#bfac89"],
            ["#b89b6b", "#8d7650"],
            ["#ead9e5", "#cbb6c5"],
            ["#ffb300", "#e89d00"],
            ["#0b5ed7", "#0a4fb5"],
            ["#c1121f", "#c1121f"],
            ["#14110d", "#14110d"],
        ],
        BoardTheme::Green => [
            ["#14402d", "#0e2b1f"],
            ["#0c2a1d", "#081a12"],
            ["#2f8f5f", "#226b47"],
            ["#2c8858", "#1f6442"],
            ["#155537", "#103f29"],
            ["#cfe8da", "#a9c9b7"],
            ["#ffd54a", "#f0c030"],
            ["#ffb020", "#ffb020"],
            ["#ff5a4f", "#ff5a4f"],
            ["#ffffff", "#ffffff"],
        ],
        BoardTheme::Sea => [
            ["#0f3f66", "#0b2a45"],
            ["#0a2c48", "#071b2d"],
            ["#8ccbea", "#4f8fb5"],
            ["#79bce0", "#437fa5"],
            ["#5ea5cc", "#37708f"],
            ["#d2e9f7", "#a8c9de"],
            ["#ffd84a", "#ffcf33"],
            ["#d9480f", "#ff8a3c"],
            ["#b00020", "#ff5d5d"],
            ["#14110d", "#14110d"],
        ],
        BoardTheme::Linen => [
            ["#4b4a57", "#34333d"],
            ["#36353f", "#24232b"],
            ["#ddd8e4", "#9a94a6"],
            ["#cbc4d6", "#878094"],
            ["#aaa2b8", "#6c6579"],
            ["#e6e3ee", "#c3bfce"],
            ["#ff9f0a", "#ffa51f"],
            ["#0a7d3e", "#0b6b37"],
            ["#c1121f", "#c1121f"],
            ["#14110d", "#14110d"],
        ],
        BoardTheme::Wood => [
            ["#7a4f2a", "#4f321a"],
            ["#5b3a1d", "#382311"],
            ["#e3bd84", "#b48a55"],
            ["#dcb277", "#a97f4b"],
            ["#5d3c1c", "#3d2711"],
            ["#f6e3c6", "#dcc39c"],
            ["#0b74de", "#1673d1"],
            ["#0b5ed7", "#0b4fb5"],
            ["#b3001b", "#a80019"],
            ["#14110d", "#14110d"],
        ],
        BoardTheme::Maple => [
            ["#4a3527", "#33241a"],
            ["#33241a", "#201610"],
            ["#f0dfbf", "#b9a582"],
            ["#bd9267", "#86643f"],
            ["#8b6a45", "#5c432a"],
            ["#f3e6d0", "#d3c2a6"],
            ["#ffc42e", "#f2b21b"],
            ["#0a3f94", "#031238"],
            ["#b3001b", "#a80019"],
            ["#14110d", "#14110d"],
        ],
    }
}

/// Returns the name of the class of boards of a theme.
pub(crate) const fn class(theme: BoardTheme) -> &'static str {
    match theme {
        BoardTheme::Felt => "board-felt",
        BoardTheme::Green => "board-green",
        BoardTheme::Sea => "board-sea",
        BoardTheme::Linen => "board-linen",
        BoardTheme::Wood => "board-lines",
        BoardTheme::Maple => "board-maple",
    }
}

/// The place of the colour of coordinates in [`of`].
const COORDINATES: usize = 5;

/// The place of the outline of marks in [`of`]: whatever lies below a mark, it or its outline stands out.
const OUTLINE: usize = 9;

/// The classes of boards: each with its property and its place in [`of`].
const PARTS: [(&str, &str, usize); 15] = [
    ("b-frame", "fill", 0),
    ("b-frame-edge", "stroke", 1),
    ("b-cell", "fill", 2),
    ("b-other", "fill", 3),
    ("b-line", "stroke", 4),
    ("b-dot", "fill", 4),
    ("b-coord", "fill", COORDINATES),
    ("b-last", "fill", 6),
    ("b-ring", "stroke", 6),
    ("b-arrow", "stroke", 7),
    ("b-head", "fill", 7),
    ("b-taken", "stroke", 8),
    ("b-edge", "stroke", OUTLINE),
    ("b-halo", "stroke", OUTLINE),
    ("b-hand", "stroke", 0),
];

/// What is not a matter of colour.
const SHAPES: &str = "\
.b-line{stroke-width:3;fill:none;stroke-linecap:round}\
.b-coord{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;font-weight:600;\
text-anchor:middle;dominant-baseline:central}\
.b-last{fill-opacity:.5}\
.b-ring{fill:none;stroke-width:8;stroke-linejoin:round;stroke-linecap:round}\
.b-arrow{fill:none;stroke-width:11;stroke-linejoin:round}\
.b-proof{fill:none;stroke-width:9;stroke-linecap:round}.b-proof-halo{fill:none;stroke-width:19}\
.b-weak{stroke-dasharray:4 20}\
.b-halo{fill:none;stroke-width:14;stroke-linejoin:round;stroke-linecap:round}.b-edge{fill:none;stroke-width:4}\
.b-taken{fill:none;stroke-width:9;stroke-linecap:round}\
.b-hand{fill:none;stroke-width:2;stroke-opacity:.35}";

/// Returns the style sheet of a page with boards of any kind; its colours follow the `color-scheme` of the page.
///
/// The element around a board has the class [`crate::Drawing::class`]. Its colours are variables, since those of an
/// ancestor are all that the inside of a `<use>` knows.
#[must_use]
pub fn stylesheet() -> String {
    let mut css = String::new();
    for Colour { class, property, light, dark } in PIECES {
        let _ = write!(css, ".{class}{{{property}:light-dark({light},{dark})}}");
    }
    for (theme, _) in BoardTheme::ALL {
        let _ = write!(css, ".{}{{", class(theme));
        for (place, [light, dark]) in of(theme).into_iter().enumerate() {
            let _ = write!(css, "--b{place}:light-dark({light},{dark});");
        }
        css.push('}');
    }
    for (class, property, place) in PARTS {
        let _ = write!(css, ".{class}{{{property}:var(--b{place})}}");
    }
    css + SHAPES
}

/// Returns the style sheet of a picture that stands alone: its colours follow the system where the viewer knows it,
/// and no viewer needs to know more than classes.
pub(crate) fn picture_stylesheet(theme: BoardTheme) -> String {
    let all = all(theme);
    let rules = |scheme: usize| rules(&all, scheme);
    format!("{}@media (prefers-color-scheme:dark){{{}}}{SHAPES}", rules(0), rules(1))
}

/// Returns the style sheet of a picture whose coordinates are drawn by strokes, in the colours of the light.
pub(crate) fn plain_stylesheet(theme: BoardTheme) -> String {
    let [coordinates, _] = of(theme)[COORDINATES];
    let strokes = format!(
        ".b-stroke{{stroke:{coordinates};fill:none;stroke-width:1.2;stroke-linecap:round;stroke-linejoin:round}}"
    );
    rules(&all(theme), 0) + SHAPES + &strokes
}

/// A class, its property and the colours of that.
type Rule = (&'static str, &'static str, [&'static str; 2]);

fn all(theme: BoardTheme) -> Vec<Rule> {
    let pieces = PIECES.iter().map(|entry| (entry.class, entry.property, [entry.light, entry.dark]));
    let colours = of(theme);
    let parts = PARTS.iter().map(|(class, property, place)| (*class, *property, colours[*place]));
    pieces.chain(parts).collect()
}

fn rules(all: &[Rule], scheme: usize) -> String {
    all.iter().map(|(class, property, colour)| format!(".{class}{{{property}:{}}}", colour[scheme])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The marks of what a ply did.
    const MARKS: [&str; 5] = ["b-last", "b-ring", "b-arrow", "b-head", "b-taken"];

    /// Relative luminance, as WCAG 2 defines it.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("two digits")) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(one: &str, two: &str) -> f64 {
        let (one, two) = (luminance(one) + 0.05, luminance(two) + 0.05);
        one.max(two) / one.min(two)
    }

    #[test]
    fn coordinates_and_captures_can_be_read_on_their_ground() {
        for (theme, _) in BoardTheme::ALL {
            let colours = of(theme);
            for scheme in [0, 1] {
                let [frame, coord] = [0, 5].map(|place: usize| colours[place][scheme]);
                assert!(contrast(frame, coord) >= 4.5, "{theme:?}: {frame} and {coord}");
            }
        }
    }

    #[test]
    fn rings_arrows_and_marks_or_their_outlines_stand_out_from_every_cell() {
        for (theme, _) in BoardTheme::ALL {
            let colours = of(theme);
            for scheme in [0, 1] {
                let outline = colours[OUTLINE][scheme];
                for ground in [2, 3].map(|place: usize| colours[place][scheme]) {
                    for (class, _, place) in PARTS.into_iter().filter(|(class, ..)| MARKS.contains(class)) {
                        let found = contrast(colours[place][scheme], ground).max(contrast(outline, ground));
                        assert!(found >= 3.0, "{theme:?}: {class} on {ground} in {outline}: {found:.2}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_mark_is_drawn_with_its_outline() {
        for symbol in crate::mark_symbols().split("<g ").skip(1) {
            assert!(symbol.contains("b-halo") || symbol.contains("b-edge"), "{symbol}");
        }
        // An outline that is half transparent has another colour.
        for class in ["b-halo", "b-edge", "b-ring", "b-arrow", "b-head", "b-taken"] {
            let (_, rule) = SHAPES.split_once(&format!(".{class}{{")).unwrap_or(("", "}"));
            assert!(!rule.split_once('}').is_some_and(|(rule, _)| rule.contains("opacity")), "{class}");
        }
    }

    #[test]
    fn the_frame_of_an_end_stands_out_by_brightness() {
        assert!(contrast(PROOF, PROOF_HALO) >= 7.0);
    }

    #[test]
    fn both_sides_of_a_stone_differ_in_brightness_not_in_hue_alone() {
        let find = |class: &str| PIECES.iter().find(|colour| colour.class == class).expect("a class");
        for (bright, deep) in
            [("b-white-out", "b-black-in"), ("b-yellow-out", "b-blue-in"), ("b-pale", "b-deep")]
        {
            for scheme in [0, 1] {
                let [one, two] = [bright, deep].map(|class| [find(class).light, find(class).dark][scheme]);
                assert!(contrast(one, two) >= 2.4, "{one} and {two}");
            }
        }
    }
}
