//! The screen as a whole: how the run stands at the top, a page, the keys at the bottom.

use diagnostic::output::{count, span};
use live::{LiveState, RunStage};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::context::DrawContext;
use crate::figures::{Theme, columns};
use crate::keys::KEYS;
use crate::selection::ScreenPage;
use crate::{game, games, tables};

/// The least screen on which anything is drawn.
const LEAST: (u16, u16) = (40, 10);

/// Draws a run.
pub(crate) fn draw(frame: &mut Frame<'_>, context: &mut DrawContext<'_>) {
    let area = frame.area();
    let Some(state) = context.state else {
        return frame.render_widget(Paragraph::new("the run begins"), area);
    };
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let text = format!("{} of {} games; the screen is too small", state.counts.done, state.counts.total);
        return frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
    }
    let [top, page, bottom] =
        Layout::vertical([Constraint::Length(3), Constraint::Min(1), Constraint::Length(1)]).areas(area);
    header(frame, top, state, context.theme);
    match context.selection.page {
        ScreenPage::Overview => overview(frame, page, state, context),
        ScreenPage::Game => game::draw(frame, page, state, context),
        ScreenPage::Standings => tables::standings(frame, page, state, context, true),
        ScreenPage::Faults => tables::faults(frame, page, state, context),
        ScreenPage::Log => tables::log(frame, page, context),
        ScreenPage::Help => help(frame, page, context.theme),
    }
    footer(frame, bottom, state, context);
}

/// Draws how the run stands: three lines.
fn header(frame: &mut Frame<'_>, area: Rect, state: &LiveState, theme: Theme) {
    let [name, bar, more] = Layout::vertical([Constraint::Length(1); 3]).areas(area);
    let (stage, style) = match state.stage {
        RunStage::Running => ("running", theme.good()),
        RunStage::Paused => ("PAUSED", theme.notice()),
        RunStage::Finishing => ("STOPPING: q again abandons the games", theme.notice()),
        RunStage::Aborting => ("ENDING: the games are abandoned", theme.alarm()),
    };
    let title = format!("{} ({})", theme.text(&state.name, 40), theme.text(&state.format, 20));
    let gap = usize::from(name.width).saturating_sub(columns(&title) + stage.len());
    let line = Line::from(vec![
        Span::styled(title, theme.strong()),
        Span::raw(" ".repeat(gap.max(1))),
        Span::styled(stage, style),
    ]);
    frame.render_widget(line, name);

    let counts = &state.counts;
    let mut words = format!("{}/{} games", counts.done, counts.total);
    if counts.before > 0 {
        words += &format!(" after {}", counts.before);
    }
    if let (Some(rate), Some(left)) = (state.pace.games_per_second, state.pace.seconds_left) {
        let at_most = if state.pace.is_upper_bound { "at most " } else { "" };
        words += &format!(", {rate:.1} games/s, {at_most}{} left", span(left));
    }
    let width = u16::try_from(columns(&words)).unwrap_or(u16::MAX).saturating_add(1);
    let [gauge, text] = Layout::horizontal([Constraint::Min(8), Constraint::Length(width)]).areas(bar);
    let ratio = counts.done as f64 / counts.total.max(1) as f64;
    frame.render_widget(progress(ratio.clamp(0.0, 1.0), gauge.width, theme), gauge);
    frame.render_widget(Line::from(format!(" {words}")), text);

    let mut parts =
        vec![Span::raw(format!("{} in progress, concurrency {}", counts.running, state.concurrency))];
    if counts.faults > 0 {
        parts.push(Span::raw(", "));
        parts.push(Span::styled(count(counts.faults, "fault"), theme.alarm()));
    }
    if !state.withdrawn.is_empty() {
        let names: Vec<_> = state.withdrawn.iter().map(|name| theme.text(name, 20)).collect();
        parts.push(Span::styled(format!(", withdrawn: {}", names.join(", ")), theme.alarm()));
    }
    if let Some(line) = state.test.as_ref().map(|test| &test.line).or(state.note.as_ref()) {
        parts.push(Span::raw(format!("; {}", theme.text(line, 200))));
    }
    frame.render_widget(Line::from(parts), more);
}

/// A bar that needs no colour and no special character.
fn progress(ratio: f64, width: u16, theme: Theme) -> Line<'static> {
    let inner = usize::from(width.saturating_sub(2));
    let full = (ratio * inner as f64) as usize;
    let text = format!("[{}{}]", "=".repeat(full), " ".repeat(inner - full));
    Line::styled(text, theme.strong())
}

