//! What bots cannot do under `strict`, and what they can: play, in any language, wherever its
//! runtime is installed.

mod languages;
mod memory;
mod processes;
mod reads;
mod rights;

use crate::support::{
    Ran, WITHOUT_NAMESPACES, arbiter, has, marker, processes_with, project, run, skip, wait_for,
    wait_until_gone, write_program,
};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Limits that no working bot exceeds on any machine.
const CALM: [&str; 6] = ["--move-time", "120s", "--start", "120s", "--max-plies", "12"];

/// The arguments of a match under `strict`.
fn strict_options(first: &str, second: &str) -> Vec<String> {
    let basic = ["play", "loa", first, second, "--sandbox", "strict", "--json", "--grace", "10s"];
    basic.iter().chain(&CALM).map(ToString::to_string).collect()
}

/// A match under `strict`.
fn strict(first: &str, second: &str, options: &[&str]) -> Ran {
    let basic = strict_options(first, second);
    run(&[&basic.iter().map(String::as_str).collect::<Vec<_>>(), options].concat())
}

#[track_caller]
fn plays(ran: &Ran) {
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(!ran.stdout.contains("forfeit") && ran.stdout.contains("\"outcome\""), "{ran:?}");
}

/// A folder that every user may enter: under root, bots are other users.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn write(path: &Path, text: &str) -> String {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    write_program(path, text);
    path.display().to_string()
}

/// The text of a Python bot that runs some code when it starts, and then plays the first legal ply.
/// `seen` reports what the code did.
fn python(what: &str) -> String {
    format!(
        "import os, sys\n\
         def seen(what):\n    print(what, file=sys.stderr, flush=True)\n\
         def attempt(name, action):\n    \
             try:\n        action()\n        seen(name + ' worked')\n    \
             except BaseException as error:\n        seen(name + ' failed: ' + type(error).__name__)\n\
         {what}\n\
         moves = []\n\
         for line in sys.stdin:\n    \
             word, *rest = line.split() or ['']\n    \
             if word == 'start': print('ready', flush=True)\n    \
             elif word == 'moves': moves = rest\n    \
             elif word == 'go': print('move', moves[0], flush=True)\n    \
             elif word == 'quit': break\n"
    )
}

/// What such a bot reported in a match that was played to its end.
fn sees(what: &str, options: &[&str]) -> String {
    let folder = folder();
    let bot = write(&folder.path().join("bot/bot.py"), &python(what));
    let logs = folder.path().join("logs");
    let ran = strict(
        &format!("python3 {bot}"),
        "builtin:random",
        &[options, &["--bot-logs", logs.to_str().unwrap()]].concat(),
    );
    plays(&ran);
    let kept = fs::read_dir(logs.join("bot")).unwrap().next().unwrap().unwrap().path();
    fs::read_to_string(kept).unwrap()
}

