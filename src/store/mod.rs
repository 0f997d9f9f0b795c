//! Files that arbiter writes while it plays.

mod botlog;
mod gamelog;
mod transcript;

pub use botlog::BotLogs;
pub use gamelog::GameLog;
pub use transcript::{Transcript, Way};
