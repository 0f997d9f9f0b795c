//! A custom game without the values of its options: what the variants of
//! [`Game`](crate::Game) are for arbiter's games.

use super::definition::OwnDefinition;
use super::options::option_specs;
use super::ruleset::OwnRules;
use super::source::Rules;
use crate::game::GameDescription;
use crate::options::{OptionError, OptionSpec};
use crate::{BySide, RulesFault, Side};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A custom game, whatever its options are. Two are equal if name and content are.
#[derive(Debug, Clone)]
pub struct OwnGame(Arc<GameData>);

#[derive(Debug)]
struct GameData {
    name: String,
    title: String,
    file: String,
    digest: String,
    letters: BySide<char>,
    options: Vec<OptionSpec>,
    /// `None` if only a log tells of the game.
    source: Option<Rules>,
}

impl OwnGame {
    /// The game of a definition, without the values of its options.
    pub(super) fn new(definition: &OwnDefinition, source: Option<&Rules>) -> OwnGame {
        OwnGame(Arc::new(GameData {
            name: definition.name.clone(),
            title: definition.title.clone(),
            file: definition.file.clone(),
            digest: definition.digest.clone(),
            letters: definition.layout.sides(),
            options: option_specs(&definition.options),
            source: source.cloned(),
        }))
    }

    /// The file of the rules, without the folders above it.
    pub(crate) fn file(&self) -> &str {
        &self.0.file
    }

    /// The first hex digits of the digest of the rules.
    pub(crate) fn digest(&self) -> &str {
        &self.0.digest
    }

    pub(crate) fn description(&self) -> GameDescription<'_> {
        GameDescription {
            name: &self.0.name,
            title: &self.0.title,
            letters: self.0.letters,
            white: Side::First,
            options: &self.0.options,
            in_short: &[],
            example: None,
            first_row: 1,
            blocks: true,
            third_field: None,
        }
    }

    /// Its rules, if the user has given them.
    pub(crate) fn source(&self) -> Option<&Rules> {
        self.0.source.as_ref()
    }

    /// The rules with other options, if they are known.
    pub(crate) fn with_options(&self, set: &[(String, String)]) -> Result<OwnRules, OptionError> {
        match self.source() {
            Some(source) => OwnRules::from_source(source, set),
            None => Err(OptionError::Rules(Box::new(RulesFault::new("the rules are not known")))),
        }
    }

    fn key(&self) -> (&str, &str) {
        (&self.0.name, self.digest())
    }
}

impl PartialEq for OwnGame {
    fn eq(&self, other: &OwnGame) -> bool {
        self.key() == other.key()
    }
}

impl Eq for OwnGame {}

impl PartialOrd for OwnGame {
    fn partial_cmp(&self, other: &OwnGame) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OwnGame {
    fn cmp(&self, other: &OwnGame) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for OwnGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
