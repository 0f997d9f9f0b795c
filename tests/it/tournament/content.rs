//! A bot is its content: what counts as a change, what does not, and what a change does to the
//! games.

use crate::support::place::{FIRST, LAST, Place, WAITS, cup};
use crate::support::{has, has_strict, wait_for};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

/// The configuration `cup` with a folder of submissions under `strict`.
fn submitted() -> String {
    cup("games = 2", "", &[]).replace("'basic'", "'strict'") + "[[bots]]\nfolder = 'submissions'\n"
}

/// Writes a submission that answers the last legal ply.
fn submit(place: &Place, name: &str) {
    place.write(&format!("submissions/{name}/bot.py"), LAST);
    place.write(&format!("submissions/{name}/bot.toml"), "command = 'python3 bot.py'\n");
}

/// Plays on in the folder `out`; returns what was said of bots that changed, and how many games
/// were played.
fn goes_on(place: &Place, config: &str, more: &[&str]) -> (String, usize) {
    let before = place.journal("out").len();
    let ran = place.ends(0, config, "out", more);
    let said =
        ran.stderr.lines().filter(|line| line.contains("changed") || line.contains("withdrawn"));
    (said.collect::<Vec<_>>().join("\n"), place.journal("out").len() - before)
}

#[test]
fn a_second_night_without_changes_raises_no_alarm() {
    let place = Place::new();
    // One bot is built in its folder, one is a bare file beside the configuration and the results,
    // one writes a log.
    place.program(
        "built/make.sh",
        "#!/bin/sh\ncp source bot.sh\nchmod +x bot.sh\ndate +%N > built-at\n",
    );
    place.write("built/source", FIRST);
    place.write("bare.py", LAST);
    place.write(
        "writes/bot.py",
        &format!("open('seen.txt', 'a').write('x')\nopen('bot.log', 'a').write('x')\n{LAST}"),
    );
    place.write("writes/bot.toml", "command = 'python3 bot.py'\n");
    let config = cup("games = 2", "", &[("bare", "python3 bare.py"), ("writes", "writes")])
        + "[[bot]]\nname = 'built'\ncommand = 'built/bot.sh'\ndir = 'built'\nbuild = './make.sh'\n";
    place.ends(0, &config, "out", &[]);
    assert_eq!(place.journal("out").len(), 6);

    place.write("built/__pycache__/bot.cpython-311.pyc", "cache");
    place.write("writes/.idea/settings", "hidden");
    fs::remove_file(place.path("built/bot.sh")).unwrap(); // the build makes it again
    let touched =
        Command::new("touch").arg(place.path("bare.py")).arg(place.path("writes/bot.py")).status();
    assert!(touched.unwrap().success());
    let commented = format!("# a comment\n{config}");
    assert_eq!(goes_on(&place, &commented, &["--concurrency", "2"]), (String::new(), 0));

    // What the build made belongs to the bot when another program has changed it, and the build
    // leaves it as it is.
    place.program(
        "built/make.sh",
        "#!/bin/sh\n[ -e bot.sh ] || { cp source bot.sh; chmod +x bot.sh; }\n",
    );
    assert_eq!(goes_on(&place, &config, &[]).1, 4, "another way to build it is a change");
    place.write("built/bot.sh", &format!("{FIRST}# edited\n"));
    let (said, played) = goes_on(&place, &config, &[]);
    assert!(said.contains("built changed (bot.sh is new)") && played == 4, "{said}");

    // The whole folder moves, and another user with another home folder goes on.
    let moved = tempfile::tempdir().unwrap();
    let copied =
        Command::new("cp").arg("-a").arg(place.path(".")).arg(moved.path()).status().unwrap();
    assert!(copied.success());
    let journal = fs::read_to_string(moved.path().join("out/journal.jsonl")).unwrap();
    let ran = crate::support::arbiter(&["tournament"])
        .arg(moved.path().join("cup.toml"))
        .arg("--out")
        .arg(moved.path().join("out"))
        .env("HOME", moved.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && !stderr.contains("changed"), "{stderr}");
    let now = fs::read_to_string(moved.path().join("out/journal.jsonl")).unwrap();
    let of_games =
        |journal: &str| journal.lines().filter(|line| line.contains("\"type\":\"game\"")).count();
    assert_eq!(of_games(&now), of_games(&journal));
}

