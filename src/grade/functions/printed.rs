//! What a function prints: the board in it, and its words.

use super::call::Call;
use crate::words::{
    Kind, TextDifference, Word, differences, is_gap, squares_of_row, words_of, words_of_fields,
    words_of_heading, words_of_row,
};
use std::collections::BTreeSet;

/// How a function of a hand-out prints the squares of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Each is one of these letters.
    Letters([char; 3]),
    /// Each is a field of a line.
    Fields,
}

impl Layout {
    fn of(call: &Call) -> Option<Layout> {
        match call.function {
            "print" => Some(Layout::Letters(['X', 'O', '.'])),
            "printGame" => Some(Layout::Letters(['B', 'W', '.'])),
            "DisplayBoard" => Some(Layout::Fields),
            _ => None,
        }
    }

    /// The squares of a row of so many columns; none if the line is not a row.
    fn row(self, line: &str, columns: usize) -> Option<String> {
        match self {
            Layout::Letters(letters) => squares_of_row(line, &letters, columns),
            Layout::Fields => {
                let line = line.to_ascii_uppercase();
                let mut fields: Vec<&str> = line.split(is_gap).collect();
                fields.retain(|field| !field.is_empty());
                // The number of the row may stand before it.
                let first = fields.len().checked_sub(columns)?;
                Some(fields[first..].join(" "))
            }
        }
    }

    /// The last rows of a text, as many as a board has columns: a heading may look like a row.
    fn rows(self, text: &str, columns: usize) -> Vec<String> {
        let mut rows = Vec::new();
        for line in text.lines() {
            rows.extend(self.row(line, columns));
        }
        rows.drain(..rows.len().saturating_sub(columns));
        rows
    }
}

/// The columns of the board of a call.
fn columns(call: &Call) -> usize {
    call.state.find(['/', ',']).unwrap_or(call.state.len())
}

/// Whether the board that a call is to print can be read in what it printed. Where no board is
/// asked for, it can.
pub(super) fn has_board(call: &Call, printed: &[u8]) -> bool {
    let Some(layout) = Layout::of(call) else { return true };
    let printed = String::from_utf8_lossy(printed);
    let columns = columns(call);
    layout.rows(&printed, columns) == layout.rows(&call.expected.printed, columns)
}

/// Where the text differs from that which is asked for.
pub(super) fn text_differences(call: &Call, printed: &[u8]) -> Vec<TextDifference> {
    let printed = String::from_utf8_lossy(printed);
    let texts = [call.expected.printed.as_str(), &printed].map(|text| trimmed(call, text));
    if is_same(call, &texts) {
        return Vec::new();
    }
    let texts = texts.map(|lines| lines.join("\n"));
    let words = texts.each_ref().map(|text| words(call, text));
    let mut known = BTreeSet::new();
    let mut found =
        differences([&words[0], &words[1]], texts.each_ref().map(String::as_str), &mut known);
    for difference in &mut found {
        difference.shown = format!("{}\n{}", call.shown, difference.shown);
    }
    found
}

fn words(call: &Call, text: &str) -> Vec<Word> {
    let layout = Layout::of(call);
    let columns = columns(call);
    let mut words: Vec<Word> = Vec::new();
    let mut row = 0;
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            // The end of a line belongs to what stands before it.
            let end = match words.last() {
                Some(last) => Word::end_of_line(last.kind, number - 1, last.at + last.text.len()),
                None => Word::end_of_line(Kind::Text, number - 1, 0),
            };
            words.push(end);
        }
        let is_row = layout.is_some_and(|layout| layout.row(line, columns).is_some());
        words.extend(match layout {
            Some(Layout::Fields) if is_row => words_of_fields(line, number),
            Some(Layout::Letters(_)) if is_row => words_of_row(line, row, number, 0),
            Some(Layout::Letters(_)) => words_of_heading(line, columns, number, 0)
                .unwrap_or_else(|| words_of(line, number, 0)),
            _ => words_of(line, number, 0),
        });
        row += usize::from(is_row);
    }
    words
}

/// Whether texts are the same. Where fields of four characters are asked for, it does not matter on
/// which side their blanks are.
fn is_same(call: &Call, texts: &[Vec<String>; 2]) -> bool {
    let [right, got] = texts;
    if got == right || !call.has_open_layout {
        return got == right;
    }
    got.len() == right.len()
        && std::iter::zip(got, right).all(|(got, right)| fields(got) == fields(right))
}

/// The fields of four characters of a line, without blanks at their ends.
fn fields(line: &str) -> Vec<String> {
    let letters: Vec<char> = line.chars().collect();
    let fields = letters.chunks(4);
    fields.map(|field| String::from_iter(field).trim().to_owned()).collect()
}

/// Text without blanks at the ends of lines and without empty lines at the end, or without any if
/// the call says so.
pub(super) fn trimmed(call: &Call, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let line = line.trim_end();
        if !call.has_open_layout || !line.is_empty() {
            lines.push(line.to_owned());
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}
