//! Descriptors that a process has inherited.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

/// Closes the descriptors above standard error, except `kept`, that are no longer wanted or that
/// the program that started arbiter left open.
pub(crate) fn close_inherited(kept: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut open = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")? {
        open.extend(entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()));
    }
    for descriptor in
        open.into_iter().filter(|&fd| fd > 2 && kept.iter().all(|kept| kept.as_raw_fd() != fd))
    {
        let _ = nix::unistd::close(descriptor); // fails for that of the listing, which is closed
    }
    Ok(())
}
