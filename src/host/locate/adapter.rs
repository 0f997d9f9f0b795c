//! The adapter of a program: the one that a name means, and the commands that start both.

use super::program::{InstalledAdapter, Program, ProgramError};
use super::search_path::find_in_path;
use super::submission::Trust;
use super::text_file;
use arbiter_config::BotSpec;
use arbiter_game::adapters::Adapter;
use arbiter_rules::Game;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The adapters that a command may name: those that come along, that of the game, and files. A
/// file is relative to `files`; a submission, which has none, names no files.
#[derive(Clone, Copy)]
pub(super) struct Adapters<'a> {
    pub files: Option<&'a Path>,
    pub game: &'a Game,
}

impl Adapters<'_> {
    /// The adapter of this name.
    ///
    /// # Errors
    /// There is none, its file cannot be read, or Python is missing.
    pub fn installed(self, name: &str) -> Result<InstalledAdapter, String> {
        let (adapter, chosen_by) = self.named(name)?;
        with_python(adapter, chosen_by)
    }

    /// Whether its bots are functions and classes in Python. An unknown name is an error elsewhere.
    pub fn is_python(self, name: &str) -> bool {
        self.named(name).is_ok_and(|(adapter, _)| adapter.is_python())
    }

    /// An adapter, and who answers for it: that of the game is the organiser's, whoever names it.
    fn named(self, name: &str) -> Result<(Adapter, Trust), String> {
        let chosen_by = if self.files.is_some() { Trust::Own } else { Trust::Stranger };
        if let Some(adapter) = Adapter::named(name) {
            return Ok((adapter, chosen_by));
        }
        if let Some(source) = self.game.source()
            && let Some((file, text)) = source.adapter()
            && file == name
        {
            return Ok((Adapter::of_file(file.to_owned(), text.to_owned()), Trust::Own));
        }
        Ok((of_file(name, self.files)?, chosen_by))
    }
}

fn with_python(adapter: Adapter, chosen_by: Trust) -> Result<InstalledAdapter, String> {
    let Some(python) = find_in_path("python3", None) else {
        return Err(format!("adapter: {} needs python3, which is not in PATH", adapter.name));
    };
    Ok(InstalledAdapter { adapter, python, chosen_by })
}

fn of_file(name: &str, files: Option<&Path>) -> Result<Adapter, String> {
    let known = Adapter::names().collect::<Vec<_>>().join(", ");
    let Some(folder) = files else {
        return Err(format!(
            "adapter: {name}: a submission names one of {known}, or that of the game; \
             other files are the organiser's"
        ));
    };
    if !name.contains(['.', '/']) {
        return Err(format!(
            "adapter: there is no {name}; there are {known}, and files such as lines.py"
        ));
    }
    let path = folder.join(name);
    let source =
        text_file::read(&path).map_err(|error| format!("adapter: {}: {error}", path.display()))?;
    Ok(Adapter::of_file(name.to_owned(), source))
}

impl InstalledAdapter {
    /// One that the organiser has named.
    ///
    /// # Errors
    /// Python is missing.
    pub fn of_organiser(adapter: Adapter) -> Result<InstalledAdapter, ProgramError> {
        Ok(with_python(adapter, Trust::Own)?)
    }

    /// The adapter without a bot. It runs in no folder: what lies in that of a bot, such as a
    /// module of Python, is its author's.
    pub(crate) fn alone(&self, env: BTreeMap<String, String>) -> Program {
        Program {
            name: self.adapter.name.clone(),
            command: self.python.clone(),
            arguments: self.adapter.words().into_iter().map(OsString::from).collect(),
            dir: PathBuf::from("/"),
            spec: BotSpec { env, ..BotSpec::default() },
            ..Program::default()
        }
    }
}

impl Program {
    /// The words that start the program that arbiter talks to, without an adapter beside it.
    pub(crate) fn command_line(&self) -> Vec<OsString> {
        let command: OsString = self.command.clone().into();
        let mut words = Vec::new();
        match &self.adapter {
            Some(InstalledAdapter { adapter, python, .. }) if !adapter.runs_beside() => {
                words.push(python.into());
                words.extend(adapter.words().into_iter().map(OsString::from));
                // A bot in Python runs in the same process, so its interpreter is that of both.
                if adapter.is_python() {
                    words[0] = command;
                } else {
                    words.push(command);
                }
            }
            _ => words.push(command),
        }
        words.extend_from_slice(&self.arguments);
        words
    }

    /// The adapter that the user or organiser has named for it, or that comes with the game.
    pub(crate) fn organisers_adapter(&self) -> Option<&InstalledAdapter> {
        self.adapter.as_ref().filter(|one| one.chosen_by == Trust::Own)
    }

    /// Whether an adapter runs beside it.
    pub fn has_adapter_beside(&self) -> bool {
        self.adapter.as_ref().is_some_and(|one| one.adapter.runs_beside())
    }

    /// The words that start the adapter beside it; empty if there is none.
    pub(crate) fn adapter_beside(&self) -> Vec<String> {
        match &self.adapter {
            Some(InstalledAdapter { adapter, python, .. }) if adapter.runs_beside() => {
                let mut words = vec![python.to_string_lossy().into_owned()];
                words.extend(adapter.words());
                words
            }
            _ => Vec::new(),
        }
    }
}
