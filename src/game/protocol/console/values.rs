//! The values of a game that stand in templates and patterns.

use super::Table;
use super::squares::{At, Form, Numbering, SquareRole, read_form};
use crate::Start;
use crate::clock::TimeControl;
use arbiter_rules::text::Word;
use arbiter_rules::{Cell, Game, Ply, Position, Side};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A stock of time for a whole game is divided by this to get the time of a ply
/// (`{seconds}` in docs/reference/console.md).
const PLIES_OF_A_STOCK: u32 = 40;
/// The time of a ply without a clock.
const UNLIMITED: Duration = Duration::from_secs(10);

/// A value, as it stands between braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// An option of the rules: `n`, `option.KEY`.
    Option(String),
    /// The letter of the program's side.
    Side,
    /// A text for each letter of a side.
    SideAs(Vec<(char, String)>),
    /// One text for the side that moves first, another one for the other side.
    First(String, String),
    /// Whole seconds for a ply.
    Seconds,
    /// The number of blocks.
    BlockCount,
    Block(Form),
    Ply(SquareRole, Form),
    /// The board, several lines.
    Board,
}

impl Value {
    /// Reads what stands between the braces.
    ///
    /// # Errors
    /// A sentence: it is no value.
    pub(super) fn parse(text: &str) -> Result<Value, String> {
        match text.split_once(':') {
            Some(("side", letters)) => match side_as(letters) {
                Some(value) => Ok(value),
                None => Err(format!(
                    "`{{{text}}}` needs a text for each letter of a side: write {{side:B=b,W=r}}"
                )),
            },
            Some(("first", texts)) => match texts.split('|').collect::<Vec<_>>()[..] {
                [first, second] => Ok(Value::First(first.to_owned(), second.to_owned())),
                _ => Err(format!(
                    "`{{{text}}}` needs a text for each side in order: write {{first:1|2}}"
                )),
            },
            None if let Some(value) = Value::without_words(text) => Ok(value),
            _ => Err(format!(
                "unknown value `{{{text}}}`; the values are {{{}}}, {{option.KEY}}, {{side}}, \
                 {{side:B=b,W=r}}, {{first:1|2}}, {{seconds}}, {{blocks.count}}, {{block.FORM}}, \
                 {{ply.FORM}}, {{ply.from.FORM}}, {{ply.to.FORM}} and {{board}}, where FORM is {}",
                Vec::from_iter(option_keys()).join("}, {"),
                Form::WORDS.join(", ")
            )),
        }
    }

    fn without_words(text: &str) -> Option<Value> {
        Some(match text {
            "side" => Value::Side,
            "seconds" => Value::Seconds,
            "board" => Value::Board,
            "blocks.count" => Value::BlockCount,
            _ => match text.split_once('.') {
                Some(("option", key)) => Value::Option(key.to_owned()),
                Some(("block", form)) => Value::Block(Form::named(form)?),
                Some(("ply", form)) => {
                    let (which, form) = read_form(form)?;
                    Value::Ply(which, form)
                }
                None if option_keys().contains(text) => Value::Option(text.to_owned()),
                _ => return None,
            },
        })
    }

    /// Whether it is the same throughout a game, so that commands and patterns may have it.
    pub(super) fn is_of_game(&self) -> bool {
        !matches!(self, Value::Block(_) | Value::Ply(..) | Value::Board)
    }
}

/// The options of the built-in games that have a short form; all others are written
/// `{option.KEY}`.
fn option_keys() -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for game in Game::ALL {
        keys.extend(game.options().iter().map(|option| option.key.to_string()));
    }
    // These have no short form: a program is told where blocks are, not how they were chosen.
    keys.remove("b");
    keys.remove("seed");
    keys
}

/// The texts in `B=b,W=r`.
fn side_as(pairs: &str) -> Option<Value> {
    let mut texts = Vec::new();
    for pair in pairs.split(',') {
        let (key, text) = pair.split_once('=')?;
        let mut letters = key.chars();
        texts.push((letters.next()?, text.to_owned()));
        if letters.next().is_some() {
            return None;
        }
    }
    Some(Value::SideAs(texts))
}

/// The subject of a template.
#[derive(Debug, Clone, Copy)]
pub enum Context<'a> {
    /// Only the game.
    Nothing,
    /// A ply, with the position before it.
    Ply(&'a Position, Ply),
    /// A block, by its number in the order of rows, from 0.
    Block(usize),
    /// A position, whose board is sent.
    Board(&'a Position),
}

/// How the squares of `{board}` are written.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Cells {
    /// The texts of pieces by their letters; other pieces are written as their letters.
    pub pieces: BTreeMap<char, String>,
    /// The text of an empty square; `None` for `.`.
    pub empty: Option<String>,
    /// The text of a block; `None` for `#`.
    pub block: Option<String>,
    /// What stands between two squares of a row.
    pub join: String,
}

impl Cells {
    /// The text of a square with this letter; `None` is an empty one.
    fn text(&self, letter: Option<char>, is_block: bool) -> String {
        let Some(letter) = letter else {
            return self.empty.clone().unwrap_or_else(|| ".".to_owned());
        };
        let given = if is_block { self.block.as_ref() } else { self.pieces.get(&letter) };
        given.cloned().unwrap_or_else(|| letter.to_string())
    }
}

