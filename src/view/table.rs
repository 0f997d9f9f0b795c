//! The screen of a game that a person plays: a fold over its events, with the keys of the person.
//!
//! A [`TableModel`] takes events, questions and keys, says what is to be done, and draws itself. It knows neither the
//! terminal nor the game's workers. Everything that comes from a bot is escaped.

use super::Colour;
use super::board::{BoardView, Orientation, middle, targets_of};
use super::live_game::{GameAreas, LiveGame};
use super::look::{LEAST, Role, paragraph};
use crate::game::{Channel, Event, PersonTurn, Reply, legal_texts, typed_reply};
use crate::report::anonymizer::Public;
use crate::rules::{Cell, Ply};
use crate::text::printable;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::widgets::Widget;
use std::time::Instant;

/// The lines below the board: the input, its message, what bots wrote, the hints.
const BELOW: u16 = 8;
/// The most characters of a line that a person types; no ply is as long.
const TYPED: usize = 40;
/// The lines of bots that are kept.
const WRITTEN: usize = 50;
/// The most bytes of a bot's line that are shown.
const LINE: usize = 400;

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
    colour: Colour,
    /// The number of games of the match.
    games: u32,
    game: Option<LiveGame>,
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

impl TableModel {
    /// A table for a match of this number of games.
    #[must_use]
    pub fn new(colour: Colour, games: u32) -> TableModel {
        TableModel { colour, games, ..TableModel::default() }
    }

