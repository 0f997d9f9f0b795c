//! Tries a new version beside the running games: it is copied, built, started, and put into the
//! situations of `check`. One version at a time, so that they do not disturb each other's clocks.

use super::intake::stamp;
use super::room::FreeSpace;
use super::trials::VersionTrials;
use super::uploads::UploadDesk;
use super::versions::{NewVersion, build_name};
use arbiter_check::{CheckSetup, check_bot};
use arbiter_config::BotSpec;
use arbiter_cup::report::check::few_words;
use arbiter_cup::report::feedback::FailedStep;
use arbiter_engine::bot_check::{CheckResult, CheckedBot, RulesScope};
use arbiter_game::Exit;
use arbiter_game::clock::duration_text;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::complain;
use arbiter_ground::preparation::Preparation;
use arbiter_ground::repeated::Repeated;
use arbiter_host::bot::Launcher;
use arbiter_host::locate::{Program, copy_submission, disk_usage, remove_folder};
use arbiter_rules::BySide;
use arbiter_run::ready_bot::ReadyBot;
use arbiter_run::trial::Refusal;
use rustix::io::Errno;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How a build ends that the kernel kills because the machine has no memory left, and how a shell
/// says so. A build that is over its own limit ends so, too, and is tried again in vain.
const KILLED: [Exit; 2] = [Exit::Signal(9), Exit::Status(128 + 9)];

/// A version that is to be tried.
#[derive(Debug)]
pub struct Job {
    pub version: NewVersion,
    /// Where its copy is made, and where it is built.
    pub copy: PathBuf,
    pub build: PathBuf,
}

/// What came of a version.
pub enum Verdict {
    /// It can play; with a remark for its author.
    Plays(Box<ReadyBot>, String),
    Refused(Box<Refusal>),
    /// The machine failed, and not the version.
    Untried(Box<Refusal>),
    /// The submission changed while it was copied: it will arrive again.
    Changed,
    /// The league ends.
    BrokenOff,
}

/// A version that was tried.
pub struct Judged {
    pub job: Job,
    pub verdict: Verdict,
}

/// What versions are tried with.
pub struct JudgeSetup {
    pub trials: VersionTrials,
    /// What puts uploads into the places of submissions.
    pub desk: Option<Arc<UploadDesk>>,
}

/// A thread that tries one version after the other. When it is dropped, it breaks off what it does.
pub struct Judge {
    jobs: Option<Sender<Job>>,
    judged: Receiver<Judged>,
    running: Arc<Running>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread has started, so that it can be stopped.
#[derive(Default)]
struct Running(Mutex<RunningState>);

#[derive(Default)]
struct RunningState {
    launcher: Option<Launcher>,
    has_ended: bool,
}

impl Running {
    fn state(&self) -> MutexGuard<'_, RunningState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on this is what stops.
    fn begin(&self, launcher: &Launcher) {
        let mut state = self.state();
        if state.has_ended {
            launcher.stop();
        }
        state.launcher = Some(launcher.clone());
    }

    fn has_ended(&self) -> bool {
        self.state().has_ended
    }

    fn end(&self) {
        let mut state = self.state();
        state.has_ended = true;
        if let Some(launcher) = &state.launcher {
            launcher.stop();
        }
    }
}

impl Judge {
    pub fn start(setup: JudgeSetup) -> Judge {
        let (jobs, taken) = channel::<Job>();
        let (sender, judged) = channel();
        let running = Arc::new(Running::default());
        let shared = Arc::clone(&running);
        let thread = thread::spawn(move || {
            for job in taken {
                let verdict = setup.judge(&job, &shared);
                if sender.send(Judged { job, verdict }).is_err() {
                    break;
                }
            }
        });
        Judge { jobs: Some(jobs), judged, running, thread: Some(thread) }
    }

    pub fn judge(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(job); // fails if the thread has panicked, which was printed
        }
    }

    /// What has been tried since the last call.
    pub fn judged(&self) -> impl Iterator<Item = Judged> + '_ {
        self.judged.try_iter()
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        self.jobs = None;
        self.running.end();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // a panic of it has been printed
        }
    }
}

impl JudgeSetup {
    fn judge(&self, job: &Job, running: &Running) -> Verdict {
        let tried = self.try_version(job, running);
        match tried {
            _ if running.has_ended() => Verdict::BrokenOff,
            Ok(verdict) => verdict,
            Err(refusal) => {
                // Before the room that it has taken is freed.
                let is_of_machine = self.is_of_machine(&refusal, job);
                for taken in [&job.build, &job.copy] {
                    if taken.exists()
                        && let Err(error) = remove_folder(taken)
                    {
                        complain(format_args!("note: league: {error}"));
                    }
                }
                let refusal = Box::new(refusal);
                if is_of_machine { Verdict::Untried(refusal) } else { Verdict::Refused(refusal) }
            }
        }
    }

