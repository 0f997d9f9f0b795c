//! Descriptors that a process has inherited.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

/// Closes the descriptors above standard error, except `kept`, that are no longer wanted or that
/// the program that started arbiter left open.
pub(crate) fn close_inherited(kept: &[BorrowedFd<'_>]) -> io::Result<()> {
    let kept: Vec<i32> = kept.iter().map(AsRawFd::as_raw_fd).collect();
    let mut open = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")? {
        if let Some(name) = entry?.file_name().to_str() {
            open.extend(name.parse::<i32>());
        }
    }
    // After listing them: that of the listing is among them, is closed by now, and fails here.
    for descriptor in open {
        if descriptor > 2 && !kept.contains(&descriptor) {
            let _ = nix::unistd::close(descriptor);
        }
    }
    Ok(())
}
