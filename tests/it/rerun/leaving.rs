//! Where a game leaves its log.

use crate::rerun::{NTH, assert_same, game, rerun};
use crate::support::place::{Place, tags};
use crate::support::run;

/// Answers as `nth.py 3` but for its second ply.
fn changed() -> String {
    NTH.replace("print(\"move\", ply", "print(\"move\", moves[0] if asked == 2 else ply")
}

fn place() -> (Place, String) {
    let place = Place::new();
    place.write("nth.py", NTH);
    place.write("changed.py", &changed());
    let log = game(&place, "python3 nth.py 3", "python3 nth.py 5", &[]);
    (place, log)
}

#[test]
fn the_first_other_answer_ends_it_with_both_answers() {
    let (place, log) = place();
    let ran =
        rerun(&place, &["game.pgn", "--bot", "nth=python3 changed.py 3", "--log", "again.pgn"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let plies = crate::support::moves(&log);
    let logged = plies.split(' ').nth(4).unwrap();
    assert!(
        ran.stdout
            .starts_with(&format!("nth~nth-2.1: nth (O), ply 3: the log has {logged}; now came ")),
        "{ran:?}"
    );
    assert!(place.text("again.pgn").contains("[Termination \"aborted\"]"));
    // An answer of the other side, and a crash instead of an answer.
    let ran = rerun(&place, &["game.pgn", "--bot", "nth-2=python3 changed.py 5"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("nth-2 (X), ply 4: the log has "), "{ran:?}");
    let ran = rerun(&place, &["game.pgn", "--bot", "nth=python3 nth.py 3 crash"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("ply 5") && ran.stdout.contains("exit status 3"), "{ran:?}");
}

#[test]
fn another_bot_takes_the_side_of_the_log_from_there() {
    let (place, log) = place();
    let changed = [
        "game.pgn",
        "--bot",
        "nth=python3 changed.py 3",
        "--then",
        "builtin:greedy",
        "--log",
        "then.pgn",
    ];
    let ran = rerun(&place, &changed);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("ply 3: the log has "), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 2, "{ran:?}");
    let then = place.text("then.pgn");
    assert!(!then.contains("\"aborted\""), "{then}");
    assert_eq!(tags(&then, "Rerun"), ["from ply 3 on builtin:greedy plays the side of the log"]);
    assert_eq!(run(&["verify", place.path("then.pgn").to_str().unwrap()]).status, Some(0));
    assert_eq!(
        crate::support::moves(&then).split(' ').nth(2),
        crate::support::moves(&log).split(' ').nth(2)
    );
    // Without a difference it is the same game.
    assert_same(&rerun(
        &place,
        &["game.pgn", "--bot", "nth=python3 nth.py 3", "--then", "builtin:greedy"],
    ));
}

#[test]
fn it_stops_before_a_ply_with_the_position_and_the_request() {
    let (place, _) = place();
    let requests = rerun(&place, &["game.pgn", "--requests", "nth"]).stdout;
    let third = requests.split("turn 3\n").nth(1).unwrap().split_inclusive("go\n").next().unwrap();
    for bots in [&["--bot", "nth=python3 nth.py 3"][..], &[]] {
        let ran = rerun(&place, &[&["game.pgn", "--ply", "3"], bots].concat());
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(
            ran.stdout.starts_with("nth~nth-2.1 before ply 3: O (nth) is to move\n\nposition "),
            "{ran:?}"
        );
        assert!(
            ran.stdout.contains(&format!("\n\nthe request:\nturn 3\n{third}\nTo go on: ")),
            "{ran:?}"
        );
    }
    let ran = rerun(&place, &["game.pgn", "--ply", "4", "--bot", "nth=python3 changed.py 3"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let ran = rerun(&place, &["game.pgn", "--ply", "400"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("--ply 400: the game has "), "{ran:?}");
}
