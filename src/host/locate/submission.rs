//! A submission: the folder of a bot whose author is not trusted, and which links in it arbiter
//! follows (docs/reference/submissions.md, What a submission may be).
//!
//! A path that arbiter itself follows for a submission (its folder, `bot.toml`, its program, the
//! paths in its command) must lead to a file of the submission, or the bot does not play. The
//! program, and one that a wrapper such as `env` starts, may also be the organiser's, as in a
//! virtual environment of Python: one of the system, or one that the organiser has in PATH.
//! Arguments may not. Other links in the folder are left to the sandbox. Error messages quote what
//! the author wrote, and nothing that lies outside of the submission.
//!
//! The same holds under `strict` for a folder that the user names as a BOT, unless the user trusts
//! it: its `bot.toml` may be the work of another person.

use super::installation::{PYVENV_SETTINGS, is_installed, is_system, pyvenv_base};
use super::links::{LeftBy, Resolution, resolve_from};
use super::open::open_regular_within;
use super::text_file::read_text;
use crate::files;
use arbiter_rules::text::printable;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Bytes of a path of the submission that an error message quotes at most.
const QUOTED: usize = 200;

/// Who wrote a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// The author of a submission, who is not trusted.
    Stranger,
    /// The user or organiser.
    Own,
}

/// Where the folder of a submission comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SubmissionOrigin {
    /// It is a sub-folder of a `[[bots]]` folder, or a copy of one.
    Submitted,
    /// The user named it as a BOT.
    Named,
}

/// A sub-folder of a `[[bots]]` folder, a copy of one, or a folder that the user named as a BOT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The folder as it was named, or the one in it that has everything.
    dir: PathBuf,
    /// Its canonical path.
    folder: PathBuf,
    /// The folders of all submissions: nothing below them counts as the organiser's, even if it is
    /// in PATH.
    untrusted: Vec<PathBuf>,
    /// Who wrote the command.
    pub(super) command_by: Trust,
    origin: SubmissionOrigin,
}

/// Where a path of a submission leads.
pub(super) enum Location {
    /// To this canonical path in the submission.
    Inside(PathBuf),
    /// To this canonical path of the organiser's.
    Outside(PathBuf),
    /// To nothing: the error of the system.
    Missing(io::Error),
}

impl Submission {
    /// The submission in a folder; its files are not read yet.
    ///
    /// # Errors
    /// The path is no folder, but a link or a file.
    pub(super) fn new(dir: &Path) -> Result<Submission, String> {
        let name = dir.file_name().unwrap_or_default();
        let shown = printable(name.as_encoded_bytes(), QUOTED);
        let there = fs::symlink_metadata(dir).map_err(|error| format!("{shown}: {error}"))?;
        if !there.is_dir() {
            let what = if there.is_symlink() { "a symbolic link" } else { "a file" };
            return Err(format!("{shown} is {what}; a submission is a folder of its own"));
        }
        let above = canonical_parent(dir).map_err(|error| format!("{shown}: {error}"))?;
        Ok(Submission {
            dir: dir.to_owned(),
            folder: above.join(name),
            untrusted: vec![above],
            command_by: Trust::Stranger,
            origin: SubmissionOrigin::Submitted,
        })
    }

    /// The same submission in a folder in its folder, as [`entered`](super::entered) returns it.
    pub(super) fn within(&self, inner: &Path) -> Submission {
        let below = inner.strip_prefix(&self.dir).unwrap_or(Path::new(""));
        Submission { dir: inner.to_owned(), folder: self.folder.join(below), ..self.clone() }
    }

    /// The folder above, which is that of all submissions and canonical, and the path of this one
    /// from there.
    pub(super) fn opened_from(&self) -> (&Path, &Path) {
        let above = self.untrusted.iter().find(|above| self.folder.starts_with(above));
        let above = above.unwrap_or(&self.folder);
        (above, self.folder.strip_prefix(above).unwrap_or(Path::new("")))
    }

    /// The folder of a BOT that the user named by an absolute path, which may lead through links.
    ///
    /// # Errors
    /// There is no such folder.
    pub(super) fn named(dir: &Path) -> io::Result<Submission> {
        let folder = fs::canonicalize(dir)?;
        Ok(Submission {
            dir: dir.to_owned(),
            untrusted: vec![folder.clone()],
            folder,
            command_by: Trust::Stranger,
            origin: SubmissionOrigin::Named,
        })
    }

