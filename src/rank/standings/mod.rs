//! Standings: points and counts of all bots, computed from results and never stored beside them.
//!
//! Owns points, counts and tie-breaks (src/rank/definitions.md: definitions 12 and 14 to 16).
//! Ratings belong to `rating`, the layout of tables to `report`. The only data that grow with the
//! number of games are the hashes by which repeated games are found, up to [`HASHES_KEPT`], and the
//! games whose partner is still missing.
//!
//! ```
//! use arbiter_rank::standings::{Ranking, Score, Scored, Standings};
//! let mut standings = Standings::new(Ranking::Points);
//! let game = Scored::between("conny", "randy");
//! standings.add(&Scored { score: Some(Score::Draw), outcome: "draw", ..game });
//! assert_eq!(standings.table()[0].row.half_points, 1);
//! ```

mod crosstable;
mod encounters;
mod logs;
mod ranking;
mod sides;

use crate::rating::Z;
pub use crate::schedule::{Ranking, TieBreak};
pub use crosstable::{Crosstable, Versus};
pub use encounters::{Cluster, Encounter, Encounters, Occurrences, Score};
pub use logs::{KnownGames, LogStandings, Named};
pub use ranking::{RankedBot, TieBreaks};

use arbiter_game::record::Record;
use arbiter_game::{Fault, Outcome};
use arbiter_rules::{BySide, Margin, Side};
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The most hashes that are kept to find what repeats an earlier game, so that memory does not grow
/// without end (some 40 MB): what comes later is compared with these only.
pub const HASHES_KEPT: usize = 1_835_008; // as many as a table of 2^21 places holds

/// The part of a game that counts in standings; logs of other programs have little of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scored<'a> {
    /// The bot with the first side, which moves first in the ruleset's own start position; White in
    /// logs that name no game.
    pub first: &'a str,
    /// The other bot.
    pub second: &'a str,
    /// The first side's score; `None` if there is no result, or both sides lost by forfeit.
    pub score: Option<Score>,
    /// The `Outcome` tag; empty if there is none.
    pub outcome: &'a str,
    /// The `Termination` tag; empty if there is none.
    pub termination: &'a str,
    /// The `Margin` tag: by how much the winner has won.
    pub margin: Option<Margin>,
    /// The `Pair` tag: equal for the two games of a pair of these bots.
    pub pair: Option<&'a str>,
    /// A hash of the start position and the plies, if the game can repeat another one
    /// ([`PliesKey::repeatable`](arbiter_game::record::PliesKey::repeatable)).
    pub plies: Option<u64>,
}

impl<'a> Scored<'a> {
    /// A game of these two bots without a result.
    pub fn between(first: &'a str, second: &'a str) -> Scored<'a> {
        Scored {
            first,
            second,
            score: None,
            outcome: "",
            termination: "",
            margin: None,
            pair: None,
            plies: None,
        }
    }

    /// A game of these two bots that ended so.
    pub fn ended(first: &'a str, second: &'a str, outcome: &'a Outcome) -> Scored<'a> {
        let score = match (outcome, outcome.winner()) {
            (Outcome::NeitherStarted | Outcome::Aborted(_), _) => None,
            (_, None) => Some(Score::Draw),
            (_, Some(Side::First)) => Some(Score::Win),
            (_, Some(Side::Second)) => Some(Score::Loss),
        };
        Scored {
            score,
            outcome: outcome.word(),
            termination: outcome.termination(),
            ..Scored::between(first, second)
        }
    }
}

impl<'a> From<&'a Record> for Scored<'a> {
    fn from(record: &'a Record) -> Scored<'a> {
        let BySide { first, second } = &record.players;
        Scored {
            margin: record.margin,
            pair: record.pair.as_deref(),
            plies: record.plies_key().repeatable(),
            ..Scored::ended(first, second, &record.outcome)
        }
    }
}

/// Counts of one bot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// The bot's name.
    pub name: String,
    /// Points, doubled: 2 for a win, 1 for a draw; with those of byes.
    pub half_points: u64,
    /// The half points from byes.
    pub bye_half_points: u64,
    /// Games with a result.
    pub games: u64,
    /// Games won, forfeits of opponents included.
    pub wins: u64,
    pub draws: u64,
    /// Games lost, suicides and forfeits included.
    pub losses: u64,
    /// Games lost by a move that completed only the opponent's goal.
    pub suicides: u64,
    /// Games lost by a forfeit.
    pub forfeits: u64,
    /// Games that both bots lost, because neither started. They count, and ratings leave them out.
    pub both_lost: u64,
    /// Forfeits by reason, in the order of [`Fault::ALL`].
    pub faults: [u64; Fault::ALL.len()],
    /// The margins of games won, less those of games lost, in hundredths.
    pub margin: i64,
    /// Games without a result; they do not count.
    pub aborted: u64,
    /// Games whose plies repeat an earlier game of the same two bots and sides.
    pub repeated: u64,
}

