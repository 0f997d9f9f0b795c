//! Builds of submissions: they run in a private copy, which plays and is removed after the run; the
//! submission is unchanged.

use crate::support::place::{FIRST, Place, WAITS, cup, signal};
use crate::support::{ARBITER, Ran, arbiter, copy_program, has, has_strict, wait_for};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const ONE: [(&str, &str); 1] = [("ada", "builtin:random")];
const FOLDER: &str = "[[bots]]\nfolder = 'in'\n";

/// A user id that no person uses.
const ORDINARY: u32 = 65_534;

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn submit(place: &Place, name: &str, build: &str) -> PathBuf {
    place.write(&format!("in/{name}/source.sh"), FIRST);
    place.write(
        &format!("in/{name}/bot.toml"),
        &format!("command = 'sh bot.sh'\nbuild = '''{build}'''\n"),
    );
    place.path(&format!("in/{name}"))
}

/// The metadata of all files below a folder, except access times.
fn picture(path: &Path) -> Vec<String> {
    let meta = fs::symlink_metadata(path).unwrap();
    let known = (meta.mode(), meta.uid(), meta.gid(), meta.nlink(), meta.size());
    let times = (meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec());
    let content = if meta.is_file() { fs::read(path).unwrap() } else { Vec::new() };
    let mut found =
        vec![format!("{} {known:?} {times:?} {}", path.display(), content.escape_ascii())];
    if meta.is_dir() {
        let entries = path.read_dir().unwrap();
        found.extend(entries.flat_map(|entry| picture(&entry.unwrap().path())));
    }
    found.sort();
    found
}

/// The users that arbiter runs as: an ordinary user, and root if the tests run as root.
fn users() -> Vec<Option<u32>> {
    let place = Place::new();
    match fs::metadata(place.path("")).unwrap().uid() {
        0 => vec![None, Some(ORDINARY)],
        _ => vec![None],
    }
}

/// Plays as this user, who becomes the owner of the folder.
fn play_as(place: &Place, config: &str, user: Option<u32>, more: &[&str]) -> Ran {
    let mut command = place.command(config, "out", more);
    mode(&place.path(""), 0o755);
    if let Some(user) = user {
        hand_over(&place.path(""), user);
        // A copy of the program, because that user may not be able to read the original.
        let arbiter = place.path("arbiter");
        if !arbiter.exists() {
            copy_program(ARBITER, &arbiter);
        }
        let mut as_user = Command::new(arbiter);
        as_user.args(command.get_args()).current_dir(place.path("")).uid(user).gid(user);
        as_user
            .env_remove("GITHUB_STEP_SUMMARY")
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", "/");
        return as_user.output().unwrap().into();
    }
    command.output().unwrap().into()
}

fn hand_over(path: &Path, user: u32) {
    let meta = fs::symlink_metadata(path).unwrap();
    if meta.uid() != user && !meta.is_symlink() {
        chown(path, Some(user), Some(user)).unwrap();
        mode(path, meta.mode() & 0o7777); // chown may clear set-id bits
    }
    if meta.is_dir() {
        for entry in path.read_dir().unwrap() {
            hand_over(&entry.unwrap().path(), user);
        }
    }
}

#[test]
fn a_build_writes_in_a_copy_that_is_gone_after_the_run() {
    for (sandbox, user) in
        ["basic", "strict"].into_iter().flat_map(|s| users().into_iter().map(move |u| (s, u)))
    {
        let place = Place::new();
        let built = submit(
            &place,
            "built",
            "set -e; pwd; touch source.sh; chmod 700 source.sh; cp source.sh bot.sh; chmod 644 bot.sh; rm bot.toml old; \
             mkdir -p a/b; echo x > a/b/c",
        );
        fs::write(built.join("old"), "old").unwrap();
        submit(&place, "fails", "echo x > source.sh; echo x > new; pwd; exit 4");
        let config = cup("games = 2", FOLDER, &ONE).replace("'basic'", &format!("'{sandbox}'"));
        let config = format!("{config}[publish]\nstderr = 'public'\n");
        if let Some(user) = user {
            hand_over(&place.path(""), user);
        }
        let before = picture(&place.path("in"));
        let ran = play_as(&place, &config, user, &[]);
        assert_eq!(ran.status, Some(0), "{sandbox} {user:?}: {ran:?}");
        assert_eq!(picture(&place.path("in")), before, "{sandbox} {user:?}");
        assert_eq!(place.journal("out").len(), 2, "{sandbox} {user:?}: {ran:?}");
        assert!(!place.text("out/games.pgn").contains("forfeit"), "{ran:?}");
        assert!(!place.path("out/builds").exists());
        // The path of the folder is not shown.
        assert_eq!(place.text("out/bots/built/build.log").trim_end(), ".");
        for file in ["standings.json", "standings.md", "junit.xml", "games.pgn"] {
            let text = place.text(&format!("out/{file}"));
            assert!(
                !text.contains("builds") && !text.contains(place.path("").to_str().unwrap()),
                "{file}: {text}"
            );
        }
        assert!(!ran.stdout.contains("/builds"), "{ran:?}");
    }
}

