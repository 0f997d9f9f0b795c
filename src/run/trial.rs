//! Bots are built and asked for `ready` before the first game; only one that starts is on the
//! roster.

use super::ready_bot::ReadyBot;
use arbiter_cup::report::feedback::FailedStep;
use arbiter_cup::tournament::{Entrant, JournalContents, PublicNames};
use arbiter_game::StderrAccess;
use arbiter_ground::candidate::Candidate;
use arbiter_ground::output::complain;
use arbiter_ground::trial_progress::TrialProgress;
use arbiter_host::bot::BotError;
use arbiter_host::locate::{ContentRules, FoundContent, Program};
use arbiter_play::arena::{self, Conditions, TrialDepth};
use arbiter_play::store::ResultFolder;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Why a bot cannot play.
#[derive(Debug, Clone, Default)]
pub struct Refusal {
    pub why: String,
    /// Where the organiser finds what the bot wrote; empty if the reason quotes it or it wrote
    /// nothing.
    pub kept: String,
    /// The step that failed, if its program was run, with its output.
    pub failed: Option<(FailedStep, Vec<u8>)>,
    /// The command of its build, if it has one.
    pub build: Option<String>,
    /// Whether arbiter or the machine failed, and not the bot.
    pub is_of_machine: bool,
}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal { why, ..Refusal::default() }
    }
}

/// What bots are tried out with.
pub struct TrialSetup<'a> {
    pub conditions: &'a Conditions,
    pub folder: &'a ResultFolder,
    /// What the journal knows of them.
    pub contents: &'a JournalContents,
    /// The organiser's files that may lie in a bot's folder.
    pub organisers: &'a [PathBuf],
    /// What others call them.
    pub names: &'a PublicNames,
}

impl TrialSetup<'_> {
    /// Reads what a bot consists of, and builds it.
    pub fn build<'b>(
        &self,
        bot: &'b Candidate,
        stage: &TrialProgress,
    ) -> Result<(&'b Program, FoundContent), Refusal> {
        let program = bot.program.as_ref().map_err(String::clone)?;
        let submitted = self.read(program, None)?;
        if program.spec.build.is_some() {
            let mut output = Vec::new();
            let stderr = self.stderr(bot);
            let built = stage
                .during(&bot.shown, || arena::build(self.conditions, program, stderr, &mut output));
            self.judge(bot, built, FailedStep::Build, Some(for_author(bot, &output)))?;
        }
        Ok((program, submitted))
    }

    /// Tests a bot, whose files were `submitted`, and reads again what it consists of.
    pub fn try_start(
        &self,
        bot: &Candidate,
        program: &Program,
        submitted: &FoundContent,
    ) -> Result<ReadyBot, Refusal> {
        let mut output = Vec::new();
        let depth = TrialDepth::Ready;
        let stderr = self.stderr(bot);
        let tried =
            arena::try_start(self.conditions, &bot.name, program, depth, stderr, &mut output);
        let output = if output.is_empty() { None } else { Some(for_author(bot, &output)) };
        self.judge(bot, tried, FailedStep::Start, output)?;
        let earlier = self.contents.entrant(&bot.shown);
        let found = match &program.spec.build {
            Some(_) => self.read(program, Some(submitted))?,
            None => submitted.clone(),
        };
        // Where only the program itself is known, it is the content, though the build makes it.
        let in_place = program.access.copied_from.is_none();
        let owns_content = program.owns_folder() && program.spec.digest.is_none();
        let content = if owns_content { &submitted.content } else { &found.content };
        let products =
            if owns_content && in_place { submitted.made_since(&found) } else { BTreeMap::new() };
        let identity = bot.identity.clone();
        let entrant = Entrant::new(bot.name.clone(), identity, content, products, earlier);
        let entrant = Entrant { folder: bot.folder.clone(), display: program.display(), ..entrant };
        let entrant = entrant.named(self.names);
        let organisers = self.organisers.to_owned();
        Ok(ReadyBot::new(entrant, Arc::new(program.clone()), found, organisers))
    }

    fn read(
        &self,
        program: &Program,
        earlier: Option<&FoundContent>,
    ) -> Result<FoundContent, String> {
        let rules =
            ContentRules { patterns: program.spec.digest.as_deref(), organisers: self.organisers };
        program.content(rules, earlier).map_err(|error| error.to_string())
    }

    /// Whether the reason why it cannot play may quote its output: others can read the reasons of
    /// submitted bots in tables.
    fn stderr(&self, bot: &Candidate) -> StderrAccess {
        if bot.folder.is_none() { StderrAccess::Public } else { self.conditions.stderr }
    }

    /// Keeps the output of a step in the bot's folder, and says why the bot cannot play if the step
    /// failed.
    fn judge(
        &self,
        bot: &Candidate,
        done: Result<(), BotError>,
        step: FailedStep,
        output: Option<Vec<u8>>,
    ) -> Result<(), Refusal> {
        let name = &bot.name;
        let file = match step {
            FailedStep::Build => "build.log",
            FailedStep::Start => "trial.log",
        };
        let mut kept = String::new();
        if let Some(output) = &output {
            // A bot that could play plays, even if the disk has no room for what it wrote.
            if let Err(error) = self.folder.write_bot_log(name, file, output) {
                complain(format_args!("warning: {}: {file} cannot be written: {error}", bot.shown));
            } else if self.stderr(bot) != StderrAccess::Public {
                kept = format!(" (what it wrote is in bots/{name}/{file})");
            }
        }
        match done {
            Ok(()) => Ok(()),
            Err(BotError::Unstartable(why)) => {
                let failed = Some((step, output.unwrap_or_default()));
                Err(Refusal { why, kept, failed, ..Refusal::default() })
            }
            // What failed in arbiter is not the bot's fault, and its output says nothing about it.
            Err(BotError::Broken(what)) => {
                let why = format!("arbiter: {what}");
                Err(Refusal { why, is_of_machine: true, ..Refusal::default() })
            }
        }
    }
}

/// What the program wrote, for its author.
fn for_author(bot: &Candidate, output: &[u8]) -> Vec<u8> {
    match bot.folder {
        Some(_) => bot.without_folders(&String::from_utf8_lossy(output)).into_bytes(),
        None => output.to_owned(),
    }
}
