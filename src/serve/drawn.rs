//! Boards and plies as the page draws them, which knows no rules.

use crate::rules::{Cell, Ply, Position, Ruleset, Side, SquareChange, changed_squares};
use serde_json::{Value, json};
use std::time::Duration;

pub(super) fn board(ruleset: Ruleset) -> Value {
    let size = ruleset.size();
    let (game, cells) = (ruleset.game(), 0..size * size);
    let name = |at: usize| ruleset.ply_text(Ply::Place(ruleset.square(at / size, at % size))).to_string();
    json!({
        "game": game.name(),
        "title": game.title(),
        "size": size,
        "letters": Side::BOTH.map(|side| ruleset.letter(side)),
        "white": game.white() as u8,
        "columns": (0..size).map(|column| ruleset.column_name(column)).collect::<Vec<_>>(),
        "rows": (0..size).map(|row| ruleset.row_name(row)).collect::<Vec<_>>(),
        "squares": cells.map(name).collect::<Vec<_>>(),
    })
}

pub(super) fn step(
    before: &Position,
    side: Side,
    ply: Ply,
    after: &Position,
    used: Option<Duration>,
) -> Value {
    let ruleset = after.ruleset();
    let size = ruleset.size();
    let own = match ply {
        Ply::Pass => Vec::new(),
        Ply::Place(to) => vec![ruleset.row_and_column(to)],
        Ply::Move(from, to) => vec![ruleset.row_and_column(from), ruleset.row_and_column(to)],
    };
    let mut changes: Vec<_> = changed_squares(before, ply, after)
        .iter()
        .map(|&(at, change)| {
            let place = own.iter().position(|&square| square == at).unwrap_or(own.len());
            (place, letter(change), content(after.cell(at.0, at.1)), at)
        })
        .collect();
    changes.sort_unstable();
    let squares: Vec<_> =
        changes.iter().map(|(_, letter, content, at)| json!([at.0 * size + at.1, letter, content])).collect();
    let text = after.to_string();
    let end = text.split_once(' ').unwrap_or_default().1;
    json!([side as u8, own.len(), end, squares, used.map(|used| used.as_micros() as u64)])
}

fn letter(change: SquareChange) -> char {
    match change {
        SquareChange::Left => 'l',
        SquareChange::Arrived => 'a',
        SquareChange::Took => 't',
        SquareChange::Recoloured => 'r',
        SquareChange::PushedTo => 'p',
        SquareChange::PushedFrom => 'f',
        SquareChange::PushedOff => 'o',
    }
}

fn content(cell: Cell) -> u8 {
    match cell {
        Cell::Empty => 0,
        Cell::Piece(Side::First) => 1,
        Cell::Piece(Side::Second) => 2,
        Cell::Block => 3,
    }
}
