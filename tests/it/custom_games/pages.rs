//! Custom games as a page and pictures show them, from logs without the rules: boards of any
//! size, pieces of many letters, plies that are words, positions that change more than the ply
//! says.

use crate::support::browser::{Browser, END, address};
use crate::support::{project, run, same_picture};
use arbiter::game::Settings;
use arbiter::record::{Record, read_log};
use arbiter::replay::Timeline;
use arbiter::report::text;
use std::fs;

const LOGS: [&str; 2] = ["kings", "connect4"];

fn log(name: &str) -> String {
    project(&format!("tests/own/logs/{name}.pgn")).display().to_string()
}

fn record(name: &str) -> Record {
    read_log(&fs::read(log(name)).unwrap()).next().unwrap().unwrap()
}

#[test]
fn a_log_without_rules_is_replayed_as_text_and_pictures() {
    for name in LOGS {
        let record = record(name);
        assert_eq!(
            record.to_string(),
            fs::read_to_string(log(name)).unwrap(),
            "it is written as it was read"
        );
        let timeline = Timeline::new(record, &Settings::default().time);
        let ran = run(&["replay", "--plain", &log(name), "1"]);
        assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
        let boards: Vec<&str> = ran.stdout.split("\n\n").skip(1).map(str::trim_end).collect();
        for ply in 0..=timeline.len() {
            let board = if ply == 0 { boards[0] } else { boards[ply].split_once('\n').unwrap().1 };
            assert_eq!(board, text::board(&timeline.moment(ply).position), "{name}, ply {ply}");
        }
        same_picture(
            &format!("own-{name}.svg"),
            &run(&["replay", &log(name), "1", "--svg"]).stdout,
        );
    }
    let printed = run(&["replay", "--plain", &log("kings"), "1"]).stdout;
    for part in [
        "    a  b  c dd  e\n30  X  X  .  O  O\n",
        "3. X ada: a1c1e1  0.250000 s  a chain\n",
        "4. O bo: promote\n",
        "7. X ada: 1\n",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    assert!(printed.ends_with("\nwin capture\n"), "{printed}");
    let dir = tempfile::tempdir().unwrap();
    let gif = dir.path().join("kings.gif");
    let ran = run(&["replay", &log("kings"), "1", "--gif", "-o", gif.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

/// What the page shows of the game that is open, after each ply.
const STEPPED: &str = "
    const { open } = view;
    const letters = () => {
        const { board } = open.game;
        const cells = board.rows.map(() => board.columns.map(() => '.'));
        document.querySelectorAll('#board .letter').forEach((letter) => {
            cells[Math.floor(letter.getAttribute('y'))][Math.floor(letter.getAttribute('x'))] = letter.textContent;
        });
        document.querySelectorAll('#board .block').forEach((block) => {
            cells[Math.floor(block.getAttribute('y'))][Math.floor(block.getAttribute('x'))] = '#';
        });
        return cells.map((row) => row.join('')).join('\\n') + '\\n';
    };
    return Array.from({ length: open.steps.length + 1 }, (_, ply) => {
        goTo(ply);
        return {
            text: document.getElementById('text-board').textContent,
            position: open.position(ply),
            drawn: letters(),
            said: document.getElementById('said').textContent,
            mover: sideOnMove(open, ply),
            changed: (open.steps[ply - 1]?.changes ?? []).map(([square]) => square).sort((one, other) => one - other),
        };
    });";

#[test]
fn the_page_needs_no_rules() {
    let Some(browser) = Browser::open("custom games on the page") else { return };
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    let logs = LOGS.map(log);
    let ran = run(&["report", &logs[0], &logs[1], "-o", page.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    browser.go(&format!("{}#1", address(&page)));
    for (number, name) in (1..).zip(LOGS) {
        browser.run(&format!("location.hash = '#{number}';"));
        browser.wait(&format!("view !== null && view.open.game.number === {number}"));
        let record = record(name);
        let saved = browser.run("return pgnOf(view.open);");
        assert_eq!(saved, record.to_string(), "the log that the page saves");
        let timeline = Timeline::new(record, &Settings::default().time);
        let shown = browser.run(STEPPED);
        for (ply, shown) in shown.as_array().unwrap().iter().enumerate() {
            let moment = timeline.moment(ply);
            let place = format!("{name}, ply {ply}");
            assert_eq!(shown["text"], text::board(&moment.position), "{place}");
            assert_eq!(shown["position"], moment.position.to_string(), "{place}");
            let mut board = String::new();
            moment.position.push_board(&mut board);
            assert_eq!(shown["drawn"], board, "{place}");
            assert_eq!(shown["mover"], moment.position.side() as u8, "{place}");
            let columns = moment.position.ruleset().columns();
            let changed: Vec<usize> =
                moment.changes.iter().map(|((row, column), _)| row * columns + column).collect();
            assert_eq!(shown["changed"], serde_json::json!(changed), "{place}");
            let said = timeline.ply_text(ply).unwrap_or_else(|| "start position".to_owned());
            assert!(shown["said"].as_str().unwrap().contains(&said), "{place}: {shown}");
        }
        browser.press(&END.to_string());
        let board = browser
            .run("return document.querySelector('#board svg').outerHTML.replaceAll('><', '>\\n<') + '\\n';");
        same_picture(&format!("page-own-{name}.svg"), board.as_str().unwrap());
    }
    // The list draws each game's last board small.
    browser.run("location.hash = '';");
    browser.wait("view === null");
    assert_eq!(browser.run("return document.querySelectorAll('#list .thumbnail').length;"), 2);
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_margin_stands_where_a_result_does() {
    let dir = tempfile::tempdir().unwrap();
    let tag = "[GameId \"ada~bo.1\"]\n";
    let text = fs::read_to_string(log("kings")).unwrap();
    let text = text.replace(tag, &format!("{tag}[Margin \"2.5\"]\n"));
    let file = dir.path().join("margin.pgn");
    fs::write(&file, &text).unwrap();
    let file = file.to_str().unwrap();
    let printed = run(&["replay", "--plain", file, "1"]).stdout;
    assert!(printed.ends_with("\nwin by 2.5 (capture)\n"), "{printed}");
    let page = dir.path().join("page.html");
    assert_eq!(run(&["report", file, "-o", page.to_str().unwrap()]).status, Some(0));
    let Some(browser) = Browser::open("margins on the page") else { return };
    browser.go(&address(&page));
    let list = browser.run("return document.getElementById('list').textContent;");
    assert!(list.as_str().unwrap().contains("win by 2.5 (capture)"), "{list}");
    let ends = browser.run("return document.getElementById('section-ends').textContent;");
    assert!(ends.as_str().unwrap().contains("win capture"), "ends are counted without: {ends}");
    browser.run("location.hash = '#1';");
    browser.wait("view !== null && view.open.game.number === 1");
    assert_eq!(browser.run("return pgnOf(view.open);"), text, "the log that the page saves");
    browser.press(&END.to_string());
    let said = browser.run("return document.getElementById('explanation').textContent;");
    assert!(said.as_str().unwrap().contains("win by 2.5 (capture)"), "{said}");
}
