//! From settings to the conditions of a run, for `play` and `tournament` alike.

use super::complain;
use crate::arena::Conditions;
use crate::bot::{Launcher, TELLS_CPU, myself};
use crate::game::{ClockKind, Sandbox, Settings, StderrAccess};
use crate::tournament::TRIES;
use anyhow::bail;

/// How a message names settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// They were given as flags.
    Flags,
    /// They stand in a configuration.
    Configuration,
}

/// The conditions of a run under these settings, before anything is known of the machine's isolation. `event` is the name of
/// the run.
///
/// # Errors
/// The settings ask for what this system cannot do, or for less isolation than they require.
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
        bail!("{place}: this system does not tell how much processor time a bot has used; charge wall time");
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
            "isolation: {}: bots can read your files and reach the network: let only programs play that you trust",
            sandbox.word()
        ));
    }
    let plays_again = origin == Origin::Configuration || settings.rules.replay_disturbed;
    Ok(Conditions {
        settings,
        event: event.to_owned(),
        date: jiff::Timestamp::now().strftime("%Y.%m.%d").to_string(),
        seed,
        isolation: sandbox.word().to_owned(),
        launcher: Launcher::new(myself(), sandbox),
        tries: if plays_again { TRIES } else { 1 },
        stderr,
    })
}
