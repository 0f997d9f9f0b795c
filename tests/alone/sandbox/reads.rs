//! What a bot reads because of the programs that its command starts: wherever PATH and HOME point,
//! their installations and nothing beside them.

use crate::sandbox::languages::{C, JAVA, NODE};
use crate::sandbox::{CALM, folder, python, real_python, run_without_namespaces, write};
use crate::support::{Ran, arbiter, has, plays_all, sample_of_kinds};
use std::cell::Cell;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;

/// Files that are not the bot's; one of them is a program.
const SECRETS: [&str; 9] = [
    "home/.ssh/id_rsa",
    "home/notes.txt",
    "home/lib/python/key",
    "home/share/key",
    "home/bin/key",
    "course/solutions/key",
    "course/bin/grade",
    "course/cup.toml",
    "course/bots/rival/bot.py",
];

/// A home, a course with its own programs and a folder of bots, and a bot that tries to read the
/// secrets.
struct Land {
    root: tempfile::TempDir,
    /// The number of matches.
    matches: Cell<usize>,
}

impl Land {
    fn new() -> Land {
        let land = Land { root: folder(), matches: Cell::new(0) };
        for secret in SECRETS {
            write(&land.path(secret), "#!/usr/bin/env python3\n# a secret\n");
            let mode = if secret == "course/bin/grade" { 0o755 } else { 0o644 };
            fs::set_permissions(land.path(secret), fs::Permissions::from_mode(mode)).unwrap();
        }
        let python = fs::canonicalize(real_python()).unwrap();
        for at in [
            "home/bin/python3",
            "home/python3",
            "course/bin/python3",
            "course/bots/rival/bin/python3",
        ] {
            fs::create_dir_all(land.path(at).parent().unwrap()).unwrap();
            symlink(&python, land.path(at)).unwrap();
        }
        symlink("home/bin", land.path("link")).unwrap();
        write(&land.path("course/bots/eve/inside"), "the bot's own");
        symlink("../../../home/.ssh/id_rsa", land.path("course/bots/eve/key")).unwrap();
        symlink("../../../home", land.path("course/bots/eve/deep")).unwrap();
        land.script("bot.py", "#!/usr/bin/env python3\n");
        land.script("env-bot", "#!/usr/bin/env -S nice -n 0 python3 -u\n");
        land.script("env", "#!/usr/bin/env python3\n");
        land.script("of-venv", "#!venv/bin/python3\n");
        land
    }

    fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    /// A file of the bot that tries to read the secrets and then plays.
    fn script(&self, name: &str, first_line: &str) {
        let tries = SECRETS.map(|path| {
            format!("attempt('{path}', lambda: open('{}').read())", self.path(path).display())
        });
        let tries =
            [&tries[..], &["attempt('inside', lambda: open('inside').read())".to_owned()]].concat();
        write(
            &self.path("course/bots/eve").join(name),
            &format!("{first_line}{}", python(&tries.join("\n"))),
        );
    }

    /// Words with the paths of this land in the place of LAND.
    fn fill(&self, text: &str) -> String {
        text.replace("LAND", self.root.path().to_str().unwrap())
    }

    /// A command of arbiter with this PATH before the usual one, and this home.
    fn arbiter(&self, arguments: &[&str], path: &str, home: &str) -> Command {
        let mut command = arbiter(arguments);
        let path = format!("{}:{}", self.fill(path), std::env::var("PATH").unwrap());
        command.env("PATH", path).env("HOME", self.fill(home)).current_dir(self.path("home"));
        command
    }

    /// A match of the bot with this `bot.toml`, with and without namespaces, or with and without
    /// them in turn; each with what the bot wrote.
    fn played(&self, command: &str, path: &str, home: &str) -> Vec<(Ran, String)> {
        let quoted = toml::Value::from(self.fill(command)).to_string();
        self.played_as(&format!("command = {quoted}\n"), path, home)
    }

