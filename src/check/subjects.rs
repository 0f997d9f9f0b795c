//! Who is checked: a BOT as `arbiter play` takes it, or submissions as a tournament takes them.

use super::CheckRequest;
use anyhow::{Context, Error, bail};
use arbiter_config::{BotSpec, FolderConfig};
use arbiter_cup::tournament::{JournalContents, PublicNames};
use arbiter_engine::bot_check::{CheckResult, Finding};
use arbiter_game::clock::TimeControl;
use arbiter_ground::bot_names::{bot_name, page_name, refuse_equal_names, suggest_names};
use arbiter_ground::candidate::{Candidate, prepare_folders};
use arbiter_ground::finder::finder;
use arbiter_ground::recorded_bots::SubmissionCopies;
use arbiter_ground::request::TournamentRequest;
use arbiter_ground::submissions::{submission, submitted};
use arbiter_host::bot::Launcher;
use arbiter_host::locate::{ANY_GAME, Finder, Program, has_manifest};
use arbiter_rules::text::printable;
use arbiter_rules::{Game, Ruleset};
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// Maximum number of bytes of a game's name that a message quotes.
const QUOTED: usize = 40;

/// The beginning of the sentence if arbiter itself failed while it checked a bot.
const NOT_CHECKED: &str = "could not be checked: ";

/// Whether a finding says that arbiter itself failed while it checked the bot.
pub fn is_not_checked(finding: &Finding) -> bool {
    finding.sentence.starts_with(NOT_CHECKED)
}

/// A bot that is checked.
pub struct Subject {
    /// The bot; a submission plays in a copy.
    pub bot: Candidate,
    /// The name of the folder for its files.
    pub folder: String,
    /// The games that it is checked in; empty if its program was not found and no game is given.
    pub games: Vec<Ruleset>,
}

/// All bots to check.
pub struct Subjects {
    pub subjects: Vec<Subject>,
    /// Whether they are the submissions of a folder.
    pub is_folder: bool,
    /// The copies of submissions, which play; they are removed on drop.
    pub copies: SubmissionCopies,
}

impl Subject {
    /// Whether it is a submission, whose author may be another person.
    pub fn is_submission(&self) -> bool {
        self.bot.folder.is_some()
    }

    /// The folder that its author works in.
    pub fn own_folder(&self) -> Option<&Path> {
        match &self.bot.program {
            _ if self.is_submission() => Some(&self.bot.place),
            Ok(program) if !program.built_in => Some(&program.dir),
            _ => None,
        }
    }

    /// The name of the first game that it is checked in; empty if none is known.
    fn first_game(&self) -> &str {
        self.games.first().map_or("", |ruleset| ruleset.game().name())
    }

    /// The finding about a bot whose program was not found.
    pub fn not_found(&self, why: &str) -> Finding {
        Finding {
            result: CheckResult::Fault,
            sentence: why.to_owned(),
            cause: "not found".to_owned(),
            ..Finding::new(self.first_game(), "program", "its program is found")
        }
    }

    /// The finding about a bot if arbiter itself failed while it checked it.
    pub fn not_checked(&self, why: &str) -> Finding {
        Finding {
            result: CheckResult::Skipped,
            sentence: format!("{NOT_CHECKED}{why}"),
            ..Finding::new(self.first_game(), "check", "arbiter can check it")
        }
    }

    /// A finding without the names of the folders that a submission was copied from and to.
    pub fn shown(&self, mut finding: Finding) -> Finding {
        if !self.is_submission() {
            return finding;
        }
        for text in [&mut finding.sentence, &mut finding.cure, &mut finding.cause] {
            *text = self.bot.without_folders(text);
        }
        for line in &mut finding.lines {
            if let Ok(text) = std::str::from_utf8(&line.bytes) {
                line.bytes = self.bot.without_folders(text).into_bytes();
            }
        }
        finding
    }
}

/// What a BOT on the command line of `check` is.
enum Named {
    /// What `arbiter play` takes.
    Bot,
    /// The folder of one submission.
    Submission(PathBuf),
    /// A folder of submissions.
    Folder(PathBuf),
}

