//! The folder of a stranger: which of its links arbiter follows.
//!
//! Links that arbiter itself follows for a submission (its folder, `bot.toml`, its program, what its command names) lead to
//! files of the submission, or it does not play. A program may also be the organiser's, as in a virtual environment of
//! Python: then it is one of the system or of an installation that the organiser has in PATH. What other links lead to is
//! the sandbox's business. Reasons quote what the stranger wrote, and nothing of what lies outside.

use super::links::{self, Exit, Way, walk};
use super::read_paths::{SETTINGS, made_from, organisers};
use super::{Program, Purpose};
use crate::config::manifest::Trust;
use crate::text::printable;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How much of a file is read that says how something is started.
const MOST_BYTES: u64 = 64 * 1024;
/// Bytes of a stranger's path that are quoted.
const QUOTED: usize = 200;

/// A sub-folder of a `[[bots]]` folder, or the copy of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// As it is named.
    dir: PathBuf,
    /// Its true path.
    folder: PathBuf,
    /// Folders that hold nothing of the organiser's, wherever PATH leads: those of all submissions.
    strangers: Vec<PathBuf>,
    /// Whose words the command is.
    pub(super) words: Trust,
}

/// Where a path of a submission leads.
pub(super) enum Place {
    /// To this true path in it.
    Within(PathBuf),
    /// To this true path of the organiser's.
    Outside(PathBuf),
    /// Nowhere.
    Missing(io::Error),
}

impl Submission {
    /// The submission in a folder, of which nothing has been read yet.
    ///
    /// # Errors
    /// It is not a folder of its own.
    pub(super) fn of(dir: &Path) -> Result<Submission, String> {
        let name = dir.file_name().unwrap_or_default();
        let shown = printable(name.as_encoded_bytes(), QUOTED);
        let there = fs::symlink_metadata(dir).map_err(|error| format!("{shown}: {error}"))?;
        if !there.is_dir() {
            let what = if there.is_symlink() { "a symbolic link" } else { "a file" };
            return Err(format!("{shown} is {what}; a submission is a folder of its own"));
        }
        let above = true_parent(dir).map_err(|error| format!("{shown}: {error}"))?;
        let (dir, folder) = (dir.to_owned(), above.join(name));
        Ok(Submission { dir, folder, strangers: vec![above], words: Trust::Stranger })
    }

    /// The same submission in a copy, whose parent is there.
    pub(super) fn in_copy(&self, copy: &Path) -> io::Result<Submission> {
        let above = true_parent(copy)?;
        let folder = above.join(copy.file_name().unwrap_or_default());
        let strangers = [&self.strangers[..], &[above]].concat();
        Ok(Submission { dir: copy.to_owned(), folder, strangers, words: self.words })
    }

    /// Whether a path is of its folder, as it is written.
    pub(super) fn has(&self, path: &Path) -> bool {
        path.starts_with(&self.dir) || path.starts_with(&self.folder)
    }

    /// Whether what has this true path is the organiser's program.
    pub(super) fn is_organisers(&self, path: &Path) -> bool {
        !self.strangers.iter().any(|folder| path.starts_with(folder))
            && organisers().iter().any(|folder| path.starts_with(folder))
    }

    /// Whether a way leads from the submission to a program of the organiser's. The first place behind the submission says:
    /// where that is the organiser's, what it leads to is too. (A link of another submission, or one that lies in any other
    /// folder, may lead to a program of the system as well; what is around it is not the organiser's for that.)
    pub(super) fn leads_to_organisers(&self, way: &Way) -> bool {
        let Ok(end) = &way.end else { return false };
        let files = way.links.iter().filter(|link| link.last).map(|link| &link.at).chain([end]);
        let first = files.into_iter().find(|place| !self.has(place));
        first.is_some_and(|place| self.is_organisers(place))
    }

    fn way(&self, path: &Path) -> Way {
        walk(&self.folder, path.strip_prefix(&self.dir).unwrap_or(path))
    }

    /// Where a path leads that the command names, or the first line of its script.
    ///
    /// # Errors
    /// It leads out of the submission: to nothing of the organiser's, whether there is something or not.
    pub(super) fn place(&self, path: &Path) -> Result<Place, String> {
        let way = self.way(path);
        match way.exit {
            Some(Exit::Text) if self.words == Trust::Own => {
                Ok(way.end.map_or_else(Place::Missing, Place::Outside))
            }
            Some(_) if self.leads_to_organisers(&way) => {
                Ok(way.end.map_or_else(Place::Missing, Place::Outside))
            }
            Some(Exit::Text) => Err(format!(
                "{} is neither in the submission nor a program of the system or of PATH",
                self.shown(path)
            )),
            Some(Exit::Link(number)) => {
                let link = &way.links[number];
                let target = printable(link.target.as_os_str().as_encoded_bytes(), QUOTED);
                Err(format!(
                    "{} is a symbolic link that leads out of the submission ({target}); put the file itself there",
                    self.shown(&link.at)
                ))
            }
            None => Ok(way.end.map_or_else(Place::Missing, Place::Within)),
        }
    }

