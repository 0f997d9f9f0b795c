//! The board of a custom game: its size, the letters of its pieces, and the names of its
//! squares.

use super::MOST_ROWS;
use crate::cell::{BLOCK, Cell};
use crate::{BySide, Side};
use std::collections::{BTreeSet, HashSet};
use std::fmt;

/// What all positions of a game have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Layout {
    sides: BySide<char>,
    /// The letters of each side's pieces, its own letter first.
    pieces: BySide<String>,
    row_names: Vec<String>,
    column_names: Vec<String>,
}

/// The letter of an empty square.
const EMPTY: char = '.';

impl Layout {
    /// A board with these letters and names. `pieces` are the letters of the pieces of each side;
    /// that of the side itself may be among them. Names of rows come from the top, names of columns
    /// from the left.
    ///
    /// # Errors
    /// A sentence: a size that is none, a letter that is none or has two owners, a name that is
    /// none, or names that make two sequences of squares read alike.
    ///
    /// ```
    /// use arbiter_rules::{BySide, Layout};
    /// let sides = BySide { first: 'X', second: 'O' };
    /// let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    /// let columns = || names(&["a", "b"]);
    /// assert!(Layout::new(sides, BySide::default(), names(&["1", "2"]), columns()).is_ok());
    /// let twice = Layout::new(sides, BySide::default(), names(&["1", "1"]), columns());
    /// assert_eq!(twice.unwrap_err(), "two rows are called \"1\"");
    /// ```
    pub fn new(
        sides: BySide<char>,
        pieces: BySide<String>,
        row_names: Vec<String>,
        column_names: Vec<String>,
    ) -> Result<Layout, String> {
        let pieces = BySide::from_fn(|side| {
            sides[side].to_string() + &pieces[side].replace(sides[side], "")
        });
        let mut known = BTreeSet::new();
        for letter in pieces.first.chars().chain(pieces.second.chars()) {
            if !letter.is_ascii_alphabetic() {
                return Err(format!(
                    "{letter:?} is no letter of a piece; it is one of a to z and A to Z"
                ));
            }
            if !known.insert(letter) {
                return Err(format!("the letter {letter:?} is given to two pieces"));
            }
        }
        for (what, names) in [("row", &row_names), ("column", &column_names)] {
            check_names(what, names)?;
        }
        let layout = Layout { sides, pieces, row_names, column_names };
        if let Some(text) = layout.ambiguity() {
            return Err(format!(
                "{text:?} can be read as two sequences of squares; change row_names or column_names"
            ));
        }
        Ok(layout)
    }

    /// A board with the usual names: columns `a`, `b` …, after `z` `aa`, `ab` …, rows `1`, `2` …
    /// from the top.
    ///
    /// # Errors
    /// As for [`new`](Layout::new).
    pub fn usual(sides: BySide<char>, rows: usize, columns: usize) -> Result<Layout, String> {
        let rows = (1..=rows).map(|row| row.to_string()).collect();
        Layout::new(sides, BySide::default(), rows, (0..columns).map(usual_column).collect())
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.row_names.len()
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.column_names.len()
    }

    /// The letters of the two sides.
    pub fn sides(&self) -> BySide<char> {
        self.sides
    }

