//! The report page: one HTML file with the table and every game, which opens from disk without a network.
//!
//! Owns the page's texts (`page.html`, `page.css` and the scripts, which are files beside this one) and how
//! they become one file. Knows neither the rules of the games nor points: [`PageGames`] are games as they
//! were replayed, and the table is the JSON of [`standings`](mod@super::standings).
//!
//! Names, answers and output of bots are untrusted. On the page they are only in the compressed data, whose
//! base64 cannot end a tag; the scripts show them as text, never as markup; and the content security policy
//! allows the scripts and the style of this file alone, by their hashes.
//!
//! ```
//! use arbiter::report::page::{PageGames, page};
//! let page = page("cup </title><script>", "{}", PageGames::new(None));
//! assert!(page.contains("<title>cup &lt;/title&gt;&lt;script&gt;</title>"));
//! ```

mod deflated;
mod games;

pub use games::{PageGames, board, rules, step};

use super::escape;
use crate::text::base64;
use deflated::Deflated;
use sha2::{Digest, Sha256};

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// In the order in which they run.
const SCRIPTS: [&str; 11] = [
    include_str!("data.js"),
    include_str!("address.js"),
    include_str!("draw.js"),
    include_str!("tables.js"),
    include_str!("crosstable.js"),
    include_str!("charts.js"),
    include_str!("list.js"),
    include_str!("bots.js"),
    include_str!("overview.js"),
    include_str!("viewer.js"),
    include_str!("main.js"),
];

/// The scripts of a page that is served: games of persons, and what follows the tournament.
const LIVE: [&str; 2] = [include_str!("play.js"), include_str!("live.js")];

/// The line that says who wrote a page stands before these bytes of it; before it stands the
/// content security policy, with a hash for each script.
const HEAD_BYTES: usize = 4096;

/// The page of a tournament or of logs with this title, its table as
/// [`standings::json`](super::standings::json) writes it, and its games.
#[must_use]
pub fn page(title: &str, table: &str, games: PageGames) -> String {
    assembled(title, &blocks(table, games), &policy_of(&SCRIPTS), &SCRIPTS)
}

/// Whether a file is such a page, as its head says.
#[must_use]
pub fn is_page(file: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&file[..file.len().min(HEAD_BYTES)]);
    head.contains(r#"<meta name="generator" content="arbiter">"#)
}

/// The same page as it is served live; `live` is what its script has to know, as JSON.
#[must_use]
pub fn live_page(title: &str, table: &str, games: PageGames, live: &str) -> String {
    let mut data = blocks(table, games);
    data.push(("live", Deflated::new(live).base64()));
    assembled(title, &data, &live_policy(), &live_scripts())
}

/// The blocks of data of a page, each with its id.
fn blocks(table: &str, games: PageGames) -> Vec<(&'static str, String)> {
    let mut data = vec![("table", Deflated::new(table).base64())];
    data.extend(games.blocks());
    data
}

fn live_scripts() -> Vec<&'static str> {
    SCRIPTS.into_iter().chain(LIVE).collect()
}

fn assembled(title: &str, data: &[(&str, String)], policy: &str, scripts: &[&str]) -> String {
    let block = |(id, text): &(&str, String)| {
        format!("<script type=\"application/octet-stream;base64\" id=\"{id}\">{text}</script>\n")
    };
    let title = if title.is_empty() { "arbiter" } else { title };
    let parts = [
        ("title", escape::xml(title)),
        ("policy", policy.to_owned()),
        ("style", format!("<style>{STYLE}</style>")),
        ("data", data.iter().map(block).collect()),
        ("scripts", scripts.iter().map(|script| format!("<script>{script}</script>\n")).collect()),
    ];
    filled(FRAME, &parts)
}

/// The frame with `{{name}}` replaced by the part of this name. What is in a part is not replaced again.
fn filled(frame: &str, parts: &[(&str, String)]) -> String {
    let mut out =
        String::with_capacity(frame.len() + parts.iter().map(|(_, text)| text.len()).sum::<usize>());
    let mut rest = frame;
    while let Some((before, (name, after))) =
        rest.split_once("{{").and_then(|(before, rest)| Some((before, rest.split_once("}}")?)))
    {
        out.push_str(before);
        let part = parts.iter().find(|(part, _)| *part == name);
        out.push_str(part.map_or("", |(_, text)| text));
        rest = after;
    }
    out + rest
}

/// The content security policy of the page that is served live: it may also ask its server.
#[must_use]
pub fn live_policy() -> String {
    policy_of(&live_scripts()) + "; connect-src 'self'"
}

/// The content security policy of a page with these scripts: nothing but its own style and scripts.
fn policy_of(scripts: &[&str]) -> String {
    let hash = |text: &&str| format!("'sha256-{}'", base64(&Sha256::digest(text)));
    let scripts: Vec<String> = scripts.iter().map(hash).collect();
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        scripts.join(" "),
        hash(&STYLE)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_script_writes_markup_or_runs_text() {
        for script in live_scripts() {
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
                // The namespace of SVG is a name, and is not fetched.
                let script = script.replace("http://www.w3.org/2000/svg", "");
                assert!(!script.contains(forbidden), "{forbidden}");
            }
            assert!(script.starts_with("'use strict';\n"), "{}", &script[..40]);
        }
    }

    #[test]
    fn the_frame_is_filled_once_and_whole() {
        let parts = [("a", "{{b}}".to_owned()), ("b", "x".to_owned())];
        assert_eq!(filled("<{{a}} {{b}}>", &parts), "<{{b}} x>");
        let page = page("t", "{}", PageGames::new(None));
        let policy = page.find("Content-Security-Policy").unwrap();
        assert!(policy < page.find("<title>").unwrap() && policy < page.find("<style>").unwrap());
        assert!(!page[..page.find("<script").unwrap()].contains("{{"), "every part is known");
        assert_eq!(page.matches("<script>").count(), SCRIPTS.len());
    }
}
