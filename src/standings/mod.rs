//! Standings: a fold over results, never stored beside them.
//!
//! Owns points, counts and tie-breaks (tournaments.md, definitions 12 and 14 to 16); ratings are `rating`'s matter, how it
//! all is shown is `report`'s. Nothing here grows with the number of games but the fingerprints by which repeated games are
//! found.
//!
//! ```
//! use arbiter::standings::{Ranking, Score, Scored, Standings};
//! let mut standings = Standings::new(Ranking::Points);
//! standings.add(&Scored { score: Some(Score::Draw), outcome: "draw", ..Scored::between("conny", "randy") });
//! assert_eq!(standings.table()[0].row.half_points, 1);
//! ```

mod encounters;
mod ranking;

pub use encounters::{Encounter, Encounters, Score};
pub use ranking::{Placed, Ranking, TieBreaks};

use crate::record::{Fault, GameResult, Record};
use crate::rules::Side;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What counts of a game; a log of another program has little of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scored<'a> {
    /// The bot with the first side: the one that moves first in the ruleset's own start position; White in logs that
    /// name no game.
    pub first: &'a str,
    /// The other bot.
    pub second: &'a str,
    /// The first side's score; none if there is no result.
    pub score: Option<Score>,
    /// The `Outcome` tag; empty if there is none.
    pub outcome: &'a str,
    /// The `Termination` tag; empty if there is none.
    pub termination: &'a str,
    /// The `Pair` tag: equal for the two games of a pair of these bots.
    pub pair: Option<&'a str>,
    /// A hash of where the game began and of its plies, if they are to be compared with other games'.
    pub plies: Option<u64>,
}

impl<'a> Scored<'a> {
    /// A game of these two without a result.
    #[must_use]
    pub fn between(first: &'a str, second: &'a str) -> Scored<'a> {
        Scored { first, second, score: None, outcome: "", termination: "", pair: None, plies: None }
    }
}

impl<'a> From<&'a Record> for Scored<'a> {
    fn from(record: &'a Record) -> Scored<'a> {
        let game = record.ruleset().game();
        let score = match (record.outcome.result(game), record.outcome.winner()) {
            (GameResult::Unknown, _) => None,
            (_, None) => Some(Score::Draw),
            (_, Some(Side::First)) => Some(Score::Win),
            (_, Some(Side::Second)) => Some(Score::Loss),
        };
        Scored {
            first: &record.players.first,
            second: &record.players.second,
            score,
            outcome: record.outcome.word(),
            termination: record.outcome.termination(),
            pair: record.pair.as_deref(),
            plies: Some(record.plies_hash()),
        }
    }
}

/// What a bot has done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// The bot.
    pub name: String,
    /// Points, doubled: 2 for a win, 1 for a draw; those of byes are among them.
    pub half_points: u64,
    /// The part of them that byes brought.
    pub bye_half_points: u64,
    /// Games with a result.
    pub games: u64,
    /// Won, forfeits of opponents included.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost, suicides and forfeits included.
    pub losses: u64,
    /// Lost by a ply that completed only the opponent's goal.
    pub suicides: u64,
    /// Lost by breaking a rule of the match.
    pub forfeits: u64,
    /// The same by reason, in the order of [`Fault::ALL`].
    pub faults: [u64; Fault::ALL.len()],
    /// Without a result; they count for nobody.
    pub aborted: u64,
    /// Games whose plies repeat an earlier game of the same two bots and sides.
    pub repeated: u64,
}

impl Row {
    /// Points: a win is 1, a draw 1/2.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.half_points as f64 / 2.0
    }

    /// Points of played games by their number; none without games.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        let points = (self.half_points - self.bye_half_points) as f64 / 2.0;
        (self.games > 0).then(|| points / self.games as f64)
    }
}

/// How the first side has fared in all games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FirstSide {
    /// Games that it won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
}

impl FirstSide {
    /// Its points by games; none without games.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        let games = self.wins + self.draws + self.losses;
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }
}

