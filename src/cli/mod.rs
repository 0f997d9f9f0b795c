//! The command line: one file a command. Only this room sees all the others, looks paths up and decides exit
//! statuses (docs/cli.md).

mod audience;
mod bot;
mod conditions;
mod doctor;
mod entered;
mod games;
mod hotseat;
mod input_file;
mod isolation;
mod keys;
mod merge;
mod moves;
mod perft;
mod play;
mod rate;
mod replay;
mod report;
mod rerun;
mod run_display;
mod serve;
mod settings;
mod stage;
mod standings;
mod table;
mod tournament;
mod trust;
mod verify;
mod watched;

use crate::bot::{Launcher, WARDEN, myself, warden};
use crate::game::Sandbox;
use crate::rules::{Position, Ruleset};
use crate::sandbox::{FILL, PROBE, fill_memory, run_probes};
use crate::text::harmless;
use crate::view::{Colour, terminal_size, wrap};
use anyhow::{Context, anyhow};
use clap::{Args, Parser, Subcommand};
use play::{INTERRUPTED, early_ends, write_bot_logs};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::ExitCode;

/// A referee and arena for bot programs over stdin and stdout.
#[derive(Debug, Parser)]
#[command(name = "arbiter", version, max_term_width = 110, after_help = EXIT_STATUS)]
pub struct Arguments {
    #[command(subcommand)]
    command: AnyCommand,
}

const EXIT_STATUS: &str = "\
Examples:
  arbiter play loa mybot builtin:greedy -n 20     twenty games of a bot against one that comes along
  arbiter tournament spring-cup.toml              plays a tournament, or continues it
  arbiter tournament --print-default              a commented configuration to start from
  arbiter standings spring-cup                    its table and ratings
  arbiter report spring-cup                       a page of it for the browser, with every game
  arbiter rerun spring-cup conny~randy.1          one of its games again

Exit status: 0 done; 1 done, with a negative answer (an invalid log, a forfeit under \
--strict, a rerun that differs); 2 bad usage, configuration or input; 3 could not finish; 4 undecided; 130 interrupted.";

#[derive(Debug, Subcommand)]
enum AnyCommand {
    Play(Box<play::PlayCommand>),
    Tournament(Box<tournament::TournamentCommand>),
    Merge(merge::MergeCommand),
    Standings(standings::StandingsCommand),
    Verify(verify::VerifyCommand),
    Rerun(Box<rerun::RerunCommand>),
    Replay(replay::ReplayCommand),
    Report(report::ReportCommand),
    Serve(Box<serve::ServeCommand>),
    Bot(bot::BotCommand),
    Doctor(doctor::DoctorCommand),
    Games(games::GamesCommand),
    Hotseat(hotseat::HotseatCommand),
    Moves(moves::MovesCommand),
    Perft(perft::PerftCommand),
}

/// Why a command stopped before its end.
#[derive(Debug)]
pub enum Failure {
    /// Bad usage or input: exit status 2.
    Usage(anyhow::Error),
    /// arbiter could not finish: exit status 3.
    Unfinished(anyhow::Error),
    /// Stopped by a signal: exit status 130.
    Interrupted(anyhow::Error),
    /// The reader of standard output has closed it, as `head` does: not an error, exit status 0.
    OutputClosed,
}

impl Failure {
    /// The error to print, if there is one.
    #[must_use]
    pub fn error(&self) -> Option<&anyhow::Error> {
        match self {
            Failure::Usage(error) | Failure::Unfinished(error) | Failure::Interrupted(error) => Some(error),
            Failure::OutputClosed => None,
        }
    }

    /// The exit status.
    #[must_use]
    pub fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::OutputClosed => 0,
            Failure::Usage(_) => 2,
            Failure::Unfinished(_) => 3,
            Failure::Interrupted(_) => 130,
        })
    }
}

