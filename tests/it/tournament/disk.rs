//! A full disk.

use crate::support::disk::{Disk, fill};
use crate::support::place::{Place, cup, games};
use crate::support::{Ran, run, skip, with_short_files};
use std::fs::File;
use std::process::Command;

#[test]
fn a_full_disk_stops_the_run_and_room_lets_it_go_on() {
    let place = Place::new();
    let bots = [("a", "builtin:random"), ("b", "builtin:greedy"), ("c", "builtin:random")];
    let config = cup("games = 12\nrounds = 3", "", &bots);
    let Some(disk) = Disk::of("64k", &place.path("disk")) else {
        return skip(
            "no file system can be mounted here: what happens on a full disk is not tested",
        );
    };
    place.ends(0, &config, "whole", &[]);
    let ran = place.ends(3, &config, "disk/out", &["--concurrency", "2"]);
    assert!(ran.stderr.contains("cannot be recorded"), "{ran:?}");
    assert!(ran.stderr.contains("No space left"), "{ran:?}");
    assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    let journal = place.text("disk/out/journal.jsonl");
    let count = place.journal("disk/out").len(); // every line can be read
    assert!(journal.ends_with('\n') && count > 5 && count < 108, "{count}");
    // On a full disk the same happens again, and nothing is lost.
    let ran = place.ends(3, &config, "disk/out", &[]);
    assert!(ran.stderr.contains("No space left"), "{ran:?}");
    assert!(place.text("disk/out/journal.jsonl").starts_with(&journal));
    disk.grow("8m");
    place.ends(0, &config, "disk/out", &["--concurrency", "2"]);
    assert!(place.text("disk/out/journal.jsonl").starts_with(&journal));
    assert_eq!(place.results("disk/out"), place.results("whole"));
    assert_eq!(place.journal("disk/out").len(), 108);

    // The journal is complete, and the disk is full for the files that are computed from it: they
    // keep their old content.
    let before = place.results("disk/out");
    fill(&place.path("disk/filler"));
    std::fs::remove_file(place.path("disk/out/junit.xml")).unwrap(); // less room than games.pgn needs
    let ran = place.ends(3, &config, "disk/out", &[]);
    assert!(ran.stderr.contains("No space left") && ran.stderr.contains("games.pgn"), "{ran:?}");
    std::fs::remove_file(place.path("disk/filler")).unwrap();
    assert_eq!(games(&place.text("disk/out/games.pgn")).len(), 108);
    place.ends(0, &config, "disk/out", &[]);
    assert_eq!(place.results("disk/out"), before);
}

/// Before it resigns it fills the disk that its argument names with a file that it has deleted, and
/// keeps that between games.
const FILLS: &str = r#"
import os, sys
held = []
for line in sys.stdin:
    word = (line.split() or [""])[0]
    if word == "start": print("ready reuse", flush=True)
    elif word == "go":
        name = os.path.join(sys.argv[1], "filler-%d" % os.getpid())
        file = open(name, "wb", buffering=0)
        os.unlink(name)
        held.append(file)
        try:
            while True: file.write(bytes(4096))
        except OSError: pass
        print("resign", flush=True)
"#;

#[test]
fn bots_that_are_kept_do_not_keep_the_disk_full() {
    let place = Place::new();
    let Some(_disk) = Disk::of("4m", &place.path("disk")) else {
        return skip("no file system can be mounted here: what bots hold on a full disk");
    };
    place.write("fills.py", FILLS);
    let fills = format!("python3 fills.py {}", place.path("disk").display());
    let bots = [("fills", &*fills), ("a", "builtin:random"), ("b", "builtin:greedy")];
    let config = cup("games = 12", "", &bots);
    // Two workers: while one game is recorded the bot of the other one may be on move.
    for (out, concurrency) in [("disk/one", "1"), ("disk/two", "2")] {
        place.ends(0, &config, out, &["--concurrency", concurrency]);
        assert_eq!(place.journal(out).len(), 36);
    }
}

#[test]
fn a_bot_that_cannot_be_copied_to_a_full_disk_has_done_nothing_wrong() {
    let place = Place::new();
    let Some(_disk) = Disk::of("8m", &place.path("disk")) else {
        return skip("no file system can be mounted here: bots that start on a full disk");
    };
    place.write("fills.py", FILLS);
    place.write("copied/bot.sh", crate::support::place::FIRST);
    place.write("copied/book.bin", &"x".repeat(2 << 20));
    let fills = format!("python3 fills.py {}", place.path("disk").display());
    // In its last game against the first opponent it takes what the second one needs.
    let bots = [("fills", &*fills), ("other", "builtin:random")];
    let config = cup("format = 'gauntlet'\ngames = 2", "", &bots)
        + "[[bot]]\nname = 'copied'\ncommand = 'sh bot.sh'\ndir = 'copied'\nscratch = true\n";
    let mut command = place.command(&config, "out", &["--concurrency", "1"]);
    let ran: Ran = command.env("TMPDIR", place.path("disk")).output().unwrap().into();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let journal = place.text("out/journal.jsonl");
    assert!(journal.contains("No space left on device"), "{journal}");
    let games = place.journal("out");
    assert_eq!(games.iter().filter(|(.., aborted)| !aborted).count(), 4, "{games:?}");
    let log = place.text("out/games.pgn");
    assert!(!log.contains("no-start") && !log.contains("forfeit"), "{log}");
}