#[test]
fn a_copy_has_the_content_of_the_submission_alone() {
    for user in users() {
        let place = Place::new();
        let asks = "set -e; test -L link; test \"$(readlink link)\" = gone/where; test ! -e pipe; \
             test \"$(stat -c %a:%Y kept)\" = 755:946684800; test \"$(stat -c %a set)\" = 755; \
             test \"$(stat -c %a:%Y folder)\" = 755:946684800; test \"$(stat -c %a .)\" = 755; \
             test \"$(stat -c %a:%Y:%h older)\" = 644:946684800:1; test ! kept -nt older; cp source.sh bot.sh";
        let dir = submit(&place, "asks", asks);
        symlink("gone/where", dir.join("link")).unwrap();
        assert!(Command::new("mkfifo").arg(dir.join("pipe")).status().unwrap().success());
        for name in ["kept", "set", "older"] {
            fs::write(dir.join(name), "x").unwrap();
        }
        fs::hard_link(dir.join("older"), dir.join("same")).unwrap();
        fs::create_dir_all(dir.join("folder/inner")).unwrap();
        let at = |name: &str, when: &str| {
            let touched =
                Command::new("touch").args(["-d", when]).arg(dir.join(name)).status().unwrap();
            assert!(touched.success());
        };
        at("kept", "@1000000000");
        at("older", "@999999999.5");
        at("folder", "@1000000000");
        if let Some(user) = user {
            hand_over(&place.path(""), user);
        }
        for (name, bits) in [("kept", 0o750), ("set", 0o6755), ("folder", 0o2755), ("", 0o2755)] {
            mode(&dir.join(name), bits);
        }
        let config = cup("games = 2", FOLDER, &ONE).replace("'basic'", "'strict'");
        let ran = play_as(&place, &config, user, &[]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(place.journal("out").len(), 2, "{user:?} {ran:?}");
    }
}

#[test]
fn cargo_finds_its_compiler_without_a_home() {
    let place = Place::new();
    let dir = submit(&place, "rusty", "cargo build --offline && cp source.sh bot.sh");
    place.write(
        "in/rusty/Cargo.toml",
        "[package]\nname = 'rusty'\nversion = '0.1.0'\nedition = '2021'\n",
    );
    place.write("in/rusty/src/main.rs", "fn main() {}\n");
    let config = cup("games = 2", FOLDER, &ONE).replace("'basic'", "'strict'");
    place.ends(0, &config, "out", &[]);
    let log = place.text("out/bots/rusty/build.log");
    assert_eq!(place.journal("out").len(), 2, "{log}");
    assert!(log.contains("Finished") && !dir.join("target").exists(), "{log}");
}

#[test]
fn the_result_folder_may_be_named_from_where_arbiter_is_started() {
    for sandbox in ["basic", "strict"] {
        let place = Place::new();
        submit(&place, "built", "cp source.sh bot.sh");
        place.write(
            "cup.toml",
            &cup("games = 2", FOLDER, &ONE).replace("'basic'", &format!("'{sandbox}'")),
        );
        let mut command = arbiter(&["tournament", "cup.toml", "--out", "results"]);
        let ran: Ran = command.current_dir(place.path("")).output().unwrap().into();
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(place.journal("results").len(), 2, "{ran:?}");
    }
}

#[test]
fn what_cannot_be_copied_is_a_reason_for_that_submission_alone() {
    let place = Place::new();
    let deep = submit(&place, "deep", "cp source.sh bot.sh");
    fs::create_dir_all(deep.join(vec!["d"; 150].join("/"))).unwrap();
    let large = submit(&place, "large", "cp source.sh bot.sh");
    fs::File::create(large.join("sparse")).unwrap().set_len(5 << 30).unwrap();
    submit(&place, "sound", "cp source.sh bot.sh");
    let ran = place.ends(0, &cup("games = 2", FOLDER, &ONE), "out", &[]);
    assert_eq!(place.journal("out").len(), 2, "{ran:?}");
    for words in ["deep does not play: ", "nested deeper", "large does not play", "1024 MiB"] {
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
    }
    assert!(!place.path("out/builds").exists());
    // A file that is not a result is not removed.
    let other = Place::new();
    other.write("out/builds/mine", "x");
    let ran = other.ends(
        2,
        &cup("games = 2", "", &[("a", "builtin:random"), ("b", "builtin:greedy")]),
        "out",
        &[],
    );
    assert!(ran.stderr.contains("has a builds but no journal.jsonl"), "{ran:?}");
    assert!(other.path("out/builds/mine").exists());
}

#[test]
fn copies_go_with_the_run_however_it_ends() {
    let place = Place::new();
    place.write("waits.py", WAITS);
    submit(&place, "built", "cp source.sh bot.sh");
    let config = cup("games = 2", FOLDER, &[("a", "python3 waits.py")]);
    let (copy, builds) = (place.path("out/builds/built/bot.sh"), place.path("out/builds"));
    let waiting = || {
        let mut files = place.path("").read_dir().unwrap();
        files
            .any(|file| file.unwrap().file_name().to_string_lossy().starts_with("waiting-"))
            .then_some(())
    };
    let forget = || {
        for file in place.path("").read_dir().unwrap() {
            let path = file.unwrap().path();
            if path.file_name().unwrap().to_string_lossy().starts_with("waiting-") {
                fs::remove_file(path).unwrap();
            }
        }
    };
    // By a signal, twice.
    let mut child = place.start(&config, "out", &[]);
    wait_for("a game", waiting);
    assert!(copy.exists());
    assert_eq!(fs::metadata(&builds).unwrap().mode() & 0o7777, 0o700);
    signal(&child, "TERM");
    wait_for("what arbiter says of it", || {
        place.text("err.txt").contains("interrupted").then_some(())
    });
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!builds.exists());
    // By SIGKILL, after which arbiter cannot clean up: the next run does.
    forget();
    let mut child = place.start(&config, "out", &[]);
    wait_for("a game", waiting);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(copy.exists());
    fs::write(copy.with_file_name("left"), "x").unwrap();
    place.write("release", "");
    let ran = place.ends(0, &config, "out", &[]);
    assert_eq!(place.journal("out").len(), 2, "{ran:?}");
    assert!(!builds.exists());
    // And by an error.
    place.write("in/other/bot.sh", FIRST);
    let swiss = cup("format = 'swiss'\nrounds = 1", FOLDER, &[("a", "sh gone.sh")]);
    place.ends(2, &swiss, "elsewhere", &[]);
    assert!(!place.path("elsewhere/builds").exists());
}

