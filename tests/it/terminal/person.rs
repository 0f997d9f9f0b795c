//! A person who plays at a terminal (tmux): every game, input that is no legal ply, resignation,
//! the flag, leaving.

use crate::support::tmux::Terminal;
use crate::support::{ARBITER, has, moves, project, run};

/// What is not tested without tmux.
const SCREEN: &str = "a person's game in a terminal";

/// A game of a person against a built-in bot, with the log `log.pgn` in the terminal's folder.
fn game(of: &str, more: &str) -> String {
    format!("{ARBITER} play {of} human builtin:random --seed 5 --log log.pgn {more}")
}

fn log(terminal: &Terminal) -> String {
    let path = terminal.dir.path().join("log.pgn");
    let checked = run(&["verify", path.to_str().unwrap()]);
    assert_eq!(checked.status, Some(0), "{checked:?}");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_person_plays_every_game_and_resigns() {
    for (of, ply, wrong) in [
        ("loa", "a1a7", "a9"),
        ("flipflop", "", "x"),
        ("lineup", "", "zz9"),
        ("gekitai", "c3", "g9"),
    ] {
        let Some(terminal) = Terminal::open(80, 24, SCREEN) else { return };
        terminal.start(&game(of, ""));
        terminal.wait_for("to move: _");
        terminal.enter(wrong);
        terminal.wait_for("legal moves such as");
        // A ply, or all that legal plies have in common, then the one that is named first.
        let screen = terminal.wait_for("legal moves such as");
        let example =
            screen.split("such as \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        terminal.enter(if ply.is_empty() { &example } else { ply });
        terminal.wait_for("1. ");
        terminal.wait_for("to move: _");
        terminal.enter("resign");
        terminal.wait_for("wins by resign");
        terminal.send(&["Enter"]);
        let screen = terminal.is_clean_after(0);
        assert!(screen.contains("human") && screen.contains("resign"), "{screen}");
        let log = log(&terminal);
        assert!(log.contains("[Termination \"resign\"]") && log.contains("\"human\""), "{log}");
        assert!(
            log.contains("[TimeControl \"none\"]") || log.contains("[TimeControl \"-\"]"),
            "{log}"
        );
    }
}

#[test]
fn a_person_plays_custom_games() {
    if !has("python3", "rules in Python") {
        return;
    }
    let rules = |name: &str| project(&format!("games/{name}.py")).display().to_string();
    let Some(terminal) = Terminal::open(80, 24, SCREEN) else { return };
    let connect4 = rules("connect4");
    terminal.start(&game(&connect4, ""));
    terminal.wait_for("1  2  3  4  5  6  7");
    // A square is no ply here; words are chosen one after the other.
    terminal.send(&["Space"]);
    terminal.wait_for("plies are words here");
    terminal.send(&["Tab", "Tab", "Tab"]);
    terminal.wait_for("to move: 3_");
    terminal.send(&["Enter"]);
    terminal.wait_for("1. X 3");
    terminal.wait_for("to move: _");
    terminal.enter("resign");
    terminal.wait_for("wins by resign");
    terminal.send(&["Enter"]);
    terminal.is_clean_after(0);
    let log = terminal.dir.path().join("log.pgn");
    let checked = run(&["verify", "--rules", &connect4, log.to_str().unwrap()]);
    assert_eq!(checked.status, Some(0), "{checked:?}");
    // The bot begins; the second side takes its stone over.
    terminal.start(&format!("{ARBITER} play {} builtin:random human --seed 5", rules("hex")));
    terminal.wait_for("swap");
    terminal.send(&["Tab", "Enter"]);
    terminal.wait_for("2. O swap");
    terminal.wait_for("to move: _");
    terminal.send(&["C-c"]);
    terminal.is_clean_after(130);
}

#[test]
fn the_enter_key_alone_plays_nothing() {
    let Some(terminal) = Terminal::open(80, 24, SCREEN) else { return };
    terminal.start(&game("gekitai", ""));
    terminal.wait_for("to move: _");
    terminal.send(&["Enter"]);
    terminal.wait_for("type a ply, or choose its squares");
    terminal.enter("resign");
    terminal.wait_for("wins by resign");
    terminal.send(&["Enter"]);
    terminal.is_clean_after(0);
    assert_eq!(moves(&log(&terminal)), "0-1");
}

#[test]
fn random_keys_at_the_table_do_no_harm() {
    let Some(terminal) = Terminal::open(80, 24, SCREEN) else { return };
    let names =
        ["Left", "Right", "Up", "Down", "Enter", "Escape", "BSpace", "Tab", "Space", "C-f", "?"];
    let keys = [&names[..], &["a", "b", "1", "2", "3", "x", ".", "NPage", "F1"]].concat();
    let mut generator = arbiter::seed::Generator::new(&[&"person-terminal"]);
    terminal.start(&game("gekitai", ""));
    terminal.wait_for("to move: ");
    for _ in 0..30 {
        let pressed: Vec<&str> =
            (0..20).map(|_| keys[generator.below(keys.len() as u64) as usize]).collect();
        terminal.send(&pressed);
        let size =
            [("60", "20"), ("80", "24"), ("120", "40"), ("30", "5")][generator.below(4) as usize];
        terminal.tmux(&["resize-window", "-x", size.0, "-y", size.1]);
        if terminal.status().is_some() {
            break; // the plies ended the game, and a key left the screen
        }
    }
    terminal.tmux(&["resize-window", "-x", "80", "-y", "24"]);
    if terminal.status().is_none() {
        terminal.send(&["C-c"]);
    }
    // Ctrl-C breaks a running game off, and only leaves the screen of one that has ended.
    let status = crate::support::wait_for("the end", || terminal.status());
    assert!([0, 130].contains(&status), "status {status}: {}", terminal.screen());
    terminal.is_clean_after(status);
}

#[test]
fn the_flag_of_a_person_falls_and_leaving_ends_the_match() {
    let Some(terminal) = Terminal::open(60, 20, SCREEN) else { return };
    terminal.start(&game("gekitai", "--move-time 200ms"));
    terminal.wait_for("wins by timeout");
    terminal.send(&["Enter"]);
    terminal.is_clean_after(0);
    assert!(log(&terminal).contains("[Termination \"timeout\"]"));
    terminal.start(&game("gekitai", "-n 4"));
    terminal.wait_for("to move: _");
    terminal.send(&["C-c"]);
    terminal.is_clean_after(130);
    // From the end of a game: the next one is broken off.
    terminal.start(&game("gekitai", "-n 4"));
    terminal.wait_for("to move: _");
    terminal.enter("resign");
    terminal.wait_for("wins by resign   enter: the next game");
    terminal.send(&["C-c"]);
    let screen = terminal.is_clean_after(130);
    assert!(screen.contains("interrupted after 2 of 4 games"), "{screen}");
}

#[test]
fn a_signal_ends_the_screen_of_the_end() {
    let Some(terminal) = Terminal::open(80, 24, SCREEN) else { return };
    let play = "play gekitai human builtin:random --move-time 200ms";
    terminal.start(&format!("sh -c 'echo $$ >pid; exec {ARBITER} {play}'"));
    terminal.wait_for("wins by timeout");
    let pid = std::fs::read_to_string(terminal.dir.path().join("pid")).unwrap();
    let killed = std::process::Command::new("kill").args(["-TERM", pid.trim()]).status();
    assert!(killed.unwrap().success());
    let status = crate::support::wait_for("the end", || terminal.status());
    // 130 if it comes while the bot ends.
    assert!([0, 130].contains(&status), "status {status}: {}", terminal.screen());
    terminal.is_clean_after(status);
}

#[test]
fn a_person_without_a_clock_may_think_for_ever() {
    let Some(terminal) = Terminal::open(80, 24, SCREEN) else { return };
    // The bot has a clock of its own: it would not answer within a millisecond.
    terminal.start(&game("gekitai", "--stall 1ms --time none --time random=600+1"));
    terminal.wait_for("to move: _");
    terminal.enter("c3");
    terminal.wait_for("2. ");
    terminal.wait_for("to move: _");
    terminal.enter("resign");
    terminal.wait_for("wins by resign");
    terminal.send(&["Enter"]);
    terminal.is_clean_after(0);
    let log = log(&terminal);
    assert!(log.contains("--stall 1ms") && log.contains("[Termination \"resign\"]"), "{log}");
}

#[test]
fn a_person_needs_a_terminal() {
    let ran = run(&["play", "loa", "human", "builtin:random"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("human: a person plays at a terminal"), "{ran:?}");
}