#[test]
fn every_kind_of_change_is_named_and_only_the_games_of_that_bot_are_played_again() {
    let place = Place::new();
    for name in ["alice", "bob", "carol"] {
        submit(&place, name);
        place.write(&format!("submissions/{name}/lib/openings.txt"), "a1\n");
    }
    let config = submitted();
    place.ends(0, &config, "out", &[]);
    let alice = |file: &str| place.path(&format!("submissions/alice/{file}"));
    let changes: [(&str, &dyn Fn()); 5] = [
        ("bot.py", &|| place.write("submissions/alice/bot.py", &format!("{LAST}# edited\n"))),
        ("lib/openings.txt", &|| fs::write(alice("lib/openings.txt"), "b2\n").unwrap()),
        ("helper.py is new", &|| fs::write(alice("helper.py"), "").unwrap()),
        ("helper.py is gone", &|| fs::remove_file(alice("helper.py")).unwrap()),
        ("its command, bot.toml", &|| {
            fs::write(alice("bot.toml"), "command = 'python3 -u bot.py'\n").unwrap()
        }),
    ];
    for (what, change) in changes {
        change();
        let (said, played) = goes_on(&place, &config, &[]);
        if what == "helper.py is gone" {
            // The games with this content are in the journal.
            assert_eq!(
                (&*said, played),
                ("alice changed (helper.py is gone): games of this content that count again: 4", 0)
            );
        } else {
            let expected = format!(
                "alice changed ({what}): 4 of its games are played again; `--keep-changed` counts the old ones"
            );
            assert_eq!((said, played), (expected, 4));
        }
        let table: serde_json::Value =
            serde_json::from_str(&place.text("out/standings.json")).unwrap();
        assert_eq!(table["complete"], true, "{table}");
        assert_eq!(crate::support::place::tags(&place.text("out/games.pgn"), "GameId").len(), 6);
    }
    // What the program leads to is the program.
    fs::rename(alice("bot.py"), alice(".real.py")).unwrap();
    symlink(".real.py", alice("bot.py")).unwrap();
    let (said, played) = goes_on(&place, &config, &[]);
    assert!(said.contains("alice changed (.real.py is new)") && played == 4, "{said}");
    fs::write(alice(".real.py"), format!("{LAST}# another\n")).unwrap();
    let (said, played) = goes_on(&place, &config, &[]);
    assert!(said.contains("alice changed (.real.py, bot.py)") && played == 4, "{said}");
    // The interpreter is not the bot's, wherever it is installed.
    assert!(!place.text("out/journal.jsonl").contains("bin/python3"));
    // The log says with what each game was played.
    let log = place.text("out/games.pgn");
    let digests = crate::support::place::tags(&log, "WhiteDigest");
    assert!(digests.len() == 6 && digests.iter().all(|digest| digest.len() == 12), "{digests:?}");
    // The old games count if that is asked for.
    place.write("submissions/alice/bot.py", &format!("{LAST}# edited again\n"));
    let (said, played) = goes_on(&place, &config, &["--keep-changed"]);
    assert!(said.contains("alice changed (.real.py, bot.py)") && played == 0, "{said}");
}

#[test]
fn a_bot_that_cannot_start_any_more_is_withdrawn_and_comes_back() {
    let place = Place::new();
    for name in ["alice", "bob", "carol"] {
        submit(&place, name);
    }
    let config = submitted();
    place.ends(0, &config, "out", &[]);
    place.write("submissions/bob/bot.py", "import nothing_of_this_name\n");
    let ran = place.ends(1, &config, "out", &["--strict"]);
    assert!(ran.stderr.contains("bob is withdrawn: games that no longer count: 4"), "{ran:?}");
    let names = |log: &str| crate::support::place::tags(log, "GameId").join(" ");
    assert_eq!(names(&place.text("out/games.pgn")), "alice~carol.1 alice~carol.2");
    place.write("submissions/bob/bot.py", LAST);
    let ran = place.ends(0, &config, "out", &[]);
    assert!(ran.stderr.contains("bob is back: games that count again: 4"), "{ran:?}");
    assert_eq!(place.journal("out").len(), 6, "nothing was played again");
}

