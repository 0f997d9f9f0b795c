//! Counters of the results of each two bots that met: all that ratings and their widths need, for any number
//! of games (docs/ratings.md, Definition 9).

use std::collections::BTreeMap;

/// The score of a game's first side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Score {
    /// It lost.
    Loss,
    /// Neither won.
    Draw,
    /// It won.
    Win,
}

impl Score {
    /// All three, in the order of their half points.
    pub const ALL: [Score; 3] = [Score::Loss, Score::Draw, Score::Win];

    /// 0, 1 or 2.
    #[must_use]
    pub fn half_points(self) -> u64 {
        self as u64
    }

    /// The score of the opponent.
    #[must_use]
    pub fn of_opponent(self) -> Score {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }
}

/// Results of the pairs and single games of two bots in which the first of them had the first side in the
/// single game, or in the first game of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Encounter {
    /// Counts of pairs, indexed by the score of the first side in game 1 and that of the first side (the
    /// other bot) in game 2.
    pub pairs: [[u32; 3]; 3],
    /// Counts of games without a partner, indexed by the score of the first side.
    pub singles: [u32; 3],
}

/// The counters of all ordered pairs of bots that met. Bots are numbered from 0; the size does not depend on
/// the number of games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Encounters {
    cells: BTreeMap<(u32, u32), Encounter>,
}

impl Encounters {
    /// Counts a game without a partner.
    pub fn add_single(&mut self, first: usize, second: usize, score: Score) {
        self.cell(first, second).singles[score as usize] += 1;
    }

    /// Counts a pair of games: `first` had the first side in game 1, `second` in game 2. Each score is that
    /// of the first side of its game.
    pub fn add_pair(&mut self, first: usize, second: usize, scores: [Score; 2]) {
        self.cell(first, second).pairs[scores[0] as usize][scores[1] as usize] += 1;
    }

    /// All entries, sorted by the number of the bot that had the first side in game 1, then of the other.
    pub fn iter(&self) -> impl Iterator<Item = ((usize, usize), &Encounter)> {
        self.cells.iter().map(|(&(first, second), cell)| ((first as usize, second as usize), cell))
    }

    fn cell(&mut self, first: usize, second: usize) -> &mut Encounter {
        self.cells.entry((first as u32, second as u32)).or_default()
    }
}