impl Row {
    /// Points: a win is 1, a draw 1/2.
    pub fn points(&self) -> f64 {
        self.half_points as f64 / 2.0
    }

    fn add_forfeit(&mut self, termination: &str) {
        self.forfeits += 1;
        if let Some(fault) = Fault::ALL.iter().position(|fault| fault.word() == termination) {
            self.faults[fault] += 1;
        }
    }

    /// Points of games divided by their number; `None` without games.
    pub fn share(&self) -> Option<f64> {
        let points = (self.half_points - self.bye_half_points) as f64 / 2.0;
        (self.games > 0).then(|| points / self.games as f64)
    }
}

/// Results of the first side in all games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FirstSideResults {
    /// Games won by the first side.
    pub wins: u64,
    pub draws: u64,
    /// Games lost by the first side.
    pub losses: u64,
}

impl FirstSideResults {
    /// Its points divided by the number of games; `None` without games.
    pub fn share(&self) -> Option<f64> {
        let games = self.wins + self.draws + self.losses;
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }
}

/// A game with a result: a single game, or one of a pair.
#[derive(Debug, Clone, Copy, Hash)]
struct ClusterGame {
    first: u32,
    second: u32,
    score: Score,
    plies: Option<u64>,
}

impl ClusterGame {
    fn first(self) -> usize {
        self.first as usize
    }

    fn second(self) -> usize {
        self.second as usize
    }
}

/// Points and counts of all bots.
#[derive(Debug, Clone, Default)]
pub struct Standings {
    ranking: Ranking,
    tie_break: TieBreak,
    rows: Vec<Row>,
    numbers: HashMap<String, usize>,
    encounters: Encounters,
    /// By a hash of the two bots and the `Pair` tag, so that a game that waits for its partner
    /// takes few bytes.
    half_pairs: BTreeMap<u64, ClusterGame>,
    first_side: FirstSideResults,
    /// The number of copies of each game, by a hash of its bots, their sides and its plies, and of
    /// each cluster, by a hash of its games.
    copies: HashMap<u64, u32>,
    /// Number of pairings of two bots, the lower number first; filled only if the schedule reports
    /// pairings.
    pairings: BTreeMap<(usize, usize), u64>,
    byes: BTreeMap<usize, Vec<u64>>,
}

impl Standings {
    /// Standings without bots and games.
    pub fn new(ranking: Ranking) -> Standings {
        Standings { ranking, ..Standings::default() }
    }

    /// Sets the ranking, and what comes first among bots with the same points.
    pub fn rank_by(&mut self, ranking: Ranking, tie_break: TieBreak) {
        self.ranking = ranking;
        self.tie_break = tie_break;
    }