impl Failure {
    /// The same failure with this change to what it says.
    pub(super) fn reworded(self, change: impl FnOnce(&str) -> String) -> Failure {
        let changed = |error: anyhow::Error| anyhow!(change(&format!("{error:#}")));
        match self {
            Failure::Usage(error) => Failure::Usage(changed(error)),
            Failure::Unfinished(error) => Failure::Unfinished(changed(error)),
            Failure::Interrupted(error) => Failure::Interrupted(changed(error)),
            Failure::OutputClosed => Failure::OutputClosed,
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Usage(error)
    }
}

/// The exit status of a command, or why it stopped.
type CommandResult = Result<ExitCode, Failure>;

/// Runs a command.
///
/// # Errors
/// The command stopped before its end; the failure has the reason and the exit status.
pub fn run(arguments: Arguments) -> CommandResult {
    match arguments.command {
        AnyCommand::Play(command) => command.run(),
        AnyCommand::Tournament(command) => command.run(),
        AnyCommand::Merge(command) => command.run(),
        AnyCommand::Standings(command) => command.run(),
        AnyCommand::Verify(command) => command.run(),
        AnyCommand::Rerun(command) => command.run(),
        AnyCommand::Replay(command) => command.run(),
        AnyCommand::Report(command) => command.run(),
        AnyCommand::Serve(command) => command.run(),
        AnyCommand::Bot(command) => command.run(),
        AnyCommand::Doctor(command) => command.run(),
        AnyCommand::Games(command) => command.run(),
        AnyCommand::Hotseat(command) => command.run(),
        AnyCommand::Moves(command) => command.run(),
        AnyCommand::Perft(command) => command.run(),
    }
}

/// Runs as one of arbiter's helper processes, if the program was started as one: a warden (`arbiter __launch
/// REFEREE -- COMMAND…`), the isolation probe (`arbiter __probe FOLDER REFEREE`), or the test of a control group (`arbiter
/// __fill GROUP…`). None for the command line of a user.
pub fn stage(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let word = arguments.nth(1)?;
    if word == PROBE {
        let folder = arguments.next().map(PathBuf::from);
        let referee = arguments.next().and_then(|pid| pid.to_str()?.parse().ok());
        return Some(run_probes(folder, referee));
    }
    if word == FILL {
        return Some(fill_memory(arguments));
    }
    if word != WARDEN {
        return None;
    }
    let mut stage = || {
        let referee = arguments.next()?.to_str()?.parse().ok()?;
        arguments.next().filter(|dashes| dashes == "--")?;
        let command: Vec<OsString> = arguments.by_ref().collect();
        Some(warden(referee, &command))
    };
    Some(stage().unwrap_or(ExitCode::from(2)))
}

/// A launcher that starts bots through this program, with the default limits.
fn launcher(sandbox: Sandbox) -> Launcher {
    Launcher::new(myself(), sandbox)
}

/// The exit status of a command that is done, with the reasons for it on standard error if there are any.
fn end_with(status: u8, reasons: &[String]) -> CommandResult {
    if !reasons.is_empty() {
        complain(format_args!("exit status {status}: {}", reasons.join("; ")));
    }
    Ok(ExitCode::from(status))
}

/// A number of things, such as `1 game` and `2 games`.
fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Prints a line on standard output.
fn print(line: impl std::fmt::Display) -> Result<(), Failure> {
    write_out(format_args!("{line}\n"))
}

/// Prints a line on standard output, and goes on if the reader has closed it.
fn print_if_open(line: impl std::fmt::Display) -> Result<(), Failure> {
    match print(line) {
        Err(Failure::OutputClosed) => Ok(()),
        printed => printed,
    }
}

/// Prints text on standard output.
///
/// # Errors
/// [`Failure::OutputClosed`] if the reader has closed it, else [`Failure::Unfinished`].
fn write_out(text: impl std::fmt::Display) -> Result<(), Failure> {
    write_out_by(|out| write!(out, "{text}"))
}

/// Writes on standard output.
///
/// # Errors
/// As for [`write_out`].
fn write_out_by(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    write(&mut out).and_then(|()| out.flush()).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::Unfinished(anyhow!(error).context("writing to standard output")),
    })
}

/// Prints text and a newline on standard error; characters that could control a terminal are replaced.
pub fn complain(text: impl std::fmt::Display) {
    let text = fitted(&harmless(&text.to_string()), io::stderr());
    let _ = writeln!(io::stderr(), "{text}"); // an error here cannot be reported anywhere
}

/// The text with long lines broken between words, if `out` is a terminal.
fn fitted(text: &str, out: impl AsFd + IsTerminal) -> String {
    if out.is_terminal() { wrap(text, terminal_size(out).0) } else { text.to_owned() }
}

/// Whether to use colour on the terminal.
fn colour() -> Colour {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if plain { Colour::No } else { Colour::Yes }
}

/// The arguments for a game, its options and a position, which several commands share.
#[derive(Debug, Args)]
struct RulesArguments {
    /// The game: loa, flipflop, lineup or gekitai; `arbiter games` lists their options
    game: String,
    /// A rule option of the game, such as stuck=loss; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Begin from this position text instead of the start position
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
}

impl RulesArguments {
    fn position(&self) -> anyhow::Result<Position> {
        let split = |option: &String| {
            let (key, value) =
                option.split_once('=').ok_or_else(|| anyhow!("--set {option}: write KEY=VALUE"))?;
            Ok((key.to_owned(), value.to_owned()))
        };
        let set: Vec<_> = self.set.iter().map(split).collect::<anyhow::Result<_>>()?;
        let ruleset = Ruleset::with_options(&self.game, &set)?;
        match &self.position {
            None => Ok(ruleset.start()),
            Some(text) => ruleset.read_position(text).with_context(|| format!("--position {text:?}")),
        }
    }
}
