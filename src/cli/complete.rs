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

/// Those of these words that begin as the word so far, each with its help.
fn fitting(
    current: &OsStr,
    words: impl IntoIterator<Item = (String, impl AsRef<str>)>,
) -> Vec<CompletionCandidate> {
    let begun = current.to_str().unwrap_or("\0");
    let mut fitting = Vec::new();
    for (word, help) in words {
        if word.starts_with(begun) {
            let help = Some(help.as_ref()).filter(|help| !help.is_empty());
            let help = help.map(|help| help.to_owned().into());
            fitting.push(CompletionCandidate::new(word).help(help));
        }
    }
    fitting
}

/// The folders, and the files that pass.
fn paths(current: &OsStr, is_wanted: fn(&Path) -> bool) -> Vec<CompletionCandidate> {
    PathCompleter::any().filter(move |path| path.is_file() && is_wanted(path)).complete(current)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

fn games(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut found =
        fitting(current, Game::ALL.map(|game| (game.name().to_owned(), game.title().to_owned())));
    found.extend(paths(current, |path| has_extension(path, "py")));
    found
}

/// Built-in bots, folders, and files that can be executed.
fn bots(current: &OsStr) -> Vec<CompletionCandidate> {
    let builtin = BuiltinBot::NAMES.map(|name| (format!("builtin:{name}"), "a built-in bot"));
    let is_played = typed().next().as_deref() == Some("play");
    let person = is_played.then(|| (PERSON.to_owned(), "a person at this terminal"));
    let mut found = fitting(current, builtin.into_iter().chain(person));
    found.extend(paths(current, |path| {
        path.metadata().is_ok_and(|file| file.permissions().mode() & 0o111 != 0)
    }));
    found
}

fn builtin_bots(current: &OsStr) -> Vec<CompletionCandidate> {
    fitting(current, BuiltinBot::NAMES.map(|name| (name.to_owned(), "")))
}

fn configurations(current: &OsStr) -> Vec<CompletionCandidate> {
    paths(current, |path| has_extension(path, "toml"))
}

/// The options of the game that the command line names, or else of all games; after `KEY=` the
/// words that it may be.
fn options(current: &OsStr) -> Vec<CompletionCandidate> {
    let named: Vec<Game> =
        typed().filter_map(|word| Game::ALL.into_iter().find(|game| game.name() == word)).collect();
    let games = if named.is_empty() { Game::ALL.to_vec() } else { named };
    let key = current.to_str().and_then(|word| Some(word.split_once('=')?.0));
    let mut found = Vec::new();
    for option in games.iter().flat_map(Game::options) {
        let words = match key {
            None => vec![(format!("{}=", option.key), &*option.about)],
            Some(key) if key == option.key => {
                let words = option.range.words();
                words.into_iter().map(|word| (format!("{key}={word}"), "")).collect()
            }
            Some(_) => continue,
        };
        found.extend(words.into_iter().filter(|word| !found.contains(word)).collect::<Vec<_>>());
    }
    fitting(current, found)
}

/// The GameIds of the log or result folder that the command line names.
fn game_ids(current: &OsStr) -> Vec<CompletionCandidate> {
    let logs = typed().skip(1).filter(|word| Path::new(word).exists());
    let mut found = Vec::new();
    for log in logs.filter_map(|path| LogFile::open(Path::new(&path)).ok()) {
        // A log that cannot be read to its end has offered what it could.
        let _ = read_heads(log.source.take(SEARCHED), |game| {
            found.extend(fitting(current, game.tag("GameId").map(|id| (id.to_owned(), ""))));
            if found.len() < MOST_IDS { Ok(()) } else { Err(io::Error::other("enough")) }
        });
    }
    found
}

/// The words of the command line that a shell completes, from the command on.
fn typed() -> impl Iterator<Item = String> {
    std::env::args_os()
        .filter_map(|word| word.into_string().ok())
        .skip_while(|word| word != "--")
        .skip(2)
}
