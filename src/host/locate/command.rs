//! What a command means: its words, the dialect before the first of them, and what that first word
//! names.
//!
//! It is the same for a BOT on the command line, for `command` in `[[bot]]`, `[[bots]]` and
//! `bot.toml`, and for `rules` in `game.toml` (docs/reference/commands.md, Commands).

use super::adapter::Adapters;
use super::search_path::find_in_path;
use super::submission::{Location, Submission};
use arbiter_config::{BotSpec, StartCommand};
use arbiter_game::adapters::Adapter;
use arbiter_game::protocol::Dialect;
use arbiter_rules::text::Word;
use std::fmt::Display;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The word for a person at the terminal, who is no program.
const PERSON: &str = "human";

/// What stands before the name of an adapter in a command.
const ADAPTER: &str = "adapter:";

/// Why a bot without a command cannot be started.
pub(super) const NOTHING_NAMED: &str = "no program is named";

/// A command whose first word was looked up.
#[derive(Debug)]
pub(super) struct Command {
    /// The dialect that stands before its first word, or in the key `dialect`.
    dialect: Option<Dialect>,
    /// The adapter that stands before its first word, or in the key `adapter`.
    adapter: Option<String>,
    /// Its words without dialect and adapter; at least one.
    pub words: Vec<String>,
    /// What the first word names; `None` if there is nothing of this name.
    pub named: Option<Named>,
}

/// What the first word of a command names.
#[derive(Debug)]
pub(super) enum Named {
    /// A bot inside arbiter, by the text after `builtin:`.
    BuiltIn(String),
    /// A folder. It is the only word, because a folder takes no arguments.
    Folder(PathBuf),
    /// A file by its absolute path; it may be missing.
    File(PathBuf),
    /// A program in a folder of PATH.
    InPath(PathBuf),
}

/// Where a command stands.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// The folder that relative paths start from.
    pub from: &'a Path,
    /// The submission whose command it is. Nothing outside of it is looked at.
    pub submission: Option<&'a Submission>,
    /// The adapters that the command may name.
    pub adapters: Adapters<'a>,
}

impl Command {
    /// Splits the command of a bot into words, and then looks its first word up.
    ///
    /// # Errors
    /// It has no words, a quote is not closed, or it names two adapters, two dialects or a person.
    pub fn read(bot: &BotSpec, place: Place<'_>) -> Result<Command, String> {
        let Some(command) = &bot.command else { return Err(NOTHING_NAMED.to_owned()) };
        let (word, command) = split_adapter(command)?;
        // Before any name is looked up: in a submission, one of the two may be a file of the
        // organiser's.
        let adapter = one_of("adapters", word, bot.adapter.clone())?;
        let (mut dialect, mut words, mut whole) = match &command {
            StartCommand::Words(words) => (None, words.clone(), None),
            StartCommand::Line(line) => {
                let (dialect, text) = split_dialect(line)?;
                let (words, whole) = place.split(text)?;
                (dialect, words, whole)
            }
        };
        let Some(first) = words.first_mut().filter(|first| !first.trim().is_empty()) else {
            return Err(empty());
        };
        if dialect.is_none() {
            // It may stand in the first word of a list, or in a word that is quoted.
            let (of_word, rest) = split_dialect(first)?;
            dialect = of_word;
            *first = rest.to_owned();
        }
        refuse_person(dialect, &words)?;
        // A folder is a bot of its own, whose bot.toml names the file.
        let is_folder = matches!(&words[..], [only] if place.is_folder(only));
        if !is_folder && adapter.as_deref().is_some_and(|name| place.adapters.is_python(name)) {
            (words, whole) = (place.of_function(words), None);
        }
        let (words, named) = place.look_up(words, whole);
        Ok(Command { dialect: one_of("dialects", dialect, bot.dialect)?, adapter, words, named })
    }

    /// What is said of the bot, with the dialect and the adapter of this command of it.
    ///
    /// # Errors
    /// There is a dialect beside an adapter.
    pub fn spec(&self, bot: &BotSpec) -> Result<BotSpec, String> {
        if let Some(name) = &self.adapter
            && self.dialect.is_some_and(|dialect| dialect != Dialect::Native)
        {
            return Err(format!(
                "adapter: {name}: an adapter speaks arbiter's own protocol; leave the dialect out"
            ));
        }
        Ok(BotSpec { dialect: self.dialect, adapter: self.adapter.clone(), ..bot.clone() })
    }
}

/// What stands before the first word of a command, or in a key of its bot.
///
/// # Errors
/// They differ.
fn one_of<T: PartialEq + Display>(
    what: &str,
    word: Option<T>,
    key: Option<T>,
) -> Result<Option<T>, String> {
    match (word, key) {
        (Some(word), Some(key)) if word != key => {
            Err(format!("it names two {what}, {word} in `command` and {key}; leave one out"))
        }
        (word, key) => Ok(word.or(key)),
    }
}

