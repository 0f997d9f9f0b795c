//! The referee itself: after many games with hostile bots it has the same descriptors, processes
//! and memory as before.

use crate::hostile_bots::arena::Table;
use crate::hostile_bots::user::{Site, User};
use crate::support::{Ran, plays_all, wait_for};
use arbiter::seed::RunSeed;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The bot's behaviour in each of its games, played twice: every way to end, and everything that is
/// made and removed with it. In the last game of each round it waits to be measured. (Their number
/// is even, so that it has the same side in both rounds.)
const IN_TURN: [&str; 18] = [
    "healthy",
    "waits",
    "closes-stdout",
    "deaf",
    "falls-silent",
    "crash-segv",
    "exit-at-once",
    "exit-after-answer",
    "illegal",
    "endless-line",
    "endless-lines",
    "stderr-flood",
    "resigns",
    "detaches",
    "whispers",
    "connects",
    "inherits",
    "reaches-through-scratch",
];

/// By how many bytes the referee's memory may grow, because its allocator keeps some.
const MEMORY: u64 = 16 << 20;

/// What a process has open.
#[derive(Debug, PartialEq, Eq)]
struct Held {
    /// Its descriptors: `pipe`, `socket`, or the path of a file without the numbers in it.
    descriptors: Vec<String>,
    threads: usize,
    /// Its descendants, including those that have ended.
    children: usize,
}

impl Held {
    /// The smallest of several measurements: while it waits for a bot the referee opens a file for
    /// a moment now and then.
    fn at_rest(pid: u32) -> Held {
        let looks = (0..100).map(|_| Held::of(pid));
        looks.min_by_key(|held| held.descriptors.len()).unwrap()
    }

    fn of(pid: u32) -> Held {
        let process = Path::new("/proc").join(pid.to_string());
        let entries = fs::read_dir(process.join("fd")).unwrap();
        let links = entries.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok()); // it may be closed again
        let kind = |link: PathBuf| {
            link.display().to_string().replace(|letter: char| letter.is_ascii_digit(), "")
        };
        let mut descriptors: Vec<String> = links.map(kind).collect();
        descriptors.sort();
        let parent = |entry: fs::DirEntry| {
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse::<u32>().ok()
        };
        let parents = fs::read_dir("/proc").unwrap().flatten().filter_map(parent);
        Held {
            descriptors,
            threads: fs::read_dir(process.join("task")).unwrap().count(),
            children: parents.filter(|&parent| parent == pid).count(),
        }
    }
}

/// The peak of a process's memory, in bytes.
fn peak(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[test]
fn the_referee_holds_no_more_after_many_games_than_after_one() {
    let site = &Site::new();
    std::thread::scope(|scope| {
        let open = site.users.iter().filter(|user| !user.closed && !user.confined);
        let open: Vec<&User> = open.collect();
        // In full tests as every user; otherwise as root, or as the only one that there is.
        for &&user in &open {
            if !plays_all() && user.name != "root" && open.len() > 1 {
                continue;
            }
            scope.spawn(move || holds_what_it_held(site, user));
        }
    });
}

fn holds_what_it_held(site: &Site, user: User) {
    let table = Table::lay(site, user);
    let path = |name: &str| table.path(name).display().to_string();
    let words = [
        "python3",
        &path("bot/hostile.py"),
        "in-turn",
        &IN_TURN.join(","),
        &table.told(),
        &table.marker,
    ];
    let (hostile, log, transcript) = (words.join(" "), path("games.pgn"), path("transcript"));
    let looks = [2, 2 + IN_TURN.len()];
    let games = looks[1].to_string();
    let ids =
        (1..=looks[1]).map(|game| RunSeed::Open(1).sent_id(&format!("hostile~random.{game}")));
    table.tell("ids", &ids.collect::<Vec<_>>().join("\n"));
    let arguments = [
        &[
            "play",
            "lineup",
            &hostile,
            "builtin:random",
            "--set",
            "n=3",
            "--set",
            "s=3",
            "-n",
            &games,
            "--json",
        ][..],
        &[
            "--sandbox",
            "strict",
            "--seed",
            "1",
            "--move-time",
            "2s",
            "--first-move",
            "120s",
            "--start",
            "120s",
        ],
        &["--log", &log, "--transcript", &transcript],
    ];
    let mut arbiter = table.arbiter(site, user, &arguments.concat());
    let arbiter = arbiter.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = arbiter.id();
    table.tell("referee", &pid.to_string());
    let mut read = 0;
    let [(early, least), (late, most)] = looks.map(|game| {
        let waits = format!("waits in game {game}\n");
        wait_for(&waits, || {
            // The transcript is long because some bots flood it; read it only when it has grown.
            let length = fs::metadata(&transcript).ok()?.len();
            let is_new = std::mem::replace(&mut read, length) != length;
            (is_new && table.text("transcript").contains(&waits)).then_some(())
        });
        let found = (Held::at_rest(pid), peak(pid));
        table.tell(&format!("go-on-{game}"), "");
        found
    });
    let ran = Ran::from(arbiter.wait_with_output().unwrap());
    assert_eq!((ran.status, ran.stdout.lines().count()), (Some(0), looks[1] + 1), "{ran:?}");
    assert_eq!(early, late, "as {}", user.name);
    assert!(most < least + MEMORY, "as {}: {least} bytes of memory, and then {most}", user.name);
}
