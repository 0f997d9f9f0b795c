//! The live board of `arbiter play` on a terminal; a fold over events.
//!
//! The board is at the bottom; standard error and unrecognised lines of the bots scroll above it. Everything
//! that a bot wrote is escaped.

use super::{Colour, clear};
use crate::game::{Channel, Event, Played};
use crate::report::text;
use crate::rules::{BySide, Position, Side};
use crate::text::printable;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The least time between two drawings of the board.
pub const FRAME: Duration = Duration::from_millis(40);
/// The most lines of bots that are shown in a second; further lines are only counted.
const LINES_A_SECOND: u32 = 100;
/// The most bytes of a bot's line that are shown.
const LINE: usize = 400;

/// The live board. Errors of the terminal are ignored, because they must not end a game.
pub struct Live<W> {
    out: W,
    colour: Colour,
    /// The number of games of the match.
    games: u32,
    /// The number of screen lines of the board as it was last drawn.
    drawn: usize,
    last: Option<Instant>,
    /// The board has changed since it was drawn.
    stale: bool,
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
    number: usize,
}

impl<W: Write> Live<W> {
    /// A board on this terminal for a match of this number of games.
    #[must_use]
    pub fn new(out: W, colour: Colour, games: u32) -> Live<W> {
        let second = Instant::now();
        Live {
            out,
            colour,
            games,
            drawn: 0,
            last: None,
            stale: false,
            scene: None,
            second,
            lines_this_second: 0,
            left_out: 0,
        }
    }

    /// Shows an event; the board is drawn at once only if [`FRAME`] has passed since the last drawing.
    pub fn show(&mut self, event: Event) {
        match event {
            Event::Began { number, players, start } => {
                let title = format!("game {number} of {}", self.games);
                self.scene =
                    Some(Scene { title, players, position: start, plies: BySide::default(), number: 0 });
                let _ = self.draw();
            }
            Event::Played { side, number, played } => self.played(side, number, &played),
            Event::Line { player, channel, line, correction } => {
                if matches!(channel, Channel::Unrecognised | Channel::Stderr) {
                    self.show_line(&player, &line, correction.as_deref());
                }
            }
            Event::Asked { .. } | Event::Held { .. } | Event::Refused { .. } | Event::Ended { .. } => {}
        }
    }

    fn played(&mut self, side: Side, number: usize, played: &Played) {
        let Some(scene) = &mut self.scene else { return };
        scene.position.play(played.ply);
        scene.number = number;
        let text = scene.position.ruleset().ply_text(played.ply).to_string();
        scene.plies[side] = match played.note.as_ref().and_then(|note| note.wall) {
            Some(used) => format!("{text}  {:.3} s", used.as_secs_f64()),
            None => format!("{text}  (forced)"),
        };
        self.stale = true;
        self.tick();
    }

    /// Shows a bot's line that is no answer; `correction` is what the author must write instead, if that is
    /// known.
    fn show_line(&mut self, name: &str, line: &[u8], correction: Option<&str>) {
        if self.second.elapsed() >= Duration::from_secs(1) {
            self.second = Instant::now();
            self.lines_this_second = 0;
            let _ = self.show_left_out();
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
        let _ = self.above(&text);
    }

    /// Counts lines of bots that were dropped before they reached the board.
    pub fn missed(&mut self, lines: u64) {
        self.left_out += lines;
    }

    /// Draws the board if it has changed and [`FRAME`] has passed since the last drawing; call it about once
    /// a [`FRAME`].
    pub fn tick(&mut self) {
        if self.stale && self.last.is_none_or(|last| last.elapsed() >= FRAME) {
            let _ = self.draw();
        }
    }

    /// The game is over: draws the last board and writes these lines below it; both stay.
    pub fn end(&mut self, lines: &str) {
        let _ = self.show_left_out();
        let _ = self.draw();
        self.drawn = 0;
        self.scene = None;
        let _ = writeln!(self.out, "{lines}\n").and_then(|()| self.out.flush());
    }

    fn draw(&mut self) -> io::Result<()> {
        let Some(scene) = &self.scene else { return Ok(()) };
        let text = scene.text(self.colour);
        let clear = clear(self.drawn);
        write!(self.out, "{clear}{text}")?;
        self.drawn = text.matches('\n').count();
        self.last = Some(Instant::now());
        self.stale = false;
        self.out.flush()
    }

    /// Writes a line above the board.
    fn above(&mut self, line: &str) -> io::Result<()> {
        let clear = clear(self.drawn);
        writeln!(self.out, "{clear}{line}")?;
        self.drawn = 0;
        self.draw()?;
        self.out.flush()
    }

    fn show_left_out(&mut self) -> io::Result<()> {
        match std::mem::take(&mut self.left_out) {
            0 => Ok(()),
            count => self.above(&format!("… {count} more lines of the bots are not shown")),
        }
    }
}

impl Scene {
    fn text(&self, colour: Colour) -> String {
        let ruleset = self.position.ruleset();
        let (bold, plain) = match colour {
            Colour::Yes => ("\x1b[1m", "\x1b[0m"),
            Colour::No => ("", ""),
        };
        let mut out =
            format!("{bold}{}{plain}   ply {}\n{}\n", self.title, self.number, text::board(&self.position));
        let width =
            Side::BOTH.iter().map(|&side| self.players[side].chars().count()).max().unwrap_or_default();
        for side in Side::BOTH {
            let mark =
                if self.position.side() == side && self.position.ending().is_none() { '>' } else { ' ' };
            let _ = writeln!(
                out,
                "{mark} {} {:width$}  {}",
                ruleset.letter(side),
                self.players[side],
                self.plies[side]
            ); // writing to a String cannot fail
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Note;
    use crate::rules::Ruleset;

    #[test]
    fn speech_scrolls_above_the_board_and_is_escaped() {
        let mut live = Live::new(Vec::new(), Colour::No, 1);
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
        let text = String::from_utf8(live.out).unwrap();
        assert!(text.contains("conny│ depth \\x1b]0;pwned\\x07\n"), "{text}");
        assert!(text.contains("conny│ a2c4   ← write \"move a2c4\"\n"), "{text}");
        let lines = 1 + 9 + 2;
        assert!(text.contains(&format!("\x1b[{lines}A\x1b[J")), "the board is drawn in place: {text:?}");
        assert!(text.ends_with("  B conny  a2c4  0.012 s\n> W randy  \nconny wins\n\n"), "{text}");
    }

    #[test]
    fn lines_above_the_limit_are_counted() {
        let mut live = Live::new(Vec::new(), Colour::No, 1);
        for _ in 0..10 * LINES_A_SECOND {
            live.show_line("spam", b"spam", None);
        }
        live.end("over");
        let text = String::from_utf8(live.out).unwrap();
        assert!(text.matches("spam│").count() <= 9 * LINES_A_SECOND as usize);
        assert!(text.contains("more lines of the bots are not shown"));
    }
}
