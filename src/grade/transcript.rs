//! What happens in the output of a program, whatever its layout: boards, questions, refusals and
//! results, in order, and the words around them.

use super::words::{Kind, Word, squares_of_row, words_of, words_of_heading, words_of_row};
use arbiter_rules::{Ruleset, Side};

/// Something that a program says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// A board: its rows from the top, each a text of one character a square. It has fewer rows
    /// than the game's if a heading or another event follows the last of them.
    Board(Vec<String>),
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

    /// Whether it answers an entry; the board at the start does, too.
    pub(super) fn is_answer(&self) -> bool {
        self.is_board() || *self == Event::Refusal
    }

    pub(super) fn is_result(&self) -> bool {
        matches!(self, Event::Wins(_) | Event::Draw)
    }
}

/// An output, read.
#[derive(Debug, Clone, Default)]
pub(super) struct Transcript {
    /// What happens, each with its lines: of a board, that of each row.
    pub events: Vec<(Event, Vec<usize>)>,
    /// The words up to the end of each board, and those behind the last one. A board that is
    /// printed again belongs to the words that follow.
    pub segments: Vec<Vec<Word>>,
}

/// Reads an output. Letter case does not count for what happens, nor do words between.
///
/// A row of a board is a line, or the rest of a line after its last colon, that has one of the
/// game's letters or a dot for each column and besides them only blanks, `|` and, in front, a
/// number.
pub(super) fn transcript(text: &str, ruleset: &Ruleset) -> Transcript {
    let mut reader = Reader {
        ruleset,
        rows: Vec::new(),
        lines: Vec::new(),
        last_board: Vec::new(),
        words: Vec::new(),
        transcript: Transcript::default(),
    };
    for (number, line) in text.split_inclusive('\n').enumerate() {
        reader.read_line(number, line);
    }
    reader.end_board();
    // The last newline does not count.
    while reader.words.last().is_some_and(|word| word.text == "\n") {
        reader.words.pop();
    }
    reader.transcript.segments.push(reader.words);
    reader.transcript
}

struct Reader<'a> {
    ruleset: &'a Ruleset,
    /// The rows of a board that is not complete, and their lines.
    rows: Vec<String>,
    lines: Vec<usize>,
    /// The last board.
    last_board: Vec<String>,
    words: Vec<Word>,
    transcript: Transcript,
}

impl Reader<'_> {
    fn read_line(&mut self, number: usize, line: &str) {
        let content = line.trim_end(); // blanks at the end of a line do not count
        // Input comes from a pipe and is not echoed, so the line of a question has no end: the
        // first row of the next board follows its colon.
        let tail = content.rfind(':').map_or(0, |colon| colon + 1);
        let columns = self.ruleset.columns();
        let row = row(&content[tail..], self.ruleset);
        let mut layout = None;
        if row.is_some() {
            layout = Some(words_of_row(&content[tail..], self.rows.len(), number, tail));
        } else if is_short(&content[tail..], columns) {
            layout = words_of_heading(&content[tail..], columns, number, tail);
        }
        let said = if layout.is_some() { &content[..tail] } else { content };
        let happens = events_of(said, self.ruleset);
        let is_heading = row.is_none() && layout.is_some();
        if is_heading || !happens.is_empty() {
            self.end_board();
        }
        let mut words = words_of(said, number, 0);
        name_players(&mut words, self.ruleset, self.transcript.segments.len());
        self.words.extend(words);
        let kind = if layout.is_some() { Kind::Layout } else { Kind::Text };
        self.words.extend(layout.into_iter().flatten());
        if line.ends_with('\n') {
            self.words.push(Word::end_of_line(kind, number, content.len()));
        }
        for event in happens {
            self.transcript.events.push((event, vec![number]));
        }
        if let Some(row) = row {
            self.rows.push(row);
            self.lines.push(number);
        }
        if self.rows.len() == self.ruleset.rows() {
            self.end_board();
        }
    }

    /// Ends a board, complete or not. One that is printed again is none.
    fn end_board(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let lines = std::mem::take(&mut self.lines);
        if rows.is_empty() || rows == self.last_board {
            return;
        }
        self.last_board.clone_from(&rows);
        self.transcript.events.push((Event::Board(rows), lines));
        self.transcript.segments.push(std::mem::take(&mut self.words));
    }
}

/// Whether a line may be a row or a heading of a board: no layout takes more than ten bytes a
/// column, with room for a number in front. A longer one, of megabytes perhaps, is not looked at
/// letter by letter.
fn is_short(line: &str, columns: usize) -> bool {
    line.len() <= 10 * (columns + 10)
}

/// The squares of a row, in capitals; `None` if the line is not a row.
fn row(line: &str, ruleset: &Ruleset) -> Option<String> {
    if !is_short(line, ruleset.columns()) {
        return None;
    }
    let [first, second] = Side::BOTH.map(|side| ruleset.letter(side));
    squares_of_row(line, &[first, second, '.'], ruleset.columns())
}

