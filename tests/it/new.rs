//! `arbiter new`: the bot that it writes in each language is a sample of `bots/`, is built and
//! plays; what it refuses.
//!
//! Languages that are not installed are skipped, and that is printed. `.ci/slow` plays all games and
//! checks every bot (`ARBITER_ALL`); otherwise it is loa and a custom game, and only the bots in
//! Python are checked.

use crate::support::{POSIX, Ran, arbiter, has, plays_all, project, run, sample, which};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Each language, its other words, its folder below `bots/`, and the programs that it needs.
const LANGUAGES: [(&str, &[&str], &str, &[&str]); 12] = [
    ("python", &["py", "Python"], "random-python", &["python3"]),
    ("python-function", &["function"], "function-python", &["python3"]),
    ("c", &["C"], "random-c", &["cc", "make"]),
    ("cpp", &["c++", "C++"], "random-cpp", &["g++", "make"]),
    ("rust", &["rs"], "random-rust", &["cargo"]),
    ("java", &["Java"], "random-java", &["javac", "java"]),
    ("javascript", &["js", "node"], "random-javascript", &["node"]),
    ("go", &["golang"], "random-go", &["go"]),
    ("csharp", &["C#", "cs"], "random-csharp", &["mcs", "mono"]),
    ("perl", &["pl"], "random-perl", &["perl"]),
    ("ruby", &["rb"], "random-ruby", &["ruby"]),
    ("shell", &["sh"], "minimal-shell", &["sh"]),
];

/// What stands at the place for the author's idea, in every language.
const MARK: &str = "YOUR IDEA GOES HERE";

/// Limits that no bot reaches that answers at all.
const CALM: [&str; 6] = ["--move-time", "120s", "--start", "120s", "--build-time", "30min"];

/// Five matches, with ten games of arbiter's own games; the board of the last game is not square,
/// and its plies are words.
const MATCHES: [(&str, &str); 5] = [
    ("loa", "4"),
    ("flipflop", "2"),
    ("lineup", "2"),
    ("gekitai", "2"),
    ("games/connect4.py", "2"),
];

/// What is sent to a bot by hand: unknown and empty lines, and rows of the board that are words of
/// the protocol.
const LINES: &str = "hello there\narena 1\nid 0\ngame own\noption n 8\nsize 3 2\nyou g\nopponent o\ntime none\n\
                     seed 18446744073709551615\nnews of a later version\n\nstart\nfirst g\nposition go/go/go g\n\
                     turn 1\nsince\nboard\ngo\ngo\ngo\n  \nnews of a later version\nmoves swap\ngo\n\
                     illegal swap is legal, this is a test\nturn 1\nsince\nboard\ngo\ngo\ngo\nmoves b2\ngo\n\
                     turn 3\nsince b2 pass pass\nclock 100 0\nboard\nxq\n..\n#.\nmoves a1b2c3 pass\ngo\n";

fn new(folder: &Path, arguments: &[&str]) -> Ran {
    let folder = folder.to_str().unwrap();
    run(&[&["new", arguments[0], folder], &arguments[1..]].concat())
}

/// The files below a folder, as paths from there.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            found.extend(files(&path).iter().map(|inner| format!("{name}/{inner}")));
        } else {
            found.insert(name);
        }
    }
    found
}

