//! A call of one function of a submission: what the test main receives, and what it answers.

use std::collections::BTreeMap;
use std::fmt;

/// One call and what the rules expect of it.
#[derive(Debug, Clone)]
pub struct Call {
    /// Its name, unlike that of any other call of the assignment: `n6-move-12`.
    pub name: String,
    /// The name of the function.
    pub function: &'static str,
    /// The state before the call, as the test main reads it: the rows of the board joined by `/`,
    /// then other members, each after a comma.
    pub state: String,
    /// The arguments after the board, as the test main reads them.
    pub arguments: Vec<String>,
    /// The call as C++: `move(board, 'X', 2, 3)`.
    pub shown: String,
    /// What the rules expect.
    pub expected: Expected,
    /// Whether the layout of what is printed is left open: empty lines, and on which side fields of
    /// four characters have their blanks.
    pub has_open_layout: bool,
    /// The rule by which it returns its value, as the end of a sentence; empty if the value says it
    /// all.
    pub why: &'static str,
    /// Calls among which a function that ignores its arguments earns nothing; empty if there are no
    /// such kinds.
    pub kind: &'static str,
    /// The class whose points it shares.
    pub class: &'static str,
    /// All classes that occur in it; its own is the first.
    pub labels: Vec<&'static str>,
    /// How long it is for a reader: pieces on the board and arguments.
    pub length: usize,
}

impl Call {
    /// The behaviour of a function that ignores its arguments and is right here: it returns this
    /// value and changes nothing or, in gekitai, places a piece and pushes none. `None` if no such
    /// function is right.
    pub fn constant(&self) -> Option<String> {
        let [before, after] = [&self.state, &self.expected.state];
        let changed = std::iter::zip(before.chars(), after.chars()).filter(|(a, b)| a != b);
        let is_placed =
            self.function == "move" && before.len() == after.len() && changed.count() == 1;
        (before == after || is_placed).then(|| self.expected.value.word())
    }

    /// Its line for the test main, without the newline.
    pub fn line(&self) -> String {
        let mut line = format!("{} {}", self.function, self.state);
        for argument in &self.arguments {
            line += " ";
            line += if argument.is_empty() { "''" } else { argument };
        }
        line
    }
}

/// What a call returns, leaves and prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The value that is returned, and those of parameters that the function sets.
    pub value: Value,
    /// The state afterwards.
    pub state: String,
    /// What is printed, compared without blanks at ends of lines and empty lines at the end.
    pub printed: String,
}

impl Expected {
    /// This value and state, and nothing printed.
    pub(super) fn silent(value: Value, state: String) -> Expected {
        Expected { value, state, printed: String::new() }
    }
}

/// A value that a function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// The function returns nothing.
    Nothing,
    /// `true` or `false`.
    Truth(bool),
    /// A whole number.
    Number(i64),
    /// A `char`.
    Letter(char),
    /// `true`, and the number that the function adds to its last parameter.
    Captures(i64),
}

impl Value {
    /// The word that the test main writes for it.
    pub(super) fn word(self) -> String {
        match self {
            Value::Nothing => "-".to_owned(),
            Value::Truth(truth) => u8::from(truth).to_string(),
            Value::Number(number) => number.to_string(),
            Value::Letter(letter) => letter.to_string(),
            Value::Captures(count) => format!("1,{count}"),
        }
    }

    /// A word of the test main in words for the student, read as a value of this kind.
    pub(super) fn described(self, word: &str) -> String {
        match (self, word.split_once(',').unwrap_or((word, ""))) {
            (Value::Truth(_) | Value::Captures(_), (truth, "")) => truth_word(truth).to_owned(),
            (Value::Truth(_) | Value::Captures(_), (truth, count)) => {
                format!("{} with {count} captured", truth_word(truth))
            }
            (Value::Letter(_), _) => format!("'{word}'"),
            _ => word.to_owned(),
        }
    }
}

fn truth_word(word: &str) -> &str {
    match word {
        "0" => "false",
        "1" => "true",
        other => other,
    }
}

/// How a call ended, by the test main.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Fate {
    /// It returned this value and left this state.
    Returned {
        /// The value as the test main writes it.
        value: String,
        /// The state afterwards.
        state: String,
        /// Whether memory beside the state was written.
        outside: bool,
    },
    /// A signal of this number ended it; `place` is `before`, `behind` (the board), `stack`,
    /// `memory` (it took too much) or `-`.
    Signal {
        /// The number of the signal.
        number: i32,
        /// Where memory was touched that may not be.
        place: String,
    },
    /// It ended the program with this status.
    Exited(i32),
    /// It was not made: calls of the same function before it took too long.
    Skipped,
    /// There is no answer: the test main ended before it.
    #[default]
    Missing,
}

