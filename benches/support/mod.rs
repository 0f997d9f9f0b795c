//! Shared code of the benches: a bot that answers at once, and matches on one core.

#![allow(dead_code, reason = "no bench uses all of it")]

use arbiter::arena::{
    self, Conditions, Finished, GameQueue, Match, PlayerSpec, Players, RunEvent, ScheduledGames,
    SentSource,
};
use arbiter::bot::{Launcher, cores, keep_to};
use arbiter::game::{Pin, Pondering, Sandbox, Settings, StderrAccess, Watcher};
use arbiter::locate::{Access, FolderAccess, InstalledAdapter, Program};
use arbiter::openings::Openings;
use arbiter::schedule::{Format, Schedule};
use arbiter::seed::RunSeed;
use arbiter::tournament::{PlayedGames, TournamentProgress, TournamentRules};
use std::error::Error;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The argument by which a bench is started as the bot that answers at once; `reuse` or `fresh` follows it.
pub const BOT: &str = "--instant-bot";

/// The conditions of all games of a match.
pub struct Setup {
    /// The launcher of bots.
    pub launcher: Launcher,
    /// The program that is the bot.
    pub command: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The arguments of the second bot, if it has others.
    pub opponent: Option<Vec<OsString>>,
    /// The adapter that both bots are behind.
    pub adapter: Option<InstalledAdapter>,
    /// The settings of the games.
    pub settings: Settings,
}

impl Setup {
    /// The instant bot under `basic`, on one core.
    pub fn new(reuse: bool, pondering: Pondering) -> Setup {
        let mut settings = Settings::of_play();
        settings.time.pondering = pondering;
        settings.rules.pin = Pin::On;
        let (command, arguments) = bot(reuse);
        Setup {
            launcher: Launcher::new(PathBuf::from(env!("CARGO_BIN_EXE_arbiter")), Sandbox::Basic),
            command,
            arguments,
            opponent: None,
            adapter: None,
            settings,
        }
    }
}

/// The program and the arguments of a bot that answers at once with one of the legal plies that it is sent, chosen
/// by a counter: bot.c if there is a compiler, else this program. It may play many games, or one.
pub fn bot(reuse: bool) -> (PathBuf, Vec<OsString>) {
    static COMPILED: OnceLock<Option<PathBuf>> = OnceLock::new();
    let compiled = COMPILED.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let bot = folder.join(format!("instant-bot-{}", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/support/bot.c");
        let status = Command::new("cc").args(["-O2", "-o"]).arg(&bot).arg(source).status();
        status.is_ok_and(|status| status.success()).then_some(bot)
    });
    let reuse = OsString::from(if reuse { "reuse" } else { "fresh" });
    match compiled {
        Some(bot) => (bot.clone(), vec![reuse]),
        None => (std::env::current_exe().unwrap_or_default(), vec![BOT.into(), reuse]),
    }
}

/// The bot of [`bot`], if this program is it.
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
            // The moves come before `go`; each is four letters and a space, or `pass`.
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

/// Pins this process, and all processes that it starts, to one core, if the system supports that.
pub fn pin_to_one_core() -> Result<(), Box<dyn Error>> {
    Ok(cores().pop().map_or(Ok(()), keep_to)?)
}

fn plan(setup: &Setup, watcher: Option<Arc<dyn Watcher>>) -> Match {
    Match {
        conditions: Conditions {
            settings: setup.settings.clone().clone(),
            event: "bench".to_owned(),
            date: "2026.01.01".to_owned(),
            seed: Some(1),
            sent: SentSource::Run(RunSeed::Open(1)),
            isolation: setup.launcher.sandbox.word().to_owned(),
            launcher: setup.launcher.clone(),
            tries: 1,
            stderr: StderrAccess::Public,
            stop_before: None,
            opening: None,
            pause: Duration::ZERO,
        },
        concurrency: 1,
        watchers: watcher.into_iter().collect(),
    }
}

/// The two sides: the bot, and the bot or its opponent.
fn players(setup: &Setup) -> Players {
    let file = setup.command.clone();
    let folder = file.parent().map(PathBuf::from).unwrap_or_default();
    let opponent = setup.opponent.as_ref().unwrap_or(&setup.arguments);
    let mut players = Players::new();
    for (name, arguments) in [("a", &setup.arguments), ("b", opponent)] {
        let program = Program {
            name: "instant".to_owned(),
            command: file.clone(),
            arguments: arguments.clone(),
            dir: folder.clone(),
            adapter: setup.adapter.clone(),
            access: Access {
                folder: FolderAccess::Folder(folder.clone()),
                file: file.clone(),
                ..Access::default()
            },
            ..Program::default()
        };
        players.insert(name.to_owned(), PlayerSpec::Program(Arc::new(program)));
    }
    players
}

/// Plays so many games of the bot against itself; `each` is on the way of every game, as the log of a match is.
pub fn play(
    setup: &Setup,
    games: u32,
    watcher: Option<Arc<dyn Watcher>>,
    mut each: impl FnMut(&Finished) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let plan = plan(setup, watcher);
    let schedule =
        Schedule::new(Format { games, ..Format::default() }, &["a", "b"].map(String::from))?;
    let openings = Openings::start(plan.conditions.settings.ruleset.start());
    let progress = TournamentProgress::new(
        schedule,
        TournamentRules { tries: 1, ..TournamentRules::default() },
    );
    let scheduled = ScheduledGames::new(progress, openings, players(setup), PlayedGames::new());
    let mut run = arena::run(plan, GameQueue::new(scheduled));
    while let Some(told) = run.next() {
        let RunEvent::Finished(finished) = told else {
            return Err("the match was broken off".into());
        };
        each(&finished)?;
        run.settle(finished.pairing.index, finished.record.outcome.into());
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
