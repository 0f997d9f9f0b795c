//! The screen of a game that a person plays: a fold over its events, with the keys of the person.
//!
//! A [`TableModel`] takes events, questions and keys, says what is to be done, and draws itself. It knows neither the
//! terminal nor the game's workers. Everything that comes from a bot is escaped.

use super::Colour;
use super::board::{BoardView, Orientation, targets_of};
use super::look::Role;
use crate::game::{Channel, Event, Outcome, PersonTurn, Reply};
use crate::rules::{BySide, Cell, ChangedSquare, Ply, Position, Side, changed_squares};
use crate::text::printable;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};
use std::time::{Duration, Instant};

/// The least number of columns and rows that the screen needs.
pub const LEAST: (u16, u16) = (60, 20);
/// The least width of what stands beside the board.
const BESIDE: u16 = 30;
/// The lines below the board: the input, its message, what bots wrote, the hints.
const BELOW: u16 = 8;
/// The most characters of a line that a person types; no ply is as long.
const TYPED: usize = 40;
/// The lines of bots that are kept.
const WRITTEN: usize = 50;
/// The most bytes of a bot's line that are shown.
const LINE: usize = 400;

const HINTS: &str = "ply, enter  or arrows, space   tab   ? plies   ctrl-c leaves";

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
pub struct TableModel {
    colour: Colour,
    /// The number of games of the match.
    games: u32,
    game: Option<TableGame>,
    turn: Option<PersonTurn>,
    typed: String,
    cursor: (usize, usize),
    /// The square that the next ply begins from, if one is chosen.
    from: Option<(usize, usize)>,
    orientation: Orientation,
    /// Whether the legal plies are listed.
    lists_plies: bool,
    message: String,
    written: Vec<String>,
}

/// A running game.
struct TableGame {
    number: u64,
    players: BySide<String>,
    position: Position,
    changes: Vec<ChangedSquare>,
    plies: Vec<String>,
    /// What is left of each clock, if there are clocks.
    clocks: BySide<Option<Duration>>,
    /// When the side to move was asked.
    asked: Option<Instant>,
    ended: Option<String>,
}

impl TableModel {
    /// A table for a match of this number of games.
    #[must_use]
    pub fn new(colour: Colour, games: u32) -> TableModel {
        TableModel {
            colour,
            games,
            game: None,
            turn: None,
            typed: String::new(),
            cursor: (0, 0),
            from: None,
            orientation: Orientation::AsPrinted,
            lists_plies: false,
            message: String::new(),
            written: Vec::new(),
        }
    }

