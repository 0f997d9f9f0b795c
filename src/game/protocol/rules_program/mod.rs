//! What a rules program says (docs/reference/custom-games.md, The line protocol): one line of JSON
//! for each question.
//!
//! Pure: from the bytes of a line to what [`RulesEngine`](arbiter_rules::own::RulesEngine) wants.
//! Types, sizes and letters are checked here; positions and moves are checked against the board by
//! `rules`. An unknown key is refused, because it is usually a known one that is misspelt, and a
//! later version of the protocol begins with another first line. A key that comes twice is refused
//! too.
//!
//! ```
//! use arbiter_game::protocol::rules_program;
//! let fault = rules_program::read_rules(b"Hello!").unwrap_err();
//! assert!(fault.what.starts_with("the answer to `rules` is `Hello!`, which is no JSON"));
//! ```

mod json;

use crate::{Abort, Fault, Outcome};
use arbiter_rules::own::{
    EngineEnding, EngineState, LONGEST_WORD, MOST_PLIES, MOST_ROWS, MOST_SQUARES, OwnOption,
    OwnReason,
};
use arbiter_rules::text::{Word, printable};
use arbiter_rules::{BySide, Layout, Margin, RulesFault, Side};
use json::{
    EndingAnswer, ErrorAnswer, FaultAnswer, FaultDetails, OptionAnswer, OptionValue, RulesAnswer,
    SetAnswer, StartAnswer, StateAnswer,
};
use serde::Deserialize;
use std::collections::HashSet;
use std::fmt;

/// The most bytes of a position text, so that it fits into a line of a bot, or of an identity.
const LONGEST_POSITION: usize = 4_000;
/// The most bytes of a title.
const LONGEST_TITLE: usize = 100;
/// The most bytes of what an option is about.
const LONGEST_ABOUT: usize = 300;
/// The most options, and the most values of one.
const MOST_OPTIONS: usize = 64;
const MOST_VALUES: usize = 1_000;
/// The most letters of the pieces of a side: a to z and A to Z.
const MOST_PIECES: usize = 52;
/// How much of a sentence, and of an answer that is wrong, is shown.
const SENTENCE: usize = 500;
const SHOWN: usize = 100;

/// How a rules program describes itself: the answer to `rules 1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesTitle {
    /// The name of the game in texts for people.
    pub title: String,
    /// The file of an adapter beside the rules.
    pub adapter: Option<String>,
    /// The letter of the side that programs of other arenas call black.
    pub black: Option<char>,
    /// The options, in the order of the program.
    pub options: Vec<OwnOption>,
}

/// The board and the start position: the answer to `start`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesStart {
    /// What all positions have in common.
    pub layout: Layout,
    /// The start position and what follows from it.
    pub state: EngineState,
}

/// A question of the line protocol, with what its answer looks like.
#[derive(Clone, Copy)]
struct Question {
    /// The first word of the question.
    word: &'static str,
    /// The form of the answer, for messages.
    form: &'static str,
}

