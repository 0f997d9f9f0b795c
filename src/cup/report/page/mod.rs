//! The report page: one HTML file with the table and every game, which opens from disk without a
//! network.
//!
//! Owns the page's texts (`page.html`, `page.css` and the modules of its script, which are files
//! beside this one) and how they become one file. Knows neither the rules of the games nor points:
//! [`PageGames`] are games as they were replayed, and the table is the JSON of
//! [`standings`](mod@super::standings).
//!
//! Names, answers and output of bots are untrusted. On the page they are only in the compressed
//! data, whose base64 cannot end a tag; the script shows them as text, never as markup; and the
//! content security policy allows the script and the style of this file alone, by their hashes.
//!
//! ```
//! use arbiter_cup::report::page::{PageGames, page};
//! let page = page("cup </title><script>", "{}", PageGames::new(None));
//! assert!(page.contains("<title>cup &lt;/title&gt;&lt;script&gt;</title>"));
//! ```

mod deflated;
mod drawn_ply;
mod games;

pub use drawn_ply::{board, rules, step};
pub use games::PageGames;

use super::escape;
use arbiter_rules::text::base64;
use deflated::Deflated;
use sha2::{Digest, Sha256};

/// Leads feed readers to the results of a league.
const FEED_LINK: &str =
    "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"Results\" href=\"feed.xml\">\n";
const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// A module of the script: its file and its text.
type Module = (&'static str, &'static str);

macro_rules! modules {
    ($($file:literal),* $(,)?) => { &[$(($file, include_str!($file))),*] };
}

/// Each after those that it imports from.
const MODULES: &[Module] = modules![
    "element.js",
    "text.js",
    "keys.js",
    "data.js",
    "pgn.js",
    "address.js",
    "draw.js",
    "list.js",
    "tables.js",
    "crosstable.js",
    "charts.js",
    "league.js",
    "pairings.js",
    "bots.js",
    "graphs.js",
    "viewer.js",
    "overview.js",
    "main.js",
];

/// The list of keys, which is a module of the script.
const KEYS: &str = include_str!("keys.js");

/// What follows them on a page that is served: games of persons, and what follows the tournament.
const LIVE: &[Module] = modules!["running.js", "redraw.js", "play.js", "live.js"];

/// The line that says who wrote a page stands before these bytes of it; before it stands the
/// content security policy, which had a hash for each of many scripts in earlier versions.
const HEAD_BYTES: usize = 4096;

/// The page of a tournament or of logs with this title, its table as
/// [`standings::json`](super::standings::json) writes it, and its games.
pub fn page(title: &str, table: &str, games: PageGames) -> String {
    let script = script(MODULES);
    assembled(title, "", &blocks(table, games), &policy_of(&script), &script)
}

/// The keys of the viewer in the terminal, with what they do.
pub fn terminal_keys() -> Vec<(String, String)> {
    let Some((_, list)) = KEYS.split_once(" = ") else { return Vec::new() };
    let list = list.trim_end().trim_end_matches(';');
    let rows: Vec<[String; 3]> = serde_json::from_str(list).unwrap_or_default();
    let mut keys = Vec::new();
    for [terminal, _, says] in rows {
        if !terminal.is_empty() {
            keys.push((terminal, says));
        }
    }
    keys
}

/// Whether a file is such a page, as its head says.
pub fn is_page(file: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&file[..file.len().min(HEAD_BYTES)]);
    head.contains(r#"<meta name="generator" content="arbiter">"#)
}

/// The same page as it is served live; `live` is what its script has to know, and `league` what a
/// league says of itself, both as JSON.
pub fn live_page(
    title: &str,
    table: &str,
    games: PageGames,
    live: &str,
    league: Option<&str>,
) -> String {
    let mut data = blocks(table, games);
    data.push(("live", Deflated::new(live).base64()));
    if let Some(league) = league {
        data.push(("league", Deflated::new(league).base64()));
    }
    let feed = if league.is_some() { FEED_LINK } else { "" };
    assembled(title, feed, &data, &live_policy(), &live_script())
}

/// The blocks of data of a page, each with its id.
fn blocks(table: &str, games: PageGames) -> Vec<(&'static str, String)> {
    let mut data = vec![("table", Deflated::new(table).base64())];
    data.extend(games.blocks());
    data
}

fn live_script() -> String {
    script(&[MODULES, LIVE].concat())
}

/// Modules as one script, because a page that is opened from disk cannot import files. A line rule
/// is enough: imports are left out, those of types in comments too, and so is the word `export`; a
/// test refuses any other form. The script is not a module itself, so that tests and the console of
/// a browser reach its names.
fn script(modules: &[Module]) -> String {
    let mut script = String::from("'use strict';\n");
    for (_, text) in modules {
        let mut is_import = false;
        for line in text.lines() {
            is_import |= line.starts_with("import ");
            if !is_import && !line.contains("@import ") {
                script.push_str(line.strip_prefix("export ").unwrap_or(line));
                script.push('\n');
            }
            is_import &= !line.ends_with(';');
        }
    }
    script
}

