//! The kinds of values: each function reads one kind, or says what would be right.

use super::nearest::nearest;
use super::section::{Read, Value, Wrong, accepted, fails};
use super::start_command::StartCommand;
use arbiter_game::adapters::Adapter;
use arbiter_game::clock::{WallCap, parse_duration};
use arbiter_game::protocol::Dialect;
use arbiter_game::settings::{FieldKind, FieldValue, SIZE_UNITS, parse_size, size_text};
use arbiter_rank::schedule::is_bot_name;
use arbiter_rules::text::{DISPLAY_NAME, Word, display_name};
use std::ops::RangeInclusive;
use std::time::Duration;
use toml::de::DeValue;

/// The text of a string.
pub(super) fn string<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    value.get_ref().as_str()
}

fn whole_number(value: &Value<'_>) -> Option<u64> {
    // The parser keeps the text without underscores and prefix. A negative number is refused here.
    let integer = value.get_ref().as_integer()?;
    u64::from_str_radix(integer.as_str().trim_start_matches('+'), integer.radix()).ok()
}

/// A whole number in a range.
pub(super) fn whole<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&Value<'_>) -> Read<T> {
    move |value| {
        if let Some(number) = whole_number(value)
            && range.contains(&number)
            && let Ok(number) = T::try_from(number)
        {
            return Ok(number);
        }
        fails(format!("write a whole number from {} to {}", range.start(), range.end()))
    }
}

/// A number with or without decimals, neither infinite nor NaN.
fn number(value: &Value<'_>) -> Option<f64> {
    let text = match value.get_ref() {
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
        DeValue::Float(float) => float.as_str(),
        _ => return None,
    };
    let number: f64 = text.parse().ok()?;
    number.is_finite().then_some(number)
}

/// A number with or without decimals in a range.
pub(super) fn number_in(
    range: RangeInclusive<f64>,
    wanted: &'static str,
) -> impl Fn(&Value<'_>) -> Read<f64> {
    move |value| match number(value) {
        Some(number) if range.contains(&number) => Ok(number),
        _ => fails(wanted),
    }
}

/// A probability that is neither 0 nor 1.
pub(super) fn chance(value: &Value<'_>) -> Read<f64> {
    match number(value) {
        Some(number) if 0.0 < number && number < 1.0 => Ok(number),
        _ => fails("write a number above 0 and below 1, such as 0.05"),
    }
}

/// One of the words of an enum.
pub(super) fn word<W: Word>(value: &Value<'_>) -> Read<W> {
    let words: Vec<&'static str> = W::ALL.iter().copied().map(W::word).collect();
    accepted(W::named(one_of(&words, value)?), "there is no word for it")
}

/// A dialect.
pub(super) fn dialect(value: &Value<'_>) -> Read<Dialect> {
    if let Some(name) = string(value)
        && Adapter::named(name).is_some()
    {
        return fails(format!(
            "`{name}` is an adapter: write `adapter = \"{name}\"` in place of `dialect`"
        ));
    }
    word(value)
}

/// One of these words.
pub(super) fn one_of(words: &[&'static str], value: &Value<'_>) -> Read<&'static str> {
    let text = string(value).unwrap_or_default();
    let mut known = Vec::new();
    for word in words {
        if text == *word {
            return Ok(word);
        }
        known.push(format!("\"{word}\""));
    }
    let near = match nearest(text, words.iter().copied()) {
        Some(near) => format!("; did you mean \"{near}\"?"),
        None => String::new(),
    };
    match known.split_last() {
        Some((last, [])) => fails(format!("write {last}{near}")),
        Some((last, others)) => fails(format!("write {} or {last}{near}", others.join(", "))),
        None => fails("there is no word for it"),
    }
}