#[test]
fn other_bots_do_not_see_a_copy() {
    if !has_strict("what other bots see of a copy") {
        return;
    }
    let place = Place::new();
    submit(&place, "built", "cp source.sh bot.sh; echo RIVAL >> bot.sh");
    place.write("in/built/source.sh", &format!("# RIVAL\n{FIRST}"));
    // A shell reads without starting a program.
    let look = |file: &str| format!("while read -r line; do echo \"$line\" >&2; done < {file}\n");
    let looks = look("out/builds/built/bot.sh") + &look("in/built/source.sh") + &look("spy.sh");
    place.write("spy.sh", &format!("{looks}echo LOOKED >&2\n{FIRST}"));
    let spy = "[[bot]]\nname = 'spy'\ncommand = 'sh spy.sh'\ndir = '.'\n";
    let config = cup("games = 2", &format!("{FOLDER}{spy}"), &[]).replace("'basic'", "'strict'");
    let ran = place.ends(0, &config, "out", &[]);
    let logs: Vec<Vec<u8>> = place.snapshot("out/bots/spy").into_values().collect();
    let seen = String::from_utf8(logs.concat()).unwrap();
    assert!(seen.contains("LOOKED") && !seen.contains("RIVAL"), "{seen} {ran:?}");
    // The command that plays a game again has no path of this machine.
    let page = place.text("out/feedback/spy.md");
    let command = page.lines().find(|line| line.starts_with("arbiter rerun")).unwrap();
    assert!(
        !command.contains("builds") && !command.contains(place.path("").to_str().unwrap()),
        "{command}"
    );
}