/// Writes the bot of a language into a fresh folder, compares it with its sample, and plays with
/// it.
fn plays(language: &str) {
    let (_, _, from, needs) = LANGUAGES.into_iter().find(|row| row.0 == language).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("my bot");
    let bot = folder.to_str().unwrap();
    let ran = new(&folder, &[language]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let next = format!("\n  arbiter check '{bot}'\n  arbiter play loa '{bot}' builtin:random\n");
    assert!(ran.stdout.ends_with(&next), "{ran:?}");
    let mut marks = 0;
    for file in files(&folder) {
        let original = project("bots").join(from).join(&file);
        let written = folder.join(&file);
        let text = fs::read_to_string(&written).unwrap();
        assert_eq!(text, fs::read_to_string(&original).unwrap(), "{file}");
        let is_executable =
            |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o100 != 0;
        assert_eq!(is_executable(&written), is_executable(&original), "{file}");
        marks += text.matches(MARK).count();
    }
    assert_eq!(marks, 1, "one place for the author's idea");
    let missing: Vec<&&str> = needs.iter().filter(|program| which(program).is_none()).collect();
    let note = ran.stderr.contains("which PATH does not lead to");
    assert_eq!(note, !missing.is_empty(), "{ran:?}");
    if !needs.iter().all(|program| has(program, &format!("the bot in {language}"))) {
        return;
    }
    // A built-in game and a custom one.
    for (game, games) in sample(MATCHES, 4) {
        let games = if plays_all() { games } else { "2" };
        if game.ends_with(".py") && !has("python3", "the samples in a custom game") {
            continue;
        }
        let sandbox = if POSIX { "basic" } else { "strict" };
        let play = [
            "play",
            game,
            bot,
            "builtin:random",
            "--games",
            games,
            "--strict",
            "--sandbox",
            sandbox,
        ];
        let ran = run(&[&play[..], &CALM].concat());
        if language == "csharp" && ran.stderr.contains("names=visible") {
            crate::support::skip(
                "bots have no namespaces of their own, which mono needs: the bot in csharp",
            );
            return;
        }
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    // Each situation starts the bot once more, which takes long with the virtual machine of a
    // language.
    if plays_all() || needs == ["python3"] {
        checks(&dir.path().join("check"), bot);
    }
    // A function is no program.
    if value(&folder, "adapter").is_some() {
        return;
    }
    by_hand(&folder);
    looks_at_the_board(&folder);
}

/// Checks a bot, in which nothing is to be found.
fn checks(out: &Path, bot: &str) {
    let ran = run(&["check", bot, "--game", "lineup", "--json", "--out", out.to_str().unwrap()]);
    let situations: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // A machine that is busy with other tests may need more than the 100 ms of the short clock.
    let is_late = |of: &Value| of["situation"] == "short-clock" && of["fault"] == "timeout";
    let is_fault = |of: &&Value| of["result"] == "fault" && !is_late(of);
    let faults: Vec<&Value> = situations.iter().filter(is_fault).collect();
    assert!(faults.is_empty() && situations.len() > 20, "{faults:?} {ran:?}");
}

/// The value of a key of the bot.toml in a folder, a text.
fn value(folder: &Path, key: &str) -> Option<String> {
    let manifest = fs::read_to_string(folder.join("bot.toml")).unwrap();
    let value = manifest.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))?;
    Some(value.trim_matches('"').to_owned())
}

/// Runs a command of a bot.toml in its folder, without arbiter, with this input.
fn run_in(folder: &Path, command: &str, input: &str) -> Ran {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

/// Sends lines to a bot that has been built.
fn by_hand(folder: &Path) {
    let command = format!("exec {}", value(folder, "command").unwrap());
    let after_row = LINES.find("board\ngo\n").unwrap() + "board\ngo\n".len();
    let all = "ready\nmove swap\nmove b2\n";
    for (lines, expected) in [
        (format!("{LINES}quit\n"), all),
        (LINES.to_owned(), all),
        (LINES[..after_row].to_owned(), "ready\n"),
        (String::new(), ""),
    ] {
        let ran = run_in(folder, &command, &lines);
        let last = ran.stdout.strip_prefix(expected);
        let ends: &[&str] = if expected == all { &["move a1b2c3\n", "move pass\n"] } else { &[""] };
        let is_last = last.is_some_and(|last| ends.contains(&last));
        assert!(ran.status == Some(0) && is_last, "{command}: {lines}: {ran:?}");
    }
}

/// Puts the statement by which the README looks inside at the place for the author's idea: it
/// compiles there, and prints the board.
fn looks_at_the_board(folder: &Path) {
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    let words = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, statement) = words.split_once("write to standard error, such as `").unwrap();
    let (statement, _) = statement.split_once('`').unwrap();
    let read =
        |file: &String| fs::read_to_string(folder.join(file)).is_ok_and(|text| text.contains(MARK));
    let program = folder.join(files(folder).iter().find(|file| read(file)).unwrap());
    let text = fs::read_to_string(&program).unwrap();
    let place = text.lines().find(|line| line.contains(MARK)).unwrap();
    let indent = &place[..place.len() - place.trim_start().len()];
    fs::write(&program, text.replace(place, &format!("{place}\n{indent}{statement};"))).unwrap();
    if let Some(build) = value(folder, "build") {
        let built = run_in(folder, &build, "");
        assert_eq!(built.status, Some(0), "{built:?}");
    }
    let ran = run_in(folder, &value(folder, "command").unwrap(), LINES);
    let seen: String = ran.stderr.chars().filter(char::is_ascii_alphanumeric).collect();
    assert!(ran.status == Some(0) && seen.contains("xq"), "{ran:?}");
}

