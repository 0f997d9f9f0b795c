//! Reasons for endings in the words of custom games. A reason contains its word, because an ending
//! is printed where no rules are at hand.

use super::LONGEST_WORD;
use std::fmt;

/// A reason that no game of arbiter has, such as `area`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnReason {
    /// The word, filled up with zeros.
    bytes: [u8; LONGEST_WORD],
    length: u8,
}

impl OwnReason {
    /// The reason of a word: small letters, digits and hyphens, a letter first. `None` for another
    /// text.
    pub fn named(word: &str) -> Option<OwnReason> {
        if !matches!(word.as_bytes(), [b'a'..=b'z', ..]) || word.len() > LONGEST_WORD {
            return None;
        }
        let mut bytes = [0; LONGEST_WORD];
        for (place, byte) in bytes.iter_mut().zip(word.bytes()) {
            if !matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-') {
                return None;
            }
            *place = byte;
        }
        Some(OwnReason { bytes, length: word.len() as u8 })
    }

    /// The word.
    pub fn word(&self) -> &str {
        // It was made of a text, so it is one.
        str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }
}

impl fmt::Debug for OwnReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_its_word() {
        for word in ["area", "a", "top-3", &"r".repeat(LONGEST_WORD)] {
            assert_eq!(OwnReason::named(word).unwrap().word(), word);
        }
        for text in ["", "3", "-a", "Area", "a b", "é", &"r".repeat(LONGEST_WORD + 1)] {
            assert_eq!(OwnReason::named(text), None, "{text}");
        }
    }
}
