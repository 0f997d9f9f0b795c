//! The rules of custom games that the user names: on the command line, in a configuration, or
//! by `--rules`. Nothing else starts rules: a log or a result folder only tells of them.

use anyhow::{Context, bail};
use arbiter_game::clock::parse_duration;
use arbiter_game::{Limits, Settings};
use arbiter_host::bot::{Launcher, myself};
use arbiter_host::locate::is_leftover;
use arbiter_host::rules_process::{DRIVER_NAME, RulesFile};
use arbiter_rules::own::Rules;
use arbiter_rules::text::Word;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The flag of commands that read logs.
#[derive(Debug, Clone, Args)]
pub struct RulesFlag {
    /// The rules of the game, if it is none of arbiter's: the file or folder whose digest the log
    /// has
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
}

impl RulesFlag {
    /// The rules with which logs are read.
    ///
    /// # Errors
    /// The file cannot be read, or its rules are wrong.
    pub fn load(&self) -> anyhow::Result<Option<Rules>> {
        let Some(path) = &self.rules else { return Ok(None) };
        let rules = load_rules(path, &Settings::of_play().limits);
        Ok(Some(rules.with_context(|| format!("--rules {}", path.display()))?))
    }
}

/// Whether the name of a game is that of a file or folder with rules: it has a `/`, or ends in
/// `.py`.
pub fn names_rules(game: &str) -> bool {
    game.contains('/') || game.ends_with(".py")
}

/// Loads rules at the level of isolation, and with the time for an answer, of these limits.
///
/// # Errors
/// The file cannot be read, or its rules are wrong.
pub fn load_rules(path: &Path, limits: &Limits) -> anyhow::Result<Rules> {
    let launcher = Launcher::new(myself(), limits.sandbox);
    let limits = Limits { rules_time: limits.rules_time, ..Limits::default() };
    Ok(RulesFile::load(path, &launcher, &limits)?)
}

/// The rules that a configuration names, whose paths start from this folder. Other mistakes in the
/// text are reported by whoever reads the configuration.
///
/// # Errors
/// The file cannot be read, or its rules are wrong.
pub fn rules_of(config: &str, from: &Path) -> anyhow::Result<Option<Rules>> {
    let table: Table = config.parse().unwrap_or_default();
    let Some(game) = table.get("game").and_then(Value::as_str) else { return Ok(None) };
    if !names_rules(game) {
        return Ok(None);
    }
    // The whole configuration is read later: what it may say of the game depends on the rules.
    let limit = |key: &str| table.get("limits")?.get(key)?.as_str();
    let mut limits = Settings::default().limits;
    if let Some(sandbox) = limit("sandbox").and_then(Word::named) {
        limits.sandbox = sandbox;
    }
    if let Some(Ok(time)) = limit("rules-time").map(parse_duration)
        && !time.is_zero()
    {
        limits.rules_time = time;
    }
    let rules = load_rules(&from.join(game), &limits);
    Ok(Some(rules.with_context(|| format!("game = {game:?}"))?))
}

/// Whether a file or folder inside a folder holds the rules of a game.
fn holds_rules(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    if is_leftover(name.as_encoded_bytes(), path.is_dir()) {
        return false;
    }
    let is_python = path.extension().is_some_and(|extension| extension == "py");
    is_python && name != DRIVER_NAME || path.join("game.toml").is_file()
}

/// These files, and of each folder among them the rules that lie in it, by name.
///
/// # Errors
/// A folder cannot be read or holds no rules.
pub fn rules_in(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        let place = || path.display().to_string();
        if !path.is_dir() || path.join("game.toml").is_file() {
            found.push(path.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).with_context(place)? {
            let file = entry.with_context(place)?.path();
            if holds_rules(&file) {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            bail!("{}: there is no *.py file and no folder with a game.toml in it", place());
        }
        inside.sort();
        found.append(&mut inside);
    }
    Ok(found)
}
