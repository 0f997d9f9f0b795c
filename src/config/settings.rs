//! What each table of the configuration says, and what it says when it is silent.

use super::words::*;
use crate::clock::{TimeControl, WallCap};
use std::time::Duration;

/// `[schedule]`: which games are played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleConfig {
    /// Who meets whom.
    pub format: Format,
    /// Games a pairing; at least 1.
    pub games: u32,
    /// How often everybody meets, or rounds of a Swiss tournament; at least 1.
    pub rounds: u32,
    /// Gauntlet: how many of the first bots meet the rest; at least 1.
    pub challengers: u32,
    /// Knockout: games a pairing; even.
    pub best_of: u32,
    /// Random plies before the bots take over, unless there is a file of openings; 0 for none.
    pub opening_plies: u32,
    /// A file of position texts, as it was written.
    pub openings: Option<String>,
    /// Where everything random comes from.
    pub seed: u64,
    /// The number of forfeits of one bot that ends the run; 0 for never.
    pub stop_after_forfeits: u32,
}

impl Default for ScheduleConfig {
    fn default() -> Self {
        ScheduleConfig {
            format: Format::RoundRobin,
            games: 2,
            rounds: 1,
            challengers: 1,
            best_of: 2,
            opening_plies: 4,
            openings: None,
            seed: 0,
            stop_after_forfeits: 0,
        }
    }
}

/// `[sprt]`: the test of the first bot against the second.
#[derive(Debug, Clone, PartialEq)]
pub struct SprtConfig {
    /// The Elo difference of H0.
    pub elo0: f64,
    /// The Elo difference of H1; above `elo0`.
    pub elo1: f64,
    /// The chance to find H1 where H0 holds; between 0 and 1, together with `beta` below 1.
    pub alpha: f64,
    /// The chance to find H0 where H1 holds; between 0 and 1.
    pub beta: f64,
    /// The unit of the two differences.
    pub model: Model,
    /// How many pairs are played at most.
    pub max_pairs: u32,
}

impl Default for SprtConfig {
    fn default() -> Self {
        SprtConfig {
            elo0: 0.0,
            elo1: 20.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Normalized,
            max_pairs: 2000,
        }
    }
}

/// `[ratings]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RatingsConfig {
    /// The bot that gets rating 0; without one the mean is 0.
    pub anchor: Option<String>,
}

/// `[time]`: how long bots may think.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeConfig {
    /// A stock and an increment, or a time for each ply; never [`TimeControl::Unlimited`].
    pub control: TimeControl,
    /// A limit of its own for a bot's first ply.
    pub first_move: Option<Duration>,
    /// How long a bot has to say that it is ready.
    pub start: Duration,
    /// What a ply may be over its limit without losing.
    pub margin: Duration,
    /// Which time is charged.
    pub clock: ClockKind,
    /// The most wall time of a ply where processor time is charged.
    pub wall_cap: WallCap,
    /// Whether a bot off move runs on.
    pub pondering: Pondering,
}

impl Default for TimeConfig {
    fn default() -> Self {
        TimeConfig {
            control: TimeControl::Game {
                base: Duration::from_secs(10),
                increment: Duration::from_millis(100),
            },
            first_move: None,
            start: Duration::from_secs(10),
            margin: Duration::from_millis(20),
            clock: ClockKind::Wall,
            wall_cap: WallCap::DEFAULT,
            pondering: Pondering::Off,
        }
    }
}

/// `[match]`: what a game allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchConfig {
    /// Answers before an illegal one loses; at least 1.
    pub attempts: u32,
    /// The number of plies that draws; 0 for the larger of 400 and twice the number of squares.
    pub max_plies: u32,
    /// The occurrence of a position that draws, at least 2; 0 for never.
    pub repetition: u32,
    /// Whether a worker has a core of its own.
    pub pin: Pin,
    /// What becomes of a game that the machine disturbed.
    pub replay_disturbed: Disturbed,
}

impl Default for MatchConfig {
    fn default() -> Self {
        MatchConfig {
            attempts: 1,
            max_plies: 0,
            repetition: 3,
            pin: Pin::Auto,
            replay_disturbed: Disturbed::Counts,
        }
    }
}

/// `[limits]`: what a bot may use and reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitsConfig {
    /// What is kept from it.
    pub sandbox: Sandbox,
    /// The level below which nothing is played.
    pub require_isolation: Option<Sandbox>,
    /// Memory of all its processes, in bytes.
    pub memory: u64,
    /// How many processes it may be; more than 1 allows fork.
    pub processes: u32,
    /// How many threads all of them may have together.
    pub threads: u32,
    /// What it may write to stdout for a ply, in bytes; to stderr ten times this a game.
    pub output: u64,
    /// How long its `build` may take.
    pub build_time: Duration,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        LimitsConfig {
            sandbox: Sandbox::Strict,
            require_isolation: None,
            memory: 512 << 20,
            processes: 1,
            threads: 64,
            output: 1 << 20,
            build_time: Duration::from_secs(300),
        }
    }
}

/// A line of `[expect]`: what the run is there to show.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// The bot.
    pub bot: String,
    /// How its score share is compared.
    pub relation: Relation,
    /// With what; 0 to 1.
    pub share: f64,
}

impl Expectation {
    /// Whether a score share from 0 to 1 is as expected.
    #[must_use]
    pub fn holds(&self, share: f64) -> bool {
        match self.relation {
            Relation::AtLeast => share >= self.share,
            Relation::Above => share > self.share,
            Relation::AtMost => share <= self.share,
            Relation::Below => share < self.share,
            // Not in vain: 0.6 is the same number as 3.0 / 5.0.
            Relation::Exactly => share == self.share,
        }
    }
}

/// `[publish]`: what others get to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishConfig {
    /// What bots are called.
    pub names: Names,
    /// Who may read their stderr.
    pub stderr: Stderr,
    /// What a case of the JUnit file is.
    pub junit: Junit,
}

impl Default for PublishConfig {
    fn default() -> Self {
        PublishConfig { names: Names::Name, stderr: Stderr::Private, junit: Junit::Bots }
    }
}
