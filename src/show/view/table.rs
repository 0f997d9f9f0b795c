//! The screen of a game that a person plays: a fold over its events, with the keys of the person.
//!
//! A [`TableModel`] takes events, questions and keys, says what is to be done, and draws itself. It
//! knows neither the terminal nor the game's workers. Everything that comes from a bot is escaped.

use super::board::{At, BoardView, Orientation, middle};
use super::choice::{Choice, choose, targets_after};
use super::grid::{Grid, Rect};
use super::live_game::{GameAreas, LiveGame};
use super::look::{Role, says_too_small};
use arbiter_game::{Channel, Event, PersonTurn, Reply, legal_texts, typed_reply};
use arbiter_rules::text::printable;
use arbiter_rules::{Ply, Position};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::time::Instant;

/// The lines below the board: the input, its message, what bots wrote, the hints.
const BELOW: u16 = 8;
/// The most characters of a line that a person types; no ply is as long.
const TYPED: usize = 400;
/// The most lines of plies that are words.
const WORDS: u16 = 2;
/// The lines of bots that are kept.
const WRITTEN: usize = 50;
/// The most bytes of a bot's line that are shown.
const LINE: usize = 400;

const NOT_YOUR_TURN: &str = "it is not your turn";
const NOTHING_TYPED: &str = "type a ply, or choose its squares with the arrow keys and space";

const HINTS: &str = "ply or resign, enter  arrows, space  tab  ? plies  ctrl-c";

/// What the person wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableEffect {
    /// To give this answer; a ply is legal.
    Answer(Reply),
    /// To leave the table.
    Leave,
    /// To go on to the next game.
    GoOn,
}

/// The state of the screen.
#[derive(Default)]
pub struct TableModel {
    /// The number of games of the match.
    games: u32,
    game: Option<LiveGame>,
    turn: Option<PersonTurn>,
    typed: String,
    cursor: At,
    /// The squares that are chosen of the next ply.
    chosen: Vec<At>,
    orientation: Orientation,
    /// Whether the legal plies are listed.
    lists_plies: bool,
    message: String,
    written: Vec<String>,
}

impl TableModel {
    /// A table for a match of this number of games.
    pub fn new(games: u32) -> TableModel {
        TableModel { games, ..TableModel::default() }
    }

