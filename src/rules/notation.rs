//! Position texts, `ROWS SIDE [EXTRA]`, and names of squares, in the form that all games share.
//! Reading is strict.

use super::cell::{BLOCK, BoardCells};
use super::{BySide, Cell, PlyError, RulesFault, Side};
use crate::text::counted;
use std::fmt;

/// Why a position text cannot be read: a sentence that names the row or field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct PositionError {
    what: String,
    /// How the rules of a custom game failed, if it is not the text that is wrong.
    pub fault: Option<Box<RulesFault>>,
}

impl From<RulesFault> for PositionError {
    fn from(fault: RulesFault) -> PositionError {
        PositionError { what: fault.to_string(), fault: Some(Box::new(fault)) }
    }
}

impl PositionError {
    pub(super) fn new(what: impl fmt::Display) -> PositionError {
        PositionError { what: what.to_string(), fault: None }
    }
}

/// The format of a game's position texts.
pub(super) struct PositionFormat {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) letters: BySide<char>,
    /// Whether rows may hold `#`.
    pub(super) blocks: bool,
    /// What the third field means, if the game has one.
    pub(super) extra: Option<&'static str>,
}

impl PositionFormat {
    /// Reads a position text: squares, side to move, and the third field, empty if the game has
    /// none.
    ///
    /// # Errors
    /// A wrong number of fields, rows or columns, an unknown letter or side, a run of 0 or with a
    /// leading zero.
    pub(super) fn read<'a>(
        &self,
        text: &'a str,
    ) -> Result<(BoardCells, Side, &'a str), PositionError> {
        let wanted = match self.extra {
            None => "2 are needed (rows, then the side to move)".to_owned(),
            Some(extra) => format!("3 are needed (rows, the side to move, then {extra})"),
        };
        if text.is_empty() {
            return Err(PositionError::new(format_args!("position: it is empty; {wanted}")));
        }
        // Reading is strict: two texts of one position would make a log's tags differ.
        let fields: Vec<&str> = text.split(' ').collect();
        if fields.iter().any(|field| field.is_empty()) {
            return Err(PositionError::new(
                "position: stray space; its fields are separated by single spaces",
            ));
        }
        let (rows, side, extra) = match (&fields[..], self.extra) {
            (&[rows, side], None) => (rows, side, ""),
            (&[rows, side, extra], Some(_)) => (rows, side, extra),
            (fields, _) => {
                let count = counted(fields.len() as u64, "field");
                return Err(PositionError::new(format_args!("position: {count} where {wanted}")));
            }
        };
        let size = (self.rows, self.columns);
        let cells = read_rows(rows, size, Cell::Empty, |letter| self.cell(letter));
        let cells = cells.map_err(PositionError::new)?;
        let side = read_side(side, self.letters).map_err(PositionError::new)?;
        Ok((BoardCells { cells, columns: self.columns }, side, extra))
    }

    /// The content of a square with this letter; the error says which letters there are.
    fn cell(&self, letter: char) -> Result<Cell, String> {
        let BySide { first, second } = self.letters;
        if letter == first {
            Ok(Cell::Piece(Side::First))
        } else if letter == second {
            Ok(Cell::Piece(Side::Second))
        } else if self.blocks && letter == BLOCK {
            Ok(Cell::Block)
        } else {
            let blocks = if self.blocks { ", a block is `#`" } else { "" };
            Err(format!("unknown letter {letter:?}; pieces are `{first}` and `{second}`{blocks}"))
        }
    }
}

/// Reads the rows of a position text, the top one first: what is on each square by its letter, and
/// `empty` for a run.
///
/// # Errors
/// A wrong number of rows or columns, a letter that `content` refuses, a run of 0 or with a leading
/// zero.
pub(super) fn read_rows<T: Clone>(
    text: &str,
    (rows, columns): (usize, usize),
    empty: T,
    content: impl Fn(char) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let count = text.split('/').count();
    if count != rows {
        return Err(format!("position: {} where {rows} are needed", counted(count as u64, "row")));
    }
    let mut all = Vec::with_capacity(rows * columns);
    for (row, squares) in text.split('/').enumerate() {
        match read_row(squares, columns, &empty, &content) {
            Ok(read) => all.extend(read),
            Err(what) => {
                return Err(format!("position, row {} from the top: {what}", row + 1));
            }
        }
    }
    Ok(all)
}

