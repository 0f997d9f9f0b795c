//! Reading short texts: settings, tables and manifests. Who writes them may put anything in their
//! place, so no file is read without end and none is waited for.

use crate::files::open;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of a file that is read.
const MAX_TEXT: u64 = 64 * 1024;

/// Reads a short regular file. Links are followed.
///
/// # Errors
/// It cannot be opened, or as for [`read_text`].
pub(super) fn read(path: &Path) -> io::Result<String> {
    open(path).and_then(read_text)
}

/// Reads a short file.
///
/// # Errors
/// It cannot be read, has more than 64 KiB, or is not UTF-8.
pub(super) fn read_text(file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.take(MAX_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_TEXT {
        return Err(io::Error::other(format!("it is longer than {} KiB", MAX_TEXT >> 10)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|&byte| byte == b'\n').count();
        io::Error::other(format!("line {line} is not UTF-8; save the file as UTF-8"))
    })
}
