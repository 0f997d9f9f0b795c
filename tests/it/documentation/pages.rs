//! The pages of `docs/` are there as the source cites them, and say of games, logs, commands and
//! keys what the program has.

use crate::support::{commands, project, run};
use arbiter::config::DEFAULT;
use arbiter::game::Fault;
use arbiter::game::settings::FIELDS;
use arbiter::grade::functions::TestMain;
use arbiter::rating::{Model, Sprt, Trial};
use arbiter::record::TAGS;
use arbiter::report::standings::trial_line;
use arbiter::rules::{Game, Ruleset};
use arbiter::schedule::{Dependence, FORMATS, FormatKind};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

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

fn page(name: &str) -> String {
    fs::read_to_string(project(&format!("docs/{name}.md"))).unwrap()
}

/// Markdown files that the program writes, which comments may name.
const WRITTEN: [&str; 5] =
    ["standings.md", "NAME.md", "feedback/NAME.md", "check.md", "check/check.md"];

/// What a line of a source file says to its readers: in code the comment alone.
fn comment<'a>(path: &Path, line: &'a str) -> &'a str {
    let marks: &[&str] = match path.extension().and_then(|extension| extension.to_str()) {
        Some("rs" | "js") => &["//", "/*", " * "],
        Some("md" | "json") => return line,
        _ => &["#"],
    };
    marks.iter().filter_map(|mark| line.find(mark)).min().map_or("", |begin| &line[begin..])
}

/// The pages that a text cites as `NAME.md` or as `NAME.md, HEADING`, the heading up to a bracket,
/// a full stop, a semicolon or the end of the text.
fn citations(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    text.match_indices(".md").filter_map(|(end, mark)| {
        let rest = &text[end + mark.len()..];
        let is_path = |letter: char| letter.is_ascii_alphanumeric() || "./-_".contains(letter);
        let begin = text[..end].rfind(|letter| !is_path(letter)).map_or(0, |at| at + 1);
        let heading =
            rest.strip_prefix(", ").and_then(|heading| heading.split([')', '.', ';']).next());
        let is_name =
            begin < end && !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric());
        is_name.then(|| (&text[begin..end + mark.len()], heading))
    })
}

/// What is wrong with a citation in a file, if something is.
fn fault(file: &Path, (name, heading): (&str, Option<&str>)) -> Option<String> {
    if WRITTEN.contains(&name) {
        return None;
    }
    let places = [project(name), file.parent().unwrap().join(name)];
    let Some(page) = places.iter().find_map(|path| fs::read_to_string(path).ok()) else {
        return Some(format!("there is no page {name}"));
    };
    let heading = heading.filter(|_| name.starts_with("docs/") || name.starts_with("src/"))?;
    let is_there = page.lines().any(|line| {
        line.starts_with('#') && line.trim_start_matches(['#', ' ']).starts_with(heading)
    });
    (!is_there).then(|| format!("{name} has no heading {heading:?}"))
}

#[test]
fn pages_and_headings_that_the_source_cites_are_there() {
    let mut cited = 0;
    let mut faults = Vec::new();
    for folder in ["src", "tests", "benches", "fuzz", "configs", "bots", "games", ".ci"] {
        for (path, text) in texts(&project(folder)) {
            if path.ends_with("tests/it/documentation/pages.rs")
                || path.components().any(|part| part.as_os_str() == "target")
            {
                continue;
            }
            for citation in text.lines().flat_map(|line| citations(comment(&path, line))) {
                cited += 1;
                faults.extend(
                    fault(&path, citation).map(|fault| format!("{}: {fault}", path.display())),
                );
            }
        }
    }
    assert!(cited >= 50, "{cited} citations");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let cited = |text| citations(text).find_map(|citation| fault(&project("src/lib.rs"), citation));
    for wrong in [
        "rules.md",
        "docs/nothing.md",
        "(docs/reference/rules.md, Chess)",
        "(docs/reference/rules.md, `loa`, Chess)",
    ] {
        assert!(cited(wrong).is_some(), "{wrong}");
    }
    for right in [
        "docs/reference/rules.md",
        "(docs/reference/rules.md, `loa`)",
        "docs/reference/rules.md, Common to all",
        "x.mdy",
        "feedback/NAME.md",
    ] {
        assert_eq!(cited(right), None, "{right}");
    }
}

