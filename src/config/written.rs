//! Settings as the text of a configuration, for a tournament that is made by flags.

use arbiter_game::Settings;
use arbiter_game::settings::{FIELDS, FieldKind};
use toml::{Table, Value};

/// The tables of a configuration with these settings, of the game that users write like this. What
/// has its default is left out. A configuration cannot say that there is no clock, nor that of a
/// side: then no time control is written.
///
/// ```
/// use arbiter_config::{Config, settings_tables};
/// use arbiter_game::Settings;
/// let mut settings = Settings::of_play();
/// settings.rules.max_plies = 80;
/// let text = settings_tables("loa", &settings).to_string();
/// let bots = "[[bot]]\nname = 'a'\ncommand = 'a'\n[[bot]]\nname = 'b'\ncommand = 'b'\n";
/// assert_eq!(Config::parse(&(text + bots)).unwrap().settings, settings);
/// ```
pub fn settings_tables(game: &str, settings: &Settings) -> Table {
    let mut tables = Table::new();
    tables.insert("game".to_owned(), Value::from(game));
    for (key, value) in settings.ruleset.options().iter() {
        put(&mut tables, "options", key, Value::from(&**value));
    }
    if let Some(control) = settings.time.control.common()
        && control.initial().is_some()
    {
        for (key, value) in control.keys().iter() {
            put(&mut tables, "time", key, Value::from(&**value));
        }
    }
    let default = Settings::default();
    for field in FIELDS {
        let text = field.text(settings);
        if text == field.text(&default) {
            continue;
        }
        let number = match field.kind {
            FieldKind::Whole(..) | FieldKind::NotOne(_) => text.parse().ok().map(Value::Integer),
            FieldKind::Truth => text.parse().ok().map(Value::Boolean),
            FieldKind::Time
            | FieldKind::SomeTime
            | FieldKind::Size(..)
            | FieldKind::Word(_)
            | FieldKind::WordOrNone(_)
            | FieldKind::WallCap => None,
        };
        put(&mut tables, field.table, field.key, number.unwrap_or(Value::String(text)));
    }
    tables
}

fn put(tables: &mut Table, table: &str, key: &str, value: Value) {
    let table = tables.entry(table).or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(table) = table {
        table.insert(key.to_owned(), value);
    }
}
