//! All games of each two bots by which of them had the first side: the input of the fit, computed from the
//! encounters.

use crate::standings::{Encounter, Encounters, Score};

/// All games of two bots, `a` before `b` in configuration order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeadToHead {
    pub(super) a: usize,
    pub(super) b: usize,
    /// The games in which `a` had the first side, then those in which `b` had it.
    pub(super) by_first: [FirstSideGames; 2],
}

/// Games in which one of two bots had the first side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct FirstSideGames {
    pub(super) count: u64,
    /// Points of the first side, doubled.
    pub(super) half_points: u64,
}

impl FirstSideGames {
    fn add(&mut self, count: u32, score: Score) {
        self.count += u64::from(count);
        self.half_points += u64::from(count) * score.half_points();
    }

    /// Whether the first side took at least half a point in one of the games.
    pub(super) fn first_scored(self) -> bool {
        self.half_points > 0
    }

    /// Whether the second side took at least half a point in one of the games.
    pub(super) fn second_scored(self) -> bool {
        self.half_points < 2 * self.count
    }

    /// Points of the first side, then of the second.
    pub(super) fn points(self) -> [f64; 2] {
        [self.half_points as f64 / 2.0, (2 * self.count - self.half_points) as f64 / 2.0]
    }
}

/// One entry for each two bots that met, in the order of their numbers. A bot's games against itself have no
/// effect on ratings and are left out.
pub(super) fn head_to_heads(encounters: &Encounters) -> Vec<HeadToHead> {
    let mut head_to_heads: Vec<HeadToHead> = encounters
        .iter()
        .filter(|((first, second), _)| first != second)
        .map(|((first, second), cell)| {
            let [own, other] = games(cell);
            let (a, b, by_first) =
                if first < second { (first, second, [own, other]) } else { (second, first, [other, own]) };
            HeadToHead { a, b, by_first }
        })
        .collect();
    head_to_heads.sort_by_key(|head_to_head| (head_to_head.a, head_to_head.b));
    head_to_heads.dedup_by(|next, kept| {
        let same = (next.a, next.b) == (kept.a, kept.b);
        if same {
            for (kept, next) in kept.by_first.iter_mut().zip(next.by_first) {
                kept.count += next.count;
                kept.half_points += next.half_points;
            }
        }
        same
    });
    head_to_heads
}

/// The games in which the bot that had the first side in game 1 had it, then the others.
fn games(cell: &Encounter) -> [FirstSideGames; 2] {
    let [mut own, mut other] = [FirstSideGames::default(); 2];
    for score in Score::ALL {
        own.add(cell.singles[score as usize], score);
        for answer in Score::ALL {
            let count = cell.pairs[score as usize][answer as usize];
            own.add(count, score);
            other.add(count, answer);
        }
    }
    [own, other]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_by_who_had_the_first_side() {
        let mut encounters = Encounters::default();
        encounters.add_pair(2, 1, [Score::Win, Score::Draw]);
        encounters.add_pair(1, 2, [Score::Win, Score::Loss]);
        encounters.add_single(1, 2, Score::Loss);
        encounters.add_single(1, 1, Score::Win);
        let expected = HeadToHead {
            a: 1,
            b: 2,
            by_first: [
                FirstSideGames { count: 3, half_points: 3 },
                FirstSideGames { count: 2, half_points: 2 },
            ],
        };
        assert_eq!(head_to_heads(&encounters), [expected]);
    }

    #[test]
    fn a_draw_scores_for_both() {
        let games = |half_points| FirstSideGames { count: 1, half_points };
        assert!(games(1).first_scored() && games(1).second_scored());
        assert!(!games(0).first_scored() && games(0).second_scored());
        assert!(games(2).first_scored() && !games(2).second_scored());
        assert_eq!(games(1).points(), [0.5, 0.5]);
    }
}
