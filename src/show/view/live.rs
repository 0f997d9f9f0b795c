//! The live board of `arbiter play` on a terminal; a fold over events.
//!
//! The board is at the bottom; standard error and unrecognised lines of the bots scroll above it.
//! Everything that a bot wrote is escaped.

use super::block::TerminalSize;
use super::board::{BoardView, Orientation};
use super::grid::{Grid, Rect};
use super::live_game::{GameAreas, LiveGame};
use super::look::Role;
use super::{Block, Colour};
use arbiter_game::{Channel, Event};
use arbiter_rules::text::printable;
use std::io::Write;
use std::time::{Duration, Instant};

/// The least time between two drawings of the board.
pub const FRAME: Duration = Duration::from_millis(40);
/// The most lines of bots that are shown in a second; further lines are only counted.
const LINES_A_SECOND: u32 = 100;
/// The most bytes of a bot's line that are shown.
const LINE: usize = 400;
/// The lines below a board that has no room beside it: the players and the last ply.
const BELOW: u16 = 3;

/// The live board. Errors of the terminal are ignored, because they must not end a game.
pub struct Live<W> {
    block: Block<W>,
    /// The number of games of the match.
    games: u32,
    game: Option<LiveGame>,
    /// Where the current second began, for `LINES_A_SECOND`.
    second: Instant,
    lines_this_second: u32,
    left_out: u64,
}

impl<W: Write> Live<W> {
    /// A board on the terminal `out` of this size, for a match of this number of games.
    pub fn new(out: W, colour: Colour, size: fn() -> TerminalSize, games: u32) -> Live<W> {
        Live {
            block: Block::new(out, colour, size),
            games,
            game: None,
            second: Instant::now(),
            lines_this_second: 0,
            left_out: 0,
        }
    }

    /// Shows an event; the board is drawn at once only if [`FRAME`] has passed since the last
    /// drawing.
    pub fn show(&mut self, event: &Event) {
        LiveGame::follow(&mut self.game, event, Instant::now());
        match event {
            Event::Began { .. } => self.draw(),
            Event::Played { .. } => self.tick(),
            Event::Line {
                player,
                channel: Channel::Unrecognised | Channel::Stderr,
                line,
                correction,
            } => {
                self.show_line(player, line, correction.as_deref());
            }
            _ => {}
        }
    }

