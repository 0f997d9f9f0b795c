//! Whether the first side's advantage has a unique finite maximum (definition 6): closed walks of positive sum.

use super::groups::{Arrow, Arrows, Groups};
use super::ratings::Unestimated;

/// Nothing if the first side's advantage can be estimated, else why not.
pub(super) fn obstacle(arrows: &Arrows, groups: &Groups) -> Option<Unestimated> {
    // A game that the second side scored in speaks against a great advantage; but only round a closed walk, since a
    // difference of ratings explains any single one.
    let against_plus = rises(arrows, groups, |arrow| arrow.as_second);
    let against_minus = rises(arrows, groups, |arrow| arrow.as_first);
    match (against_plus, against_minus) {
        (true, true) => None,
        (false, true) => Some(Unestimated::PlusInfinite),
        (true, false) => Some(Unestimated::MinusInfinite),
        (false, false) => Some(Unestimated::Unidentified),
    }
}

const NOBODY: usize = usize::MAX;

/// There is a closed walk of positive sum inside a group, where an arrow counts 1 if it is `up` and -1 if not.
///
/// Bellman-Ford for longest walks, with only those bots followed whose value has just risen. A walk that rises for ever
/// soon bites its own tail in `from`; if none does, values stand still after as many rounds as there are bots. In a
/// tournament both happen after a few rounds.
fn rises(arrows: &Arrows, groups: &Groups, up: impl Fn(&Arrow) -> bool) -> bool {
    let bots = arrows.bots();
    let mut highest = vec![0_i64; bots];
    let mut from = vec![NOBODY; bots];
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
        if has_circle(&from) {
            return true;
        }
        next.iter().for_each(|&bot| listed[bot] = false);
        risen = next;
    }
    true
}

/// Following `from` leads back to some bot.
fn has_circle(from: &[usize]) -> bool {
    let mut seen_in = vec![NOBODY; from.len()]; // the start of the walk in which a bot was seen
    for start in 0..from.len() {
        let mut bot = start;
        while bot != NOBODY && seen_in[bot] == NOBODY {
            seen_in[bot] = start;
            bot = from[bot];
        }
        if bot != NOBODY && seen_in[bot] == start {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::meetings::meetings;
    use super::*;
    use crate::standings::{Encounters, Score};
    use proptest::prelude::*;

    fn found(bots: usize, games: &[(usize, usize, Score)]) -> Option<Unestimated> {
        let mut encounters = Encounters::default();
        games.iter().for_each(|&(first, second, score)| encounters.add_single(first, second, score));
        let arrows = Arrows::new(bots, &meetings(&encounters));
        let groups = Groups::new(&arrows);
        obstacle(&arrows, &groups)
    }

    /// The largest sum of all closed walks with at most `BOTS` arrows, by plain enumeration: every closed walk falls
    /// apart into such ones.
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
                    // Mostly one side wins, or none of them: else both kinds of walks are nearly always there.
                    let usual = [Score::Win, Score::Loss, Score::Draw][decided];
                    let score = if lot < 5 { usual } else if lot == 5 { usual.of_opponent() } else { Score::Draw };
                    (first, second, score)
                })
                .collect();
            // Arrows between groups lie on no closed walk: no need to leave them out here.
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
        // Everyone beats all weaker bots as the second side and the next stronger one as the first: a walk down gains
        // at most one for every rank, and the way back up loses as much.
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
