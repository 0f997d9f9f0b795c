//! Cost of the ratings of a large tournament: 1,000 bots, 1,000,000 results, one thread; then four times the
//! results.
//!
//! Results are random, pair by pair in round-robin rounds, and are counted immediately: only counters of each
//! two bots are kept, so more results take no more memory. Then ratings are fitted, with all bounds.
//!
//! `cargo bench --bench ratings` prints the figures. Without `--bench` (under `cargo test`) it does nothing.

use arbiter::rating::Ratings;
use arbiter::seed::Generator;
use arbiter::standings::{Encounter, Encounters, Score};
use std::error::Error;
use std::io::Write;
use std::time::Instant;

const BOTS: usize = 1000;
const RESULTS: [usize; 2] = [1_000_000, 4_000_000];
/// The advantage of the first side, in Elo.
const FIRST_SIDE: f64 = 40.0;

fn main() -> Result<(), Box<dyn Error>> {
    if !std::env::args().any(|word| word == "--bench") {
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    for results in RESULTS {
        let began = Instant::now();
        let encounters = play(results);
        let folded = began.elapsed().as_secs_f64();
        let cells = encounters.iter().count();
        let cell = size_of::<(u32, u32)>() + size_of::<Encounter>();
        let began = Instant::now();
        let ratings = Ratings::fit(BOTS, &encounters);
        let fitted = began.elapsed().as_secs_f64();
        let (first_side, bot) = (ratings.first_side(), ratings.bots()[0]);
        writeln!(out, "{BOTS} bots, {results} results")?;
        writeln!(out, "  drawing and counting  {folded:.2} s")?;
        writeln!(out, "  fitting with bounds   {fitted:.2} s")?;
        writeln!(
            out,
            "  counters              {cells} of {cell} bytes, {:.1} MB",
            (cells * cell) as f64 / 1e6
        )?;
        if let Some(peak) = peak_memory() {
            writeln!(out, "  most memory so far    {peak}")?;
        }
        let figure = |figure: Option<f64>| figure.unwrap_or(f64::NAN);
        writeln!(
            out,
            "  first side {:.2} (true: {FIRST_SIDE}), 95 % {:.2} to {:.2}; bot 0 {:.2} (true: {:.2}), 95 % {:.2} to {:.2}",
            figure(first_side.estimate),
            figure(first_side.low),
            figure(first_side.high),
            figure(bot.rating),
            strength(0) - mean(),
            figure(bot.low),
            figure(bot.high),
        )?;
    }
    Ok(())
}

/// Draws and counts `results` results, two for each pair of games.
fn play(results: usize) -> Encounters {
    let mut generator = Generator::new(&[&"ratings", &results]);
    let mut encounters = Encounters::default();
    let round = (0..BOTS).flat_map(|a| (a + 1..BOTS).map(move |b| (a, b)));
    for (a, b) in round.cycle().take(results / 2) {
        let scores = [(a, b), (b, a)].map(|(first, second)| score(&mut generator, first, second));
        encounters.add_pair(a, b, scores);
    }
    encounters
}

/// A random result; the probability of a draw is highest between equal bots.
fn score(generator: &mut Generator, first: usize, second: usize) -> Score {
    let chance = 1.0 / (1.0 + 10_f64.powf((strength(second) - strength(first) - FIRST_SIDE) / 400.0));
    let draws = 0.4 * chance * (1.0 - chance);
    let lot = generator.next_u64() as f64 / u64::MAX as f64;
    if lot < chance - draws / 2.0 {
        Score::Win
    } else if lot < chance + draws / 2.0 {
        Score::Draw
    } else {
        Score::Loss
    }
}

/// The true Elo of a bot, spread irregularly over 1000 points.
fn strength(bot: usize) -> f64 {
    (bot * 617 % BOTS) as f64 * 1000.0 / BOTS as f64
}

fn mean() -> f64 {
    (0..BOTS).map(strength).sum::<f64>() / BOTS as f64
}

/// The peak memory of the process, where the system reports it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(format!("{:.0} MB", kilobytes * 1024.0 / 1e6))
}