    fn played_as(&self, manifest: &str, path: &str, home: &str) -> Vec<(Ran, String)> {
        write(&self.path("course/bots/eve/bot.toml"), manifest);
        let (bot, logs) = (self.path("course/bots/eve"), self.path("logs"));
        let bot = bot.to_str().unwrap();
        let fixed = [
            "play",
            "loa",
            bot,
            "builtin:random",
            "--sandbox",
            "strict",
            "--json",
            "--grace",
            "10s",
        ];
        let options = [&fixed[..], &["--bot-logs", logs.to_str().unwrap()], &CALM].concat();
        let with_log = |ran: Ran| {
            let log = fs::read_dir(logs.join("eve")).ok().and_then(|mut logs| logs.next()?.ok());
            let log = log.map(|log| fs::read_to_string(log.path()).unwrap()).unwrap_or_default();
            fs::remove_dir_all(&logs).ok();
            (ran, log)
        };
        let plain = || self.arbiter(&options, path, home);
        let number = self.matches.replace(self.matches.get() + 1);
        let without = (plays_all() || number % 2 == 1)
            .then(|| run_without_namespaces(&plain()))
            .flatten()
            .map(with_log);
        let with =
            (plays_all() || without.is_none()).then(|| with_log(plain().output().unwrap().into()));
        [with, without].into_iter().flatten().collect()
    }
}

/// What comes of a command.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Outcome {
    /// The bot plays and reads no secret.
    Plays,
    /// It is refused with these words.
    Refused(&'static str),
    /// It does not start.
    Fails,
}
use Outcome::{Fails, Plays, Refused};

const OUTSIDE: Outcome =
    Refused("is not in the bot's folder, where the files of its arguments must be");
const LINK: Outcome = Refused("is a symbolic link that leads out of the bot's folder");
const NO_PROGRAM: Outcome =
    Refused("is neither in the bot's folder nor a program of the system or of PATH");

const NOWHERE: &str = "/nonexistent";

/// PATH before the usual one, HOME, the command of the `bot.toml`, and what comes of it.
const COMMANDS: [(&str, &str, &str, Outcome); 42] = [
    // Where PATH and HOME point.
    ("LAND/home/bin", "LAND/home", "python3 bot.py", Plays),
    ("LAND/home/bin", NOWHERE, "python3 bot.py", Plays),
    ("LAND/course/bin", "LAND/home", "python3 bot.py", Plays),
    ("LAND/home", NOWHERE, "python3 bot.py", Plays),
    ("LAND/home", "LAND/home", "python3 bot.py", Plays),
    ("LAND/link", NOWHERE, "python3 bot.py", Plays),
    (":.", NOWHERE, "python3 bot.py", Plays),
    ("bin:../course/bin", NOWHERE, "python3 bot.py", Plays),
    ("LAND/course/bots/rival/bin", NOWHERE, "python3 bot.py", Plays),
    ("LAND/course/bots/eve/bin:LAND/home/../home/bin", NOWHERE, "python3 bot.py", Plays),
    // Wrappers. The folder of the bot has a file `env`, which comes before that of PATH.
    ("LAND/home/bin", NOWHERE, "/usr/bin/env python3 bot.py", Plays),
    ("LAND/home/bin", NOWHERE, "/usr/bin/env -i A=1 python3 bot.py", Plays),
    ("LAND/home/bin", NOWHERE, "/usr/bin/env -S 'nice python3' bot.py", Plays),
    ("LAND/home/bin", NOWHERE, "stdbuf -o0 nice -n 0 env -u A python3 bot.py", Plays),
    ("LAND/home/bin", NOWHERE, "stdbuf -o0 ./bot.py", Plays),
    ("LAND/course/bin", NOWHERE, "./env-bot", Plays),
    ("LAND/course/bin", NOWHERE, "./env grade", Plays),
    ("LAND/course/bin", NOWHERE, "/usr/bin/env ./env grade", Plays),
    ("LAND/course/bin", NOWHERE, "/usr/bin/env -S 'A=1\x0b./bot.py grade'", Plays),
    ("LAND/course/bin", NOWHERE, "/usr/bin/env -C . ./bot.py grade", Plays),
    ("LAND/course/bin", NOWHERE, "/usr/bin/env -S '${NONE}grade' python3 bot.py", Fails),
    ("LAND/course/bin", NOWHERE, "python3 bot.py grade", Plays),
    ("LAND/course/bin", NOWHERE, "python3 -c \"exec(open('bot.py').read())\"", Plays),
    // Programs and arguments by their paths.
    ("LAND/course/bin", NOWHERE, "../../bin/python3 bot.py", Plays),
    ("LAND/course/bin", NOWHERE, "LAND/course/bin/python3 bot.py", Plays),
    ("LAND/course/bin", NOWHERE, "/usr/bin/env ../../bin/python3 bot.py", Plays),
    ("LAND/home/bin", NOWHERE, "../../bin/python3 bot.py", NO_PROGRAM),
    ("LAND/home/bin", NOWHERE, "/usr/bin/env ../../bin/python3 bot.py", NO_PROGRAM),
    ("LAND/home/bin", NOWHERE, "deep/bin/../.ssh/id_rsa", LINK),
    ("LAND/home/bin", NOWHERE, "python3 bot.py ../../../home/.ssh/id_rsa", OUTSIDE),
    ("LAND/home/bin", NOWHERE, "python3 bot.py ../../../home/bin/key", OUTSIDE),
    ("LAND/home", NOWHERE, "/usr/bin/env python3 bot.py --key=../../../home/.ssh/id_rsa", OUTSIDE),
    ("LAND/home", NOWHERE, "python3 bot.py a:../../../home/notes.txt", OUTSIDE),
    ("LAND/course/bin", NOWHERE, "python3 bot.py ../../solutions/key", OUTSIDE),
    ("LAND/home", NOWHERE, "python3 bot.py key", LINK),
    ("LAND/home", NOWHERE, "python3 bot.py deep/notes.txt", LINK),
    ("LAND/home", NOWHERE, "python3 bot.py deep/../course/solutions/key", LINK),
    ("LAND/home", NOWHERE, "python3 bot.py LAND/home/.ssh/id_rsa", Plays),
    ("LAND/home", NOWHERE, "python3 bot.py /proc/self/root/LAND/home/.ssh/id_rsa", Plays),
    ("LAND/home", NOWHERE, "/proc/self/root/LAND/home/.ssh/id_rsa", NO_PROGRAM),
    ("LAND/home/bin", "LAND/home", "python3 bot.py ~/.ssh/id_rsa $HOME/notes.txt", Plays),
    ("LAND/home/bin", "LAND/home", "sh -c 'exec python3 bot.py ../../../home/notes.txt'", Plays),
];

