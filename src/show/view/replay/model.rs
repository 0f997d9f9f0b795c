//! The state of the screen and what input does to it. Pure: the time of an input comes with it, and
//! what is to be done outside comes back as a [`ReplayEffect`].

use super::game::OpenedGame;
use super::games::{Filter, GameList, ListPart, ListedGame};
use super::layout::{Areas, LIST_HEAD};
use crate::view::board::{At, BoardView, Orientation, arrival, targets_of};
use crate::view::graph::Graph;
use crate::view::grid::Rect;
use arbiter_game::replay::Timeline;
use arbiter_rules::Side;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use std::time::Duration;

/// How many plies are played in a second.
const PACES: [f64; 8] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// The index of the pace that a game begins with.
const USUAL_PACE: usize = 2;

/// Two presses of a key that are not farther apart come from a key that is held.
const HELD: Duration = Duration::from_millis(150);

/// Something that happens.
#[derive(Debug)]
pub enum ReplayInput {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// The screen has this number of columns and rows.
    Resize(u16, u16),
    /// The time of [`ReplayModel::wake`] has come.
    Wake,
    /// What has been read of the log.
    Listed(ListPart),
    /// A game was read.
    Opened(Box<OpenedGame>),
    /// A sentence for the last line.
    Say(String),
}

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayEffect {
    /// Read the game at this index, and send it.
    Open(usize),
    /// Copy this text to the clipboard.
    Copy(String),
    /// Write a picture of the game that is shown after this number of plies.
    WritePicture(usize),
    /// The log does not have the game that the user asked for.
    NotFound,
    /// End.
    Quit,
    /// End, because the user has interrupted the program.
    Interrupt,
}

/// What the keys are for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// Stepping through the game.
    #[default]
    Steps,
    /// Moving the cursor on the board.
    Cursor,
    /// Typing the number of a ply.
    GoTo(String),
    /// The list of games.
    Games,
    /// The page of keys.
    Keys,
    /// The question whether a picture is to be written.
    Picture,
}

/// A figure that a graph shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Figure {
    Score,
    Depth,
    Time,
}

impl Figure {
    pub(super) const ALL: [Figure; 3] = [Figure::Score, Figure::Depth, Figure::Time];

    pub(super) fn title(self) -> &'static str {
        match self {
            Figure::Score => "score",
            Figure::Depth => "depth",
            Figure::Time => "time, s",
        }
    }

    /// The value of a ply, from 1.
    pub(super) fn value(self, game: &Timeline, ply: usize) -> Option<(Side, f64)> {
        let last = game.timed_ply(ply)?;
        let value = match self {
            Figure::Score => last.measured.score,
            Figure::Depth => last.measured.depth,
            Figure::Time => last.measured.seconds,
        };
        Some((last.side, value?))
    }
}

/// The list of games as it is filtered.
#[derive(Debug, Default)]
pub(super) struct Chooser {
    /// What the user has typed.
    pub text: String,
    filter: Filter,
    /// The indices of the games that pass.
    pub found: Vec<u32>,
    /// How many games of the list have been looked at.
    seen: usize,
    /// The index in `found` of the line that is chosen.
    pub chosen: usize,
}

/// A key that is held.
#[derive(Debug, Default)]
struct HeldKey {
    key: Option<KeyCode>,
    last: Duration,
    presses: usize,
}

/// The state of the screen.
#[derive(Debug, Default)]
pub struct ReplayModel {
    /// The name of the log.
    pub(super) log: String,
    pub(super) games: GameList,
    /// The game that the user asked for has not been found yet.
    pub(super) is_searching: bool,
    pub(super) game: Option<OpenedGame>,
    /// The number of plies that are on the board.
    pub(super) at: usize,
    pub(super) mode: Mode,
    pub(super) chooser: Chooser,
    pub(super) orientation: Orientation,
    pub(super) cursor: At,
    /// The figures that the log has of this game, in the order of their graphs.
    pub(super) figures: Vec<Figure>,
    /// How many lines of what the bots wrote are above the screen.
    pub(super) scroll: u16,
    /// The index of how fast the game is played in [`PACES`]; `None` if each ply takes the time
    /// that the bot took.
    pub(super) pace: Option<usize>,
    /// When the next ply is played; `None` while the game is not playing.
    next: Option<Duration>,
    pub(super) message: Option<String>,
    pub(super) size: (u16, u16),
    held: HeldKey,
}

impl ReplayModel {
    /// The screen of a log of this name, whose games come as inputs, with this number of columns
    /// and rows.
    pub fn new(log: String, size: (u16, u16)) -> ReplayModel {
        ReplayModel {
            log,
            is_searching: true,
            pace: Some(USUAL_PACE),
            size,
            ..ReplayModel::default()
        }
    }

