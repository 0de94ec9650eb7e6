//! One game: its board, what its bots say, its plies.

use live::{GameState, LiveState};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};
use record::PlyRecord;

use super::draw::Scene;
use super::games::{drawing, player};
use super::words::{self, Paint};

/// How many characters of a bot's best line or words are shown.
const LINE: usize = 400;

/// Draws the game that is looked at.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, state: &LiveState, scene: &mut Scene<'_>) {
    let paint = scene.paint;
    let Some(game) = scene.sight.game(state) else {
        return frame.render_widget(paint.frame(" no game in progress ".to_owned()), area);
    };
    let title = format!(" game {}: {}, round {} ", game.number, paint.text(&game.label, 40), game.round);
    let block = paint.frame(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let text = drawing(game, paint).unwrap_or_else(|| "the bots come to the board".to_owned());
    let width = text.lines().map(|line| line.chars().count()).max().unwrap_or(0).clamp(20, 60);
    let width = u16::try_from(width).unwrap_or(60).min(inner.width / 2);
    let [board, right] =
        Layout::horizontal([Constraint::Length(width + 2), Constraint::Min(10)]).areas(inner);
    let lines: Vec<_> = text.lines().map(|line| Line::from(format!(" {line}"))).collect();
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), board);
    let half = (right.height / 4).clamp(3, 7);
    let [one, other, plies] =
        Layout::vertical([Constraint::Length(half), Constraint::Length(half), Constraint::Min(2)])
            .areas(right);
    for (seat, place) in [one, other].into_iter().enumerate() {
        bot(frame, place, game, seat, scene);
    }
    let rows = usize::from(plies.height);
    // The last plies, or earlier ones.
    let most = game.plies.len().saturating_sub(rows);
    let back = scene.sight.scroll.min(most);
    let first = most - back;
    let lines: Vec<_> = (first + 1..)
        .zip(&game.plies[first..])
        .take(rows)
        .map(|(number, record)| Line::from(ply(number, record, game.opening, paint)))
        .collect();
    frame.render_widget(Paragraph::new(lines), plies);
    scene.sight.scroll = back;
}

/// Draws a bot with its clock and what it said last about its search.
fn bot(frame: &mut Frame<'_>, area: Rect, game: &GameState, seat: usize, scene: &Scene<'_>) {
    let paint = scene.paint;
    let mut lines = vec![player(game, seat, usize::from(area.width), scene)];
    if let Some(search) = &game.search[seat] {
        lines.push(Line::from(format!("   {}", words::search(search))));
        if !search.pv.is_empty() {
            lines.push(Line::from(format!("   {}", paint.text(&search.pv.join(" "), LINE))));
        }
        if let Some(text) = &search.text {
            lines.push(Line::from(format!("   \"{}\"", paint.text(text, LINE))));
        }
    }
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
}

/// Writes a ply: ` 12 p2 b3xd5  1.2 s  +0.34 d7`.
fn ply(number: usize, record: &PlyRecord, opening: u32, paint: Paint) -> String {
    let mut text = format!("{number:>4} p{} {:<12}", record.seat, paint.text(&record.ply, 24));
    if number <= opening as usize {
        text += " opening";
    }
    if let Some(micros) = record.us {
        text += &format!(" {:>6} s", words::clock(micros / 1000));
    }
    if let Some(info) = &record.info {
        text += &format!("  {}", words::score(info.cp, info.mate));
        if let Some(depth) = info.depth {
            text += &format!(" d{depth}");
        }
    }
    if record.fallback {
        text += " (chosen by the arena)";
    }
    text
}
