//! Plies that are words: each has a number, so that a [`Ply`](crate::Ply) stays small.

use super::LONGEST_WORD;
use super::static_texts::StaticTexts;
use std::fmt;

/// The most different words in one run of the program. A board of 32 rows and columns has a million
/// pairs of squares, which need no words.
const MOST_WORDS: usize = 1 << 20;

/// The number of words from which on those of logs get no number of their own, so that there is
/// room for those of the rules.
const MOST_LOGGED: usize = 1 << 19;

/// The number of words from which on those of players get no number of their own: what bots write
/// must not fill the memory.
const MOST_STRANGE: usize = 1 << 16;

/// A word that is a ply. Two words are equal if their texts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlyWord {
    /// Two halves, so that a ply has no larger alignment than a square.
    number: [u16; 2],
}

static WORDS: StaticTexts = StaticTexts::new();

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

impl PlyWord {
    /// The word of a text. After very many different texts of players, those that are new are all
    /// the same word, `?`, which is no legal ply.
    ///
    /// # Errors
    /// The rules or the logs have too many different words.
    pub(super) fn of(text: &str, writer: Writer) -> Result<PlyWord, String> {
        let number = match writer {
            Writer::Rules => WORDS.number(text, MOST_WORDS),
            Writer::Log => WORDS.number(text, MOST_LOGGED),
            // Rules and logs are the user's, bots are not: they come to an end first, and quietly.
            Writer::Stranger => {
                WORDS.number(text, MOST_STRANGE).or_else(|| WORDS.number("?", MOST_WORDS + 1))
            }
        };
        match (number, writer) {
            (Some(number), _) => Ok(PlyWord { number: [(number >> 16) as u16, number as u16] }),
            (None, Writer::Log) => Err(format!(
                "what is read has more than {MOST_LOGGED} different plies that are words"
            )),
            (None, _) => {
                Err(format!("they have more than {MOST_WORDS} different moves that are words"))
            }
        }
    }

    /// The text.
    pub(crate) fn text(self) -> &'static str {
        let [high, low] = self.number.map(usize::from);
        WORDS.text(high << 16 | low)
    }
}

impl fmt::Display for PlyWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
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
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || b"+-*/=:.,".contains(&byte);
    (1..=LONGEST_WORD).contains(&text.len())
        && text.bytes().all(inner)
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
            assert_eq!(PlyWord::of(word, Writer::Rules).unwrap().to_string(), word);
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
        let word = PlyWord::of("tenuki", Writer::Stranger).unwrap();
        assert_eq!(PlyWord::of("tenuki", Writer::Rules), Ok(word));
        assert_ne!(PlyWord::of("hane", Writer::Rules), Ok(word));
    }
}
