//! `feed.xml`: what has happened in a league, for feed readers (Atom, RFC 4287): verdicts of
//! versions, the table once a day, and the deadline. It has public names only.

use super::status::LeagueParts;
use super::versions::State;
use arbiter_cup::report::escape::xml;
use arbiter_cup::tournament::{RunBot, RunEntry};
use arbiter_run::display::league_file::ATOM_FILE;
use std::cmp::Ordering;
use std::fmt::Write;

/// The most entries, the newest ones.
const ENTRIES: usize = 50;
/// The most bots of a table.
const PLACES: usize = 100;
/// When a feed without entries was last changed.
const NEVER: &str = "1970-01-01T00:00:00Z";

/// An entry, whose parts are not escaped yet.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FeedEntry {
    /// When it happened, in the form of RFC 3339.
    time: String,
    /// What it is about, which no other entry of the league is about.
    about: Vec<String>,
    title: String,
    content: FeedContent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum FeedContent {
    Text(String),
    /// A list in order.
    List(Vec<String>),
}

/// The feed as it is now.
pub fn feed(parts: &LeagueParts<'_>) -> String {
    let mut entries = verdicts(parts);
    entries.extend(tables(parts));
    if let Some(frozen) = parts.frozen {
        let said = format!("No submission is taken since {frozen}; the games go on.");
        entries.push(FeedEntry {
            time: frozen.clone(),
            about: vec!["deadline".to_owned(), frozen.clone()],
            title: "The deadline is over".to_owned(),
            content: FeedContent::Text(said),
        });
    }
    entries.sort_by(|one, other| (&other.time, &one.about).cmp(&(&one.time, &other.about)));
    entries.truncate(ENTRIES);
    document(parts.league, &entries)
}

/// The verdicts of all versions that are known.
fn verdicts(parts: &LeagueParts<'_>) -> Vec<FeedEntry> {
    let LeagueParts { versions, names, anonymizer, .. } = *parts;
    let mut entries = Vec::new();
    for ((_, own_name), bot) in versions.bots() {
        let name = names.name(own_name);
        for version in &bot.versions {
            let verdict = match version.state {
                State::Refused => "does not play",
                // One that was replaced or withdrawn since has played.
                _ if version.digest.is_some() => "plays",
                _ => continue,
            };
            let number = version.number;
            let mut said = anonymizer.clean(&version.said);
            if said.is_empty() {
                said = format!("{name}, version {number}, {verdict}.");
            }
            entries.push(FeedEntry {
                time: version.decided.as_ref().unwrap_or(&version.time).clone(),
                // In another season the version of this number arrives at another time.
                about: vec![name.clone(), number.to_string(), version.time.clone()],
                title: format!("{name}: version {number} {verdict}"),
                content: FeedContent::Text(said),
            });
        }
    }
    entries
}

/// The first table of each day.
fn tables(parts: &LeagueParts<'_>) -> Vec<FeedEntry> {
    let mut entries: Vec<FeedEntry> = Vec::new();
    for run in parts.runs {
        let day = run.time.get(..10).unwrap_or(&run.time);
        if entries.last().is_some_and(|last| last.time.starts_with(day)) {
            continue;
        }
        entries.push(FeedEntry {
            time: run.time.clone(),
            about: vec!["table".to_owned(), run.time.clone()],
            title: format!("The table of {day}"),
            content: FeedContent::List(places(run)),
        });
    }
    entries
}

/// The places of a table, by rating.
fn places(run: &RunEntry) -> Vec<String> {
    let mut rated: Vec<(&RunBot, f64)> = Vec::new();
    for bot in &run.bots {
        if let Some(rating) = bot.rating {
            rated.push((bot, rating));
        }
    }
    rated.sort_by(|(_, one), (_, other)| other.partial_cmp(one).unwrap_or(Ordering::Equal));
    let mut places = Vec::new();
    for (bot, rating) in rated.iter().take(PLACES) {
        places.push(format!("{} {rating:+.0}", bot.name));
    }
    places
}

