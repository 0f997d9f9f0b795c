//! The bots that are waited for before the first game, as the lines of a block.

use super::block::{ClockTime, TerminalSize};
use crate::report::anonymizer::Public;
use crate::text::counted;
use std::time::Duration;

/// What the bots are waited for, and which.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// What is done with them: `building` or `testing`.
    pub what: &'static str,
    /// The bots that are done.
    pub done: usize,
    /// All bots.
    pub total: usize,
    /// Time since the first one was begun.
    pub elapsed: Duration,
    /// Those at work, and since when.
    pub running: Vec<(Public<String>, Duration)>,
}

impl Waiting {
    /// The lines of a block of this number of columns and lines.
    #[must_use]
    pub fn lines(&self, (_, most): TerminalSize) -> Vec<String> {
        let mut lines = vec![self.counts()];
        let shown = match self.running.len() {
            all if all < most => all,
            _ => most.saturating_sub(2),
        };
        let width = self.running.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        for (name, time) in &self.running[..shown] {
            lines.push(format!("  {name:<width$}  {}", ClockTime(*time)));
        }
        if self.running.len() > shown {
            lines.push(format!("  and {} more", self.running.len() - shown));
        }
        lines
    }

    /// One line, for where there is no terminal.
    #[must_use]
    pub fn line(&self) -> String {
        let names: Vec<&str> = self.running.iter().map(|(name, _)| name.as_str()).collect();
        format!("{}, at work: {}", self.counts(), names.join(", "))
    }

    fn counts(&self) -> String {
        let bots = counted(self.total as u64, "bot");
        format!("{} {bots}   {} done   {}", self.what, self.done, ClockTime(self.elapsed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::anonymizer::Anonymizer;

    #[test]
    fn who_is_waited_for_is_named() {
        let [seconds, minutes] = [12, 75].map(Duration::from_secs);
        let running = [("ada", minutes), ("bo", seconds)];
        let running = running.map(|(name, time)| (Anonymizer::unchanged().name(name), time)).to_vec();
        let waiting = Waiting { what: "building", done: 3, total: 16, elapsed: minutes, running };
        let head = "building 16 bots   3 done   1:15";
        assert_eq!(waiting.lines((79, 23)), [head, "  ada  1:15", "  bo   0:12"]);
        assert_eq!(waiting.lines((79, 3)), [head, "  ada  1:15", "  bo   0:12"]);
        assert_eq!(waiting.lines((79, 2)), [head, "  and 2 more"]);
        assert_eq!(waiting.line(), format!("{head}, at work: ada, bo"));
    }
}
