//! Compares the recorded times with the bot's own clocks, on an idle and on a fully loaded machine.
//!
//! A bot computes for a random time on each ply and writes in `info` the times of its own clocks from the end
//! of reading the question until it begins to write the answer: wall time, and processor time of its process.
//! They are compared with the times that arbiter recorded. The difference is the transfer of question and
//! answer, during which other programs may run; the margin of a ply allows for it.
//!
//! A second table is about a bot off move that computes (`pondering = "off"`): the recorded wall time of a bot that computes for
//! 50 us of processor time a ply, less these, beside an opponent that has so many threads or processes which compute all the time.
//!
//! `cargo bench --bench clock` prints the table. Without `--bench` (under `cargo test`) it does nothing.

mod support;

use arbiter::game::{ClockKind, Pin, Pondering};
use rustix::time::{ClockId, clock_gettime};
use std::error::Error;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use support::{Setup, play};

/// The argument by which this program is started as a bot.
const BOT: &str = "--clock-bot";
/// The argument by which it is started as a process that computes.
const SPIN: &str = "--spin";
/// The processor time of a short ply.
const SHORT: Duration = Duration::from_micros(50);
const GAMES: u32 = 40;
/// Plies of a game.
const PLIES: u32 = 50;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = arguments.iter().position(|word| word == BOT) {
        return bot(&arguments[at + 1..]).map(|()| ExitCode::SUCCESS);
    }
    if arguments.iter().any(|word| word == SPIN) {
        beside(1, || {
            loop {
                std::thread::park();
            }
        });
    }
    if !arguments.iter().any(|word| word == "--bench") {
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = std::io::stdout().lock();
    let cores = std::thread::available_parallelism()?.get();
    writeln!(
        out,
        "recorded minus the bot's own, in us, {} plies a row; loaded: {} spinning threads on {cores} cores",
        GAMES * PLIES,
        2 * cores
    )?;
    writeln!(
        out,
        "{:>8}  {:>6}  {:>9}  {:>9}  {:>9}  {:>9}",
        "machine", "clock", "median", "99 %", "worst", "lost"
    )?;
    for (machine, spinners) in [("idle", 0), ("loaded", 2 * cores)] {
        for (name, clock) in [("wall", ClockKind::Wall), ("cpu", ClockKind::Cpu)] {
            let mut errors = Vec::new();
            let forfeits = beside(spinners, || measure(clock, &mut errors))?;
            errors.sort_by(f64::total_cmp);
            let at = |part: f64| errors[((errors.len() - 1) as f64 * part) as usize];
            writeln!(
                out,
                "{machine:>8}  {name:>6}  {:>9.1}  {:>9.1}  {:>9.1}  {forfeits:>9}",
                at(0.5),
                at(0.99),
                at(1.0)
            )?;
        }
    }
    writeln!(
        out,
        "{:>22}  {:>9}  {:>9}  {:>9}  {:>9}",
        "opponent computes in", "median", "90 %", "99 %", "worst"
    )?;
    for (threads, processes) in [(0, 0), (1, 0), (16, 0), (63, 0), (0, 1), (0, 8)] {
        let mut errors = beside_a_busy_opponent(threads, processes)?;
        errors.sort_by(f64::total_cmp);
        let at = |part: f64| errors[((errors.len() - 1) as f64 * part) as usize];
        let what = format!("{threads} threads, {processes} processes");
        writeln!(
            out,
            "{what:>22}  {:>9.1}  {:>9.1}  {:>9.1}  {:>9.1}",
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0)
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The recorded wall time of each ply of a bot that computes for [`SHORT`], less that, in microseconds, beside an opponent
/// with threads and processes that compute all the time.
fn beside_a_busy_opponent(threads: usize, processes: usize) -> Result<Vec<f64>, Box<dyn Error>> {
    let short = SHORT.as_micros().to_string();
    let arguments = |busy: [usize; 2]| {
        let busy = busy.map(|count| count.to_string());
        [BOT, &short, &busy[0], &busy[1]].map(Into::into).to_vec()
    };
    let opponent = Some(arguments([threads, processes]));
    let command = std::env::current_exe()?;
    let mut setup = Setup {
        command,
        arguments: arguments([0, 0]),
        opponent,
        ..Setup::new(true, Pondering::Off)
    };
    setup.settings.rules.max_plies = PLIES;
    setup.settings.limits.processes = 32;
    let mut errors = Vec::new();
    play(&setup, GAMES, None, |finished| {
        let record = &finished.record;
        for (number, played) in record.plies.iter().enumerate() {
            let is_first = number % 2 == 0;
            let name = if is_first { &record.players.first } else { &record.players.second };
            let wall = played.note.as_ref().and_then(|note| note.wall).filter(|_| name == "a");
            errors.extend(wall.map(|wall| support::micros(wall) - support::micros(SHORT)));
        }
        Ok(())
    })?;
    Ok(errors)
}

/// Calls a function while this number of threads spins.
fn beside<T>(spinners: usize, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..spinners {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    })
}

/// Plays games and appends the error of each ply's time by the charged clock; returns the number of forfeits.
fn measure(clock: ClockKind, errors: &mut Vec<f64>) -> Result<usize, Box<dyn Error>> {
    let command = std::env::current_exe()?;
    let mut setup =
        Setup { command, arguments: vec![BOT.into()], ..Setup::new(true, Pondering::Off) };
    setup.settings.time.clock = clock;
    setup.settings.rules.pin = Pin::Auto;
    setup.settings.rules.max_plies = PLIES;
    let mut forfeits = 0;
    play(&setup, GAMES, None, |finished| {
        forfeits += usize::from(finished.record.outcome.word() == "forfeit");
        for note in finished.record.plies.iter().filter_map(|played| played.note.as_ref()) {
            let said = std::str::from_utf8(&note.text)?;
            let mut words = said.split(' ').map(str::parse::<f64>);
            let (Some(Ok(wall)), Some(Ok(cpu))) = (words.next(), words.next()) else { continue };
            let recorded = if clock == ClockKind::Wall { note.wall } else { note.cpu };
            let own = if clock == ClockKind::Wall { wall } else { cpu };
            errors.extend(recorded.map(|recorded| support::micros(recorded) - own));
        }
        Ok(())
    })?;
    Ok(forfeits)
}

/// The bot: computes for up to 3 ms of processor time, and reports the times of its own clocks. With arguments it
/// computes for so many microseconds, and has so many threads and processes that compute all the time.
fn bot(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let numbers = arguments.iter().map(|word| word.parse()).collect::<Result<Vec<u64>, _>>()?;
    let (fixed, threads, processes) = match numbers[..] {
        [fixed, threads, processes] => (Some(Duration::from_micros(fixed)), threads, processes),
        _ => (None, 0, 0),
    };
    for _ in 0..threads {
        std::thread::spawn(|| {
            loop {
                std::hint::spin_loop();
            }
        });
    }
    for _ in 0..processes {
        std::process::Command::new(std::env::current_exe()?).arg(SPIN).spawn()?;
    }
    let mut out = std::io::stdout().lock();
    let (mut moves, mut number) = (String::new(), 12_345_u64);
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (began, used, own) = (Instant::now(), processor(), own_thread());
        match line.split_once(' ').unwrap_or((&line, "")) {
            ("start", _) => writeln!(out, "ready reuse")?,
            ("moves", words) => words.clone_into(&mut moves),
            ("go", _) => {
                number = number
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let work = fixed.unwrap_or(Duration::from_micros((number >> 33) % 3000));
                while own_thread() - own < work {}
                let ply = moves
                    .split(' ')
                    .nth((number >> 40) as usize % moves.split(' ').count())
                    .unwrap_or("pass");
                let (wall, cpu) = (
                    began.elapsed().as_nanos() as f64 / 1e3,
                    (processor() - used).as_nanos() as f64 / 1e3,
                );
                write!(out, "info {wall:.1} {cpu:.1}\nmove {ply}\n")?;
                out.flush()?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Processor time of this thread.
fn own_thread() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Processor time of this process.
fn processor() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
