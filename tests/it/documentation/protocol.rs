//! `docs/reference/protocol.md` says what the program does: its transcripts are executed, and its
//! tables are complete.

use crate::support::{has, project, run};
use arbiter::config::manifest;
use arbiter::game::{Fault, Outcome};
use arbiter::rules::{Game, Reason};
use std::fs;

/// Says what it is told to: its first argument has a line for each `start` and `go`, with further
/// lines of one answer after ` / `; then the first legal ply.
const SCRIPTED: &str = r#"
import sys
script = sys.argv[1].split(" | ")
moves = []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "moves": moves = rest
    elif word in ("start", "go"):
        said = script.pop(0) if script else "move " + moves[0]
        print(said.replace(" / ", "\n"), flush=True)
"#;

/// The blocks of code of this language on the page.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let blocks = page.split(&fence).skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

/// What the bot says in a transcript, for [`SCRIPTED`].
fn script(transcript: &[&str]) -> String {
    let mut script = String::new();
    let mut before = "";
    for line in transcript {
        if let Some(said) = line.strip_prefix("< ") {
            script += match before {
                _ if script.is_empty() => "",
                "<" => " / ",
                _ => " | ",
            };
            script += said;
        }
        before = &line[..line.ceil_char_boundary(1)];
    }
    script
}

/// Whether the lines are those of the page, where `…` stands for lines or for the end of a line.
fn compare(page: &[&str], lines: &[String]) -> Result<(), String> {
    let Some((&expected, page)) = page.split_first() else {
        return if lines.is_empty() { Ok(()) } else { Err(format!("{} more lines", lines.len())) };
    };
    if expected == "…" {
        let found = (0..=lines.len()).any(|from| compare(page, &lines[from..]).is_ok());
        return if found { Ok(()) } else { Err(format!("after …, {page:?} does not come")) };
    }
    let fits = |line: &String| match expected.strip_suffix('…') {
        Some(begins) => line.starts_with(begins.trim_end()),
        None => line == expected,
    };
    match lines.split_first() {
        Some((line, lines)) if fits(line) => compare(page, lines),
        other => Err(format!(
            "{expected:?} is on the page, where {:?} came",
            other.map(|(line, _)| line)
        )),
    }
}

#[test]
fn the_transcripts_are_those_of_the_program() {
    let page = fs::read_to_string(project("docs/reference/protocol.md")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let [program, log] =
        ["bot.py", "lines.txt"].map(|name| dir.path().join(name).display().to_string());
    fs::write(&program, SCRIPTED).unwrap();
    let transcripts = blocks(&page, "console");
    assert!(transcripts.len() >= 4, "{transcripts:?}");
    for block in transcripts {
        let lines: Vec<&str> = block.lines().collect();
        let command = lines[0].strip_prefix("$ arbiter ").unwrap();
        let bot = format!("python3 {program} {:?}", script(&lines));
        let mut arguments: Vec<&str> = command.split(' ').collect();
        let at = arguments.iter().position(|&word| word == "mybot").unwrap();
        arguments[at] = &bot;
        arguments.extend(["--name", "mybot", "--start", "120s", "--transcript", &log]);
        let ran = run(&arguments);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let transcript = fs::read_to_string(&log).unwrap();
        let of_bot =
            transcript.lines().filter_map(|line| line.split_once(" mybot ").map(|(_, said)| said));
        let said: Vec<String> = of_bot.map(str::to_owned).collect();
        compare(&lines[1..], &said)
            .unwrap_or_else(|why| panic!("{command}: {why}\n{}", said.join("\n")));
    }
}

/// Whoever copies the bot of the first screen has one that plays.
#[test]
fn the_bot_at_the_beginning_plays_every_game() {
    if !has("python3", "the bot of docs/reference/protocol.md") {
        return;
    }
    let page = fs::read_to_string(project("docs/reference/protocol.md")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bot.py");
    fs::write(&file, &blocks(&page, "python")[0]).unwrap();
    let bot = format!("python3 {}", file.display());
    for game in Game::ALL {
        let ran = run(&["play", game.name(), &bot, "builtin:random", "--seed", "1", "--strict"]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
}

#[test]
fn a_page_that_is_wrong_is_noticed() {
    let said = ["> turn 1", "> moves a b", "> go", "< move a"].map(str::to_owned);
    assert_eq!(compare(&["> turn 1", "> moves a …", "…", "< move a"], &said), Ok(()));
    assert_eq!(compare(&["…"], &said), Ok(()));
    for page in [
        &["> turn 2", "…"][..],
        &["…", "> go"],
        &["> turn 1", "> go", "…"],
        &["…", "> moves b…", "…"],
    ] {
        assert!(compare(page, &said).is_err(), "{page:?}");
    }
    assert_eq!(
        script(&["> start", "< ready", "> go", "< info x", "< move a", "…", "< move b"]),
        "ready | info x / move a | move b"
    );
}

#[test]
fn its_manifests_are_read_and_its_reasons_are_all_there() {
    let page = fs::read_to_string(project("docs/reference/protocol.md")).unwrap();
    let manifests = blocks(&page, "toml");
    assert_eq!(manifests.len(), 2);
    for text in manifests {
        assert!(manifest::parse(&text).is_ok(), "{text}");
    }
    let ends = [Outcome::Repetition, Outcome::MaxPlies];
    let ends = ends.iter().map(Outcome::termination);
    let words =
        Fault::ALL.map(Fault::word).into_iter().chain(Reason::ALL.map(Reason::word)).chain(ends);
    for word in words {
        assert!(page.contains(&format!("`{word}`")), "{word}");
    }
    assert!(
        fs::read_to_string(project("README.md")).unwrap().contains("(docs/reference/protocol.md)")
    );
}
