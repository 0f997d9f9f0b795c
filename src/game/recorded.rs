//! A player that plays the plies of a logged game.

use super::{Answer, Reply, Turn};
use crate::rules::Ply;

/// One side of a logged game: it answers each turn with the ply of the log.
///
/// ```
/// use arbiter::game::{RecordedPlayer, Referee, Settings};
/// let settings = Settings::default();
/// let start = settings.ruleset.start();
/// let plies = ["a2c4", "b0b2"].map(|ply| settings.ruleset.read_ply(ply).unwrap());
/// let player = RecordedPlayer::new(plies.into(), None);
/// let mut referee = Referee::new(&settings, start);
/// while let Ok(mut answer) = player.answer(&referee.ask().unwrap()) {
///     let _ = referee.answer(&mut answer);
/// }
/// assert_eq!(referee.plies(), plies);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedPlayer {
    /// Every ply of the log, of both sides.
    plies: Vec<Ply>,
    /// The answer of the side on move after the last ply, if it was no ply.
    last: Option<Reply>,
}

/// Why a logged game has no answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordEnded {
    /// The log has no more plies.
    #[error("the logged game has no ply {0}")]
    Over(usize),
    /// A ply of the game differs from the log.
    #[error("ply {0} is not the one of the logged game")]
    Left(usize),
}

impl RecordedPlayer {
    /// A player for either side of a game with these plies, forced passes included. `last` is the answer of
    /// the side on move after them, such as to resign.
    #[must_use]
    pub fn new(plies: Vec<Ply>, last: Option<Reply>) -> RecordedPlayer {
        RecordedPlayer { plies, last }
    }

    /// Answers a question; it takes no time.
    ///
    /// # Errors
    /// The game differs from the log, or the log has no more plies.
    pub fn answer(&self, turn: &Turn<'_>) -> Result<Answer, RecordEnded> {
        let differs = |(played, logged)| played != logged;
        if let Some(at) = turn.plies.iter().zip(&self.plies).position(differs) {
            return Err(RecordEnded::Left(at + 1));
        }
        match self.plies.get(turn.plies.len()) {
            Some(&ply) => Ok(Answer::ply(ply)),
            None if turn.plies.len() == self.plies.len() && self.last.is_some() => {
                Ok(Answer { reply: self.last.clone(), ..Answer::default() })
            }
            None => Err(RecordEnded::Over(turn.number())),
        }
    }
}