/// A setting of this kind.
pub(super) fn setting(kind: FieldKind) -> impl Fn(&Value<'_>) -> Read<FieldValue> {
    move |value| match kind {
        FieldKind::Time => duration(value).map(FieldValue::Time),
        FieldKind::SomeTime => some_time(value).map(FieldValue::Time),
        FieldKind::Size(from, to) => size(from..=to)(value).map(FieldValue::Size),
        FieldKind::Whole(..) | FieldKind::NotOne(_) => {
            // An empty text is no number either, and is refused in the words of the setting.
            let number = whole_number(value).map(|number| number.to_string()).unwrap_or_default();
            Ok(kind.read(&number)?)
        }
        FieldKind::WordOrNone(_) if string(value) == Some("") => Ok(FieldValue::Word("")),
        FieldKind::Word(words) | FieldKind::WordOrNone(words) => {
            one_of(words, value).map(FieldValue::Word)
        }
        FieldKind::Truth => truth(value).map(FieldValue::Truth),
        FieldKind::WallCap => wall_cap(value).map(FieldValue::WallCap),
    }
}

/// A text that is not empty and has no NUL, so that it can be an argument of a program.
pub(super) fn text(value: &Value<'_>) -> Read<String> {
    match string(value) {
        None => fails("write a text in quotes"),
        Some(text) if text.trim().is_empty() => fails("it is empty"),
        Some(text) if text.contains('\0') => fails("write it without the character NUL"),
        Some(text) => Ok(text.to_owned()),
    }
}

/// `true` or `false`.
pub(super) fn truth(value: &Value<'_>) -> Read<bool> {
    match value.get_ref() {
        DeValue::Boolean(truth) => Ok(*truth),
        _ => fails("write true or false, without quotes"),
    }
}

/// A text; `None` if it is empty.
pub(super) fn text_or_none(value: &Value<'_>) -> Read<Option<String>> {
    if string(value) == Some("") { Ok(None) } else { text(value).map(Some) }
}

/// An argument of a program or the value of an environment variable, which may be empty.
pub(super) fn argument(value: &Value<'_>) -> Read<String> {
    match string(value) {
        Some(text) if !text.contains('\0') => Ok(text.to_owned()),
        Some(_) => fails("write it without the character NUL"),
        None => fails("write a text in quotes, also for a number"),
    }
}

/// A list of texts.
pub(super) fn texts(value: &Value<'_>) -> Read<Vec<String>> {
    list(value, text)
}

fn list(value: &Value<'_>, read: fn(&Value<'_>) -> Read<String>) -> Read<Vec<String>> {
    let Some(elements) = value.get_ref().as_array() else {
        return fails("write a list of texts, such as [\"one\", \"two\"]");
    };
    let mut texts = Vec::new();
    for element in elements {
        let text = read(element);
        // The mark of the error is under the element, not under the whole list.
        texts.push(text.map_err(|wrong| Wrong { part: Some(element.span()), ..wrong })?);
    }
    Ok(texts)
}

/// A text or a list of texts.
pub(super) fn text_or_texts(value: &Value<'_>) -> Read<Vec<String>> {
    if value.get_ref().is_array() { texts(value) } else { Ok(vec![text(value)?]) }
}

/// How a bot is started.
pub(super) fn command(value: &Value<'_>) -> Read<StartCommand> {
    if value.get_ref().is_array() {
        let words = list(value, argument)?;
        return match words.first().map(|first| first.trim()) {
            None => fails("the list is empty"),
            Some("") => fails("its first word, the program, is empty"),
            Some(_) => Ok(StartCommand::Words(words)),
        };
    }
    if string(value).is_none() {
        return fails("write a command line in quotes or a list of words");
    }
    Ok(StartCommand::Line(text(value)?))
}

/// The characters of the name of a bot, for messages.
pub const BOT_NAME_LETTERS: &str = "a to z, A to Z, 0 to 9, . _ -";

/// The name of a bot.
pub(super) fn bot_name(value: &Value<'_>) -> Read<String> {
    match string(value) {
        Some(name) if is_bot_name(name) => Ok(name.to_owned()),
        _ => fails(bot_name_rule()),
    }
}

/// What the name of a bot is.
pub(super) fn bot_name_rule() -> String {
    format!("a name is 1 to 64 of {BOT_NAME_LETTERS}, and begins with a letter or digit")
}

/// The name that tables show after that of a bot.
pub(super) fn display(value: &Value<'_>) -> Read<String> {
    match string(value) {
        Some(name) if display_name(name).as_deref() == Some(name) => Ok(name.to_owned()),
        _ => fails(format!(
            "write 1 to {DISPLAY_NAME} visible characters, with one blank between words"
        )),
    }
}

