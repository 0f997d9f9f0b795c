//! The configuration of a tournament, read with the files that it names.

use super::input_file::{read_named_text, read_text};
use super::output::complain;
use super::own_rules::rules_of;
use super::preparation::Origin;
use super::trust::TrustFlag;
use anyhow::{Context, anyhow, bail};
use arbiter_config::{Config, ScheduleConfig};
use arbiter_game::openings::Openings;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// A configuration, read with the files that it names.
pub struct TournamentRequest {
    pub name: String,
    pub text: String,
    pub config: Config,
    /// Its absolute path.
    pub file: PathBuf,
    /// The folder that relative paths start from.
    pub from: PathBuf,
    /// The text of its file of openings.
    pub listed: Option<String>,
    /// Where the settings come from.
    pub origin: Origin,
    /// In a league without an end, the copies of the submissions that play, by the number of their
    /// `[[bots]]` folder and their names; otherwise those in the folders themselves play.
    pub copies: Option<Vec<BTreeMap<String, PathBuf>>>,
    /// Whose `bot.toml` may open files outside of its folder, of the bots that the configuration
    /// names one by one.
    pub trust: TrustFlag,
}

impl TournamentRequest {
    pub fn read(path: &Path) -> anyhow::Result<TournamentRequest> {
        let file = path.display().to_string();
        let text = read_named_text(path).map_err(|error| unreadable(path, error))?;
        let from = folder_of(path)?;
        // First the rules: which options a custom game has is known only by them.
        let rules = rules_of(&text, &from).with_context(|| file.clone())?;
        let config = match Config::parse_by(&text, rules.as_ref()) {
            Ok(config) => config,
            Err(errors) => bail!("{}", errors.display(&file).to_string().trim_end()),
        };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if config.name.is_none() && matches!(&*stem, "" | "." | "..") {
            bail!(
                "{file}: the tournament would be called {stem:?}, after the file; give the \
                 configuration a `name`"
            );
        }
        let mut listed = None;
        if let Some(openings) = &config.schedule.openings {
            let openings_file = from.join(openings);
            listed = Some(read_text(&openings_file).with_context(|| {
                format!("[schedule] openings = {openings:?}: {}", openings_file.display())
            })?);
        }
        Ok(TournamentRequest {
            name: config.name.clone().unwrap_or(stem),
            text,
            config,
            file: std::path::absolute(path).context(file)?,
            from,
            listed,
            origin: Origin::Configuration,
            copies: None,
            trust: TrustFlag::default(),
        })
    }
}

/// Why there is no configuration at this path, and what would be right.
fn unreadable(path: &Path, error: anyhow::Error) -> anyhow::Error {
    let file = path.display();
    let is_missing = matches!(
        error.downcast_ref::<io::Error>(),
        Some(error) if error.kind() == io::ErrorKind::NotFound
    );
    let (what, inside) = if path.is_dir() {
        ("is a folder, not a configuration", configuration_in(path))
    } else if is_missing {
        ("No such file", None)
    } else {
        return error.context(file.to_string());
    };
    let with_suffix = path.with_added_extension("toml");
    let meant = if with_suffix.is_file() { Some(with_suffix) } else { inside };
    match meant {
        Some(meant) => anyhow!("{file}: {what}; did you mean {}?", meant.display()),
        None => {
            anyhow!("{file}: {what}; `arbiter tournament --init cup.toml` writes one to start from")
        }
    }
}

/// The first file in a folder, by name, that may be the configuration of a tournament.
fn configuration_in(folder: &Path) -> Option<PathBuf> {
    let mut first: Option<PathBuf> = None;
    for entry in folder.read_dir().ok()?.flatten() {
        let file = entry.path();
        let is_toml = file.extension().is_some_and(|suffix| suffix == "toml");
        let is_first = first.as_ref().is_none_or(|first| file < *first);
        if is_toml && is_first && !file.ends_with("bot.toml") {
            first = Some(file);
        }
    }
    first
}

/// The folder of a file, absolute.
fn folder_of(path: &Path) -> anyhow::Result<PathBuf> {
    let file = std::path::absolute(path).with_context(|| path.display().to_string())?;
    Ok(file.parent().unwrap_or(Path::new("/")).to_owned())
}

/// Why milestones need openings that differ.
const REPEATING: &str = "pairs that repeat others show nothing of a step";

/// The positions that games begin from, however many are needed.
///
/// # Errors
/// The file of openings cannot be used.
pub fn all_openings(config: &Config, listed: Option<&str>) -> anyhow::Result<Openings> {
    let schedule = &config.schedule;
    let ruleset = &config.settings.ruleset;
    match listed {
        Some(text) => Openings::listed(ruleset, text).with_context(|| openings_place(schedule)),
        None => Ok(Openings::random(ruleset.clone(), schedule.opening_plies, schedule.seed)),
    }
}

/// The key of the file of openings, as messages name it.
fn openings_place(schedule: &ScheduleConfig) -> String {
    format!("[schedule] openings = {:?}", schedule.openings.as_deref().unwrap_or_default())
}

/// The positions that games begin from. If the needed number of openings is known and there are too
/// few, this is reported before the first game.
pub fn openings(config: &Config, listed: Option<&str>) -> anyhow::Result<Openings> {
    let schedule = &config.schedule;
    let needed = schedule.format.openings();
    let mut openings = all_openings(config, listed)?;
    if listed.is_none() {
        openings.get(needed).context("[schedule]")?;
        return Ok(openings);
    }
    let place = openings_place(schedule);
    let has_milestones = !config.milestones.steps.is_empty();
    if has_milestones && let Some(again) = openings.repeated(needed) {
        bail!("{place}: position {again} is also an earlier one, and {REPEATING}; replace it");
    }
    if let Some(count) = openings.count()
        && count < needed
    {
        let short = format!("{place}: {needed} are needed, and there are {count}");
        if schedule.format.kind.needs_openings {
            bail!("{short}; add some, or lower max-pairs");
        }
        if has_milestones {
            bail!("{short}, because {REPEATING}; add some, or lower games");
        }
        complain(format_args!("note: {short}; they are used again from the first"));
    }
    Ok(openings)
}
