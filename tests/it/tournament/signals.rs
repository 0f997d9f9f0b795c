//! Ctrl-C, once and twice, and a closed pipe.

use crate::support::place::{Place, WAITS, cup, signal};
use crate::support::{interrupt, marker, processes_with, wait_for, wait_until_gone};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

#[test]
fn a_run_whose_time_is_over_ends_as_one_that_is_done_and_goes_on_later() {
    let place = Place::new();
    place.write("waits.py", WAITS);
    let config = cup("games = 6", "", &[("a", "python3 waits.py"), ("b", "builtin:greedy")]);
    // No game can end before the time is over, and at most one has begun by then.
    let flags = ["--concurrency", "1", "--stop-after", "1", "--strict"];
    let mut child = place.start(&config, "out", &flags);
    let said = || place.text("err.txt").contains("the time of --stop-after is over").then_some(());
    wait_for("what arbiter says of its time", said);
    place.write("release", "");
    assert_eq!(child.wait().unwrap().code(), Some(0), "{}", place.text("err.txt"));
    assert!(place.journal("out").len() <= 1, "{}", place.text("err.txt"));
    assert!(place.path("out/standings.md").exists());

    place.ends(0, &config, "out", &["--strict"]);
    place.ends(0, &config, "whole", &[]);
    assert_eq!(place.results("out"), place.results("whole"));
}

#[test]
fn an_interrupt_lets_games_end_and_a_second_one_does_not() {
    let place = Place::new();
    place.write("waits.py", WAITS);
    let marker = marker("interrupt");
    let bot = format!("python3 waits.py {marker}");
    let config = cup("games = 6", "", &[("a", &bot), ("b", "builtin:greedy")]);
    let begun = || (waiting(&place).len() == 2).then_some(());
    let said = || {
        place
            .text("err.txt")
            .contains("interrupted: the running games have 3600s to end")
            .then_some(())
    };

    // Twice: arbiter stops at once; no process of the bots is left, and the running games are not
    // recorded.
    let mut child = place.start(&config, "out", &["--concurrency", "2"]);
    wait_for("two games", begun);
    assert!(!processes_with(&marker).is_empty());
    signal(&child, "TERM"); // SIGTERM counts as well
    wait_for("what arbiter says of it", said);
    assert_eq!(child.try_wait().unwrap(), None, "it waits for its games");
    signal(&child, interrupt());
    assert_eq!(child.wait().unwrap().code(), Some(130), "{}", place.text("err.txt"));
    wait_until_gone(&marker);
    assert_eq!(place.journal("out").len(), 0);

    // Once: the two running games end, and no other begins.
    for file in waiting(&place) {
        fs::remove_file(file).unwrap();
    }
    let mut child = place.start(&config, "out", &["--concurrency", "2"]);
    wait_for("two games", begun);
    signal(&child, interrupt());
    wait_for("what arbiter says of it", said);
    place.write("release", "");
    assert_eq!(child.wait().unwrap().code(), Some(130), "{}", place.text("err.txt"));
    wait_until_gone(&marker);
    assert!(
        place.text("err.txt").contains("interrupted after 2 games"),
        "{}",
        place.text("err.txt")
    );
    assert_eq!(place.journal("out").len(), 2);
    let log = place.text("out/games.pgn");
    assert_eq!(log.matches("[Outcome \"forfeit\"]").count(), 0, "{log}");

    place.ends(0, &config, "out", &[]);
    place.ends(0, &config, "whole", &[]);
    assert_eq!(place.results("out"), place.results("whole"));
}

#[test]
fn games_that_do_not_end_after_an_interrupt_are_stopped() {
    let place = Place::new();
    place.write("waits.py", WAITS);
    let marker = marker("finish");
    let bot = format!("python3 waits.py {marker}");
    let config = cup("games = 6", "", &[("a", &bot), ("b", "builtin:greedy")])
        .replace("move = '120s'", "move = '2h'")
        .replace("finish = '1h'", "finish = '1s'");
    for name in ["TERM", interrupt()] {
        let mut child = place.start(&config, "out", &["--concurrency", "1"]);
        wait_for("a game", || waiting(&place).pop().map(fs::remove_file)).unwrap();
        signal(&child, name);
        let status = wait_for("the end", || child.try_wait().unwrap());
        let said = place.text("err.txt");
        assert_eq!(status.code(), Some(130), "{said}");
        assert!(said.contains("interrupted: the running games have 1s to end"), "{said}");
        assert!(
            said.contains("stopped: the running games did not end within 1s (`finish`)"),
            "{said}"
        );
        wait_until_gone(&marker);
        assert_eq!(place.journal("out").len(), 0);
    }
    // The same command goes on, with another time to finish as well: it decides no game.
    place.write("release", "");
    place.ends(0, &config.replace("finish = '1s'", "finish = '2s'"), "out", &[]);
    assert_eq!(place.journal("out").len(), 6);
}

/// The files by which bots of [`WAITS`] say that they wait.
fn waiting(place: &Place) -> Vec<PathBuf> {
    let files = place.path("").read_dir().unwrap().map(|file| file.unwrap().path());
    files
        .filter(|file| file.file_name().unwrap().to_string_lossy().starts_with("waiting-"))
        .collect()
}

#[test]
fn a_reader_that_leaves_early_ends_nothing() {
    let place = Place::new();
    let config = cup("games = 20", "", &[("b", "builtin:greedy"), ("c", "builtin:random")]);
    let mut child = place
        .command(&config, "out", &["--concurrency", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap(); // and the pipe is closed
    let output = child.wait_with_output().unwrap();
    assert!(line.starts_with("b~c.1  "), "{line}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(0) && !stderr.contains("panicked"), "{output:?}");
    assert_eq!(place.journal("out").len(), 20, "all games are played although the pipe is closed");
    assert_eq!(place.text("out/games.pgn").matches("[Event ").count(), 20);
}
