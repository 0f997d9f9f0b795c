//! The command that starts a bot: `command` of `[[bot]]`, `[[bots]]` and `bot.toml`.

/// An example for messages.
pub(super) const COMMAND_EXAMPLE: &str = "\"python3 bot.py\"";

/// How a bot is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartCommand {
    /// A line that is split as a shell splits it, or any other BOT of the command line, such as
    /// `builtin:random`.
    Line(String),
    /// Words that are used as they are; at least one.
    Words(Vec<String>),
}

impl StartCommand {
    /// Its words; `None` if a quote is not closed, as in the name of a file with an apostrophe.
    ///
    /// ```
    /// use arbiter_config::StartCommand;
    /// let command = StartCommand::Line("python3 'my bot.py'".into());
    /// assert_eq!(command.words().unwrap(), ["python3", "my bot.py"]);
    /// ```
    pub fn words(&self) -> Option<Vec<String>> {
        match self {
            StartCommand::Line(line) => shlex::split(line),
            StartCommand::Words(words) => Some(words.clone()),
        }
    }
}
