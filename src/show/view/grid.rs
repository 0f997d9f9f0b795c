//! A grid of character cells on which screens and blocks are drawn, and its rows with the escape
//! sequences for a terminal.
//!
//! A cell holds a character with its combining marks; a wide character also covers the cell to its
//! right. So a row has the same width on the terminal as here, even if a bot's text contains such
//! characters.

use super::Colour;
use super::block::TerminalSize;
use super::look::Role;
use arbiter_rules::text::is_visible;
use unicode_width::UnicodeWidthChar;

/// A part of a screen, in columns and lines from the corner at the upper left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rect {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

impl Rect {
    pub const fn new(x: u16, y: u16, width: u16, height: u16) -> Rect {
        Rect { x, y, width, height }
    }

    /// An area of this size at the upper left.
    pub fn of_size((columns, lines): TerminalSize) -> Rect {
        let width = columns.try_into().unwrap_or(u16::MAX);
        let height = lines.try_into().unwrap_or(u16::MAX);
        Rect::new(0, 0, width, height)
    }

    /// The first column right of it.
    pub const fn right(self) -> u16 {
        self.x.saturating_add(self.width)
    }

    /// The first line below it.
    pub const fn bottom(self) -> u16 {
        self.y.saturating_add(self.height)
    }

    /// What it has in common with another one; without columns or lines if that is nothing.
    pub fn intersection(self, other: Rect) -> Rect {
        let x = self.x.max(other.x);
        let y = self.y.max(other.y);
        let width = self.right().min(other.right()).saturating_sub(x);
        let height = self.bottom().min(other.bottom()).saturating_sub(y);
        Rect { x, y, width, height }
    }

    pub fn contains(self, column: u16, row: u16) -> bool {
        (self.x..self.right()).contains(&column) && (self.y..self.bottom()).contains(&row)
    }

    /// Its lines, from the top.
    pub fn rows(self) -> impl Iterator<Item = Rect> {
        (self.y..self.bottom()).map(move |y| Rect { y, height: 1, ..self })
    }
}

/// What a place of a grid shows.
#[derive(Debug, Clone)]
struct Cell {
    /// `None` behind a wide letter, which covers this place.
    letter: Option<char>,
    /// The characters without a width of their own that follow the letter.
    marks: String,
    role: Role,
}

impl Cell {
    const BLANK: Cell = Cell { letter: Some(' '), marks: String::new(), role: Role::Text };
}

/// Rows of cells, all of the same width.
#[derive(Debug, Clone)]
pub struct Grid {
    width: u16,
    rows: Vec<Vec<Cell>>,
}

impl Grid {
    /// An empty grid of the size of this area.
    pub fn new(Rect { width, height, .. }: Rect) -> Grid {
        Grid { width, rows: vec![vec![Cell::BLANK; width.into()]; height.into()] }
    }

    /// All of it.
    pub fn area(&self) -> Rect {
        Rect::new(0, 0, self.width, self.rows.len() as u16) // `new` has made no more
    }

    /// Removes the lines from this one on.
    pub(super) fn truncate(&mut self, height: u16) {
        self.rows.truncate(height.into());
    }

    /// Draws text into the first line of an area, cut off at its end.
    pub(super) fn text(&mut self, role: Role, area: Rect, text: impl AsRef<str>) {
        let area = area.intersection(self.area());
        if area.width == 0 || area.height == 0 {
            return;
        }
        let row = &mut self.rows[usize::from(area.y)];
        let cells = &mut row[area.x.into()..area.right().into()];
        let mut end = 0;
        let mut last: Option<usize> = None; // the cell of the last letter
        for letter in text.as_ref().chars() {
            // What is invisible or changes the direction of writing has no place on a screen.
            if !is_visible(letter) {
                continue;
            }
            let Some(width) = letter.width() else { continue };
            if width == 0 {
                if let Some(at) = last {
                    cells[at].marks.push(letter);
                }
                continue;
            }
            if end + width > cells.len() {
                return;
            }
            cells[end..end + width].fill(Cell { letter: None, role, ..Cell::BLANK });
            cells[end].letter = Some(letter);
            last = Some(end);
            end += width;
        }
    }

    /// Draws lines that are broken where they are too long, from the line `scroll` on.
    pub(super) fn paragraph(
        &mut self,
        area: Rect,
        scroll: u16,
        lines: impl IntoIterator<Item = (Role, impl AsRef<str>)>,
    ) {
        let area = area.intersection(self.area());
        let mut above = scroll;
        let mut rows = area.rows();
        for (role, text) in lines {
            for line in wrapped(text.as_ref(), area.width.into()) {
                if above > 0 {
                    above -= 1;
                    continue;
                }
                let Some(row) = rows.next() else { return };
                self.text(role, row, line);
            }
        }
    }

