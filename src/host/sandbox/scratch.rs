//! The scratch folder: the only folder that a bot may write in.
//!
//! The warden makes it for each bot and removes it when no process of the bot is left. The bot
//! controls its content: no link in it is followed, a tree may be deeper than the longest path, and
//! its owner may have no right to read it.

use super::folder_lock::{is_named, lock_folder};
use super::system::is_bot_user;
use crate::locate::{clear_folder, usage_of};
use arbiter_game::DiskUsage;
use rustix::process::geteuid;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A folder in the place for temporary files; dropping it removes it with everything in it.
pub struct Scratch {
    path: PathBuf,
    /// The folder, locked: a folder that can be locked is left over from a process that was killed.
    top: OwnedFd,
}

/// The folder for temporary files: an absolute path, because bots run in other folders than
/// arbiter. An empty `TMPDIR` is as none.
pub fn temporary_folder() -> PathBuf {
    let named = std::env::temp_dir();
    std::path::absolute(named).unwrap_or_else(|_| PathBuf::from("/tmp"))
}

/// The prefix of the names of scratch folders: the pid of the maker and a number follow.
const PREFIX: &str = "arbiter-";

impl Scratch {
    /// Makes a folder in `parent` that only its owner can open.
    pub fn make(parent: &Path) -> io::Result<Scratch> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut salt = since.subsec_nanos();
        loop {
            let path = parent.join(format!("{PREFIX}{}-{salt:x}", std::process::id()));
            salt = salt.wrapping_add(1);
            if let Err(error) = DirBuilder::new().mode(0o700).create(&path) {
                if error.kind() == io::ErrorKind::AlreadyExists {
                    continue;
                }
                let parent = parent.display();
                return Err(io::Error::new(
                    error.kind(),
                    format!("a scratch folder in {parent}: {error}; set TMPDIR to another folder"),
                ));
            }
            // Before it is locked, another process may take it for left over; then another name is
            // tried.
            if let Some(top) = lock_folder(&path)? {
                return Ok(Scratch { path, top: top.into() });
            }
        }
    }

    /// Removes the folders in `parent` whose makers were killed.
    pub fn remove_left_over(parent: &Path) {
        let own = geteuid();
        for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
            if !is_named(&entry.file_name(), PREFIX, 16) {
                continue;
            }
            let Ok(meta) = entry.metadata() else { continue };
            let is_own = meta.uid() == own.as_raw() || own.is_root() && is_bot_user(meta.uid());
            let path = entry.path();
            if meta.is_dir()
                && is_own
                && let Ok(Some(top)) = lock_folder(&path)
            {
                drop(Scratch { path, top: top.into() });
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes and files in it. Stops counting above `most`. A folder that cannot be read counts as
    /// more than `most`: its owner has taken its own rights, or made it deeper than the longest
    /// path, and may hide files in it.
    pub fn usage(&self, most: DiskUsage) -> DiskUsage {
        let found = usage_of(&self.top, most);
        if found.hides_files {
            return DiskUsage { files: most.files + 1, ..found.used };
        }
        found.used
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // An error has no consequence: only a folder for temporary files is left, and the next run
        // tries again.
        let _ = clear_folder(&self.top);
        let _ = fs::remove_dir(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn dropping_it_removes_its_content_and_follows_no_link() {
        let parent = tempfile::tempdir().unwrap();
        let kept = parent.path().join("kept");
        fs::create_dir(&kept).unwrap();
        fs::write(kept.join("file"), "").unwrap();
        let scratch = Scratch::make(parent.path()).unwrap();
        let path = scratch.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        let closed = path.join("a/closed");
        fs::create_dir_all(closed.join("b")).unwrap();
        fs::write(closed.join("b/file"), "text").unwrap();
        for number in 0..3 {
            fs::create_dir_all(path.join(format!("{number}:{}/x", std::process::id()))).unwrap();
        }
        symlink(&kept, path.join("a/link")).unwrap();
        symlink(&kept, path.join("link")).unwrap();
        fs::set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
        drop(scratch);
        assert!(!path.exists());
        assert!(kept.join("file").exists());
    }

    #[test]
    fn folders_of_makers_that_were_killed_are_removed_and_no_others() {
        let parent = tempfile::tempdir().unwrap();
        let path = |name: &str| parent.path().join(name);
        for folder in ["arbiter-1-ab/folder", "arbiter-cup", "arbiter-1-x", "kept"] {
            fs::create_dir_all(path(folder)).unwrap();
        }
        fs::write(path("arbiter-1-ab/folder/file"), "").unwrap();
        fs::write(path("arbiter-1-1"), "").unwrap();
        symlink(path("kept"), path("arbiter-1-2")).unwrap();
        let used = Scratch::make(parent.path()).unwrap();
        Scratch::remove_left_over(parent.path());
        assert!(!path("arbiter-1-ab").exists());
        for kept in ["arbiter-cup", "arbiter-1-x", "kept", "arbiter-1-1", "arbiter-1-2"] {
            assert!(path(kept).exists(), "{kept}");
        }
        assert!(used.path().is_dir(), "its maker lives");
        let left = used.path().to_owned();
        drop(used);
        assert!(!left.exists());
    }

    #[test]
    fn usage_is_counted_until_it_is_above_the_limit() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::make(parent.path()).unwrap();
        let most = DiskUsage { bytes: 1 << 20, files: 10 };
        assert_eq!(scratch.usage(most), DiskUsage::default());
        fs::create_dir_all(scratch.path().join("a/b")).unwrap();
        fs::write(scratch.path().join("a/b/file"), vec![1; 100_000]).unwrap();
        symlink("/usr", scratch.path().join("link")).unwrap();
        let used = scratch.usage(most);
        assert_eq!(used.files, 4);
        assert!((100_000..1 << 20).contains(&used.bytes), "{used:?}");
        fs::write(scratch.path().join("large"), vec![1; 2 << 20]).unwrap();
        assert!(scratch.usage(most).bytes > most.bytes);
        fs::remove_file(scratch.path().join("large")).unwrap();
        for name in 0..20 {
            fs::write(scratch.path().join(name.to_string()), "").unwrap();
        }
        assert!(scratch.usage(most).files > most.files);
    }

    #[test]
    fn a_tree_that_cannot_be_read_counts_as_above_the_limit() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::make(parent.path()).unwrap();
        fs::create_dir_all(scratch.path().join(vec!["d"; 1500].join("/"))).unwrap();
        let most = DiskUsage { bytes: 1 << 30, files: 10_000 };
        assert_eq!(scratch.usage(most).files, 1500);
        let below = scratch.path().join(vec!["d"; 1000].join("/")).join("below");
        fs::rename(scratch.path().join("d"), scratch.path().join("e")).unwrap();
        fs::create_dir_all(scratch.path().join(vec!["d"; 1000].join("/"))).unwrap();
        fs::rename(scratch.path().join("e"), below).unwrap();
        assert!(scratch.usage(most).files > most.files);
    }

    #[test]
    fn a_tree_deeper_than_the_longest_path_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::make(parent.path()).unwrap();
        let path = scratch.path().to_owned();
        // Each tree of 1000 folders is moved below the next one.
        for round in 0..4 {
            let top = path.join(format!("top{round}"));
            let deep = top.join(vec!["d"; 1000].join("/"));
            fs::create_dir_all(&deep).unwrap();
            if round > 0 {
                fs::rename(path.join(format!("top{}", round - 1)), deep.join("below")).unwrap();
            }
        }
        drop(scratch);
        assert!(!path.exists());
    }
}
