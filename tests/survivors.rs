//! Nothing of a bot survives its game, however either of them ends; and what a bot gets to see is clean.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use support::{ARBITER, arbiter, broken, processes_with, project, run, wait_until_gone};

fn marker(name: &str) -> String {
    format!("marker-{}-{name}", std::process::id())
}

/// Bots that are hard to get rid of; the last word of each is the marker by which its processes are found.
fn clinging(marker: &str) -> [String; 3] {
    [
        broken(&format!("ignores-sigterm {marker}")),
        format!("{} {marker}", broken("daemon /dev/null")),
        broken(&format!("stderr-flood {marker}")),
    ]
}

#[test]
fn after_a_game_nothing_of_its_bots_is_left() {
    let marker = marker("after");
    let healthy = broken(&format!("healthy-reuse {marker}"));
    for bot in clinging(&marker) {
        let ran = run(&["play", "loa", &bot, &healthy, "-n", "2", "--grace", "100ms", "--move-time", "30s"]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(ran.stdout.lines().count(), 2, "{ran:?}");
        // Not in a while, but now: arbiter does not end before its bots.
        assert_eq!(processes_with(&marker), [""; 0], "{bot}");
    }
}

/// Starts a long match of clinging bots and waits until two of its games are in the log.
fn long_match(marker: &str, log: &Path) -> Child {
    let [first, second, _] = clinging(marker);
    let child =
        arbiter(&["play", "loa", &first, &second, "-n", "100000", "--move-time", "60s", "--grace", "10ms"])
            .args(["--concurrency", "2", "--log"])
            .arg(log)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
    let games = || std::fs::read_to_string(log).unwrap_or_default().matches("[Event ").count();
    while games() < 2 {
        std::thread::yield_now();
    }
    assert!(!processes_with(marker).is_empty(), "a match in progress has bots");
    child
}

#[test]
fn a_referee_killed_in_the_middle_leaves_no_bot_and_whole_games() {
    let dir = tempfile::tempdir().unwrap();
    for round in 0..3 {
        let marker = marker(&format!("killed{round}"));
        let log = dir.path().join(format!("{round}.pgn"));
        let mut child = long_match(&marker, &log);
        child.kill().unwrap(); // SIGKILL
        child.wait().unwrap();
        wait_until_gone(&marker);
        let ran = run(&["verify", log.to_str().unwrap()]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(ran.stdout.contains("games, valid"), "{ran:?}");
    }
}

#[test]
fn an_interrupted_match_says_so_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for signal in ["INT", "TERM"] {
        let marker = marker(signal);
        let log = dir.path().join(format!("{signal}.pgn"));
        let mut child = long_match(&marker, &log);
        let sent =
            Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        wait_until_gone(&marker);
        assert_eq!(run(&["verify", log.to_str().unwrap()]).status, Some(0));
    }
}

/// What a bot that looks around finds, as its stderr in the explanation of its forfeit.
fn looks_around(script: &str, options: &[&str]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let bot = dir.path().join("look.sh");
    std::fs::write(&bot, format!("{script}\nexit 3\n")).unwrap();
    let bot = format!("sh {}", bot.display());
    // A shell's descriptor 9 and a secret in the environment must not get through.
    let output = Command::new("sh")
        .args([
            "-c",
            "exec 9</dev/null; exec \"$@\"",
            "sh",
            ARBITER,
            "play",
            "loa",
            &bot,
            "builtin:random",
            "--json",
        ])
        .args(options)
        .env("SECRET_TOKEN", "hunter2")
        .current_dir(project(""))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("no-start") && text.contains("exit status 3"), "{text} {output:?}");
    text
}

