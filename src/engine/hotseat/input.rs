//! Splits input bytes into words, or into squares of a letter and a number. Memory is bounded for
//! words of any length, and every text returned has consumed at least one byte.

use std::mem;

/// Bytes of a word that are kept; every valid input of every game is shorter.
const WORD_CAP: usize = 32;
/// Numbers are capped here; no board is as large.
const NUMBER_CAP: u32 = 1_000_000;

/// Finds the next word or square.
#[derive(Debug)]
pub(super) enum Scanner {
    Words(Vec<u8>),
    Squares(PartialSquare),
}

/// What follows a text in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NextInput {
    /// The rest of the same line.
    SameLine,
    /// Another line.
    NextLine,
}

/// A square of which a part has been read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum PartialSquare {
    #[default]
    Nothing,
    Letter(char),
    /// A letter, then white space.
    LetterApart(char),
    /// A letter, then the end of its line.
    LetterAbove(char),
    Sign(char, &'static str),
    Number(char, &'static str, u32),
    /// A word that is not a square; it is skipped up to its end.
    Junk,
}

impl Scanner {
    pub(super) fn words() -> Scanner {
        Scanner::Words(Vec::new())
    }

    pub(super) fn squares() -> Scanner {
        Scanner::Squares(PartialSquare::Nothing)
    }

    /// The next text, if it is complete, and what follows it. A text ends at the first byte that
    /// does not belong to it; that byte is not consumed. Input that cannot be an answer gives an
    /// empty text.
    pub(super) fn next(&mut self, typed: &mut &[u8]) -> Option<(String, NextInput)> {
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
                let above = matches!(self, Scanner::Squares(PartialSquare::LetterAbove(_)));
                let next_input = if above { NextInput::NextLine } else { NextInput::SameLine };
                return Some((self.finish().unwrap_or_default(), next_input));
            }
            *typed = rest;
        }
        None
    }

    /// The text read so far at the end of the input, if there is any.
    pub(super) fn finish(&mut self) -> Option<String> {
        match self {
            Scanner::Words(word) => {
                let word = mem::take(word);
                if word.is_empty() {
                    return None;
                }
                // A longer word was cut off, so it must not be read as what is left of it.
                let is_whole = word.len() <= WORD_CAP;
                Some(String::from_utf8(word).ok().filter(|_| is_whole).unwrap_or_default())
            }
            Scanner::Squares(square) => match mem::take(square) {
                PartialSquare::Nothing
                | PartialSquare::Letter(_)
                | PartialSquare::LetterApart(_)
                | PartialSquare::LetterAbove(_) => None,
                // C's `scanf` reads -0 as 0.
                PartialSquare::Number(letter, _, 0) => Some(format!("{letter}0")),
                PartialSquare::Number(letter, sign, number) => {
                    Some(format!("{letter}{sign}{number}"))
                }
                PartialSquare::Sign(..) | PartialSquare::Junk => Some(String::new()),
            },
        }
    }
}

/// Whether the byte belongs to the word or to the white space before it.
fn goes_on(word: &mut Vec<u8>, byte: u8) -> bool {
    if is_space(byte) {
        return word.is_empty();
    }
    if word.len() <= WORD_CAP {
        word.push(byte);
    }
    true
}

impl PartialSquare {
    /// The state after one more byte; `None` if the byte does not belong to this square.
    fn with(self, byte: u8) -> Option<PartialSquare> {
        use PartialSquare::{Junk, Letter, LetterAbove, LetterApart, Nothing, Number, Sign};
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
            // A letter alone is no square, but what follows it may be one: `a b2`.
            (LetterApart(_) | LetterAbove(_) | Number(..), _) => return None,
            (Sign(..) | Junk, _) if is_space(byte) => return None,
            (Nothing | Letter(_) | Sign(..) | Junk, _) => Junk,
        })
    }

    fn with_digit(self, digit: u32) -> PartialSquare {
        match self {
            PartialSquare::Letter(letter)
            | PartialSquare::LetterApart(letter)
            | PartialSquare::LetterAbove(letter) => PartialSquare::Number(letter, "", digit),
            PartialSquare::Sign(letter, sign) => PartialSquare::Number(letter, sign, digit),
            PartialSquare::Number(letter, sign, number) => {
                PartialSquare::Number(letter, sign, (number * 10 + digit).min(NUMBER_CAP))
            }
            PartialSquare::Nothing | PartialSquare::Junk => PartialSquare::Junk,
        }
    }
}

/// White space by C's `isspace`, which includes the vertical tab.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}
