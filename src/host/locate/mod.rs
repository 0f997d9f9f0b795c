//! Finding a bot's program, and what it has to read.
//!
//! Owns the way from a BOT on the command line or in a configuration to a [`Program`], the files of
//! submissions, and the rules which paths of a submission arbiter follows. Knows neither the
//! sandbox nor running bots, and starts no program.
//!
//! ```text
//! Finder::find("bots/mine")     -> Program { command, arguments, dir, access, .. }
//! read_paths(&program)          -> its interpreter, the installation around that, ...
//! ```

mod access;
mod adapter;
mod bounds;
mod command;
mod content;
mod copy;
mod env_command;
mod finder;
mod hints;
pub(crate) mod installation;
mod java;
mod leftovers;
pub(crate) mod links;
mod open;
mod program;
pub(crate) mod raw_path;
mod read_paths;
mod remove;
mod run_by;
mod runnable;
mod script;
mod search_path;
mod set_id;
mod shims;
mod submission;
mod text_file;
mod usage;
pub(crate) mod walk;

// The only place of this room that chooses by system. `RUSTFLAGS='--cfg arbiter_posix'` builds the
// POSIX files on Linux, so that they can be tested there.
#[cfg_attr(all(target_os = "linux", not(arbiter_posix)), path = "linux.rs")]
#[cfg_attr(not(all(target_os = "linux", not(arbiter_posix))), path = "posix.rs")]
mod system;

pub use access::{Access, FolderAccess, Purpose};
pub use content::{ContentRules, FoundContent};
pub use copy::{copy_folder, copy_submission};
pub use finder::{Finder, has_manifest};
pub(crate) use java::class_file;
pub use leftovers::{Beside, entered, is_leftover};
pub use program::{ANY_GAME, InstalledAdapter, Program, ProgramError, hide_from_each_other};
pub(crate) use read_paths::{read_paths, search_path_folders, unknown_installation};
pub(crate) use remove::clear_folder;
pub use remove::{remove_folder, remove_folder_if_there};
pub use search_path::is_command;
pub(crate) use set_id::clear_set_id;
pub(crate) use shims::search_path;
pub use submission::{Submission, Trust};
pub use usage::disk_usage;
pub(crate) use usage::usage_of;