/// A new format is a row of the page of tournaments, with its keys, and its help stands in the
/// default configuration.
#[test]
fn the_formats_are_documented_as_they_describe_themselves() {
    let page = page("reference/tournaments");
    let default = DEFAULT.replace("\n# ", " ");
    for &&FormatKind { word, help, keys, dependence, .. } in FORMATS {
        assert!(default.contains(&format!("\"{word}\": {help}.")), "{word}");
        let keys: Vec<String> =
            keys.iter().map(|key| format!("`{}`", key.rsplit('.').next().unwrap())).collect();
        let depends = match dependence {
            Dependence::Nothing => "nothing: a *league*",
            Dependence::Rounds => "the rounds before",
            Dependence::Pairs => "all pairs before",
        };
        let row = page.lines().find(|line| line.starts_with(&format!("| `{word}` | "))).unwrap();
        assert!(row.ends_with(&format!(" | {} | {depends} |", keys.join(", "))), "{row}");
    }
}

#[test]
fn the_page_of_the_games_has_all_of_them_with_their_start_positions() {
    let page = page("reference/rules");
    for game in Game::ALL {
        let (name, start) = (game.name(), Ruleset::named(game.name(), "").unwrap().start());
        let (letters, white) = (game.letters(), game.letters()[game.white()]);
        let row = format!("\n| `{name}` | {} | {white} | `{start}` |", letters.first);
        assert!(page.contains(&row), "{row}");
        assert!(page.contains(&format!("\n## `{name}` — ")), "{name}");
    }
}

#[test]
fn the_page_of_marking_has_the_prototypes_of_free_functions() {
    let text = page("reference/grade");
    for game in ["gekitai", "flipflop"] {
        let functions = TestMain::of(game).unwrap().functions;
        let lacking =
            functions.iter().find(|(_, prototype)| !text.contains(&format!("\n{prototype}\n")));
        assert_eq!(lacking, None, "docs/reference/grade.md, {game}");
    }
}

#[test]
fn the_page_of_tournaments_shows_the_line_of_a_running_test() {
    let sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    let mut trial = Trial::new(sprt);
    for points in [2, 3, 2, 1, 4].into_iter().cycle().take(40) {
        trial.add(points);
    }
    let line = trial_line(&trial, 900, Some(Duration::from_secs(1)), usize::MAX);
    assert!(page("reference/tournaments").lines().any(|shown| shown == line), "{line}");
}

#[test]
fn the_readme_is_short_and_names_every_game() {
    let page = fs::read_to_string(project("README.md")).unwrap();
    assert!(
        page.lines().count() <= 120,
        "{} lines: what is reference belongs into docs/",
        page.lines().count()
    );
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for game in Game::ALL {
        assert!(words.contains(&format!("{} (`{}`)", game.title(), game.name())), "{game:?}");
    }
}

#[test]
fn the_page_of_the_logs_has_every_tag_and_every_fault() {
    let page = page("reference/gamelog");
    let has_row = |tag: &&str| page.contains(&format!("\n| `{tag}` | "));
    assert_eq!(TAGS.iter().filter(|tag| !has_row(tag)).collect::<Vec<_>>(), Vec::<&&str>::new());
    for fault in Fault::ALL {
        let (forfeits, _) = page.split_once("\n| `aborted` | ").unwrap();
        assert!(forfeits.contains(&format!("`{fault}`")), "{fault}");
    }
}

/// The cells of the tables of a page, with the first cell of their heads: head, first cell, second
/// cell.
fn rows(page: &str) -> Vec<(String, Vec<String>)> {
    let mut rows = Vec::new();
    let mut head = None;
    for line in page.lines() {
        let Some(cells) = line.strip_prefix("| ") else {
            head = None;
            continue;
        };
        // A `\|` is no end of a cell.
        let cells = cells.replace("\\|", "\u{1}");
        let cells: Vec<String> =
            cells.split(" | ").map(|cell| cell.replace('\u{1}', "|")).collect();
        match &head {
            None => head = Some(cells[0].clone()),
            Some(_) if cells[0].starts_with("---") => {}
            Some(head) => rows.push((head.clone(), cells)),
        }
    }
    rows
}

