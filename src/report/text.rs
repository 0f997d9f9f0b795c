//! Plain text: boards, and games in one line.

use super::escape;
use crate::game::Outcome;
use crate::record::Record;
use crate::rules::{Position, Side};
use crate::text::printable;
use std::fmt::Write;

/// The board with its coordinates, top row first, without a newline at its end:
///
/// ```
/// use arbiter::{report::text::board, rules::Ruleset};
/// let loa = Ruleset::named("loa", "").unwrap().start();
/// assert!(board(&loa).starts_with("  a b c d e f g h\n0 . W W W W W W .\n1 B ."));
/// let flipflop = Ruleset::named("flipflop", "").unwrap().start();
/// assert!(board(&flipflop).contains("\n24 . . . W B . . .\n")); // W is on 24 + 3
/// ```
#[must_use]
pub fn board(position: &Position) -> String {
    let ruleset = position.ruleset();
    let size = ruleset.size();
    let label = ruleset.row_name(size - 1).len();
    let width = ruleset.column_name(size - 1).len();
    let mut out = " ".repeat(label);
    for column in 0..size {
        let _ = write!(out, " {:>width$}", ruleset.column_name(column)); // writing to a String cannot fail
    }
    let mut cells = String::new();
    position.push_board(&mut cells);
    for (row, cells) in cells.lines().enumerate() {
        let _ = write!(out, "\n{:>label$}", ruleset.row_name(row));
        for cell in cells.chars() {
            let _ = write!(out, " {cell:>width$}");
        }
    }
    out
}

/// A whole game: the players, every ply with the board after it, and how it ended; ends with a newline. If
/// the log has an illegal ply, the text ends there.
#[must_use]
pub fn replay(record: &Record) -> String {
    let ruleset = record.ruleset();
    let mut out = format!("{}\n\n{}\n", game(record), board(&record.start));
    for step in record.steps() {
        let (number, letter, ply) = (step.number, ruleset.letter(step.side), ruleset.ply_text(step.ply));
        let name = printable(record.players[step.side].as_bytes(), 64);
        let _ = write!(out, "\n{number}. {letter} {name}: {ply}"); // writing to a String cannot fail
        let after = match step.after {
            Ok(after) => after,
            Err(illegal) => {
                let _ = writeln!(out, "  illegal: {illegal}");
                return out;
            }
        };
        if let Some(used) = step.note.and_then(|note| note.wall) {
            let _ = write!(out, "  {:.6} s", used.as_secs_f64());
        }
        if let Some(note) = step.note.filter(|note| !note.text.is_empty()) {
            let _ = write!(out, "  {}", printable(&note.text, usize::MAX));
        }
        let _ = write!(out, "\n{}\n", board(&after));
    }
    let _ = writeln!(out, "\n{} {}", record.outcome.word(), record.outcome.termination());
    out
}

/// A finished game in one line: `conny~randy.2  randy (B) 0-1 conny (W)  win connected  57 plies`.
#[must_use]
pub fn game(record: &Record) -> String {
    let ruleset = record.ruleset();
    let id = printable(record.id.as_deref().unwrap_or("?").as_bytes(), 200);
    let [first, second] = Side::BOTH
        .map(|side| format!("{} ({})", printable(record.players[side].as_bytes(), 64), ruleset.letter(side)));
    let score = match (record.outcome, record.outcome.winner()) {
        (Outcome::Aborted(_), _) => "*",
        (_, None) => "1/2-1/2",
        (_, Some(Side::First)) => "1-0",
        (_, Some(Side::Second)) => "0-1",
    };
    let plies = record.plies.len();
    let noun = if plies == 1 { "ply" } else { "plies" };
    let (outcome, termination) = (record.outcome.word(), record.outcome.termination());
    let how = if outcome == termination { outcome.to_owned() } else { format!("{outcome} {termination}") };
    let mut line = format!("{id}  {first} {score} {second}  {how}  {plies} {noun}");
    if let Some(detail) = &record.detail {
        let _ = write!(line, "  {detail}"); // writing to a String cannot fail
    }
    escape::line(&line)
}
