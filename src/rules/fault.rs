//! A fault of the rules of a custom game.

use std::fmt;

/// What the [engine](super::own::RulesEngine) of a custom game did wrong. It aborts a game, and is
/// never a forfeit of a player.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RulesFault {
    /// What is wrong, in a sentence without a full stop: `IndexError: list index out of range`.
    pub what: String,
    /// The file and line of the mistake, such as `connect4.py, line 12`, if they are known.
    pub place: Option<Box<str>>,
    /// The function of the rules that failed, such as `play`, if it is known.
    pub function: Option<Box<str>>,
    /// The position text that was asked about; `None` at the start of a game.
    pub position: Option<Box<str>>,
    /// The ply that was played or asked about.
    pub ply: Option<Box<str>>,
    /// The end of what the engine wrote for people.
    pub stderr: Box<str>,
    /// The rules as words of a command line: their path, and each option that does not have its
    /// default. Empty where no rules are known yet.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub rules: Box<[String]>,
}

impl RulesFault {
    /// A fault of which only the sentence is known.
    pub fn new(what: impl fmt::Display) -> RulesFault {
        RulesFault { what: what.to_string(), ..RulesFault::default() }
    }

    /// How the sentence of a fault begins whose answer did not come in time. The sentence tells,
    /// since it is what processes, logs and pages hand on.
    pub const LATE: &str = "did not answer within";

    /// Whether the answer did not come in time.
    pub fn is_late(&self) -> bool {
        self.what.starts_with(RulesFault::LATE)
    }

    /// The fault with the question in which it came up; what is known already stays.
    pub fn asked(mut self, position: &str, ply: Option<&str>) -> RulesFault {
        self.position.get_or_insert_with(|| position.into());
        if let Some(ply) = ply {
            self.ply.get_or_insert_with(|| ply.into());
        }
        self
    }

    /// What two equal faults have in common: place, function, and the sentence without what it
    /// quotes, such as a move.
    pub fn kind(&self) -> (String, Option<&str>, Option<&str>) {
        (without_quotes(&self.what), self.place.as_deref(), self.function.as_deref())
    }
}

/// The text without what stands between two equal quotation marks.
fn without_quotes(text: &str) -> String {
    let mut parts = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '`', '\'']) {
        // The same mark ends the quotation; without one it is an apostrophe, and what follows
        // stays.
        let (before, after) = rest.split_at(at + 1);
        parts.push_str(before);
        rest = after.split_once(&before[at..]).map_or(after, |(_, after)| after);
    }
    parts + rest
}

impl std::error::Error for RulesFault {}

impl fmt::Display for RulesFault {
    /// One line: place, function, sentence, position and ply.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.place, &self.function) {
            (Some(place), Some(function)) => write!(f, "{place}, in {function}: {}", self.what)?,
            (Some(place), None) => write!(f, "{place}: {}", self.what)?,
            (None, Some(function)) => write!(f, "in {function}: {}", self.what)?,
            (None, None) => write!(f, "the rules: {}", self.what)?,
        }
        if let Some(ply) = &self.ply {
            write!(f, "; move {ply}")?;
        }
        match &self.position {
            Some(position) => write!(f, "; position {position}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_faults_are_one_kind_if_they_differ_in_what_they_quote_alone() {
        let kind = |what: &str| RulesFault::new(what).kind().0;
        assert_eq!(
            kind("the move \"a1\" is listed twice"),
            kind("the move \"b2\" is listed twice")
        );
        assert_eq!(kind("KeyError: 'x'"), kind("KeyError: 'it`s'"));
        assert_ne!(kind("wrote `a` beside"), kind("wrote `a`"));
        assert_eq!(kind("one ` is a mark, \" too"), "one ` is a mark, \" too");
    }
}
