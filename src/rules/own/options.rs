//! The options of custom games, as the tables of options that arbiter's games have.

use super::definition::{OwnDefinition, OwnOption};
use crate::options::{Number, OptionError, OptionSpec, OptionValues, Preset, Range};

/// The flags of a command line for the options that do not have their defaults.
pub(super) fn flags(OwnDefinition { options, values, .. }: &OwnDefinition) -> Vec<String> {
    let mut flags = Vec::new();
    for (key, value) in values {
        if !options.iter().any(|option| option.key == *key && option.default == *value) {
            flags.extend(["--set".to_owned(), format!("{key}={value}")]);
        }
    }
    flags
}

/// The options as arbiter's own games describe theirs.
pub fn option_specs(options: &[OwnOption]) -> Vec<OptionSpec> {
    options.iter().map(spec).collect()
}

/// Each option of a custom game with its value: the one given, else its default.
///
/// # Errors
/// An unknown key, one that is given twice, or a value that is none of the option's.
pub fn option_values(
    game: &str,
    specs: &[OptionSpec],
    set: &[(String, String)],
) -> Result<Vec<(String, String)>, OptionError> {
    let values = OptionValues::new(game, specs, set)?;
    Ok(specs.iter().map(|spec| (spec.key.to_string(), values.text(&spec.key))).collect())
}

fn spec(option: &OwnOption) -> OptionSpec {
    let range = match consecutive(&option.values) {
        Some((from, to)) => Range::Numbers { from, to: Number::Fixed(to) },
        None => Range::Listed(option.values.clone()),
    };
    let default = match (&range, option.default.parse()) {
        (Range::Numbers { .. }, Ok(number)) => Preset::Number(Number::Fixed(number)),
        _ => Preset::Word(option.default.clone().into()),
    };
    let key = option.key.clone().into();
    OptionSpec { key, range, default, about: option.about.clone().into() }
}

/// The first and the last of several values that are consecutive numbers, so that they are shown as
/// a range.
fn consecutive(values: &[String]) -> Option<(u64, u64)> {
    let [first, .., last] = values else { return None };
    let from: u64 = first.parse().ok()?;
    for (after, value) in (0..).zip(values) {
        let number: u64 = value.parse().ok()?;
        if number.checked_sub(from) != Some(after) {
            return None;
        }
    }
    Some((from, last.parse().ok()?))
}