fn assembled(
    title: &str,
    feed: &str,
    data: &[(&str, String)],
    policy: &str,
    script: &str,
) -> String {
    let mut blocks = String::new();
    for (id, text) in data {
        blocks += &format!("<script type=\"application/octet-stream;base64\" id=\"{id}\">");
        blocks += text;
        blocks += "</script>\n";
    }
    let title = if title.is_empty() { "arbiter" } else { title };
    // Only the title is untrusted text here; the data are base64.
    let parts = [
        ("title", escape::xml(title)),
        ("policy", policy.to_owned()),
        ("feed", feed.to_owned()),
        ("style", format!("<style>{STYLE}</style>")),
        ("data", blocks),
        ("script", format!("<script>{script}</script>\n")),
    ];
    filled(FRAME, &parts)
}

/// The frame with `{{name}}` replaced by the part of this name. What is in a part is not replaced
/// again.
fn filled(frame: &str, parts: &[(&str, String)]) -> String {
    let size: usize = parts.iter().map(|(_, text)| text.len()).sum();
    let mut out = String::with_capacity(frame.len() + size);
    let mut rest = frame;
    while let Some((before, marked)) = rest.split_once("{{")
        && let Some((name, after)) = marked.split_once("}}")
    {
        out += before;
        for (part, text) in parts {
            if *part == name {
                out += text;
            }
        }
        rest = after;
    }
    out + rest
}

/// The content security policy of the page that is served live: it may also ask its server.
pub fn live_policy() -> String {
    policy_of(&live_script()) + "; connect-src 'self'"
}

/// The content security policy of a page with this script: nothing but its own style and script.
fn policy_of(script: &str) -> String {
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(STYLE)
    )
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_script_writes_no_markup_and_runs_no_text() {
        // The namespace of SVG is a name, and is not fetched.
        let script = live_script().replace("http://www.w3.org/2000/svg", "");
        for forbidden in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "Function(",
            "</script",
            "srcdoc",
            "DOMParser",
            "createContextualFragment",
            ".style.cssText",
            "setAttribute('style'",
            "setAttribute('on",
            "javascript:",
            "http:",
            "https:",
        ] {
            assert!(!script.contains(forbidden), "{forbidden}");
        }
        assert!(script.starts_with("'use strict';\n"));
    }

    /// The names that a line declares for the whole module.
    fn declared(line: &str) -> Vec<&str> {
        let line = line.strip_prefix("async ").unwrap_or(line);
        let keywords = ["function ", "class ", "const ", "let "];
        let Some(rest) = keywords.iter().find_map(|keyword| line.strip_prefix(keyword)) else {
            return Vec::new();
        };
        let head = rest.split(['(', '=', '{', ';']).next().unwrap_or_default();
        let names = head.split(" extends ").next().unwrap_or_default();
        names.split(['[', ']', ',', ' ']).filter(|name| !name.is_empty()).collect()
    }

    #[test]
    fn modules_have_the_forms_that_become_one_script() {
        let mut files = HashSet::new();
        let mut names = HashSet::new();
        for (file, text) in [MODULES, LIVE].concat() {
            assert!(text.starts_with("// @ts-check\n"), "{file} is not checked");
            for import in text.split("\nimport ").skip(1) {
                let (imported, rest) = import.split_once(" from './").unwrap();
                let (from, _) = rest.split_once("';").unwrap();
                assert!(files.contains(from), "{file} imports from {from}, which stands after it");
                let is_list = imported.starts_with('{') && imported.ends_with('}');
                assert!(is_list && !imported.contains(" as "), "{file}: import {imported}");
            }
            for line in text.lines() {
                let exported = line.strip_prefix("export ");
                let own = declared(exported.unwrap_or(line));
                assert!(exported.is_none() || !own.is_empty(), "{file}: {line}");
                for name in own {
                    assert!(names.insert(name), "{name} of {file} is of another module too");
                }
            }
            files.insert(file);
        }
        assert!(names.len() > 100, "{names:?}");
        let script = live_script();
        for line in script.lines() {
            assert!(!line.starts_with("import") && !line.starts_with("export"), "{line}");
        }
        assert!(!script.contains("import(") && !script.contains("import.meta"));
    }

    #[test]
    fn the_frame_is_filled_once_and_whole() {
        let parts = [("a", "{{b}}".to_owned()), ("b", "x".to_owned())];
        assert_eq!(filled("<{{a}} {{b}}>", &parts), "<{{b}} x>");
        let page = page("t", "{}", PageGames::new(None));
        let policy = page.find("Content-Security-Policy").unwrap();
        assert!(policy < page.find("<title>").unwrap() && policy < page.find("<style>").unwrap());
        assert!(!page[..page.find("<script").unwrap()].contains("{{"), "every part is known");
        assert_eq!(page.matches("<script>").count(), 1);
    }
}
