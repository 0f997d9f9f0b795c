//! `arbiter check`: finds the bots to check and their settings, checks one after the other, and
//! reports. The situations and their games are data of
//! [`bot_check`](arbiter_engine::bot_check).
//!
//! ```text
//! check(request)
//!   Preparation::new, isolate           as for games
//!   find                                subjects: a BOT, a submission, a folder of them
//!   check_bot, game by game             a thread of its own, so that Ctrl-C is heard
//!   keep                                files: what shows each fault, pages, the table
//!   text, objects, lines                report::check, report::json
//! ```

#![forbid(unsafe_code)]

mod bot_check;
mod by_hand;
mod files;
pub mod rules_trial;
mod subjects;

use anyhow::{Context, anyhow};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::check::{few_words, result, row_line, text};
use arbiter_cup::report::json;
use arbiter_engine::bot_check::{CheckResult, CheckedBot, Finding, RulesScope};
use arbiter_game::{Sandbox, Settings, StderrAccess};
use arbiter_ground::failure::Failure;
use arbiter_ground::output::{columns, print_if_open, write_out};
use arbiter_ground::preparation::{Origin, Preparation};
use arbiter_ground::request::{TournamentRequest, all_openings};
use arbiter_ground::trial_progress::TrialProgress;
use arbiter_ground::trust::TrustFlag;
use arbiter_ground::verdict::Verdict;
use arbiter_play::arena::EndSignals;
use arbiter_rules::text::counted;
use arbiter_rules::{BySide, Ruleset};
use bot_check::RULES_FAILED;
pub use bot_check::{CheckSetup, Shown, check_bot};
use files::CheckFiles;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use subjects::{Subject, Subjects, find, is_not_checked};

/// The arguments of `arbiter check`.
pub struct CheckRequest {
    /// The BOT, or the folder of submissions.
    pub bot: String,
    /// The game of `--game`, with its options.
    pub game: Option<Ruleset>,
    /// The tournament whose rules apply.
    pub config: Option<TournamentRequest>,
    /// The level of isolation; by default that of the configuration, or else `strict`.
    pub sandbox: Option<Sandbox>,
    pub trust: TrustFlag,
    pub seed: u64,
    /// The folder for the files, by default `check`.
    pub out: Option<PathBuf>,
    pub form: CheckForm,
}

/// What is printed on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckForm {
    /// Text for people.
    Text,
    /// One object for each situation.
    Json,
}

impl CheckRequest {
    /// The game of the check; `None` if each bot is checked in the games of its `bot.toml`.
    fn ruleset(&self) -> Option<&Ruleset> {
        let of_config = self.config.as_ref().map(|config| &config.config.settings.ruleset);
        self.game.as_ref().or(of_config)
    }

    /// The settings. If each bot is checked in its own games, their game is replaced later.
    fn settings(&self) -> Settings {
        let mut settings = Settings::of_play();
        settings.limits.sandbox = Sandbox::Strict;
        if let Some(config) = &self.config {
            settings.clone_from(&config.config.settings);
        }
        if let Some(sandbox) = self.sandbox {
            settings.limits.sandbox = sandbox;
        }
        if let Some(game) = &self.game {
            settings.ruleset.clone_from(game);
        }
        settings
    }

    fn preparation(&self) -> Result<Preparation, Failure> {
        let (event, origin) = match &self.config {
            Some(config) => (&*config.name, Origin::Configuration),
            None => ("?", Origin::Flags),
        };
        // Only people who have the bot read what is quoted, or its author.
        let stderr = StderrAccess::Public;
        let mut preparation = Preparation::new(self.settings(), event, self.seed, stderr, origin)?;
        preparation.isolate()?;
        if let Some(config) = &self.config {
            let mut openings = all_openings(&config.config, config.listed.as_deref())?;
            preparation.conditions.opening = openings.first_other().context("[schedule]")?;
        }
        Ok(preparation)
    }
}

