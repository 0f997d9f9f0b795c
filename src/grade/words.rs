//! What a program prints around the squares of boards, as words, and where that differs from what
//! is asked for.
//!
//! Two texts that say the same of two positions have the same words: squares, row numbers, round
//! numbers and the letters of players are replaced by what they stand for. So a fault that a
//! program makes in every game is one difference, however often it is printed.

use arbiter_rules::text::is_visible;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

/// The most characters of a line that are shown.
const SHOWN: usize = 100;
/// The most characters of a difference that a sentence quotes.
const QUOTED: usize = 40;
/// The most pairs of words that are compared one by one, which takes four bytes each; longer texts
/// differ as a whole.
const MOST_PAIRS: usize = 4_000_000;
/// The most kinds of differences of a case that are kept; the second one already leaves nothing to
/// lose.
const MOST_DIFFERENCES: usize = 20;
/// The most bytes of a line that are kept on each side of where a difference begins.
const AROUND: usize = 400;
/// The most characters of what a difference stands for that tell it from others.
const KEY: usize = 200;
/// So many squares of a board in a difference are a board that is laid out in another way.
const BOARD: usize = 3;

/// A word, a run of blanks, a mark, a square, or the end of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// As it is printed.
    pub text: String,
    /// What it stands for.
    pub key: String,
    pub kind: Kind,
    /// Its line, and where it begins there.
    pub line: usize,
    pub at: usize,
}

/// Where a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Outside of boards.
    Text,
    /// In a board, beside its squares.
    Layout,
    /// A square of a board, or the name of a column.
    Square,
}

impl Word {
    /// A word that stands for itself.
    pub(super) fn of_text(text: impl Into<String>, line: usize, at: usize) -> Word {
        let text = text.into();
        Word { key: text.clone(), text, kind: Kind::Text, line, at }
    }

    /// The end of a line.
    pub(super) fn end_of_line(kind: Kind, line: usize, at: usize) -> Word {
        let end = Word::of_text("\n", line, at);
        if kind == Kind::Text { end } else { end.in_layout() }
    }

    /// It in a board: blanks there are no blanks between words.
    fn in_layout(self) -> Word {
        Word { key: format!("layout {}", self.key), kind: Kind::Layout, ..self }
    }

    fn is_square(&self) -> bool {
        self.kind == Kind::Square
    }
}

/// A difference between the printed text and the expected one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextDifference {
    /// What was expected and what was printed instead, as what they stand for.
    pub key: [String; 2],
    /// In a sentence.
    pub sentence: String,
    /// Both lines with those before them.
    pub shown: String,
    /// The line that was printed, without its end and without what is far away, and where in it
    /// the difference is.
    pub printed: String,
    pub range: Range<usize>,
    /// Whether it is in a board.
    pub in_board: bool,
}

/// Splits a line into words, which stand for themselves; `at` is where it begins in its line.
pub(super) fn words_of(text: &str, line: usize, at: usize) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut last = None;
    for (offset, c) in text.char_indices() {
        let kind = match c {
            ' ' | '\t' => Some(' '),
            c if c.is_alphanumeric() => Some('a'),
            _ => None,
        };
        if kind.is_some() && kind == last {
            if let Some(word) = words.last_mut() {
                word.text.push(c);
                word.key.push(c);
            }
        } else {
            words.push(Word::of_text(c, line, at + offset));
        }
        last = kind;
    }
    words
}

/// The words of the row of this index, from 0, of a board whose squares are single letters.
pub(super) fn words_of_row(text: &str, index: usize, line: usize, at: usize) -> Vec<Word> {
    let mut words = Vec::new();
    for word in words_of(text, line, at) {
        let is_number = word.text.starts_with(|c: char| c.is_ascii_digit());
        // The number of the row stands before its squares.
        if is_number && !words.iter().any(Word::is_square) {
            words.push(Word { key: numbered(&word.text, index), kind: Kind::Layout, ..word });
        } else if word.text.starts_with([' ', '\t', '|']) {
            words.push(word.in_layout());
        } else {
            // Without blanks between them the squares of a row are one word.
            for (offset, c) in word.text.char_indices() {
                words.push(Word {
                    text: c.to_string(),
                    key: "#".to_owned(),
                    kind: Kind::Square,
                    at: word.at + offset,
                    ..word
                });
            }
        }
    }
    words
}

