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
#[must_use]
pub fn settings_tables(game: &str, settings: &Settings) -> Table {
    let text = |text: &str| Value::String(text.to_owned());
    let mut tables = Table::new();
    tables.insert("game".to_owned(), text(game));
    let mut put = |table: &str, key: &str, value: Value| {
        let table = tables.entry(table).or_insert_with(|| Value::Table(Table::new()));
        table.as_table_mut().map(|table| table.insert(key.to_owned(), value));
    };
    for (key, value) in settings.ruleset.options().iter() {
        put("options", key, text(value));
    }
    if let Some(control) =
        settings.time.control.common().filter(|control| control.initial().is_some())
    {
        for (key, value) in control.keys().iter() {
            put("time", key, text(value));
        }
    }
    let default = Settings::default();
    for field in FIELDS.iter().filter(|field| field.text(settings) != field.text(&default)) {
        let written = field.text(settings);
        let value = match field.kind {
            FieldKind::Whole(..) | FieldKind::NotOne(_) => written.parse().ok().map(Value::Integer),
            FieldKind::Truth => written.parse().ok().map(Value::Boolean),
            FieldKind::Time
            | FieldKind::SomeTime
            | FieldKind::Size(..)
            | FieldKind::Word(_)
            | FieldKind::WordOrNone(_)
            | FieldKind::WallCap => None,
        };
        put(field.table, field.key, value.unwrap_or_else(|| text(&written)));
    }
    tables
}
