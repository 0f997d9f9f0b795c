//! The progress of a tournament or match, as the lines of a block.

use super::block::{ClockTime, TerminalSize};
use std::time::Duration;

/// The least time between two drawings of the block.
pub const PROGRESS_FRAME: Duration = Duration::from_millis(200);
/// The most running games that are shown.
const RUNNING: usize = 8;

/// What the block shows.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// The name of the tournament, or of what is played.
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

impl Progress {
    /// The most bots that are shown.
    pub const LEADERS: usize = 10;

    /// The lines of a block of at most this many columns and lines.
    #[must_use]
    pub fn lines(&self, (columns, most): TerminalSize) -> Vec<String> {
        let mut rows = vec![self.counts(columns), bar(self.played, self.total, columns.min(72))];
        if !self.running.is_empty() {
            rows.push(self.running(columns));
        }
        rows.extend(self.remark.clone());
        let width = self.leaders.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or_default();
        let others = |shown: usize| self.bots.saturating_sub(shown);
        let room = most.saturating_sub(rows.len());
        let shown = match self.leaders.len() {
            all if all <= room && others(all) == 0 => all,
            all => all.min(room.saturating_sub(1)),
        };
        for (name, points, games) in &self.leaders[..shown] {
            rows.push(format!("  {name:<width$}  {points:>6.1} of {games}"));
        }
        if shown > 0 && others(shown) > 0 {
            let noun = if others(shown) == 1 { "bot" } else { "bots" };
            rows.push(format!("  and {} more {noun}", others(shown)));
        }
        rows
    }

    /// The running games, as many as fit into a line.
    fn running(&self, columns: usize) -> String {
        let games = self.running.iter().map(|(id, time)| format!("  {id} {}", ClockTime(*time)));
        let more = |count: usize| if count == 0 { String::new() } else { format!("  and {count} more") };
        let mut line = "playing".to_owned();
        for (index, game) in games.enumerate() {
            let left = self.running.len() - index - 1;
            let length = [&line, &game, &more(left)].map(|part| part.chars().count()).iter().sum::<usize>();
            if index == RUNNING || index > 0 && length > columns {
                return line + &more(left + 1);
            }
            line += &game;
        }
        line
    }

    /// The first line, shortened if it does not fit.
    fn counts(&self, columns: usize) -> String {
        let games = match self.total {
            Some(total) => format!("{} of {total} games", self.played),
            None => format!("{} games", self.played),
        };
        let time = ClockTime(self.elapsed);
        let [about, left] = match self.left.map(ClockTime) {
            Some(left) => [format!(", about {left} left"), format!(", {left} left")],
            None => Default::default(),
        };
        let head = format!("{}   {games}", self.title);
        let lines = [
            format!("{head}   {time} so far{about}"),
            format!("{head}   {time}{left}"),
            format!("{games}   {time}{left}"),
        ];
        let [_, _, shortest] = &lines;
        lines.iter().find(|line| line.chars().count() <= columns).unwrap_or(shortest).clone()
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
        let lines = progress().lines((79, 23));
        assert_eq!(lines[0], "cup   3 of 12 games   1:01 so far, about 1:02:03 left");
        assert!(lines[1].starts_with("█") && lines[1].ends_with("  25 %"), "{lines:?}");
        assert_eq!(lines[2..], ["playing  a~b.4 0:05", "  a      2.5 of 3", "  bb     0.5 of 3"]);
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let mut progress = progress();
        assert_eq!(progress.lines((40, 4))[3..], ["  and 2 more bots"; 0], "no room for one and the others");
        progress.bots = 7;
        assert_eq!(progress.lines((40, 5))[3..], ["  a      2.5 of 3", "  and 6 more bots"]);
        progress.running = vec![("search~greedy.1".to_owned(), Duration::ZERO); 3];
        assert_eq!(progress.lines((50, 23))[0], "cup   3 of 12 games   1:01, 1:02:03 left");
        assert_eq!(progress.lines((32, 23))[0], "3 of 12 games   1:01, 1:02:03 left");
        assert_eq!(progress.lines((40, 23))[2], "playing  search~greedy.1 0:00  and 2 more");
    }
}