    /// Whether it comes from a `[[bots]]` folder.
    pub fn is_submitted(&self) -> bool {
        self.origin == SubmissionOrigin::Submitted
    }

    /// The same submission in a copy. The folder above the copy must exist, the copy need not.
    pub(super) fn in_copy(&self, copy: &Path) -> io::Result<Submission> {
        let above = canonical_parent(copy)?;
        let folder = above.join(copy.file_name().unwrap_or_default());
        let mut moved = Submission { dir: copy.to_owned(), folder, ..self.clone() };
        moved.untrusted.push(above);
        Ok(moved)
    }

    /// Whether a path lies in the folder as text, without following links.
    pub(super) fn contains(&self, path: &Path) -> bool {
        path.starts_with(&self.dir) || path.starts_with(&self.folder)
    }

    /// The folders of submissions, with canonical paths: this one's, and the one that contains the
    /// others.
    pub(super) fn untrusted(&self) -> &[PathBuf] {
        &self.untrusted
    }

    /// Whether a folder of PATH is searched for this submission: it is not relative, so that it is
    /// the same for all bots, and belongs to no other submission.
    pub(super) fn may_search(&self, folder: &Path) -> bool {
        if !folder.is_absolute() {
            return false;
        }
        let is_strangers = self.is_untrusted(folder)
            || fs::canonicalize(folder).is_ok_and(|end| self.is_untrusted(&end));
        !is_strangers || self.contains(folder)
    }

    /// Whether a path lies in the folder of any submission.
    fn is_untrusted(&self, path: &Path) -> bool {
        self.untrusted.iter().any(|folder| path.starts_with(folder))
    }

    /// Whether a canonical path is a program that the organiser has installed.
    fn is_organisers(&self, path: &Path) -> bool {
        !self.is_untrusted(path) && is_installed(path)
    }

    /// Whether a path leads from the submission to a program of the organiser's. The first path
    /// outside of the submission decides: if it is the organiser's, so is what it leads to. A link
    /// of another submission, or in any other folder, may lead to a program of the system as well,
    /// and does not make the folders around it the organiser's.
    fn leads_to_organisers(&self, path: &Resolution) -> bool {
        let Ok(end) = &path.end else { return false };
        for link in &path.links {
            if link.last && !self.contains(&link.at) {
                return self.is_organisers(&link.at);
            }
        }
        !self.contains(end) && self.is_organisers(end)
    }

    /// Resolves a path that lies in the submission or leads out of it.
    pub(super) fn resolve(&self, path: &Path) -> Resolution {
        resolve_from(&self.folder, path.strip_prefix(&self.dir).unwrap_or(path))
    }

    /// Whether a path that leads out of the submission may be that of a program.
    pub(super) fn may_run(&self, found: &Resolution) -> bool {
        let by_organiser = self.command_by == Trust::Own && found.left_by == Some(LeftBy::Path);
        by_organiser || self.leads_to_organisers(found)
    }

    /// Where the path of a program leads: that of the command, or in the first line of its script.
    ///
    /// # Errors
    /// It leads out of the submission and not to a program of the organiser's. The message is the
    /// same whether there is a file or not.
    pub(super) fn locate(&self, path: &Path) -> Result<Location, String> {
        let found = self.resolve(path);
        let allowed = self.may_run(&found);
        let what = "is neither in the NOUN nor a program of the system or of PATH";
        self.place(path, found, allowed, what)
    }

    /// Where a path in an argument of the command leads.
    ///
    /// # Errors
    /// A stranger's path leads out of the submission, or any link by which it does so leads to no
    /// file of the system.
    pub(super) fn locate_argument(&self, path: &Path) -> Result<Location, String> {
        let found = self.resolve(path);
        let allowed = match found.left_by {
            // The words of the command decide, and only the organiser's may name what is outside.
            Some(LeftBy::Path) => self.command_by == Trust::Own,
            // A link in the folder is its author's, whoever wrote the command.
            _ => found.end.as_ref().is_ok_and(|end| is_system(end)),
        };
        let what = "is not in the NOUN, where the files of its arguments must be";
        self.place(path, found, allowed, what)
    }

