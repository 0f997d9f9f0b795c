//! Finds the submissions, and in each the files that the assignment asks for.

use super::reader::{SourceFacts, SourcesQuestion};
use anyhow::{Context, bail};
use arbiter_ground::output::complain;
use arbiter_host::locate::{Beside, copy_folder, entered, is_leftover};
use arbiter_rules::text::{counted, printable};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The most bytes of a file of a submission.
const LARGEST: u64 = 4 << 20;
/// The most bytes of all files of a submission that are read.
const LARGEST_TOGETHER: u64 = 16 << 20;
/// The most characters of a name that are shown.
const SHOWN: usize = 200;
/// Extensions of files that a source may include.
const HEADERS: [&str; 11] = ["h", "hpp", "hh", "hxx", "inc", "inl", "ipp", "cpp", "cc", "cxx", "c"];
/// Extensions of archives, which are not unpacked.
const ARCHIVES: [&str; 6] = ["zip", "rar", "7z", "gz", "tar", "tgz"];
/// Maximum number of files that are considered in place of a missing one.
const CANDIDATES: usize = 8;
/// Maximum number of other files that are named if one is missing.
const NAMED: usize = 5;

/// A submission: a file or a folder.
#[derive(Debug, Clone)]
pub(super) struct Submission {
    /// Its name on pages.
    pub name: String,
    pub path: PathBuf,
}

/// The submissions that were named, and those of a class, sorted by name. The folder of the pages,
/// `out`, is none.
///
/// # Errors
/// One of them is not there, two have one name, there is none, or the pages go into the folder of
/// the class itself.
pub(super) fn find(
    named: &[PathBuf],
    class: Option<&Path>,
    out: Option<&Path>,
) -> anyhow::Result<Vec<Submission>> {
    let mut paths = named.to_vec();
    if let Some(class) = class {
        // `out` may not be there yet, and may have another name for the same folder.
        let out = out.and_then(|out| out.canonicalize().ok());
        if out.is_some() && class.canonicalize().ok() == out {
            bail!(
                "--out and --class are one folder, so pages would be taken for submissions; name \
                 another for --out"
            );
        }
        let of_class = submissions_in(class, out.as_deref())
            .with_context(|| format!("--class {}", class.display()))?;
        paths.extend(of_class);
        if paths.is_empty() {
            bail!("{}: there is no submission in this folder", class.display());
        }
    }
    let mut found = Vec::new();
    for path in &paths {
        let there = fs::metadata(path).with_context(|| path.display().to_string())?;
        if !there.is_dir() && !there.is_file() {
            bail!("{}: a submission is a file or a folder", path.display());
        }
        let name = short_name(path);
        // Files of equal names are told apart by their folders.
        let is_double = paths.iter().filter(|other| short_name(other) == name).count() > 1;
        let name = match path.canonicalize().ok().as_deref().and_then(Path::parent) {
            Some(parent) if is_double => format!("{}-{name}", last_part(parent)),
            _ => name,
        };
        found.push(Submission { name, path: path.clone() });
    }
    // Two such folders may have the same name, too.
    found.sort_by(|one, other| one.name.cmp(&other.name));
    if let Some(pair) = found.windows(2).find(|pair| pair[0].name == pair[1].name) {
        bail!(
            "{} and {} are both called {}; name one of them otherwise",
            pair[0].path.display(),
            pair[1].path.display(),
            pair[0].name
        );
    }
    Ok(found)
}

/// The files and folders in a folder of submissions, except leftovers and the folder of the pages.
fn submissions_in(class: &Path, out: Option<&Path>) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(class)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_left_out =
            name.starts_with(b".") || !kind.is_symlink() && is_leftover(name, kind.is_dir());
        if is_left_out || out.is_some() && entry.path().canonicalize().ok().as_deref() == out {
            continue;
        }
        if kind.is_dir() || kind.is_file() {
            paths.push(entry.path());
        } else {
            let what = if kind.is_symlink() { "a symbolic link" } else { "no file and no folder" };
            complain(format_args!("{} is {what}, and is left out", shown(&entry.path())));
        }
    }
    Ok(paths)
}

fn shown(path: &Path) -> String {
    printable(path.as_os_str().as_encoded_bytes(), SHOWN)
}

/// The last part of a path; that of `.` is the name of the working directory.
fn short_name(path: &Path) -> String {
    match path.canonicalize() {
        Ok(full) => last_part(&full),
        Err(_) => last_part(path),
    }
}

/// The last part of a path as it is written.
fn last_part(path: &Path) -> String {
    printable(path.file_name().unwrap_or_default().as_encoded_bytes(), SHOWN)
}

/// The files of a submission.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// The folder of the copy, in which the files lie.
    pub folder: PathBuf,
    /// The files of the assignment: from its name for each to the name in the submission.
    pub sources: BTreeMap<String, String>,
    /// The names of further files that sources may include.
    pub headers: Vec<String>,
    /// The size of all of these in bytes.
    pub bytes: u64,
    /// The files of the assignment that were not found under their names.
    pub missing: Vec<String>,
    /// Files with the extensions of these, which may be meant.
    pub candidates: Vec<String>,
    /// Files that are not used.
    pub others: Vec<String>,
    /// Which files were taken for those of the assignment under other names.
    pub renamed: Vec<String>,
    /// The files of the course that were handed in with changes, with the names that they have.
    pub own_headers: BTreeMap<String, String>,
    pub remarks: Vec<String>,
}