/// What the test main says of one call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// How it ended.
    pub fate: Fate,
    /// Whether it read standard input.
    pub read: bool,
    /// What it wrote to standard output.
    pub printed: Vec<u8>,
    /// What it wrote to standard error, where the sanitizer of undefined behaviour writes, too.
    pub errors: Vec<u8>,
    /// How slow it was, in calls that do not end; 0 unless it took too long, or too much memory.
    pub slow: usize,
}

/// What a run of the test main says: which functions there are, and an answer for each call.
#[derive(Debug, Clone)]
pub struct Answers {
    /// The functions that the submission defines with the right prototype.
    pub there: Vec<String>,
    /// The answers, in the order of the calls.
    pub calls: Vec<Answer>,
}

impl Answers {
    /// Reads the output of a test main for `count` calls. Lines that are none of its own are left
    /// out: the functions that run there may have written them.
    pub fn read(output: &[u8], count: usize) -> Answers {
        let mut answers = Answers { there: Vec::new(), calls: vec![Answer::default(); count] };
        let mut absent = Vec::new();
        for line in String::from_utf8_lossy(output).lines() {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            if let ["has", function, is_there] = words[..] {
                let list = if is_there == "1" { &mut answers.there } else { &mut absent };
                list.push(function.to_owned());
            } else if let ["slow", index, weight] = words[..] {
                if let Ok(index) = index.parse::<usize>()
                    && let Some(answer) = answers.calls.get_mut(index)
                {
                    answer.slow = weight.parse::<u8>().map_or(0, usize::from);
                }
            } else if let Some((index, answer)) = read_answer(&words)
                && let Some(place) = answers.calls.get_mut(index)
                && place.fate == Fate::Missing
            {
                *place = answer;
            }
        }
        // The test main says of each function once what is true; another line of it comes from the
        // functions that run there.
        answers.there.retain(|function| !absent.contains(function));
        answers
    }
}

fn read_answer(words: &[&str]) -> Option<(usize, Answer)> {
    let &[index, end, first, second, read, ref outside @ .., printed, errors] = words else {
        return None;
    };
    let fate = match (end, outside) {
        ("returned", [outside]) => Fate::Returned {
            value: first.to_owned(),
            state: second.to_owned(),
            outside: *outside == "1",
        },
        ("signal", []) => Fate::Signal { number: first.parse().ok()?, place: second.to_owned() },
        ("exited", []) => Fate::Exited(first.parse().ok()?),
        ("skipped", []) => Fate::Skipped,
        _ => return None,
    };
    let [printed, errors] = [bytes(printed)?, bytes(errors)?];
    Some((index.parse().ok()?, Answer { fate, read: read == "1", printed, errors, slow: 0 }))
}

/// The bytes of hexadecimal digits; `-` is none.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    if digits == "-" {
        return Some(Vec::new());
    }
    digits
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

/// Where the calls of one run lie in memory, and whether they follow each other in one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mode {
    /// Each call in a fresh process.
    pub alone: bool,
    /// Where the state lies.
    pub place: Place,
}

/// Where the state of a call lies in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// It begins where memory without access ends.
    Front,
    /// It ends where memory without access begins.
    End,
    /// Amid empty squares (0) or pieces of one side (1 or 2): what is read there harms nothing, and
    /// may change the answer.
    Amid(u8),
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.alone { "alone" } else { "sequence" };
        match self.place {
            Place::Front => write!(f, "{word} front"),
            Place::End => write!(f, "{word} end"),
            Place::Amid(kind) => write!(f, "{word} {kind}"),
        }
    }
}

/// What a test main reads: how it runs the calls, each with `seconds` of processor time; how slow
/// the calls of each function were before; and the calls.
pub fn input<'a>(
    mode: Mode,
    seconds: u64,
    slow: &BTreeMap<&'static str, usize>,
    calls: impl IntoIterator<Item = &'a Call>,
) -> String {
    let mut text = format!("{mode} {seconds}");
    for (function, weight) in slow {
        text += &format!(" {function}={weight}");
    }
    text += "\n";
    for call in calls {
        text += &call.line();
        text += "\n";
    }
    text
}
