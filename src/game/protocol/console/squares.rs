//! The forms of squares and plies in what a console program is sent, and in what it prints.

use arbiter_rules::text::{Word, words};
use arbiter_rules::{Ply, Position, Ruleset, Square};

words! {
    /// A form of a square or of a ply. `x` is the column and `y` the row, unless the table
    /// transposes them.
    Form {
        /// The column, counted from 0.
        X = "x",
        /// The row, counted from 0 from the one that is printed first.
        Y = "y",
        /// The column, counted from 1.
        X1 = "x1",
        /// The row, counted from 1.
        Y1 = "y1",
        /// The letter of the column, as the game writes it.
        Col = "col",
        /// The same in capitals.
        UpperCol = "COL",
        /// The name of the row, as the game writes it.
        Row = "row",
        /// The whole ply, as the game writes it.
        Text = "text",
    }
}

impl Form {
    /// Whether it names a column.
    pub(super) fn is_column(self) -> bool {
        matches!(self, Form::X | Form::X1 | Form::Col | Form::UpperCol)
    }

    /// Whether it names a row.
    pub(super) fn is_row(self) -> bool {
        matches!(self, Form::Y | Form::Y1 | Form::Row)
    }
}

/// The square of a ply that a form belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum SquareRole {
    Only,
    /// The first one.
    From,
    /// The last one.
    To,
}

/// Reads `x`, `from.x`, `to.COL`.
pub(super) fn read_form(name: &str) -> Option<(SquareRole, Form)> {
    let (which, name) = match name.split_once('.') {
        None => (SquareRole::Only, name),
        Some(("from", name)) => (SquareRole::From, name),
        Some(("to", name)) => (SquareRole::To, name),
        Some(_) => return None,
    };
    let form = Form::named(name)?;
    // Only a whole ply has a text.
    (which == SquareRole::Only || form != Form::Text).then_some((which, form))
}

/// A board as a console program numbers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Numbering {
    pub(super) ruleset: Ruleset,
    /// Columns are the program's rows.
    pub(super) transpose: bool,
}

/// Row and column, from 0.
pub(super) type At = (usize, usize);

impl Numbering {
    /// A square of the program for one of the game, and back.
    pub(super) fn crossed(&self, (row, column): At) -> At {
        if self.transpose { (column, row) } else { (row, column) }
    }

    /// The numbers of rows and columns of the program's board.
    pub(super) fn size(&self) -> At {
        self.crossed((self.ruleset.rows(), self.ruleset.columns()))
    }

    /// The letter of a column of the program's board. If the board is not square, its transposed
    /// board may have more columns than the game has names for.
    fn column_name(&self, column: usize) -> String {
        if column < self.ruleset.columns() {
            self.ruleset.column_name(column)
        } else {
            char::from(b'a' + (column % 26) as u8).to_string()
        }
    }

    /// The name of a row of the program's board.
    fn row_name(&self, row: usize) -> String {
        if row < self.ruleset.rows() { self.ruleset.row_name(row) } else { (row + 1).to_string() }
    }

    /// A form of a square of the game; for [`Form::Text`] its name.
    pub(super) fn written(&self, form: Form, square: At) -> String {
        let (row, column) = self.crossed(square);
        match form {
            Form::Text => self.column_name(column) + &self.row_name(row),
            _ if form.is_column() => self.name(form, column),
            _ => self.name(form, row),
        }
    }

    /// A form of a row or column of the program's board.
    fn name(&self, form: Form, at: usize) -> String {
        match form {
            Form::X | Form::Y => at.to_string(),
            Form::X1 | Form::Y1 => (at + 1).to_string(),
            Form::Col => self.column_name(at),
            Form::UpperCol => self.column_name(at).to_ascii_uppercase(),
            Form::Row | Form::Text => self.row_name(at),
        }
    }

    /// The row or the column of the program's board that a form names: the inverse of
    /// [`written`](Numbering::written).
    ///
    /// # Errors
    /// A sentence: it is not on the board.
    pub(super) fn read(&self, form: Form, text: &str) -> Result<usize, String> {
        let (rows, columns) = self.size();
        let (what, count) = if form.is_column() { ("column", columns) } else { ("row", rows) };
        let number = text.parse::<usize>().ok();
        let found = match form {
            Form::X | Form::Y => number,
            Form::X1 | Form::Y1 => number.and_then(|number| number.checked_sub(1)),
            // In a custom game two names may differ by their case only.
            _ => (0..count)
                .find(|&at| self.name(form, at) == text)
                .or_else(|| (0..count).find(|&at| self.name(form, at).eq_ignore_ascii_case(text))),
        };
        let Some(found) = found.filter(|&at| at < count) else {
            let from = self.name(form, 0);
            let to = self.name(form, count - 1);
            return Err(format!("{what} {text:?} is not on the board; `{form}` is {from} to {to}"));
        };
        Ok(found)
    }

    /// The text of a ply.
    pub(super) fn text(&self, position: &Position, ply: Ply) -> String {
        let text = self.ruleset.ply_text(ply).to_string();
        if !self.transpose {
            return text;
        }
        // A text that is no list of squares, such as `pass` or `O-O`, is the same transposed.
        let squares = position.squares(ply);
        let of_game = Numbering { transpose: false, ..self.clone() };
        if of_game.names(&squares) == text { self.names(&squares) } else { text }
    }

    fn names(&self, squares: &[At]) -> String {
        squares.iter().map(|&square| self.written(Form::Text, square)).collect()
    }

    /// The ply that a text means, legal or not.
    ///
    /// # Errors
    /// A sentence: it is no ply of the game.
    pub(super) fn read_text(&self, position: &Position, text: &str) -> Result<Ply, String> {
        if self.transpose
            && let Some(ply) = position.plies().find(|&ply| self.text(position, ply) == text)
        {
            return Ok(ply);
        }
        let ply = self.ruleset.read_ply(text).map_err(|error| error.to_string())?;
        Ok(match ply {
            Ply::Place(square) => Ply::Place(self.crossed_square(square, text)?),
            Ply::Move(from, to) => {
                Ply::Move(self.crossed_square(from, text)?, self.crossed_square(to, text)?)
            }
            Ply::Pass | Ply::Word(_) => ply,
        })
    }

    /// The square of the game for one that the program has named in `text`.
    fn crossed_square(&self, square: Square, text: &str) -> Result<Square, String> {
        let (row, column) = self.crossed(self.ruleset.row_and_column(square));
        if row < self.ruleset.rows() && column < self.ruleset.columns() {
            Ok(self.ruleset.square(row, column))
        } else {
            Err(format!("{text:?} is not on the board"))
        }
    }
}
