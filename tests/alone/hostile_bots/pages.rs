//! The pages that a tournament makes of hostile bots, and what bots can see of a tournament.

use crate::support::place::{Place, cup};
use crate::support::{Ran, arbiter, project};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Behaviours of hostile.py that write text with commands for a terminal or a page, each also as an
/// answer.
const ODD: [&str; 6] =
    ["escapes", "poses", "injects-tags", "markup", "formula", "workflow-command"];

/// A folder with hostile.py in a sub-folder.
fn place() -> Place {
    let place = Place::new();
    for name in ["hostile.py", "broken.py"] {
        place.write(
            &format!("bot/{name}"),
            &fs::read_to_string(project("tests/bots").join(name)).unwrap(),
        );
    }
    place
}

/// Every text file below a folder, by its path.
fn texts(place: &Place, folder: &str) -> BTreeMap<PathBuf, String> {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    place.snapshot(folder).into_iter().map(|(path, bytes)| (path, text(bytes))).collect()
}

#[test]
fn what_bots_say_steers_no_page_and_no_machine() {
    let place = place();
    let names = ODD.map(|name| [name.to_owned(), format!("{name}-answer")]).concat();
    let commands: Vec<_> =
        names.iter().map(|name| format!("python3 bot/hostile.py {name}")).collect();
    let mut bots: Vec<(&str, &str)> = names
        .iter()
        .zip(&commands)
        .map(|(name, command)| (name.as_str(), command.as_str()))
        .collect();
    bots.insert(0, ("random", "builtin:random"));
    for junit in ["bots", "games"] {
        let publish = format!("[publish]\nstderr = 'public'\njunit = '{junit}'");
        let summary = place.path(&format!("{junit}-summary.md"));
        let config = cup("games = 2\nformat = 'gauntlet'", &publish, &bots);
        // The second time there are the games already, and other pages of them.
        let out = "out";
        let ran =
            place.command(&config, out, &[]).env("GITHUB_STEP_SUMMARY", &summary).output().unwrap();
        let ran = Ran::from(ran);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let mut texts = texts(&place, out);
        texts.insert(summary.clone(), fs::read_to_string(&summary).unwrap());
        texts.insert("stdout".into(), ran.stdout);
        texts.insert("stderr".into(), ran.stderr);
        for (path, text) in texts {
            expect_harmless(&path, &text);
        }
        let junit = place.text(&format!("{out}/junit.xml"));
        assert!(
            junit.contains("&lt;script&gt;") && junit.contains("pwned"),
            "they were said: {junit}"
        );
    }
}

fn expect_harmless(path: &Path, text: &str) {
    let place = path.display();
    let is = |extension: &str| path.extension().is_some_and(|found| found == extension);
    if is("html") {
        return; // tests/it/report.rs opens such a page
    }
    let odd = text.chars().find(|letter| !matches!(letter, '\n' | ' '..='~' | '…' | '±'));
    assert_eq!(odd, None, "{place}: {text}");
    if is("log") || is("pgn") || is("jsonl") {
        return; // for the author of a bot, or for programs: arbiter prints none of these
    }
    for line in text.lines() {
        let command = line.trim_start().starts_with("::") || line.contains("##[");
        assert!(!command, "{place}: a command for the reader: {line}");
    }
    let lines =
        if is("md") { outside_of_code(text) } else { text.lines().map(str::to_owned).collect() };
    for line in lines {
        let formula = !is("xml") && line.trim_start_matches([' ', '|', ',']).starts_with("=cmd");
        assert!(!formula, "{place}: a cell that computes: {line}");
        let markup = line.replace("\\<", "");
        let markup =
            (is("md") || is("xml")) && ["<script", "<img"].iter().any(|tag| markup.contains(tag));
        assert!(!markup, "{place}: markup: {line}");
    }
}

/// The lines of a Markdown page without code blocks and code spans.
fn outside_of_code(page: &str) -> Vec<String> {
    let (mut lines, mut fence) = (Vec::new(), None);
    for line in page.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            Some(open) if ticks >= open && line.trim_matches('`').is_empty() => fence = None,
            Some(_) => {}
            None => lines.push(line.split('`').step_by(2).collect()),
        }
    }
    lines
}

#[test]
fn a_bot_cannot_tell_a_match_from_a_tournament() {
    let place = place();
    let bot = "python3 bot/hostile.py looks-around";
    let config = cup("games = 1", "", &[("hostile", bot), ("random", "builtin:random")]);
    let config = config.replace("sandbox = 'basic'", "sandbox = 'strict'");
    place.ends(0, &config, "out", &[]);
    let logs = place.path("logs");
    let play = [
        "play",
        "lineup",
        bot,
        "builtin:random",
        "--sandbox",
        "strict",
        "--start",
        "120s",
        "--bot-logs",
    ];
    let ran = arbiter(&play).arg(&logs).current_dir(place.path("")).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let seen = ["out/bots/hostile", "logs/hostile"].map(|folder| {
        let texts = texts(&place, folder);
        let log = texts
            .iter()
            .find(|(path, _)| path.extension().is_some_and(|found| found == "log"))
            .unwrap()
            .1;
        assert!(
            log.contains("environment HOME=") && log.contains("arguments looks-around"),
            "{log}"
        );
        // The place of the text in the game does not depend on the text.
        log.lines()
            .map(|line| line.trim_start_matches([' ', '0', '1']).to_owned())
            .collect::<Vec<_>>()
    });
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn odd_names_are_refused_before_any_game() {
    let long = "a".repeat(65);
    let names = [
        "-rf",
        "--help",
        "a/b",
        "../up",
        "..",
        ".",
        "a\\nb",
        "",
        "a b",
        "\u{202e}a",
        "=a",
        "a:b",
        &long,
    ];
    let place = Place::new();
    for name in names {
        let config = cup("games = 1", "", &[("ada", "builtin:random"), ("NAME", "builtin:greedy")]);
        let ran = place.ends(2, &config.replace("'NAME'", &format!("\"{name}\"")), "out", &[]);
        assert!(
            ran.stderr.contains("`name`") && ran.stderr.contains("1 to 64 of a to z"),
            "{name:?}: {ran:?}"
        );
        assert!(!place.path("out").exists(), "{name:?}");
    }
}
