//! The games of one's own that this run of the program may ask: those that its user named. A log
//! that tells of rules never adds any.

use super::definition::{OwnDefinition, OwnOption};
use crate::rules::OptionError;
use std::fmt::Debug;
use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

/// The rules of a game whose options have no values yet.
pub trait RulesSource: Debug + Send + Sync {
    /// The name of the game.
    fn name(&self) -> &str;

    /// The name in texts for people.
    fn title(&self) -> &str;

    /// The first hex digits of the digest of the rules.
    fn digest(&self) -> &str;

    /// The path of the file or folder, as a command can name it from here; none if they are no
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

type Registered = (String, Arc<dyn RulesSource>);

static SOURCES: RwLock<Vec<Registered>> = RwLock::new(Vec::new());

/// Makes rules known under the text by which the user named them, such as `games/connect4.py`. The
/// same text again replaces them.
pub fn register(called: &str, source: Arc<dyn RulesSource>) {
    let mut sources = SOURCES.write().unwrap_or_else(PoisonError::into_inner);
    sources.retain(|(known, _)| known != called);
    sources.push((called.to_owned(), source));
}

fn find(is_it: impl Fn(&Registered) -> bool) -> Option<Arc<dyn RulesSource>> {
    let sources = SOURCES.read().unwrap_or_else(PoisonError::into_inner);
    sources.iter().find(|registered| is_it(registered)).map(|(_, source)| Arc::clone(source))
}

/// The texts under which rules are known, each with their digest.
pub(in crate::rules) fn all_known() -> Vec<(String, String)> {
    let sources = SOURCES.read().unwrap_or_else(PoisonError::into_inner);
    sources.iter().map(|(called, source)| (called.clone(), source.digest().to_owned())).collect()
}

/// The rules that are known under this text.
pub(in crate::rules) fn registered(called: &str) -> Option<Arc<dyn RulesSource>> {
    find(|(known, _)| known == called)
}

/// The rules of a game of which a log tells, if they are known: name and content must be the same.
#[must_use]
pub fn known_rules(name: &str, digest: &str) -> Option<Arc<dyn RulesSource>> {
    find(|(_, source)| source.name() == name && source.digest() == digest)
}
