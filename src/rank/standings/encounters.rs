//! Counters of the results of each two bots that met: all that ratings and their widths need, for
//! any number of games (src/rank/definitions.md, Definition 9).

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
    pub fn half_points(self) -> u64 {
        self as u64
    }

    /// The score of the opponent.
    pub fn of_opponent(self) -> Score {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }
}

/// The result of a cluster: what is compared with independent games as one
/// (src/rank/definitions.md, Definition 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cluster {
    /// A game without a partner, by the score of its first side.
    Single(Score),
    /// A pair, by the score of the first side in game 1 and that of the first side (the other bot)
    /// in game 2.
    Pair([Score; 2]),
}

impl Cluster {
    /// The number of games in it.
    pub fn games(self) -> u64 {
        match self {
            Cluster::Single(_) => 1,
            Cluster::Pair(_) => 2,
        }
    }

    /// The points, doubled, of the bot that had the first side in game 1.
    pub fn half_points(self) -> u64 {
        match self {
            Cluster::Single(score) => score.half_points(),
            Cluster::Pair([one, other]) => one.half_points() + other.of_opponent().half_points(),
        }
    }
}

/// How often a result occurred. Games that repeat each other are copies of one cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Occurrences {
    /// The pairs, or the single games: each copy counts.
    pub copies: u64,
    pub clusters: u64,
    /// The sum over the clusters of the square of the number of copies.
    pub squares: u64,
}

/// Results of the pairs and single games of two bots in which the first of them had the first side
/// in the single game, or in the first game of the pair.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Encounter {
    /// Counts of pairs, indexed by the score of the first side in game 1 and that of the first side
    /// (the other bot) in game 2.
    pairs: [[u32; 3]; 3],
    /// Counts of games without a partner, indexed by the score of the first side.
    singles: [u32; 3],
    /// Of results of which some clusters have several copies: how many clusters fewer there are
    /// than copies, and how much the sum of squares is greater than the number of copies. Most
    /// encounters have none, and there may be a million of them.
    #[expect(clippy::box_collection, reason = "one word in place of three")]
    repeats: Option<Box<BTreeMap<Cluster, [u64; 2]>>>,
}

impl Encounter {
    /// Every result that occurred.
    pub fn clusters(&self) -> impl Iterator<Item = (Cluster, Occurrences)> {
        let pair = |one| Score::ALL.map(|other| Cluster::Pair([one, other]));
        let pairs = Score::ALL.into_iter().flat_map(pair);
        let all = pairs.chain(Score::ALL.map(Cluster::Single));
        all.filter_map(|cluster| Some((cluster, self.occurrences(cluster)?)))
    }

    fn occurrences(&self, cluster: Cluster) -> Option<Occurrences> {
        let copies = u64::from(match cluster {
            Cluster::Single(score) => self.singles[score as usize],
            Cluster::Pair([one, other]) => self.pairs[one as usize][other as usize],
        });
        if copies == 0 {
            return None;
        }
        let repeated = self.repeats.as_ref().and_then(|repeats| repeats.get(&cluster));
        let [fewer, more] = repeated.copied().unwrap_or_default();
        Some(Occurrences { copies, clusters: copies - fewer, squares: copies + more })
    }
}

/// The counters of all ordered pairs of bots that met. Bots are numbered from 0; the size does not
/// depend on the number of games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Encounters {
    cells: BTreeMap<(u32, u32), Encounter>,
}

impl Encounters {
    /// Counts a game without a partner.
    pub fn add_single(&mut self, first: usize, second: usize, score: Score) {
        self.add(first, second, Cluster::Single(score), 0);
    }

    /// Counts a pair of games: `first` had the first side in game 1, `second` in game 2. Each score
    /// is that of the first side of its game.
    pub fn add_pair(&mut self, first: usize, second: usize, scores: [Score; 2]) {
        self.add(first, second, Cluster::Pair(scores), 0);
    }

    /// Counts a pair or a single game; `first` had the first side in its first game. It repeats a
    /// cluster of which `copies` were added before.
    pub fn add(&mut self, first: usize, second: usize, cluster: Cluster, copies: u32) {
        let cell = self.cells.entry((first as u32, second as u32)).or_default();
        match cluster {
            Cluster::Single(score) => cell.singles[score as usize] += 1,
            Cluster::Pair([one, other]) => cell.pairs[one as usize][other as usize] += 1,
        }
        if copies > 0 {
            let [fewer, more] = cell.repeats.get_or_insert_default().entry(cluster).or_default();
            *fewer += 1;
            *more += 2 * u64::from(copies); // (copies + 1)² - copies² - 1
        }
    }

    /// All entries, sorted by the number of the bot that had the first side in game 1, then of the
    /// other.
    pub fn iter(&self) -> impl Iterator<Item = ((usize, usize), &Encounter)> {
        self.cells.iter().map(|(&(first, second), cell)| ((first as usize, second as usize), cell))
    }
}