    /// Takes an input. `now` is the time since any fixed moment.
    pub fn update(&mut self, input: ReplayInput, now: Duration) -> Option<ReplayEffect> {
        match input {
            ReplayInput::Key(key) => return self.key(key, now),
            ReplayInput::Mouse(mouse) => return self.mouse(mouse),
            ReplayInput::Resize(width, height) => self.size = (width, height),
            ReplayInput::Wake => self.play(now),
            ReplayInput::Listed(ListPart::Games(games, found)) => return self.add(games, found),
            ReplayInput::Listed(ListPart::End(error)) => return self.end_of_log(error),
            ReplayInput::Opened(game) => self.open(*game),
            ReplayInput::Say(message) => self.message = Some(message),
        }
        None
    }

    /// When [`ReplayInput::Wake`] is due; `None` while nothing moves.
    pub fn wake(&self) -> Option<Duration> {
        self.next
    }

    /// The place in the log of the game at an index of the list.
    pub fn place(&self, index: usize) -> Option<arbiter_game::record::GamePlace> {
        Some(self.games.get(index)?.place)
    }

    /// The game that is shown; `None` before one was read.
    pub fn timeline(&self) -> Option<&Timeline> {
        self.game.as_ref()?.timeline.as_ref()
    }

    /// The index in the list and the plies of the game that is shown.
    pub fn shown(&self) -> Option<(usize, &Timeline)> {
        Some((self.game.as_ref()?.index, self.timeline()?))
    }

    /// The number of games that have been read so far.
    pub fn games_read(&self) -> usize {
        self.games.len()
    }

    /// The number of plies that can be shown.
    pub(super) fn plies(&self) -> usize {
        self.timeline().map_or(0, Timeline::len)
    }

    pub(super) fn is_playing(&self) -> bool {
        self.next.is_some()
    }

