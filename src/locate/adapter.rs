//! The adapter of a program: which one its configuration names, and the commands that start both.

use super::command::{Command, Place};
use super::links;
use super::program::{Program, ProgramError};
use super::search_path::find_in_path;
use crate::adapters::Adapter;
use crate::config::BotSpec;
use crate::protocol::Dialect;
use std::ffi::OsString;
use std::path::PathBuf;

/// An adapter with the interpreter that runs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledAdapter {
    pub adapter: Adapter,
    /// The absolute path of Python.
    pub python: PathBuf,
}

/// The adapter that stands before a command or in the key `adapter`; none if neither names one.
///
/// # Errors
/// They differ, there is no such adapter, a submission names a file, or Python is missing.
pub(super) fn adapter_of(
    command: &Command,
    bot: &BotSpec,
    place: Place<'_>,
) -> Result<Option<InstalledAdapter>, ProgramError> {
    let name = match (&command.adapter, &bot.adapter) {
        (Some(word), Some(key)) if word != key => {
            return Err(ProgramError(format!(
                "it names two adapters, {word} in `command` and {key}; leave one out"
            )));
        }
        (word, key) => word.as_ref().or(key.as_ref()),
    };
    let Some(name) = name else { return Ok(None) };
    if command.dialect.or(bot.dialect).is_some_and(|dialect| dialect != Dialect::Native) {
        return Err(ProgramError(format!(
            "adapter: {name}: an adapter speaks arbiter's own protocol; leave `dialect` out"
        )));
    }
    let adapter = match Adapter::named(name) {
        Some(adapter) => adapter,
        None => of_file(name, place)?,
    };
    let python = find_in_path("python3", None).ok_or_else(|| {
        ProgramError(format!("adapter: {name} needs python3, which is not in PATH"))
    })?;
    Ok(Some(InstalledAdapter { adapter, python }))
}

fn of_file(name: &str, place: Place<'_>) -> Result<Adapter, ProgramError> {
    let known: Vec<&str> = Adapter::names().collect();
    let known = known.join(", ");
    if place.submission.is_some() {
        return Err(ProgramError(format!(
            "adapter: {name}: a submission names one of {known}; files are the organiser's"
        )));
    }
    if !name.contains(['.', '/']) {
        return Err(ProgramError(format!(
            "adapter: there is no {name}; there are {known}, and files such as lines.py"
        )));
    }
    let path = place.from.join(name);
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