/// Reads one row; the error says what is wrong with it.
fn read_row<T: Clone>(
    text: &str,
    columns: usize,
    empty: &T,
    content: impl Fn(char) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let mut width = 0;
    let mut row = vec![empty.clone(); columns];
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let run = &rest[..digits];
            if run.starts_with('0') {
                return Err(format!("a run of empty squares cannot be `{run}`"));
            }
            // A number that is too large for `usize` is too large for the board.
            match run.parse::<usize>() {
                Ok(squares) if squares <= columns => width += squares,
                _ => {
                    return Err(format!(
                        "a run of {run} empty squares does not fit a board {columns} wide"
                    ));
                }
            }
            rest = &rest[digits..];
            continue;
        }
        let there = content(letter)?;
        // A row that is too long is read to its end, so that the error can say how long it is.
        if width < columns {
            row[width] = there;
        }
        width += 1;
        rest = &rest[letter.len_utf8()..];
    }
    if width != columns {
        return Err(format!("{} wide, not {columns}", counted(width as u64, "square")));
    }
    Ok(row)
}

/// The side to move of a position text.
///
/// # Errors
/// It is the letter of neither side.
pub(super) fn read_side(text: &str, letters: BySide<char>) -> Result<Side, String> {
    let BySide { first, second } = letters;
    if text.chars().eq([first]) {
        Ok(Side::First)
    } else if text.chars().eq([second]) {
        Ok(Side::Second)
    } else {
        Err(format!("position: unknown side to move {text:?}; it is {first} or {second}"))
    }
}

/// Writes rows, the top one first: `letter` returns the letter of a square, `None` for an empty
/// one.
pub(super) fn push_rows(
    out: &mut String,
    (rows, columns): (usize, usize),
    letter: impl Fn(usize, usize) -> Option<char>,
) {
    for row in 0..rows {
        if row > 0 {
            out.push('/');
        }
        let mut run = 0;
        for column in 0..columns {
            let Some(piece) = letter(row, column) else {
                run += 1;
                continue;
            };
            push_run(out, run);
            run = 0;
            out.push(piece);
        }
        push_run(out, run);
    }
}

/// Appends a run of so many empty squares, if there are any.
fn push_run(out: &mut String, run: usize) {
    if run > 0 {
        out.push_str(&run.to_string());
    }
}

/// Row and column, from 0, of a square named by a letter in either case and the number of its row,
/// such as `c3`.
///
/// # Errors
/// The text is not such a name, or the square is not on a board of that size whose rows count from
/// `first`.
pub(super) fn read_square(
    text: &str,
    (rows, columns): (usize, usize),
    first: usize,
) -> Result<(usize, usize), PlyError> {
    let last = char::from(b'a' + columns as u8 - 1);
    let range = format_args!("columns are a to {last}, rows {first} to {}", first + rows - 1);
    let letter = text.chars().next().filter(char::is_ascii_alphabetic);
    let number = text.get(1..).filter(|number| is_number(number));
    let (Some(letter), Some(number)) = (letter, number) else {
        return Err(PlyError::new(format_args!("expected a square such as c3; {range}")));
    };
    let column = usize::from(letter.to_ascii_lowercase() as u8 - b'a');
    if column >= columns {
        return Err(PlyError::new(format_args!("column {letter:?} is not on the board; {range}")));
    }
    match number.parse::<usize>() {
        Ok(number) if (first..first + rows).contains(&number) => Ok((number - first, column)),
        _ => Err(PlyError::new(format_args!("row \"{number}\" is not on the board; {range}"))),
    }
}

/// A word of at most four ASCII characters: the text of a ply, or the name of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    /// The characters, the first one in the lowest byte: computed and stored at once, not byte by
    /// byte.
    letters: u32,
    length: u8,
}

impl Word {
    /// The text of [`Ply::Pass`](super::Ply::Pass).
    pub(super) const PASS: Word = Word::ascii(*b"pass");

    /// The text of a ply that the game does not have.
    pub(super) const UNKNOWN: Word = Word::ascii(*b"?\0\0\0");

    /// A word of these characters, the last ones possibly 0, which are left out.
    pub(super) const fn ascii(characters: [u8; 4]) -> Word {
        // The last characters are in the highest bytes, so a shorter word has zeros there.
        let letters = u32::from_le_bytes(characters);
        Word { letters, length: 4 - letters.leading_zeros() as u8 / 8 }
    }