/// The name of a tournament, which is also the name of a folder.
pub(super) fn title(value: &Value<'_>) -> Read<String> {
    if let Some(name) = string(value)
        && (1..=100).contains(&name.chars().count())
        && !name.starts_with(['.', '-', ' '])
        && !name.contains('/')
        && !name.contains(char::is_control)
    {
        return Ok(name.to_owned());
    }
    fails(
        "it names the result folder: write 1 to 100 characters without `/`, \
         not beginning with `.` or `-`",
    )
}

/// A length of time.
pub(super) fn duration(value: &Value<'_>) -> Read<Duration> {
    match string(value).map(parse_duration) {
        Some(Ok(duration)) => Ok(duration),
        _ => fails(
            "write a number and a unit in quotes, such as \"500ms\", \"10s\", \"2min\" or \"1h\"",
        ),
    }
}

/// A length of time above 0.
pub(super) fn some_time(value: &Value<'_>) -> Read<Duration> {
    match duration(value)? {
        Duration::ZERO => fails("it must be more than 0"),
        duration => Ok(duration),
    }
}

/// A number of bytes.
pub(super) fn size(range: RangeInclusive<u64>) -> impl Fn(&Value<'_>) -> Read<u64> {
    move |value| match string(value).and_then(parse_size) {
        Some(bytes) if range.contains(&bytes) => Ok(bytes),
        Some(_) => {
            fails(format!("write {} to {}", size_text(*range.start()), size_text(*range.end())))
        }
        None => fails(no_size(string(value).unwrap_or_default())),
    }
}

/// What would be right instead of a text that is no size.
fn no_size(text: &str) -> String {
    let mut wanted =
        "write a whole number and a unit in quotes, such as \"64KiB\", \"512MiB\" or \"2GiB\""
            .to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &text[digits.len()..];
    // With a right unit it is the number that is wrong.
    let units = SIZE_UNITS.map(|(name, _)| name);
    if !units.contains(&unit)
        && let Some(near) = nearest(unit, units)
    {
        wanted += &format!("; did you mean \"{digits}{near}\"?");
    }
    wanted
}

/// The cap on the wall time of a ply, for `clock = "cpu"`.
pub(super) fn wall_cap(value: &Value<'_>) -> Read<WallCap> {
    match string(value).map(WallCap::parse) {
        Some(Ok(cap)) => Ok(cap),
        _ => fails("write a factor from 1 to 1000 and a time, such as \"3x+1s\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_game::clock::duration_text;
    use toml::Spanned;

    fn quoted(text: &str) -> Value<'static> {
        Spanned::new(0..text.len(), DeValue::String(text.to_owned().into()))
    }

    #[test]
    fn sizes_have_units() {
        let read = |text: &str| size(1..=1 << 40)(&quoted(text)).ok();
        for (text, bytes) in
            [("1000B", 1000), ("1KiB", 1024), ("512MiB", 512 << 20), ("1TiB", 1 << 40)]
        {
            assert_eq!(read(text), Some(bytes), "{text}");
            assert_eq!(size_text(bytes), text);
        }
        for text in [
            "",
            "512",
            "MiB",
            "1.5GiB",
            "-1B",
            "1 MiB",
            "512MB",
            "0B",
            "2TiB",
            "99999999999999999TiB",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn times_are_written_as_they_are_read() {
        for text in ["0s", "10s", "20ms", "1500ms", "0.0005s", "300s"] {
            assert_eq!(duration_text(parse_duration(text).unwrap()), text);
        }
    }

    #[test]
    fn a_wall_cap_is_a_factor_and_a_time() {
        let read = |text: &str| wall_cap(&quoted(text)).ok().map(|cap| (cap.factor, cap.plus));
        assert_eq!(read("3x+1s"), Some((3.0, Duration::from_secs(1))));
        assert_eq!(read("1.5x"), Some((1.5, Duration::ZERO)));
        for text in ["", "3", "x", "x+1s", "0.5x", "3x1s", "3x+", "infx", "3x-1s", "1e2x", "1001x"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
