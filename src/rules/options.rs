//! Rule options as data: what parsing reads is what `arbiter games`, help and errors print.

use super::text::is_number;
use std::fmt;

/// A number that a rule option may be, or must not exceed; many depend on the board's size, the option `n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// Always the same.
    Fixed(u64),
    /// n.
    Size,
    /// The smaller of this and n.
    UpToSize(u64),
    /// 2n.
    TwiceSize,
    /// Half of the n×n squares, rounded down.
    HalfSquares,
    /// The one for boards of a certain size, the other for all others.
    For {
        /// The certain size.
        size: u64,
        /// What holds for it.
        then: u64,
        /// What holds for all other sizes.
        otherwise: u64,
    },
}

impl Number {
    /// The number for boards of size `n`.
    #[must_use]
    pub fn at(self, n: u64) -> u64 {
        match self {
            Number::Fixed(number) => number,
            Number::Size => n,
            Number::UpToSize(most) => most.min(n),
            Number::TwiceSize => n.saturating_mul(2),
            Number::HalfSquares => n.saturating_mul(n) / 2,
            Number::For { size, then, .. } if n == size => then,
            Number::For { otherwise, .. } => otherwise,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Fixed(number) => write!(f, "{number}"),
            Number::Size => f.write_str("n"),
            Number::UpToSize(most) => write!(f, "the smaller of {most} and n"),
            Number::TwiceSize => f.write_str("2n"),
            Number::HalfSquares => f.write_str("half the squares"),
            Number::For { size, then, otherwise } => write!(f, "{otherwise}; {then} when n={size}"),
        }
    }
}

/// What an option may be set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A whole number.
    Numbers {
        /// The least.
        from: u64,
        /// The most.
        to: Number,
    },
    /// An even number.
    Even {
        /// The least.
        from: u64,
        /// The most.
        to: u64,
    },
    /// Squares, each once, or `none`.
    Squares,
}

impl Range {
    /// Whether a value is in the range on boards of size `n`; squares are the game's matter.
    fn has(self, value: &str, n: u64) -> bool {
        match self {
            Range::Words(words) => words.contains(&value),
            Range::Numbers { from, to } => number(value).is_some_and(|it| (from..=to.at(n)).contains(&it)),
            Range::Even { from, to } => {
                number(value).is_some_and(|it| it % 2 == 0 && (from..=to).contains(&it))
            }
            Range::Squares => true,
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Words(words) => f.write_str(&words.join(" or ")),
            Range::Numbers { from, to } => write!(f, "{from} to {to}"),
            Range::Even { from, to } => write!(f, "an even number, {from} to {to}"),
            Range::Squares => f.write_str("squares joined by commas, each once, or none"),
        }
    }
}

/// What an option is when nobody says anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// A word.
    Word(&'static str),
    /// A number.
    Number(Number),
    /// These squares on boards of a certain size, none on all others.
    Squares {
        /// The certain size.
        size: u64,
        /// The squares.
        squares: &'static str,
    },
    /// Nothing: the option only counts when it is given.
    Nothing,
}

impl Preset {
    /// The text that somebody would have to write, on boards of size `n`.
    fn at(self, n: u64) -> Option<String> {
        match self {
            Preset::Word(word) => Some(word.to_owned()),
            Preset::Number(number) => Some(number.at(n).to_string()),
            Preset::Squares { size, squares } => Some(if n == size { squares } else { NONE }.to_owned()),
            Preset::Nothing => None,
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Preset::Word(word) => f.write_str(word),
            Preset::Number(number) => write!(f, "{number}"),
            Preset::Squares { size, squares } => write!(f, "{NONE}; {squares} when n={size}"),
            Preset::Nothing => f.write_str("not given"),
        }
    }
}

/// No squares at all.
pub(super) const NONE: &str = "none";

/// One rule option of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name, as in `--set key=value`.
    pub key: &'static str,
    /// What it may be.
    pub range: Range,
    /// What it is when nobody says anything.
    pub default: Preset,
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
    #[error("option `{key}` cannot be `{value}`: {wanted}")]
    Value {
        /// The option.
        key: &'static str,
        /// What it was set to.
        value: String,
        /// What it may be, or what is wrong.
        wanted: String,
    },
    /// An option that means nothing beside, or without, another one.
    #[error("option `{key}` {conflict}")]
    Conflict {
        /// The option.
        key: &'static str,
        /// What does not go together.
        conflict: &'static str,
    },
    /// Not of the form `key=value`.
    #[error("`{text}` is not an option; write key=value")]
    Form {
        /// What was written.
        text: String,
    },
}

/// The values of a game's options: what was set, else the default.
pub(super) struct Settled<'a> {
    specs: &'static [OptionSpec],
    set: &'a [(String, String)],
    size: u64,
}

impl<'a> Settled<'a> {
    /// Takes options in.
    ///
    /// # Errors
    /// An unknown key, a key given twice, or a value outside the range.
    pub(super) fn new(
        game: &'static str,
        specs: &'static [OptionSpec],
        set: &'a [(String, String)],
    ) -> Result<Settled<'a>, OptionError> {
        let mut settled = Settled { specs, set, size: 0 };
        for (index, (key, _)) in set.iter().enumerate() {
            if !specs.iter().any(|spec| spec.key == key) {
                let known = specs.iter().map(|spec| spec.key).collect::<Vec<_>>().join(", ");
                return Err(OptionError::Key { game, key: key.clone(), known });
            }
            if set[..index].iter().any(|(earlier, _)| earlier == key) {
                return Err(OptionError::Twice { key: key.clone() });
            }
        }
        settled.size = settled.number("n"); // its own default does not depend on it
        for spec in specs {
            let Some(value) = settled.given(spec.key) else { continue };
            if !spec.range.has(value, settled.size) {
                let here = match spec.range {
                    Range::Numbers { to: Number::Fixed(_), .. } => String::new(),
                    Range::Numbers { to, .. } => format!(", where {to} is {}", to.at(settled.size)),
                    Range::Words(_) | Range::Even { .. } | Range::Squares => String::new(),
                };
                let wanted = format!("it is {}{here} (default {})", spec.range, spec.default);
                return Err(OptionError::Value { key: spec.key, value: value.to_owned(), wanted });
            }
        }
        Ok(settled)
    }

    /// What an option was set to.
    pub(super) fn given(&self, key: &str) -> Option<&'a str> {
        self.set.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The value of an option, as text; empty if it has neither value nor default.
    pub(super) fn text(&self, key: &str) -> String {
        let default = || self.specs.iter().find(|spec| spec.key == key)?.default.at(self.size);
        self.given(key).map(str::to_owned).or_else(default).unwrap_or_default()
    }

    /// The value of a numeric option; 0 if there is no such option.
    pub(super) fn number(&self, key: &str) -> u64 {
        number(&self.text(key)).unwrap_or(0)
    }
}

fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|_| is_number(text))
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
