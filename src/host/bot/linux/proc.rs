//! Reading `/proc`.

use crate::files::list;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The unit of times in `/proc`, `USER_HZ`: 100 a second on every Linux that this program supports.
pub(super) const TICK: Duration = Duration::from_millis(10);

/// Bytes that [`read_proc`] reads at once.
const PROC_BYTES: usize = 4096;

/// The content of a file of `/proc`, whose length is not known before: the kernel makes the text
/// anew for each read, so it is read at once.
pub(super) fn read_proc(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let mut content = Vec::with_capacity(PROC_BYTES);
    File::open(path)?.read_to_end(&mut content)?;
    Ok(content)
}

/// The same as text; empty if it cannot be read.
pub(super) fn proc_text(path: impl AsRef<Path>) -> String {
    String::from_utf8(read_proc(path).unwrap_or_default()).unwrap_or_default()
}

/// The folders of the threads of a process in `/proc`; empty if the process has ended.
pub(super) fn thread_folders(pid: i32) -> impl Iterator<Item = PathBuf> {
    list(Path::new(&format!("/proc/{pid}/task")))
}
