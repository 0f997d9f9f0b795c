//! What a program may reach under `strict`, as far as it is known before it is started; the rest is found from its
//! command (`needs`).

use super::program::Program;
use super::submission::Submission;
use std::env;
use std::path::{Path, PathBuf};

/// What a program is started for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    /// To play: its folder is read-only.
    #[default]
    Play,
    /// To be built: it may start processes and write in its folder.
    Build,
}

/// What of the folder that a program runs in is open to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Own {
    /// Nothing: it needs none of it.
    #[default]
    Nothing,
    /// All of it.
    Folder(PathBuf),
    /// The files in it: nobody said that the rest belongs to the bot.
    Files(PathBuf),
}

/// What a program may reach under `strict`, beside the system and what its command needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// What of its folder.
    pub own: Own,
    /// The file that is the bot: its program or its script.
    pub file: PathBuf,
    /// What else it may read.
    pub read: Vec<PathBuf>,
    /// What it may not though it lies in its folder: other bots.
    pub hidden: Vec<PathBuf>,
    /// The folder of a stranger that it lies in.
    pub submission: Option<Submission>,
    /// The folder that it was copied from to be built.
    pub copied_from: Option<PathBuf>,
    /// The command was looked up in PATH.
    pub from_path: bool,
    /// What it is started for.
    pub purpose: Purpose,
}

impl Default for Access {
    fn default() -> Access {
        Access {
            own: Own::Nothing,
            file: PathBuf::new(),
            read: Vec::new(),
            hidden: Vec::new(),
            submission: None,
            copied_from: None,
            from_path: false,
            purpose: Purpose::Play,
        }
    }
}

impl Access {
    /// What no other bot may read of this one.
    fn private(&self) -> impl Iterator<Item = &Path> {
        let own = match &self.own {
            Own::Nothing => None,
            Own::Folder(folder) => Some(&**folder),
            Own::Files(_) => Some(&*self.file),
        };
        own.into_iter().chain(self.copied_from.as_deref())
    }
}

/// Where rustup keeps the Rust compilers, if it is used here: they are not around the programs in PATH, and those find
/// them by the variable `RUSTUP_HOME` or below a home, which a build does not have.
pub(crate) fn rustup_home() -> Option<PathBuf> {
    let named = env::var_os("RUSTUP_HOME").map(PathBuf::from);
    let home = named.or_else(|| env::home_dir().map(|home| home.join(".rustup")));
    home.filter(|folder| folder.is_dir())
}

/// Hides bots from each other that lie in each other's folders.
pub fn hide_from_each_other(programs: &mut [&mut Program]) {
    let private: Vec<PathBuf> =
        programs.iter().flat_map(|program| program.access.private().map(Path::to_owned)).collect();
    for program in programs {
        let (Own::Folder(folder) | Own::Files(folder)) = &program.access.own else { continue };
        let others = private
            .iter()
            .filter(|other| other.starts_with(folder) && *other != folder && **other != program.access.file);
        program.access.hidden = others.cloned().collect();
    }
}
