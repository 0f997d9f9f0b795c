//! Before the first game: a bot is built, and tried out as far as that tells anything.

use super::conditions::Conditions;
use super::workers::runtime;
use crate::bot::{Bot, BotError, ExitReport};
use crate::game::{Exit, StderrAccess};
use crate::locate::Program;
use crate::rules::Side;
use crate::schedule::Pairing;
use crate::text::printable;

/// Lines of a failed build that are shown.
const BUILD_LINES: usize = 12;

/// How far a bot is tried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialDepth {
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

/// Builds the bot, if it has a `build` command, and tries it out. The build runs below a warden like a bot, so nothing of it is
/// left either. What both write is put into `written`.
///
/// # Errors
/// The build fails or takes too long; the program cannot be run, or does not get ready; or something of arbiter failed. The
/// error quotes what was written if `stderr` is public.
pub fn prepare(
    conditions: &Conditions,
    name: &str,
    program: &Program,
    trial: TrialDepth,
    stderr: StderrAccess,
    written: &mut Written,
) -> Result<(), BotError> {
    let Conditions { settings, launcher, .. } = conditions;
    let runtime = runtime().map_err(|error| BotError::Broken(format!("starting an event loop: {error}")))?;
    runtime.block_on(async {
        if let Some(builder) = program.builder() {
            let build = Bot::start(launcher, &builder, settings, None).await?;
            let end = build.run_to_end(settings.limits.build_time).await;
            written.build = Some([end.notes.unrecognised.bytes(), end.notes.stderr.bytes()].concat());
            if let Some(what) = end.broken {
                return Err(BotError::Broken(what));
            }
            if end.exit != Some(Exit::Status(0)) || end.killed {
                return Err(BotError::Unstartable(build_failure(program, conditions, &end, stderr)));
            }
            program.check().map_err(|error| BotError::Unstartable(error.to_string()))?;
        }
        let mut bot = Bot::start(launcher, program, settings, None).await?;
        if trial == TrialDepth::Start {
            return Ok(());
        }
        let (pairing, position) = (trial_pairing(name), settings.ruleset.start());
        let ready = bot.ready(&conditions.start(&pairing, &position, Side::First)).await?;
        let Err(answer) = ready else {
            bot.stop().await;
            return Ok(());
        };
        let (why, _) = bot.explain(&conditions.no_start(&position, &answer, stderr)).await;
        let notes = bot.stop().await.notes;
        written.trial = [notes.unrecognised.bytes(), notes.stderr.bytes()].concat();
        Err(BotError::Unstartable(format!("{}: {why}", program.command.display())))
    })
}

/// The pairing of a game that is not played: the bot is only asked to get ready.
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

fn build_failure(
    program: &Program,
    conditions: &Conditions,
    end: &ExitReport,
    stderr: StderrAccess,
) -> String {
    let build_time = conditions.settings.limits.build_time;
    let how = match end.exit {
        _ if end.killed => format!("took longer than {} s", build_time.as_secs_f64()),
        Some(exit) => exit.to_string(),
        None => "failed".to_owned(),
    };
    let build = program.build.as_deref().unwrap_or_default();
    if stderr == StderrAccess::Private {
        return format!("its build `{build}` {how}");
    }
    let lines =
        [&end.notes.unrecognised, &end.notes.stderr].map(|output| output.last_lines(BUILD_LINES)).concat();
    let lines: String = lines.iter().map(|line| format!("\n  {}", printable(line, 200))).collect();
    format!("its build `{build}` {how}{lines}")
}
