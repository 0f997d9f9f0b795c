//! The bots that are waited for before the first game, as the lines of a block.

use super::block::{ClockTime, TerminalSize};
use arbiter_rules::text::counted;
use std::time::Instant;

/// What the bots are waited for, and which.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// What is done with them: `building` or `testing`.
    pub what: &'static str,
    /// The bots that are done.
    pub done: usize,
    /// All bots.
    pub total: usize,
    /// When the first one was begun.
    pub began: Instant,
    /// Those at work, and since when.
    pub running: Vec<(String, Instant)>,
}

impl Waiting {
    /// The lines of a block of this number of columns and lines, at this time.
    pub fn lines(&self, (_, most): TerminalSize, now: Instant) -> Vec<String> {
        let mut lines = vec![self.counts(now)];
        let all = self.running.len();
        let shown = if all < most { all } else { most.saturating_sub(2) };
        let mut width = 0;
        for (name, _) in &self.running {
            width = width.max(name.chars().count());
        }
        for (name, since) in &self.running[..shown] {
            let waited = ClockTime(now.saturating_duration_since(*since));
            lines.push(format!("  {name:<width$}  {waited}"));
        }
        if self.running.len() > shown {
            lines.push(format!("  and {} more", self.running.len() - shown));
        }
        lines
    }

    /// One line, for where there is no terminal.
    pub fn line(&self, now: Instant) -> String {
        let names: Vec<&str> = self.running.iter().map(|(name, _)| name.as_str()).collect();
        format!("{}, at work: {}", self.counts(now), names.join(", "))
    }

    fn counts(&self, now: Instant) -> String {
        let elapsed = ClockTime(now.saturating_duration_since(self.began));
        let bots = counted(self.total as u64, "bot");
        format!("{} {bots}   {} done   {elapsed}", self.what, self.done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn who_is_waited_for_is_named() {
        let began = Instant::now();
        let [at, now] = [63, 75].map(|seconds| began + Duration::from_secs(seconds));
        let running = [("ada", began), ("bo", at)];
        let running = running.map(|(name, since)| (name.to_owned(), since)).to_vec();
        let waiting = Waiting { what: "building", done: 3, total: 16, began, running };
        let head = "building 16 bots   3 done   1:15";
        assert_eq!(waiting.lines((79, 23), now), [head, "  ada  1:15", "  bo   0:12"]);
        assert_eq!(waiting.lines((79, 3), now), [head, "  ada  1:15", "  bo   0:12"]);
        assert_eq!(waiting.lines((79, 2), now), [head, "  and 2 more"]);
        assert_eq!(waiting.line(now), format!("{head}, at work: ada, bo"));
    }
}