#[test]
fn a_changed_bot_is_refused_where_games_depend_on_each_other() {
    let place = Place::new();
    place.write("new.py", LAST);
    let bots = [("new", "python3 new.py"), ("old", "builtin:random")];
    let sprt = cup("format = 'sprt'", "[sprt]\nelo0 = -2000\nelo1 = 2000\nmax-pairs = 2", &bots);
    let played = place.play(&sprt, "out", &[]);
    let games = place.journal("out").len();
    place.write("new.py", FIRST);
    place.write("new.py", &format!("{LAST}# edited\n"));
    let ran = place.ends(2, &sprt, "out", &[]);
    assert!(
        ran.stderr.contains("new changed (new.py)") && ran.stderr.contains("--restart"),
        "{ran:?}"
    );
    let ran = place.play(&sprt, "out", &["--restart"]);
    assert_eq!(ran.status, played.status, "{ran:?}");
    assert_eq!(place.journal("out").len(), games);
    assert!(place.path("out/journal.1.jsonl").is_file());
}

#[test]
fn a_program_that_is_exchanged_during_the_run_stops_it() {
    if !has_strict("a program that is exchanged under it") {
        return;
    }
    let place = Place::new();
    place.write("alice/bot.py", WAITS);
    place.write("alice/bot.toml", "command = 'python3 bot.py'\n");
    let config = cup("games = 2", "", &[("alice", "alice"), ("bob", "builtin:random")]);
    let config = config.replace("'basic'", "'strict'");
    // A file that comes to the bot's folder may be a part of its program too.
    for (out, file, named) in [("added", "book.py", "book.py is new"), ("out", "bot.py", "bot.py")]
    {
        let mut run = place.start(&config, out, &[]);
        // The head is written after the content was read.
        wait_for("the first entry of the journal", || {
            let journal = place.path(&format!("{out}/journal.jsonl"));
            fs::read_to_string(journal).ok().filter(|text| text.ends_with('\n'))
        });
        place.write(&format!("alice/{file}"), LAST);
        assert_eq!(run.wait().unwrap().code(), Some(3), "{}", place.text("err.txt"));
        let said = place.text("err.txt");
        let expected = format!("alice changed during the run ({named})");
        assert!(said.contains(&expected) && said.contains("strict"), "{said}");
    }
    let (said, _) = goes_on(&place, &config, &[]);
    assert!(said.contains("alice changed (bot.py)"), "{said}");
}

#[test]
fn a_submission_that_is_edited_during_the_run_plays_as_it_was() {
    let place = Place::new();
    submit(&place, "alice");
    place.write("gate/bot.py", WAITS);
    place.write("gate/bot.toml", "command = 'python3 bot.py'\n");
    let config = cup("games = 2", "[[bots]]\nfolder = 'submissions'", &[("gate", "gate")]);
    let mut run = place.start(&config, "out", &[]);
    wait_for("a game", || {
        let names = place.path("gate").read_dir().unwrap().map(|entry| entry.unwrap().file_name());
        names.into_iter().find(|name| name.to_string_lossy().starts_with("waiting"))
    });
    place.write("submissions/alice/bot.py", "exit('this is another program')\n");
    place.write("gate/release", "");
    assert_eq!(run.wait().unwrap().code(), Some(0), "{}", place.text("err.txt"));
    assert!(!place.text("out/games.pgn").contains("forfeit") && place.journal("out").len() == 2);
    assert!(!place.text("err.txt").contains("alice changed"), "{}", place.text("err.txt"));
    submit(&place, "alice");
    assert_eq!(
        goes_on(&place, &config, &[]),
        (String::new(), 0),
        "the games are those of the old program"
    );
}

