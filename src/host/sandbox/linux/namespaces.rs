//! Namespaces: a root folder that contains only the paths that the bot may reach, and a network
//! without interfaces.
//!
//! The new root is a file system in memory. Allowed paths are bind-mounted in it under their own
//! names; other paths do not exist there. The scratch folder is in memory too and limited in size.
//! `/proc` is that of the bot's pid namespace, in which the warden has started this process
//! (`pid_namespace`) with the capabilities that mounting needs. Not every machine allows this;
//! whether it works is tried by the isolation probe before the first bot is started.
//!
//! Which access to an allowed path is permitted is not decided here but in `landlock`.

use super::landlock::{AllowedPath, plain_files};
use crate::locate::links::Resolver;
use crate::locate::{FolderAccess, Purpose};
use crate::sandbox::{Namespaces, Policy};
use arbiter_game::DiskUsage;
use nix::sched::{CloneFlags, unshare};
use rustix::fs::{CWD, FileType, Mode, StatVfsMountFlags, mknodat};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    mount_remount, unmount,
};
use rustix::process::{getpid, pivot_root};
use std::collections::HashSet;
use std::env;
use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

/// Size of the new root: it contains only folders, links and empty files to mount on.
const ROOT: DiskUsage = DiskUsage { bytes: 1 << 20, files: 65_536 };
/// Number of files that are mounted one by one if only the files of a folder are the bot's; with
/// more of them the whole folder is mounted.
const MAX_FILES: usize = 200;

/// Moves this process, which is already in a pid namespace of its own, into the other namespaces.
///
/// # Errors
/// The machine does not allow one of the steps.
pub(super) fn enter(policy: &Policy, paths: &[AllowedPath]) -> io::Result<()> {
    let here = env::current_dir()?;
    unshare(
        CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWIPC
            | CloneFlags::CLONE_NEWUTS,
    )?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    // Mounted on the scratch folder, which is empty and used by no other process.
    mount_tmpfs(&policy.scratch, ROOT, "755")?;
    let own: Vec<PathBuf> = match &policy.folder {
        FolderAccess::Nothing => Vec::new(),
        FolderAccess::Folder(folder) => vec![folder.clone()],
        FolderAccess::Files(folder) => match plain_files(folder, &policy.hidden) {
            files if files.len() <= MAX_FILES => files,
            _ => vec![folder.clone()],
        },
    };
    let writable = match own.first() {
        Some(folder) if policy.purpose == Purpose::Build => fs::canonicalize(folder).ok(),
        _ => None,
    };
    let mut new = NewRoot::new(policy.scratch.clone(), writable);
    match policy.namespaces {
        Namespaces::All => new.mount_proc()?,
        // With several processes, the machine's `/proc` is the only one in which each of them finds
        // itself.
        Namespaces::SharedProc if policy.forks() => new.add(Path::new("/proc"))?,
        Namespaces::SharedProc | Namespaces::None => new.mount_own_process()?,
    }
    let mut all: Vec<&PathBuf> = paths.iter().map(|allowed| &allowed.path).chain(&own).collect();
    // A folder before the paths in it, which then need no mount.
    all.sort_by_key(|path| path.components().count());
    for path in all {
        new.add(path)?;
    }
    new.make_folder(&policy.scratch)?;
    let scratch = new.inside(&policy.scratch);
    mount_tmpfs(&scratch, policy.scratch_limit(), "700")?;
    if policy.read_only {
        make_read_only(&scratch)?;
    }
    new.make_folder(&here)?;
    env::set_current_dir(&new.root)?;
    pivot_root(".", ".")?; // stacks the new root on the old one: pivot_root(2)
    unmount(".", UnmountFlags::DETACH)?;
    let flags = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
    mount_remount("/", flags, "")?;
    env::set_current_dir(here)
}

/// Makes a mount read-only, owners and modes included, and keeps its other flags: those that
/// another user has set must not be dropped (mount_namespaces(7)).
fn make_read_only(mount: &Path) -> io::Result<()> {
    let held = rustix::fs::statvfs(mount)?.f_flag;
    let mut flags = MountFlags::BIND | MountFlags::RDONLY;
    for (is_held, flag) in [
        (StatVfsMountFlags::NOSUID, MountFlags::NOSUID),
        (StatVfsMountFlags::NODEV, MountFlags::NODEV),
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ] {
        if held.contains(is_held) {
            flags |= flag;
        }
    }
    Ok(mount_remount(mount, flags, "")?)
}

