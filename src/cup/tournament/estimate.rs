//! What a tournament takes, before it is played: games, the time of its bots, and into how many
//! shards to divide it.
//!
//! ```
//! use arbiter_cup::tournament::{Effort, Estimate};
//! use std::time::Duration;
//! let game = Duration::from_secs(36);
//! let effort = Effort { game, wall: game, is_bound: false };
//! let effort = Some(effort);
//! let estimate =
//!     Estimate { games: 1000, is_most: false, bots: 11, cores_of_game: 1, at_once: 4, effort };
//! assert_eq!(estimate.core_time(), Some(Duration::from_secs(36_000)));
//! assert_eq!(estimate.wall_time(), Some(Duration::from_secs(9_000)));
//! assert_eq!(estimate.shards(500), Some(3)); // each takes about an hour
//! ```

use arbiter_config::Config;
use std::time::Duration;

/// How long the games of a shard should take: starting one costs less than a minute, and a lost one
/// is soon played again.
const SHARD: Duration = Duration::from_secs(3600);

/// How long the bots of a game think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// The time of both together, by their clocks.
    pub game: Duration,
    /// The wall time of the game, which is longer where processor time is charged and bots sleep.
    pub wall: Duration,
    /// Whether that is the most that the clocks allow, not the mean of games that were played.
    pub is_bound: bool,
}

/// What is to be played, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// The games that are not played yet.
    pub games: u64,
    /// Whether these are the most, because tests may end the games before.
    pub is_most: bool,
    pub bots: usize,
    /// The cores that a game takes.
    pub cores_of_game: u32,
    /// The games that are played at a time.
    pub at_once: u32,
    /// How long a game takes; `None` if nothing limits it.
    pub effort: Option<Effort>,
}

impl Estimate {
    fn games(&self) -> u32 {
        u32::try_from(self.games).unwrap_or(u32::MAX)
    }

    /// The time of all bots on their cores.
    pub fn core_time(&self) -> Option<Duration> {
        let effort = self.effort?;
        Some(effort.game.saturating_mul(self.games()).saturating_mul(self.cores_of_game))
    }

    /// The time until the last game has ended, in one run.
    pub fn wall_time(&self) -> Option<Duration> {
        Some(self.effort?.wall.saturating_mul(self.games()) / self.at_once.max(1))
    }

    /// The number of shards that take about an hour each, of these many pairs that can be played at
    /// once. They are not made for bots that sleep as long as they may.
    pub fn shards(&self, pairs: u64) -> Option<u64> {
        let time = self.effort?.game.saturating_mul(self.games()) / self.at_once.max(1);
        let hours = time.as_secs_f64() / SHARD.as_secs_f64();
        Some((hours.ceil() as u64).clamp(1, pairs.max(1)))
    }
}

/// The pairs that can be played at once, of these many games: no more than those of a round where
/// rounds depend on each other.
pub fn pairs_at_once(config: &Config, bots: usize, games: u64) -> u64 {
    games.div_ceil(2).min(config.schedule.format.pairs_at_once(bots))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Config {
        let bots = ["a", "b"].map(|name| format!("[[bot]]\nname = '{name}'\ncommand = 'x'\n"));
        Config::parse(&format!("{text}\n{}", bots.concat())).unwrap()
    }

    #[test]
    fn the_longest_game_follows_from_the_clock() {
        let longest =
            |time: &str| config(time).settings.longest_game().map(|game| game.as_millis());
        // The limit of plies is 400 on small boards.
        assert_eq!(longest("[time]\nbase = '10s'\nincrement = '100ms'"), Some(60_000));
        assert_eq!(longest("[time]\nmove = '500ms'"), Some(200_000));
        assert_eq!(longest("[time]\nmove = '500ms'\n[match]\nmax-plies = 10"), Some(5_000));
        assert_eq!(
            longest("[time]\nmove = '500ms'\nfirst-move = '2s'\n[match]\nmax-plies = 10"),
            Some(9_000)
        );
    }

    #[test]
    fn the_longest_wall_time_is_that_of_a_bot_that_sleeps_at_each_ply() {
        let longest = |time: &str| {
            let text = format!("[time]\nmargin = '0s'\n{time}\n[match]\nmax-plies = 10");
            config(&text).longest_wall().map(|game| game.as_millis())
        };
        assert_eq!(longest("move = '500ms'"), Some(5_000));
        assert_eq!(longest("move = '500ms'\nclock = 'cpu'\nwall-cap = '3x+1s'"), Some(25_000));
        // The stock is not used up, and grows by the increments.
        let stock = "base = '10s'\nincrement = '100ms'\nclock = 'cpu'\nwall-cap = '2x'";
        assert_eq!(longest(stock), Some(220_000));
    }

    #[test]
    fn a_round_limits_the_shards() {
        let of = |text: &str| pairs_at_once(&config(&format!("[schedule]\n{text}")), 9, 1000);
        assert_eq!(of("games = 3"), 500);
        assert_eq!(of("format = 'swiss'\ngames = 3\nrounds = 9"), 8);
        assert_eq!(of("format = 'knockout'\nbest-of = 6"), 12);
    }

    #[test]
    fn there_is_a_shard_at_least_and_no_more_than_pairs() {
        let game = Duration::from_secs(3600);
        let effort = Effort { game, wall: 2 * game, is_bound: true };
        let of = |games| Estimate {
            games,
            is_most: false,
            bots: 2,
            cores_of_game: 2,
            at_once: 1,
            effort: Some(effort),
        };
        assert_eq!(
            (of(0).shards(0), of(10).shards(5), of(10).shards(100)),
            (Some(1), Some(5), Some(10))
        );
        assert_eq!(of(10).core_time(), Some(Duration::from_secs(72_000)));
        assert_eq!(of(10).wall_time(), Some(Duration::from_secs(72_000)));
        assert_eq!(Estimate { effort: None, ..of(10) }.shards(5), None);
    }
}
