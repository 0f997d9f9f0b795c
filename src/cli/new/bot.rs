//! `arbiter new LANGUAGE DIR`: one of the samples, in a folder of its own.

use super::samples::{SAMPLES, Sample};
use super::{path_word, write_new};
use crate::cli::{CommandResult, Verdict};
use anyhow::{Context, bail};
use arbiter_cup::report::feedback::shell_word;
use arbiter_game::Settings;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::{complain, print_if_open};
use arbiter_ground::own_rules::{load_rules, names_rules};
use arbiter_host::files::make_folder;
use arbiter_host::locate::is_command;
use arbiter_rules::Ruleset;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The languages in a table, with the programs that this machine lacks.
pub(super) fn list() -> String {
    let mut out = "LANGUAGE         ALSO         NEEDS\n".to_owned();
    for sample in SAMPLES {
        let also = sample.aliases.join(", ");
        let needs = sample.needs.join(", ");
        // Writing to a String cannot fail.
        let _ = write!(out, "{:<16} {also:<12} {needs}", sample.word);
        if let Some(names) = missing(sample) {
            let _ = write!(out, "   (not on this machine: {names})");
        }
        out.push('\n');
    }
    out.push_str(
        "\n`arbiter new LANGUAGE DIR` writes a bot in this language into the new folder DIR.",
    );
    out
}

/// The programs that a sample needs and PATH does not lead to, if there are any.
fn missing(sample: &Sample) -> Option<String> {
    let mut names = sample.needs.to_vec();
    names.retain(|name| !is_command(name));
    if names.is_empty() { None } else { Some(names.join(", ")) }
}

/// Writes a sample into a folder that is empty or not there yet, and says what to type next.
pub(super) fn write_bot(sample: &Sample, folder: &Path, game: Option<&str>) -> CommandResult {
    let name = game.map(game_name).transpose().context("--game")?;
    refuse_files(folder)?;
    let was_there = folder.is_dir();
    let mut written = Vec::new();
    write_files(sample, folder, name.as_deref(), &mut written).map_err(|error| {
        remove_files(&written, folder, was_there);
        Failure::Unfinished(error)
    })?;
    if let Some(names) = missing(sample) {
        complain(format_args!("note: the bot needs {names}, which PATH does not lead to"));
    }
    let bot = path_word(folder);
    let for_game = match game {
        Some(game) => format!(" --game {}", shell_word(game)),
        None => String::new(),
    };
    print_if_open(format!(
        "{bot} has a bot in {}; the place for your idea is marked in {}. Then:\n\
         \n\
         \x20 arbiter check {bot}{for_game}\n\
         \x20 arbiter play {} {bot} builtin:random",
        sample.language,
        path_word(&folder.join(sample.program())),
        shell_word(game.unwrap_or("loa")),
    ))?;
    Ok(Verdict::DONE)
}

/// Writes the files of a sample; `written` gets each that is made, also where that fails.
fn write_files(
    sample: &Sample,
    folder: &Path,
    game: Option<&str>,
    written: &mut Vec<PathBuf>,
) -> anyhow::Result<()> {
    for (file, content) in sample.files {
        let path = folder.join(file);
        let content = match game {
            Some(game) if *file == "bot.toml" => for_game(content, game),
            _ => (*content).to_owned(),
        };
        if let Some(above) = path.parent() {
            make_folder(above).with_context(|| folder.display().to_string())?;
        }
        let wrote = write_new(&path, &content);
        // A file that somebody else has made meanwhile is not removed after a failure.
        if !wrote.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists) {
            written.push(path.clone());
        }
        wrote.with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Removes what was written of a sample, so that the command can be given again. What cannot be
/// removed stays.
fn remove_files(written: &[PathBuf], folder: &Path, was_there: bool) {
    for path in written {
        let _ = fs::remove_file(path);
    }
    // Folders after the files; one with other files in it stays.
    for path in written {
        if let Some(above) = path.parent()
            && above != folder
        {
            let _ = fs::remove_dir(above);
        }
    }
    if !was_there {
        let _ = fs::remove_dir(folder);
    }
}

/// The name of a game of arbiter, or of the one whose rules are this file.
fn game_name(game: &str) -> anyhow::Result<String> {
    if names_rules(game) {
        let rules = load_rules(Path::new(game), &Settings::of_play().limits)?;
        return Ok(rules.name().to_owned());
    }
    Ok(Ruleset::named(game, "")?.game().name().to_owned())
}

/// Refuses a folder in which something is, and what is no folder.
fn refuse_files(folder: &Path) -> anyhow::Result<()> {
    let called = folder.display();
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => bail!(
            "{called}: the folder is not empty; name one that is empty or not there yet; nothing \
             was written"
        ),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if folder.is_symlink() {
                bail!(
                    "{called}: a link that leads to nothing; name a folder that is empty or not \
                     there yet"
                );
            }
            Ok(())
        }
        Err(error) => Err(error)
            .with_context(|| format!("{called}: name a folder that is empty or not there yet")),
    }
}

/// A bot.toml that names this game alone.
fn for_game(manifest: &str, game: &str) -> String {
    let mut changed = String::new();
    for line in manifest.lines() {
        if line.starts_with("games = ") {
            changed += &format!("games = [\"{game}\"]");
        } else {
            changed += line;
        }
        changed.push('\n');
    }
    changed
}
