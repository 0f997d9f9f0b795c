//! A running game as it is seen: a fold over its events, and what is drawn of it. The screens of
//! `play`, of a tournament and of a person show the same game.

use super::block::ClockTime;
use super::board::{BoardView, Orientation};
use super::grid::{Grid, Rect};
use super::look::Role;
use arbiter_game::game_id::game_id;
use arbiter_game::{Event, Outcome};
use arbiter_rules::text::printable;
use arbiter_rules::{BySide, ChangedSquare, Ply, Position, Side};
use std::time::{Duration, Instant};

/// The least width of what stands beside a board.
pub(super) const BESIDE: u16 = 30;
/// A bot that is waited for without a clock is shown with its time from this time on.
const TIME_FROM: Duration = Duration::from_secs(1);
/// The most bytes of a name that are shown.
const NAME: usize = 60;
/// The most bytes of a sentence about the end that are shown.
const ENDING: usize = 400;

/// A game that is played now, or has just ended.
#[derive(Debug, Clone)]
pub struct LiveGame {
    /// The number of the game in its match or tournament, from 1.
    pub number: u64,
    /// The names of the players.
    pub players: BySide<String>,
    /// The position that it began from.
    pub start: Position,
    /// When it began.
    pub began: Instant,
    pub(super) position: Position,
    pub(super) changes: Vec<ChangedSquare>,
    plies: Vec<LivePly>,
    /// What was left of each clock when it last stopped, if there are clocks.
    clocks: BySide<Option<Duration>>,
    /// Since when each side is waited for, and what for.
    awaited: BySide<Option<Awaited>>,
    /// How the game ended, in words, and the same with its details.
    result: Option<String>,
    ended: Option<String>,
}

/// A ply that was played.
#[derive(Debug, Clone)]
pub struct LivePly {
    pub side: Side,
    pub ply: Ply,
    /// The wall time that it used; `None` for a forced pass.
    pub used: Option<Duration>,
}

/// What a player is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaited {
    Ready(Instant),
    Ply(Instant),
}

impl LiveGame {
    /// A game without plies; its players get ready.
    pub fn new(number: u64, players: BySide<String>, start: Position, now: Instant) -> LiveGame {
        LiveGame {
            number,
            players,
            start: start.clone(),
            began: now,
            position: start,
            changes: Vec::new(),
            plies: Vec::new(),
            clocks: BySide::default(),
            // One gets ready after the other.
            awaited: BySide { first: Some(Awaited::Ready(now)), second: None },
            result: None,
            ended: None,
        }
    }

    /// Takes an event. The beginning of a game replaces the game there is. Events that change
    /// neither board nor clocks are left to the caller.
    pub fn follow(game: &mut Option<LiveGame>, event: &Event, now: Instant) {
        if let Event::Began { number, players, start } = event {
            *game = Some(LiveGame::new(*number, players.clone(), start.clone(), now));
        } else if let Some(game) = game {
            game.show(event, now);
        }
    }

    fn show(&mut self, event: &Event, now: Instant) {
        match event {
            Event::Ready { side } => {
                let next = (*side == Side::First).then_some(Awaited::Ready(now));
                self.awaited = BySide { first: None, second: next };
            }
            Event::Asked { side, budget, .. } => {
                self.clocks[*side] = *budget;
                self.awaited[*side] = Some(Awaited::Ply(now));
            }
            Event::Played { side, played, .. } => {
                let used = played.note.as_ref().and_then(|note| note.wall);
                self.play(LivePly { side: *side, ply: played.ply, used });
            }
            Event::Ended { outcome, detail, .. } => {
                self.result = Some(self.ending(*outcome, None));
                self.ended = Some(self.ending(*outcome, detail.as_deref()));
                self.awaited = BySide::default();
            }
            Event::Began { .. }
            | Event::Line { .. }
            | Event::Held { .. }
            | Event::Refused { .. } => {}
        }
    }

    fn play(&mut self, played: LivePly) {
        let before = self.position.clone();
        self.position.play(played.ply);
        self.changes = before.changes(played.ply);
        self.awaited[played.side] = None;
        // Until the next question, which brings the referee's own figure with the increment.
        if let (Some(left), Some(used)) = (self.clocks[played.side], played.used) {
            self.clocks[played.side] = Some(left.saturating_sub(used));
        }
        self.plies.push(played);
    }

    /// The id of the game in its tournament or match.
    pub fn id(&self) -> String {
        game_id(&self.players.first, &self.players.second, self.number)
    }

    /// The plies so far.
    pub fn plies(&self) -> impl Iterator<Item = &LivePly> {
        self.plies.iter()
    }

