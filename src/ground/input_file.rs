//! The files that a command line or a configuration names: logs, which are streams, and texts,
//! which have a bound.

use anyhow::{Context, bail};
use arbiter_game::record::{LogError, RawGame, Record, read_stream};
use arbiter_host::files::{self, identity};
use arbiter_play::store::PAGE;
use arbiter_rank::standings::KnownGames;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// An open log.
pub struct LogFile {
    /// What messages call it; `-` is standard input.
    pub name: String,
    /// Its bytes.
    pub source: Box<dyn Read>,
}

impl LogFile {
    /// Opens a log, the `games.pgn` of a folder, or standard input if the path is `-`.
    ///
    /// # Errors
    /// The file cannot be opened; the error names it.
    pub fn open(path: &Path) -> anyhow::Result<LogFile> {
        if path.as_os_str() == "-" {
            return LogFile::of_text("-".to_owned(), io::stdin().lock());
        }
        let (name, opened) = if path.is_dir() {
            let log = path.join("games.pgn");
            (log.display().to_string(), files::open(&log))
        } else {
            (path.display().to_string(), File::open(path)) // the user may name a pipe
        };
        let file = opened.with_context(|| name.clone())?;
        // Such as /dev/zero, which has no end. A person may type a log at a terminal.
        if file.metadata()?.file_type().is_char_device() && !file.is_terminal() {
            bail!("{name}: it is a device, not a log");
        }
        LogFile::of_text(name, file)
    }

    /// Calls `each` with the name of the log and every game of it, or why one cannot be read.
    ///
    /// # Errors
    /// The file cannot be read; the error names it.
    pub fn games(
        self,
        mut each: impl FnMut(&str, Result<RawGame<'_>, LogError>),
    ) -> anyhow::Result<()> {
        let LogFile { name, source } = self;
        let read = read_stream(source, |game| {
            each(&name, game);
            Ok::<_, io::Error>(())
        });
        read.with_context(|| name)
    }

    /// A log that begins as a text does.
    fn of_text(name: String, mut source: impl Read + 'static) -> anyhow::Result<LogFile> {
        let mut first = Vec::new();
        let read = source.by_ref().take(FIRST_BYTES as u64).read_to_end(&mut first);
        read.with_context(|| name.clone())?;
        refuse_no_text(&first).with_context(|| name.clone())?;
        // A pipe cannot be rewound, so the first bytes are put in front of the others again.
        Ok(LogFile { name, source: Box::new(io::Cursor::new(first).chain(source)) })
    }
}

/// Calls `each` with the path and the name of each of these logs and every game of it that was not
/// there before. Returns how many were.
///
/// # Errors
/// A log cannot be read; the error names it.
pub fn records_of(
    paths: &[PathBuf],
    mut each: impl FnMut(&Path, &str, Result<Record, LogError>),
) -> anyhow::Result<u64> {
    let mut ids = KnownGames::default();
    let mut repeated = 0;
    for path in paths {
        LogFile::open(path)?.games(|name, game| match game {
            Ok(game) if ids.repeats_raw(&game) => repeated += 1,
            game => each(path, name, game.and_then(|game| Record::from_raw(&game, None))),
        })?;
    }
    Ok(repeated)
}

/// Refuses a log that can be read only once, such as a pipe.
///
/// # Errors
/// One of these logs is such a file; the error names it. `why` is why it is read twice.
pub fn refuse_pipes(paths: &[PathBuf], why: &str) -> anyhow::Result<()> {
    for path in paths {
        let is_pipe = path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir());
        if is_pipe || path.as_os_str() == "-" {
            bail!("{}: logs are read twice, {why}; name a file", path.display());
        }
    }
    Ok(())
}

