//! The live board of `arbiter play` on a terminal.
//!
//! The board stands below; what the bots write to standard error or astray scrolls by above it. Nothing of a bot
//! reaches the terminal unescaped.

use super::{Colour, clear};
use crate::explain::bare_ply;
use crate::report::text;
use crate::rules::{BySide, Ply, Position, Side};
use crate::text::printable;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Boards are drawn this often at most.
pub const FRAME: Duration = Duration::from_millis(40);
/// Lines of bots that are shown in a second; what exceeds them is counted.
const SPEECH: u32 = 100;
/// Bytes of a bot's line that are shown.
const LINE: usize = 400;

/// The live board. A screen that cannot be written to is no reason to end a game: errors are passed over.
pub struct Live<W> {
    out: W,
    colour: Colour,
    /// Lines that the board takes on the screen at the moment.
    drawn: usize,
    last: Option<Instant>,
    /// The board has changed since it was drawn.
    stale: bool,
    scene: Option<Scene>,
    second: Instant,
    said: u32,
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
    /// A board on this terminal, in colour or not.
    #[must_use]
    pub fn new(out: W, colour: Colour) -> Live<W> {
        let second = Instant::now();
        Live { out, colour, drawn: 0, last: None, stale: false, scene: None, second, said: 0, left_out: 0 }
    }

    /// A game begins.
    pub fn begin(&mut self, title: String, players: BySide<String>, position: Position) {
        self.scene = Some(Scene { title, players, position, plies: BySide::default(), number: 0 });
        let _ = self.draw();
    }

    /// A ply was played; it took so long, or was a forced pass.
    pub fn played(
        &mut self,
        side: Side,
        ply: Ply,
        position: Position,
        used: Option<Duration>,
        number: usize,
    ) {
        let Some(scene) = &mut self.scene else { return };
        scene.position = position;
        scene.number = number;
        let text = position.ruleset().ply_text(ply).to_string();
        scene.plies[side] = match used {
            Some(used) => format!("{text}  {:.3} s", used.as_secs_f64()),
            None => format!("{text}  (forced)"),
        };
        self.stale = true;
        self.tick();
    }

    /// A bot wrote a line that is no answer; `astray` if it came on standard output.
    pub fn said(&mut self, name: &str, line: &[u8], astray: Astray) {
        if self.second.elapsed() >= Duration::from_secs(1) {
            self.second = Instant::now();
            self.said = 0;
            let _ = self.say_left_out();
        }
        self.said += 1;
        if self.said > SPEECH {
            self.left_out += 1;
            return;
        }
        let mut text = format!("{name}│ {}", printable(line.trim_ascii_end(), LINE));
        if astray == Astray::Yes {
            let ply = self.scene.as_ref().and_then(|scene| bare_ply(&scene.position, line));
            if let Some(ply) = ply {
                let _ = write!(text, "   ← write \"move {ply}\""); // writing to a String cannot fail
            }
        }
        let _ = self.above(&text);
    }

    /// Lines of bots that were lost on the way here.
    pub fn missed(&mut self, lines: u64) {
        self.left_out += lines;
    }

    /// Draws the board if it has changed and its time has come; to be called every [`FRAME`] or so.
    pub fn tick(&mut self) {
        if self.stale && self.last.is_none_or(|last| last.elapsed() >= FRAME) {
            let _ = self.draw();
        }
    }

    /// The game is over: the last board, then these lines below it, which stay.
    pub fn end(&mut self, lines: &str) {
        let _ = self.say_left_out();
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

    fn say_left_out(&mut self) -> io::Result<()> {
        match std::mem::take(&mut self.left_out) {
            0 => Ok(()),
            count => self.above(&format!("… {count} more lines of the bots are not shown")),
        }
    }
}

/// Whether a line of a bot came on its standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Astray {
    /// It did.
    Yes,
    /// It came on standard error.
    No,
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
    use crate::rules::Ruleset;

    #[test]
    fn speech_scrolls_above_the_board_and_is_escaped() {
        let mut live = Live::new(Vec::new(), Colour::No);
        let mut position = Ruleset::named("loa", &[]).unwrap().start();
        let players = BySide { first: "conny".to_owned(), second: "randy".to_owned() };
        live.begin("game 1".to_owned(), players, position);
        live.said("conny", b"depth \x1b]0;pwned\x07\r", Astray::No);
        live.said("conny", b"a2c4", Astray::Yes);
        let ply = position.ruleset().read_ply("a2c4").unwrap();
        position.play(ply);
        live.played(Side::First, ply, position, Some(Duration::from_millis(12)), 1);
        live.end("conny wins");
        let text = String::from_utf8(live.out).unwrap();
        assert!(text.contains("conny│ depth \\x1b]0;pwned\\x07\n"), "{text}");
        assert!(text.contains("conny│ a2c4   ← write \"move a2c4\"\n"), "{text}");
        let lines = 1 + 9 + 2;
        assert!(text.contains(&format!("\x1b[{lines}A\x1b[J")), "the board is drawn in place: {text:?}");
        assert!(text.ends_with("  B conny  a2c4  0.012 s\n> W randy  \nconny wins\n\n"), "{text}");
    }

    #[test]
    fn a_flood_of_speech_is_counted() {
        let mut live = Live::new(Vec::new(), Colour::No);
        for _ in 0..10 * SPEECH {
            live.said("spam", b"spam", Astray::Yes);
        }
        live.end("over");
        let text = String::from_utf8(live.out).unwrap();
        assert!(text.matches("spam│").count() <= 9 * SPEECH as usize);
        assert!(text.contains("more lines of the bots are not shown"));
    }
}
