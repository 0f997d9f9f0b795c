//! What classes of cases weigh: as the file says, and otherwise as the built-in assignment of the
//! game says, whose file names every class.

use super::built_in;
use super::checks::functions_of;
use super::shape::Weights;
use crate::nearest::advice;
use crate::section::{Read, Section, Value};
use crate::value;
use arbiter_rules::Game;
use std::collections::BTreeMap;

/// The weight of a class.
fn weight(value: &Value<'_>) -> Read<f64> {
    value::number_in(0.0..=1000.0, "write a weight from 0 to 1000")(value)
}

/// The weights of the classes of whole games.
pub(super) fn of_program(section: &Section<'_>, game: Option<&Game>) -> Weights {
    let mut weights = BuiltInWeights::of(game).program;
    section.table("weights", "[part.weights]", |table| overlay(table, &mut weights));
    weights
}

/// The weights of the classes of each function.
pub(super) fn of_functions(
    section: &Section<'_>,
    game: Option<&Game>,
) -> BTreeMap<String, Weights> {
    let mut functions = BuiltInWeights::of(game).functions;
    section.table("weights", "[part.weights]", |table| {
        for function in game.map_or(&[][..], functions_of) {
            let weights = functions.entry((*function).to_owned()).or_default();
            table.table(function, "[part.weights]", |table| overlay(table, weights));
        }
    });
    functions
}

/// Puts the weights of a table in place of the built-in ones; a class that these do not have is
/// refused.
fn overlay(table: &Section<'_>, weights: &mut Weights) {
    for (class, weight) in table.each(weight) {
        if let Some(built_in) = weights.get_mut(&class) {
            *built_in = weight;
            continue;
        }
        let known: Vec<&str> = weights.keys().map(String::as_str).collect();
        let why =
            format!("there is no such class of cases; {}", advice(&class, "known are", &known));
        table.refuse(&class, why);
    }
}

/// The weights in the built-in assignment of a game.
#[derive(Default)]
struct BuiltInWeights {
    /// Those of a part "program" or "games".
    program: Weights,
    functions: BTreeMap<String, Weights>,
}

impl BuiltInWeights {
    fn of(game: Option<&Game>) -> BuiltInWeights {
        let mut of_game = BuiltInWeights::default();
        let text = game.and_then(|game| built_in(game.name())).unwrap_or_default();
        // As plain TOML: the reader of assignments asks for these weights itself.
        let Ok(file) = text.parse::<toml::Table>() else { return of_game };
        let parts = file.get("part").and_then(toml::Value::as_array);
        for part in parts.into_iter().flatten() {
            let Some(weights) = part.get("weights").and_then(toml::Value::as_table) else {
                continue;
            };
            // Either a table for each function, or a number for each class.
            for (key, value) in weights {
                if let Some(classes) = value.as_table() {
                    of_game.functions.insert(key.clone(), numbers(classes));
                }
            }
            of_game.program.extend(numbers(weights));
        }
        of_game
    }
}

/// The entries of a table that are numbers.
fn numbers(table: &toml::Table) -> Weights {
    let mut numbers = Weights::new();
    for (class, value) in table {
        match *value {
            toml::Value::Float(number) => numbers.insert(class.clone(), number),
            // Most weights are written without a point.
            toml::Value::Integer(whole) => numbers.insert(class.clone(), whole as f64),
            _ => None,
        };
    }
    numbers
}
