//! The adapter of a program: which one its configuration names, and the commands that start both.

use super::command::Command;
use super::links;
use super::program::{InstalledAdapter, Program, ProgramError};
use super::search_path::find_in_path;
use crate::adapters::Adapter;
use crate::config::BotSpec;
use crate::protocol::Dialect;
use crate::rules::Game;
use crate::rules::own::known_rules;
use std::ffi::OsString;
use std::path::Path;

/// The name of the adapter that stands before a command or in the key `adapter`; `None` if neither
/// names one.
///
/// # Errors
/// They differ, or there is a dialect beside it.
pub(super) fn adapter_name(
    command: &Command,
    bot: &BotSpec,
) -> Result<Option<String>, ProgramError> {
    let name = match (&command.adapter, &bot.adapter) {
        (Some(word), Some(key)) if word != key => {
            return Err(ProgramError(format!(
                "it names two adapters, {word} in `command` and {key}; leave one out"
            )));
        }
        (word, key) => word.as_ref().or(key.as_ref()),
    };
    let dialect = command.dialect.or(bot.dialect);
    if let Some(name) = name.filter(|_| dialect.is_some_and(|one| one != Dialect::Native)) {
        return Err(ProgramError(format!(
            "adapter: {name}: an adapter speaks arbiter's own protocol; leave the dialect out"
        )));
    }
    Ok(name.cloned())
}

/// The adapter of this name: one that comes along, that of the game, or a file. A file is relative
/// to `files`; a submission, which has none, names no files.
///
/// # Errors
/// There is none, its file cannot be read, or Python is missing.
pub(super) fn installed(
    name: &str,
    files: Option<&Path>,
    game: &Game,
) -> Result<InstalledAdapter, ProgramError> {
    let adapter = match Adapter::named(name).or_else(|| of_game(game, name)) {
        Some(adapter) => adapter,
        None => of_file(name, files)?,
    };
    let python = find_in_path("python3", None).ok_or_else(|| {
        ProgramError(format!("adapter: {name} needs python3, which is not in PATH"))
    })?;
    Ok(InstalledAdapter { adapter, python })
}

/// The adapter that comes with a custom game, if it has this name.
fn of_game(game: &Game, name: &str) -> Option<Adapter> {
    let source = known_rules(game.name(), game.rules_file()?.digest)?;
    let (file, text) = source.adapter()?;
    (file == name).then(|| Adapter::of_file(file.to_owned(), text.to_owned()))
}

fn of_file(name: &str, files: Option<&Path>) -> Result<Adapter, ProgramError> {
    let known: Vec<&str> = Adapter::names().collect();
    let known = known.join(", ");
    let Some(folder) = files else {
        return Err(ProgramError(format!(
            "adapter: {name}: a submission names one of {known}, or that of the game; \
             other files are the organiser's"
        )));
    };
    if !name.contains(['.', '/']) {
        return Err(ProgramError(format!(
            "adapter: there is no {name}; there are {known}, and files such as lines.py"
        )));
    }
    let path = folder.join(name);
    let source = links::read(&path)
        .map_err(|error| ProgramError(format!("adapter: {}: {error}", path.display())))?;
    Ok(Adapter::of_file(name.to_owned(), source))
}

impl Program {
    /// The words that start the program that arbiter talks to, but for an adapter beside it.
    pub(crate) fn command_line(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        let around = self.adapter.as_ref().filter(|one| !one.adapter.runs_beside());
        if let Some(InstalledAdapter { adapter, python }) = around {
            words.push(python.into());
            words.extend(adapter.words().into_iter().map(OsString::from));
        }
        // The adapter for Python is the interpreter of its file.
        if !around.is_some_and(|one| one.adapter.is_python()) {
            words.push(self.command.clone().into());
        }
        words.extend(self.arguments.iter().cloned());
        words
    }

    /// Whether an adapter runs beside it.
    pub(crate) fn has_adapter_beside(&self) -> bool {
        self.adapter.as_ref().is_some_and(|one| one.adapter.runs_beside())
    }

    /// The words that start the adapter beside it; none if there is none.
    pub(crate) fn adapter_beside(&self) -> Vec<String> {
        match &self.adapter {
            Some(InstalledAdapter { adapter, python }) if adapter.runs_beside() => {
                let python = python.to_string_lossy().into_owned();
                std::iter::once(python).chain(adapter.words()).collect()
            }
            _ => Vec::new(),
        }
    }
}