/// Users have cargo put its files elsewhere by variables, and by a configuration above the bot.
#[test]
fn bots_in_rust_play_wherever_cargo_puts_its_files() {
    if !["cargo", "rustc"].iter().all(|program| has(program, "where cargo puts its files")) {
        return;
    }
    let version: Ran = Command::new("rustc").arg("-vV").output().unwrap().into();
    let host = version.stdout.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let elsewhere = dir.path().join("elsewhere").to_str().unwrap().to_owned();
    let variables = [
        ("CARGO_TARGET_DIR", elsewhere.as_str()),
        ("CARGO_BUILD_TARGET_DIR", &elsewhere),
        ("CARGO_BUILD_TARGET", host),
        ("RUSTFLAGS", "-Cdebuginfo=0"),
    ];
    let sample = dir.path().join("sample");
    assert_eq!(new(&sample, &["rust"]).status, Some(0));
    // A bot whose author has written what most people write.
    let plain = dir.path().join("plain");
    assert_eq!(new(&plain, &["rust"]).status, Some(0));
    let manifest = "build = 'cargo build --release --offline'\ncommand = './target/release/bot'\n";
    fs::write(plain.join("bot.toml"), manifest).unwrap();

    // `off` hands the variables on to the bots.
    let play = ["play", "lineup", "sample", "plain", "--strict", "--sandbox", "off"];
    let play = [&play[..], &CALM].concat();
    let ran: Ran = arbiter(&play).current_dir(dir.path()).envs(variables).output().unwrap().into();
    assert_eq!(ran.status, Some(0), "{ran:?}");

    // By hand nothing takes the variables away.
    fs::remove_dir_all(sample.join("target")).unwrap();
    let build = value(&sample, "build").unwrap();
    let mut by_hand = Command::new("sh");
    by_hand.args(["-c", &build]).current_dir(&sample).envs(variables);
    let built: Ran = by_hand.output().unwrap().into();
    let command = value(&sample, "command").unwrap();
    assert!(sample.join(command).is_file(), "{built:?}");

    fs::remove_dir_all(sample.join("target")).unwrap();
    fs::create_dir(dir.path().join(".cargo")).unwrap();
    let configured = format!("build = {{ target-dir = '{elsewhere}', target = '{host}' }}\n");
    fs::write(dir.path().join(".cargo/config.toml"), configured).unwrap();
    let play = ["play", "lineup", "sample", "builtin:random", "--strict"];
    let play = [&play[..], &CALM].concat();
    let ran: Ran = arbiter(&play).current_dir(dir.path()).output().unwrap().into();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(!Path::new(&elsewhere).exists());

    // What arbiter cannot mend has a message that says what would.
    fs::remove_dir_all(plain.join("target")).unwrap();
    let play = ["play", "lineup", "plain", "builtin:random"];
    let ran: Ran = arbiter(&play).current_dir(dir.path()).output().unwrap().into();
    let cure = "`cargo install --path . --root target`";
    assert!(ran.status == Some(2) && ran.stderr.contains(cure), "{ran:?}");
}

/// A test for each language, so that they run at the same time and each has its name in the output.
macro_rules! languages {
    ($($language:ident)+) => {
        $(#[test]
        fn $language() {
            plays(&stringify!($language).replace('_', "-"));
        })+

        const TESTED: &[&str] = &[$(stringify!($language)),+];
    };
}

languages!(python python_function c cpp rust java javascript go csharp perl ruby shell);

