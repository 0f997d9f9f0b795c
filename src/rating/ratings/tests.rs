#![cfg(test)]

use super::*;
use crate::standings::Score::{self, Draw, Loss, Win};
use proptest::prelude::*;

/// The bot with the first side in game 1, the other bot, the score of game 1, and of game 2 if there was one.
type GameOrPair = (usize, usize, Score, Option<Score>);

fn fit(bots: usize, entries: &[GameOrPair]) -> Ratings {
    let mut encounters = Encounters::default();
    for &(first, second, score, answer) in entries {
        match answer {
            Some(answer) => encounters.add_pair(first, second, [score, answer]),
            None => encounters.add_single(first, second, score),
        }
    }
    Ratings::fit(bots, &encounters)
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
        (Some(a), Some(b)) => (a - b).abs() < 1e-5 * (1.0 + a.abs()),
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn negative(figure: Option<f64>) -> Option<f64> {
    figure.map(|figure| -figure)
}

/// The same bot with every result exchanged.
fn turned(rated: BotRating) -> BotRating {
    BotRating {
        rating: negative(rated.rating),
        low: negative(rated.high),
        high: negative(rated.low),
        ..rated
    }
}

fn same(one: BotRating, other: BotRating) -> bool {
    let figures = |rated: BotRating| [rated.rating, rated.low, rated.high, rated.half_width];
    figures(one).into_iter().zip(figures(other)).all(|(one, other)| near(one, other))
}

/// The resistance between each two bots, by elimination with pivots: for a group with Laplacian L, the inverse of
/// L + 1 has the same differences as its pseudo-inverse.
fn resistances(games: &[(usize, usize, Score)], group: &[usize]) -> Vec<Vec<f64>> {
    let size = group.len();
    let mut rows = vec![vec![1.0_f64; 2 * size]; size];
    for (number, row) in rows.iter_mut().enumerate() {
        row[size..].fill(0.0);
        row[size + number] = 1.0;
    }
    for &(first, second, _) in games {
        let place = |bot: usize| group.iter().position(|&other| other == bot);
        let (Some(i), Some(j)) = (place(first), place(second)) else { continue };
        for (row, column, value) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
            rows[row][column] += value;
        }
    }
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        rows.swap(column, pivot.unwrap());
        let scale = rows[column][column];
        rows[column].iter_mut().for_each(|cell| *cell /= scale);
        let own = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(number, _)| *number != column) {
            let factor = row[column];
            row.iter_mut().zip(&own).for_each(|(cell, own)| *cell -= factor * own);
        }
    }
    let inverse = |i: usize, j: usize| rows[i][size + j];
    (0..size)
        .map(|i| (0..size).map(|j| inverse(i, i) + inverse(j, j) - 2.0 * inverse(i, j)).collect())
        .collect()
}