    /// Whether a game has ended that the person still looks at.
    pub fn is_over(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.ended().is_some())
    }

    /// The end of the game has been looked at.
    pub fn go_on(&mut self) {
        self.game = None;
    }

    /// Takes an event of the game.
    pub fn show(&mut self, event: &Event, now: Instant) {
        LiveGame::follow(&mut self.game, event, now);
        match event {
            Event::Began { start, .. } => {
                self.turn = None;
                self.chosen.clear();
                self.message.clear();
                self.cursor = middle(&start.ruleset());
            }
            Event::Line {
                player,
                channel: Channel::Stderr | Channel::Unrecognised,
                line,
                correction,
            } => {
                let mut text = format!("{player}│ {}", printable(line.trim_ascii_end(), LINE));
                if let Some(right) = correction {
                    text += &format!("   (write \"{right}\")");
                }
                self.written.push(text);
                let more = self.written.len().saturating_sub(WRITTEN);
                self.written.drain(..more);
            }
            Event::Ended { .. } => self.turn = None,
            _ => {}
        }
    }

    /// Asks the person for a ply.
    pub fn ask(&mut self, turn: PersonTurn) {
        self.message = turn.refused.clone().unwrap_or_default();
        self.turn = Some(turn);
        self.typed.clear();
        self.chosen.clear();
    }

    /// The deadline of the question, if there is one.
    pub fn deadline(&self) -> Option<Instant> {
        self.turn.as_ref()?.deadline
    }

    /// The question is answered, or its flag has fallen.
    pub fn take_turn(&mut self) -> Option<PersonTurn> {
        self.turn.take()
    }

    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Option<TableEffect> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => return Some(TableEffect::Leave),
            KeyCode::Enter if self.is_over() => return Some(TableEffect::GoOn),
            KeyCode::Char('q') if self.is_over() => return Some(TableEffect::Leave),
            KeyCode::Esc => (self.typed, self.chosen, self.message) = Default::default(),
            KeyCode::Left => self.step(0, -1),
            KeyCode::Right => self.step(0, 1),
            KeyCode::Up => self.step(-1, 0),
            KeyCode::Down => self.step(1, 0),
            KeyCode::Char('?') => self.lists_plies = !self.lists_plies,
            KeyCode::Char('f') if control => self.orientation = self.orientation.turned(),
            KeyCode::Tab => self.complete(),
            KeyCode::Backspace => drop(self.typed.pop()),
            KeyCode::Char(' ') if self.typed.is_empty() => return self.choose(),
            // A ply is typed or chosen: one key that is pressed too often must not play.
            KeyCode::Enter if self.typed.trim().is_empty() => {
                let why = if self.turn.is_some() { NOTHING_TYPED } else { NOT_YOUR_TURN };
                self.message = why.to_owned();
            }
            KeyCode::Enter => return self.enter(),
            KeyCode::Char(letter) if !control && self.typed.chars().count() < TYPED => {
                self.typed.push(letter);
                self.message.clear();
            }
            _ => {}
        }
        None
    }

    /// Moves the cursor by rows and columns as they are drawn.
    fn step(&mut self, rows: isize, columns: isize) {
        let Some(game) = &self.game else { return };
        self.cursor = self.orientation.step(&game.position.ruleset(), self.cursor, (rows, columns));
    }

    /// The position about which the person is asked.
    fn asked(&self) -> Option<&Position> {
        match (&self.turn, &self.game) {
            (Some(_), Some(game)) => Some(&game.position),
            _ => None,
        }
    }

    /// The legal plies as text; empty if the person is not asked.
    fn legal(&self) -> Vec<String> {
        self.asked().map(legal_texts).unwrap_or_default()
    }

    /// The legal plies that are words; empty if the person is not asked.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(position) = self.asked() {
            for ply in position.words() {
                words.push(position.ruleset().ply_text(ply).to_string());
            }
        }
        words
    }

    /// Completes what is typed as far as all legal plies agree that begin so. After a whole word
    /// comes the next one.
    fn complete(&mut self) {
        let words = self.words();
        let next = match words.iter().position(|word| *word == self.typed.trim()) {
            Some(at) => words.get((at + 1) % words.len()),
            None if self.typed.is_empty() => words.first(),
            None => None,
        };
        if let Some(next) = next {
            self.typed = next.clone();
            self.message.clear();
            return;
        }
        let typed = self.typed.trim().to_lowercase();
        let mut fitting = self.legal();
        fitting.retain(|ply| ply.to_lowercase().starts_with(&typed));
        let Some(first) = fitting.first() else {
            self.message = format!("no legal ply begins with \"{typed}\"");
            return;
        };
        // As far as all agree; what was typed in capitals is replaced as well.
        let mut common = first.len();
        while fitting.iter().any(|ply| ply.get(..common) != first.get(..common)) {
            common -= 1;
        }
        self.typed = first[..common].to_owned();
        self.message = if fitting.len() > 1 { fitting.join(" ") } else { String::new() };
    }

    /// Plays what is typed.
    fn enter(&mut self) -> Option<TableEffect> {
        let Some(position) = self.asked() else {
            self.message = NOT_YOUR_TURN.to_owned();
            return None;
        };
        match typed_reply(position, self.typed.trim()) {
            Ok(reply) => return Some(TableEffect::Answer(reply)),
            Err(refused) => self.message = refused,
        }
        self.typed.clear();
        None
    }

    /// Takes a click on this place of a screen: it chooses the square there.
    pub fn click(&mut self, screen: Rect, column: u16, row: u16) -> Option<TableEffect> {
        let areas = self.areas(screen)?;
        let words = self.word_places(self.below(screen, &areas)[2]);
        if let Some((word, _)) = words.into_iter().find(|(_, area)| area.contains(column, row)) {
            self.typed = word;
            return self.enter();
        }
        let square = self.board()?.square_at(areas.board, column, row)?;
        self.cursor = square;
        self.choose()
    }

    /// Chooses the square at the cursor for the next ply.
    fn choose(&mut self) -> Option<TableEffect> {
        let (Some(game), Some(turn)) = (&self.game, &self.turn) else {
            self.message = NOT_YOUR_TURN.to_owned();
            return None;
        };
        if let Some(pass) = game.position.forced_pass() {
            return Some(TableEffect::Answer(Reply::Ply(pass)));
        }
        self.message.clear();
        match choose(&game.position, turn.side, &mut self.chosen, self.cursor) {
            Choice::Ply(ply) => return Some(TableEffect::Answer(Reply::Ply(ply))),
            Choice::GoesOn => {}
            Choice::Several(texts) => self.message = format!("type one of: {}", texts.join(" ")),
            Choice::Refused(why) => self.message = why,
        }
        None
    }

    /// Draws the screen.
    pub fn draw(&self, now: Instant, grid: &mut Grid) {
        let screen = grid.area();
        if says_too_small("ctrl-c leaves", grid) {
            return;
        }
        let (Some(game), Some(areas), Some(mut view)) =
            (&self.game, self.areas(screen), self.board())
        else {
            return grid.text(Role::Text, screen, "the bots get ready …");
        };
        let title = format!("game {} of {}   ply {}", game.number, self.games, game.ply_count());
        grid.text(Role::Title, Rect { height: 1, ..screen }, title);
        if self.turn.is_some() && !self.chosen.is_empty() {
            view.targets = targets_after(&game.position, &self.chosen);
        }
        view.draw(areas.board, grid);
        game.draw_players(now, areas.beside, grid);
        let list = Rect {
            y: areas.beside.y + 3,
            height: areas.board.height.saturating_sub(3),
            ..areas.beside
        };
        game.draw_plies(list, grid);
        let [prompt, message, words, written] = self.below(screen, &areas);
        grid.text(Role::Title, prompt, self.prompt(game));
        grid.paragraph(message, 0, [(Role::Text, &self.message)]);
        for (word, area) in self.word_places(words) {
            let role = if word == self.typed { Role::Current } else { Role::Title };
            grid.text(role, area, word);
        }
        if self.lists_plies {
            grid.paragraph(written, 0, [(Role::Text, self.choices(written))]);
        } else {
            let last = self.written.len().saturating_sub(usize::from(written.height));
            let lines = self.written[last..].iter().map(|line| (Role::Minor, line));
            grid.paragraph(written, 0, lines);
        }
        grid.text(Role::Minor, Rect { y: screen.height - 1, height: 1, ..screen }, HINTS);
    }

    /// The board with the cursor, if the person is asked.
    fn board(&self) -> Option<BoardView<'_>> {
        let cursor = if self.turn.is_some() { Some(self.cursor) } else { None };
        Some(BoardView { cursor, ..self.game.as_ref()?.board(self.orientation) })
    }

    /// The board and what is beside it, on a screen that is large enough.
    fn areas(&self, screen: Rect) -> Option<GameAreas> {
        let area = Rect { y: 1, height: screen.height.checked_sub(1 + BELOW)?, ..screen };
        let board = BoardView::size(&self.game.as_ref()?.position.ruleset());
        Some(GameAreas::new(area, board, area.height))
    }

    /// What is below the board of a screen: the input, its message, plies that are words, and what
    /// bots wrote.
    fn below(&self, screen: Rect, areas: &GameAreas) -> [Rect; 4] {
        let y = areas.board.bottom() + 1;
        let end = screen.height.saturating_sub(1);
        let words = lines_of(screen, y + 3, WORDS.min(end.saturating_sub(y + 3)));
        let written = match self.word_places(words).last() {
            Some((_, last)) => last.y + 1,
            None => words.y,
        };
        let input = lines_of(screen, y, 1);
        let message = lines_of(screen, y + 1, 2);
        [input, message, words, lines_of(screen, written, end.saturating_sub(written))]
    }

    /// The plies that are words, each with its place in an area, as far as they have room.
    fn word_places(&self, area: Rect) -> Vec<(String, Rect)> {
        let mut x = area.x;
        let mut y = area.y;
        let mut places = Vec::new();
        for word in self.words() {
            let width = word.len() as u16; // at most 31
            if x > area.x && x + width > area.right() {
                (x, y) = (area.x, y + 1);
            }
            if y >= area.bottom() {
                break;
            }
            places.push((word, Rect { x, y, width, height: 1 }));
            x += width + 2;
        }
        places
    }

    /// What the person can do, as far as it has room; else how many plies are left out.
    fn choices(&self, area: Rect) -> String {
        let mut words = self.legal();
        if !words.is_empty() {
            words.insert(0, "resign".to_owned());
        }
        let widest = words.iter().map(String::len).max().unwrap_or_default();
        let of_line = usize::from(area.width) / (widest + 1);
        let room = of_line * usize::from(area.height);
        if words.len() > room {
            let more = words.split_off(room.saturating_sub(of_line)).len();
            words.push(format!("and {more} more; tab completes what is typed"));
        }
        words.join(" ")
    }

    fn prompt(&self, game: &LiveGame) -> String {
        match (game.ended(), &self.turn) {
            (Some(ended), _) => {
                let is_last = game.number >= u64::from(self.games);
                format!("{ended}   enter: {}", if is_last { "end" } else { "the next game" })
            }
            (None, Some(turn)) => {
                let ruleset = game.position.ruleset();
                let letter = ruleset.letter(turn.side);
                let mut given = self.typed.clone();
                if given.is_empty() {
                    for &(row, column) in &self.chosen {
                        let square = ruleset.square(row, column);
                        given += &ruleset.ply_text(Ply::Place(square)).to_string();
                    }
                }
                format!("you are {letter}, to move: {given}_")
            }
            (None, None) => format!("{} is to move", game.players[game.position.side()]),
        }
    }
}

/// Lines of a screen, in its whole width.
fn lines_of(screen: Rect, y: u16, height: u16) -> Rect {
    Rect::new(0, y, screen.width, height)
}

#[cfg(test)]
mod tests;
