//! The bots of a tournament as its configuration names them, for games beside it.

use super::builds::Builds;
use super::input_file::read_text;
use super::output::complain;
use anyhow::{Context, bail};
use arbiter_config::Config;
use arbiter_cup::report::escape::line;
use arbiter_cup::tournament::{Entrant, JournalHead};
use arbiter_game::{Sandbox, Settings};
use arbiter_host::bot::Launcher;
use arbiter_host::locate::{Finder, Program};
use arbiter_host::sandbox::{Scratch, temporary_folder};
use arbiter_rank::schedule::is_bot_name;
use arbiter_rules::text::Message;
use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf, absolute};

/// The configuration in the journal of a tournament, with the own names of bots.
///
/// # Errors
/// It cannot be read.
pub fn recorded_config(head: &JournalHead) -> anyhow::Result<Config> {
    match head.configuration() {
        Ok(config) => Ok(config),
        Err(errors) => bail!("its configuration cannot be read: {}", errors.display("the journal")),
    }
}

/// The configuration of a tournament.
pub struct RecordedBots {
    /// With the own names of bots.
    pub config: Config,
    /// The bots as they were scheduled last.
    pub roster: Vec<Entrant>,
    /// The folder that the configuration's paths start from.
    pub from: PathBuf,
    /// Whether that folder has this configuration. Another one comes from a journal, which may be
    /// another person's.
    is_here: bool,
}

impl RecordedBots {
    /// The bots of a configuration in the journal of a result folder. Its paths start from the
    /// folder above, or from the one that the user names.
    ///
    /// # Errors
    /// The working directory is gone.
    pub fn new(
        config: Config,
        roster: Vec<Entrant>,
        results: &Path,
        from: Option<&Path>,
    ) -> anyhow::Result<RecordedBots> {
        let from = match from {
            Some(from) => absolute(from).context("--from")?,
            None => absolute(results)?.parent().map(Path::to_owned).unwrap_or_default(),
        };
        let told = Some(&config.settings.ruleset);
        let mut is_here = false;
        for entry in from.read_dir().into_iter().flatten().flatten() {
            let file = entry.path();
            if file.extension().is_some_and(|extension| extension == "toml")
                && file.is_file()
                && let Ok(text) = read_text(&file)
                && Config::parse_told(&text, told).as_ref() == Ok(&config)
            {
                is_here = true;
                break;
            }
        }
        Ok(RecordedBots { config, roster, from, is_here })
    }

    /// The commands that are run for a bot of this public name, in a sentence, if no configuration
    /// of the user's says so.
    pub fn foreign_commands(&self, name: &str, program: &Program) -> Option<Message> {
        if self.is_here || program.built_in {
            return None;
        }
        let command = match shlex::try_join(program.words.iter().map(String::as_str)) {
            Ok(quoted) => quoted,
            Err(_) => program.words.join(" "),
        };
        let here = self.from.display();
        let mut what = format!("{}: {command}", program.source().display());
        if let Some(build) = &program.spec.build {
            what += &format!("; before it, its build: {build}");
        }
        let note = format!(
            "note: no configuration in {here} is that of the journal, which may be another \
             person's; for {name} it runs in "
        );
        Some(Message::from(line(&note)).quoted(line(&what)))
    }

    /// The program of the bot of this own name.
    ///
    /// # Errors
    /// The configuration has no such bot, or its program is not there.
    pub fn program(&self, name: &str, finder: Finder<'_>) -> anyhow::Result<Program> {
        if let Some(bot) = self.config.bots.iter().find(|bot| bot.name == name) {
            return Ok(finder.configured(bot)?);
        }
        let scheduled = self.roster.iter().find(|bot| bot.private_name() == name);
        let own = scheduled.and_then(|bot| bot.folder.as_ref());
        for folder in &self.config.folders {
            // A name that no bot may have could lead out of the folder.
            if !is_bot_name(name) || own.is_some_and(|own| *own != folder.folder) {
                continue;
            }
            let dir = self.from.join(&folder.folder).join(name);
            if dir.symlink_metadata().is_ok() {
                return Ok(finder.submitted(&dir, folder)?);
            }
        }
        bail!(
            "the configuration has no bot of that name, and its [[bots]] folders have no such \
             folder"
        )
    }
}

/// Private copies of submissions, which play; they are removed on drop.
#[derive(Default)]
pub struct SubmissionCopies(Option<(Builds, Scratch)>);

impl SubmissionCopies {
    /// The program of a submission, in a private copy; any other program as it is.
    ///
    /// # Errors
    /// It cannot be copied.
    pub fn in_copy(
        &mut self,
        name: &str,
        program: Program,
        launcher: &Launcher,
    ) -> anyhow::Result<Program> {
        if !program.access.is_submitted() {
            return Ok(program);
        }
        self.builds(launcher)?.in_copy(name, program).context("copying it")
    }

    /// The folder of the copies.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn builds(&mut self, launcher: &Launcher) -> anyhow::Result<&Builds> {
        let copies = match self.0.take() {
            Some(copies) => copies,
            None => {
                let scratch = Scratch::make(&temporary_folder())?;
                // A bot that is a user of its own passes through this folder; the one in it is
                // closed where that is possible.
                set_permissions(scratch.path(), Permissions::from_mode(0o711))?;
                (Builds::in_folder(scratch.path().join("builds"), launcher)?, scratch)
            }
        };
        let (builds, _) = self.0.insert(copies);
        Ok(builds)
    }
}

/// The level of isolation that a log or the configuration in a journal may ask for: both may come
/// from another person, so a weaker one than the default takes the user's own word.
pub fn trusted(logged: Sandbox, said_by: &str) -> Sandbox {
    let least = Settings::of_play().limits.sandbox;
    if logged < least {
        let logged = logged.word();
        let least = least.word();
        complain(format_args!(
            "note: the {said_by} says --sandbox {logged}; the programs run under {least}, the \
             default. If you trust them, --sandbox {logged} runs them as they ran"
        ));
    }
    logged.max(least)
}
