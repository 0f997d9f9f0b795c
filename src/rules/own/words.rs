//! Plies that are words. A [`Ply`](crate::Ply) must stay as small as a pair of squares, so it has a
//! number of the word, and the rules of its game have the text.
//!
//! The number is a hash of the text: the same log can be read by two copies of the rules, each with
//! a table of its own, and their plies are equal. Two texts of the same number are improbable, and
//! harmless: the second one gets the next number of that table that is free.

use super::LONGEST_WORD;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::{PoisonError, RwLock};

/// The most different words of one game, which take some 100 MB. A board of 32 rows and columns has
/// a million pairs of squares, but those need no words.
const MOST_WORDS: usize = 1 << 20;

/// The number of words from which on those of logs are refused, so that there is room for those of
/// the rules.
const MOST_LOGGED: usize = 1 << 19;

/// The number of words from which on those of players are not kept: what bots write must not fill
/// the memory.
const MOST_STRANGE: usize = 1 << 16;

/// What stands for a word that is not kept. It is no legal ply.
const NOT_KEPT: &str = "?";

/// A word that is a ply. Two words are equal if their texts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlyWord {
    /// The lower 40 bits of a hash: as many as a ply has room for beside its tag.
    number: [u8; 5],
}

/// Who wrote a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writer {
    /// The rules, as a legal ply.
    Rules,
    /// A log, as a ply of a game.
    Log,
    /// A player.
    Stranger,
}

/// The words that the rules of a game have met so far, with their texts.
#[derive(Debug, Default)]
pub(super) struct WordTable(RwLock<HashMap<PlyWord, Box<str>>>);

impl WordTable {
    /// The word of a text, which is kept with it. After very many different texts of players, those
    /// that are new are all the same word, `?`.
    ///
    /// # Errors
    /// The rules or the logs have too many different words.
    pub(super) fn intern(&self, text: &str, writer: Writer) -> Result<PlyWord, String> {
        // Rules and logs are the user's, bots are not: they come to an end first, and quietly.
        let most = match writer {
            Writer::Rules => MOST_WORDS,
            Writer::Log => MOST_LOGGED,
            Writer::Stranger => MOST_STRANGE,
        };
        match (self.kept(text, most), writer) {
            (Some(word), _) => Ok(word),
            (None, Writer::Rules) => {
                Err(format!("they have more than {MOST_WORDS} different moves that are words"))
            }
            (None, Writer::Log) => Err(format!(
                "what is read has more than {MOST_LOGGED} different plies that are words"
            )),
            (None, Writer::Stranger) => Ok(PlyWord::of(NOT_KEPT)),
        }
    }

    /// The text of a word.
    pub(super) fn text(&self, word: PlyWord) -> String {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&word).map_or(NOT_KEPT, |text| text).to_owned()
    }

    /// The word of a text, which is kept if there are fewer than `most` words so far; `None` if
    /// there are as many.
    fn kept(&self, text: &str, most: usize) -> Option<PlyWord> {
        // Nearly every text is known: threads that only read do not wait for each other.
        if let (word, true) = place_of(text, &self.0.read().unwrap_or_else(PoisonError::into_inner))
        {
            return Some(word);
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been quicker.
        let (word, is_known) = place_of(text, &known);
        if !is_known && known.len() >= most {
            return None;
        }
        known.entry(word).or_insert_with(|| text.into());
        Some(word)
    }
}

/// The word of a text in a table, and whether it is there.
fn place_of(text: &str, known: &HashMap<PlyWord, Box<str>>) -> (PlyWord, bool) {
    let mut word = PlyWord::of(text);
    while let Some(other) = known.get(&word) {
        if **other == *text {
            return (word, true);
        }
        word = word.next();
    }
    (word, false)
}

impl PlyWord {
    fn of(text: &str) -> PlyWord {
        // Its keys are fixed, but not for all versions of Rust: numbers stay in this process.
        let mut hasher = DefaultHasher::new();
        hasher.write(text.as_bytes());
        PlyWord::numbered(hasher.finish())
    }

    fn next(self) -> PlyWord {
        let [a, b, c, d, e] = self.number;
        PlyWord::numbered(u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]) + 1)
    }

    fn numbered(number: u64) -> PlyWord {
        let [a, b, c, d, e, ..] = number.to_le_bytes();
        PlyWord { number: [a, b, c, d, e] }
    }
}

/// Whether a text has the form of a ply that is a word: a letter or digit, then letters, digits and
/// `+-*/=:.,`, not ending in a full stop; and is no result, number of a move, or word that arbiter
/// itself reads.
pub(super) fn is_word(text: &str) -> bool {
    const TAKEN: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];
    const RESERVED: [&str; 8] =
        ["pass", "resign", "moves", "board", "help", "quit", "undo", "note"];
    // `12.` and `12.a1` are read as the number of a move.
    let is_number_of_move =
        text.trim_start_matches(|letter: char| letter.is_ascii_digit()).starts_with('.');
    (1..=LONGEST_WORD).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-*/=:.,".contains(&byte))
        && text.as_bytes()[0].is_ascii_alphanumeric()
        && !text.ends_with('.')
        && !is_number_of_move
        && !TAKEN.contains(&text)
        && !RESERVED.contains(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_form_of_the_page() {
        for word in ["1", "swap", "a1-b2", "q3+2", "x*y=z", "N", &"w".repeat(31)] {
            assert!(is_word(word), "{word}");
            let words = WordTable::default();
            let ply = words.intern(word, Writer::Rules).unwrap();
            assert_eq!(words.text(ply), word);
        }
        for text in [
            "",
            "1-0",
            "1/2-1/2",
            "*",
            "12.",
            "12.a1",
            "pass",
            "resign",
            "a b",
            "-a",
            "é",
            "a{",
            &"w".repeat(32),
        ] {
            assert!(!is_word(text), "{text}");
        }
    }

    #[test]
    fn a_word_is_the_same_whoever_wrote_it() {
        let [words, others] = [(); 2].map(|()| WordTable::default());
        let word = words.intern("tenuki", Writer::Stranger).unwrap();
        assert_eq!(words.intern("tenuki", Writer::Rules), Ok(word));
        assert_ne!(words.intern("hane", Writer::Rules), Ok(word));
        assert_eq!(others.intern("tenuki", Writer::Log), Ok(word), "in every table");
    }

    #[test]
    fn two_texts_of_one_number_are_two_words() {
        let words = WordTable::default();
        let mut known = words.0.write().unwrap();
        known.insert(PlyWord::of("tenuki"), "hane".into());
        drop(known);
        let word = words.intern("tenuki", Writer::Rules).unwrap();
        assert_eq!(word, PlyWord::of("tenuki").next());
        assert_eq!(words.text(word), "tenuki");
        assert_eq!(words.intern("tenuki", Writer::Stranger), Ok(word));
    }

    #[test]
    fn what_strangers_write_fills_no_memory() {
        let words = WordTable::default();
        for number in 0..MOST_STRANGE {
            assert!(words.intern(&number.to_string(), Writer::Stranger).is_ok());
        }
        let word = words.intern("one-more", Writer::Stranger).unwrap();
        assert_eq!(words.text(word), NOT_KEPT);
        let legal = words.intern("one-more", Writer::Rules).unwrap();
        assert_eq!(words.text(legal), "one-more", "the rules still have room");
        assert_eq!(words.0.read().unwrap().len(), MOST_STRANGE + 1);
    }
}