#[test]
fn a_bot_gets_a_clean_place_to_run() {
    let open = looks_around("echo fds $(ls /proc/$$/fd) end >&2", &[]);
    // 10 and above may be the shell's own copy of its script.
    assert!(!open.contains(" 9 ") && open.contains("fds 0 1 "), "no inherited descriptors: {open}");
    let environment =
        looks_around("env >&2; echo secret=$SECRET_TOKEN unbuffered=$PYTHONUNBUFFERED >&2", &[]);
    assert!(environment.contains("secret= unbuffered=1"), "{environment}");
    let limits = looks_around("echo core $(ulimit -c) oom $(cat /proc/self/oom_score_adj) >&2", &[]);
    assert!(limits.contains("core 0 oom 1000") || limits.contains("core 1 oom 1000"), "{limits}");
    let session = looks_around(
        "read -r stat < /proc/self/stat; set -- $stat; test $6 = $$ && echo own session >&2",
        &[],
    );
    assert!(session.contains("own session"), "{session}");
    let off = looks_around("echo secret=$SECRET_TOKEN >&2", &["--sandbox", "off"]);
    assert!(off.contains("secret=hunter2"), "with the sandbox off the environment is the user's: {off}");
}

/// Runs the program from Python that has done this before.
fn after(preparation: &str, arguments: &[&str]) -> support::Ran {
    let script = format!("import os, signal, sys\n{preparation}\nos.execv(sys.argv[1], sys.argv[1:])");
    let mut command = Command::new("python3");
    command.args(["-c", &script, ARBITER]).args(arguments).current_dir(project(""));
    command.output().unwrap().into()
}

#[test]
fn signals_that_arbiter_was_started_with_do_not_come_down_to_bots() {
    // With SIGCHLD ignored the system would reap children itself, and nobody would know how a bot ended.
    let ignore = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)";
    let ran = after(
        ignore,
        &["play", "loa", &broken("exception"), "builtin:random", "--json", "--move-time", "60s"],
    );
    assert!(ran.stdout.contains("\"termination\":\"crash\"") && ran.stdout.contains("my bug"), "{ran:?}");
    // nohup: a hangup that is ignored stays ignored.
    let nohup = "
signal.signal(signal.SIGHUP, signal.SIG_IGN)
arbiter = os.getpid()
if os.fork() == 0:
    while os.getppid() == arbiter:
        os.kill(arbiter, signal.SIGHUP)
    os._exit(0)";
    let ran =
        after(nohup, &["play", "loa", "builtin:random", "builtin:random", "-n", "20", "--move-time", "60s"]);
    assert_eq!((ran.status, ran.stdout.lines().count()), (Some(0), 20), "{ran:?}");
}

#[test]
fn what_a_bot_does_after_the_end_is_no_fault() {
    let dir = tempfile::tempdir().unwrap();
    let bot = dir.path().join("after.py");
    let text = "import sys\n\
        moves = []\n\
        for line in sys.stdin:\n    word, *rest = line.split() or ['']\n    \
        if word == 'start': print('ready reuse', flush=True)\n    \
        elif word == 'moves': moves = rest\n    \
        elif word == 'go': print('move', moves[0], flush=True)\n    \
        elif word == 'end':\n        \
            if sys.argv[1] == 'exit': sys.exit(1)\n        \
            print({'nul': '\\0', 'long': 'x' * 70000, 'much': 'spam\\n' * 300000}[sys.argv[1]], flush=True)\n";
    std::fs::write(&bot, text).unwrap();
    for what in ["nul", "long", "much", "exit"] {
        let bot = format!("python3 {} {what}", bot.display());
        let ran = run(&["play", "loa", &bot, "builtin:random", "-n", "4", "--strict", "--move-time", "60s"]);
        assert_eq!(ran.status, Some(0), "{what} {ran:?}");
    }
}

#[test]
fn a_bot_that_never_stops_talking_is_ended_all_the_same() {
    let marker = marker("talks");
    let bot = format!("sh -c 'echo ready; read -r x; echo resign; while :; do yes & yes; done' {marker}");
    let ran = run(&["play", "loa", &bot, "builtin:random", "--move-time", "60s", "--json"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(processes_with(&marker), [""; 0]);
}
