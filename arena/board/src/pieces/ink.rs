//! The colours of a piece, as attributes of SVG elements.

use rules::PieceColour;

/// The attributes with which the parts of a piece are drawn. White and black follow the theme of the page by their classes; all
/// other colours are the same in the light and in the dark.
pub(super) struct Ink {
    /// The colour within ids: its name or its six digits.
    pub(super) name: String,
    /// Fills a body with a gradient.
    pub(super) paint: String,
    /// Fills a body evenly.
    pub(super) fill: String,
    /// Draws a line in the colour of the body.
    pub(super) stroke: String,
    /// Draws the edge of a shaded body.
    pub(super) edge: String,
    /// Draws a line that stands out from the body.
    pub(super) line: String,
    /// Fills what stands out from the body.
    pub(super) spot: String,
    /// The gradient that `paint` refers to; empty where all pages have it.
    pub(super) gradient: String,
}

impl Ink {
    pub(super) fn of(colour: PieceColour) -> Self {
        let rgb = match colour {
            PieceColour::Named(name) => match name {
                "white" => return Self::of_theme("white", "pale", "deep", "#f4f7fa"),
                "black" => return Self::of_theme("black", "deep", "pale", "#16202b"),
                "red" => [0xc8, 0x32, 0x2b],
                "blue" => [0x2f, 0x62, 0xc9],
                "green" => [0x2e, 0x8b, 0x45],
                "yellow" => [0xf0, 0xc0, 0x26],
                "brown" => [0x7a, 0x4d, 0x2b],
                "orange" => [0xe8, 0x83, 0x2a],
                "purple" => [0x7d, 0x3f, 0xa8],
                _ => [0x8b, 0x90, 0x99],
            },
            PieceColour::Rgb(rgb) => rgb,
        };
        let name = match colour {
            PieceColour::Named(name) => name.to_owned(),
            PieceColour::Rgb(rgb) => hex(rgb),
        };
        let (body, bright, deep) = (hex(rgb), hex(mixed(rgb, 255, 0.45)), hex(mixed(rgb, 0, 0.28)));
        let edge = hex(mixed(rgb, 0, 0.6));
        let contrast = if is_bright(rgb) { "10171f" } else { "f4f7fa" };
        Self {
            paint: format!("fill=\"url(#own-g-{name})\""),
            fill: format!("fill=\"#{body}\""),
            stroke: format!("stroke=\"#{body}\""),
            edge: format!("stroke=\"#{edge}\""),
            line: format!("stroke=\"#{contrast}\""),
            spot: format!("fill=\"#{contrast}\""),
            gradient: format!(
                "<radialGradient id=\"own-g-{name}\" cx=\".38\" cy=\".32\" r=\".75\"><stop offset=\"0\" stop-color=\"#{bright}\"/>\
                 <stop offset=\"1\" stop-color=\"#{deep}\"/></radialGradient>"
            ),
            name,
        }
    }

    /// The ink of a colour that has classes: `body` and `contrast` are parts of their names, `plain` is the body's colour where
    /// there is no class for it.
    fn of_theme(name: &str, body: &str, contrast: &str, plain: &str) -> Self {
        Self {
            name: name.to_owned(),
            paint: format!("fill=\"url(#b-g-{name})\""),
            fill: format!("fill=\"{plain}\""),
            stroke: format!("class=\"b-{body}-line\""),
            edge: format!("class=\"b-{name}-edge\""),
            line: format!("class=\"b-{contrast}-line\""),
            spot: format!("class=\"b-{contrast}\""),
            gradient: String::new(),
        }
    }
}

fn hex(rgb: [u8; 3]) -> String {
    rgb.iter().map(|part| format!("{part:02x}")).collect()
}

/// Mixes a colour with a share of white (255) or black (0).
fn mixed(rgb: [u8; 3], with: u8, share: f64) -> [u8; 3] {
    rgb.map(|part| (f64::from(part) * (1.0 - share) + f64::from(with) * share).round() as u8)
}

/// Returns whether dark lines are seen better than pale ones.
fn is_bright([red, green, blue]: [u8; 3]) -> bool {
    299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue) > 140_000
}