#[test]
fn a_limit_of_the_size_of_files_is_an_error_like_a_full_disk() {
    let place = Place::new();
    let bots = [("a", "builtin:random"), ("b", "builtin:greedy"), ("c", "builtin:random")];
    let config = cup("games = 12", "", &bots);
    place.ends(0, &config, "whole", &[]);
    let unlimited = place.command(&config, "out", &["--concurrency", "2"]);
    let mut limited = Command::new("sh");
    // 20 blocks of 512 bytes, or of 1,024 where the shell is bash: room for some games.
    limited.args(["-c", "ulimit -f 20; exec \"$@\"", "sh"]).arg(unlimited.get_program());
    let ran: Ran = limited.args(unlimited.get_args()).output().unwrap().into();
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(
        ran.stderr.contains("cannot be recorded") && ran.stderr.contains("File too large"),
        "{ran:?}"
    );
    let before = place.journal("out").len();
    assert!(before > 0 && before < 36, "{before}");
    place.ends(0, &config, "out", &[]);
    assert_eq!(place.results("out"), place.results("whole"));
}

#[test]
fn a_table_that_cannot_be_printed_is_written_into_the_folder() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        return skip("there is no /dev/full: a table that cannot be printed is not tested");
    };
    let place = Place::new();
    let config = cup("games = 2", "", &[("a", "builtin:random"), ("b", "builtin:greedy")]);
    place.ends(0, &config, "out", &[]);
    for file in ["standings.md", "standings.json", "games.pgn", "junit.xml", "report.html"] {
        std::fs::remove_file(place.path(&format!("out/{file}"))).unwrap();
    }
    let ran: Ran = place.command(&config, "out", &[]).stdout(full).output().unwrap().into();
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("writing to standard output"), "{ran:?}");
    for file in ["standings.md", "standings.json", "games.pgn", "junit.xml", "report.html"] {
        assert!(place.path(&format!("out/{file}")).is_file(), "{file}: {ran:?}");
    }
}

/// Writes so much to standard error in each game that its log has more than 300,000 bytes, and
/// gives up.
const LOUD: &str = r#"
import sys
for line in sys.stdin:
    if line.startswith("start"): print("ready", flush=True)
    elif line.startswith("go"):
        sys.stderr.write("\x01\n" * 40000)
        sys.stderr.flush()
        print("resign", flush=True)
"#;

#[test]
fn a_log_of_a_bot_that_cannot_be_written_costs_no_game() {
    let place = Place::new();
    place.write("loud.py", LOUD);
    let config = cup("games = 4", "", &[("fair", "builtin:random"), ("loud", "python3 loud.py")]);
    // The page has about 140,000 bytes, the log of a game of `loud` more than 300,000.
    let unlimited = place.command(&config, "out", &["--concurrency", "2"]);
    let ran: Ran = with_short_files(250_000, &unlimited).output().unwrap().into();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(place.journal("out").len(), 4, "{ran:?}");
    let warnings =
        ran.stderr.lines().filter(|line| line.starts_with("warning: what loud wrote in game"));
    assert_eq!(warnings.count(), 1, "{ran:?}");
    assert!(ran.stderr.contains("warning: 4 logs of bots could not be written"), "{ran:?}");
    // On a full disk what is left of a file would take the room that the journal needs.
    let left = place.path("out/bots/loud").read_dir().map_or(0, Iterator::count);
    assert_eq!(left, 0, "{ran:?}");
}

#[test]
fn a_merge_keeps_every_game_whose_logs_of_bots_cannot_be_copied() {
    let place = Place::new();
    place.write("loud.py", &LOUD.replace("40000", "1"));
    let config = cup("games = 4", "", &[("fair", "builtin:random"), ("loud", "python3 loud.py")]);
    place.ends(0, &config, "out", &[]);
    place.write("merged/bots/loud", "where the folder of its logs has to be");
    let [from, to] = ["out", "merged"].map(|folder| place.path(folder).display().to_string());
    let ran = run(&["merge", &from, "--out", &to]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("warning: 4 logs of bots could not be copied"), "{ran:?}");
    assert_eq!(place.journal("merged").len(), 4);
}
