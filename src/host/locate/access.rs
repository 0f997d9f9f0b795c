//! What a program may reach in the file system under `strict`, as far as it is known before the
//! paths in its command are followed (`read_paths`).

use super::raw_path;
use super::submission::Submission;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What a program is started for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Purpose {
    /// To play: its folder is read-only.
    #[default]
    Play,
    /// To build the bot: it may start processes and write in its folder.
    Build,
}

/// How much of the folder that a program runs in it may reach.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum FolderAccess {
    #[default]
    Nothing,
    /// This folder with everything in it.
    Folder(#[serde(with = "raw_path")] PathBuf),
    /// The files that lie directly in this folder. The rest may belong to other programs: no
    /// configuration says that the folder is the bot's.
    Files(#[serde(with = "raw_path")] PathBuf),
}

/// What a program may reach under `strict`, beside the system and the paths in its command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Access {
    /// How much of its folder.
    pub folder: FolderAccess,
    /// The file that is the bot: its program or its script.
    pub file: PathBuf,
    /// Further paths that it may read, with everything below them.
    pub read: Vec<PathBuf>,
    /// Paths in its folder that it may not reach: other bots.
    pub hidden: Vec<PathBuf>,
    /// The submission that it lies in, if its author is not trusted.
    pub submission: Option<Submission>,
    /// The folder of the submission that it was copied from.
    pub copied_from: Option<PathBuf>,
    /// Directories that must stay closed even if an interpreter lies inside them: that of the
    /// configuration.
    pub kept: Vec<PathBuf>,
    /// Its command was looked up in PATH.
    pub from_path: bool,
    /// What it is started for.
    pub purpose: Purpose,
    /// It may write nothing, not even into its scratch folder.
    pub read_only: bool,
}

impl Access {
    /// Whether it comes from a `[[bots]]` folder.
    pub fn is_submitted(&self) -> bool {
        self.submission.as_ref().is_some_and(Submission::is_submitted)
    }

    /// The paths of this program that no other bot may reach.
    pub(super) fn private(&self) -> impl Iterator<Item = &Path> {
        let own = match &self.folder {
            FolderAccess::Nothing => None,
            FolderAccess::Folder(folder) => Some(&**folder),
            FolderAccess::Files(_) => Some(&*self.file),
        };
        own.into_iter().chain(self.copied_from.as_deref())
    }
}
