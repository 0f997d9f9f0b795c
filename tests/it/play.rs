//! The commands as a user runs them, through real processes.

use crate::support::{
    Ran, arbiter, broken, has, project, run, sample, sample_bot, with_short_files, write_program,
};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

/// No healthy bot is near this limit on any machine.
const CALM: [&str; 4] = ["--move-time", "120s", "--start", "120s"];

fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [arguments, more].concat()
}

#[test]
fn the_sample_bots_play_every_game_on_both_sides_to_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let in_c = sample_bot("random-c", dir.path());
    let mut bots = vec!["bots/random-python", "bots/minimal-shell", "bots/greedy-python"];
    if has("cc", "the bot in C") && has("make", "the bot in C") {
        bots.push(&in_c);
    }
    let games =
        [("loa", "stuck=loss"), ("flipflop", "n=10"), ("lineup", "n=8"), ("gekitai", "l=4")];
    for (game, bot) in games.into_iter().flat_map(|game| bots.iter().map(move |bot| (game, bot))) {
        let log = dir.path().join(format!("{}.pgn", game.0));
        let log = log.to_str().unwrap();
        let ran = run(&with(
            &[
                "play",
                game.0,
                bot,
                "builtin:random",
                "-n",
                "2",
                "--strict",
                "--json",
                "--log",
                log,
                "--set",
                game.1,
            ],
            &CALM,
        ));
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let mut games: Vec<serde_json::Value> =
            ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let end = games.pop().unwrap();
        assert_eq!((games.len(), &end["type"], &end["games"]), (2, &"match".into(), &2.into()));
        assert!(end["difference"].is_number() && end["superiority"].is_number(), "{end}");
        assert_ne!(games[0]["white"], games[1]["white"], "sides alternate");
        for game in games {
            assert!(matches!(game["outcome"].as_str(), Some("win" | "suicide" | "draw")), "{game}");
        }
        assert_eq!(run(&["verify", log]).status, Some(0));
    }
}

#[test]
fn a_match_with_clocks_leaves_a_log_that_verifies_and_can_be_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("games.pgn");
    let log = log.to_str().unwrap();
    let match_of_four =
        ["play", "loa", "builtin:search", "builtin:greedy", "-n", "4", "--log", log];
    let ran = run(&with(
        &match_of_four,
        &["--time", "0.2+0.01", "--margin", "120s", "--seed", "7", "--concurrency", "2"],
    ));
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 5, "a line a game, and one for the match: {ran:?}");
    let end = ran.stdout.lines().last().unwrap();
    assert!(end.starts_with("search against greedy: ") && end.contains(" Elo (95 %: "), "{ran:?}");
    assert!(end.contains("likelihood of superiority"), "{ran:?}");
    assert!(ran.stderr.starts_with("bot     points  games"), "the table goes to stderr: {ran:?}");

    let verified = run(&["verify", log]);
    assert_eq!(verified.status, Some(0));
    assert_eq!(verified.stdout, format!("{log}: 4 games, valid\n"));
    let verified = run(&["verify", "--json", log]);
    assert_eq!(verified.stdout.matches("\"valid\":true").count(), 4);

    let text = std::fs::read_to_string(log).unwrap();
    for tag in [
        "TimeControl \"0.2+0.01\"",
        "MaxPlies \"400\"",
        "Repetition \"3\"",
        "Seed \"7\"",
        "Isolation \"basic\"",
    ] {
        assert_eq!(text.matches(&format!("[{tag}]")).count(), 4, "{tag}");
    }
    let table = run(&["standings", log]);
    let again = table.stdout.lines().last().unwrap();
    assert!(again.contains(" against ") && again.contains(" Elo (95 %: "), "{table:?}");
    assert!(table.stdout.contains("search") && table.stdout.contains("greedy"), "{table:?}");
    assert!(
        run(&["standings", "--format", "markdown", log])
            .stdout
            .starts_with("| rank | bot | points |")
    );
    assert!(
        run(&["standings", "--format", "json", log])
            .stdout
            .starts_with("{\n  \"type\": \"standings\",\n  \"v\": 2,\n")
    );
    let replayed = run(&["replay", "--plain", log, "3"]);
    assert!(replayed.stdout.contains("  a b c d e f g h\n0 . W W W W W W .\n"), "{replayed:?}");
    assert!(replayed.stdout.contains("\n1. B "), "{replayed:?}");
    let none = run(&["replay", "--plain", log, "5"]);
    assert_eq!(none.status, Some(2));
    assert!(none.stderr.contains("there is no game 5: it has 4 games"), "{none:?}");
}