/// Checks a bot, or the submissions of a folder: prints what was found, and writes the files that
/// show it.
///
/// # Errors
/// There is no such bot, arbiter could not check it, or it was interrupted.
pub fn check(request: &CheckRequest) -> Result<Verdict, Failure> {
    let mut preparation = request.preparation()?;
    let Subjects { subjects, is_folder, copies } = find(request, &preparation.conditions.launcher)?;
    // Before the first game, so that a folder that cannot be written costs no time.
    let files = CheckFiles::new(request.out.clone(), &subjects)?;
    let programs = subjects
        .iter()
        .filter_map(|Subject { bot, .. }| Some((bot.name.clone(), bot.program.as_ref().ok()?)));
    preparation.separate_users(programs, &Anonymizer::unchanged())?;
    let subjects = Arc::new(subjects);
    let is_of_config = request.config.is_some() && request.game.is_none();
    let plan = Plan {
        subjects: Arc::clone(&subjects),
        preparation,
        scope: if is_of_config { RulesScope::Fixed } else { RulesScope::All },
        trusts_all: request.trust.is_given(),
        has_named_level: request.sandbox.is_some(),
    };
    let Followed { checked, kept, end } = follow(plan, &files)?;
    // No bot plays from here on, unless the check was interrupted; that one only reads its copy.
    drop(copies);
    let bots: Vec<(&Subject, &CheckedBot)> = subjects.iter().zip(&checked).collect();
    for (subject, bot) in &bots {
        files.note_content(subject, bot);
    }
    match request.form {
        CheckForm::Json => {
            for (subject, bot) in &bots {
                let mut objects = String::new();
                for found in &bot.findings {
                    let evidence = files.evidence(subject, found);
                    objects += &json::check(&bot.name, found, evidence.as_ref());
                    objects.push('\n');
                }
                write_out(objects)?;
            }
        }
        CheckForm::Text if is_folder => {
            let widths = checked.iter().map(|bot| bot.name.chars().count());
            let width = widths.max().unwrap_or_default();
            for bot in &checked {
                print_if_open(row_line(bot, width))?;
            }
        }
        CheckForm::Text => {
            for (subject, bot) in &bots {
                let shown = text(bot, &|found| files.evidence(subject, found), columns());
                print_if_open(shown.trim_end())?;
            }
        }
    }
    // Only now, so that a full disk does not hide the findings.
    kept?;
    end?;
    if is_folder {
        files.keep_table(&bots)?;
    }
    Ok(verdict(&checked))
}

/// Exit status 1 if a bot has a fault, and 3 if the check is incomplete because the rules of the
/// game failed or a bot could not be checked.
fn verdict(checked: &[CheckedBot]) -> Verdict {
    let mut unchecked = None;
    for bot in checked {
        for found in &bot.findings {
            let sentence = &found.sentence;
            if sentence.starts_with(RULES_FAILED) {
                let why = format!(
                    "{sentence}; situations that it concerns are left out; `arbiter check --rules` \
                     tries the rules out"
                );
                return Verdict::because(3, vec![why]);
            }
            if is_not_checked(found) && unchecked.is_none() {
                unchecked = Some(format!("{}: {sentence}", bot.name));
            }
        }
    }
    if let Some(why) = unchecked {
        return Verdict::because(3, vec![why]);
    }
    let mut faulty = checked.iter().filter(|bot| result(bot) == CheckResult::Fault);
    let why = match faulty.next() {
        None => return Verdict::DONE,
        Some(bot) if checked.len() == 1 => {
            format!("{}: to fix first: {}", bot.name, few_words(bot))
        }
        Some(_) => {
            let of = counted(checked.len() as u64, "submission");
            format!("{} of {of} with a fault", 1 + faulty.count())
        }
    };
    Verdict::because(1, vec![why])
}

/// The bots to check, and the conditions.
struct Plan {
    subjects: Arc<Vec<Subject>>,
    preparation: Preparation,
    /// Whether options, board and clock are those of a tournament, and no others are tried.
    scope: RulesScope,
    /// Whether the user trusts submissions, too.
    trusts_all: bool,
    /// Whether the user has named the level of isolation.
    has_named_level: bool,
}

/// Messages of the checking thread, and of the one that waits for signals.
enum Message {
    /// The games of one more situation have been played.
    Played,
    Checked(Result<Vec<Finding>, Failure>),
    Interrupted,
}