    /// Whether the machine failed, as far as that can be told: arbiter itself could not do
    /// something, the disk is full, or the build was killed.
    fn is_of_machine(&self, refusal: &Refusal, job: &Job) -> bool {
        let size = disk_usage(&job.copy).unwrap_or_default().bytes;
        let space = FreeSpace::of(self.trials.folder.dir());
        let is_build = matches!(refusal.failed, Some((FailedStep::Build, _)));
        let was_killed = KILLED.iter().any(|how| refusal.why.contains(&how.to_string()));
        refusal.is_of_machine
            || space.is_some_and(|space| space.is_short_of(size))
            || is_build && was_killed
    }

    fn try_version(&self, job: &Job, running: &Running) -> Result<Verdict, Refusal> {
        let NewVersion { place, stamp: arrived, number } = &job.version;
        let config = &self.trials.config;
        let source = self.trials.from.join(&config.folders[place.0].folder).join(&place.1);
        let mut preparation = self.trials.preparation.clone();
        // A stop flag for this version alone, because the timer of its check sets it.
        preparation.conditions.launcher.stop = Arc::default();
        running.begin(&preparation.conditions.launcher);
        // 1. A copy of what was handed in: nobody changes it from here on.
        let placing = self.desk.as_ref().map(|desk| desk.hold());
        if source.read_dir().is_ok_and(|mut files| files.next().is_none()) {
            return Err("nothing was handed in yet: its folder is empty".to_owned().into());
        }
        let program = self.trials.submission(place, source.clone()).program?;
        if let Some(submission) = &program.access.submission
            && let Err(error) = copy_submission(submission, &job.copy)
        {
            let is_of_machine = is_fault_of_machine(&error);
            let why = format!("it cannot be copied: {error}");
            return Err(Refusal { is_of_machine, ..Refusal::from(why) });
        }
        drop(placing);
        if config.league.marker.is_none() && stamp(&source).is_ok_and(|now| now != *arrived) {
            return Ok(Verdict::Changed);
        }
        // 2. The copy is built and started; from here on only it is used.
        let build = build_name(place, *number);
        let conditions = &preparation.conditions;
        let ready = self.trials.start(conditions, place, job.copy.clone(), &build)?;
        // 3. The situations of `check`.
        let remark = self.check(&place.1, &ready.program, &preparation)?;
        Ok(Verdict::Plays(Box::new(ready), remark))
    }

    /// Checks a version that starts, within its time; returns what its author should know.
    ///
    /// # Errors
    /// It has a fault.
    fn check(
        &self,
        name: &str,
        program: &Program,
        preparation: &Preparation,
    ) -> Result<String, Refusal> {
        let limit = self.trials.config.league.check;
        if limit.is_zero() {
            return Ok(String::new());
        }
        // It is built already.
        let spec = BotSpec { build: None, ..program.spec.clone() };
        let program = Program { spec, ..program.clone() };
        let own = BySide::from_fn(|_| program.spec.time);
        let setup = CheckSetup {
            name,
            program: &program,
            preparation,
            settings: preparation.conditions.settings.with_own_clocks(own),
            scope: RulesScope::Fixed,
            again_under: None,
        };
        let launcher = &preparation.conditions.launcher;
        let stopped = launcher.clone();
        let timer = Repeated::start(limit, move || {
            stopped.stop();
            Duration::MAX // once
        });
        let found = check_bot(&setup, &mut || {});
        let is_over = launcher.is_stopped();
        drop(timer);
        match found {
            Ok(findings) => {
                let bot = CheckedBot { name: name.to_owned(), findings };
                if bot.count(CheckResult::Fault) > 0 {
                    return Err(format!("`arbiter check`: {}", few_words(&bot)).into());
                }
                Ok(String::new())
            }
            // If the league ends, nobody asks for the verdict.
            Err(Failure::Interrupted(_)) if is_over => Ok(format!(
                "`arbiter check` was not finished within {}; it plays",
                duration_text(limit)
            )),
            // What failed in arbiter is not the bot's fault.
            Err(failure) => {
                let why = failure.error().map(ToString::to_string).unwrap_or_default();
                Ok(format!("`arbiter check` failed: {why}; it plays"))
            }
        }
    }
}

/// Whether an error says something of the machine, and not of the files that were handed in.
fn is_fault_of_machine(error: &io::Error) -> bool {
    const ERRORS: [Errno; 5] = [Errno::IO, Errno::ROFS, Errno::NFILE, Errno::MFILE, Errno::NOMEM];
    let is_full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
    is_full || Errno::from_io_error(error).is_some_and(|error| ERRORS.contains(&error))
}
