//! Rights: under root each bot gets a user id of its own, or arbiter reports that it does not; and
//! no build leaves set-id files behind.

use crate::sandbox::{CALM, built, folder, plays, python, strict, write};
use crate::support::{Ran, arbiter, has, project, run, skip};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

const PLAYER: &str = include_str!("../../../bots/minimal-shell/bot.sh");

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn is_root(what: &str) -> bool {
    let root = fs::metadata(folder().path()).unwrap().uid() == 0;
    if !root {
        skip(&format!("this is an ordinary user: {what}"));
    }
    root
}

#[test]
fn a_needed_path_that_is_not_there_keeps_no_bot_root() {
    if !is_root("what root's bots become") {
        return;
    }
    let place = folder();
    let bot = write(&place.path().join("bot/bot.sh"), PLAYER);
    // A virtual environment whose base installation does not exist any more.
    write(&place.path().join("bot/env/pyvenv.cfg"), "home = /gone/python/bin\n");
    fs::create_dir(place.path().join("bot/env/bin")).unwrap();
    symlink("/bin/sh", place.path().join("bot/env/bin/sh")).unwrap();
    let log = place.path().join("log.pgn");
    let command = format!("{} {bot}", place.path().join("bot/env/bin/sh").display());
    let ran = strict(&command, "builtin:random", &["--log", log.to_str().unwrap()]);
    plays(&ran);
    assert!(!ran.stderr.contains("root without"), "{ran:?}");
    assert!(fs::read_to_string(log).unwrap().contains("user=separate"), "{ran:?}");
}

/// A tournament with a bot in a folder that only root may enter.
fn closed_cup(place: &Path) -> String {
    write(&place.join("closed/bot.sh"), PLAYER);
    fs::set_permissions(place.join("closed"), fs::Permissions::from_mode(0o700)).unwrap();
    write(
        &place.join("cup.toml"),
        "game = 'lineup'\n[options]\nn = 4\ns = 3\n[schedule]\ngames = 2\n[time]\nmove = '120s'\nstart = '120s'\n\
         [[bot]]\nname = 'hermit'\ncommand = 'sh bot.sh'\ndir = 'closed'\n\
         [[bot]]\nname = 'other'\ncommand = 'builtin:random'\n",
    )
}

/// So many times a namespace is made until it has its limit. The kernel sometimes refuses the write
/// to a process that has the right, when others make namespaces at the same time.
const TRIES: usize = 20;

/// Runs arbiter as root of a user namespace in which no mount namespace can be made, with this
/// umask; none if that is not possible.
fn without_views(umask: &str, arguments: &[&str]) -> Option<Ran> {
    if !has("unshare", "root on a machine without mount namespaces") {
        return None;
    }
    let mut last = None;
    for _ in 0..TRIES {
        let ran = in_user_namespace(umask, arguments);
        if ran.status.is_some_and(|status| status != 77) && !ran.stderr.contains("unshare:") {
            return Some(ran);
        }
        last = Some(ran);
    }
    skip(&format!("root on a machine without mount namespaces cannot be arranged here: {last:?}"));
    None
}

