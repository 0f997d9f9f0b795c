//! The adapters of the organiser and of a game, tried against a stand-in before the first game:
//! what fails there is their authors' mistake and not that of a bot.

use crate::bot::{Launcher, RunBounds, run_whole};
use crate::locate::{InstalledAdapter, Program};
use arbiter_game::adapters::{BOT, STAND_IN};
use arbiter_game::protocol::Dialect;
use arbiter_game::{Exit, Limits, ProgramEnd, SentLines, Settings, Start, Turn};
use arbiter_rules::text::printable;
use arbiter_rules::{BySide, Ruleset};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long an adapter may compute, and how long it may do nothing.
const TIME: Duration = Duration::from_secs(20);
/// The most bytes that it may write, and that are shown of its error.
const OUTPUT: usize = 1 << 20;
const SHOWN: usize = 500;

/// Tries the adapters that the organiser has named for these programs, each once.
///
/// # Errors
/// One fails, or cannot be run.
pub fn try_adapters<'a>(
    programs: impl Iterator<Item = &'a Program>,
    ruleset: &Ruleset,
    launcher: &Launcher,
    limits: &Limits,
) -> Result<(), String> {
    let mut tried = Vec::new();
    for program in programs {
        let env = &program.spec.env;
        if let Some(adapter) = program.organisers_adapter()
            && !tried.contains(&(adapter, env))
        {
            try_out(adapter, env.clone(), ruleset, launcher, limits)?;
            tried.push((adapter, env));
        }
    }
    Ok(())
}

/// Runs an adapter through the first turn of a game, with a stand-in that says nothing in the place
/// of the bot.
///
/// # Errors
/// It fails, or cannot be run.
pub(super) fn try_out(
    installed: &InstalledAdapter,
    mut env: BTreeMap<String, String>,
    ruleset: &Ruleset,
    launcher: &Launcher,
    limits: &Limits,
) -> Result<(), String> {
    env.insert(BOT.to_owned(), STAND_IN.to_owned());
    let program = installed.alone(env);
    let wrong = |what: &str| {
        let name = &program.name;
        format!("adapter: {name}: it was tried before the first game: {what}")
    };
    let bounds = RunBounds { processor_time: TIME, silence: TIME, output: OUTPUT };
    let input = first_turn(ruleset)?;
    let stop = AtomicBool::new(false);
    let run = run_whole(launcher, &program, limits, input.as_bytes(), &bounds, &stop)
        .map_err(|error| wrong(&error.to_string()))?;
    let mut lines = run.output.split(|&byte| byte == b'\n');
    if let Some(fault) = lines.clone().find_map(|line| line.strip_prefix(b"fault ")) {
        return Err(wrong(&printable(fault, SHOWN)));
    }
    let last = run.stderr.trim_ascii_end().rsplit(|&byte| byte == b'\n').next();
    let last = printable(last.unwrap_or_default(), SHOWN);
    match run.end {
        ProgramEnd::Ended(Exit::Status(0)) if lines.any(|line| line.starts_with(b"ready")) => {
            Ok(())
        }
        ProgramEnd::Ended(Exit::Status(0)) => {
            Err(wrong("it did nothing; its last line is run(…) with its class"))
        }
        ProgramEnd::Ended(exit) => Err(wrong(format!("{exit} {last}").trim_end())),
        ProgramEnd::Computing | ProgramEnd::Waiting => Err(wrong("it did not come to its end")),
        ProgramEnd::Endless => Err(wrong("it wrote without end")),
        ProgramEnd::Exceeded(_) => Err(wrong("it exceeded a limit of memory or processes")),
    }
}

/// The lines of a game up to the first turn.
fn first_turn(ruleset: &Ruleset) -> Result<String, String> {
    let mut conversation = Dialect::Native.conversation()?;
    let position = ruleset.start();
    let settings = Settings::for_ruleset(ruleset.clone());
    let sent = SentLines { id: "0".to_owned(), seeds: BySide { first: 0, second: 0 } };
    let start =
        Start { sent: &sent, position: &position, you: position.side(), settings: &settings };
    let mut lines = String::new();
    conversation.push_start(&mut lines, &start)?;
    conversation.push_turn(&mut lines, &Turn::unlimited(&position, &[]))?;
    Ok(lines)
}