/// The words in code of a cell.
fn words(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn the_page_of_the_commands_has_exactly_those_of_the_program_with_their_flags() {
    let rows = rows(&page("reference/commands"));
    let of = |head: &'static str| rows.iter().filter(move |row| row.0 == head).map(|row| &row.1);
    let named: Vec<&str> =
        of("command").filter_map(|row| row[0].split([' ', '`']).nth(2)).collect();
    assert_eq!(named, commands());
    let mut flags: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in of("flag") {
        // A row may have several flags, such as those of a test; `-n` is short for one of them.
        let long = words(&row[0]).filter(|word| word.starts_with("--"));
        for flag in long.map(|word| word.split([' ', '[']).next().unwrap()) {
            for command in words(&row[1]) {
                flags.entry(command).or_default().insert(flag);
            }
        }
    }
    let settings: Vec<String> = FIELDS.iter().map(|field| format!("--{}", field.key)).collect();
    for command in named {
        let help = run(&[command, "--help-all"]).stdout;
        let options = help
            .lines()
            .filter(|line| line.starts_with("  ") && line.trim_start().starts_with('-'));
        let options =
            options.filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
        let has: BTreeSet<&str> =
            options.map(|flag| flag.split(['[', '=']).next().unwrap()).collect();
        let mut expected = flags.remove(command).unwrap_or_default();
        expected.extend(["--help", "--help-all"]);
        if ["play", "try", "rerun", "serve"].contains(&command) {
            expected.extend(settings.iter().map(String::as_str).chain(["--time", "--move-time"]));
        }
        assert_eq!(expected, has, "{command}");
    }
    assert!(flags.is_empty(), "{flags:?}");
}

#[test]
fn the_page_of_the_configuration_has_exactly_the_keys_and_defaults_of_the_default_file() {
    let mut on_page = BTreeMap::new();
    for (head, cells) in rows(&page("reference/configuration")) {
        let table = if head == "key" { "" } else { words(&head).next().unwrap_or("-") };
        if head != "key" && !table.starts_with('[') {
            continue;
        }
        let mut values = words(&cells[1]);
        for key in words(&cells[0]).filter(|key| !key.starts_with('[')) {
            on_page.insert((table.to_owned(), key.to_owned()), values.next().map(str::to_owned));
        }
    }
    let (mut table, mut in_file) = (String::new(), BTreeMap::new());
    for line in DEFAULT.lines() {
        let (line, is_example) = line.strip_prefix('#').map_or((line, false), |line| (line, true));
        let is_key = |key: &str| {
            !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        match line.split_once(" = ") {
            _ if line.starts_with('[') => table = line.to_owned(),
            // The keys of these are names of options and of bots.
            Some((key, value))
                if is_key(key) && !["[options]", "[expect]", "[names]"].contains(&&*table) =>
            {
                let is_default = !is_example
                    && !table.starts_with("[[")
                    && (table.as_str(), key) != ("", "name");
                in_file
                    .insert((table.clone(), key.to_owned()), is_default.then(|| value.to_owned()));
            }
            _ => {}
        }
    }
    let keys = |map: &BTreeMap<_, _>| map.keys().cloned().collect::<Vec<(String, String)>>();
    assert_eq!(keys(&on_page), keys(&in_file));
    for (key, value) in in_file {
        assert!(
            value.is_none() || value == on_page[&key],
            "{key:?}: {value:?}, on the page {:?}",
            on_page[&key]
        );
    }
}

#[test]
fn the_page_of_the_logs_has_every_key_of_the_journal_and_of_json() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("cup.toml");
    let bots = ["random", "greedy"]
        .map(|bot| format!("[[bot]]\nname = '{bot}'\ncommand = 'builtin:{bot}'\n"));
    let settings = "game = 'lineup'\n[limits]\nsandbox = 'off'\n[publish]\nnames = 'alias'\n";
    fs::write(&config, format!("{settings}{}", bots.concat())).unwrap();
    let played = run(&["tournament", config.to_str().unwrap(), "--json"]);
    assert_eq!(played.status, Some(0), "{played:?}");
    let verified = run(&["verify", "--json", dir.path().join("cup").to_str().unwrap()]).stdout;
    let journal = fs::read_to_string(dir.path().join("cup/journal.jsonl")).unwrap();
    let rows = rows(&page("reference/gamelog"));
    let all = |head: &str| -> BTreeSet<String> {
        let rows = rows.iter().filter(|row| row.0 == head);
        rows.flat_map(|row| words(&row.1[0]).map(str::to_owned)).collect()
    };
    let keys = |object: &Value| -> BTreeSet<String> {
        object.as_object().unwrap().keys().cloned().collect()
    };
    let mut kinds = BTreeSet::new();
    for line in played.stdout.lines().chain(verified.lines()) {
        let object: Value = serde_json::from_str(line).unwrap();
        let kind = object["type"].as_str().unwrap();
        let heads =
            rows.iter().map(|row| &row.0).filter(|head| **head == format!("key of a `{kind}`"));
        // `game` is an entry of the journal too.
        assert!(
            heads.count() > 0 && keys(&object).is_subset(&all(&format!("key of a `{kind}`"))),
            "{line}"
        );
        kinds.insert(kind.to_owned());
    }
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>(), ["game", "match", "verified"]);
    let text = fs::read_to_string(project("src/play/store/journal.md")).unwrap();
    for line in journal.lines() {
        let entry: Value = serde_json::from_str::<Value>(line).unwrap()["entry"].take();
        let mut named = keys(&entry);
        for bot in
            ["roster", "bots", "absent"].iter().filter_map(|list| entry[list].as_array()).flatten()
        {
            named.append(&mut keys(bot));
        }
        let missing: Vec<_> =
            named.iter().filter(|key| !text.contains(&format!("`{key}`"))).collect();
        assert!(missing.is_empty(), "{missing:?}");
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
    let page = fs::read_to_string(project("src/rank/definitions.md")).unwrap();
    let mut cited = 0;
    for folder in ["src/rank/rating", "src/rank/standings", "src/cup/report"] {
        for (path, text) in texts(&project(folder)) {
            for number in definitions(&text) {
                cited += 1;
                assert!(
                    page.contains(&format!("\n## Definition {number}\n")),
                    "{}: {number}",
                    path.display()
                );
            }
        }
    }
    assert!(cited >= 30, "{cited} citations");
    assert_eq!(
        definitions("(definitions 12 and 14\n/// to 16).").collect::<Vec<_>>(),
        [12, 14, 16]
    );
}

/// The anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches(['#', ' ']).to_lowercase();
    let kept =
        kept.chars().filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
    kept.collect::<String>().replace(' ', "-")
}

