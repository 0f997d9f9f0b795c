//! Where the rules of a custom game come from. Only what the user names answers for a game: a log
//! that tells of rules adds none.

use super::definition::{OwnDefinition, OwnOption};
use crate::OptionError;
use std::any::Any;
use std::fmt::Debug;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Rules that the user has given. Each game that is made by them has them with it.
pub type Rules = Arc<dyn RulesSource>;

/// The rules of a game whose options have no values yet.
pub trait RulesSource: Any + Debug + Send + Sync {
    /// The name of the game.
    fn name(&self) -> &str;

    /// The name in texts for people.
    fn title(&self) -> &str;

    /// The first hex digits of the digest of the rules.
    fn digest(&self) -> &str;

    /// Whether a log names these rules: name and content must be the same.
    fn are(&self, name: &str, digest: &str) -> bool {
        self.name() == name && self.digest() == digest
    }

    /// The path of the file or folder, as a command can name it from here; `None` if they are no
    /// file.
    fn path(&self) -> Option<String> {
        None
    }

    /// The adapter by which its bots may play: the name of its file, and its text.
    fn adapter(&self) -> Option<(&str, &str)> {
        None
    }

    /// Puts a copy of the file or folder into a folder, for people.
    ///
    /// # Errors
    /// It cannot be written.
    fn save_copy(&self, _folder: &Path) -> io::Result<()> {
        Ok(())
    }

    /// The options, in the order of the rules.
    fn options(&self) -> &[OwnOption];

    /// The game with these options; those not given have their defaults.
    ///
    /// # Errors
    /// An unknown option, a value that is none of its values, or rules that fail.
    fn with_options(&self, set: &[(String, String)]) -> Result<OwnDefinition, OptionError>;
}
