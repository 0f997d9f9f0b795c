//! What sequential tests of simulated bots decide, what their forecasts are worth, and what the
//! interval of a difference covers. `cargo bench --bench sprt` does the first two for the default
//! hypotheses, which takes minutes.

use arbiter_rank::rating::{Hypothesis, Model, ScoreDifference, Sprt, Trial};
use arbiter_rules::seed::Generator;

/// Tests of each strength.
const TESTS: u64 = 1_000;
/// Of so many tests with the chance 0.05 of a wrong verdict, more than this are wrong once in a
/// thousand times.
const WRONG: usize = 72;
/// The difference under H1, in Elo: twice the default, so that tests are four times as short.
const ELO1: f64 = 40.0;
/// A test ends undecided after so many pairs.
const MOST: usize = 2_000;

/// A test of a bot of this strength: the verdict, and the forecast at half of the pairs that it
/// took, divided by the number of pairs that followed.
fn test(elo: f64, number: u64) -> (Option<Hypothesis>, Option<f64>) {
    let mut lot = Generator::new(&[&"a test", &elo, &number]);
    // A fifth of the games is drawn.
    let won = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)) - 0.1;
    let mut trial =
        Trial::new(Sprt { elo0: 0.0, elo1: ELO1, alpha: 0.05, beta: 0.05, model: Model::Logistic });
    let mut forecasts = vec![None];
    while trial.verdict().is_none() && forecasts.len() <= MOST {
        let mut game = || match lot.next_u64() as f64 / 2_f64.powi(64) {
            part if part < won => 2,
            part if part < won + 0.2 => 1,
            _ => 0,
        };
        trial.add(game() + game());
        forecasts.push(trial.forecast());
    }
    let pairs = forecasts.len() - 1;
    let left = (pairs - pairs / 2) as f64;
    (trial.verdict(), forecasts[pairs / 2].map(|forecast| forecast / left))
}

#[test]
fn wrong_verdicts_and_wrong_forecasts_are_as_seldom_as_they_say() {
    for (elo, wrong) in [
        (0.0, Some(Hypothesis::H1)),
        (ELO1 / 2.0, None),
        (ELO1, Some(Hypothesis::H0)),
        (2.0 * ELO1, Some(Hypothesis::H0)),
    ] {
        let tested: Vec<_> = (0..TESTS).map(|number| test(elo, number)).collect();
        let count = |verdict| tested.iter().filter(|tested| tested.0 == verdict).count();
        if let Some(wrong) = wrong {
            assert!(
                count(Some(wrong)) <= WRONG,
                "{elo} Elo: {} wrong verdicts",
                count(Some(wrong))
            );
        }
        let decided = TESTS as usize - count(None);
        assert!(decided > 990, "{elo} Elo: {decided} are decided");
        let forecasts: Vec<f64> = tested.iter().filter_map(|tested| tested.1).collect();
        let near = forecasts.iter().filter(|share| (0.5..=2.0).contains(*share)).count();
        assert!(forecasts.len() >= 50, "{elo} Elo: {} forecasts", forecasts.len());
        assert!(
            2 * near >= forecasts.len(),
            "{elo} Elo: {near} of {} forecasts are near",
            forecasts.len()
        );
    }
}

#[test]
fn the_interval_of_a_difference_holds_it_as_often_as_it_says() {
    // Two versions win with the chances 0.6 and 0.5; an opening favours both alike.
    let mut lot = Generator::new(&[&"a difference"]);
    let held = (0..2_000).filter(|_| {
        let mut pair = || {
            let favour = if lot.below(2) == 0 { 20 } else { -20_i64 };
            let mut points =
                |chance: i64| if (lot.below(100) as i64) < chance + favour { 4 } else { 0 };
            (points(60), points(50))
        };
        let pairs: Vec<(u8, u8)> = (0..40).map(|_| pair()).collect();
        let difference = ScoreDifference::of_pairs(&pairs).unwrap();
        difference.interval().is_some_and(|(low, high)| low <= 0.1 && 0.1 <= high)
    });
    let held = held.count();
    assert!((1_850..=1_940).contains(&held), "{held} of 2000");
}
