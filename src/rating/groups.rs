//! Who can be compared with whom: arrows from who scored to whom it scored against, the groups that they make, and which
//! group is above which (definition 5).

use super::meetings::Meeting;
use std::ops::Range;

/// How a group stands to another (definition 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Its bots scored against the other's, perhaps through groups between, and never the other way.
    Above,
    /// The other is above it.
    Below,
    /// Neither is above the other.
    NotComparable,
    /// It is the other.
    Same,
}

/// The scorer has taken at least half a point from the bot `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arrow {
    pub(super) to: usize,
    /// In a game in which the scorer had the first side.
    pub(super) as_first: bool,
    /// In a game in which the scorer had the second side.
    pub(super) as_second: bool,
}

/// The arrows of every bot.
#[derive(Debug)]
pub(super) struct Arrows {
    /// Where the arrows of each bot start in `all`, and the end.
    starts: Vec<usize>,
    all: Vec<Arrow>,
}

impl Arrows {
    pub(super) fn new(bots: usize, meetings: &[Meeting]) -> Arrows {
        let mut starts = vec![0; bots + 1];
        for (from, _) in meetings.iter().flat_map(arrows) {
            starts[from + 1] += 1;
        }
        for bot in 0..bots {
            starts[bot + 1] += starts[bot];
        }
        let mut next = starts.clone();
        let mut all = vec![Arrow { to: 0, as_first: false, as_second: false }; starts[bots]];
        for (from, arrow) in meetings.iter().flat_map(arrows) {
            all[next[from]] = arrow;
            next[from] += 1;
        }
        Arrows { starts, all }
    }

    pub(super) fn bots(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn of(&self, bot: usize) -> &[Arrow] {
        &self.all[self.range(bot)]
    }

    fn range(&self, bot: usize) -> Range<usize> {
        self.starts[bot]..self.starts[bot + 1]
    }
}

/// The arrows of a meeting, each with its scorer.
fn arrows(meeting: &Meeting) -> impl Iterator<Item = (usize, Arrow)> {
    let &Meeting { a, b, by_first: [a_first, b_first] } = meeting;
    let of_a = Arrow { to: b, as_first: a_first.first_scored(), as_second: b_first.second_scored() };
    let of_b = Arrow { to: a, as_first: b_first.first_scored(), as_second: a_first.second_scored() };
    [(a, of_a), (b, of_b)].into_iter().filter(|(_, arrow)| arrow.as_first || arrow.as_second)
}

/// The groups, largest first, equally large ones by their first bots. Numbers count from 0 here.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Groups {
    /// The bots of each group in configuration order.
    pub(super) members: Vec<Vec<usize>>,
    /// The group of each bot.
    pub(super) of: Vec<usize>,
    /// For each group a row of bits: the groups that arrows lead to from it.
    reached: Vec<u64>,
}

impl Groups {
    pub(super) fn new(arrows: &Arrows) -> Groups {
        let components = components(arrows);
        let mut numbers: Vec<usize> = (0..components.len()).collect();
        numbers.sort_by_key(|&at| (usize::MAX - components[at].len(), components[at][0]));
        let members: Vec<Vec<usize>> = numbers.iter().map(|&at| components[at].clone()).collect();
        let mut of = vec![0; arrows.bots()];
        for (number, bots) in members.iter().enumerate() {
            bots.iter().for_each(|&bot| of[bot] = number);
        }
        let mut number_of = vec![0; numbers.len()];
        for (number, &at) in numbers.iter().enumerate() {
            number_of[at] = number;
        }
        // A component comes after all that its arrows lead to, so that their rows are complete.
        let words = members.len().div_ceil(64);
        let mut reached = vec![0; members.len() * words];
        for &number in &number_of {
            let mut row = vec![0; words];
            for arrow in members[number].iter().flat_map(|&bot| arrows.of(bot)) {
                let other = of[arrow.to];
                if other != number && row[other / 64] >> (other % 64) & 1 == 0 {
                    row[other / 64] |= 1 << (other % 64);
                    let beyond = &reached[other * words..][..words];
                    row.iter_mut().zip(beyond).for_each(|(mine, &its)| *mine |= its);
                }
            }
            reached[number * words..][..words].copy_from_slice(&row);
        }
        Groups { members, of, reached }
    }

    pub(super) fn relation(&self, a: usize, b: usize) -> Relation {
        if a == b {
            Relation::Same
        } else if self.leads(a, b) {
            Relation::Above
        } else if self.leads(b, a) {
            Relation::Below
        } else {
            Relation::NotComparable
        }
    }

