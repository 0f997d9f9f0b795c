//! Reasons for endings in the words of custom games: each has a number, so that an ending
//! stays small.

use super::LONGEST_WORD;
use super::static_texts::StaticTexts;

/// A reason that no game of arbiter has. Two are equal if their words are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnReason([u8; 2]); // so that an ending needs no alignment

static REASONS: StaticTexts = StaticTexts::new();

impl OwnReason {
    /// The reason of a word: small letters, digits and hyphens, a letter first. None if it is no
    /// such word, or the program has met very many different ones.
    pub(crate) fn named(word: &str) -> Option<OwnReason> {
        let is_word = (1..=LONGEST_WORD).contains(&word.len())
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && word.as_bytes()[0].is_ascii_lowercase();
        if !is_word {
            return None;
        }
        let number = REASONS.number(word, usize::from(u16::MAX))?;
        u16::try_from(number).ok().map(|number| OwnReason(number.to_be_bytes()))
    }

    /// The word.
    pub(crate) fn word(self) -> &'static str {
        REASONS.text(usize::from(u16::from_be_bytes(self.0)))
    }
}