const RULES: Question = Question {
    word: "rules",
    form: r#"{"title":"…","options":[{"key":"…","default":…,"values":[…],"about":"…"},…]}"#,
};
const SET: Question = Question { word: "set", form: r#"{} or {"error":"…"}"# };
const START: Question = Question {
    word: "start",
    form: r#"{"sides":"XO","rows":…,"columns":…,"position":"…","moves":["…",…],"ending":null}"#,
};
const ADVANCE: Question = Question {
    word: "advance",
    form: r#"{"position":"…","moves":["…",…],"ending":null or ["X","reason"]}"#,
};
const AT: Question = Question {
    word: "at",
    form: r#"{"position":"…","moves":["…",…],"ending":…} or {"error":"…"}"#,
};
const WHY: Question = Question { word: "why", form: r#""a sentence" or null"# };

impl Question {
    /// The fault that its answer is wrong in this way.
    fn wrong(self, what: impl fmt::Display) -> RulesFault {
        RulesFault::new(format_args!("the answer to `{}`: {what}", self.word))
    }

    /// Reads an answer, unless it is a fault that the program reports.
    fn read<'a, T: Deserialize<'a>>(self, line: &'a [u8]) -> Result<T, RulesFault> {
        // A fault may take the place of any answer.
        if begins_with_key(line, "fault") {
            const FORM: &str = r#"{"fault":{"what":"…","function":"…","file":"…","line":1}}"#;
            let FaultAnswer { fault } = self.parse(line, FORM)?;
            return Err(fault.into());
        }
        self.parse(line, self.form)
    }

    /// Reads and checks the answer to a question that the program cannot refuse.
    fn read_checked<'a, A: Deserialize<'a>, T>(
        self,
        line: &'a [u8],
        check: impl FnOnce(A) -> Result<T, String>,
    ) -> Result<T, RulesFault> {
        // serde would only say that the key `error` is unknown; its text says what is wrong.
        if begins_with_key(line, "error") {
            let ErrorAnswer { error } = self.parse(line, self.form)?;
            return Err(self.wrong(format_args!("an error, {}", sentence(&error))));
        }
        check(self.read(line)?).map_err(|what| self.wrong(what))
    }

    fn parse<'a, T: Deserialize<'a>>(self, line: &'a [u8], form: &str) -> Result<T, RulesFault> {
        serde_json::from_slice(line).map_err(|error| {
            // The answer is one line, so of serde's "at line 1 column 7" only the column helps.
            let text = error.to_string();
            let what = sentence(text.rsplit_once(" at line ").map_or(&*text, |(what, _)| what));
            let why = match error.classify() {
                serde_json::error::Category::Data => format!("has the wrong form: {what}"),
                _ => format!("is no JSON: {what} at byte {}", error.column()),
            };
            let word = self.word;
            let line = printable(line, SHOWN);
            RulesFault::new(format_args!(
                "the answer to `{word}` is `{line}`, which {why}; it has the form {form}"
            ))
        })
    }
}

/// Whether a line is an object that begins with this key.
fn begins_with_key(line: &[u8], key: &str) -> bool {
    let Some(inside) = line.trim_ascii_start().strip_prefix(b"{") else { return false };
    inside.trim_ascii_start().starts_with(format!("\"{key}\"").as_bytes())
}

impl From<FaultDetails> for RulesFault {
    fn from(details: FaultDetails) -> RulesFault {
        let mut place = Vec::new();
        if let Some(file) = details.file {
            place.push(shown(&file));
        }
        if let Some(line) = details.line {
            place.push(format!("line {line}"));
        }
        RulesFault {
            place: (!place.is_empty()).then(|| place.join(", ").into()),
            function: details.function.map(|function| shown(&function).into()),
            ..RulesFault::new(sentence(&details.what))
        }
    }
}

/// Reads the answer to `rules 1`.
///
/// # Errors
/// The answer is wrong, or reports a fault.
pub fn read_rules(line: &[u8]) -> Result<RulesTitle, RulesFault> {
    RULES.read_checked(line, RulesAnswer::checked)
}

/// Reads the answer to `set KEY VALUE`: nothing, or a sentence that says why the program refuses
/// the value.
///
/// # Errors
/// The answer is wrong, or reports a fault.
pub fn read_set(line: &[u8]) -> Result<Result<(), String>, RulesFault> {
    let SetAnswer { error } = SET.read(line)?;
    Ok(match error {
        Some(error) => Err(sentence(&error)),
        None => Ok(()),
    })
}

/// Reads the answer to `start`.
///
/// # Errors
/// The answer is wrong, or reports a fault.
pub fn read_start(line: &[u8]) -> Result<RulesStart, RulesFault> {
    START.read_checked(line, StartAnswer::checked)
}

/// Reads the answer to `advance`, in a game whose sides have these letters.
///
/// # Errors
/// The answer is wrong, or reports a fault.
pub fn read_advance(line: &[u8], sides: BySide<char>) -> Result<EngineState, RulesFault> {
    ADVANCE.read_checked(line, |answer: StateAnswer| answer.checked(sides))
}

/// Reads the answer to `at`: what follows from the position, or a sentence that says why the text
/// is no position.
///
/// # Errors
/// The answer is wrong, or reports a fault.
pub fn read_at(
    line: &[u8],
    sides: BySide<char>,
) -> Result<Result<EngineState, String>, RulesFault> {
    if begins_with_key(line, "error") {
        let ErrorAnswer { error } = AT.read(line)?;
        return Ok(Err(sentence(&error)));
    }
    AT.read_checked(line, |answer: StateAnswer| answer.checked(sides)).map(Ok)
}

/// Reads the answer to `why`: a sentence, or `None` if the program has none.
///
/// # Errors
/// The answer is wrong, or reports a fault.
pub fn read_why(line: &[u8]) -> Result<Option<String>, RulesFault> {
    let why: Option<String> = WHY.read_checked(line, Ok)?;
    let why = why.as_deref().unwrap_or_default().trim();
    Ok((!why.is_empty()).then(|| sentence(why)))
}

impl RulesAnswer {
    fn checked(self) -> Result<RulesTitle, String> {
        let RulesAnswer { title, adapter, black, options: answers, .. } = self;
        let length = title.len();
        if title.trim().is_empty() || length > LONGEST_TITLE {
            return Err(format!("the title has {length} bytes; it has 1 to {LONGEST_TITLE}"));
        }
        let count = answers.len();
        if count > MOST_OPTIONS {
            return Err(format!("there are {count} options; at most {MOST_OPTIONS} are allowed"));
        }
        let mut options: Vec<OwnOption> = Vec::new();
        for answer in answers {
            let option = answer.checked()?;
            if options.iter().any(|earlier| earlier.key == option.key) {
                return Err(format!("the option `{}` is listed twice", option.key));
            }
            options.push(option);
        }
        let title = printable(title.trim().as_bytes(), LONGEST_TITLE);
        Ok(RulesTitle { title, adapter, black, options })
    }
}

impl OptionAnswer {
    fn checked(self) -> Result<OwnOption, String> {
        let OptionAnswer { key, default, values, about } = self;
        if !is_key(&key) {
            return Err(format!(
                "{} is no key of an option; it has at most {LONGEST_WORD} small letters, digits, \
                 - and _, a letter first",
                quoted(&key)
            ));
        }
        let count = values.len();
        if !(1..=MOST_VALUES).contains(&count) {
            return Err(format!(
                "the option `{key}` has {count} values; it has 1 to {MOST_VALUES}"
            ));
        }
        let mut texts = Vec::new();
        let mut seen = HashSet::new();
        for value in &values {
            let text = value.text();
            // It is a part of command lines and logs.
            if !matches!(value, OptionValue::Number(_)) && !is_word(&text, "_.-") {
                return Err(format!(
                    "the option `{key}` has the value {}; a value is a whole number, or a word of \
                     at most {LONGEST_WORD} letters, digits and _.-",
                    quoted(&text)
                ));
            }
            if !seen.insert(text.clone()) {
                return Err(format!("the option `{key}` has the value {text} twice"));
            }
            texts.push(text);
        }
        let default = default.text();
        if !seen.contains(&default) {
            return Err(format!(
                "the default of the option `{key}`, {}, is not among its values",
                quoted(&default)
            ));
        }
        let length = about.len();
        if length > LONGEST_ABOUT {
            return Err(format!(
                "what the option `{key}` is about has {length} bytes; at most {LONGEST_ABOUT} are \
                 allowed"
            ));
        }
        let about = printable(about.trim().as_bytes(), LONGEST_ABOUT);
        Ok(OwnOption { key, default, values: texts, about })
    }
}

impl StartAnswer {
    fn checked(self) -> Result<RulesStart, String> {
        let [first, second] = self.sides.chars().take(3).collect::<Vec<_>>()[..] else {
            return Err(format!(
                "sides is {}; it has the letters of both sides, such as \"XO\"",
                quoted(&self.sides)
            ));
        };
        let sides = BySide { first, second };
        let rows = board_size("rows", self.rows)?;
        let columns = board_size("columns", self.columns)?;
        let usual = Layout::usual(sides, rows, columns)?;
        let row_names = names("row_names", self.row_names, usual.row_names())?;
        let column_names = names("column_names", self.column_names, usual.column_names())?;
        let mut pieces = BySide::<String>::default();
        for (side, letters) in self.pieces.0 {
            let Some(of) = side_of(sides, &side) else {
                return Err(format!(
                    "pieces has the key {}; its keys are {first} and {second}",
                    quoted(&side)
                ));
            };
            let count = letters.len();
            if count > MOST_PIECES {
                return Err(format!(
                    "pieces has {count} letters for {side}; there are {MOST_PIECES}"
                ));
            }
            pieces[of] = letters;
        }
        let layout = Layout::new(sides, pieces, row_names, column_names)?;
        let state = StateAnswer {
            position: self.position,
            moves: self.moves,
            ending: self.ending,
            identity: self.identity,
            squares: self.squares,
        };
        Ok(RulesStart { layout, state: state.checked(sides)? })
    }
}

/// The number of rows or columns of a board.
fn board_size(what: &str, count: u64) -> Result<usize, String> {
    match usize::try_from(count) {
        Ok(size @ 1..=MOST_ROWS) => Ok(size),
        _ => Err(format!("{what} is {count}; a board has 1 to {MOST_ROWS} {what}")),
    }
}

/// The names of rows or columns that the program gives, or else the usual ones.
fn names(key: &str, given: Option<Vec<String>>, usual: &[String]) -> Result<Vec<String>, String> {
    let Some(names) = given else { return Ok(usual.to_owned()) };
    let count = names.len();
    if count != usual.len() {
        return Err(format!("{key} has {count} names where the board needs {}", usual.len()));
    }
    Ok(names)
}

impl StateAnswer {
    fn checked(self, sides: BySide<char>) -> Result<EngineState, String> {
        let StateAnswer { position, moves, ending, identity, squares: pairs } = self;
        for (what, text) in [("position", Some(&position)), ("identity", identity.as_ref())] {
            let length = text.map_or(0, String::len);
            if length > LONGEST_POSITION {
                return Err(format!(
                    "{what} has {length} bytes; at most {LONGEST_POSITION} are allowed"
                ));
            }
        }
        if moves.len() > MOST_PLIES {
            return Err(format!(
                "there are {} moves; at most {MOST_PLIES} are allowed",
                moves.len()
            ));
        }
        for text in &moves {
            let length = text.len();
            if !(1..=LONGEST_WORD).contains(&length) {
                return Err(format!(
                    "the move {} has {length} bytes; it has 1 to {LONGEST_WORD}",
                    quoted(text)
                ));
            }
        }
        let ending = ending.map(|ending| ending.checked(sides)).transpose()?;
        // Most games need no `squares`, and then nothing is hashed: this is asked at every ply.
        let mut known: HashSet<&str> = HashSet::new();
        if !pairs.0.is_empty() {
            known.extend(moves.iter().map(String::as_str));
        }
        let mut squares = Vec::with_capacity(pairs.0.len());
        for (text, places) in pairs.0 {
            if !known.contains(&*text) {
                return Err(format!(
                    "squares has the key {}, which is none of the moves",
                    quoted(&text)
                ));
            }
            let count = places.len();
            if count > MOST_SQUARES {
                return Err(format!(
                    "the move {text} has {count} squares; at most {MOST_SQUARES} are allowed"
                ));
            }
            let places = places.into_iter().map(|(row, column)| (row as usize, column as usize));
            squares.push((text, places.collect()));
        }
        Ok(EngineState { position, plies: moves, ending, identity, squares })
    }
}

impl EndingAnswer {
    fn checked(self, sides: BySide<char>) -> Result<EngineEnding, String> {
        let EndingAnswer(letter, reason, number) = self;
        let winner = letter.as_ref().and_then(|letter| side_of(sides, letter));
        if let (Some(letter), None) = (&letter, winner) {
            let BySide { first, second } = sides;
            return Err(format!(
                "the winner is {}; it is \"{first}\", \"{second}\", or null for a draw",
                quoted(letter)
            ));
        }
        if OwnReason::named(&reason).is_none() {
            return Err(format!(
                "the reason is {}; it is a word of at most {LONGEST_WORD} small letters, digits \
                 and hyphens, such as most-pieces",
                quoted(&reason)
            ));
        }
        if is_of_the_referee(&reason) {
            return Err(format!("the reason is `{reason}`, which only the referee may say"));
        }
        let margin = number.and_then(Margin::new);
        if let Some(number) = number {
            if winner.is_none() {
                return Err("a draw has no margin".to_owned());
            }
            if margin.is_none() {
                return Err(format!("the margin is {number}; it is {}", Margin::FORM));
            }
        }
        Ok(EngineEnding { winner, reason, margin })
    }
}

/// Whether a word says how the referee ended a game.
fn is_of_the_referee(word: &str) -> bool {
    // In a log such a word would be read as the referee's own verdict.
    let ways = [
        Outcome::Resigned(Side::First),
        Outcome::Repetition,
        Outcome::MaxPlies,
        Outcome::Aborted(Abort::Broken),
        Outcome::Aborted(Abort::Rules),
    ];
    ways.iter().any(|way| way.termination() == word) || Fault::named(word).is_some()
}

fn side_of(sides: BySide<char>, text: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| text.chars().eq([sides[side]]))
}

/// Whether a text begins with a letter or digit and has only these and some signs.
fn is_word(text: &str, signs: &str) -> bool {
    (1..=LONGEST_WORD).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || signs.contains(c))
}

/// Whether a text can be the key of an option.
fn is_key(text: &str) -> bool {
    is_word(text, "-_")
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && !text.contains(|c: char| c.is_ascii_uppercase())
}

/// A sentence of the program.
fn sentence(text: &str) -> String {
    printable(text.as_bytes(), SENTENCE)
}

/// Another text of the program, cut shorter.
fn shown(text: &str) -> String {
    printable(text.as_bytes(), SHOWN)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", shown(text))
}

#[cfg(test)]
mod tests;
