//! `arbiter new --rules`: a custom game to start from.

use super::{path_word, write_new};
use crate::cli::{CommandResult, Verdict};
use anyhow::{Context, anyhow};
use arbiter_ground::failure::Failure;
use arbiter_ground::output::print_if_open;
use arbiter_host::files::make_folder;
use arbiter_host::rules_process::{DRIVER, DRIVER_NAME};
use arbiter_rules::Game;
use std::fs;
use std::path::Path;

/// The rules to start from.
const NEW_GAME: &str = include_str!("new_game.py");

/// Writes the rules of a small game into a folder, with what loads them, and says what to type
/// next.
pub(super) fn write_game(folder: &Path) -> CommandResult {
    make_folder(folder).with_context(|| format!("--rules {}", folder.display()))?;
    let full = fs::canonicalize(folder).with_context(|| format!("--rules {}", folder.display()))?;
    let name = game_name(&full);
    let files = [(format!("{name}.py"), NEW_GAME), (DRIVER_NAME.to_owned(), DRIVER)];
    // All of them are looked for first, so that a refusal leaves no half of a game behind.
    for (file, _) in &files {
        let path = folder.join(file);
        if path.symlink_metadata().is_ok() {
            let what = anyhow!("{}: it is there already; nothing was written", path.display());
            return Err(what.into());
        }
    }
    for (file, content) in &files {
        let path = folder.join(file);
        let written = write_new(&path, content).with_context(|| path.display().to_string());
        written.map_err(Failure::Unfinished)?;
    }
    let file = path_word(&folder.join(&files[0].0));
    print_if_open(format!(
        "{file} has the rules, {} loads them in a bot. Then:\n\
         \n\
         \x20 arbiter check --rules {file}\n\
         \x20 arbiter moves {file}\n\
         \x20 arbiter play {file} human builtin:random",
        files[1].0
    ))?;
    Ok(Verdict::DONE)
}

/// The name of the game: that of the folder as far as it can be one, else `mygame`.
fn game_name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let is_name =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_taken = Game::ALL.iter().any(|game| game.name() == name);
    if is_name && !is_taken { name } else { "mygame".to_owned() }
}
