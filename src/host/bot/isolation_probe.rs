//! The isolation probe: runs arbiter's own program in the place of a bot, to see what the sandbox
//! lets it do.
//!
//! Launching it is here; the attempts and how they are judged are in `sandbox`.

use super::{BotError, Launcher, run_within};
use crate::locate::{Access, Program, read_paths};
use crate::sandbox::{Isolation, PROBE, Scratch, temporary_folder};
use arbiter_game::{Exit, Limits};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

/// How long the probing program may take.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Runs every probe under these limits and the launcher's level, with the file access of `program`,
/// or of a built-in bot.
///
/// # Errors
/// The probing program could not be started, or did not end in time with status 0 and all results.
pub fn probe_isolation(
    launcher: &Launcher,
    limits: &Limits,
    program: Option<&Program>,
) -> Result<Isolation, BotError> {
    let broken = |error| BotError::broken("isolation probe: making its folder", error);
    // Every user may read and write it, so that only the sandbox can keep the probe from it.
    let folder = Scratch::make(&temporary_folder()).map_err(broken)?;
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).map_err(broken)?;
    fs::write(folder.path().join("secret"), "secret").map_err(broken)?;
    fs::set_permissions(folder.path().join("secret"), Permissions::from_mode(0o666))
        .map_err(broken)?;
    let access = program.map_or_else(Access::default, |program| {
        // Before a build the program may be missing; a missing path has no effect.
        let command = program.command.clone();
        let read = read_paths(program)
            .into_iter()
            .chain(program.access.read.iter().cloned())
            .chain([command]);
        Access { read: read.collect(), ..program.access.clone() }
    });
    let probe = Program {
        name: "isolation probe".to_owned(),
        command: launcher.program.clone(),
        arguments: vec![PROBE.into(), folder.path().into(), std::process::id().to_string().into()],
        dir: PathBuf::from("/"),
        built_in: true,
        access,
        ..Program::default()
    };
    let run = run_within(launcher, &probe, limits, TIME_LIMIT)?;
    let output = String::from_utf8_lossy(&run.output.bytes()).into_owned();
    match (Isolation::parse_output(&output), run.exit) {
        (Some((uid, probes)), Some(Exit::Status(0))) => {
            let Launcher { sandbox, namespaces, ref cgroups, .. } = *launcher;
            let forks = limits.processes > 1;
            let has_cgroup = cgroups.is_some();
            Ok(Isolation { sandbox, forks, has_cgroup, namespaces, probes, uid })
        }
        (_, exit) => {
            let how = exit.map_or_else(|| "did not end".to_owned(), |exit| exit.to_string());
            Err(BotError::Broken(format!("isolation probe: it {how}: {}", output.trim())))
        }
    }
}