#[test]
fn the_same_seed_gives_the_same_games_whatever_the_concurrency() {
    let dir = tempfile::tempdir().unwrap();
    let games = |name: &str, seed: &str, concurrency: &str| {
        let log = dir.path().join(name);
        let log = log.to_str().unwrap();
        let ran = run(&with(
            &[
                "play",
                "loa",
                "builtin:random",
                "builtin:greedy",
                "-n",
                "6",
                "--seed",
                seed,
                "--concurrency",
                concurrency,
                "--log",
                log,
            ],
            &CALM,
        ));
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let text = std::fs::read_to_string(log).unwrap();
        // A game says so if the machine disturbed it, or its bots waited for a processor.
        let is_of_machine =
            |line: &&str| line.starts_with("[Disturbed ") || line.starts_with("[Times ");
        let lines = text.lines().filter(|line| !is_of_machine(line));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        let mut games: Vec<String> = text
            .split("[Event ")
            .map(|game| {
                // Without the comments, which hold times.
                let plain: String = game
                    .split('{')
                    .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest))
                    .collect();
                plain
                    .split_ascii_whitespace()
                    .filter(|word| !word.contains('.') || word.contains('~'))
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        games.sort();
        games
    };
    let first = games("a.pgn", "5", "1");
    assert_eq!(first.len(), 7);
    assert_eq!(first, games("b.pgn", "5", "3"));
    assert_ne!(first, games("c.pgn", "6", "1"));
}

#[test]
fn games_that_repeat_earlier_ones_are_counted() {
    let said = |more: &[&str]| {
        let ran = run(&with(
            &with(&["play", "lineup", "bots/minimal-shell", "bots/minimal-shell"], more),
            &CALM,
        ));
        assert_eq!(ran.status, Some(0), "{ran:?}");
        ran.stderr
    };
    // Two games differ by their sides.
    assert!(said(&["-n", "5"]).contains("note: 3 of 5 games repeat an earlier one"));
    assert!(!said(&["-n", "2"]).contains("repeat"));
    assert!(!said(&["-n", "5", "--opening-plies", "1"]).contains("repeat"));
}

/// What is said of two bots with one name.
const SAME_NAME: &str =
    "note: both bots are called random; the second one is random-2 (see --name)\n";

#[test]
fn bots_have_the_names_that_they_are_given() {
    let both = ["play", "loa", "builtin:random", "builtin:random", "--time", "none"];
    for (names, id, said) in [
        (&["--name", "old", "--name", "new"][..], "new~old.1  old (B)", ""),
        (&["--name", "old"], "old~random.1  old (B)", ""),
        (&[], "random~random-2.1  random (B)", SAME_NAME),
    ] {
        let ran = run(&with(&both, names));
        assert!(
            ran.status == Some(0) && ran.stdout.starts_with(id) && ran.stderr == said,
            "{ran:?}"
        );
    }
    for (names, error) in [
        (&["--name", "my bot"][..], "a name is 1 to 64 of a to z"),
        (&["--name", "a", "--name", "A"], "--name: both bots would be called a"),
        (&["--name", "a", "--name", "b", "--name", "c"], "--name: there are two bots, not 3"),
    ] {
        let ran = run(&with(&both, names));
        assert!(
            ran.status == Some(2) && ran.stderr.contains(error) && ran.stdout.is_empty(),
            "{ran:?}"
        );
    }
    // A label is any text; in results other characters become dashes, as in a file's name.
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(
        dir.path().join("bot.toml"),
        "name = \"Conny's bot\"\ncommand = 'python3 bot.py'\n",
    )
    .unwrap();
    std::fs::copy(project("bots/random-python/bot.py"), dir.path().join("bot.py")).unwrap();
    let bot = dir.path().to_str().unwrap();
    let ran = run(&with(&["play", "loa", bot, "builtin:random"], &CALM));
    assert!(ran.status == Some(0) && ran.stdout.starts_with("Conny-s-bot~random.1  "), "{ran:?}");
    // Without the file, the way out is named.
    std::fs::remove_file(dir.path().join("bot.toml")).unwrap();
    let ran = run(&["play", "loa", bot, "builtin:random"]);
    let expected = format!(
        "arbiter: {bot}: the folder has no bot.toml; name the program in it instead, such as \"python3 {bot}/bot.py\", \
         or write {bot}/bot.toml with the line command = \"python3 bot.py\"\n"
    );
    assert!(ran.status == Some(2) && ran.stderr == expected, "{ran:?}");
}

