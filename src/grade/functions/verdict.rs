//! What is wrong with the answer to a call, in a sentence and as boards side by side.

use super::call::{Answer, Call, Fate};
use super::printed::{has_board, text_differences, trimmed};
use crate::marks::Found;
use crate::words::TextDifference;

/// The most differing squares or members that a sentence names.
const NAMED: usize = 3;
/// The most bytes of an unexpected output, and lines of an expected one, that are shown.
const SHOWN_BYTES: usize = 400;
const SHOWN_LINES: usize = 30;

/// What is wrong with the answer to a call.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// With what it does; `None` if nothing is.
    pub rules: Option<Found>,
    /// With what it prints.
    pub text: Vec<TextDifference>,
}

/// Whether a call was ended because it touched memory beside the board.
pub fn is_outside(answer: &Answer) -> bool {
    matches!(&answer.fate, Fate::Signal { place, .. } if place == "before" || place == "behind")
}

/// Judges the answer to a call.
pub fn judge(call: &Call, answer: &Answer) -> Verdict {
    let rules = broken_rules(call, answer);
    let has_returned = matches!(answer.fate, Fate::Returned { .. });
    let text = if has_returned { text_differences(call, &answer.printed) } else { Vec::new() };
    Verdict { rules, text }
}

/// What is wrong with what a call does.
fn broken_rules(call: &Call, answer: &Answer) -> Option<Found> {
    let name = call.function;
    let Fate::Returned { value, state, outside } = &answer.fate else {
        let read = if answer.read {
            "; it has read standard input, which is no part of its description"
        } else {
            ""
        };
        let sentence = format!("`{name}` {}{read}", unreturned(&answer.fate));
        return Some(found(call, sentence, None, answer));
    };
    let expected = &call.expected;
    // In this order: what a function returns tells most, what it does beside that least.
    let sentence = if *value != expected.value.word() {
        let got = expected.value.described(value);
        let right = expected.value.described(&expected.value.word());
        let why = if call.why.is_empty() { String::new() } else { format!(": {}", call.why) };
        format!("`{}` returns {got}; right is {right}{why}", call.shown)
    } else if *state != expected.state {
        let squares = differences(&call.expected.state, state);
        let was = if expected.state == call.state {
            "changes what it must leave as it is"
        } else {
            "leaves a wrong state"
        };
        format!("`{}` {was}: {squares}", call.shown)
    } else if !has_board(call, &answer.printed) {
        let what =
            if answer.printed.is_empty() { "nothing" } else { "another board than expected" };
        format!("`{}` prints {what}", call.shown)
    } else if answer.read {
        format!("`{name}` reads standard input, which is no part of its description")
    } else if *outside {
        format!("`{}` writes memory beside the board", call.shown)
    } else if !answer.errors.is_empty() {
        format!("`{}` writes to standard error, which is no part of its description", call.shown)
    } else {
        return None;
    };
    Some(found(call, sentence, Some(state), answer))
}

/// What a function does that does not return.
fn unreturned(fate: &Fate) -> String {
    let what = match fate {
        Fate::Signal { number, place } => match (place.as_str(), *number) {
            ("before", _) => "touches memory before the board: an index below 0",
            ("behind", _) => "touches memory behind the board: an index that is too large",
            ("stack", _) => "calls itself without an end",
            ("memory", _) => "takes memory without an end",
            (_, SIGXCPU) => "does not end: it uses up its processor time",
            (_, SIGALRM) => "does not end: it waits",
            (_, SIGXFSZ) => "prints without an end",
            (_, number) => return format!("crashes: {}", signal_words(number)),
        },
        Fate::Exited(status) => return format!("ends the program, with status {status}"),
        Fate::Skipped => "was not called: calls before this one took too long, or too much memory",
        Fate::Missing | Fate::Returned { .. } => {
            "gives no answer: the program ended before it returned"
        }
    };
    what.to_owned()
}

// Numbers of signals on Linux: signal(7).
const SIGALRM: i32 = 14;
const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;

fn signal_words(number: i32) -> String {
    let what = match number {
        4 => "an instruction that there is not (a function that ends without a return, perhaps)",
        6 => "it was aborted (an exception that nothing catches, perhaps)",
        7 | 11 => "it touches memory that is not its own",
        8 => "a division by zero",
        _ => return format!("signal {number}"),
    };
    what.to_owned()
}

