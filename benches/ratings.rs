//! Cost of the ratings of large tournaments, on one thread: 1,000 bots with a million results, then with four times
//! as many; a Swiss of 3,000 bots; a chain of 20,000.
//!
//! Results are random and are counted immediately: only counters of each two bots are kept, so more results take no
//! more memory. Then ratings are fitted, with all bounds.
//!
//! `cargo bench --bench ratings` prints the figures. Without `--bench` (under `cargo test`) it does nothing.

use arbiter::rating::{RatingOptions, Ratings};
use arbiter::seed::Generator;
use arbiter::standings::{Encounter, Encounters, Score};
use std::error::Error;
use std::io::Write;
use std::time::Instant;

/// The advantage of the first side, in Elo.
const FIRST_SIDE: f64 = 40.0;

/// A tournament.
struct Design {
    name: &'static str,
    bots: usize,
    /// Two bots for each pair of games.
    pairs: fn(usize) -> Vec<[usize; 2]>,
    is_swiss: bool,
}

const DESIGNS: [Design; 4] = [
    Design {
        name: "rounds of all against all, 1,000,000 results",
        bots: 1000,
        pairs: |bots| all_against_all(bots, 500_000),
        is_swiss: false,
    },
    Design {
        name: "the same with 4,000,000 results",
        bots: 1000,
        pairs: |bots| all_against_all(bots, 2_000_000),
        is_swiss: false,
    },
    Design { name: "a Swiss of 12 rounds", bots: 3000, pairs: swiss, is_swiss: true },
    Design {
        name: "a chain of neighbours",
        bots: 20_000,
        pairs: |bots| (1..bots).map(|bot| [bot - 1, bot]).collect(),
        is_swiss: false,
    },
];

fn main() -> Result<(), Box<dyn Error>> {
    if !std::env::args().any(|word| word == "--bench") {
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    for Design { name, bots, pairs, is_swiss } in DESIGNS {
        let pairs = pairs(bots);
        let play_began = Instant::now();
        let encounters = play(bots, &pairs);
        let folded = play_began.elapsed().as_secs_f64();
        let cells = encounters.iter().count();
        let cell = size_of::<(u32, u32)>() + size_of::<Encounter>();
        let options = RatingOptions { swiss: is_swiss, ..RatingOptions::default() };
        let fit_began = Instant::now();
        let ratings = Ratings::fit(bots, &encounters, &options);
        let fitted = fit_began.elapsed().as_secs_f64();
        writeln!(out, "{bots} bots, {name}")?;
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
        let first_side = ratings.first_side();
        let figure = |figure: Option<f64>| figure.unwrap_or(f64::NAN);
        writeln!(
            out,
            "  first side {:.2} (true: {FIRST_SIDE}), 95 % {:.2} to {:.2}; {:.1} drawn games that were not played",
            figure(first_side.estimate),
            figure(first_side.low),
            figure(first_side.high),
            ratings.virtual_draws(),
        )?;
    }
    Ok(())
}

fn all_against_all(bots: usize, pairs: usize) -> Vec<[usize; 2]> {
    let round = (0..bots).flat_map(|a| (a + 1..bots).map(move |b| [a, b]));
    round.cycle().take(pairs).collect()
}

/// In each round neighbours in another irregular order of the bots meet, as graphs of a Swiss are irregular too.
fn swiss(bots: usize) -> Vec<[usize; 2]> {
    let mut generator = Generator::new(&[&"swiss"]);
    let round = |_| {
        let mut order: Vec<(u64, usize)> =
            (0..bots).map(|bot| (generator.next_u64(), bot)).collect();
        order.sort_unstable();
        order.chunks_exact(2).map(|two| [two[0].1, two[1].1]).collect::<Vec<_>>()
    };
    (0..12).flat_map(round).collect()
}

/// Draws and counts the results of these pairs.
fn play(bots: usize, pairs: &[[usize; 2]]) -> Encounters {
    let mut generator = Generator::new(&[&"ratings", &pairs.len()]);
    let mut encounters = Encounters::default();
    for &[a, b] in pairs {
        let of = [(a, b), (b, a)];
        let scores = of
            .map(|(one, other)| score(&mut generator, strength(one, bots), strength(other, bots)));
        encounters.add_pair(a, b, scores);
    }
    encounters
}

/// A random result; the probability of a draw is highest between equal bots.
fn score(generator: &mut Generator, first: f64, second: f64) -> Score {
    let chance = 1.0 / (1.0 + 10_f64.powf((second - first - FIRST_SIDE) / 400.0));
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
fn strength(bot: usize, bots: usize) -> f64 {
    (bot * 617 % bots) as f64 * 1000.0 / bots as f64
}

/// The peak memory of the process, where the system reports it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(format!("{:.0} MB", kilobytes * 1024.0 / 1e6))
}
