//! Reads tables key by key, so that all errors of a file are found at once.
//!
//! The code that reads a table defines its keys: a key that it does not ask for is unknown, and is
//! compared with the keys that it asks for. So there is no second list of keys.

use super::nearest::advice;
use super::problem::{ConfigErrors, SourceText};
use arbiter_rules::text::one_column;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value of the file, with its bytes.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// Why a value is refused: what would be right, and which part of it is wrong; `None` for all of
/// it.
pub(super) struct Wrong {
    pub(super) wanted: String,
    pub(super) part: Option<Range<usize>>,
}

impl From<String> for Wrong {
    fn from(wanted: String) -> Wrong {
        Wrong { wanted, part: None }
    }
}

/// A value as it was read, or why it is refused.
pub(super) type Read<T> = Result<T, Wrong>;

/// Refuses a value as a whole.
pub(super) fn fails<T>(wanted: impl Into<String>) -> Read<T> {
    Err(Wrong { wanted: wanted.into(), part: None })
}

/// What was read; if nothing was, the value is refused as a whole.
pub(super) fn accepted<T>(read: Option<T>, wanted: impl Into<String>) -> Read<T> {
    match read {
        Some(it) => Ok(it),
        None => fails(wanted),
    }
}

/// Where a key was found, and whether its value was accepted.
struct KeyPlace {
    span: Range<usize>,
    sound: bool,
}

/// A key that was not asked for.
struct Unknown {
    heading: &'static str,
    name: String,
    span: Range<usize>,
    is_table: bool,
}

/// The state of reading a file.
pub(super) struct Reading<'a> {
    source: SourceText<'a>,
    errors: RefCell<Vec<(Range<usize>, String)>>,
    /// By the dotted path of the key; the first table of a list is `bot.0`.
    places: RefCell<BTreeMap<String, KeyPlace>>,
    /// The keys that were asked for, by the heading of their table.
    known: RefCell<BTreeMap<&'static str, Vec<&'static str>>>,
    unknown: RefCell<Vec<Unknown>>,
}

