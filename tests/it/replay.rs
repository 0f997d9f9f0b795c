//! `arbiter replay`: what it prints, its pictures, and its screen in a real terminal (tmux).

use crate::support::tmux::Terminal;
use crate::support::{ARBITER, plays_all, project, run, same_picture, wait_for, wait_or_say};
use arbiter::view::{Colour, FullScreen};
use std::process::Command;

const LOA: &str = "tests/vectors/games/loa.pgn";

// What is printed.

#[test]
fn one_ply_is_printed() {
    let start = run(&["replay", LOA, "--ply", "0"]);
    assert_eq!((start.status, start.stderr.as_str()), (Some(0), ""));
    assert!(start.stdout.starts_with("  a b c d e f g h\n0 . W W W W W W .\n"), "{start:?}");
    let ply = run(&["replay", LOA, "2", "--ply", "3"]);
    assert!(ply.stdout.starts_with("3. B ") && ply.stdout.lines().count() == 10, "{ply:?}");
    let none = run(&["replay", LOA, "--ply", "212"]);
    assert_eq!(none.status, Some(2));
    assert!(none.stderr.contains("--ply 212: the plies of the game are 1 to 211"), "{none:?}");
}

#[test]
fn a_game_is_found_by_number_and_by_id_in_files_folders_and_pipes() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("games.pgn");
    let path = log.to_str().unwrap();
    let played =
        run(&["play", "gekitai", "builtin:random", "builtin:greedy", "-n", "3", "--log", path]);
    assert_eq!(played.status, Some(0), "{played:?}");
    let by_number = run(&["replay", path, "2"]);
    assert!(by_number.stdout.starts_with("greedy~random.2  "), "{by_number:?}");
    for arguments in
        [&["replay", path, "greedy~random.2"][..], &["replay", dir.path().to_str().unwrap(), "2"]]
    {
        assert_eq!(run(arguments).stdout, by_number.stdout);
    }
    let piped = Command::new("sh")
        .args(["-c", "\"$0\" replay - 2 < \"$1\"", ARBITER, path])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&piped.stdout), by_number.stdout);
    for (game, why) in [
        ("4", "there is no game 4: it has 3 games, counted from 1"),
        ("0", "there is no game 0"),
        ("a~b.1", "there is no game a~b.1 among its 3 games"),
    ] {
        let none = run(&["replay", path, game]);
        assert_eq!(none.status, Some(2));
        assert!(none.stderr.contains(why), "{none:?}");
    }
}

#[test]
fn of_a_broken_log_the_valid_part_is_printed_and_where_it_ends() {
    let dir = tempfile::tempdir().unwrap();
    let whole = std::fs::read_to_string(project(LOA)).unwrap();
    let cut = dir.path().join("cut.pgn");
    let text: String = whole.lines().take(16).map(|line| format!("{line}\n")).collect();
    std::fs::write(&cut, text).unwrap();
    let ran = run(&["replay", "--plain", cut.to_str().unwrap()]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("\n8. W d0f2") || ran.stdout.contains("\n10. "), "{ran:?}");
    assert!(ran.stderr.contains("cut.pgn: line ") && ran.stderr.contains(": game 1"), "{ran:?}");
}

// Pictures.

#[test]
fn pictures_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let svg = run(&["replay", LOA, "--svg", "--ply", "12"]);
    assert_eq!(svg.status, Some(0), "{svg:?}");
    assert!(svg.stdout.starts_with("<svg ") && svg.stdout.ends_with("</svg>\n"), "{svg:?}");
    let file = dir.path().join("game.gif");
    let gif =
        run(&["replay", "tests/vectors/games/gekitai.pgn", "--gif", "-o", file.to_str().unwrap()]);
    assert_eq!((gif.status, gif.stdout.as_str()), (Some(0), ""), "{gif:?}");
    assert!(std::fs::read(&file).unwrap().starts_with(b"GIF89a"));
    let unwritable =
        run(&["replay", LOA, "--svg", "-o", dir.path().join("no/a.svg").to_str().unwrap()]);
    assert_eq!(unwritable.status, Some(3), "{unwritable:?}");
}

#[test]
fn the_picture_of_the_readme_is_drawn_by_the_program() {
    let drawn = run(&["replay", "tests/vectors/games/gekitai.pgn", "12", "--svg", "--ply", "12"]);
    let committed = std::fs::read_to_string(project("docs/gekitai.svg")).unwrap();
    assert!(
        drawn.stdout == committed,
        "write it again: arbiter replay tests/vectors/games/gekitai.pgn 12 --svg --ply 12 -o docs/gekitai.svg"
    );
    assert!(std::fs::read_to_string(project("README.md")).unwrap().contains("](docs/gekitai.svg)"));
}