    /// The criteria of the table in words, the most important first.
    pub fn order(&self) -> Vec<&'static str> {
        let mut order = self.ranking.order().to_vec();
        if self.tie_break == TieBreak::Margin {
            order.insert(1, "margin");
        }
        order
    }

    /// Adds a bot, if it is new, and returns its number. Bots that are equal by the ranking stay in
    /// the order of these calls.
    pub fn enter(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.rows.len();
        self.numbers.insert(name.to_owned(), number);
        self.rows.push(Row { name: name.to_owned(), ..Row::default() });
        number
    }

    /// The same standings with other names of the bots; no two bots may get the same one.
    pub fn renamed(mut self, name: impl Fn(&str) -> String) -> Standings {
        for row in &mut self.rows {
            row.name = name(&row.name);
        }
        self.numbers = self.rows.iter().map(|row| row.name.clone()).zip(0..).collect();
        self
    }

    /// Records a pairing of two bots, given by their numbers, for Buchholz; the number of its games
    /// does not matter.
    pub fn pair(&mut self, one: usize, other: usize) {
        *self.pairings.entry((one.min(other), one.max(other))).or_default() += 1;
    }

    /// Records a bye, worth as many half points as a pairing.
    pub fn bye(&mut self, bot: usize, half_points: u64) {
        self.rows[bot].half_points += half_points;
        self.rows[bot].bye_half_points += half_points;
        self.byes.entry(bot).or_default().push(half_points);
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Scored<'_>) {
        let first = self.enter(game.first);
        let second = self.enter(game.second);
        // Without a score neither bot started, which both lose, or the game was aborted.
        let Some(score) = game.score else {
            for bot in [first, second] {
                let row = &mut self.rows[bot];
                if game.outcome == "forfeit" {
                    row.games += 1;
                    row.losses += 1;
                    row.both_lost += 1;
                    row.add_forfeit(game.termination);
                } else {
                    row.aborted += 1;
                }
            }
            return;
        };
        match score {
            Score::Win => self.first_side.wins += 1,
            Score::Draw => self.first_side.draws += 1,
            Score::Loss => self.first_side.losses += 1,
        }
        let mut repeats = 0;
        if let Some(plies) = game.plies {
            repeats = self.add_copy(hash_of(&(first, second, plies)));
        }
        let margin = game.margin.map_or(0, Margin::hundredths);
        for (bot, own) in [(first, score), (second, score.of_opponent())] {
            let row = &mut self.rows[bot];
            row.games += 1;
            row.half_points += own.half_points();
            row.repeated += u64::from(repeats > 0);
            match own {
                Score::Win => {
                    row.wins += 1;
                    row.margin += margin;
                }
                Score::Draw => row.draws += 1,
                Score::Loss => {
                    row.losses += 1;
                    row.margin -= margin;
                    row.suicides += u64::from(game.outcome == "suicide");
                    if game.outcome == "forfeit" {
                        row.add_forfeit(game.termination);
                    }
                }
            }
        }
        let counted =
            ClusterGame { first: first as u32, second: second as u32, score, plies: game.plies };
        self.count(counted, game.pair);
    }

    /// Counts a game in the encounters, together with its partner if the two are a pair.
    fn count(&mut self, game: ClusterGame, pair: Option<&str>) {
        let Some(pair) = pair else {
            return self.add_cluster(&[game], Cluster::Single(game.score));
        };
        let one = game.first.min(game.second);
        let other = game.first.max(game.second);
        let key = hash_of(&(one, other, pair));
        if let Some(earlier) = self.half_pairs.remove(&key) {
            if earlier.first == game.second {
                let scores = [earlier.score, game.score];
                return self.add_cluster(&[earlier, game], Cluster::Pair(scores));
            }
            // Two games with the same sides are not a pair of this schedule, even if their tags
            // are equal.
            self.add_cluster(&[earlier], Cluster::Single(earlier.score));
        }
        self.half_pairs.insert(key, game);
    }

    /// Counts the games of a cluster of this result.
    fn add_cluster(&mut self, games: &[ClusterGame], cluster: Cluster) {
        let mut keys: Vec<u64> = games.iter().map(hash_of).collect();
        // Pairs are the same also if their games were played in another order.
        keys.sort_unstable();
        // Of games whose plies are not known it cannot be told.
        let can_repeat = games.iter().all(|game| game.plies.is_some());
        let copies = if can_repeat { self.add_copy(hash_of(&keys)) } else { 0 };
        self.encounters.add(games[0].first(), games[0].second(), cluster, copies);
    }

    /// How many copies of this game or cluster there were before; now there is one more, if it is
    /// known or there is room.
    fn add_copy(&mut self, hash: u64) -> u32 {
        if let Some(copies) = self.copies.get_mut(&hash) {
            *copies += 1;
            return *copies - 1;
        }
        if self.copies.len() < HASHES_KEPT {
            self.copies.insert(hash, 1);
        }
        0
    }

    /// Ends a log: a game whose partner is missing counts as a single game.
    pub fn end_of_log(&mut self) {
        for game in std::mem::take(&mut self.half_pairs).into_values() {
            self.add_cluster(&[game], Cluster::Single(game.score));
        }
    }

    /// The counts of all bots, in the order of [`enter`](Standings::enter).
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The counters that ratings need, without games whose partner is still missing.
    pub fn encounters(&self) -> &Encounters {
        &self.encounters
    }

    /// Results of the first side.
    pub fn first_side(&self) -> FirstSideResults {
        self.first_side
    }

    /// Number of byes of a bot.
    pub fn byes(&self, bot: usize) -> usize {
        self.byes.get(&bot).map_or(0, Vec::len)
    }

    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The half width of the 95 % interval of each bot's score share, computed over pairs
    /// (definition 12); `None` without games.
    pub fn share_errors(&self) -> Vec<Option<f64>> {
        let shares: Vec<Option<f64>> = self.rows.iter().map(Row::share).collect();
        // Of each bot, Σ (S_c - s m_c)² over the clusters of its games.
        let mut sums = vec![0.0; self.rows.len()];
        for ((first, second), cell) in self.encounters.iter() {
            for (cluster, occurred) in cell.clusters() {
                let games = cluster.games();
                let half_points = cluster.half_points();
                let count = occurred.squares as f64;
                sums[first] += count * squared_excess(shares[first], games, half_points);
                let of_other = 2 * games - half_points;
                sums[second] += count * squared_excess(shares[second], games, of_other);
            }
        }
        for game in self.half_pairs.values() {
            for (bot, score) in
                [(game.first(), game.score), (game.second(), game.score.of_opponent())]
            {
                sums[bot] += squared_excess(shares[bot], 1, score.half_points());
            }
        }
        for (bot, row) in self.rows.iter().enumerate() {
            sums[bot] += row.both_lost as f64 * squared_excess(shares[bot], 1, 0);
        }
        let mut errors = Vec::new();
        for (row, sum) in self.rows.iter().zip(sums) {
            errors.push((row.games > 0).then(|| Z * sum.sqrt() / row.games as f64));
        }
        errors
    }
}

/// How far the points of a cluster are from what this share of them would be, squared.
fn squared_excess(share: Option<f64>, games: u64, half_points: u64) -> f64 {
    let expected = share.unwrap_or_default() * games as f64;
    (half_points as f64 / 2.0 - expected).powi(2)
}

fn hash_of(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
