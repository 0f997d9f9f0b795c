//! The live board of `arbiter play` on a terminal; a fold over events.
//!
//! The board is at the bottom; standard error and unrecognised lines of the bots scroll above it. Everything
//! that a bot wrote is escaped.

use super::block::{ClockTime, TerminalSize};
use super::{Block, Colour};
use crate::game::{Channel, Event, Played};
use crate::report::text;
use crate::rules::{BySide, Position, Side};
use crate::text::printable;
use std::fmt::Write as _;
use std::io::Write;
use std::time::{Duration, Instant};

/// The least time between two drawings of the board.
pub const FRAME: Duration = Duration::from_millis(40);
/// The most lines of bots that are shown in a second; further lines are only counted.
const LINES_A_SECOND: u32 = 100;
/// The most bytes of a bot's line that are shown.
const LINE: usize = 400;
/// A bot that is waited for is shown with a clock from this time on.
const CLOCK_FROM: Duration = Duration::from_secs(1);

/// The live board. Errors of the terminal are ignored, because they must not end a game.
pub struct Live<W> {
    block: Block<W>,
    /// The number of games of the match.
    games: u32,
    scene: Option<Scene>,
    /// Where the current second began, for `LINES_A_SECOND`.
    second: Instant,
    lines_this_second: u32,
    left_out: u64,
}

/// What the board shows.
struct Scene {
    title: String,
    players: BySide<String>,
    position: Position,
    /// The last ply of each side, as shown.
    plies: BySide<String>,
    /// What each side is waited for, if it is.
    awaited: BySide<Option<Awaited>>,
    number: usize,
}

/// What a bot is waited for.
struct Awaited {
    /// `thinking`, or that it gets ready.
    what: &'static str,
    since: Instant,
    /// How much time it has, if that is known.
    limit: Option<Duration>,
}

impl<W: Write> Live<W> {
    /// A board on the terminal `out` of this size, for a match of this number of games.
    #[must_use]
    pub fn new(out: W, colour: Colour, size: fn() -> TerminalSize, games: u32) -> Live<W> {
        Live {
            block: Block::new(out, colour, size),
            games,
            scene: None,
            second: Instant::now(),
            lines_this_second: 0,
            left_out: 0,
        }
    }

    /// Shows an event; the board is drawn at once only if [`FRAME`] has passed since the last drawing.
    pub fn show(&mut self, event: Event) {
        match event {
            Event::Began { number, players, start } => {
                let title = format!("game {number} of {}", self.games);
                let awaited = BySide { first: (), second: () }.map(|()| Awaited::new("getting ready", None));
                self.scene = Some(Scene {
                    title,
                    players,
                    position: start,
                    plies: BySide::default(),
                    awaited,
                    number: 0,
                });
                self.draw();
            }
            Event::Ready { side } => self.awaits(side, None),
            Event::Asked { side, budget, .. } => self.awaits(side, Awaited::new("thinking", budget)),
            Event::Played { side, number, played } => self.played(side, number, &played),
            Event::Line { player, channel, line, correction } => {
                if matches!(channel, Channel::Unrecognised | Channel::Stderr) {
                    self.show_line(&player, &line, correction.as_deref());
                }
            }
            Event::Ended { .. } => Side::BOTH.iter().for_each(|&side| self.awaits(side, None)),
            Event::Held { .. } | Event::Refused { .. } => {}
        }
    }

    fn awaits(&mut self, side: Side, awaited: Option<Awaited>) {
        if let Some(scene) = &mut self.scene {
            scene.awaited[side] = awaited;
        }
    }

    fn played(&mut self, side: Side, number: usize, played: &Played) {
        let Some(scene) = &mut self.scene else { return };
        scene.position.play(played.ply);
        scene.number = number;
        scene.awaited[side] = None;
        let text = scene.position.ruleset().ply_text(played.ply).to_string();
        scene.plies[side] = match played.note.as_ref().and_then(|note| note.wall) {
            Some(used) => format!("{text}  {:.3} s", used.as_secs_f64()),
            None => format!("{text}  (forced)"),
        };
        self.tick();
    }

