//! The progress of a tournament on a terminal: a block at the bottom that is redrawn in place; lines that
//! stay scroll above it.

use super::{Colour, clear};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The least time between two drawings of the block.
pub const PROGRESS_FRAME: Duration = Duration::from_millis(200);
/// The most running games that are shown.
const RUNNING: usize = 8;

/// What the block shows.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// The name of the tournament.
    pub title: String,
    /// Games that are over, those of earlier runs included.
    pub played: u64,
    /// The number of games in all, if it is known.
    pub total: Option<u64>,
    /// Time since this run began.
    pub elapsed: Duration,
    /// The estimated time to the end, if there is an estimate.
    pub left: Option<Duration>,
    /// The running games, and how long each has run.
    pub running: Vec<(String, Duration)>,
    /// The leading bots, best first: name, points and games.
    pub leaders: Vec<(String, f64, u64)>,
    /// The number of bots.
    pub bots: usize,
    /// One more line, such as the LLR of a test.
    pub remark: Option<String>,
}

/// The block on a terminal. Errors of the terminal are ignored, because they must not end a tournament.
pub struct ProgressBlock<W> {
    out: W,
    colour: Colour,
    drawn: usize,
    last: Option<Instant>,
}

impl<W: Write> ProgressBlock<W> {
    /// A block on this terminal, in colour or not.
    #[must_use]
    pub fn new(out: W, colour: Colour) -> ProgressBlock<W> {
        ProgressBlock { out, colour, drawn: 0, last: None }
    }

    /// Whether it is time to draw again.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.last.is_none_or(|last| last.elapsed() >= PROGRESS_FRAME)
    }

    /// Draws the block in a terminal with this number of columns and lines.
    pub fn draw(&mut self, progress: &Progress, (columns, lines): (usize, usize)) {
        let text = progress.text(self.colour, columns.max(20), lines.max(4));
        let _ = write!(self.out, "{}{text}", clear(self.drawn)).and_then(|()| self.out.flush());
        self.drawn = text.matches('\n').count();
        self.last = Some(Instant::now());
    }

    /// Writes lines that stay; the next drawing puts the block below them.
    pub fn write_above(&mut self, lines: &str) {
        let _ = writeln!(self.out, "{}{lines}", clear(self.drawn)).and_then(|()| self.out.flush());
        self.drawn = 0;
        self.last = None;
    }

    /// Removes the block.
    pub fn end(&mut self) {
        let _ = write!(self.out, "{}", clear(self.drawn)).and_then(|()| self.out.flush());
        self.drawn = 0;
    }
}

impl Progress {
    /// The most bots that are shown.
    pub const LEADERS: usize = 10;

    /// The block as text that fits into the terminal.
    fn text(&self, colour: Colour, columns: usize, lines: usize) -> String {
        let mut rows = vec![self.counts(), bar(self.played, self.total, columns.min(72))];
        if !self.running.is_empty() {
            let shown = self.running.iter().take(RUNNING);
            let mut games: Vec<String> =
                shown.map(|(id, time)| format!("{id} {}", ClockTime(*time))).collect();
            if self.running.len() > RUNNING {
                games.push(format!("and {} more", self.running.len() - RUNNING));
            }
            rows.push(format!("playing  {}", games.join("  ")));
        }
        rows.extend(self.remark.clone());
        let width = self.leaders.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or_default();
        for (name, points, games) in &self.leaders {
            rows.push(format!("  {name:<width$}  {points:>6.1} of {games}"));
        }
        if self.bots > self.leaders.len() && !self.leaders.is_empty() {
            rows.push(format!("  and {} more bots", self.bots - self.leaders.len()));
        }
        rows.truncate(lines - 1);
        let (bold, plain) = match colour {
            Colour::Yes => ("\x1b[1m", "\x1b[0m"),
            Colour::No => ("", ""),
        };
        let mut text = String::new();
        for (index, row) in rows.iter().enumerate() {
            let row: String = row.chars().take(columns - 1).collect();
            let _ = match index {
                0 => writeln!(text, "{bold}{row}{plain}"),
                _ => writeln!(text, "{row}"),
            }; // writing to a String cannot fail
        }
        text
    }

    fn counts(&self) -> String {
        let mut text = format!("{}   ", self.title);
        let _ = match self.total {
            Some(total) => write!(text, "{} of {total} games", self.played),
            None => write!(text, "{} games", self.played),
        }; // writing to a String cannot fail
        let _ = write!(text, "   {} so far", ClockTime(self.elapsed));
        if let Some(left) = self.left {
            let _ = write!(text, ", about {} left", ClockTime(left));
        }
        text
    }
}

/// A bar for the share of games that are over; a row of dots if the total is not known.
fn bar(played: u64, total: Option<u64>, columns: usize) -> String {
    let width = columns.saturating_sub(8).max(4);
    let Some(total) = total.filter(|&total| total > 0) else { return "·".repeat(width) };
    let share = (played as f64 / total as f64).min(1.0);
    let full = (share * width as f64) as usize;
    format!("{}{} {:>3.0} %", "█".repeat(full), "░".repeat(width - full), (share * 100.0).floor())
}

/// A duration, written as hours, minutes and seconds.
struct ClockTime(Duration);

impl std::fmt::Display for ClockTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = self.0.as_secs();
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        match hours {
            0 => write!(f, "{minutes}:{seconds:02}"),
            _ => write!(f, "{hours}:{minutes:02}:{seconds:02}"),
        }
    }
}

/// Columns and lines of the terminal on standard error; 80 and 24 if it is none.
#[must_use]
pub fn terminal_size() -> (usize, usize) {
    match rustix::termios::tcgetwinsize(io::stderr()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col.into(), size.ws_row.into()),
        _ => (80, 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress() -> Progress {
        Progress {
            title: "cup".to_owned(),
            played: 3,
            total: Some(12),
            elapsed: Duration::from_secs(61),
            left: Some(Duration::from_secs(3723)),
            running: vec![("a~b.4".to_owned(), Duration::from_secs(5))],
            leaders: vec![("a".to_owned(), 2.5, 3), ("bb".to_owned(), 0.5, 3)],
            bots: 2,
            remark: None,
        }
    }

    #[test]
    fn the_block_says_what_is_known() {
        let text = progress().text(Colour::No, 80, 24);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "cup   3 of 12 games   1:01 so far, about 1:02:03 left");
        assert!(lines[1].starts_with("█") && lines[1].ends_with("  25 %"), "{text}");
        assert_eq!(lines[2..], ["playing  a~b.4 0:05", "  a      2.5 of 3", "  bb     0.5 of 3"]);
    }

    #[test]
    fn it_keeps_to_the_terminal_and_is_drawn_in_its_place() {
        let mut board = ProgressBlock::new(Vec::new(), Colour::No);
        board.draw(&progress(), (24, 4));
        board.draw(&progress(), (24, 4));
        board.write_above("a~b.4 is over");
        let text = String::from_utf8(board.out).unwrap();
        assert!(text.lines().all(|line| line.chars().filter(|c| !c.is_control()).count() < 24 + 5), "{text}");
        assert_eq!(text.matches("\x1b[3A\x1b[J").count(), 2, "{text:?}");
        assert!(text.ends_with("a~b.4 is over\n"));
    }
}
