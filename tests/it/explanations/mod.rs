//! What the author of a faulty bot is told, word by word: each fault is that of a real program in
//! its language, and the sentence names the cure.
//!
//! The bots are `tests/bots/faults.*`. Languages that are not installed are skipped, and that is
//! printed. `.ci/slow` tries all faults (`ARBITER_ALL`), otherwise it is the first of each language
//! and one in ten of the others, but for what AddressSanitizer reports.

pub mod table;

use crate::support::faulty_programs::{not_installed, programs, scripts};
use crate::support::{
    arbiter, has, judge_all, plays_all, project, run, sample_of_kinds, skip, write_program,
};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use table::{Row, STRICT, TABLE};

/// Limits that no bot reaches that answers at all.
const CALM: &[&str] = &["--start", "120s", "--move-time", "120s"];

/// Good bots, and whether they may lose on time.
const GOOD: [(&str, bool); 3] = [
    ("python3 DIR/faults.py good", false),
    ("python3 DIR/faults.py much-stderr", false),
    ("python3 DIR/faults.py late", true),
];

/// Plays a game of a bot, which has the first side, and returns its line of JSON.
fn play(bot: &str, opponent: &str, options: &[&str]) -> Value {
    // A later option of the same name would be an error.
    let calm = CALM.chunks(2).filter(|option| !options.contains(&option[0])).flatten().copied();
    let arguments: Vec<&str> =
        ["play", "loa", bot, opponent, "--json", "--seed", "1"].into_iter().chain(calm).collect();
    let ran = run(&[&arguments, options].concat());
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{bot}: {error}: {ran:?}"))
}

/// Whether a text is a pattern with `*` for any text.
fn matches(text: &str, pattern: &str) -> bool {
    let Some((begin, rest)) = pattern.split_once('*') else { return text == pattern };
    let Some(text) = text.strip_prefix(begin) else { return false };
    (0..=text.len()).filter(|&at| text.is_char_boundary(at)).any(|at| matches(&text[at..], rest))
}

/// What is wrong with what the author of a bot reads.
fn judge(row: &Row, dir: &str) -> Option<String> {
    let game = play(&row.bot.replace("DIR", dir), "builtin:random", row.options);
    let detail = game["detail"].as_str().unwrap_or_default().replace(dir, "DIR");
    let (_, sentence) = detail.split_once(": ").unwrap_or_default();
    let holds = matches(sentence, row.sentence);
    let holds = holds && game["termination"] == row.termination && row.sentence.contains(row.cure);
    (!holds).then(|| {
        format!(
            "{}\n  expected {}: {}\n  got {}: {sentence}",
            row.bot, row.termination, row.sentence, game["termination"]
        )
    })
}