/// The squares of a board's row, in capitals: `columns` of these letters, after an optional row
/// number, with blanks and `|` between them; `None` if the line is not a row.
pub(super) fn squares_of_row(line: &str, letters: &[char], columns: usize) -> Option<String> {
    let line = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let mut squares = String::new();
    for letter in line.to_ascii_uppercase().chars() {
        if letters.contains(&letter) {
            squares.push(letter);
        } else if !is_gap(letter) {
            return None;
        }
    }
    (squares.len() == columns).then_some(squares)
}

/// Whether a character stands between the squares of a row.
pub(super) fn is_gap(c: char) -> bool {
    c.is_whitespace() || c == '|'
}

/// The words of a row of fields: each with the blanks before it is one, and only its width counts.
pub(super) fn words_of_fields(text: &str, line: usize) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut gap = String::new();
    let mut begin = 0;
    for word in words_of(text, line, 0) {
        if word.text.starts_with([' ', '\t']) {
            begin = word.at;
            gap = word.text;
            continue;
        }
        let at = if gap.is_empty() { word.at } else { begin };
        let field = std::mem::take(&mut gap) + &word.text;
        let key =
            if field.contains('\t') { "tab".to_owned() } else { field.chars().count().to_string() };
        words.push(Word { text: field, key, kind: Kind::Square, line, at });
    }
    words
}

/// The number of the row of this index, from 0, as what it is counted from.
fn numbered(text: &str, index: usize) -> String {
    match text.parse::<usize>() {
        Ok(number) if number == index => "row from 0".to_owned(),
        Ok(number) if number == index + 1 => "row from 1".to_owned(),
        _ => text.to_owned(),
    }
}

/// The words of a line above a board that names its columns, `None` if it does not.
pub(super) fn words_of_heading(
    text: &str,
    columns: usize,
    line: usize,
    at: usize,
) -> Option<Vec<Word>> {
    let names: Vec<char> = text.chars().filter(|c| !is_gap(*c)).collect();
    let first = *names.first()?;
    if !['A', 'a', '0', '1'].contains(&first) || names.len() != columns {
        return None;
    }
    // Each names the column behind the one before.
    for (index, name) in names.iter().enumerate() {
        if u32::from(*name) != u32::from(first) + index as u32 {
            return None;
        }
    }
    // As a row of an index that no number has, so that no digit counts as the number of a row.
    let mut words = words_of_row(text, usize::MAX - 1, line, at);
    for word in &mut words {
        if !word.text.starts_with([' ', '\t', '|']) {
            word.key = format!("columns from {first}");
            word.kind = Kind::Square;
        }
    }
    Some(words)
}

