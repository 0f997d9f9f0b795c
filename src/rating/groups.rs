//! Which bots can be compared: the graph with an arrow from each bot that scored to its opponent, the groups,
//! which are its strongly connected components, and the order of groups (definition 5).

use super::head_to_head::HeadToHead;
use std::ops::Range;

/// How a group relates to another (definition 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GroupRelation {
    /// Its bots scored against the other's, directly or through other groups, and never the reverse.
    Above,
    /// The other is above it.
    Below,
    /// Neither is above the other.
    NotComparable,
    /// Both are the same group.
    Same,
}

/// An arrow of a bot, the scorer, that took at least half a point from the bot `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arrow {
    pub(super) to: usize,
    /// Whether it scored in a game in which it had the first side.
    pub(super) as_first: bool,
    /// Whether it scored in a game in which it had the second side.
    pub(super) as_second: bool,
}

/// The arrows of every bot.
#[derive(Debug)]
pub(super) struct Arrows {
    /// The index in `all` of each bot's first arrow, then the length of `all`.
    starts: Vec<usize>,
    all: Vec<Arrow>,
}

impl Arrows {
    pub(super) fn new(bots: usize, head_to_heads: &[HeadToHead]) -> Arrows {
        let mut starts = vec![0; bots + 1];
        for (from, _) in head_to_heads.iter().flat_map(arrows) {
            starts[from + 1] += 1;
        }
        for bot in 0..bots {
            starts[bot + 1] += starts[bot];
        }
        let mut next = starts.clone();
        let mut all = vec![Arrow { to: 0, as_first: false, as_second: false }; starts[bots]];
        for (from, arrow) in head_to_heads.iter().flat_map(arrows) {
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

/// The arrows between two bots, each with its scorer.
fn arrows(head_to_head: &HeadToHead) -> impl Iterator<Item = (usize, Arrow)> {
    let &HeadToHead { a, b, by_first: [a_first, b_first] } = head_to_head;
    let of_a = Arrow { to: b, as_first: a_first.first_scored(), as_second: b_first.second_scored() };
    let of_b = Arrow { to: a, as_first: b_first.first_scored(), as_second: a_first.second_scored() };
    [(a, of_a), (b, of_b)].into_iter().filter(|(_, arrow)| arrow.as_first || arrow.as_second)
}

/// The groups, largest first, groups of equal size by their first bots. Numbers count from 0 here.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RatingGroups {
    /// The bots of each group in configuration order.
    pub(super) members: Vec<Vec<usize>>,
    /// The group of each bot.
    pub(super) of: Vec<usize>,
    /// A bit matrix: the groups that can be reached along arrows from each group.
    reached: Vec<u64>,
}

impl RatingGroups {
    pub(super) fn new(arrows: &Arrows) -> RatingGroups {
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
        // A component comes after all components that it reaches, so their rows are complete.
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
        RatingGroups { members, of, reached }
    }

    pub(super) fn relation(&self, a: usize, b: usize) -> GroupRelation {
        if a == b {
            GroupRelation::Same
        } else if self.leads(a, b) {
            GroupRelation::Above
        } else if self.leads(b, a) {
            GroupRelation::Below
        } else {
            GroupRelation::NotComparable
        }
    }

    fn leads(&self, from: usize, to: usize) -> bool {
        let words = self.members.len().div_ceil(64);
        self.reached[from * words + to / 64] >> (to % 64) & 1 == 1
    }
}

/// A bot on the stack of the depth-first search, with the number of its arrows that have been followed.
struct Visit {
    bot: usize,
    followed: usize,
}

/// The strongly connected components, each sorted; a component comes after all those that it reaches.
/// Tarjan's algorithm (1972) with an explicit stack: recursion along a long chain of bots could overflow the
/// thread's stack.
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
    use super::super::head_to_head::head_to_heads;
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
            let groups = RatingGroups::new(&Arrows::new(7, &head_to_heads(&encounters)));
            for (a, from_a) in leads.iter().enumerate() {
                for (b, from_b) in leads.iter().enumerate() {
                    let expected = match (a == b, from_a[b], from_b[a]) {
                        (true, _, _) | (_, true, true) => GroupRelation::Same,
                        (_, true, false) => GroupRelation::Above,
                        (_, false, true) => GroupRelation::Below,
                        (_, false, false) => GroupRelation::NotComparable,
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
        let groups = RatingGroups::new(&Arrows::new(bots, &head_to_heads(&encounters)));
        assert_eq!(groups.members[0].len(), bots / 2);
        assert_eq!(groups.members.len(), bots / 2 + 1);
        assert_eq!(groups.relation(1, 0), GroupRelation::Above);
        assert_eq!(groups.relation(2, 1), GroupRelation::Below);
    }
}