    /// A number below 1,000.
    #[inline(always)]
    pub(super) fn number(number: usize) -> Word {
        // Written out, because a loop over digits costs more than the rest of a text of a ply.
        #[inline(always)]
        fn digit(number: usize) -> u32 {
            u32::from(b'0') + (number % 10) as u32
        }
        match number {
            0..10 => Word { letters: digit(number), length: 1 },
            10..100 => Word { letters: digit(number / 10) | digit(number) << 8, length: 2 },
            _ => Word {
                letters: digit(number / 100) | digit(number / 10) << 8 | digit(number) << 16,
                length: 3,
            },
        }
    }

    /// The name of a square: the letter of its column, counted from 0, and the number of its row.
    #[inline(always)]
    pub(super) fn square(column: usize, row: usize) -> Word {
        // The letter goes into the lowest byte, before the digits.
        let Word { letters, length } = Word::number(row);
        Word { letters: (u32::from(b'a') + column as u32) | letters << 8, length: length + 1 }
    }

    /// Two words of two characters as one.
    #[inline(always)]
    pub(super) fn two(first: Word, second: Word) -> Word {
        Word { letters: first.letters | second.letters << 16, length: first.length + second.length }
    }

    /// Appends it. For so few characters this is quicker than `push_str`.
    #[inline]
    pub(super) fn push_to(self, out: &mut String) {
        for byte in &self.letters.to_le_bytes()[..usize::from(self.length)] {
            out.push(char::from(byte & 0x7f)); // of which the compiler knows that it is ASCII
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(ascii(&self.letters.to_le_bytes()[..usize::from(self.length)]))
    }
}

/// Appends words to a text, each with a space before it.
///
/// A question has hundreds of them, so they are collected in an array, each with one store:
/// appending each to the `String` takes several times as long.
pub(super) struct Words<'a> {
    out: &'a mut String,
    text: [u8; 512],
    length: usize,
}

impl Words<'_> {
    #[inline(always)]
    pub(super) fn new(out: &mut String) -> Words<'_> {
        Words { out, text: [0; 512], length: 0 }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, word: Word) {
        const STORE: usize = size_of::<u64>();
        if self.length > self.text.len() - STORE {
            self.flush();
        }
        // The space and at most four letters are five bytes. Eight are stored, and the next word
        // overwrites the rest.
        let letters = u64::from(b' ') | u64::from(word.letters) << 8;
        self.text[self.length..self.length + STORE].copy_from_slice(&letters.to_le_bytes());
        self.length += 1 + usize::from(word.length);
    }

    /// Appends what is collected; to be called behind the last word.
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

/// Whether a text is a whole number: digits, no sign, no leading zero.
pub(super) fn is_number(text: &str) -> bool {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (text == "0" || !text.starts_with('0'))
}

/// The numbers below `count`, sorted as text: 0, 1, 10, 11, …, 2, 20, ….
pub(super) fn numbers_as_text(count: usize) -> impl Iterator<Item = usize> {
    std::iter::successors((count > 0).then_some(0), move |&number| next_as_text(number, count))
}

/// The number below `count` whose text follows that of this one.
fn next_as_text(number: usize, count: usize) -> Option<usize> {
    // Its text with a 0 behind it comes next; 0 itself has no such continuation.
    if number == 0 || number * 10 < count {
        return Some((number * 10).max(1)).filter(|&next| next < count);
    }
    // Otherwise the last digit that can grow does so, and those behind it go.
    let mut number = number;
    while number % 10 == 9 || number + 1 >= count {
        number /= 10;
        if number == 0 {
            return None;
        }
    }
    Some(number + 1)
}

/// Numbers below 1,000 sorted as text, at most `N`; for few numbers of many, which need not be
/// looked for.
pub(super) fn sorted_as_text<const N: usize>(
    numbers: impl Iterator<Item = usize>,
) -> impl Iterator<Item = usize> {
    let mut sorted = [0; N];
    let mut count = 0;
    for number in numbers {
        sorted[count] = number as u16;
        count += 1;
    }
    // As if all had three digits, the shorter one first.
    sorted[..count].sort_unstable_by_key(|&number| match number {
        0..10 => (number * 100, 1),
        10..100 => (number * 10, 2),
        _ => (number, 3),
    });
    sorted.into_iter().take(count).map(usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_the_order_of_their_texts() {
        for count in 0..600 {
            let mut sorted: Vec<usize> = (0..count).collect();
            sorted.sort_by_key(usize::to_string);
            assert_eq!(numbers_as_text(count).collect::<Vec<_>>(), sorted);
            assert_eq!(sorted_as_text::<600>(0..count).collect::<Vec<_>>(), sorted);
        }
    }
}