proptest! {
    #[test]
    fn at_the_maximum_every_bot_has_the_points_expected(entries in tournament()) {
        let ratings = fit(6, &entries);
        let first_side = ratings.first_side();
        let games: Vec<(usize, usize, Score)> = entries
            .iter()
            .flat_map(|&(a, b, score, answer)| [Some((a, b, score)), answer.map(|answer| (b, a, answer))])
            .flatten()
            .collect();
        let [mut surplus, mut surplus_of_first, mut draws] = [[0.0; 6], [0.0; 6], [0.0; 6]];
        for group in ratings.groups() {
            let resistances = resistances(&games, group);
            for &(first, second, score) in &games {
                let place = |bot: usize| group.iter().position(|&other| other == bot);
                let (Some(i), Some(j)) = (place(first), place(second)) else { continue };
                let difference = ratings.bots()[first].rating.unwrap() - ratings.bots()[second].rating.unwrap();
                let p = 1.0 / (1.0 + (-K * (difference + first_side.estimate.unwrap_or(0.0))).exp());
                let weight = 1.5 * resistances[i][j];
                let excess = score.half_points() as f64 / 2.0 - p + weight * (0.5 - p);
                surplus[first] += excess;
                surplus[second] -= excess;
                surplus_of_first[0] += excess;
                draws[0] += weight;
            }
            let sum: f64 = group.iter().filter_map(|&bot| ratings.bots()[bot].rating).sum();
            prop_assert!(sum.abs() < 1e-6);
        }
        prop_assert!(surplus.iter().all(|excess| excess.abs() < 1e-8), "{surplus:?}");
        prop_assert!(first_side.estimate.is_none() || surplus_of_first[0].abs() < 1e-8);
        prop_assert!((draws[0] - ratings.virtual_draws()).abs() < 1e-9);
        let expected = 1.5 * (6 - ratings.groups().len()) as f64;
        prop_assert!((draws[0] - expected).abs() < 1e-9, "{} {expected}", draws[0]);
    }

    #[test]
    fn figures_are_finite_and_in_order(entries in tournament()) {
        let ratings = fit(6, &entries);
        let clusters = entries.len() as u64;
        prop_assert_eq!(ratings.clusters(), clusters);
        prop_assert_eq!(ratings.scatter().is_some(), clusters > 0);
        prop_assert_eq!(ratings.scatter_first_side().is_some(), clusters > 0);
        for (number, rated) in ratings.bots().iter().enumerate() {
            let played = entries.iter().any(|&(a, b, ..)| a == number || b == number);
            prop_assert_eq!([rated.rating.is_some(), rated.half_width.is_some()], [played; 2]);
            let (rating, width) = (rated.rating.unwrap_or(0.0), rated.half_width.unwrap_or(1.0));
            prop_assert!(rating.is_finite() && width > 0.0 && width.is_finite());
            // Each bound is at least as far away as the information says.
            prop_assert!(rated.low.is_none_or(|low| low.is_finite() && low <= rating - width + 1e-9));
            prop_assert!(rated.high.is_none_or(|high| high.is_finite() && high >= rating + width - 1e-9));
            for other in 0..6 {
                let difference = ratings.difference(number, other);
                let comparable = number != other && ratings.bots()[other].group == rated.group;
                prop_assert_eq!(difference.is_some(), comparable && played);
                let (Some(difference), Some(back)) = (difference, ratings.difference(other, number)) else { continue };
                prop_assert!(near(Some(difference.superiority), Some(1.0 - back.superiority)));
                prop_assert!(near(difference.low, negative(back.high)) && near(difference.high, negative(back.low)));
                prop_assert!(difference.low.is_none_or(|low| low.is_finite() && low < difference.estimate));
                prop_assert!(difference.high.is_none_or(|high| high.is_finite() && high > difference.estimate));
            }
        }
    }

    #[test]
    fn names_do_not_matter(entries in tournament(), order in Just([0, 1, 2, 3, 4, 5_usize]).prop_shuffle()) {
        let ratings = fit(6, &entries);
        let renamed: Vec<GameOrPair> = entries.iter().map(|&(a, b, s, t)| (order[a], order[b], s, t)).collect();
        let again = fit(6, &renamed);
        for (&own, &place) in ratings.bots().iter().zip(&order) {
            prop_assert!(same(own, again.bots()[place]), "{own:?} {:?}", again.bots()[place]);
        }
        prop_assert!(near(ratings.first_side().high, again.first_side().high));
        prop_assert!(near(ratings.scatter(), again.scatter()));
    }

    #[test]
    fn exchanging_sides_turns_the_advantage_and_exchanging_results_turns_the_ratings(entries in tournament()) {
        let ratings = fit(6, &entries);
        let opposite = |score: Score| score.of_opponent();
        let results: Vec<GameOrPair> =
            entries.iter().map(|&(a, b, s, t)| (a, b, opposite(s), t.map(opposite))).collect();
        let sides: Vec<GameOrPair> =
            entries.iter().map(|&(a, b, s, t)| (b, a, opposite(s), t.map(opposite))).collect();
        let [results, sides] = [fit(6, &results), fit(6, &sides)];
        for bot in 0..6 {
            prop_assert!(same(ratings.bots()[bot], turned(results.bots()[bot])));
            prop_assert!(same(ratings.bots()[bot], sides.bots()[bot]));
        }
        for other in [results, sides] {
            let (one, other) = (ratings.first_side(), other.first_side());
            prop_assert!(near(one.estimate, negative(other.estimate)));
            prop_assert!(near(one.low, negative(other.high)) && near(one.high, negative(other.low)));
            prop_assert!(near(one.half_width, other.half_width));
        }
    }

    #[test]
    fn the_anchor_moves_its_group_alone(entries in tournament(), anchor in 0..6_usize) {
        let before = fit(6, &entries);
        let mut after = before.clone();
        after.anchor(anchor);
        let Some(zero) = before.bots()[anchor].rating else {
            prop_assert_eq!(after, before);
            return Ok(());
        };
        prop_assert_eq!(after.bots()[anchor].rating, Some(0.0));
        for (own, other) in before.bots().iter().zip(after.bots()) {
            let zero = if own.group == before.bots()[anchor].group { zero } else { 0.0 };
            let moved = |figure: Option<f64>| figure.map(|figure| figure - zero);
            let expected =
                BotRating { rating: moved(own.rating), low: moved(own.low), high: moved(own.high), ..*own };
            prop_assert_eq!(*other, expected);
        }
        prop_assert!(near(after.difference(0, 1).map(|two| two.estimate), before.difference(0, 1).map(|two| two.estimate)));
    }

    #[test]
    fn two_bots_have_a_closed_form(scores in prop::collection::vec((score(), score()), 1..40)) {
        let entries: Vec<GameOrPair> = scores.iter().map(|&(own, back)| (0, 1, own, Some(back))).collect();
        let points = |score: Score| score.half_points() as f64 / 2.0;
        let first: f64 = scores.iter().map(|&(own, _)| points(own)).sum();
        let second: f64 = scores.iter().map(|&(_, back)| points(back.of_opponent())).sum();
        let games = scores.len() as f64;
        let part = |points: f64| ((points + 0.375) / (games - points + 0.375)).log10();
        let found = fit(2, &entries).difference(0, 1).map(|two| two.estimate);
        prop_assert!(near(found, Some(200.0 * (part(first) + part(second)))));
    }

    #[test]
    fn two_bots_with_fixed_sides_have_a_closed_form(scores in prop::collection::vec(score(), 1..40)) {
        let entries: Vec<GameOrPair> = scores.iter().map(|&own| (0, 1, own, None)).collect();
        let points: f64 = scores.iter().map(|score| score.half_points() as f64 / 2.0).sum();
        let ratings = fit(2, &entries);
        let expected = 400.0 * ((points + 0.75) / (scores.len() as f64 - points + 0.75)).log10();
        prop_assert!(near(ratings.difference(0, 1).map(|two| two.estimate), Some(expected)));
        prop_assert_eq!(ratings.first_side().estimate, None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn lopsided_counts_have_finite_figures(
        games in prop::collection::vec((0..5_usize, 1..5_usize, score(), 0..14_u32), 1..14),
    ) {
        let entries: Vec<GameOrPair> = games
            .into_iter()
            .flat_map(|(first, other, score, power)| {
                std::iter::repeat_n((first, (first + other) % 5, score, None), 1 << power)
            })
            .collect();
        let ratings = fit(5, &entries);
        for (bot, rated) in ratings.bots().iter().enumerate() {
            let figures = [rated.rating, rated.low, rated.high, rated.half_width];
            prop_assert!(figures.into_iter().flatten().all(|figure| figure.abs() < 1e5), "{rated:?}");
            let two = (0..5).filter_map(|other| ratings.difference(bot, other));
            prop_assert!(two.flat_map(|two| [two.low, two.high]).flatten().all(f64::is_finite));
        }
    }
}

#[test]
fn a_pair_a_win_and_a_draw() {
    let pair = fit(2, &[(0, 1, Win, Some(Loss))]);
    let [winner, loser] = [pair.bots()[0], pair.bots()[1]];
    assert!(near(winner.rating, Some(200.0 * (11.0_f64 / 3.0).log10())), "{winner:?}");
    assert!((winner.rating.unwrap() - 112.85).abs() < 0.01 && (winner.low.unwrap() + 180.52).abs() < 0.01);
    assert_eq!((winner.high, loser.low), (None, None));
    assert!(same(loser, turned(winner)));
    let won = fit(2, &[(0, 1, Win, None)]);
    assert!((won.bots()[0].rating.unwrap() - 73.60).abs() < 0.01);
    let drawn = fit(2, &[(0, 1, Draw, None)]);
    assert!((drawn.bots()[0].rating.unwrap()).abs() < 1e-9);
    assert!((drawn.bots()[0].high.unwrap() - 453.14).abs() < 0.01);
    assert!((drawn.difference(0, 1).unwrap().high.unwrap() - 906.27).abs() < 0.01);
}

#[test]
fn without_bots_or_games_there_are_no_ratings() {
    let ratings = Ratings::fit(0, &Encounters::default());
    assert!(ratings.bots().is_empty() && ratings.groups().is_empty());
    let ratings = Ratings::fit(2, &Encounters::default());
    let expected = BotRating { group: 2, rating: None, low: None, high: None, half_width: None };
    assert_eq!(ratings.bots()[1], expected);
    assert_eq!((ratings.first_side().estimate, ratings.scatter()), (None, None));
    assert_eq!((ratings.clusters(), ratings.parameters(), ratings.virtual_draws()), (0, 0, 0.0));
    assert_eq!(ratings.difference(0, 1), None);
}

#[test]
fn two_ladders_joined_by_two_surprises_are_fitted() {
    // The last bot of each ladder beats the first of the other: between far ends nothing changes the likelihood.
    for (bots, games) in [(3, 10_000), (20, 100), (150, 10)] {
        let wins = |bot: usize| (0..games).map(move |_| (bot - 1, bot, Win, None));
        let mut entries: Vec<GameOrPair> = (1..bots).chain(bots + 1..2 * bots).flat_map(wins).collect();
        entries.push((2 * bots - 1, 0, Win, None));
        entries.push((bots - 1, bots, Win, None));
        let ratings = fit(2 * bots, &entries);
        for (bot, rated) in ratings.bots().iter().enumerate() {
            let figures = [rated.rating, rated.low, rated.high, rated.half_width];
            assert!(figures.into_iter().flatten().all(f64::is_finite), "{bots}: {rated:?}");
            let ends = ratings.difference(bot, 0).into_iter().flat_map(|two| [two.low, two.high]);
            assert!(ends.flatten().all(f64::is_finite), "{bots}: {bot}");
        }
        let rating = |bot: usize| ratings.bots()[bot].rating.unwrap();
        assert!(rating(0) > rating(1) && rating(bots) > rating(bots + 1));
    }
}

#[test]
fn a_long_ladder_with_one_surprise_is_fitted() {
    // Each bot beats the next nine times in ten, or always; the last has once beaten the first.
    for lost in [0, 1] {
        let bots = 300;
        let game = |bot, game| (bot - 1, bot, if game < lost { Loss } else { Win }, None);
        let mut entries: Vec<GameOrPair> =
            (1..bots).flat_map(|bot| (0..10).map(move |number| game(bot, number))).collect();
        entries.push((bots - 1, 0, Win, None));
        let ratings = fit(bots, &entries);
        let figures = |rated: &BotRating| [rated.rating, rated.low, rated.high, rated.half_width];
        assert!(ratings.bots().iter().flat_map(figures).flatten().all(f64::is_finite));
        assert!(ratings.bots()[100].rating > ratings.bots()[101].rating);
    }
}

#[test]
fn a_chain_of_thousands_has_ratings_and_hardly_a_core() {
    let bots = 3000;
    let chain: Vec<GameOrPair> = (1..bots).map(|bot| (bot - 1, bot, Draw, Some(Draw))).collect();
    let mut encounters = Encounters::default();
    chain.iter().for_each(|&(first, second, ..)| encounters.add_pair(first, second, [Draw, Draw]));
    assert!(dense_core(bots, &encounters) < 10);
    let ratings = fit(bots, &chain);
    assert!(ratings.bots().iter().all(|bot| bot.rating.is_some_and(|rating| rating.abs() < 1e-6)));
    // Variances of a chain add up.
    let width = |a: usize, b: usize| {
        let found = ratings.difference(a, b).unwrap();
        found.high.unwrap() - found.low.unwrap()
    };
    assert!((width(1000, 2000) / width(1000, 1500) - 2_f64.sqrt()).abs() < 0.01);
    let all: Vec<GameOrPair> = (0..20).flat_map(|b| (0..b).map(move |a| (a, b, Draw, None))).collect();
    let mut encounters = Encounters::default();
    all.iter().for_each(|&(first, second, ..)| encounters.add_single(first, second, Draw));
    assert_eq!(dense_core(20, &encounters), 20);
}
