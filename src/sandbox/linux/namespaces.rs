//! Namespaces: a view of the machine in which there is only what the bot may reach, and a network without anything.
//!
//! The process gets a root of its own, in memory, into which the places that it may reach are bound under their own
//! names; other paths do not exist there. Its scratch folder is in memory too and of limited size. Its `/proc` is that of
//! its pid namespace, in which the warden has started it (`pid_namespace`), with the rights that this takes. Not every
//! machine allows that: whether it works is tried by the canary, never halfway through the start of a bot.
//!
//! What of a place may be done is not decided here: `files` does that.

use super::landlock::{Place, plain_files};
use crate::game::DiskUsage;
use crate::locate::{Own, Purpose, resolve};
use crate::sandbox::{Namespaces, Policy};
use nix::sched::{CloneFlags, unshare};
use rustix::fs::StatVfsMountFlags;
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    mount_remount, unmount,
};
use rustix::process::{getpid, pivot_root};
use std::env;
use std::ffi::CString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

/// The root holds nothing but names.
const ROOT: DiskUsage = DiskUsage { bytes: 1 << 20, files: 65_536 };
/// So many files are bound one by one where only the files of a folder are the bot's; of more the whole folder is bound.
const MOST_FILES: usize = 200;

/// Moves this process, which is in a pid namespace of its own, into the other namespaces.
pub(super) fn enter(policy: &Policy, places: &[Place]) -> io::Result<()> {
    let here = env::current_dir()?;
    unshare(
        CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWIPC
            | CloneFlags::CLONE_NEWUTS,
    )?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    // The scratch folder is empty and this process's own: nobody misses what it hides there.
    memory(&policy.scratch, ROOT, "755")?;
    let own: Vec<PathBuf> = match &policy.own {
        Own::Nothing => Vec::new(),
        Own::Folder(folder) => vec![folder.clone()],
        Own::Files(folder) => match plain_files(folder, &policy.hidden) {
            files if files.len() <= MOST_FILES => files,
            _ => vec![folder.clone()],
        },
    };
    let writable = own.first().filter(|_| policy.purpose == Purpose::Build);
    let writable = writable.and_then(|folder| fs::canonicalize(folder).ok());
    let mut view = View { root: policy.scratch.clone(), shown: Vec::new(), writable };
    match policy.namespaces {
        Namespaces::All => view.mount_proc()?,
        // The machine's own is the only one in which each of several processes finds itself.
        Namespaces::SharedProc if policy.forks() => view.show(Path::new("/proc"))?,
        Namespaces::SharedProc | Namespaces::None => view.show_own_process()?,
    }
    let mut paths: Vec<&Path> =
        places.iter().map(|place| &place.path).chain(&own).map(|path| &**path).collect();
    paths.sort_by_key(|path| path.components().count()); // what lies in another place comes with it
    for path in paths {
        view.show(path)?;
    }
    let scratch = view.within(&policy.scratch);
    fs::create_dir_all(&scratch)?;
    memory(&scratch, policy.room(), "700")?;
    let _ = fs::create_dir_all(view.within(&here)); // it is there if it was shown
    env::set_current_dir(&view.root)?;
    pivot_root(".", ".")?; // the new root lies upon the old one then: pivot_root(2)
    unmount(".", UnmountFlags::DETACH)?;
    mount_remount("/", MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV, "")?;
    env::set_current_dir(here)
}

/// Has nothing of a place be changed, its owner and its mode included; what else holds of its file system holds on, as
/// it must where it was put on by another user (mount_namespaces(7)).
fn read_only(place: &Path) -> io::Result<()> {
    let held = rustix::fs::statvfs(place)?.f_flag;
    let flags = [
        (StatVfsMountFlags::NOSUID, MountFlags::NOSUID),
        (StatVfsMountFlags::NODEV, MountFlags::NODEV),
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ];
    let held = flags.into_iter().filter(|&(flag, _)| held.contains(flag)).map(|(_, flag)| flag);
    let flags = held.fold(MountFlags::BIND | MountFlags::RDONLY, |all, flag| all | flag);
    Ok(mount_remount(place, flags, "")?)
}

/// Puts an empty file system into memory.
fn memory(place: &Path, DiskUsage { bytes, files }: DiskUsage, mode: &str) -> io::Result<()> {
    let options = CString::new(format!("size={bytes},nr_inodes={files},mode={mode}"))?;
    Ok(mount("arbiter", place, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, options.as_c_str())?)
}

/// The root that is being made.
struct View {
    root: PathBuf,
    shown: Vec<PathBuf>,
    /// The folder that is not bound for reading only.
    writable: Option<PathBuf>,
}

impl View {
    /// Where a path of the machine lies in it.
    fn within(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Mounts the `/proc` of the pid namespace, in which each process finds itself, and no others are seen. It is
    /// read-only: a bot that stays root could change the settings of the machine in it.
    fn mount_proc(&mut self) -> io::Result<()> {
        let place = self.within(Path::new("/proc"));
        fs::create_dir(&place)?;
        let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
        mount("proc", &place, "proc", flags, None)?;
        self.shown.push("/proc".into());
        Ok(())
    }

    /// Binds this process's own folder of the machine's `/proc` under the number that it has in its pid namespace.
    fn show_own_process(&mut self) -> io::Result<()> {
        let proc = self.within(Path::new("/proc"));
        let number = getpid().as_raw_nonzero().to_string();
        let place = proc.join(&number);
        fs::create_dir_all(&place)?;
        mount_bind_recursive(Path::new("/proc").join(fs::read_link("/proc/self")?), &place)?;
        read_only(&place)?;
        symlink(number, proc.join("self"))?;
        self.shown.push("/proc/self".into());
        Ok(())
    }

    /// Whether a place comes with one that was shown before.
    fn shows(&self, path: &Path) -> bool {
        self.shown.iter().any(|shown| path.starts_with(shown))
    }

    /// Binds a place under its true name, and makes the links that lead there from the name that it was given; what is not
    /// there is left out.
    fn show(&mut self, path: &Path) -> io::Result<()> {
        let plain = path.components().all(|part| part != Component::ParentDir);
        if plain && self.shows(path) {
            return Ok(());
        }
        let way = resolve(path);
        // Whoever goes this way must find the folders that it leads through.
        for folder in way.left.into_iter().filter(|folder| !self.shows(folder)) {
            fs::create_dir_all(self.within(&folder))?;
        }
        for link in way.links {
            if !self.shows(&link.at) {
                self.make_folder_of(&link.at)?;
                symlink(&link.target, self.within(&link.at))?;
                self.shown.push(link.at);
            }
        }
        match way.end {
            Ok(end) if !self.shows(&end) => self.bind(end),
            _ => Ok(()),
        }
    }

    fn make_folder_of(&self, path: &Path) -> io::Result<()> {
        path.parent().map_or(Ok(()), |above| fs::create_dir_all(self.within(above)))
    }

    /// Binds what has this true path.
    fn bind(&mut self, path: PathBuf) -> io::Result<()> {
        let place = self.within(&path);
        self.make_folder_of(&path)?;
        if path.is_dir() {
            fs::create_dir_all(&place)?;
        } else {
            File::create(&place)?;
        }
        mount_bind_recursive(&path, &place)?;
        if !self.writable.as_ref().is_some_and(|folder| path.starts_with(folder)) {
            read_only(&place)?;
        }
        self.shown.push(path);
        Ok(())
    }
}