    /// Whether a game has ended that the person still looks at.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.ended().is_some())
    }

    /// The end of the game has been looked at.
    pub fn go_on(&mut self) {
        self.game = None;
    }

    /// Takes an event of the game.
    pub fn show(&mut self, event: &Public<Event>, now: Instant) {
        LiveGame::follow(&mut self.game, event, now);
        match &**event {
            Event::Began { start, .. } => {
                (self.turn, self.from, self.message) = (None, None, String::new());
                self.cursor = middle(start.ruleset());
            }
            Event::Line { player, channel: Channel::Stderr | Channel::Unrecognised, line, correction } => {
                let correction =
                    correction.as_ref().map(|right| format!("   (write \"{right}\")")).unwrap_or_default();
                self.written
                    .push(format!("{player}│ {}{correction}", printable(line.trim_ascii_end(), LINE)));
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
        self.cursor = self.orientation.step(game.position.ruleset(), self.cursor, (rows, columns));
    }

    /// The legal plies as text; none if the person is not asked.
    fn legal(&self) -> Vec<String> {
        let (Some(game), Some(_)) = (&self.game, &self.turn) else { return Vec::new() };
        legal_texts(&game.position)
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
        match typed_reply(&self.game.as_ref()?.position, &typed) {
            Ok(reply) => return Some(TableEffect::Answer(reply)),
            Err(refused) => self.message = refused,
        }
        self.typed.clear();
        None
    }

    /// Takes a click on this place of a screen: it chooses the square there.
    pub fn click(&mut self, screen: Rect, column: u16, row: u16) -> Option<TableEffect> {
        let view = self.board()?;
        let square = view.square_at(self.areas(screen)?.board, column, row)?;
        self.cursor = square;
        self.choose()
    }

    /// Chooses the square at the cursor: where a ply begins, or where it ends.
    fn choose(&mut self) -> Option<TableEffect> {
        let (Some(game), Some(turn)) = (&self.game, &self.turn) else {
            self.message = "it is not your turn".to_owned();
            return None;
        };
        let (position, ruleset) = (game.position.clone(), game.position.ruleset());
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
        let (screen, colour) = (*buffer.area(), self.colour);
        if screen.width < LEAST.0 || screen.height < LEAST.1 {
            let need =
                format!("at least {} columns and {} lines are needed; ctrl-c leaves", LEAST.0, LEAST.1);
            return paragraph(vec![colour.line(Role::Text, need)], 0, screen, buffer);
        }
        let (Some(game), Some(areas), Some(mut view)) = (&self.game, self.areas(screen), self.board()) else {
            return colour.text(Role::Text, screen, "the bots get ready …", buffer);
        };
        let title = format!("game {} of {}   ply {}", game.number, self.games, game.ply_count());
        colour.text(Role::Title, Rect { height: 1, ..screen }, title, buffer);
        let from = self.from.filter(|_| self.turn.is_some());
        view.targets = from.map(|from| targets_of(&game.position, from)).unwrap_or_default();
        view.render(areas.board, buffer);
        game.draw_players(now, colour, Rect { height: 2, ..areas.beside }, buffer);
        let list =
            Rect { y: areas.beside.y + 3, height: areas.board.height.saturating_sub(3), ..areas.beside };
        game.draw_plies(colour, list, buffer);
        let below = Rect::new(0, areas.board.bottom() + 1, screen.width, 1);
        colour.text(Role::Title, below, self.prompt(game), buffer);
        let message = Rect { y: below.y + 1, height: 2, ..below };
        paragraph(vec![colour.line(Role::Text, &*self.message)], 0, message, buffer);
        let written = Rect::new(0, message.bottom(), screen.width, screen.height - 1 - message.bottom());
        if self.lists_plies {
            paragraph(vec![colour.line(Role::Text, self.choices(written))], 0, written, buffer);
        } else {
            let last = self.written.len().saturating_sub(usize::from(written.height));
            let lines = self.written[last..].iter().map(|line| colour.line(Role::Minor, line));
            paragraph(lines.collect(), 0, written, buffer);
        }
        colour.text(Role::Minor, Rect { y: screen.height - 1, height: 1, ..screen }, HINTS, buffer);
    }

    /// The board with the cursor, if the person is asked.
    fn board(&self) -> Option<BoardView<'_>> {
        let cursor = self.turn.as_ref().map(|_| self.cursor);
        Some(BoardView { cursor, ..self.game.as_ref()?.board(self.orientation, self.colour) })
    }

    /// The board and what is beside it, on a screen that is large enough.
    fn areas(&self, screen: Rect) -> Option<GameAreas> {
        let area = Rect { y: 1, height: screen.height.checked_sub(1 + BELOW)?, ..screen };
        let board = BoardView::size(self.game.as_ref()?.position.ruleset());
        Some(GameAreas::new(area, board, area.height))
    }

    /// What the person can do, as far as it has room; else how many plies are left out.
    fn choices(&self, area: Rect) -> String {
        let mut words = self.legal();
        if !words.is_empty() {
            words.insert(0, "resign".to_owned());
        }
        let widest = words.iter().map(String::len).max().unwrap_or_default();
        let room = usize::from(area.width) / (widest + 1) * usize::from(area.height);
        if words.len() > room {
            let more = words.split_off(room.saturating_sub(usize::from(area.width) / (widest + 1))).len();
            words.push(format!("and {more} more; tab completes what is typed"));
        }
        words.join(" ")
    }

    fn prompt(&self, game: &LiveGame) -> String {
        match (game.ended(), &self.turn) {
            (Some(ended), _) => format!("{ended}   enter: {}", self.after(game)),
            (None, Some(turn)) => {
                let letter = game.position.ruleset().letter(turn.side);
                format!("you are {letter}, to move: {}_", self.typed)
            }
            (None, None) => format!("{} is to move", game.players[game.position.side()]),
        }
    }

    fn after(&self, game: &LiveGame) -> &'static str {
        if game.number < u64::from(self.games) { "the next game" } else { "end" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Played};
    use crate::report::anonymizer::Anonymizer;
    use crate::rules::{BySide, Ruleset, Side};
    use std::time::Duration;

    fn show(table: &mut TableModel, event: Event, now: Instant) {
        table.show(&Anonymizer::unchanged().event(event, &BySide::default()), now);
    }

    fn table(game: &str) -> (TableModel, Instant) {
        let now = Instant::now();
        let mut table = TableModel::new(Colour::No, 2);
        let start = Ruleset::named(game, "").unwrap().start();
        let players = BySide { first: "human".to_owned(), second: "conny".to_owned() };
        show(&mut table, Event::Began { number: 1, players, start }, now);
        show(
            &mut table,
            Event::Asked { side: Side::First, number: 1, budget: Some(Duration::from_secs(61)) },
            now,
        );
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
    fn the_choices_are_listed_on_demand_and_those_without_room_counted() {
        let (mut loa, now) = table("loa");
        assert!(!screen(&loa, now, 60, 20).contains("a1a7"));
        press(&mut loa, "?");
        let shown = screen(&loa, now, 60, 20);
        assert!(shown.contains("\nresign a1a7 a1c1 ") && shown.contains(" h6h0\n"), "{shown}");
        let (mut large, now) = table("flipflop");
        press(&mut large, "?");
        assert!(screen(&large, now, 60, 20).contains("\nresign 20 29 34 43\n"));
        let shown = loa.choices(Rect::new(0, 0, 60, 3));
        assert!(shown.ends_with("and 21 more; tab completes what is typed"), "{shown}");
    }

    #[test]
    fn a_click_chooses_a_square() {
        let (mut loa, now) = table("loa");
        let screen = Rect::new(0, 0, 80, 24);
        let mut buffer = Buffer::empty(screen);
        loa.draw(now, &mut buffer);
        // The board begins in line 1 with the names of its columns; a square is three columns wide.
        let mut click = |column: u16, row: u16| loa.click(screen, 2 + 3 * column + 1, 2 + row);
        assert_eq!((click(0, 1), click(0, 7)), {
            let ply = Ruleset::named("loa", "").unwrap().read_ply("a1a7").unwrap();
            (None, Some(TableEffect::Answer(Reply::Ply(ply))))
        });
        assert_eq!(loa.click(screen, 79, 23), None);
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
        show(
            &mut table,
            Event::Played { side: Side::First, number: 1, played: Played { ply, note: None } },
            later,
        );
        let line = Event::Line {
            player: "conny".into(),
            channel: Channel::Stderr,
            line: b"depth \x1b[2J".to_vec(),
            correction: None,
        };
        show(&mut table, line, later);
        let shown = screen(&table, later, 80, 24);
        assert!(shown.contains("1. B a1a7") && shown.contains("[B]"), "{shown}");
        assert!(shown.contains("conny│ depth \\x1b[2J") && !shown.contains('\u{1b}'), "{shown}");
        let outcome = Outcome::Resigned(Side::Second);
        show(&mut table, Event::Ended { outcome, detail: None, reply: None }, later);
        let shown = screen(&table, later, 120, 40);
        assert!(shown.contains("human wins by resign   enter: the next game"), "{shown}");
        assert_eq!(press(&mut table, "\n"), Some(TableEffect::GoOn));
        assert!(screen(&table, later, 59, 20).contains("at least 60 columns"));
    }
}
