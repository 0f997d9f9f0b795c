//! Texts with values between braces: the templates of what is sent, and the patterns of what comes.

use super::squares::Form;
use super::values::{Context, Value, Values};
use regex::bytes::{Regex, RegexBuilder};
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;

/// The most bytes of a compiled pattern: far more than any that a person writes.
const PATTERN_SIZE: usize = 1 << 18;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Value(Value),
}

impl Piece {
    fn value(&self) -> Option<&Value> {
        match self {
            Piece::Value(value) => Some(value),
            Piece::Text(_) => None,
        }
    }
}

/// Splits a text at its values: braces around what begins with a small letter. Other braces are
/// text.
fn pieces(text: &str, is_pattern: bool) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (before, braced) = rest.split_at(at);
        plain.push_str(before);
        let belongs_to_pattern = is_pattern && is_escape(&plain);
        if let Some((inside, behind)) = braced[1..].split_once('}')
            && inside.starts_with(|c: char| c.is_ascii_lowercase())
            && !belongs_to_pattern
        {
            pieces.push(Piece::Text(std::mem::take(&mut plain)));
            pieces.push(Piece::Value(Value::parse(inside)?));
            rest = behind;
        } else {
            plain.push('{');
            rest = &braced[1..];
        }
    }
    plain.push_str(rest);
    pieces.push(Piece::Text(plain));
    Ok(pieces)
}

/// Whether the brace behind this part of a pattern belongs to it: `\{`, or that of a class such as
/// `\p{Greek}`.
fn is_escape(before: &str) -> bool {
    let head = before.strip_suffix(['p', 'P', 'x', 'u', 'U', 'b']).unwrap_or(before);
    // An even number of backslashes is escaped backslashes.
    let backslashes = head.len() - head.trim_end_matches('\\').len();
    backslashes % 2 == 1
}

/// Where a template occurs in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In `setup`.
    Setup,
    /// The key `turn`.
    Turn,
    /// In `ask`.
    Ask,
    /// A word of the command.
    Command,
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Place::Setup => "`setup`",
            Place::Turn => "`turn`",
            Place::Ask => "`ask`",
            Place::Command => "the command",
        }
    }
}

/// A text that is sent, with values in it.
///
/// ```
/// use arbiter_game::{SentLines, Settings, Start};
/// use arbiter_game::protocol::console::{Context, Table, Template, Values};
/// use arbiter_rules::{BySide, Ruleset, Side};
/// let position = Ruleset::named("loa", "").unwrap().start();
/// let sent = SentLines { id: String::new(), seeds: BySide { first: 0, second: 0 } };
/// let settings = &Settings::default();
/// let start = Start { sent: &sent, position: &position, you: Side::First, settings };
/// let values = Values::new(&Table::with_move("(?<text>.*)").unwrap(), &start);
/// let ply = position.ruleset().read_ply("a2c4").unwrap();
/// let template = Template::parse("{side:B=b,W=r} {ply.from.y1}{ply.to.COL}").unwrap();
/// assert_eq!(template.text(&values, Context::Ply(&position, ply)).unwrap(), "b 3C");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    source: String,
    pieces: Vec<Piece>,
}

impl Template {
    /// Reads a text. What stands between braces and begins with a small letter is a value.
    ///
    /// # Errors
    /// A sentence: an unknown value.
    pub fn parse(text: &str) -> Result<Template, String> {
        Ok(Template { source: text.to_owned(), pieces: pieces(text, false)? })
    }

    /// The text as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The text with its values, without a newline at the end.
    ///
    /// # Errors
    /// A sentence: the game or the context does not have a value.
    pub fn text(&self, values: &Values, context: Context<'_>) -> Result<String, String> {
        self.filled(|value| values.text(value, context))
    }