impl Files {
    /// The question about them, to which further questions are added.
    pub fn question(&self) -> SourcesQuestion {
        SourcesQuestion {
            sources: self.sources.values().cloned().collect(),
            headers: self.headers.clone(),
            bytes: self.bytes,
            ..SourcesQuestion::default()
        }
    }

    /// The same about the files that may be one of the assignment.
    pub fn candidates_question(&self) -> SourcesQuestion {
        SourcesQuestion {
            sources: self.candidates.clone(),
            bytes: LARGEST,
            ..SourcesQuestion::default()
        }
    }

    /// The name in the submission of a file that has this name where it is compiled.
    pub fn handed_in(&self, name: &str) -> Option<&String> {
        self.sources.get(name).or_else(|| self.headers.iter().find(|header| *header == name))
    }

    /// The note that a file is missing, with the names of others.
    pub fn not_handed_in(&self, name: &str) -> String {
        let mut there = Vec::new();
        for other in self.others.iter().take(NAMED) {
            let shown = printable(other.as_bytes(), SHOWN);
            if ARCHIVES.contains(&&*extension(other)) {
                there.push(format!("{shown} (an archive is not unpacked)"));
            } else {
                there.push(shown);
            }
        }
        match &there[..] {
            [] => format!("{name} was not handed in"),
            there => format!("{name} was not handed in; what is there: {}", there.join(", ")),
        }
    }

    /// Takes a file for one of the assignment; its author should know if that has another name.
    fn take_as(&mut self, name: &str, file: &str) {
        if name != file {
            self.renamed.push(format!("{file} was taken for {name}; hand it in under that name"));
        }
        self.take(name, file);
    }

    /// Takes a file of the submission for one of the assignment.
    pub fn take(&mut self, name: &str, file: &str) {
        match read(&self.folder.join(file)) {
            Ok(content) if content.trim_ascii().is_empty() => {
                self.remarks.push(format!("{file} is empty"));
            }
            Ok(content) => {
                self.bytes += content.len() as u64;
                self.sources.insert(name.to_owned(), file.to_owned());
            }
            Err(error) => self.remarks.push(format!("{file} cannot be read: {error}")),
        }
    }

    /// Sorts the files that are none of the assignment: those that a source may include, and
    /// others.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn add_headers(&mut self, there: Vec<String>) -> io::Result<()> {
        let mut left_out = 0;
        for name in there {
            if !HEADERS.contains(&&*extension(&name)) {
                self.others.push(name);
                continue;
            }
            if !self.missing.is_empty() {
                self.others.push(name.clone());
            }
            // Files may have holes, so that hundreds of large ones take no room on a disk.
            let bytes = fs::symlink_metadata(self.folder.join(&name))?.len();
            if bytes > LARGEST || self.bytes + bytes > LARGEST_TOGETHER {
                left_out += 1;
                continue;
            }
            self.bytes += bytes;
            self.headers.push(name);
        }
        if left_out > 0 {
            self.remarks.push(format!(
                "{} left out: a file may have {} MiB, and all together {} MiB",
                if left_out == 1 {
                    "1 header was".to_owned()
                } else {
                    format!("{left_out} headers were")
                },
                LARGEST >> 20,
                LARGEST_TOGETHER >> 20
            ));
        }
        Ok(())
    }
}

/// Which of several files is taken for one of the assignment, and why. Each comes with what its
/// source says; `asked` are the functions that are asked for there. If only one file is missing
/// (`is_only`), the one that includes another is the whole program.
pub(super) fn chosen(
    name: &str,
    candidates: &[(&str, &SourceFacts)],
    is_only: bool,
    asked: &[String],
) -> Option<(String, String)> {
    let mut ranked = Vec::new();
    for &(file, facts) in candidates {
        let mut count = 0;
        for function in asked {
            // A member of a class is asked for by its own name.
            let mut defined = facts.defines.iter().map(|found| last_name(found));
            count += usize::from(defined.any(|found| found == function));
        }
        let includes_another = is_only
            && candidates.iter().any(|(other, _)| facts.included.iter().any(|it| it == other));
        ranked.push((includes_another, count, file));
    }
    ranked.sort();
    let (includes_another, count, file) = ranked.pop()?;
    if count == 0 && !includes_another {
        return None;
    }
    let others: Vec<String> =
        ranked.iter().map(|(_, _, other)| printable(other.as_bytes(), SHOWN)).collect();
    let others = others.join(" and ");
    let why = if includes_another {
        format!("it includes another of them, unlike {others}")
    } else if ranked.iter().any(|(_, other, _)| *other == count) {
        format!("it defines as much of what is asked for as {others}, and is the last by name")
    } else {
        let functions = counted(count as u64, "function");
        let than = if others.is_empty() { others } else { format!(", more than {others}") };
        format!("it defines {functions} that the assignment asks for{than}")
    };
    let shown = printable(file.as_bytes(), SHOWN);
    Some((file.to_owned(), format!("{shown} was taken for {name}: {why}")))
}