#[test]
fn every_fault_has_its_sentence() {
    // A bot with AddressSanitizer takes seconds to compile and to start.
    let missing = not_installed();
    let rows = TABLE.iter().filter(|row| !missing.contains(row.needs));
    let rows = rows.filter(|row| plays_all() || row.needs != "asan");
    let mut rows = sample_of_kinds(rows, 10, |row| row.needs);
    let (dir, not_made) = programs(&rows.iter().map(|row| row.needs).collect());
    let dir = dir.path().canonicalize().unwrap();
    rows.retain(|row| !not_made.contains(row.needs));
    let complaints = judge_all(&rows, 4, |row| judge(row, dir.to_str().unwrap()));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn a_good_bot_reads_none_of_the_sentences() {
    let dir = scripts();
    for (bot, may_be_late) in GOOD {
        let bot = bot.replace("DIR", dir.path().to_str().unwrap());
        let options: &[&str] = if may_be_late { &["--move-time", "1s"] } else { STRICT };
        let game = play(&bot, "builtin:greedy", options);
        let detail = game["detail"].as_str().unwrap_or_default();
        assert_eq!(
            (&game["winner"], game["termination"] == "timeout"),
            (&"greedy".into(), may_be_late),
            "{game}"
        );
        for cure in TABLE.iter().map(|row| row.cure).chain(["flush", "sandbox", "print", "Either"])
        {
            assert!(!detail.contains(cure), "{bot}: {cure}: {detail}");
        }
    }
}

#[test]
fn the_two_lines_give_a_script_its_folder() {
    let dir = scripts();
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("data/weights.txt", "1");
    let bot = format!("python3 {}/faults.py opens-data", dir.path().display());
    let detail = play(&bot, "builtin:random", STRICT)["detail"].as_str().unwrap().to_owned();
    for line in detail.split('`').skip(1).step_by(2) {
        let line = line.replace("DATA", "data");
        let done = Command::new("sh").args(["-c", &line]).current_dir(dir.path()).status().unwrap();
        assert!(done.success(), "{line}");
    }
    let game = play(dir.path().join("faults-bot").to_str().unwrap(), "builtin:random", STRICT);
    assert_eq!(game["detail"], Value::Null, "{game}");
}

/// BOTs that cannot be played, as the words of a command line after `arbiter`, and the whole of
/// what is said.
const REFUSED: [(&[&str], &str); 28] = [
    (
        &["play", "lineup", "builtin:greedy", "builtin:random", "--set", "n", "10"],
        "--set n: write KEY=VALUE as one word",
    ),
    (
        &["play", "loa", "DIR/list", "builtin:random"],
        "DIR/list/bot.toml: command: python3 bot.py: no such file, folder or command (a built-in bot is written builtin:random); \
         in a list each word stands alone: [\"python3\", \"bot.py\"]",
    ),
    (
        &["play", "loa", "python3", "my.py", "builtin:random"],
        "3 words are given for two BOTs; a command line is one word, in quotes: arbiter play loa \"python3 my.py\" builtin:random",
    ),
    (
        &["play", "loa", "builtin:random", "sh", "my.sh"],
        "3 words are given for two BOTs; a command line is one word, in quotes: arbiter play loa builtin:random \"sh my.sh\"",
    ),
    (
        &["play", "loa", "DIR/nf.c", "builtin:random"],
        "DIR/nf.c: it is source text: compile it with `cc -O2 -o DIR/nf DIR/nf.c`, then the BOT is \"DIR/nf\"",
    ),
    (
        &["play", "loa", "DIR/NoFlush.java", "builtin:random"],
        "DIR/NoFlush.java: it is source text: compile it with `javac DIR/NoFlush.java`, then the BOT is \
         \"java -cp DIR NoFlush\"",
    ),
    (
        &["play", "loa", "DIR/my.py", "builtin:random"],
        "DIR/my.py: may not be executed; run `chmod +x DIR/my.py`, or name its interpreter: \"python3 DIR/my.py\"",
    ),
    (
        &["play", "loa", "DIR/two.toml", "builtin:random"],
        "DIR/two.toml: holds settings and is no program: for a bot with a bot.toml name its folder; a tournament is played by \
         `arbiter tournament DIR/two.toml`",
    ),
    (
        &["play", "loa", "DIR/mark", "builtin:random"],
        "DIR/mark: begins with a byte order mark, so its first line is not read; save it as UTF-8 without that mark",
    ),
    (
        &["play", "loa", "DIR/bot.exe", "builtin:random"],
        "DIR/bot.exe: is a program for Windows, and this machine is ARCH; compile it for this one",
    ),
    (
        &["play", "loa", "DIR/other-machine", "builtin:random"],
        "DIR/other-machine: is a program for s390x, and this machine is ARCH; compile it for this one",
    ),
    (
        &["play", "loa", "sh DIR/MY.sh", "builtin:random"],
        "DIR/MY.sh: no such file; there is my.sh, which is another name (capitals and endings count)",
    ),
    (
        &["play", "loa", "DIR/capital", "builtin:random"],
        "DIR/capital: the folder has no bot.toml; there is Bot.toml, which is another name (capitals and endings count); name \
         the program in it instead, such as \"python3 DIR/capital/bot.py\", or write DIR/capital/bot.toml with the line command \
         = \"python3 bot.py\"",
    ),
    (
        &["play", "loa", "DIR/shell", "builtin:random"],
        "DIR/shell/bot.toml: command: cd: no such file, folder or command (a built-in bot is written builtin:random); no shell \
         reads a command: write the line into a script run.sh, with `exec` before its last command, and name \"sh run.sh\"",
    ),
    (
        &["play", "loa", "DIR/runs", "builtin:random"],
        "DIR/runs/bot.toml: command: DIR/runs/bot.py: may not be executed; run `chmod +x DIR/runs/bot.py`, or name its \
         interpreter: \"python3 bot.py\"",
    ),
    (
        &["play", "loa", "py DIR/my.py", "builtin:random"],
        "py: no such file, folder or command (a built-in bot is written builtin:random); here it is python3",
    ),
    (
        &["play", "loa", "sh", "builtin:random"],
        "sh: is an interpreter: name the bot behind it, as in \"sh bot.sh\"",
    ),
    (
        &["play", "loa", "DIR/bot.zip", "builtin:random"],
        "DIR/bot.zip: is an archive: unpack it, and name the program in it",
    ),
    (
        &["play", "loa", "DIR/link", "builtin:random"],
        "DIR/link: is a link whose target does not exist",
    ),
    (
        &["play", "loa", "DIR/Bot.class", "builtin:random"],
        "DIR/Bot.class: is run by an interpreter, which the BOT names: \"java -cp DIR Bot\"",
    ),
    (
        &["play", "loa", "DIR/nf", "builtin:random"],
        "DIR/nf: no such file; there is nf.c: it is source text: compile it with `cc -O2 -o DIR/nf DIR/nf.c`, then the \
         BOT is \"DIR/nf\"",
    ),
    (
        &["play", "loa", "DIR/tilde", "builtin:random"],
        "DIR/tilde/bot.toml: command: DIR/tilde/~/bots/x: no such file; no shell reads a command, so ~ is not your \
         home: write HOME/bots/x",
    ),
    (
        &["play", "loa", "builtin:search:level=3", "builtin:random"],
        "builtin:search:level=3: options follow a `?`: write builtin:search?level=3",
    ),
    (
        &["play", "loa", "builtin:search level=3", "builtin:random"],
        "builtin:search level=3: a built-in bot takes no arguments; its options follow its name, as in \
         builtin:search?nodes=5000",
    ),
    (&["play", "loa", "DIR/long", "builtin:random"], "DIR/long/bot.toml: it is longer than 64 KiB"),
    (
        &["play", "loa", "DIR/latin", "builtin:random"],
        "DIR/latin/bot.toml: line 2 is not UTF-8; save the file as UTF-8",
    ),
    (&["play", "loa", "sh -x DIR/nosuch.sh", "builtin:random"], "DIR/nosuch.sh: no such file"),
    (&["play", "loa", "sh DIR/nosuch.sh", "builtin:random"], "DIR/nosuch.sh: no such file"),
];

#[test]
fn a_bot_that_cannot_be_played_says_what_to_write() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().to_str().unwrap();
    std::os::unix::fs::symlink("/nowhere", dir.path().join("link")).unwrap();
    for file in ["nf.c", "NoFlush.java", "my.py", "two.toml", "bot.zip", "Bot.class"] {
        fs::write(dir.path().join(file), "x\n").unwrap();
    }
    let folders = [
        ("capital/Bot.toml", "''"),
        ("shell/bot.toml", "'cd src && python3 bot.py'"),
        ("runs/bot.toml", "'./bot.py'"),
        ("tilde/bot.toml", "'~/bots/x'"),
        ("list/bot.toml", "['python3 bot.py']"),
    ];
    for (file, command) in folders {
        let file = dir.path().join(file);
        fs::create_dir(file.parent().unwrap()).unwrap();
        fs::write(file.with_file_name("bot.py"), "").unwrap();
        fs::write(file, format!("command = {command}\n")).unwrap();
    }
    for (name, more) in [("long", &[b'#'; 65536][..]), ("latin", b"# caf\xe9\n")] {
        fs::create_dir(dir.path().join(name)).unwrap();
        let content = [b"command = 'sh bot.sh'\n", more].concat();
        fs::write(dir.path().join(name).join("bot.toml"), content).unwrap();
    }
    fs::write(dir.path().join("my.sh"), "").unwrap();
    let mut other_machine = [0; 20];
    other_machine[..6].copy_from_slice(b"\x7fELF\x02\x01");
    other_machine[18] = 22;
    let programs: [(&str, &[u8]); 3] = [
        ("mark", "\u{feff}#!/usr/bin/env python3\n".as_bytes()),
        ("bot.exe", b"MZ\x90\0"),
        ("other-machine", &other_machine),
    ];
    for (file, content) in programs {
        write_program(&dir.path().join(file), content);
    }
    // With emulators a program for another machine runs.
    let emulates =
        fs::read_dir("/proc/sys/fs/binfmt_misc").is_ok_and(|entries| entries.count() > 2);
    for (words, sentence) in REFUSED {
        if emulates && words[2].ends_with("other-machine") {
            skip("this machine has emulators: a program for another machine");
            continue;
        }
        let words: Vec<String> = words.iter().map(|word| word.replace("DIR", folder)).collect();
        let ran = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ran.status, Some(2), "{ran:?}");
        let home = std::env::home_dir().unwrap().display().to_string();
        let sentence = sentence.replace("ARCH", std::env::consts::ARCH).replace("HOME", &home);
        assert_eq!(
            ran.stderr.replace(folder, "DIR"),
            format!("arbiter: {sentence}\n"),
            "{words:?}"
        );
    }
}

