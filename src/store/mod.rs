//! The files that arbiter writes during a match or a tournament.

mod botlog;
mod check_files;
mod gamelog;
pub mod journal;
mod replace;
mod results;
mod transcript;

pub use botlog::{BotLogs, LoggedLine};
pub use check_files::replace_check_files;
pub use gamelog::GameLog;
pub use replace::{Replacement, replace};
pub use results::{FolderError, MARKS, MISSING, ResultFolder};
pub use transcript::Transcript;
