//! Bytes to words, or to squares of a letter and a number. A word takes bounded memory, however long it is, and every
//! text that is handed out has taken at least one byte.

use std::mem;

/// Bytes of a word that are kept; no answer in any game is as long.
const WORD_CAP: usize = 32;
/// Numbers stop growing here; no board is as large.
const NUMBER_CAP: u32 = 1_000_000;

/// Finds the next thing that a game can look at.
#[derive(Debug)]
pub(super) enum Scanner {
    Words(Vec<u8>),
    Squares(Square),
}

/// What follows a text that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// The rest of its line.
    SameLine,
    /// Another line.
    NextLine,
}

/// How much of a square was read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Square {
    #[default]
    Nothing,
    Letter(char),
    /// A letter with white space behind it.
    LetterApart(char),
    /// A letter with the end of its line behind it.
    LetterAbove(char),
    Sign(char, &'static str),
    Number(char, &'static str, u32),
    /// A word that cannot be a square, up to its end.
    Junk,
}

impl Scanner {
    pub(super) fn words() -> Scanner {
        Scanner::Words(Vec::new())
    }

    pub(super) fn squares() -> Scanner {
        Scanner::Squares(Square::Nothing)
    }

    /// The next text, if it is complete, without the byte behind it that shows this, and where that byte is. The text is
    /// empty if it can be no answer.
    pub(super) fn next(&mut self, typed: &mut &[u8]) -> Option<(String, Behind)> {
        while let [byte, rest @ ..] = *typed {
            let goes_on = match self {
                Scanner::Words(word) => goes_on(word, *byte),
                Scanner::Squares(square) => match square.with(*byte) {
                    Some(more) => {
                        *square = more;
                        true
                    }
                    None => false,
                },
            };
            if !goes_on {
                let above = matches!(self, Scanner::Squares(Square::LetterAbove(_)));
                let behind = if above { Behind::NextLine } else { Behind::SameLine };
                return Some((self.finish().unwrap_or_default(), behind));
            }
            *typed = rest;
        }
        None
    }

    /// What has been read, if it is an answer when nothing comes behind it.
    pub(super) fn finish(&mut self) -> Option<String> {
        match self {
            Scanner::Words(word) => {
                let word = mem::take(word);
                let kept = word.len() <= WORD_CAP;
                (!word.is_empty()).then(|| String::from_utf8(word).ok().filter(|_| kept).unwrap_or_default())
            }
            Scanner::Squares(square) => match mem::take(square) {
                Square::Nothing | Square::Letter(_) | Square::LetterApart(_) | Square::LetterAbove(_) => None,
                // C and its kin read -0 as 0.
                Square::Number(letter, _, 0) => Some(format!("{letter}0")),
                Square::Number(letter, sign, number) => Some(format!("{letter}{sign}{number}")),
                Square::Sign(..) | Square::Junk => Some(String::new()),
            },
        }
    }
}

/// Whether the byte belongs to the word, or to the white space before it.
fn goes_on(word: &mut Vec<u8>, byte: u8) -> bool {
    if is_space(byte) {
        return word.is_empty();
    }
    if word.len() <= WORD_CAP {
        word.push(byte);
    }
    true
}

impl Square {
    /// What it is with one byte more; nothing if that byte belongs to what follows.
    fn with(self, byte: u8) -> Option<Square> {
        use Square::{Junk, Letter, LetterAbove, LetterApart, Nothing, Number, Sign};
        Some(match (self, byte) {
            (Nothing, _) if is_space(byte) => Nothing,
            (Nothing, _) if byte.is_ascii_alphabetic() => Letter(char::from(byte)),
            (LetterAbove(letter), _) if is_space(byte) => LetterAbove(letter),
            (Letter(letter) | LetterApart(letter), b'\n') => LetterAbove(letter),
            (Letter(letter) | LetterApart(letter), _) if is_space(byte) => LetterApart(letter),
            (Letter(letter) | LetterApart(letter) | LetterAbove(letter), b'-') => Sign(letter, "-"),
            (Letter(letter) | LetterApart(letter) | LetterAbove(letter), b'+') => Sign(letter, ""),
            (Letter(_) | LetterApart(_) | LetterAbove(_) | Sign(..) | Number(..), b'0'..=b'9') => {
                self.with_digit(u32::from(byte - b'0'))
            }
            (LetterApart(_) | LetterAbove(_) | Number(..), _) => return None,
            (Sign(..) | Junk, _) if is_space(byte) => return None,
            (Nothing | Letter(_) | Sign(..) | Junk, _) => Junk,
        })
    }

    fn with_digit(self, digit: u32) -> Square {
        match self {
            Square::Letter(letter) | Square::LetterApart(letter) | Square::LetterAbove(letter) => {
                Square::Number(letter, "", digit)
            }
            Square::Sign(letter, sign) => Square::Number(letter, sign, digit),
            Square::Number(letter, sign, number) => {
                Square::Number(letter, sign, (number * 10 + digit).min(NUMBER_CAP))
            }
            Square::Nothing | Square::Junk => Square::Junk,
        }
    }
}

/// White space as C has it, the vertical tab included.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}
