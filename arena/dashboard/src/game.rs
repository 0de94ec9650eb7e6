//! One game: its board, what its bots say, its plies.

use live::{GameState, LiveState};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};
use record::PlyRecord;

use crate::context::DrawContext;
use crate::figures::{self, Theme};
use crate::games::player;

/// How many characters of a bot's best line or words are shown.
const LINE: usize = 400;

/// Draws the game that is looked at.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, state: &LiveState, context: &mut DrawContext<'_>) {
    let theme = context.theme;
    let Some(game) = context.selection.game(state) else {
        return frame.render_widget(theme.frame(" no game in progress ".to_owned()), area);
    };
    let title = format!(" game {}: {}, round {} ", game.number, theme.text(&game.label, 40), game.round);
    let block = theme.frame(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let text = context.boards.drawing(game, theme).unwrap_or_else(|| "the bots come to the board".to_owned());
    let width = text.lines().map(|line| line.chars().count()).max().unwrap_or(0).clamp(20, 60);
    let width = u16::try_from(width).unwrap_or(60).min(inner.width / 2);
    let [board, right] =
        Layout::horizontal([Constraint::Length(width + 2), Constraint::Min(10)]).areas(inner);
    let lines: Vec<_> = text.lines().map(|line| Line::from(format!(" {line}"))).collect();
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), board);
    let seats = game.bots.len();
    // Half of the height is theirs: at a large table a bot has a line at least.
    let least = if seats > 2 { 1 } else { 3 };
    let share = (usize::from(right.height) / (2 * seats)).clamp(least, 7);
    let mut areas = vec![Constraint::Length(u16::try_from(share).unwrap_or(7)); seats];
    areas.push(Constraint::Min(2));
    let areas = Layout::vertical(areas).split(right);
    for seat in 0..seats {
        bot(frame, areas[seat], game, seat, context);
    }
    let plies = areas[seats];
    let rows = usize::from(plies.height);
    // The last plies, or earlier ones.
    let most = game.plies.len().saturating_sub(rows);
    let back = context.selection.scroll.min(most);
    let first = most - back;
    let lines: Vec<_> = (first + 1..)
        .zip(&game.plies[first..])
        .take(rows)
        .map(|(number, record)| Line::from(ply(number, record, game.opening, theme)))
        .collect();
    frame.render_widget(Paragraph::new(lines), plies);
    context.selection.scroll = back;
}

/// Draws a bot with its clock, and how it went out or what it said last about its search.
fn bot(frame: &mut Frame<'_>, area: Rect, game: &GameState, seat: usize, context: &DrawContext<'_>) {
    let theme = context.theme;
    let mut lines = vec![player(game, seat, usize::from(area.width), context)];
    if let Some(exit) = game.out(seat) {
        let detail = exit.detail.as_deref().map(|detail| format!(" ({})", theme.text(detail, LINE)));
        lines.push(Line::from(format!("   out: {}{}", exit.reason, detail.unwrap_or_default())));
    } else if let Some(search) = &game.search[seat] {
        lines.push(Line::from(format!("   {}", figures::search(search))));
        if !search.pv.is_empty() {
            lines.push(Line::from(format!("   {}", theme.text(&search.pv.join(" "), LINE))));
        }
        if let Some(text) = &search.text {
            lines.push(Line::from(format!("   \"{}\"", theme.text(text, LINE))));
        }
    }
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
}

/// Writes a ply: ` 12 p2 b3xd5  1.2 s  +0.34 d7`.
fn ply(number: usize, record: &PlyRecord, opening: u32, theme: Theme) -> String {
    let mut text = format!("{number:>4} p{} {:<12}", record.seat, theme.text(&record.ply, 24));
    if number <= opening as usize {
        text += " opening";
    }
    if let Some(micros) = record.us {
        text += &format!(" {:>6} s", figures::clock(micros / 1000));
    }
    if let Some(info) = &record.info {
        text += &format!("  {}", figures::score(info.cp, info.mate));
        if let Some(depth) = info.depth {
            text += &format!(" d{depth}");
        }
        if let Some(words) = &info.text {
            text += &format!("  \"{}\"", theme.text(words, LINE));
        }
    }
    if record.fallback {
        text += " (chosen by the arena)";
    }
    text
}
