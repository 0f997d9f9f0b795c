//! What may have been meant by a command that does not work, and what to write instead. Most of
//! these are the end of a sentence: empty, or a `;` and what helps.
//!
//! A stranger learns nothing of the machine by them: of a submission only its own folder is looked
//! at, and tables quote no name that may be that of a person.

use super::program::{Program, file_name};
use super::run_by::{INTERPRETERS, Inside, RunBy, inside, lines_for, run_by_of, source_of};
use super::search_path::find_in_path;
use super::submission::Submission;
use std::env;
use std::fs;
use std::path::Path;

/// What to do about a file that cannot be run as it is: compile it, name its interpreter, or else
/// what `otherwise` says.
pub(super) fn remedy(program: &Program, path: &Path, otherwise: &str) -> String {
    let Some(kind) = run_by_of(path) else { return otherwise.to_owned() };
    if !kind.compile.is_empty() {
        return format!(
            "it is source text: compile it with `{}`, then the BOT is \"{}\"",
            RunBy::fill(kind.compile, path),
            RunBy::fill(kind.bot, path)
        );
    }
    // A bot.toml names the files in its folder.
    let bot = match path.strip_prefix(&program.dir) {
        Ok(below) if program.owns_folder() => RunBy::fill(kind.bot, below),
        _ => RunBy::fill(kind.bot, path),
    };
    if kind.is_never_alone() {
        return format!("is run by an interpreter, which the BOT names: \"{bot}\"");
    }
    format!("{otherwise}, or name its interpreter: \"{bot}\"")
}

/// That a file does not exist, and what may have been meant.
pub(super) fn no_such_file(program: &Program, path: &Path) -> String {
    let shown = path.display();
    let by_user = program.access.submission.is_none();
    // The author of a submission must not learn which files exist outside of it.
    let may_look = by_user || path.starts_with(&program.dir);
    if may_look && fs::symlink_metadata(path).is_ok() {
        return format!("{shown}: is a link whose target does not exist");
    }
    if is_left_out_of_copy(program, path) {
        return format!(
            "{shown}: is no regular file, which is not copied; put the file itself there"
        );
    }
    let mut hint = shell_hint(&program.words, by_user);
    if may_look {
        if let Some(near) = similar_name_hint(path) {
            hint = near + &hint;
        } else if hint.is_empty() {
            hint = meant_hint(program, path).unwrap_or_default();
        }
    }
    format!("{shown}: no such file{hint}")
}

/// Whether a file that is missing in the copy of a submission is a named pipe, a socket or a device
/// in the submission itself.
fn is_left_out_of_copy(program: &Program, missing: &Path) -> bool {
    let Some(source) = &program.access.copied_from else { return false };
    let Ok(below) = missing.strip_prefix(&program.dir) else { return false };
    fs::symlink_metadata(source.join(below)).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// What the author of a command that names a missing file probably meant, and what to write
/// instead.
fn meant_hint(program: &Program, missing: &Path) -> Option<String> {
    if program.spec.build.is_some() {
        return None; // the build should have made it
    }
    if let Some(source) = source_of(missing) {
        let name = file_name(&source);
        if program.owns_folder() {
            return Some(format!("; there is {name}: {}", lines_for("bot.toml", Some(&name))));
        }
        let otherwise = format!("run `chmod +x {}`", source.display());
        return Some(format!("; there is {name}: {}", remedy(program, &source, &otherwise)));
    }
    if !program.owns_folder() {
        return None;
    }
    // Tables quote the sentence, and a name that is not a usual one may be that of a person.
    match inside(&program.dir, !program.access.is_submitted()) {
        Inside::Likely(name) => {
            Some(format!("; there is {name}: {}", lines_for("bot.toml", Some(&name))))
        }
        Inside::Empty => Some("; the folder is empty".to_owned()),
        Inside::Other => None,
    }
}

/// That a file beside a missing one has nearly its name; `None` if there is none.
pub(super) fn similar_name_hint(missing: &Path) -> Option<String> {
    let name = missing.file_name()?.to_str()?;
    for entry in fs::read_dir(missing.parent()?).ok()?.take(MAX_NAMES).flatten() {
        let Ok(other) = entry.file_name().into_string() else { continue };
        let is_near = other != name && other.eq_ignore_ascii_case(name)
            || other.strip_suffix(".txt") == Some(name);
        if is_near {
            return Some(format!(
                "; there is {other}, which is another name (capitals and endings count)"
            ));
        }
    }
    None
}

/// The most files whose names are compared.
const MAX_NAMES: usize = 1_000;

/// If words of a command mean something only to a shell: that none reads it. Only the user, not a
/// stranger, learns where the home folder is.
pub(super) fn shell_hint(words: &[String], by_user: bool) -> String {
    if let Some(below) = words.iter().find_map(|word| word.strip_prefix("~/")) {
        let path = match env::home_dir() {
            Some(home) if by_user => home.join(below).display().to_string(),
            _ => "the whole path".to_owned(),
        };
        return format!("; no shell reads a command, so ~ is not your home: write {path}");
    }
    let sets_variable = words.first().is_some_and(|word| word.contains('='));
    if !sets_variable && !words.iter().any(|word| is_shell_syntax(word)) {
        return String::new();
    }
    "; no shell reads a command: write the line into a script run.sh, with `exec` before its last \
     command, and name \"sh run.sh\""
        .to_owned()
}

fn is_shell_syntax(word: &str) -> bool {
    matches!(word, "&&" | "||" | ";" | "|" | "cd") || word.starts_with('$')
}

/// If the first element of a list is a whole command line: how a list is written.
pub(super) fn list_hint(first: &str) -> String {
    let words: Vec<&str> = first.split_whitespace().collect();
    if words.len() <= 1 {
        return String::new();
    }
    format!("; in a list each word stands alone: {words:?}")
}

/// Names that programs have on other systems, and what they are called here.
const OTHER_NAMES: [(&str, &str); 4] =
    [("py", "python3"), ("python", "python3"), ("python2", "python3"), ("nodejs", "node")];

/// If a program that is missing has another name here, such as one without a version: that name.
pub(super) fn other_name_hint(name: &str, submission: Option<&Submission>) -> String {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let renamed = OTHER_NAMES.iter().find(|(known, _)| [name, plain].contains(known));
    let other = match renamed {
        Some((_, other)) => *other,
        None if INTERPRETERS.iter().any(|(interpreter, _)| *interpreter == plain) => plain,
        None => return String::new(),
    };
    if other == name || find_in_path(other, submission).is_none() {
        return String::new();
    }
    format!("; here it is {other}")
}
