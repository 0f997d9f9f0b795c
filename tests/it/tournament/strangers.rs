//! Links in a `[[bots]]` folder: a submission does not play if a link that arbiter follows leads
//! out of it, and no output reveals what is outside.

use crate::support::place::{FIRST, Place, cup};
use crate::support::{Ran, copy_program, has, has_strict};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

const TWO: [(&str, &str); 1] = [("ada", "builtin:random")];
const FOLDER: &str = "[[bots]]\nfolder = 'in'\ncommand = 'sh bot.sh'\n";

/// A secret that the organiser can read and students may not.
const SECRET: &str = "TOPSECRET = [ unclosed\nroot:TOPSECRET:1:2\n";

fn link(place: &Place, target: &str, at: &str) {
    let at = place.path(at);
    fs::create_dir_all(at.parent().unwrap()).unwrap();
    symlink(target, at).unwrap();
}

fn pipe(place: &Place, at: &str) {
    let at = place.path(at);
    fs::create_dir_all(at.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").args(["-m", "755"]).arg(at).status().unwrap().success());
}

/// The reasons why submissions do not play.
fn absent(place: &Place, out: &str) -> Vec<(String, String)> {
    let table: serde_json::Value =
        serde_json::from_str(&place.text(&format!("{out}/standings.json"))).unwrap();
    let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let absent = table["absent"].as_array().unwrap().iter();
    absent.map(|bot| (word(&bot["name"]), word(&bot["reason"]))).collect()
}

/// All output of a run, in all files.
fn told(place: &Place, out: &str, ran: &Ran) -> String {
    let files = place.snapshot(out).into_values();
    let files: Vec<String> =
        files.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect();
    format!("{}{}{}", ran.stdout, ran.stderr, files.concat())
}

/// Submissions that do not play, with words of the reason.
const REFUSED: [(&str, &[&str]); 16] = [
    ("evil", &["evil is a symbolic link; a submission is a folder of its own"]),
    ("copycat", &["copycat is a symbolic link;"]),
    ("nowhere", &["nowhere is a symbolic link;"]),
    ("manifest", &["bot.toml is a symbolic link that leads out of the submission (../../secret)"]),
    ("manifest-far", &["bot.toml is a symbolic link that leads out of the submission", "secret"]),
    (
        "manifest-gone",
        &["bot.toml is a symbolic link that leads out of the submission (../../gone)"],
    ),
    ("manifest-pipe", &["bot.toml: is not a regular file"]),
    ("manifest-folder", &["bot.toml: "]),
    ("manifest-named-twice", &["bot.toml: it has another name as well"]),
    (
        "script",
        &[
            "bot.sh is a symbolic link that leads out of the submission (../rival/bot.sh)",
            "put the file",
        ],
    ),
    (
        "script-named",
        &["deep/bot.sh is a symbolic link that leads out of the submission (../../rival/bot.sh)"],
    ),
    ("program", &["bot is a symbolic link that leads out of the submission (../rival/bot.sh)"]),
    (
        "program-behind",
        &["sh is a symbolic link that leads out of the submission (../rival/bin/sh)"],
    ),
    ("program-pipe", &["is not a file"]),
    ("script-pipe", &["bot.sh: is no regular file, which is not copied"]),
    (
        "interpreter",
        &["interpreter in its first line", "is neither in the submission nor a program of"],
    ),
];

fn submit(place: &Place) {
    place.write("secret", SECRET);
    let secret = place.path("secret").display().to_string();
    place.program("in/rival/bot.sh", &format!("#!/bin/sh\n# RIVAL\n{FIRST}"));
    link(place, ".", "in/evil");
    link(place, "rival", "in/copycat");
    link(place, "/nonexistent/folder", "in/nowhere");
    link(place, "../../secret", "in/manifest/bot.toml");
    link(place, &secret, "in/manifest-far/bot.toml");
    link(place, "../../gone", "in/manifest-gone/bot.toml");
    pipe(place, "in/manifest-pipe/bot.toml");
    place.write("in/manifest-folder/bot.toml/x", "");
    fs::create_dir(place.path("in/manifest-named-twice")).unwrap();
    fs::hard_link(place.path("secret"), place.path("in/manifest-named-twice/bot.toml")).unwrap();
    link(place, "../rival/bot.sh", "in/script/bot.sh");
    link(place, "../../rival/bot.sh", "in/script-named/deep/bot.sh");
    link(place, "deep/bot.sh", "in/script-named/bot.sh");
    place.write("in/script-named/bot.toml", "command = 'sh bot.sh'");
    link(place, "../rival/bot.sh", "in/program/bot");
    place.write("in/program/bot.toml", "command = 'bot'");
    // A link to a program of the system does not make the folder around it trusted.
    link(place, "/bin/sh", "in/rival/bin/sh");
    link(place, "../rival/bin/sh", "in/program-behind/sh");
    place.write("in/program-behind/bot.sh", FIRST);
    place.write("in/program-behind/bot.toml", "command = './sh bot.sh'");
    pipe(place, "in/program-pipe/bot");
    place.write("in/program-pipe/bot.toml", "command = './bot'");
    place.write("in/script-pipe/bot.toml", "command = 'sh bot.sh'");
    pipe(place, "in/script-pipe/bot.sh");
    let rival = place.path("in/rival/bot.sh").display().to_string();
    place.program("in/interpreter/bot", &format!("#!{rival}\n{FIRST}"));
    place.write("in/interpreter/bot.toml", "command = './bot'");

    // These play.
    place.write("in/inside/src/bot.sh", FIRST);
    link(place, "src/bot.sh", "in/inside/bot.sh");
    place.write("in/locked/bot.sh", FIRST);
    link(place, "user@host.1:2", "in/locked/.#bot.sh");
    link(place, "/etc/hostname", "in/locked/data");
    // By its text the path leads to the rival's folder; the kernel resolves it to a file of the
    // submission.
    let spies = format!(
        "#!/bin/sh\nwhile read -r line; do echo \"$line\" >&2; done < ../rival/bot.sh\n{FIRST}"
    );
    place.program("in/behind/rival/bot.sh", &spies);
    place.write("in/behind/deep/er/file", "");
    link(place, "deep/er", "in/behind/d");
    link(place, "d/../../rival/bot.sh", "in/behind/bot");
    place.write("in/behind/bot.toml", "command = './bot'");
}

#[test]
fn links_out_of_a_submission_are_not_followed() {
    let levels = if has_strict("links of submissions under it") {
        &["basic", "strict"][..]
    } else {
        &["basic"]
    };
    for &sandbox in levels {
        let place = Place::new();
        submit(&place);
        let config = cup("games = 2", FOLDER, &TWO).replace("'basic'", &format!("'{sandbox}'"));
        let ran = place.ends(0, &config, "out", &[]);
        let absent = absent(&place, "out");
        for (name, words) in REFUSED {
            let reason = absent.iter().find(|(absent, _)| absent == name);
            let (_, reason) = reason.unwrap_or_else(|| panic!("{name} plays: {ran:?}"));
            assert!(words.iter().all(|word| reason.contains(word)), "{sandbox}, {name}: {reason}");
        }
        assert_eq!(absent.len(), REFUSED.len(), "{absent:?}");
        // ada, rival, inside, locked, behind: each against each.
        assert_eq!(place.journal("out").len(), 20, "{ran:?}");
        assert!(!place.text("out/games.pgn").contains("forfeit"), "{ran:?}");
        let told = told(&place, "out", &ran);
        assert!(!told.contains("TOPSECRET"), "{told}");
        if sandbox == "strict" {
            assert!(!told.contains("# RIVAL"), "{told}");
        }
    }
}

#[test]
fn a_reason_does_not_tell_what_is_there() {
    let place = Place::new();
    place.write("in/rival/bot.sh", FIRST);
    place.write("there", SECRET);
    for (bot, target) in [("a", "there"), ("b", "gone")] {
        for file in ["bot.sh", "bot.toml"] {
            link(&place, &format!("../../{target}"), &format!("in/{bot}{}/{file}", file.len()));
        }
        place.write(&format!("in/{bot}-word/bot.sh"), FIRST);
        let command = format!("command = 'sh bot.sh ../../{target}'");
        place.write(&format!("in/{bot}-word/bot.toml"), &command);
        let first = format!("#!{}\n", place.path(target).display());
        place.program(&format!("in/{bot}-interpreter/bot"), &first);
        place.write(&format!("in/{bot}-interpreter/bot.toml"), "command = './bot'");
    }
    place.ends(0, &cup("games = 2", FOLDER, &TWO), "out", &[]);
    let reasons: Vec<String> =
        absent(&place, "out").into_iter().map(|(_, reason)| reason).collect();
    let (there, gone) = reasons.split_at(4);
    assert_eq!(
        there,
        gone.iter().map(|reason| reason.replace("gone", "there")).collect::<Vec<_>>()
    );
    assert_eq!(reasons.len(), 8, "{reasons:?}");
}

#[test]
fn what_a_version_manager_would_read_is_not_read_by_a_link() {
    if !has("python3", "a stranger's choice of a version of it") {
        return;
    }
    let real =
        Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    let place = Place::new();
    let shims = place.path("home/.pyenv/shims");
    place.program("home/.pyenv/shims/python3", "#!/bin/sh\nexit 1\n");
    place.write("home/.pyenv/version", "3.99.1");
    link(
        &place,
        String::from_utf8(real.stdout).unwrap().trim(),
        "home/.pyenv/versions/3.99.1/bin/python3",
    );
    place.write("secret", SECRET);
    let bot = crate::support::place::LAST;
    for (name, at) in [("link", "in/link/.python-version"), ("pipe", "in/pipe/.python-version")] {
        place.write(&format!("in/{name}/bot.py"), bot);
        place.write(&format!("in/{name}/bot.toml"), "command = 'python3 bot.py'");
        if name == "link" { link(&place, "../../secret", at) } else { pipe(&place, at) }
    }
    // A submission's folder with the name of a shim folder, and virtual environment settings that
    // ask for more.
    place.program("in/own/.pyenv/shims/bot", &format!("#!/bin/sh\n{FIRST}"));
    link(&place, "../../../secret", "in/own/.pyenv/version");
    place.write("in/own/.pyenv/versions/x", "");
    place.write("in/own/bot.toml", "command = '.pyenv/shims/bot'");
    let path = format!("{}:{}", shims.display(), std::env::var("PATH").unwrap());
    let config = cup("games = 2", FOLDER, &TWO);
    let mut command = place.command(&config, "out", &[]);
    let ran: Ran = command.env("PATH", path).output().unwrap().into();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(absent(&place, "out"), [], "{ran:?}");
    let told = told(&place, "out", &ran);
    assert!(!told.contains("TOPSECRET"), "{told}");
}

#[test]
fn an_interpreter_of_the_organisers_plays_through_a_virtual_environment() {
    if !has_strict("what a virtual environment opens") {
        return;
    }
    if !has("python3", "a virtual environment in a submission") {
        return;
    }
    let real =
        Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    let real = String::from_utf8(real.stdout).unwrap().trim().to_owned();
    let place = Place::new();
    // Three links to an installation that only PATH contains.
    for name in ["venv", "common", "elsewhere"] {
        link(&place, "python3.99", &format!("in/{name}/venv/bin/python3"));
        link(&place, "python", &format!("in/{name}/venv/bin/python3.99"));
        place.write(&format!("in/{name}/bot.py"), crate::support::place::LAST);
    }
    link(&place, &real, "in/venv/venv/bin/python");
    link(&place, &real, "in/common/venv/bin/python");
    fs::create_dir_all(place.path("elsewhere/bin")).unwrap();
    copy_program(&real, &place.path("elsewhere/bin/python3"));
    link(&place, "../../../../elsewhere/bin/python3", "in/elsewhere/venv/bin/python");
    let folder = std::path::Path::new(&real).parent().unwrap().display().to_string();
    place.write("in/venv/venv/pyvenv.cfg", &format!("home = {folder}\n"));
    place.write("in/venv/bot.toml", "command = 'venv/bin/python3 bot.py'");
    place.write("in/elsewhere/bot.toml", "command = 'venv/bin/python3 bot.py'");
    // Settings in a submission give no further access.
    place.write("secret/lib/key", SECRET);
    place.write("secret/bin/python", "");
    place.write(
        "in/common/venv/pyvenv.cfg",
        &format!("home = {}\n", place.path("secret/bin").display()),
    );
    let spy = format!(
        "import sys\ntry: sys.stderr.write(open({:?}).read())\nexcept OSError: pass\n{}",
        place.path("secret/lib/key").display().to_string(),
        crate::support::place::LAST
    );
    place.write("in/common/bot.py", &spy);
    let more = "[[bots]]\nfolder = 'in'\ncommand = 'venv/bin/python3 bot.py'\n";
    let config = cup("games = 2", more, &TWO).replace("'basic'", "'strict'");
    let mut command = place.command(&config, "out", &[]);
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let ran: Ran = command.env("PATH", path).output().unwrap().into();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let absent = absent(&place, "out");
    assert!(absent.len() == 1 && absent[0].0 == "elsewhere", "{absent:?}");
    assert!(
        absent[0].1.contains("venv/bin/python is a symbolic link that leads out"),
        "{absent:?}"
    );
    assert!(!place.text("out/games.pgn").contains("forfeit"), "{ran:?}");
    let told = told(&place, "out", &ran);
    assert!(!told.contains("TOPSECRET"), "{told}");
}
