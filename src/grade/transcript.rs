//! What happens in the output of a program, whatever its layout: boards, prompts, refusals and
//! results, in order.

use arbiter_rules::{Ruleset, Side};

/// Something that a program says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// A board: its rows from the top, each a text of one character a square. It has fewer rows
    /// than the game's if other events follow the last of them.
    Board(Vec<String>),
    /// The heading of a round, with its number.
    Round(u64),
    /// The heading of the last board.
    GameOver,
    /// This player is asked.
    Prompt(char),
    /// An entry is refused.
    Refusal,
    /// This player wins.
    Wins(char),
    /// The game is a draw.
    Draw,
}

impl Event {
    pub(super) fn is_board(&self) -> bool {
        matches!(self, Event::Board(_))
    }

    pub(super) fn is_result(&self) -> bool {
        matches!(self, Event::Wins(_) | Event::Draw)
    }
}

/// The events of an output. Letter case does not count, nor do words between them.
///
/// A row of a board is a line, or the rest of a line after its last colon, that has one of the
/// game's letters or a dot for each column and besides them only blanks, `|` and, in front, a
/// number.
pub(super) fn events(text: &str, ruleset: &Ruleset) -> Vec<Event> {
    let mut events = Vec::new();
    let mut rows = Vec::new();
    for line in text.lines() {
        let tail = line.rfind(':').map_or(0, |colon| colon + 1);
        let row = row(&line[tail..], ruleset);
        let words = if row.is_some() { &line[..tail] } else { line };
        let before = events.len();
        push_words(words, &mut events);
        if events.len() > before && !rows.is_empty() {
            events.insert(before, Event::Board(std::mem::take(&mut rows)));
        }
        rows.extend(row);
        if rows.len() == ruleset.rows() {
            events.push(Event::Board(std::mem::take(&mut rows)));
        }
    }
    if !rows.is_empty() {
        events.push(Event::Board(rows));
    }
    events
}

/// The squares of a row, in capitals; none if the line is not a row.
fn row(line: &str, ruleset: &Ruleset) -> Option<String> {
    if line.len() > 10 * (ruleset.columns() + 10) {
        return None;
    }
    let line = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let letters = Side::BOTH.map(|side| ruleset.letter(side));
    let squares: String = line
        .chars()
        .filter(|&c| !c.is_whitespace() && c != '|')
        .map(|c| c.to_ascii_uppercase())
        .collect();
    let are_squares = squares.chars().all(|c| c == '.' || letters.contains(&c));
    (are_squares && squares.chars().count() == ruleset.columns()).then_some(squares)
}

/// Appends the events in the words of a line.
fn push_words(line: &str, events: &mut Vec<Event>) {
    let plain = |c: char| !c.is_alphanumeric() && c != '\'';
    let words: Vec<String> =
        line.split(plain).filter(|word| !word.is_empty()).map(str::to_ascii_uppercase).collect();
    let mut last: Option<&str> = None;
    for word in &words {
        let player = |word: &str| word.strip_suffix("'S").unwrap_or(word).parse::<char>().ok();
        events.extend(match (last, word.as_str()) {
            (Some("ROUND"), number) => number.parse().ok().map(Event::Round),
            (Some("GAME"), "OVER") => Some(Event::GameOver),
            (Some(name), "TURN" | "MOVE") if name.ends_with("'S") => {
                player(name).map(Event::Prompt)
            }
            (Some(name), "WINS" | "WIN" | "WON") => player(name).map(Event::Wins),
            (_, "INVALID") => Some(Event::Refusal),
            (_, "DRAW" | "DRAWN" | "TIE") => Some(Event::Draw),
            _ => None,
        });
        last = Some(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_is_found_in_any_layout() {
        let ruleset = Ruleset::named("gekitai", "n=5").unwrap();
        let text = "Round 2:\n 1 . X . . .\n2|x|.|.|.|o|\n.....\n4 . . . . .\n 5 . . . . . \nPlayer X's turn: Invalid move!\n\
                    Player X's turn:  1 . . . . .\ngame over\nPlayer O wins!\ndraw game!";
        let board = [".", "X"];
        assert_eq!(
            events(text, &ruleset),
            [
                Event::Round(2),
                Event::Board(
                    [".X...", "X...O", ".....", ".....", "....."].map(str::to_owned).to_vec()
                ),
                Event::Prompt('X'),
                Event::Refusal,
                Event::Prompt('X'),
                Event::Board(vec![board[0].repeat(5)]),
                Event::GameOver,
                Event::Wins('O'),
                Event::Draw,
            ]
        );
    }
}
