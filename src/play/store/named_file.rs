//! A file that the user names for an output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes to what the user names, as any program does: links are followed, mode and owner stay, and
/// a device or a pipe gets the output. Files of a result folder are [replaced](super::Replacement)
/// instead.
///
/// # Errors
/// It cannot be opened or written.
pub fn write_named_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write(&mut out)?;
    out.flush()
}
