//! The user and the capabilities of a bot when arbiter runs as root. The bot has no capabilities in
//! any case.
//!
//! Each running bot gets an unused user id of its own, so that the kernel separates bots as it
//! separates users. If that user cannot read a path that the bot requires (a toolchain in `/root`),
//! the bot stays root without capabilities, unless the policy demands a user id of its own.

use crate::locate::walk::{entries, open_beneath};
use crate::sandbox::{Namespaces, Policy};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat, chownat, fstat, openat};
use rustix::process::geteuid;
use rustix::thread::{
    CapabilitySet, CapabilitySets, Gid, Uid, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_thread_groups, set_thread_res_gid,
    set_thread_res_uid,
};
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, chown};
use std::path::{Path, PathBuf};

/// The first user id for bots, and how many there are: neither distributions nor systemd use them
/// (systemd, "Users, Groups, UIDs and GIDs").
const FIRST: u32 = 60_706;
const COUNT: u32 = 478;
/// A folder with a file for each user id; the file is locked while a bot uses the id. The lock ends
/// with its holder.
const LOCKS: &str = "/run/arbiter-users";

/// Whether this process runs as root.
pub fn is_root() -> bool {
    geteuid().is_root()
}

/// What root needs to give a bot a user id of its own, and for that to own the bot's scratch
/// folder.
const TO_CHANGE_USER: [(CapabilitySet, &str); 3] = [
    (CapabilitySet::CHOWN, "CAP_CHOWN"),
    (CapabilitySet::SETGID, "CAP_SETGID"),
    (CapabilitySet::SETUID, "CAP_SETUID"),
];
/// What root also needs to end the processes of another user and to remove their files. With
/// namespaces the kernel does both.
const TO_CLEAN_UP: [(CapabilitySet, &str); 2] =
    [(CapabilitySet::KILL, "CAP_KILL"), (CapabilitySet::DAC_OVERRIDE, "CAP_DAC_OVERRIDE")];

/// The capabilities that root lacks to give each bot a user id of its own; empty if it has all of
/// them. A container or a service may have taken some.
pub(crate) fn missing_capabilities(namespaces: Namespaces) -> io::Result<Vec<&'static str>> {
    let own = capabilities(None)?.effective;
    let mut needed = TO_CHANGE_USER.to_vec();
    if namespaces == Namespaces::None {
        needed.extend(TO_CLEAN_UP);
    }
    let mut missing = Vec::new();
    for (capability, name) in needed {
        if !own.contains(capability) {
            missing.push(name);
        }
    }
    Ok(missing)
}

/// A user id that no other running bot has; dropping it releases the id.
pub(crate) struct UserLease {
    uid: u32,
    _lock: File,
}

impl UserLease {
    /// Takes a free user id; `None` if all are in use or the lock files cannot be written.
    pub fn take() -> Option<UserLease> {
        let folder = Path::new(LOCKS);
        match DirBuilder::new().mode(0o700).create(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return None,
            _ => {}
        }
        let start = std::process::id();
        for step in 0..COUNT {
            let uid = FIRST + start.wrapping_add(step) % COUNT;
            let file = folder.join(uid.to_string());
            if let Ok(lock) = OpenOptions::new().create(true).append(true).open(file)
                && lock.try_lock().is_ok()
            {
                return Some(UserLease { uid, _lock: lock });
            }
        }
        None
    }

    pub fn uid(&self) -> u32 {
        self.uid
    }
}

/// Whether a user id is one that bots get.
pub(in crate::sandbox) fn is_bot_user(uid: u32) -> bool {
    (FIRST..FIRST + COUNT).contains(&uid)
}

/// The user id of the owner of a folder; `None` for root, and if it cannot be read.
pub(crate) fn owner_unless_root(folder: &Path) -> Option<u32> {
    let uid = fs::metadata(folder).ok()?.uid();
    (uid != 0).then_some(uid)
}

/// A folder of root that belongs to another user while a build runs in it; dropping this gives it
/// back to root.
pub(crate) struct OwnershipTransfer {
    folder: PathBuf,
    uid: u32,
}

impl OwnershipTransfer {
    /// Changes the owner of what belongs to root in the folder. Files with several hard links are
    /// left: another link may be outside.
    pub fn to(folder: &Path, uid: u32) -> io::Result<OwnershipTransfer> {
        let transfer = OwnershipTransfer { folder: folder.to_owned(), uid };
        change_owner(folder, 0, uid, |stat| is_folder(stat) || stat.st_nlink == 1)?;
        Ok(transfer)
    }
}

impl Drop for OwnershipTransfer {
    fn drop(&mut self) {
        // The change also clears set-id bits: chown(2). What it fails for stays with a user id that
        // no account has.
        let _ = change_owner(&self.folder, self.uid, 0, |_| true);
    }
}

