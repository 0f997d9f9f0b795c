//! The content of a bot: which files belong to it, and their digests
//! (docs/reference/submissions.md, What belongs to a bot).
//!
//! The files that its command and `read` name always belong to it. All that lies in its folder
//! belongs to it if the configuration, a `bot.toml` or a `[[bots]]` folder says that the folder is
//! the bot's. Of a link in a folder, its text is the content; a link that is the program itself is
//! followed.

use super::access::FolderAccess;
use super::bounds::{LIMIT, SubmissionSize};
use super::installation::is_system;
use super::leftovers::{VIRTUAL_ENVIRONMENT, is_leftover};
use super::open::{open_file, open_folder};
use super::program::{InstalledAdapter, Program, ProgramError};
use super::submission;
use super::walk::walk;
use crate::files::identity;
use arbiter_game::content::{BUILTIN_VERSION, Content, ContentFile, hex, sha256};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::{CWD, FileType, Mode, OFlags, Stat, openat, readlinkat};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, OsStr};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Patterns of files that do not belong to the organiser's own bots beside leftovers: caches of
/// interpreters, copies that editors make, and logs. A stranger could hide a program under these
/// names.
const LEFT_OUT_OF_OWN: [&str; 3] = ["*.pyc", "*~", "*.log"];
/// The digest of a file that cannot be read.
const UNREADABLE: &str = "unreadable";

/// What belongs to a bot beside the rules that hold for all.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContentRules<'a> {
    /// Patterns of exactly the files that belong to it, in the syntax of .gitignore; `None` for the
    /// usual rules.
    pub patterns: Option<&'a [String]>,
    /// Files and folders of the organiser that may lie in the bot's folder, such as the result
    /// folder.
    pub organisers: &'a [PathBuf],
}

/// The content of a bot with the state of its files, so that a change can be noticed.
#[derive(Debug, Clone, Default)]
pub struct FoundContent {
    pub content: Content,
    /// Regular files by name.
    files: BTreeMap<String, FoundFile>,
}

/// A regular file of a bot, as it was when it was read.
#[derive(Debug, Clone)]
struct FoundFile {
    /// Absolute.
    path: PathBuf,
    stamp: Stamp,
    sha256: String,
}

/// What changes when a file is written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    mode: u32,
    modified: (i64, i64),
    // A bot can set the time of a modification back, and not that of the change of its inode.
    changed: (i64, i64),
}

impl Stamp {
    fn new(meta: &Metadata) -> Stamp {
        Stamp {
            device: meta.dev(),
            inode: meta.ino(),
            size: meta.size(),
            mode: meta.mode(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        }
    }
}

impl Program {
    /// Reads the bot's content. Files that `earlier` has read and that were not touched since are
    /// not read again.
    ///
    /// # Errors
    /// A pattern is wrong, the folder cannot be listed, or a submission is too large.
    pub fn content(
        &self,
        rules: ContentRules<'_>,
        earlier: Option<&FoundContent>,
    ) -> Result<FoundContent, ProgramError> {
        if self.built_in {
            let mut content = self.without_files();
            content.command.push(format!("version {BUILTIN_VERSION}"));
            return Ok(FoundContent { content, files: BTreeMap::new() });
        }
        let mut reader = ContentReader {
            program: self,
            rules,
            earlier,
            found: BTreeMap::new(),
            used: SubmissionSize::default(),
        };
        reader.read()?;
        let mut content = self.without_files();
        let mut files = BTreeMap::new();
        for (name, (file, regular)) in reader.found {
            content.files.push(file);
            if let Some(regular) = regular {
                files.insert(name, regular);
            }
        }
        if self.access.is_submitted() {
            content = content.with_folded(environment_in);
        }
        Ok(FoundContent { content, files })
    }

    /// The content without files: command, build, environment, dialect and its table.
    fn without_files(&self) -> Content {
        let spec = &self.spec;
        Content {
            command: self.words.iter().map(|word| self.portable_word(word)).collect(),
            build: spec.build.clone(),
            env: spec.env.clone().into_iter().collect(),
            dialect: spec.dialect().word().to_owned(),
            adapter: self.adapter.as_ref().map(|InstalledAdapter { adapter, .. }| {
                format!("{} {}", adapter.name, sha256(adapter.text().as_bytes()))
            }),
            scratch: spec.scratch,
            console: spec.table().map(|table| table.text()),
            time: spec.time.map(|time| time.to_string()),
            files: Vec::new(),
        }
    }

