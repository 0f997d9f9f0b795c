//! `arbiter check`: who is checked, under which settings, and what is said and written of it. The
//! situations and the games are those of [`bot_check`](arbiter_engine::bot_check).
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

/// What `arbiter check` is asked for.
pub struct CheckRequest {
    /// The BOT, or the folder of submissions.
    pub bot: String,
    /// The game that is named beside it, with its options.
    pub game: Option<Ruleset>,
    /// The configuration of a tournament, whose rules hold.
    pub config: Option<TournamentRequest>,
    /// The level of isolation; `None` for that of the configuration, or else `strict`.
    pub sandbox: Option<Sandbox>,
    pub trust: TrustFlag,
    pub seed: u64,
    /// The folder of the files; `None` for the folder `check`.
    pub out: Option<PathBuf>,
    pub form: CheckForm,
}

/// Whose programs may be tried under less isolation, to see whether isolation is why they fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IsolationTrust {
    All,
    /// Those of bots that are no submissions.
    Bots,
    None,
}

/// What is printed on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckForm {
    /// Text for people.
    Text,
    /// An object a situation.
    Json,
}

impl CheckRequest {
    /// The game of the check, if it is not left to the bots.
    fn ruleset(&self) -> Option<Ruleset> {
        match (&self.game, &self.config) {
            (Some(game), _) => Some(game.clone()),
            (None, Some(config)) => Some(config.config.settings.ruleset.clone()),
            (None, None) => None,
        }
    }

    /// The settings, but for the game if that is left to the bots.
    fn settings(&self) -> Settings {
        let mut settings = match &self.config {
            Some(config) => config.config.settings.clone(),
            None => Settings::of_play(),
        };
        settings.limits.sandbox = match (self.sandbox, &self.config) {
            (Some(sandbox), _) => sandbox,
            (None, Some(_)) => settings.limits.sandbox,
            (None, None) => Sandbox::Strict,
        };
        settings.ruleset = self.ruleset().unwrap_or(settings.ruleset);
        settings
    }

    fn scope(&self) -> RulesScope {
        match (&self.config, &self.game) {
            (Some(_), None) => RulesScope::Fixed,
            (Some(_), Some(_)) | (None, _) => RulesScope::All,
        }
    }

    /// Submissions are strangers' programs, and a level that the user names is one to keep to.
    fn isolation_trust(&self) -> IsolationTrust {
        match (self.trust.is_given(), self.sandbox) {
            (true, _) => IsolationTrust::All,
            (false, None) => IsolationTrust::Bots,
            (false, Some(_)) => IsolationTrust::None,
        }
    }

    fn preparation(&self) -> Result<Preparation, Failure> {
        let (event, origin) = match &self.config {
            Some(config) => (&*config.name, Origin::Configuration),
            None => ("?", Origin::Flags),
        };
        // What is quoted is read by whoever has the bot, or by its author.
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
    // Before the first game: a folder that cannot take the files costs nothing then.
    let files = CheckFiles::new(request.out.clone(), &subjects)?;
    let mut programs = Vec::new();
    for subject in &subjects {
        if let Ok(program) = &subject.bot.program {
            programs.push((subject.bot.name.clone(), program));
        }
    }
    preparation.separate_users(programs.into_iter(), &Anonymizer::unchanged())?;
    let subjects = Arc::new(subjects);
    let plan = Plan {
        subjects: Arc::clone(&subjects),
        preparation,
        scope: request.scope(),
        trust: request.isolation_trust(),
    };
    let Followed { checked, kept, end } = follow(plan, &files)?;
    // Nothing plays from here on; only a check that was interrupted may, which just reads its copy.
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
        CheckForm::Text if is_folder => print_lines(&checked)?,
        CheckForm::Text => {
            for (subject, bot) in &bots {
                let shown = text(bot, &|found| files.evidence(subject, found), columns());
                print_if_open(shown.trim_end())?;
            }
        }
    }
    // Only now: a disk that is full must not hide what was found.
    kept?;
    end?;
    if is_folder {
        files.keep_table(&bots)?;
    }
    Ok(verdict(&checked))
}

/// A line a submission.
fn print_lines(checked: &[CheckedBot]) -> Result<(), Failure> {
    let width = checked.iter().map(|bot| bot.name.chars().count()).max().unwrap_or_default();
    for bot in checked {
        print_if_open(row_line(bot, width))?;
    }
    Ok(())
}

/// Exit status 1 if a bot has a fault, and 3 if the rules of the game failed or one could not be
/// checked, so that not everything was found out.
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
        None => return Verdict::default(),
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

/// What is checked, and under what.
struct Plan {
    subjects: Arc<Vec<Subject>>,
    preparation: Preparation,
    /// Whether options, board and clock are those of a tournament, and no others are tried.
    scope: RulesScope,
    /// Whose programs may run under less isolation than was asked for.
    trust: IsolationTrust,
}

/// What the thread that checks says, and the one that waits for signals.
enum Message {
    /// The bot of this number begins.
    Begun(usize),
    /// The games of another situation are played.
    Played(usize),
    Checked(usize, Result<Vec<Finding>, Failure>),
    Interrupted,
}

/// What was found of all bots, and whether their files could be written: if not, it is still shown.
struct Followed {
    checked: Vec<CheckedBot>,
    kept: Result<(), Failure>,
    /// That the check was interrupted, if it was.
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
    EndSignals::forward(sender.clone(), || Message::Interrupted);
    thread::spawn(move || plan.run(&sender));
    let stage = TrialProgress::begin("checking", subjects.len());
    let mut checked = Vec::new();
    let mut count = 0_u64;
    let mut kept = Ok(());
    while checked.len() < subjects.len() {
        let Ok(message) = messages.recv() else {
            return Err(Failure::Unfinished(anyhow!("the thread that checks has ended")));
        };
        match message {
            Message::Begun(at) => {
                count = 0;
                stage.enter(label(&subjects[at], count));
            }
            Message::Played(at) => {
                stage.rename(&label(&subjects[at], count), label(&subjects[at], count + 1));
                count += 1;
            }
            Message::Checked(at, found) => {
                let subject = &subjects[at];
                // One that arbiter could not check does not keep the others from being checked.
                let found = match found {
                    Err(Failure::Unfinished(error)) => {
                        vec![subject.not_checked(&error.to_string())]
                    }
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
            Message::Interrupted => {
                drop(stage);
                let what = format!(
                    "interrupted after {} of {}",
                    checked.len(),
                    counted(subjects.len() as u64, "bot")
                );
                let end = Err(Failure::Interrupted(anyhow!(what)));
                return Ok(Followed { checked, kept, end });
            }
        }
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
        for (at, subject) in self.subjects.iter().enumerate() {
            // Sending fails only when the check is over.
            if sender.send(Message::Begun(at)).is_err() {
                return;
            }
            let found = self.check(subject, &mut || drop(sender.send(Message::Played(at))));
            if sender.send(Message::Checked(at, found)).is_err() {
                return;
            }
        }
    }

    /// The level under which what fails is tried once more.
    fn again_under(&self, subject: &Subject) -> Option<Sandbox> {
        let is_trusted = match self.trust {
            IsolationTrust::All => true,
            IsolationTrust::Bots => !subject.is_submission(),
            IsolationTrust::None => false,
        };
        let is_strict = self.preparation.conditions.launcher.sandbox == Sandbox::Strict;
        if is_trusted && is_strict { Some(Sandbox::Basic) } else { None }
    }

    /// Everything that is found of a bot in its games.
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
