//! How the faults of a console program are told: by the words that it printed last, and the
//! patterns that were waited for.

use super::conversation::{Console, Phase};
use super::{Entry, Pattern};
use crate::{NearlyAPly, Waited, Wanted, Wording};
use arbiter_rules::{Ply, Position};

/// The most patterns that are told.
const TOLD: usize = 6;
/// The most bytes of the last words.
const LAST_WORDS: usize = 120;
/// The lines that are told of a program that is to move.
const LAST_LINES: usize = 3;

impl Console {
    /// The patterns that are waited for.
    fn expected(&self) -> String {
        let prompts = |entries: &[Entry]| -> Vec<String> {
            entries.iter().filter_map(|entry| entry.prompt.as_ref()).map(quoted).collect()
        };
        let next = self.next_prompt();
        let mut expected: Vec<String> = match (self.phase, next) {
            (Phase::Setup, _) => {
                [prompts(&self.table.setup), prompts(&self.table.ask).into_iter().take(1).collect()]
                    .concat()
            }
            (_, Some(prompt)) => vec![quoted(prompt)],
            (_, None) => vec![format!("a move {}", quoted(&self.table.answer))],
        };
        expected.dedup();
        let more = expected.len() > TOLD;
        expected.truncate(TOLD);
        if more {
            expected.push("others of `setup`".to_owned());
        }
        let last = expected.pop().unwrap_or_default();
        if expected.is_empty() { last } else { format!("{} or {last}", expected.join(", ")) }
    }

    /// What is wrong with a program that asks for the opponent's ply although there is none to be
    /// told.
    fn asks_for_own_ply(&self) -> Option<String> {
        let asks = self.phase == Phase::Turn && self.next_prompt().is_none() && self.asks_for_ply();
        asks.then(|| {
            "it asks for a ply of the opponent when it is to move itself: what it printed is its move, which `move` does not match, or it \
             takes itself for the other side, or it asks a person for the plies of both sides, which no table can help (`arbiter hotseat` \
             is for such a game)"
                .to_owned()
        })
    }

    /// What may be wrong with a program that says nothing in the middle of its turn.
    fn is_done_with_its_turn(&self) -> Option<String> {
        let is_silent =
            self.phase == Phase::Turn && self.moves_again && self.next_prompt().is_none();
        is_silent.then(|| {
            "it is still its turn: in this game a turn may have several plies, and each of them has to be a match of `move`"
                .to_owned()
        })
    }

    /// The prompt of the opponent's ply that is told next.
    fn next_prompt(&self) -> Option<&Pattern> {
        let next = self.game.as_ref()?.steps.front()?.ask?;
        self.table.ask[next].prompt.as_ref()
    }
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
        let lines =
            if self.phase == Phase::Turn && self.next_prompt().is_none() { LAST_LINES } else { 1 };
        let printed =
            self.streams.get(self.last).map(|heard| heard.last_lines(lines)).unwrap_or_default();
        Some(Waited {
            expected: self.expected(),
            printed: printed[printed.len().saturating_sub(LAST_WORDS)..].to_vec(),
            trouble: (self.trouble.clone())
                .or_else(|| self.is_done_with_its_turn())
                .or_else(|| self.asks_for_own_ply()),
        })
    }
}
