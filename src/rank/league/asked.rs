//! Pairs that somebody asks for: they are played before any that the league chooses itself, the
//! oldest first. Their results count like those of any other pair.

use super::League;
use thiserror::Error;

/// Why a pair is not played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AskError {
    #[error("a bot does not play itself; choose another one")]
    Itself,
    #[error("no version of this bot plays; hand in one that does")]
    DoesNotPlay,
    #[error("no bot of this name plays; the table of the league has the names")]
    NoOpponent,
    #[error("a pair that was asked for this bot still waits for its turn; ask again after it")]
    StillWaits,
}

impl League {
    /// Asks for a pair of these two, for the sake of the first. Returns how many pairs that were
    /// asked for are played before it.
    ///
    /// # Errors
    /// They cannot play, or a pair for the sake of the first still waits.
    pub fn ask(&mut self, bot: usize, opponent: usize) -> Result<usize, AskError> {
        if !self.bots.contains_key(&bot) {
            return Err(AskError::DoesNotPlay);
        }
        if bot == opponent {
            return Err(AskError::Itself);
        }
        if !self.bots.contains_key(&opponent) {
            return Err(AskError::NoOpponent);
        }
        if self.asked_by(bot).is_some() {
            return Err(AskError::StillWaits);
        }
        self.asked.push_back([bot, opponent]);
        Ok(self.asked.len() - 1)
    }

    /// The opponent in the pair that was asked for this bot and has not begun.
    pub fn asked_by(&self, bot: usize) -> Option<usize> {
        let asked = self.asked.iter().find(|pair| pair[0] == bot);
        asked.map(|pair| pair[1])
    }
}
