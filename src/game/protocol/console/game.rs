//! One game of a console program: its table with the values of the game, and what the program was
//! sent so far.

use super::groups::MoveGroups;
use super::template::{BlockCursor, compile};
use super::{Context, Entry, Pattern, Table, Values};
use crate::{Reply, Start, Turn};
use arbiter_rules::{Ply, Position, Side};
use regex::bytes::Regex;
use std::collections::VecDeque;

/// The patterns of a game and how far it went.
#[derive(Debug)]
pub(super) struct ConsoleGame {
    values: Values,
    you: Side,
    /// The prompts of `setup` and `ask`; `None` for entries that have none.
    pub(super) setup: Vec<Option<Regex>>,
    pub(super) ask: Vec<Option<Regex>>,
    pub(super) answer: Regex,
    groups: MoveGroups,
    pub(super) resign: Option<Regex>,
    blocks: BlockCursor,
    /// The position that the program knows, and how many plies led to it.
    known: Position,
    told: usize,
    /// What is sent at the beginning of the first turn.
    pub(super) held_back: String,
    /// How often the program was to move.
    pub(super) turns: usize,
    /// The last answer of `setup` is held back: with it the program could begin to think.
    holds_back: bool,
    /// What is still to be sent before the program decides.
    pub(super) steps: VecDeque<Step>,
    /// The entries of `ask` that were sent in this turn.
    pub(super) asked: Vec<bool>,
    /// The text that the last prompt asked for.
    pub(super) due: Option<Due>,
}

/// A text that is sent, of this entry of `ask`; `None` for `turn`.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) ask: Option<usize>,
    text: String,
}

/// What a prompt asks for.
#[derive(Debug)]
pub(super) enum Due {
    /// This text of `setup`.
    Setup(String),
    /// The next of the steps of a turn.
    Step,
}

impl ConsoleGame {
    pub(super) fn new(table: &Table, start: &Start<'_>) -> Result<ConsoleGame, String> {
        let values = Values::new(table, start);
        let answer = table.answer.compile(&values)?;
        let is_first = start.you == start.position.side();
        Ok(ConsoleGame {
            you: start.you,
            setup: compile_prompts(&table.setup, &values)?,
            ask: compile_prompts(&table.ask, &values)?,
            groups: MoveGroups::of(&answer)?,
            answer,
            resign: table.resign.as_ref().map(|resign| resign.compile(&values)).transpose()?,
            blocks: BlockCursor::default(),
            known: start.position.clone(),
            told: 0,
            held_back: String::new(),
            turns: 0,
            // A program that moves second comes to a prompt of `ask`, which ends its setup.
            holds_back: is_first || table.ask.iter().all(|entry| entry.prompt.is_none()),
            steps: VecDeque::new(),
            asked: vec![false; table.ask.len()],
            due: None,
            values,
        })
    }

    /// The decision in a text with a match of `move` at an offset.
    pub(super) fn read_answer(&self, position: &Position, text: &[u8], at: usize) -> Option<Reply> {
        let captures = self.answer.captures_at(text, at)?;
        Some(self.groups.read(&captures, &self.values, position))
    }

    /// The line that an entry of `setup` sends; an error if it is about a further block, and the
    /// board has no more.
    pub(super) fn setup_line(&mut self, entry: &Entry) -> Result<String, String> {
        Ok(self.blocks.text(&entry.send, &self.values)? + "\n")
    }

    /// The entry of `setup` whose answer is sent with the first turn, so that the program cannot
    /// think before its clock runs.
    pub(super) fn held_back_entry(&self) -> Option<usize> {
        if !self.holds_back {
            return None;
        }
        self.setup.iter().rposition(Option::is_some)
    }

    /// Appends what `setup` sends if each prompt comes once, and those of blocks once for each
    /// block. What is held back is kept.
    pub(super) fn push_all_of_setup(
        &mut self,
        out: &mut String,
        entries: &[Entry],
    ) -> Result<(), String> {
        let last = self.held_back_entry();
        let mut prompted = Vec::new();
        for (number, entry) in entries.iter().enumerate() {
            if self.setup[number].is_some() {
                prompted.push((number, entry, entry.send.has_block()));
            }
        }
        // A program asks for column, row, column, row, … of its blocks: entries about blocks that
        // follow each other come together for each block.
        for group in prompted.chunk_by(|one, next| one.2 == next.2) {
            let (.., tells_blocks) = group[0];
            let times = if tells_blocks { self.values.blocks.len() } else { 1 };
            for _ in 0..times {
                for &(number, entry, _) in group {
                    let text = self.setup_line(entry)?;
                    let out = if Some(number) == last { &mut self.held_back } else { &mut *out };
                    out.push_str(&text);
                }
            }
        }
        Ok(())
    }

    /// Takes what happened since the last turn: the opponent's plies are to be sent.
    pub(super) fn learn(&mut self, table: &Table, turn: &Turn<'_>) -> Result<(), String> {
        for &ply in &turn.plies[self.told..] {
            let is_opponents = self.known.side() != self.you;
            if is_opponents && (ply != Ply::Pass || self.tells_passes(table)) {
                for (number, entry) in table.ask.iter().enumerate() {
                    let text = entry.send.text(&self.values, Context::Ply(&self.known, ply))?;
                    self.steps.push_back(Step { ask: Some(number), text });
                }
            }
            self.known = self.known.after(ply);
        }
        self.told = turn.plies.len();
        if let Some(template) = &table.turn {
            let text = template.text(&self.values, Context::Board(turn.position))?;
            self.steps.push_back(Step { ask: None, text });
        }
        Ok(())
    }

    /// Whether the opponent's pass is sent. A program that knows the rules neither prompts for a
    /// move where there is none nor needs to be told, so a pass is sent only if the table can say
    /// it and waits for nothing.
    fn tells_passes(&self, table: &Table) -> bool {
        let pass = Context::Ply(&self.known, Ply::Pass);
        for entry in &table.ask {
            if entry.prompt.is_some() || entry.send.text(&self.values, pass).is_err() {
                return false;
            }
        }
        true
    }

    /// Sends the next text, and those behind it that need no prompt.
    pub(super) fn push_steps(&mut self, out: &mut String, mut is_prompted: bool) {
        while let Some(step) = self.steps.front() {
            let waits = step.ask.is_some_and(|ask| self.ask[ask].is_some());
            if waits && !std::mem::take(&mut is_prompted) {
                return;
            }
            if let Some(ask) = step.ask {
                self.asked[ask] = true;
            }
            out.push_str(&step.text);
            out.push('\n');
            self.steps.pop_front();
        }
    }
}

/// The prompts of these entries; `None` for an entry without one.
fn compile_prompts(entries: &[Entry], values: &Values) -> Result<Vec<Option<Regex>>, String> {
    let mut prompts = Vec::new();
    for entry in entries {
        prompts.push(match &entry.prompt {
            Some(pattern) => Some(at_end(pattern, values)?),
            None => None,
        });
    }
    Ok(prompts)
}

/// A pattern that is matched only at the end of what came, up to white space.
fn at_end(pattern: &Pattern, values: &Values) -> Result<Regex, String> {
    let expression = pattern.expression(values)?;
    // With `(?x)` a pattern may end in a comment, which would hide what follows it: then the first
    // expression is no right one, and the newline of the second ends the comment.
    compile(&format!("(?:{expression})\\s*\\z"))
        .or_else(|_| compile(&format!("(?:{expression}\n)\\s*\\z")))
}
