//! A logged game as screens and pictures show it: for each ply the board after it, the squares that
//! it changed, both clocks, and the figures of the bot's note. A fold over [`Record::steps`].

use crate::clock::{Clock, FlagFall};
use crate::record::{Record, RecordStep};
use crate::{Note, TimeSettings};
use arbiter_rules::{BySide, ChangedSquare, Ply, Position, Side};
use std::time::Duration;

/// The most plies of a game that a [`Timeline`] has: each has a board of its own in memory. Games
/// of matches are shorter.
pub const MOST_PLIES: usize = 100_000;

/// A logged game, ply by ply.
///
/// ```
/// use arbiter_game::Settings;
/// use arbiter_game::record::read_log;
/// use arbiter_game::replay::Timeline;
/// let log = b"[White \"a\"] [Black \"b\"] [Result \"1-0\"] [Game \"loa\"] [Outcome \"win\"]
///     [Termination \"resign\"] 1. a2c4 {0.5s depth 3 score 0.25} c0b1 1-0";
/// let record = read_log(log).next().unwrap().unwrap();
/// let game = Timeline::new(record, &Settings::default().time);
/// assert_eq!(game.len(), 2);
/// let ply = game.moment(1).last.unwrap();
/// assert_eq!((ply.measured.depth, ply.measured.score), (Some(3.0), Some(0.25)));
/// assert_eq!(game.ply_text(1).as_deref(), Some("a2c4"));
/// ```
#[derive(Debug, Clone)]
pub struct Timeline {
    record: Record,
    moments: Vec<Moment>,
    end: TimelineEnd,
}

/// Where the moments of a game end.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TimelineEnd {
    /// After its last ply.
    Last,
    /// Before a ply that is illegal, for this reason.
    Illegal(String),
    /// Before the rest of a game that is longer than [`MOST_PLIES`].
    Long,
    /// At the end of the readable part of the log.
    Unreadable,
}

/// A game between two plies.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// The board.
    pub position: Position,
    /// The squares that the last ply changed; none before the first ply.
    pub changes: Vec<ChangedSquare>,
    /// How much time each side has for its next ply; `None` without a clock.
    pub clocks: BySide<Option<Duration>>,
    /// The last ply; `None` before the first one.
    pub last: Option<TimedPly>,
}

/// A ply with its time and the figures of its note.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimedPly {
    /// The side that played it.
    pub side: Side,
    pub ply: Ply,
    /// Its figures.
    pub measured: Measured,
}

/// The figures of a ply.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measured {
    /// The score that the bot gave itself, in its own unit; centipawns (`score cp 25`) count as
    /// hundredths.
    pub score: Option<f64>,
    /// The depth that it searched.
    pub depth: Option<f64>,
    /// The wall time that it used, in seconds.
    pub seconds: Option<f64>,
}

impl Measured {
    fn from_note(note: &Note) -> Measured {
        let text = String::from_utf8_lossy(&note.text);
        let mut score = number_after(&text, "score");
        // In `score cp 25` the number does not follow the word.
        if score.is_none() {
            score = number_after(&text, "cp").map(|centi| centi / 100.0);
        }
        let seconds = note.wall.map(|wall| wall.as_secs_f64());
        Measured { score, depth: number_after(&text, "depth"), seconds }
    }
}

/// The finite number after the first occurrence of a word.
fn number_after(text: &str, word: &str) -> Option<f64> {
    let mut words = text.split_ascii_whitespace();
    words.find(|&found| found == word)?;
    let number: f64 = words.next()?.parse().ok()?;
    number.is_finite().then_some(number)
}

impl Timeline {
    /// The game of a record, whose clocks ran under these settings; the record's plies may be
    /// illegal.
    pub fn new(record: Record, time: &TimeSettings) -> Timeline {
        let mut clocks =
            time.control.map(|control| Clock::new(control, time.first_move, time.margin));
        let mut shown = clocks.map(|clock| clock.budget());
        let start = Moment {
            position: record.start.clone(),
            changes: Vec::new(),
            clocks: shown,
            last: None,
        };
        let mut moments = vec![start];
        let mut end = TimelineEnd::Last;
        for RecordStep { side, before, ply, note, after, .. } in record.steps() {
            let position = match after {
                Ok(position) if moments.len() <= MOST_PLIES => position,
                Ok(_) => {
                    end = TimelineEnd::Long;
                    break;
                }
                Err(illegal) => {
                    end = TimelineEnd::Illegal(illegal.to_string());
                    break;
                }
            };
            if let Some(note) = note
                && let Some(wall) = note.wall
            {
                let used = time.charged().time(wall, note.cpu);
                // A flag that has fallen, which leaves the clock as it is, is shown as no time.
                shown[side] = match clocks[side].charge(used) {
                    Ok(()) => clocks[side].budget(),
                    Err(FlagFall) => Some(Duration::ZERO),
                };
            }
            let measured = note.map(Measured::from_note).unwrap_or_default();
            moments.push(Moment {
                position,
                changes: before.changes(ply),
                clocks: shown,
                last: Some(TimedPly { side, ply, measured }),
            });
        }
        Timeline { record, moments, end }
    }

