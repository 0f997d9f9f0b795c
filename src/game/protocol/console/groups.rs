//! Reads the ply out of a match of the pattern `move`.

use super::squares::{At, Form, Numbering, SquareRole, read_form};
use super::values::Values;
use crate::Reply;
use arbiter_rules::text::printable;
use arbiter_rules::{Ply, Position};
use regex::bytes::{Captures, Regex};

/// The most bytes of a text that are quoted.
const QUOTED: usize = 60;

/// The meaning of the named groups of a pattern `move`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MoveGroups {
    groups: Vec<(String, SquareRole, Form)>,
}

impl MoveGroups {
    /// The groups of a pattern.
    ///
    /// # Errors
    /// A sentence: a group has no meaning, or there are too few for a ply.
    pub(super) fn of(pattern: &Regex) -> Result<MoveGroups, String> {
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
        let named = MoveGroups { groups };
        if named.has_text() || named.has_square(SquareRole::Only) || named.has_two_squares() {
            return Ok(named);
        }
        Err("it has no groups that name a move: write (?<x>…) and (?<y>…), or other forms of a \
             column and a row, behind from. and to. for a move with two squares, or (?<text>…)"
            .to_owned())
    }

    /// Checks that a ply of this position can be named by these groups.
    ///
    /// # Errors
    /// A sentence with the groups that are needed.
    pub(super) fn check(&self, position: &Position) -> Result<(), String> {
        if self.has_text() {
            return Ok(());
        }
        // Passes and words have no squares; all other plies of a game have equally many.
        let mut counts = position.plies().map(|ply| position.squares(ply).len());
        let needed = match counts.find(|&count| count > 0) {
            Some(1) if !self.has_square(SquareRole::Only) => {
                "one square: write (?<x>…) and (?<y>…), or other forms"
            }
            Some(2..) if !self.has_two_squares() => {
                "two squares: write the groups of each behind from. and to., such as (?<from.x>…)"
            }
            _ => return Ok(()),
        };
        let ruleset = position.ruleset();
        let game = ruleset.game().name();
        Err(format!("the groups of `move` name no move of {game}, where it has {needed}"))
    }

    fn has_text(&self) -> bool {
        self.groups.iter().any(|(.., form)| *form == Form::Text)
    }

    fn has_two_squares(&self) -> bool {
        self.has_square(SquareRole::From) && self.has_square(SquareRole::To)
    }

    fn has_square(&self, square: SquareRole) -> bool {
        let mut has_column = false;
        let mut has_row = false;
        for &(_, which, form) in &self.groups {
            has_column |= which == square && form.is_column();
            has_row |= which == square && form.is_row();
        }
        has_column && has_row
    }

    /// What the program decided by a match of the pattern, about this position.
    pub(super) fn read(
        &self,
        captures: &Captures<'_>,
        values: &Values,
        position: &Position,
    ) -> Reply {
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
        if let Some((_, text)) = self.matched(captures, SquareRole::Only, |form| form == Form::Text)
        {
            let text = str::from_utf8(text).map_err(|_| "it is not UTF-8 text")?;
            return board.read_text(position, text);
        }
        let from = self.square(captures, &board, SquareRole::From)?;
        let to = self.square(captures, &board, SquareRole::To)?;
        let only = self.square(captures, &board, SquareRole::Only)?;
        // The groups may be in alternatives of the pattern, so which squares came decides.
        match (from, to, only) {
            (Some(from), Some(to), _) => ply_of_squares(position, &[from, to]),
            (_, _, Some(to)) => ply_of_squares(position, &[to]),
            _ => Err("the match of `move` names no whole square".to_owned()),
        }
    }

    /// What a group of such a form matched. A pattern may have several of them in alternatives.
    fn matched<'t>(
        &self,
        captures: &Captures<'t>,
        square: SquareRole,
        is: fn(Form) -> bool,
    ) -> Option<(Form, &'t [u8])> {
        for (name, which, form) in &self.groups {
            if *which == square
                && is(*form)
                && let Some(found) = captures.name(name)
            {
                return Some((*form, found.as_bytes().trim_ascii()));
            }
        }
        None
    }

    /// The square of the game that the groups name; `None` if a column or a row is missing.
    fn square(
        &self,
        captures: &Captures<'_>,
        board: &Numbering,
        square: SquareRole,
    ) -> Result<Option<At>, String> {
        let Some((form, text)) = self.matched(captures, square, Form::is_column) else {
            return Ok(None);
        };
        let Some((row_form, row_text)) = self.matched(captures, square, Form::is_row) else {
            return Ok(None);
        };
        let column = board.read(form, &printable(text, QUOTED))?;
        let row = board.read(row_form, &printable(row_text, QUOTED))?;
        Ok(Some(board.crossed((row, column))))
    }
}

/// The ply with this first and last square, legal or not. In a custom game it may have others
/// between them, or be a word that has these squares.
fn ply_of_squares(position: &Position, squares: &[At]) -> Result<Ply, String> {
    let ruleset = position.ruleset();
    let (row, column) = squares[0];
    let first = ruleset.square(row, column);
    let usual = match *squares {
        [_, (to_row, to_column)] => Ply::Move(first, ruleset.square(to_row, to_column)),
        _ => Ply::Place(first),
    };
    if position.is_legal(usual) {
        return Ok(usual);
    }
    // If no legal ply has these squares, the usual one is refused as illegal; if several have them,
    // the program must say more.
    let mut found = None;
    for ply in position.plies() {
        let of_ply = position.squares(ply);
        let has_these = (of_ply.len() == 1) == (squares.len() == 1)
            && of_ply.first() == squares.first()
            && of_ply.last() == squares.last();
        if !has_these {
            continue;
        }
        if let Some(other) = found {
            return Err(format!(
                "these squares are those of {} and of {}; a pattern with (?<text>…) would tell \
                 them apart",
                ruleset.ply_text(other),
                ruleset.ply_text(ply)
            ));
        }
        found = Some(ply);
    }
    Ok(found.unwrap_or(usual))
}