/// Draws the games in progress, the standings and the log, as much as has room.
fn overview(frame: &mut Frame<'_>, area: Rect, state: &LiveState, context: &mut DrawContext<'_>) {
    if area.width >= 120 && area.height >= 30 {
        // The table takes what its longest name needs, the boards the rest.
        let name = state
            .standings
            .iter()
            .map(|row| columns(&context.theme.text(&row.bot, tables::LONGEST_NAME)))
            .max()
            .unwrap_or(0);
        let table =
            u16::try_from(name + tables::WIDE_FIGURES + 2).unwrap_or(u16::MAX).clamp(62, area.width / 2 + 2);
        let [left, right] = Layout::horizontal([Constraint::Min(60), Constraint::Length(table)]).areas(area);
        let rows = u16::try_from(state.standings.len()).unwrap_or(u16::MAX).saturating_add(3);
        let [table, log] =
            Layout::vertical([Constraint::Length(rows.min(right.height / 2)), Constraint::Min(4)])
                .areas(right);
        games::cards(frame, left, state, context);
        tables::standings(frame, table, state, context, false);
        tables::log(frame, log, context);
        return;
    }
    let list = u16::try_from(state.games.len().max(1)).unwrap_or(u16::MAX).saturating_add(2);
    let [list, rest] =
        Layout::vertical([Constraint::Length(list.min(area.height / 3)), Constraint::Min(3)]).areas(area);
    games::list(frame, list, state, context);
    let [board, right] = match area.width >= 70 {
        true => Layout::horizontal([Constraint::Length(40), Constraint::Min(30)]).areas(rest),
        false => Layout::horizontal([Constraint::Length(0), Constraint::Min(30)]).areas(rest),
    };
    if board.width > 0
        && let Some(game) = context.selection.game(state)
    {
        games::card(frame, board, game, context, false);
    }
    let rows = u16::try_from(state.standings.len()).unwrap_or(u16::MAX).saturating_add(3);
    let [table, log] =
        Layout::vertical([Constraint::Length(rows.min(right.height / 2)), Constraint::Min(3)]).areas(right);
    tables::standings(frame, table, state, context, false);
    tables::log(frame, log, context);
}

fn footer(frame: &mut Frame<'_>, area: Rect, state: &LiveState, context: &DrawContext<'_>) {
    let pause = if state.stage == RunStage::Paused { "p resume" } else { "p pause" };
    let hints: &[(u8, &str)] = match context.selection.page {
        ScreenPage::Overview => &[
            (0, "? help"),
            (2, "enter game"),
            (4, "s table"),
            (5, "f faults"),
            (6, "l log"),
            (1, pause),
            (3, "+/- games"),
            (0, "q stop"),
        ],
        ScreenPage::Game => {
            &[(0, "esc back"), (2, "tab next game"), (3, "up/down plies"), (1, pause), (0, "q stop")]
        }
        ScreenPage::Standings | ScreenPage::Faults | ScreenPage::Log => {
            &[(0, "esc back"), (2, "up/down, page up/down scroll"), (1, pause), (0, "q stop")]
        }
        ScreenPage::Help => &[(0, "esc back")],
    };
    let text = fitting(hints, usize::from(area.width));
    frame.render_widget(Line::styled(text, context.theme.chosen()), area);
}

/// Joins the hints that fit into `width` columns. The hints with the highest numbers give way first; those with 0 stay.
fn fitting(hints: &[(u8, &str)], width: usize) -> String {
    let most = hints.iter().map(|(rank, _)| *rank).max().unwrap_or(0);
    let upto = |last: u8| {
        let kept: Vec<_> = hints.iter().filter(|(rank, _)| *rank <= last).map(|(_, hint)| *hint).collect();
        kept.join("  ")
    };
    (0..=most).rev().map(upto).find(|text| text.len() <= width).unwrap_or_else(|| upto(0))
}

fn help(frame: &mut Frame<'_>, area: Rect, theme: Theme) {
    let lines: Vec<_> = KEYS
        .iter()
        .map(|(keys, what)| {
            Line::from(vec![Span::styled(format!("{keys:<20}"), theme.strong()), Span::raw(*what)])
        })
        .collect();
    let frame_of = theme.frame(" keys ".to_owned());
    frame.render_widget(Paragraph::new(lines).block(frame_of).wrap(Wrap { trim: false }), area);
}