#[test]
fn source_text_plays_after_the_command_that_compiles_it() {
    if !has("cc", "compiling a BOT that is source text") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("bot.c");
    fs::copy(project("bots/random-c/bot.c"), &source).unwrap();
    let ran = run(&["play", "loa", source.to_str().unwrap(), "builtin:random"]);
    let command = ran.stderr.split('`').nth(1).unwrap_or_else(|| panic!("{ran:?}")).to_owned();
    assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success(), "{command}");
    let bot = ran.stderr.rsplit('"').nth(1).unwrap();
    assert_eq!(play(bot, "builtin:random", &[])["detail"], Value::Null);
}

/// Folders of a `[[bots]]` folder, each with a README alone, and why they do not play.
const SUBMISSIONS: [(&str, &str); 7] = [
    ("readme-only", "bot.py: no such file"),
    ("Anna Schmidt", "mv -- 'Anna Schmidt' Anna-Schmidt"),
    ("Müller", "mv -- 'Müller' M-ller"),
    ("小明", "mv -- '小明' bot"),
    ("two\nlines", "first"),
    (
        "builds",
        "its build `true | exit 7` ended with exit status 7 (what it wrote is in bots/builds/build.log)",
    ),
    (
        "downloads",
        "its build `python3 fetch.py` ended with exit status 1; a build has no network: what it downloads must lie in the bot's \
         folder (`cargo vendor`, `pip download -d wheels` and `pip install --no-index --find-links wheels`, node_modules, jars) \
         (what it wrote is in bots/downloads/build.log)",
    ),
];

