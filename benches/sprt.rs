//! What a sequential test decides, and what its forecasts are worth: tests of simulated bots of known strength.
//!
//! For each strength of the tested bot it prints how many tests accept H1, accept H0, and end undecided after 2,000 pairs;
//! the mean number of pairs; in how many tests there was a forecast when half of its pairs were played; and the share of these
//! forecasts that are at least half and at most twice the number of pairs that followed.
//! Games are independent, a fifth of them drawn.
//!
//! `cargo bench --bench sprt` prints the table; it uses all cores. Every run gives the same figures. Without `--bench` (under
//! `cargo test`) it does nothing.

use arbiter::rating::{Hypothesis, Model, Sprt, Trial};
use arbiter::seed::Generator;
use std::io::Write;
use std::thread;

/// Tests of each strength.
const TESTS: u64 = 1_000;
/// A test ends undecided after so many pairs.
const MOST: u64 = 2_000;
/// The share of drawn games.
const DRAWN: f64 = 0.2;

/// What came of a test.
#[derive(Clone, Copy)]
struct Tested {
    verdict: Option<Hypothesis>,
    pairs: u64,
    /// The forecast at half of these pairs, divided by the number of pairs that followed.
    forecast: Option<f64>,
}

/// The chances of a loss and of a win that have this strength in Elo of the model.
fn chances(elo: f64, model: Model) -> [f64; 2] {
    let excess = match model {
        Model::Logistic => 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)) - 0.5,
        Model::Normalized => {
            let ratio = elo * std::f64::consts::LN_10 / 800.0;
            ratio * ((1.0 - DRAWN) / 4.0 / (1.0 + ratio * ratio)).sqrt()
        }
    };
    [(1.0 - DRAWN) / 2.0 - excess, (1.0 - DRAWN) / 2.0 + excess]
}

fn test(elo: f64, model: Model, number: u64) -> Tested {
    let mut lot = Generator::new(&[&"sprt", &elo, &model.word(), &number]);
    let [lost, won] = chances(elo, model);
    let mut trial = Trial::new(Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05, model });
    let mut forecasts = vec![None];
    while trial.verdict().is_none() && forecasts.len() as u64 <= MOST {
        let mut game = || match lot.next_u64() as f64 / 2_f64.powi(64) {
            part if part < lost => 0,
            part if part < lost + won => 2,
            _ => 1,
        };
        trial.add(game() + game());
        forecasts.push(trial.forecast());
    }
    let pairs = forecasts.len() - 1;
    let most = |forecast: f64| forecast.min(MOST as f64 - (pairs / 2) as f64);
    let forecast = forecasts[pairs / 2].map(|forecast| most(forecast) / (pairs - pairs / 2) as f64);
    Tested { verdict: trial.verdict(), pairs: pairs as u64, forecast }
}

fn main() -> std::io::Result<()> {
    if !std::env::args().any(|word| word == "--bench") {
        return Ok(());
    }
    let workers = thread::available_parallelism()?.get() as u64;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{TESTS} tests of each strength; H0: 0 Elo, H1: 20 Elo, alpha = beta = 0.05")?;
    writeln!(
        out,
        "{:10}  {:>3}  {:>4}  {:>4}  {:>9}  {:>10}  {:>9}  {:>9}",
        "model", "Elo", "H1", "H0", "undecided", "mean pairs", "forecasts", "near"
    )?;
    // The quick one first.
    for model in [Model::Logistic, Model::Normalized] {
        for elo in [0.0, 10.0, 20.0, 40.0] {
            let part = |first: u64| {
                (first..TESTS).step_by(workers as usize).map(move |number| test(elo, model, number))
            };
            let tested: Vec<Tested> = thread::scope(|scope| {
                let threads: Vec<_> = (0..workers)
                    .map(|first| scope.spawn(move || part(first).collect::<Vec<_>>()))
                    .collect();
                threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
            });
            let count = |verdict| tested.iter().filter(|tested| tested.verdict == verdict).count();
            let [h1, h0, undecided] = [Some(Hypothesis::H1), Some(Hypothesis::H0), None].map(count);
            let pairs =
                tested.iter().map(|tested| tested.pairs).sum::<u64>() as f64 / tested.len() as f64;
            let forecasts: Vec<f64> = tested.iter().filter_map(|tested| tested.forecast).collect();
            let near = forecasts.iter().filter(|share| (0.5..=2.0).contains(*share)).count();
            writeln!(
                out,
                "{:10}  {elo:>3}  {h1:>4}  {h0:>4}  {undecided:>9}  {pairs:>10.0}  {:>9}  {:>7.1} %",
                model.word(),
                forecasts.len(),
                100.0 * near as f64 / forecasts.len().max(1) as f64
            )?;
        }
    }
    Ok(())
}