#[test]
fn a_bot_that_may_write_its_files_is_warned_of() {
    let place = Place::new();
    place.write("alice/bot.py", WAITS);
    place.write("alice/bot.toml", "command = 'python3 bot.py'\n");
    let mut run = place.start(
        &cup("games = 2", "", &[("alice", "alice"), ("bob", "builtin:random")]),
        "out",
        &[],
    );
    wait_for("the first entry of the journal", || {
        fs::read_to_string(place.path("out/journal.jsonl")).ok().filter(|text| text.ends_with('\n'))
    });
    place.write("alice/bot.py", &format!("{WAITS}# edited\n"));
    wait_for("a warning", || {
        place.text("err.txt").contains("alice changed during the run (bot.py)").then_some(())
    });
    place.write("alice/release", "");
    assert_eq!(run.wait().unwrap().code(), Some(0), "{}", place.text("err.txt"));
}

#[test]
fn a_submission_cannot_lead_the_reader_astray() {
    let place = Place::new();
    for name in ["alice", "bob", "links", "pipe", "huge"] {
        submit(&place, name);
    }
    place.write("secret/key", "secret");
    symlink(place.path("secret"), place.path("submissions/links/folder")).unwrap();
    symlink("/dev/zero", place.path("submissions/links/zero")).unwrap();
    symlink("loop", place.path("submissions/links/loop")).unwrap();
    if has("mkfifo", "a pipe in a submission") {
        assert!(
            Command::new("mkfifo")
                .arg(place.path("submissions/pipe/pipe"))
                .status()
                .unwrap()
                .success()
        );
    }
    let huge = fs::File::create(place.path("submissions/huge/zeros")).unwrap();
    huge.set_len(1 << 40).unwrap();
    fs::set_permissions(place.path("submissions/bob/bot.toml"), fs::Permissions::from_mode(0o444))
        .unwrap();
    let ran = place.ends(0, &submitted(), "out", &[]);
    assert!(
        ran.stderr.contains("huge does not play: ") && ran.stderr.contains("too large"),
        "{ran:?}"
    );
    let journal = place.text("out/journal.jsonl");
    let secret: String =
        Sha256::digest(b"secret").iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(!journal.contains(&secret), "a file outside of the submission was read");
    assert_eq!(place.journal("out").len(), 12, "the four others play");
    // A link that leads elsewhere is a change, what lies there is not.
    place.write("secret/key", "another");
    assert_eq!(goes_on(&place, &submitted(), &[]), (String::new(), 0));
    fs::remove_file(place.path("submissions/links/zero")).unwrap();
    symlink("/dev/null", place.path("submissions/links/zero")).unwrap();
    let (said, played) = goes_on(&place, &submitted(), &[]);
    assert!(said.contains("links changed (zero)") && played == 6, "{said}");
    // So is a file with the text of a link in its place.
    fs::remove_file(place.path("submissions/links/zero")).unwrap();
    place.write("submissions/links/zero", "/dev/null");
    let (said, played) = goes_on(&place, &submitted(), &[]);
    assert!(said.contains("links changed (zero)") && played == 6, "{said}");
}

