//! The pages of `docs/` are there as the source cites them, and say of the games what the program plays.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use arbiter::game::Fault;
use arbiter::record::TAGS;
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

#[test]
fn the_page_of_the_logs_has_every_tag_and_every_fault() {
    let page = fs::read_to_string(project("docs/gamelog.md")).unwrap();
    let has_row = |tag: &&str| page.contains(&format!("\n| `{tag}` | "));
    assert_eq!(TAGS.iter().filter(|tag| !has_row(tag)).collect::<Vec<_>>(), Vec::<&&str>::new());
    for fault in Fault::ALL {
        let (forfeits, _) = page.split_once("\n| `aborted` | ").unwrap();
        assert!(forfeits.contains(&format!("`{fault}`")), "{fault}");
    }
}

/// The numbers behind the word `definition` or `definitions`, as in `definitions 12 and 14 to 16`.
fn definitions(text: &str) -> impl Iterator<Item = u32> {
    let behind = text.split("definition").skip(1);
    behind.flat_map(|rest| {
        let words = rest.trim_start_matches('s').split([' ', '\n', '/', ')', '.', ',']);
        let listed = words.filter(|word| !word.is_empty()).take_while(|word| {
            ["and", "to"].contains(word) || word.bytes().all(|byte| byte.is_ascii_digit())
        });
        listed.filter_map(|word| word.parse().ok()).collect::<Vec<_>>()
    })
}

#[test]
fn the_definitions_that_the_source_cites_are_there() {
    let page = fs::read_to_string(project("docs/ratings.md")).unwrap();
    let mut cited = 0;
    for folder in ["src/rating", "src/standings", "src/report"] {
        for (path, text) in texts(&project(folder)) {
            for number in definitions(&text) {
                cited += 1;
                assert!(
                    page.contains(&format!("\n### Definition {number}\n")),
                    "{}: {number}",
                    path.display()
                );
            }
        }
    }
    assert!(cited >= 30, "{cited} citations");
    assert_eq!(definitions("(definitions 12 and 14\n/// to 16).").collect::<Vec<_>>(), [12, 14, 16]);
}

/// The anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches(['#', ' ']).to_lowercase();
    let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
    kept.collect::<String>().replace(' ', "-")
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut pages = texts(&project("docs"));
    pages.extend(["README.md", "configs/README.md"].map(|name| {
        let path = project(name);
        (path.clone(), fs::read_to_string(path).unwrap())
    }));
    let mut followed = 0;
    for (path, text) in &pages {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, heading) =
                link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
            if link.contains("://") {
                continue;
            }
            followed += 1;
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link}", path.display());
            let Some(heading) = heading else { continue };
            let page = fs::read_to_string(target).unwrap();
            let has = page.lines().any(|line| line.starts_with('#') && anchor(line) == heading);
            assert!(has, "{}: {link}", path.display());
        }
    }
    assert!(followed >= 10, "{followed} links");
}