#[test]
fn a_submission_that_does_not_play_says_why() {
    let dir = tempfile::tempdir().unwrap();
    for (name, _) in SUBMISSIONS {
        fs::create_dir_all(dir.path().join("in").join(name)).unwrap();
        fs::write(dir.path().join("in").join(name).join("README"), "soon\n").unwrap();
    }
    let build = "command = 'sh bot.sh'\nbuild = \"true\\nexit 7\"\n";
    fs::write(dir.path().join("in/builds/bot.toml"), build).unwrap();
    let fetch = "import urllib.request\nurllib.request.urlopen('http://example.invalid')\n";
    fs::write(dir.path().join("in/downloads/fetch.py"), fetch).unwrap();
    fs::write(
        dir.path().join("in/downloads/bot.toml"),
        "command = 'sh x.sh'\nbuild = 'python3 fetch.py'\n",
    )
    .unwrap();
    let config = "game = 'loa'\n[time]\nclock = 'wall'\nmove = '120s'\n[[bot]]\nname = 'one'\ncommand = 'builtin:random'\n\
                  [[bot]]\nname = 'two'\ncommand = 'builtin:random'\n[schedule]\ngames = 1\nopening-plies = 0\n\
                  [[bots]]\nfolder = 'in'\ncommand = 'python3 bot.py'\n";
    fs::write(dir.path().join("cup.toml"), config).unwrap();
    let output = arbiter(&["tournament", "cup.toml"]).current_dir(dir.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    // Each reason is one line.
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("\ntwo\\x0alines does not play: ") && !stderr.contains("\nlines"),
        "{stderr}"
    );
    assert!(stderr.contains("\nbuilds does not play: its build `true | exit 7` ended"), "{stderr}");
    let table = fs::read_to_string(dir.path().join("cup/standings.json")).unwrap();
    let table: Value = serde_json::from_str(&table).unwrap();
    let refused = "the folder's name cannot be the name of a bot: use a to z, A to Z, 0 to 9, . _ -, a letter or digit ";
    for (name, sentence) in SUBMISSIONS {
        let sentence = match sentence {
            "first" => format!("{refused}{sentence}"),
            rename if rename.starts_with("mv") => format!("{refused}first: {rename}"),
            other => other.to_owned(),
        };
        let absent =
            table["absent"].as_array().unwrap().iter().find(|absent| absent["name"] == name);
        assert_eq!(absent.unwrap()["reason"], *sentence, "{table}");
        let Some(rename) = sentence.split("first: ").nth(1) else { continue };
        let done = Command::new("sh")
            .args(["-c", rename])
            .current_dir(dir.path().join("in"))
            .status()
            .unwrap();
        assert!(
            done.success() && !Path::new(&dir.path().join("in").join(name)).exists(),
            "{rename}"
        );
    }
}