    fn filled(&self, text_of: impl Fn(&Value) -> Result<String, String>) -> Result<String, String> {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Value(value) => out.push_str(&text_of(value)?),
            }
        }
        Ok(out)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.pieces.iter().filter_map(Piece::value)
    }

    /// Whether it tells a block.
    pub(super) fn has_block(&self) -> bool {
        self.values().any(|value| matches!(value, Value::Block(_)))
    }

    /// Checks that its values are known in a place of a table.
    ///
    /// # Errors
    /// A sentence with the only place where the value is known.
    pub fn check(&self, place: Place) -> Result<(), String> {
        for value in self.values() {
            let (what, known_in) = match value {
                Value::Block(_) => ("a block, {block.…}", Place::Setup),
                Value::Ply(..) => ("a ply, {ply.…}", Place::Ask),
                Value::Board => ("the board, {board}", Place::Turn),
                _ => continue,
            };
            if known_in != place {
                return Err(format!("{what}, is told in {} only", known_in.name()));
            }
        }
        Ok(())
    }

    /// Whether its values are the same throughout a game.
    fn is_of_game(&self) -> bool {
        self.values().all(Value::is_of_game)
    }
}

/// A pattern of what a program prints: a regular expression of the crate `regex` with values, which
/// are matched literally.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    template: Template,
}

impl Pattern {
    /// Reads a pattern. Braces that belong to the expression, such as `\d{2}`, stay.
    ///
    /// # Errors
    /// A sentence in one line: an unknown value, one that changes during a game, or a mistake in
    /// the expression.
    pub fn parse(text: &str) -> Result<Pattern, String> {
        let template = Template { source: text.to_owned(), pieces: pieces(text, true)? };
        if !template.is_of_game() {
            return Err(
                "a pattern cannot have {ply.…}, {block.…} or {board}, which change during a game"
                    .to_owned(),
            );
        }
        let pattern = Pattern { template };
        pattern.example()?;
        Ok(pattern)
    }

    /// The pattern as it was written.
    pub fn source(&self) -> &str {
        &self.template.source
    }

    /// The expression, with the values escaped.
    ///
    /// # Errors
    /// A sentence: the game does not have a value.
    pub fn expression(&self, values: &Values) -> Result<String, String> {
        self.template.filled(|value| Ok(regex::escape(&values.text(value, Context::Nothing)?)))
    }

    /// The expression, compiled. Its size is limited, and a search takes time in proportion to the
    /// text.
    ///
    /// # Errors
    /// A sentence: the game does not have a value, or the pattern is too large.
    pub fn compile(&self, values: &Values) -> Result<Regex, String> {
        compile(&self.expression(values)?)
    }

    /// Whether it matches the empty text, if each value is the letter `x`.
    pub fn matches_nothing(&self) -> bool {
        self.example().is_ok_and(|regex| regex.is_match(b""))
    }

    /// The pattern with the letter `x` for each value, for what does not depend on values.
    pub(super) fn example(&self) -> Result<Regex, String> {
        compile(&self.template.filled(|_| Ok("x".to_owned()))?)
    }
}

pub(super) fn compile(expression: &str) -> Result<Regex, String> {
    match RegexBuilder::new(expression).size_limit(PATTERN_SIZE).build() {
        Ok(regex) => Ok(regex),
        Err(regex::Error::CompiledTooBig(_)) => Err("the pattern is too large".to_owned()),
        // Several lines: the pattern with a mark, then `error: ` and the reason.
        Err(error) => {
            let text = error.to_string();
            let reason = text.lines().rev().find_map(|line| line.strip_prefix("error: "));
            let reason = reason.unwrap_or(&text).replace('\n', " ");
            Err(format!("it is no regular expression: {reason}"))
        }
    }
}

/// The block that a program is told next: the following one as soon as a form of the present one
/// would be sent a second time. So a table may ask for column and row in one entry or in two.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct BlockCursor {
    block: usize,
    sent: BTreeSet<Form>,
}

impl BlockCursor {
    /// A template with the values of the game and of the block that comes next, without a newline
    /// at the end; an error if the board has no more blocks, or the game does not have a value.
    pub(super) fn text(&mut self, template: &Template, values: &Values) -> Result<String, String> {
        let mut forms = BTreeSet::new();
        for value in template.values() {
            if let Value::Block(form) = value {
                forms.insert(*form);
            }
        }
        // The cursor moves only if there is such a block, so that a failure may be repeated.
        let is_next = !self.sent.is_disjoint(&forms);
        let block = self.block + usize::from(is_next);
        let text = template.text(values, Context::Block(block))?;
        if is_next {
            *self = BlockCursor { block, sent: forms };
        } else {
            self.sent.extend(forms);
        }
        Ok(text)
    }
}

impl Serialize for Template {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.source.serialize(serializer)
    }
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.template.serialize(serializer)
    }
}
