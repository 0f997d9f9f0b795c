//! The memory limit, for bots whose memory is not resident: a control group makes the kernel kill
//! them; without one the sandbox refuses such memory, or the referee measures it. The isolation
//! line shows which of the two a machine has. A process that cannot write to control groups stands
//! for a machine without them.

use crate::loads_machine;
use crate::sandbox::{folder, judged, python, write};
use crate::support::{ARBITER, Ran, arbiter, copy_program, has, project, skip};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a bot does on move. It ends with the words `took all` if it is not stopped before. It takes
/// 256 MiB at most.
const ATTACKS: &str = "import builtins, ctypes, mmap, time\n\
    MIB = 1 << 20\n\
    LIBC = ctypes.CDLL(None)\n\
    LIBC.mmap.restype = ctypes.c_void_p\n\
    LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]\n\
    kept, done = [], []\n\
    def drop(area):\n    \
        area.write(b'x' * (16 * MIB))\n    \
        area.madvise(mmap.MADV_DONTNEED)\n    \
        kept.append(area)\n\
    def shared():\n    \
        for part in range(16): drop(mmap.mmap(-1, 16 * MIB))\n\
    def zero():\n    \
        with open('/dev/zero', 'r+b') as file:\n        \
            for part in range(16): drop(mmap.mmap(file.fileno(), 16 * MIB))\n\
    def tables():\n    \
        at = LIBC.mmap(None, 1 << 37, 1, 0x4022, -1, 0)\n    \
        for page in range(1 << 16): ctypes.string_at(at + (page << 21), 1)\n\
    def stack():\n    \
        at = LIBC.mmap(None, 256 * MIB, 3, 0x122, -1, 0)\n    \
        if at == (1 << 64) - 1: raise PermissionError('MAP_GROWSDOWN')\n    \
        ctypes.memset(at, 1, 256 * MIB)\n\
    def child():\n    \
        child = os.fork()\n    \
        if child == 0:\n        \
            try: shared()\n        \
            finally: os._exit(3)\n    \
        if os.WIFSIGNALED(os.waitpid(child, 0)[1]): time.sleep(600)\n    \
        raise SystemExit('the child was not killed')\n\
    def late(*rest, **more):\n    \
        if rest[0] == 'move' and not done:\n        \
            done.append(attack())\n        \
            seen('took all')\n    \
        builtins.print(*rest, **more)\n\
    print = late\n";

/// A folder in which every user can run arbiter and bots.
struct Site {
    folder: tempfile::TempDir,
    arbiter: PathBuf,
}

impl Site {
    fn new() -> Site {
        let folder = folder();
        let arbiter = folder.path().join("arbiter");
        copy_program(ARBITER, &arbiter);
        Site { folder, arbiter }
    }

    /// Plays a match, as this user, of a bot that takes memory in this way on its first move.
    fn plays(&self, user: Option<u32>, attack: &str, options: &[&str]) -> Ran {
        let bot = self.folder.path().join("bot/bot.py");
        write(&bot, &python(&format!("{ATTACKS}attack = {attack}")));
        let bot = format!("python3 {}", bot.display());
        let plain = ["play", "loa", &bot, "builtin:random", "--json", "--grace", "10s"];
        let mut command = Command::new(&self.arbiter);
        command.args(plain).args(crate::sandbox::CALM).args(options).current_dir(project(""));
        if let Some(user) = user {
            command.uid(user).gid(user).current_dir("/").env("PATH", "/usr/bin:/bin");
        }
        command.output().unwrap().into()
    }
}

/// The users as whom arbiter is started: the user of the test, and if that is root also an ordinary
/// user.
fn users() -> Vec<Option<u32>> {
    let root = fs::metadata(folder().path()).unwrap().uid() == 0;
    let ordinary = root.then_some(Some(65_534));
    if root && !Path::new("/usr/bin/python3").exists() {
        skip("limits of memory as an ordinary user: /usr/bin/python3 is not installed");
        return vec![None];
    }
    [None].into_iter().chain(ordinary).collect()
}

/// Whether a control group limits the memory: the message on isolation names only what is missing.
fn is_held(ran: &Ran) -> bool {
    ran.stderr.contains("isolation: strict") && !ran.stderr.contains("memory=")
}

#[test]
fn memory_that_is_not_resident_does_not_pass_the_limit() {
    let _machine = loads_machine();
    let site = Site::new();
    let mut lines = Vec::new();
    for user in users() {
        for attack in ["shared", "zero", "tables", "stack"] {
            let ran = site.plays(user, attack, &["--sandbox", "strict", "--memory", "64MiB"]);
            let (termination, detail) = judged(&ran);
            let held = is_held(&ran);
            assert!(held || ran.stderr.contains("memory=watched"), "{ran:?}");
            let expected = match attack {
                "stack" => "crash",
                "tables" => "memory-limit",
                _ if held => "memory-limit",
                _ => "crash",
            };
            assert_eq!(termination, expected, "{attack} {user:?}: {ran:?}");
            if expected == "memory-limit" {
                assert!(detail.contains("the match allows 64.0 MiB"), "{detail}");
            } else if attack != "stack" {
                assert!(
                    detail.contains("shared anonymous memory")
                        && detail.contains("is refused here"),
                    "{detail}"
                );
            }
            assert!(!detail.contains("took all"), "{attack} {user:?}: {detail}");
            lines.push(held);
        }
    }
    if !lines.contains(&false) || !lines.contains(&true) {
        skip(&format!(
            "limits of memory with and without control groups: here it is {lines:?} only"
        ));
    }
}

