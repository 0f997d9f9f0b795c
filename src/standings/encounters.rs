//! Counters of every two bots that met: all that ratings and their widths need of any number of games
//! (tournaments.md, Ratings, 10).

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

    /// What the opponent has of it.
    #[must_use]
    pub fn of_opponent(self) -> Score {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }
}

/// What two bots have done to each other in the pairs and single games that one of them began, which had the first
/// side in the single game or in the first game of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Encounter {
    /// Pairs of games, by the score of the first side in game 1 and that of the first side (the other bot) in game 2.
    pub pairs: [[u32; 3]; 3],
    /// Games without a partner, by the score of the first side.
    pub singles: [u32; 3],
}

/// The counters of all ordered pairs of bots that met, bots numbered from 0: at most one entry for two bots and who
/// of them began, however many games there are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Encounters {
    cells: BTreeMap<(u32, u32), Encounter>,
}

impl Encounters {
    /// Counts a game without a partner.
    pub fn add_single(&mut self, first: usize, second: usize, score: Score) {
        self.cell(first, second).singles[score as usize] += 1;
    }

    /// Counts a pair of games: `first` had the first side in game 1, `second` in game 2; each score is of the side
    /// that had the first side then.
    pub fn add_pair(&mut self, first: usize, second: usize, scores: [Score; 2]) {
        self.cell(first, second).pairs[scores[0] as usize][scores[1] as usize] += 1;
    }

    /// All entries, by the number of who began, then of the other.
    pub fn iter(&self) -> impl Iterator<Item = ((usize, usize), &Encounter)> {
        self.cells.iter().map(|(&(first, second), cell)| ((first as usize, second as usize), cell))
    }

    fn cell(&mut self, first: usize, second: usize) -> &mut Encounter {
        self.cells.entry((first as u32, second as u32)).or_default()
    }
}