/// Finds the bots to check, and copies submissions.
///
/// # Errors
/// There is no such bot or folder, or it is not known which games it plays.
pub fn find(request: &CheckRequest, launcher: &Launcher) -> anyhow::Result<Subjects> {
    let here = std::env::current_dir().context("the working directory")?;
    let from = match &request.config {
        Some(config) => &config.from,
        None => &here,
    };
    let game = request.ruleset().map_or(&Game::Loa, Ruleset::game);
    let trust = request.trust.of_folders(launcher.sandbox);
    let finder = finder(from, &launcher.program, game, trust);
    let mut copies = SubmissionCopies::default();
    let named = named(request, &here, &finder);
    let mut candidates = match &named {
        Named::Bot => {
            let mut program = Finder { from: &here, ..finder }.find(&request.bot)?;
            program.spec.time = own_clock(request, &finder, &program);
            let name = bot_name(&program.name);
            let games = games_of(request, &program)?;
            let bot = Candidate {
                shown: name.clone(),
                name: name.clone(),
                identity: program.spec.identity(),
                place: here,
                folder: None,
                program: Ok(program),
                excluded: false,
            };
            let subjects = vec![Subject { bot, folder: name, games }];
            return Ok(Subjects { subjects, is_folder: false, copies });
        }
        Named::Submission(dir) => {
            let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let folder = folder_of(request.config.as_ref(), dir);
            vec![submission(name, dir.clone(), &folder, &PublicNames::Names, &finder)]
        }
        Named::Folder(dir) => {
            let folder = folder_of(request.config.as_ref(), dir);
            let mut found = submitted(&folder, &PublicNames::Names, from, &finder)?;
            found.retain(|one| !one.excluded);
            suggest_names(&mut found);
            refuse_equal_names(&mut found, &JournalContents::default(), &PublicNames::Names)?;
            found
        }
    };
    for candidate in &mut candidates {
        if let Ok(program) = &mut candidate.program {
            program.spec.time = own_clock(request, &finder, program);
        }
    }
    let subjects = subjects(request, candidates, &mut copies, launcher)?;
    Ok(Subjects { subjects, is_folder: matches!(named, Named::Folder(_)), copies })
}

/// The clock of the `[[bot]]` that is this program, if it has one of its own.
fn own_clock(
    request: &CheckRequest,
    finder: &Finder<'_>,
    program: &Program,
) -> Option<TimeControl> {
    for bot in &request.config.as_ref()?.config.bots {
        if bot.time.is_some()
            && let Ok(own) = finder.configured(bot)
            && own.words == program.words
            && (own.built_in || is_same(own.source(), program.source()))
        {
            return own.spec.time;
        }
    }
    None
}

/// What the BOT of this check is. A folder without a `bot.toml` is a submission if the
/// configuration has a command for it.
fn named(request: &CheckRequest, here: &Path, finder: &Finder<'_>) -> Named {
    let Ok(dir) = std::path::absolute(here.join(&request.bot)) else { return Named::Bot };
    if !dir.is_dir() {
        return Named::Bot;
    }
    let dir = match dir.components().next_back() {
        // The folder has a name.
        Some(Component::ParentDir) => dir.canonicalize().unwrap_or(dir),
        _ => dir.components().collect(),
    };
    if is_folder_of_bots(request.config.as_ref(), &dir, finder) {
        Named::Folder(dir)
    } else if request.config.is_some() {
        Named::Submission(dir)
    } else {
        Named::Bot
    }
}

/// Whether a folder has bots in it, and is none itself.
fn is_folder_of_bots(config: Option<&TournamentRequest>, dir: &Path, finder: &Finder<'_>) -> bool {
    if has_manifest(dir) {
        return false;
    }
    if let Some(config) = config {
        if configured(config, dir).is_some() {
            return true;
        }
        // What lies in a configured folder is a submission, even if its only content is a folder
        // with a bot.
        if dir.parent().is_some_and(|above| configured(config, above).is_some()) {
            return false;
        }
    }
    let folder = folder_of(config, dir);
    if is_bot(dir, &folder, finder) {
        return false;
    }
    for entry in dir.read_dir().into_iter().flatten().flatten() {
        let below = entry.path();
        if below.is_dir() && is_bot(&below, &folder, finder) {
            return true;
        }
    }
    false
}

