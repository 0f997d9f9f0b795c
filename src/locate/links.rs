//! The way of a path through the file system, resolved as the kernel resolves it: component by component, each symbolic
//! link where it stands, `..` from the folder that a link has led to.
//!
//! ```text
//! d -> deep/er, bot -> d/../x      bot is deep/x, not x
//! ```

use super::system::FOLDER;
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Symbolic links that the kernel follows on one way: path_resolution(7).
const MOST: usize = 40;

/// A symbolic link on a way.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The link, by the true path of its folder.
    pub at: PathBuf,
    /// What it says.
    pub target: PathBuf,
    /// Nothing of the path is behind it: its target is what the path means.
    pub last: bool,
}

/// What led out of the folder that a way began in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The path itself.
    Text,
    /// The link of this number.
    Link(usize),
}

/// Where a path leads.
#[derive(Debug)]
pub(crate) struct Way {
    /// The links on it, in their order.
    pub links: Vec<Link>,
    /// The folders that it leaves by `..`.
    pub left: Vec<PathBuf>,
    /// What led out of the folder that it began in, if it ever left that.
    pub exit: Option<Exit>,
    /// The true path of its end, or why it has none.
    pub end: io::Result<PathBuf>,
}

/// Resolves an absolute path.
pub(crate) fn resolve(path: &Path) -> Way {
    walk(Path::new("/"), path)
}

/// Resolves a path that begins in the folder `base`, which is a true path.
pub(crate) fn walk(base: &Path, path: &Path) -> Way {
    let mut way = Way { links: Vec::new(), left: Vec::new(), exit: None, end: Ok(PathBuf::new()) };
    let end = way.follow(base, path);
    way.end = end;
    way
}

/// A component that is still to be gone, with whose text it is of.
enum Part {
    Root,
    Up,
    Name(OsString),
}

fn parts(path: &Path, of: Exit) -> impl Iterator<Item = (Part, Exit)> {
    path.components().rev().filter_map(move |part| match part {
        Component::RootDir => Some((Part::Root, of)),
        Component::ParentDir => Some((Part::Up, of)),
        Component::Normal(name) => Some((Part::Name(name.to_owned()), of)),
        Component::CurDir | Component::Prefix(_) => None,
    })
}

impl Way {
    fn follow(&mut self, base: &Path, path: &Path) -> io::Result<PathBuf> {
        let bounded = base.parent().is_some(); // nothing leads out of the root
        let mut at = base.to_owned();
        let mut ahead: Vec<(Part, Exit)> = parts(path, Exit::Text).collect();
        while let Some((part, of)) = ahead.pop() {
            match part {
                Part::Root => {
                    self.exit = self.exit.or(bounded.then_some(of));
                    at = PathBuf::from("/");
                }
                Part::Up => {
                    if !fs::symlink_metadata(&at)?.is_dir() {
                        return Err(io::ErrorKind::NotADirectory.into());
                    }
                    self.exit = self.exit.or((bounded && at == base).then_some(of));
                    self.left.push(at.clone());
                    at.pop();
                }
                Part::Name(name) => {
                    let next = at.join(name);
                    if !fs::symlink_metadata(&next)?.is_symlink() {
                        at = next;
                        continue;
                    }
                    if self.links.len() == MOST {
                        return Err(rustix::io::Errno::LOOP.into());
                    }
                    let target = fs::read_link(&next)?;
                    let last = ahead.is_empty();
                    ahead.extend(parts(&target, Exit::Link(self.links.len())));
                    self.links.push(Link { at: next, target, last });
                }
            }
        }
        Ok(at)
    }
}

/// What a file is opened with that may be anything: a pipe with a name is not waited for, a terminal not taken.
pub(super) const CAREFULLY: OFlags =
    OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Opens a regular file, and nothing else.
pub(super) fn open(path: &Path) -> io::Result<File> {
    regular(File::from(openat(CWD, path, CAREFULLY, Mode::empty())?))
}