/// Says which squares of the rows of two boards differ.
fn push_squares(right: &str, got: &str, all: &mut Vec<String>) {
    for (row, (one, other)) in std::iter::zip(right.split('/'), got.split('/')).enumerate() {
        for (column, (letter, came)) in std::iter::zip(one.chars(), other.chars()).enumerate() {
            if letter != came {
                all.push(format!("board[{row}][{column}] is {came}, right is {letter}"));
            }
        }
    }
}

/// The first differences between two states, in words.
fn differences(right: &str, got: &str) -> String {
    let mut all = Vec::new();
    // The rows of the board stand before the members.
    for (index, (one, other)) in std::iter::zip(right.split(','), got.split(',')).enumerate() {
        if index == 0 {
            push_squares(one, other, &mut all);
        } else if let Some(name) = MEMBERS.get(index - 1)
            && one != other
        {
            all.push(format!("{name} is {other}, right is {one}"));
        }
    }
    if all.is_empty() {
        return "squares beyond the rows and columns in use".to_owned();
    }
    let first = all[..all.len().min(NAMED)].join(", ");
    if all.len() > NAMED { format!("{first}, and {} more", all.len() - NAMED) } else { first }
}

/// The members of the class of `loa` beside the board, in the order of its state.
const MEMBERS: [&str; 4] = ["currentPlayer", "nextPlayer", "blacks", "whites"];

fn found(call: &Call, sentence: String, state: Option<&str>, answer: &Answer) -> Found {
    let mut shown = format!("{}\n", call.shown);
    // A state without rows is a word for the test main.
    if call.state.contains('/') {
        shown += &states(call, state);
    }
    if call.expected.printed.is_empty() {
        if !answer.printed.is_empty() {
            shown += &format!(
                "printed:\n{}",
                String::from_utf8_lossy(&answer.printed[..answer.printed.len().min(SHOWN_BYTES)])
            );
        }
    } else {
        shown += &beside(&[
            ("right", visible(call, call.expected.printed.as_bytes())),
            ("yours", visible(call, &answer.printed)),
        ]);
    }
    Found { sentence, shown, place: None, uninformative: answer.fate == Fate::Skipped }
}

/// The first lines that a call printed, with their blanks.
fn visible(call: &Call, text: &[u8]) -> Vec<String> {
    let mut lines = trimmed(call, &String::from_utf8_lossy(text));
    lines.truncate(SHOWN_LINES);
    for line in &mut lines {
        *line = line.replace(' ', "·");
    }
    lines
}

/// The state before a call and, where they say more, the right one afterwards and that of the
/// answer.
fn states(call: &Call, state: Option<&str>) -> String {
    let mut sides = vec![("before", lines_of(&call.state))];
    if call.expected.state != call.state || state.is_some_and(|state| state != call.expected.state)
    {
        sides.push(("right", lines_of(&call.expected.state)));
        if let Some(state) = state {
            sides.push(("yours", lines_of(state)));
        }
    }
    beside(&sides)
}

/// A state as lines of text, rows and columns with their indexes.
fn lines_of(state: &str) -> Vec<String> {
    let mut parts = state.split(',');
    let rows: Vec<&str> = parts.next().unwrap_or_default().split('/').collect();
    let mut head = "  ".to_owned();
    for column in 0..rows[0].len() {
        head += &format!(" {}", column % 10); // one digit, so that the columns stay below it
    }
    let mut lines = vec![head];
    for (index, row) in rows.iter().enumerate() {
        let mut line = format!("{index:2}");
        for letter in row.chars() {
            line.extend([' ', letter]);
        }
        lines.push(line);
    }
    for (name, value) in std::iter::zip(MEMBERS, parts) {
        lines.push(format!("{name} {value}"));
    }
    lines
}

/// Columns of lines under their headings, side by side.
fn beside(columns: &[(&str, Vec<String>)]) -> String {
    let mut height = 0;
    let mut widths = Vec::new();
    for (heading, lines) in columns {
        let mut width = heading.len();
        for line in lines {
            width = width.max(line.chars().count());
        }
        widths.push(width + 3);
        height = height.max(lines.len());
    }
    let mut text = String::new();
    for row in 0..=height {
        let mut line = String::new();
        for ((heading, lines), &width) in columns.iter().zip(&widths) {
            let cell =
                if row == 0 { heading } else { lines.get(row - 1).map_or("", String::as_str) };
            line += &format!("{cell:<width$}");
        }
        text += line.trim_end();
        text += "\n";
    }
    text
}