    /// A path as its author sees it.
    fn shown(&self, path: &Path) -> String {
        let below = path.strip_prefix(&self.dir).or_else(|_| path.strip_prefix(&self.folder));
        printable(below.unwrap_or(path).as_os_str().as_encoded_bytes(), QUOTED)
    }

    /// That what its command names leads where it may.
    ///
    /// # Errors
    /// What does not, and why.
    pub(super) fn admit(&self, program: &Program) -> Result<(), String> {
        if !program.access.from_path {
            self.place(&program.command)?;
        }
        self.named(program).try_for_each(|path| self.place(&path).map(drop))
    }

    /// What the arguments of a program name in its folder, or from there.
    fn named(&self, program: &Program) -> impl Iterator<Item = PathBuf> {
        let words = program.arguments.iter().filter_map(|word| word.to_str());
        let parts = words.flat_map(|word| word.split([':', '=']).chain([word])).map(Path::new);
        let of_it = |part: &&Path| part.is_relative() || self.has(part);
        parts.filter(of_it).map(|part| program.dir.join(part))
    }

    /// What its command leads to of the organiser's.
    pub(super) fn outside(&self, program: &Program) -> Vec<PathBuf> {
        let words = self.named(program).filter(|_| program.access.purpose == Purpose::Play);
        let is_outside = |path: &PathBuf| matches!(self.place(path), Ok(Place::Outside(_)));
        let words = words.filter(is_outside);
        let by_path = program.access.from_path;
        let command = Some(program.command.clone()).filter(|path| by_path || is_outside(path));
        command.into_iter().chain(words).collect()
    }

    /// The organiser's folder of programs that a virtual environment in it was made from, to which this true path belongs.
    pub(super) fn made_from(&self, program: &Path) -> Option<PathBuf> {
        let root = program.parent()?.parent()?.strip_prefix(&self.folder).ok()?;
        let settings = self.read(root.join(SETTINGS)).ok()??;
        let home = fs::canonicalize(made_from(&settings)?).ok()?;
        self.is_organisers(&home).then_some(home)
    }

    /// Opens a regular file to which a path of it leads.
    pub(super) fn open(&self, path: &Path) -> io::Result<File> {
        match self.place(path).map_err(io::Error::other)? {
            Place::Within(path) => links::open_within(&self.folder, &path),
            Place::Outside(end) => links::open(&end),
            Place::Missing(error) => Err(error),
        }
    }

    /// What a file in its folder says; nothing if there is no such name.
    ///
    /// # Errors
    /// It is no regular file of text, or leads out of the submission.
    pub(super) fn read(&self, name: impl AsRef<Path>) -> Result<Option<String>, String> {
        let path = self.dir.join(name);
        let name = self.shown(&path);
        if fs::symlink_metadata(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Ok(None);
        }
        let text = match self.place(&path)? {
            Place::Within(end) => links::open_within(&self.folder, &end).and_then(only_here).and_then(text),
            Place::Outside(_) => {
                return Err(format!("{name} is not in the submission; put the file itself there"));
            }
            Place::Missing(error) => Err(error),
        };
        text.map(Some).map_err(|error| format!("{name}: {error}"))
    }
}

/// What a file says that is somebody's own: links are followed.
pub(super) fn read(path: &Path) -> io::Result<String> {
    links::open(path).and_then(text)
}

/// Opens a regular file that a program needs, without leaving its submission if it has one.
pub(super) fn open(path: &Path, submission: Option<&Submission>) -> io::Result<File> {
    match submission {
        Some(submission) => submission.open(path),
        None => links::open(path),
    }
}

/// A file without another name: that may be another user's file, and what is wrong in it is quoted.
fn only_here(file: File) -> io::Result<File> {
    match file.metadata()?.nlink() {
        0 | 1 => Ok(file),
        _ => Err(io::Error::other("it has another name as well (a hard link); put a copy there")),
    }
}

fn text(file: File) -> io::Result<String> {
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

fn true_parent(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path.parent().unwrap_or(Path::new("/")))
}