    /// A word of the command, the same wherever the bot's folder lies: the path of an existing file
    /// in it, as the kernel or an interpreter would find it, becomes relative to the folder.
    fn portable_word(&self, word: &str) -> String {
        if self.own_file().is_some_and(|file| file.ends_with(word)) {
            return name_of(self.inside(&self.access.file));
        }
        let path = self.dir.join(word);
        let is_below = path.starts_with(&self.dir) && path != self.dir;
        if is_below && (path.exists() || self.is_to_be_built(&path)) {
            name_of(self.inside(&path))
        } else {
            word.to_owned()
        }
    }

    /// Whether this is the program that the build makes in the bot's own folder, where it is found
    /// from then on. A submission is built in a copy.
    fn is_to_be_built(&self, path: &Path) -> bool {
        self.spec.build.is_some() && !self.access.is_submitted() && self.own_file() == Some(path)
    }

    /// A path relative to the bot's folder, or as it is if it lies elsewhere.
    fn inside<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.dir).unwrap_or(path)
    }

    /// The file that is the bot; `None` if it is an interpreter that was looked up in PATH.
    fn own_file(&self) -> Option<&Path> {
        let file = &*self.access.file;
        let is_interpreter = self.access.from_path && file == self.command;
        (!is_interpreter).then_some(file)
    }

    /// The names of the files that are the bot's program.
    pub fn program_files(&self) -> [String; 2] {
        [&self.command, &self.access.file].map(|path| name_of(self.inside(path)))
    }

    /// Whether all that lies in the folder belongs to the bot.
    pub fn owns_folder(&self) -> bool {
        matches!(self.access.folder, FolderAccess::Folder(_))
    }
}

impl FoundContent {
    /// The names of files that a later reading has and this one has not.
    pub fn appeared_in(&self, later: &FoundContent) -> BTreeSet<String> {
        later.files.keys().filter(|name| !self.files.contains_key(*name)).cloned().collect()
    }

    /// Of the files of a later reading, those that are new or have another content, with their
    /// SHA-256.
    pub fn made_since(&self, later: &FoundContent) -> BTreeMap<String, Option<String>> {
        let mut made = BTreeMap::new();
        for (name, file) in &later.files {
            if self.files.get(name).is_none_or(|before| before.sha256 != file.sha256) {
                made.insert(name.clone(), Some(file.sha256.clone()));
            }
        }
        made
    }
}

/// Which files of a folder belong to a bot.
enum Filter {
    /// Those that match the organiser's patterns.
    Patterns(Gitignore),
    /// All of a submission except leftovers: what is no content is a place to hide a program.
    Submitted,
    /// Of the organiser's own bot also no hidden files, caches and logs.
    Own { left_out: Gitignore, ignored: Gitignore },
}

impl Filter {
    fn accepts(&self, path: &Path, is_dir: bool) -> bool {
        let name = path.file_name().unwrap_or_default().as_bytes();
        match self {
            Filter::Patterns(wanted) => {
                is_dir || wanted.matched_path_or_any_parents(path, false).is_ignore()
            }
            Filter::Submitted => !is_leftover(name, is_dir),
            Filter::Own { left_out, ignored } => {
                !is_leftover(name, is_dir)
                    && !name.starts_with(b".")
                    && !left_out.matched(path, is_dir).is_ignore()
                    && !ignored.matched(path, is_dir).is_ignore()
            }
        }
    }
}

/// A folder that is being read.
struct WalkedFolder {
    path: PathBuf,
    /// Whether nothing of the bot has been found in it.
    is_empty: bool,
}

/// Reads the files of one bot.
struct ContentReader<'a> {
    program: &'a Program,
    rules: ContentRules<'a>,
    earlier: Option<&'a FoundContent>,
    /// By name; with the state of regular files.
    found: BTreeMap<String, (ContentFile, Option<FoundFile>)>,
    used: SubmissionSize,
}