/// Opens a regular file that lies in the folder `base` by its true path. No link is followed: whoever puts one on the way
/// meanwhile leads nowhere.
pub(super) fn open_within(base: &Path, path: &Path) -> io::Result<File> {
    let folder = FOLDER | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let below = path.strip_prefix(base).map_err(io::Error::other)?;
    if below.components().any(|part| !matches!(part, Component::Normal(_))) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let (above, name) = match (below.parent(), below.file_name()) {
        (Some(above), Some(name)) => (above, name),
        _ => return Err(io::ErrorKind::IsADirectory.into()),
    };
    let mut at = openat(CWD, base, folder, Mode::empty())?;
    for part in above {
        at = openat(&at, part, folder, Mode::empty())?;
    }
    regular(File::from(openat(&at, name, CAREFULLY | OFlags::NOFOLLOW, Mode::empty())?))
}

fn regular(file: File) -> io::Result<File> {
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let temporary = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(temporary.path()).unwrap().join("base");
        for dir in ["deep/er", "rival"] {
            fs::create_dir_all(base.join(dir)).unwrap();
        }
        fs::write(base.join("deep/x"), "x").unwrap();
        fs::write(base.join("../outside"), "secret").unwrap();
        for (target, at) in [
            ("deep/er", "d"),
            ("d/../x", "by-link"),
            ("../outside", "out"),
            ("/etc/passwd", "absolute"),
            ("loop", "loop"),
            ("gone", "dangling"),
        ] {
            symlink(target, base.join(at)).unwrap();
        }
        symlink("out", base.join("deep/chain")).unwrap();
        symlink("../out", base.join("deep/er/chain")).unwrap();
        (temporary, base)
    }

    #[test]
    fn it_leads_where_the_kernel_leads() {
        let (_temporary, base) = folder();
        for path in
            ["by-link", "d/../x", "deep/./x", "d", "d/..", "out", "absolute", "", "deep/er/../../d/../x"]
        {
            let way = walk(&base, Path::new(path));
            assert_eq!(way.end.unwrap(), fs::canonicalize(base.join(path)).unwrap(), "{path}");
        }
        for path in ["loop", "dangling", "deep/x/..", "deep/x/y", "nothing/../deep"] {
            let found = walk(&base, Path::new(path)).end.unwrap_err();
            let kernel = fs::metadata(base.join(path)).unwrap_err();
            assert_eq!(found.raw_os_error().or(Some(20)), kernel.raw_os_error(), "{path}");
        }
        let way = resolve(&base.join("by-link"));
        assert_eq!(way.end.unwrap(), base.join("deep/x"));
        assert_eq!(way.left, [base.join("deep/er")]);
    }

    #[test]
    fn what_led_out_is_known() {
        let (_temporary, base) = folder();
        let exit = |path: &str| {
            let way = walk(&base, Path::new(path));
            way.exit.map(|exit| match exit {
                Exit::Text => "text".to_owned(),
                Exit::Link(at) => way.links[at].at.strip_prefix(&base).unwrap().display().to_string(),
            })
        };
        for path in ["by-link", "d/../x", "d/../../rival", "deep", "."] {
            assert_eq!(exit(path), None, "{path}");
        }
        for (path, by) in [
            ("out", "out"),
            ("absolute", "absolute"),
            ("..", "text"),
            ("d/../../..", "text"),
            ("/usr", "text"),
            ("../base/deep/x", "text"),
            ("deep/../out", "out"),
        ] {
            assert_eq!(exit(path).as_deref(), Some(by), "{path}");
        }
        let ways = ["d/../x", "by-link"].map(|path| walk(&base, Path::new(path)));
        assert_eq!(ways[0].links.iter().map(|link| link.last).collect::<Vec<_>>(), [false]);
        assert_eq!(ways[1].links.iter().map(|link| link.last).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn only_regular_files_are_opened_and_none_by_a_link() {
        let (_temporary, base) = folder();
        let pipe = base.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(open(&base.join("by-link")).is_ok() && open_within(&base, &base.join("deep/x")).is_ok());
        assert!(open(&pipe).is_err() && open(&base).is_err());
        for path in ["by-link", "d/../x", "out", "pipe", "deep", "", "d/chain"] {
            assert!(open_within(&base, &base.join(path)).is_err(), "{path}");
        }
        assert!(open_within(&base, &base.join("../outside")).is_err());
    }
}