    /// The board as it is drawn.
    pub(super) fn board(&self) -> Option<BoardView<'_>> {
        let moment = self.timeline()?.moment(self.at);
        let cursor = (self.mode == Mode::Cursor).then_some(self.cursor);
        Some(BoardView {
            position: &moment.position,
            changes: &moment.changes,
            targets: match cursor {
                Some(at) => targets_of(&moment.position, at),
                None => Vec::new(),
            },
            cursor,
            orientation: self.orientation,
        })
    }

    /// The parts of a screen.
    pub(super) fn areas(&self, screen: Rect) -> Areas {
        let board = match self.timeline() {
            Some(game) => BoardView::size(&game.record().ruleset()),
            None => (26, 9),
        };
        let has_logs = self.game.as_ref().is_some_and(|game| !game.written.is_empty());
        Areas::new(screen, board, self.plies(), self.figures.len() as u16, has_logs)
    }

    fn add(&mut self, games: Vec<ListedGame>, found: Option<usize>) -> Option<ReplayEffect> {
        for game in games {
            self.games.push(game);
        }
        if self.mode == Mode::Games {
            self.look_on();
        }
        if self.is_searching { found.map(ReplayEffect::Open) } else { None }
    }

    fn end_of_log(&mut self, error: Option<String>) -> Option<ReplayEffect> {
        self.games.complete();
        self.message = error.or(self.message.take());
        (self.is_searching && self.game.is_none()).then_some(ReplayEffect::NotFound)
    }

    fn open(&mut self, game: OpenedGame) {
        // The figure that the user has chosen stays first, if this game has it too.
        let chosen = self.figures.first().copied();
        self.figures.clear();
        if let Some(game) = &game.timeline {
            for figure in Figure::ALL {
                if (1..=game.len()).any(|ply| figure.value(game, ply).is_some()) {
                    self.figures.push(figure);
                }
            }
        }
        let first = self.figures.iter().position(|figure| Some(*figure) == chosen);
        self.figures.rotate_left(first.unwrap_or_default());
        self.game = Some(game);
        self.is_searching = false;
        self.cursor = (0, 0);
        self.go(0);
    }

    fn key(&mut self, key: KeyEvent, now: Duration) -> Option<ReplayEffect> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return (key.code == KeyCode::Char('c')).then_some(ReplayEffect::Interrupt);
        }
        self.message = None; // it is about the key before
        let presses = self.hold(key.code, now);
        match &self.mode {
            Mode::Steps => self.steps_key(key.code, presses, now),
            Mode::Cursor => self.cursor_key(key.code, now),
            Mode::GoTo(_) => self.go_to_key(key.code),
            Mode::Games => self.games_key(key.code),
            Mode::Keys => {
                self.mode = Mode::Steps;
                None
            }
            Mode::Picture => self.picture_key(key.code),
        }
    }

    /// How often this key has been pressed in a row without a break.
    fn hold(&mut self, key: KeyCode, now: Duration) -> usize {
        let goes_on = self.held.key == Some(key) && now.saturating_sub(self.held.last) <= HELD;
        let presses = if goes_on { self.held.presses + 1 } else { 0 };
        self.held = HeldKey { key: Some(key), last: now, presses };
        presses
    }

    fn steps_key(&mut self, key: KeyCode, presses: usize, now: Duration) -> Option<ReplayEffect> {
        // A key that is held goes faster.
        let step = [1, 2, 5, 10][(presses / 12).min(3)];
        match key {
            KeyCode::Left | KeyCode::Char('h') => self.go(self.at.saturating_sub(step)),
            KeyCode::Right | KeyCode::Char('l') => self.go(self.at + step),
            KeyCode::Up | KeyCode::Char('k') => self.go(self.turn_before()),
            KeyCode::Down | KeyCode::Char('j') => self.go(self.turn_after()),
            KeyCode::Home => self.go(0),
            KeyCode::End => self.go(usize::MAX),
            KeyCode::Char(' ') => self.toggle_playing(now),
            KeyCode::Char('+' | '=') => self.change_pace(1, now),
            KeyCode::Char('-') => self.change_pace(-1, now),
            KeyCode::Char('r') if self.pace.is_none() => self.set_pace(Some(USUAL_PACE), now),
            KeyCode::Char('r') => self.set_pace(None, now),
            KeyCode::Char('g') => self.mode = Mode::GoTo(String::new()),
            KeyCode::Char('n') => return self.neighbour(1),
            KeyCode::Char('p') => return self.neighbour(-1),
            KeyCode::Char('/') => self.show_games(),
            KeyCode::Char('f') => self.orientation = self.orientation.turned(),
            KeyCode::Char('m') => self.show_cursor(),
            KeyCode::Char('v') if !self.figures.is_empty() => self.figures.rotate_left(1),
            KeyCode::Char('v') => {
                self.message = Some("the log has no figures of this game".to_owned())
            }
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(3),
            KeyCode::PageDown => self.scroll = self.scroll.saturating_add(3),
            KeyCode::Char('t') => self.toggle_proof(),
            KeyCode::Char('y') => return self.copy(),
            KeyCode::Char('e') if self.timeline().is_some() => self.ask_for_picture(),
            KeyCode::Char('?') => self.mode = Mode::Keys,
            KeyCode::Char('q') => return Some(ReplayEffect::Quit),
            _ => {}
        }
        None
    }

    /// Shows the game after this number of plies, or after the last one.
    fn go(&mut self, plies: usize) {
        self.at = plies.min(self.plies());
        self.scroll = 0;
        self.next = None;
    }

    /// Shows the proof of where the game was lost from its first ply on, or the game from there.
    fn toggle_proof(&mut self) {
        match self.game.as_mut().and_then(OpenedGame::toggle_proof) {
            Some(plies) => self.go(plies),
            None => self.message = Some("nothing is proved of where this game was lost".to_owned()),
        }
    }

    /// The side whose turns the keys up and down look for: that of the last ply, or the one that
    /// begins.
    fn side(&self) -> Option<Side> {
        let game = self.timeline()?;
        let last = game.timed_ply(self.at).map(|last| last.side);
        last.or_else(|| Some(game.timed_ply(1)?.side))
    }

    fn turn_before(&self) -> usize {
        let side = self.side();
        (1..self.at).rev().find(|&ply| self.played_by(ply) == side).unwrap_or(0)
    }

    fn turn_after(&self) -> usize {
        let side = self.side();
        let plies = self.plies();
        (self.at + 1..=plies).find(|&ply| self.played_by(ply) == side).unwrap_or(plies)
    }

    fn played_by(&self, ply: usize) -> Option<Side> {
        Some(self.timeline()?.timed_ply(ply)?.side)
    }

    fn toggle_playing(&mut self, now: Duration) {
        if self.next.take().is_some() {
            return;
        }
        if self.at == self.plies() {
            self.go(0);
        }
        self.next = self.delay().map(|delay| now + delay);
    }

    /// How long the board stays as it is while the game plays; `None` at the end.
    fn delay(&self) -> Option<Duration> {
        let next = self.timeline()?.timed_ply(self.at + 1)?;
        Some(match self.pace {
            Some(pace) => Duration::from_secs_f64(1.0 / PACES[pace]),
            None => {
                let seconds = next.measured.seconds.unwrap_or_default();
                Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX / 4)
            }
        })
    }

    /// Plays what is due.
    fn play(&mut self, now: Duration) {
        while let Some(due) = self.next.filter(|&due| due <= now) {
            self.at = (self.at + 1).min(self.plies());
            self.scroll = 0;
            // From when it was due, not from now: delays of the screen do not add up.
            self.next = self.delay().map(|delay| due.saturating_add(delay));
        }
    }

    fn change_pace(&mut self, by: isize, now: Duration) {
        let pace = match self.pace {
            Some(pace) => pace.saturating_add_signed(by).min(PACES.len() - 1),
            None => USUAL_PACE,
        };
        self.set_pace(Some(pace), now);
    }

    fn set_pace(&mut self, pace: Option<usize>, now: Duration) {
        self.pace = pace;
        self.message = Some(format!("pace: {}", self.pace_text()));
        if self.is_playing() {
            self.next = self.delay().map(|delay| now.saturating_add(delay));
        }
    }

    pub(super) fn pace_text(&self) -> String {
        match self.pace {
            Some(pace) => format!("{} plies a second", PACES[pace]),
            None => "the time that each ply took".to_owned(),
        }
    }

    fn neighbour(&mut self, by: isize) -> Option<ReplayEffect> {
        if let Some(index) = self.game.as_ref()?.index.checked_add_signed(by)
            && index < self.games.len()
        {
            return Some(ReplayEffect::Open(index));
        }
        let is_complete = self.games.is_complete();
        let end = if is_complete { "the log has no game there" } else { "not read so far yet" };
        self.message = Some(end.to_owned());
        None
    }

    fn copy(&mut self) -> Option<ReplayEffect> {
        let text = self.timeline()?.moment(self.at).position.to_string();
        self.message = Some(format!("copied: {text}"));
        Some(ReplayEffect::Copy(text))
    }

    /// Asks first, because `e` may be a slip: no other key of the screen changes anything outside
    /// of it.
    fn ask_for_picture(&mut self) {
        self.mode = Mode::Picture;
        self.next = None;
    }

    fn picture_key(&mut self, key: KeyCode) -> Option<ReplayEffect> {
        self.mode = Mode::Steps;
        if key == KeyCode::Char('y') {
            return Some(ReplayEffect::WritePicture(self.at));
        }
        self.message = Some("nothing is written".to_owned());
        None
    }

    fn show_cursor(&mut self) {
        let Some(game) = self.timeline() else { return };
        self.cursor = arrival(&game.moment(self.at).changes).unwrap_or(self.cursor);
        self.mode = Mode::Cursor;
        self.next = None;
    }

    fn cursor_key(&mut self, key: KeyCode, now: Duration) -> Option<ReplayEffect> {
        let orientation = self.orientation;
        let ruleset = self.timeline().map(|game| game.record().ruleset()).unwrap_or_default();
        let mut step =
            |rows, columns| self.cursor = orientation.step(&ruleset, self.cursor, (rows, columns));
        match key {
            KeyCode::Left => step(0, -1),
            KeyCode::Right => step(0, 1),
            KeyCode::Up => step(-1, 0),
            KeyCode::Down => step(1, 0),
            KeyCode::Esc | KeyCode::Char('m') => self.mode = Mode::Steps,
            KeyCode::Home | KeyCode::End => {}
            // Everything else is as without the cursor.
            key => return self.steps_key(key, 0, now),
        }
        None
    }

    fn go_to_key(&mut self, key: KeyCode) -> Option<ReplayEffect> {
        let Mode::GoTo(text) = &mut self.mode else { return None };
        match key {
            KeyCode::Char(digit) if digit.is_ascii_digit() && text.len() < 9 => text.push(digit),
            KeyCode::Backspace => _ = text.pop(),
            KeyCode::Enter => {
                let ply = text.parse().ok();
                self.mode = Mode::Steps;
                if let Some(ply) = ply {
                    self.go(ply);
                }
            }
            KeyCode::Esc | KeyCode::Char('q') => self.mode = Mode::Steps,
            _ => {}
        }
        None
    }

    fn show_games(&mut self) {
        self.mode = Mode::Games;
        self.next = None;
        self.look_anew();
        let current = self.game.as_ref().map_or(0, |game| game.index as u32);
        self.chooser.chosen = self.chooser.found.binary_search(&current).unwrap_or(0);
    }

    /// Filters all games.
    fn look_anew(&mut self) {
        self.chooser.filter = Filter::parse(&self.chooser.text);
        self.chooser.seen = 0;
        self.chooser.chosen = 0;
        self.chooser.found.clear();
        self.look_on();
    }

    /// Filters the games that have come since.
    fn look_on(&mut self) {
        let found = self.games.filtered(&self.chooser.filter, self.chooser.seen);
        self.chooser.found.extend(found);
        self.chooser.seen = self.games.len();
    }

    fn games_key(&mut self, key: KeyCode) -> Option<ReplayEffect> {
        let page = usize::from(self.size.1.saturating_sub(4)).max(1);
        let last = self.chooser.found.len().saturating_sub(1);
        let chosen = self.chooser.chosen;
        match key {
            KeyCode::Up => self.chooser.chosen = chosen.saturating_sub(1),
            KeyCode::Down => self.chooser.chosen = (chosen + 1).min(last),
            KeyCode::PageUp => self.chooser.chosen = chosen.saturating_sub(page),
            KeyCode::PageDown => self.chooser.chosen = (chosen + page).min(last),
            KeyCode::Home => self.chooser.chosen = 0,
            KeyCode::End => self.chooser.chosen = last,
            KeyCode::Esc => self.mode = Mode::Steps,
            KeyCode::Enter => return self.open_chosen(),
            KeyCode::Backspace => {
                self.chooser.text.pop();
                self.look_anew();
            }
            KeyCode::Char(letter) if self.chooser.text.len() < 200 => {
                self.chooser.text.push(letter);
                self.look_anew();
            }
            _ => {}
        }
        None
    }

    fn open_chosen(&mut self) -> Option<ReplayEffect> {
        let index = *self.chooser.found.get(self.chooser.chosen)?;
        self.mode = Mode::Steps;
        Some(ReplayEffect::Open(index as usize))
    }

    /// The wheel steps; a click on the board shows the cursor there, one on the plies or on a graph
    /// goes to that ply, one on the list of games opens the game.
    fn mouse(&mut self, mouse: MouseEvent) -> Option<ReplayEffect> {
        match (&self.mode, mouse.kind) {
            (Mode::Games, MouseEventKind::ScrollUp) => return self.games_key(KeyCode::Up),
            (Mode::Games, MouseEventKind::ScrollDown) => return self.games_key(KeyCode::Down),
            (Mode::Games, MouseEventKind::Down(MouseButton::Left)) => {
                return self.click_on_list(mouse.row);
            }
            (Mode::Keys | Mode::GoTo(_), MouseEventKind::Down(_)) => self.mode = Mode::Steps,
            (Mode::Steps | Mode::Cursor, MouseEventKind::ScrollUp) => {
                self.go(self.at.saturating_sub(1))
            }
            (Mode::Steps | Mode::Cursor, MouseEventKind::ScrollDown) => self.go(self.at + 1),
            (Mode::Steps | Mode::Cursor, MouseEventKind::Down(MouseButton::Left)) => {
                self.click(mouse)
            }
            _ => {}
        }
        None
    }

    fn click(&mut self, MouseEvent { column, row, .. }: MouseEvent) {
        let areas = self.areas(Rect::new(0, 0, self.size.0, self.size.1));
        if areas.board.contains(column, row)
            && let Some(view) = self.board()
            && let Some(square) = view.square_at(areas.board, column, row)
        {
            self.mode = Mode::Cursor;
            self.cursor = square;
            self.next = None;
        } else if areas.plies.contains(column, row) {
            let ply = self.first_listed_ply(areas.plies.height) + usize::from(row - areas.plies.y);
            self.go(ply);
        } else if areas.graphs.contains(column, row)
            && let Some(ply) = Graph::ply_at(areas.graphs, self.plies(), column)
        {
            self.go(ply);
        }
    }

    /// The ply in the first line of the list of plies: the current one is in the middle, if it can
    /// be.
    pub(super) fn first_listed_ply(&self, lines: u16) -> usize {
        let lines = usize::from(lines);
        self.at.saturating_sub(lines / 2).min((self.plies() + 1).saturating_sub(lines)).max(1)
    }

    fn click_on_list(&mut self, row: u16) -> Option<ReplayEffect> {
        let index = self.first_listed_game() + usize::from(row.checked_sub(LIST_HEAD)?);
        if row + 1 >= self.size.1 || index >= self.chooser.found.len() {
            return None;
        }
        self.chooser.chosen = index;
        self.open_chosen()
    }

    /// The index in the filtered list of the game in its first line.
    pub(super) fn first_listed_game(&self) -> usize {
        let lines = usize::from(self.size.1.saturating_sub(LIST_HEAD + 1)).max(1);
        let last = self.chooser.found.len().saturating_sub(lines);
        self.chooser.chosen.saturating_sub(lines / 2).min(last)
    }
}
