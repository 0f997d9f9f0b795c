//! The files that arbiter writes during a match or a tournament.

mod botlog;
mod gamelog;
pub mod journal;
mod replace;
mod results;
mod transcript;

pub use botlog::{BotLogs, LoggedLine};
pub use gamelog::GameLog;
pub use replace::{Replacement, replace};
pub use results::{FolderError, MISSING, ResultFolder};
pub use transcript::Transcript;
