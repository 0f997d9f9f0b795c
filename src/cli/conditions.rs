//! Makes the conditions of a run from its settings, for `play` and `tournament`.

use super::complain;
use crate::arena::{Conditions, SentSource};
use crate::bot::{Launcher, TELLS_CPU, myself};
use crate::game::{ClockKind, Sandbox, Settings, StderrAccess};
use crate::seed::RunSeed;
use crate::tournament::TRIES;
use anyhow::bail;
use std::time::Duration;

/// Where settings come from, which decides how messages name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Flags of the command line.
    Flags,
    /// A configuration.
    Configuration,
}

/// The conditions of a run under these settings, before the isolation of the machine is tested. `event` is
/// the name of the run.
///
/// # Errors
/// This system cannot do what the settings ask for, or `sandbox` is below `require-isolation`.
pub(super) fn conditions(
    settings: Settings,
    event: &str,
    seed: u64,
    stderr: StderrAccess,
    origin: Origin,
) -> anyhow::Result<Conditions> {
    let sandbox = settings.limits.sandbox;
    if settings.time.clock == ClockKind::Cpu && !TELLS_CPU {
        let place = match origin {
            Origin::Flags => "--clock cpu",
            Origin::Configuration => "[time] clock = \"cpu\"",
        };
        bail!("{place}: this system does not report the processor time of a bot; charge wall time");
    }
    if let Some(required) = settings.limits.require_isolation.filter(|&required| required > sandbox) {
        let (required, sandbox) = (required.word(), sandbox.word());
        match origin {
            Origin::Flags => bail!(
                "--require-isolation {required}: the bots run under {sandbox}; add --sandbox {required}"
            ),
            Origin::Configuration => bail!(
                "isolation `{required}` is required and [limits] sandbox is `{sandbox}`; write sandbox = \"{required}\""
            ),
        }
    }
    if origin == Origin::Configuration && sandbox < Sandbox::Strict {
        complain(format_args!(
            "isolation: {}: bots can read your files and reach the network: run only programs that you trust",
            sandbox.word()
        ));
    }
    let plays_again = origin == Origin::Configuration || settings.rules.replay_disturbed;
    Ok(Conditions {
        settings,
        event: event.to_owned(),
        date: jiff::Timestamp::now().strftime("%Y.%m.%d").to_string(),
        seed: Some(seed),
        sent: SentSource::Run(RunSeed::Open(seed)),
        isolation: sandbox.word().to_owned(),
        launcher: Launcher::new(myself(), sandbox),
        tries: if plays_again { TRIES } else { 1 },
        stderr,
        stop_before: None,
        pause: Duration::ZERO,
    })
}
