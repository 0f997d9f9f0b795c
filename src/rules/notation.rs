//! Position texts, `ROWS SIDE [EXTRA]`, and names of squares, in the form that all games share
//! (docs/reference/rules.md, Position text). Reading is strict.

use super::cell::{BLOCK, BoardCells};
use super::number_text::is_number;
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
