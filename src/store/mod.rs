//! Files that arbiter writes while it plays.

mod botlog;
mod gamelog;
pub mod journal;
mod replace;
mod results;
mod transcript;

pub use botlog::BotLogs;
pub use gamelog::GameLog;
pub use replace::{Replacement, replace};
pub use results::{FolderError, ResultFolder};
pub use transcript::Transcript;
