//! Removing folders that a bot has filled: by descriptors and single names, and no link is
//! followed. So nothing outside of the folder is removed, even if a process exchanges a folder for
//! a link meanwhile.

use super::open::open_folder;
use super::system::FOLDER_FLAGS;
use super::walk::entries;
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, chmodat, fchmod, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

/// Removes a folder with everything in it, at any depth, including folders that their owner made
/// unreadable.
///
/// # Errors
/// Something cannot be removed, or the path is no folder but a link or a file.
pub fn remove_folder(folder: &Path) -> io::Result<()> {
    let above = match folder.parent() {
        Some(above) if !above.as_os_str().is_empty() => above,
        _ => Path::new("."),
    };
    let above = openat(CWD, above, FOLDER_FLAGS | OFlags::CLOEXEC, Mode::empty())?;
    let name = folder.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let name = CString::new(name.as_encoded_bytes())?;
    clear_folder(&open_accessible(&above, &name)?)?;
    Ok(unlinkat(&above, &name, AtFlags::REMOVEDIR)?)
}

/// Like [`remove_folder`], but succeeds if the folder does not exist.
///
/// # Errors
/// As for [`remove_folder`].
pub fn remove_folder_if_there(folder: &Path) -> io::Result<()> {
    match remove_folder(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Removes everything in a folder. The folders in each folder are moved up before it is removed, so
/// only two are open at a time, however deep the tree is.
///
/// # Errors
/// Something cannot be removed.
pub(crate) fn clear_folder(top: &OwnedFd) -> io::Result<()> {
    let _ = fchmod(top, Mode::RWXU); // its owner may have taken its own rights
    let mut moved = 0;
    loop {
        let names = entries(top)?;
        if names.is_empty() {
            return Ok(());
        }
        for name in names {
            if !is_folder(top, &name)? {
                unlinkat(top, &name, AtFlags::empty())?;
                continue;
            }
            let folder = open_accessible(top, &name)?;
            for inner in entries(&folder)? {
                if is_folder(&folder, &inner)? {
                    // Moving a folder needs the right to write in it.
                    open_accessible(&folder, &inner)?;
                    let to = free_name(top, &mut moved)?;
                    renameat(&folder, &inner, top, &to)?;
                } else {
                    unlinkat(&folder, &inner, AtFlags::empty())?;
                }
            }
            unlinkat(top, &name, AtFlags::REMOVEDIR)?;
        }
    }
}

/// A name that no entry of a folder has. `number` is counted up.
fn free_name(folder: &OwnedFd, number: &mut u64) -> io::Result<CString> {
    loop {
        *number += 1;
        let name = CString::new(format!("{number}:{}", std::process::id()))?;
        match statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => {}
            Err(Errno::NOENT) => return Ok(name),
            Err(error) => return Err(error.into()),
        }
    }
}

fn is_folder(at: &OwnedFd, name: &CString) -> io::Result<bool> {
    let stat = statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileType::from_raw_mode(stat.st_mode) == FileType::Directory)
}

/// Opens a folder, and gives its owner back the rights that a bot may have taken from it. Only if
/// opening is refused, so never for root, the mode is changed by name: this process then has no
/// more rights than the owner.
fn open_accessible(at: &OwnedFd, name: &CString) -> io::Result<OwnedFd> {
    let opened = open_folder(at, name);
    let folder = match opened {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            chmodat(at, name, Mode::RWXU, AtFlags::empty())?;
            open_folder(at, name)?
        }
        opened => opened?,
    };
    let _ = fchmod(&folder, Mode::RWXU); // if it fails, so does the removal
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    #[test]
    fn a_link_is_not_removed_through() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::create_dir(path("kept")).unwrap();
        fs::write(path("kept/file"), "").unwrap();
        symlink(path("kept"), path("link")).unwrap();
        assert!(remove_folder(&path("link")).is_err());
        fs::create_dir(path("gone")).unwrap();
        symlink(path("kept"), path("gone/link")).unwrap();
        remove_folder(&path("gone")).unwrap();
        assert!(path("kept/file").exists() && !path("gone").exists());
    }

    /// A process exchanges a folder for a link to another folder, again and again.
    #[test]
    fn nothing_outside_is_removed_while_folders_are_exchanged_for_links() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::create_dir(path("kept")).unwrap();
        let (link, gone) = (path("link"), path("gone"));
        symlink(path("kept"), &link).unwrap();
        let done = AtomicBool::new(false);
        let exchange = || {
            while !done.load(Ordering::Relaxed) {
                // Each fails when the other name is just being removed.
                let _ = fs::rename(gone.join("folder"), gone.join("aside"));
                let _ = fs::rename(&link, gone.join("folder"));
                let _ = fs::rename(gone.join("folder"), &link);
                let _ = fs::rename(gone.join("aside"), gone.join("folder"));
            }
        };
        let remove = || {
            for _ in 0..500 {
                fs::write(path("kept/file"), "").unwrap();
                fs::create_dir_all(gone.join("folder/inner")).unwrap_or_default();
                let _ = remove_folder(&gone); // fails when an entry is exchanged meanwhile
                assert!(path("kept/file").exists());
                if !link.is_symlink() && !gone.join("folder").is_symlink() {
                    let _ = symlink(path("kept"), &link); // it was removed
                }
            }
            done.store(true, Ordering::Relaxed);
        };
        thread::scope(|scope| {
            scope.spawn(exchange);
            let removed = scope.spawn(remove).join();
            done.store(true, Ordering::Relaxed);
            removed.unwrap();
        });
    }
}
