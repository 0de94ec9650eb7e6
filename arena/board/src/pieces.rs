//! The pieces, each around the point (0, 0) of a cell 100 wide.

/// The colours that pieces are shaded with.
const SHADED: [&str; 5] = ["white", "black", "wild", "yellow", "blue"];

const FISH: &str = "M39 1C29-20 3-28-17-8C-25-15-33-20-43-21C-38-13-36-7-36 0C-36 7-38 14-43 22C-33 21-25 16-17 10C3 30 29 22 39 1Z";
const SHARK: &str = "M48 1C40-9 28-16 13-18C9-29 1-37-12-41C-9-33-8-25-9-17C-19-15-28-11-35-6C-38-15-42-23-49-29\
                     C-48-19-47-9-43 0C-46 6-48 13-48 21C-42 18-37 13-33 8C-25 12-15 14-6 15C-7 22-11 29-17 35C-5 33 6 26 12 16\
                     C25 14 38 9 48 1Z";

/// Returns the drawings of all pieces with what they refer to, as the inside of a `<defs>`.
pub(crate) fn symbols() -> String {
    let mut svg = String::new();
    for class in SHADED {
        svg += &format!(
            "<radialGradient id=\"b-g-{class}\" cx=\".38\" cy=\".32\" r=\".75\"><stop offset=\"0\" class=\"b-{class}-in\"/>\
             <stop offset=\"1\" class=\"b-{class}-out\"/></radialGradient>"
        );
    }
    for colour in ["white", "black"] {
        svg += &symbol(&format!("stone-{colour}"), &stone(colour));
        svg += &symbol(&format!("disc-{colour}"), &disc(colour));
        svg += &symbol(&format!("fish-{colour}"), &fish(colour));
        svg += &symbol(&format!("shark-{colour}"), &shark(colour));
    }
    svg += &symbol("stone-wild", WILD);
    svg += &symbol("coin-light", &coin("white"));
    svg += &symbol("coin-dark", &coin("black"));
    svg += &symbol("tile-light", &tile("yellow"));
    svg += &symbol("tile-dark", &tile("blue"));
    svg += &symbol("coin-hand", COIN_IN_HAND);
    svg += &symbol("tile-hand", TILE_IN_HAND);
    svg
}

fn symbol(id: &str, inside: &str) -> String {
    format!("<g id=\"{id}\">{inside}</g>")
}

fn shadow(radius: u32) -> String {
    format!("<circle cx=\"2\" cy=\"4\" r=\"{radius}\" class=\"b-shadow\"/>")
}

fn stone(colour: &str) -> String {
    format!(
        "{}<circle r=\"38\" fill=\"url(#b-g-{colour})\" class=\"b-{colour}-edge\" stroke-width=\"2\"/>",
        shadow(39)
    )
}

/// A flat disc with the other colour on its underside.
fn disc(colour: &str) -> String {
    let other = if colour == "white" { "black" } else { "white" };
    format!(
        "{}<circle cy=\"3\" r=\"39\" class=\"b-{other}\"/><circle cy=\"-2\" r=\"39\" fill=\"url(#b-g-{colour})\"/>\
         <circle cy=\"-2\" r=\"39\" fill=\"none\" stroke-width=\"1.5\" class=\"b-{colour}-edge\"/>",
        "<circle cx=\"2\" cy=\"7\" r=\"40\" class=\"b-shadow\"/>"
    )
}

/// Body, outline and features of an animal of a colour.
fn inks(colour: &str) -> (&'static str, &'static str, &'static str) {
    match colour {
        "white" => ("b-pale b-deep-line", "b-deep", "b-deep-line"),
        _ => ("b-deep b-pale-line", "b-pale", "b-pale-line"),
    }
}