    /// Shows a bot's line that is no answer; `correction` is what the author must write instead, if that is
    /// known.
    fn show_line(&mut self, name: &str, line: &[u8], correction: Option<&str>) {
        if self.second.elapsed() >= Duration::from_secs(1) {
            self.second = Instant::now();
            self.lines_this_second = 0;
            self.show_left_out();
        }
        self.lines_this_second += 1;
        if self.lines_this_second > LINES_A_SECOND {
            self.left_out += 1;
            return;
        }
        let mut text = format!("{name}│ {}", printable(line.trim_ascii_end(), LINE));
        if let Some(correction) = correction {
            let _ = write!(text, "   ← write \"{correction}\""); // writing to a String cannot fail
        }
        self.above(&text);
    }

    /// Counts lines of bots that were dropped before they reached the board.
    pub fn missed(&mut self, lines: u64) {
        self.left_out += lines;
    }

    /// Draws the board if it has changed and [`FRAME`] has passed since the last drawing; call it about once
    /// a [`FRAME`].
    pub fn tick(&mut self) {
        if self.block.is_due(FRAME) {
            self.draw();
        }
    }

    /// Shows a line of arbiter's own above the board.
    pub fn above(&mut self, line: &str) {
        self.block.write_above(line);
        self.draw();
    }

    /// The game is over: draws the last board and writes these lines below it; both stay.
    pub fn end(&mut self, lines: &str) {
        self.show_left_out();
        self.draw();
        self.leave();
        self.scene = None;
        self.block.write_above(&format!("{lines}\n"));
    }

    /// The match has ended in the middle of a game: the board stays.
    pub fn leave(&mut self) {
        self.block.leave();
    }

    fn draw(&mut self) {
        if let Some(scene) = &self.scene {
            self.block.draw(&scene.lines(self.block.room()));
        }
    }

    fn show_left_out(&mut self) {
        match std::mem::take(&mut self.left_out) {
            0 => {}
            count => self.above(&format!("… {count} more lines of the bots are not shown")),
        }
    }
}

impl Awaited {
    fn new(what: &'static str, limit: Option<Duration>) -> Option<Awaited> {
        Some(Awaited { what, since: Instant::now(), limit })
    }

    /// What is waited for and how long it has been, in whole seconds; empty in the first one.
    fn text(&self) -> String {
        let time = self.since.elapsed();
        match self.limit {
            _ if time < CLOCK_FROM => String::new(),
            Some(limit) => format!("{} {} of {}", self.what, ClockTime(time), ClockTime(limit)),
            None => format!("{} {}", self.what, ClockTime(time)),
        }
    }
}

