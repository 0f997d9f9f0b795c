//! What a rules program says (docs/own-game.md, The line protocol): one line of JSON for each
//! question.
//!
//! Pure: from the bytes of a line to what [`RulesEngine`](arbiter_rules::own::RulesEngine) wants.
//! Types, sizes and letters are checked here; positions and moves are checked against the board by
//! `rules`. A key that is not known is refused, because it is mostly a known one with a slip in it,
//! and a later version of the protocol begins with another first line; so is a key that comes
//! twice.
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
};
use arbiter_rules::text::{Word, printable};
use arbiter_rules::{BySide, Layout, Margin, RulesFault, Side};
use json::{
    EndingAnswer, OptionAnswer, OptionValue, Refusal, RulesAnswer, SetAnswer, StartAnswer,
    StateAnswer, Told, ToldFault,
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
/// How much of a sentence, and of an answer that is wrong, is shown.
const SENTENCE: usize = 500;
const SHOWN: usize = 100;

/// What a rules program says of itself: the answer to `rules 1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesTitle {
    /// The name of the game in texts for people.
    pub title: String,
    /// The file of an adapter beside the rules.
    pub adapter: Option<String>,
    /// The side that is black for programs of other worlds.
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

/// A question, as far as its answer has a form of its own.
#[derive(Clone, Copy)]
struct Question {
    /// Its first word.
    word: &'static str,
    /// The form of its answer.
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

    /// Reads an answer, unless it is a fault that the program tells.
    fn read<'a, T: Deserialize<'a>>(self, line: &'a [u8]) -> Result<T, RulesFault> {
        if begins_with_key(line, "fault") {
            let Told { fault } =
                self.parse(line, r#"{"fault":{"what":"…","function":"…","file":"…","line":1}}"#)?;
            return Err(fault.into());
        }
        self.parse(line, self.form)
    }

    /// The same of a question that the program cannot refuse.
    fn read_unrefused<'a, T: Deserialize<'a>>(self, line: &'a [u8]) -> Result<T, RulesFault> {
        if begins_with_key(line, "error") {
            let Refusal { error } = self.parse(line, self.form)?;
            return Err(
                self.wrong(format_args!("an error, {}", printable(error.as_bytes(), SENTENCE)))
            );
        }
        self.read(line)
    }

    fn parse<'a, T: Deserialize<'a>>(self, line: &'a [u8], form: &str) -> Result<T, RulesFault> {
        serde_json::from_slice(line).map_err(|error| {
            let text = error.to_string();
            let what = text.rsplit_once(" at line ").map_or(&*text, |(what, _)| what);
            let what = printable(what.as_bytes(), SENTENCE);
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
    let rest = line.trim_ascii_start().strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    rest.is_some_and(|rest| rest.starts_with(format!("\"{key}\"").as_bytes()))
}

impl From<ToldFault> for RulesFault {
    fn from(told: ToldFault) -> RulesFault {
        let shown = |text: String| printable(text.as_bytes(), SHOWN);
        let line = told.line.map(|line| format!("line {line}"));
        let place: Vec<String> = told.file.map(shown).into_iter().chain(line).collect();
        RulesFault {
            place: (!place.is_empty()).then(|| place.join(", ").into()),
            function: told.function.map(|function| shown(function).into()),
            ..RulesFault::new(printable(told.what.as_bytes(), SENTENCE))
        }
    }
}

/// Reads the answer to `rules 1`.
///
/// # Errors
/// The answer is wrong, or tells a fault.
pub fn read_rules(line: &[u8]) -> Result<RulesTitle, RulesFault> {
    let RulesAnswer { title, adapter, black, options, .. } = RULES.read_unrefused(line)?;
    let wrong = |what: String| RULES.wrong(what);
    if title.trim().is_empty() || title.len() > LONGEST_TITLE {
        return Err(wrong(format!(
            "the title has {} bytes; it has 1 to {LONGEST_TITLE}",
            title.len()
        )));
    }
    if options.len() > MOST_OPTIONS {
        return Err(wrong(format!(
            "there are {} options; at most {MOST_OPTIONS} are allowed",
            options.len()
        )));
    }
    let mut keys = HashSet::new();
    let mut read = Vec::new();
    for option in options {
        let option = read_option(option).map_err(wrong)?;
        if !keys.insert(option.key.clone()) {
            return Err(wrong(format!("the option `{}` is listed twice", option.key)));
        }
        read.push(option);
    }
    let title = printable(title.trim().as_bytes(), LONGEST_TITLE);
    Ok(RulesTitle { title, adapter, black, options: read })
}

fn read_option(
    OptionAnswer { key, default, values, about }: OptionAnswer,
) -> Result<OwnOption, String> {
    if !is_small_word(&key, "-_") {
        return Err(format!(
            "{} is no key of an option; it has at most {LONGEST_WORD} small letters, digits, - and _, a letter first",
            quoted(&key)
        ));
    }
    if !(1..=MOST_VALUES).contains(&values.len()) {
        return Err(format!(
            "the option `{key}` has {} values; it has 1 to {MOST_VALUES}",
            values.len()
        ));
    }
    let mut texts = Vec::new();
    let mut seen = HashSet::new();
    for value in &values {
        let text = value.text();
        if !matches!(value, OptionValue::Number(_)) && !is_word(&text, "_.-") {
            return Err(format!(
                "the option `{key}` has the value {}; a value is a whole number, or a word of at most {LONGEST_WORD} letters, \
                 digits and _.-",
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
    if about.len() > LONGEST_ABOUT {
        return Err(format!(
            "what the option `{key}` is about has {} bytes; at most {LONGEST_ABOUT} are allowed",
            about.len()
        ));
    }
    Ok(OwnOption {
        key,
        default,
        values: texts,
        about: printable(about.trim().as_bytes(), LONGEST_ABOUT),
    })
}

/// Reads the answer to `set KEY VALUE`: nothing, or a sentence that says why the program refuses
/// it.
///
/// # Errors
/// The answer is wrong, or tells a fault.
pub fn read_set(line: &[u8]) -> Result<Result<(), String>, RulesFault> {
    let SetAnswer { error } = SET.read(line)?;
    Ok(error.map_or(Ok(()), |error| Err(printable(error.as_bytes(), SENTENCE))))
}

/// Reads the answer to `start`.
///
/// # Errors
/// The answer is wrong, or tells a fault.
pub fn read_start(line: &[u8]) -> Result<RulesStart, RulesFault> {
    let answer: StartAnswer = START.read_unrefused(line)?;
    let wrong = |what: String| START.wrong(what);
    let letters: Vec<char> = answer.sides.chars().take(3).collect();
    let &[first, second] = &letters[..] else {
        return Err(wrong(format!(
            "sides is {}; it has the letters of both sides, such as \"XO\"",
            quoted(&answer.sides)
        )));
    };
    let sides = BySide { first, second };
    let size = |what: &str, count: u64| {
        let size = usize::try_from(count).ok().filter(|size| (1..=MOST_ROWS).contains(size));
        size.ok_or_else(|| wrong(format!("{what} is {count}; a board has 1 to {MOST_ROWS} {what}")))
    };
    let rows = size("rows", answer.rows)?;
    let columns = size("columns", answer.columns)?;
    let usual = Layout::usual(sides, rows, columns).map_err(wrong)?;
    let names = |key: &str, given: Option<Vec<String>>, usual: &[String]| match given {
        None => Ok(usual.to_owned()),
        Some(names) if names.len() == usual.len() => Ok(names),
        Some(names) => Err(wrong(format!(
            "{key} has {} names where the board needs {}",
            names.len(),
            usual.len()
        ))),
    };
    let row_names = names("row_names", answer.row_names, usual.row_names())?;
    let column_names = names("column_names", answer.column_names, usual.column_names())?;
    let mut letters = BySide::<String>::default();
    for (side, pieces) in answer.pieces.0 {
        let Some(of) = side_of(sides, &side) else {
            return Err(wrong(format!(
                "pieces has the key {}; its keys are {first} and {second}",
                quoted(&side)
            )));
        };
        if pieces.len() > 52 {
            return Err(wrong(format!(
                "pieces has {} letters for {side}; there are 52",
                pieces.len()
            )));
        }
        letters[of] = pieces;
    }
    let layout = Layout::new(sides, letters, row_names, column_names).map_err(wrong)?;
    let state = StateAnswer {
        position: answer.position,
        moves: answer.moves,
        ending: answer.ending,
        identity: answer.identity,
        squares: answer.squares,
    };
    Ok(RulesStart { layout, state: state.checked(sides).map_err(wrong)? })
}

/// Reads the answer to `advance`, in a game whose sides have these letters.
///
/// # Errors
/// The answer is wrong, or tells a fault.
pub fn read_advance(line: &[u8], sides: BySide<char>) -> Result<EngineState, RulesFault> {
    let answer: StateAnswer = ADVANCE.read_unrefused(line)?;
    answer.checked(sides).map_err(|what| ADVANCE.wrong(what))
}

/// Reads the answer to `at`: what follows from the position, or a sentence that says why it is
/// none.
///
/// # Errors
/// The answer is wrong, or tells a fault.
pub fn read_at(
    line: &[u8],
    sides: BySide<char>,
) -> Result<Result<EngineState, String>, RulesFault> {
    if begins_with_key(line, "error") {
        let Refusal { error } = AT.read(line)?;
        return Ok(Err(printable(error.as_bytes(), SENTENCE)));
    }
    let answer: StateAnswer = AT.read(line)?;
    answer.checked(sides).map(Ok).map_err(|what| AT.wrong(what))
}

/// Reads the answer to `why`: a sentence, if the program has one.
///
/// # Errors
/// The answer is wrong, or tells a fault.
pub fn read_why(line: &[u8]) -> Result<Option<String>, RulesFault> {
    let sentence: Option<String> = WHY.read_unrefused(line)?;
    let sentence = sentence.as_deref().map(str::trim).filter(|sentence| !sentence.is_empty());
    Ok(sentence.map(|sentence| printable(sentence.as_bytes(), SENTENCE)))
}

impl StateAnswer {
    fn checked(self, sides: BySide<char>) -> Result<EngineState, String> {
        let StateAnswer { position, moves, ending, identity, squares } = self;
        for (what, text) in [("position", Some(&position)), ("identity", identity.as_ref())] {
            if let Some(length) = text.map(String::len).filter(|&length| length > LONGEST_POSITION)
            {
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
        if let Some(long) = moves.iter().find(|text| !(1..=LONGEST_WORD).contains(&text.len())) {
            return Err(format!(
                "the move {} has {} bytes; it has 1 to {LONGEST_WORD}",
                quoted(long),
                long.len()
            ));
        }
        let ending = ending.map(|ending| read_ending(ending, sides)).transpose()?;
        let known: HashSet<&str> = if squares.0.is_empty() {
            HashSet::new()
        } else {
            moves.iter().map(String::as_str).collect()
        };
        for (text, squares) in &squares.0 {
            if !known.contains(&**text) {
                return Err(format!(
                    "squares has the key {}, which is none of the moves",
                    quoted(text)
                ));
            }
            if squares.len() > MOST_SQUARES {
                return Err(format!(
                    "the move {text} has {} squares; at most {MOST_SQUARES} are allowed",
                    squares.len()
                ));
            }
        }
        let usizes = |(row, column): (u32, u32)| (row as usize, column as usize);
        let squares = squares.0.into_iter();
        let squares =
            squares.map(|(text, squares)| (text, squares.into_iter().map(usizes).collect()));
        Ok(EngineState { position, plies: moves, ending, identity, squares: squares.collect() })
    }
}

fn read_ending(
    EndingAnswer(winner, reason, margin): EndingAnswer,
    sides: BySide<char>,
) -> Result<EngineEnding, String> {
    let side = winner.as_ref().and_then(|winner| side_of(sides, winner));
    if let (Some(winner), None) = (&winner, side) {
        let BySide { first, second } = sides;
        return Err(format!(
            "the winner is {}; it is \"{first}\", \"{second}\", or null for a draw",
            quoted(winner)
        ));
    }
    if !is_small_word(&reason, "-") {
        return Err(format!(
            "the reason is {}; it is a word of at most {LONGEST_WORD} small letters, digits and hyphens, such as most-pieces",
            quoted(&reason)
        ));
    }
    if is_of_the_referee(&reason) {
        return Err(format!("the reason is `{reason}`, which only the referee may say"));
    }
    let margin = match margin {
        Some(_) if side.is_none() => return Err("a draw has no margin".to_owned()),
        Some(number) => Some(
            Margin::new(number)
                .ok_or_else(|| format!("the margin is {number}; it is {}", Margin::FORM))?,
        ),
        None => None,
    };
    Ok(EngineEnding { winner: side, reason, margin })
}

/// Whether a word says how the referee ended a game.
fn is_of_the_referee(word: &str) -> bool {
    let ways = [
        Outcome::Resigned(Side::First),
        Outcome::Repetition,
        Outcome::MaxPlies,
        Outcome::Aborted(Abort::Broken),
        Outcome::Aborted(Abort::Rules),
    ];
    ways.iter().any(|way| way.termination() == word) || Fault::named(word).is_some()
}

/// The side of a letter.
fn side_of(sides: BySide<char>, text: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| text.chars().eq([sides[side]]))
}

/// Whether a text begins with a letter or digit and has only these and some signs.
fn is_word(text: &str, signs: &str) -> bool {
    (1..=LONGEST_WORD).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || signs.contains(c))
}

/// The same without capitals, and with a letter first.
fn is_small_word(text: &str, signs: &str) -> bool {
    is_word(text, signs)
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && !text.contains(|c: char| c.is_ascii_uppercase())
}

/// A text of the program as a sentence quotes it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text.as_bytes(), SHOWN))
}

#[cfg(test)]
mod tests;
