//! The clocks of one game: how much time a ply may use, and how much is left after it.
//!
//! Owns [`TimeControl`], [`Charged`] and [`Clock`]. It never reads the time: the caller measures
//! it, and [`Clock::charge`] judges (docs/reference/clocks.md, What is charged).
//!
//! ```
//! use arbiter_game::clock::{Clock, TimeControl};
//! use std::time::Duration;
//! let control = TimeControl::parse("10+0.1").unwrap();
//! let mut clock = Clock::new(control, None, Duration::from_millis(20));
//! assert!(clock.charge(Duration::from_millis(12)).is_ok());
//! assert_eq!(clock.budget(), Some(Duration::from_millis(10_088)));
//! ```

use std::fmt;
use std::time::Duration;

/// The time control of one side of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeControl {
    /// A stock for the whole game, and an increment.
    Game {
        /// The stock at the start.
        base: Duration,
        /// Added after each ply.
        increment: Duration,
    },
    /// The same time for each ply, nothing carried over.
    Ply(Duration),
    /// No clock at all.
    Unlimited,
}

impl Default for TimeControl {
    /// 10 s, and 100 ms for each ply, as in [`TimeSettings`](crate::TimeSettings).
    fn default() -> TimeControl {
        TimeControl::Game { base: Duration::from_secs(10), increment: Duration::from_millis(100) }
    }
}

/// Which time a move is charged with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Charged {
    /// Wall time.
    Wall,
    /// The processor time of the bot's processes, so that the verdict does not depend on other load
    /// of the machine. A cap on wall time stops a bot that sleeps.
    Cpu(WallCap),
}

impl Charged {
    /// The limit of wall time for a ply with this budget and margin.
    ///
    /// ```
    /// use arbiter_game::clock::{Charged, WallCap};
    /// use std::time::Duration;
    /// let [margin, budget] = [20, 500].map(Duration::from_millis);
    /// assert_eq!(Charged::Wall.wall_limit(budget, margin), Duration::from_millis(520));
    /// let cap = WallCap { factor: 3.0, plus: Duration::from_secs(1) };
    /// assert_eq!(Charged::Cpu(cap).wall_limit(budget, margin), Duration::from_millis(2_520));
    /// ```
    pub fn wall_limit(self, budget: Duration, margin: Duration) -> Duration {
        match self {
            Charged::Wall => budget + margin,
            Charged::Cpu(cap) => cap.wall_time(budget) + margin,
        }
    }

    /// The time that a ply is charged with. If the processor time is not known, because the program
    /// has ended, wall time is charged, which is at least as much for a program of one thread.
    pub fn time(self, wall: Duration, cpu: Option<Duration>) -> Duration {
        match self {
            Charged::Wall => wall,
            Charged::Cpu(_) => cpu.unwrap_or(wall),
        }
    }
}

/// The cap on the wall time of a ply when processor time is charged: `3x+1s`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallCap {
    /// The factor of the ply's limit; 1 to 1000.
    pub factor: f64,
    /// The time added to it.
    pub plus: Duration,
}

impl WallCap {
    /// The default, `3x+1s` (docs/reference/configuration.md).
    pub const DEFAULT: WallCap = WallCap { factor: 3.0, plus: Duration::from_secs(1) };

    /// Reads a factor from 1 to 1000 and a time: `3x+1s`, `2x`.
    ///
    /// # Errors
    /// A sentence that says what would be right.
    pub fn parse(text: &str) -> Result<WallCap, TimeError> {
        read_wall_cap(text).ok_or_else(|| TimeError {
            text: text.to_owned(),
            what: "write a factor from 1 to 1000 and a time, such as 3x+1s",
            kind: "cap on wall time",
        })
    }

    /// The cap for a ply with this limit.
    pub fn wall_time(self, limit: Duration) -> Duration {
        limit.mul_f64(self.factor) + self.plus
    }
}

fn read_wall_cap(text: &str) -> Option<WallCap> {
    let (factor, plus) = text.split_once('x')?;
    // Rust also reads `1e3`, `inf` and `+1`.
    let is_plain = factor.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let factor = factor.parse::<f64>().ok()?;
    if !is_plain || !(1.0..=1000.0).contains(&factor) {
        return None;
    }
    let plus = match plus.strip_prefix('+') {
        Some(plus) => parse_duration(plus).ok()?,
        None if plus.is_empty() => Duration::ZERO,
        None => return None,
    };
    Some(WallCap { factor, plus })
}

/// Why a time control, a length of time or a cap cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a {kind}: {what}")]
pub struct TimeError {
    text: String,
    what: &'static str,
    kind: &'static str,
}

