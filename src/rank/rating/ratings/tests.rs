#![cfg(test)]

use super::*;
use crate::standings::Cluster;
use crate::standings::Score::{self, Draw, Loss, Win};
use proptest::prelude::*;

/// The bot with the first side in game 1, the other bot, the score of game 1, and of game 2 if
/// there was one.
type GameOrPair = (usize, usize, Score, Option<Score>);

fn fit(bots: usize, entries: &[GameOrPair]) -> Ratings {
    fit_with(bots, entries, RatingOptions::default())
}

fn fit_with(bots: usize, entries: &[GameOrPair], options: RatingOptions) -> Ratings {
    let mut encounters = Encounters::default();
    for &(first, second, score, answer) in entries {
        match answer {
            Some(answer) => encounters.add_pair(first, second, [score, answer]),
            None => encounters.add_single(first, second, score),
        }
    }
    Ratings::fit(bots, &encounters, &options)
}

fn anchored(anchors: &[(usize, f64)]) -> RatingOptions {
    RatingOptions { anchors: anchors.to_vec(), ..RatingOptions::default() }
}

/// The first side, the second side and the score of each game.
fn games(entries: &[GameOrPair]) -> Vec<(usize, usize, Score)> {
    let both = |&(a, b, score, answer): &GameOrPair| {
        [Some((a, b, score)), answer.map(|answer| (b, a, answer))]
    };
    entries.iter().flat_map(both).flatten().collect()
}

fn score() -> impl Strategy<Value = Score> {
    prop_oneof![Just(Loss), Just(Draw), Just(Win)]
}

fn tournament() -> impl Strategy<Value = Vec<GameOrPair>> {
    let entry = (0..6_usize, 1..6_usize, score(), prop::option::of(score()))
        .prop_map(|(first, other, score, answer)| (first, (first + other) % 6, score, answer));
    prop::collection::vec(entry, 0..40)
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

/// The inverse of a matrix, by elimination with pivots.
fn inverse(mut rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = rows.len();
    for (number, row) in rows.iter_mut().enumerate() {
        row.extend((0..size).map(|column| f64::from(u8::from(column == number))));
    }
    for column in 0..size {
        let pivot =
            (column..size).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        rows.swap(column, pivot.unwrap());
        let scale = rows[column][column];
        for cell in &mut rows[column] {
            *cell /= scale;
        }
        let own = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(number, _)| *number != column) {
            let factor = row[column];
            row.iter_mut().zip(&own).for_each(|(cell, own)| *cell -= factor * own);
        }
    }
    rows.into_iter().map(|row| row[size..].to_vec()).collect()
}

