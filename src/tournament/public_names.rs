//! What bots are called in public. It is decided once: as soon as the key of a run is known, before
//! its bots are built and before anything is said of them.
//!
//! ```
//! use arbiter::{seed::SecretKey, tournament::PublicNames};
//! let aliases = PublicNames::Aliases(SecretKey::new(b"of the run"));
//! assert!(aliases.name("conny").starts_with("bot-"));
//! assert_eq!(PublicNames::Names.name("conny"), "conny");
//! ```

use crate::config::Names;
use crate::game_id::{game_id, names_in, parts_of};
use crate::seed::{Generator, SecretKey};

/// The names by which others know the bots of a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublicNames {
    /// Their own.
    Names,
    /// Aliases, which cannot be traced to the names without this key.
    Aliases(SecretKey),
}

impl PublicNames {
    /// Those of a tournament that publishes `names` and has this key. Without a key aliases still
    /// hide the names, but nobody may read them: they can be guessed.
    #[must_use]
    pub fn of(names: Names, key: Option<SecretKey>) -> PublicNames {
        match names {
            Names::Name => PublicNames::Names,
            Names::Alias => PublicNames::Aliases(key.unwrap_or_else(|| SecretKey::new(b""))),
        }
    }

    /// The public name of the bot of this name. It depends on this bot alone, so later bots do not
    /// change it.
    #[must_use]
    pub fn name(&self, name: &str) -> String {
        match self {
            PublicNames::Names => name.to_owned(),
            PublicNames::Aliases(key) => {
                let mut generator = Generator::new(&[&"alias", &key.secret_text(), &name]);
                format!("bot-{:08x}", generator.next_u64() >> 32)
            }
        }
    }

    /// The public id of the game of this id; a text that is no id as it is.
    #[must_use]
    pub fn id(&self, id: &str) -> String {
        match names_in(id).zip(parts_of(id)) {
            Some(((one, other), (_, number))) => {
                game_id(&self.name(one), &self.name(other), number)
            }
            None => id.to_owned(),
        }
    }

    /// Whether names are hidden.
    #[must_use]
    pub fn are_aliases(&self) -> bool {
        matches!(self, PublicNames::Aliases(_))
    }
}
