#![cfg(test)]

use super::*;
use crate::standings::Score::{self, Draw, Loss, Win};
use proptest::prelude::*;

/// The bot with the first side in game 1, the other bot, the score of game 1, and of game 2 if there was one.
type GameOrPair = (usize, usize, Score, Option<Score>);

fn fit(bots: usize, entries: &[GameOrPair]) -> Ratings {
    Ratings::fit(bots, &encounters(entries))
}

fn encounters(entries: &[GameOrPair]) -> Encounters {
    let mut encounters = Encounters::default();
    for &(first, second, score, answer) in entries {
        match answer {
            Some(answer) => encounters.add_pair(first, second, [score, answer]),
            None => encounters.add_single(first, second, score),
        }
    }
    encounters
}

fn score() -> impl Strategy<Value = Score> {
    prop_oneof![Just(Loss), Just(Draw), Just(Win)]
}

fn tournament() -> impl Strategy<Value = Vec<GameOrPair>> {
    let entry = (0..6_usize, 1..6_usize, score(), prop::option::of(score()));
    prop::collection::vec(entry, 0..40).prop_map(|entries| {
        let entry = |(first, other, score, answer)| (first, (first + other) % 6, score, answer);
        entries.into_iter().map(entry).collect()
    })
}

fn near(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-6 * (1.0 + a.abs()),
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn turned(limit: Option<RatingLimit>) -> Option<RatingLimit> {
    limit.map(|limit| match limit {
        RatingLimit::AtLeast(rating) => RatingLimit::AtMost(-rating),
        RatingLimit::AtMost(rating) => RatingLimit::AtLeast(-rating),
    })
}

fn near_limits(a: Option<RatingLimit>, b: Option<RatingLimit>) -> bool {
    match (a, b) {
        (Some(RatingLimit::AtLeast(a)), Some(RatingLimit::AtLeast(b)))
        | (Some(RatingLimit::AtMost(a)), Some(RatingLimit::AtMost(b))) => {
            (a - b).abs() < 1e-6 * (1.0 + a.abs())
        }
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Compares widths by their squares, the variances: where one is zero, rounding leaves some 1e-11 of it, and its root is
/// more than `near` allows.
fn near_width(a: Option<f64>, b: Option<f64>) -> bool {
    near(a.map(|width| width * width), b.map(|width| width * width))
}

proptest! {
    #[test]
    fn at_the_maximum_every_bot_has_the_points_expected(entries in tournament()) {
        let ratings = fit(6, &entries);
        let first_side = ratings.first_side();
        prop_assert_eq!(first_side.estimate.is_none(), first_side.reason.is_some());
        prop_assert!(first_side.reason != Some(Unestimated::NotFound));
        let mut surplus = [0.0; 6];
        let mut surplus_of_first = 0.0;
        for &(a, b, score, answer) in &entries {
            for (first, second, score) in [Some((a, b, score)), answer.map(|answer| (b, a, answer))].into_iter().flatten() {
                if ratings.bots()[first].group == ratings.bots()[second].group {
                    let difference = ratings.bots()[first].rating.unwrap() - ratings.bots()[second].rating.unwrap();
                    let p = 1.0 / (1.0 + (-K * (difference + first_side.estimate.unwrap_or(0.0))).exp());
                    let excess = score.half_points() as f64 / 2.0 - p;
                    surplus[first] += excess;
                    surplus[second] -= excess;
                    surplus_of_first += excess;
                }
            }
        }
        prop_assert!(surplus.iter().all(|excess| excess.abs() < 1e-9), "{surplus:?}");
        prop_assert!(first_side.estimate.is_none() || surplus_of_first.abs() < 1e-9);
        for group in ratings.groups() {
            let sum: f64 = group.iter().filter_map(|&bot| ratings.bots()[bot].rating).sum();
            prop_assert!(sum.abs() < 1e-6);
        }
        for (number, rated) in ratings.bots().iter().enumerate() {
            let alone = ratings.groups()[rated.group - 1].len() == 1;
            prop_assert_eq!(rated.rating.is_none(), alone);
            prop_assert!(rated.rating.is_none_or(f64::is_finite));
            prop_assert_eq!(rated.half_width.is_none(), alone);
            prop_assert!(rated.half_width.is_none_or(|width| width > 0.0 && width.is_finite()));
            prop_assert!(rated.half_width_pairs.is_none_or(|width| width >= 0.0 && width.is_finite()));
            prop_assert_eq!(rated.half_width_pairs.is_some(), !alone && ratings.clusters() > ratings.parameters());
            prop_assert!(alone || rated.limit.is_none());
            for other in 0..6 {
                let superiority = ratings.superiority(number, other);
                prop_assert_eq!(superiority.is_some(), number != other && ratings.bots()[other].group == rated.group);
                if let Some(superiority) = superiority {
                    let back = ratings.superiority(other, number).unwrap();
                    prop_assert!(near(superiority.los.map(|los| 1.0 - los), back.los));
                    prop_assert!(near(superiority.los_pairs.map(|los| 1.0 - los), back.los_pairs));
                    prop_assert!(superiority.half_width > 0.0 && superiority.half_width == back.half_width);
                }
            }
        }
    }

    #[test]
    fn names_do_not_matter(entries in tournament(), order in Just([0, 1, 2, 3, 4, 5_usize]).prop_shuffle()) {
        let ratings = fit(6, &entries);
        let renamed: Vec<GameOrPair> = entries.iter().map(|&(a, b, s, t)| (order[a], order[b], s, t)).collect();
        let again = fit(6, &renamed);
        for (own, &place) in ratings.bots().iter().zip(&order) {
            let other = again.bots()[place];
            prop_assert!(near(own.rating, other.rating));
            prop_assert!(near(own.half_width, other.half_width));
            prop_assert!(near_width(own.half_width_pairs, other.half_width_pairs));
            // Which group is the first may depend on the order if several have the same size.
            let single_largest = ratings.groups().get(1).is_none_or(|second| second.len() < ratings.groups()[0].len());
            prop_assert!(!single_largest || near_limits(own.limit, other.limit));
        }
        prop_assert!(near_width(ratings.first_side().half_width_pairs, again.first_side().half_width_pairs));
        prop_assert!(near(ratings.log_likelihood(), again.log_likelihood()));
    }

    #[test]
    fn exchanging_sides_turns_the_advantage_and_exchanging_results_turns_the_ratings(entries in tournament()) {
        let ratings = fit(6, &entries);
        let results: Vec<GameOrPair> =
            entries.iter().map(|&(a, b, s, t)| (a, b, s.of_opponent(), t.map(Score::of_opponent))).collect();
        let both = fit(6, &results);
        let sides: Vec<GameOrPair> =
            entries.iter().map(|&(a, b, s, t)| (b, a, s.of_opponent(), t.map(Score::of_opponent))).collect();
        let turned_sides = fit(6, &sides);
        for bot in 0..6 {
            let own = ratings.bots()[bot];
            prop_assert!(near(own.rating, both.bots()[bot].rating.map(|rating| -rating)));
            prop_assert!(near_limits(own.limit, turned(both.bots()[bot].limit)));
            prop_assert!(near(own.half_width, both.bots()[bot].half_width));
            prop_assert!(near(own.rating, turned_sides.bots()[bot].rating));
            prop_assert!(near_limits(own.limit, turned_sides.bots()[bot].limit));
            prop_assert!(near_width(own.half_width_pairs, turned_sides.bots()[bot].half_width_pairs));
        }
        for other in [both, turned_sides] {
            prop_assert!(near(ratings.first_side().estimate, other.first_side().estimate.map(|estimate| -estimate)));
            prop_assert!(near(ratings.first_side().half_width, other.first_side().half_width));
            prop_assert_eq!(ratings.first_side().reason.map(turned_reason), other.first_side().reason);
        }
    }

    #[test]
    fn four_times_the_games_halve_the_widths(entries in tournament()) {
        let ratings = fit(6, &entries);
        let four = fit(6, &[&entries[..]; 4].concat());
        for (own, other) in ratings.bots().iter().zip(four.bots()) {
            prop_assert!(near(own.rating, other.rating));
            prop_assert!(near(own.half_width, other.half_width.map(|width| 2.0 * width)));
        }
    }

    #[test]
    fn lopsided_counts_are_fitted_too(
        games in prop::collection::vec((0..5_usize, 1..5_usize, score(), 0..20_u32), 1..14),
    ) {
        let mut counted = std::collections::BTreeMap::new();
        for (first, other, score, power) in games {
            *counted.entry((first, (first + other) % 5, score)).or_insert(0_u64) += 1 << power;
        }
        let groups = |counts: &std::collections::BTreeMap<(usize, usize, Score), u64>| {
            let mut encounters = Encounters::default();
            counts.keys().for_each(|&(first, second, score)| encounters.add_single(first, second, score));
            let head_to_heads = head_to_heads(&encounters);
            let arrows = Arrows::new(5, &head_to_heads);
            let groups = RatingGroups::new(&arrows);
            let obstacle = why_not_estimated(&arrows, &groups);
            (groups, head_to_heads, obstacle)
        };
        let (groups, mut head_to_heads, obstacle) = groups(&counted);
        for head_to_head in &mut head_to_heads {
            for (side, (first, second)) in [(head_to_head.a, head_to_head.b), (head_to_head.b, head_to_head.a)].into_iter().enumerate() {
                let [lost, drawn, won] =
                    Score::ALL.map(|score| counted.get(&(first, second, score)).copied().unwrap_or(0));
                head_to_head.by_first[side].count = lost + drawn + won;
                head_to_head.by_first[side].half_points = drawn + 2 * won;
            }
        }
        let advantage = if obstacle.is_none() { Advantage::Estimated } else { Advantage::Zero };
        let found = maximize(&Likelihood::new(&groups, &head_to_heads, advantage), STEPS);
        prop_assert!(found.is_some(), "{counted:?}");
    }
}

fn turned_reason(reason: Unestimated) -> Unestimated {
    match reason {
        Unestimated::PlusInfinite => Unestimated::MinusInfinite,
        Unestimated::MinusInfinite => Unestimated::PlusInfinite,
        Unestimated::Unidentified | Unestimated::NotFound => reason,
    }
}

#[test]
fn without_bots_or_games_there_are_no_ratings() {
    let ratings = Ratings::fit(0, &Encounters::default());
    assert!(ratings.bots().is_empty() && ratings.groups().is_empty());
    let ratings = Ratings::fit(2, &Encounters::default());
    assert_eq!(ratings.bots()[1], BotRating::unrated(1));
    assert_eq!(ratings.relation(1, 2), GroupRelation::NotComparable);
    assert_eq!(ratings.log_likelihood(), Some(0.0));
    assert_eq!(ratings.first_side().reason, Some(Unestimated::Unidentified));
    assert_eq!((ratings.clusters(), ratings.parameters()), (0, 0));
    assert_eq!(ratings.shown_width(), Width::Information);
}

#[test]
fn lone_bots_have_limits_against_group_1_only() {
    let circle = [(0, 1, Win, Some(Win)), (1, 0, Draw, Some(Loss)), (0, 1, Loss, Some(Draw))];
    let beaten = [(2, 0, Loss, Some(Win)), (3, 2, Win, None)];
    let ratings = fit(5, &[&circle[..], &beaten].concat());
    assert!(matches!(ratings.bots()[2].limit, Some(RatingLimit::AtMost(_))));
    assert_eq!(ratings.bots()[3].limit, None, "it has met no bot of group 1");
    assert_eq!(ratings.bots()[4].limit, None);
    let alone = fit(2, &[(0, 1, Win, None)]);
    assert_eq!(alone.bots()[1].limit, None, "group 1 has no ratings");
}

#[test]
fn the_anchor_moves_its_group_alone() {
    let circles =
        [(0, 1, Win, Some(Draw)), (0, 1, Loss, Some(Win)), (3, 4, Win, Some(Draw)), (3, 4, Loss, Some(Win))];
    let more = [(0, 2, Win, None), (1, 2, Win, Some(Loss)), (2, 0, Win, None), (5, 0, Win, Some(Loss))];
    let before = fit(6, &[&circles[..], &more].concat());
    let mut after = before.clone();
    after.anchor(5);
    assert_eq!(after, before, "a bot without rating anchors nothing");
    after.anchor(1);
    let shift = before.bots()[1].rating.unwrap();
    assert_eq!(after.bots()[1].rating, Some(0.0));
    assert!(near(after.bots()[0].rating, before.bots()[0].rating.map(|rating| rating - shift)));
    assert!(near_limits(after.bots()[5].limit, before.bots()[5].limit.map(|limit| limit.less(shift))));
    assert_eq!(after.bots()[3], before.bots()[3]);
    assert_eq!(after.bots()[0].half_width, before.bots()[0].half_width);
    let before_limit = after.bots()[5].limit;
    after.anchor(3);
    assert_eq!(after.bots()[3].rating, Some(0.0));
    assert_eq!(after.bots()[5].limit, before_limit);
}

#[test]
fn draws_alone_leave_no_scatter() {
    let ratings = fit(2, &[(0, 1, Draw, Some(Draw)); 30]);
    assert_eq!(ratings.shown_width(), Width::Pairs);
    let superiority = ratings.superiority(0, 1).unwrap();
    assert_eq!((superiority.los, superiority.los_pairs), (Some(0.5), None));
    assert_eq!(superiority.half_width_pairs, Some(0.0));
}

#[test]
fn a_fit_without_maximum_gives_no_figures() {
    let ratings = Ratings::fit_within(
        2,
        &encounters(&[(0, 1, Win, Some(Win)), (0, 1, Win, Some(Loss)), (0, 1, Loss, None)]),
        1,
    );
    assert_eq!(ratings.bots()[0], BotRating::unrated(0));
    assert_eq!(ratings.first_side().reason, Some(Unestimated::NotFound));
    assert_eq!((ratings.first_side().estimate, ratings.log_likelihood()), (None, None));
    assert_eq!(ratings.superiority(0, 1), None);
}

#[test]
fn a_long_ladder_with_one_surprise_is_fitted() {
    // Each bot beats the next nine times in ten; the last has once beaten the first.
    let bots = 300;
    let mut entries: Vec<GameOrPair> = (1..bots)
        .flat_map(|bot| (0..10).map(move |game| (bot - 1, bot, if game == 0 { Loss } else { Win }, None)))
        .collect();
    entries.push((bots - 1, 0, Win, None));
    let ratings = fit(bots, &entries);
    assert!(ratings.bots().iter().all(|rated| rated.rating.is_some_and(f64::is_finite)));
    assert!(ratings.bots()[0].rating > ratings.bots()[1].rating);
}

#[test]
fn without_an_advantage_the_reference_data_agree_too() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/ratings.json");
    let vectors: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut compared = 0;
    for case in vectors["bradley_terry"].as_array().unwrap() {
        let score = |value: &serde_json::Value| Score::ALL[(value.as_f64().unwrap() * 2.0) as usize];
        let bot = |value: &serde_json::Value| value.as_u64().unwrap() as usize;
        let pairs = case["pairs"].as_array().unwrap().iter();
        let entries: Vec<GameOrPair> = pairs
            .map(|pair| (bot(&pair[0]), bot(&pair[1]), score(&pair[2]), Some(score(&pair[3]).of_opponent())))
            .collect();
        let encounters = encounters(&entries);
        let names = case["bots"].as_array().unwrap();
        let head_to_heads = head_to_heads(&encounters);
        let groups = RatingGroups::new(&Arrows::new(names.len(), &head_to_heads));
        let (at, information) =
            maximize(&Likelihood::new(&groups, &head_to_heads, Advantage::Zero), STEPS).unwrap();
        let [plain, _] = information.covariances(Scatter::of(&encounters, &groups, &at));
        for (name, expected) in case["expect"]["without_first_side"].as_object().unwrap() {
            let bot = names.iter().position(|other| other == name).unwrap();
            let width = half_width(plain.variance(groups.of[bot], places(&groups)[bot]) / (K * K));
            assert!((at.ratings[bot] / K - expected[0].as_f64().unwrap()).abs() < 0.01);
            assert!((width - expected[1].as_f64().unwrap()).abs() < 0.01);
            compared += 1;
        }
    }
    assert_eq!(compared, 23);
}
