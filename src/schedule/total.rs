//! How many games a format has.

use super::Format;

impl Format {
    /// How many games are played among so many bots; none where results decide that. Further pairs of a knockout's level
    /// meetings come on top.
    #[must_use]
    pub fn games(self, bots: usize) -> Option<u64> {
        let bots = bots as u64;
        match self {
            Format::RoundRobin { games, rounds } => {
                Some(bots * bots.saturating_sub(1) / 2 * u64::from(games) * u64::from(rounds))
            }
            Format::Gauntlet { challengers, games, rounds } => {
                let challengers = challengers as u64;
                let pairings = challengers * bots.saturating_sub(challengers);
                Some(pairings * u64::from(games) * u64::from(rounds))
            }
            Format::Swiss { games, rounds } => Some(bots / 2 * u64::from(games) * u64::from(rounds)),
            Format::Knockout { best_of } => Some(bots.saturating_sub(1) * u64::from(best_of)),
            Format::Sprt { .. } => None,
        }
    }
}
