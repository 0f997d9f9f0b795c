//! How large a submission may be.

use arbiter_game::DiskUsage;
use std::io;

/// Bytes, and files and folders, of the largest submission. A file counts its whole length, with
/// its holes, because all of it is read and copied.
pub(super) const LIMIT: DiskUsage = DiskUsage { bytes: 1 << 30, files: 20_000 };
/// Bytes of all paths in a submission, each from its folder.
const PATHS: u64 = 2 << 20;

/// What has been counted of a submission.
#[derive(Debug, Default)]
pub(super) struct SubmissionSize {
    used: DiskUsage,
    paths: u64,
}

impl SubmissionSize {
    /// Counts a file of these bytes before it is read or copied, with the length of its path.
    ///
    /// # Errors
    /// The submission is too large.
    pub fn add(&mut self, bytes: u64, path: usize) -> io::Result<()> {
        self.used.files += 1;
        self.used.bytes = self.used.bytes.saturating_add(bytes);
        self.paths += path as u64;
        if self.used.files > LIMIT.files || self.used.bytes > LIMIT.bytes || self.paths > PATHS {
            return Err(too_large());
        }
        Ok(())
    }
}

pub(super) fn too_large() -> io::Error {
    io::Error::other(format!(
        "it is too large: a submission may have {} files and folders, {} MiB, and {} MiB of paths; \
         leave out what the bot does not need",
        LIMIT.files,
        LIMIT.bytes >> 20,
        PATHS >> 20
    ))
}
