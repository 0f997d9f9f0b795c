//! A custom game as it is described by whoever knows its rules.

use super::{EngineState, Layout, RulesEngine};
use std::sync::Arc;

/// An option of a custom game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnOption {
    /// The key.
    pub key: String,
    /// The default, one of the values.
    pub default: String,
    /// The values: words or whole numbers.
    pub values: Vec<String>,
    /// What it is, for people.
    pub about: String,
}

/// A custom game with values of its options.
#[derive(Debug, Clone)]
pub struct OwnDefinition {
    /// The name in commands and logs.
    pub name: String,
    /// The name in texts for people.
    pub title: String,
    /// The file or folder of the rules, without the folders above it.
    pub file: String,
    /// The first hex digits of the digest of its content.
    pub digest: String,
    /// The options; empty for rules of which only a log tells.
    pub options: Vec<OwnOption>,
    /// Each option with its value.
    pub values: Vec<(String, String)>,
    /// The board.
    pub layout: Layout,
    /// The letter of the side that programs call black which know only black and white, such as
    /// engines of Go; `None` if the rules do not say.
    pub black: Option<char>,
    /// The start position and what follows from it; of rules of which only a log tells, its text.
    pub start: EngineState,
    /// What knows the rules; `None` for those of which only a log tells.
    pub engine: Option<Arc<dyn RulesEngine>>,
}

impl OwnDefinition {
    /// A game known only from a log: the board is known, and begins empty. Nothing is legal in
    /// it but what the log says was played.
    pub fn told(
        name: &str,
        file: &str,
        digest: &str,
        values: Vec<(String, String)>,
        layout: Layout,
    ) -> OwnDefinition {
        let rows = vec![layout.columns().to_string(); layout.rows()].join("/");
        let start = EngineState {
            position: format!("{rows} {}", layout.sides().first),
            ..EngineState::default()
        };
        OwnDefinition {
            name: name.to_owned(),
            title: name.to_owned(),
            file: file.to_owned(),
            digest: digest.to_owned(),
            options: Vec::new(),
            values,
            layout,
            black: None,
            start,
            engine: None,
        }
    }
}