fn document(league: &str, entries: &[FeedEntry]) -> String {
    let updated = entries.first().map_or(NEVER, |newest| &newest.time);
    let name = xml(league);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <title>{name}</title>\n\
         <id>{}</id>\n\
         <updated>{}</updated>\n\
         <author><name>{name}</name></author>\n\
         <generator>arbiter</generator>\n\
         <link rel=\"self\" type=\"application/atom+xml\" href=\"{ATOM_FILE}\"/>\n\
         <link rel=\"alternate\" type=\"text/html\" href=\"./\"/>\n",
        id(league, &[]),
        xml(updated),
    );
    for FeedEntry { time, about, title, content } in entries {
        out += "<entry>\n";
        // Writing to a text cannot fail.
        let _ = write!(
            out,
            "<title>{}</title>\n<id>{}</id>\n<updated>{}</updated>\n",
            xml(title),
            id(league, about),
            xml(time)
        );
        match content {
            FeedContent::Text(said) => out += &format!("<content>{}</content>\n", xml(said)),
            FeedContent::List(rows) => {
                out += "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><ol>\n";
                for row in rows {
                    out += &format!("<li>{}</li>\n", xml(row));
                }
                out += "</ol></div></content>\n";
            }
        }
        out += "</entry>\n";
    }
    out + "</feed>\n"
}

/// The id of a league, or of an entry about something in it: a `tag` URI (RFC 4151) of an authority
/// that nobody has, so that it does not depend on the machine.
fn id(league: &str, about: &[String]) -> String {
    let mut out = format!("tag:arbiter.invalid,2026:{}", encoded(league));
    for part in about {
        out += "/";
        out += &encoded(part);
    }
    out
}

/// A part of a URI: what is not a letter, a digit or `-._~:` is percent-encoded.
fn encoded(part: &str) -> String {
    let mut out = String::new();
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::versions::Versions;
    use super::*;
    use arbiter_config::{Config, DEFAULT};
    use arbiter_cup::report::anonymizer::Anonymizer;
    use arbiter_cup::tournament::PublicNames;

    fn entry(minute: usize) -> FeedEntry {
        FeedEntry {
            time: format!("2026-11-29T10:{minute:02}:00Z"),
            about: vec!["<x>&\"".to_owned(), minute.to_string()],
            title: "<x>&\": version 1 plays".to_owned(),
            content: FeedContent::Text("]]></entry>\u{ffff}\u{1}\n".to_owned()),
        }
    }

    fn bot(name: &str, rating: Option<f64>) -> RunBot {
        RunBot { name: name.to_owned(), digest: None, rating, low: None, high: None }
    }

    fn run(time: &str, bots: &[RunBot]) -> RunEntry {
        RunEntry { time: time.to_owned(), games: 1, bots: bots.to_vec() }
    }

    #[test]
    fn what_strangers_wrote_is_text_and_an_id_is_a_uri() {
        let feed = document("cup é", &[entry(7)]);
        assert!(feed.contains("<title>&lt;x&gt;&amp;&quot;: version 1 plays</title>"), "{feed}");
        assert!(feed.contains("<content>]]&gt;&lt;/entry&gt;?"), "{feed}");
        assert!(!feed.contains(['\u{1}', '\u{ffff}']), "{feed}");
        let id = "<id>tag:arbiter.invalid,2026:cup%20%C3%A9/%3Cx%3E%26%22/7</id>";
        assert!(feed.contains(id), "{feed}");
    }

    #[test]
    fn a_table_is_that_of_the_first_run_of_a_day() {
        let bots = [bot("a", Some(-20.4)), bot("b", Some(20.4)), bot("c", None)];
        let runs = [
            run("2026-11-28T23:10:00Z", &bots),
            run("2026-11-28T23:50:00Z", &[]),
            run("2026-11-29T00:50:00Z", &[]),
        ];
        let dir = tempfile::tempdir().unwrap();
        let parts = LeagueParts {
            league: "cup",
            versions: &Versions::read(dir.path(), &Config::parse(DEFAULT).unwrap()).unwrap(),
            names: &PublicNames::Names,
            anonymizer: &Anonymizer::unchanged(),
            runs: &runs,
            frozen: Some(&"2026-11-29T00:00:00Z".to_owned()),
        };
        let tables = tables(&parts);
        let times: Vec<&str> = tables.iter().map(|entry| &*entry.time).collect();
        assert_eq!(times, ["2026-11-28T23:10:00Z", "2026-11-29T00:50:00Z"]);
        assert_eq!(tables[0].content, FeedContent::List(vec!["b +20".into(), "a -20".into()]));
        let feed = feed(&parts);
        let order = ["table/2026-11-29T00:50", "deadline/2026", "table/2026-11-28"];
        let places = order.map(|part| feed.find(part).unwrap_or_else(|| panic!("{part}: {feed}")));
        assert!(places.is_sorted(), "{feed}");
        assert!(feed.contains("<updated>2026-11-29T00:50:00Z</updated>"), "{feed}");
    }
}