#[test]
fn a_submission_has_no_content_that_is_not_seen() {
    let place = Place::new();
    submit(&place, "bob");
    // A hidden file that the build takes, in the folder and in a virtual environment.
    place.write(
        "submissions/alice/bot.toml",
        "command = 'python3 main.py'\nbuild = 'cp .next main.py'\n",
    );
    place.write("submissions/alice/.next", LAST);
    place.write("submissions/alice/.venv/lib/a.py", "");
    place.write("submissions/alice/.venv/lib/__pycache__/a.pyc", "");
    place.write("submissions/alice/.venv/.git/config", "");
    // What is no content is not copied.
    let unseen = [
        ".git/next",
        ".hg/next",
        "lib/.svn/next",
        "lib/__pycache__/next.pyc",
        ".DS_Store",
        "__MACOSX/lib/._next",
        "lib/._next",
        "lib/Thumbs.db",
        "Desktop.ini",
        "lost+found/next",
        ".venv/._next",
    ];
    let build = unseen.map(|file| format!("test ! -e {file}")).join(" && ");
    place.write(
        "submissions/carol/bot.toml",
        &format!("command = 'python3 bot.py'\nbuild = '{build}'\n"),
    );
    submit(&place, "dave");
    for name in ["carol", "dave"] {
        place.write(&format!("submissions/{name}/bot.py"), &format!(
            "import os, sys\nfor file in {unseen:?}:\n    if os.path.exists(file): sys.exit('it sees ' + file)\n{LAST}"
        ));
        for file in &unseen {
            place.write(&format!("submissions/{name}/{file}"), "next\n");
        }
        // A link is content, whatever its name.
        symlink("bot.py", place.path(&format!("submissions/{name}/lib/.hg"))).unwrap();
    }
    place.ends(0, &submitted(), "out", &[]);
    assert_eq!(place.journal("out").len(), 12);
    let alice = |file: &str, what: &str| {
        place.write(&format!("submissions/alice/{file}"), &format!("{LAST}# edited\n"));
        let (said, played) = goes_on(&place, &submitted(), &[]);
        assert!(said.contains(&format!("alice changed ({what})")) && played > 0, "{file}: {said}");
    };
    alice(".next", ".next");
    alice(".venv/lib/a.py", ".venv/");
    alice("main.py~", "main.py~ is new");
    // Two installations of the same packages differ in their caches.
    for file in [".venv/lib/__pycache__/a.pyc", ".venv/.git/config"] {
        place.write(&format!("submissions/alice/{file}"), "edited");
    }
    for name in ["carol", "dave"] {
        for file in &unseen {
            place.write(&format!("submissions/{name}/{file}"), "another\n");
        }
    }
    assert_eq!(goes_on(&place, &submitted(), &[]), (String::new(), 0));
    fs::remove_file(place.path("submissions/carol/lib/.hg")).unwrap();
    symlink("bot.toml", place.path("submissions/carol/lib/.hg")).unwrap();
    let (said, _) = goes_on(&place, &submitted(), &[]);
    assert!(said.contains("carol changed (lib/.hg)"), "{said}");
}

/// Says what it sees of its folder, as a number: all that calls of the system tell of it. A file
/// whose blocks are fewer than its bytes has holes.
const LOOKS: &str = r#"
import hashlib, os, sys
def seen():
    found = []
    for folder, folders, files in os.walk("."):
        found.append(os.listdir(folder))
        folders.sort()
        for name in [".", *folders, *sorted(files)]:
            path = os.path.join(folder, name)
            if path in ("./seen", "./."): continue
            there = os.lstat(path)
            size = there.st_size if name in files else 0
            found.append((path, there.st_mode, there.st_nlink, there.st_mtime_ns, size, there.st_blocks * 512 < size))
            try: found.append(os.listxattr(path, follow_symlinks=False))
            except OSError: pass
    return hashlib.sha256(repr(found).encode()).hexdigest()[:12]
"#;

