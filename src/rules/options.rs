//! Rule options as data: the parser, `arbiter games`, help and error messages all use these tables.

use super::RulesFault;
use super::number_text::is_number;
use crate::text::Word;
use std::borrow::Cow;
use std::fmt;

/// A default or an upper limit of a numeric rule option. Many depend on the board's size, the
/// option `n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// The same for every size.
    Fixed(u64),
    /// n.
    Size,
    /// The smaller of this and n.
    UpToSize(u64),
    /// 2n.
    TwiceSize,
    /// Half of the n×n squares, rounded down.
    HalfSquares,
    /// One number for boards of one size, another number for all others.
    For {
        /// The size.
        size: u64,
        /// The number for this size.
        then: u64,
        /// The number for all other sizes.
        otherwise: u64,
    },
}

impl Number {
    /// The number for boards of size `n`.
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

/// The values that an option accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Range {
    /// One of these words.
    Words(&'static [&'static str]),
    /// One of these values of a custom game.
    Listed(Vec<String>),
    /// A whole number.
    Numbers {
        /// The lowest.
        from: u64,
        /// The highest.
        to: Number,
    },
    /// An even number.
    Even {
        /// The lowest.
        from: u64,
        /// The highest.
        to: u64,
    },
    /// A list of distinct squares, or `none`.
    Squares,
}

impl Range {
    /// Whether a value is in the range on boards of size `n`. Lists of squares are checked by the
    /// game.
    fn has(&self, value: &str, n: u64) -> bool {
        match (self, number(value)) {
            (Range::Words(_) | Range::Listed(_), _) => self.words().contains(&value),
            (Range::Squares, _) => true,
            (_, None) => false,
            (Range::Numbers { from, to }, Some(it)) => (*from..=to.at(n)).contains(&it),
            (Range::Even { from, to }, Some(it)) => it % 2 == 0 && (*from..=*to).contains(&it),
        }
    }

    /// The words, if it is a choice of words.
    pub fn words(&self) -> Vec<&str> {
        match self {
            Range::Words(words) => words.to_vec(),
            Range::Listed(words) => words.iter().map(String::as_str).collect(),
            Range::Numbers { .. } | Range::Even { .. } | Range::Squares => Vec::new(),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Words(_) | Range::Listed(_) => f.write_str(&self.words().join(" or ")),
            Range::Numbers { from, to } => write!(f, "{from} to {to}"),
            Range::Even { from, to } => write!(f, "an even number, {from} to {to}"),
            Range::Squares => f.write_str("squares joined by commas, each once, or none"),
        }
    }
}

/// The default of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preset {
    /// A word.
    Word(Cow<'static, str>),
    /// A number.
    Number(Number),
    /// These squares on boards of one size, none on all others.
    Squares {
        /// The size.
        size: u64,
        /// The squares.
        squares: &'static str,
    },
    /// No default: the option has an effect only if it is given.
    Nothing,
}

impl Preset {
    /// The default as the text of an option, for boards of size `n`.
    fn at(&self, n: u64) -> Option<String> {
        match self {
            Preset::Word(word) => Some(word.to_string()),
            Preset::Number(number) => Some(number.at(n).to_string()),
            Preset::Squares { size, squares } => {
                Some(if n == *size { squares } else { NONE }.to_owned())
            }
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

/// The text of an empty list of squares.
pub(super) const NONE: &str = "none";

/// One rule option of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name, as in `--set key=value`.
    pub key: Cow<'static, str>,
    /// The values it accepts.
    pub range: Range,
    /// Its value if it is not given.
    pub default: Preset,
    /// Its meaning in one line.
    pub about: Cow<'static, str>,
}

impl OptionSpec {
    pub(super) const fn new(
        key: &'static str,
        range: Range,
        default: Preset,
        about: &'static str,
    ) -> OptionSpec {
        OptionSpec { key: Cow::Borrowed(key), range, default, about: Cow::Borrowed(about) }
    }
}

/// Why rule options are refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such game.
    #[error("unknown game `{game}`; the games are: {known}")]
    Game {
        /// The unknown name.
        game: String,
        /// The names of all games.
        known: String,
    },
    /// The game has no such option.
    #[error("unknown option `{key}` of {game}; its options are: {known}")]
    Key {
        /// The game.
        game: String,
        /// The unknown key.
        key: String,
        /// The keys of its options.
        known: String,
    },
    /// The option was given twice.
    #[error("option `{key}` is given twice")]
    Twice {
        /// The option.
        key: String,
    },
    /// The option does not accept the value.
    #[error("option `{key}` cannot be `{value}`: {wanted}")]
    Value {
        /// The option.
        key: String,
        /// The value given.
        value: String,
        /// The values it accepts, or what is wrong.
        wanted: String,
    },
    /// The option has no meaning together with, or without, another one.
    #[error("option `{key}` {conflict}")]
    Conflict {
        /// The option.
        key: String,
        /// The conflict in words.
        conflict: &'static str,
    },
    /// The rules of a custom game fail.
    #[error("{0}")]
    Rules(Box<RulesFault>),
    /// Not of the form `key=value`.
    #[error("`{text}` is not an option; write key=value")]
    Form {
        /// The text given.
        text: String,
    },
}

/// The values of a game's options: the value given, else the default.
pub(super) struct OptionValues<'a> {
    specs: &'a [OptionSpec],
    set: &'a [(String, String)],
    size: u64,
}

