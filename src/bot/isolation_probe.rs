//! Has our own program attack the sandbox in the place of a bot.

use super::{Bot, BotError, Launcher};
use crate::game::{Exit, Limits, Settings};
use crate::locate::{Access, Program, needed};
use crate::protocol::Dialect;
use crate::sandbox::{ATTACK, Isolation, Scratch};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

/// How long the attacker may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Has the attacker try everything, as the bot of this program would be started under these limits, or as a built-in one.
///
/// # Errors
/// The attacker could not be started, or did not come to its end.
pub async fn probe_isolation(
    launcher: &Launcher,
    limits: &Limits,
    as_bot: Option<&Program>,
) -> Result<Isolation, BotError> {
    let broken = |error| BotError::broken("isolation: a folder to attack", error);
    // Open to all users, so that it is the sandbox that keeps the attacker from it.
    let bait = Scratch::make(&std::env::temp_dir()).map_err(broken)?;
    fs::set_permissions(&bait.0, Permissions::from_mode(0o755)).map_err(broken)?;
    fs::write(bait.0.join("secret"), "secret").map_err(broken)?;
    fs::set_permissions(bait.0.join("secret"), Permissions::from_mode(0o666)).map_err(broken)?;
    let access = as_bot.map_or_else(Access::default, |program| {
        let read = needed(program).into_iter().chain(program.access.read.iter().cloned());
        // Before a build it need not be there; what is not there is in no way.
        let read = read.chain([program.command.clone()]);
        Access { read: read.collect(), ..program.access.clone() }
    });
    let attacker = Program {
        name: "attacker".to_owned(),
        command: launcher.program.clone(),
        arguments: vec![ATTACK.into(), bait.0.clone().into(), std::process::id().to_string().into()],
        dir: PathBuf::from("/"),
        env: Vec::new(),
        build: None,
        built_in: true,
        dialect: Dialect::default(),
        access,
    };
    let settings = Settings { limits: *limits, ..Settings::default() };
    let end = Bot::start(launcher, &attacker, &settings, None).await?.run_to_end(PATIENCE).await;
    let said = String::from_utf8_lossy(&end.notes.unrecognised.bytes()).into_owned();
    match (Isolation::said(&said), end.exit) {
        (Some((uid, tried)), Some(Exit::Status(0))) => {
            let Launcher { sandbox, namespaces, ref groups, .. } = *launcher;
            let (forks, grouped) = (limits.processes > 1, groups.is_some());
            Ok(Isolation { sandbox, forks, grouped, namespaces, tried, uid })
        }
        (_, exit) => {
            let how = exit.map_or_else(|| "did not end".to_owned(), |exit| exit.to_string());
            Err(BotError::Broken(format!("isolation: the program that tries it out {how}: {}", said.trim())))
        }
    }
}
