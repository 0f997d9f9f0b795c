//! Draws the state: the game with its plies, clocks, graphs and the words of the bots, the list of
//! games, and the page of keys. Everything that comes from a log is escaped.

use super::game::OpenedGame;
use super::layout::{GRAPH, LIST_HEAD};
use super::model::{Figure, Mode, ReplayModel};
use crate::view::board::{MARKS, MARKS_IN_SHORT};
use crate::view::graph::Graph;
use crate::view::grid::{Grid, Rect};
use crate::view::look::{Role, says_too_small};
use arbiter_cup::report::page::terminal_keys;
use arbiter_cup::report::text;
use arbiter_game::replay::Timeline;
use arbiter_game::{Channel, Outcome};
use arbiter_rules::Side;
use arbiter_rules::text::{one_column, printable};
use std::time::Duration;

/// The hints in the last line.
const HINTS: &str = "←→ ply  ↑↓ turn  space play  n p game  / list  ? keys  q";

/// How much of a text from a log is shown in a line, in bytes.
const SHOWN: usize = 4000;

impl ReplayModel {
    /// Draws the screen.
    pub fn draw(&self, grid: &mut Grid) {
        if says_too_small("q quits", grid) {
            return;
        }
        let page = Page { model: self };
        match &self.mode {
            Mode::Games => page.games(grid),
            Mode::Keys => page.keys(grid),
            Mode::Steps | Mode::Cursor | Mode::GoTo(_) | Mode::Picture => page.game(grid),
        }
    }
}

/// A drawing of the state.
struct Page<'a> {
    model: &'a ReplayModel,
}

