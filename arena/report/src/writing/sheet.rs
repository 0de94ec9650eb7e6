//! Tables for the terminal, with aligned columns, fitted to a width.

use comfy_table::{Attribute, Cell as TableCell, CellAlignment, Color, LineStyle, Table, TableStyle};
use protocol::printable;

use crate::Look;
use crate::writing::markdown;

/// The space between columns.
const GAP: usize = 2;

/// The lengths to which names may be cut, from the longest to the shortest.
const NAMES: [usize; 4] = [32, 20, 12, 6];

/// From this index of [`NAMES`] on, columns are left out before names are cut further.
const ENOUGH: usize = 1;

/// A table before it is laid out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// A column.
#[derive(Clone, Debug)]
struct Column {
    title: String,
    kind: Kind,
    /// The priority for leaving the column out, highest first; 0 is never left out.
    spare: u8,
}

/// The content of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Figures, aligned right.
    Figure,
    /// Words that are never cut, aligned left.
    Word,
    /// Names, which may be cut, aligned left.
    Name,
    /// Text in the last column, which is cut to the remaining space.
    Rest,
}

/// A cell.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    is_warning: bool,
}

impl Cell {
    /// Returns a highlighted cell.
    pub(crate) fn warning(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_warning: true }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), is_warning: false }
    }
}

impl Sheet {
    /// Adds a column. Columns with the highest `spare` are left out first, all together; those with 0 never are.
    pub(crate) fn column(&mut self, title: impl Into<String>, kind: Kind, spare: u8) {
        self.columns.push(Column { title: title.into(), kind, spare });
    }

    /// Adds a row with a cell for each column. An empty cell of figures is shown as `-`.
    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    /// Returns the table as text; every line ends with a line feed.
    pub(crate) fn text(&self, look: &Look) -> String {
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        let mut names = 0;
        loop {
            let table = self.table(&shown, NAMES[names], look);
            let spare = shown.iter().map(|column| self.columns[*column].spare).max().unwrap_or(0);
            let is_last = names + 1 == NAMES.len() && spare == 0;
            if width(&table) <= look.width || is_last {
                return lines(&table);
            }
            if spare > 0 && names >= ENOUGH {
                shown.retain(|column| self.columns[*column].spare < spare);
            } else if names + 1 < NAMES.len() {
                names += 1;
            }
        }
    }

    /// Returns whether everything fits with names of full length.
    pub(crate) fn fits(&self, look: &Look) -> bool {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        width(&self.table(&all, NAMES[0], look)) <= look.width
    }

    /// Returns the whole table as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut out = String::new();
        let titles: Vec<_> = self.columns.iter().map(|column| markdown::safe(&column.title)).collect();
        markdown::line(&mut out, &titles);
        let rules = self.columns.iter().map(|column| if column.kind == Kind::Figure { "--:" } else { ":--" });
        out.push_str(&format!("|{}|\n", rules.collect::<Vec<_>>().join("|")));
        for row in &self.rows {
            let cells: Vec<_> = row.iter().map(|cell| markdown::safe(&printable(&cell.text))).collect();
            markdown::line(&mut out, &cells);
        }
        out
    }

    fn table(&self, shown: &[usize], names: usize, look: &Look) -> Table {
        let rest = self.rest(shown, names, look);
        let mut table = Table::new();
        let rule = if look.ascii { '-' } else { '\u{2500}' };
        table.load_style(TableStyle::new().header_separator(LineStyle::none().fill(rule)));
        if look.color {
            table.enforce_styling().style_text_only();
        } else {
            table.force_no_tty();
        }
        let header = |column: &usize| {
            let cell = TableCell::new(&self.columns[*column].title);
            if look.color { cell.add_attribute(Attribute::Bold) } else { cell }
        };
        table.set_header(shown.iter().map(header).collect::<Vec<_>>());
        for row in &self.rows {
            let cell = |column: &usize| {
                let cell = &row[*column];
                let text = match self.columns[*column].kind {
                    Kind::Name => look.shortened(&cell.text, names),
                    Kind::Rest => look.shortened(&cell.text, rest),
                    Kind::Figure if cell.text.is_empty() => "-".to_owned(),
                    Kind::Figure | Kind::Word => cell.text.clone(),
                };
                let shown = TableCell::new(text);
                if look.color && cell.is_warning { shown.fg(Color::Yellow) } else { shown }
            };
            table.add_row(shown.iter().map(cell).collect::<Vec<_>>());
        }
        for (place, column) in shown.iter().enumerate() {
            let is_last = place + 1 == shown.len();
            if let Some(laid) = table.column_mut(place) {
                laid.set_padding((0, if is_last { 0 } else { GAP as u16 }));
                if self.columns[*column].kind == Kind::Figure {
                    laid.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        table
    }

    /// Returns the width left for a last column of text, at least that of its title.
    fn rest(&self, shown: &[usize], names: usize, look: &Look) -> usize {
        let Some(last) = shown.last().filter(|last| self.columns[**last].kind == Kind::Rest) else {
            return 0;
        };
        let others = &shown[..shown.len() - 1];
        let taken = width(&self.table(others, names, look)) + GAP;
        look.width.saturating_sub(taken).max(self.columns[*last].title.len()).max(12)
    }
}

fn width(table: &Table) -> usize {
    let widths = table.column_max_content_widths();
    let content: usize = widths.iter().map(|width| usize::from(*width)).sum();
    content + GAP * widths.len().saturating_sub(1)
}

fn lines(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}
