//! The command line: one file a command. Only this room sees all the others, looks paths up and
//! decides exit statuses (docs/reference/commands.md).

mod bot;
mod check;
mod complete;
mod completions;
mod doctor;
mod games;
mod grade;
mod help;
mod hotseat;
mod init;
mod league;
mod man;
mod merge;
mod moves;
mod new;
mod perft;
mod play;
mod replay;
mod report;
mod rerun;
mod serve;
mod standings;
#[cfg(test)]
mod tests;
mod tournament;
mod try_bot;
mod turning;
mod verify;

pub use arbiter_ground::failure::Failure;
pub use arbiter_ground::output::{can_draw, complain};

use anyhow::{Context, bail};
use arbiter_game::{Limits, Sandbox};
use arbiter_grade::marking::{READER, run_reader};
use arbiter_ground::output::write_out_by;
use arbiter_ground::own_rules::{load_rules, names_rules};
use arbiter_ground::verdict::{Strict, Verdict};
use arbiter_host::bot::{WARDEN, warden};
use arbiter_host::sandbox::{FILL, PROBE, fill_memory, raise_open_files, run_probes};
use arbiter_play::arena::fail_writes_beyond_limit;
use arbiter_rules::text::Word;
use arbiter_rules::{Game, Position, Ruleset};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::convert::Infallible;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A referee and arena for bot programs over stdin and stdout.
#[derive(Debug, Parser)]
#[command(name = "arbiter", version, max_term_width = 110, after_help = EXIT_STATUS)]
pub struct Arguments {
    #[command(subcommand)]
    command: AnyCommand,
}

/// The command line of a built-in bot.
#[derive(Parser)]
enum OnlyBot {
    Bot(bot::BotCommand),
}

const EXIT_STATUS: &str = "\
Examples:
  arbiter new python mybot                        a bot to start from
  arbiter check mybot                             what is wrong with it
  arbiter play loa mybot builtin:greedy -n 20     twenty games of a bot against one that comes along
  arbiter try loa mybot mybot-1.0                 whether its new version is better than the old one
  arbiter tournament spring-cup.toml              plays a tournament, or continues it
  arbiter tournament --print-default              a commented configuration to start from
  arbiter standings spring-cup                    its table and ratings
  arbiter report spring-cup                       a page of it for the browser, with every game
  arbiter rerun spring-cup conny~randy.1          one of its games again
  arbiter completions --help                      how a shell completes the words of these commands

Exit status: 0 done; 1 done, with a negative answer (an invalid log, a forfeit under --strict, \
a rerun that differs); 2 bad usage, configuration or input; 3 could not finish; 4 undecided; \
130 interrupted.";

#[derive(Debug, Subcommand)]
enum AnyCommand {
    Play(Box<play::PlayCommand>),
    Try(Box<try_bot::TryCommand>),
    Tournament(Box<tournament::TournamentCommand>),
    League(league::LeagueCommand),
    Merge(merge::MergeCommand),
    Standings(standings::StandingsCommand),
    Verify(verify::VerifyCommand),
    Rerun(Box<rerun::RerunCommand>),
    Replay(replay::ReplayCommand),
    Turning(turning::TurningCommand),
    Report(report::ReportCommand),
    Serve(Box<serve::ServeCommand>),
    Bot(bot::BotCommand),
    Check(check::CheckCommand),
    Grade(Box<grade::GradeCommand>),
    Doctor(doctor::DoctorCommand),
    Games(games::GamesCommand),
    Hotseat(hotseat::HotseatCommand),
    Moves(moves::MovesCommand),
    New(new::NewCommand),
    Perft(perft::PerftCommand),
    Completions(completions::CompletionsCommand),
    Man(man::ManCommand),
}

/// The command line as help, completions and manual pages show it.
fn command_line() -> Command {
    complete::with_completers(help::with_screens(Arguments::command()))
}

/// The arguments that the program was started with. Ends the program with a help text, or with a
/// usage error that shows the usage of the command.
///
/// # Errors
/// The help text cannot be written.
pub fn arguments() -> Result<Arguments, Failure> {
    // Starting a built-in bot must not wait for the definitions of all other commands.
    if let Ok(OnlyBot::Bot(command)) = OnlyBot::try_parse() {
        return Ok(Arguments { command: AnyCommand::Bot(command) });
    }
    // The screens of help take longer to make than most commands take to start.
    if let Ok(arguments) = Arguments::try_parse() {
        return Ok(arguments);
    }
    let mut command = command_line();
    let parsed = command.try_get_matches_from_mut(std::env::args_os());
    let parsed = parsed.and_then(|matches| Arguments::from_arg_matches(&matches));
    let error = match parsed {
        Ok(arguments) => return Ok(arguments),
        Err(error) => help::with_usage(error, &mut command),
    };
    if error.use_stderr() {
        error.exit()
    }
    // By itself clap ends with 0 even if nothing could be written.
    write_out_by(|_| error.print())?;
    std::process::exit(0)
}

/// Says what completes a word, if a shell asks for that. `None` for the command line of a user.
pub fn completion() -> Option<ExitCode> {
    complete::answer(command_line)
}

/// What a command has found out, or why it stopped.
type CommandResult = Result<Verdict, Failure>;

