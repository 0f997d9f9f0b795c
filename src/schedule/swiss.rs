//! Bots with as equal points as possible meet, and nobody twice.
//!
//! A round begins when all games of the round before are settled. Bots are put in order by points (byes included), then
//! configuration. With an odd number the bye goes to the lowest of those who have had fewest, such that the others can
//! be paired without a rematch, or else with the fewest. Then the others are paired such that these sums are least,
//! an earlier one before all later ones:
//!
//! 1. rematches; they are marked,
//! 2. squared differences of points,
//! 3. if `games` is odd, squared imbalances after the round: games as first side less games as second side. In each
//!    pairing the bot with the lower imbalance is named first, the better one of equals;
//! 4. squared deviations from upper half against lower half. In a score group of m bots, at places 0 to m - 1, a pairing
//!    of places p < q deviates by (q - p) - m/2. Of a pairing across groups, the upper bot should be the last of its
//!    group and the lower one the first of its own; how many places each is away from that is squared. (The bot with
//!    the bye is in no group. Deviations are counted double to stay whole.)

use super::matching::cheapest_pairs;
use super::results::Results;
use super::stretch::{Earlier, Stretch};
use super::{Bye, Note, Step};
use std::cmp::Reverse;
use std::collections::VecDeque;

#[derive(Debug, Clone)]
pub(super) struct Swiss {
    bots: usize,
    games: u32,
    rounds: u32,
    /// The round that is being played.
    round: u32,
    meetings: u64,
    /// How often each two have met, in a square.
    met: Vec<u32>,
    /// Pairings in which a bot was named first less those in which it was second.
    balance: Vec<i64>,
    had_bye: Vec<u32>,
    /// Pairings of the round that are still to be handed out.
    stretches: VecDeque<Stretch>,
    handed_out: u64,
    pub(super) byes: Vec<Bye>,
    pub(super) notes: Vec<Note>,
}

/// A bot at its place in the order of a round.
#[derive(Debug, Clone, Copy)]
struct Placed {
    bot: usize,
    points: u64,
    /// Its place in its score group, and the size of that.
    place: usize,
    group: usize,
}

impl Swiss {
    pub(super) fn new(bots: usize, games: u32, rounds: u32) -> Swiss {
        let many = u64::from(rounds) * 2 > bots as u64;
        Swiss {
            bots,
            games,
            rounds,
            round: 0,
            meetings: 0,
            met: vec![0; bots * bots],
            balance: vec![0; bots],
            had_bye: vec![0; bots],
            stretches: VecDeque::new(),
            handed_out: 0,
            byes: Vec::new(),
            notes: many.then_some(Note::ManyRounds { rounds, bots }).into_iter().collect(),
        }
    }

    pub(super) fn next(&mut self, results: &Results) -> Step {
        loop {
            if let Some(stretch) = self.stretches.pop_front() {
                self.handed_out += stretch.end;
                return Step::Play(stretch);
            }
            if self.round == self.rounds {
                return Step::Over;
            }
            if results.prefix() < self.handed_out {
                return Step::Wait;
            }
            self.begin_round(results);
        }
    }

    fn begin_round(&mut self, results: &Results) {
        self.round += 1;
        let of_bye = 2 * u64::from(self.games);
        let points = |bot| results.points(bot) + u64::from(self.had_bye[bot]) * of_bye;
        let mut order: Vec<(usize, u64)> = (0..self.bots).map(|bot| (bot, points(bot))).collect();
        order.sort_by_key(|&(_, points)| Reverse(points));
        if self.bots % 2 == 1 {
            let (bot, _) = order.remove(self.place_of_bye(&order));
            self.had_bye[bot] += 1;
            self.byes.push(Bye { round: self.round, bot });
        }
        let placed = in_groups(&order);
        let cost = |a: usize, b: usize| Some(self.cost(placed[a], placed[b]));
        let partners = cheapest_pairs(placed.len(), cost).unwrap_or_default(); // all may be paired, so there is a way
        for (place, &partner) in partners.iter().enumerate().filter(|&(place, &partner)| place < partner) {
            self.pair(placed[place].bot, placed[partner].bot);
        }
    }

