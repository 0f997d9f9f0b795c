//! The files that arbiter writes during a match or a tournament.

mod botlog;
mod check_files;
mod folder_handle;
mod gamelog;
pub mod journal;
mod journal_error;
mod named_file;
mod replace;
mod results;
mod transcript;

pub use botlog::{BotLogs, LoggedLine};
pub use check_files::replace_check_files;
pub use gamelog::GameLog;
pub use named_file::write_named_file;
pub use replace::{Replacement, remove_if_there, replace, replace_private};
pub use results::{FolderError, MILESTONES, MISSING, PAGE, ResultFolder};
pub use transcript::Transcript;
