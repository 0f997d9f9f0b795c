//! `[console]`: the table of a program that talks to a person (docs/reference/console.md), in a
//! `bot.toml` or in a file of its own.
//!
//! ```
//! use arbiter_config::console;
//! assert!(console::parse("[console]\nmove = 'plays (?<col>[a-z])(?<row>\\d+)'").is_ok());
//! let errors = console::parse("[console]\nmove = 'plays (.*)'\nturn = '{bord}'").unwrap_err();
//! assert_eq!(errors.errors().iter().map(|error| error.line).collect::<Vec<_>>(), [2, 3]);
//! ```

use super::problem::ConfigErrors;
use super::section::{Read, Section, Value, fails, read_file, without_paths};
use super::{tables, value};
use arbiter_game::protocol::console::{Cells, Entry, Listen, Pattern, Place, Table, Template};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Reads a file whose only table is `[console]`.
///
/// # Errors
/// Everything that is wrong with it, each with its line.
pub fn parse(text: &str) -> Result<Table, ConfigErrors> {
    read_file(text, |root| {
        let console = table_of(root);
        if !root.reading.has("console") {
            root.reading.refuse("", "the file needs the table [console]");
        }
        console
    })
}

/// The table `[console]` below the top of a file; `None` if there is none, or if an error was
/// reported.
pub(super) fn table_of(root: &Section<'_>) -> Option<Table> {
    root.table("console", "[console]", |section| console(section, root.reading.has("console")))
}

fn console(section: &Section<'_>, is_there: bool) -> Option<Table> {
    // A file without the table need not have its required key.
    let answer = if is_there {
        section.need("move", answer, "'plays (?<col>[a-z])(?<row>\\d+)'")
    } else {
        section.take("move", answer)
    };
    let share = value::number_in(
        0.001..=1.0,
        "write a share of the time of a move, above 0 and at most 1, such as 0.4",
    );
    let share = match section.take("share", share) {
        Some(share) => (share * 1000.0).round() as u16,
        None => Table::SHARE,
    };
    let listen = section.or("listen", value::word, Listen::default());
    let transpose = section.or("transpose", value::truth, false);
    let needs = section.table("needs", "[console.needs]", tables::options);
    let setup = entries(section, "setup", "[[console.setup]]", Place::Setup);
    let turn = section.take("turn", |value| template(value, Place::Turn));
    let cells = section.table("cells", "[console.cells]", cells);
    let ask = entries(section, "ask", "[[console.ask]]", Place::Ask);
    let resign = section.take("resign", pattern);
    // Only here, so that the mistakes in all keys are reported.
    let answer = answer?;
    Some(Table { listen, transpose, share, needs, setup, turn, cells, ask, answer, resign })
}

/// Maximum number of prompts of `setup`, and of `ask`: each is searched for in all output.
const MOST_PROMPTS: usize = 32;

fn entries(
    section: &Section<'_>,
    key: &'static str,
    heading: &'static str,
    place: Place,
) -> Vec<Entry> {
    // The prompts so far. A `Cell`, because the reader of one table is that of all.
    let prompts = Cell::new(0);
    let tables = section.tables(key, heading, |entry| {
        let prompt = entry.take("prompt", |value| {
            prompts.set(prompts.get() + 1);
            if prompts.get() > MOST_PROMPTS {
                return fails(format!(
                    "`{key}` has more than {MOST_PROMPTS} prompts; join them with |"
                ));
            }
            pattern(value)
        });
        let send = entry.need("send", |value| template(value, place), "\"{n}\"");
        Some(Entry { prompt, send: send? })
    });
    without_paths(tables)
}

fn answer(value: &Value<'_>) -> Read<Pattern> {
    Ok(Table::read_answer(&value::text(value)?).and_then(not_empty)?)
}

fn template(value: &Value<'_>, place: Place) -> Read<Template> {
    let template = Template::parse(&value::argument(value)?)?;
    template.check(place)?;
    Ok(template)
}

fn pattern(value: &Value<'_>) -> Read<Pattern> {
    Ok(Pattern::parse(&value::text(value)?).and_then(not_empty)?)
}

/// A pattern that matches the empty text would match at once, before the program says anything.
fn not_empty(pattern: Pattern) -> Result<Pattern, String> {
    if pattern.matches_nothing() {
        Err("it matches the empty text, so it says nothing about the program".to_owned())
    } else {
        Ok(pattern)
    }
}

fn cells(section: &Section<'_>) -> Cells {
    let empty = section.take("empty", value::argument);
    let block = section.take("block", value::argument);
    let join = section.or("join", value::argument, String::new());
    let mut pieces = BTreeMap::new();
    for (key, place, value) in section.entries() {
        let mut letters = key.chars();
        if let (Some(letter), None) = (letters.next(), letters.next())
            && letter.is_ascii_alphabetic()
        {
            if let Some(text) = section.read_value(key, value, value::argument) {
                pieces.insert(letter, text);
            }
        } else {
            let why = format!("`{key}` is no letter of a piece, nor `empty`, `block` or `join`");
            section.reading.report(place, why);
        }
    }
    Cells { pieces, empty, block, join }
}