    fn leads(&self, from: usize, to: usize) -> bool {
        let words = self.members.len().div_ceil(64);
        self.reached[from * words + to / 64] >> (to % 64) & 1 == 1
    }
}

/// A bot on the way of the search: how many of its arrows have been followed.
struct Visit {
    bot: usize,
    followed: usize,
}

/// The strongly connected components, each sorted, a component after all those that its arrows lead to (Tarjan 1972, with
/// the stack of calls as a list: a long chain of bots must not exhaust the thread's).
fn components(arrows: &Arrows) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let bots = arrows.bots();
    let mut seen_at = vec![UNSEEN; bots];
    let mut lowest = vec![UNSEEN; bots];
    let mut open = vec![false; bots];
    let mut stack = Vec::new();
    let mut found = Vec::new();
    let mut seen = 0;
    for root in 0..bots {
        if seen_at[root] != UNSEEN {
            continue;
        }
        let mut way = vec![Visit { bot: root, followed: 0 }];
        while let Some(visit) = way.last_mut() {
            let bot = visit.bot;
            if visit.followed == 0 && seen_at[bot] == UNSEEN {
                seen_at[bot] = seen;
                lowest[bot] = seen;
                seen += 1;
                open[bot] = true;
                stack.push(bot);
            }
            if let Some(arrow) = arrows.of(bot).get(visit.followed) {
                visit.followed += 1;
                if seen_at[arrow.to] == UNSEEN {
                    way.push(Visit { bot: arrow.to, followed: 0 });
                } else if open[arrow.to] {
                    lowest[bot] = lowest[bot].min(seen_at[arrow.to]);
                }
                continue;
            }
            way.pop();
            if let Some(before) = way.last() {
                lowest[before.bot] = lowest[before.bot].min(lowest[bot]);
            }
            if lowest[bot] == seen_at[bot] {
                let from = stack.iter().rposition(|&other| other == bot).unwrap_or(0);
                let mut component = stack.split_off(from);
                component.iter().for_each(|&member| open[member] = false);
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::meetings::meetings;
    use super::*;
    use crate::standings::{Encounters, Score};
    use proptest::prelude::*;

    fn score() -> impl Strategy<Value = Score> {
        prop_oneof![3 => Just(Score::Loss), 1 => Just(Score::Draw), 3 => Just(Score::Win)]
    }

    proptest! {
        #[test]
        fn groups_are_those_of_reachability(games in prop::collection::vec((0..7_usize, 0..7_usize, score()), 0..16)) {
            let mut encounters = Encounters::default();
            let mut leads = [[false; 7]; 7];
            for &(first, second, score) in games.iter().filter(|(first, second, _)| first != second) {
                encounters.add_single(first, second, score);
                leads[first][second] |= score != Score::Loss;
                leads[second][first] |= score != Score::Win;
            }
            for via in 0..7 {
                for from in 0..7 {
                    for to in 0..7 {
                        leads[from][to] |= leads[from][via] && leads[via][to];
                    }
                }
            }
            let groups = Groups::new(&Arrows::new(7, &meetings(&encounters)));
            for (a, from_a) in leads.iter().enumerate() {
                for (b, from_b) in leads.iter().enumerate() {
                    let expected = match (a == b, from_a[b], from_b[a]) {
                        (true, _, _) | (_, true, true) => Relation::Same,
                        (_, true, false) => Relation::Above,
                        (_, false, true) => Relation::Below,
                        (_, false, false) => Relation::NotComparable,
                    };
                    prop_assert_eq!(groups.relation(groups.of[a], groups.of[b]), expected);
                }
            }
            let order: Vec<_> = groups.members.iter().map(|bots| (usize::MAX - bots.len(), bots[0])).collect();
            prop_assert!(order.is_sorted());
            prop_assert!(groups.members.iter().all(|bots| bots.is_sorted()));
        }
    }

    #[test]
    fn a_chain_of_very_many_bots_is_no_trouble() {
        let bots = 20_000;
        let mut encounters = Encounters::default();
        for bot in 1..bots {
            encounters.add_single(bot - 1, bot, Score::Win);
        }
        encounters.add_single(bots / 2, bots - 1, Score::Draw);
        let groups = Groups::new(&Arrows::new(bots, &meetings(&encounters)));
        assert_eq!(groups.members[0].len(), bots / 2);
        assert_eq!(groups.members.len(), bots / 2 + 1);
        assert_eq!(groups.relation(1, 0), Relation::Above);
        assert_eq!(groups.relation(2, 1), Relation::Below);
    }
}