/// The pages for people: those of `docs/`, the README and what stands beside configurations, bots
/// and games.
fn pages() -> Vec<(PathBuf, String)> {
    let mut pages: Vec<_> = ["docs", "configs", "bots", "games"]
        .iter()
        .flat_map(|folder| texts(&project(folder)))
        .collect();
    pages.extend(
        ["README.md", "CHANGELOG.md"]
            .map(|name| (project(name), fs::read_to_string(project(name)).unwrap())),
    );
    pages.retain(|(path, _)| path.extension().is_some_and(|extension| extension == "md"));
    pages
}

#[test]
fn links_between_pages_lead_somewhere() {
    let pages = pages();
    let mut followed = 0;
    for (path, text) in &pages {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, heading) =
                link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
            if link.contains("://") {
                continue;
            }
            followed += 1;
            let target =
                if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link}", path.display());
            let Some(heading) = heading else { continue };
            let page = fs::read_to_string(target).unwrap();
            let has = page.lines().any(|line| line.starts_with('#') && anchor(line) == heading);
            assert!(has, "{}: {link}", path.display());
        }
    }
    assert!(followed >= 50, "{followed} links");
    // The index and the table of contents of the site lead to each page.
    for index in ["README.md", "SUMMARY.md"] {
        let text = page(index.trim_end_matches(".md"));
        for (path, _) in &pages {
            let Ok(name) = path.strip_prefix(project("docs")) else { continue };
            let is_index = ["README.md", "SUMMARY.md"].map(Path::new).contains(&name);
            let leads = text.contains(&format!("]({})", name.display()));
            assert!(is_index || leads, "docs/{index} does not lead to {}", name.display());
        }
    }
    assert!(fs::read_to_string(project("README.md")).unwrap().contains("](docs/README.md)"));
}