/// Definitions 6 to 8 as they are written, without any thought of speed: the ratings of these bots
/// and the first side's advantage in Elo, with the sum of the weights.
fn slow_fit(
    bots: usize,
    games: &[(usize, usize, Score)],
    like: &Ratings,
    fixed: &[(usize, f64)],
) -> (Vec<f64>, f64) {
    let has_first_side = like.first_side().estimate.is_some();
    let is_fixed = |bot: usize| fixed.iter().any(|(anchor, _)| *anchor == bot);
    // x of a game, without what is fixed.
    let direction = |first: usize, second: usize| {
        let mut x = vec![0.0; bots + 1];
        (x[first], x[second], x[bots]) = (1.0, -1.0, f64::from(u8::from(has_first_side)));
        (0..bots).filter(|&bot| is_fixed(bot)).for_each(|bot| x[bot] = 0.0);
        x
    };
    let p = |at: &[f64], first: usize, second: usize| {
        1.0 / (1.0 + (at[second] - at[first] - at[bots]).exp())
    };
    let covariance = |at: &[f64], weights: &[f64]| {
        let mut rows = vec![vec![0.0; bots + 1]; bots + 1];
        let mut add = |x: &[f64], weight: f64| {
            for (row, left) in rows.iter_mut().zip(x) {
                row.iter_mut().zip(x).for_each(|(cell, right)| *cell += weight * left * right);
            }
        };
        for (&(first, second, _), weight) in games.iter().zip(weights) {
            let p = p(at, first, second);
            add(&direction(first, second), (1.0 + weight) * p * (1.0 - p));
        }
        // Values that are not estimated do not move.
        let unit = |place: usize| {
            (0..=bots).map(|other| f64::from(u8::from(other == place))).collect::<Vec<f64>>()
        };
        for &(bot, _) in fixed {
            add(&unit(bot), 1.0);
        }
        if !has_first_side {
            add(&unit(bots), 1.0);
        }
        for group in like.groups().iter().filter(|group| !group.iter().any(|&bot| is_fixed(bot))) {
            add(
                &(0..=bots)
                    .map(|bot| f64::from(u8::from(group.contains(&bot))))
                    .collect::<Vec<f64>>(),
                1.0,
            );
        }
        inverse(rows)
    };
    let times = |rows: &[Vec<f64>], x: &[f64]| -> Vec<f64> {
        rows.iter().map(|row| row.iter().zip(x).map(|(cell, value)| cell * value).sum()).collect()
    };
    let dot = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
    let mut at = vec![0.0; bots + 1];
    let mean = fixed.iter().map(|(_, elo)| K * elo).sum::<f64>() / fixed.len().max(1) as f64;
    let anchored = like.groups().iter().filter(|group| group.iter().any(|&bot| is_fixed(bot)));
    anchored.flatten().for_each(|&bot| at[bot] = mean);
    for &(bot, elo) in fixed {
        at[bot] = K * elo;
    }
    let mut sum = 0.0;
    for _ in 0..3 {
        let played = covariance(&at, &vec![0.0; games.len()]);
        let mut weights = Vec::new();
        for &(first, second, _) in games {
            let (p, x) = (p(&at, first, second), direction(first, second));
            weights.push(p * (1.0 - p) * dot(&times(&played, &x), &x));
        }
        sum = weights.iter().sum();
        for _ in 0..200 {
            let mut gradient = vec![0.0; bots + 1];
            for (&(first, second, score), weight) in games.iter().zip(&weights) {
                let p = p(&at, first, second);
                let excess = score.half_points() as f64 / 2.0 - p + weight * (0.5 - p);
                gradient
                    .iter_mut()
                    .zip(direction(first, second))
                    .for_each(|(cell, x)| *cell += excess * x);
            }
            let step = times(&covariance(&at, &weights), &gradient);
            let largest = step.iter().fold(1.0_f64, |largest, value| largest.max(value.abs()));
            at.iter_mut().zip(step).for_each(|(value, step)| *value += step / largest);
        }
    }
    (at.iter().map(|value| value / K).collect(), sum)
}

