//! What games of players are played under that a test makes without the command line.

use arbiter::arena::{Conditions, SentSource};
use arbiter::bot::Launcher;
use arbiter::clock::TimeControl;
use arbiter::game::{Sandbox, Settings, StderrAccess};
use arbiter::rules::Ruleset;
use arbiter::seed::RunSeed;
use std::time::Duration;

/// Games without a clock, each tried once.
pub fn conditions(ruleset: &Ruleset) -> Conditions {
    Conditions {
        settings: Settings { ruleset: ruleset.clone(), ..Settings::of_play() }
            .with_control(TimeControl::Unlimited),
        event: "test".to_owned(),
        date: "2026.01.01".to_owned(),
        seed: Some(1),
        sent: SentSource::Run(RunSeed::Open(1)),
        isolation: "basic".to_owned(),
        launcher: Launcher::new(env!("CARGO_BIN_EXE_arbiter").into(), Sandbox::Basic),
        tries: 1,
        stderr: StderrAccess::Public,
        stop_before: None,
        opening: None,
        pause: Duration::ZERO,
    }
}