/// The findings about all bots. They are shown even if their files could not be written.
struct Followed {
    checked: Vec<CheckedBot>,
    kept: Result<(), Failure>,
    /// The failure to report if the check was interrupted.
    end: Result<(), Failure>,
}

/// Checks all bots, shows the progress, and keeps the files of each as soon as it is checked.
///
/// # Errors
/// arbiter could not check one. After an interrupt the bots end with the process.
fn follow(plan: Plan, files: &CheckFiles) -> Result<Followed, Failure> {
    let subjects = Arc::clone(&plan.subjects);
    let (sender, messages) = channel();
    // The check has a thread of its own, so that this one hears signals at any time.
    let signals = sender.clone();
    EndSignals::forward(move || signals.send(Message::Interrupted).is_ok());
    thread::spawn(move || plan.run(&sender));
    let stage = TrialProgress::begin("checking", subjects.len());
    let mut checked = Vec::new();
    let mut kept = Ok(());
    // In the order in which they are checked, so that each message is about the subject.
    for subject in &*subjects {
        let mut count = 0;
        stage.enter(label(subject, count));
        let found = loop {
            match messages.recv() {
                Ok(Message::Played) => {
                    stage.rename(&label(subject, count), label(subject, count + 1));
                    count += 1;
                }
                Ok(Message::Checked(found)) => break found,
                Ok(Message::Interrupted) => {
                    drop(stage);
                    let all = counted(subjects.len() as u64, "bot");
                    let what = anyhow!("interrupted after {} of {all}", checked.len());
                    return Ok(Followed { checked, kept, end: Err(Failure::Interrupted(what)) });
                }
                Err(_) => {
                    return Err(Failure::Unfinished(anyhow!("the thread that checks has ended")));
                }
            }
        };
        // One that arbiter could not check does not keep the others from being checked.
        let found = match found {
            Err(Failure::Unfinished(error)) => vec![subject.not_checked(&error.to_string())],
            found => found?,
        };
        let findings = found.into_iter().map(|finding| subject.shown(finding)).collect();
        let bot = CheckedBot { name: subject.bot.name.clone(), findings };
        if kept.is_ok() {
            kept = files.keep(subject, &bot);
        }
        stage.leave(&label(subject, count));
        checked.push(bot);
    }
    Ok(Followed { checked, kept, end: Ok(()) })
}

/// How the progress shows a bot: with the number of situations whose games are played.
fn label(subject: &Subject, situations: u64) -> String {
    format!("{}  {}", subject.bot.name, counted(situations, "situation"))
}

impl Plan {
    /// Checks one bot after the other, each alone, so that none disturbs the clocks of another.
    fn run(self, sender: &Sender<Message>) {
        for subject in &*self.subjects {
            let found = self.check(subject, &mut || drop(sender.send(Message::Played)));
            // Sending fails only when the check is over.
            if sender.send(Message::Checked(found)).is_err() {
                return;
            }
        }
    }

    /// The level under which what fails is tried once more, to see whether isolation is the cause.
    fn again_under(&self, subject: &Subject) -> Option<Sandbox> {
        // Submissions are strangers' programs, and a level that the user names is one to keep to.
        let is_trusted = self.trusts_all || !self.has_named_level && !subject.is_submission();
        let is_strict = self.preparation.conditions.launcher.sandbox == Sandbox::Strict;
        (is_trusted && is_strict).then_some(Sandbox::Basic)
    }

    /// Checks a bot in all of its games.
    fn check(&self, subject: &Subject, played: &mut dyn FnMut()) -> Result<Vec<Finding>, Failure> {
        let program = match &subject.bot.program {
            Ok(program) => program,
            Err(why) => return Ok(vec![subject.not_found(why)]),
        };
        let mut all = Vec::new();
        let own = BySide::from_fn(|_| program.spec.time);
        let settings = self.preparation.conditions.settings.with_own_clocks(own);
        for ruleset in &subject.games {
            let setup = CheckSetup {
                name: &subject.bot.name,
                program,
                preparation: &self.preparation,
                settings: Settings { ruleset: ruleset.clone(), ..settings.clone() },
                scope: self.scope,
                again_under: self.again_under(subject),
            };
            all.extend(check_bot(&setup, played)?);
        }
        Ok(all)
    }
}