proptest! {
    #[test]
    fn ratings_are_those_of_the_definition(
        entries in tournament(),
        anchors in prop::option::of((0..6_usize, 1..6_usize, -500.0..500.0_f64, -500.0..500.0_f64)),
    ) {
        let anchors = anchors.map(|(one, other, a, b)| [(one, a), ((one + other) % 6, b)]);
        let anchors = anchors.as_ref().map_or(&[][..], |anchors| anchors);
        let ratings = fit_with(6, &entries, anchored(anchors));
        // One alone in its group shifts it only.
        let together = anchors.first().zip(anchors.last()).is_some_and(|((one, _), (other, _))| {
            ratings.bots()[*one].group == ratings.bots()[*other].group
        });
        let fixed = if together { anchors } else { &[] };
        let (expected, weights) = slow_fit(6, &games(&entries), &ratings, fixed);
        for (bot, rated) in ratings.bots().iter().enumerate() {
            let own = anchors.iter().find(|(anchor, _)| ratings.bots()[*anchor].group == rated.group);
            let shift = own.filter(|_| !together).map_or(0.0, |&(anchor, elo)| elo - expected[anchor]);
            let expected = rated.rating.map(|_| expected[bot] + shift);
            prop_assert!(near(rated.rating, expected), "{bot}: {rated:?} {expected:?}");
        }
        prop_assert!(near(ratings.first_side().estimate, ratings.first_side().estimate.map(|_| expected[6])));
        prop_assert!((weights - ratings.virtual_draws()).abs() < 1e-7 * (1.0 + weights));
        prop_assert!((weights - ratings.parameters() as f64).abs() < 1e-7);
    }

    #[test]
    fn figures_are_finite_and_in_order(entries in tournament()) {
        let ratings = fit_with(6, &entries, RatingOptions { swiss: entries.len() % 2 == 0, ..RatingOptions::default() });
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
                prop_assert!(difference.high.is_some() || difference.superiority >= 0.025);
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
    fn one_anchor_moves_its_group_alone(entries in tournament(), anchor in 0..6_usize, elo in -900.0..900.0_f64) {
        let before = fit(6, &entries);
        let after = fit_with(6, &entries, anchored(&[(anchor, elo)]));
        let shift = before.bots()[anchor].rating.map_or(0.0, |rating| elo - rating);
        for (own, other) in before.bots().iter().zip(after.bots()) {
            let shift = if own.group == before.bots()[anchor].group { shift } else { 0.0 };
            let moved = |figure: Option<f64>| figure.map(|figure| figure + shift);
            let expected =
                BotRating { rating: moved(own.rating), low: moved(own.low), high: moved(own.high), ..*own };
            prop_assert!(same(*other, expected), "{other:?} {expected:?}");
        }
        prop_assert!(near(after.difference(0, 1).map(|two| two.estimate), before.difference(0, 1).map(|two| two.estimate)));
    }

    #[test]
    fn several_anchors_of_a_group_keep_their_ratings(entries in tournament(), elo in prop::array::uniform3(-900.0..900.0_f64)) {
        let anchors = [(0, elo[0]), (2, elo[1]), (3, elo[2])];
        let ratings = fit_with(6, &entries, anchored(&anchors));
        for (anchor, fixed) in anchors {
            let rated = ratings.bots()[anchor];
            prop_assert!(rated.rating.is_none_or(|rating| (rating - fixed).abs() < 1e-9));
            let among = anchors.iter().filter(|(other, _)| ratings.bots()[*other].group == rated.group).count();
            if among > 1 {
                prop_assert_eq!([rated.low, rated.high, rated.half_width], [rated.rating, rated.rating, Some(0.0)]);
            }
        }
        let figures = |rated: &BotRating| [rated.rating, rated.low, rated.high, rated.half_width];
        prop_assert!(ratings.bots().iter().flat_map(figures).flatten().all(f64::is_finite));
    }

    #[test]
    fn in_a_tree_each_link_has_a_closed_form(
        links in prop::collection::vec((any::<usize>(), prop::collection::vec(score(), 1..9)), 1..12),
    ) {
        let link = |(number, (lot, scores)): (usize, &(usize, Vec<Score>))| (lot % (number + 1), number + 1, scores.clone());
        let links: Vec<_> = links.iter().enumerate().map(link).collect();
        let of_link = |(a, b, scores): &(usize, usize, Vec<Score>)| {
            scores.iter().map(|&score| (*a, *b, score, None)).collect::<Vec<GameOrPair>>()
        };
        let ratings = fit(links.len() + 1, &links.iter().flat_map(of_link).collect::<Vec<_>>());
        prop_assert_eq!(ratings.first_side().estimate, None);
        for (a, b, scores) in &links {
            let points: f64 = scores.iter().map(|score| score.half_points() as f64 / 2.0).sum();
            let expected = 400.0 * ((points + 0.5) / (scores.len() as f64 - points + 0.5)).log10();
            prop_assert!(near(ratings.difference(*a, *b).map(|two| two.estimate), Some(expected)));
        }
    }

    #[test]
    fn in_a_balanced_round_robin_more_points_are_a_higher_rating(scores in prop::collection::vec((score(), score()), 10)) {
        let pairings = (0..5_usize).flat_map(|b| (0..b).map(move |a| (a, b)));
        let entries: Vec<GameOrPair> =
            pairings.zip(&scores).map(|((a, b), &(score, answer))| (a, b, score, Some(answer))).collect();
        let ratings = fit(5, &entries);
        let mut points = [0; 5];
        for (first, second, score) in games(&entries) {
            points[first] += score.half_points();
            points[second] += score.of_opponent().half_points();
        }
        let rating = |bot: usize| ratings.bots()[bot].rating.unwrap();
        for (a, b) in (0..5).flat_map(|b| (0..b).map(move |a| (a, b))) {
            match points[a].cmp(&points[b]) {
                std::cmp::Ordering::Less => prop_assert!(rating(a) < rating(b)),
                std::cmp::Ordering::Equal => prop_assert!((rating(a) - rating(b)).abs() < 1e-6),
                std::cmp::Ordering::Greater => prop_assert!(rating(a) > rating(b)),
            }
        }
    }

    #[test]
    fn two_bots_have_a_closed_form(scores in prop::collection::vec((score(), score()), 1..40)) {
        let entries: Vec<GameOrPair> = scores.iter().map(|&(own, back)| (0, 1, own, Some(back))).collect();
        let games = scores.len() as f64;
        let part = |points: f64| ((points + 0.5) / (games - points + 0.5)).log10();
        let points = |score: Score| score.half_points() as f64 / 2.0;
        let first: f64 = scores.iter().map(|&(own, _)| points(own)).sum();
        let second: f64 = scores.iter().map(|&(_, back)| points(back.of_opponent())).sum();
        let found = fit(2, &entries).difference(0, 1).map(|two| two.estimate);
        prop_assert!(near(found, Some(200.0 * (part(first) + part(second)))));
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
    assert!(
        (winner.rating.unwrap() - 95.42).abs() < 0.01
            && (winner.low.unwrap() + 182.58).abs() < 0.01
    );
    assert_eq!((winner.high, loser.low), (None, None));
    assert!(same(loser, turned(winner)));
    let won = fit(2, &[(0, 1, Win, None)]);
    assert!((won.bots()[0].rating.unwrap() - 95.42).abs() < 0.01);
    let drawn = fit(2, &[(0, 1, Draw, None)]);
    assert!((drawn.bots()[0].rating.unwrap()).abs() < 1e-9);
    let [own, both] =
        [drawn.bots()[0].high.unwrap(), drawn.difference(0, 1).unwrap().high.unwrap()];
    assert!((2.0 * own - both).abs() < 1e-6, "both bots have the same games");
}

#[test]
fn a_first_side_that_wins_every_game_has_a_closed_form() {
    let all_won = |bots: usize, pairs: u32| {
        let mut encounters = Encounters::default();
        let pairings = (0..bots).flat_map(|b| (0..b).map(move |a| (a, b)));
        pairings.for_each(|(a, b)| (0..pairs).for_each(|_| encounters.add_pair(a, b, [Win, Win])));
        let ratings = Ratings::fit(bots, &encounters, &RatingOptions::default());
        assert!(ratings.bots().iter().all(|bot| bot.rating.unwrap().abs() < 1e-6));
        let games = f64::from(pairs) * (bots * (bots - 1)) as f64;
        let expected = 400.0 * (2.0 * games / bots as f64 + 1.0).log10();
        let found = ratings.first_side();
        assert!((found.estimate.unwrap() - expected).abs() < 1e-6, "{found:?} for {expected}");
        assert!(found.high.is_none() && found.low.is_some_and(f64::is_finite));
    };
    for (bots, pairs) in [(2, 1), (3, 4), (7, 2), (2, 6_000_000)] {
        all_won(bots, pairs);
    }
}

#[test]
fn games_that_repeat_each_other_move_the_rating_and_not_the_doubt() {
    let fit = |clusters: &[u32]| {
        let mut encounters = Encounters::default();
        for &copies in clusters {
            (0..copies).for_each(|copy| encounters.add(0, 1, Cluster::Pair([Win, Loss]), copy));
        }
        (0..3).for_each(|_| encounters.add_pair(0, 1, [Win, Win]));
        Ratings::fit(2, &encounters, &RatingOptions::default())
    };
    let (different, repeated) = (fit(&[1; 10]), fit(&[10]));
    assert_eq!((different.clusters(), repeated.clusters()), (13, 4));
    assert_eq!(different.repetition(), 1.0);
    assert!(repeated.repetition() > 7.0, "{}", repeated.repetition());
    assert!(near(different.bots()[0].rating, repeated.bots()[0].rating));
    assert!(
        repeated.bots()[0].half_width > different.bots()[0].half_width.map(|width| 2.0 * width)
    );
}

#[test]
fn anchors_against_the_games_are_named() {
    let entries = [[(0, 1, Win, Some(Loss)), (1, 2, Draw, Some(Draw))]; 20].concat();
    let free = fit(3, &entries);
    assert_eq!(free.contradictions(&[(0, 400.0), (1, 0.0), (2, 0.0)]), []);
    let found = free.contradictions(&[(0, 0.0), (1, 100.0), (2, 110.0)]);
    assert_eq!(found.iter().map(|found| found.bots).collect::<Vec<_>>(), [[0, 1], [0, 2]]);
    assert_eq!(found[0].given, -100.0);
}

#[test]
fn without_bots_or_games_there_are_no_ratings() {
    let empty = fit(0, &[]);
    assert!(empty.bots().is_empty() && empty.groups().is_empty());
    let ratings = fit(2, &[]);
    let expected = BotRating { group: 2, rating: None, low: None, high: None, half_width: None };
    assert_eq!(ratings.bots()[1], expected);
    assert_eq!((ratings.first_side().estimate, ratings.scatter()), (None, None));
    assert_eq!((ratings.clusters(), ratings.parameters(), ratings.virtual_draws()), (0, 0, 0.0));
    assert_eq!(ratings.difference(0, 1), None);
}

#[test]
fn two_ladders_joined_by_two_surprises_are_fitted() {
    // The last bot of each ladder beats the first of the other: between far ends nothing changes
    // the likelihood.
    for (bots, games) in [(3, 10_000), (20, 100), (150, 10)] {
        let wins = |bot: usize| (0..games).map(move |_| (bot - 1, bot, Win, None));
        let mut entries: Vec<GameOrPair> =
            (1..bots).chain(bots + 1..2 * bots).flat_map(wins).collect();
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
    for &(first, second, ..) in &chain {
        encounters.add_pair(first, second, [Draw, Draw]);
    }
    assert!(dense_core(bots, &encounters) < 10);
    let ratings = fit(bots, &chain);
    assert!(ratings.bots().iter().all(|bot| bot.rating.is_some_and(|rating| rating.abs() < 1e-6)));
    // Variances of a chain add up.
    let width = |a: usize, b: usize| {
        let found = ratings.difference(a, b).unwrap();
        found.high.unwrap() - found.low.unwrap()
    };
    assert!((width(1000, 2000) / width(1000, 1500) - 2_f64.sqrt()).abs() < 0.01);
    let all: Vec<GameOrPair> =
        (0..20).flat_map(|b| (0..b).map(move |a| (a, b, Draw, None))).collect();
    let mut dense = Encounters::default();
    for &(first, second, ..) in &all {
        dense.add_single(first, second, Draw);
    }
    assert_eq!(dense_core(20, &dense), 20);
}