    /// The position after them.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What was left of a side's clock when it last stopped; `None` without a clock.
    pub fn left(&self, side: Side) -> Option<Duration> {
        self.clocks[side]
    }

    /// Since when a side is asked for a ply; `None` if it is not.
    pub fn asked_since(&self, side: Side) -> Option<Instant> {
        match self.awaited[side] {
            Some(Awaited::Ply(began)) => Some(began),
            Some(Awaited::Ready(_)) | None => None,
        }
    }

    /// The number of plies so far.
    pub fn ply_count(&self) -> usize {
        self.plies.len()
    }

    /// How the game ended, in words; `None` while it is played.
    pub fn result(&self) -> Option<&str> {
        self.result.as_deref()
    }

    /// How the game ended, in words, with the details of a forfeit; `None` while it is played.
    pub fn ended(&self) -> Option<&str> {
        self.ended.as_deref()
    }

    fn ending(&self, outcome: Outcome, detail: Option<&str>) -> String {
        let word = outcome.word();
        let reason = outcome.termination();
        let margin = outcome.loser_by_rules().and(self.position.margin());
        let what = match (outcome.winner(), margin) {
            (Some(side), Some(margin)) => {
                format!("{} wins by {margin} ({reason})", self.players[side])
            }
            (Some(side), None) => format!("{} wins by {reason}", self.players[side]),
            (None, _) if word == reason => word.to_owned(),
            (None, _) => format!("{word} by {reason}"),
        };
        let sentence = match detail {
            Some(detail) => format!("{what} ({detail})"),
            None => what,
        };
        printable(sentence.as_bytes(), ENDING)
    }

    /// The board without cursor and legal plies.
    pub fn board(&self, orientation: Orientation) -> BoardView<'_> {
        BoardView {
            position: &self.position,
            changes: &self.changes,
            targets: Vec::new(),
            cursor: None,
            orientation,
        }
    }

    /// Draws the two players with what is left on their clocks, a line each, at the top of an area.
    pub fn draw_players(&self, now: Instant, area: Rect, grid: &mut Grid) {
        let names = self.players.as_ref().map(|name| printable(name.as_bytes(), NAME));
        let width = names.first.chars().count().max(names.second.chars().count());
        for (row, side) in (Rect { height: 2, ..area }).rows().zip(Side::BOTH) {
            let is_on_move = self.position.side() == side && self.ended.is_none();
            let (mark, role) = if is_on_move { ('>', Role::Title) } else { (' ', Role::Text) };
            let letter = self.position.ruleset().letter(side);
            let name = &names[side];
            let clock = self.clock(side, now);
            let room = usize::from(area.width).saturating_sub(6 + clock.chars().count());
            let width = width.min(room);
            let text = format!("{mark} {letter} {name:width$.width$}  {clock}");
            grid.text(role, row, text);
        }
    }

    /// What is left on the clock of a side, or without a clock how long it has thought.
    fn clock(&self, side: Side, now: Instant) -> String {
        let (what, began) = match (self.awaited[side], self.clocks[side]) {
            (None, Some(left)) => return tenths(left),
            (None, None) => return String::new(),
            (Some(Awaited::Ply(began)), Some(left)) => {
                return tenths(left.saturating_sub(now.saturating_duration_since(began)));
            }
            (Some(Awaited::Ply(began)), None) => ("thinking", began),
            (Some(Awaited::Ready(began)), _) => ("getting ready", began),
        };
        let waited = now.saturating_duration_since(began);
        if waited < TIME_FROM { String::new() } else { format!("{what} {}", ClockTime(waited)) }
    }

    /// Draws the last plies, a line each, with the time that each used; above them how many there
    /// are no lines for.
    pub fn draw_plies(&self, area: Rect, grid: &mut Grid) {
        let ruleset = self.position.ruleset();
        let mut first = self.plies.len().saturating_sub(area.height.into());
        let mut rows = area.rows();
        if first > 0 && area.height > 1 {
            first += 1;
            let text = format!("   … {first} before");
            grid.text(Role::Minor, rows.next().unwrap_or_default(), text);
        }
        let mut shown = Vec::new();
        let mut width = 5;
        for played in &self.plies[first..] {
            let ply = ruleset.ply_text(played.ply).to_string();
            width = width.max(ply.len());
            shown.push((played, ply));
        }
        for (row, (number, (played, ply))) in rows.zip((first + 1..).zip(shown)) {
            let used = match played.used {
                Some(used) => format!("{:.3} s", used.as_secs_f64()),
                None => "(forced)".to_owned(),
            };
            let letter = ruleset.letter(played.side);
            let role = if number == self.plies.len() { Role::Text } else { Role::Minor };
            let text = format!("{number:>4}. {letter} {ply:<width$} {used:>9}");
            grid.text(role, row, text);
        }
    }
}

