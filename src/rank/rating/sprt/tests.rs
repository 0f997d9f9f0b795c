#![cfg(test)]

use super::*;
use proptest::prelude::*;

const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The maximum of a unimodal function, by golden-section search.
fn summit(mut low: f64, mut high: f64, rounds: usize, f: &dyn Fn(f64) -> f64) -> f64 {
    let [mut left, mut right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    let [mut at_left, mut at_right] = [f(left), f(right)];
    for _ in 0..rounds {
        if at_left > at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - GOLDEN * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + GOLDEN * (high - low);
            at_right = f(right);
        }
    }
    at_left.max(at_right)
}

/// The greatest log-likelihood with this mean and mean square of the offsets: two shares are
/// searched for, the other three follow.
fn with_moments(counts: &[f64; 5], mean: f64, square: f64) -> f64 {
    summit(0.0, 1.0, 44, &|p0| {
        // With quarters as units: the rest of mass, first and second moment for the offsets -1, 0,
        // 1.
        let rest = |p4: f64| {
            let mass = 1.0 - p0 - p4;
            let first = mean * 4.0 + 2.0 * p0 - 2.0 * p4;
            let second = square * 16.0 - 4.0 * p0 - 4.0 * p4;
            [(second - first) / 2.0, mass - second, (second + first) / 2.0]
        };
        let [at_0, at_1] = [rest(0.0), rest(1.0)];
        let [mut low, mut high] = [0.0_f64, 1.0 - p0];
        for (start, end) in at_0.into_iter().zip(at_1) {
            let root = start / (start - end);
            if end > start { low = low.max(root) } else { high = high.min(root) }
        }
        if low >= high {
            return -1e9 * (1.0 + low - high);
        }
        summit(low, high, 44, &|p4| {
            let [p1, p2, p3] = rest(p4);
            let shares = [p0, p1, p2, p3, p4].map(|share| share.max(1e-300));
            counts.iter().zip(shares).map(|(count, share)| count * share.ln()).sum()
        })
    })
}

/// The greatest log-likelihood by brute force.
fn slow(counts: [f64; 5], model: Model, elo: f64) -> f64 {
    let mut counts = counts;
    if elo < 0.0 {
        counts.reverse();
    }
    let elo = elo.abs();
    if model == Model::Logistic || elo == 0.0 {
        let mean = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)) - 0.5;
        return summit(mean * mean, 0.25, 60, &|square| with_moments(&counts, mean, square));
    }
    let t = SQRT_2 * elo * LN_10 / 800.0;
    let at = |u: f64| with_moments(&counts, u, u * u * (1.0 + 1.0 / (t * t)));
    let [low, high] = [0.25 * t * t / (1.0 + t * t), 0.5 * t / (1.0 + t * t).sqrt()];
    let steps = 60;
    let place = |step: usize| low + (high - low) * step as f64 / steps as f64;
    let best = (1..steps).max_by(|&a, &b| at(place(a)).total_cmp(&at(place(b)))).unwrap();
    summit(place(best - 1), place(best + 1), 40, &at)
}

fn sprt(model: Model, elo0: f64, elo1: f64) -> Sprt {
    Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn agrees_with_brute_force(
        counts in prop::array::uniform5(1..40_u64),
        elo0 in -150..150_i32,
        width in 1..200_i32,
        logistic: bool,
    ) {
        let model = if logistic { Model::Logistic } else { Model::Normalized };
        let sprt = sprt(model, f64::from(elo0), f64::from(elo0 + width));
        let plain = counts.map(|count| count as f64);
        let expected = slow(plain, model, sprt.elo1) - slow(plain, model, sprt.elo0);
        let found = sprt.llr(&counts);
        prop_assert!((found - expected).abs() < 1e-5, "{found} for {expected}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn exchanging_the_bots_turns_the_test_round(
        counts in prop::array::uniform5(prop_oneof![Just(0), 0..20_u64, 0..1_000_000_u64]),
        elo0 in prop_oneof![-100.0..100.0, -20_000.0..20_000.0],
        elo1 in prop_oneof![-100.0..100.0, -20_000.0..20_000.0],
        logistic: bool,
    ) {
        let model = if logistic { Model::Logistic } else { Model::Normalized };
        let own = sprt(model, elo0, elo1).llr(&counts);
        let mut turned = counts;
        turned.reverse();
        let other = sprt(model, -elo1, -elo0).llr(&turned);
        prop_assert!(own.is_finite());
        prop_assert!((own + other).abs() <= 1e-6 + 1e-12 * own.abs(), "{own} {other}");
        prop_assert!((own + sprt(model, elo1, elo0).llr(&counts)).abs() <= 1e-6 + 1e-12 * own.abs());
    }
}

#[test]
fn the_loss_is_least_at_the_counts_own_ratio() {
    // All of them are tried by `.ci/slow`, which sets ARBITER_ALL.
    let every = if std::env::var_os("ARBITER_ALL").is_some() { 1 } else { 2 };
    for counts in [
        [3, 10, 25, 17, 5],
        [0, 0, 0, 0, 9],
        [9, 0, 0, 0, 0],
        [0, 0, 7, 0, 0],
        [40, 0, 1, 0, 41],
        [1; 5],
    ] {
        let counts =
            counts.map(|count: i32| if count == 0 { ZERO_COUNT } else { f64::from(count) });
        let own = own_ratio(&counts);
        assert!(loss_at_ratio(counts, own).abs() < 1e-9);
        let mut last_losses = [0.0; 2];
        for step in (1..200).step_by(every) {
            for (side, last) in [1.0, -1.0].into_iter().zip(&mut last_losses) {
                let loss = loss_at_ratio(counts, own + side * f64::from(step) / 30.0);
                assert!(
                    loss >= *last - 1e-9 && loss.is_finite(),
                    "{counts:?} {side} {step}: {loss} after {last}"
                );
                // The likelihood is continuous.
                assert!(
                    loss - *last < 0.5 * counts.iter().sum::<f64>().max(4.0),
                    "{counts:?} {side} {step}"
                );
                *last = loss;
            }
        }
    }
}

#[test]
fn without_pairs_the_ratio_is_0_and_a_bound_decides_when_reached() {
    let sprt = sprt(Model::Logistic, 0.0, 10.0);
    assert_eq!(sprt.llr(&[0; 5]), 0.0);
    let (lower, upper) = sprt.bounds();
    assert_eq!(sprt.verdict(lower), Some(Hypothesis::H0));
    assert_eq!(sprt.verdict(upper), Some(Hypothesis::H1));
    assert_eq!(sprt.verdict(f64::midpoint(lower, upper)), None);
    assert!((upper - 19_f64.ln()).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
    // The least rates that can be written have bounds, too.
    let (least, most) = Sprt { alpha: 1e-310, beta: 1e-310, ..sprt }.bounds();
    assert!((most - 713.801).abs() < 0.001 && (least + most).abs() < 1e-9, "{least} {most}");
}

#[test]
fn pairs_after_the_verdict_count_for_nothing() {
    let mut trial = Trial::new(sprt(Model::Logistic, 0.0, 200.0));
    while trial.verdict().is_none() {
        trial.add(0);
    }
    let decided = trial.clone();
    trial.add(4);
    assert_eq!(trial, decided);
    assert_eq!(trial.verdict(), Some(Hypothesis::H0));
}
