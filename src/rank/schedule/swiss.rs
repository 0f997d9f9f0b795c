//! Swiss: bots with points as equal as possible are paired, and rematches are avoided.
//!
//! A round starts when all games of the previous round are settled. Bots are ordered by points
//! (byes included), then by configuration. With an odd number of bots one gets a bye: of those with
//! the fewest byes, the lowest whose absence allows pairing the others without rematches, or else
//! with the fewest. The others are paired so that these sums are least, an earlier sum outranking
//! all later ones:
//!
//! 1. rematches; each is reported in a note,
//! 2. squared differences of points,
//! 3. if `games` is odd, squared imbalances after the round: games with the first side less games
//!    with the second side. In each pairing the bot with the lower imbalance is named first, or the
//!    higher-ranked bot if they are equal;
//! 4. squared deviations from upper half against lower half. In a score group of m bots, at places
//!    0 to m - 1, a pairing of places p < q deviates by (q - p) - m/2. In a pairing across groups,
//!    the upper bot should be the last of its group and the lower bot the first of its own; the
//!    distance of each from that place is squared. (The bot with the bye is in no group. Deviations
//!    are doubled to stay integers.)

use super::batch::GameBatch;
use super::format::{Dependence, Format, FormatKind, FormatState, NextGames, Ranking};
use super::matching::cheapest_pairs;
use super::results::Results;
use super::{Bye, round_robin};
use std::cmp::Reverse;

pub(super) const KIND: FormatKind = FormatKind {
    word: "swiss",
    help: "bots with equal scores meet",
    dependence: Dependence::Rounds,
    pairs_equals: true,
    replays_aborted: false,
    games: |format, bots| bots / 2 * format.games_of_pairing(),
    openings: |format| u64::from(format.games).div_ceil(2),
    pairs_at_once: |format, bots| bots / 2 * u64::from(format.games).div_ceil(2),
    begin: |format, bots| Box::new(Swiss::new(format, bots.count())),
    ..round_robin::KIND
};

#[derive(Debug, Default)]
struct Swiss {
    bots: usize,
    games: u32,
    rounds: u32,
    /// The current round.
    round: u32,
    meetings: u64,
    /// Number of pairings of each two bots, as an n×n matrix.
    met: Vec<u32>,
    /// Pairings in which a bot was named first, less those in which it was second.
    balance: Vec<i64>,
    had_bye: Vec<u32>,
    byes: Vec<Bye>,
    /// The round and the bots of each rematch.
    rematches: Vec<(u32, [usize; 2])>,
}

/// A bot with its place in the order of a round.
#[derive(Debug, Clone, Copy)]
struct ScoreGroupPlace {
    bot: usize,
    points: u64,
    /// Its place in its score group.
    place: usize,
    /// The size of its score group.
    group: usize,
}

impl Swiss {
    fn new(format: &Format, bots: usize) -> Swiss {
        Swiss {
            bots,
            games: format.games,
            rounds: format.rounds,
            met: vec![0; bots * bots],
            balance: vec![0; bots],
            had_bye: vec![0; bots],
            ..Swiss::default()
        }
    }

    /// Pairs the bots of the next round.
    fn begin_round(&mut self, results: &Results) -> Vec<GameBatch> {
        self.round += 1;
        let of_bye = 2 * u64::from(self.games);
        let mut order = Vec::new();
        for (bot, &byes) in self.had_bye.iter().enumerate() {
            order.push((bot, results.points(bot) + u64::from(byes) * of_bye));
        }
        order.sort_by_key(|&(_, points)| Reverse(points));
        if self.bots % 2 == 1 {
            let (bot, _) = order.remove(self.place_of_bye(&order));
            self.had_bye[bot] += 1;
            self.byes.push(Bye { round: self.round, bot, half_points: of_bye });
        }
        let placed = in_groups(&order);
        let partners = cheapest_pairs(placed.len(), |a, b| Some(self.cost(placed[a], placed[b])));
        let mut batches = Vec::new();
        // Any two bots may be paired, so there is a solution.
        for (place, partner) in partners.unwrap_or_default().into_iter().enumerate() {
            if place < partner {
                batches.push(self.pair(placed[place].bot, placed[partner].bot));
            }
        }
        batches
    }