impl TimeControl {
    /// Reads `BASE+INC` or `BASE` in seconds, `1/SECONDS` for a time a ply, and `-` or `none` for
    /// no clock: what a log's `TimeControl` tag and `--time` write.
    ///
    /// # Errors
    /// Anything else, and times above a year.
    pub fn parse(text: &str) -> Result<TimeControl, TimeError> {
        let what = match read_control(text) {
            Some(control) if control.initial() != Some(Duration::ZERO) => return Ok(control),
            Some(_) => "the time must be more than 0",
            None => "write BASE+INC in seconds, such as 10+0.1",
        };
        Err(TimeError { text: text.to_owned(), what, kind: "time control" })
    }

    /// The keys in a configuration with their values; without a clock `base` is `none`.
    pub fn keys(self) -> Vec<(&'static str, String)> {
        match self {
            TimeControl::Game { base, increment } => {
                vec![("base", duration_text(base)), ("increment", duration_text(increment))]
            }
            TimeControl::Ply(time) => vec![("move", duration_text(time))],
            TimeControl::Unlimited => vec![("base", "none".to_owned())],
        }
    }

    /// The budget of a bot's first move, unless that has a limit of its own; `None` without a
    /// clock.
    pub fn initial(self) -> Option<Duration> {
        match self {
            TimeControl::Game { base, .. } => Some(base),
            TimeControl::Ply(time) => Some(time),
            TimeControl::Unlimited => None,
        }
    }
}

fn read_control(text: &str) -> Option<TimeControl> {
    if matches!(text, "-" | "none") {
        return Some(TimeControl::Unlimited);
    }
    if let Some(time) = text.strip_prefix("1/") {
        return Some(TimeControl::Ply(parse_seconds(time)?));
    }
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some(TimeControl::Game { base: parse_seconds(base)?, increment: parse_seconds(increment)? })
}

impl fmt::Display for TimeControl {
    /// Writes the `TimeControl` tag: `10+0.1`, `1/0.5` or `-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TimeControl::Game { base, increment } => {
                write!(f, "{}+{}", Seconds(base), Seconds(increment))
            }
            TimeControl::Ply(time) => write!(f, "1/{}", Seconds(time)),
            TimeControl::Unlimited => f.write_str("-"),
        }
    }
}

/// Writes a duration in seconds with as many decimals as it needs.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = format!("{:09}", self.0.subsec_nanos());
        let decimals = nanos.trim_end_matches('0');
        let point = if decimals.is_empty() { "" } else { "." };
        write!(f, "{}{point}{decimals}", self.0.as_secs())
    }
}

/// Reads a plain decimal number of seconds, at most a year.
fn parse_seconds(text: &str) -> Option<Duration> {
    const YEAR: u64 = 365 * 24 * 3600;
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_plain = whole.bytes().chain(decimals.bytes()).all(|b| b.is_ascii_digit());
    let is_empty = whole.is_empty() && decimals.is_empty();
    if !is_plain || is_empty || decimals.len() > 9 {
        return None;
    }
    let seconds = if whole.is_empty() { 0 } else { whole.parse::<u64>().ok()? };
    let nanos = format!("{decimals:0<9}").parse().ok()?;
    (seconds <= YEAR).then(|| Duration::new(seconds, nanos))
}

/// Reads a duration of the configuration or of a flag: `500ms`, `10s`, `1.5s`, `2min`, `1h`.
/// Without a unit it is in seconds, as in a time control.
///
/// # Errors
/// A sentence that says what would be right.
pub fn parse_duration(text: &str) -> Result<Duration, TimeError> {
    read_duration(text).ok_or_else(|| TimeError {
        text: text.to_owned(),
        what: "write a number and a unit, such as 500ms, 10s or 2min",
        kind: "length of time",
    })
}

fn read_duration(text: &str) -> Option<Duration> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let milliseconds = match &text[number.len()..] {
        "ms" => 1,
        "" | "s" => 1_000,
        "min" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    Some(parse_seconds(number)? * milliseconds / 1_000)
}

/// A length of time in seconds or milliseconds, exactly.
pub fn duration_text(duration: Duration) -> String {
    let nanos = duration.subsec_nanos();
    if nanos > 0 && nanos.is_multiple_of(1_000_000) {
        format!("{}ms", duration.as_millis())
    } else {
        format!("{}s", Seconds(duration))
    }
}

/// The clock of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
    /// The limit of the first ply, until that is played.
    first: Option<Duration>,
    margin: Duration,
}

/// The flag has fallen: the ply used more than its budget and the margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlagFall;

impl Clock {
    /// A clock before the game. `first` is a separate limit for the first ply, which is then not
    /// charged to the stock; `margin` is how far a ply may exceed its budget without losing.
    pub fn new(control: TimeControl, first: Option<Duration>, margin: Duration) -> Clock {
        Clock { control, remaining: control.initial().unwrap_or_default(), first, margin }
    }

    /// How much time the next ply may use, increment included; `None` without a clock.
    pub fn budget(&self) -> Option<Duration> {
        self.first.or(match self.control {
            TimeControl::Game { .. } => Some(self.remaining),
            TimeControl::Ply(_) | TimeControl::Unlimited => self.control.initial(),
        })
    }

