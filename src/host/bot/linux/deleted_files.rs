//! Files that a bot has deleted and still holds open or mapped: they take room on the disk, and no
//! folder shows them.
//!
//! A descriptor shows the blocks of its file. A mapping shows only a name, because following
//! `/proc/PID/map_files` takes a capability that arbiter need not have; so a file that is held by a
//! mapping alone counts as [`MAPPED_BYTES`].

use super::proc::read_proc;
use super::process_tree::{descendants, is_exiting};
use arbiter_game::DiskUsage;
use rustix::process::{geteuid, getpid};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What a deleted file counts that a process has mapped and has no descriptor of. A runtime that
/// unpacks a library, loads it and deletes it has one or two of them; with more than four the limit
/// is exceeded. A file has at most as many bytes as the scratch folder may have, so a bot cannot
/// hide more than four times that.
const MAPPED_BYTES: u64 = 16 << 20;

/// Bytes and number of the deleted files of this folder that the descendants of this process hold.
///
/// # Errors
/// A process does not show what it holds, which is the bot's doing: `/proc` belongs to root for a
/// process that executes a file which its user cannot read. (Root itself may read it, unless it
/// runs without that capability; what cannot be seen then is not counted.)
pub(in crate::bot) fn deleted_files(folder: &Path) -> io::Result<DiskUsage> {
    let folder = fs::canonicalize(folder)?;
    let mut held = HeldFiles { folder, inodes: HashSet::new(), used: DiskUsage::default() };
    for pid in descendants(getpid().as_raw_nonzero().get())? {
        // Other errors mean that it has ended.
        if let Err(error) = held.add_process(pid)
            && error.kind() == io::ErrorKind::PermissionDenied
            && !geteuid().is_root()
        {
            return Err(error);
        }
    }
    Ok(held.used)
}

struct HeldFiles {
    folder: PathBuf,
    /// What is counted already: several processes may hold a file.
    inodes: HashSet<u64>,
    used: DiskUsage,
}

impl HeldFiles {
    /// Adds what a process holds. All its threads have the same files (`sandbox`, `seccomp`), so
    /// the first one that is not ending shows them. One that is ending has no memory or soon none,
    /// and then its `/proc` belongs to root.
    fn add_process(&mut self, pid: i32) -> io::Result<()> {
        for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
            let thread = thread?.path();
            let added = self.add_thread(&thread);
            if !is_exiting(&thread) {
                return added;
            }
        }
        Ok(())
    }

    fn add_thread(&mut self, thread: &Path) -> io::Result<()> {
        for descriptor in fs::read_dir(thread.join("fd"))? {
            self.add_descriptor(&descriptor?.path());
        }
        for line in read_proc(thread.join("maps"))?.split(|&byte| byte == b'\n') {
            self.add_mapping(line);
        }
        Ok(())
    }

    fn add_descriptor(&mut self, descriptor: &Path) {
        let Ok(path) = fs::read_link(descriptor) else { return }; // it is closed
        let Ok(file) = fs::metadata(descriptor) else { return };
        let is_deleted = file.is_file() && file.nlink() == 0;
        if path.starts_with(&self.folder) && is_deleted && self.inodes.insert(file.ino()) {
            self.used.files += 1;
            self.used.bytes += file.blocks() * 512;
        }
    }

    /// Adds the file of a line of `/proc/PID/maps`: `ADDRESSES PERMISSIONS OFFSET DEVICE INODE PATH
    /// (deleted)`. The bot chooses the path, which need not be UTF-8.
    fn add_mapping(&mut self, line: &[u8]) {
        let Some(line) = line.strip_suffix(b" (deleted)") else { return };
        let mut fields = line.splitn(6, |&byte| byte == b' ');
        let inode = str::from_utf8(fields.nth(4).unwrap_or_default()).unwrap_or_default();
        let file = fields.next().unwrap_or_default().trim_ascii_start();
        let is_in_folder = Path::new(OsStr::from_bytes(file)).starts_with(&self.folder);
        if let Ok(inode) = inode.parse()
            && is_in_folder
            && self.inodes.insert(inode)
        {
            self.used.files += 1;
            self.used.bytes += MAPPED_BYTES;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_of_a_deleted_file_counts_once_and_only_in_the_folder() {
        let folder = PathBuf::from("/tmp/arbiter-1-a");
        let mut held = HeldFiles { folder, inodes: HashSet::from([7]), used: DiskUsage::default() };
        let line = |inode: u32, file: &str| {
            format!(
                "7f0000000000-7f0000001000 r--s 00000000 fe:00 {inode}                    {file}"
            )
        };
        for (inode, file) in [
            (7, "/tmp/arbiter-1-a/counted (deleted)"),
            (8, "/tmp/arbiter-1-a/with a space (deleted)"),
            (8, "/tmp/arbiter-1-a/with a space (deleted)"),
            (9, "/tmp/arbiter-1-a/there"),
            (10, "/tmp/arbiter-1-ab/other (deleted)"),
            (11, "/memfd:x (deleted)"),
        ] {
            held.add_mapping(line(inode, file).as_bytes());
        }
        assert_eq!(held.used, DiskUsage { bytes: MAPPED_BYTES, files: 1 });
    }
}