/// Reads a file: `read` asks for the keys outside all tables and for the tables. It returns `None`
/// only if it has reported an error.
///
/// # Errors
/// All errors: those of the TOML syntax, or else those that were reported, and one for each key
/// that was not asked for.
pub(super) fn read_file<T>(
    text: &str,
    read: impl FnOnce(&Section<'_>) -> Option<T>,
) -> Result<T, ConfigErrors> {
    let reading = Reading::new(text);
    let table = reading.syntax()?;
    let root = Section::new(&reading, String::new(), "", 0..0, Some(table.get_ref()));
    let it = read(&root);
    root.close();
    reading.finish(it)
}

// Everything is behind a `RefCell`, because sections of one file are read while others are open.
impl<'a> Reading<'a> {
    fn new(text: &'a str) -> Reading<'a> {
        Reading {
            source: SourceText::new(text),
            errors: RefCell::default(),
            places: RefCell::default(),
            known: RefCell::default(),
            unknown: RefCell::default(),
        }
    }

    /// Parses the file as TOML.
    ///
    /// # Errors
    /// Its syntax is wrong; its keys are then not checked.
    fn syntax(&self) -> Result<Spanned<DeTable<'a>>, ConfigErrors> {
        let (table, syntax_errors) = DeTable::parse_recoverable(self.source.text);
        let end = self.source.text.len();
        for error in syntax_errors {
            self.report(error.span().unwrap_or(end..end), format!("not TOML: {}", error.message()));
        }
        // Further errors on the same line are mostly consequences of the first.
        let mut errors = self.errors.borrow_mut();
        errors.sort_by_key(|(place, _)| place.start);
        errors.dedup_by_key(|(place, _)| self.source.line(place.start));
        for (place, message) in &mut *errors {
            message.push_str(syntax_advice(self.source.line_text(self.source.line(place.start))));
        }
        drop(errors);
        if self.errors.borrow().is_empty() { Ok(table) } else { Err(self.errors()) }
    }

    /// Reports an error at these bytes.
    pub(super) fn report(&self, place: Range<usize>, message: impl Into<String>) {
        self.errors.borrow_mut().push((place, message.into()));
    }

    /// Reports an error at this key, or at its table if the key was not written.
    pub(super) fn refuse(&self, path: &str, message: impl Into<String>) {
        let places = self.places.borrow();
        let mut path = path;
        let mut place = 0..0;
        loop {
            if let Some(known) = places.get(path) {
                place.clone_from(&known.span);
                break;
            }
            let Some((table, _)) = path.rsplit_once('.') else { break };
            path = table;
        }
        drop(places);
        self.report(place, message);
    }

    /// Whether none of these keys has a refused value. Values are compared with each other only if
    /// this holds.
    pub(super) fn sound(&self, paths: &[&str]) -> bool {
        let places = self.places.borrow();
        paths.iter().all(|path| places.get(*path).is_none_or(|place| place.sound))
    }

    /// Whether the file has this key.
    pub(super) fn has(&self, path: &str) -> bool {
        self.places.borrow().contains_key(path)
    }

    /// The lines and texts of the keys that were read, by their dotted paths.
    pub(super) fn values(&self) -> BTreeMap<String, (usize, String)> {
        let mut values = BTreeMap::new();
        for (path, KeyPlace { span, .. }) in &*self.places.borrow() {
            let text = self.source.text.get(span.clone()).unwrap_or_default();
            let shown = text.chars().map(one_column).collect();
            values.insert(path.clone(), (self.source.line(span.start), shown));
        }
        values
    }

    /// A value, or part of one, as a message quotes it; a table or list is named by its kind.
    fn quoted(&self, value: &Value<'_>, part: Option<&Range<usize>>) -> String {
        let span = part.cloned().unwrap_or_else(|| value.span());
        let source = self.source.text.get(span).unwrap_or_default();
        match value.get_ref() {
            DeValue::Table(_) if part.is_none() => "a table".to_owned(),
            DeValue::Array(_) if part.is_none() => "a list".to_owned(),
            // A message has one line.
            _ if source.contains('\n') => "this".to_owned(),
            _ => format!("`{}`", short(source)),
        }
    }

    /// Returns what was read. `read` is `None` only if an error was reported.
    ///
    /// # Errors
    /// All errors that were reported, and one for each unknown key.
    fn finish<T>(&self, read: Option<T>) -> Result<T, ConfigErrors> {
        // Only now are the keys of all tables known, to which an unknown one may belong.
        for unknown in self.unknown.take() {
            let message = self.unknown_message(&unknown);
            self.report(unknown.span, message);
        }
        match read {
            Some(read) if self.errors.borrow().is_empty() => Ok(read),
            _ => Err(self.errors()),
        }
    }

    fn errors(&self) -> ConfigErrors {
        ConfigErrors::new(&self.source, self.errors.take())
    }

    fn unknown_message(&self, unknown: &Unknown) -> String {
        let Unknown { heading, name, is_table, .. } = unknown;
        let known = self.known.borrow();
        let place = if heading.is_empty() { String::new() } else { format!(" in {heading}") };
        let kind = if *is_table { "table" } else { "key" };
        let here: &[&str] = known.get(heading).map_or(&[], Vec::as_slice);
        // A key of another table is more likely misplaced than misspelt.
        let advice = match known.iter().find(|(_, keys)| keys.contains(&name.as_str())) {
            Some((&"", _)) => {
                "it belongs at the top of the file, before the first [table]".to_owned()
            }
            Some((table, _)) => format!("it belongs in {table}"),
            None => advice(name, "known are", here),
        };
        format!("unknown {kind} `{}`{place}; {advice}", short(name))
    }

    /// Every key that was asked for, with the heading of its table.
    #[cfg(test)]
    pub(super) fn known(&self) -> Vec<(&'static str, &'static str)> {
        let mut all = Vec::new();
        for (heading, keys) in &*self.known.borrow() {
            all.extend(keys.iter().map(|key| (*heading, *key)));
        }
        all
    }
}

/// What is right instead of what is often wrong in lines that were copied from a page or another
/// system, as the end of a sentence.
fn syntax_advice(line: &str) -> &'static str {
    let Some((_, value)) = line.split_once('=') else { return "" };
    match value.trim_start().chars().next() {
        Some('\u{2018}'..='\u{201f}') => {
            "; its quotes are typographic ones: write straight ones, \"…\""
        }
        Some('"') if value.contains('\\') => {
            "; in double quotes a backslash begins an escape: \
             write / between folders, or single quotes"
        }
        _ => "",
    }
}