/// Tools that builds use, each with the program that it needs.
const TOOLS: [(&str, &[&str], &str); 5] = [
    (
        "copies",
        &[],
        "chmod 2755 shared && cp -a source.sh a && cp -a shared more && cp -a more/file bot.sh && test \"$(stat -c %a more)\" = 2755",
    ),
    (
        "unpacks",
        &["tar"],
        "chmod 2755 shared && tar -cpf x.tar shared && mkdir y && tar -xpf x.tar -C y && cp y/shared/file bot.sh && test \"$(stat -c %a y/shared)\" = 2755",
    ),
    ("makes", &["make"], "make"),
    (
        "commits",
        &["git"],
        "git init -q . && git add source.sh && git -c user.name=a -c user.email=a@b commit -qm x && git show HEAD:source.sh > bot.sh",
    ),
    (
        "links",
        &["cc"],
        "echo \"int main(void){return 0;}\" > x.c && cc -o x x.c && ./x && cp source.sh bot.sh",
    ),
];

#[test]
fn builds_with_ordinary_tools_work_in_the_folder_of_a_course() {
    for user in users() {
        let place = Place::new();
        let mut bots = 0;
        for (name, tools, build) in TOOLS {
            if !tools.iter().all(|tool| has(tool, "a build with it")) {
                continue;
            }
            bots += 1;
            let dir = submit(&place, name, build);
            fs::create_dir(dir.join("shared")).unwrap();
            fs::write(dir.join("shared/file"), FIRST).unwrap();
            fs::write(dir.join("Makefile"), "bot.sh: source.sh\n\tcp $< $@\n").unwrap();
        }
        if let Some(user) = user {
            hand_over(&place.path(""), user);
        }
        for (name, ..) in TOOLS {
            let dir = place.path(&format!("in/{name}"));
            if dir.exists() {
                mode(&dir.join("shared"), 0o2755);
                mode(&dir, 0o2755);
            }
        }
        mode(&place.path("in"), 0o2775);
        let config = cup("games = 2", FOLDER, &ONE).replace("'basic'", "'strict'");
        let ran = play_as(&place, &config, user, &[]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let logs =
            place.snapshot("out/bots").into_iter().filter(|(path, _)| path.ends_with("build.log"));
        let logs: Vec<_> = logs.map(|(path, text)| (path, String::from_utf8(text))).collect();
        assert_eq!(place.journal("out").len(), bots * (bots + 1), "{user:?} {ran:?} {logs:?}");
    }
}

#[test]
fn no_build_leaves_a_program_that_acts_as_its_owner() {
    if !has_strict("set-id programs of builds") {
        return;
    }
    for user in users() {
        let place = Place::new();
        // Each of these must fail.
        let refused = [
            ("chmod", "cp /bin/sh sush && chmod 6755 sush"),
            (
                "perl",
                "perl -e 'use Fcntl; sysopen(F, \"sush\", O_CREAT|O_WRONLY, 04755) or die $!'",
            ),
            (
                "temporary",
                "perl -e 'use Fcntl; sysopen(F, \".\", O_WRONLY|020200000, 04755) or die $!'",
            ),
            ("device", "mknod x p && mknod y c 1 3"),
        ];
        for (name, build) in refused {
            submit(&place, name, build);
        }
        submit(
            &place,
            "sound",
            "cp source.sh bot.sh; chmod 4755 bot.sh; mkdir -m 2755 d; chmod 1777 d; exit 0",
        );
        if let Some(user) = user {
            hand_over(&place.path(""), user);
        }
        let config = cup("games = 2", FOLDER, &ONE).replace("'basic'", "'strict'");
        let ran = play_as(&place, &config, user, &[]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(place.journal("out").len(), 2, "{ran:?}");
        for (name, _) in refused {
            assert!(
                ran.stderr.contains(&format!("{name} does not play: its build")),
                "{name}: {ran:?}"
            );
        }
        assert!(
            place.text("out/bots/chmod/build.log").contains("Operation not permitted"),
            "{user:?}"
        );
    }
}