/// Whether a folder is that of a bot: by its `bot.toml`, or by the command of the configuration.
fn is_bot(dir: &Path, rules: &FolderConfig, finder: &Finder<'_>) -> bool {
    has_manifest(dir) || rules.bots.command.is_some() && finder.submitted(dir, rules).is_ok()
}

/// The `[[bots]]` of the configuration that names this folder.
fn configured<'a>(config: &'a TournamentRequest, dir: &Path) -> Option<&'a FolderConfig> {
    let mut folders = config.config.folders.iter();
    folders.find(|folder| is_same(&config.from.join(&folder.folder), dir))
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// The rules for a submission or a folder of them: those of the `[[bots]]` that names the folder or
/// the one around it, else of the first one; without any it needs a `bot.toml`.
fn folder_of(config: Option<&TournamentRequest>, dir: &Path) -> FolderConfig {
    let folder = dir.display().to_string();
    let mut its = None;
    if let Some(config) = config {
        its = configured(config, dir)
            .or_else(|| configured(config, dir.parent()?))
            .or(config.config.folders.first());
    }
    match its {
        Some(its) => FolderConfig { folder, ..its.clone() },
        None => FolderConfig { folder, bots: BotSpec::default(), exclude: Vec::new() },
    }
}

/// The submissions, each in its copy.
fn subjects(
    request: &CheckRequest,
    mut candidates: Vec<Candidate>,
    copies: &mut SubmissionCopies,
    launcher: &Launcher,
) -> anyhow::Result<Vec<Subject>> {
    prepare_folders(&mut candidates, Some(copies.builds(launcher)?));
    let folders = page_folders(candidates.iter().map(|candidate| &*candidate.name));
    let mut subjects = Vec::new();
    for (mut bot, folder) in candidates.into_iter().zip(folders) {
        let mut games = Vec::new();
        if let Ok(program) = &bot.program {
            match games_of(request, program) {
                Ok(found) => games = found,
                // It does not play the game of the check; the others of the folder may.
                Err(why) if request.ruleset().is_some() => bot.program = Err(why.to_string()),
                Err(why) => return Err(why.context(bot.name)),
            }
        } else {
            games.extend(request.ruleset().cloned());
        }
        subjects.push(Subject { bot, folder, games });
    }
    Ok(subjects)
}

/// The folders of the pages, in the order of the names. A submission whose name can be that of a
/// folder has this one; others get what is left.
fn page_folders<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    // The table lies beside the folders.
    let mut taken = HashSet::from(["check.md".to_owned()]);
    let mut folders = vec![String::new(); names.clone().count()];
    for is_own in [true, false] {
        for (name, folder) in names.clone().zip(&mut folders) {
            if (bot_name(name) == name) == is_own {
                *folder = page_name(name, &mut taken);
            }
        }
    }
    folders
}

/// The games that a bot is checked in: that of the check, else those of its `bot.toml`.
///
/// # Errors
/// Neither names a game, or the `bot.toml` does not name that of the check.
fn games_of(request: &CheckRequest, program: &Program) -> anyhow::Result<Vec<Ruleset>> {
    if let Some(ruleset) = request.ruleset() {
        program.check_plays(ruleset.game()).map_err(Error::msg)?;
        return Ok(vec![ruleset.clone()]);
    }
    if program.spec.games.is_empty() {
        bail!(
            "which game? Give --game, such as --game loa; there are {}, and files of rules such as \
             --game ./connect4.py",
            Game::NAMES.join(", ")
        )
    }
    let mut found = Vec::new();
    for game in &program.spec.games {
        let named = if game == ANY_GAME { Game::NAMES.to_vec() } else { vec![&**game] };
        for name in named {
            match Ruleset::named(name, "") {
                Ok(ruleset) if found.contains(&ruleset) => {}
                Ok(ruleset) => found.push(ruleset),
                Err(_) => bail!(
                    "its bot.toml names {0}, which is no game of arbiter ({1}); with the file of \
                     its rules it is checked in that: --game ./{0}.py",
                    printable(name.as_bytes(), QUOTED),
                    Game::NAMES.join(", ")
                ),
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submission_has_the_page_of_its_own_name() {
        let names = ["we ird", "we-ird", "check.md", "ada", "../ada"];
        let folders = page_folders(names.into_iter());
        assert_eq!(folders, ["we-ird-2", "we-ird", "check.md-2", "ada", "ada-2"]);
    }
}