/// The last positions of a game of each kind, with the marks of the last ply and of what won.
#[test]
fn the_pictures_of_the_four_boards_are_as_they_were_looked_at() {
    for game in ["loa", "flipflop", "lineup", "gekitai"] {
        let log = format!("tests/vectors/games/{game}.pgn");
        same_picture(&format!("{game}.svg"), &run(&["replay", &log, "1", "--svg"]).stdout);
    }
}

// The screen.

/// What is not tested without tmux.
const SCREEN: &str = "the screen of replay in a terminal";

fn replay(log: &str) -> String {
    format!("{ARBITER} replay {}", project(log).display())
}

#[test]
fn the_screen_opens_steps_and_leaves_the_terminal_clean() {
    let Some(terminal) = Terminal::open(80, 24, SCREEN) else { return };
    terminal.start(&replay(LOA));
    terminal.wait_for("ply 0 of 211");
    terminal.send(&["Right", "Right"]);
    terminal.wait_for("ply 2 of 211");
    terminal.enter("g100");
    terminal.wait_for("ply 100 of 211");
    terminal.tmux(&["resize-window", "-x", "120", "-y", "40"]);
    terminal.send(&["n"]);
    terminal.wait_for("2/13  ");
    terminal.wait_for("depth "); // the second graph has room
    terminal.tmux(&["resize-window", "-x", "80", "-y", "24"]);
    terminal.send(&["-l", "/>300"]);
    terminal.wait_for("filter: >300_");
    terminal.send(&["Escape"]);
    // Read together, the two keys would be another one, alt and e.
    wait_for("the list without the question", || {
        (!terminal.screen().contains("filter: >300_")).then_some(())
    });
    terminal.send(&["e"]);
    terminal.wait_for("write this position here");
    terminal.send(&["y"]);
    terminal.wait_for("written: game-2-ply-0.svg");
    assert!(terminal.dir.path().join("game-2-ply-0.svg").exists());
    terminal.send(&["q"]);
    terminal.is_clean_after(0);
    terminal.start(&format!("{} 99", replay(LOA)));
    let screen = terminal.is_clean_after(2);
    // The line breaks depend on the length of the log's path.
    let letters: String = screen.split_whitespace().collect();
    assert!(letters.contains("thereisnogame99:ithas13games"), "{screen}");
}

#[test]
fn what_bots_wrote_is_shown_with_the_ply() {
    let Some(terminal) = Terminal::open(80, 24, SCREEN) else { return };
    let dir = terminal.dir.path();
    let bot = "import sys\nmoves = []\nfor line in sys.stdin:\n    word, *rest = line.split() or ['']\n    \
               if word == 'start': print('ready', flush=True)\n    elif word == 'moves': moves = rest\n    \
               elif word == 'go':\n        print('I like', moves[0], file=sys.stderr, flush=True)\n        \
               print('info score 12 depth 3', flush=True)\n        print('move', moves[0], flush=True)\n";
    std::fs::write(dir.join("bot.py"), bot).unwrap();
    let command = format!("python3 {}", dir.join("bot.py").display());
    let [log, bots] = ["log.pgn", "bots"].map(|name| dir.join(name).display().to_string());
    let played = run(&[
        "play",
        "loa",
        &command,
        "builtin:random",
        "--move-time",
        "120s",
        "--start",
        "120s",
        "--max-plies",
        "6",
        "--log",
        &log,
        "--bot-logs",
        &bots,
    ]);
    assert_eq!(played.status, Some(0), "{played:?}");
    terminal.start(&format!("{ARBITER} replay {log}"));
    terminal.wait_for("ply 0 of 6");
    terminal.send(&["Right"]);
    terminal.wait_for("bot says: score 12 depth 3");
    terminal.wait_for("bot│ I like ");
    terminal.send(&["q"]);
    terminal.is_clean_after(0);
}

#[test]
fn an_interrupt_and_signals_leave_the_terminal_clean() {
    let Some(terminal) = Terminal::open(60, 20, SCREEN) else { return };
    terminal.start(&replay(LOA));
    terminal.wait_for("ply 0 of 211");
    terminal.send(&["C-c"]);
    terminal.is_clean_after(130);
    for signal in ["TERM", "HUP"] {
        terminal.start(&format!("sh -c 'echo $$ > pid; exec {}'", replay(LOA)));
        terminal.wait_for("ply 0 of 211");
        let pid = std::fs::read_to_string(terminal.dir.path().join("pid")).unwrap();
        assert!(Command::new("kill").args(["-s", signal, pid.trim()]).status().unwrap().success());
        terminal.is_clean_after(130);
    }
}

