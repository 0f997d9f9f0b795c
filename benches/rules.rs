//! Speed of the rules: plies a second from each game's start position, on one core, by processor time.
//!
//! *Played*: every last ply of a `perft` is played and the position after it judged, with the board of the game. *Walked*:
//! the same through `Position::plies` and `Position::after`, as a bot does it. A figure is the number of sequences of the
//! depth shown, divided by the processor time (user and system) that one call took; each is measured several times, and
//! the median is printed with the lowest and the highest.
//!
//! A second table shows what it takes to write the board and the legal plies of a question to a bot, in nanoseconds, as the
//! mean over the positions of a game.
//!
//! A third one shows the games of `games/`, whose rules are a process: microseconds of wall time for a ply, with the legal plies
//! after it, in random games.
//!
//! `cargo bench --bench rules` prints the tables; `-- --check` exits 1 when `loa` is played below its target.
//! Without `--bench` (under `cargo test`) it does nothing.

use arbiter::bot::Launcher;
use arbiter::game::{Limits, Sandbox};
use arbiter::rules::{Position, Ruleset, perft_playing};
use arbiter::rules_process::RulesFile;
use rustix::time::{ClockId, clock_gettime};
use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// The target of `loa`, in millions of played plies a second.
const TARGET: f64 = 100.0;
const ROUNDS: usize = 7;
/// Questions of a measurement of their texts.
const QUESTIONS: usize = 50_000;
/// Game, options, depth; the depths are such that a call takes some tenths of a second.
const CASES: [(&str, &str, u32); 7] = [
    ("loa", "", 5),
    ("flipflop", "", 14),
    ("lineup", "", 6),
    ("gekitai", "", 5),
    ("flipflop", "n=24", 10),
    ("lineup", "n=19 s=5", 3),
    ("gekitai", "n=8 l=4", 5),
];

/// How the sequences are played.
type Way = (&'static str, fn(&Position, u32) -> u64);
const WAYS: [Way; 2] = [("played", perft_playing), ("walked", walk)];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|word| word == "--bench") {
        return Ok(ExitCode::SUCCESS);
    }
    let only = arguments.iter().find(|word| !word.starts_with("--"));
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "millions of plies a second of processor time: median (lowest to highest) of {ROUNDS}"
    )?;
    let mut missed = false;
    for (game, options, depth) in CASES {
        if only.is_some_and(|only| only != game) {
            continue;
        }
        let start = Ruleset::named(game, options)?.start();
        for (way, count) in WAYS {
            let mut rates = Vec::new();
            let mut plies = 0;
            for _ in 0..ROUNDS {
                let began = processor_time();
                plies = count(black_box(&start), depth);
                rates.push(plies as f64 / (processor_time() - began) / 1e6);
            }
            rates.sort_by(f64::total_cmp);
            let (low, median, high) = (rates[0], rates[ROUNDS / 2], rates[ROUNDS - 1]);
            writeln!(
                out,
                "{game:>8} {options:<9} {way:>7}: {median:7.1} ({low:.1} to {high:.1}), {plies} sequences of {depth}"
            )?;
            missed |= (game, way) == ("loa", "played") && median < TARGET;
        }
    }
    writeln!(
        out,
        "nanoseconds for the board and the plies of a question: median (lowest to highest) of {ROUNDS}"
    )?;
    for (game, options, ..) in CASES {
        if only.is_some_and(|only| only != game) {
            continue;
        }
        let positions = positions_of_a_game(Ruleset::named(game, options)?.start());
        let mut text = String::with_capacity(1 << 12);
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let began = processor_time();
            for position in (0..QUESTIONS / positions.len()).flat_map(|_| &positions) {
                text.clear();
                black_box(position).push_board(&mut text);
                position.push_plies(&mut text);
                black_box(&text);
            }
            let questions = QUESTIONS / positions.len() * positions.len();
            times.push((processor_time() - began) / questions as f64 * 1e9);
        }
        times.sort_by(f64::total_cmp);
        let (low, median, high) = (times[0], times[ROUNDS / 2], times[ROUNDS - 1]);
        writeln!(
            out,
            "{game:>8} {options:<9} {median:7.0} ({low:.0} to {high:.0}), {} positions",
            positions.len()
        )?;
    }
    writeln!(
        out,
        "microseconds of wall time for a ply by rules in Python: median (lowest to highest) of {ROUNDS}"
    )?;
    for game in ["connect4", "othello", "breakthrough", "hex", "ataxx", "connect6"] {
        if only.is_none_or(|only| only == game) {
            let [low, median, high] = asked(game)?;
            writeln!(out, "{game:>12} {median:7.0} ({low:.0} to {high:.0})")?;
        }
    }
    if missed && arguments.iter().any(|word| word == "--check") {
        writeln!(out, "loa is below its target of {TARGET}")?;
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// The lowest, the median and the highest time for a ply of a game of `games/`.
fn asked(game: &str) -> Result<[f64; 3], Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(game).with_extension("py");
    let launcher = Launcher::new(env!("CARGO_BIN_EXE_arbiter").into(), Sandbox::Basic);
    let rules = RulesFile::load(&file, &launcher, &Limits::default())?;
    let start = rules.ruleset(&[])?.start();
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let plies: usize = (0..10).map(|_| positions_of_a_game(start.detached()).len()).sum();
        times.push(began.elapsed().as_secs_f64() / plies as f64 * 1e6);
    }
    times.sort_by(f64::total_cmp);
    Ok([times[0], times[ROUNDS / 2], times[ROUNDS - 1]])
}

/// The number of sequences of this many plies, every last position judged.
fn walk(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        black_box(position.ending());
        return 1;
    }
    position.plies().map(|ply| walk(&position.after(ply), depth - 1)).sum()
}

/// The positions of a game whose plies are drawn from a fixed sequence, the last one left out.
fn positions_of_a_game(start: Position) -> Vec<Position> {
    let mut positions = Vec::new();
    let mut position = start;
    let mut number: usize = 1;
    while position.ply_count() > 0 && positions.len() < 1000 {
        positions.push(position.clone());
        number =
            number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = (number >> 33) % position.ply_count() as usize;
        position = position.plies().nth(drawn).map_or(position.clone(), |ply| position.after(ply));
    }
    positions
}

/// The processor time of this process so far, in seconds.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