/// Commands, the same as a list of words, and what is started: what its script says, or
/// else an error.
const COMMANDS: [(&str, &[&str], &str); 16] = [
    ("mybot", &["mybot"], "mybot of here:"),
    ("mybot x", &["mybot", "x"], "mybot of here: x"),
    ("'mybot' 'x y'", &["mybot", "x y"], "mybot of here: x y"),
    ("other x", &["other", "x"], "other of PATH: x"),
    ("./mybot x", &["./mybot", "x"], "mybot of here: x"),
    ("ok.py x", &["ok.py", "x"], "ok.py of here: x"),
    ("plaindir", &["plaindir"], "bot of plaindir:"),
    ("'plaindir/'", &["plaindir/"], "bot of plaindir:"),
    ("\"conny's dir\"", &["conny's dir"], "bot of conny's dir:"),
    // A whole text that is a path comes before PATH, which has the command `other`.
    ("other dir", &["other dir"], "bot of other dir:"),
    ("conny\\'s\\ dir", &["conny's dir"], "bot of conny's dir:"),
    ("my bot", &["my bot"], "my bot of here:"),
    ("'my bot' x", &["my bot", "x"], "my bot of here: x"),
    ("plaindir x", &["plaindir", "x"], "plaindir: is a folder, not a program"),
    ("conny's bot", &["conny's bot"], "conny's bot of here:"),
    ("nosuch x", &["nosuch", "x"], "nosuch: no such file, folder or command"),
];

/// A program that says how it was started, and ends.
fn write_speaker(path: &Path, place: &str) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let text = format!("#!/bin/sh\necho \"{name} of {place}: $*\" >&2\nexit 1\n");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    write_program(path, text);
}

#[test]
fn a_command_means_the_same_wherever_it_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let (here, path) = (dir.path().join("here"), dir.path().join("path"));
    for name in ["mybot", "ok.py", "my bot", "conny's bot"] {
        write_speaker(&here.join(name), "here");
    }
    for name in ["mybot", "other", "my"] {
        write_speaker(&path.join(name), "PATH");
    }
    for name in ["plaindir", "conny's dir", "other dir"] {
        write_speaker(&here.join(name).join("bot"), name);
        std::fs::write(here.join(name).join("bot.toml"), "command = './bot'\n").unwrap();
    }
    let search = format!("{}:{}", path.display(), std::env::var("PATH").unwrap());
    let said = |arguments: &[&str]| {
        let ran = arbiter(arguments).current_dir(&here).env("PATH", &search).output().unwrap();
        String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap()
    };
    let mut complaints = Vec::new();
    for (line, words, expected) in sample(COMMANDS, 3) {
        let native = format!("native:{line}");
        let list = format!("{words:?}");
        let [line_toml, native_toml] = [line, &native].map(|text| format!("{text:?}"));
        let of_tournament = |command: &str| {
            let config = format!(
                "game = 'lineup'\n[limits]\nsandbox = 'basic'\n[[bot]]\nname = 'b'\ncommand = {command}\n\
                 [[bot]]\nname = 'r'\ncommand = 'builtin:random'\n"
            );
            std::fs::write(here.join("cup.toml"), config).unwrap();
            said(&["tournament", "cup.toml"])
        };
        // Its folder is where a bot.toml looks for files, and it takes no other bot's folder.
        let of_manifest = |command: &str| {
            std::fs::write(here.join("bot.toml"), format!("command = {command}\n")).unwrap();
            let said = said(&["play", "lineup", ".", "builtin:random"]);
            std::fs::remove_file(here.join("bot.toml")).unwrap();
            said
        };
        let roads = [
            ("play", expected, said(&["play", "lineup", line, "builtin:random"])),
            ("play native:", expected, said(&["play", "lineup", &native, "builtin:random"])),
            ("[[bot]]", expected, of_tournament(&line_toml)),
            ("[[bot]] list", expected, of_tournament(&list)),
            ("bot.toml", expected, of_manifest(&line_toml)),
            ("bot.toml native:", expected, of_manifest(&native_toml)),
            ("bot.toml list", expected, of_manifest(&list)),
        ];
        for (road, expected, said) in roads {
            let is_folder = road.starts_with("bot.toml") && expected.starts_with("bot of");
            let expected = if is_folder { "is a folder, not a program" } else { expected };
            if !said.contains(expected) {
                complaints.push(format!("{road}: {line}: expected {expected:?}: {said}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn a_path_that_a_shell_has_unquoted_is_a_bot() {
    let dir = tempfile::tempdir().unwrap();
    write_speaker(&dir.path().join("conny's bot"), "here");
    for bot in ["conny's bot", "./conny's bot", "native:conny's bot"] {
        let ran =
            arbiter(&["play", "lineup", bot, "builtin:random"]).current_dir(dir.path()).output();
        let said = String::from_utf8(ran.unwrap().stdout).unwrap();
        assert!(said.contains("conny's bot of here"), "{bot}: {said}");
    }
}

#[test]
fn a_bot_that_removes_its_own_folder_loses_its_next_game() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("leaver");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("bot.toml"), "command = ['sh', 'bot.sh']\ngames = ['any']\n")
        .unwrap();
    let bot = "while read -r word rest; do case $word in\n\
        start) echo ready ;;\n\
        go) rm -r \"$PWD\"; echo resign ;;\n\
        esac; done\n";
    std::fs::write(folder.join("bot.sh"), bot).unwrap();
    let ran = run(&[
        "play",
        "lineup",
        folder.to_str().unwrap(),
        "builtin:random",
        "-n",
        "2",
        "--sandbox",
        "basic",
        "--json",
    ]);
    let games: Vec<serde_json::Value> =
        ran.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let lost = |game: &serde_json::Value, how: &str| {
        game["winner"] == "random" && game["termination"] == how
    };
    assert!(lost(&games[0], "resign") && lost(&games[1], "no-start"), "{ran:?}");
    let detail = games[1]["detail"].as_str().unwrap();
    assert!(detail.contains("its folder") && detail.contains("cannot be entered"), "{detail}");
}

#[test]
fn arbiter_raises_its_limit_of_open_files_and_bots_keep_theirs() {
    let dir = tempfile::tempdir().unwrap();
    let bot = dir.path().join("bot.sh");
    std::fs::write(&bot, "echo soft $(ulimit -Sn) >&2\nexit 1\n").unwrap();
    let bot = format!("sh {}", bot.display());
    let limited = |arguments: &[&str]| {
        let plain = arbiter(arguments);
        let mut command = std::process::Command::new("sh");
        // The hard limit stays above what the games need.
        command.args(["-c", "ulimit -Sn 40 && exec \"$@\"", "sh"]).arg(plain.get_program());
        Ran::from(command.args(plain.get_args()).current_dir(project("")).output().unwrap())
    };
    for sandbox in ["off", "basic"] {
        let ran = limited(&["play", "lineup", &bot, "builtin:random", "--sandbox", sandbox]);
        assert!(ran.stdout.contains("soft 40"), "{sandbox}: {ran:?}");
    }
    // At least eight descriptors a game: two bots with three pipes and a channel each.
    let games =
        ["play", "lineup", "builtin:random", "builtin:random", "-n", "12", "--concurrency", "12"];
    let ran = limited(&with(&with(&games, &["--set", "n=4", "--set", "s=3"]), &CALM));
    assert!(ran.status == Some(0) && !ran.stdout.contains("aborted"), "{ran:?}");
}

#[test]
fn a_folder_for_temporary_files_may_be_empty_or_relative() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("relative/tmp")).unwrap();
    std::fs::create_dir(dir.path().join("bot")).unwrap();
    let bot = dir.path().join("bot/bot.sh");
    std::fs::write(&bot, "echo \"TMPDIR=$TMPDIR:\" >&2\nexit 1\n").unwrap();
    let said = |folder: &str, bot: &str, sandbox: &str| {
        let mut command =
            arbiter(&with(&["play", "lineup", bot, "builtin:greedy", "--sandbox", sandbox], &CALM));
        let ran = command.current_dir(dir.path()).env("TMPDIR", folder).output().unwrap();
        Ran::from(ran)
    };
    let absolute = dir.path().join("relative/tmp").display().to_string();
    let usual = said(&absolute, "builtin:random", "strict");
    for (folder, expected) in [("", "/tmp"), ("relative/tmp", absolute.as_str())] {
        let ran = said(folder, "sh bot/bot.sh", "basic");
        assert!(ran.stdout.contains(&format!("TMPDIR={expected}:")), "{folder:?}: {ran:?}");
        let ran = said(folder, "builtin:random", "strict");
        assert!(ran.status == Some(0) && !ran.stdout.contains("forfeit"), "{folder:?}: {ran:?}");
        assert_eq!(ran.stderr, usual.stderr, "the isolation is the same with {folder:?}");
    }
}

