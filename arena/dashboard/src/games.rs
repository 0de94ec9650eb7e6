//! The games in progress: a line each, or a card each with its board.

use live::{GameState, LiveState};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::context::DrawContext;
use crate::figures::{self, Theme};
use crate::selection::by_slot;

/// The width of a card at least.
const CARD: u16 = 38;

/// What a line of a game has beside its seats.
const BESIDE_SEATS: usize = 30;

/// What a seat has in it beside the name.
const BESIDE_NAME: usize = 10;

/// The shortest name of a seat in it.
const SHORTEST_NAME: usize = 6;

/// The length of the name where only one seat has room.
const LONE_NAME: usize = 20;

/// Draws a line a game.
pub(crate) fn list(frame: &mut Frame<'_>, area: Rect, state: &LiveState, context: &DrawContext<'_>) {
    let theme = context.theme;
    let block = theme.frame(format!(" games in progress: {} ", state.games.len()));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let games = by_slot(state);
    let chosen = context.selection.game(state).map(|game| game.number);
    let at = games.iter().position(|game| Some(game.number) == chosen).unwrap_or(0);
    let rows = usize::from(inner.height);
    // The chosen one is always to be seen.
    let first = (at + 1).saturating_sub(rows);
    let lines: Vec<_> = games
        .iter()
        .skip(first)
        .take(rows)
        .map(|game| row(game, Some(game.number) == chosen, usize::from(inner.width), context))
        .collect();
    frame.render_widget(Paragraph::new(lines), inner);
}