    /// Whether a game has ended that the person still looks at.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.ended.is_some())
    }

    /// The end of the game has been looked at.
    pub fn go_on(&mut self) {
        self.game = None;
    }

    /// Takes an event of the game.
    pub fn show(&mut self, event: Event, now: Instant) {
        match event {
            Event::Began { number, players, start } => {
                self.game = Some(TableGame {
                    number,
                    players,
                    position: start,
                    changes: Vec::new(),
                    plies: Vec::new(),
                    clocks: BySide::default(),
                    asked: None,
                    ended: None,
                });
                (self.turn, self.from, self.message) = (None, None, String::new());
                let middle = start.ruleset().size() / 2;
                self.cursor = (middle, middle);
            }
            Event::Asked { side, budget, .. } => {
                if let Some(game) = &mut self.game {
                    game.clocks[side] = budget;
                    game.asked = Some(now);
                }
            }
            Event::Played { side, played, .. } => {
                if let Some(game) = &mut self.game {
                    let used = played.note.as_ref().and_then(|note| note.wall);
                    game.play(side, played.ply, used);
                }
            }
            Event::Line { player, channel: Channel::Stderr | Channel::Unrecognised, line, correction } => {
                let correction =
                    correction.map(|right| format!("   (write \"{right}\")")).unwrap_or_default();
                self.written
                    .push(format!("{player}│ {}{correction}", printable(line.trim_ascii_end(), LINE)));
                let more = self.written.len().saturating_sub(WRITTEN);
                self.written.drain(..more);
            }
            Event::Ended { outcome, detail, .. } => {
                self.turn = None;
                if let Some(game) = &mut self.game {
                    game.ended = Some(game.ending(outcome, detail.as_deref()));
                    game.asked = None;
                }
            }
            Event::Line { .. } | Event::Ready { .. } | Event::Held { .. } | Event::Refused { .. } => {}
        }
    }

    /// Asks the person for a ply.
    pub fn ask(&mut self, turn: PersonTurn) {
        self.message = turn.refused.clone().unwrap_or_default();
        self.turn = Some(turn);
        self.typed.clear();
        self.from = None;
    }

    /// The deadline of the question, if there is one.
    #[must_use]
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
            KeyCode::Esc => (self.typed, self.from, self.message) = (String::new(), None, String::new()),
            KeyCode::Left => self.step(0, -1),
            KeyCode::Right => self.step(0, 1),
            KeyCode::Up => self.step(-1, 0),
            KeyCode::Down => self.step(1, 0),
            KeyCode::Char('?') => self.lists_plies = !self.lists_plies,
            KeyCode::Char('f') if control => self.orientation = self.orientation.turned(),
            KeyCode::Tab => self.complete(),
            KeyCode::Backspace => drop(self.typed.pop()),
            KeyCode::Char(' ') if self.typed.is_empty() => return self.choose(),
            KeyCode::Enter if self.typed.trim().is_empty() => return self.choose(),
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
        let size = game.position.ruleset().size();
        let sign = if self.orientation == Orientation::AsPrinted { 1 } else { -1 };
        let along = |at: usize, by: isize| at.saturating_add_signed(sign * by).min(size - 1);
        self.cursor = (along(self.cursor.0, rows), along(self.cursor.1, columns));
    }

    /// The legal plies as text; none if the person is not asked.
    fn legal(&self) -> Vec<String> {
        let (Some(game), Some(_)) = (&self.game, &self.turn) else { return Vec::new() };
        let ruleset = game.position.ruleset();
        game.position.sorted_plies().into_iter().map(|ply| ruleset.ply_text(ply).to_string()).collect()
    }

    /// Completes what is typed as far as all legal plies agree that begin so.
    fn complete(&mut self) {
        let typed = self.typed.trim().to_lowercase();
        let fitting: Vec<String> =
            self.legal().into_iter().filter(|ply| ply.to_lowercase().starts_with(&typed)).collect();
        let Some(first) = fitting.first() else {
            self.message = format!("no legal ply begins with \"{typed}\"");
            return;
        };
        let agree = |length: &usize| fitting.iter().all(|ply| ply.get(..*length) == first.get(..*length));
        let length = (0..=first.len()).rev().find(agree).unwrap_or_default();
        self.typed = first[..length].to_owned();
        self.message = if fitting.len() > 1 { fitting.join(" ") } else { String::new() };
    }

    /// Plays what is typed.
    fn enter(&mut self) -> Option<TableEffect> {
        let typed = self.typed.trim().to_owned();
        if self.turn.is_none() {
            self.message = "it is not your turn".to_owned();
            return None;
        }
        if typed == "resign" {
            return Some(TableEffect::Answer(Reply::Resign));
        }
        let position = self.game.as_ref()?.position;
        let refused = match position.ruleset().read_ply(&typed) {
            Ok(ply) => match position.check(ply) {
                Ok(()) => return Some(TableEffect::Answer(Reply::Ply(ply))),
                Err(illegal) => illegal.to_string(),
            },
            Err(unread) => unread.to_string(),
        };
        self.typed.clear();
        let legal = self.legal();
        let example = legal.first().map(String::as_str).unwrap_or_default();
        self.message = format!(
            "expected one of {} legal plies such as \"{example}\"; came \"{}\": {refused}",
            legal.len(),
            printable(typed.as_bytes(), TYPED)
        );
        None
    }

    /// Chooses the square at the cursor: where a ply begins, or where it ends.
    fn choose(&mut self) -> Option<TableEffect> {
        let (Some(game), Some(turn)) = (&self.game, &self.turn) else {
            self.message = "it is not your turn".to_owned();
            return None;
        };
        let (position, ruleset) = (game.position, game.position.ruleset());
        if let Some(pass) = position.forced_pass() {
            return Some(TableEffect::Answer(Reply::Ply(pass)));
        }
        let to = ruleset.square(self.cursor.0, self.cursor.1);
        let place = Ply::Place(to);
        let places = position.plies().any(|ply| matches!(ply, Ply::Place(_)));
        let ply = match self.from {
            None if places => place,
            None => {
                if position.cell(self.cursor.0, self.cursor.1) != Cell::Piece(turn.side) {
                    self.message = "choose a piece of yours first".to_owned();
                    return None;
                }
                self.from = Some(self.cursor);
                self.message.clear();
                return None;
            }
            Some(from) if from == self.cursor => {
                self.from = None;
                return None;
            }
            Some((row, column)) => Ply::Move(ruleset.square(row, column), to),
        };
        match position.check(ply) {
            Ok(()) => Some(TableEffect::Answer(Reply::Ply(ply))),
            Err(illegal) => {
                self.message = format!("{}: {illegal}", ruleset.ply_text(ply));
                self.from = None;
                None
            }
        }
    }

    /// Draws the screen.
    pub fn draw(&self, now: Instant, buffer: &mut Buffer) {
        let screen = *buffer.area();
        if screen.width < LEAST.0 || screen.height < LEAST.1 {
            let need =
                format!("at least {} columns and {} lines are needed; ctrl-c leaves", LEAST.0, LEAST.1);
            return self.paragraph(vec![need], Role::Text, screen, buffer);
        }
        let Some(game) = &self.game else {
            return self.line("the bots get ready …", Role::Text, screen, buffer);
        };
        let whole = BoardView::size(game.position.ruleset());
        let board =
            Rect::new(0, 1, whole.0.min(screen.width - BESIDE), whole.1.min(screen.height - 1 - BELOW));
        let beside = Rect::new(board.width + 1, 1, screen.width - board.width - 1, board.height);
        let title = format!("game {} of {}   ply {}", game.number, self.games, game.plies.len());
        self.line(&title, Role::Title, Rect { height: 1, ..screen }, buffer);
        let from = self.from.filter(|_| self.turn.is_some());
        let targets = from.map(|from| targets_of(&game.position, from)).unwrap_or_default();
        let view = BoardView {
            position: &game.position,
            changes: &game.changes,
            targets: &targets,
            cursor: self.turn.as_ref().map(|_| self.cursor),
            orientation: self.orientation,
            colour: self.colour,
        };
        view.render(board, buffer);
        self.players(game, now, Rect { height: 2, ..beside }, buffer);
        let list = Rect { y: beside.y + 3, height: beside.height.saturating_sub(3), ..beside };
        let listed = if self.lists_plies { self.legal().join(" ") } else { game.list(list) };
        self.paragraph(vec![listed], Role::Text, list, buffer);
        let below = Rect::new(0, board.bottom() + 1, screen.width, 1);
        self.line(&self.prompt(game), Role::Title, below, buffer);
        let message = Rect { y: below.y + 1, height: 2, ..below };
        self.paragraph(vec![self.message.clone()], Role::Text, message, buffer);
        let written = Rect::new(0, message.bottom(), screen.width, screen.height - 1 - message.bottom());
        let last = self.written.len().saturating_sub(usize::from(written.height));
        self.paragraph(self.written[last..].to_vec(), Role::Minor, written, buffer);
        self.line(HINTS, Role::Minor, Rect { y: screen.height - 1, height: 1, ..screen }, buffer);
    }

    fn prompt(&self, game: &TableGame) -> String {
        match (&game.ended, &self.turn) {
            (Some(ended), _) => format!("{ended}   enter: {}", self.after(game)),
            (None, Some(turn)) => {
                let letter = game.position.ruleset().letter(turn.side);
                format!("you are {letter}, to move: {}_", self.typed)
            }
            (None, None) => format!("{} is to move", game.players[game.position.side()]),
        }
    }

    fn after(&self, game: &TableGame) -> &'static str {
        if game.number < u64::from(self.games) { "the next game" } else { "end" }
    }

    fn players(&self, game: &TableGame, now: Instant, area: Rect, buffer: &mut Buffer) {
        for (row, side) in (area.y..area.bottom()).zip(Side::BOTH) {
            let is_on_move = game.position.side() == side && game.ended.is_none();
            let mark = if is_on_move { '>' } else { ' ' };
            let since = game.asked.filter(|_| is_on_move).map(|asked| now.saturating_duration_since(asked));
            let clock = match (game.clocks[side], since) {
                (Some(left), since) => clock(left.saturating_sub(since.unwrap_or_default())),
                (None, Some(since)) => clock(since),
                (None, None) => String::new(),
            };
            let letter = game.position.ruleset().letter(side);
            let text = format!("{mark} {letter} {}  {clock}", printable(game.players[side].as_bytes(), 60));
            self.line(&text, Role::Text, Rect::new(area.x, row, area.width, 1), buffer);
        }
    }

    fn line(&self, text: &str, role: Role, area: Rect, buffer: &mut Buffer) {
        buffer.set_stringn(area.x, area.y, text, usize::from(area.width), self.colour.style(role));
    }

    fn paragraph(&self, lines: Vec<String>, role: Role, area: Rect, buffer: &mut Buffer) {
        let style = self.colour.style(role);
        let lines: Vec<Line<'_>> =
            lines.into_iter().map(|line| Line::from(Span::styled(line, style))).collect();
        Paragraph::new(lines).wrap(Wrap { trim: false }).render(area, buffer);
    }
}