/// The same, with status 77 where the namespace did not get its limit.
fn in_user_namespace(umask: &str, arguments: &[&str]) -> Ran {
    let plain = arbiter(arguments);
    let mut command = Command::new("unshare");
    let script = "echo; read go; echo 0 > /proc/sys/user/max_mnt_namespaces || exit 77; \
                  umask $UMASK; exec \"$@\"";
    command
        .env("UMASK", umask)
        .args(["-U", "--keep-caps", "sh", "-c", script, "sh"])
        .arg(plain.get_program())
        .args(plain.get_args());
    command
        .current_dir(project(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Its line says that it is in its namespace and has become the shell: a map that comes between
    // the two sometimes costs it its rights. Without `unshare` there is no line.
    let _ = child.stdout.as_mut().unwrap().read_exact(&mut [0]);
    // Every user id is mapped to itself.
    for map in ["uid_map", "gid_map"] {
        if fs::write(format!("/proc/{}/{map}", child.id()), "0 0 4294967295").is_err() {
            child.kill().unwrap();
        }
    }
    child.stdin.take().unwrap().write_all(b"go\n").ok();
    child.wait_with_output().unwrap().into()
}

#[test]
fn a_bot_that_would_stay_root_is_named_and_not_played_under_strict() {
    if !is_root("what root's bots become") {
        return;
    }
    let place = folder();
    let config = closed_cup(place.path());
    let Some(ran) = without_views("022", &["tournament", &config, "--require-isolation", "strict"])
    else {
        return;
    };
    assert_eq!(ran.status, Some(3), "{ran:?}");
    let closed = place.path().join("closed").display().to_string();
    for words in ["hermit: ", "cannot read ", &closed, "strict is required", "ordinary user"] {
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
    }
    assert!(!place.path().join("cup/games.pgn").exists());
    // If `strict` is not required, the bot plays and the isolation line says that it is root.
    let ran = without_views("022", &["tournament", &config]).unwrap();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let games = fs::read_to_string(place.path().join("cup/games.pgn")).unwrap();
    assert!(
        games.contains("user=root-without-capabilities") && ran.stderr.contains("hermit: "),
        "{ran:?}"
    );
    // In a folder that others may enter it gets a user id of its own.
    fs::set_permissions(place.path().join("closed"), fs::Permissions::from_mode(0o755)).unwrap();
    let again = ["tournament", &config, "--require-isolation", "strict", "--out"];
    let ran = without_views(
        "022",
        &[&again[..], &[place.path().join("again").to_str().unwrap()]].concat(),
    )
    .unwrap();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let games = fs::read_to_string(place.path().join("again/games.pgn")).unwrap();
    assert!(games.contains("user=separate"), "{games}");
}

#[test]
fn where_no_user_can_be_lent_strict_refuses() {
    if !is_root("users that are lent") || !has("unshare", "a machine that lends no users") {
        return;
    }
    let place = folder();
    let config = closed_cup(place.path());
    let play = |required: &[&str]| -> Ran {
        let plain = arbiter(&[&["tournament", &config][..], required].concat());
        let script = "mount -t tmpfs -o ro none /run && exec \"$@\"";
        let mut command = Command::new("unshare");
        command
            .args(["-m", "sh", "-c", script, "sh"])
            .arg(plain.get_program())
            .args(plain.get_args());
        command.output().unwrap().into()
    };
    let ran = play(&["--require-isolation", "strict"]);
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(
        ran.stderr.contains("every bot: ") && ran.stderr.contains("/run/arbiter-users"),
        "{ran:?}"
    );
    let ran = play(&[]);
    assert!(ran.stderr.contains("user=root-without-capabilities"), "{ran:?}");
}

#[test]
fn the_umask_of_the_shell_takes_no_user_from_a_bot() {
    if !is_root("users that are lent") {
        return;
    }
    for umask in ["027", "077"] {
        let place = folder();
        write(&place.path().join("in/built/source.sh"), PLAYER);
        write(
            &place.path().join("in/built/bot.toml"),
            "command = 'sh made.sh'\nbuild = 'cp source.sh made.sh'\n",
        );
        let config = write(
            &place.path().join("cup.toml"),
            "game = 'lineup'\n[options]\nn = 4\ns = 3\n[schedule]\ngames = 2\n[time]\nmove = '120s'\n\
             start = '120s'\n[[bots]]\nfolder = 'in'\n\
             [[bot]]\nname = 'other'\ncommand = 'builtin:random'\n",
        );
        let arguments = |out: &str| {
            let out = place.path().join(out).display().to_string();
            let words =
                ["tournament", &config, "--require-isolation", "strict", "--strict", "--out", &out];
            words.map(str::to_owned)
        };
        let with_views = arguments("with-views");
        let plain = arbiter(&with_views.each_ref().map(String::as_str));
        let mut command = Command::new("sh");
        command.args(["-c", &format!("umask {umask} && exec \"$@\""), "sh"]);
        command.arg(plain.get_program()).args(plain.get_args());
        let mut runs = vec![("with-views", Ran::from(command.output().unwrap()))];
        let others = arguments("without-views");
        let others = without_views(umask, &others.each_ref().map(String::as_str));
        runs.extend(others.map(|ran| ("without-views", ran)));
        for (out, ran) in runs {
            assert_eq!(ran.status, Some(0), "{umask} {out}: {ran:?}");
            let games = fs::read_to_string(place.path().join(out).join("games.pgn")).unwrap();
            assert!(games.contains("user=separate"), "{umask} {out}: {games}");
        }
    }
}

/// What `setpriv --bounding-set` leaves of root's capabilities, and words of what is said; without
/// words every bot gets a user of its own.
const BOUNDING_SETS: [(&str, &[&str]); 4] = [
    ("-net_raw", &[]),
    ("-chown", &["root without capabilities: every bot: ", "CAP_CHOWN", "ordinary user"]),
    (
        "-all,+setuid,+setgid",
        &["root without capabilities: every bot: ", "CAP_CHOWN", "ordinary user"],
    ),
    ("-all", &["root without capabilities: every bot: ", "CAP_CHOWN, CAP_SETGID, CAP_SETUID"]),
];

#[test]
fn root_without_some_capabilities_plays_and_says_which_are_missing() {
    if !is_root("capabilities") || !has("setpriv", "root without some capabilities") {
        return;
    }
    let place = folder();
    write(&place.path().join("in/built/bot.sh"), PLAYER);
    write(
        &place.path().join("in/built/bot.toml"),
        "command = 'sh made.sh'\nbuild = 'cp bot.sh made.sh'\n",
    );
    let config = write(
        &place.path().join("cup.toml"),
        "game = 'lineup'\n[options]\nn = 4\ns = 3\n[schedule]\ngames = 2\n[time]\nmove = '120s'\n\
         start = '120s'\n[[bots]]\nfolder = 'in'\n[[bot]]\nname = 'other'\ncommand = 'builtin:random'\n",
    );
    for (set, words) in BOUNDING_SETS {
        let out = place.path().join(set).display().to_string();
        let play = |more: &[&str]| -> Ran {
            let plain = arbiter(&[&["tournament", &config, "--out", &out], more].concat());
            let mut command = Command::new("setpriv");
            command.args(["--bounding-set", set]).arg(plain.get_program()).args(plain.get_args());
            command.output().unwrap().into()
        };
        let ran = play(&["--strict"]);
        assert_eq!(ran.status, Some(0), "{set}: {ran:?}");
        assert_eq!(ran.stderr.contains("root without"), !words.is_empty(), "{set}: {ran:?}");
        for word in words {
            assert!(ran.stderr.contains(word), "{set}: {word}: {ran:?}");
        }
        let user =
            if words.is_empty() { "user=separate" } else { "user=root-without-capabilities" };
        let games = fs::read_to_string(format!("{out}/games.pgn")).unwrap();
        assert!(games.contains(user), "{set}: {games}");
        let status = if words.is_empty() { 0 } else { 3 };
        assert_eq!(play(&["--require-isolation", "strict"]).status, Some(status), "{set}");
    }
}

#[test]
fn no_file_that_a_build_leaves_acts_as_its_owner() {
    let (place, bot) = built(
        "cp /bin/sh sush && chmod 2755 sush && mkdir closed && cp /bin/sh closed/sush && chmod 2711 closed/sush && \
         mkdir -m 2755 shared && chmod 0300 closed",
    );
    plays(&strict(&bot, "builtin:random", &[]));
    let dir = place.path().join("bot");
    assert_eq!(mode(&dir.join("shared")), 0o2755);
    assert_eq!([mode(&dir.join("sush")), mode(&dir.join("closed/sush"))], [0o755, 0o711]);
    for build in [
        "cp /bin/sh sush && chmod 4755 sush",
        "python3 -c \"import os; os.open('x', os.O_CREAT, 0o4755)\"",
    ] {
        let (place, bot) = built(build);
        let ran = strict(&bot, "builtin:random", &[]);
        assert_eq!(ran.status, Some(2), "{build}: {ran:?}");
        assert_eq!(mode(&place.path().join("bot/bot.py")), 0o755);
        assert!(!place.path().join("bot/x").exists());
    }
    // Without a flag that creates a file, the argument for the mode may have any value.
    let (_place, bot) = built(
        "python3 -c \"import os; [os.open('bot.py', os.O_RDONLY, mode) for mode in (0o4755, -1)]\"",
    );
    let mut command =
        arbiter(&["play", "loa", &bot, "builtin:random", "--sandbox", "strict", "--json"]);
    plays(&command.args(CALM).output().unwrap().into());
}

/// A folder with a bot that reads the file that its command names.
fn reader(place: &Path, named: &str) -> String {
    let tries = "attempt('read', lambda: open(sys.argv[1]).read())";
    write(&place.join("bot/bot.py"), &python(tries));
    write(&place.join("bot/inside"), "the bot's own");
    write(&place.join("outside"), "another person's");
    fs::write(place.join("bot/bot.toml"), format!("command = \"python3 bot.py {named}\"\n"))
        .unwrap();
    if fs::symlink_metadata(place.join("bot/link")).is_err() {
        symlink("../outside", place.join("bot/link")).unwrap();
    }
    place.join("bot").display().to_string()
}

#[test]
fn the_command_of_a_folder_opens_what_is_inside() {
    let place = folder();
    let outside = place.path().join("outside");
    let played = |named: &str, options: &[&str]| {
        let (bot, logs) = (reader(place.path(), named), folder());
        let all = [&["--bot-logs", logs.path().to_str().unwrap()], options].concat();
        let ran = strict(&bot, "builtin:random", &all);
        let log = fs::read_dir(logs.path().join("bot")).ok().and_then(|mut logs| logs.next()?.ok());
        (ran, log.map(|log| fs::read_to_string(log.path()).unwrap()).unwrap_or_default())
    };
    for (named, options, reads) in [
        ("inside", &[][..], true),
        (outside.to_str().unwrap(), &[], false),
        (outside.to_str().unwrap(), &["--trust"], true),
        ("../outside", &["--trust"], true),
        ("./link", &["--trust"], true),
    ] {
        let (ran, log) = played(named, options);
        plays(&ran);
        assert!(
            log.contains(if reads { "read worked" } else { "read failed: " }),
            "{named}: {log} {ran:?}"
        );
    }
    for (named, why) in [
        (
            "../outside",
            "../outside is not in the bot's folder, where the files of its arguments must be",
        ),
        ("--book=../outside", "../outside is not in the bot's folder"),
        ("link", "link is a symbolic link that leads out of the bot's folder (../outside)"),
    ] {
        let (ran, log) = played(named, &[]);
        assert_eq!((ran.status, &*log), (Some(2), ""), "{ran:?}");
        assert!(ran.stderr.contains(why) && ran.stderr.contains("give --trust"), "{ran:?}");
    }
    // A folder that a tournament names; what the configuration itself says is the organiser's.
    let cup = |bot: &str| {
        let text = format!(
            "game = 'lineup'\n[options]\nn = 4\ns = 3\n[schedule]\ngames = 2\n[time]\nmove = '120s'\nstart = '120s'\n\
             [[bot]]\nname = 'reader'\n{bot}\n[[bot]]\nname = 'other'\ncommand = 'builtin:random'\n"
        );
        let cup = write(&place.path().join("cup.toml"), &text);
        run(&["tournament", &cup, "--restart"])
    };
    reader(place.path(), "../outside");
    let refused = cup("command = 'bot'");
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("not in the bot's folder"), "{refused:?}");
    let trusted = cup("command = 'python3 bot.py ../outside'\ndir = 'bot'");
    assert_eq!(trusted.status, Some(0), "{trusted:?}");
}
