//! The cost of each level of isolation: of a game with fresh bots, and of a ply with bots that are kept.
//!
//! A match of a bot that answers at once against itself, everything on one core, the levels in turn in each
//! round. *names* is `strict` with namespaces, where the machine allows them. A game with fresh bots starts
//! four processes of arbiter and two bots, and waits until all of them have ended.
//!
//! `cargo bench --bench isolation` prints the table. Without `--bench` (under `cargo test`) it does nothing.

mod support;

use arbiter::bot::{Launcher, probe_isolation};
use arbiter::game::{Limits, Pondering, Sandbox};
use arbiter::sandbox::Namespaces;
use std::error::Error;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;
use support::{BOT, Setup, instant_bot, median, micros, pin_to_one_core, play};

const ROUNDS: usize = 7;
const FRESH_GAMES: u32 = 30;
const KEPT_GAMES: u32 = 60;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, reuse] = &arguments[..]
        && word == BOT
    {
        return instant_bot(reuse == "reuse").map(|()| ExitCode::SUCCESS);
    }
    if !arguments.iter().any(|word| word == "--bench") {
        return Ok(ExitCode::SUCCESS);
    }
    pin_to_one_core()?;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:>8}  {:>18}  {:>16}  {:>16}",
        "level", "us a fresh game", "us a ply, kept", "the same, frozen"
    )?;
    let levels = levels()?;
    let mut figures = vec![[(); 3].map(|()| Vec::new()); levels.len()];
    for _ in 0..ROUNDS {
        for ((_, launcher), figures) in levels.iter().zip(&mut figures) {
            figures[0].push(time(launcher, false, Pondering::On)?.1);
            figures[1].push(time(launcher, true, Pondering::On)?.0);
            figures[2].push(time(launcher, true, Pondering::Off)?.0);
        }
    }
    for ((name, _), [fresh, kept, frozen]) in levels.iter().zip(&mut figures) {
        let (fresh, kept, frozen) = (median(fresh), median(kept), median(frozen));
        writeln!(out, "{name:>8}  {fresh:>18.0}  {kept:>16.2}  {frozen:>16.2}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The levels that this machine has.
fn levels() -> Result<Vec<(&'static str, Launcher)>, Box<dyn Error>> {
    let plain = Setup::new(true, Pondering::On).launcher;
    let level = |sandbox| Launcher { sandbox, ..plain.clone() };
    let mut levels = vec![
        ("off", level(Sandbox::Off)),
        ("basic", level(Sandbox::Basic)),
        ("strict", level(Sandbox::Strict)),
    ];
    let names = Launcher { namespaces: Namespaces::All, ..level(Sandbox::Strict) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    if runtime.block_on(probe_isolation(&names, &Limits::default(), None)).is_ok() {
        levels.push(("names", names));
    }
    Ok(levels)
}

/// Microseconds a ply, and a game.
fn time(launcher: &Launcher, reuse: bool, pondering: Pondering) -> Result<(f64, f64), Box<dyn Error>> {
    let mut setup = Setup { launcher: launcher.clone(), ..Setup::new(reuse, pondering) };
    setup.settings.rules.max_plies = if reuse { 0 } else { 2 };
    let games = if reuse { KEPT_GAMES } else { FRESH_GAMES };
    let mut plies = 0;
    let began = Instant::now();
    play(&setup, games, None, |finished| {
        plies += finished.record.plies.len();
        match finished.record.outcome.word() {
            "win" | "suicide" | "draw" => Ok(()),
            other => Err(format!("{other}: {:?}", finished.record.detail).into()),
        }
    })?;
    let used = micros(began.elapsed());
    Ok((used / plies as f64, used / f64::from(games)))
}
