//! Namespaces: a view of the machine in which there is only what the bot may reach, and a network without anything.
//!
//! The process gets a root of its own, in memory, into which the places that it may reach are bound under their own
//! names; other paths do not exist there. Its scratch folder is in memory too and of limited size. An ordinary user needs
//! a namespace of users for that, which not every machine allows: whether it works is tried by the canary, never halfway
//! through the start of a bot.
//!
//! What of a place may be done is not decided here: `files` does that.

use super::files::Place;
use super::{Own, Policy};
use crate::protocol::Room;
use nix::sched::{CloneFlags, unshare};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    mount_remount, unmount,
};
use rustix::process::{getegid, geteuid, getpid, pivot_root};
use std::env;
use std::ffi::CString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

/// The root holds nothing but names.
const ROOT: Room = Room { bytes: 1 << 20, files: 65_536 };
/// Links that are followed from one place.
const DEPTH: usize = 16;

/// Moves this process into namespaces of its own. As an ordinary user it has all rights in them from then on.
pub(super) fn enter(policy: &Policy, places: &[Place], root: bool) -> io::Result<()> {
    let here = env::current_dir()?;
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    let spaces = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS;
    if root {
        unshare(spaces)?;
    } else {
        unshare(spaces | CloneFlags::CLONE_NEWUSER)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    // The scratch folder is empty and this process's own: nobody misses what it hides there.
    memory(&policy.scratch, ROOT, "755")?;
    let mut view = View { root: policy.scratch.clone(), shown: Vec::new() };
    let own = match &policy.own {
        Own::Nothing => None,
        Own::Folder(folder) | Own::Files(folder) => Some(folder),
    };
    let mut paths: Vec<&Path> =
        places.iter().map(|place| &*place.path).chain(own.map(PathBuf::as_path)).collect();
    paths.sort_by_key(|path| path.components().count()); // what lies in another place comes with it
    for path in paths {
        view.show(path, DEPTH)?;
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

/// Puts an empty file system into memory.
fn memory(place: &Path, Room { bytes, files }: Room, mode: &str) -> io::Result<()> {
    let options = CString::new(format!("size={bytes},nr_inodes={files},mode={mode}"))?;
    Ok(mount("arbiter", place, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, options.as_c_str())?)
}

/// The root that is being made.
struct View {
    root: PathBuf,
    shown: Vec<PathBuf>,
}

impl View {
    /// Where a path of the machine lies in it.
    fn within(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Binds a place under its name, and what its links lead to; what is not there is left out.
    fn show(&mut self, path: &Path, depth: usize) -> io::Result<()> {
        if path.components().any(|part| part == Component::ParentDir) {
            return fs::canonicalize(path).map_or(Ok(()), |real| self.show(&real, depth));
        }
        if depth == 0 || self.shown.iter().any(|shown| path.starts_with(shown)) {
            return Ok(());
        }
        let Ok(meta) = fs::symlink_metadata(path) else { return Ok(()) };
        let Some(above) = path.parent() else { return Ok(()) };
        let place = self.within(path);
        fs::create_dir_all(self.within(above))?;
        self.shown.push(path.to_owned());
        if !meta.is_symlink() {
            if meta.is_dir() {
                fs::create_dir_all(&place)?;
            } else {
                File::create(&place)?;
            }
            mount_bind_recursive(path, &place)?;
            // It may have been named through a link, and be looked for by its true name.
            return match fs::canonicalize(path) {
                Ok(real) => self.show(&real, depth - 1),
                Err(_) => Ok(()),
            };
        }
        let target = match path.starts_with("/proc") {
            true => PathBuf::from(getpid().as_raw_nonzero().to_string()), // `/proc/self`
            false => fs::read_link(path)?,
        };
        symlink(&target, &place)?;
        let target = above.join(target);
        let folder = target.parent().and_then(|folder| fs::canonicalize(folder).ok());
        match (folder, target.file_name()) {
            (Some(folder), Some(name)) => self.show(&folder.join(name), depth - 1),
            _ => Ok(()),
        }
    }
}
