//! How the faults of a console program are explained: by the words that it printed last, and the
//! patterns that were expected.

use super::conversation::{Console, Phase};
use super::{Entry, Pattern};
use crate::{NearlyAPly, Waited, Wanted, Wording};
use arbiter_rules::{Ply, Position};

/// The most patterns that are listed.
const LISTED: usize = 6;
/// The most bytes of the last words.
const LAST_WORDS: usize = 120;
/// The lines that are quoted if the program is to move.
const LAST_LINES: usize = 3;

impl Console {
    /// The patterns that are expected.
    fn expected(&self) -> String {
        let mut expected = Vec::new();
        if self.phase == Phase::Setup {
            // The first prompt of `ask` ends the setup.
            expected = prompts(&self.table.setup);
            expected.extend(prompts(&self.table.ask).into_iter().next());
        } else if let Some(prompt) = self.next_prompt() {
            expected.push(quoted(prompt));
        } else {
            expected.push(format!("a move {}", quoted(&self.table.answer)));
        }
        expected.dedup();
        if expected.len() > LISTED {
            expected.truncate(LISTED);
            expected.push("others of `setup`".to_owned());
        }
        let last = expected.pop().unwrap_or_default();
        if expected.is_empty() { last } else { format!("{} or {last}", expected.join(", ")) }
    }

    /// What is known to go wrong, or probably goes wrong.
    fn trouble(&self) -> Option<String> {
        if self.trouble.is_some() {
            return self.trouble.clone();
        }
        if !self.is_to_answer() {
            return None;
        }
        let trouble = if self.moves_again {
            "it is still its turn: in this game a turn may have several plies, and each of them \
             has to be a match of `move`"
        } else if self.asks_for_ply() {
            "it asks for a move of the opponent when it is to move itself: what it printed is its \
             move, which `move` does not match, or it takes itself for the other side, or it asks \
             a person for the moves of both sides, which no table can help (`arbiter hotseat` is \
             for such a game)"
        } else {
            return None;
        };
        Some(trouble.to_owned())
    }

    /// Whether it is to move and knows all that it has to know.
    fn is_to_answer(&self) -> bool {
        self.phase == Phase::Turn && self.next_prompt().is_none()
    }

    /// The prompt for the next ply of the opponent that is to be sent.
    fn next_prompt(&self) -> Option<&Pattern> {
        let next = self.game.as_ref()?.steps.front()?.ask?;
        self.table.ask[next].prompt.as_ref()
    }
}

fn prompts(entries: &[Entry]) -> Vec<String> {
    entries.iter().filter_map(|entry| entry.prompt.as_ref()).map(quoted).collect()
}

fn quoted(pattern: &Pattern) -> String {
    format!("'{}'", pattern.source())
}

impl Wording for Console {
    fn ply(&self, position: &Position, ply: Ply) -> String {
        position.ruleset().ply_text(ply).to_string()
    }

    fn request(&self, _wanted: Wanted) -> &'static str {
        "prompt"
    }

    fn quit(&self) -> &'static str {
        "the end of its input"
    }

    fn nearly_a_ply(&self, _position: &Position, _line: &[u8]) -> Option<NearlyAPly> {
        None
    }

    fn not_an_answer(&self, _line: &[u8], _wanted: Wanted) -> String {
        format!("which does not match {}", self.expected())
    }

    fn waited_for(&self) -> Option<Waited> {
        // Among the last lines may be a move that the pattern does not match.
        let lines = if self.is_to_answer() { LAST_LINES } else { 1 };
        let printed = self.streams[self.last].last_lines(lines);
        Some(Waited {
            expected: self.expected(),
            printed: printed[printed.len().saturating_sub(LAST_WORDS)..].to_vec(),
            trouble: self.trouble(),
        })
    }
}