/// The memory that is refused above can be taken without a sandbox.
#[test]
fn the_same_memory_is_had_without_a_sandbox() {
    let _machine = loads_machine();
    let site = Site::new();
    for attack in ["shared", "zero", "stack"] {
        // The limit is above what is taken, so that only the kind of memory is tested.
        let ran = site.plays(None, attack, &["--sandbox", "off", "--memory", "1GiB"]);
        let (termination, detail) = judged(&ran);
        assert!(
            !matches!(&*termination, "crash" | "memory-limit" | "timeout"),
            "{attack}: {termination} {detail}"
        );
    }
    // Memory outside of the page tables is not seen, even if it is above the limit: `strict` is
    // there to prevent that.
    let (termination, detail) =
        judged(&site.plays(None, "shared", &["--sandbox", "off", "--memory", "64MiB"]));
    assert_ne!(termination, "memory-limit", "{detail}");
}

#[test]
fn one_process_of_several_that_takes_too_much_ends_them_all() {
    let site = Site::new();
    for user in users() {
        let options = ["--sandbox", "strict", "--memory", "64MiB", "--processes", "2"];
        let ran = site.plays(user, "child", &options);
        let (termination, detail) = judged(&ran);
        let held = is_held(&ran);
        assert_eq!(termination, if held { "memory-limit" } else { "crash" }, "{detail}");
        assert!(!detail.contains("took all"), "{detail}");
    }
}

/// The folders of control groups that a run with this pid has made.
fn groups_of(pid: u32) -> Vec<PathBuf> {
    fn search(folder: &Path, name: &str, depth: usize, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let path = entry.path();
                if entry.file_name().to_string_lossy().starts_with(name) {
                    found.push(path);
                } else if depth > 0 {
                    search(&path, name, depth - 1, found);
                }
            }
        }
    }
    let mut found = Vec::new();
    search(Path::new("/sys/fs/cgroup"), &format!("arbiter-{pid}-"), 8, &mut found);
    found
}

#[test]
fn no_control_group_is_left_by_a_run_or_by_one_that_was_killed() {
    let options = ["--sandbox", "strict", "--json", "--max-plies", "6"];
    let plain = ["play", "loa", "builtin:random", "builtin:random"];
    let finished = arbiter(&[&plain[..], &options].concat()).spawn().unwrap();
    let pid = finished.id();
    assert_eq!(finished.wait_with_output().unwrap().status.code(), Some(0));
    assert!(groups_of(pid).is_empty(), "{:?}", groups_of(pid));

    let folder = folder();
    let marker = format!("sleeper-{}", std::process::id());
    let bot = write(&folder.path().join("bot/bot.py"), &python("import time\ntime.sleep(600)"));
    let bot = format!("python3 {bot} {marker}");
    let mut killed =
        arbiter(&["play", "loa", &bot, "builtin:random", "--sandbox", "strict", "--start", "600s"])
            .spawn()
            .unwrap();
    let pid = killed.id();
    wait_for_bot(&marker);
    let made = groups_of(pid);
    killed.kill().unwrap();
    killed.wait().unwrap();
    crate::support::wait_until_gone(&marker);
    if made.is_empty() {
        skip("control groups of a run that was killed: none can be made here");
    }
    // Usually its wardens have removed it. What is left is removed by the next run, once they have
    // ended.
    let began = std::time::Instant::now();
    while !groups_of(pid).is_empty() {
        assert!(began.elapsed().as_secs() < 120, "{:?}", groups_of(pid));
        assert_eq!(
            arbiter(&[&plain[..], &options].concat()).output().unwrap().status.code(),
            Some(0)
        );
    }
}

/// Waits until a bot runs that has this word among its arguments.
fn wait_for_bot(marker: &str) {
    let began = std::time::Instant::now();
    let is_bot = |line: &String| {
        line.contains("python3") && !line.contains("arbiter") && !line.contains("play")
    };
    while !crate::support::processes_with(marker).iter().any(is_bot) {
        assert!(began.elapsed().as_secs() < 120, "it does not begin");
        std::thread::yield_now();
    }
}

/// The limit of open files holds for each descriptor table, and so does the memory of their
/// buffers.
#[test]
fn no_thread_has_descriptors_of_its_own() {
    if !has("cc", "threads with descriptors of their own") {
        return;
    }
    let folder = folder();
    let program = folder.path().join("bot/tables");
    fs::create_dir(folder.path().join("bot")).unwrap();
    let mut compiler = Command::new("cc");
    compiler.arg("-o").arg(&program).arg(project("tests/alone/sandbox/tables.c"));
    assert!(compiler.status().unwrap().success());
    let says = |level: &str| {
        let bot = program.to_str().unwrap();
        let ran = crate::support::run(&[
            "play",
            "loa",
            bot,
            "builtin:random",
            "--sandbox",
            level,
            "--json",
        ]);
        judged(&ran).1
    };
    let (strict, off) = (says("strict"), says("off"));
    for way in ["of its own:", "closing:"] {
        assert!(strict.contains(&format!("{way} Operation not permitted")), "{strict}");
        assert!(off.contains(&format!("{way} works")), "{off}");
    }
    assert!(strict.contains("with the others: works"), "{strict}");
}
