//! No process of a bot survives its game, however game or bot ends; and the bot inherits nothing
//! from arbiter.

use crate::support::{
    ARBITER, arbiter, broken, interrupt, marker, processes_with, project, run, skip, wait_for,
    wait_until_gone,
};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Bots that try to survive; the last word of each command is the marker by which its processes are
/// found.
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
        let ran = run(&[
            "play",
            "loa",
            &bot,
            &healthy,
            "-n",
            "2",
            "--grace",
            "100ms",
            "--move-time",
            "30s",
        ]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(ran.stdout.lines().count(), 2 + 1, "a line a game, and the match line: {ran:?}");
        // At once: arbiter does not exit before the processes of its bots have ended.
        assert_eq!(processes_with(&marker), [""; 0], "{bot}");
    }
}

/// Starts a long match of bots that try to survive, and waits until two of its games are in the
/// log.
fn long_match(marker: &str, log: &Path) -> Child {
    let [first, second, _] = clinging(marker);
    let child = arbiter(&[
        "play",
        "loa",
        &first,
        &second,
        "-n",
        "100000",
        "--move-time",
        "60s",
        "--grace",
        "10ms",
    ])
    .args(["--concurrency", "2", "--log"])
    .arg(log)
    .stdout(Stdio::null())
    .spawn()
    .unwrap();
    let games = || std::fs::read_to_string(log).unwrap_or_default().matches("[Event ").count();
    wait_for("two games", || (games() >= 2).then_some(()));
    // Without arbiter's own processes, whose command lines contain the bots' too.
    let is_bot = |line: &String| {
        line.contains("python3") && !line.contains(" play ") && !line.contains(" -- ")
    };
    wait_for("bots of the next game", || processes_with(marker).iter().any(is_bot).then_some(()));
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
fn ended_processes_of_a_bot_of_root_do_not_use_up_the_pids_of_the_machine() {
    if !rustix::process::getuid().is_root() {
        return skip("arbiter is not run by root: the limit of the number of processes holds");
    }
    let ran = run(&["play", "loa", &broken("orphans"), &broken("healthy"), "--move-time", "60s"]);
    assert!(ran.status == Some(0) && !ran.stdout.contains("timeout"), "{ran:?}");
}

#[test]
fn a_process_whose_first_thread_has_ended_goes_with_its_referee() {
    let dir = tempfile::tempdir().unwrap();
    // It is found by its command line. It exists once it has written that, and then does not
    // answer.
    let bots = [("first-thread-ends late 600", "1"), ("leaves-process-without-first-thread", "4")];
    for (number, (behaviour, processes)) in bots.into_iter().enumerate() {
        for sandbox in ["strict", "basic", "off"] {
            let marker = marker(&format!("{sandbox}{number}"));
            let transcript = dir.path().join(&marker);
            let bot = format!(
                "python3 {} {behaviour} {marker}",
                project("tests/bots/hostile.py").display()
            );
            // A command without a file: a bot in the folder of the other could not read the other's
            // files.
            let waits = format!(
                "python3 -c 'print(\"ready\", flush=True); input(); import time; time.sleep(600)' {marker}"
            );
            let options = ["--move-time", "120s", "--start", "120s", "--processes", processes];
            let mut child = arbiter(&["play", "loa", &bot, &waits, "--sandbox", sandbox])
                .args(options)
                .arg("--transcript")
                .arg(&transcript)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            wait_for("the end of a first thread", || {
                let said = std::fs::read_to_string(&transcript).unwrap_or_default();
                (said.contains("its first thread has ended") || said.contains("open a grandchild"))
                    .then_some(())
            });
            child.kill().unwrap();
            child.wait().unwrap();
            wait_until_gone(&marker);
        }
    }
}

#[test]
fn an_interrupted_match_says_so_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    // Both are the same where SIGINT is ignored, so the number tells the logs apart.
    for (number, signal) in [interrupt(), "TERM"].into_iter().enumerate() {
        let marker = marker(&format!("{signal}{number}"));
        let log = dir.path().join(format!("{number}.pgn"));
        let mut child = long_match(&marker, &log);
        // The second signal stops the games. The first may be the last that is needed: they are
        // short.
        for _ in 0..2 {
            let _ = Command::new("sh")
                .args(["-c", &format!("kill -{signal} {}", child.id())])
                .status()
                .unwrap();
        }
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        wait_until_gone(&marker);
        assert_eq!(run(&["verify", log.to_str().unwrap()]).status, Some(0));
    }
}