fn row(game: &GameState, is_chosen: bool, width: usize, context: &DrawContext<'_>) -> Line<'static> {
    let theme = context.theme;
    let mark = if is_chosen { '>' } else { ' ' };
    // What is left beside the figures is shared by the names. Where they have no room, the one that decides has it alone.
    let seats = game.bots.len();
    let room = width.saturating_sub(BESIDE_SEATS) / seats.max(1);
    let name = room.saturating_sub(BESIDE_NAME).clamp(SHORTEST_NAME, 24);
    let seat = |seat: usize| {
        let decides = if game.seat == Some(seat as u8 + 1) { '*' } else { ' ' };
        let bot = theme.field(&game.bots[seat].name, name);
        format!("{decides}{bot} {:>7}", figures::time(game, seat, context.now))
    };
    let of_seats = match room >= SHORTEST_NAME + BESIDE_NAME {
        true => (0..seats).map(seat).collect::<Vec<_>>().join(" "),
        false => decider(game, context),
    };
    let text = format!(
        "{mark}{:>5} {} {of_seats} {:>4} {}",
        game.number,
        theme.field(&game.label, 10),
        game.plies.len(),
        figures::evaluation(game.evaluation),
    );
    Line::styled(text, if is_chosen { theme.strong() } else { ratatui::style::Style::new() })
}

/// Writes who decides at a table whose bots have no room beside each other: `*p3 slow  0.3, 6 seats`.
fn decider(game: &GameState, context: &DrawContext<'_>) -> String {
    let at = game.seat.map(|seat| usize::from(seat).saturating_sub(1)).filter(|seat| *seat < game.bots.len());
    let who = at.map_or_else(
        || " ".repeat(LONE_NAME + 12),
        |seat| {
            let bot = context.theme.field(&game.bots[seat].name, LONE_NAME);
            format!("*p{} {bot} {:>7}", seat + 1, figures::time(game, seat, context.now))
        },
    );
    format!("{who}, {} seats", game.bots.len())
}

/// Draws as many cards as have room, the chosen game among them.
pub(crate) fn cards(frame: &mut Frame<'_>, area: Rect, state: &LiveState, context: &DrawContext<'_>) {
    let games = by_slot(state);
    if games.is_empty() {
        let block = context.theme.frame(" no game in progress ".to_owned());
        return frame.render_widget(block, area);
    }
    let tallest = games.iter().map(|game| board(game, context).len()).max().unwrap_or(0);
    let seats = games.iter().map(|game| game.bots.len()).max().unwrap_or(0);
    let height = u16::try_from(tallest + seats + 4).unwrap_or(u16::MAX).min(area.height);
    let columns = usize::from((area.width / CARD).max(1)).min(games.len());
    let rows = usize::from((area.height / height).max(1)).min(games.len().div_ceil(columns));
    let chosen = context.selection.game(state).map(|game| game.number);
    let at = games.iter().position(|game| Some(game.number) == chosen).unwrap_or(0);
    let room = columns * rows;
    let first = at / room * room;
    let lines = Layout::vertical(vec![Constraint::Length(height); rows]).split(area);
    for (line, games) in lines.iter().zip(games[first..].chunks(columns)) {
        let cells = Layout::horizontal(vec![Constraint::Ratio(1, columns as u32); columns]).split(*line);
        for (cell, game) in cells.iter().zip(games) {
            card(frame, *cell, game, context, Some(game.number) == chosen && state.games.len() > 1);
        }
    }
    let left_out = games.len() - games[first..].len().min(room);
    if left_out > 0 && area.height > height * rows as u16 {
        let text = format!("{left_out} more; tab goes to the next game");
        let place = Rect { y: area.y + height * rows as u16, height: 1, ..area };
        frame.render_widget(Line::from(text), place);
    }
}

/// Draws a game: who plays, the clocks, the board, the last ply.
pub(crate) fn card(
    frame: &mut Frame<'_>,
    area: Rect,
    game: &GameState,
    context: &DrawContext<'_>,
    is_chosen: bool,
) {
    let theme = context.theme;
    let mark = if is_chosen { ">" } else { " " };
    let title = format!("{mark}game {} {} ", game.number, theme.text(&game.label, 20));
    let block = theme.frame(title).border_style(if is_chosen {
        theme.strong()
    } else {
        ratatui::style::Style::new()
    });
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let width = usize::from(inner.width);
    let mut lines: Vec<Line<'_>> =
        (0..game.bots.len()).map(|seat| player(game, seat, width, context)).collect();
    lines.extend(board(game, context).into_iter().map(|line| Line::from(format!(" {line}"))));
    lines.push(Line::from(last(game, theme)));
    frame.render_widget(Paragraph::new(lines), inner);
}

/// A bot with its clock; the one that decides has a star.
pub(crate) fn player(
    game: &GameState,
    seat: usize,
    width: usize,
    context: &DrawContext<'_>,
) -> Line<'static> {
    let theme = context.theme;
    let decides = game.seat == Some(seat as u8 + 1);
    let clock = figures::time(game, seat, context.now);
    let worth = match (game.out(seat), &game.search[seat]) {
        (Some(_), _) => "out".to_owned(),
        (None, Some(search)) => figures::score(search.cp, search.mate),
        (None, None) => String::new(),
    };
    let room = width.saturating_sub(clock.len() + worth.len() + 8).max(4);
    let name = theme.field(&game.bots[seat].name, room);
    let mark = if decides { '*' } else { ' ' };
    let text = format!("{mark}p{} {name} {worth} {clock}", seat + 1);
    let style = if decides { theme.strong() } else { ratatui::style::Style::new() };
    Line::from(Span::styled(text, style))
}

/// Returns the lines of the board, without what stands below it.
fn board(game: &GameState, context: &DrawContext<'_>) -> Vec<String> {
    context.boards.drawing(game, context.theme).map_or_else(Vec::new, |text| {
        text.lines().take_while(|line| !line.is_empty()).map(str::to_owned).collect()
    })
}

/// Says what was played last, and what the game is worth.
fn last(game: &GameState, theme: Theme) -> String {
    let Some(ply) = game.plies.last() else {
        return if game.position.is_none() { "the bots come to the board".to_owned() } else { String::new() };
    };
    let worth = figures::evaluation(game.evaluation);
    let worth = if worth.is_empty() { worth } else { format!(", {worth} for p1") };
    format!("ply {}: {}{worth}", game.plies.len(), theme.text(&ply.ply, 16))
}