impl ContentReader<'_> {
    /// Reads everything that belongs to the bot. What was found in a step is not read again in a
    /// later one.
    fn read(&mut self) -> Result<(), String> {
        let Program { dir, access, .. } = self.program;
        if let Some(patterns) = self.rules.patterns {
            self.read_folder(dir, &Filter::Patterns(matcher(dir, patterns)?))?;
            if self.found.is_empty() {
                return Err(format!("digest: no file in {} matches", dir.display()));
            }
            return Ok(());
        }
        let filter = if access.is_submitted() {
            Filter::Submitted
        } else {
            let left_out = matcher(dir, &LEFT_OUT_OF_OWN)?;
            Filter::Own { left_out, ignored: Gitignore::new(dir.join(".gitignore")).0 }
        };
        // 1. The whole folder, if a configuration says that it is the bot's.
        if self.program.owns_folder() {
            self.read_folder(dir, &filter)?;
        }
        // 2. The files that the command names, which may lie in the folder of other bots.
        let mut named = Vec::new();
        for word in self.program.words.iter().skip(1) {
            named.extend(paths_in(word));
        }
        named.extend(self.program.own_file().map(Path::to_owned));
        let mut folders = Vec::new();
        for path in named {
            let path = dir.join(path);
            match fs::metadata(&path) {
                Ok(meta) if meta.is_file() => self.read_named(&path)?,
                Ok(meta) if meta.is_dir() => folders.push(path),
                _ => {}
            }
        }
        // 3. A command of PATH may name nothing but a folder, as `java -cp classes Bot` does.
        if self.found.is_empty() && access.from_path {
            for folder in folders {
                if !dir.starts_with(&folder) {
                    self.read_folder(&folder, &filter)?;
                }
            }
        }
        // 4. The program, unless it is an interpreter: that of the bot is among the files above.
        let command = &self.program.command;
        let is_interpreter =
            access.from_path || fs::canonicalize(command).is_ok_and(|path| is_system(&path));
        if self.found.is_empty() || !is_interpreter {
            self.read_named(command)?;
        }
        // 5. What the organiser lets it read.
        for path in &access.read {
            if path.is_dir() { self.read_folder(path, &filter)? } else { self.read_named(path)? }
        }
        Ok(())
    }

    /// Reads all files in a folder that the filter accepts.
    fn read_folder(&mut self, folder: &Path, filter: &Filter) -> Result<(), String> {
        self.walk_folder(folder, filter).map_err(|error| format!("{}: {error}", folder.display()))
    }

    fn walk_folder(&mut self, folder: &Path, filter: &Filter) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let top = openat(CWD, folder, flags, Mode::empty())?;
        let is_submitted = self.program.access.is_submitted();
        let most = is_submitted.then_some(LIMIT.files);
        let mut empty = Vec::new();
        walk(
            top,
            WalkedFolder { path: folder.to_owned(), is_empty: true },
            most,
            |at, inside, name, stat| self.visit(at, inside, name, stat, filter),
            |_, left| {
                if is_submitted && left.is_empty {
                    empty.push(std::mem::take(&mut left.path));
                }
                Ok(())
            },
        )?;
        // Empty folders are content of a submission: a program could be written in their names.
        for path in empty {
            self.count(&path, 0)?;
            let name = self.name(&path) + "/"; // not the name of a file
            let file = ContentFile::new(&name, false, format!("folder {}", sha256(b"[]")));
            self.found.insert(name, (file, None));
        }
        Ok(())
    }

    /// Reads an entry of a folder. Returns a folder that is to be walked through.
    fn visit(
        &mut self,
        at: &OwnedFd,
        inside: &mut WalkedFolder,
        name: &CString,
        stat: &Stat,
        filter: &Filter,
    ) -> io::Result<Option<WalkedFolder>> {
        let path = inside.path.join(OsStr::from_bytes(name.as_bytes()));
        let kind = FileType::from_raw_mode(stat.st_mode);
        if !filter.accepts(&path, kind == FileType::Directory) || self.is_anothers(&path, stat) {
            return Ok(None);
        }
        match kind {
            // Content as well, although nothing of it can be read.
            FileType::Directory if open_folder(at, name).is_err() => {
                self.count(&path, 0)?;
                self.record(&path, UNREADABLE.to_owned(), None);
            }
            FileType::Directory => {
                inside.is_empty = false;
                return Ok(Some(WalkedFolder { path, is_empty: true }));
            }
            FileType::RegularFile => {
                self.read_regular(&path, open_file(at, name))?;
            }
            FileType::Symlink => {
                self.count(&path, 0)?;
                let target = readlinkat(at, name, Vec::new())?;
                // Not the digest of a file with this text.
                self.record(&path, format!("link {}", sha256(target.as_bytes())), None);
            }
            _ => return Ok(None),
        }
        inside.is_empty = false;
        Ok(None)
    }

    /// Whether a path in the bot's folder belongs to another bot or to the organiser. Other
    /// tournaments may have their results there too, if the bot is the organiser's own.
    fn is_anothers(&self, path: &Path, stat: &Stat) -> bool {
        let access = &self.program.access;
        #[allow(
            clippy::unnecessary_cast,
            clippy::useless_conversion,
            reason = "the fields differ from system to system"
        )]
        let this = (stat.st_dev as u64, stat.st_ino as u64);
        for other in self.rules.organisers {
            if fs::metadata(other).is_ok_and(|meta| identity(&meta) == this) {
                return true;
            }
        }
        access.hidden.iter().any(|other| path == other)
            || (!access.is_submitted() && path.join("journal.jsonl").is_file())
    }

    /// Reads a file that the command or `read` names; if it is a link, what it leads to, of a
    /// submission only within it.
    fn read_named(&mut self, path: &Path) -> Result<(), String> {
        if self.found.get(&self.name(path)).is_some_and(|(_, regular)| regular.is_some()) {
            return Ok(());
        }
        let open = submission::open(path, self.program.access.submission.as_ref());
        self.read_regular(path, open).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Reads a regular file, as far as it can be opened. Its digest is taken over from the earlier
    /// reading if its stamp is the same.
    fn read_regular(&mut self, path: &Path, open: io::Result<File>) -> io::Result<()> {
        let Ok(file) = open else {
            self.count(path, 0)?;
            self.record(path, UNREADABLE.to_owned(), None);
            return Ok(());
        };
        let stamp = Stamp::new(&file.metadata()?);
        self.count(path, stamp.size)?;
        let sha256 = match self.earlier.and_then(|earlier| earlier.files.get(&self.name(path))) {
            Some(earlier) if earlier.path == path && earlier.stamp == stamp => {
                earlier.sha256.clone()
            }
            _ => sha256_of(file.take(stamp.size))?, // it may grow meanwhile
        };
        self.record(path, sha256, Some(stamp));
        Ok(())
    }

    /// Counts a file before it is read.
    fn count(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        if self.program.access.is_submitted() {
            self.used.add(bytes, self.program.inside(path).as_os_str().len())
        } else {
            Ok(())
        }
    }

    /// Records what was found at a path; a stamp is that of a regular file.
    fn record(&mut self, path: &Path, sha256: String, stamp: Option<Stamp>) {
        let name = self.name(path);
        let executable = stamp.is_some_and(|stamp| stamp.mode & 0o100 != 0);
        let file = ContentFile::new(&name, executable, sha256.clone());
        let found = stamp.map(|stamp| FoundFile { path: path.to_owned(), stamp, sha256 });
        self.found.insert(name, (file, found));
    }

    fn name(&self, path: &Path) -> String {
        name_of(self.program.inside(path))
    }
}

