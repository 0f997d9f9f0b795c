//! The forms of answers in JSON: keys and their types.

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

/// `{"fault":…}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FaultAnswer {
    pub fault: FaultDetails,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FaultDetails {
    pub what: String,
    pub function: Option<String>,
    pub file: Option<String>,
    pub line: Option<u64>,
}

/// `{"error":…}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ErrorAnswer {
    pub error: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RulesAnswer {
    /// What the program calls the game; its name is that of the file.
    #[serde(rename = "game")]
    _game: Option<String>,
    pub title: String,
    pub adapter: Option<String>,
    pub black: Option<char>,
    #[serde(default)]
    pub options: Vec<OptionAnswer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OptionAnswer {
    pub key: String,
    pub default: OptionValue,
    pub values: Vec<OptionValue>,
    #[serde(default)]
    pub about: String,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a value of an option is a word or a whole number")]
pub(super) enum OptionValue {
    Number(i64),
    Word(String),
}

impl OptionValue {
    pub fn text(&self) -> String {
        match self {
            OptionValue::Number(number) => number.to_string(),
            OptionValue::Word(word) => word.clone(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetAnswer {
    pub error: Option<String>,
}

/// The keys of a board stand beside those of a state, which `serde` cannot read both strictly and
/// flattened.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StartAnswer {
    pub sides: String,
    pub rows: u64,
    pub columns: u64,
    pub row_names: Option<Vec<String>>,
    pub column_names: Option<Vec<String>>,
    #[serde(default)]
    pub pieces: Pairs<String>,
    pub position: String,
    pub moves: Vec<String>,
    #[serde(default)]
    pub ending: Option<EndingAnswer>,
    pub identity: Option<String>,
    #[serde(default)]
    pub squares: Pairs<Vec<(u32, u32)>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StateAnswer {
    pub position: String,
    pub moves: Vec<String>,
    #[serde(default)]
    pub ending: Option<EndingAnswer>,
    pub identity: Option<String>,
    #[serde(default)]
    pub squares: Pairs<Vec<(u32, u32)>>,
}

/// Winner, reason, and the margin if the rules have one.
#[derive(Deserialize)]
#[serde(expecting = "winner and reason, and perhaps a margin")]
pub(super) struct EndingAnswer(pub Option<String>, pub String, #[serde(default)] pub Option<f64>);

/// An object whose keys are data, in its order; a key that comes twice is refused.
pub(super) struct Pairs<T>(pub Vec<(String, T)>);

impl<T> Default for Pairs<T> {
    fn default() -> Pairs<T> {
        Pairs(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs<T>, D::Error> {
        struct Reader<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Reader<T> {
            type Value = Pairs<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<T>, A::Error> {
                let mut pairs = Vec::new();
                let mut seen = HashSet::new();
                while let Some((key, value)) = map.next_entry::<String, T>()? {
                    if !seen.insert(key.clone()) {
                        return Err(Error::custom(format_args!("duplicate key `{key}`")));
                    }
                    pairs.push((key, value));
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(Reader(PhantomData))
    }
}
