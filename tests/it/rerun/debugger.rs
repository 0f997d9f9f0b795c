//! A program that is stopped for a debugger.

use crate::rerun::{NTH, game};
use crate::support::place::Place;
use crate::support::{Ran, Stat, arbiter, has, skip, wait_for};
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

/// Resumes a process.
fn resume(pid: i32) {
    assert!(
        Command::new("sh").args(["-c", &format!("kill -CONT {pid}")]).status().unwrap().success()
    );
}

/// Runs a rerun that stops the bot, resumes it so, and returns how often it had been asked before.
fn held(place: &Place, more: &[&str], resume: impl FnOnce(i32)) -> usize {
    let mut command = arbiter(&["rerun", "game.pgn", "--attach", "nth"]);
    command.args(more).current_dir(place.path("")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let (mut before, mut line) = (String::new(), String::new());
    let pid: i32 = loop {
        line.clear();
        assert!(errors.read_line(&mut line).unwrap() > 0, "no command for a debugger: {before}");
        if let Some(rest) = line.trim_start().strip_prefix("gdb -p ") {
            break rest.split_whitespace().next().unwrap().parse().unwrap();
        }
        before.push_str(&line);
    };
    wait_for("the stop", || Stat::of(pid).filter(|stat| stat.state == 'T'));
    assert!(child.try_wait().unwrap().is_none(), "the game waits");
    let asked = (1..).take_while(|number| place.path(&format!("asked-{number}")).exists()).count();
    resume(pid);
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("kill -CONT") && rest.contains("jdb -attach"), "{rest}");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{before}{rest}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.starts_with("the same game: "), "{stdout}");
    asked
}

#[test]
fn a_program_waits_for_a_debugger_and_then_plays_the_same_game() {
    let place = Place::new();
    let notes = "asked += 1; open('asked-%d' % asked, 'w').close()";
    place.write("nth.py", &NTH.replace("asked += 1", notes));
    // Under limits that a person with a debugger cannot keep.
    game(&place, "python3 nth.py 3", "builtin:random", &["--start", "60s"]);
    let log = place
        .text("game.pgn")
        .replace("--start 60s", "--start 1s")
        .replace("--time 120+1", "--time 0.5+0.5");
    place.write("game.pgn", &log);
    let bot = ["--bot", "nth=python3 nth.py 3"];
    let forget = || {
        let asked = (1..).map(|number| place.path(&format!("asked-{number}")));
        asked.take_while(|file| file.exists()).for_each(|file| std::fs::remove_file(file).unwrap());
    };
    forget();
    assert_eq!(held(&place, &bot, resume), 0, "it is stopped before its game");
    forget();
    assert_eq!(
        held(&place, &[&bot[..], &["--ply", "4"]].concat(), resume),
        2,
        "it is stopped before ply 5, its third"
    );
}

#[test]
fn gdb_takes_hold_of_a_stopped_program() {
    if !has("gdb", "that it goes on under a debugger") {
        return;
    }
    let place = Place::new();
    place.write("nth.py", NTH);
    game(&place, "python3 nth.py 3", "builtin:random", &[]);
    held(&place, &["--bot", "nth=python3 nth.py 3", "--ply", "3"], |pid| {
        let handle = "handle SIGSTOP nostop noprint nopass";
        let pid_word = pid.to_string();
        let gdb = ["-nx", "-p", &pid_word, "-batch", "-ex", handle, "-ex", "continue"];
        let said: Ran = Command::new("gdb").args(gdb).stdin(Stdio::null()).output().unwrap().into();
        if said.stderr.contains("ptrace: Operation not permitted") {
            skip("this machine lets no debugger attach");
            resume(pid);
        }
    });
}