/// What is wrong with how a bot ended, and with what it read.
fn mistakes(ran: &Ran, log: &str, outcome: &Outcome) -> Vec<String> {
    let read = SECRETS.iter().filter(|secret| log.contains(&format!("{secret} worked")));
    let mut found: Vec<String> = read.map(|secret| format!("it reads {secret}")).collect();
    let ended = match outcome {
        Plays => {
            let tried =
                log.matches(" failed: ").count() == SECRETS.len() && log.contains("inside worked");
            ran.status == Some(0) && !ran.stdout.contains("forfeit") && tried
        }
        Fails => ran.stdout.contains("no-start"),
        Refused(words) => ran.status == Some(2) && ran.stderr.contains(words) && log.is_empty(),
    };
    found.extend((!ended).then(|| format!("it ends otherwise: {ran:?} {log}")));
    found
}

#[test]
fn a_bot_toml_opens_programs_and_nothing_beside_them() {
    let land = Land::new();
    let mut found = Vec::new();
    for (path, home, command, outcome) in sample_of_kinds(&COMMANDS, 3, |row| row.3) {
        for (ran, log) in land.played(command, path, home) {
            let mistakes = mistakes(&ran, &log, outcome).into_iter();
            found.extend(mistakes.map(|what| format!("PATH={path} HOME={home} {command}: {what}")));
        }
    }
    assert_eq!(found, [""; 0], "{}", found.join("\n"));
}