/// The name of a function; of a member without its class.
pub(super) fn last_name(whole: &str) -> &str {
    whole.rsplit("::").next().unwrap_or_default()
}

/// Copies a submission to a path that does not exist yet, and finds the files of these names in it.
///
/// # Errors
/// It cannot be copied.
pub(super) fn copied(
    from: &Path,
    to: &Path,
    names: &[String],
    provided: &[(String, Vec<u8>)],
) -> io::Result<Files> {
    if fs::metadata(from)?.is_dir() {
        copy_folder(&fs::canonicalize(from)?, to)?;
    } else {
        make_readable(to)?;
        let content = read(&fs::canonicalize(from)?)?;
        write_readable(&to.join(from.file_name().unwrap_or_default()), content)?;
    }
    // 1. The folder that is meant: an archive often has everything in a folder of its own.
    let folder = entered(to, Beside::Files, |folder| has_fitting_file(folder, names));
    let mut there = regular_files(&folder)?;
    let mut files = Files { folder: folder.clone(), ..Files::default() };
    // 2. The files that the course provides: the originals are used in their place.
    for (name, content) in provided {
        // In all spellings: one that stayed could take the place of the file of the course.
        let (own, others): (Vec<String>, Vec<String>) =
            there.into_iter().partition(|file| file.eq_ignore_ascii_case(name));
        there = others;
        let exact = own.iter().find(|file| *file == name);
        let Some(other) = exact.or(own.first()) else { continue };
        let Ok(text) = read(&folder.join(other)) else { continue };
        if lines(&text) != lines(content) {
            files
                .remarks
                .push(format!("{other} differs from the file of the course, which was used"));
            files.bytes += text.len() as u64;
            files.own_headers.insert(name.clone(), other.clone());
        }
    }
    // 3. The files of the assignment by their names.
    let mut picked: BTreeMap<&String, String> = BTreeMap::new();
    // Exact names first: a file of another spelling must not be taken in place of one of them.
    let same: [fn(&str, &str) -> bool; 2] = [str::eq, str::eq_ignore_ascii_case];
    for is_same in same {
        for name in names.iter() {
            if let Some(at) = there.iter().position(|other| is_same(other, name))
                && !picked.contains_key(name)
            {
                picked.insert(name, there.remove(at));
            }
        }
    }
    for (name, file) in &picked {
        files.take_as(name, file);
    }
    // 4. What is missing, and which other files may be it.
    let mut missing = names.to_vec();
    missing.retain(|name| !picked.contains_key(name));
    let mut fitting = there.clone();
    fitting.retain(|file| missing.iter().any(|name| extension(file) == extension(name)));
    fitting.truncate(CANDIDATES);
    // What is left for the only one that is missing needs no look into its content.
    if let ([name], [file]) = (&missing[..], &fitting[..]) {
        files.take_as(name, file);
        there.retain(|other| other != file);
    } else {
        files.missing = missing;
        files.candidates = fitting;
    }
    for name in &files.missing {
        if let Ok(other) = fs::symlink_metadata(folder.join(name)) {
            let what = if other.is_symlink() { "a symbolic link" } else { "no regular file" };
            files.remarks.push(format!("{name} is {what}, and was not taken"));
        }
    }
    // 5. The rest, because sources may include some of it.
    files.add_headers(there)?;
    Ok(files)
}

/// Whether a file in a folder has the extension of one of these names.
fn has_fitting_file(folder: &Path, names: &[String]) -> bool {
    let there = regular_files(folder).unwrap_or_default();
    there.iter().any(|file| names.iter().any(|name| extension(name) == extension(file)))
}

/// The names of the files in a folder, sorted; links and names that are no text are left out.
fn regular_files(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            names.extend(entry.file_name().into_string());
        }
    }
    names.sort();
    Ok(names)
}

/// The extension of a name, in small letters.
fn extension(name: &str) -> String {
    Path::new(name).extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase()
}

/// The lines of a file without its kind of line ends.
fn lines(content: &[u8]) -> Vec<&[u8]> {
    content.trim_ascii_end().split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).collect()
}

/// The content of a file, which is no link.
///
/// # Errors
/// It cannot be read, or has more bytes than a file of a submission may have.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    // A link in the copy may lead anywhere, and a named pipe would never be opened.
    let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits();
    let file: File = OpenOptions::new().read(true).custom_flags(flags.cast_signed()).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut content = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut content)?;
    if content.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("it has more than {} MiB", LARGEST >> 20)));
    }
    Ok(content)
}

/// Makes a folder that programs under another user id can read, whatever the umask.
///
/// # Errors
/// It cannot be made, or is there already.
pub fn make_readable(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)?;
    fs::set_permissions(folder, Permissions::from_mode(0o755))
}

/// Writes a file that programs under another user id can read.
///
/// # Errors
/// It cannot be written.
pub fn write_readable(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    fs::write(path, content)?;
    fs::set_permissions(path, Permissions::from_mode(0o644))
}
