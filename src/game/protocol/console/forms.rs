//! Reads the ply out of a match of the pattern `move`.

use super::squares::{At, Form, Numbering, Which, read_form};
use super::values::Values;
use crate::Reply;
use arbiter_rules::text::printable;
use arbiter_rules::{Ply, Position};
use regex::bytes::{Captures, Regex};

/// The most bytes of a text that is quoted.
const QUOTED: usize = 60;

/// The meaning of the named groups of a pattern `move`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forms {
    groups: Vec<(String, Which, Form)>,
}

impl Forms {
    /// Those of this pattern.
    ///
    /// # Errors
    /// A sentence: a group that has no meaning, or too few groups for a ply.
    pub fn of(pattern: &Regex) -> Result<Forms, String> {
        let mut groups = Vec::new();
        for name in pattern.capture_names().flatten() {
            let Some((which, form)) = read_form(name) else {
                return Err(format!(
                    "unknown group `{name}`; the groups of `move` are {}, the squares of a move \
                     with two behind `from.` or `to.`",
                    Form::WORDS.join(", ")
                ));
            };
            groups.push((name.to_owned(), which, form));
        }
        let forms = Forms { groups };
        if forms.has_text() || forms.has_square(Which::Only) || forms.has_two_squares() {
            return Ok(forms);
        }
        Err("it has no groups that name a ply: write (?<x>…) and (?<y>…), or other forms of a \
             column and a row, behind from. and to. for a move with two squares, or (?<text>…)"
            .to_owned())
    }

    /// Checks that a ply of this position can be named by these groups.
    ///
    /// # Errors
    /// A sentence with the groups that are needed.
    pub(super) fn check(&self, position: &Position) -> Result<(), String> {
        let ruleset = position.ruleset();
        let game = ruleset.game().name();
        let squares =
            position.plies().map(|ply| position.squares(ply).len()).find(|&count| count > 0);
        let needed = match squares {
            _ if self.has_text() => return Ok(()),
            Some(1) if !self.has_square(Which::Only) => {
                "one square: write (?<x>…) and (?<y>…), or other forms"
            }
            Some(2..) if !self.has_two_squares() => {
                "two squares: write the groups of each behind from. and to., such as (?<from.x>…)"
            }
            _ => return Ok(()),
        };
        Err(format!("the groups of `move` name no ply of {game}, where it has {needed}"))
    }

    fn has_text(&self) -> bool {
        self.groups.iter().any(|(.., form)| *form == Form::Text)
    }

    fn has_two_squares(&self) -> bool {
        self.has_square(Which::From) && self.has_square(Which::To)
    }

    fn has_square(&self, square: Which) -> bool {
        let has = |is: fn(Form) -> bool| {
            self.groups.iter().any(|&(_, which, form)| which == square && is(form))
        };
        has(Form::is_column) && has(Form::is_row)
    }

    /// What the program decided by a match of the pattern, about this position.
    #[must_use]
    pub fn read(&self, captures: &Captures<'_>, values: &Values, position: &Position) -> Reply {
        self.ply(captures, &values.numbering, position).map_or_else(Reply::Illegal, Reply::Ply)
    }

    fn ply(
        &self,
        captures: &Captures<'_>,
        board: &Numbering,
        position: &Position,
    ) -> Result<Ply, String> {
        // The ruleset of the position has its blocks.
        let board = Numbering { ruleset: position.ruleset(), transpose: board.transpose };
        let came = |square, is: fn(Form) -> bool| {
            self.groups.iter().filter(|&&(_, which, form)| which == square && is(form)).find_map(
                |(name, _, form)| captures.name(name).map(|found| (*form, found.as_bytes())),
            )
        };
        if let Some((_, text)) = came(Which::Only, |form| form == Form::Text) {
            let text = str::from_utf8(text.trim_ascii()).map_err(|_| "it is not UTF-8 text")?;
            return board.read_text(position, text);
        }
        let square = |which| {
            let column = came(which, Form::is_column);
            let row = came(which, Form::is_row);
            let (Some(column), Some(row)) = (column, row) else { return Ok(None) };
            let read = |(form, text): (Form, &[u8])| {
                board.read(form, &printable(text.trim_ascii(), QUOTED))
            };
            let column = read(column)?;
            let row = read(row)?;
            Ok::<_, String>(Some(board.crossed((row, column))))
        };
        match (square(Which::From)?, square(Which::To)?, square(Which::Only)?) {
            (Some(from), Some(to), _) => ply_of_squares(position, &[from, to]),
            (_, _, Some(to)) => ply_of_squares(position, &[to]),
            _ => Err("the match of `move` names no whole square".to_owned()),
        }
    }
}

/// The ply with this first and last square, legal or not. In a custom game it may have others
/// between them, or be a word that has these squares.
fn ply_of_squares(position: &Position, squares: &[At]) -> Result<Ply, String> {
    let ruleset = position.ruleset();
    let square = |&(row, column): &At| ruleset.square(row, column);
    let usual = match squares {
        [from, to] => Ply::Move(square(from), square(to)),
        _ => Ply::Place(square(&squares[0])),
    };
    if position.is_legal(usual) {
        return Ok(usual);
    }
    let ends = |ply: &Ply| {
        let of_ply = position.squares(*ply);
        let is_one = of_ply.len() == 1;
        is_one == (squares.len() == 1)
            && of_ply.first() == squares.first()
            && of_ply.last() == squares.last()
    };
    let mut found = position.plies().filter(ends);
    match (found.next(), found.next()) {
        (Some(ply), None) => Ok(ply),
        (Some(one), Some(other)) => Err(format!(
            "these squares are those of {} and of {}; a pattern with (?<text>…) would tell them apart",
            ruleset.ply_text(one),
            ruleset.ply_text(other)
        )),
        (None, _) => Ok(usual),
    }
}
