//! What a schedule has to tell besides its games.

/// A bot without an opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bye {
    /// From 1.
    pub round: u32,
    /// Its place in the configuration.
    pub bot: usize,
}

/// What the user should know of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// In a Swiss tournament with so many rounds, late rounds are paired badly: who is left to meet is far away in points.
    ManyRounds {
        /// Rounds of the tournament.
        rounds: u32,
        /// Bots in it.
        bots: usize,
    },
    /// These two have met before, for there was no other way to pair all.
    Rematch {
        /// From 1.
        round: u32,
        /// Which pairing of the schedule it is.
        meeting: u64,
        /// The bots, the one that is named first in front.
        bots: [usize; 2],
    },
}

impl Note {
    /// The note in words; `names` are those of the bots, in the order of the configuration.
    #[must_use]
    pub fn text(&self, names: &[String]) -> String {
        match *self {
            Note::ManyRounds { rounds, bots } => format!(
                "[schedule] rounds = {rounds}: with {bots} bots, rounds after number {} are badly paired, \
                 for those with equal points have met",
                bots / 2
            ),
            Note::Rematch { round, bots: [one, other], .. } => format!(
                "round {round}: {} and {} meet again, for all could not be paired otherwise",
                names[one], names[other]
            ),
        }
    }
}