/// What the test below runs in a terminal: this very program, which panics while it fills the
/// terminal.
const PANICS: &str = "ARBITER_TEST_PANICS";

#[test]
fn a_panic_leaves_the_terminal_clean() {
    if std::env::var_os(PANICS).is_some() {
        let _screen = FullScreen::enter(Colour::No).unwrap();
        panic!("on purpose");
    }
    let Some(terminal) = Terminal::open(80, 24, SCREEN) else { return };
    let program = std::env::current_exe().unwrap();
    let test = "--exact replay::a_panic_leaves_the_terminal_clean --nocapture";
    terminal.start(&format!("{PANICS}=1 RUST_BACKTRACE=0 {} {test}", program.display()));
    let screen = terminal.is_clean_after(101);
    assert!(screen.contains("on purpose"), "{screen}");
}

#[test]
fn random_keys_do_not_end_the_screen_and_leave_the_terminal_clean() {
    let Some(terminal) = Terminal::open(80, 24, SCREEN) else { return };
    let names = [
        "Left", "Right", "Up", "Down", "Home", "End", "PPage", "NPage", "Enter", "Escape", "BSpace",
    ];
    let letters =
        ["Space", "+", "-", "r", "g", "n", "p", "/", "f", "m", "v", "y", "?", "1", "5", "w", ">"];
    let keys = [&names[..], &letters[..]].concat();
    let mut generator = arbiter::seed::Generator::new(&[&"replay-terminal"]);
    terminal.start(&replay("tests/vectors/games/gekitai.pgn"));
    terminal.wait_for("ply 0 of ");
    for round in 0..30 {
        let pressed: Vec<&str> =
            (0..20).map(|_| keys[generator.below(keys.len() as u64) as usize]).collect();
        terminal.send(&pressed);
        let size = [(60, 20), (80, 24), (120, 40), (30, 5)][generator.below(4) as usize];
        let [x, y] = [size.0, size.1].map(|length: u16| length.to_string());
        terminal.tmux(&["resize-window", "-x", &x, "-y", &y]);
        assert_eq!(terminal.status(), None, "round {round}: {}", terminal.screen());
    }
    terminal.tmux(&["resize-window", "-x", "80", "-y", "24"]);
    terminal.send(&["Escape"]);
    let asks = || {
        terminal.send(&["Escape", "Escape", "g"]);
        terminal.screen().contains("go to ply: ").then_some(())
    };
    wait_or_say(asks, || format!("the game, by the key g:\n{}", terminal.screen()));
    terminal.send(&["Escape"]);
    // Read together, the two keys would be another one, alt and q.
    wait_for("the game without the question", || {
        (!terminal.screen().contains("go to ply: ")).then_some(())
    });
    terminal.send(&["q"]);
    terminal.is_clean_after(0);
}

/// A game of loa in which both sides move a piece to and fro, in so many plies.
fn long_game(plies: usize) -> String {
    let moves: String =
        ["a1c1\n", "b0h0\n", "c1a1\n", "h0b0\n"].into_iter().cycle().take(plies).collect();
    format!(
        "[White \"w\"]\n[Black \"b\"]\n[Result \"*\"]\n[Game \"loa\"]\n[Outcome \"aborted\"]\n[Termination \"aborted\"]\n\
         [Settings \"--max-plies {plies} --repetition 0 --time none\"]\n[Seed \"1\"]\n[GameId \"b~w.1\"]\n\n{moves}*\n"
    )
}

#[test]
fn a_very_long_game_has_requests_and_no_gif() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long.pgn");
    let log = path.to_str().unwrap();
    // If the time for a ply grew with the plies before it, a million (`ARBITER_ALL`) would take a
    // quarter of an hour; the short game shows only what is written.
    let plies = if plays_all() { 1_000_000 } else { 100_000 };
    std::fs::write(&path, long_game(plies)).unwrap();
    let ran = run(&["rerun", log, "--requests", "b"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout.lines().filter(|line| *line == "go").count(), plies / 2);
    let ran = run(&["replay", log, "--gif", "-o", dir.path().join("long.gif").to_str().unwrap()]);
    let words = format!(
        "game 1 has {plies} plies, and a GIF at most 2000; --svg --ply N is a picture of one"
    );
    assert!(ran.status == Some(2) && ran.stderr.contains(&words), "{ran:?}");
    assert!(!dir.path().join("long.gif").exists());
}
