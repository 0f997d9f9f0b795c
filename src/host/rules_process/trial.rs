//! The adapters of the organiser and of a game, tried against a stand-in before the first game:
//! what fails there is their authors' mistake and not that of a bot.

use crate::bot::{Launcher, RunBounds, run_whole};
use crate::locate::{InstalledAdapter, Program};
use arbiter_game::adapters::{BOT, STAND_IN};
use arbiter_game::protocol::Dialect;
use arbiter_game::{Exit, Limits, ProgramEnd, SentLines, Settings, Start, Turn};
use arbiter_rules::text::printable;
use arbiter_rules::{BySide, Position};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long an adapter may compute, and how long it may do nothing.
const TIME: Duration = Duration::from_secs(20);
/// The most bytes that it may write, and that are shown of its error.
const OUTPUT: usize = 1 << 20;
const SHOWN: usize = 500;

/// Tries the adapters that the organiser has named for these programs, each once, in a game that
/// begins from `start`.
///
/// # Errors
/// One fails, or cannot be run.
pub fn try_adapters<'a>(
    programs: impl Iterator<Item = &'a Program>,
    start: &Position,
    launcher: &Launcher,
    limits: &Limits,
) -> Result<(), String> {
    let mut tried = Vec::new();
    for program in programs {
        let env = &program.spec.env;
        if let Some(adapter) = program.organisers_adapter()
            && !tried.contains(&(adapter, env))
        {
            try_adapter(adapter, env.clone(), start, launcher, limits)
                .map_err(|what| failed_before(adapter, &what))?;
            tried.push((adapter, env));
        }
    }
    Ok(())
}

/// That an adapter has failed in its trial.
pub(super) fn failed_before(installed: &InstalledAdapter, what: &str) -> String {
    let name = &installed.adapter.name;
    format!("adapter: {name}: it was tried before the first game: {what}")
}

/// Runs an adapter through the first turn of a game that begins from `start`, with a stand-in that
/// says nothing in the place of the bot.
///
/// # Errors
/// It fails, or cannot be run.
pub fn try_adapter(
    installed: &InstalledAdapter,
    mut env: BTreeMap<String, String>,
    start: &Position,
    launcher: &Launcher,
    limits: &Limits,
) -> Result<(), String> {
    env.insert(BOT.to_owned(), STAND_IN.to_owned());
    let program = installed.alone(env);
    let input = first_turn(start)?;
    let bounds = RunBounds { processor_time: TIME, silence: TIME, output: OUTPUT };
    let run = run_whole(launcher, &program, limits, input.as_bytes(), &bounds)
        .map_err(|error| error.to_string())?;
    let mut is_ready = false;
    for line in run.output.split(|&byte| byte == b'\n') {
        if let Some(fault) = line.strip_prefix(b"fault ") {
            return Err(printable(fault, SHOWN));
        }
        is_ready |= line.starts_with(b"ready");
    }
    Err(match run.end {
        ProgramEnd::Ended(Exit::Status(0)) if is_ready => return Ok(()),
        ProgramEnd::Ended(Exit::Status(0)) => {
            "it did nothing; its last line is run(…) with its class".to_owned()
        }
        ProgramEnd::Ended(exit) => {
            let last = run.stderr.trim_ascii_end().rsplit(|&byte| byte == b'\n').next();
            let shown = printable(last.unwrap_or_default(), SHOWN);
            format!("{exit} {shown}").trim_end().to_owned()
        }
        ProgramEnd::Computing | ProgramEnd::Waiting => "it did not come to its end".to_owned(),
        ProgramEnd::Endless => "it wrote without end".to_owned(),
        ProgramEnd::Exceeded(_) => "it exceeded a limit of memory or processes".to_owned(),
    })
}

/// The lines of a game from this position up to the first turn.
fn first_turn(position: &Position) -> Result<String, String> {
    let mut conversation = Dialect::Native.conversation()?;
    let settings = Settings::for_ruleset(position.ruleset());
    let sent = SentLines { id: "0".to_owned(), seeds: BySide { first: 0, second: 0 } };
    let start = Start { sent: &sent, position, you: position.side(), settings: &settings };
    let mut lines = String::new();
    conversation.push_start(&mut lines, &start)?;
    conversation.push_turn(&mut lines, &Turn::unlimited(position, &[]))?;
    Ok(lines)
}
