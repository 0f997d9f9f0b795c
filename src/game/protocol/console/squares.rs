//! The forms in which a console program is told squares and plies, and in which it prints them.

use arbiter_rules::text::{Word, words};
use arbiter_rules::{Ply, Position, Ruleset};

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

/// Which square of a ply a form is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Which {
    Only,
    /// The first one.
    From,
    /// The last one.
    To,
}

/// Reads `x`, `from.x`, `to.COL`.
pub(super) fn read_form(name: &str) -> Option<(Which, Form)> {
    let (which, name) = match name.split_once('.') {
        None => (Which::Only, name),
        Some(("from", name)) => (Which::From, name),
        Some(("to", name)) => (Which::To, name),
        Some(_) => return None,
    };
    Form::named(name)
        .filter(|&form| which == Which::Only || form != Form::Text)
        .map(|form| (which, form))
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

    /// Number of rows and columns of the program's board.
    pub(super) fn size(&self) -> At {
        self.crossed((self.ruleset.rows(), self.ruleset.columns()))
    }

    /// The letter of a column of the program's board. A board that is not square has more columns
    /// transposed than it has names for.
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

    /// A form of a square of the game; of [`Form::Text`] its name.
    pub(super) fn written(&self, form: Form, square: At) -> String {
        let (row, column) = self.crossed(square);
        match form {
            Form::X => column.to_string(),
            Form::Y => row.to_string(),
            Form::X1 => (column + 1).to_string(),
            Form::Y1 => (row + 1).to_string(),
            Form::Col => self.column_name(column),
            Form::UpperCol => self.column_name(column).to_ascii_uppercase(),
            Form::Row => self.row_name(row),
            Form::Text => self.column_name(column) + &self.row_name(row),
        }
    }

    /// The row or the column of the program's board that a form names: the inverse of
    /// [`written`](Numbering::written).
    ///
    /// # Errors
    /// A sentence: it is not on the board.
    pub(super) fn read(&self, form: Form, text: &str) -> Result<usize, String> {
        let (rows, columns) = self.size();
        let count = if form.is_column() { columns } else { rows };
        let what = if form.is_column() { "column" } else { "row" };
        let first = usize::from(matches!(form, Form::X1 | Form::Y1));
        let name: fn(&Numbering, usize) -> String = match form {
            Form::Col => Numbering::column_name,
            Form::UpperCol => {
                |numbering, column| numbering.column_name(column).to_ascii_uppercase()
            }
            Form::Row => Numbering::row_name,
            _ => {
                let number = text.parse().ok().and_then(|number: usize| number.checked_sub(first));
                return number.filter(|&at| at < count).ok_or_else(|| {
                    format!(
                        "{what} {text:?} is not on the board; `{}` is {first} to {}",
                        form.word(),
                        count - 1 + first
                    )
                });
            }
        };
        let found = |is: &dyn Fn(&str) -> bool| (0..count).find(|&at| is(&name(self, at)));
        let found =
            found(&|name| name == text).or_else(|| found(&|name| name.eq_ignore_ascii_case(text)));
        found.ok_or_else(|| {
            let from = name(self, 0);
            let to = name(self, count - 1);
            format!("{what} {text:?} is not on the board; `{}` is {from} to {to}", form.word())
        })
    }

    /// The text of a ply.
    pub(super) fn text(&self, position: &Position, ply: Ply) -> String {
        let text = self.ruleset.ply_text(ply).to_string();
        if !self.transpose {
            return text;
        }
        let squares = position.squares(ply);
        let names = |numbering: &Numbering| -> String {
            squares.iter().map(|&square| numbering.written(Form::Text, square)).collect()
        };
        let own = names(&Numbering { transpose: false, ..self.clone() });
        if own == text { names(self) } else { text }
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
        let crossed = |square| {
            let (row, column) = self.crossed(self.ruleset.row_and_column(square));
            let is_on_board = row < self.ruleset.rows() && column < self.ruleset.columns();
            let outside = || format!("{text:?} is not on the board");
            is_on_board.then(|| self.ruleset.square(row, column)).ok_or_else(outside)
        };
        Ok(match ply {
            Ply::Place(square) => Ply::Place(crossed(square)?),
            Ply::Move(from, to) => Ply::Move(crossed(from)?, crossed(to)?),
            Ply::Pass | Ply::Word(_) => ply,
        })
    }
}
