//! What completes a word of the command line, when a shell asks: the scripts of `arbiter
//! completions` start the program with a variable that names the shell, and the words after `--`.

use arbiter_engine::builtin::BuiltinBot;
use arbiter_game::record::read_heads;
use arbiter_ground::input_file::LogFile;
use arbiter_rules::Game;
use arbiter_run::persons::PERSON;
use clap::{Arg, Command};
use clap_complete::CompleteEnv;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::ExitCode;

/// The environment variable that names the shell which asks.
pub(super) const VARIABLE: &str = "ARBITER_COMPLETE";

/// The most GameIds that are offered, and the bytes of a log that are searched for them, so that
/// the answer comes at once.
const MOST_IDS: usize = 1_000;
const SEARCHED: u64 = 64 << 20;

/// Answers a shell on standard output. `None` if no shell asks.
pub(super) fn answer(command: fn() -> Command) -> Option<ExitCode> {
    let here = std::env::current_dir().ok();
    let asked = CompleteEnv::with_factory(command).var(VARIABLE);
    match asked.try_complete(std::env::args_os(), here.as_deref()) {
        Ok(false) => None,
        Ok(true) => Some(ExitCode::SUCCESS),
        // The shell has nothing to show for it.
        Err(_) => Some(ExitCode::from(2)),
    }
}

/// The command line, each argument of it with what completes its values, which its value name
/// tells.
pub(super) fn with_completers(command: Command) -> Command {
    command.mut_subcommands(|command| command.mut_args(with_completer))
}

fn with_completer(argument: Arg) -> Arg {
    match completer_of(&argument) {
        Some(complete) => argument.add(ArgValueCompleter::new(complete)),
        None => argument,
    }
}

/// From the word so far to the words that fit.
type Completer = fn(&OsStr) -> Vec<CompletionCandidate>;

fn completer_of(argument: &Arg) -> Option<Completer> {
    Some(match argument.get_value_names()?.first()?.as_str() {
        "GAME" => games,
        "BOT" | "NEW" | "OLD|DIR" | "BOT|DIR" => bots,
        "KEY=VALUE" => options,
        "GAMEID" | "GAMEID|N" => game_ids,
        "CONFIG.toml" | "CUP.toml" => configurations,
        "NAME" if argument.is_positional() => builtin_bots,
        _ => return None,
    })
}

/// Offers this word if it begins as the word so far, and is not offered yet.
fn offer(found: &mut Vec<CompletionCandidate>, current: &OsStr, word: String, help: &str) {
    if !current.to_str().is_some_and(|begun| word.starts_with(begun)) {
        return;
    }
    let mut candidate = CompletionCandidate::new(word);
    if !help.is_empty() {
        candidate = candidate.help(Some(help.to_owned().into()));
    }
    if !found.contains(&candidate) {
        found.push(candidate);
    }
}

/// The folders, and the files that pass.
fn paths(current: &OsStr, is_wanted: fn(&Path) -> bool) -> Vec<CompletionCandidate> {
    PathCompleter::any().filter(move |path| path.is_file() && is_wanted(path)).complete(current)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.permissions().mode() & 0o111 != 0)
}

fn games(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut found = Vec::new();
    for game in Game::ALL {
        offer(&mut found, current, game.name().to_owned(), game.title());
    }
    found.extend(paths(current, |path| has_extension(path, "py")));
    found
}

/// Built-in bots, folders, and files that can be executed.
fn bots(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut found = Vec::new();
    for name in BuiltinBot::NAMES {
        offer(&mut found, current, format!("builtin:{name}"), "a built-in bot");
    }
    if typed().next().as_deref() == Some("play") {
        offer(&mut found, current, PERSON.to_owned(), "a person at this terminal");
    }
    found.extend(paths(current, is_executable));
    found
}

fn builtin_bots(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut found = Vec::new();
    for name in BuiltinBot::NAMES {
        offer(&mut found, current, name.to_owned(), "");
    }
    found
}

fn configurations(current: &OsStr) -> Vec<CompletionCandidate> {
    paths(current, |path| has_extension(path, "toml"))
}

/// The options of the game that the command line names, or else of all games; after `KEY=` the
/// words that it may be.
fn options(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut games = Vec::new();
    for word in typed() {
        games.extend(Game::ALL.into_iter().find(|game| game.name() == word));
    }
    if games.is_empty() {
        games.extend(Game::ALL);
    }
    let begun = current.to_str().unwrap_or_default();
    let mut found = Vec::new();
    for option in games.iter().flat_map(Game::options) {
        match begun.split_once('=') {
            None => offer(&mut found, current, format!("{}=", option.key), &option.about),
            Some((key, _)) if key == option.key => {
                for word in option.range.words() {
                    offer(&mut found, current, format!("{key}={word}"), "");
                }
            }
            Some(_) => {}
        }
    }
    found
}

/// The GameIds of the log or result folder that the command line names.
fn game_ids(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut found = Vec::new();
    for word in typed().skip(1) {
        // `-` would wait for standard input.
        let path = Path::new(&word);
        if !path.exists() {
            continue;
        }
        let Ok(log) = LogFile::open(path) else { continue };
        // A log that cannot be read to its end has offered what it could.
        let _ = read_heads(log.source.take(SEARCHED), |game| {
            if let Some(id) = game.tag("GameId") {
                offer(&mut found, current, id.to_owned(), "");
            }
            if found.len() < MOST_IDS { Ok(()) } else { Err(io::Error::other("enough")) }
        });
    }
    found
}

/// The words of the command line that a shell completes, from the command on: those after `--` and
/// the program.
fn typed() -> impl Iterator<Item = String> {
    let words = std::env::args_os().filter_map(|word| word.into_string().ok());
    words.skip_while(|word| word != "--").skip(2)
}
