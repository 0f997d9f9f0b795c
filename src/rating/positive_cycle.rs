//! Whether the first side's advantage has a unique finite estimate (definition 6), decided by cycles of
//! positive weight.

use super::groups::{Arrow, Arrows, RatingGroups};
use std::fmt;

/// Why the first side's advantage is not estimated (definition 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unestimated {
    /// The likelihood increases without limit for larger values.
    PlusInfinite,
    /// The likelihood increases without limit for smaller values.
    MinusInfinite,
    /// The games do not determine it.
    Unidentified,
    /// The maximum was not found within the allowed steps; then there are no ratings either (definitions 8
    /// and 17).
    NotFound,
}

impl Unestimated {
    /// The word in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Unestimated::PlusInfinite => "+inf",
            Unestimated::MinusInfinite => "-inf",
            Unestimated::Unidentified => "unidentified",
            Unestimated::NotFound => "not-found",
        }
    }
}

impl fmt::Display for Unestimated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Why the first side's advantage cannot be estimated; none if it can.
pub(super) fn why_not_estimated(arrows: &Arrows, groups: &RatingGroups) -> Option<Unestimated> {
    // A game in which the second side scored is evidence against a large advantage, but only on a cycle: a
    // difference of ratings explains any single game.
    let against_plus = has_positive_cycle(arrows, groups, |arrow| arrow.as_second);
    let against_minus = has_positive_cycle(arrows, groups, |arrow| arrow.as_first);
    match (against_plus, against_minus) {
        (true, true) => None,
        (false, true) => Some(Unestimated::PlusInfinite),
        (true, false) => Some(Unestimated::MinusInfinite),
        (false, false) => Some(Unestimated::Unidentified),
    }
}

const NO_BOT: usize = usize::MAX;

/// Whether a group has a cycle of positive weight, where an arrow has weight 1 if it is `up` and -1 if not.
///
/// Bellman-Ford for longest walks, visiting only bots whose value has just increased. If there is a positive
/// cycle, the predecessors in `from` soon form a cycle; if there is none, values stop changing after at most
/// as many rounds as there are bots. In tournaments both happen after a few rounds.
fn has_positive_cycle(arrows: &Arrows, groups: &RatingGroups, up: impl Fn(&Arrow) -> bool) -> bool {
    let bots = arrows.bots();
    let mut highest = vec![0_i64; bots];
    let mut from = vec![NO_BOT; bots];
    let mut risen: Vec<usize> = (0..bots).collect();
    let mut listed = vec![false; bots];
    for _ in 0..bots {
        let mut next = Vec::new();
        for &bot in &risen {
            for arrow in arrows.of(bot).iter().filter(|arrow| groups.of[arrow.to] == groups.of[bot]) {
                let height = highest[bot] + if up(arrow) { 1 } else { -1 };
                if height > highest[arrow.to] {
                    highest[arrow.to] = height;
                    from[arrow.to] = bot;
                    if !listed[arrow.to] {
                        listed[arrow.to] = true;
                        next.push(arrow.to);
                    }
                }
            }
        }
        if next.is_empty() {
            return false;
        }
        if has_cycle(&from) {
            return true;
        }
        next.iter().for_each(|&bot| listed[bot] = false);
        risen = next;
    }
    true
}

/// Whether the predecessors in `from` contain a cycle.
fn has_cycle(from: &[usize]) -> bool {
    let mut seen_in = vec![NO_BOT; from.len()]; // the start of the walk in which a bot was seen
    for start in 0..from.len() {
        let mut bot = start;
        while bot != NO_BOT && seen_in[bot] == NO_BOT {
            seen_in[bot] = start;
            bot = from[bot];
        }
        if bot != NO_BOT && seen_in[bot] == start {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::head_to_head::head_to_heads;
    use super::*;
    use crate::standings::{Encounters, Score};
    use proptest::prelude::*;

    fn found(bots: usize, games: &[(usize, usize, Score)]) -> Option<Unestimated> {
        let mut encounters = Encounters::default();
        games.iter().for_each(|&(first, second, score)| encounters.add_single(first, second, score));
        let arrows = Arrows::new(bots, &head_to_heads(&encounters));
        let groups = RatingGroups::new(&arrows);
        why_not_estimated(&arrows, &groups)
    }

    /// The largest sum of all closed walks with at most `BOTS` arrows, by enumeration: every closed walk
    /// consists of such ones.
    fn largest(weights: &[[Option<i32>; BOTS]; BOTS], start: usize, at: usize, sum: i32, left: usize) -> i32 {
        let mut best = i32::MIN;
        for (next, weight) in weights[at].iter().enumerate() {
            let Some(weight) = weight else { continue };
            if next == start {
                best = best.max(sum + weight);
            }
            if left > 1 {
                best = best.max(largest(weights, start, next, sum + weight, left - 1));
            }
        }
        best
    }

    const BOTS: usize = 5;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn agrees_with_all_closed_walks(
            games in prop::collection::vec((0..BOTS, 0..BOTS, 0..7_usize), 0..12),
            decided in 0..3_usize,
        ) {
            let games: Vec<(usize, usize, Score)> = games
                .into_iter()
                .filter(|(first, second, _)| first != second)
                .map(|(first, second, lot)| {
                    // Usually one side wins, or neither: otherwise both kinds of cycles exist nearly always.
                    let usual = [Score::Win, Score::Loss, Score::Draw][decided];
                    let score = if lot < 5 { usual } else if lot == 5 { usual.of_opponent() } else { Score::Draw };
                    (first, second, score)
                })
                .collect();
            // Arrows between groups are on no cycle, so they need not be left out here.
            let [plus, minus] = [1, -1].map(|sign| {
                let mut weights = [[None; BOTS]; BOTS];
                for &(first, second, score) in &games {
                    if score != Score::Loss {
                        weights[first][second] = weights[first][second].max(Some(-sign));
                    }
                    if score != Score::Win {
                        weights[second][first] = weights[second][first].max(Some(sign));
                    }
                }
                (0..BOTS).any(|start| largest(&weights, start, start, 0, BOTS) > 0)
            });
            let expected = match (plus, minus) {
                (true, true) => None,
                (false, true) => Some(Unestimated::PlusInfinite),
                (true, false) => Some(Unestimated::MinusInfinite),
                (false, false) => Some(Unestimated::Unidentified),
            };
            prop_assert_eq!(found(BOTS, &games), expected);
        }
    }

    #[test]
    fn the_first_side_that_always_wins_has_no_finite_advantage() {
        let game = |score| [(0, 1, score), (1, 0, score)];
        assert_eq!(found(2, &game(Score::Win)), Some(Unestimated::PlusInfinite));
        assert_eq!(found(2, &game(Score::Loss)), Some(Unestimated::MinusInfinite));
        assert_eq!(found(2, &game(Score::Draw)), None);
        assert_eq!(found(2, &[(0, 1, Score::Win), (0, 1, Score::Loss)]), Some(Unestimated::Unidentified));
        assert_eq!(found(3, &[]), Some(Unestimated::Unidentified));
    }

    #[test]
    fn many_bots_with_no_rising_walk_end_in_good_time() {
        // Every bot beats all weaker bots with the second side and the next stronger one with the first: a
        // walk down gains at most one for every rank, and the way back up loses as much.
        let bots = 600;
        let mut games = Vec::new();
        for weak in 0..bots {
            for strong in weak + 1..bots {
                games.push((weak, strong, Score::Loss));
                if strong == weak + 1 {
                    games.push((weak, strong, Score::Win));
                }
            }
        }
        assert_eq!(found(bots, &games), Some(Unestimated::PlusInfinite));
    }
}