/// Changes the owner of everything in a folder that belongs to `from` and for which `which` holds.
/// Goes by descriptors and follows no link: what is looked at is what is changed.
fn change_owner(
    folder: &Path,
    from: u32,
    to: u32,
    which: impl Fn(&Stat) -> bool,
) -> io::Result<()> {
    let top =
        openat(CWD, folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    change_one(&top, from, to, &which)?;
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        let parent = open_beneath(&top, &below)?;
        for name in entries(&parent)? {
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let file = openat(&parent, &name, flags, Mode::empty())?;
            if is_folder(&change_one(&file, from, to, &which)?) {
                open.push(below.join(OsStr::from_bytes(name.as_bytes())));
            }
        }
    }
    Ok(())
}

fn change_one(
    file: &OwnedFd,
    from: u32,
    to: u32,
    which: impl Fn(&Stat) -> bool,
) -> io::Result<Stat> {
    let stat = fstat(file)?;
    if stat.st_uid == from && which(&stat) {
        let user = Some(Uid::from_raw(to));
        chownat(file, "", user, Some(Gid::from_raw(to)), AtFlags::EMPTY_PATH)?;
    }
    Ok(stat)
}

fn is_folder(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Directory
}

/// Changes to the user id of the policy, if it has one and that user can read all of `paths`; the
/// scratch folder then belongs to that user. Gives up every capability in any case. This process
/// has one thread, so the calls for a thread act on all of it.
///
/// # Errors
/// A call fails, or the policy demands the user id and the process cannot change to it.
pub(super) fn give_up_rights(policy: &Policy, paths: &[PathBuf]) -> io::Result<()> {
    let uid = policy.uid.filter(|&uid| uid != 0);
    // Before they are given up.
    let missing = missing_capabilities(policy.namespaces)?;
    // Not permitted to an ordinary user in a user namespace, and to a root without capabilities.
    match set_thread_groups(&[]) {
        Err(rustix::io::Errno::PERM) => {}
        done => done?,
    }
    for bit in 0..u64::BITS {
        let capability = CapabilitySet::from_bits_retain(1 << bit);
        if remove_capability_from_bounding_set(capability).is_err() {
            break; // the first number that the kernel does not know
        }
    }
    clear_ambient_capability_set()?;
    // Why it cannot have a user id of its own; `None` if it can.
    let obstacle = match uid {
        Some(uid) => obstacle_to(uid, paths)?,
        None if missing.is_empty() => Some(NO_USER.to_owned()),
        None => {
            Some(format!("arbiter runs as root without {}; start it with that", missing.join(", ")))
        }
    };
    match (uid, obstacle) {
        (Some(uid), None) => {
            if !policy.read_only {
                chown(&policy.scratch, Some(uid), Some(uid))?;
            }
            // The group first: after the user it could not be changed any more.
            let group = Gid::from_raw(uid);
            set_thread_res_gid(group, group, group)?;
            let user = Uid::from_raw(uid);
            set_thread_res_uid(user, user, user)?;
        }
        (_, Some(why)) if policy.separate => {
            return Err(io::Error::other(format!("it cannot have a user id of its own: {why}")));
        }
        _ => {}
    }
    keep_capabilities(CapabilitySet::empty())
}

/// Gives up all capabilities of this process but these.
pub(super) fn keep_capabilities(kept: CapabilitySet) -> io::Result<()> {
    let inheritable = CapabilitySet::empty();
    let sets = CapabilitySets { effective: kept, permitted: kept, inheritable };
    Ok(set_capabilities(None, sets)?)
}

/// Why a bot has no user id.
const NO_USER: &str = "all user ids for bots are in use, or /run/arbiter-users cannot be written";

/// Why this process cannot change to a user id, if it cannot: changes to it, tries to read those
/// paths that exist, and changes back to root.
fn obstacle_to(uid: u32, paths: &[PathBuf]) -> io::Result<Option<String>> {
    // Before the change: what root cannot see does not count.
    let existing: Vec<&PathBuf> = paths.iter().filter(|path| path.exists()).collect();
    let user = Uid::from_raw(uid);
    let group = Gid::from_raw(uid);
    let unknown = format!("the user id {uid} is not mapped in this container");
    if set_thread_res_gid(None, group, None).is_err() {
        return Ok(Some(unknown));
    }
    if set_thread_res_uid(None, user, None).is_err() {
        set_thread_res_gid(None, Gid::ROOT, None)?;
        return Ok(Some(unknown));
    }
    let closed = existing.into_iter().find(|path| !is_readable(path));
    set_thread_res_uid(None, Uid::ROOT, None)?;
    set_thread_res_gid(None, Gid::ROOT, None)?;
    let Some(path) = closed else { return Ok(None) };
    Ok(Some(format!(
        "the user id {uid} cannot read {}; put it where every user may read it",
        path.display()
    )))
}

fn is_readable(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => fs::read_dir(path).is_ok(),
        Ok(meta) if meta.is_file() => File::open(path).is_ok(),
        Ok(_) => true, // opening a named pipe would block
        Err(_) => false,
    }
}