    /// Shows a bot's line that is no answer; `correction` is what the author must write instead, if
    /// that is known.
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
            text += &format!("   ← write \"{correction}\"");
        }
        self.above(&text);
    }

    /// Counts lines of bots that were dropped before they reached the board.
    pub fn missed(&mut self, lines: u64) {
        self.left_out += lines;
    }

    /// Draws the board if it has changed and [`FRAME`] has passed since the last drawing; call it
    /// about once a [`FRAME`].
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
        self.game = None;
        self.block.write_above(&format!("{lines}\n"));
    }

    /// The match has ended in the middle of a game: the board stays.
    pub fn leave(&mut self) {
        self.block.leave();
    }

    fn draw(&mut self) {
        if let Some(game) = &self.game {
            self.block.draw(&self.drawing(game, Instant::now(), self.block.room()));
        }
    }

    /// The drawing of a game for a block of at most this many columns and lines.
    fn drawing(&self, game: &LiveGame, now: Instant, (columns, most): TerminalSize) -> Grid {
        let board = BoardView::size(&game.position.ruleset());
        // Of the lines that the board leaves, half are for plies, and half for what the bots write.
        let least = most.min(usize::from(1 + board.1 + BELOW));
        let mut drawn = Grid::new(Rect::of_size((columns, least + (most - least) / 2)));
        let all = drawn.area();
        let title = format!("game {} of {}   ply {}", game.number, self.games, game.ply_count());
        drawn.text(Role::Title, all, title);
        let area = Rect { y: 1, height: all.height - 1, ..all };
        let GameAreas { board, beside } = GameAreas::new(area, board, BELOW);
        game.board(Orientation::AsPrinted).draw(board, &mut drawn);
        game.draw_players(now, beside, &mut drawn);
        // A blank line before the plies, if they are more than the last one.
        let gap = if beside.height > BELOW { 3 } else { 2 };
        let plies = Rect { y: beside.y + gap, height: beside.height.saturating_sub(gap), ..beside };
        game.draw_plies(plies, &mut drawn);
        let count = u16::try_from(game.ply_count()).unwrap_or(u16::MAX).min(plies.height);
        let end = (plies.y + count).min(all.height);
        drawn.truncate(board.bottom().max(end));
        drawn
    }

    fn show_left_out(&mut self) {
        let count = std::mem::take(&mut self.left_out);
        if count > 0 {
            self.above(&format!("… {count} more lines of the bots are not shown"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_game::{Note, Played};
    use arbiter_rules::{BySide, Ruleset, Side};

    #[test]
    fn speech_scrolls_above_the_board_and_is_escaped() {
        let mut live = Live::new(Vec::new(), Colour::No, || (80, 24), 1);
        let start = Ruleset::named("loa", "").unwrap().start();
        let players = BySide { first: "conny".to_owned(), second: "randy".to_owned() };
        let mut show = |event| live.show(&event);
        show(Event::Began { number: 1, players, start: start.clone() });
        let line = |channel, line: &[u8], correction: Option<&str>| Event::Line {
            player: "conny".into(),
            channel,
            line: line.to_vec(),
            correction: correction.map(str::to_owned),
        };
        show(line(Channel::Stderr, b"depth \x1b]0;pwned\x07\r", None));
        show(line(Channel::Unrecognised, b"a2c4", Some("move a2c4")));
        show(line(Channel::Reply, b"move a2c4", None));
        let ply = start.ruleset().read_ply("a2c4").unwrap();
        let note = Note { wall: Some(Duration::from_millis(12)), ..Note::default() };
        show(Event::Played {
            side: Side::First,
            number: 1,
            played: Played { ply, note: Some(note) },
        });
        live.end("conny wins");
        let text = String::from_utf8(live.block.into_inner()).unwrap();
        assert!(text.contains("conny│ depth \\x1b]0;pwned\\x07\n"), "{text}");
        assert!(text.contains("conny│ a2c4   ← write \"move a2c4\"\n"), "{text}");
        let lines = 1 + 9;
        assert!(
            text.contains(&format!("\r\x1b[{lines}A")),
            "the board is drawn in place: {text:?}"
        );
        assert!(text.contains("   1. B a2c4    0.012 s"), "{text:?}");
        assert!(text.ends_with("\r\x1b[Jconny wins\n\n"), "{text:?}");
    }

    #[test]
    fn the_board_fits_into_the_terminal() {
        let live = Live::new(Vec::new(), Colour::No, || (80, 24), 3);
        let players = || BySide { first: "ada", second: "bo" }.map(str::to_owned);
        let now = Instant::now();
        let rows = |game: &str, options: &str, room: TerminalSize| {
            let start = Ruleset::named(game, options).unwrap().start();
            let drawn = live.drawing(&LiveGame::new(2, players(), start, now), now, room);
            drawn.trimmed_lines()
        };
        let wide = rows("loa", "", (79, 23));
        assert_eq!(wide.len(), 1 + 9);
        assert_eq!(wide[..2], ["game 2 of 3   ply 0", "   a  b  c  d  e  f  g  h  > B ada"]);
        let narrow = rows("loa", "", (50, 23));
        assert_eq!(narrow.len(), 1 + 9 + 3);
        assert_eq!(narrow[10..], ["> B ada", "  W bo", ""]);
        let low = rows("flipflop", "n=24", (79, 10));
        assert_eq!(low.len(), 10);
        assert!(low[1].starts_with(" ←"), "{low:?}");
        assert_eq!(rows("loa", "", (20, 3)).len(), 3);
    }

    #[test]
    fn plies_fill_the_lines_that_bots_do_not_need_and_the_others_are_counted() {
        let live = Live::new(Vec::new(), Colour::No, || (80, 24), 1);
        let players = BySide { first: "ada", second: "bo" }.map(str::to_owned);
        let now = Instant::now();
        let mut game =
            Some(LiveGame::new(1, players, Ruleset::named("loa", "").unwrap().start(), now));
        let mut side = Side::First;
        for number in 1..=40 {
            let ply = game.as_ref().unwrap().position.sorted_plies()[0];
            let event = Event::Played { side, number, played: Played { ply, note: None } };
            LiveGame::follow(&mut game, &event, now);
            side = !side;
        }
        let drawn = live.drawing(&game.unwrap(), now, (79, 23));
        let rows = drawn.lines();
        assert_eq!(rows.len(), 13 + (23 - 13) / 2);
        assert!(rows[4].contains("   … 27 before") && rows[5].contains("  28. W "), "{rows:?}");
        assert!(rows[17].contains("  40. W "), "{rows:?}");
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