    /// The letters of pieces that are not those of the sides, with their owners.
    pub fn other_pieces(&self) -> impl Iterator<Item = (char, Side)> + '_ {
        let others = |side| self.pieces[side].chars().skip(1).map(move |letter| (letter, side));
        Side::BOTH.into_iter().flat_map(others)
    }

    /// The names of the rows, the top one first.
    pub fn row_names(&self) -> &[String] {
        &self.row_names
    }

    /// The names of the columns.
    pub fn column_names(&self) -> &[String] {
        &self.column_names
    }

    /// Whether rows are numbered from 1.
    pub fn has_usual_rows(&self) -> bool {
        self.row_names.iter().zip(1..).all(|(name, number)| *name == number.to_string())
    }

    /// Whether columns are a, b, and so on.
    pub fn has_usual_columns(&self) -> bool {
        self.column_names.iter().enumerate().all(|(column, name)| *name == usual_column(column))
    }

    /// The side to which the piece of a letter belongs.
    pub fn owner(&self, letter: char) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.pieces[side].contains(letter))
    }

    /// The content of a square with this letter.
    pub(crate) fn cell(&self, letter: char) -> Option<Cell> {
        match letter {
            EMPTY => Some(Cell::Empty),
            BLOCK => Some(Cell::Block),
            letter => self.owner(letter).map(Cell::Piece),
        }
    }

    /// The name of a square.
    pub(crate) fn square_name(&self, (row, column): (usize, usize)) -> String {
        format!("{}{}", self.column_names[column], self.row_names[row])
    }

    /// Row and column of the squares of which a text is the names, one behind the other; `None` if
    /// it is something else.
    ///
    /// ```
    /// use arbiter_rules::{BySide, Layout};
    /// let layout = Layout::usual(BySide { first: 'X', second: 'O' }, 12, 3).unwrap();
    /// assert_eq!(layout.read_squares("a1b11"), Some(vec![(0, 0), (10, 1)]));
    /// assert_eq!(layout.read_squares("d1"), None);
    /// ```
    pub fn read_squares(&self, text: &str) -> Option<Vec<(usize, usize)>> {
        // No text can be read in two ways, but the beginning of one may. A place from which the
        // rest cannot be read is tried once: otherwise long texts would take exponential time.
        let mut dead_ends = vec![false; text.len() + 1];
        let mut found = Vec::new();
        (!text.is_empty() && text.is_ascii() && self.read_rest(text, 0, &mut dead_ends, &mut found))
            .then_some(found)
    }

    /// Reads the rest of a text, from this byte on, behind the squares that were found before it.
    fn read_rest(
        &self,
        text: &str,
        from: usize,
        dead_ends: &mut [bool],
        found: &mut Vec<(usize, usize)>,
    ) -> bool {
        if from == text.len() {
            return true;
        }
        if dead_ends[from] {
            return false;
        }
        // Each column whose name comes here, then each row: `a1`, but also `aa1` where both a and
        // aa are columns.
        for (column, column_name) in self.column_names.iter().enumerate() {
            let Some(after) = text[from..].strip_prefix(column_name.as_str()) else { continue };
            for (row, row_name) in self.row_names.iter().enumerate() {
                if let Some(rest) = after.strip_prefix(row_name.as_str()) {
                    found.push((row, column));
                    if self.read_rest(text, text.len() - rest.len(), dead_ends, found) {
                        return true;
                    }
                    found.pop();
                }
            }
        }
        dead_ends[from] = true;
        false
    }

    /// A text that can be read as two sequences of squares, if there is one: the test of A.
    /// Sardinas and G. Patterson, "A necessary and sufficient condition for unique decomposition of
    /// coded messages", IRE Convention Record 1953, part 8, 104-108, on the names of all squares. A
    /// dangling suffix is what one sequence has more than the other.
    fn ambiguity(&self) -> Option<String> {
        let mut names = HashSet::new();
        for row in 0..self.rows() {
            for column in 0..self.columns() {
                let name = self.square_name((row, column));
                if !names.insert(name.clone()) {
                    return Some(name);
                }
            }
        }
        // Dangling suffixes, each with a text that leads to it. First where one name begins
        // another.
        let mut waiting: Vec<(String, String)> = Vec::new();
        for name in &names {
            for length in 1..name.len() {
                if names.contains(&name[..length]) {
                    waiting.push((name[length..].to_owned(), name.clone()));
                }
            }
        }
        let mut seen = BTreeSet::new();
        while let Some((suffix, text)) = waiting.pop() {
            if names.contains(&suffix) {
                return Some(text); // both sequences end together
            }
            if !seen.insert(suffix.clone()) {
                continue;
            }
            // The shorter sequence goes on by a name that is shorter than the suffix, or longer.
            for length in 1..suffix.len() {
                if names.contains(&suffix[..length]) {
                    waiting.push((suffix[length..].to_owned(), text.clone()));
                }
            }
            for name in &names {
                if let Some(more) = name.strip_prefix(&*suffix)
                    && !more.is_empty()
                {
                    waiting.push((more.to_owned(), text.clone() + more));
                }
            }
        }
        None
    }
}

/// The usual name of a column, counted from 0.
fn usual_column(column: usize) -> String {
    let last = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", char::from(b'a' + more as u8 - 1)),
    }
}

/// Checks the names of all rows, or of all columns.
fn check_names(what: &str, names: &[String]) -> Result<(), String> {
    if !(1..=MOST_ROWS).contains(&names.len()) {
        return Err(format!("a board has 1 to {MOST_ROWS} {what}s, not {}", names.len()));
    }
    for (at, name) in names.iter().enumerate() {
        if !(1..=3).contains(&name.len()) || !name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        {
            return Err(format!(
                "{name:?} is no name of a {what}; it has one to three letters and digits"
            ));
        }
        if names[..at].contains(name) {
            return Err(format!("two {what}s are called {name:?}"));
        }
    }
    Ok(())
}