#[test]
fn a_script_may_have_a_name_that_begins_with_a_dash() {
    // As a version manager has it: what `env` finds is a shim.
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("pyenv");
    for folder in ["shims", "versions/1.0/bin"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
        std::os::unix::fs::symlink("/bin/sh", root.join(folder).join("sh-of-pyenv")).unwrap();
    }
    std::fs::write(root.join("version"), "1.0\n").unwrap();
    let script = dir.path().join("-dash.sh");
    let text = std::fs::read_to_string(project("bots/minimal-shell/bot.sh")).unwrap();
    write_program(&script, text.replacen("#!/bin/sh", "#!/usr/bin/env sh-of-pyenv", 1));
    let search = format!("{}:{}", root.join("shims").display(), std::env::var("PATH").unwrap());
    let arguments =
        with(&["play", "lineup", "./-dash.sh", "builtin:random", "--set", "n=4"], &CALM);
    let mut command = arbiter(&with(&arguments, &["--set", "s=3"]));
    let ran = Ran::from(command.current_dir(dir.path()).env("PATH", search).output().unwrap());
    assert!(ran.status == Some(0) && !ran.stdout.contains("forfeit"), "{ran:?}");
}

#[test]
fn strict_ends_with_the_reason_for_its_exit_status() {
    let bot = broken("illegal");
    let of = |more: &[&str]| run(&with(&["play", "loa", &bot, "builtin:random", "-n", "2"], more));
    for (strict, status) in [("--strict", 1), ("--strict=broken", 1), ("--strict=random", 0)] {
        let ran = of(&with(&CALM, &[strict]));
        assert_eq!(ran.status, Some(status), "{ran:?}");
        let said =
            ran.stderr.lines().last() == Some("exit status 1: broken lost 2 games by forfeit");
        assert_eq!(said, status == 1, "{ran:?}");
    }
}

