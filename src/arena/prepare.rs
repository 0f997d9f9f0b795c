//! Before the first game: a bot is built, and tried out as far as that tells anything.

use super::ending::sentence;
use super::game::{Contest, Game, Quoted, start_block};
use super::workers::runtime;
use crate::bot::{Bot, BotError, Farewell};
use crate::locate::Program;
use crate::protocol::Exit;
use crate::record::Fault;
use crate::rules::Side;
use crate::schedule::Pairing;
use crate::text::printable;
use std::time::Duration;

/// Lines of a failed build that are shown.
const BUILD_LINES: usize = 12;

/// How far a bot is tried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trial {
    /// Its program starts.
    Start,
    /// It says that it is ready for a game.
    Ready,
}

/// What a bot that is prepared writes, for its author.
#[derive(Debug, Default)]
pub struct Written {
    /// By its build; none without one.
    pub build: Option<Vec<u8>>,
    /// By the bot, when it did not get ready.
    pub trial: Vec<u8>,
}

/// Builds the bot, if it has a `build` command that takes at most `build_time`, and tries it out. The build runs below a
/// warden like a bot, so nothing of it is left either. What both write is put into `written`.
///
/// # Errors
/// The build fails or takes too long; the program cannot be run, or does not get ready; or something of ours failed. The
/// end of what was written is `quoted` or not.
pub fn prepare(
    contest: &Contest,
    name: &str,
    program: &Program,
    build_time: Duration,
    trial: Trial,
    quoted: Quoted,
    written: &mut Written,
) -> Result<(), BotError> {
    let runtime = runtime().map_err(|error| BotError::Broken(format!("starting an event loop: {error}")))?;
    runtime.block_on(async {
        if let Some(builder) = program.builder() {
            let build = Bot::start(&contest.launcher, &builder, contest.limits, None).await?;
            let end = build.run_to_end(build_time).await;
            written.build = Some([end.notes.astray.bytes(), end.notes.stderr.bytes()].concat());
            if let Some(what) = end.broken {
                return Err(BotError::Broken(what));
            }
            if end.exit != Some(Exit::Status(0)) || end.killed {
                return Err(BotError::Unstartable(build_failure(program, build_time, &end, quoted)));
            }
            program.check().map_err(|error| BotError::Unstartable(error.to_string()))?;
        }
        let mut bot = Bot::start(&contest.launcher, program, contest.limits, None).await?;
        if trial == Trial::Start {
            return Ok(());
        }
        let pairing = trial_pairing(name);
        let game = Game { contest, pairing: &pairing, terms: &contest.terms };
        let ready = bot.ready(&start_block(game, Side::First)).await?;
        let Err(answer) = ready else {
            bot.stop().await;
            return Ok(());
        };
        let mut testimony = quoted.of(bot.testimony().await);
        testimony.silence = bot.fathom().await;
        let notes = bot.stop().await.notes;
        written.trial = [notes.astray.bytes(), notes.stderr.bytes()].concat();
        let why = sentence(Fault::NoStart, &contest.terms.start, &answer, contest.allowed(), &testimony);
        Err(BotError::Unstartable(format!("{}: {why}", program.command.display())))
    })
}

/// A game that is none: the bot is asked for `ready` as for one, and sent home.
fn trial_pairing(name: &str) -> Pairing {
    Pairing {
        id: format!("{name}~{name}.0"),
        index: 0,
        meeting: 0,
        round: 1,
        game: 1,
        number: 0,
        first: 0,
        second: 0,
        pair: None,
        opening: 1,
    }
}

fn build_failure(program: &Program, build_time: Duration, end: &Farewell, quoted: Quoted) -> String {
    let how = match end.exit {
        _ if end.killed => format!("took longer than {} s", build_time.as_secs_f64()),
        Some(exit) => exit.to_string(),
        None => "failed".to_owned(),
    };
    let build = program.build.as_deref().unwrap_or_default();
    if quoted == Quoted::No {
        return format!("its build `{build}` {how}");
    }
    let lines = [&end.notes.astray, &end.notes.stderr].map(|output| output.last_lines(BUILD_LINES)).concat();
    let lines: String = lines.iter().map(|line| format!("\n  {}", printable(line, 200))).collect();
    format!("its build `{build}` {how}{lines}")
}
