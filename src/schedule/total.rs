//! The number of games of a format.

use super::Format;

impl Format {
    /// The number of games among `bots` bots; none where it depends on results. Further pairs of level
    /// pairings in a knockout are not included.
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
