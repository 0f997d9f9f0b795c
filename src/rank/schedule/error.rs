//! Errors of formats and of the list of bots.

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
        "[[bot]] name = {0:?}: a name is 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-', \
         and begins with a letter or digit"
    )]
    InvalidName(String),
    /// Two names that differ only in case, which some file systems treat as equal.
    #[error(
        "[[bot]] name = {second:?}: there is {first:?} already; names that differ only in \
         case are refused"
    )]
    SameName {
        /// The name that comes first in the configuration.
        first: String,
        /// The later one.
        second: String,
    },
    /// A value of the configuration with which the format cannot be played.
    #[error("{}: {why}", assignment(key, value))]
    Refused {
        /// Its key, `TABLE.KEY`.
        key: &'static str,
        value: String,
        /// What is wrong: the end of a sentence that begins with the key and its value.
        why: String,
    },
}

/// `schedule.games` and `0` as `[schedule] games = 0`.
fn assignment(key: &str, value: &str) -> String {
    match key.split_once('.') {
        Some((table, key)) => format!("[{table}] {key} = {value}"),
        None => format!("{key} = {value}"),
    }
}

/// Checks that the names can be those of bots, and that there are enough of them.
pub(super) fn check_names(names: &[String], fewest: usize) -> Result<(), ScheduleError> {
    if names.len() < fewest {
        return Err(ScheduleError::TooFewBots(names.len()));
    }
    let mut seen: HashMap<String, &String> = HashMap::new();
    for name in names {
        if !is_bot_name(name) {
            return Err(ScheduleError::InvalidName(name.clone()));
        }
        if let Some(first) = seen.insert(name.to_ascii_lowercase(), name) {
            return Err(ScheduleError::SameName { first: first.clone(), second: name.clone() });
        }
    }
    Ok(())
}

/// Whether a text can be the name of a bot: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`.
pub fn is_bot_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_bots_keep_to_their_letters() {
        for name in ["a", "A-1_b.c", "9", &"x".repeat(64)] {
            assert!(is_bot_name(name), "{name}");
        }
        for name in ["", ".a", "-a", "_a", "a b", "ä", "a/b", "a~b", &"x".repeat(65)] {
            assert!(!is_bot_name(name), "{name}");
        }
    }
}
