//! The scratch folder: the one place where a bot may write, its own and gone with it.
//!
//! The warden makes it, and removes it when nothing of the bot lives any more. What lies in it then is a stranger's:
//! names are never followed, and a tree may be deeper than any path can name, or closed to its owner.

use crate::game::DiskUsage;
use crate::locate::clear;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A folder that is removed with all that is in it.
pub(crate) struct Scratch(pub PathBuf);

impl Scratch {
    /// Makes a new one in `parent`, closed to other users.
    pub fn make(parent: &Path) -> io::Result<Scratch> {
        let mut salt = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
        loop {
            let path = parent.join(format!("arbiter-{}-{salt:x}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Scratch(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => salt = salt.wrapping_add(1),
                Err(error) => {
                    let place = parent.display();
                    return Err(io::Error::new(
                        error.kind(),
                        format!("a scratch folder in {place}: {error}; name another with TMPDIR"),
                    ));
                }
            }
        }
    }

    /// What is in it, or more than `most` of it: then it is not looked at to the end.
    pub fn used(&self, most: DiskUsage) -> DiskUsage {
        let mut used = DiskUsage::default();
        let mut open = vec![self.0.clone()];
        while let Some(folder) = open.pop() {
            // Closed to its owner, or deeper than any path: who does that hides something.
            let hidden = DiskUsage { files: most.files + 1, ..used };
            let gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound; // it was removed meanwhile
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if gone(&error) => continue,
                Err(_) => return hidden,
            };
            for path in entries.flatten().map(|entry| entry.path()) {
                let meta = match fs::symlink_metadata(&path) {
                    Ok(meta) => meta,
                    Err(error) if gone(&error) => continue,
                    Err(_) => return hidden,
                };
                used.files += 1;
                used.bytes += meta.blocks() * 512;
                if used.files > most.files || used.bytes > most.bytes {
                    return used;
                }
                if meta.is_dir() {
                    open.push(path);
                }
            }
        }
        used
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nobody is left to be told; a folder in the place for temporary files is all that stays.
        let _ = clear(&self.0);
        let _ = fs::remove_dir(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn what_a_bot_leaves_behind_is_removed_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let kept = parent.path().join("kept");
        fs::create_dir(&kept).unwrap();
        fs::write(kept.join("file"), "").unwrap();
        let scratch = Scratch::make(parent.path()).unwrap();
        let path = scratch.0.clone();
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
    fn what_is_in_it_is_counted_until_it_is_too_much() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::make(parent.path()).unwrap();
        let most = DiskUsage { bytes: 1 << 20, files: 10 };
        assert_eq!(scratch.used(most), DiskUsage::default());
        fs::create_dir_all(scratch.0.join("a/b")).unwrap();
        fs::write(scratch.0.join("a/b/file"), vec![1; 100_000]).unwrap();
        symlink("/usr", scratch.0.join("link")).unwrap();
        let used = scratch.used(most);
        assert_eq!(used.files, 4);
        assert!((100_000..1 << 20).contains(&used.bytes), "{used:?}");
        fs::write(scratch.0.join("large"), vec![1; 2 << 20]).unwrap();
        assert!(scratch.used(most).bytes > most.bytes);
        fs::remove_file(scratch.0.join("large")).unwrap();
        (0..20).for_each(|name| fs::write(scratch.0.join(name.to_string()), "").unwrap());
        assert!(scratch.used(most).files > most.files);
    }

    #[test]
    fn a_tree_that_cannot_be_looked_into_is_too_much() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::make(parent.path()).unwrap();
        fs::create_dir_all(scratch.0.join(vec!["d"; 1500].join("/"))).unwrap();
        let most = DiskUsage { bytes: 1 << 30, files: 10_000 };
        assert_eq!(scratch.used(most).files, 1500);
        let below = scratch.0.join(vec!["d"; 1000].join("/")).join("below");
        fs::rename(scratch.0.join("d"), scratch.0.join("e")).unwrap();
        fs::create_dir_all(scratch.0.join(vec!["d"; 1000].join("/"))).unwrap();
        fs::rename(scratch.0.join("e"), below).unwrap();
        assert!(scratch.used(most).files > most.files);
    }

    #[test]
    fn a_tree_that_is_deeper_than_a_path_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::make(parent.path()).unwrap();
        let path = scratch.0.clone();
        // Deeper than any path: each tree of 1000 is hung below the next.
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
