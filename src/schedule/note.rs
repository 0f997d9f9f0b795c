//! What a schedule reports besides its games.

/// A bot without an opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bye {
    /// The round, from 1.
    pub round: u32,
    /// The bot's place in the configuration.
    pub bot: usize,
}

/// A note for the user about a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleNote {
    /// A Swiss tournament has so many rounds that late rounds pair bots with unequal points.
    ManyRounds {
        /// Rounds of the tournament.
        rounds: u32,
        /// Bots in it.
        bots: usize,
    },
    /// Two bots are paired again: no other pairing of all bots was possible.
    Rematch {
        /// The round, from 1.
        round: u32,
        /// The number of the pairing in the schedule, from 0.
        meeting: u64,
        /// The bots; the first one has the first side in the first game.
        bots: [usize; 2],
    },
}

impl ScheduleNote {
    /// The note as a sentence; `names` are those of the bots, in the order of the configuration.
    #[must_use]
    pub fn text(&self, names: &[String]) -> String {
        match *self {
            ScheduleNote::ManyRounds { rounds, bots } => format!(
                "[schedule] rounds = {rounds}: with {bots} bots, rounds after round {} pair bots with unequal points, \
                 because those with equal points have met",
                bots / 2
            ),
            ScheduleNote::Rematch { round, bots: [one, other], .. } => format!(
                "round {round}: {} and {} meet again, because no other pairing of all bots was possible",
                names[one], names[other]
            ),
        }
    }
}
