//! Reasons for endings in the words of custom games: each has a number, so that an ending
//! stays small.

use super::LONGEST_WORD;
use super::static_texts::StaticTexts;

/// A reason that no game of arbiter has. Two are equal if their words are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnReason([u8; 2]); // so that an ending needs no alignment

static REASONS: StaticTexts = StaticTexts::new();

impl OwnReason {
    /// The reason of a word: small letters, digits and hyphens, a letter first. `None` if it is no
    /// such word, or the program has met very many different ones.
    pub(crate) fn named(word: &str) -> Option<OwnReason> {
        let is_inner = |letter: char| matches!(letter, 'a'..='z' | '0'..='9' | '-');
        let begins_with_letter = word.starts_with(|letter: char| letter.is_ascii_lowercase());
        if !begins_with_letter || !word.chars().all(is_inner) || word.len() > LONGEST_WORD {
            return None;
        }
        let number = REASONS.number(word, usize::from(u16::MAX))?;
        Some(OwnReason(u16::try_from(number).ok()?.to_be_bytes()))
    }

    /// The word.
    pub(crate) fn word(self) -> &'static str {
        REASONS.text(usize::from(u16::from_be_bytes(self.0)))
    }
}