impl<'a> OptionValues<'a> {
    /// Checks the options given.
    ///
    /// # Errors
    /// An unknown key, a key given twice, or a value outside the range.
    pub(super) fn new(
        game: &str,
        specs: &'a [OptionSpec],
        set: &'a [(String, String)],
    ) -> Result<OptionValues<'a>, OptionError> {
        let mut values = OptionValues { specs, set, size: 0 };
        for (index, (key, _)) in set.iter().enumerate() {
            if !specs.iter().any(|spec| spec.key == *key) {
                let keys: Vec<&str> = specs.iter().map(|spec| &*spec.key).collect();
                let known = if keys.is_empty() { NONE.to_owned() } else { keys.join(", ") };
                return Err(OptionError::Key { game: game.to_owned(), key: key.clone(), known });
            }
            if set[..index].iter().any(|(earlier, _)| earlier == key) {
                return Err(OptionError::Twice { key: key.clone() });
            }
        }
        // The size first: ranges and defaults of the others depend on it, its own do not.
        values.size = values.number("n");
        for spec in specs {
            let Some(value) = values.given(&spec.key) else { continue };
            if !spec.range.has(value, values.size) {
                // A limit such as "2n" is said in numbers too.
                let here = match spec.range {
                    Range::Numbers { to: Number::Fixed(_), .. } => String::new(),
                    Range::Numbers { to, .. } => format!(", where {to} is {}", to.at(values.size)),
                    _ => String::new(),
                };
                let wanted = format!("it is {}{here} (default {})", spec.range, spec.default);
                let key = spec.key.to_string();
                return Err(OptionError::Value { key, value: value.to_owned(), wanted });
            }
        }
        Ok(values)
    }

    /// The value given for an option, if any.
    pub(super) fn given(&self, key: &str) -> Option<&'a str> {
        self.set.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The value of an option, as text; empty if it has neither value nor default.
    pub(super) fn text(&self, key: &str) -> String {
        if let Some(given) = self.given(key) {
            return given.to_owned();
        }
        for spec in self.specs {
            if spec.key == key {
                return spec.default.at(self.size).unwrap_or_default();
            }
        }
        String::new()
    }

    /// The value of an option that is one of the words of an enum; `None` if there is no such
    /// option.
    pub(super) fn word<W: Word>(&self, key: &str) -> Option<W> {
        W::named(&self.text(key))
    }

    /// The value of a numeric option; 0 if there is no such option.
    pub(super) fn number(&self, key: &str) -> u64 {
        number(&self.text(key)).unwrap_or(0)
    }
}

/// A whole number that is written in the one way that [`is_number`] accepts.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|_| is_number(text))
}

/// Splits `key=value key=value …` (a log's `Options` tag) into pairs.
///
/// # Errors
/// A word without `=`.
///
/// ```
/// use arbiter_rules::split_options;
/// let set = split_options("simultaneous=mover stuck=pass").unwrap();
/// assert_eq!(set[0], ("simultaneous".into(), "mover".into()));
/// ```
pub fn split_options(text: &str) -> Result<Vec<(String, String)>, OptionError> {
    let mut pairs = Vec::new();
    for word in text.split_ascii_whitespace() {
        match word.split_once('=') {
            Some((key, value)) => pairs.push((key.to_owned(), value.to_owned())),
            None => return Err(OptionError::Form { text: word.to_owned() }),
        }
    }
    Ok(pairs)
}
