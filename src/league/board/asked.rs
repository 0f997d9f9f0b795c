//! Pairs that authors ask for, by the public names of bots.

use super::Board;
use arbiter_rank::league::AskError;

impl Board {
    /// The bots that this one can be played against, in the order of their names; `None` if it does
    /// not play.
    pub fn opponents(&self, bot: &str) -> Option<Vec<String>> {
        let mut opponents = Vec::new();
        let mut plays = false;
        for slot in self.slots.iter().filter(|slot| slot.player.is_some()) {
            if slot.entrant.name == bot {
                plays = true;
            } else {
                opponents.push(slot.entrant.name.clone());
            }
        }
        opponents.sort();
        plays.then_some(opponents)
    }

    /// Asks for a pair for the sake of a bot. Returns how many others that were asked for are
    /// played before it.
    ///
    /// # Errors
    /// They cannot play, or another pair for its sake still waits.
    pub fn ask(&mut self, bot: &str, opponent: &str) -> Result<usize, AskError> {
        let bot = self.slot(bot).ok_or(AskError::DoesNotPlay)?;
        let opponent = self.slot(opponent).ok_or(AskError::NoOpponent)?;
        self.league.ask(bot, opponent)
    }

    /// The opponent in the pair that was asked for the sake of a bot, until it begins.
    pub fn asked_by(&self, bot: &str) -> Option<String> {
        let opponent = self.league.asked_by(self.slot(bot)?)?;
        Some(self.slots[opponent].entrant.name.clone())
    }
}
