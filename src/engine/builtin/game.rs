//! A game whose rules a bot knows, as the lines of either dialect describe it.

use super::time_management::SearchLimit;
use arbiter_rules::seed::Generator;
use arbiter_rules::{Ply, Position, Ruleset};

/// The game and the open question.
#[derive(Debug, Clone)]
pub(super) struct GameInProgress {
    pub(super) generator: Generator,
    /// All positions so far, the start position first.
    pub(super) history: Vec<Position>,
    /// How long or how deep to search for the answer to the open question; `None` if there is no
    /// question.
    limit: Option<SearchLimit>,
    /// The answers given to the current question: more than one if they were illegal.
    answers: Vec<Ply>,
    /// When the referee draws the game.
    pub(super) draws: DrawLimits,
    /// Whether the bot may search while its opponent is on move.
    pub(super) may_ponder: bool,
}

/// When a game is drawn that does not end by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DrawLimits {
    /// After so many plies.
    pub(super) plies: usize,
    /// When a position occurs several times.
    pub(super) repetition: bool,
}

impl DrawLimits {
    /// No limit of plies, and draws by repetition.
    pub(super) const USUAL: DrawLimits = DrawLimits { plies: usize::MAX, repetition: true };
}

impl GameInProgress {
    /// At the usual start, without a question.
    pub(super) fn new(ruleset: &Ruleset, generator: Generator) -> GameInProgress {
        GameInProgress {
            generator,
            history: vec![ruleset.start()],
            limit: None,
            answers: Vec::new(),
            draws: DrawLimits::USUAL,
            may_ponder: false,
        }
    }

    /// The current position.
    pub(super) fn position(&self) -> &Position {
        &self.history[self.history.len() - 1] // the start position is always there
    }

    /// Plays the ply of this text.
    ///
    /// # Errors
    /// A sentence that begins with the text.
    pub(super) fn play(&mut self, text: &str) -> Result<(), String> {
        let mut position = self.position().clone();
        let ply = position.ruleset().read_ply(text).map_err(|what| format!("`{text}`: {what}"))?;
        position.check(ply).map_err(|what| format!("`{text}`: {what}"))?;
        position.play(ply);
        self.history.push(position);
        Ok(())
    }

    /// Opens a question; with `again` it is the last one, whose answer was illegal.
    ///
    /// # Errors
    /// By the rules the game is over.
    pub(super) fn ask(&mut self, limit: SearchLimit, again: bool) -> Result<(), &'static str> {
        if self.position().ending().is_some() {
            return Err("asked for a move, but by the rules the game is over");
        }
        // Answers that were illegal are not given again.
        if !again {
            self.answers.clear();
        }
        self.limit = Some(limit);
        Ok(())
    }

    /// The limit of the open question, if there is one.
    pub(super) fn limit(&self) -> Option<SearchLimit> {
        self.limit
    }

    /// Whether an earlier answer to this question was illegal.
    pub(super) fn was_refused(&self) -> bool {
        !self.answers.is_empty()
    }

    /// The legal plies that have not been answers to this question.
    pub(super) fn untried(&self) -> Vec<Ply> {
        self.position().plies().filter(|ply| !self.answers.contains(ply)).collect()
    }

    /// Records the answer to the open question.
    pub(super) fn answer(&mut self, ply: Ply) {
        self.limit = None;
        self.answers.push(ply);
    }
}