/// Games and points of two bots against each other, seen from the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Versus {
    /// Games with a result.
    pub games: u64,
    /// Its points, doubled.
    pub half_points: u64,
}

/// A pair that has had one game so far.
#[derive(Debug, Clone, Copy)]
struct HalfPair {
    first: usize,
    second: usize,
    score: Score,
}

/// Points and counts of all bots.
#[derive(Debug, Clone)]
pub struct Standings {
    ranking: Ranking,
    rows: Vec<Row>,
    numbers: HashMap<String, usize>,
    encounters: Encounters,
    half_pairs: BTreeMap<(usize, usize, String), HalfPair>,
    first_side: FirstSide,
    seen: HashSet<(usize, usize, u64)>,
    /// How many pairings two bots have had, the lower number first; only where the schedule says so.
    pairings: BTreeMap<(usize, usize), u64>,
    byes: BTreeMap<usize, Vec<u64>>,
}

impl Standings {
    /// Nobody has played yet.
    #[must_use]
    pub fn new(ranking: Ranking) -> Standings {
        Standings {
            ranking,
            rows: Vec::new(),
            numbers: HashMap::new(),
            encounters: Encounters::default(),
            half_pairs: BTreeMap::new(),
            first_side: FirstSide::default(),
            seen: HashSet::new(),
            pairings: BTreeMap::new(),
            byes: BTreeMap::new(),
        }
    }

    /// From now on this decides between bots.
    pub fn rank_by(&mut self, ranking: Ranking) {
        self.ranking = ranking;
    }

    /// Gives a bot a line before it has played and tells its number; bots that are equal in all that counts stay in
    /// this order.
    pub fn enter(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.rows.len();
        self.numbers.insert(name.to_owned(), number);
        self.rows.push(Row { name: name.to_owned(), ..Row::default() });
        number
    }

    /// Two bots, by their numbers, are paired once more, however many games that will be; for Buchholz.
    pub fn pair(&mut self, one: usize, other: usize) {
        *self.pairings.entry((one.min(other), one.max(other))).or_default() += 1;
    }

    /// A bot has a bye, worth as many half points as a pairing.
    pub fn bye(&mut self, bot: usize, half_points: u64) {
        self.rows[bot].half_points += half_points;
        self.rows[bot].bye_half_points += half_points;
        self.byes.entry(bot).or_default().push(half_points);
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Scored<'_>) {
        let (first, second) = (self.enter(game.first), self.enter(game.second));
        let Some(score) = game.score else {
            self.rows[first].aborted += 1;
            self.rows[second].aborted += 1;
            return;
        };
        match score {
            Score::Win => self.first_side.wins += 1,
            Score::Draw => self.first_side.draws += 1,
            Score::Loss => self.first_side.losses += 1,
        }
        let again = game.plies.is_some_and(|plies| !self.seen.insert((first, second, plies)));
        for (bot, score) in [(first, score), (second, score.of_opponent())] {
            let row = &mut self.rows[bot];
            row.games += 1;
            row.half_points += score.half_points();
            row.repeated += u64::from(again);
            match score {
                Score::Win => row.wins += 1,
                Score::Draw => row.draws += 1,
                Score::Loss => {
                    row.losses += 1;
                    row.suicides += u64::from(game.outcome == "suicide");
                    if game.outcome == "forfeit" {
                        row.forfeits += 1;
                        let fault = Fault::ALL.iter().position(|fault| fault.word() == game.termination);
                        fault.into_iter().for_each(|fault| row.faults[fault] += 1);
                    }
                }
            }
        }
        self.count(first, second, score, game.pair);
    }

    /// Puts the game with its partner, if the two are a pair.
    fn count(&mut self, first: usize, second: usize, score: Score, pair: Option<&str>) {
        let Some(pair) = pair else { return self.encounters.add_single(first, second, score) };
        let key = (first.min(second), first.max(second), pair.to_owned());
        match self.half_pairs.remove(&key) {
            Some(earlier) if earlier.first == second => {
                self.encounters.add_pair(earlier.first, earlier.second, [earlier.score, score]);
            }
            earlier => {
                // With the same sides twice it is no pair of this schedule's, whatever its tags say.
                earlier
                    .into_iter()
                    .for_each(|game| self.encounters.add_single(game.first, game.second, game.score));
                self.half_pairs.insert(key, HalfPair { first, second, score });
            }
        }
    }