    /// Where a resolved path leads. If it leads outside and that is not allowed, `what` says why.
    fn place(
        &self,
        path: &Path,
        found: Resolution,
        allowed: bool,
        what: &str,
    ) -> Result<Location, String> {
        let noun = self.noun();
        let remedy = self.remedy();
        match found.left_by {
            None => Ok(found.end.map_or_else(Location::Missing, Location::Inside)),
            Some(_) if allowed => Ok(found.end.map_or_else(Location::Missing, Location::Outside)),
            Some(LeftBy::Path) => {
                Err(format!("{} {}{remedy}", self.shown(path), what.replace("NOUN", noun)))
            }
            Some(LeftBy::Link(index)) => {
                let link = &found.links[index];
                let target = printable(link.target.as_os_str().as_encoded_bytes(), QUOTED);
                Err(format!(
                    "{} is a symbolic link that leads out of the {noun} ({target}); \
                     put the file itself there{remedy}",
                    self.shown(&link.at)
                ))
            }
        }
    }

    /// What an error message calls it.
    fn noun(&self) -> &'static str {
        if self.is_submitted() { "submission" } else { "bot's folder" }
    }

    /// The end of an error message: what the user can do.
    fn remedy(&self) -> &'static str {
        if self.is_submitted() {
            return "";
        }
        "; if you trust its bot.toml, give --trust, or in a tournament write its command into the \
         configuration"
    }

    /// A path for an error message: relative to the submission if it lies there.
    fn shown(&self, path: &Path) -> String {
        let below = path.strip_prefix(&self.dir).or_else(|_| path.strip_prefix(&self.folder));
        printable(below.unwrap_or(path).as_os_str().as_encoded_bytes(), QUOTED)
    }

    /// The paths in the arguments of a command that runs in `dir`, which are relative or lie in the
    /// submission. The parts of an argument between `:` and `=` count too, as in `-cp=a:b`.
    pub(super) fn paths_in(&self, arguments: &[String], dir: &Path) -> Vec<PathBuf> {
        let mut paths = Vec::new();
        for word in arguments {
            for part in word.split([':', '=']).chain([&**word]).map(Path::new) {
                if part.is_relative() || self.contains(part) {
                    paths.push(dir.join(part));
                }
            }
        }
        paths
    }

    /// The organiser's folder of programs from which the virtual environment was made that this
    /// canonical path belongs to.
    pub(super) fn pyvenv_base(&self, program: &Path) -> Option<PathBuf> {
        let root = program.parent()?.parent()?.strip_prefix(&self.folder).ok()?;
        let settings = self.read(root.join(PYVENV_SETTINGS)).ok()??;
        let home = fs::canonicalize(pyvenv_base(&settings)?).ok()?;
        self.is_organisers(&home.join("python")).then_some(home)
    }

    /// Opens the regular file that a path of the command leads to.
    pub(super) fn open(&self, path: &Path) -> io::Result<File> {
        match self.locate(path).map_err(io::Error::other)? {
            Location::Inside(path) => open_regular_within(self.opened_from().0, &path),
            Location::Outside(end) => files::open(&end),
            Location::Missing(error) => Err(error),
        }
    }

    /// The content of a file of the submission, 64 KiB at most; `None` if there is no file or link
    /// of this name.
    ///
    /// # Errors
    /// It is no regular file, is longer, is not UTF-8, leads out of the submission, or is a hard
    /// link.
    pub(super) fn read(&self, name: impl AsRef<Path>) -> Result<Option<String>, String> {
        let path = self.dir.join(name);
        let shown = self.shown(&path);
        if fs::symlink_metadata(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Ok(None);
        }
        let text = match self.locate(&path)? {
            // Opened without following links: one may have been put in its way since.
            Location::Inside(end) => open_regular_within(self.opened_from().0, &end)
                .and_then(not_hard_linked)
                .and_then(read_text),
            Location::Outside(_) => {
                return Err(format!(
                    "{shown} is not in the {}; put the file itself there",
                    self.noun()
                ));
            }
            Location::Missing(error) => Err(error),
        };
        text.map(Some).map_err(|error| format!("{shown}: {error}"))
    }
}

/// Opens a regular file of a program, and of a submission only where [`Submission::open`] allows
/// it.
pub(super) fn open(path: &Path, submission: Option<&Submission>) -> io::Result<File> {
    match submission {
        Some(submission) => submission.open(path),
        None => files::open(path),
    }
}

/// Refuses a file with a second hard link: it may be another user's file, and error messages quote
/// its content.
fn not_hard_linked(file: File) -> io::Result<File> {
    if file.metadata()?.nlink() > 1 {
        let why = "it has another name as well (a hard link); put a copy there";
        return Err(io::Error::other(why));
    }
    Ok(file)
}

fn canonical_parent(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path.parent().unwrap_or(Path::new("/")))
}
