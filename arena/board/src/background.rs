//! The board itself: frame, cells or lines; and its coordinates.

use rules::{BoardGround, BoardKind, BoardLines, BoardTheme};

use crate::layout::{CELL, Layout, PieceLocation};

/// Returns the board, without pieces and coordinates.
pub(crate) fn background(layout: &Layout, ground: BoardGround, hands: &[PieceLocation]) -> String {
    let (width, height) = (layout.width(), layout.height() - 2.0 * layout.tray);
    let mut svg = format!(
        "<rect x=\"1.5\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"14\" class=\"b-frame b-frame-edge\" stroke-width=\"3\"/>",
        layout.tray + 1.5,
        width - 3.0,
        height - 3.0
    );
    svg += &match ground.kind {
        BoardKind::Cells if is_sunken(ground) => sunken(layout),
        BoardKind::Cells => grid(layout, ground.theme == BoardTheme::Green),
        BoardKind::Checkered => checkered(layout),
        BoardKind::Hexagons => hexagons(layout),
        BoardKind::Points(of) => lines(layout, of),
    };
    if ground.wraps {
        svg += &wraps(layout);
    }
    for hand in hands {
        svg += &format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\" class=\"b-hand\"/>",
            hand.x,
            hand.y,
            hand.scale * 30.0
        );
    }
    svg
}

/// Arrowheads at both ends of every rank: what leaves the board there comes back at the other end.
fn wraps(layout: &Layout) -> String {
    let (left, top) = layout.corner();
    let right = left + f64::from(layout.board.files) * CELL;
    let mut path = String::new();
    for rank in 0..layout.board.ranks {
        let y = top + (f64::from(rank) + 0.5) * CELL;
        path += &format!("M{} {}l-7 9l7 9M{} {}l7 9l-7 9", left - 3.0, y + 23.0, right + 3.0, y + 23.0);
    }
    format!("<path d=\"{path}\" class=\"b-line\"/>")
}

/// Returns whether each cell is a hollow of its own: ranks that are shifted have no common lines.
pub(crate) fn is_sunken(ground: BoardGround) -> bool {
    ground.kind == BoardKind::Cells && (ground.theme == BoardTheme::Felt || ground.half_shifts > 0)
}

/// All cells as one area.
fn area(layout: &Layout, spread: f64) -> String {
    if layout.shift > 0.0 {
        let square = |cell| {
            let ((x, y), reach) = (layout.centre(cell), CELL / 2.0 + spread);
            format!("M{} {}h{}v{}h-{}z", x - reach, y - reach, 2.0 * reach, 2.0 * reach, 2.0 * reach)
        };
        let path: String = (0..layout.board.cells()).map(square).collect();
        return format!("<path d=\"{path}\" class=\"b-cell\"/>");
    }
    let (left, top) = layout.corner();
    let (files, ranks) = (f64::from(layout.board.files), f64::from(layout.board.ranks));
    format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" class=\"b-cell\"/>",
        left - spread,
        top - spread,
        files * CELL + 2.0 * spread,
        ranks * CELL + 2.0 * spread
    )
}

fn sunken(layout: &Layout) -> String {
    let cell = |cell| {
        let (x, y) = layout.centre(cell);
        format!(
            "<rect x=\"{}\" y=\"{}\" width=\"92\" height=\"92\" rx=\"16\" class=\"b-cell\"/>",
            x - 46.0,
            y - 46.0
        )
    };
    (0..layout.board.cells()).map(cell).collect()
}

fn checkered(layout: &Layout) -> String {
    let mut path = String::new();
    for number in 0..layout.board.cells() {
        let cell = layout.board.cell(number);
        if (cell.file + cell.rank).is_multiple_of(2) {
            let (x, y) = layout.centre(number);
            path += &format!("M{} {}h100v100h-100z", x - 50.0, y - 50.0);
        }
    }
    format!("{}<path d=\"{path}\" class=\"b-other\"/>", area(layout, 0.0))
}