    /// No more games of this log are to come: a game that still waits for its partner stands alone.
    pub fn end_of_log(&mut self) {
        for game in std::mem::take(&mut self.half_pairs).into_values() {
            self.encounters.add_single(game.first, game.second, game.score);
        }
    }

    /// The bots, in the order of entering.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The counters that ratings need; games that still wait for their partner are not among them.
    #[must_use]
    pub fn encounters(&self) -> &Encounters {
        &self.encounters
    }

    /// How the first side has fared.
    #[must_use]
    pub fn first_side(&self) -> FirstSide {
        self.first_side
    }

    /// Byes of a bot.
    #[must_use]
    pub fn byes(&self, bot: usize) -> usize {
        self.byes.get(&bot).map_or(0, Vec::len)
    }

    /// What decides between bots, in its order.
    #[must_use]
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// What the bots did against each other, by their numbers, both ways.
    #[must_use]
    pub fn crosstable(&self) -> BTreeMap<(usize, usize), Versus> {
        let mut cells: BTreeMap<(usize, usize), Versus> = BTreeMap::new();
        let mut add = |bot, opponent, games: u64, half_points: u64| {
            let cell = cells.entry((bot, opponent)).or_default();
            cell.games += games;
            cell.half_points += half_points;
        };
        for ((first, second), cell) in self.encounters.iter() {
            for (games, half_points, count) in clusters(cell) {
                add(first, second, games * count, half_points * count);
                add(second, first, games * count, (2 * games - half_points) * count);
            }
        }
        for game in self.half_pairs.values() {
            add(game.first, game.second, 1, game.score.half_points());
            add(game.second, game.first, 1, game.score.of_opponent().half_points());
        }
        cells
    }

    /// The half width of the 95 % interval of each bot's score share, over pairs as they were played (definition 12);
    /// none without games.
    #[must_use]
    pub fn share_errors(&self) -> Vec<Option<f64>> {
        let shares: Vec<Option<f64>> = self.rows.iter().map(Row::share).collect();
        let mut sums = vec![0.0; self.rows.len()];
        let mut add = |bot: usize, games: u64, half_points: u64, count: u64| {
            let expected = shares[bot].unwrap_or_default() * games as f64;
            sums[bot] += count as f64 * (half_points as f64 / 2.0 - expected).powi(2);
        };
        for ((first, second), cell) in self.encounters.iter() {
            for (games, half_points, count) in clusters(cell) {
                add(first, games, half_points, count);
                add(second, games, 2 * games - half_points, count);
            }
        }
        for game in self.half_pairs.values() {
            add(game.first, 1, game.score.half_points(), 1);
            add(game.second, 1, game.score.of_opponent().half_points(), 1);
        }
        let error = |(row, sum): (&Row, f64)| (row.games > 0).then(|| Z * sum.sqrt() / row.games as f64);
        self.rows.iter().zip(sums).map(error).collect()
    }
}

/// The normal distribution's 97.5 % quantile (tournaments.md, definition 1).
const Z: f64 = 1.959_963_984_540_054;

/// Games, half points of who began, and how often, of every kind of pair and single game.
fn clusters(cell: &Encounter) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
    let pairs = Score::ALL.into_iter().flat_map(move |one| {
        Score::ALL.into_iter().map(move |other| {
            let half_points = one.half_points() + other.of_opponent().half_points();
            (2, half_points, u64::from(cell.pairs[one as usize][other as usize]))
        })
    });
    let singles = Score::ALL
        .into_iter()
        .map(move |score| (1, score.half_points(), u64::from(cell.singles[score as usize])));
    pairs.chain(singles).filter(|&(.., count)| count > 0)
}

#[cfg(test)]
mod tests;
