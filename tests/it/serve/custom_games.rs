//! A person plays a custom game in a browser: plies of several squares, of which one begins
//! another, and words.

use super::{Answer, Browser, Served, WHAT, when};
use crate::support::{has, run, wait_for};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// X has five plies in each of its turns, of which two are words for the same square; O waits.
const RULES: &str = r#"
sides = "XO"
pieces = {"X": "XK"}

def start():
    return ["X..", ".O.", "..K"], "X", 0

def moves(board, side, count):
    chains = [((0, 0), (0, 1)), ((0, 0), (0, 1), (1, 2))]
    return chains + ["swap", "crown+", "crown-"] if side == "X" else ["wait"]

def squares(board, side, count, move):
    return [] if side == "O" else [(2, 2)] if move == "swap" else [(0, 0)]

def play(board, side, count, move):
    return board, "O" if side == "X" else "X", count + 1

def ending(board, side, count):
    return ("X", "patience") if count == 7 else None
"#;

/// Says why a move is illegal only when there is a file, and tells by another one that it waits.
const SLOW_WHY: &str = r#"
import os, time

def why(board, side, count, move):
    open("FOLDER/asked", "w").close()
    while not os.path.exists("FOLDER/told"):
        time.sleep(0.01)
    return "that is no move of a knight"
"#;

/// A tournament by these rules that was played in this folder: its rules and its result folder.
fn played(dir: &Path, rules: &str) -> (PathBuf, PathBuf) {
    let file = dir.join("chains.py");
    fs::write(&file, rules).unwrap();
    let config = dir.join("cup.toml");
    let bots = ["ann", "bob"]
        .map(|bot| format!("[[bot]]\nname = \"{bot}\"\ncommand = \"builtin:random\"\n"));
    let limits = "[limits]\nsandbox = \"basic\"\nrules-time = \"5min\"\n";
    let cup = "name = \"cup\"\ngame = \"./chains.py\"\n[schedule]\ngames = 2\n";
    fs::write(&config, [cup, limits, &bots.concat()].concat()).unwrap();
    let ran = run(&["tournament", config.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    (file, dir.join("cup"))
}

#[test]
fn the_page_is_served_while_the_rules_say_why_a_move_is_illegal() {
    if !has("python3", "rules in Python") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let why = SLOW_WHY.replace("FOLDER", dir.path().to_str().unwrap());
    let (rules, folder) = played(dir.path(), &(RULES.to_owned() + &why));
    let log = dir.path().join("mine.pgn");
    let [rules, log] = [&rules, &log].map(|path| path.to_str().unwrap());
    let served =
        Served::folder(&folder, &["--play", "--rules", rules, "--log", log, "--sandbox", "basic"]);
    let begun = served.post("play", "{\"bot\":\"ann\",\"side\":0}");
    assert_eq!(begun.body, "{\"game\":1}", "{begun:?}");
    when(&mut served.events("play/1/events"), |state| state["state"]["turn"]["number"] == 1);
    let mut typed = served.begin_post("play/1", "{\"number\":1,\"text\":\"b1c3\"}");
    wait_for("the question", || dir.path().join("asked").exists().then_some(()));
    assert_eq!(served.page().status(), "200");
    fs::write(dir.path().join("told"), "").unwrap();
    let refused = Answer::read(&mut typed);
    assert_eq!(refused.status(), "409");
    assert!(refused.body.ends_with("that is no move of a knight"), "{refused:?}");
}

#[test]
fn a_person_plays_a_custom_game_in_a_browser() {
    if !has("python3", "rules in Python") {
        return;
    }
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    let (rules, folder) = played(dir.path(), RULES);
    let log = dir.path().join("mine.pgn");
    let (log_path, rules_path) = (log.to_str().unwrap(), rules.to_str().unwrap());
    let mut served = Served::folder(&folder, &["--play", "--rules", rules_path, "--log", log_path]);
    browser.go(&served.url());
    browser.wait("document.documentElement.dataset.live === 'true'");
    assert_eq!(
        browser.run("return document.getElementById('person-rules');"),
        json!(null),
        "they are not known"
    );
    browser.run("document.getElementById('person-begin').click();");
    let asked = |number: u64| {
        browser.wait(&format!("own !== null && own.state?.turn?.number === {number}"))
    };
    let click = |square: usize| {
        browser.run(&format!(
            "const picture = document.querySelector('#person-board svg.board');
             const point = new DOMPoint({square} % 3 + 0.5, Math.floor({square} / 3) + 0.5).matrixTransform(picture.getScreenCTM());
             picture.dispatchEvent(new MouseEvent('click', {{ clientX: point.x, clientY: point.y }}));"
        ));
    };
    let buttons = || {
        browser.run("return Array.from(document.querySelectorAll('#person-plies-legal button'), (one) => one.textContent);")
    };
    asked(1);
    assert_eq!(buttons(), json!(["crown+", "crown-", "swap"]));
    [0, 1, 5].into_iter().for_each(click);
    asked(3);
    [0, 1, 1].into_iter().for_each(click); // the same square again ends the ply that could go on
    asked(5);
    click(0);
    assert_eq!(browser.run("return own.chosen;"), json!([0]));
    click(0); // no ply of squares, but two words
    assert_eq!(buttons(), json!(["crown+", "crown-"]));
    browser.run("document.querySelector('#person-plies-legal button:last-child').click();");
    asked(7);
    click(8);
    browser.wait("own.finished !== null");
    let listed = "return Array.from(document.querySelectorAll('#person-plies li'), (ply) => ply.textContent);";
    let plies = [
        "1. X a1b1c2",
        "2. O wait",
        "3. X a1b1",
        "4. O wait",
        "5. X crown-",
        "6. O wait",
        "7. X swap",
    ];
    assert_eq!(browser.run(listed), json!(plies));
    assert_eq!(
        browser.run("return new OpenGame(own.finished).position(7);"),
        "X2/1O1/2K O 7",
        "what the page keeps of a finished game"
    );
    // Who moves second has the board as the first side has it: the rules may have an up and a down.
    browser.run("document.getElementById('person-other').click();");
    browser.wait("own.state?.you === 1 && own.state.turn?.number === 2");
    assert_eq!(
        browser.run("return document.querySelector('#person-board .coordinate').textContent;"),
        "a"
    );
    assert_eq!(
        browser.run("return document.querySelector('#person-board .player').textContent;"),
        "Xann"
    );
    assert_eq!(browser.console(), [""; 0]);
    assert_eq!(served.interrupt(), Some(0));
    let verified = run(&["verify", "--rules", rules_path, log_path]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
}