#[test]
fn every_attack_is_refused_under_strict_and_works_without() {
    let ran = run(&["doctor", "-v"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let (_, table) = ran.stdout.split_once("what a bot may try").unwrap();
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(columns).collect();
    assert!(rows.len() > 30, "{ran:?}");
    // Probes that only root can pass, and those that even root cannot.
    let rights = [
        "read root's secrets",
        "change the root",
        "raise a limit",
        "vsock",
        "change its attributes",
    ];
    for row in rows {
        let [name, off, _, strict] = row[..] else { panic!("{row:?}") };
        let wanted = [
            "a thread",
            "write into the scratch folder",
            "signal itself",
            "read about itself",
            "read a system library",
        ];
        // Without namespaces, bots see names.
        let names = ["see that a file is there", "see that a process is there"];
        let seen = names.contains(&name) && ran.stdout.contains("names=visible");
        // With a control group this memory counts as the bot's.
        let memory = [
            "shared anonymous memory",
            "shared memory of /dev/zero",
            "pages that only a pipe holds",
        ];
        let seen = seen || memory.contains(&name) && ran.stdout.contains("memory=cgroup");
        assert_eq!(
            strict,
            if seen || wanted.contains(&name) { "open" } else { "refused" },
            "{name}"
        );
        assert!(
            off == "open" || rights.contains(&name),
            "{name} is refused with the sandbox off, so it proves nothing"
        );
    }
    assert!(
        ["fork=denied net=denied files=denied", "processes=denied doors=denied"]
            .iter()
            .all(|words| ran.stdout.contains(words)),
        "{ran:?}"
    );
}

/// A row of the table: a name, and three words.
fn columns(row: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = row.trim_end().rsplitn(4, ' ').collect();
    if parts.iter().any(|part| part.is_empty()) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let name = row.split("  ").next().unwrap().trim();
        parts = words[words.len() - 3..].iter().rev().copied().chain([name]).collect();
    }
    parts.reverse();
    parts[0] = parts[0].trim();
    for word in ["open", "refused"] {
        parts[0] = parts[0].strip_suffix(word).unwrap_or(parts[0]).trim();
    }
    parts
}

#[test]
fn what_is_in_force_goes_to_the_user_and_into_the_log() {
    let folder = folder();
    let log = folder.path().join("games.pgn");
    let ran = strict("builtin:random", "builtin:greedy", &["--log", log.to_str().unwrap()]);
    plays(&ran);
    assert!(ran.stderr.contains("isolation: strict"), "{ran:?}");
    assert!(!ran.stderr.contains("net=denied"), "only what is missing: {ran:?}");
    assert!(
        fs::read_to_string(log).unwrap().contains("[Isolation \"strict fork=denied net=denied")
    );
    let ran = run(&["play", "loa", "builtin:random", "builtin:random", "--max-plies", "2"]);
    assert!(!ran.stderr.contains("isolation"), "{ran:?}");
}

#[test]
fn a_bot_writes_into_its_scratch_folder_and_nowhere_else() {
    let seen = sees(
        "attempt('home', lambda: open(os.environ['HOME'] + '/x', 'w'))\n\
         attempt('temporary', lambda: __import__('tempfile').NamedTemporaryFile())\n\
         attempt('lock', lambda: __import__('fcntl').lockf(open(os.environ['HOME'] + '/x', 'w'), 2))\n\
         attempt('own', lambda: open('x', 'w'))\n\
         attempt('itself', lambda: open(__file__, 'a'))\n\
         attempt('system', lambda: open('/usr/x', 'w'))\n\
         attempt('root', lambda: open('/x', 'w'))",
        &[],
    );
    for name in ["home", "temporary", "lock"] {
        assert!(seen.contains(&format!("{name} worked")), "{seen}");
    }
    for name in ["own", "itself", "system", "root"] {
        assert!(seen.contains(&format!("{name} failed: ")), "{seen}");
    }
}

#[test]
fn bots_do_not_see_each_other() {
    let folder = folder();
    let other = write(&folder.path().join("other.py"), &python(""));
    write(&folder.path().join("part.py"), "answer = 7");
    let what = format!(
        "import part\n\
         attempt('other', lambda: open({other:?}).read())\n\
         attempt('system', lambda: os.listdir('/usr/lib'))"
    );
    let bot = write(&folder.path().join("bot.py"), &python(&what));
    let logs = folder.path().join("logs");
    let ran = strict(
        &format!("python3 {bot}"),
        &format!("python3 {other}"),
        &["--bot-logs", logs.to_str().unwrap()],
    );
    plays(&ran);
    let kept = fs::read_dir(logs.join("bot")).unwrap().next().unwrap().unwrap().path();
    let seen = fs::read_to_string(kept).unwrap();
    assert!(seen.contains("other failed: ") && seen.contains("system worked"), "{seen}");
}

#[test]
fn forks_are_refused_and_can_be_allowed() {
    let fork = "attempt('fork', lambda: os.waitpid(os.fork() or os._exit(0), 0))\n\
                attempt('program', lambda: __import__('subprocess').run(['true'], check=True))\n\
                attempt('abort', lambda: os.kill(os.getpid(), 0))";
    let seen = sees(fork, &[]);
    assert!(
        seen.contains("fork failed: BlockingIOError") && seen.contains("program failed: "),
        "{seen}"
    );
    assert!(seen.contains("abort worked"), "{seen}");
    let seen = sees(fork, &["--processes", "4"]);
    assert!(seen.contains("fork worked") && seen.contains("program worked"), "{seen}");
}

#[test]
fn a_bomb_harms_nobody_but_its_bot() {
    for bomb in [
        "x = bytearray(3 << 30)",
        "while True: os.fork()",
        "import threading\nwhile True: threading.Thread(target=threading.Event().wait, daemon=True).start()",
        "f = open(os.environ['HOME'] + '/x', 'wb')\nwhile True: f.write(bytes(1 << 20))",
    ] {
        let marker = marker("bomb");
        let folder = folder();
        let bot = write(&folder.path().join("bot/bot.py"), &python(bomb));
        let ran =
            strict(&format!("python3 {bot} {marker}"), "builtin:random", &["--memory", "256MiB"]);
        assert_eq!(ran.status, Some(0), "{bomb}: {ran:?}");
        assert!(ran.stdout.contains("no-start"), "{bomb}: {ran:?}");
        assert_eq!(processes_with(&marker), [""; 0], "{bomb}");
    }
}

/// A bot that holds deleted files of its scratch folder, and never says that it is ready: by
/// descriptors, or by mappings alone. Their names are no UTF-8.
const HOLDS: &str = r"import mmap, time
held = []
def hold(mebibytes, mapped=False):
    name = os.environ['HOME'].encode() + b'/\xff %d %d' % (os.getpid(), len(held))
    file = open(name, 'w+b', buffering=0)
    os.unlink(name)
    for _ in range(mebibytes): file.write(bytes(1 << 20))
    held.append(mmap.mmap(file.fileno(), 4096) if mapped else file)
    if mapped: os.closerange(3, 256) # it has a descriptor of its own
";

#[test]
fn deleted_files_count_as_long_as_a_bot_holds_them() {
    let folder = folder();
    for (name, holds) in [
        ("open", "hold(40)\nhold(40)\ntime.sleep(3600)"),
        ("child", "os.fork()\nhold(40)\ntime.sleep(3600)"),
        ("mapped", "for _ in range(5): hold(1, mapped=True)\ntime.sleep(3600)"),
    ] {
        let text = python(&format!("{HOLDS}{holds}"));
        let bot = write(&folder.path().join(name).join("bot.py"), &text);
        let options = strict_options(&format!("python3 {bot}"), "builtin:random");
        let mut options: Vec<&str> = options.iter().map(String::as_str).collect();
        options.extend(["--processes", "2"]);
        let Some(ran) = without_namespaces(&options) else { return };
        let (termination, detail) = judged(&ran);
        assert_eq!(termination, "no-start", "{name}: {detail}");
        assert!(detail.contains("in its scratch folder"), "{name}: {detail}");
    }
    // Fewer are no fault. Room cannot be reserved, and what the C library does instead works.
    let holds = "hold(1, mapped=True)\nhold(8)\nimport ctypes, errno\n\
         libc = ctypes.CDLL(None, use_errno=True)\n\
         file = open(os.environ['HOME'] + '/reserved', 'wb')\n\
         reserved = libc.fallocate(file.fileno(), 0, ctypes.c_long(0), ctypes.c_long(1 << 20))\n\
         if reserved and ctypes.get_errno() == errno.EOPNOTSUPP: seen('refused')\n\
         attempt('posix_fallocate', lambda: os.posix_fallocate(file.fileno(), 0, 1 << 20))";
    let bot = write(&folder.path().join("few/bot.py"), &python(&format!("{HOLDS}{holds}")));
    let logs = folder.path().join("logs");
    let options = strict_options(&format!("python3 {bot}"), "builtin:random");
    let mut options: Vec<&str> = options.iter().map(String::as_str).collect();
    options.extend(["--bot-logs", logs.to_str().unwrap()]);
    let Some(ran) = without_namespaces(&options) else { return };
    plays(&ran);
    let kept = fs::read_dir(logs.join("bot")).unwrap().next().unwrap().unwrap().path();
    let seen = fs::read_to_string(kept).unwrap();
    assert!(seen.contains("refused") && seen.contains("posix_fallocate worked"), "{seen}");
}

/// How a game of such a bot under `strict` ends: its termination and the explanation.
fn ends(what: &str, options: &[&str]) -> (String, String) {
    let folder = folder();
    let bot = write(&folder.path().join("bot/bot.py"), &python(what));
    judged(&strict(&format!("python3 {bot}"), "builtin:random", options))
}

fn judged(ran: &Ran) -> (String, String) {
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let game: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let word = |key: &str| game[key].as_str().unwrap_or_default().to_owned();
    (word("termination"), word("detail"))
}

#[test]
fn too_many_processes_and_threads_are_told_from_a_crash() {
    let wait = "\nimport time\ntime.sleep(600)";
    let forks = format!("for i in range(10):\n    if os.fork() == 0: break{wait}");
    let (termination, detail) = ends(&forks, &["--processes", "3"]);
    assert_eq!(termination, "no-start", "{detail}");
    assert!(
        detail.contains("the program ran ") && detail.contains("the match allows 3 and 64"),
        "{detail}"
    );
    // On move it gets a verdict of its own. Fewer threads than allowed are no fault.
    let threads = "import threading, time\n\
                   def start(count):\n    \
                       for i in range(count): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n";
    let later = format!(
        "{threads}import builtins\ndef late(*rest, **more):\n    \
                         if rest[0] == 'move': start(80); time.sleep(600)\n    builtins.print(*rest, **more)\nprint = late"
    );
    let (termination, detail) = ends(&later, &[]);
    assert!(matches!(&*termination, "process-limit" | "crash"), "{termination} {detail}");
    assert!(detail.contains("64"), "{detail}");
    plays(&strict("builtin:random", "builtin:greedy", &["--processes", "3"]));
    sees(&format!("{threads}start(40)\nseen('threads')"), &[]);
}

/// The program of Python that `python3` means. A shim in its place would change PATH.
fn real_python() -> PathBuf {
    let told =
        Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    PathBuf::from(String::from_utf8(told.stdout).unwrap().trim())
}

/// Runs arbiter where no namespace can be made; none if that is not possible on this machine.
fn without_namespaces(arguments: &[&str]) -> Option<Ran> {
    run_without_namespaces(&arbiter(arguments))
}

/// The same with the environment and the working directory of a command of arbiter.
fn run_without_namespaces(plain: &Command) -> Option<Ran> {
    let mut command = Command::new(real_python());
    let [_, script] = WITHOUT_NAMESPACES;
    command.arg(script).arg(plain.get_program()).args(plain.get_args());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.current_dir(plain.get_current_dir().unwrap());
    let ran: Ran = command.output().unwrap().into();
    if ran.status == Some(77) {
        skip(&format!("what bots can do where there are no namespaces: {}", ran.stderr));
    }
    (ran.status != Some(77)).then_some(ran)
}

#[test]
fn a_scratch_folder_has_so_much_room_and_no_more() {
    let fill = "import time\n\
                home = os.environ['HOME']\n\
                def fill():\n    \
                    for name in range(5):\n        \
                        with open(f'{home}/{name}', 'wb') as file:\n            \
                            for part in range(60): file.write(bytes(1 << 20))\n\
                attempt('fill', fill)\ntime.sleep(WAIT)";
    let folder = folder();
    let write_bot =
        |wait: &str| write(&folder.path().join("bot/bot.py"), &python(&fill.replace("WAIT", wait)));
    let options =
        ["play", "loa", "builtin:random", "--sandbox", "strict", "--json", "--grace", "10s"];
    let bot = format!("python3 {}", write_bot("0"));
    let with = run(&[&options[..], &[&bot], &CALM].concat());
    if !with.stderr.contains("names=") {
        plays(&with); // a file system of that size is full
    }
    let bot = format!("python3 {}", write_bot("600"));
    if let Some(without) = without_namespaces(&[&options[..], &[&bot], &CALM].concat()) {
        assert!(without.stderr.contains("names=visible"), "{without:?}");
        let (termination, detail) = judged(&without);
        assert_eq!(termination, "no-start", "{detail}");
        assert!(
            detail.contains("in its scratch folder, with those that")
                && detail.contains("; the match allows 64.0 MiB"),
            "{detail}"
        );
    }
}

#[test]
fn a_sandbox_that_may_be_the_cause_is_named() {
    let (termination, detail) = ends("open('notes.txt', 'w')", &[]);
    assert_eq!(termination, "no-start");
    for words in ["scratch folder", "notes.txt"] {
        assert!(detail.contains(words), "{words}: {detail}");
    }
    let (_, detail) = ends("os.setsid()", &[]);
    assert!(
        detail.contains("the sandbox may be the cause: --sandbox basic plays the same game"),
        "{detail}"
    );
    let folder = folder();
    let wrapper = write(&folder.path().join("bot/bot.sh"), "#!/bin/sh\npython3 bot.py\nexit 0\n");
    write(&folder.path().join("bot/bot.py"), &python(""));
    let (termination, detail) = judged(&strict(&wrapper, "builtin:random", &[]));
    assert_eq!(termination, "no-start");
    assert!(detail.contains("needs `exec` before its last command"), "{detail}");
    // As the explanation says, it plays without the sandbox.
    let basic = ["play", "loa", &wrapper, "builtin:random", "--sandbox", "basic", "--json"];
    plays(&run(&[&basic[..], &CALM].concat()));
}

/// The files that are left in a folder for temporary files.
fn left(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn scratch_folders_go_with_their_bots() {
    let temporary = folder();
    let places = folder();
    let what = "os.makedirs(os.environ['HOME'] + '/a/b/c')\n\
                open(os.environ['HOME'] + '/a/b/c/d', 'w').write('x')\n\
                os.mkdir(os.environ['HOME'] + '/closed', 0o300)\n\
                os.mkdir(os.environ['HOME'] + '/closed/inner', 0)";
    let bot = format!("python3 {}", write(&places.path().join("bot/bot.py"), &python(what)));
    let match_of = |games: &str| {
        let mut command =
            arbiter(&["play", "loa", &bot, "builtin:random", "--sandbox", "strict", "-n", games]);
        command.args(CALM).env("TMPDIR", temporary.path());
        command
    };
    let ran: Ran = match_of("2").output().unwrap().into();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(left(temporary.path()), [""; 0].map(PathBuf::from));
    // And when the referee is killed.
    let mut child = match_of("100000").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let word = places.path().to_str().unwrap();
    wait_for("a scratch folder and its bot", || {
        (!left(temporary.path()).is_empty() && processes_with(word).len() >= 2).then_some(())
    });
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until_gone(word);
    wait_for("the end of the scratch folders", || {
        left(temporary.path()).iter().all(|path| path.join("secret").exists()).then_some(())
    });
}

#[test]
fn a_scratch_folder_of_a_killed_run_goes_with_the_next() {
    let (temporary, places) = (folder(), folder());
    let bot = |wait: &str| {
        // The bot of the game reads; the one of the test before it does not.
        let text = python(&format!(
            "import time\nsys.stdin.readline()\nseen('plays')\ntime.sleep({wait})\nprint('ready', flush=True)"
        ));
        format!("python3 {}", write(&places.path().join("bot/bot.py"), &text))
    };
    let transcript = places.path().join("transcript");
    let match_with = |bot: &str| {
        let mut command = arbiter(&["play", "loa", bot, "builtin:random", "--sandbox", "strict"]);
        command.args(CALM).env("TMPDIR", temporary.path()).arg("--transcript").arg(&transcript);
        command
    };
    let mut run =
        match_with(&bot("600")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let word = places.path().to_str().unwrap();
    // Its warden and the bot itself: the bot sleeps and does not get ready.
    wait_for("the bot", || {
        fs::read_to_string(&transcript).is_ok_and(|text| text.contains("plays")).then_some(())
    });
    let warden = wait_for("its warden", || {
        let lines = processes_with(word);
        let is_bot = |line: &String| !line.contains(" -- ") && !line.contains(" play ");
        let pid = |line: &String| line.split(' ').next()?.rsplit('/').next()?.parse::<i32>().ok();
        // Pid 1 of the bot's namespace has the warden's command line and is its child.
        let parent = format!("PPid:\t{}\n", run.id());
        let is_warden = |pid: &i32| {
            fs::read_to_string(format!("/proc/{pid}/status"))
                .is_ok_and(|status| status.contains(&parent))
        };
        lines.iter().filter_map(pid).find(is_warden).filter(|_| lines.iter().any(is_bot))
    });
    let kill = |pid: i32| kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
    kill_process(Pid::from_child(&run), Signal::STOP).unwrap(); // it must not notice
    kill(warden);
    run.kill().unwrap();
    run.wait().unwrap();
    wait_until_gone(word);
    assert!(!left(temporary.path()).is_empty(), "it is left over");
    let next: Ran = match_with(&bot("0")).output().unwrap().into();
    assert_eq!(next.status, Some(0), "{next:?}");
    assert_eq!(left(temporary.path()), [""; 0].map(PathBuf::from));
}

/// A folder with a bot that has a build.
fn built(build: &str) -> (tempfile::TempDir, String) {
    let folder = folder();
    let dir = folder.path().join("bot");
    write(&dir.join("bot.py"), &python(""));
    let manifest = format!("command = \"python3 bot.py\"\nbuild = {build:?}\n");
    write(&dir.join("bot.toml"), &manifest);
    let path = dir.display().to_string();
    (folder, path)
}

#[test]
fn builds_may_fork_and_write_in_their_folder_only() {
    let (_folder, bot) =
        built("(echo a; echo b) | cat > made && chmod 600 made && mkdir -p x/y && cp made x/y/z");
    plays(&strict(&bot, "builtin:random", &[]));
    assert!(Path::new(&bot).join("x/y/z").exists());
    let outside = folder();
    for build in [
        format!("echo x > {}/file", outside.path().display()),
        format!("ls {}", outside.path().display()),
        "python3 -c 'import socket; socket.socket()'".to_owned(),
        "chmod $(stat -c %a /usr/bin/env) /usr/bin/env".to_owned(), // a file of root, also for root
        "test $(id -u) = 0".to_owned(),
    ] {
        let (_folder, bot) = built(&build);
        let ran = strict(&bot, "builtin:random", &[]);
        assert_eq!(ran.status, Some(2), "{build}: {ran:?}");
        assert!(ran.stderr.contains("its build"), "{build}: {ran:?}");
    }
    if has("cc", "a build with a compiler") && has("make", "a build with make") {
        let (folder, bot) = built("make");
        fs::copy(project("bots/random-c/bot.c"), folder.path().join("bot/bot.c")).unwrap();
        fs::copy(project("bots/random-c/Makefile"), folder.path().join("bot/Makefile")).unwrap();
        plays(&strict(&bot, "builtin:random", &[]));
    }
}

/// The command of a build that leaves a process behind, which has left its session, whose first
/// thread has ended, and which writes rising numbers to a file of the bot.
const LEAVES: &str = "
import ctypes, os, platform, signal, threading, time
def beat():
    end = time.monotonic() + 600
    count = 0
    while time.monotonic() < end:
        count += 1
        with open('beats.new', 'w') as file: file.write(str(count))
        os.rename('beats.new', 'beats')
        time.sleep(0.001)
    os._exit(0)
if os.fork() == 0:
    try: os.setsid()
    except OSError: pass  # it may not
    for number in (signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        null = os.open('/dev/null', os.O_RDWR)
        for number in range(3): os.dup2(null, number)
        threading.Thread(target=beat).start()
        ctypes.CDLL(None).syscall(ctypes.c_long(60 if platform.machine() == 'x86_64' else 93), ctypes.c_long(0))
    os._exit(0)
while not os.path.exists('beats'): time.sleep(0.001)  # it is at work
";

#[test]
fn a_process_that_a_build_leaves_does_not_see_the_games() {
    let marker = marker("build");
    let (folder, bot) = built(&format!("python3 leaves.py {marker}"));
    let own = folder.path().join("bot");
    write(&own.join("leaves.py"), LEAVES);
    // In each ply the bot reports what it sees of the process. Its opponent waits between its start
    // and its first ply.
    write(
        &own.join("bot.py"),
        &python("").replace(
            "    elif word == 'go':",
            "    elif word == 'go' and not seen('beat ' + open('beats').read()):",
        ),
    );
    let waits =
        "import time\nseen('it begins')\nwhile not os.path.exists('release'): time.sleep(0.01)";
    let opponent = folder.path().join("waits");
    write(&opponent.join("waits.py"), &python(waits));
    write(&opponent.join("bot.toml"), "command = \"python3 waits.py\"\n");
    let transcript = folder.path().join("transcript");
    let said = || fs::read_to_string(&transcript).unwrap_or_default();
    let options = [
        "play",
        "loa",
        &bot,
        opponent.to_str().unwrap(),
        "--sandbox",
        "strict",
        "--json",
        "--transcript",
    ];
    let mut command = arbiter(&[&options[..], &[transcript.to_str().unwrap()], &CALM].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("the bots", || said().contains("it begins").then_some(()));
    let during = processes_with(&marker);
    write(&opponent.join("release"), "");
    plays(&child.wait_with_output().unwrap().into());
    assert_eq!(during, [""; 0], "while the bots play");
    assert_eq!(processes_with(&marker), [""; 0]);
    let text = said();
    let beats: BTreeSet<&str> =
        text.split("beat ").skip(1).map(|rest| rest.split('\n').next().unwrap()).collect();
    assert_eq!(beats.len(), 1, "it ran during the build, and does not run any more: {beats:?}");
}

/// Plays a game of a bot where PATH leads to the shims of this pyenv first.
fn played_by_shims(root: &Path, bot: &str, more: &[&str]) -> Ran {
    let path = std::env::var("PATH").unwrap();
    let mut command =
        arbiter(&["play", "loa", bot, "builtin:random", "--sandbox", "strict", "--json"]);
    command.args(CALM).args(more);
    command.env("PATH", format!("{}:{path}", root.join("shims").display()));
    command.output().unwrap().into()
}

#[test]
fn the_version_that_pyenv_chooses_plays_and_not_its_shim() {
    let places = folder();
    let root = places.path().join(".pyenv");
    fs::create_dir_all(root.join("versions/3.99.1/bin")).unwrap();
    symlink(real_python(), root.join("versions/3.99.1/bin/python3")).unwrap();
    write(&root.join("shims/python3"), "#!/usr/bin/env bash\nexec $(true; which false) \"$@\"\n");
    write(&root.join("version"), "3.99.1\n");
    let bot = write(&places.path().join("bot/bot.py"), &python(""));
    let script = write(
        &places.path().join("script/bot.py"),
        &format!("#!/usr/bin/env python3\n{}", python("")),
    );
    let bot = format!("python3 {bot}");
    plays(&played_by_shims(&root, &bot, &[]));
    plays(&played_by_shims(&root, &script, &[]));
    fs::write(root.join("version"), "2.0").unwrap();
    // Where it may not fork, the shell of the shim tries to for 15 seconds.
    let ran = played_by_shims(&root, &bot, &["--processes", "16"]);
    assert!(ran.stdout.contains("no-start"), "no other version plays in its place: {ran:?}");
}

#[test]
fn a_tournament_is_strict_and_may_be_required_to_be() {
    let folder = folder();
    write(&folder.path().join("model/weights"), "7");
    let what = "attempt('model', lambda: open('../model/weights').read())\nattempt('config', lambda: open('../cup.toml').read())";
    write(&folder.path().join("one/bot.py"), &python(what));
    let config = |limits: &str| {
        let text = format!(
            "game = \"loa\"\n[schedule]\ngames = 2\nopening-plies = 0\n[time]\nclock = \"wall\"\nstart = \"120s\"\n\
             [match]\nmax-plies = 6\n[limits]\n{limits}\n\
             [[bot]]\nname = \"one\"\ncommand = \"python3 bot.py\"\ndir = \"one\"\nread = [\"model\"]\n\
             [[bot]]\nname = \"two\"\ncommand = \"builtin:random\"\n"
        );
        write(&folder.path().join("cup.toml"), &text)
    };
    let ran = run(&["tournament", &config("sandbox = \"basic\""), "--require-isolation", "strict"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("isolation `strict` is required"), "{ran:?}");
    let ran = run(&["tournament", &config(""), "--require-isolation", "strict"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("isolation: strict"), "{ran:?}");
    // Its bots are also found if the configuration is named by another path.
    let mut command = arbiter(&["tournament", "../cup.toml", "--out", "../again"]);
    let again: Ran = command.current_dir(folder.path().join("model")).output().unwrap().into();
    assert_eq!(again.status, Some(0), "{again:?}");
    let other = fs::read_to_string(folder.path().join("again/games.pgn")).unwrap();
    assert!(!other.contains("forfeit") && other.contains("[Event"), "{other}");
    let games = fs::read_to_string(folder.path().join("cup/games.pgn")).unwrap();
    assert!(games.contains("[Isolation \"strict fork=denied"), "{games}");
    let kept =
        fs::read_dir(folder.path().join("cup/bots/one")).unwrap().next().unwrap().unwrap().path();
    let seen = fs::read_to_string(kept).unwrap();
    assert!(seen.contains("model worked") && seen.contains("config failed: "), "{seen}");
}
