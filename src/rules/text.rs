//! Position text, `ROWS SIDE [EXTRA]`, as all games write it; strict in reading.

use std::fmt;

/// Why a position text, or a ply text, cannot be read: a sentence that names the row or field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(String);

impl PositionError {
    pub(super) fn new(what: impl fmt::Display) -> PositionError {
        PositionError(what.to_string())
    }
}

/// Splits a position text into its rows and the fields after them.
pub(super) fn fields(text: &str, wanted: usize) -> Result<Vec<&str>, PositionError> {
    if text.is_empty() {
        return Err(PositionError::new("position: it is empty; its fields are rows and the side to move"));
    }
    let fields: Vec<&str> = text.split(' ').collect();
    if fields.iter().any(|field| field.is_empty()) {
        return Err(PositionError::new("position: stray space; its fields are separated by single spaces"));
    }
    if fields.len() != wanted {
        return Err(PositionError::new(format_args!(
            "position: {} field{} where {wanted} are needed (rows, then the side to move)",
            fields.len(),
            if fields.len() == 1 { "" } else { "s" },
        )));
    }
    Ok(fields)
}

/// Reads the rows, top one first, and calls `put(row, column, letter)` for every piece, row by row.
///
/// # Errors
/// Wrong row count or width, an unknown letter, a run of 0 or with a leading zero, each with its row.
pub(super) fn read_rows(
    rows: &str,
    size: usize,
    letters: &str,
    mut put: impl FnMut(usize, usize, char),
) -> Result<(), PositionError> {
    let count = rows.split('/').count();
    if count != size {
        return Err(PositionError::new(format_args!(
            "position: {count} row{} where {size} are needed",
            if count == 1 { "" } else { "s" }
        )));
    }
    for (row, text) in rows.split('/').enumerate() {
        let error =
            |what: String| PositionError::new(format_args!("position, row {} from the top: {what}", row + 1));
        let mut column = 0;
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if digits > 0 {
                let run = &rest[..digits];
                if run.starts_with('0') {
                    return Err(error(format!("a run of empty squares cannot be `{run}`")));
                }
                column += run.parse::<usize>().ok().filter(|&n| n <= size).ok_or_else(|| {
                    error(format!("a run of {run} empty squares does not fit a board {size} wide"))
                })?;
                rest = &rest[digits..];
            } else if letters.contains(letter) {
                if column < size {
                    put(row, column, letter);
                }
                column += 1;
                rest = &rest[letter.len_utf8()..];
            } else {
                let known = letters.chars().map(|c| format!("`{c}`")).collect::<Vec<_>>().join(", ");
                return Err(error(format!("unknown letter {letter:?}; pieces are {known}")));
            }
        }
        if column != size {
            return Err(error(format!(
                "{column} square{} wide, not {size}",
                if column == 1 { "" } else { "s" }
            )));
        }
    }
    Ok(())
}

/// Writes rows, top one first: `cell` gives a piece's letter, or nothing for an empty square.
pub(super) fn push_rows(out: &mut String, size: usize, cell: impl Fn(usize, usize) -> Option<char>) {
    for row in 0..size {
        if row > 0 {
            out.push('/');
        }
        let mut run = 0;
        for column in 0..=size {
            match (column < size).then(|| cell(row, column)) {
                Some(None) => run += 1,
                piece => {
                    if run > 0 {
                        out.push_str(&run.to_string());
                        run = 0;
                    }
                    out.extend(piece.flatten());
                }
            }
        }
    }
}
