//! Finding a program, and what it has to read.
//!
//! Owns the way from a BOT on the command line or in a configuration to a [`Program`], and the files of submissions. Starts
//! nothing but version managers, which are asked what their shims mean.

mod access;
mod copy;
mod links;
mod program;
mod read_paths;
mod runnable;
mod submission;
mod version_manager;

// With `RUSTFLAGS='--cfg arbiter_posix'` Linux has to do with what POSIX has, so that it can be tried here.
#[cfg_attr(all(target_os = "linux", not(arbiter_posix)), path = "linux.rs")]
#[cfg_attr(not(all(target_os = "linux", not(arbiter_posix))), path = "posix.rs")]
mod system;

pub use access::{Access, Own, Purpose, hide_from_each_other};
pub(crate) use copy::{clear, take_set_id};
pub use copy::{copy_folder, remove_folder};
pub(crate) use links::resolve;
pub use program::{Finder, Program, ProgramError};
pub(crate) use read_paths::{needed, of_search_path};
pub use submission::Submission;
pub(crate) use system::SYSTEM;
pub(crate) use version_manager::without_shims;
