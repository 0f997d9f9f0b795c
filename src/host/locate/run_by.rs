//! How files that are no programs are run, by their extension; and of a folder whose program is not
//! named or not there, which file in it is probably meant, and what to write.

use super::leftovers::is_leftover;
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

/// How the files with an extension are run. FILE is the path of one, STEM the path without the
/// extension, FOLDER its folder, CLASS its stem alone.
pub(super) struct RunBy {
    extension: &'static str,
    /// What compiles one first; empty for the files of an interpreter.
    pub compile: &'static str,
    /// The BOT to write.
    pub bot: &'static str,
}

const fn run_by(extension: &'static str, compile: &'static str, bot: &'static str) -> RunBy {
    RunBy { extension, compile, bot }
}

const RUN_BY: [RunBy; 14] = [
    run_by("py", "", "python3 FILE"),
    run_by("js", "", "node FILE"),
    run_by("sh", "", "sh FILE"),
    run_by("rb", "", "ruby FILE"),
    run_by("pl", "", "perl FILE"),
    run_by("jar", "", "java -jar FILE"),
    run_by("class", "", "java -cp FOLDER CLASS"),
    run_by("pyc", "", "python3 FILE"),
    run_by("c", "cc -O2 -o STEM FILE", "STEM"),
    run_by("cpp", "c++ -O2 -o STEM FILE", "STEM"),
    run_by("cc", "c++ -O2 -o STEM FILE", "STEM"),
    run_by("rs", "rustc -O -o STEM FILE", "STEM"),
    run_by("go", "go build -o STEM FILE", "STEM"),
    run_by("java", "javac FILE", "java -cp FOLDER CLASS"),
];

/// Extensions of files that are never run by themselves, whatever their mode.
const NEVER_ALONE: [&str; 2] = ["class", "pyc"];

/// How files with the extension of this one are run; `None` for those of other kinds.
pub(super) fn run_by_of(path: &Path) -> Option<&'static RunBy> {
    let extension = path.extension()?.to_str()?;
    RUN_BY.iter().find(|kind| kind.extension == extension)
}

impl RunBy {
    /// Whether such a file is run by an interpreter alone.
    pub fn is_never_alone(&self) -> bool {
        NEVER_ALONE.contains(&self.extension)
    }

    /// One of its texts for a file, quoted for a shell.
    pub fn fill(text: &str, path: &Path) -> String {
        let stem = path.with_extension("");
        let class = stem.file_name().map_or(&*stem, Path::new);
        let folder =
            path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let words = text.split(' ').map(|part| match part {
            "FILE" => word(path),
            // A shell would look a name without a `/` up in PATH.
            "STEM" if text == "STEM" && stem.parent() == Some(Path::new("")) => {
                word(&Path::new(".").join(&stem))
            }
            "STEM" => word(&stem),
            "FOLDER" => word(folder),
            "CLASS" => word(class),
            part => part.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

/// A path as a word of a command, quoted for a shell. A name that begins with a dash would be an
/// option.
fn word(path: &Path) -> String {
    let path = as_argument(path);
    let text = path.to_string_lossy();
    shlex::try_quote(&text).map(Cow::into_owned).unwrap_or_default()
}

/// A path as an argument of a program: a name that begins with a dash would be an option.
fn as_argument(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes() {
        [b'-', ..] => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

/// File stems of programs that are not parts of others, the likeliest first.
const STEMS: [&str; 4] = ["bot", "main", "player", "agent"];

/// The most files of a folder that are looked at.
const MAX_NAMES: usize = 1_000;

/// What is in a folder that has no `bot.toml`, or not the program that its command names.
pub(super) enum Inside {
    /// Nothing.
    Empty,
    /// The name of the file that is probably the bot.
    Likely(String),
    /// Nothing that looks like a bot.
    Other,
}

/// Looks for the bot in a folder: a file with one of the usual names, else, if `any` is true, any
/// file that an interpreter runs or a compiler compiles.
pub(super) fn inside(folder: &Path, any: bool) -> Inside {
    let Ok(entries) = fs::read_dir(folder) else { return Inside::Other };
    let mut is_empty = true;
    let mut best: Option<(usize, usize, String)> = None;
    for name in entries.take(MAX_NAMES).flatten().map(|entry| entry.file_name()) {
        if is_leftover(name.as_encoded_bytes(), false) {
            continue;
        }
        is_empty = false;
        let path = Path::new(&name);
        let Some(kind) =
            RUN_BY.iter().position(|kind| path.extension().is_some_and(|is| is == kind.extension))
        else {
            continue;
        };
        let stem = path.file_stem().map(|stem| stem.to_ascii_lowercase());
        let rank = STEMS.iter().position(|known| stem.as_ref().is_some_and(|stem| stem == *known));
        let found = name.to_str().map(|name| (rank.unwrap_or(STEMS.len()), kind, name.to_owned()));
        let fits = found.filter(|_| any || rank.is_some());
        if let Some(found) = fits.filter(|found| best.as_ref().is_none_or(|best| found < best)) {
            best = Some(found);
        }
    }
    match best {
        Some((_, _, name)) => Inside::Likely(name),
        None if is_empty => Inside::Empty,
        None => Inside::Other,
    }
}

/// What to write into the `bot.toml` at this path so that a file beside it plays; `python3 bot.py`
/// as an example if there is none.
pub(super) fn lines_for(manifest: &str, file: Option<&str>) -> String {
    let file = Path::new(file.unwrap_or("bot.py"));
    let Some(kind) = run_by_of(file) else { return String::new() };
    let command = RunBy::fill(kind.bot, file);
    if kind.compile.is_empty() {
        return format!("write {manifest} with the line command = \"{command}\"");
    }
    let build = RunBy::fill(kind.compile, file);
    format!("write {manifest} with the lines command = \"{command}\" and build = \"{build}\"")
}

/// Of a program that is missing, a file that it may be made from or run by: one of the same name
/// with an extension.
pub(super) fn source_of(program: &Path) -> Option<PathBuf> {
    let beside = RUN_BY.iter().map(|kind| program.with_added_extension(kind.extension));
    let mut beside = beside.filter(|_| program.extension().is_none());
    beside.find(|path| fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()))
}