/// Runs a command. The reasons for its exit status go to standard error if there are any.
///
/// # Errors
/// The command stopped before its end; the failure has the reason and the exit status.
pub fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    raise_open_files();
    // A built-in bot runs inside the sandbox, which has no sockets for that, and it writes no
    // files.
    if !matches!(arguments.command, AnyCommand::Bot(_)) {
        fail_writes_beyond_limit().context("catching SIGXFSZ").map_err(Failure::Unfinished)?;
    }
    let Verdict { status, reasons } = match arguments.command {
        AnyCommand::Play(command) => command.run(),
        AnyCommand::Try(command) => command.run(),
        AnyCommand::Tournament(command) => command.run(),
        AnyCommand::League(command) => command.run(),
        AnyCommand::Merge(command) => command.run(),
        AnyCommand::Standings(command) => command.run(),
        AnyCommand::Verify(command) => command.run(),
        AnyCommand::Rerun(command) => command.run(),
        AnyCommand::Replay(command) => command.run(),
        AnyCommand::Turning(command) => command.run(),
        AnyCommand::Report(command) => command.run(),
        AnyCommand::Serve(command) => command.run(),
        AnyCommand::Bot(command) => command.run(),
        AnyCommand::Check(command) => command.run(),
        AnyCommand::Grade(command) => command.run(),
        AnyCommand::Doctor(command) => command.run(),
        AnyCommand::Games(command) => command.run(),
        AnyCommand::Hotseat(command) => command.run(),
        AnyCommand::Moves(command) => command.run(),
        AnyCommand::New(command) => command.run(),
        AnyCommand::Perft(command) => command.run(),
        AnyCommand::Completions(command) => command.run(),
        AnyCommand::Man(command) => command.run(command_line()),
    }?;
    if !reasons.is_empty() {
        complain(format_args!("exit status {status}: {}", reasons.join("; ")));
    }
    Ok(ExitCode::from(status))
}

/// Runs as one of arbiter's helper processes, if the program was started as one: a warden (`arbiter
/// __launch REFEREE -- COMMAND…`), the isolation probe (`arbiter __probe FOLDER REFEREE`), the test
/// of a control group (`arbiter __fill GROUP…`), or the reader of a submission's files (`arbiter
/// __read`). `None` for the command line of a user.
pub fn helper_process(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let word = arguments.nth(1)?;
    if word == PROBE {
        let folder = arguments.next().map(PathBuf::from);
        let referee = arguments.next().and_then(|pid| pid.to_str()?.parse().ok());
        return Some(run_probes(folder, referee));
    }
    if word == FILL {
        return Some(fill_memory(arguments));
    }
    if word == READER {
        return Some(run_reader());
    }
    (word == WARDEN).then(|| run_warden(arguments).unwrap_or(ExitCode::from(2)))
}

/// `None` if the arguments are not those of a warden.
fn run_warden(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let referee = arguments.next()?.to_str()?.parse().ok()?;
    arguments.next().filter(|dashes| dashes == "--")?;
    let command: Vec<OsString> = arguments.collect();
    Some(warden(referee, &command))
}

/// The levels of isolation that can be required.
const LEVELS: &[Sandbox] = &[Sandbox::Basic, Sandbox::Strict];

/// Reads one of these words.
fn one_of<W: Word + Send + Sync>(words: &'static [W]) -> impl TypedValueParser<Value = W> {
    PossibleValuesParser::new(words.iter().map(|word| word.word()))
        .try_map(|word| W::named(&word).ok_or("there is no such word"))
}

/// The value of `--strict` without a name. No user can write it: arguments contain no NUL.
const ALL_BOTS: &str = "\0";

/// Reads the value of `--strict`.
fn strict(name: &str) -> Result<Strict, Infallible> {
    Ok(if name == ALL_BOTS { Strict::All } else { Strict::Bot(name.to_owned()) })
}

/// The arguments for a game and its options.
#[derive(Debug, Args)]
struct GameArguments {
    #[arg(help = format!(
        "{} (see `arbiter games`), or a file such as ./connect4.py",
        Game::NAMES.join(", ")
    ))]
    game: String,
    /// An option of the game, such as stuck=loss; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl GameArguments {
    /// The game with these options. Rules that are a file run at the level of isolation of these
    /// limits.
    fn ruleset(&self, limits: &Limits) -> anyhow::Result<Ruleset> {
        let mut set = Vec::new();
        for option in &self.set {
            let Some((key, value)) = option.split_once('=') else {
                bail!("--set {option}: write KEY=VALUE as one word");
            };
            set.push((key.to_owned(), value.to_owned()));
        }
        Ok(if names_rules(&self.game) {
            Ruleset::by_rules(&load_rules(Path::new(&self.game), limits)?, &set)?
        } else {
            Ruleset::with_options(&self.game, &set)?
        })
    }
}

/// The arguments for a game, its options and a position, which several commands share.
#[derive(Debug, Args)]
struct RulesArguments {
    #[command(flatten)]
    game: GameArguments,
    /// Begin from this position text instead of the start position
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
}

impl RulesArguments {
    /// The position. Rules that are a file run at the level of isolation of these limits.
    fn position(&self, limits: &Limits) -> anyhow::Result<Position> {
        let ruleset = self.game.ruleset(limits)?;
        let Some(text) = &self.position else { return Ok(ruleset.start()) };
        ruleset.read_position(text).with_context(|| format!("--position {text:?}"))
    }
}
