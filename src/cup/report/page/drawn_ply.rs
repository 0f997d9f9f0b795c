//! What a ply does on the board, as the page draws it, and what the page has to know of a board.

use arbiter_rules::{Cell, ChangedSquare, Game, Ply, Position, Ruleset, Side, SquareChange};
use serde_json::{Value, json};
use std::time::Duration;

/// A square with a mark, and what is on it afterwards.
pub type MarkedSquare = (usize, char, u8);

/// What a ply does on the board, as the page draws it.
pub struct DrawnPly {
    /// The number of squares that the ply names and changes.
    pub own: usize,
    /// The squares that change, those first; then the squares that won, if that is seen on the
    /// board.
    pub changes: Vec<MarkedSquare>,
    /// The text of the ply, if it differs from the names of its own squares.
    pub text: Option<String>,
}

impl DrawnPly {
    pub fn new(
        before: &Position,
        ply: Ply,
        changes: &[ChangedSquare],
        after: &Position,
    ) -> DrawnPly {
        let ruleset = after.ruleset();
        let named = before.squares(ply);
        // Sorted by their place in the ply, so that the text of most plies follows from the
        // squares; the others follow in a fixed order.
        let mut sorted = Vec::new();
        for &(at, change) in changes {
            let place = named.iter().position(|square| *square == at).unwrap_or(named.len());
            sorted.push((place, letter(change), content(after, at), at));
        }
        sorted.sort_unstable();
        let mut own = 0;
        let mut names = String::new();
        let mut marked = Vec::new();
        for (place, mark, content, at) in sorted {
            if place < named.len() {
                own += 1;
                names += &square_name(&ruleset, at);
            }
            marked.push((at.0 * ruleset.columns() + at.1, mark, content));
        }
        for at in after.winning_squares() {
            marked.push((at.0 * ruleset.columns() + at.1, WON, content(after, at)));
        }
        // The script writes this text by itself.
        let usual = if own == 0 { "pass" } else { &names };
        let written = ruleset.ply_text(ply).to_string();
        let text = if written == usual { None } else { Some(written) };
        DrawnPly { own, changes: marked, text }
    }
}

fn square_name(ruleset: &Ruleset, (row, column): (usize, usize)) -> String {
    ruleset.ply_text(Ply::Place(ruleset.square(row, column))).to_string()
}

/// A position text from the end of the board on.
pub fn after_board(position: &Position) -> String {
    position.to_string().split_once(' ').unwrap_or_default().1.to_owned()
}

/// A ply of a running game as a JSON array: side, number of squares that the ply names, position
/// text after the board, squares with marks and contents, the microseconds that it used, and its
/// text if that is not the names of its squares.
pub fn step(
    before: &Position,
    side: Side,
    ply: Ply,
    after: &Position,
    used: Option<Duration>,
) -> Value {
    let DrawnPly { own, changes, text } = DrawnPly::new(before, ply, &before.changes(ply), after);
    json!([side as u8, own, after_board(after), changes, used.map(micros), text])
}

/// How a game is played, as JSON: lines for people, the options in force, and a ply as an example
/// with its board.
pub fn rules(ruleset: &Ruleset) -> Value {
    let game = ruleset.game();
    json!({
        "title": game.title(),
        "lines": game.in_short(),
        "options": ruleset.options_text(),
        "example": example(game),
    })
}

fn example(game: &Game) -> Option<Value> {
    let example = game.example()?;
    let ruleset = Ruleset::named(game.name(), "").ok()?;
    let before = ruleset.read_position(example.position).ok()?;
    let ply = ruleset.read_ply(example.ply).ok()?;
    Some(json!({
        "board": board(&ruleset),
        "start": example.position,
        "step": step(&before, before.side(), ply, &before.after(ply), None),
        "caption": example.caption,
    }))
}

/// A board as JSON: what has to be known to show it and to write the texts of its plies.
pub fn board(ruleset: &Ruleset) -> Value {
    let game = ruleset.game();
    let columns: Vec<_> = (0..ruleset.columns()).map(|at| ruleset.column_name(at)).collect();
    let rows: Vec<_> = (0..ruleset.rows()).map(|at| ruleset.row_name(at)).collect();
    let squares: Vec<String> = ruleset.cells().map(|at| square_name(ruleset, at)).collect();
    let mut board = json!({
        "game": game.name(),
        "title": game.title(),
        "letters": Side::BOTH.map(|side| ruleset.letter(side)),
        "white": game.white() as u8,
        "columns": columns,
        "rows": rows,
        "squares": squares,
    });
    if let (Some(rules), Some(layout)) = (game.rules_file(), ruleset.layout()) {
        let others = layout.other_pieces().map(|(letter, side)| json!([letter, side as u8]));
        board["light"] = json!(ruleset.light() as u8);
        board["others"] = others.collect();
        // What a log says of the rules and of the board.
        board["rules"] = json!([rules.to_string(), layout.to_string()]);
    }
    board
}

pub fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}

/// The letter of a square that won, which may be among the changes too.
const WON: char = 'w';
/// The letter of one of the squares that won, if these are all that hold the same.
const ALL_WON: char = 'W';

/// Leaves one square of those that won, if these are all pieces of a side: otherwise Lines of
/// Action makes a page larger by ten bytes a game.
pub fn shorten(changes: &mut Vec<MarkedSquare>, after: &Position) {
    if let Some(first) = changes.iter().position(|(_, mark, _)| *mark == WON)
        && let Some(winner) = after.ending().and_then(|ending| ending.winner)
        && changes.len() - first == after.piece_count(winner) as usize
    {
        changes.truncate(first + 1);
        changes[first].1 = ALL_WON;
    }
}

/// The letter of a change.
pub fn letter(change: SquareChange) -> char {
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

/// The number of a square's content: 0 if it is empty, 1 and 2 for the letters of the sides, 3 for
/// a block; from 4 on for the other letters of pieces, in their order.
pub fn content(position: &Position, (row, column): (usize, usize)) -> u8 {
    let side = match position.cell(row, column) {
        Cell::Empty => return 0,
        Cell::Block => return 3,
        Cell::Piece(side) => side,
    };
    if let Some(layout) = position.ruleset().layout() {
        let held = position.letter(row, column);
        for (number, (letter, _)) in (4..).zip(layout.other_pieces()) {
            if Some(letter) == held {
                return number; // at most 52 letters
            }
        }
    }
    side as u8 + 1
}
