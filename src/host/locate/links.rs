//! Path resolution as the kernel does it (path_resolution(7)): component by component, each
//! symbolic link where it occurs, `..` from the folder that a link has led to.
//! [`std::fs::canonicalize`] gives only the result; here every link on the way is kept, and which
//! one left the starting folder.
//!
//! ```text
//! d -> deep/er, bot -> d/../x      bot is deep/x, not x
//! ```

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Symbolic links that the kernel follows in one path: path_resolution(7).
const MAX_LINKS: usize = 40;

/// A symbolic link that was followed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SymbolicLink {
    /// The link; its folder is a canonical path.
    pub at: PathBuf,
    /// Its content.
    pub target: PathBuf,
    /// Whether it was the last component of the path, so that its target is what the path means.
    pub last: bool,
}

/// Which part of a path led out of the folder where its resolution began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeftBy {
    /// The path itself, by `..` or because it is absolute.
    Path,
    /// The link with this index in [`Resolution::links`].
    Link(usize),
}

/// How a path was resolved.
#[derive(Debug)]
pub(crate) struct Resolution {
    /// The links on the way, in the order in which they were followed.
    pub links: Vec<SymbolicLink>,
    /// The folders from which a `..` went up.
    pub left: Vec<PathBuf>,
    /// What led out of the starting folder first, if anything did.
    pub(super) left_by: Option<LeftBy>,
    /// The canonical path, or why there is none.
    pub end: io::Result<PathBuf>,
}

/// Resolves an absolute path.
pub(crate) fn resolve(path: &Path) -> Resolution {
    Resolver::default().resolve(path)
}

/// Resolves a path that starts in the folder `base`, which must be canonical.
pub(super) fn resolve_from(base: &Path, path: &Path) -> Resolution {
    Resolver::default().resolve_from(base, path)
}

/// Resolves several paths as they are at one moment: it looks at no component twice.
#[derive(Default)]
pub(crate) struct Resolver {
    /// What each path was when it was looked at; its folder is canonical. Errors are not kept.
    seen: HashMap<PathBuf, Found>,
}

/// What a path is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    Folder,
    File,
    Link(PathBuf),
}

impl Resolver {
    /// Resolves an absolute path.
    pub fn resolve(&mut self, path: &Path) -> Resolution {
        self.resolve_from(Path::new("/"), path)
    }

    fn resolve_from(&mut self, base: &Path, path: &Path) -> Resolution {
        let mut resolution = Resolution {
            links: Vec::new(),
            left: Vec::new(),
            left_by: None,
            end: Ok(PathBuf::new()),
        };
        let end = resolution.follow(self, base, path);
        resolution.end = end;
        resolution
    }

    /// Whether a path without links on the way is a folder.
    ///
    /// # Errors
    /// There is nothing, or it cannot be looked at.
    pub fn is_folder(&mut self, path: &Path) -> io::Result<bool> {
        Ok(*self.look(path)? == Found::Folder)
    }

    fn look(&mut self, path: &Path) -> io::Result<&Found> {
        if !self.seen.contains_key(path) {
            let kind = fs::symlink_metadata(path)?.file_type();
            let found = if kind.is_symlink() {
                Found::Link(fs::read_link(path)?)
            } else if kind.is_dir() {
                Found::Folder
            } else {
                Found::File
            };
            self.seen.insert(path.to_owned(), found);
        }
        Ok(&self.seen[path])
    }
}

/// A path component that is still to be resolved.
enum Part {
    Root,
    Up,
    Name(OsString),
}

/// The components of a path, last first, each with the text that it comes from.
fn parts(path: &Path, of: LeftBy) -> impl Iterator<Item = (Part, LeftBy)> {
    path.components().rev().filter_map(move |part| match part {
        Component::RootDir => Some((Part::Root, of)),
        Component::ParentDir => Some((Part::Up, of)),
        Component::Normal(name) => Some((Part::Name(name.to_owned()), of)),
        Component::CurDir | Component::Prefix(_) => None,
    })
}

