//! The standings, the faults and the log.

use live::{LiveStanding, LiveState};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::context::DrawContext;

/// The columns of the wide form of the standings beside the name of the bot, for records of usual width.
pub(crate) const WIDE_FIGURES: usize = 51;

/// The columns that the narrow form has beside the name.
const NARROW_FIGURES: usize = 29;

/// The usual width of a record.
const RECORD: usize = 11;

/// How many columns of a bot's name are shown at least.
const SHORTEST_NAME: usize = 6;

/// How many columns of a bot's name are shown at most.
pub(crate) const LONGEST_NAME: usize = 40;

/// Draws the standings. Where it is not a page of its own, the first bots are shown.
pub(crate) fn standings(
    frame: &mut Frame<'_>,
    area: Rect,
    state: &LiveState,
    context: &mut DrawContext<'_>,
    is_page: bool,
) {
    let theme = context.theme;
    let block = theme.frame(" standings (s) ".to_owned());
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let rows = usize::from(inner.height).saturating_sub(1);
    let first = if is_page {
        context.selection.scroll = context.selection.scroll.min(state.standings.len().saturating_sub(rows));
        context.selection.scroll
    } else {
        0
    };
    let width = usize::from(inner.width);
    let is_wide = width >= 60;
    let title = LiveStanding::record_title(&state.standings);
    let records: Vec<_> = state.standings.iter().map(LiveStanding::record).collect();
    let widest = records.iter().chain([&title]).map(String::len).max().unwrap_or(0).max(RECORD);
    let figures = if is_wide { WIDE_FIGURES } else { NARROW_FIGURES } + widest - RECORD;
    // The first of several places alone would be taken for the whole record.
    let has_record = figures + SHORTEST_NAME <= width;
    let figures = if has_record { figures } else { figures - widest - 1 };
    // What is left beside the figures.
    let name = width.saturating_sub(figures).clamp(SHORTEST_NAME, LONGEST_NAME);
    let shown = |record: &str| if has_record { format!(" {record:>widest$}") } else { String::new() };
    let more = if is_wide { "      any time  faults" } else { "" };
    let head = format!("{:>3} {:<name$} {:>5} {:>6}{}{more}", "#", "bot", "Elo", "score", shown(&title));
    let mut lines = vec![Line::styled(head, theme.strong())];
    for (row, record) in state.standings.iter().zip(&records).skip(first).take(rows) {
        let mut text = format!(
            "{:>3} {} {:>5} {:>6}{}",
            row.rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string()),
            theme.field(&row.bot, name),
            row.elo.map_or_else(|| "-".to_owned(), |elo| format!("{elo:+.0}")),
            row.mean_score().map_or_else(|| "-".to_owned(), |score| format!("{:.1}%", 100.0 * score)),
            shown(record),
        );
        if is_wide {
            let range = row.any_time.map_or_else(String::new, |[low, high]| {
                format!("{:.0} to {:.0}%", 100.0 * low, 100.0 * high)
            });
            text += &format!(" {range:>13}  {:>6}", row.faults);
        }
        lines.push(Line::from(text));
    }
    frame.render_widget(Paragraph::new(lines), inner);
}

/// Draws the faults, the last ones unless the user scrolls back.
pub(crate) fn faults(frame: &mut Frame<'_>, area: Rect, state: &LiveState, context: &mut DrawContext<'_>) {
    let theme = context.theme;
    let title = format!(" faults of this start: {} ", state.counts.faults);
    let block = theme.frame(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    if state.faults.is_empty() {
        return frame.render_widget(Line::from("none so far"), inner);
    }
    let (rows, width) = (usize::from(inner.height), usize::from(inner.width));
    let most = state.faults.len().saturating_sub(rows);
    context.selection.scroll = context.selection.scroll.min(most);
    let lines: Vec<_> = state
        .faults
        .iter()
        .skip(most - context.selection.scroll)
        .take(rows)
        .map(|fault| {
            let bot = theme.text(&fault.bot, 24);
            let text =
                format!("game {}: {bot} (p{}): {}: {}", fault.game, fault.seat, fault.reason, fault.detail);
            Line::from(theme.text(&text, width))
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), inner);
}

/// Draws the log, its end unless the user scrolls back.
pub(crate) fn log(frame: &mut Frame<'_>, area: Rect, context: &mut DrawContext<'_>) {
    let block = context.theme.frame(" log (l) ".to_owned());
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let rows = usize::from(inner.height);
    let (_, length) = context.shared.log(0, 0);
    context.selection.scroll = context.selection.scroll.min(length.saturating_sub(rows));
    let (lines, _) = context.shared.log(rows, context.selection.scroll);
    let width = usize::from(inner.width);
    let lines: Vec<_> = lines.iter().map(|line| Line::from(context.theme.text(line, width))).collect();
    frame.render_widget(Paragraph::new(lines), inner);
}
