//! The table of a console program.

use super::groups::MoveGroups;
use super::template::{BlockCursor, Pattern, Template};
use super::values::{Cells, Context, Value, Values};
use crate::Start;
use arbiter_rules::Ruleset;
use arbiter_rules::text::words;
use serde::Serialize;

words! {
    /// The streams on which a program talks; each is searched on its own.
    #[derive(Default)]
    Listen {
        /// Its standard output.
        #[default]
        Stdout = "stdout",
        /// Its standard error.
        Stderr = "stderr",
        Both = "both",
    }
}

/// What a program prints, and what it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Where it talks.
    pub listen: Listen,
    /// Columns and rows change places in everything that is sent and read.
    pub transpose: bool,
    /// The share of the time of a move that `{seconds}` is, in thousandths.
    pub share: u16,
    /// The options of the rules that the program needs, with their values.
    pub needs: Vec<(String, String)>,
    /// What it is sent before its first ply.
    pub setup: Vec<Entry>,
    /// What it is sent when it is on move.
    pub turn: Option<Template>,
    /// How `{board}` is written.
    pub cells: Cells,
    /// How it is sent a ply of the opponent.
    pub ask: Vec<Entry>,
    /// How it says its ply: the key `move`.
    pub answer: Pattern,
    /// How it gives up.
    pub resign: Option<Pattern>,
}

/// A line that a program is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// What the program prints before; `None` if the line is sent without a prompt.
    pub prompt: Option<Pattern>,
    /// The line, without its end.
    pub send: Template,
}

impl Table {
    /// The share of a ply's time that `{seconds}` is by default, in thousandths.
    pub const SHARE: u16 = 400;

    /// A table whose program says its ply by this pattern, and is sent nothing.
    ///
    /// # Errors
    /// A sentence: the pattern is none, or names no ply.
    pub fn with_move(pattern: &str) -> Result<Table, String> {
        Ok(Table {
            listen: Listen::default(),
            transpose: false,
            share: Table::SHARE,
            needs: Vec::new(),
            setup: Vec::new(),
            turn: None,
            cells: Cells::default(),
            ask: Vec::new(),
            answer: Table::read_answer(pattern)?,
            resign: None,
        })
    }

    /// The pattern `move`, which names a ply by its groups.
    ///
    /// # Errors
    /// A sentence: it is no pattern, or names no ply.
    pub fn read_answer(pattern: &str) -> Result<Pattern, String> {
        let answer = Pattern::parse(pattern)?;
        MoveGroups::of(&answer.example()?)?;
        Ok(answer)
    }

    /// The table as JSON, to compare tables by.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() // structs of texts cannot fail
    }

    /// Whether the program is sent each position, so that a game may begin anywhere.
    pub fn tells_positions(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.values().any(|value| *value == Value::Board))
    }

    /// Checks that its program can play the game that begins, from this position and on this side.
    ///
    /// # Errors
    /// A sentence that says what would be right.
    pub fn check_game(&self, start: &Start<'_>) -> Result<(), String> {
        let ruleset = start.position.ruleset();
        let game = ruleset.game().name();
        // If a turn of a custom game has several plies, the program is asked again.
        if ruleset.has_long_turns() {
            return Err(format!(
                "the dialect `console` cannot play {game}, where a turn may have two plies; the \
                 dialect `native` can"
            ));
        }
        let unmet = self.unmet_needs(&ruleset);
        if !unmet.is_empty() {
            return Err(unmet.join("; "));
        }
        if *start.position != ruleset.start() {
            self.check_openings()?;
        }
        MoveGroups::of(&self.answer.example()?)?.check(start.position)?;
        // Everything that the program may be sent in this game is written once, and thrown away.
        let values = Values::new(self, start);
        let entries: Vec<&Entry> = self.setup.iter().chain(&self.ask).collect();
        for template in entries.iter().map(|entry| &entry.send).chain(&self.turn) {
            for value in template.values() {
                if value.is_of_game() {
                    values.text(value, Context::Nothing)?;
                }
            }
        }
        let mut blocks = BlockCursor::default();
        for entry in &self.setup {
            if entry.prompt.is_none() {
                blocks.text(&entry.send, &values)?;
            }
        }
        // One ply stands for all: those of a game have the same number of squares.
        if let Some(ply) = start.position.plies().next() {
            for entry in &self.ask {
                entry.send.text(&values, Context::Ply(start.position, ply))?;
            }
        }
        let prompts = entries.iter().filter_map(|entry| entry.prompt.as_ref());
        for pattern in prompts.chain([&self.answer]).chain(&self.resign) {
            pattern.compile(&values)?;
        }
        Ok(())
    }

    /// Checks that games may begin from other positions than the start of the game.
    ///
    /// # Errors
    /// A sentence that names the settings to change.
    pub fn check_openings(&self) -> Result<(), String> {
        if self.tells_positions() {
            return Ok(());
        }
        Err("the program knows only the start position, because `turn` in its table has no \
             {board}: write `opening-plies = 0` in [schedule] and no `openings`; in `arbiter play` \
             leave out --opening-plies, --openings and --position"
            .to_owned())
    }

    /// The options that a program needs and that this ruleset has otherwise or not at all, each as
    /// a sentence with the setting to change.
    pub(super) fn unmet_needs(&self, ruleset: &Ruleset) -> Vec<String> {
        let options = ruleset.options();
        let mut unmet = Vec::new();
        for (key, wanted) in &self.needs {
            match options.iter().find(|(name, _)| name == key) {
                Some((_, value)) if value == wanted => {}
                Some((_, value)) => unmet.push(format!(
                    "it needs {key}={wanted}, not {key}={value}: set it with --set, or in \
                     [options]"
                )),
                None => unmet.push(format!(
                    "it needs {key}={wanted}, and {} has no option {key}",
                    ruleset.game().name()
                )),
            }
        }
        unmet
    }
}