fn fish(colour: &str) -> String {
    let (body, eye, line) = inks(colour);
    format!(
        "<g transform=\"scale(1.08)\"><path d=\"{FISH}\" class=\"{body}\" stroke-width=\"3\" stroke-linejoin=\"round\"/>\
         <path d=\"M14-12Q7 1 14 14\" fill=\"none\" class=\"{line}\" stroke-width=\"2.5\" stroke-linecap=\"round\"/>\
         <path d=\"M-6-2Q-1 1-6 5M-15-1Q-11 1-15 4\" fill=\"none\" class=\"{line}\" stroke-width=\"2\" stroke-linecap=\"round\"/>\
         <circle cx=\"24\" cy=\"-4\" r=\"3.6\" class=\"{eye}\"/></g>"
    )
}

fn shark(colour: &str) -> String {
    let (body, eye, line) = inks(colour);
    format!(
        "<path d=\"{SHARK}\" class=\"{body}\" stroke-width=\"3\" stroke-linejoin=\"round\"/>\
         <path d=\"M41 5C35 7 29 7 23 5M12-7Q9-1 12 6M5-8Q2-1 5 6M-2-8Q-5-1-2 6\" fill=\"none\" class=\"{line}\" \
         stroke-width=\"2.5\" stroke-linecap=\"round\"/><circle cx=\"28\" cy=\"-5\" r=\"3.2\" class=\"{eye}\"/>"
    )
}

/// A smaller, cut stone.
const WILD: &str = "<path d=\"M2-24L30 4L2 36L-26 4Z\" class=\"b-shadow\"/>\
    <path d=\"M0-31L29 0L0 31L-29 0Z\" fill=\"url(#b-g-wild)\" class=\"b-wild-edge\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>\
    <path d=\"M0-31L11 0L0 31L-11 0ZM-29 0H29\" fill=\"none\" class=\"b-wild-edge\" stroke-width=\"1.5\" stroke-opacity=\".55\"/>";

/// A round stone of the first set, with a ring.
fn coin(colour: &str) -> String {
    format!(
        "{}<circle r=\"39\" fill=\"url(#b-g-{colour})\" class=\"b-{colour}-edge\" stroke-width=\"2\"/>\
         <circle r=\"28\" fill=\"none\" class=\"b-white-edge\" stroke-width=\"2\" stroke-opacity=\".6\"/>",
        shadow(40)
    )
}

/// A square stone of the second set, with a border.
fn tile(colour: &str) -> String {
    let line = if colour == "blue" { "b-pale-line" } else { "b-yellow-edge" };
    format!(
        "<rect x=\"-33\" y=\"-31\" width=\"70\" height=\"70\" rx=\"13\" class=\"b-shadow\"/>\
         <rect x=\"-35\" y=\"-35\" width=\"70\" height=\"70\" rx=\"13\" fill=\"url(#b-g-{colour})\" class=\"b-{colour}-edge\" stroke-width=\"2\"/>\
         <rect x=\"-24\" y=\"-24\" width=\"48\" height=\"48\" rx=\"6\" fill=\"none\" class=\"{line}\" stroke-width=\"2\" stroke-opacity=\".45\"/>"
    )
}

/// A stone whose side is not chosen yet: half light, half dark.
const COIN_IN_HAND: &str = "<circle cx=\"2\" cy=\"4\" r=\"40\" class=\"b-shadow\"/><circle r=\"39\" fill=\"url(#b-g-white)\"/>\
    <path d=\"M0-39A39 39 0 0 1 0 39Z\" fill=\"url(#b-g-black)\"/>\
    <circle r=\"39\" fill=\"none\" class=\"b-white-edge\" stroke-width=\"2\"/>";

/// As above, of the second set.
const TILE_IN_HAND: &str = "<rect x=\"-33\" y=\"-31\" width=\"70\" height=\"70\" rx=\"13\" class=\"b-shadow\"/>\
    <rect x=\"-35\" y=\"-35\" width=\"70\" height=\"70\" rx=\"13\" fill=\"url(#b-g-yellow)\"/>\
    <path d=\"M0-35H22A13 13 0 0 1 35-22V22A13 13 0 0 1 22 35H0Z\" fill=\"url(#b-g-blue)\"/>\
    <rect x=\"-35\" y=\"-35\" width=\"70\" height=\"70\" rx=\"13\" fill=\"none\" class=\"b-yellow-edge\" stroke-width=\"2\"/>";