/// Runs a bot that inspects its surroundings, and returns its standard error from the explanation
/// of its forfeit.
fn looks_around(script: &str, options: &[&str]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let bot = dir.path().join("look.sh");
    std::fs::write(&bot, format!("{script}\nexit 3\n")).unwrap();
    let bot = format!("sh {}", bot.display());
    // The bot must not inherit the shell's descriptor 9 or a secret from the environment.
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
    // Descriptors from 10 on may be the shell's copy of its script.
    assert!(!open.contains(" 9 ") && open.contains("fds 0 1 "), "no inherited descriptors: {open}");
    let environment =
        looks_around("env >&2; echo secret=$SECRET_TOKEN unbuffered=$PYTHONUNBUFFERED >&2", &[]);
    assert!(environment.contains("secret= unbuffered=1"), "{environment}");
    let limits =
        looks_around("echo core $(ulimit -c) oom $(cat /proc/self/oom_score_adj) >&2", &[]);
    assert!(limits.contains("core 0 oom 1000") || limits.contains("core 1 oom 1000"), "{limits}");
    let session = looks_around(
        "read -r stat < /proc/self/stat; set -- $stat; test $6 = $$ && echo own session >&2",
        &[],
    );
    assert!(session.contains("own session"), "{session}");
    let off = looks_around("echo secret=$SECRET_TOKEN >&2", &["--sandbox", "off"]);
    assert!(
        off.contains("secret=hunter2"),
        "with the sandbox off the environment is the user's: {off}"
    );
}

/// Runs the program by exec from Python, after some Python code.
fn after(preparation: &str, arguments: &[&str]) -> crate::support::Ran {
    let script =
        format!("import os, signal, sys\n{preparation}\nos.execv(sys.argv[1], sys.argv[1:])");
    let mut command = Command::new("python3");
    command.args(["-c", &script, ARBITER]).args(arguments).current_dir(project(""));
    command.output().unwrap().into()
}

#[test]
fn signals_that_arbiter_was_started_with_do_not_come_down_to_bots() {
    // With SIGCHLD ignored the kernel reaps children itself, and their exit status is lost.
    let ignore = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)";
    let ran = after(
        ignore,
        &["play", "loa", &broken("exception"), "builtin:random", "--json", "--move-time", "60s"],
    );
    assert!(
        ran.stdout.contains("\"termination\":\"crash\"") && ran.stdout.contains("my bug"),
        "{ran:?}"
    );
    // nohup: arbiter keeps ignoring a hangup that it was started to ignore.
    let nohup = "
signal.signal(signal.SIGHUP, signal.SIG_IGN)
arbiter = os.getpid()
if os.fork() == 0:
    while os.getppid() == arbiter:
        os.kill(arbiter, signal.SIGHUP)
    os._exit(0)";
    let ran = after(
        nohup,
        &["play", "loa", "builtin:random", "builtin:random", "-n", "20", "--move-time", "60s"],
    );
    assert_eq!((ran.status, ran.stdout.lines().count()), (Some(0), 20 + 1), "{ran:?}");
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
        let ran = run(&[
            "play",
            "loa",
            &bot,
            "builtin:random",
            "-n",
            "4",
            "--strict",
            "--move-time",
            "60s",
        ]);
        assert_eq!(ran.status, Some(0), "{what} {ran:?}");
    }
}

#[test]
fn a_bot_that_never_stops_talking_is_ended_all_the_same() {
    let marker = marker("talks");
    let bot =
        format!("sh -c 'echo ready; read -r x; echo resign; while :; do yes & yes; done' {marker}");
    let ran = run(&["play", "loa", &bot, "builtin:random", "--move-time", "60s", "--json"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(processes_with(&marker), [""; 0]);
}