/// Honest bots: a program that must be installed, the command that prepares the folder, PATH before
/// the usual one, and the command of the `bot.toml`.
const HONEST: [(&str, &[&str], &str, &str); 15] = [
    ("python3", &[], "LAND/home/.pyenv/shims", "python3 bot.py"),
    ("python3", &[], "LAND/home/.pyenv/shims", "env python3 bot.py"),
    ("python3", &[], "LAND/home/.pyenv/shims", "env -S 'python3 bot.py'"),
    ("python3", &[], "LAND/home/.pyenv/shims", "./bot.py"),
    ("python3", &["python3", "-m", "venv", "--without-pip", "venv"], "/usr/bin", "./of-venv"),
    (
        "python3",
        &["python3", "-m", "venv", "--without-pip", "venv"],
        "/usr/bin",
        "venv/bin/python3 bot.py",
    ),
    (
        "python3",
        &["python3", "-m", "venv", "--without-pip", "venv"],
        "/usr/bin",
        "env -S 'venv/bin/python3 -u' bot.py",
    ),
    (
        "python3",
        &["python3", "-m", "venv", "--without-pip", "venv"],
        "LAND/course/bots/eve/venv/bin",
        "python3 bot.py",
    ),
    (
        "python3",
        &["python3", "-m", "venv", "--without-pip", "../../../home/env"],
        "LAND/home/env/bin",
        "python3 bot.py",
    ),
    ("bash", &[], "LAND/home/bin", "bash run.sh"),
    ("bash", &[], "LAND/home/bin", "stdbuf -oL ./run.sh"),
    ("javac", &["javac", "Play.java"], "LAND/home/bin", "java -cp . Play"),
    ("javac", &["javac", "Play.java"], "LAND/home/bin", "java -cp .:lib/x.jar Play"),
    ("node", &[], "LAND/home/bin", "node bot.js"),
    ("cc", &["cc", "-o", "bot", "bot.c"], "LAND/home/bin", "./bot"),
];

#[test]
fn honest_bots_play_from_their_folders() {
    let rows = sample_of_kinds(HONEST, 3, |&(program, prepares, ..)| (program, prepares));
    for (number, (program, prepares, path, command)) in rows.into_iter().enumerate() {
        if !has(program, "a bot of it in a folder under strict") {
            continue;
        }
        let land = Land::new();
        land.matches.set(number);
        let eve = land.path("course/bots/eve");
        write(&eve.join("run.sh"), "#!/usr/bin/env bash\nexec python3 bot.py\n");
        write(&eve.join("Play.java"), JAVA);
        for (name, text) in [("bot.js", NODE), ("bot.c", C)] {
            write(&eve.join(name), text);
        }
        let shims = land.path("home/.pyenv/shims/python3");
        write(&shims, "#!/usr/bin/env bash\nexec $(true; which false) \"$@\"\n");
        write(&land.path("home/.pyenv/version"), "3.99.1\n");
        let version = land.path("home/.pyenv/versions/3.99.1/bin");
        fs::create_dir_all(&version).unwrap();
        symlink(fs::canonicalize(real_python()).unwrap(), version.join("python3")).unwrap();
        if let Some((first, rest)) = prepares.split_first() {
            let ran = Command::new(first).args(rest).current_dir(&eve).output().unwrap();
            assert!(ran.status.success(), "{ran:?}");
        }
        for (ran, log) in land.played(command, path, "LAND/home") {
            let plays = ran.status == Some(0) && !ran.stdout.contains("forfeit");
            assert!(plays && !log.contains("key worked"), "{path} {command}: {log} {ran:?}");
        }
    }
}

#[test]
fn a_build_reads_programs_of_path_and_nothing_beside_them() {
    let land = Land::new();
    let eve = land.path("course/bots/eve");
    let manifest = "command = 'python3 bot.py'\nbuild = 'python3 bot.py </dev/null 2>seen'\n";
    for path in [
        "LAND/home",
        "LAND/home/bin",
        "LAND/link",
        ":.:bin",
        "LAND/course/bin",
        "LAND/course/bots/rival/bin",
    ] {
        for (ran, log) in land.played_as(manifest, path, NOWHERE) {
            assert_eq!(mistakes(&ran, &log, &Plays), [""; 0], "PATH={path}");
            let seen = fs::read_to_string(eve.join("seen")).unwrap();
            // The programs of PATH are open to a build.
            let seen = seen.replace("course/bin/grade worked", "course/bin/grade failed: ");
            assert_eq!(mistakes(&ran, &seen, &Plays), [""; 0], "PATH={path}");
        }
    }
}
