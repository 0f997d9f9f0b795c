//! A folder that is found by its path, or kept open so that a new name does not matter.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the files of a folder are.
#[derive(Debug, Clone)]
pub(super) struct FolderHandle {
    path: PathBuf,
    /// The open folder, if `path` leads through its descriptor.
    open: Option<Arc<File>>,
}

impl FolderHandle {
    /// A folder by its path.
    pub fn by_path(path: &Path) -> FolderHandle {
        FolderHandle { path: path.to_owned(), open: None }
    }

    /// A folder that is kept open. If it is renamed, or another one gets its name, its files are
    /// still those below this handle: a path through `/dev/fd` leads to the open folder itself on
    /// Linux (proc_pid_fd(5)). Where it does not lead into it, as on macOS, the folder is found by
    /// its name.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn keep_open(path: &Path) -> io::Result<FolderHandle> {
        let open = File::open(path)?;
        let through = PathBuf::from(format!("/dev/fd/{}", open.as_raw_fd()));
        if !through.join(".").is_dir() {
            return Ok(FolderHandle::by_path(path));
        }
        Ok(FolderHandle { path: through, open: Some(Arc::new(open)) })
    }

    /// A folder in this one.
    pub fn child(&self, name: &str) -> FolderHandle {
        FolderHandle { path: self.path.join(name), open: self.open.clone() }
    }

    /// The path of the folder, for this process alone and as long as the handle lives.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the folder, as [`path`](FolderHandle::path).
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }
}
