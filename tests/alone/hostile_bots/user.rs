//! The users as whom arbiter runs: root, whose bots get user ids of their own, and an ordinary
//! user; with namespaces, if this machine has them, and without.

use crate::support::{ARBITER, WITHOUT_NAMESPACES, copy_program, skip};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use tempfile::TempDir;

/// An account that no person uses: `nobody`, on every system that has it.
const NOBODY: u32 = 65_534;

/// A user as whom arbiter is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct User {
    pub name: &'static str,
    /// The user id that the tests have to change to for that, if any.
    pub becomes: Option<u32>,
    /// What the isolation line says of the user of bots.
    pub bots: &'static str,
    /// Only the owner may enter the folder above the bots, so that they have to stay root without
    /// namespaces; in namespaces there is no folder above theirs.
    pub closed: bool,
    /// No namespace can be made, and the isolation line says so.
    pub confined: bool,
}

const ROOT: User =
    User { name: "root", becomes: None, bots: "user=separate", closed: false, confined: false };
pub const KEPT: User =
    User { name: "root, whose folder is closed", bots: "user=", closed: true, ..ROOT };
const CONFINED_ROOT: User = User { name: "root without namespaces", confined: true, ..ROOT };
const ORDINARY: User =
    User { name: "an ordinary user", becomes: Some(NOBODY), bots: "user=shared", ..ROOT };
const CONFINED: User =
    User { name: "an ordinary user without namespaces", confined: true, ..ORDINARY };

/// The folder of the tests, which all users may enter, with what they need to play there.
pub struct Site {
    folder: TempDir,
    /// The path of arbiter where every user may run it.
    pub arbiter: PathBuf,
    /// The PATH of everything that is run here.
    pub path: String,
    pub users: Vec<User>,
}

impl Site {
    /// Makes the folder, and finds the users who can play on this machine; prints which are
    /// missing.
    pub fn new() -> Site {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let path = env::var("PATH").unwrap();
        // The folder's owner is the user who runs the test.
        if fs::metadata(folder.path()).unwrap().uid() != 0 {
            skip("the catalogue with arbiter as root: this is an ordinary user");
            let users = [CONFINED, ORDINARY].map(|user| User { becomes: None, ..user });
            return Site { folder, arbiter: ARBITER.into(), path, users: users.into() }
                .that_can_be_arranged();
        }
        let arbiter = folder.path().join("arbiter");
        copy_program(ARBITER, &arbiter);
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

    /// Removes the users without namespaces if namespaces cannot be disabled; prints which are
    /// missing.
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

    /// The path where every user may read the script that disables namespaces.
    fn script(&self) -> PathBuf {
        self.folder.path().join("without_namespaces.py")
    }

    /// The command by which this user starts arbiter.
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

    /// Changes the owner of everything in a folder to the user who plays there.
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

    /// Makes a command run as this user.
    pub fn become_user<'a>(&self, command: &'a mut Command, user: User) -> &'a mut Command {
        if let Some(uid) = user.becomes {
            command.uid(uid).gid(uid);
        }
        command
    }
}