#[test]
fn help_groups_its_options_and_has_examples() {
    let help = run(&["play", "--help-all"]).stdout;
    let groups = [
        "Options:",
        "Clocks:",
        "Rules of the match:",
        "Limits of the bots:",
        "Openings and seeds:",
        "Output:",
    ];
    for group in groups.into_iter().chain([
        "Examples:",
        "--clock <wall|cpu>",
        "--sandbox <off|basic|strict>",
    ]) {
        assert_eq!(help.matches(group).count(), 1, "{group}: {help}");
    }
    let help = run(&["tournament", "--help-all"]).stdout;
    for group in ["Options:", "Output:", "Games of earlier runs:", "Examples:"] {
        assert_eq!(help.matches(group).count(), 1, "{group}: {help}");
    }
    assert!(run(&["--help"]).stdout.contains("\nExamples:\n"));
    let default = run(&["tournament", "--print-default"]).stdout;
    assert!(default.contains("#dialect = ") && default.contains("console"), "{default}");
}

#[test]
fn a_reader_that_leaves_early_ends_the_match_without_a_panic() {
    let mut child = arbiter(&with(
        &["play", "loa", "builtin:random", "builtin:random", "-n", "1000000"],
        &CALM,
    ))
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap(); // and the pipe is closed
    let output = child.wait_with_output().unwrap();
    assert!(line.starts_with("random~random-2.1  random (B) "), "{line}");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), SAME_NAME);
    for command in [&["moves", "loa"][..], &["perft", "loa", "2", "--divide"], &["--help"]] {
        let mut child =
            arbiter(command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(
            !String::from_utf8_lossy(&output.stderr).contains("panicked"),
            "{command:?} {output:?}"
        );
    }
}

#[test]
fn a_transcript_has_every_line_both_ways() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("transcript.txt");
    let file = file.to_str().unwrap();
    let ran = run(&[
        "play",
        "loa",
        &broken("stray-debug"),
        "builtin:random",
        "--time",
        "none",
        "--transcript",
        file,
    ]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let text = std::fs::read_to_string(file).unwrap();
    for line in [
        "broken > arena 1",
        "broken > time none",
        "broken < ready",
        "broken > since",
        "broken ? thinking...",
        "broken ! depth 3",
        "broken < move a1a7",
        "random > you W",
        "random < ready reuse lean",
        "broken > quit",
    ] {
        let found = text.lines().any(|found| {
            let (time, rest) = found.split_once(' ').unwrap();
            time.parse::<f64>().is_ok() && rest == line
        });
        assert!(found, "{line}\n{text}");
    }
    assert!(!text.contains("> clock"), "without a clock there is no such line");
    assert!(text.lines().any(|line| line.contains(" broken > end ")));
}

#[test]
fn what_bots_write_for_their_authors_is_kept_game_by_game() {
    let dir = tempfile::tempdir().unwrap();
    let logs = dir.path().join("bots");
    let logs = logs.to_str().unwrap();
    let bot = broken("stray-debug");
    let ran =
        run(&with(&["play", "loa", &bot, "builtin:random", "-n", "2", "--bot-logs", logs], &CALM));
    assert_eq!(ran.status, Some(0), "{ran:?}");
    // Each line with the ply that the bot had been asked for: its first, its second.
    for (game, plies) in [("broken~random.1", [1, 3]), ("broken~random.2", [2, 4])] {
        let log = std::fs::read_to_string(format!("{logs}/broken/{game}.log")).unwrap();
        let [said, astray] = ["depth 3", "thinking..."]
            .map(|text| plies.iter().map(|ply| format!("{ply:>4}  {text}\n")).collect::<String>());
        assert!(
            log.starts_with("== stderr; in front, the ply") && log.contains(&format!("\n{said}")),
            "{log}"
        );
        assert!(
            log.contains("\n== stdout, lines that are no answer; ")
                && log.contains(&format!("\n{astray}")),
            "{log}"
        );
        let silent = Path::new(logs).join(format!("random/{game}.log"));
        assert!(!silent.exists(), "who wrote nothing leaves no file");
    }
}

