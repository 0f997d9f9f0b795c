//! The time that the plies of a game took, if that shows that its bots waited for a processor or
//! slept.

use super::Record;
use crate::Note;
use crate::clock::TimeControl;
use arbiter_rules::BySide;
use std::str::SplitAsciiWhitespace;
use std::time::Duration;

/// The tag with the times of both sides, the first side first.
const TIMES: &str = "Times";
/// Waits are notable from this part (1/n) of the time that the clock gave the bot. The time that it
/// used is no measure: a quick bot on a busy machine waits for most of that, and it does no harm.
const PART: u32 = 10;
/// If processor time is charged, a bot sleeps whose plies take at least this long on average, and
/// at least this many times their processor time.
const LONG_PLY: Duration = Duration::from_millis(200);
const TIMES_CPU: u32 = 5;

/// Sums over the plies of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SideTimes {
    /// The number of plies with a time.
    pub plies: u32,
    /// Wall time.
    pub wall: Duration,
    /// Processor time, as far as it is known.
    pub cpu: Duration,
    /// How long the bot waited for a processor, if that is [notable](notable_wait).
    pub waited: Duration,
}

impl SideTimes {
    /// Adds a ply.
    pub fn add(&mut self, note: &Note) {
        if let Some(wall) = note.wall {
            self.plies += 1;
            self.wall += wall;
            self.cpu += note.cpu.unwrap_or_default();
        }
    }

    /// Adds the plies of another game.
    pub fn add_all(&mut self, other: SideTimes) {
        self.plies += other.plies;
        self.wall += other.wall;
        self.cpu += other.cpu;
        self.waited += other.waited;
    }

    /// Whether the bot slept for most of its time.
    pub fn sleeps(&self) -> bool {
        // The machine, not the bot, decides how long it waits for a processor.
        let wall = self.wall.saturating_sub(self.waited);
        self.plies > 0 && wall >= LONG_PLY * self.plies && wall >= self.cpu * TIMES_CPU
    }

    fn read(words: &mut SplitAsciiWhitespace<'_>) -> Option<SideTimes> {
        let plies = words.next()?.parse().ok()?;
        Some(SideTimes { plies, wall: time(words)?, cpu: time(words)?, waited: time(words)? })
    }

    fn text(&self) -> String {
        let [wall, cpu, waited] = [self.wall, self.cpu, self.waited].map(|time| time.as_secs_f64());
        format!("{} {wall:.3} {cpu:.3} {waited:.3}", self.plies)
    }
}

/// How long a bot waited for a processor in a game, if that is a notable part of the time that this
/// clock gave it for its plies; otherwise 0.
pub fn notable_wait(waited: Duration, plies: u32, control: TimeControl) -> Duration {
    let given = match control {
        TimeControl::Unlimited => return Duration::ZERO,
        TimeControl::Game { base, increment } => base + increment * plies,
        TimeControl::Ply(limit) => limit * plies,
    };
    if plies > 0 && waited * PART >= given { waited } else { Duration::ZERO }
}

/// The next word, a number of seconds.
fn time(words: &mut SplitAsciiWhitespace<'_>) -> Option<Duration> {
    Duration::try_from_secs_f64(words.next()?.parse().ok()?).ok()
}

impl Record {
    /// The times of both sides; `None` if the log does not have them, because they show nothing
    /// notable.
    pub fn times(&self) -> Option<BySide<SideTimes>> {
        let (_, text) = self.more.iter().find(|(name, _)| name == TIMES)?;
        let mut words = text.split_ascii_whitespace();
        Some(BySide { first: SideTimes::read(&mut words)?, second: SideTimes::read(&mut words)? })
    }

    /// Notes the times of both sides.
    pub fn note_times(&mut self, times: &BySide<SideTimes>) {
        let text = format!("{} {}", times.first.text(), times.second.text());
        self.more.push((TIMES.to_owned(), text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(plies: u32, [wall, cpu, waited]: [u64; 3]) -> SideTimes {
        let [wall, cpu, waited] = [wall, cpu, waited].map(Duration::from_millis);
        SideTimes { plies, wall, cpu, waited }
    }

    #[test]
    fn a_bot_that_takes_long_and_neither_computes_nor_waits_sleeps() {
        for (of, expected, why) in [
            (times(10, [30_000, 100, 0]), true, "it sleeps"),
            (times(10, [30_000, 29_000, 0]), false, "it computes"),
            (times(10, [30_000, 100, 29_900]), false, "it waits"),
            (times(10, [1_000, 0, 0]), false, "it is quick"),
            (times(0, [0, 0, 0]), false, "it was not asked"),
        ] {
            assert_eq!(of.sleeps(), expected, "{why}");
        }
    }

    #[test]
    fn waits_are_notable_from_a_tenth_of_the_time_that_the_clock_gave() {
        let second = Duration::from_secs(1);
        let stock = TimeControl::Game { base: second, increment: second };
        for (control, least) in [(TimeControl::Ply(second), 300), (stock, 400)] {
            let least = Duration::from_millis(least);
            assert_eq!(notable_wait(least, 3, control), least, "{control:?}");
            assert!(
                notable_wait(least - Duration::from_millis(1), 3, control).is_zero(),
                "{control:?}"
            );
        }
        assert!(
            notable_wait(second, 3, TimeControl::Unlimited).is_zero(),
            "there is nothing to lose"
        );
    }

    #[test]
    fn the_times_in_a_log_are_read_as_they_were_written() {
        let log = b"[White \"a\"] [Black \"b\"] [Result \"1-0\"] [Game \"loa\"] [Outcome \"win\"]
            [Termination \"resign\"] 1. a2c4 c0b1 1-0";
        let mut record = crate::record::read_log(log).next().unwrap().unwrap();
        assert_eq!(record.times(), None);
        let noted =
            BySide { first: times(30, [93_104, 412, 20]), second: times(29, [310, 300, 0]) };
        record.note_times(&noted);
        assert_eq!(record.times(), Some(noted));
    }
}
