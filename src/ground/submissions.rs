//! The bots of a `[[bots]]` folder.

use super::candidate::Candidate;
use super::output::complain;
use anyhow::Context;
use arbiter_config::{BOT_NAME_LETTERS, BotSpec, FolderConfig, StartCommand};
use arbiter_cup::tournament::PublicNames;
use arbiter_host::locate::{Finder, Program, is_leftover};
use arbiter_rank::schedule::is_bot_name;
use std::path::{Path, PathBuf};

/// The bots of a `[[bots]]` folder, by name; `names` are what others call them.
///
/// # Errors
/// The folder, or the adapter for its bots, cannot be read.
pub fn submitted(
    folder: &FolderConfig,
    names: &PublicNames,
    from: &Path,
    finder: &Finder<'_>,
) -> anyhow::Result<Vec<Candidate>> {
    let path = from.join(&folder.folder);
    let context = || format!("[[bots]] folder {}", path.display());
    // A mistake there is the organiser's, and not one of each submission.
    finder.adapter_of(&folder.bots).with_context(context)?;
    let mut found = Vec::new();
    for entry in path.read_dir().with_context(context)? {
        let dir = entry.with_context(context)?.path();
        let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Links are listed without following them: following would reveal whether the target
        // exists.
        let is_link = dir.is_symlink();
        let is_left_out = name.starts_with('.') || !is_link && is_leftover(name.as_bytes(), true);
        if is_left_out || !(is_link || dir.is_dir()) {
            continue;
        }
        found.push(submission(name, dir, folder, names, finder));
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    for (number, excluded) in (1..).zip(&folder.exclude) {
        if found.iter().all(|one| one.name != *excluded) {
            // No list says whose the alias of a misspelt name is.
            let shown = if names.are_aliases() {
                format!("name {number} in the list, which has names of folders and not aliases,")
            } else {
                excluded.clone()
            };
            complain(format_args!("note: exclude: {shown} is no folder in {}", folder.folder));
        }
    }
    Ok(found)
}

/// The bot in this sub-folder of a `[[bots]]` folder; `names` are what others call bots.
pub fn submission(
    name: String,
    dir: PathBuf,
    folder: &FolderConfig,
    names: &PublicNames,
    finder: &Finder<'_>,
) -> Candidate {
    let excluded = folder.exclude.contains(&name);
    let program = if excluded {
        Err("excluded by the organiser (`exclude` in [[bots]])".to_owned())
    } else if is_bot_name(&name) {
        finder.submitted(&dir, folder).map_err(|error| error.to_string())
    } else {
        Err(format!(
            "the folder's name cannot be the name of a bot: use {BOT_NAME_LETTERS}, a letter or \
             digit first"
        ))
    };
    let identity = deciding(&name, folder, program.as_ref().ok());
    Candidate {
        shown: names.name(&name),
        name,
        identity,
        place: dir,
        folder: Some(folder.folder.clone()),
        program,
        excluded,
    }
}

/// The part of a submitted bot's configuration that decides how it plays, without the path of its
/// folder.
fn deciding(name: &str, folder: &FolderConfig, program: Option<&Program>) -> String {
    let Some(program) = program else {
        let command = folder.bots.command.clone();
        let none = StartCommand::Words(Vec::new());
        return BotSpec::new(name, command.unwrap_or(none)).identity();
    };
    let file = program.command.file_name().unwrap_or_default();
    let mut words = vec![file.to_string_lossy().into_owned()];
    for word in &program.arguments {
        words.push(word.to_string_lossy().into_owned());
    }
    let mut bot = BotSpec::new(name, StartCommand::Words(words));
    bot.build.clone_from(&program.spec.build);
    bot.dialect = Some(program.spec.dialect());
    bot.identity()
}