#[test]
fn what_a_bot_writes_that_does_not_start_is_kept_too() {
    let dir = tempfile::tempdir().unwrap();
    let logs = dir.path().to_str().unwrap();
    let bot = "sh -c 'echo no luck today >&2; exit 4'";
    let ran =
        run(&with(&["play", "loa", bot, "builtin:random", "--bot-logs", logs, "--json"], &CALM));
    assert!(
        ran.stdout.contains("no luck today") && ran.stdout.contains("exit status 4"),
        "{ran:?}"
    );
    let log = std::fs::read_to_string(format!("{logs}/sh/random~sh.1.log")).unwrap();
    assert_eq!(
        log,
        "== stderr; in front, the ply that the bot had last been asked for\n   0  no luck today\n"
    );
}

#[test]
fn a_turn_of_two_pieces_goes_as_the_protocol_says() {
    let dir = tempfile::tempdir().unwrap();
    let transcript = dir.path().join("lines.txt");
    let log = dir.path().join("games.pgn");
    let (transcript, log) = (transcript.to_str().unwrap(), log.to_str().unwrap());
    // Enough games for every kind of turn: second pieces placed and declined, sides that cannot
    // place anything. One bot draws its plies anew in each run, and of twelve games now and then
    // none has a forced pass.
    let ran = run(&with(
        &[
            "play",
            "flipflop",
            "bots/random-python",
            "builtin:random",
            "-n",
            "60",
            "--seed",
            "5",
            "--strict",
            "--transcript",
            transcript,
            "--log",
            log,
        ],
        &CALM,
    ));
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(run(&["verify", log]).stdout, format!("{log}: 60 games, valid\n"));
    let lines = std::fs::read_to_string(transcript).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    let mut seconds = 0;
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.contains("> piece ")) {
        let Some((_, moves)) = lines[at + 1].split_once("> moves") else { continue }; // the other bot asked for `lean`
        let second = line.ends_with("> piece 2");
        assert!(second || line.ends_with("> piece 1"), "{line}");
        assert_eq!(
            moves.ends_with(" pass"),
            second,
            "only a second piece may be declined: {moves}"
        );
        seconds += usize::from(second);
    }
    let declined = lines.iter().filter(|line| line.ends_with("< move pass")).count();
    let log = std::fs::read_to_string(log).unwrap();
    let passes = log.split_ascii_whitespace().filter(|&word| word == "pass").count();
    assert!(seconds > 0 && declined > 0 && passes > declined, "{seconds} {declined} {passes}");
}