impl Place<'_> {
    /// The words of a text, and the text itself if the whole of it is a path: of a BOT on the
    /// command line a shell has already removed the quotes.
    fn split(self, text: &str) -> Result<(Vec<String>, Option<&str>), String> {
        let whole = self.here(text).is_some().then_some(text);
        match StartCommand::Line(text.to_owned()).words() {
            Some(words) if !words.is_empty() => Ok((words, whole)),
            _ if whole.is_some() => Ok((vec![text.to_owned()], whole)),
            Some(_) => Err(empty()),
            None => {
                Err(format!("{text}: a quote in it is not closed, and nothing here has this name"))
            }
        }
    }

    /// The command of a function or class in a file, which is written FILE or FILE:NAME, also
    /// behind an interpreter and with the name as a word of its own: `python3 FILE NAME`.
    fn of_function(self, words: Vec<String>) -> Vec<String> {
        let mut words = words.into_iter().peekable();
        let interpreter = words.next_if(|word| is_interpreter(word));
        // What the adapter writes is never buffered.
        while words.next_if(|word| interpreter.is_some() && word == "-u").is_some() {}
        let file = words.next();
        let mut command = vec![interpreter.unwrap_or_else(|| "python3".to_owned())];
        if let Some(file) = file {
            match file.rsplit_once(':') {
                Some((file, name)) if self.here(&format!("{file}:{name}")).is_none() => {
                    command.extend([file.to_owned(), name.to_owned()]);
                }
                _ => command.push(file),
            }
        }
        command.extend(words);
        command
    }

    /// The words of a command, and what the first of them names. If nothing here has its name and
    /// the whole text is a path, that is the only word: what is here comes before PATH.
    fn look_up(self, words: Vec<String>, whole: Option<&str>) -> (Vec<String>, Option<Named>) {
        let first = words.first().map_or("", String::as_str);
        if let Some(name) = first.strip_prefix("builtin:") {
            let named = Named::BuiltIn(name.to_owned());
            return (words, Some(named));
        }
        let here = self.here(first);
        // A folder takes no arguments, so with some of them its name is that of a command.
        if here.is_some() && !(matches!(here, Some(Named::Folder(_))) && words.len() > 1) {
            return (words, here);
        }
        if let Some(path) = whole {
            return (vec![path.to_owned()], self.here(path));
        }
        let named = if first.contains('/') {
            Some(Named::File(absolute(&self.from.join(first))))
        } else if first == "cd" {
            here // POSIX has a program `cd`, which changes the folder of no other program
        } else {
            find_in_path(first, self.submission).map(Named::InPath).or(here)
        };
        (words, named)
    }

    fn is_folder(self, word: &str) -> bool {
        matches!(self.here(word), Some(Named::Folder(_)))
    }

    /// The file or folder of this path; `None` if there is nothing, and where a path leads out of a
    /// submission, whose author must not learn what exists there.
    fn here(self, word: &str) -> Option<Named> {
        if word.is_empty() {
            return None;
        }
        let path = self.from.join(word);
        // A dangling link counts too, so that a message can name it.
        let kind = match self.submission {
            None => fs::metadata(&path).or_else(|_| fs::symlink_metadata(&path)),
            Some(submission) => {
                if !is_name(word) && !matches!(submission.locate(&path), Ok(Location::Inside(_))) {
                    return None;
                }
                fs::symlink_metadata(&path)
            }
        };
        let path = absolute(&path);
        Some(if kind.ok()?.is_dir() { Named::Folder(path) } else { Named::File(path) })
    }
}

/// Whether a word is an interpreter of Python, such as `python3.11` or `venv/bin/python`.
fn is_interpreter(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    let Some(version) = name.strip_prefix("python") else { return false };
    version.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.'))
}

/// Whether a word is a path of one name.
fn is_name(word: &str) -> bool {
    let mut parts = Path::new(word).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
}

/// The dialect before a command, and the rest.
///
/// # Errors
/// Another dialect follows, or it is an adapter.
fn split_dialect(text: &str) -> Result<(Option<Dialect>, &str), String> {
    let Some((word, rest)) = text.split_once(':') else { return Ok((None, text)) };
    if Adapter::named(word).is_some() {
        return Err(format!("{text}: {word} is an adapter; write adapter:{word} {rest}"));
    }
    let Some(dialect) = Dialect::named(word) else { return Ok((None, text)) };
    match rest.split_once(':') {
        Some((second, _)) if Dialect::named(second).is_some() => {
            Err(format!("{text}: it names two dialects, {word} and {second}; name one"))
        }
        _ => Ok((Some(dialect), rest)),
    }
}

/// The adapter before a command, `adapter:NAME`, and the rest.
///
/// # Errors
/// No command follows.
fn split_adapter(command: &StartCommand) -> Result<(Option<String>, StartCommand), String> {
    let first = match command {
        StartCommand::Line(line) => line.as_str(),
        StartCommand::Words(words) => words.first().map_or("", String::as_str),
    };
    let Some(after) = first.strip_prefix(ADAPTER) else { return Ok((None, command.clone())) };
    let (name, rest) = match command {
        StartCommand::Line(_) => match after.split_once(' ') {
            Some((name, rest)) => (name, Some(StartCommand::Line(rest.trim_start().to_owned()))),
            None => (after, None),
        },
        StartCommand::Words(words) => {
            let rest = words[1..].to_owned();
            (after, (!rest.is_empty()).then_some(StartCommand::Words(rest)))
        }
    };
    let Some(rest) = rest else {
        return Err(format!(
            "adapter:{name}: no command follows; write adapter:{name} and then the bot's command"
        ));
    };
    Ok((Some(name.to_owned()), rest))
}

fn empty() -> String {
    "a BOT is empty; name a program, a folder or builtin:random".to_owned()
}

/// Refuses the word for a person.
fn refuse_person(dialect: Option<Dialect>, words: &[String]) -> Result<(), String> {
    if words != [PERSON] {
        return Ok(());
    }
    Err(match dialect {
        None => format!(
            "{PERSON}: a person can play in `arbiter play`, not here; \
             a program of this name is ./{PERSON}"
        ),
        Some(dialect) => format!("{dialect}:{PERSON}: a person has no dialect; write {PERSON}"),
    })
}

/// An absolute path without `.`; `..` and links are kept.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.components().filter(|part| *part != Component::CurDir).collect()
}