    /// Marks the record as only the readable part of its log: how the game ended is not known.
    pub fn of_part(self) -> Timeline {
        let end = if self.end == TimelineEnd::Last { TimelineEnd::Unreadable } else { self.end };
        Timeline { end, ..self }
    }

    /// Whether the log says how the game ended, and can be read to there.
    pub fn is_whole(&self) -> bool {
        self.end != TimelineEnd::Unreadable
    }

    /// The log.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The number of plies that can be shown.
    pub fn len(&self) -> usize {
        self.moments.len() - 1
    }

    /// Whether there is no ply that can be shown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The game after this number of plies; at most [`len`](Timeline::len).
    ///
    /// # Panics
    /// The game has fewer plies.
    pub fn moment(&self, plies: usize) -> &Moment {
        &self.moments[plies]
    }

    /// The ply with this number, from 1.
    pub fn timed_ply(&self, number: usize) -> Option<&TimedPly> {
        self.moments.get(number)?.last.as_ref()
    }

    /// The text of the ply with this number, from 1.
    pub fn ply_text(&self, number: usize) -> Option<String> {
        Some(self.record.ruleset().ply_text(self.timed_ply(number)?.ply).to_string())
    }

    /// The note of the ply with this number, from 1.
    pub fn note(&self, number: usize) -> Option<&Note> {
        self.record.plies.get(number.checked_sub(1)?)?.note.as_ref()
    }

    /// The text of the illegal ply before which the moments end, and why it is illegal.
    pub fn illegal(&self) -> Option<(String, &str)> {
        let TimelineEnd::Illegal(why) = &self.end else { return None };
        let played = &self.record.plies[self.len()];
        Some((self.record.ruleset().ply_text(played.ply).to_string(), why))
    }

    /// Why the game cannot be shown to its end: a sentence; `None` if it can.
    pub fn trouble(&self) -> Option<String> {
        let next = self.len() + 1;
        if let Some((ply, why)) = self.illegal() {
            return Some(format!("ply {next}, {ply}, is illegal: {why}"));
        }
        match self.end {
            TimelineEnd::Long => Some(format!("the plies from {next} on are not shown")),
            TimelineEnd::Unreadable => Some(format!("the log cannot be read from ply {next} on")),
            TimelineEnd::Last | TimelineEnd::Illegal(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use crate::clock::TimeControl;
    use crate::record::read_log;

    fn timeline(moves: &str, control: &str) -> Timeline {
        let log = format!(
            "[White \"w\"] [Black \"b\"] [Result \"1-0\"] [Game \"loa\"] [Outcome \"win\"]
             [Termination \"resign\"] {moves} 1-0"
        );
        let record = read_log(log.as_bytes()).next().unwrap().unwrap();
        let settings = Settings::default().with_control(TimeControl::parse(control).unwrap());
        Timeline::new(record, &settings.time)
    }

    #[test]
    fn the_clocks_are_those_of_the_referee() {
        let game = timeline("1. a3c5 {1s} e7g5 {2.5s cpu 1s} 2. c5b6 {9.1s} c7c5 {20s}", "10+0.1");
        let clocks = |plies| game.moment(plies).clocks.map(|left| left.unwrap().as_millis());
        assert_eq!(clocks(0), BySide { first: 10_000, second: 10_000 });
        assert_eq!(clocks(1), BySide { first: 9_100, second: 10_000 });
        assert_eq!(clocks(2), BySide { first: 9_100, second: 7_600 });
        // In excess of the budget by less than the margin; then the flag has fallen.
        assert_eq!(clocks(3), BySide { first: 100, second: 7_600 });
        assert_eq!(clocks(4), BySide { first: 100, second: 0 });
        assert_eq!(timeline("1. a2c4", "-").moment(1).clocks, BySide::default());
    }

    #[test]
    fn figures_come_from_the_note() {
        for (note, score, depth) in [
            ("depth 5 score 0.25", Some(0.25), Some(5.0)),
            ("score cp -25 depth 3", Some(-0.25), Some(3.0)),
            ("score mate 3", None, None),
            ("score inf depth nan", None, None),
            ("score", None, None),
            ("I like it", None, None),
        ] {
            let game = timeline(&format!("1. a2c4 {{0.5s {note}}}"), "-");
            let measured = game.timed_ply(1).unwrap().measured;
            assert_eq!((measured.score, measured.depth), (score, depth), "{note}");
            assert_eq!(measured.seconds, Some(0.5));
        }
    }

    #[test]
    fn an_illegal_ply_ends_the_moments() {
        let game = timeline("1. a2c4 c0b1 2. a4h4 c1c2", "-");
        assert_eq!(game.len(), 2);
        let trouble = game.trouble().unwrap();
        assert!(trouble.starts_with("ply 3, a4h4, is illegal: "), "{trouble}");
        let whole = timeline("1. a2c4", "-");
        assert_eq!((whole.trouble(), whole.is_whole()), (None, true));
        let part = whole.of_part();
        assert_eq!(part.trouble().as_deref(), Some("the log cannot be read from ply 2 on"));
    }
}