#[test]
fn without_arguments_the_languages_are_listed() {
    let ran = run(&["new"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let rows = ran.stdout.lines().skip(1).take_while(|line| !line.is_empty());
    let words: Vec<&str> = rows.map(|row| row.split(' ').next().unwrap()).collect();
    let tested: Vec<String> = TESTED.iter().map(|name| name.replace('_', "-")).collect();
    assert_eq!(words, LANGUAGES.map(|row| row.0));
    assert_eq!(words, tested);
    for (language, _, _, needs) in LANGUAGES {
        let row = ran.stdout.lines().find(|line| line.split(' ').next() == Some(language)).unwrap();
        let missing: Vec<&str> =
            needs.iter().copied().filter(|program| which(program).is_none()).collect();
        assert!(row.contains(&needs.join(", ")), "{row}");
        let says =
            row.split_once("(not on this machine: ").map(|(_, names)| names.trim_end_matches(')'));
        assert_eq!(says.unwrap_or_default(), missing.join(", "), "{row}");
    }
    // Where PATH leads nowhere, all of them are missing.
    let ran: Ran = arbiter(&["new"]).env("PATH", "/nowhere").output().unwrap().into();
    assert_eq!(ran.stdout.matches("(not on this machine: ").count(), LANGUAGES.len(), "{ran:?}");
}

#[test]
fn every_sample_file_is_written_and_every_word_is_known() {
    for (language, others, sample, _) in LANGUAGES {
        let sample = project("bots").join(sample);
        let ignored = fs::read_to_string(sample.join(".gitignore")).unwrap_or_default();
        let is_made = |file: &str| {
            let made = |line: &str| match line.strip_prefix('/') {
                Some(name) => file == name || file.starts_with(&format!("{name}/")),
                None => file.ends_with(line.trim_start_matches('*')),
            };
            ignored.lines().any(made)
        };
        let expected: BTreeSet<String> =
            files(&sample).into_iter().filter(|file| !is_made(file)).collect();
        for word in [language].iter().chain(others) {
            let dir = tempfile::tempdir().unwrap();
            let ran = new(dir.path(), &[word]);
            assert_eq!(ran.status, Some(0), "{ran:?}");
            assert_eq!(files(dir.path()), expected, "{word}");
        }
    }
}

#[test]
fn a_bot_for_one_game_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let own = project("games/connect4.py");
    let own = own.to_str().unwrap();
    let mut games = vec![("gekitai", "gekitai")];
    if has("python3", "a bot for a custom game") {
        games.push((own, "connect4"));
    }
    for (game, name) in games {
        let folder = dir.path().join(name).join("deeper");
        let ran = new(&folder, &["python", "--game", game]);
        let bot = folder.to_str().unwrap();
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let next = format!(
            "\n  arbiter check {bot} --game {game}\n  arbiter play {game} {bot} builtin:random\n"
        );
        assert!(ran.stdout.ends_with(&next), "{ran:?}");
        let sample = fs::read_to_string(project("bots/random-python/bot.toml")).unwrap();
        let expected = sample.replace("[\"any\"]", &format!("[\"{name}\"]"));
        let written = fs::read_to_string(folder.join("bot.toml")).unwrap();
        assert!(written == expected && written != sample, "{written}");
    }
}

#[test]
fn what_cannot_be_written_is_refused_and_nothing_changes() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("file"), "mine").unwrap();
    fs::create_dir(at("full")).unwrap();
    fs::write(at("full/.hidden"), "mine").unwrap();
    let before = files(dir.path());
    let (file, full, fresh) = (at("file"), at("full"), at("fresh"));
    for (arguments, said) in [
        (
            &["new", "python", &full][..],
            "full: the folder is not empty; name one that is empty or not there yet",
        ),
        (
            &["new", "python", &file],
            "file: name a folder that is empty or not there yet: Not a directory",
        ),
        (&["new", "pyhton", &fresh], "a similar value exists: 'python'"),
        (&["new", "cobol", &fresh], "[possible values: python, python-function, c, cpp, rust,"),
        (&["new", "python"], "<DIR>"),
        (&["new", "--game", "loa"], "<LANGUAGE>"),
        (&["new", "python", &fresh, "--rules", &fresh], "--rules"),
        (
            &["new", "python", &fresh, "--game", "lao"],
            "--game: unknown game `lao`; the games are: loa",
        ),
        (&["new", "python", &fresh, "--game", "./none.py"], "--game: ./none.py: No such file"),
    ] {
        let ran = run(arguments);
        assert!(
            ran.status == Some(2) && ran.stderr.contains(said) && ran.stdout.is_empty(),
            "{said}: {ran:?}"
        );
        assert!(files(dir.path()) == before && !Path::new(&fresh).exists(), "{arguments:?}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

#[test]
fn a_full_disk_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("empty")).unwrap();
    for name in ["fresh", "empty"] {
        let limited = format!("ulimit -f 1; exec {} new rust {name}", crate::support::ARBITER);
        let ran: Ran = Command::new("sh")
            .args(["-c", &limited])
            .current_dir(dir.path())
            .output()
            .unwrap()
            .into();
        assert!(ran.status == Some(3) && ran.stderr.contains("File too large"), "{ran:?}");
    }
    assert!(!dir.path().join("fresh").exists() && files(dir.path()).is_empty());
    std::os::unix::fs::symlink("nowhere", dir.path().join("link")).unwrap();
    let ran: Ran =
        arbiter(&["new", "python", "link"]).current_dir(dir.path()).output().unwrap().into();
    assert!(
        ran.status == Some(2) && ran.stderr.contains("a link that leads to nothing"),
        "{ran:?}"
    );
}

#[test]
fn the_next_command_can_be_typed_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["play", "human", "it's", "-n", "a b"] {
        let ran: Ran =
            arbiter(&["new", "shell", "--", name]).current_dir(dir.path()).output().unwrap().into();
        let command = ran.stdout.lines().last().unwrap().trim().strip_prefix("arbiter ").unwrap();
        let typed = format!("\"$ARBITER\" {command} --sandbox off");
        let shell = Command::new("sh")
            .args(["-c", &typed])
            .env("ARBITER", crate::support::ARBITER)
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert!(shell.status.success(), "{typed}: {shell:?}");
    }
}