impl Resolution {
    fn follow(&mut self, resolver: &mut Resolver, base: &Path, path: &Path) -> io::Result<PathBuf> {
        let bounded = base.parent().is_some(); // nothing leads out of the root
        let mut at = base.to_owned();
        let mut ahead: Vec<(Part, LeftBy)> = parts(path, LeftBy::Path).collect();
        while let Some((part, of)) = ahead.pop() {
            match part {
                Part::Root => {
                    self.left_by = self.left_by.or(bounded.then_some(of));
                    at = PathBuf::from("/");
                }
                Part::Up => {
                    // The kernel goes up from folders only: `file/..` is an error.
                    if !resolver.is_folder(&at)? {
                        return Err(io::ErrorKind::NotADirectory.into());
                    }
                    self.left_by = self.left_by.or((bounded && at == base).then_some(of));
                    self.left.push(at.clone());
                    at.pop();
                }
                Part::Name(name) => {
                    let next = at.join(name);
                    let Found::Link(target) = resolver.look(&next)? else {
                        at = next;
                        continue;
                    };
                    if self.links.len() == MAX_LINKS {
                        return Err(rustix::io::Errno::LOOP.into());
                    }
                    let target = target.clone();
                    let last = ahead.is_empty();
                    // From the folder of the link, or from the root if it is absolute.
                    ahead.extend(parts(&target, LeftBy::Link(self.links.len())));
                    self.links.push(SymbolicLink { at: next, target, last });
                }
            }
        }
        Ok(at)
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
    fn paths_resolve_as_the_kernel_resolves_them() {
        let (_temporary, base) = folder();
        for path in [
            "by-link",
            "d/../x",
            "deep/./x",
            "d",
            "d/..",
            "out",
            "absolute",
            "",
            "deep/er/../../d/../x",
        ] {
            let found = resolve_from(&base, Path::new(path));
            assert_eq!(found.end.unwrap(), fs::canonicalize(base.join(path)).unwrap(), "{path}");
        }
        for path in ["loop", "dangling", "deep/x/..", "deep/x/y", "nothing/../deep"] {
            let error = resolve_from(&base, Path::new(path)).end.unwrap_err();
            let kernel = fs::metadata(base.join(path)).unwrap_err();
            assert_eq!(error.raw_os_error().or(Some(20)), kernel.raw_os_error(), "{path}");
        }
        let found = resolve(&base.join("by-link"));
        assert_eq!(found.end.unwrap(), base.join("deep/x"));
        assert_eq!(found.left, [base.join("deep/er")]);
    }

    #[test]
    fn a_resolver_looks_at_each_component_once() {
        let (_temporary, base) = folder();
        let mut resolver = Resolver::default();
        let (link, file) = (base.join("by-link"), base.join("deep/x"));
        assert_eq!(resolver.resolve(&link).end.unwrap(), file);
        assert!(
            resolver.is_folder(&base.join("deep/er")).unwrap()
                && !resolver.is_folder(&file).unwrap()
        );
        assert!(resolver.resolve(&base.join("later")).end.is_err());
        fs::remove_dir_all(base.join("deep")).unwrap();
        fs::write(base.join("later"), "").unwrap();
        assert_eq!(resolver.resolve(&link).end.unwrap(), file, "as it was");
        assert_eq!(resolver.resolve(&base.join("later")).end.unwrap(), base.join("later"));
        assert!(resolve(&link).end.is_err());
    }

    #[test]
    fn what_left_the_folder_is_reported() {
        let (_temporary, base) = folder();
        let left_by = |path: &str| {
            let found = resolve_from(&base, Path::new(path));
            found.left_by.map(|left_by| match left_by {
                LeftBy::Path => "text".to_owned(),
                LeftBy::Link(at) => {
                    found.links[at].at.strip_prefix(&base).unwrap().display().to_string()
                }
            })
        };
        for path in ["by-link", "d/../x", "d/../../rival", "deep", "."] {
            assert_eq!(left_by(path), None, "{path}");
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
            assert_eq!(left_by(path).as_deref(), Some(by), "{path}");
        }
        let found = ["d/../x", "by-link"].map(|path| resolve_from(&base, Path::new(path)));
        assert_eq!(found[0].links.iter().map(|link| link.last).collect::<Vec<_>>(), [false]);
        assert_eq!(found[1].links.iter().map(|link| link.last).collect::<Vec<_>>(), [true, false]);
    }
}