impl TableGame {
    fn play(&mut self, side: Side, ply: Ply, used: Option<Duration>) {
        let before = self.position;
        self.position.play(ply);
        self.changes = changed_squares(&before, ply, &self.position);
        self.plies.push(before.ruleset().ply_text(ply).to_string());
        self.asked = None;
        if let (Some(left), Some(used)) = (self.clocks[side], used) {
            self.clocks[side] = Some(left.saturating_sub(used));
        }
    }

    /// The last plies, as many as have room.
    fn list(&self, area: Rect) -> String {
        let room = usize::from(area.width) * usize::from(area.height) / 2;
        let mut text = String::new();
        for (index, ply) in self.plies.iter().enumerate().rev() {
            let more = format!("{}. {ply}  ", index + 1);
            if text.len() + more.len() > room {
                break;
            }
            text.insert_str(0, &more);
        }
        text
    }

    /// How the game ended, in words.
    fn ending(&self, outcome: Outcome, detail: Option<&str>) -> String {
        let what = match outcome.winner() {
            Some(side) => format!("{} wins by {}", self.players[side], outcome.termination()),
            None => format!("{} by {}", outcome.word(), outcome.termination()),
        };
        let detail = detail.map(|detail| format!(" ({detail})")).unwrap_or_default();
        printable(format!("{what}{detail}").as_bytes(), LINE)
    }
}

