//! As whom arbiter runs, and where: as root, whose bots become users that nobody is, and as an ordinary user; with
//! namespaces, if this machine has them, and without.

use crate::support::{ARBITER, WITHOUT_NAMESPACES, skip};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use tempfile::TempDir;

/// Whose account nobody uses: `nobody`, on every system that has it.
const NOBODY: u32 = 65_534;

/// A user as whom arbiter is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct User {
    pub name: &'static str,
    /// Whom the tests have to become for that.
    pub becomes: Option<u32>,
    /// What a log says of the users that bots are.
    pub bots: &'static str,
    /// The bots' folder is closed to everybody else, so that they have to stay root where there are no namespaces; in
    /// those nothing lies between them and the root.
    pub closed: bool,
    /// No namespace can be made, and the log says so.
    pub confined: bool,
}

const ROOT: User =
    User { name: "root", becomes: None, bots: "user=separate", closed: false, confined: false };
pub const KEPT: User = User { name: "root, whose folder is closed", bots: "user=", closed: true, ..ROOT };
const CONFINED_ROOT: User = User { name: "root without namespaces", confined: true, ..ROOT };
const ORDINARY: User = User { name: "an ordinary user", becomes: Some(NOBODY), bots: "user=shared", ..ROOT };
const CONFINED: User = User { name: "an ordinary user without namespaces", confined: true, ..ORDINARY };

/// Where the tests play: a folder that all users may enter, with what they need to play there.
pub struct Site {
    folder: TempDir,
    /// arbiter, where every user may run it.
    pub arbiter: PathBuf,
    /// The PATH of all that is run here.
    pub path: String,
    pub users: Vec<User>,
}

impl Site {
    /// Makes the place, and finds out which users there are; says aloud who is missing.
    pub fn new() -> Site {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let path = env::var("PATH").unwrap();
        // Who made the folder is who runs this.
        if fs::metadata(folder.path()).unwrap().uid() != 0 {
            skip("the catalogue with arbiter as root: this is an ordinary user");
            let users = [CONFINED, ORDINARY].map(|user| User { becomes: None, ..user });
            return Site { folder, arbiter: ARBITER.into(), path, users: users.into() }
                .that_can_be_arranged();
        }
        let arbiter = folder.path().join("arbiter");
        fs::copy(ARBITER, &arbiter).unwrap();
        let users = vec![ROOT, KEPT, CONFINED_ROOT, CONFINED, ORDINARY];
        let mut site = Site { folder, arbiter, path, users };
        let folders = env::split_paths(&site.path).chain(["/usr/bin".into()]).collect::<Vec<_>>();
        let python = folders.iter().find(|folder| {
            let mut python = Command::new(folder.join("python3"));
            site.become_user(&mut python, ORDINARY)
                .args(["-c", ""])
                .output()
                .is_ok_and(|ran| ran.status.success())
        });
        let mut arbiter = Command::new(&site.arbiter);
        let runs = site.become_user(&mut arbiter, ORDINARY).arg("games").output();
        match python {
            Some(folder) if runs.is_ok_and(|ran| ran.status.success()) => {
                site.path = format!("{}:/usr/bin:/bin", folder.display());
            }
            _ => {
                skip(
                    "the catalogue with bots as other users than root: they reach no python3, or not this folder",
                );
                site.users = vec![User { closed: false, ..KEPT }];
            }
        }
        site.that_can_be_arranged()
    }

    /// Without the users who would have no namespaces, where that cannot be arranged; says aloud who is missing.
    fn that_can_be_arranged(mut self) -> Site {
        let [_, script] = WITHOUT_NAMESPACES;
        fs::copy(script, self.script()).unwrap();
        fs::set_permissions(self.script(), fs::Permissions::from_mode(0o644)).unwrap();
        let arranged = |user: &User| {
            let mut games = Command::new("env");
            games.args(self.program(*user)).arg("games").env("PATH", &self.path);
            self.become_user(&mut games, *user).output().is_ok_and(|ran| ran.status.success())
        };
        let (users, missing): (Vec<User>, Vec<User>) =
            self.users.iter().partition(|user| !user.confined || arranged(user));
        for user in missing {
            skip(&format!("the catalogue as {}: it cannot be arranged here", user.name));
        }
        self.users = users;
        self
    }

    /// Where every user may read what arranges a machine without namespaces.
    fn script(&self) -> PathBuf {
        self.folder.path().join("without_namespaces.py")
    }

    /// The words by which this user starts arbiter.
    pub fn program(&self, user: User) -> Vec<PathBuf> {
        let [python, _] = WITHOUT_NAMESPACES;
        let mut words = if user.confined { vec![python.into(), self.script()] } else { Vec::new() };
        words.push(self.arbiter.clone());
        words
    }

    /// A new folder for a game.
    pub fn folder(&self) -> TempDir {
        let folder = tempfile::tempdir_in(self.folder.path()).unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    /// Gives all that lies in a folder to the user who plays there.
    pub fn hand_over(&self, folder: &Path, user: User) {
        let Some(uid) = user.becomes else { return };
        chown(folder, Some(uid), Some(uid)).unwrap();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                self.hand_over(&path, user);
            } else {
                chown(&path, Some(uid), Some(uid)).unwrap();
            }
        }
    }

    /// Has a command run as this user.
    pub fn become_user<'a>(&self, command: &'a mut Command, user: User) -> &'a mut Command {
        if let Some(uid) = user.becomes {
            command.uid(uid).gid(uid);
        }
        command
    }
}
