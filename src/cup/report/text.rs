//! Plain text: boards, and games in one line.

use super::escape;
use arbiter_game::record::Record;
use arbiter_game::replay::Timeline;
use arbiter_rules::text::printable;
use arbiter_rules::{Position, Side};
use std::time::Duration;

/// The board with its coordinates, top row first, without a newline at its end:
///
/// ```
/// use arbiter_cup::report::text::board;
/// use arbiter_rules::Ruleset;
/// let loa = Ruleset::named("loa", "").unwrap().start();
/// assert!(board(&loa).starts_with("  a b c d e f g h\n0 . W W W W W W .\n1 B ."));
/// let flipflop = Ruleset::named("flipflop", "").unwrap().start();
/// assert!(board(&flipflop).contains("\n24 . . . W B . . .\n")); // W is on 24 + 3
/// ```
pub fn board(position: &Position) -> String {
    let ruleset = position.ruleset();
    let columns = ruleset.columns();
    // Each column is as wide as the widest name, so that names stand above their squares.
    let label = (0..ruleset.rows()).map(|row| ruleset.row_name(row).len()).max().unwrap_or(0);
    let width = (0..columns).map(|column| ruleset.column_name(column).len()).max().unwrap_or(0);
    let mut out = " ".repeat(label);
    for column in 0..columns {
        out += &format!(" {:>width$}", ruleset.column_name(column));
    }
    let mut cells = String::new();
    position.push_board(&mut cells);
    for (row, line) in cells.lines().enumerate() {
        out += &format!("\n{:>label$}", ruleset.row_name(row));
        for cell in line.chars() {
            out += &format!(" {cell:>width$}");
        }
    }
    out
}

/// A whole game: the players, every ply with the board after it, and how it ended; ends with a
/// newline. The text ends with an illegal ply and the reason, if the log has one.
pub fn replay(game: &Timeline) -> String {
    let record = game.record();
    // A log that breaks off has no result, which the line of a game needs.
    let head = if game.is_whole() { self::game(record) } else { title(game) };
    let mut out = format!("{head}\n\n{}\n", board(&record.start));
    for number in 1..=game.len() {
        out.push('\n');
        out.push_str(&ply(game, number));
    }
    if let Some((ply, why)) = game.illegal() {
        let side = game.moment(game.len()).position.side();
        let number = ply_head(record, game.len() + 1, side);
        out += &format!("\n{number}: {ply}  illegal: {why}\n");
    } else if let Some(trouble) = game.trouble() {
        out += &format!("\n{trouble}\n");
    } else {
        out += &format!("\n{}\n", how(record));
    }
    out
}

/// A ply of a game, from 1, with the board after it; for 0 the start position. Ends with a newline.
///
/// # Panics
/// The game has no such ply.
pub fn ply(game: &Timeline, number: usize) -> String {
    let mut out = String::new();
    let moment = game.moment(number);
    if let (Some(last), Some(text)) = (&moment.last, game.ply_text(number)) {
        out = format!("{}: {text}", ply_head(game.record(), number, last.side));
        if let Some(note) = game.note(number) {
            if let Some(used) = note.wall {
                out += &format!("  {:.6} s", used.as_secs_f64());
            }
            if !note.text.is_empty() {
                out += &format!("  {}", printable(&note.text, usize::MAX));
            }
        }
        out.push('\n');
    }
    out + &board(&moment.position) + "\n"
}

/// What stands before a ply: `3. W conny`.
fn ply_head(record: &Record, number: usize, side: Side) -> String {
    let name = printable(record.players[side].as_bytes(), 64);
    format!("{number}. {} {name}", record.ruleset().letter(side))
}

/// A finished game in one line: `conny~randy.2  randy (B) 0-1 conny (W)  win connected  57 plies`.
pub fn game(record: &Record) -> String {
    let id = printable(record.id.as_deref().unwrap_or("?").as_bytes(), 200);
    let mut line = format!("{id}  {}  {}", headline(record), plies(record.plies.len()));
    if let Some(detail) = &record.detail {
        line += &format!("  {detail}");
    }
    escape::line(&line)
}

/// A number of plies: `1 ply`, `2 plies`.
pub(super) fn plies(count: usize) -> String {
    if count == 1 { "1 ply".to_owned() } else { format!("{count} plies") }
}

/// The first `most` of these names, and the number of the others: `ann, bob and 3 more`.
pub fn first_of(names: &[impl AsRef<str>], most: usize) -> String {
    let named: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let list = named.join(", ");
    let more = names.len().saturating_sub(most);
    if more > 0 { format!("{list} and {more} more") } else { list }
}

/// The title of a game: who played whom and how it ended, or of a log that breaks off only who
/// plays whom.
pub fn title(game: &Timeline) -> String {
    if game.is_whole() {
        return headline(game.record());
    }
    let [first, second] = Side::BOTH.map(|side| player(game.record(), side));
    format!("{first} against {second}")
}

/// Who played whom and how it ended: `randy (B) 0-1 conny (W) win connected`. The result is the
/// score of the side in front, which moved first.
fn headline(record: &Record) -> String {
    let [first, second] = Side::BOTH.map(|side| player(record, side));
    let ruleset = record.ruleset();
    let score = record.outcome.result(ruleset.game()).of_first_side(ruleset.game());
    format!("{first} {score} {second}  {}", how(record))
}

/// A player and its letter: `conny (W)`.
pub fn player(record: &Record, side: Side) -> String {
    let name = printable(record.players[side].as_bytes(), 64);
    format!("{name} ({})", record.ruleset().letter(side))
}

/// The time on a clock: `9.871`, `1:05.3` or `2:00:00`; with fewer decimals the longer it is.
pub fn clock(left: Duration) -> String {
    let seconds = left.as_secs();
    let millis = left.subsec_millis();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds}.{millis:03}"),
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}.{}", millis / 100),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Outcome and reason: `win connected`, and with a margin `win by 7.5 (area)`.
pub fn how(record: &Record) -> String {
    let outcome = record.outcome.word();
    let termination = record.outcome.termination();
    match record.margin {
        Some(margin) => format!("{outcome} by {margin} ({termination})"),
        None if outcome == termination => outcome.to_owned(),
        None => format!("{outcome} {termination}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_short() {
        for (millis, text) in [
            (0, "0.000"),
            (59_999, "59.999"),
            (60_000, "1:00.0"),
            (3_599_999, "59:59.9"),
            (7_200_000, "2:00:00"),
        ] {
            assert_eq!(clock(Duration::from_millis(millis)), text);
        }
    }
}
