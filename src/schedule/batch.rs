//! A run of games of one pairing that follow each other in the schedule; formats hand out stretches.

use super::Pairing;

/// What two bots have had of each other in earlier pairings of the tournament.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Earlier {
    games: u64,
    pairs: u64,
    openings: u64,
}

impl Earlier {
    /// So many pairings of so many games each.
    pub(super) fn pairings(count: u32, games: u32) -> Earlier {
        let (count, games) = (u64::from(count), u64::from(games));
        Earlier { games: count * games, pairs: count * (games / 2), openings: count * games.div_ceil(2) }
    }
}

/// Games `played + 1` to `end` of a pairing.
#[derive(Debug, Clone)]
pub(super) struct Stretch {
    /// Which pairing of the schedule it is, from 0.
    pub(super) meeting: u64,
    /// From 1.
    pub(super) round: u32,
    /// The bots; the one named first has the first side in odd games of the pairing.
    pub(super) bots: [usize; 2],
    pub(super) earlier: Earlier,
    pub(super) played: u64,
    pub(super) end: u64,
}

impl Stretch {
    /// A pairing in which sides alternate with the number of the game between the two, over all rounds: in odd ones the
    /// bot that is earlier in the configuration begins, whoever else takes part.
    pub(super) fn alternating(meeting: u64, round: u32, [low, high]: [usize; 2], games: u32) -> Stretch {
        let earlier = Earlier::pairings(round - 1, games);
        let bots = if earlier.games.is_multiple_of(2) { [low, high] } else { [high, low] };
        Stretch { meeting, round, bots, earlier, played: 0, end: u64::from(games) }
    }

    /// The next game, if there is one; `index` is its place in the schedule.
    pub(super) fn next(&mut self, index: u64, names: &[String]) -> Option<Pairing> {
        if self.played == self.end {
            return None;
        }
        self.played += 1;
        let (game, Earlier { games, pairs, openings }) = (self.played, self.earlier);
        let [odd, even] = self.bots;
        let (first, second) = if game % 2 == 1 { (odd, even) } else { (even, odd) };
        let (low, high) = ((&names[odd]).min(&names[even]), (&names[odd]).max(&names[even]));
        let number = games + game;
        Some(Pairing {
            id: format!("{low}~{high}.{number}"),
            index,
            meeting: self.meeting,
            round: self.round,
            game,
            number,
            first,
            second,
            pair: (game < self.end || game % 2 == 0).then_some(pairs + game.div_ceil(2)),
            opening: openings + game.div_ceil(2),
        })
    }
}
