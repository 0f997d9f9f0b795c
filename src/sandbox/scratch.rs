//! The scratch folder: the only folder that a bot may write in.
//!
//! The warden makes it for each bot and removes it when no process of the bot is left. The bot controls its
//! content: no link in it is followed, a tree may be deeper than the longest path, and its owner may have no
//! right to read it.

use crate::game::DiskUsage;
use crate::locate::clear_folder;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A folder in the place for temporary files; dropping it removes it with everything in it.
pub(crate) struct Scratch(pub PathBuf);

impl Scratch {
    /// Makes a folder in `parent` that only its owner can open.
    pub fn make(parent: &Path) -> io::Result<Scratch> {
        let mut salt = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
        loop {
            let path = parent.join(format!("arbiter-{}-{salt:x}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Scratch(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => salt = salt.wrapping_add(1),
                Err(error) => {
                    let parent = parent.display();
                    return Err(io::Error::new(
                        error.kind(),
                        format!("a scratch folder in {parent}: {error}; set TMPDIR to another folder"),
                    ));
                }
            }
        }
    }

    /// Bytes and files in it. Stops counting above `most`. A folder that cannot be read counts as more than
    /// `most`: its owner has taken its own rights, or made it deeper than the longest path, and may hide
    /// files in it.
    pub fn usage(&self, most: DiskUsage) -> DiskUsage {
        let mut used = DiskUsage::default();
        let mut open = vec![self.0.clone()];
        while let Some(folder) = open.pop() {
            let hidden = DiskUsage { files: most.files + 1, ..used };
            let gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound; // removed meanwhile
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
        // An error has no consequence: only a folder for temporary files is left.
        let _ = clear_folder(&self.0);
        let _ = fs::remove_dir(&self.0);
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
    fn usage_is_counted_until_it_is_above_the_limit() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::make(parent.path()).unwrap();
        let most = DiskUsage { bytes: 1 << 20, files: 10 };
        assert_eq!(scratch.usage(most), DiskUsage::default());
        fs::create_dir_all(scratch.0.join("a/b")).unwrap();
        fs::write(scratch.0.join("a/b/file"), vec![1; 100_000]).unwrap();
        symlink("/usr", scratch.0.join("link")).unwrap();
        let used = scratch.usage(most);
        assert_eq!(used.files, 4);
        assert!((100_000..1 << 20).contains(&used.bytes), "{used:?}");
        fs::write(scratch.0.join("large"), vec![1; 2 << 20]).unwrap();
        assert!(scratch.usage(most).bytes > most.bytes);
        fs::remove_file(scratch.0.join("large")).unwrap();
        (0..20).for_each(|name| fs::write(scratch.0.join(name.to_string()), "").unwrap());
        assert!(scratch.usage(most).files > most.files);
    }

    #[test]
    fn a_tree_that_cannot_be_read_counts_as_above_the_limit() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::make(parent.path()).unwrap();
        fs::create_dir_all(scratch.0.join(vec!["d"; 1500].join("/"))).unwrap();
        let most = DiskUsage { bytes: 1 << 30, files: 10_000 };
        assert_eq!(scratch.usage(most).files, 1500);
        let below = scratch.0.join(vec!["d"; 1000].join("/")).join("below");
        fs::rename(scratch.0.join("d"), scratch.0.join("e")).unwrap();
        fs::create_dir_all(scratch.0.join(vec!["d"; 1000].join("/"))).unwrap();
        fs::rename(scratch.0.join("e"), below).unwrap();
        assert!(scratch.usage(most).files > most.files);
    }

    #[test]
    fn a_tree_deeper_than_the_longest_path_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::make(parent.path()).unwrap();
        let path = scratch.0.clone();
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