/// Folders of a bot: their files with contents, the command of a `[[bots]]` table for those without
/// a `bot.toml`, and the end of the sentence that everybody reads, whatever the command of arbiter
/// is.
type Folder = (&'static str, &'static [(&'static str, &'static str)], &'static str);
const FOLDERS: [Folder; 6] = [
    ("main", &[("main.py", "")], "write bot.toml with the line command = \"python3 main.py\""),
    ("nothing", &[], "is empty"),
    (
        "source",
        &[("prog.cpp", "int main() {}"), ("bot.toml", "command = './prog'\n")],
        "prog: no such file; there is prog.cpp: write bot.toml with the lines command = \"./prog\" and build = \
         \"c++ -O2 -o prog prog.cpp\"",
    ),
    (
        "class",
        &[("Bot.class", ""), ("bot.toml", "command = 'java Bot.class'\n")],
        "Bot.class: java takes the name of a class: write \"java -cp . Bot\"",
    ),
    (
        "version",
        &[("main.py", ""), ("bot.toml", "command = 'python9 main.py'\n")],
        "python9: no such file, folder or command (a built-in bot is written builtin:random); here it is python3",
    ),
    (
        "shell",
        &[("src/main.py", ""), ("bot.toml", "command = 'cd src && python3 main.py'\n")],
        "cd: no such file, folder or command (a built-in bot is written builtin:random); no shell reads a command: \
         write the line into a script run.sh, with `exec` before its last command, and name \"sh run.sh\"",
    ),
];

#[test]
fn a_folder_without_a_program_gets_one_sentence_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    for (name, files, _) in FOLDERS {
        fs::create_dir_all(dir.path().join("in").join(name)).unwrap();
        for (file, text) in files {
            let file = dir.path().join("in").join(name).join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
    }
    let config = "game = 'loa'\n[limits]\nsandbox = 'basic'\n[schedule]\ngames = 1\nopening-plies = 0\n[time]\n\
                  move = '120s'\n[[bot]]\nname = 'one'\ncommand = 'builtin:random'\n[[bot]]\nname = 'two'\n\
                  command = 'builtin:random'\n[[bots]]\nfolder = 'in'\ncommand = 'python3 bot.py'\n";
    fs::write(dir.path().join("cup.toml"), config).unwrap();
    let said = |arguments: &[&str]| {
        let ran = arbiter(arguments).current_dir(dir.path()).output().unwrap();
        String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap()
    };
    said(&["tournament", "cup.toml"]);
    let table = fs::read_to_string(dir.path().join("cup/standings.json")).unwrap();
    let table: Value = serde_json::from_str(&table).unwrap();
    for (name, _, sentence) in FOLDERS {
        if name == "class" && !has("java", "the class of a bot in Java") {
            continue;
        }
        let folder = format!("in/{name}");
        let absent =
            table["absent"].as_array().unwrap().iter().find(|absent| absent["name"] == name);
        let feedback =
            fs::read_to_string(dir.path().join(format!("cup/feedback/{name}.md"))).unwrap();
        let roads = [
            ("table", absent.unwrap()["reason"].as_str().unwrap().to_owned()),
            // Markdown has its own signs.
            ("feedback", feedback.replace('\\', "")),
            ("check", said(&["check", &folder, "--config", "cup.toml"])),
            ("play", said(&["play", "loa", &folder, "builtin:random"])),
            ("try OLD", said(&["try", "loa", "builtin:random", &folder])),
            ("try NEW", said(&["try", "loa", &folder, "builtin:random"])),
        ];
        for (road, said) in roads {
            let said = said.replace(&format!("{}/", dir.path().join(&folder).display()), "");
            let said = said.replace(&format!("{folder}/"), "");
            assert!(said.contains(sentence), "{name} by {road}: {said}");
        }
    }
}

/// The beginning of a bot whose turns are the function `answer(turn, moves, last)`: what it prints
/// at `go`, or nothing.
const TURNS: &str = r#"
import sys, time
turn, moves, last = 0, [], []
def cross(square): return chr(97 + int(square[1:])) + str(ord(square[0]) - 97)
def run(answer):
    global turn, moves, last
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "start": print("ready", flush=True)
        elif word == "moves": last, moves = moves, rest
        elif word == "board" and ROWS: [next(sys.stdin) for _ in range(ROWS)]
        elif word == "go":
            turn += 1
            said = answer()
            if said: print(said, flush=True)
"#;

/// What a bot is, the game and flags, the rows that it reads, its answer in Python, and a part of
/// its sentence.
const MISTAKES: &[(&str, &[&str], usize, &str, &str)] = &[
    (
        "sleeps a second in each ply",
        &["loa", "--time", "3"],
        0,
        "time.sleep(1) or 'move ' + moves[0]",
        "the 3 s for the whole game were used up by move ",
    ),
    (
        "takes a move from its last turn",
        &["loa", "--move-time", "120s"],
        0,
        "'move ' + (moves[0] if turn == 1 else [move for move in last if move not in moves][0])",
        "; it was legal at the bot's last turn, ply 1: choose anew at each turn",
    ),
    (
        "writes the row first",
        &["lineup", "--move-time", "120s"],
        0,
        "'move ' + moves[0][1:] + moves[0][0]",
        "; row and column seem to be swapped: did you mean \"move a0\"?",
    ),
    (
        "exchanges row and column",
        &["loa", "--move-time", "120s"],
        0,
        "'move ' + [c for c in (cross(m[:2]) + cross(m[2:]) for m in moves) if c not in moves][0]",
        "; row and column seem to be swapped: did you mean \"move ",
    ),
    (
        "reads eight rows of a board of five",
        &["lineup", "--set", "n=5", "--move-time", "2s"],
        8,
        "'move ' + moves[0]",
        "the bot has read all 7 lines after `board` and waits for more; this board has 5 rows (the line `size` says so)",
    ),
    (
        "answers its second turn in the first",
        &["loa", "--move-time", "2s"],
        0,
        "f'move {moves[0]}\\nmove {moves[1]}' if turn == 1 else None",
        " before \"go\" was read: read on until \"go\", then answer",
    ),
    (
        "imports what its author has in PYTHONPATH",
        &["loa", "--move-time", "120s"],
        0,
        "__import__('only_there')",
        "; PYTHONPATH of your shell does not reach a bot: set it by the key `env` of a [[bot]], or play with --sandbox off",
    ),
];

#[test]
fn the_sentence_says_what_led_to_a_mistake() {
    let dir = tempfile::tempdir().unwrap();
    for (number, (what, flags, rows, answer, part)) in MISTAKES.iter().enumerate() {
        let file = dir.path().join(format!("bot{number}.py"));
        fs::write(&file, format!("ROWS = {rows}\n{TURNS}run(lambda: {answer})\n")).unwrap();
        let bot = format!("python3 {}", file.display());
        let words =
            ["play", flags[0], &bot, "builtin:random", "--json", "--seed", "1", "--start", "120s"];
        let mut command = arbiter(&[&words[..], &flags[1..], &["--sandbox", "basic"]].concat());
        let ran: crate::support::Ran =
            command.env("PYTHONPATH", dir.path()).output().unwrap().into();
        let game: Value =
            serde_json::from_str(ran.stdout.lines().next().unwrap_or_default()).unwrap_or_default();
        let detail = game["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(part), "{what}: {detail}\n{ran:?}");
    }
}