    /// The time after which the flag falls, counted from the start of the ply: the budget plus the
    /// margin; `None` without a clock.
    pub fn limit(&self) -> Option<Duration> {
        Some(self.budget()? + self.margin)
    }

    /// Charges a ply with the time it used.
    ///
    /// # Errors
    /// The flag has fallen; the clock is unchanged.
    pub fn charge(&mut self, used: Duration) -> Result<(), FlagFall> {
        if self.limit().is_some_and(|limit| used > limit) {
            return Err(FlagFall);
        }
        // The first ply takes nothing from the stock if it had a limit of its own.
        if self.first.take().is_none()
            && let TimeControl::Game { increment, .. } = self.control
        {
            // A ply within the margin may use more than there was.
            self.remaining = self.remaining.saturating_sub(used) + increment;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_stock_shrinks_by_use_and_grows_by_the_increment() {
        let mut clock =
            Clock::new(TimeControl::Game { base: ms(1000), increment: ms(100) }, None, ms(20));
        assert_eq!(clock.charge(ms(400)), Ok(()));
        assert_eq!(clock.budget(), Some(ms(700)));
        assert_eq!(clock.charge(ms(715)), Ok(()), "within the margin");
        assert_eq!(clock.budget(), Some(ms(100)), "never below nothing, then the increment");
        assert_eq!(clock.charge(ms(120)), Ok(()), "to the edge of the margin");
        assert_eq!(clock.charge(ms(120) + Duration::from_nanos(1)), Err(FlagFall));
    }

    #[test]
    fn a_time_a_ply_is_the_same_for_each() {
        let mut clock = Clock::new(TimeControl::Ply(ms(500)), None, ms(0));
        for _ in 0..3 {
            assert_eq!(clock.budget(), Some(ms(500)));
            assert_eq!(clock.charge(ms(500)), Ok(()));
        }
        assert_eq!(clock.charge(ms(501)), Err(FlagFall));
    }

    #[test]
    fn a_first_ply_may_have_a_limit_of_its_own() {
        let control = TimeControl::Game { base: ms(1000), increment: ms(50) };
        let mut clock = Clock::new(control, Some(ms(5000)), ms(0));
        assert_eq!(clock.charge(ms(5001)), Err(FlagFall));
        assert_eq!(clock.charge(ms(4999)), Ok(()));
        assert_eq!(clock.budget(), Some(ms(1000)));
    }

    #[test]
    fn no_clock_never_falls() {
        let mut clock = Clock::new(TimeControl::Unlimited, None, ms(0));
        assert_eq!(clock.charge(Duration::from_secs(1 << 40)), Ok(()));
        assert_eq!(clock.budget(), None);
        let mut first_ply = Clock::new(TimeControl::Unlimited, Some(ms(5)), ms(0));
        assert_eq!(
            first_ply.charge(ms(6)),
            Err(FlagFall),
            "but for a first ply with a limit of its own"
        );
        assert_eq!(first_ply.charge(ms(5)), Ok(()));
        assert_eq!(first_ply.budget(), None);
    }

    #[test]
    fn time_controls_are_read_as_they_are_written() {
        for text in ["10+0.1", "1/0.5", "-", "2+0", "0.000000001+3"] {
            assert_eq!(TimeControl::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(TimeControl::parse("5").unwrap().to_string(), "5+0");
        assert_eq!(TimeControl::parse("none").unwrap(), TimeControl::Unlimited);
        for text in [
            "",
            "+",
            "x",
            "1+",
            "0+1",
            "-1",
            "1e3",
            "1/0",
            "1+2+3",
            "99999999999",
            "1.0000000001",
            ".",
        ] {
            assert!(TimeControl::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_have_units_or_are_seconds() {
        assert_eq!(parse_duration("500ms").unwrap(), ms(500));
        assert_eq!(parse_duration("1.5s").unwrap(), ms(1500));
        assert_eq!(parse_duration("2min").unwrap(), ms(120_000));
        assert_eq!(parse_duration("2").unwrap(), ms(2000));
        assert_eq!(parse_duration("0.05").unwrap(), ms(50));
        for text in ["", "s", "5 s", "5S", "-5", "-5s", "5days"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_cap_on_wall_time_is_a_factor_and_a_time() {
        let read = |text: &str| WallCap::parse(text).ok().map(|cap| cap.wall_time(ms(100)));
        assert_eq!(read("3x+1s"), Some(ms(1300)));
        assert_eq!(read("1.5x"), Some(ms(150)));
        assert_eq!(WallCap::parse("3x+1s"), Ok(WallCap::DEFAULT));
        for text in ["", "x", "3", "3x+", "0.5x", "1001x", "3x1s", "-3x", "NaNx", "infx", "1e2x"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