/// Refuses an output that would replace one of the inputs, or a file of a result folder among them
/// but its page.
///
/// # Errors
/// It would; the error names it.
pub fn refuse_to_replace_inputs(
    flag: &str,
    output: &Path,
    inputs: &[PathBuf],
) -> anyhow::Result<()> {
    // `-` is standard output, and as an input standard input.
    if output.as_os_str() == "-" || !output.exists() {
        return Ok(());
    }
    let shown = output.display();
    for input in inputs {
        if is_same_file(output, input) {
            bail!(
                "{flag} {shown}: this file is read, so it cannot be the output as well; name \
                 another one"
            );
        }
        let lies_in = output.parent().is_some_and(|folder| is_same_path(folder, input));
        if input.is_dir() && lies_in && !output.ends_with(PAGE) {
            bail!(
                "{flag} {shown}: this is a file of the result folder, of which only {PAGE} is \
                 replaced; name another one"
            );
        }
    }
    Ok(())
}

/// Whether two paths lead to one regular file, or to one place where none is yet.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => one.is_file() && identity(&one) == identity(&other),
        (Err(_), Err(_)) => is_same_path(one, other),
        _ => false,
    }
}

/// Whether two paths are the same once links in the folders above are followed.
fn is_same_path(one: &Path, other: &Path) -> bool {
    resolved(one).is_some_and(|one| resolved(other) == Some(one))
}

/// The path without links, of which the last part may be missing.
fn resolved(path: &Path) -> Option<PathBuf> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let absolute = std::path::absolute(path).ok()?;
    match absolute.canonicalize() {
        Ok(there) => Some(there),
        Err(_) => Some(absolute.parent()?.canonicalize().ok()?.join(absolute.file_name()?)),
    }
}

/// The number of bytes by which a packed file or UTF-16 is recognised.
pub const FIRST_BYTES: usize = 8;

/// What a file begins with that is not plain text, what it is, and how it becomes a log.
const NO_TEXT: [(&[u8], &str, &str); 10] = [
    (b"\x1f\x8b", "packed with gzip", "gzip -dc"),
    (b"BZh", "packed with bzip2", "bzip2 -dc"),
    (b"\xfd7zXZ\0", "packed with xz", "xz -dc"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd", "zstd -dc"),
    (b"PK\x03\x04", "a zip archive", "unzip -p"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "7z x -so"),
    (b"\xff\xfe", UTF_16, ICONV),
    (b"\xfe\xff", UTF_16, ICONV),
    (b"[\0", UTF_16, ICONV),
    (b"\0[", UTF_16, ICONV),
];

const UTF_16: &str = "UTF-16, not UTF-8";
const ICONV: &str = "iconv -f UTF-16 -t UTF-8";

/// Refuses what begins as a packed file or as UTF-16 does.
///
/// # Errors
/// It names what the file is.
pub fn refuse_no_text(first: &[u8]) -> anyhow::Result<()> {
    for (bytes, what, command) in NO_TEXT {
        if first.starts_with(bytes) {
            bail!("it is {what}, not a log; `{command}` turns it into text");
        }
    }
    Ok(())
}

/// What is said of a log without games.
pub const NO_GAME: &str = "there is no game in it";

/// What editors of Windows put before a text in UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The longest text that is read, in bytes.
const TEXT_BYTES: u64 = 64 << 20;

/// Reads a text that the command line names, such as a configuration or a list of openings, also
/// from a pipe.
///
/// # Errors
/// It cannot be read, is not UTF-8, or is longer than 64 MiB; the error does not name the file.
pub fn read_named_text(path: &Path) -> anyhow::Result<String> {
    text_of(File::open(path)?)
}

/// Reads a text from a regular file, such as one that a configuration names.
///
/// # Errors
/// As for [`read_named_text`]; or it is no regular file.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    text_of(files::open(path)?)
}

fn text_of(file: File) -> anyhow::Result<String> {
    let mut text = String::new();
    // One byte more than is allowed shows that there are more.
    let length = file.take(TEXT_BYTES + 1).read_to_string(&mut text)? as u64;
    if length > TEXT_BYTES {
        bail!("it is longer than {} MiB", TEXT_BYTES >> 20);
    }
    if text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0);
    }
    Ok(text)
}
