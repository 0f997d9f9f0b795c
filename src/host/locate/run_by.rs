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

/// How files with the extension of this one are run; `None` for those of other kinds.
pub(super) fn run_by_of(path: &Path) -> Option<&'static RunBy> {
    let extension = path.extension()?.to_str()?;
    RUN_BY.iter().find(|kind| kind.extension == extension)
}

impl RunBy {
    /// Whether such a file is never run by itself, whatever its mode.
    pub fn is_never_alone(&self) -> bool {
        matches!(self.extension, "class" | "pyc")
    }

    /// One of its texts for a file, quoted for a shell.
    pub fn fill(text: &str, path: &Path) -> String {
        let stem = path.with_extension("");
        let mut words = Vec::new();
        for part in text.split(' ') {
            words.push(match part {
                "FILE" => word(path),
                // A shell would look a name without a `/` up in PATH.
                "STEM" if text == "STEM" && stem.parent() == Some(Path::new("")) => {
                    word(&Path::new(".").join(&stem))
                }
                "STEM" => word(&stem),
                "FOLDER" => match path.parent() {
                    Some(folder) if folder != Path::new("") => word(folder),
                    _ => ".".to_owned(),
                },
                "CLASS" => word(stem.file_name().map_or(&*stem, Path::new)),
                part => part.to_owned(),
            });
        }
        words.join(" ")
    }
}

/// A path as a word of a command, quoted for a shell.
fn word(path: &Path) -> String {
    let mut text = path.to_string_lossy();
    if text.starts_with('-') {
        text = format!("./{text}").into(); // or it would be an option
    }
    shlex::try_quote(&text).map(Cow::into_owned).unwrap_or_default()
}

/// Interpreters, and a script of each.
pub(super) const INTERPRETERS: [(&str, &str); 8] = [
    ("python3", "bot.py"),
    ("python", "bot.py"),
    ("sh", "bot.sh"),
    ("bash", "bot.sh"),
    ("node", "bot.js"),
    ("perl", "bot.pl"),
    ("ruby", "bot.rb"),
    ("java", "Bot"),
];

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
    // The ranks of its stem and of its extension, then its name.
    let mut best: Option<(usize, usize, String)> = None;
    for entry in entries.take(MAX_NAMES).flatten() {
        let name = entry.file_name();
        if is_leftover(name.as_encoded_bytes(), false) {
            continue;
        }
        is_empty = false;
        let Ok(name) = name.into_string() else { continue };
        let Some((stem, extension)) = name.rsplit_once('.') else { continue };
        let Some(kind) = RUN_BY.iter().position(|kind| kind.extension == extension) else {
            continue;
        };
        let rank = STEMS.iter().position(|known| stem.eq_ignore_ascii_case(known));
        if stem.is_empty() || rank.is_none() && !any {
            continue;
        }
        let found = (rank.unwrap_or(STEMS.len()), kind, name);
        if best.as_ref().is_none_or(|best| found < *best) {
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
    if program.extension().is_some() {
        return None;
    }
    let mut beside = RUN_BY.iter().map(|kind| program.with_added_extension(kind.extension));
    beside.find(|path| fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()))
}