#[test]
fn the_games_are_listed_with_what_their_options_may_be() {
    let ran = run(&["games"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for line in [
        "loa  Lines of Action; B moves first, then W\n",
        "  n             rows and columns: an even number, 8 to 24; default 8\n",
        "  s             pieces in a row that win: 3 to n; default the smaller of 4 and n\n",
        "  p             pieces of each side; all of them on the board win: 1 to half the squares; default 8; 6 when n=5\n",
    ] {
        assert!(ran.stdout.contains(line), "{line:?} is not in {ran:?}");
    }
}

#[test]
fn moves_and_perft_answer_from_any_position() {
    let ran = run(&["moves", "loa", "--position", "B6W/8/8/8/8/8/8/W6B B"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (Some(0), "a0a2\na0c0\na0c2\nh7f5\nh7f7\nh7h5\n")
    );
    let ran = run(&["moves", "loa", "--position", "BW6/WW6/8/8/8/8/6WW/6WB B"]);
    assert_eq!(ran.stdout, "pass\n");
    let ran = run(&["moves", "loa", "--position", "BB6/8/8/8/8/8/8/W6W W"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), ""));
    assert!(ran.stderr.contains("the position is over: B wins (connected)"), "{ran:?}");
    let ran = run(&["perft", "loa", "4"]);
    assert_eq!(ran.stdout, "1563208\n");
    let ran = run(&["perft", "loa", "2", "--divide", "--position", "B7/8/8/2BB1W2/8/8/8/W6W B"]);
    assert!(
        ran.stdout.starts_with("a0a2 12\na0b0 12\nc3b2 14\n")
            && ran.stdout.ends_with("d3g6 13\n195\n"),
        "{ran:?}"
    );
}

#[test]
fn bad_usage_is_named_and_exits_with_2() {
    let table: &[(&[&str], &str)] = &[
        (
            &["play", "chess", "builtin:random", "builtin:random"],
            "unknown game `chess`; the games are: loa, flipflop, lineup, gekitai",
        ),
        (
            &["moves", "flipflop", "--set", "n=9"],
            "option `n` cannot be `9`: it is an even number, 8 to 24 (default 8)",
        ),
        (
            &["moves", "lineup", "--set", "n=6", "--set", "s=7"],
            "option `s` cannot be `7`: it is 3 to n, where n is 6 (default the smaller of 4 and n)",
        ),
        (
            &["hotseat", "lineup", "--set", "blocks=a1,c2,A1"],
            "option `blocks` cannot be `a1,c2,A1`: A1 is there twice",
        ),
        (
            &["moves", "flipflop", "--position", "8/8/8/3WB3/3BW3/8/8/8 W"],
            "2 fields where 3 are needed",
        ),
        (
            &["play", "loa", "builtin:random", "builtin:random", "--set", "stuck=win"],
            "option `stuck` cannot be `win`: it is pass or loss",
        ),
        (
            &["play", "loa", "builtin:random", "builtin:random", "--set", "stuk=loss"],
            "unknown option `stuk` of loa",
        ),
        (
            &["play", "loa", "builtin:random", "builtin:random", "--set", "stuck"],
            "--set stuck: write KEY=VALUE",
        ),
        (
            &["play", "loa", "builtin:random", "builtin:random", "--time", "fast"],
            "`fast` is not a time control",
        ),
        (
            &["play", "loa", "builtin:random", "builtin:random", "--move-time", "5sec"],
            "a number and a unit",
        ),
        (
            &["play", "loa", "builtin:random", "builtin:random", "--position", "B"],
            "1 field where 2 are needed",
        ),
        (
            &[
                "play",
                "loa",
                "builtin:random",
                "builtin:random",
                "--position",
                "BB6/8/8/8/8/8/8/W6W W",
            ],
            "the game is over there already (connected)",
        ),
        (
            &["play", "loa", "builtin:random", "builtin:random", "--strict=conny"],
            "--strict=conny: no bot of that name plays",
        ),
        (
            &["play", "loa", "builtin:random", "builtin:random", "--log", "/no/such/folder/x.pgn"],
            "--log /no/such/folder/x.pgn: No such file",
        ),
        (&["play", "loa", "builtin:random", "builtin:random", "-n", "0"], "0 is not in 1.."),
        (
            &["play", "loa", "builtin:random", "builtin:random", "--repetition", "1"],
            "a position always occurs once",
        ),
        (&["play", "loa", "builtin:random"], "<BOT>"),
        (&["verify", "/no/such/file.pgn"], "/no/such/file.pgn: No such file"),
        (&["verify"], "<FILE>"),
        (&["standings", "/no/such/file.pgn"], "/no/such/file.pgn: No such file"),
        (
            &["bot", "deepblue"],
            "there is no such bot; there are builtin:random, builtin:greedy, builtin:search",
        ),
        (&["moves", "loa", "--position", "8/8/8/8/8/8/8/8 B"], "there is no piece of B"),
        (&["perft", "loa", "x"], "invalid digit"),
        (&["frobnicate"], "unrecognized subcommand"),
    ];
    for (arguments, words) in table {
        let ran = run(arguments);
        assert_eq!(ran.status, Some(2), "{arguments:?} {ran:?}");
        assert!(ran.stderr.contains(words), "{arguments:?}: {words:?} is not in {ran:?}");
        assert_eq!(ran.stdout, "", "{arguments:?}");
    }
}

#[test]
fn verify_names_file_line_game_and_ply() {
    let bad = project("tests/vectors/games/bad");
    for line in std::fs::read_to_string(bad.join("index.jsonl")).unwrap().lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let path = bad.join(row["file"].as_str().unwrap());
        let ran = run(&["verify", path.to_str().unwrap()]);
        assert_eq!(ran.status, Some(1), "{ran:?}");
        let game = row["game"].as_u64().unwrap();
        let place = match row["ply"].as_u64() {
            Some(ply) => format!(": game {game}, ply {ply}: "),
            None => format!(": game {game}: "),
        };
        assert!(
            ran.stdout.contains(path.to_str().unwrap()) && ran.stdout.contains(&place),
            "{row}: {ran:?}"
        );
    }
    // `replay` shows such a game up to the error.
    let bad = bad.join("01.pgn");
    let ran = run(&["replay", "--plain", bad.to_str().unwrap()]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(
        ran.stdout.contains("\n34. ")
            && ran.stdout.contains("\n35. ")
            && !ran.stdout.contains("\n36. ")
    );
    assert!(
        ran.stdout.contains("  illegal: ") && ran.stderr.contains("game 1, ply 35: "),
        "{ran:?}"
    );
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        std::fs::write(dir.path().join(name), format!("\u{feff}{text}")).unwrap();
    };
    write("openings.txt", "4/4/4/4 O\n");
    let bots =
        "[[bot]]\nname = 'r'\ncommand = 'builtin:random'\n[[bot]]\nname = 's'\ncommand = 'own'\n";
    let settings = "game = 'lineup'\n[options]\nn = 4\ns = 3\n[limits]\nsandbox = 'basic'\n[schedule]\n\
                    openings = 'openings.txt'\ngames = 2\n[time]\nmove = '120s'\nstart = '120s'\n";
    write("cup.toml", &format!("{settings}{bots}"));
    std::fs::create_dir(dir.path().join("own")).unwrap();
    write("own/bot.toml", "command = 'sh bot.sh'\n");
    std::fs::copy(project("bots/minimal-shell/bot.sh"), dir.path().join("own/bot.sh")).unwrap();
    let ran =
        arbiter(&["tournament", "cup.toml", "--strict"]).current_dir(dir.path()).output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let board = ["--set", "n=4", "--set", "s=3", "--openings", "openings.txt"];
    let play = with(&["play", "lineup", "builtin:random", "builtin:greedy"], &with(&CALM, &board));
    let ran = arbiter(&play).current_dir(dir.path()).output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
}

#[test]
fn openings_that_do_not_suffice_are_reported_before_the_first_game() {
    let ran = run(&[
        "play",
        "flipflop",
        "builtin:random",
        "builtin:random",
        "--opening-plies",
        "1",
        "-n",
        "2000",
    ]);
    assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{ran:?}");
    assert!(ran.stderr.contains("--opening-plies: opening-plies = 1: no opening"), "{ran:?}");
}

/// Arguments that play a short game of two bots of these names and append it to a log.
fn short_game<'a>(names: [&'a str; 2], log: &'a str) -> Vec<&'a str> {
    let [first, second] = names;
    let bots =
        ["play", "loa", "builtin:random", "builtin:greedy", "--name", first, "--name", second];
    with(&bots, &["--max-plies", "8", "--sandbox", "off", "--log", log])
}