    /// The rows with the escape sequences for a terminal.
    pub(super) fn to_ansi(&self, colour: Colour) -> Vec<String> {
        self.rows.iter().map(|row| row_to_ansi(row, colour)).collect()
    }

    /// The text of the rows.
    #[cfg(test)]
    pub(super) fn lines(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.iter().filter_map(|cell| cell.letter).collect()).collect()
    }

    /// The text of the rows, without the blanks at their ends.
    #[cfg(test)]
    pub(super) fn trimmed_lines(&self) -> Vec<String> {
        self.lines().iter().map(|line| line.trim_end().to_owned()).collect()
    }
}

/// A row with the escape sequences for a terminal.
fn row_to_ansi(row: &[Cell], colour: Colour) -> String {
    let mut text = String::new();
    let mut column = 0;
    // Terminals do not agree on the width of wide characters and of marks, such as those of emoji.
    let mut is_certain = true;
    for run in row.chunk_by(|one, other| one.role == other.role) {
        let codes = colour.codes(run[0].role);
        if !codes.is_empty() {
            text += &format!("\x1b[{codes}m");
        }
        for cell in run {
            column += 1;
            let Some(letter) = cell.letter else {
                is_certain = false;
                continue;
            };
            if !is_certain {
                text += &format!("\x1b[{column}G");
            }
            text.push(letter);
            text += &cell.marks;
            is_certain = cell.marks.is_empty();
        }
        if !codes.is_empty() {
            text += "\x1b[0m";
        }
    }
    text
}

/// A text in lines of this many columns, broken at blanks, or anywhere in a word that is longer.
fn wrapped(text: &str, columns: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    loop {
        let end = fitting(rest, columns);
        if end == rest.len() {
            lines.push(rest);
            return lines;
        }
        let blank = if rest[end..].starts_with(' ') { Some(end) } else { rest[..end].rfind(' ') };
        match blank {
            // A line of blanks alone would only tear the word behind an indentation off.
            Some(blank) if !rest[..blank].trim().is_empty() => {
                lines.push(&rest[..blank]);
                rest = &rest[blank + 1..];
            }
            _ => {
                lines.push(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }
}

/// How many bytes of a text have room in this many columns; the first letter always has.
fn fitting(text: &str, columns: usize) -> usize {
    let mut width = 0;
    for (at, letter) in text.char_indices() {
        width += letter.width().unwrap_or(0);
        if width > columns && at > 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_rules::Side;

    #[test]
    fn wide_letters_and_marks_do_not_shift_what_follows() {
        let mut grid = Grid::new(Rect::new(0, 0, 9, 2));
        let all = grid.area();
        grid.text(Role::Text, all, "小明e\u{301}\x1b\u{202e}\u{200d}|");
        grid.text(Role::Title, Rect { x: 6, ..all }, "明小");
        grid.text(Role::Text, Rect { x: 9, ..all }, "outside");
        let rows = grid.to_ansi(Colour::No);
        let expected = "小\x1b[3G明\x1b[5Ge\u{301}\u{200d}\x1b[6G|\x1b[1m明\x1b[0m\x1b[9G ";
        assert_eq!(rows[0], expected);
        assert_eq!(grid.lines(), ["小明e|明 ", "         "]);

        let mut marked = Grid::new(Rect::new(0, 0, 4, 1));
        marked.text(Role::Text, marked.area(), "か\u{3099}|");
        assert_eq!(marked.to_ansi(Colour::No), ["か\u{3099}\x1b[3G| "]);
    }

    #[test]
    fn colours_end_behind_each_run() {
        let mut grid = Grid::new(Rect::new(0, 0, 3, 1));
        grid.text(Role::Piece(Side::First), grid.area(), "B");
        assert_eq!(grid.to_ansi(Colour::Yes), ["\x1b[1;38;5;0;48;5;214mB\x1b[0m  "]);
        assert_eq!(grid.to_ansi(Colour::No), ["\x1b[1mB\x1b[0m  "]);
    }

    #[test]
    fn long_lines_are_broken_at_blanks_or_anywhere() {
        assert_eq!(wrapped("two words", 9), ["two words"]);
        assert_eq!(wrapped("two words, long", 4), ["two", "word", "s,", "long"]);
        assert_eq!(wrapped("   indented", 8), ["   inden", "ted"]);
        assert_eq!(wrapped("小明 小明小", 5), ["小明", "小明", "小"]);
        assert_eq!(wrapped("小", 1), ["小"]);
        assert_eq!(wrapped("", 5), [""]);
    }

    #[test]
    fn a_paragraph_is_scrolled_by_its_broken_lines() {
        let mut grid = Grid::new(Rect::new(0, 0, 5, 2));
        grid.paragraph(grid.area(), 1, [(Role::Text, "one two"), (Role::Text, "three four")]);
        assert_eq!(grid.lines(), ["two  ", "three"]);
    }
}