/// A time as minutes, seconds and tenths.
fn clock(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Played;
    use crate::rules::Ruleset;

    fn table(game: &str) -> (TableModel, Instant) {
        let now = Instant::now();
        let mut table = TableModel::new(Colour::No, 2);
        let start = Ruleset::named(game, "").unwrap().start();
        let players = BySide { first: "human".to_owned(), second: "conny".to_owned() };
        table.show(Event::Began { number: 1, players, start }, now);
        table.show(Event::Asked { side: Side::First, number: 1, budget: Some(Duration::from_secs(61)) }, now);
        table.ask(PersonTurn { side: Side::First, number: 1, deadline: None, refused: None });
        (table, now)
    }

    fn press(table: &mut TableModel, keys: &str) -> Option<TableEffect> {
        let key = |letter| match letter {
            '\n' => KeyCode::Enter,
            '\t' => KeyCode::Tab,
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '^' => KeyCode::Up,
            'v' => KeyCode::Down,
            letter => KeyCode::Char(letter),
        };
        let mut effects =
            keys.chars().filter_map(|letter| table.key(KeyEvent::new(key(letter), KeyModifiers::NONE)));
        effects.next()
    }

    fn screen(table: &TableModel, now: Instant, width: u16, height: u16) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        table.draw(now, &mut buffer);
        let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..height).map(|y| line(y).trim_end().to_owned() + "\n").collect()
    }

    #[test]
    fn the_hints_fit() {
        assert!(HINTS.len() <= usize::from(LEAST.0), "{}", HINTS.len());
    }

    #[test]
    fn a_ply_is_typed_completed_or_chosen_with_the_cursor() {
        let ply = Ruleset::named("loa", "").unwrap().read_ply("a1a7").unwrap();
        for keys in ["a1a7\n", "a1a\t\n", "<<<<<^^^ vvvvvv "] {
            let (mut loa, _) = table("loa");
            assert_eq!(press(&mut loa, keys), Some(TableEffect::Answer(Reply::Ply(ply))), "{keys}");
        }
        let (mut loa, _) = table("loa");
        assert_eq!(press(&mut loa, "a2c\t"), None);
        assert_eq!((&*loa.typed, &*loa.message), ("a2c", "a2c0 a2c2 a2c4"));
        let (mut gekitai, _) = table("gekitai");
        let place = Ruleset::named("gekitai", "").unwrap().square(3, 3);
        assert_eq!(press(&mut gekitai, " "), Some(TableEffect::Answer(Reply::Ply(Ply::Place(place)))));
        assert_eq!(press(&mut gekitai, "resign\n"), Some(TableEffect::Answer(Reply::Resign)));
    }

    #[test]
    fn an_illegal_ply_is_explained_and_not_played() {
        let (mut loa, now) = table("loa");
        assert_eq!(press(&mut loa, "a9\n"), None);
        assert!(loa.message.starts_with("expected one of 36 legal plies such as \"a1a7"), "{}", loa.message);
        assert!(loa.message.contains("came \"a9\": "), "{}", loa.message);
        assert!(screen(&loa, now, 80, 24).contains("expected one of 36 legal plies"));
        loa.take_turn();
        assert_eq!(press(&mut loa, "\n"), None);
        assert_eq!(loa.message, "it is not your turn");
    }

    #[test]
    fn the_screen_shows_board_clocks_and_the_end() {
        let (mut table, now) = table("loa");
        let later = now + Duration::from_millis(1_200);
        let shown = screen(&table, later, 60, 20);
        assert!(shown.contains("> B human  0:59.8") && shown.contains("you are B, to move: _"), "{shown}");
        let ply = Ruleset::named("loa", "").unwrap().read_ply("a1a7").unwrap();
        table.show(Event::Played { side: Side::First, number: 1, played: Played { ply, note: None } }, later);
        let line = Event::Line {
            player: "conny".into(),
            channel: Channel::Stderr,
            line: b"depth \x1b[2J".to_vec(),
            correction: None,
        };
        table.show(line, later);
        let shown = screen(&table, later, 80, 24);
        assert!(shown.contains("1. a1a7") && shown.contains("[B]"), "{shown}");
        assert!(shown.contains("conny│ depth \\x1b[2J") && !shown.contains('\u{1b}'), "{shown}");
        let outcome = Outcome::Resigned(Side::Second);
        table.show(Event::Ended { outcome, detail: None, reply: None }, later);
        let shown = screen(&table, later, 120, 40);
        assert!(shown.contains("human wins by resign   enter: the next game"), "{shown}");
        assert_eq!(press(&mut table, "\n"), Some(TableEffect::GoOn));
        assert!(screen(&table, later, 59, 20).contains("at least 60 columns"));
    }
}
