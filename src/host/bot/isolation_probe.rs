//! The isolation probe: runs arbiter's own program in the place of a bot, to see what the sandbox
//! lets it do.
//!
//! Launching it is here; the attempts and how they are judged are in `sandbox`.

use super::spawn::attempt;
use super::{BotError, Launcher, run_within};
use crate::locate::{Access, Program, read_paths};
use crate::sandbox::{Isolation, PROBE, Scratch, temporary_folder};
use arbiter_game::{Exit, Limits};
use std::fs::{self, Permissions};
use std::io;
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
    let folder = attempt("isolation probe: making its folder", folder_with_secret())?;
    let mut access = Access::default();
    if let Some(program) = program {
        access = program.access.clone();
        access.read.extend(read_paths(program));
        // Before a build the program may be missing; a missing path has no effect.
        access.read.push(program.command.clone());
    }
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
    if run.exit == Some(Exit::Status(0))
        && let Some((uid, probes)) = Isolation::parse_output(&output)
    {
        return Ok(Isolation {
            sandbox: launcher.sandbox,
            forks: limits.processes > 1,
            has_cgroup: launcher.cgroups.is_some(),
            namespaces: launcher.namespaces,
            probes,
            uid,
        });
    }
    let how = match run.exit {
        Some(exit) => exit.to_string(),
        None => "did not end".to_owned(),
    };
    Err(BotError::Broken(format!("isolation probe: it {how}: {}", output.trim())))
}

/// A folder with the file that the probe must not reach. Every user may read and write it, so that
/// only the sandbox can keep the probe from it.
fn folder_with_secret() -> io::Result<Scratch> {
    let folder = Scratch::make(&temporary_folder())?;
    let secret = folder.path().join("secret");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
    fs::write(&secret, "secret")?;
    fs::set_permissions(&secret, Permissions::from_mode(0o666))?;
    Ok(folder)
}