/// Mounts an empty file system in memory on a folder, with a limit of bytes and files.
fn mount_tmpfs(place: &Path, DiskUsage { bytes, files }: DiskUsage, mode: &str) -> io::Result<()> {
    let options = CString::new(format!("size={bytes},nr_inodes={files},mode={mode}"))?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    Ok(mount("arbiter", place, "tmpfs", flags, options.as_c_str())?)
}

/// The new root while it is being filled.
struct NewRoot {
    root: PathBuf,
    /// Paths that are mounted or made in it; what lies below them is visible too.
    visible: HashSet<PathBuf>,
    /// The folder that is not mounted read-only.
    writable: Option<PathBuf>,
    /// Folders that were made in it, and its root.
    made: HashSet<PathBuf>,
    resolver: Resolver,
}

impl NewRoot {
    /// An empty one, in the folder `root`.
    fn new(root: PathBuf, writable: Option<PathBuf>) -> NewRoot {
        let made = HashSet::from([PathBuf::from("/")]);
        NewRoot { root, visible: HashSet::new(), writable, made, resolver: Resolver::default() }
    }

    /// Where a path of the machine is in the new root.
    fn inside(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Mounts a `/proc` of the pid namespace, which shows only the processes in it. Read-only: a
    /// bot that stays root could change settings of the machine in it.
    fn mount_proc(&mut self) -> io::Result<()> {
        self.make_folder(Path::new("/proc"))?;
        let place = self.inside(Path::new("/proc"));
        let flags =
            MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
        mount("proc", &place, "proc", flags, None)?;
        self.visible.insert("/proc".into());
        Ok(())
    }

    /// Mounts this process's folder of the machine's `/proc` under the pid that it has in its pid
    /// namespace.
    fn mount_own_process(&mut self) -> io::Result<()> {
        let proc = self.inside(Path::new("/proc"));
        let number = getpid().as_raw_nonzero().to_string();
        let place = proc.join(&number);
        self.make_folder(&Path::new("/proc").join(&number))?;
        mount_bind_recursive(Path::new("/proc").join(fs::read_link("/proc/self")?), &place)?;
        make_read_only(&place)?;
        symlink(number, proc.join("self"))?;
        self.visible.insert("/proc/self".into());
        Ok(())
    }

    /// Whether a path is visible already, as part of a folder that was added.
    fn is_visible(&self, path: &Path) -> bool {
        path.ancestors().any(|above| self.visible.contains(above))
    }

    /// Mounts a file or folder under its canonical path, and makes the links that lead there from
    /// `path`. A path that does not exist is left out.
    fn add(&mut self, path: &Path) -> io::Result<()> {
        let plain = path.components().all(|part| part != Component::ParentDir);
        if plain && self.is_visible(path) {
            return Ok(());
        }
        let found = self.resolver.resolve(path);
        // A path such as `a/../b` needs the folder `a`.
        for folder in found.left {
            self.make_folder(&folder)?;
        }
        for link in found.links {
            if !self.is_visible(&link.at) {
                self.make_parent(&link.at)?;
                symlink(&link.target, self.inside(&link.at))?;
                self.visible.insert(link.at);
            }
        }
        match found.end {
            Ok(end) if !self.is_visible(&end) => self.bind(end),
            _ => Ok(()),
        }
    }

    /// Makes a folder and those above it, unless it is visible already.
    fn make_folder(&mut self, path: &Path) -> io::Result<()> {
        if self.made.contains(path) || self.is_visible(path) {
            return Ok(());
        }
        self.make_parent(path)?;
        fs::create_dir(self.inside(path))?;
        self.made.insert(path.to_owned());
        Ok(())
    }

    fn make_parent(&mut self, path: &Path) -> io::Result<()> {
        match path.parent() {
            Some(above) => self.make_folder(above),
            None => Ok(()),
        }
    }

    /// Mounts a canonical path.
    fn bind(&mut self, path: PathBuf) -> io::Result<()> {
        let place = self.inside(&path);
        if self.resolver.is_folder(&path)? {
            self.make_folder(&path)?;
        } else {
            self.make_parent(&path)?;
            mknodat(CWD, &place, FileType::RegularFile, Mode::RUSR, 0)?;
        }
        mount_bind_recursive(&path, &place)?;
        if self.writable.as_ref().is_none_or(|folder| !path.starts_with(folder)) {
            make_read_only(&place)?;
        }
        self.visible.insert(path);
        Ok(())
    }
}
