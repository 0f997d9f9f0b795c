//! Errors of formats and of the list of bots.

use super::Format;
use std::collections::HashMap;
use thiserror::Error;

/// What is wrong with a format or the list of bots. Messages name the keys of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// Fewer than two bots.
    #[error("a tournament needs two bots or more, [[bot]] names {0}")]
    TooFewBots(usize),
    /// A name that cannot be part of a game id or a file name.
    #[error(
        "[[bot]] name = {0:?}: a name is 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-', and begins with a letter or digit"
    )]
    InvalidName(String),
    /// Two names that differ only in case, which some file systems treat as equal.
    #[error(
        "[[bot]] name = {second:?}: there is {first:?} already; names that differ only in case are refused"
    )]
    SameName {
        /// The name that comes first in the configuration.
        first: String,
        /// The later one.
        second: String,
    },
    /// A number that must not be 0.
    #[error("{0} = 0: must be at least 1")]
    Zero(&'static str),
    /// A gauntlet in which every bot is a challenger.
    #[error("[schedule] challengers = {challengers}: must be less than the number of bots, which is {bots}")]
    TooManyChallengers {
        /// The configured number.
        challengers: usize,
        /// The number of bots.
        bots: usize,
    },
    /// An odd number of games in a knockout pairing: one bot would have the first side more often.
    #[error("[schedule] best-of = {0}: must be even, so that both bots have the first side equally often")]
    OddBestOf(u32),
    /// An SPRT with more or fewer than two bots.
    #[error(
        "[schedule] format = \"sprt\" tests the first bot against the second: [[bot]] names {0} bots, not 2"
    )]
    NotTwoBots(usize),
}

/// Checks that a schedule of this format is possible with these bots.
pub(super) fn check(format: Format, names: &[String]) -> Result<(), ScheduleError> {
    check_names(names)?;
    let zero = match format {
        Format::RoundRobin { games, rounds } | Format::Swiss { games, rounds } => zero_of(games, rounds),
        Format::Gauntlet { challengers: 0, .. } => Some("[schedule] challengers"),
        Format::Gauntlet { games, rounds, .. } => zero_of(games, rounds),
        Format::Knockout { best_of } => (best_of == 0).then_some("[schedule] best-of"),
        Format::Sprt { max_pairs: 0, .. } => Some("[sprt] max-pairs"),
        Format::Sprt { ahead, .. } => (ahead == 0).then_some("concurrency"),
    };
    if let Some(key) = zero {
        return Err(ScheduleError::Zero(key));
    }
    match format {
        Format::Gauntlet { challengers, .. } if challengers >= names.len() => {
            Err(ScheduleError::TooManyChallengers { challengers, bots: names.len() })
        }
        Format::Knockout { best_of } if best_of % 2 == 1 => Err(ScheduleError::OddBestOf(best_of)),
        Format::Sprt { .. } if names.len() != 2 => Err(ScheduleError::NotTwoBots(names.len())),
        _ => Ok(()),
    }
}

fn zero_of(games: u32, rounds: u32) -> Option<&'static str> {
    match (games, rounds) {
        (0, _) => Some("[schedule] games"),
        (_, 0) => Some("[schedule] rounds"),
        _ => None,
    }
}

fn check_names(names: &[String]) -> Result<(), ScheduleError> {
    if names.len() < 2 {
        return Err(ScheduleError::TooFewBots(names.len()));
    }
    let mut seen: HashMap<String, &String> = HashMap::new();
    for name in names {
        if !is_valid_name(name) {
            return Err(ScheduleError::InvalidName(name.clone()));
        }
        if let Some(&first) = seen.get(&name.to_ascii_lowercase()) {
            return Err(ScheduleError::SameName { first: first.clone(), second: name.clone() });
        }
        seen.insert(name.to_ascii_lowercase(), name);
    }
    Ok(())
}

/// Whether a name matches `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`.
fn is_valid_name(name: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    name.len() <= 64
        && name.bytes().all(is_inner)
        && name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric())
}
