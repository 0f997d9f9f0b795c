//! The adapter of a game, tried against a stand-in before the first game: what fails there is a
//! mistake of the organiser and not of a bot.

use crate::adapters::{BOT, STAND_IN};
use crate::bot::{Launcher, RunBounds, run_whole};
use crate::game::{Exit, Limits, ProgramEnd, SentLines, Settings, Start, Turn};
use crate::locate::Program;
use crate::protocol::Dialect;
use crate::rules::{BySide, Ruleset};
use crate::text::printable;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long the adapter may take.
const TIME: Duration = Duration::from_secs(20);
/// The most bytes that it may write, and that are shown of its error.
const OUTPUT: usize = 1 << 20;
const SHOWN: usize = 500;

/// Runs the program of an adapter through the first turn of a game, with a stand-in that says nothing in the place
/// of the bot.
///
/// # Errors
/// It fails, or cannot be run.
pub(super) fn try_out(
    name: &str,
    mut program: Program,
    ruleset: Ruleset,
    launcher: &Launcher,
    limits: &Limits,
) -> Result<(), String> {
    let wrong = |what: String| format!("adapter: {name}: {what}");
    program.spec.env.insert(BOT.to_owned(), STAND_IN.to_owned());
    let bounds = RunBounds { processor_time: TIME, silence: TIME, output: OUTPUT };
    let input = first_turn(ruleset)?;
    let stop = AtomicBool::new(false);
    let run = run_whole(launcher, &program, limits, input.as_bytes(), &bounds, &stop)
        .map_err(|error| wrong(error.to_string()))?;
    if run.end == ProgramEnd::Ended(Exit::Status(0)) {
        return Ok(());
    }
    // Its own words, or those of Python.
    let fault =
        run.output.split(|&byte| byte == b'\n').find_map(|line| line.strip_prefix(b"fault "));
    let last = run.stderr.trim_ascii_end().rsplit(|&byte| byte == b'\n').next();
    let what = fault.or(last).unwrap_or_default();
    Err(wrong(format!("it was tried before the first game: {}", printable(what, SHOWN))))
}

/// The lines of a game up to the first turn, and of its end.
fn first_turn(ruleset: Ruleset) -> Result<String, String> {
    let mut conversation = Dialect::Native.conversation()?;
    let position = ruleset.start();
    let settings = Settings::for_ruleset(ruleset);
    let sent = SentLines { id: "0".to_owned(), seeds: BySide { first: 0, second: 0 } };
    let start =
        Start { sent: &sent, position: &position, you: position.side(), settings: &settings };
    let mut lines = String::new();
    conversation.push_start(&mut lines, &start)?;
    conversation.push_turn(&mut lines, &Turn::unlimited(&position, &[]))?;
    lines.push_str("since\nend win line\nquit\n");
    Ok(lines)
}