    /// The bot with the bye, as a place in the order: the lowest whose absence leaves the others
    /// without a rematch, or with the fewest.
    fn place_of_bye(&self, order: &[(usize, u64)]) -> usize {
        let fewest = self.had_bye.iter().min().copied().unwrap_or(0);
        let may_pause = |place: usize| self.had_bye[order[place].0] == fewest;
        let bye = order.len();
        let last = bye - 1;
        let lowest = (0..bye).rfind(|&place| may_pause(place)).unwrap_or(last);
        let mut others = order.to_vec();
        others.remove(lowest);
        let without_rematch = cheapest_pairs(others.len(), |a, b| {
            (self.rematches(others[a].0, others[b].0) == 0).then_some([0])
        });
        if without_rematch.is_some() {
            return lowest; // the usual case
        }
        // Otherwise add a vertex for the bye: the bot paired with it pauses. The place of that bot
        // counts less than the rematches of the others. Some bot may pause and any two others may
        // be paired, so there is a solution.
        let partners = cheapest_pairs(bye + 1, |a, b| {
            if b < bye {
                Some([self.rematches(order[a].0, order[b].0), 0])
            } else {
                may_pause(a).then_some([0, (last - a) as i128])
            }
        });
        partners.map_or(last, |partners| partners[bye])
    }

    /// The cost of pairing two bots; `upper` is earlier in the order.
    fn cost(&self, upper: ScoreGroupPlace, lower: ScoreGroupPlace) -> [i128; 4] {
        let points = i128::from(upper.points.abs_diff(lower.points)).pow(2);
        let sides = if self.games % 2 == 1 {
            let one = self.balance[upper.bot];
            let other = self.balance[lower.bot];
            i128::from(one.min(other) + 1).pow(2) + i128::from(one.max(other) - 1).pow(2)
        } else {
            0
        };
        let deviation = if upper.points == lower.points {
            (2 * (lower.place - upper.place) as i128 - upper.group as i128).pow(2)
        } else {
            let from_end = (upper.group - 1 - upper.place) as i128;
            (2 * from_end).pow(2) + (2 * lower.place as i128).pow(2)
        };
        [self.rematches(upper.bot, lower.bot), points, sides, deviation]
    }

    /// 1 if the two have met, else 0.
    fn rematches(&self, one: usize, other: usize) -> i128 {
        i128::from(self.met[one * self.bots + other] > 0)
    }

    /// The games of two bots, of which `upper` is earlier in the order.
    fn pair(&mut self, upper: usize, lower: usize) -> GameBatch {
        let lower_begins = self.games % 2 == 1 && self.balance[lower] < self.balance[upper];
        let bots = if lower_begins { [lower, upper] } else { [upper, lower] };
        let [first, second] = bots;
        let before = self.met[first * self.bots + second];
        if before > 0 {
            self.rematches.push((self.round, bots));
        }
        self.meetings += 1;
        self.met[first * self.bots + second] += 1;
        self.met[second * self.bots + first] += 1;
        self.balance[first] += 1;
        self.balance[second] -= 1;
        GameBatch {
            meeting: self.meetings - 1,
            round: self.round,
            bots,
            earlier: [before, self.games],
            played: 0,
            end: self.games.into(),
        }
    }
}

impl FormatState for Swiss {
    fn next(&mut self, results: &Results, handed_out: u64) -> NextGames {
        if self.round == self.rounds {
            NextGames::Over
        } else if results.prefix() < handed_out {
            NextGames::Wait
        } else {
            NextGames::Play(self.begin_round(results))
        }
    }

    fn ranking(&self) -> Ranking {
        Ranking::Swiss
    }

    fn byes(&self) -> &[Bye] {
        &self.byes
    }

    /// That late rounds pair bots with unequal points if there are many, and each rematch.
    fn notes(&self, names: &[String]) -> Vec<String> {
        let Swiss { bots, rounds, .. } = *self;
        let half = bots / 2;
        let mut notes = Vec::new();
        if rounds as usize * 2 > bots {
            notes.push(format!(
                "[schedule] rounds = {rounds}: with {bots} bots, rounds after round {half} pair \
                 bots with unequal points, because those with equal points have met",
            ));
        }
        for &(round, [one, other]) in &self.rematches {
            notes.push(format!(
                "round {round}: {} and {} meet again, because no other pairing of all bots was \
                 possible",
                names[one], names[other]
            ));
        }
        notes
    }
}

/// Adds to each bot, in the order of points, its place in its score group.
fn in_groups(order: &[(usize, u64)]) -> Vec<ScoreGroupPlace> {
    let mut placed = Vec::new();
    for bots in order.chunk_by(|one, other| one.1 == other.1) {
        let group = bots.len();
        for (place, &(bot, points)) in bots.iter().enumerate() {
            placed.push(ScoreGroupPlace { bot, points, place, group });
        }
    }
    placed
}
