//! The `game.toml` of a folder that is the rules of a custom game (docs/reference/custom-games.md).
//!
//! ```
//! use arbiter_config::game_manifest;
//! let manifest = game_manifest::parse("rules = 'java -jar rules.jar'").unwrap();
//! assert_eq!(manifest.command.words().unwrap(), ["java", "-jar", "rules.jar"]);
//! assert_eq!(game_manifest::parse("rule = './rules'").unwrap_err().errors().len(), 2);
//! ```

use super::problem::ConfigErrors;
use super::section::read_file;
use super::start_command::StartCommand;
use super::value;

/// The content of a `game.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameManifest {
    /// How the rules are started, in the folder of the file.
    pub command: StartCommand,
    /// The command that builds their program, run in the same folder before they are started.
    pub build: Option<String>,
    /// The file of an adapter by which bots of this game may play, in the same folder.
    pub adapter: Option<String>,
}

/// Reads a `game.toml`.
///
/// # Errors
/// Everything that is wrong with it, each with its line.
pub fn parse(text: &str) -> Result<GameManifest, ConfigErrors> {
    read_file(text, |root| {
        let command = root.need("rules", value::command, "\"java -jar rules.jar\"");
        let build = root.take("build", value::text);
        let adapter = root.take("adapter", value::text);
        Some(GameManifest { command: command?, build, adapter })
    })
}