/// A program can be hidden in anything that a bot sees, and exchanged while its old games count.
#[test]
fn what_a_bot_sees_of_its_folder_decides_its_digest() {
    let place = Place::new();
    submit(&place, "bob");
    let says = LAST.replace("print(\"move\"", "print(\"info seen-\" + SEEN + \"\\nmove\"");
    let names = ["built", "plain"];
    for name in names {
        let file = |file: &str| format!("submissions/{name}/{file}");
        let build = "build = 'python3 look.py'\n";
        place.write(
            &file("bot.toml"),
            &format!("command = 'python3 bot.py'\n{}", ["", build][(name == "built") as usize]),
        );
        place.write(&file("look.py"), &format!("{LOOKS}\nopen('seen', 'w').write(seen())\n"));
        let seen = ["seen()", "open('seen').read()"][(name == "built") as usize];
        place.write(&file("bot.py"), &format!("{LOOKS}\nSEEN = {seen}\n{says}"));
        place.write(&file("folder/one"), "text");
        place.write(&file("folder/two"), "text");
        fs::File::create(place.path(&file("small"))).unwrap().set_len(500 << 10).unwrap();
        fs::File::create(place.path(&file("large"))).unwrap().set_len(16 << 20).unwrap();
    }
    place.ends(0, &submitted(), "out", &[]);
    let seen = |name: &str| {
        let log = place.text("out/games.pgn");
        let games = log
            .split("[Event ")
            .filter(|game| game.contains("\"bob\"") && game.contains(&format!("\"{name}\"")));
        let seen =
            games.flat_map(|game| game.split("seen-").skip(1)).map(|text| text[..12].to_owned());
        seen.collect::<BTreeSet<_>>()
    };
    let before = names.map(seen);
    assert!(before.iter().all(|seen| seen.len() == 1), "{before:?}");
    for name in names {
        let path = |file: &str| place.path(&format!("submissions/{name}/{file}"));
        fs::set_permissions(path("folder/one"), fs::Permissions::from_mode(0o666)).unwrap();
        fs::set_permissions(path("folder"), fs::Permissions::from_mode(0o2777)).unwrap();
        // The other order, and one file under two names.
        fs::remove_file(path("folder/two")).unwrap();
        fs::hard_link(path("folder/one"), path("folder/two")).unwrap();
        fs::write(path("small"), vec![0; 500 << 10]).unwrap();
        let large = fs::OpenOptions::new().write(true).open(path("large")).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&large, &vec![0; 8 << 20], 4 << 20).unwrap();
        drop(UnixListener::bind(path("socket")).unwrap());
        let script = "import os, sys\nos.mkfifo('pipe')\nos.utime('bot.py', (5, 5))\nos.utime('folder', (5, 5))\n\
                      try: os.setxattr('bot.py', 'user.program', b'another')\nexcept OSError: pass\n";
        let done =
            Command::new("python3").args(["-c", script]).current_dir(path("")).status().unwrap();
        assert!(done.success());
    }
    place.write("submissions/bob/bot.py", &format!("{LAST}# edited\n"));
    let (said, played) = goes_on(&place, &submitted(), &[]);
    assert!(
        said.starts_with("bob changed (bot.py)") && !said.contains('\n') && played == 4,
        "{said}"
    );
    assert_eq!(names.map(seen), before, "what they see has changed, and their digest has not");
    // A folder with nothing in it is seen, so it counts; one that holds only what is no content is
    // such a folder.
    for (folder, is_named) in
        [("logs", "logs/"), ("folder/deep/.git", "folder/deep/"), ("caf\\e", "caf\\\\e/")]
    {
        for name in &names {
            fs::create_dir_all(place.path(&format!("submissions/{name}/{folder}"))).unwrap();
        }
        let (said, played) = goes_on(&place, &submitted(), &[]);
        for name in names {
            assert!(said.contains(&format!("{name} changed ({is_named} is new)")), "{said}");
        }
        assert_eq!(played, 6);
    }
}

#[test]
fn a_submission_of_many_files_costs_little_and_of_too_many_does_not_play() {
    let place = Place::new();
    for name in ["alice", "bob", "many", "long", "nested"] {
        submit(&place, name);
    }
    for file in 0..300 {
        place.write(&format!("submissions/many/data/{file:0150}"), "");
    }
    let long = place.path("submissions/long").join(format!("{:0240}/", 0).repeat(12));
    fs::create_dir_all(&long).unwrap();
    for file in 0..700 {
        fs::write(long.join(format!("{file:0240}")), "").unwrap();
    }
    let deep = place.path("submissions/nested").join("d/".repeat(120));
    fs::create_dir_all(deep).unwrap();
    let ran = place.ends(0, &submitted(), "out", &[]);
    for (name, why) in [
        (
            "long",
            "it is too large: a submission may have 20000 files and folders, 1024 MiB, and 2 MiB of paths",
        ),
        ("nested", "folders are nested deeper than 100"),
    ] {
        let line =
            ran.stderr.lines().find(|line| line.starts_with(&format!("{name} does not play")));
        assert!(line.is_some_and(|line| line.contains(why)), "{name}: {ran:?}");
    }
    assert!(place.text("out/feedback/long.md").contains("leave out what the bot does not need"));
    assert_eq!(place.journal("out").len(), 6);
    let journal = place.text("out/journal.jsonl").len();
    assert!(journal < 40_000, "the list is not in the journal: {journal} bytes");
    place.write(&format!("submissions/many/data/{:0150}", 7), "x");
    let (said, played) = goes_on(&place, &submitted(), &[]);
    assert!(said.contains("many changed (data/)") && played == 4, "{said}");
    assert_eq!(goes_on(&place, &submitted(), &[]), (String::new(), 0));
}
