//! A game whose rules a bot does not know: it chooses among the plies of the `moves` line.

use super::random;
use super::reader::RefereeCommand;
use arbiter_rules::seed::Generator;

/// Such a game after the line `start`.
#[derive(Debug, Clone)]
pub(super) struct UnknownGame {
    generator: Generator,
    /// The legal plies of the turn.
    moves: Vec<String>,
    /// Whether the last answer was illegal.
    was_refused: bool,
    /// Whether a question is not answered yet.
    asked: bool,
    /// The answers given to the current question.
    answers: Vec<String>,
}

impl UnknownGame {
    pub(super) fn new(generator: Generator) -> UnknownGame {
        UnknownGame {
            generator,
            moves: Vec::new(),
            was_refused: false,
            asked: false,
            answers: Vec::new(),
        }
    }

    /// Reads a line of the game, as its first word and the rest.
    pub(super) fn receive(&mut self, word: &str, rest: &str) -> RefereeCommand {
        match word {
            "moves" => self.moves = rest.split_ascii_whitespace().map(str::to_owned).collect(),
            "illegal" => self.was_refused = true,
            "go" => {
                if !std::mem::take(&mut self.was_refused) {
                    self.answers.clear();
                }
                self.asked = true;
                return RefereeCommand::Go;
            }
            _ => {}
        }
        RefereeCommand::Nothing
    }

    /// A random ply that was not tried for this question, or the first one when all were; `None` if
    /// there is no question.
    pub(super) fn choose(&mut self) -> Option<String> {
        if !std::mem::take(&mut self.asked) {
            return None;
        }
        let mut untried = self.moves.clone();
        untried.retain(|ply| !self.answers.contains(ply));
        let drawn = random::choose(untried, &mut self.generator);
        let ply = drawn.or_else(|| self.moves.first().cloned())?;
        self.answers.push(ply.clone());
        Some(ply)
    }
}
