//! What the games of a run are played under: the settings and what this machine gives to them. Each
//! way to play games goes through the same steps: [`Preparation::new`],
//! [`isolate`](Preparation::isolate), finding the programs,
//! [`separate_users`](Preparation::separate_users), then a test of each program.

use super::failure::Failure;
use super::isolation;
use super::output::complain;
use super::trial_progress::TrialProgress;
use super::utc;
use anyhow::bail;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::tournament::TRIES;
use arbiter_game::{ClockKind, Sandbox, Settings, StderrAccess};
use arbiter_host::bot::{BotError, Launcher, TELLS_CPU, myself};
use arbiter_host::locate::Program;
use arbiter_host::rules_process::{RulesFile, try_adapters};
use arbiter_host::sandbox::Isolation;
use arbiter_play::arena::{self, Conditions, SentSource, TrialDepth};
use arbiter_rules::seed::RunSeed;
use std::iter;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where settings come from, which decides how messages name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Flags of the command line.
    Flags,
    Configuration,
}

/// The conditions of a run, and the isolation that its launcher has on this machine.
#[derive(Clone)]
pub struct Preparation {
    pub conditions: Conditions,
    isolation: Isolation,
}

impl Preparation {
    /// The conditions of a run under these settings, before the isolation of the machine is tested.
    /// `event` is the name of the run.
    ///
    /// # Errors
    /// This system cannot do what the settings ask for, or `sandbox` is below `require-isolation`.
    pub fn new(
        settings: Settings,
        event: &str,
        seed: u64,
        stderr: StderrAccess,
        origin: Origin,
    ) -> anyhow::Result<Preparation> {
        let sandbox = settings.limits.sandbox;
        if settings.time.clock == ClockKind::Cpu && !TELLS_CPU {
            let place = match origin {
                Origin::Flags => "--clock cpu",
                Origin::Configuration => "[time] clock = \"cpu\"",
            };
            bail!(
                "{place}: this system does not report the processor time of a bot; charge wall time"
            );
        }
        if let Some(required) = settings.limits.require_isolation
            && required > sandbox
        {
            let required = required.word();
            let sandbox = sandbox.word();
            match origin {
                Origin::Flags => bail!(
                    "--require-isolation {required}: the bots run under {sandbox}; add --sandbox \
                     {required}"
                ),
                Origin::Configuration => bail!(
                    "isolation `{required}` is required and [limits] sandbox is `{sandbox}`; write \
                     sandbox = \"{required}\""
                ),
            }
        }
        if origin == Origin::Configuration && sandbox < Sandbox::Strict {
            complain(format_args!(
                "isolation: {}: bots can read your files and reach the network: run only programs \
                 that you trust",
                sandbox.word()
            ));
        }
        let plays_again = origin == Origin::Configuration || settings.rules.replay_disturbed;
        let conditions = Conditions {
            settings,
            event: event.to_owned(),
            date: utc::date(SystemTime::now()),
            seed: Some(seed),
            sent: SentSource::Run(RunSeed::Open(seed)),
            isolation: sandbox.word().to_owned(),
            launcher: Launcher::new(myself(), sandbox),
            tries: if plays_again { TRIES } else { 1 },
            stderr,
            stop_before: None,
            opening: None,
            pause: Duration::ZERO,
        };
        Ok(Preparation { conditions, isolation: Isolation::unprobed(sandbox) })
    }

    /// Tests the isolation of the machine, and reports the result.
    ///
    /// # Errors
    /// It is lower than the settings require or has breaches, or the probe could not be run.
    pub fn isolate(&mut self) -> Result<(), Failure> {
        let Conditions { launcher, settings, isolation: line, .. } = &mut self.conditions;
        self.isolation = isolation::establish(launcher, &settings.limits)?;
        *line = self.isolation.line();
        if let Some(rules) = RulesFile::of(settings.ruleset.game()) {
            rules.run_under(launcher, settings.limits.rules_time);
        }
        Ok(())
    }

    /// As root: gives each of these programs a user id of its own if all of them can have one.
    /// `anonymizer` replaces the folders that others may not see.
    ///
    /// # Errors
    /// The probe could not be run; or `strict` is required and a bot cannot have a user id of its
    /// own.
    pub fn separate_users<'a>(
        &mut self,
        programs: impl Iterator<Item = (String, &'a Program)>,
        anonymizer: &Anonymizer,
    ) -> Result<(), Failure> {
        let Conditions { launcher, settings, .. } = &mut self.conditions;
        let isolation = self.isolation.clone();
        self.isolation =
            isolation::separate_users(launcher, isolation, &settings.limits, programs, anonymizer)?;
        self.conditions.isolation = self.isolation.line();
        Ok(())
    }

    /// The same for another run of today, with another seed.
    pub fn for_seed(&self, seed: u64) -> Preparation {
        let mut other = self.clone();
        other.conditions.date = utc::date(SystemTime::now());
        other.conditions.seed = Some(seed);
        other.conditions.sent = SentSource::Run(RunSeed::Open(seed));
        other
    }

    /// Tries the adapters that the organiser has named for these programs, from the first opening.
    ///
    /// # Errors
    /// One fails, which is no bot's fault.
    pub fn try_adapters<'a>(
        &self,
        programs: impl Iterator<Item = &'a Program>,
    ) -> Result<(), String> {
        let Conditions { launcher, settings, opening, .. } = &self.conditions;
        let start = opening.clone().unwrap_or_else(|| settings.ruleset.start());
        try_adapters(programs, &start, launcher, &settings.limits)
    }

    /// Builds the bot, if it has a `build` command, and tests that it starts. The reason why it
    /// does not quotes its output if that may be read.
    ///
    /// # Errors
    /// It cannot be built or started, or arbiter itself failed.
    pub fn try_out(&self, name: &str, program: &Program) -> Result<(), BotError> {
        self.try_adapters(iter::once(program)).map_err(BotError::Unstartable)?;
        let conditions = &self.conditions;
        let mut output = Vec::new();
        let stderr = conditions.stderr;
        if program.spec.build.is_some() {
            let shown = TrialProgress::begin("building", 1);
            shown.during(name, || arena::build(conditions, program, stderr, &mut output))?;
        }
        arena::try_start(conditions, name, program, TrialDepth::Start, stderr, &mut output)
    }
}

/// The seed of a run without `--seed`.
pub fn random_seed() -> u64 {
    // Runs that begin at the same time, as shards do, differ in their process ids.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64 ^ u64::from(std::process::id()) << 32
}