/// Replaces the names of players by what kind of name it is, and the number of a round by whether
/// it is right.
fn name_players(words: &mut [Word], ruleset: &Ruleset, boards: usize) {
    let mut last = String::new();
    for word in words {
        if !word.text.starts_with(char::is_alphanumeric) {
            continue;
        }
        let number = word.text.parse::<i64>().ok();
        if let Some(number) = number
            && last == "ROUND"
        {
            let is_right = number == boards as i64 + 1;
            word.key = if is_right { "the round" } else { "another round" }.to_owned();
        } else if let Some(player) = player(&word.text, &last, ruleset) {
            let is_letter = word.text == player.to_string();
            let kind = if is_letter {
                "letter"
            } else if number.is_some() {
                "number"
            } else {
                "name"
            };
            word.key = format!("player by {kind}");
        }
        last = word.text.to_ascii_uppercase();
    }
}

/// The letter of the player that a word names: by it, by the colour, or behind `PLAYER` by a
/// number.
fn player(word: &str, before: &str, ruleset: &Ruleset) -> Option<char> {
    let [first, second] = Side::BOTH.map(|side| ruleset.letter(side));
    let word = word.to_ascii_uppercase();
    if let Ok(letter) = word.parse::<char>()
        && [first, second].contains(&letter)
    {
        return Some(letter);
    }
    match word.as_str() {
        "1" if before == "PLAYER" => Some(first),
        "2" if before == "PLAYER" => Some(second),
        "BLACK" if [first, second].contains(&'B') => Some('B'),
        "WHITE" if [first, second].contains(&'W') => Some('W'),
        _ => None,
    }
}

/// The events in the words of a line.
fn events_of(line: &str, ruleset: &Ruleset) -> Vec<Event> {
    let mut words: Vec<String> = line
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .map(str::to_ascii_uppercase)
        .collect();
    words.retain(|word| !word.is_empty());
    let is_won = words.iter().any(|word| word.starts_with("WIN") || word == "WON");
    let mut events = Vec::new();
    let mut named = Vec::new();
    let mut last = "";
    for word in &words {
        let bare = word.strip_suffix("'S").unwrap_or(word);
        let player_here = player(bare, last, ruleset);
        named.extend(player_here);
        let before = last.strip_suffix("'S").unwrap_or(last);
        let asked = match (word.as_str(), player_here) {
            // `X's turn`, but not `your turn`.
            ("TURN" | "MOVE", _) if before != last => before.parse::<char>().ok(),
            // `Player 1:`, but not `Player 1 wins`.
            (_, Some(letter)) if last == "PLAYER" && !is_won => Some(letter),
            _ => None,
        };
        let event = match (last, word.as_str()) {
            // `X wins` and `player 1 wins`; also a letter that is no player's, which then differs.
            (name, "WINS" | "WIN" | "WON") => match named.last() {
                Some(letter) if player(before, "PLAYER", ruleset) == Some(*letter) => {
                    Some(Event::Wins(*letter))
                }
                _ => name.parse::<char>().ok().map(Event::Wins),
            },
            (_, "INVALID" | "ILLEGAL") => Some(Event::Refusal),
            (_, "DRAW" | "DRAWN" | "TIE") => Some(Event::Draw),
            _ => asked.map(Event::Prompt),
        };
        // `Player X's turn` asks once.
        if event.is_some() && (asked.is_none() || event.as_ref() != events.last()) {
            events.extend(event);
        }
        last = word;
    }
    // A line about winning that names one player alone says who has won: `The winner is X`.
    named.sort_unstable();
    named.dedup();
    if let ([winner], true, false) = (&named[..], is_won, events.iter().any(Event::is_result)) {
        events.push(Event::Wins(*winner));
    }
    events
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
        let events: Vec<Event> =
            transcript(text, &ruleset).events.into_iter().map(|(event, _)| event).collect();
        assert_eq!(
            events,
            [
                Event::Board(
                    [".X...", "X...O", ".....", ".....", "....."].map(str::to_owned).to_vec()
                ),
                Event::Prompt('X'),
                Event::Refusal,
                Event::Prompt('X'),
                Event::Board(vec![board[0].repeat(5)]),
                Event::Wins('O'),
                Event::Draw,
            ]
        );
    }

    #[test]
    fn results_and_questions_are_found_in_other_words() {
        let ruleset = Ruleset::named("gekitai", "n=5").unwrap();
        for (text, expected) in [
            ("The winner is X!", vec![Event::Wins('X')]),
            ("player 2 won", vec![Event::Wins('O')]),
            ("O is the winner of the game.", vec![Event::Wins('O')]),
            ("Player 0 wins!", vec![Event::Wins('0')]),
            ("It is a tie.", vec![Event::Draw]),
            ("Three in a row win.", vec![]),
            ("Now player 1, please:", vec![Event::Prompt('X')]),
            ("X's turn", vec![Event::Prompt('X')]),
            ("this is not valid, illegal", vec![Event::Refusal]),
        ] {
            assert_eq!(events_of(text, &ruleset), expected, "{text}");
        }
    }
}
