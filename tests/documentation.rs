//! The pages of `docs/` are there as the source cites them, and say of the games what the program plays.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use arbiter::rules::{Game, Ruleset};
use std::fs;
use std::path::{Path, PathBuf};

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The text files below a folder.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(texts(&path));
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path, text));
        }
    }
    found
}

/// The pages that a text cites as `docs/NAME.md` or as `docs/NAME.md, HEADING`, the heading up to the end of the
/// line or a bracket, a full stop or a semicolon.
fn citations(text: &str) -> Vec<(&str, Option<&str>)> {
    let cited = text.match_indices("docs/").filter_map(|(at, _)| {
        let name = &text[at + "docs/".len()..];
        let end = name.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')?;
        let rest = name[end..].strip_prefix(".md")?;
        let heading = rest.strip_prefix(", ").and_then(|heading| heading.split(['\n', ')', '.', ';']).next());
        Some((&name[..end], heading))
    });
    cited.collect()
}

/// What is wrong with a citation, if something is.
fn fault((name, heading): (&str, Option<&str>)) -> Option<String> {
    let Ok(page) = fs::read_to_string(project(&format!("docs/{name}.md"))) else {
        return Some(format!("there is no page docs/{name}.md"));
    };
    let heading = heading?;
    let is_there = page
        .lines()
        .any(|line| line.starts_with('#') && line.trim_start_matches(['#', ' ']).starts_with(heading));
    (!is_there).then(|| format!("docs/{name}.md has no heading {heading:?}"))
}

#[test]
fn pages_and_headings_that_the_source_cites_are_there() {
    let mut cited = 0;
    let mut faults = Vec::new();
    for folder in ["src", "tests", "benches", "configs", "bots"] {
        for (path, text) in texts(&project(folder)) {
            if path.ends_with("tests/documentation.rs") {
                continue;
            }
            for citation in citations(&text) {
                cited += 1;
                faults.extend(fault(citation).map(|fault| format!("{}: {fault}", path.display())));
            }
        }
    }
    assert!(cited >= 10, "{cited} citations");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(fault(("nothing", None)).is_some() && fault(("rules", Some("Chess"))).is_some());
}

#[test]
fn the_page_of_the_games_has_all_of_them_with_their_start_positions() {
    let page = fs::read_to_string(project("docs/rules.md")).unwrap();
    for game in Game::ALL {
        let (name, start) = (game.name(), Ruleset::named(game.name(), "").unwrap().start());
        assert!(page.contains(&format!("\n| `{name}` | `{start}` |")), "{name}: {start}");
        assert!(page.contains(&format!("\n## `{name}` — ")), "{name}");
    }
}