    /// Who pauses, as a place in the order: the lowest one who leaves the others without a rematch, or with the fewest.
    fn place_of_bye(&self, order: &[(usize, u64)]) -> usize {
        let fewest = self.had_bye.iter().min().copied().unwrap_or(0);
        let may_pause = |place: &usize| self.had_bye[order[*place].0] == fewest;
        let rematch = |a: usize, b: usize| self.is_rematch(order[a].0, order[b].0);
        let (nobody, last) = (order.len(), order.len() - 1);
        let lowest = (0..order.len()).rfind(may_pause).unwrap_or(last);
        let others: Vec<usize> = (0..order.len()).filter(|&place| place != lowest).collect();
        let new = |a: usize, b: usize| (rematch(others[a], others[b]) == 0).then_some([0]);
        if cheapest_pairs(others.len(), new).is_some() {
            return lowest; // nearly always, and quickly found
        }
        // Who pauses is the partner of somebody who is not there. To be higher in the order counts after the rematches
        // of the others. Somebody may pause and all others may be paired, so there is a way.
        let cost = |a: usize, b: usize| match b {
            b if b < nobody => Some([rematch(a, b), 0]),
            _ => may_pause(&a).then_some([0, (last - a) as i128]),
        };
        cheapest_pairs(nobody + 1, cost).map_or(last, |partners| partners[nobody])
    }

    /// What it costs that two meet, of whom `upper` is earlier in the order.
    fn cost(&self, upper: Placed, lower: Placed) -> [i128; 4] {
        let square = |number: i128| number * number;
        let points = square(i128::from(upper.points.abs_diff(lower.points)));
        let sides = if self.games % 2 == 1 {
            let (one, other) = (self.balance[upper.bot], self.balance[lower.bot]);
            square(i128::from(one.min(other) + 1)) + square(i128::from(one.max(other) - 1))
        } else {
            0
        };
        let deviation = if upper.points == lower.points {
            square(2 * (lower.place - upper.place) as i128 - upper.group as i128)
        } else {
            square(2 * (upper.group - 1 - upper.place) as i128) + square(2 * lower.place as i128)
        };
        [self.is_rematch(upper.bot, lower.bot), points, sides, deviation]
    }

    fn is_rematch(&self, one: usize, other: usize) -> i128 {
        i128::from(self.met[one * self.bots + other] > 0)
    }

    fn pair(&mut self, upper: usize, lower: usize) {
        let lower_begins = self.games % 2 == 1 && self.balance[lower] < self.balance[upper];
        let bots = if lower_begins { [lower, upper] } else { [upper, lower] };
        let [first, second] = bots;
        let before = self.met[first * self.bots + second];
        let (meeting, round) = (self.meetings, self.round);
        if before > 0 {
            self.notes.push(Note::Rematch { round, meeting, bots });
        }
        self.meetings += 1;
        self.met[first * self.bots + second] += 1;
        self.met[second * self.bots + first] += 1;
        self.balance[first] += 1;
        self.balance[second] -= 1;
        let earlier = Earlier::pairings(before, self.games);
        let end = u64::from(self.games);
        self.stretches.push_back(Stretch { meeting, round, bots, earlier, played: 0, end });
    }
}

/// Adds to bots in order of points their places in the groups of equal points.
fn in_groups(order: &[(usize, u64)]) -> Vec<Placed> {
    let mut placed = Vec::with_capacity(order.len());
    for bots in order.chunk_by(|one, other| one.1 == other.1) {
        let in_group = |(place, &(bot, points))| Placed { bot, points, place, group: bots.len() };
        placed.extend(bots.iter().enumerate().map(in_group));
    }
    placed
}