/// The form in which a log keeps it: the letters of the sides, then what differs from the usual,
/// such as `XO 6x7` or `XO 8x8 pieces=XK,OQ rows=8,7,6,5,4,3,2,1`.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows();
        let columns = self.columns();
        write!(f, "{}{} {rows}x{columns}", self.sides.first, self.sides.second)?;
        if self.pieces.first.len() + self.pieces.second.len() > 2 {
            write!(f, " pieces={},{}", self.pieces.first, self.pieces.second)?;
        }
        if !self.has_usual_rows() {
            write!(f, " rows={}", self.row_names.join(","))?;
        }
        if !self.has_usual_columns() {
            write!(f, " columns={}", self.column_names.join(","))?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Layout {
    type Err = String;

    /// Reads what [`Display`](fmt::Display) writes.
    ///
    /// ```
    /// use arbiter_rules::Layout;
    /// let text = "XO 2x3 pieces=XK,O rows=2,1";
    /// assert_eq!(text.parse::<Layout>().unwrap().to_string(), text);
    /// ```
    fn from_str(text: &str) -> Result<Layout, String> {
        const WRONG: &str =
            "it is written as `XO 6x7`, then pieces=, rows= and columns= where they are not usual";
        let mut words = text.split(' ');
        let sides: Vec<char> = words.next().unwrap_or_default().chars().collect();
        let &[first, second] = &sides[..] else { return Err(WRONG.to_owned()) };
        let (rows, columns) = words.next().and_then(|size| size.split_once('x')).ok_or(WRONG)?;
        let rows = read_size(rows).ok_or(WRONG)?;
        let columns = read_size(columns).ok_or(WRONG)?;
        let mut pieces = BySide::<String>::default();
        let mut row_names: Vec<String> = (1..=rows).map(|row| row.to_string()).collect();
        let mut column_names: Vec<String> = (0..columns).map(usual_column).collect();
        for word in words {
            let (key, list) = word.split_once('=').ok_or(WRONG)?;
            let list: Vec<String> = list.split(',').map(str::to_owned).collect();
            match (key, list.len()) {
                ("pieces", 2) => {
                    pieces = BySide { first: list[0].clone(), second: list[1].clone() }
                }
                ("rows", count) if count == rows => row_names = list,
                ("columns", count) if count == columns => column_names = list,
                _ => return Err(WRONG.to_owned()),
            }
        }
        Layout::new(BySide { first, second }, pieces, row_names, column_names)
    }
}

/// A number of rows or columns that a board may have.
fn read_size(text: &str) -> Option<usize> {
    text.parse().ok().filter(|size| (1..=MOST_ROWS).contains(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDES: BySide<char> = BySide { first: 'X', second: 'O' };

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn boards_of_all_sizes_have_names_that_are_read_in_one_way() {
        for (rows, columns) in [(1, 1), (6, 7), (3, 12), (19, 19), (32, 32), (1, 32), (32, 1)] {
            let layout = Layout::usual(SIDES, rows, columns).unwrap();
            for at in (0..rows * columns).map(|at| (at / columns, at % columns)) {
                assert_eq!(layout.read_squares(&layout.square_name(at)), Some(vec![at]));
            }
            assert_eq!(layout.to_string().parse(), Ok(layout));
        }
    }

    #[test]
    fn names_that_can_be_read_in_two_ways_are_refused() {
        for (rows, columns) in [
            (names(&["1", "11"]), names(&["a", "1a"])), // a1 1a1 and a11 a1
            (names(&["1", "1a1"]), names(&["a"])),      // a1a1
            (names(&["1", "12"]), names(&["a", "2a"])), // a1 2a1 and a12 a1
        ] {
            let error = Layout::new(SIDES, BySide::default(), rows, columns).unwrap_err();
            assert!(error.contains("can be read as two sequences of squares"), "{error}");
        }
        let rows = names(&["1", "11", "111"]);
        assert!(Layout::new(SIDES, BySide::default(), rows, names(&["a", "aa", "b"])).is_ok());
    }

    #[test]
    fn letters_and_names_are_checked() {
        let one = || names(&["1"]);
        let error =
            |sides, pieces, rows, columns| Layout::new(sides, pieces, rows, columns).unwrap_err();
        let same = BySide { first: 'X', second: 'X' };
        assert_eq!(
            error(same, BySide::default(), one(), names(&["a"])),
            "the letter 'X' is given to two pieces"
        );
        let dot = BySide { first: '.', second: 'O' };
        assert!(
            error(dot, BySide::default(), one(), names(&["a"])).contains("is no letter of a piece")
        );
        let pieces = BySide { first: "XK".to_owned(), second: "OK".to_owned() };
        assert!(error(SIDES, pieces, one(), names(&["a"])).contains("'K' is given to two pieces"));
        assert!(
            error(SIDES, BySide::default(), one(), names(&["a b"]))
                .contains("is no name of a column")
        );
        assert!(error(SIDES, BySide::default(), Vec::new(), one()).contains("1 to 32 rows, not 0"));
    }
}