/// The SHA-256 of what is left to read.
fn sha256_of(mut file: impl Read) -> io::Result<String> {
    let mut sha = Sha256::new();
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(hex(&sha.finalize()));
        }
        sha.update(&buffer[..count]);
    }
}

/// A path as text: different for different paths, with `/` only between components.
fn name_of(path: &Path) -> String {
    let path: PathBuf = path.components().collect();
    match path.to_str() {
        Some(text) if !text.contains('\\') => text.to_owned(),
        _ => path.as_os_str().as_bytes().escape_ascii().to_string(),
    }
}

/// The part of a name up to and including the folder of a virtual environment and its `/`.
fn environment_in(name: &str) -> Option<&str> {
    let mut begin = 0;
    for part in name.split_inclusive('/') {
        begin += part.len();
        if part.strip_suffix('/') == Some(VIRTUAL_ENVIRONMENT) {
            return Some(&name[..begin]);
        }
    }
    None
}

/// The paths that a word of a command may contain: the word itself, and its parts between `:` and
/// `=`, as in `-cp=a:b`.
pub(super) fn paths_in(word: &str) -> impl Iterator<Item = PathBuf> + '_ {
    let parts = word.split([':', '=']).chain([word]);
    parts.filter(|part| !part.is_empty()).map(PathBuf::from)
}

/// A matcher of patterns in the manner of .gitignore, for paths below `root`.
fn matcher(root: &Path, patterns: &[impl AsRef<str>]) -> Result<Gitignore, String> {
    let mut builder = GitignoreBuilder::new(root);
    for pattern in patterns {
        let pattern = pattern.as_ref();
        builder.add_line(None, pattern).map_err(|error| format!("digest: {pattern:?}: {error}"))?;
    }
    builder.build().map_err(|error| format!("digest: {error}"))
}