impl Page<'_> {
    // The game.

    fn game(&self, grid: &mut Grid) {
        let areas = self.model.areas(grid.area());
        grid.text(Role::Title, areas.title, self.title());
        grid.text(Role::Minor, areas.hints, self.hints());
        if let Some(view) = self.model.board() {
            view.draw(areas.board, grid);
        }
        if let Some(game) = self.model.timeline() {
            self.clocks(game, areas.clocks, grid);
            self.plies(game, areas.plies, grid);
            grid.text(Role::Title, areas.status, self.status(game));
            self.graphs(game, areas.graphs, grid);
        }
        grid.paragraph(areas.written, self.model.scroll, self.written());
    }

    fn title(&self) -> String {
        let games = &self.model.games;
        let log = printable(self.model.log.as_bytes(), 200);
        let count = games.len();
        let more = if games.is_complete() { "" } else { "…" };
        let Some(opened) = &self.model.game else {
            return format!("{log}: looking for the game, {count}{more} read");
        };
        let number = opened.index + 1;
        match self.model.timeline() {
            Some(game) => {
                let id = printable(game.record().id.as_deref().unwrap_or_default().as_bytes(), 200);
                format!("{number}/{count}{more}  {}  {id}", text::title(game))
            }
            None => format!("{number}/{count}{more}  {log}"),
        }
    }

    fn hints(&self) -> String {
        match (&self.model.message, &self.model.mode) {
            (Some(message), _) => message.chars().map(one_column).collect(),
            (None, Mode::Picture) => "write this position here as an SVG file?  y  n".to_owned(),
            (None, Mode::GoTo(number)) => format!("go to ply: {number}_   enter  esc"),
            (None, Mode::Cursor) => {
                "arrows move the cursor  esc leaves it  other keys as before".to_owned()
            }
            (None, _) => HINTS.to_owned(),
        }
    }

    fn clocks(&self, game: &Timeline, area: Rect, grid: &mut Grid) {
        let moment = game.moment(self.model.at);
        let is_over = self.model.at == game.len();
        for (row, side) in area.rows().zip(Side::BOTH) {
            let on_move = moment.position.side() == side && !is_over;
            let mark = if on_move { '>' } else { ' ' };
            let clock = match moment.clocks[side] {
                Some(left) => text::clock(left),
                None => "no clock".to_owned(),
            };
            let width = usize::from(area.width).saturating_sub(clock.len() + 3);
            let name: String = text::player(game.record(), side).chars().take(width).collect();
            let role = if on_move { Role::Title } else { Role::Text };
            grid.text(role, row, format!("{mark} {name:width$} {clock}"));
        }
    }

    fn plies(&self, game: &Timeline, area: Rect, grid: &mut Grid) {
        let letters = game.record().ruleset().game().letters();
        let width = game.len().to_string().len();
        let first = self.model.first_listed_ply(area.height);
        let shown = (first..=game.len()).take(area.height.into());
        let mut widest = 5;
        for ply in shown.clone() {
            widest = widest.max(game.ply_text(ply).map_or(0, |text| text.len()));
        }
        for (line, ply) in area.rows().zip(shown) {
            let Some(last) = game.timed_ply(ply) else { continue };
            let is_current = ply == self.model.at;
            let mark = if is_current { '>' } else { ' ' };
            let text = game.ply_text(ply).unwrap_or_default();
            let mut used = String::new();
            let mut info = String::new();
            if let Some(note) = game.note(ply) {
                used = note.wall.map(seconds_text).unwrap_or_default();
                info = printable(&note.text, SHOWN);
            }
            let role = if is_current { Role::Current } else { Role::Text };
            let letter = letters[last.side];
            let text = format!("{mark}{ply:>width$} {letter} {text:<widest$} {used:>9}  {info}");
            grid.text(role, line, text);
        }
    }

    fn status(&self, game: &Timeline) -> String {
        let at = self.model.at;
        let mut status = format!("ply {at} of {}", game.len());
        if self.model.game.as_ref().is_some_and(OpenedGame::shows_proof) {
            status += " of the proof";
        }
        if let (Some(last), Some(text)) = (game.timed_ply(at), game.ply_text(at)) {
            status += &format!("  {}: {text}  ", text::player(game.record(), last.side));
            if let Some(note) = game.note(at) {
                if let Some(wall) = note.wall {
                    status += &seconds_text(wall);
                }
                if let Some(cpu) = note.cpu {
                    status += &format!(" ({} cpu)", seconds_text(cpu));
                }
            }
        }
        if self.model.is_playing() {
            status += &format!("  playing, {}", self.model.pace_text());
        }
        status
    }

    fn graphs(&self, game: &Timeline, area: Rect, grid: &mut Grid) {
        let tops = (area.y..area.bottom()).step_by(GRAPH.into());
        for (&figure, y) in self.model.figures.iter().zip(tops) {
            let graph = Graph {
                title: figure.title(),
                plies: game.len(),
                current: self.model.at,
                value: &|ply| figure.value(game, ply),
                has_extremes: figure == Figure::Score,
                letters: game.record().ruleset().game().letters(),
            };
            graph.draw(Rect { y, height: GRAPH.min(area.bottom() - y), ..area }, grid);
        }
    }

    /// What the bots said and wrote about the current ply, how the game ended, and what is wrong
    /// with the log.
    fn written(&self) -> Vec<(Role, String)> {
        let mut lines = Vec::new();
        let Some(opened) = &self.model.game else { return lines };
        let is_end = self.model.at == self.model.plies();
        if is_end {
            for trouble in &opened.troubles {
                lines.push((Role::Wrong, printable(trouble.as_bytes(), SHOWN)));
            }
        }
        let Some(game) = &opened.timeline else { return lines };
        if self.model.mode == Mode::Cursor {
            lines.push(self.legal_plies(game));
        }
        if is_end && game.is_whole() {
            lines.extend(self.end(game));
        }
        lines.extend(self.proved(opened));
        let note = game.note(self.model.at).filter(|note| !note.text.is_empty());
        if let (Some(last), Some(note)) = (game.timed_ply(self.model.at), note) {
            let name = printable(game.record().players[last.side].as_bytes(), 64);
            let said = format!("{name} says: {}", printable(&note.text, SHOWN));
            lines.push((Role::Text, said));
        }
        // After the last ply also what a bot wrote when it was asked for another one.
        let last = if is_end { usize::MAX } else { self.model.at };
        for written in &opened.written {
            if opened.shows_proof() || !(self.model.at..=last).contains(&written.ply) {
                continue;
            }
            let name = printable(game.record().players[written.side].as_bytes(), 64);
            let stream = if written.channel == Channel::Unrecognised { " (no answer)" } else { "" };
            let text: String = written.text.chars().take(SHOWN).map(one_column).collect();
            lines.push((Role::Text, format!("{name}{stream}│ {text}")));
        }
        if lines.is_empty() {
            lines.push((Role::Minor, "the bots wrote nothing about this ply".to_owned()));
        }
        lines
    }

    /// What is proved of the next ply and of the last one.
    fn proved(&self, opened: &OpenedGame) -> Vec<(Role, String)> {
        let Some(proved) = &opened.proved else { return Vec::new() };
        let at = self.model.at;
        let mut lines = Vec::new();
        for (ply, claim) in &proved.plies {
            if (at..=at + 1).contains(ply) {
                lines.push((Role::Text, format!("proved of ply {ply}: {claim}")));
            }
        }
        if at == self.model.plies() && !opened.shows_proof() {
            let said = format!("what is proved begins at ply {}: t shows it", proved.number);
            lines.push((Role::Text, said));
        }
        lines
    }

    fn end(&self, game: &Timeline) -> Vec<(Role, String)> {
        let record = game.record();
        let mut how = text::how(record);
        if let Some(side) = record.outcome.winner() {
            how = format!("{} wins: {how}", text::player(record, side));
        }
        let mut lines = vec![(Role::Title, how)];
        if let Some(detail) = &record.detail {
            lines.push((Role::Text, printable(detail.as_bytes(), SHOWN)));
        }
        if let (Outcome::Forfeit(..), Some(reply)) = (record.outcome, &record.reply)
            && !reply.text.is_empty()
        {
            let reply = format!("its reply: {}", printable(&reply.text, SHOWN));
            lines.push((Role::Text, reply));
        }
        lines
    }

    /// The legal moves of the square under the cursor; where pieces are placed, their number.
    fn legal_plies(&self, game: &Timeline) -> (Role, String) {
        let position = &game.moment(self.model.at).position;
        let ruleset = position.ruleset();
        if let Some(rules) = ruleset.game().rules_file()
            && !ruleset.knows_plies()
        {
            let file = &rules.file;
            let unknown =
                format!("a log alone does not tell which plies are legal; the rules are {file}");
            return (Role::Title, unknown);
        }
        let mut plies = Vec::new();
        for ply in position.sorted_plies() {
            // A pass or a word belongs to every square.
            if position.squares(ply).first().is_none_or(|&at| at == self.model.cursor) {
                plies.push(ruleset.ply_text(ply).to_string());
            }
        }
        let all = position.ply_count();
        let here = if plies.is_empty() { "none".to_owned() } else { plies.join(" ") };
        (Role::Title, format!("legal here: {here}   ({all} on the whole board)"))
    }

    // The list of games.

    fn games(&self, grid: &mut Grid) {
        let screen = grid.area();
        let chooser = &self.model.chooser;
        let games = &self.model.games;
        let line = |y| Rect { y, height: 1, ..screen };
        let more = if games.is_complete() { "" } else { "…" };
        let log = printable(self.model.log.as_bytes(), 200);
        let count = format!("{log}: {} of {}{more} games", chooser.found.len(), games.len());
        grid.text(Role::Title, line(0), count);
        let typed: String = chooser.text.chars().map(one_column).collect();
        grid.text(Role::Text, line(1), format!("filter: {typed}_"));
        let name = usize::from(screen.width.saturating_sub(38)) / 2;
        let head = row(["game", "moves first", "second", "result", "reason", "plies"], name);
        grid.text(Role::Minor, line(2), format!(" {head}"));
        let first = self.model.first_listed_game();
        let lines = LIST_HEAD..screen.height - 1;
        for (y, (place, &index)) in lines.zip(chooser.found.iter().enumerate().skip(first)) {
            let Some(game) = games.get(index as usize) else { continue };
            let [one, other] = game.players;
            let number = (index + 1).to_string();
            let plies = game.plies.to_string();
            let cells = [&number, one, other, game.result.word(), game.end[1], &plies];
            let text = row(cells, name);
            let (role, mark) =
                if place == chooser.chosen { (Role::Current, '>') } else { (Role::Text, ' ') };
            grid.text(role, line(y), format!("{mark}{text}"));
        }
        let hints = "filter: bot 1-0 reason >50 <20   ↑↓ enter open  esc back";
        grid.text(Role::Minor, line(screen.height - 1), hints);
    }

    // The page of keys.

    fn keys(&self, grid: &mut Grid) {
        let screen = grid.area();
        let mut lines: Vec<(Role, String)> = Vec::new();
        for (keys, what) in terminal_keys() {
            lines.push((Role::Text, format!("{keys:<10} {what}")));
        }
        if usize::from(screen.height) > lines.len() + MARKS.len() {
            for (sign, what) in MARKS {
                lines.push((Role::Text, format!("{sign:<10} {what}")));
            }
        } else {
            lines.push((Role::Text, MARKS_IN_SHORT.to_owned()));
        }
        grid.paragraph(Rect { height: screen.height - 1, ..screen }, 0, lines);
        let last = Rect { y: screen.height - 1, height: 1, ..screen };
        grid.text(Role::Minor, last, "any key goes back to the game");
    }
}

/// A row of the list of games, whose names have this many columns each.
fn row([number, first, second, result, reason, plies]: [&str; 6], name: usize) -> String {
    let first = printable(first.as_bytes(), 64);
    let second = printable(second.as_bytes(), 64);
    let reason = printable(reason.as_bytes(), 64);
    format!(
        "{number:>6} {first:<name$.name$} {second:<name$.name$} {result:<7} {reason:<13.13} \
         {plies:>5}"
    )
}

fn seconds_text(used: Duration) -> String {
    format!("{:.3} s", used.as_secs_f64())
}
