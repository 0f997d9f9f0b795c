//! The files that a command line or a configuration names: logs, which are streams, and texts, which have a bound.

use anyhow::{Context, bail};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// An open log.
pub(super) struct LogFile {
    /// What messages call it; `-` is standard input.
    pub(super) name: String,
    /// Its bytes.
    pub(super) source: Box<dyn Read>,
}

impl LogFile {
    /// Opens a log, the `games.pgn` of a folder, or standard input if the path is `-`.
    ///
    /// # Errors
    /// The file cannot be opened; the error names it.
    pub(super) fn open(path: &Path) -> anyhow::Result<LogFile> {
        if path.as_os_str() == "-" {
            return Ok(LogFile { name: "-".to_owned(), source: Box::new(io::stdin().lock()) });
        }
        let path = if path.is_dir() { path.join("games.pgn") } else { path.to_owned() };
        let name = path.display().to_string();
        let file = File::open(&path).with_context(|| name.clone())?;
        if file.metadata()?.file_type().is_char_device() && !file.is_terminal() {
            bail!("{name}: it is a device, and no log");
        }
        Ok(LogFile { name, source: Box::new(file) })
    }
}

/// The longest text that is read, in bytes.
const TEXT_BYTES: u64 = 64 << 20;

/// Reads a text, such as a configuration or a list of openings.
///
/// # Errors
/// It cannot be read, is not UTF-8, or is longer than 64 MiB; the error does not name the file.
pub(super) fn read_text(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let length = File::open(path)?.take(TEXT_BYTES + 1).read_to_string(&mut text)? as u64;
    if length > TEXT_BYTES {
        bail!("it is longer than {} MiB", TEXT_BYTES >> 20);
    }
    Ok(text)
}
