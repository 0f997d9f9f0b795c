//! Texts of plies and squares of arbiter's games as values of eight bytes, which are written
//! without allocating.

use std::fmt;

/// At most four ASCII characters: the text of a ply, or the name of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ShortText {
    /// The characters, the first one in the lowest byte: computed and stored at once, not byte by
    /// byte.
    letters: u32,
    length: u8,
}

impl ShortText {
    /// The text of [`Ply::Pass`](super::Ply::Pass).
    pub(super) const PASS: ShortText = ShortText::ascii(*b"pass");

    /// The text of a ply that the game does not have.
    pub(super) const UNKNOWN: ShortText = ShortText::ascii(*b"?\0\0\0");

    /// These characters without the zeros at the end.
    pub(super) const fn ascii(characters: [u8; 4]) -> ShortText {
        // The last characters are in the highest bytes, so a shorter word has zeros there.
        let letters = u32::from_le_bytes(characters);
        ShortText { letters, length: 4 - letters.leading_zeros() as u8 / 8 }
    }

    /// A number below 1,000.
    #[inline(always)]
    pub(super) fn number(number: usize) -> ShortText {
        // Written out, because a loop over digits costs more than the rest of a text of a ply.
        #[inline(always)]
        fn digit(number: usize) -> u32 {
            u32::from(b'0') + (number % 10) as u32
        }
        match number {
            0..10 => ShortText { letters: digit(number), length: 1 },
            10..100 => ShortText { letters: digit(number / 10) | digit(number) << 8, length: 2 },
            _ => ShortText {
                letters: digit(number / 100) | digit(number / 10) << 8 | digit(number) << 16,
                length: 3,
            },
        }
    }

    /// The name of a square: the letter of its column, counted from 0, and the number of its row.
    #[inline(always)]
    pub(super) fn square(column: usize, row: usize) -> ShortText {
        // The letter goes into the lowest byte, before the digits.
        let ShortText { letters, length } = ShortText::number(row);
        ShortText { letters: (u32::from(b'a') + column as u32) | letters << 8, length: length + 1 }
    }

    /// Two texts of two characters as one.
    #[inline(always)]
    pub(super) fn joined(first: ShortText, second: ShortText) -> ShortText {
        ShortText {
            letters: first.letters | second.letters << 16,
            length: first.length + second.length,
        }
    }

    /// Appends it. For so few characters this is quicker than `push_str`.
    #[inline]
    pub(super) fn push_to(self, out: &mut String) {
        for byte in &self.letters.to_le_bytes()[..usize::from(self.length)] {
            out.push(char::from(byte & 0x7f)); // which the compiler knows to be ASCII
        }
    }
}

impl fmt::Display for ShortText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(ascii(&self.letters.to_le_bytes()[..usize::from(self.length)]))
    }
}

/// Appends texts to a `String`, each with a space before it.
///
/// A question to a bot lists hundreds of plies, so they are collected in an array, each with one
/// store: appending each to the `String` takes several times as long.
pub(super) struct ShortTexts<'a> {
    out: &'a mut String,
    text: [u8; 512],
    length: usize,
}

impl ShortTexts<'_> {
    #[inline(always)]
    pub(super) fn new(out: &mut String) -> ShortTexts<'_> {
        ShortTexts { out, text: [0; 512], length: 0 }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, text: ShortText) {
        const STORE: usize = size_of::<u64>();
        if self.length > self.text.len() - STORE {
            self.flush();
        }
        // The space and at most four letters are five bytes. Eight are stored, and the next text
        // overwrites the rest.
        let letters = u64::from(b' ') | u64::from(text.letters) << 8;
        self.text[self.length..self.length + STORE].copy_from_slice(&letters.to_le_bytes());
        self.length += 1 + usize::from(text.length);
    }

    /// Appends what is collected; to be called after the last text.
    pub(super) fn flush(&mut self) {
        self.out.push_str(ascii(&self.text[..self.length]));
        self.length = 0;
    }
}

/// ASCII characters as text.
#[inline]
pub(super) fn ascii(bytes: &[u8]) -> &str {
    debug_assert!(bytes.is_ascii());
    str::from_utf8(bytes).unwrap_or_default()
}