/// The values of one game for one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    pub(super) numbering: Numbering,
    side: Side,
    /// The side moves first.
    is_first: bool,
    seconds: u64,
    pub(super) blocks: Vec<At>,
    cells: Cells,
}

impl Values {
    /// The values of a game that begins, for the side of the program.
    pub fn new(table: &Table, start: &Start<'_>) -> Values {
        let ruleset = start.position.ruleset();
        let mut blocks = Vec::new();
        for (row, column) in ruleset.cells() {
            if start.position.cell(row, column) == Cell::Block {
                blocks.push((row, column));
            }
        }
        let time = match start.settings.time.control[start.you] {
            TimeControl::Ply(time) => time,
            TimeControl::Game { base, increment } => base / PLIES_OF_A_STOCK + increment,
            TimeControl::Unlimited => UNLIMITED,
        };
        Values {
            numbering: Numbering { ruleset: ruleset.clone(), transpose: table.transpose },
            side: start.you,
            is_first: start.you == start.position.side(),
            // Milliseconds times thousandths; a program that gets 0 may mean no limit by it.
            seconds: (time.as_millis() as u64 * u64::from(table.share) / 1_000_000).max(1),
            blocks,
            cells: table.cells.clone(),
        }
    }

    /// The text of a value.
    ///
    /// # Errors
    /// A sentence: the game does not have it.
    pub(super) fn text(&self, value: &Value, context: Context<'_>) -> Result<String, String> {
        let ruleset = &self.numbering.ruleset;
        Ok(match (value, context) {
            (Value::Option(key), _) => self.option(key)?,
            (Value::Side, _) => ruleset.letter(self.side).to_string(),
            (Value::SideAs(texts), _) => {
                let letter = ruleset.letter(self.side);
                let Some((_, text)) = texts.iter().find(|(of, _)| *of == letter) else {
                    return Err(format!(
                        "the value {{side:…}} of its table has no text for the side {letter}"
                    ));
                };
                text.clone()
            }
            (Value::First(text, _), _) if self.is_first => text.clone(),
            (Value::First(_, text), _) => text.clone(),
            (Value::Seconds, _) => self.seconds.to_string(),
            (Value::BlockCount, _) => self.blocks.len().to_string(),
            (Value::Block(form), Context::Block(at)) => match self.blocks.get(at) {
                Some(block) => self.numbering.written(*form, *block),
                None => {
                    return Err(format!(
                        "the table of the program sends a further block by {{block.…}}, but the \
                         board has only {}: an entry of `setup` without a prompt needs a block \
                         for each time that a form is written",
                        self.blocks.len()
                    ));
                }
            },
            (Value::Ply(which, form), Context::Ply(position, ply)) => {
                self.ply(*which, *form, position, ply)?
            }
            (Value::Board, Context::Board(position)) => self.board(position),
            (Value::Block(_), _) => return Err("there is no block to be told here".to_owned()),
            (Value::Ply(..), _) => return Err("there is no move to be told here".to_owned()),
            (Value::Board, _) => return Err("there is no board to be told here".to_owned()),
        })
    }

    fn option(&self, key: &str) -> Result<String, String> {
        let ruleset = &self.numbering.ruleset;
        match ruleset.options().into_iter().find(|(name, _)| *name == key) {
            Some((_, value)) => Ok(value),
            // Games without an option of that name have their size in the number of rows.
            None if key == "n" => Ok(ruleset.rows().to_string()),
            None => Err(format!(
                "the table of the program has the value {{{key}}}, but {} has no such option",
                ruleset.game().name()
            )),
        }
    }

    fn ply(
        &self,
        which: SquareRole,
        form: Form,
        position: &Position,
        ply: Ply,
    ) -> Result<String, String> {
        if form == Form::Text {
            return Ok(self.numbering.text(position, ply));
        }
        let squares = position.squares(ply);
        let square = match (which, &squares[..]) {
            (SquareRole::Only, [square])
            | (SquareRole::From, [square, .., _])
            | (SquareRole::To, [_, .., square]) => square,
            (_, squares) => {
                let text = position.ruleset().ply_text(ply);
                let (count, right) = match squares.len() {
                    0 => ("no square", "{ply.text}"),
                    1 => ("one square", "{ply.x}, {ply.y} and their like"),
                    _ => ("several squares", "{ply.from.x}, {ply.to.x} and their like"),
                };
                return Err(format!(
                    "the table of the program has no words for the move {text}: it has {count}, \
                     which {right} can tell"
                ));
            }
        };
        Ok(self.numbering.written(form, *square))
    }

    /// The rows of the board, with a newline between two.
    fn board(&self, position: &Position) -> String {
        let (rows, columns) = self.numbering.size();
        let mut lines = Vec::new();
        for row in 0..rows {
            let mut cells = Vec::new();
            for column in 0..columns {
                let at = self.numbering.crossed((row, column));
                let is_block = position.cell(at.0, at.1) == Cell::Block;
                cells.push(self.cells.text(position.letter(at.0, at.1), is_block));
            }
            lines.push(cells.join(&self.cells.join));
        }
        lines.join("\n")
    }
}