impl Scene {
    /// The lines of a block of at most `most` lines. A board that is too high for it is cut off.
    fn lines(&self, (_, most): TerminalSize) -> Vec<String> {
        let ruleset = self.position.ruleset();
        let mut lines = vec![format!("{}   ply {}", self.title, self.number)];
        let room = most.saturating_sub(1 + Side::BOTH.len());
        let mut board: Vec<String> = text::board(&self.position).lines().map(str::to_owned).collect();
        if board.len() > room {
            board.truncate(room.saturating_sub(1));
            board.push("… the terminal is too low for the whole board".to_owned());
        }
        lines.append(&mut board);
        let width =
            Side::BOTH.iter().map(|&side| self.players[side].chars().count()).max().unwrap_or_default();
        for side in Side::BOTH {
            let mark =
                if self.position.side() == side && self.position.ending().is_none() { '>' } else { ' ' };
            let (name, ply) = (&self.players[side], &self.plies[side]);
            let mut line = format!("{mark} {} {name:width$}  {ply}", ruleset.letter(side));
            let awaited = self.awaited[side].as_ref().map(Awaited::text).filter(|text| !text.is_empty());
            if let Some(text) = awaited {
                line += if ply.is_empty() { "" } else { "   " };
                line += &text;
            }
            lines.push(line);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Note;
    use crate::rules::Ruleset;

    #[test]
    fn speech_scrolls_above_the_board_and_is_escaped() {
        let mut live = Live::new(Vec::new(), Colour::No, || (80, 24), 1);
        let start = Ruleset::named("loa", "").unwrap().start();
        let players = BySide { first: "conny".to_owned(), second: "randy".to_owned() };
        live.show(Event::Began { number: 1, players, start });
        let line = |channel, line: &[u8], correction: Option<&str>| Event::Line {
            player: "conny".into(),
            channel,
            line: line.to_vec(),
            correction: correction.map(str::to_owned),
        };
        live.show(line(Channel::Stderr, b"depth \x1b]0;pwned\x07\r", None));
        live.show(line(Channel::Unrecognised, b"a2c4", Some("move a2c4")));
        live.show(line(Channel::Reply, b"move a2c4", None));
        let ply = start.ruleset().read_ply("a2c4").unwrap();
        let note = Note { wall: Some(Duration::from_millis(12)), ..Note::default() };
        live.show(Event::Played { side: Side::First, number: 1, played: Played { ply, note: Some(note) } });
        live.end("conny wins");
        let text = String::from_utf8(live.block.into_inner()).unwrap();
        assert!(text.contains("conny│ depth \\x1b]0;pwned\\x07\n"), "{text}");
        assert!(text.contains("conny│ a2c4   ← write \"move a2c4\"\n"), "{text}");
        let lines = 1 + 9 + 2;
        assert!(text.contains(&format!("\x1b[{lines}A\x1b[J")), "the board is drawn in place: {text:?}");
        assert!(text.ends_with("  B conny  a2c4  0.012 s\n> W randy  \n\r\x1b[Jconny wins\n\n"), "{text:?}");
    }

    #[test]
    fn a_bot_that_is_waited_for_has_a_clock() {
        let start = Ruleset::named("loa", "").unwrap().start();
        let ago = |what, seconds, limit| {
            let since = Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
            Some(Awaited { what, since, limit })
        };
        let limit = Some(Duration::from_secs(3600));
        let mut scene = Scene {
            title: "game 1 of 1".to_owned(),
            players: BySide { first: "ada".to_owned(), second: "bo".to_owned() },
            position: start,
            plies: BySide { first: String::new(), second: "a2c4  0.012 s".to_owned() },
            awaited: BySide { first: ago("thinking", 1500, limit), second: ago("getting ready", 3600, None) },
            number: 0,
        };
        let lines = scene.lines((79, 23));
        assert_eq!(lines[0], "game 1 of 1   ply 0");
        assert!(lines[10].starts_with("> B ada  thinking 25:"), "{lines:?}");
        assert!(lines[10].ends_with(" of 1:00:00"), "{lines:?}");
        assert!(lines[11].starts_with("  W bo   a2c4  0.012 s   getting ready 1:0"), "{lines:?}");
        scene.awaited.first = Awaited::new("thinking", limit);
        let low = scene.lines((79, 7));
        assert_eq!(low.len(), 7, "{low:?}");
        assert_eq!(low[4], "… the terminal is too low for the whole board");
    }

    #[test]
    fn lines_above_the_limit_are_counted() {
        let mut live = Live::new(Vec::new(), Colour::No, || (80, 24), 1);
        for _ in 0..10 * LINES_A_SECOND {
            live.show_line("spam", b"spam", None);
        }
        live.end("over");
        let text = String::from_utf8(live.block.into_inner()).unwrap();
        assert!(text.matches("spam│").count() <= 9 * LINES_A_SECOND as usize);
        assert!(text.contains("more lines of the bots are not shown"));
    }
}
