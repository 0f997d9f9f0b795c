//! A game whose rules a bot does not know: it chooses among the plies of the `moves` line.

use super::random;
use arbiter_rules::seed::Generator;

/// Such a game after the line `start`.
#[derive(Debug, Clone)]
pub(super) struct ListedGame {
    generator: Generator,
    /// The legal plies of the turn.
    moves: Vec<String>,
    was_refused: bool,
    /// Whether a question is not answered yet.
    asked: bool,
    /// The answers given to the current question.
    answers: Vec<String>,
}

impl ListedGame {
    pub(super) fn new(generator: Generator) -> ListedGame {
        ListedGame {
            generator,
            moves: Vec::new(),
            was_refused: false,
            asked: false,
            answers: Vec::new(),
        }
    }

    /// Takes a line of the game, as its first word and the rest. Returns whether the bot has to
    /// answer.
    pub(super) fn receive(&mut self, word: &str, rest: &str) -> bool {
        match word {
            "moves" => self.moves = rest.split_ascii_whitespace().map(str::to_owned).collect(),
            "illegal" => self.was_refused = true,
            "go" => {
                if !std::mem::take(&mut self.was_refused) {
                    self.answers.clear();
                }
                self.asked = true;
            }
            _ => {}
        }
        word == "go"
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