#[test]
fn a_game_behind_one_that_was_cut_off_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let [first, log] =
        ["first.pgn", "log.pgn"].map(|name| dir.path().join(name).display().to_string());
    assert_eq!(run(&short_game(["ada", "bea"], &first)).status, Some(0));
    let whole = std::fs::read_to_string(&first).unwrap();
    let inside = |text: &str| whole.find(text).unwrap() + text.len();
    let cuts = [
        ("inside the first tag", 3),
        ("inside a value", inside("[White \"")),
        ("behind a tag", inside("[Round \"1.1\"]\n")),
        ("before the moves", inside("]\n\n")),
        ("inside a comment", inside("{0.")),
        ("before the empty line", whole.len() - 1),
        ("nothing is missing", whole.len()),
    ];
    for (place, cut) in cuts {
        for command in ["play", "rerun"] {
            std::fs::write(&log, &whole[..cut]).unwrap();
            let ran = if command == "play" {
                run(&short_game(["cleo", "dora"], &log))
            } else {
                let other = dir.path().join("other.pgn").display().to_string();
                let _ = std::fs::remove_file(&other);
                assert_eq!(run(&short_game(["cleo", "dora"], &other)).status, Some(0));
                run(&["rerun", &other, "--bot", "cleo=builtin:random", "--log", &log])
            };
            assert_eq!(ran.status, Some(0), "{place}, {command}: {ran:?}");
            let text = std::fs::read_to_string(&log).unwrap();
            assert!(text.starts_with(&whole[..cut]), "{place}, {command}: {text}");
            let table = run(&["standings", &log]);
            assert!(table.stdout.contains("cleo"), "{place}, {command}: {table:?}\n{text}");
            let is_whole = cut + 1 >= whole.len();
            let verified = run(&["verify", &log]);
            assert_eq!(
                verified.status,
                Some(if is_whole { 0 } else { 1 }),
                "{place}, {command}: {verified:?}"
            );
        }
    }
}

#[test]
fn a_game_that_cannot_be_written_whole_leaves_nothing_in_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log.pgn");
    let path = log.to_str().unwrap();
    let before = format!("{:7499}\n", "; a comment of the user");
    std::fs::write(&log, &before).unwrap();
    let ran: Ran = with_short_files(7_800, &arbiter(&short_game(["ada", "bea"], path)))
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("File too large"), "{ran:?}");
    assert_eq!(std::fs::read_to_string(&log).unwrap(), before);
}

#[test]
fn logs_of_bots_that_cannot_be_written_cost_no_game() {
    let dir = tempfile::tempdir().unwrap();
    let [logs, log] = ["bots", "log.pgn"].map(|name| dir.path().join(name).display().to_string());
    std::fs::create_dir(&logs).unwrap();
    std::fs::write(format!("{logs}/broken"), "where the folder of its logs has to be").unwrap();
    let bot = broken("stray-debug");
    let bots =
        ["play", "loa", &bot, "builtin:random", "-n", "3", "--bot-logs", &logs, "--log", &log];
    let ran = run(&with(&bots, &CALM));
    // The user asked for the logs, so it is no success.
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("--bot-logs: 3 logs of bots could not be written"), "{ran:?}");
    assert_eq!(ran.stderr.matches("warning: what broken wrote").count(), 1, "{ran:?}");
    assert_eq!(std::fs::read_to_string(&log).unwrap().matches("[Event ").count(), 3);
}
