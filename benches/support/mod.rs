//! What the benches share: a bot that answers at once, and matches of such a bot against itself on one core.

#![allow(dead_code, reason = "no bench uses all of it")]

use arbiter::arena::{self, Audience, Contest, Desk, Disturbed, Finished, Known, Match, Pin, Quoted, Told};
use arbiter::bot::{Launcher, Limits, cores, keep_to};
use arbiter::clock::{Charged, TimeControl};
use arbiter::course::{Course, Rules};
use arbiter::locate::{Access, Own, Program};
use arbiter::openings::Openings;
use arbiter::protocol::Pondering;
use arbiter::referee::Terms;
use arbiter::rules::Ruleset;
use arbiter::sandbox::Sandbox;
use arbiter::schedule::{Format, Schedule};
use std::error::Error;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Word by which a bench, started as a bot, knows that it is one that answers at once; behind it `reuse` or `fresh`.
pub const BOT: &str = "--instant-bot";

/// What is the same in all games of a match.
pub struct Setup {
    /// What a bot is restricted by.
    pub launcher: Launcher,
    /// What the bench is started with as a bot.
    pub arguments: Vec<OsString>,
    pub pondering: Pondering,
    pub charged: Charged,
    /// Whether all of it runs on one core.
    pub pin: Pin,
    pub max_plies: u32,
}

impl Setup {
    /// The instant bot under `basic`, on one core.
    pub fn new(reuse: bool, pondering: Pondering) -> Setup {
        Setup {
            launcher: Launcher::new(PathBuf::from(env!("CARGO_BIN_EXE_arbiter")), Sandbox::Basic),
            arguments: vec![BOT.into(), if reuse { "reuse" } else { "fresh" }.into()],
            pondering,
            charged: Charged::Wall,
            pin: Pin::On,
            max_plies: 0,
        }
    }
}

/// A bot that answers at once: some legal ply of those it is sent, chosen by a running number.
pub fn instant_bot(reuse: bool) -> Result<(), Box<dyn Error>> {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut block = Vec::new();
    let mut chunk = [0; 8192];
    let mut number: usize = 12345;
    loop {
        let count = input.read(&mut chunk)?;
        if count == 0 {
            return Ok(());
        }
        block.extend_from_slice(&chunk[..count]);
        if block.ends_with(b"\nstart\n") {
            output.write_all(if reuse { b"ready reuse\n" } else { b"ready\n" })?;
            output.flush()?;
        } else if block.ends_with(b"\ngo\n") {
            // The moves stand before `go`; each is four letters and a space, or `pass`.
            let moves = &block[..block.len() - 4];
            let line = moves.iter().rposition(|&b| b == b'\n').map_or(moves, |at| &moves[at + 1..]);
            let words = line.len() / 5 - 1;
            number = number.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            let at = 6 + (number >> 16) % words.max(1) * 5;
            let mut answer = *b"move a0a0\n";
            answer[5..9].copy_from_slice(&line[at..at + 4]);
            output.write_all(&answer)?;
            output.flush()?;
        } else {
            continue;
        }
        block.clear();
    }
}

/// Keeps this process, and so all that it starts, to one core, where the system lets itself be told so.
pub fn pin_to_one_core() -> Result<(), Box<dyn Error>> {
    Ok(cores().pop().map_or(Ok(()), keep_to)?)
}

fn plan(setup: &Setup, audience: Option<Arc<dyn Audience>>) -> Result<Match, Box<dyn Error>> {
    let second = Duration::from_secs(1);
    let mut terms = Terms::new(
        Ruleset::named("loa", &[])?.start(),
        TimeControl::Game { base: 10 * second, increment: second / 10 },
    );
    terms.charged = setup.charged;
    if setup.max_plies > 0 {
        terms.max_plies = setup.max_plies;
    }
    let file = std::env::current_exe()?;
    let folder = file.parent().map(PathBuf::from).unwrap_or_default();
    let program = Arc::new(Program {
        name: "instant".to_owned(),
        command: file.clone(),
        arguments: setup.arguments.clone(),
        dir: folder.clone(),
        env: Vec::new(),
        build: None,
        built_in: false,
        access: Access { own: Own::Folder(folder), file, ..Access::default() },
    });
    Ok(Match {
        contest: Contest {
            event: "bench".to_owned(),
            date: "2026.01.01".to_owned(),
            terms,
            limits: Limits { memory: Some(512 << 20), pondering: setup.pondering, ..Limits::default() },
            memory: 512 << 20,
            seed: 1,
            isolation: setup.launcher.sandbox.word().to_owned(),
            launcher: setup.launcher.clone(),
            disturbed: Disturbed::Counts,
            stderr: Quoted::Yes,
        },
        bots: vec![("a".to_owned(), Arc::clone(&program)), ("b".to_owned(), program)],
        concurrency: 1,
        pin: setup.pin,
        audience,
    })
}

/// Plays so many games of the bot against itself; `each` is on the way of every game, as the log of a match is.
pub fn play(
    setup: &Setup,
    games: u32,
    audience: Option<Arc<dyn Audience>>,
    mut each: impl FnMut(&Finished) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let plan = plan(setup, audience)?;
    let schedule = Schedule::new(Format::RoundRobin { games, rounds: 1 }, &["a", "b"].map(String::from))?;
    let openings = Openings::start(plan.contest.terms.start);
    let course = Course::new(schedule, Rules { tries: 1, ..Rules::default() });
    let mut run = arena::run(plan, Desk::new(course, openings, Known::new()));
    while let Some(told) = run.next() {
        let Told::Finished(finished) = told else { return Err("the match was broken off".into()) };
        each(&finished)?;
        run.settle(finished.pairing.index, arena::ended(finished.record.outcome));
    }
    Ok(())
}

pub fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// It sorts them.
pub fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
