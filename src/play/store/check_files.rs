//! The files of a check (docs/reference/commands.md, Checking a bot): a folder for each bot, whose
//! name may be a stranger's.

use super::replace::{remove_if_there, replace_derived};
use std::fs;
use std::io;
use std::path::{Component, Path};

/// Brings files below a folder up to date: each path, which is relative, with its text, or none
/// where there must be no such file. Folders are made where a file needs them. No link below the
/// folder is followed, and nothing else in it is touched.
///
/// # Errors
/// A folder cannot be made, because of a link or a file in its place for instance, or a file cannot
/// be written or removed.
pub fn replace_check_files<'a>(
    dir: &Path,
    files: impl Iterator<Item = (&'a Path, Option<&'a str>)>,
) -> io::Result<()> {
    for (path, text) in files {
        let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
        let Some(above) = path.parent().filter(|_| is_below) else {
            return Err(io::Error::other(format!(
                "{} is no path of a file below a folder",
                path.display()
            )));
        };
        // Each folder on the way, so that none of them is a link.
        let mut folders = Vec::new();
        let mut reached = dir.to_owned();
        for part in above {
            reached.push(part);
            folders.push(reached.clone());
        }
        if let Some(text) = text {
            fs::create_dir_all(dir)?;
            for folder in &folders {
                make_folder(folder)?;
            }
            replace_derived(&dir.join(path), text.as_bytes())?;
        } else if folders.iter().all(|folder| is_folder(folder)) {
            remove_if_there(&dir.join(path))?;
        }
    }
    Ok(())
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_dir())
}

/// Makes a folder unless it is there.
fn make_folder(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() => Ok(()),
        Ok(_) => Err(io::Error::other(format!(
            "{} is not a folder; name another with --out",
            path.display()
        ))),
        Err(_) => fs::create_dir(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// Replaces one file.
    fn replace(dir: &Path, path: &str, text: Option<&str>) -> io::Result<()> {
        replace_check_files(dir, std::iter::once((Path::new(path), text)))
    }

    #[test]
    fn files_are_replaced_and_removed_and_others_stay() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("check");
        replace(&out, "conny/opening.txt", None).unwrap();
        assert!(!out.exists());
        replace(&out, "conny/loa/opening.txt", Some("go\n")).unwrap();
        fs::write(out.join("conny/loa/notes.txt"), "mine").unwrap();
        replace(&out, "conny/loa/opening.txt", Some("turn 1\ngo\n")).unwrap();
        assert_eq!(fs::read_to_string(out.join("conny/loa/opening.txt")).unwrap(), "turn 1\ngo\n");
        replace(&out, "conny/loa/opening.txt", None).unwrap();
        assert_eq!(fs::read_dir(out.join("conny/loa")).unwrap().count(), 1);
    }

    #[test]
    fn links_are_not_followed_and_paths_stay_below_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let (out, elsewhere) = (dir.path().join("check"), dir.path().join("elsewhere"));
        fs::create_dir(&out).unwrap();
        fs::create_dir(&elsewhere).unwrap();
        fs::write(elsewhere.join("opening.txt"), "precious").unwrap();
        symlink(&elsewhere, out.join("conny")).unwrap();
        assert!(replace(&out, "conny/opening.txt", Some("go\n")).is_err());
        replace(&out, "conny/opening.txt", None).unwrap();
        fs::create_dir(out.join("bo")).unwrap();
        symlink(elsewhere.join("opening.txt"), out.join("bo/opening.txt")).unwrap();
        replace(&out, "bo/opening.txt", Some("go\n")).unwrap();
        assert_eq!(fs::read_to_string(elsewhere.join("opening.txt")).unwrap(), "precious");
        for path in ["../opening.txt", "/opening.txt", "", "bo/../../x", "."] {
            assert!(replace(&out, path, Some("go\n")).is_err(), "{path}");
        }
    }
}