/// A time on a clock that ticks: minutes, seconds and tenths, and hours if there are any.
fn tenths(time: Duration) -> String {
    format!("{}.{}", ClockTime(time), time.subsec_millis() / 100)
}

/// The parts of an area that shows a game: its board, and beside it, or below it where the area is
/// narrow, what else there is to say, to the end of the area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GameAreas {
    pub board: Rect,
    pub beside: Rect,
}

impl GameAreas {
    /// The parts of this area for a board of this width and height. What is beside the board gets
    /// at least [`BESIDE`] columns; what is below it gets at least `lines` lines.
    pub fn new(area: Rect, size: (u16, u16), lines: u16) -> GameAreas {
        let below = area.width < size.0 + 1 + BESIDE && area.height >= size.1 + lines;
        let (width, height) = if below {
            (size.0.min(area.width), size.1)
        } else {
            (size.0.min(area.width.saturating_sub(1 + BESIDE)), size.1.min(area.height))
        };
        let board = Rect { width, height, ..area };
        let beside = if below {
            Rect { y: board.bottom(), height: area.bottom() - board.bottom(), ..area }
        } else {
            Rect { x: board.right() + 1, width: area.width.saturating_sub(width + 1), ..area }
        };
        GameAreas { board, beside }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_game::{Note, Played};
    use arbiter_rules::Ruleset;

    fn drawn(width: u16, height: u16, draw: impl FnOnce(Rect, &mut Grid)) -> Vec<String> {
        let mut grid = Grid::new(Rect::new(0, 0, width, height));
        draw(grid.area(), &mut grid);
        grid.trimmed_lines()
    }

    #[test]
    fn clocks_tick_and_stop() {
        let now = Instant::now();
        let at = |millis| now + Duration::from_millis(millis);
        let start = Ruleset::named("loa", "").unwrap().start();
        let players = BySide { first: "ada", second: "bo\x1b" }.map(str::to_owned);
        let mut game = LiveGame::new(1, players, start.clone(), now);
        let lines = |live: &LiveGame, millis| {
            drawn(40, 2, |area, grid| live.draw_players(at(millis), area, grid))
        };
        assert_eq!(lines(&game, 0), ["> B ada", "  W bo\\x1b"]);
        game.show(&Event::Ready { side: Side::First }, at(10));
        assert_eq!(lines(&game, 65_010), ["> B ada", "  W bo\\x1b  getting ready 1:05"]);
        game.show(&Event::Ready { side: Side::Second }, at(10));
        let asked = |side, budget| Event::Asked { side, number: 1, budget };
        game.show(&asked(Side::First, Some(Duration::from_secs(61))), at(1000));
        assert_eq!(lines(&game, 2_200)[0], "> B ada     0:59.8");
        let ply = start.ruleset().read_ply("a2c4").unwrap();
        let note = Note { wall: Some(Duration::from_millis(1_500)), ..Note::default() };
        game.show(
            &Event::Played {
                side: Side::First,
                number: 1,
                played: Played { ply, note: Some(note) },
            },
            at(0),
        );
        assert_eq!(lines(&game, 9_000)[0], "  B ada     0:59.5");
        game.show(&asked(Side::Second, None), at(10_000));
        assert_eq!(lines(&game, 13_000)[1], "> W bo\\x1b  thinking 0:03");
        let plies = drawn(40, 1, |area, grid| game.draw_plies(area, grid));
        assert_eq!(plies, ["   1. B a2c4    1.500 s"]);
        game.show(
            &Event::Ended { outcome: Outcome::Resigned(Side::Second), detail: None, reply: None },
            at(0),
        );
        assert_eq!(game.ended(), Some("ada wins by resign"));
        assert_eq!(lines(&game, 99_000), ["  B ada     0:59.5", "  W bo\\x1b"]);
    }

    #[test]
    fn what_is_beside_a_board_stands_below_it_on_a_narrow_screen() {
        let screen = |width, height| Rect::new(0, 1, width, height);
        let wide = GameAreas::new(screen(80, 20), (26, 9), 3);
        assert_eq!((wide.board, wide.beside), (Rect::new(0, 1, 26, 9), Rect::new(27, 1, 53, 20)));
        let narrow = GameAreas::new(screen(40, 20), (26, 9), 3);
        assert_eq!(
            (narrow.board, narrow.beside),
            (Rect::new(0, 1, 26, 9), Rect::new(0, 10, 40, 11))
        );
        let small = GameAreas::new(screen(40, 8), (26, 9), 3);
        assert_eq!((small.board, small.beside), (Rect::new(0, 1, 9, 8), Rect::new(10, 1, 30, 8)));
    }
}
