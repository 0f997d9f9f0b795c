//! Rights of the administrator, when arbiter has them: a bot gets none.
//!
//! A bot that is started by root becomes a user that nobody is, another one for each running bot, so that the
//! kernel keeps them apart as it does strangers. Where that user cannot reach what the bot needs (a toolchain
//! in `/root`), the bot keeps its user and still loses every capability, unless users of their own were promised.

use crate::sandbox::Policy;
use rustix::process::geteuid;
use rustix::thread::{
    CapabilitySet, CapabilitySets, Gid, Uid, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_thread_groups, set_thread_res_gid,
    set_thread_res_uid,
};
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, chown, lchown};
use std::path::{Path, PathBuf};

/// User ids that neither distributions nor systemd hand out (systemd, "Users, Groups, UIDs and GIDs").
const FIRST: u32 = 60_706;
const COUNT: u32 = 478;
/// Where it is noted which of them are in use, by locks that end with their holder.
const TAKEN: &str = "/run/arbiter-users";

/// Whether this process has the administrator's rights.
pub(crate) fn is_root() -> bool {
    geteuid().is_root()
}

/// A user id that no other running bot has, for as long as this is held.
pub(crate) struct Lease {
    uid: u32,
    _lock: File,
}

impl Lease {
    /// The next free one; none if they cannot be noted or all are in use.
    pub fn take() -> Option<Lease> {
        let folder = Path::new(TAKEN);
        let made = DirBuilder::new().mode(0o700).create(folder);
        made.or_else(|error| if error.kind() == io::ErrorKind::AlreadyExists { Ok(()) } else { Err(error) })
            .ok()?;
        let start = std::process::id();
        (0..COUNT).map(|step| FIRST + start.wrapping_add(step) % COUNT).find_map(|uid| {
            let lock =
                OpenOptions::new().create(true).append(true).open(folder.join(uid.to_string())).ok()?;
            lock.try_lock().ok()?;
            Some(Lease { uid, _lock: lock })
        })
    }

    pub fn uid(&self) -> u32 {
        self.uid
    }
}

/// The owner of a folder that is to be built in, if it is not root.
pub(crate) fn owner(folder: &Path) -> Option<u32> {
    fs::metadata(folder).ok().map(|meta| meta.uid()).filter(|&uid| uid != 0)
}

/// A folder of root's that is another user's while something is built in it.
pub(crate) struct Handed {
    folder: PathBuf,
    uid: u32,
}

impl Handed {
    /// Hands over what in the folder is root's. Files with another name elsewhere stay: they may be somebody else's too.
    pub fn over(folder: &Path, uid: u32) -> io::Result<Handed> {
        let handed = Handed { folder: folder.to_owned(), uid };
        change_owner(folder, 0, uid, |meta| meta.is_dir() || meta.nlink() == 1)?;
        Ok(handed)
    }
}

impl Drop for Handed {
    fn drop(&mut self) {
        // Changing the owner takes away what makes a program act as its owner: chown(2). What cannot be given back stays
        // the property of a user that nobody is.
        let _ = change_owner(&self.folder, self.uid, 0, |_| true);
    }
}

/// Goes through a folder without following links.
fn change_owner(folder: &Path, from: u32, to: u32, which: impl Fn(&Metadata) -> bool) -> io::Result<()> {
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let meta = fs::symlink_metadata(&path)?;
        if meta.is_dir() {
            open.extend(fs::read_dir(&path)?.flatten().map(|entry| entry.path()));
        }
        if meta.uid() == from && which(&meta) {
            lchown(&path, Some(to), Some(to))?;
        }
    }
    Ok(())
}

/// Becomes the user of the policy, whose the scratch folder is then, if it can reach all of these paths; and gives up
/// every capability either way. (This process has one thread, so what is said of a thread here is said of all of it.)
///
/// # Errors
/// A user of its own was promised, and it cannot become that.
pub(crate) fn give_up_rights(policy: &Policy, paths: &[PathBuf]) -> io::Result<()> {
    let uid = policy.uid.filter(|&uid| uid != 0);
    // Neither an ordinary user in a namespace of its own nor a root without capabilities may.
    match set_thread_groups(&[]) {
        Err(rustix::io::Errno::PERM) => {}
        done => done?,
    }
    for bit in 0..u64::BITS {
        let capability = CapabilitySet::from_bits_retain(1 << bit);
        if remove_capability_from_bounding_set(capability).is_err() {
            break; // the first that the kernel does not know
        }
    }
    clear_ambient_capability_set()?;
    let barred = uid.map_or_else(|| Ok(Some(NO_USER.to_owned())), |uid| barred(uid, paths))?;
    match (uid, barred) {
        (Some(uid), None) => {
            chown(&policy.scratch, Some(uid), Some(uid))?;
            let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(uid));
            set_thread_res_gid(gid, gid, gid)?;
            set_thread_res_uid(uid, uid, uid)?;
        }
        (_, Some(why)) if policy.separate => {
            return Err(io::Error::other(format!("it cannot be a user of its own: {why}")));
        }
        _ => {}
    }
    let none = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?)
}

/// Why there may be no user for a bot.
const NO_USER: &str = "all that are unused are taken, or /run/arbiter-users cannot be written";

/// Tries as this user the paths that there are, and comes back: what is in its way.
fn barred(uid: u32, paths: &[PathBuf]) -> io::Result<Option<String>> {
    let there: Vec<&PathBuf> = paths.iter().filter(|path| path.exists()).collect();
    let (user, group) = (Uid::from_raw(uid), Gid::from_raw(uid));
    let unknown = format!("this container does not know the user {uid}");
    if set_thread_res_gid(None, group, None).is_err() {
        return Ok(Some(unknown));
    }
    if set_thread_res_uid(None, user, None).is_err() {
        set_thread_res_gid(None, Gid::ROOT, None)?;
        return Ok(Some(unknown));
    }
    let closed = there.into_iter().find(|path| !is_open(path));
    set_thread_res_uid(None, Uid::ROOT, None)?;
    set_thread_res_gid(None, Gid::ROOT, None)?;
    Ok(closed.map(|path| format!("the user {uid} cannot read {}", path.display())))
}

fn is_open(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => fs::read_dir(path).is_ok(),
        Ok(meta) if meta.is_file() => File::open(path).is_ok(),
        Ok(_) => true, // a pipe with a name would be waited for
        Err(_) => false,
    }
}