fn grid(layout: &Layout, has_dots: bool) -> String {
    let (left, top) = layout.corner();
    let (files, ranks) = (layout.board.files, layout.board.ranks);
    let mut path = String::new();
    for file in 0..=files {
        path += &format!("M{} {top}v{}", left + f64::from(file) * CELL, f64::from(ranks) * CELL);
    }
    for rank in 0..=ranks {
        path += &format!("M{left} {}h{}", top + f64::from(rank) * CELL, f64::from(files) * CELL);
    }
    let mut svg = format!("{}<path d=\"{path}\" class=\"b-line\"/>", area(layout, 0.0));
    // The four points by which eyes find their way on a board of 8x8, and those of larger ones.
    if has_dots && files >= 6 && ranks >= 6 {
        for x in [2, files - 2] {
            for y in [2, ranks - 2] {
                let (x, y) = (left + f64::from(x) * CELL, top + f64::from(y) * CELL);
                svg += &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" class=\"b-dot\"/>");
            }
        }
    }
    svg
}

fn hexagons(layout: &Layout) -> String {
    let hexagon = |cell| {
        let (x, y) = layout.centre(cell);
        format!("M{x} {:.1}l50 28.9v57.7l-50 28.8l-50-28.8v-57.7z", y - 57.7)
    };
    let path: String = (0..layout.board.cells()).map(hexagon).collect();
    format!("<path d=\"{path}\" class=\"b-cell\"/><path d=\"{path}\" class=\"b-line\"/>")
}

/// Lines join neighbours along files and ranks, and diagonally as the board says.
fn lines(layout: &Layout, of: BoardLines) -> String {
    if of == BoardLines::None {
        return points(layout);
    }
    let (files, ranks) = (layout.board.files, layout.board.ranks);
    let mut path = String::new();
    let mut join = |from: usize, to: usize| {
        let ((x, y), (u, v)) = (layout.centre(from), layout.centre(to));
        path += &format!("M{x} {y}L{u} {v}");
    };
    for file in 0..files {
        join(usize::from(file), layout.board.number(usize::from(file), usize::from(ranks) - 1));
    }
    for rank in 0..ranks {
        let rank = usize::from(rank);
        join(layout.board.number(0, rank), layout.board.number(usize::from(files) - 1, rank));
    }
    for number in 0..layout.board.cells() {
        let cell = layout.board.cell(number);
        let is_strong = match of {
            BoardLines::Alternate => (cell.file + cell.rank).is_multiple_of(2),
            BoardLines::Diagonal => true,
            BoardLines::Orthogonal | BoardLines::None => false,
        };
        if is_strong && cell.rank + 1 < ranks {
            let (file, above) = (usize::from(cell.file), usize::from(cell.rank) + 1);
            if cell.file + 1 < files {
                join(number, layout.board.number(file + 1, above));
            }
            if cell.file > 0 {
                join(number, layout.board.number(file - 1, above));
            }
        }
    }
    format!("{}<path d=\"{path}\" class=\"b-line\"/>", area(layout, 6.0))
}

/// Points that no lines join.
fn points(layout: &Layout) -> String {
    let point = |cell| {
        let (x, y) = layout.centre(cell);
        format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" class=\"b-dot\"/>")
    };
    area(layout, 6.0) + &(0..layout.board.cells()).map(point).collect::<String>()
}

/// A coordinate beside the board.
pub(crate) struct Coordinate {
    /// Its middle.
    pub(crate) x: f64,
    /// Its middle.
    pub(crate) y: f64,
    /// The size of its letters.
    pub(crate) size: f64,
    /// The letter of a file, or the number of a rank.
    pub(crate) name: String,
    class: &'static str,
}

/// Returns the coordinates of a board.
pub(crate) fn coordinates(layout: &Layout) -> Vec<Coordinate> {
    let size = layout.margin * 0.6;
    let bottom = layout.height() - layout.tray - layout.margin / 2.0;
    let file = |file: u8| {
        let (x, _) = layout.centre(usize::from(file));
        Coordinate { x, y: bottom, size, name: char::from(b'a' + file).to_string(), class: "b-file" }
    };
    let rank = |rank: u8| {
        let (_, y) = layout.centre(layout.board.number(0, usize::from(rank)));
        let x = layout.margin / 2.0 + layout.shift * f64::from(rank);
        Coordinate { x, y, size, name: (rank + 1).to_string(), class: "b-rank" }
    };
    (0..layout.board.files).map(file).chain((0..layout.board.ranks).map(rank)).collect()
}

/// Returns coordinates as text, in whatever typeface the viewer has.
pub(crate) fn texts(coordinates: &[Coordinate]) -> String {
    let text = |Coordinate { x, y, size, name, class }: &Coordinate| {
        format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" class=\"b-coord {class}\">{name}</text>")
    };
    format!("<g aria-hidden=\"true\">{}</g>", coordinates.iter().map(text).collect::<String>())
}