/// Where two texts differ: ranges of words of both.
fn hunks(expected: &[Word], printed: &[Word]) -> Vec<(Range<usize>, Range<usize>)> {
    // What is equal at both ends is left out, because the table below has an entry for each pair.
    let front = std::iter::zip(expected, printed).take_while(|(a, b)| a.key == b.key).count();
    let mut a = &expected[front..];
    let mut b = &printed[front..];
    while let ([a_front @ .., a_last], [b_front @ .., b_last]) = (a, b)
        && a_last.key == b_last.key
    {
        (a, b) = (a_front, b_front);
    }
    if a.is_empty() && b.is_empty() {
        return Vec::new();
    }
    let all = (front..front + a.len(), front..front + b.len());
    if a.is_empty() || b.is_empty() || a.len() * b.len() > MOST_PAIRS {
        return vec![all];
    }
    // The longest common subsequence: `longest[i][j]` is that of a[i..] and b[j..].
    let width = b.len() + 1;
    let mut longest = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if a[i].key == b[j].key {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let mut found = Vec::new();
    let (mut i, mut j) = (0, 0);
    let mut begin = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].key == b[j].key {
            if begin != (i, j) {
                found.push((front + begin.0..front + i, front + begin.1..front + j));
            }
            i += 1;
            j += 1;
            begin = (i, j);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    if begin != (a.len(), b.len()) {
        found.push((front + begin.0..front + a.len(), front + begin.1..front + b.len()));
    }
    found
}

/// The differences between the words that are asked for and those that were printed, each kind
/// once. The texts are those that the words are from.
pub(super) fn differences(
    [expected, printed]: [&[Word]; 2],
    texts: [&str; 2],
    known: &mut BTreeSet<[String; 2]>,
) -> Vec<TextDifference> {
    let mut found = Vec::new();
    for (wanted, came) in hunks(expected, printed) {
        // A program may print something else each time.
        if known.len() == MOST_DIFFERENCES {
            break;
        }
        let sides = [&expected[wanted.clone()], &printed[came.clone()]];
        let is_board = sides.iter().any(|words| squares(words) >= BOARD);
        let key = sides.map(|words| key_of(words, is_board).chars().take(KEY).collect());
        if !known.insert(key.clone()) {
            continue;
        }
        let lines = [line_at(expected, wanted.start), line_at(printed, came.start)];
        let is_in_board =
            is_board || printed.iter().any(|word| word.is_square() && word.line == lines[1]);
        let (line, range) = around(texts[1], lines[1], printed, came);
        found.push(TextDifference {
            sentence: sentence(sides, is_board),
            shown: shown_lines(texts, lines),
            printed: line,
            range,
            key,
            in_board: is_in_board,
        });
    }
    found
}

/// The line of this number, without what is far from where these words differ, and where in it that
/// is. What differs may go on in further lines; the range ends with this one.
fn around(
    text: &str,
    number: usize,
    words: &[Word],
    differing: Range<usize>,
) -> (String, Range<usize>) {
    let line = text.lines().nth(number).unwrap_or_default();
    let mut begin = line.len();
    if let Some(first) = words.get(differing.start)
        && first.line == number
    {
        begin = first.at.min(line.len());
    }
    let mut end = begin;
    for word in &words[differing] {
        if word.line == number {
            end = word.at + word.text.len();
        }
    }
    let from = line.floor_char_boundary(begin.saturating_sub(AROUND));
    let to = line.floor_char_boundary(begin + AROUND);
    (line[from..to].to_owned(), begin - from..end.clamp(begin, to) - from)
}

fn squares(words: &[Word]) -> usize {
    words.iter().filter(|word| word.is_square()).count()
}

/// What words stand for together. Of a board it does not matter how many squares it has.
fn key_of(words: &[Word], is_board: bool) -> String {
    let mut key = String::new();
    for word in words {
        let is_word = word.kind == Kind::Text && word.text.starts_with(char::is_alphanumeric);
        if is_word || !is_board {
            key += &word.key;
        }
    }
    if is_board && squares(words) > 0 {
        key += "#";
    }
    key
}

/// The line of the word of this index, or of the last one.
fn line_at(words: &[Word], index: usize) -> usize {
    words.get(index).or(words.last()).map_or(0, |word| word.line)
}

fn sentence([wanted, came]: [&[Word]; 2], is_board: bool) -> String {
    if is_board {
        let what = if squares(came) == 0 {
            "a board is missing"
        } else if squares(wanted) == 0 {
            "a board is printed too often"
        } else {
            "the layout of the board differs"
        };
        return what.to_owned();
    }
    let [asked, printed] = [wanted, came].map(|words| {
        let text: String = words.iter().map(|word| word.text.as_str()).collect();
        quoted(&text)
    });
    if printed.is_empty() {
        format!("`{asked}` is missing")
    } else if asked.is_empty() {
        format!("`{printed}` is printed, and nothing is asked for there")
    } else {
        format!("`{printed}` is printed in place of `{asked}`")
    }
}

/// A text with its blanks made visible, not too long.
fn quoted(text: &str) -> String {
    let mut quoted: String = text.chars().take(QUOTED).map(visible).collect();
    if text.chars().nth(QUOTED).is_some() {
        quoted.push('…');
    }
    quoted
}

fn visible(c: char) -> char {
    match c {
        ' ' => '·',
        '\t' => '→',
        '\r' => '␍',
        '\n' => '↵',
        c if is_visible(c) => c,
        _ => '\u{fffd}',
    }
}

/// The lines at these places of an expected text and of one that came, each with those before it.
pub(super) fn shown_lines(texts: [&str; 2], lines: [usize; 2]) -> String {
    let mut shown = String::new();
    for ((name, text), line) in ["expected", "printed"].into_iter().zip(texts).zip(lines) {
        push_lines(name, text, line, &mut shown);
    }
    shown
}

/// The lines that are shown before one.
const LINES_BEFORE: usize = 2;

/// Appends the line at an index and those before it; behind the last line it is the end of the
/// text.
fn push_lines(name: &str, text: &str, at: usize, out: &mut String) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = at.min(lines.len());
    let _ = writeln!(out, "{name}, line {}:", at + 1); // writing to a String cannot fail
    let from = at.saturating_sub(LINES_BEFORE);
    for (number, line) in lines.iter().enumerate().take(at + 1).skip(from) {
        let mark = if number == at { '>' } else { ' ' };
        let mut shown: String = line.chars().take(SHOWN).map(visible).collect();
        if line.chars().nth(SHOWN).is_some() {
            shown.push('…');
        }
        let _ = writeln!(out, "{mark} {shown}");
    }
    if at == lines.len() {
        *out += "> (end of the output)\n";
    }
}
