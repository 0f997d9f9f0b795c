//! Rule options as data: what parsing reads is what help and errors print.

use std::fmt;

/// What an option may be set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// One of these words.
    Words(&'static [&'static str]),
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Words(words) => f.write_str(&words.join(" or ")),
        }
    }
}

/// One rule option of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name, as in `--set key=value`.
    pub key: &'static str,
    /// What it may be.
    pub range: Range,
    /// What it is when nobody says anything.
    pub default: &'static str,
    /// What it means, in a line.
    pub about: &'static str,
}

/// Why rule options cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such game.
    #[error("unknown game `{game}`; the games are: {known}")]
    Game {
        /// What was asked for.
        game: String,
        /// The names there are.
        known: String,
    },
    /// The game has no such option.
    #[error("unknown option `{key}` of {game}; its options are: {known}")]
    Key {
        /// The game.
        game: &'static str,
        /// What was asked for.
        key: String,
        /// The options there are.
        known: String,
    },
    /// The option was given twice.
    #[error("option `{key}` is given twice")]
    Twice {
        /// Which.
        key: String,
    },
    /// The value is none that the option may have.
    #[error("option `{key}` cannot be `{value}`; it is {range} (default {default})")]
    Value {
        /// The option.
        key: &'static str,
        /// What it was set to.
        value: String,
        /// What it may be.
        range: Range,
        /// What it is by default.
        default: &'static str,
    },
    /// Not of the form `key=value`.
    #[error("`{text}` is not an option; write key=value")]
    Form {
        /// What was written.
        text: String,
    },
}

/// The values of a game's options in the order of its specification: what was set, else the default.
///
/// # Errors
/// An unknown key, a key given twice, or a word outside the range.
pub(super) fn settle<'a>(
    game: &'static str,
    specs: &'static [OptionSpec],
    set: &'a [(String, String)],
) -> Result<Vec<&'a str>, OptionError> {
    for (index, (key, _)) in set.iter().enumerate() {
        if !specs.iter().any(|spec| spec.key == key) {
            let known = specs.iter().map(|spec| spec.key).collect::<Vec<_>>().join(", ");
            return Err(OptionError::Key { game, key: key.clone(), known });
        }
        if set[..index].iter().any(|(earlier, _)| earlier == key) {
            return Err(OptionError::Twice { key: key.clone() });
        }
    }
    specs
        .iter()
        .map(|spec| {
            let Some((_, value)) = set.iter().find(|(key, _)| key == spec.key) else {
                return Ok(spec.default);
            };
            let Range::Words(words) = spec.range;
            if words.contains(&value.as_str()) {
                return Ok(value.as_str());
            }
            Err(OptionError::Value {
                key: spec.key,
                value: value.clone(),
                range: spec.range,
                default: spec.default,
            })
        })
        .collect()
}

/// Splits `key=value key=value …` (a log's `Options` tag) into pairs.
///
/// # Errors
/// A word without `=`.
///
/// ```
/// use arbiter::rules::split_options;
/// let set = split_options("simultaneous=mover stuck=pass").unwrap();
/// assert_eq!(set[0], ("simultaneous".into(), "mover".into()));
/// ```
pub fn split_options(text: &str) -> Result<Vec<(String, String)>, OptionError> {
    text.split_ascii_whitespace()
        .map(|word| match word.split_once('=') {
            Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
            None => Err(OptionError::Form { text: word.to_owned() }),
        })
        .collect()
}
