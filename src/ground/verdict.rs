//! What a command has found out, for its exit status.

/// Whose forfeits and aborted games count against a command: `--strict`, `--strict=NAME` or
/// neither.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Strict {
    /// Of no bot.
    #[default]
    Off,
    /// Of all bots.
    All,
    /// Of the bot of this name.
    Bot(String),
}

impl Strict {
    /// Whether what this bot does counts.
    pub fn concerns(&self, name: &str) -> bool {
        match self {
            Strict::Off => false,
            Strict::All => true,
            Strict::Bot(only) => only == name,
        }
    }

    /// The bot that is named.
    pub fn bot(&self) -> Option<&String> {
        match self {
            Strict::Off | Strict::All => None,
            Strict::Bot(only) => Some(only),
        }
    }
}

/// The exit status of a command that is done, with the reasons for it.
#[derive(Debug, PartialEq, Eq)]
pub struct Verdict {
    pub status: u8,
    pub reasons: Vec<String>,
}

impl Verdict {
    /// What was asked for is done.
    pub const DONE: Verdict = Verdict::of(0);

    /// A status whose reasons were printed before, or are on standard output.
    pub const fn of(status: u8) -> Verdict {
        Verdict { status, reasons: Vec::new() }
    }

    /// The status for these reasons; 0 if there are none.
    pub fn because(status: u8, reasons: Vec<String>) -> Verdict {
        Verdict { status: if reasons.is_empty() { 0 } else { status }, reasons }
    }
}