/// The beginning of a text, short enough to be quoted in a message.
fn short(text: &str) -> Cow<'_, str> {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// Whether the value is a table or a list of tables.
fn is_table(value: &DeValue<'_>) -> bool {
    match value.as_array().and_then(|elements| elements.iter().next()) {
        Some(first) => first.get_ref().is_table(),
        None => value.is_table(),
    }
}

/// A key, its bytes, and its value.
pub(super) type KeyEntry<'a> = (&'a str, Range<usize>, &'a Value<'a>);

/// The tables of a list without their paths.
pub(super) fn without_paths<T>(tables: Vec<(String, T)>) -> Vec<T> {
    tables.into_iter().map(|(_, table)| table).collect()
}

/// A table that is being read.
pub(super) struct Section<'a> {
    pub(super) reading: &'a Reading<'a>,
    path: String,
    /// Its header in the file: `[time]`, `[[bot]]`, empty for the keys outside all tables.
    heading: &'static str,
    /// The entries that were not asked for yet, in the order of the file.
    rest: RefCell<Vec<KeyEntry<'a>>>,
}

impl<'a> Section<'a> {
    fn new(
        reading: &'a Reading<'a>,
        path: String,
        heading: &'static str,
        span: Range<usize>,
        table: Option<&'a DeTable<'a>>,
    ) -> Section<'a> {
        let mut rest: Vec<KeyEntry<'a>> = Vec::new();
        if let Some(table) = table {
            rest.extend(table.iter().map(|(key, value)| (&**key.get_ref(), key.span(), value)));
            // The parser sorts by name; errors and bots are in the order of the file.
            rest.sort_by_key(|entry| entry.1.start);
            reading.places.borrow_mut().insert(path.clone(), KeyPlace { span, sound: true });
        }
        Section { reading, path, heading, rest: RefCell::new(rest) }
    }

    /// The path of one of its keys.
    pub(super) fn path(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// How a message names one of its keys.
    fn named(&self, key: &str) -> String {
        if self.heading.is_empty() {
            format!("`{key}`")
        } else {
            format!("`{key}` in {}", self.heading)
        }
    }

    /// Marks a key as known and takes its entry, if the file has it.
    fn find(&self, key: &'static str) -> Option<KeyEntry<'a>> {
        // By the heading, so that all tables of a list have one entry.
        let mut known = self.reading.known.borrow_mut();
        let keys = known.entry(self.heading).or_default();
        if !keys.contains(&key) {
            keys.push(key);
        }
        self.pull(key)
    }

    /// Takes the entry of a key out of the rest.
    fn pull(&self, key: &str) -> Option<KeyEntry<'a>> {
        let mut rest = self.rest.borrow_mut();
        let at = rest.iter().position(|(name, ..)| *name == key)?;
        Some(rest.remove(at))
    }

    /// The value of a key, read by `read`; `None` if the key is missing, or if the value is
    /// refused, which is reported.
    pub(super) fn take<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Value<'a>) -> Read<T>,
    ) -> Option<T> {
        let (_, _, value) = self.find(key)?;
        self.read_value(key, value, read)
    }

    /// Reads a value that was taken from the entries; `None` if it is refused, which is reported.
    pub(super) fn read_value<T>(
        &self,
        key: &str,
        value: &Value<'a>,
        read: impl FnOnce(&Value<'a>) -> Read<T>,
    ) -> Option<T> {
        let read = read(value);
        // Also of a value that is refused: the key is there, and later checks skip it.
        let place = KeyPlace { span: value.span(), sound: read.is_ok() };
        self.reading.places.borrow_mut().insert(self.path(key), place);
        match read {
            Ok(it) => Some(it),
            Err(Wrong { wanted, part }) => {
                let quoted = self.reading.quoted(value, part.as_ref());
                let message = format!("{} cannot be {quoted}: {wanted}", self.named(key));
                self.reading.report(part.unwrap_or_else(|| value.span()), message);
                None
            }
        }
    }

    /// The value of a key, else its default.
    pub(super) fn or<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Value<'a>) -> Read<T>,
        default: T,
    ) -> T {
        self.take(key, read).unwrap_or(default)
    }

    /// The value of a required key; an error is reported if it is missing.
    pub(super) fn need<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Value<'a>) -> Read<T>,
        example: &str,
    ) -> Option<T> {
        let value = self.take(key, read);
        // A value that is refused was there, and has its own error.
        if !self.reading.has(&self.path(key)) {
            let table = if self.heading.is_empty() { "the file" } else { self.heading };
            let message = format!("{table} needs `{key}`, such as {key} = {example}");
            self.refuse(key, message);
        }
        value
    }

    /// Reports an error at one of its keys, or at the table if the key was not written.
    pub(super) fn refuse(&self, key: &str, message: impl Into<String>) {
        self.reading.refuse(&self.path(key), message);
    }

    /// Refuses a key that other kinds of files have. It is not asked for by `find`, so that no
    /// message suggests it for this file.
    pub(super) fn forbid(&self, key: &str, why: &str) {
        if let Some((_, place, _)) = self.pull(key) {
            self.reading.report(place, format!("{} is refused: {why}", self.named(key)));
        }
    }

    /// All entries of a table whose keys are free; none of them is unknown then.
    pub(super) fn entries(&self) -> Vec<KeyEntry<'a>> {
        self.rest.take()
    }

    /// The keys of these entries and their values, without those that are refused.
    pub(super) fn each<T>(&self, read: impl Fn(&Value<'a>) -> Read<T>) -> Vec<(String, T)> {
        let mut each = Vec::new();
        for (key, _, value) in self.entries() {
            if let Some(it) = self.read_value(key, value, &read) {
                each.push((key.to_owned(), it));
            }
        }
        each
    }

    /// Reads a table in this one; a missing table is read as empty.
    pub(super) fn table<T>(
        &self,
        key: &'static str,
        heading: &'static str,
        read: impl FnOnce(&Section<'a>) -> T,
    ) -> T {
        let mut span = 0..0;
        let mut table = None;
        if let Some((_, key_span, value)) = self.find(key) {
            match value.get_ref() {
                DeValue::Table(inner) => {
                    span = key_span;
                    table = Some(inner);
                }
                DeValue::Array(_) => {
                    self.reading
                        .report(key_span, format!("`{key}` is one table; write {heading}, once"));
                }
                _ => {
                    let wanted = format!("`{key}` is a table; write {heading} above its keys");
                    self.reading.report(value.span(), wanted);
                }
            }
        }
        let section = Section::new(self.reading, self.path(key), heading, span, table);
        let it = read(&section);
        section.close();
        it
    }

    /// Reads the tables of a list; each comes with its path.
    pub(super) fn tables<T>(
        &self,
        key: &'static str,
        heading: &'static str,
        read: impl Fn(&Section<'a>) -> Option<T>,
    ) -> Vec<(String, T)> {
        let Some((_, span, value)) = self.find(key) else { return Vec::new() };
        let wanted = format!(
            "`{key}` is a list of tables; write {heading} with two brackets above the keys of each"
        );
        let mut read_ones = Vec::new();
        let sound;
        if let DeValue::Array(elements) = value.get_ref() {
            for (index, element) in elements.iter().enumerate() {
                let DeValue::Table(table) = element.get_ref() else {
                    self.reading.report(element.span(), wanted.clone());
                    continue;
                };
                let path = format!("{}.{index}", self.path(key));
                let section =
                    Section::new(self.reading, path.clone(), heading, element.span(), Some(table));
                if let Some(it) = read(&section) {
                    read_ones.push((path, it));
                }
                section.close();
            }
            sound = read_ones.len() == elements.len();
        } else {
            sound = false;
            self.reading.report(span.clone(), wanted);
        }
        // After the tables: whether the list is sound depends on them.
        self.reading.places.borrow_mut().insert(self.path(key), KeyPlace { span, sound });
        read_ones
    }

    /// Records the entries that were not asked for as unknown.
    fn close(self) {
        for (name, span, value) in self.rest.into_inner() {
            self.reading.unknown.borrow_mut().push(Unknown {
                heading: self.heading,
                name: name.to_owned(),
                span,
                is_table: is_table(value.get_ref()),
            });
        }
    }
}
