//! Tables of console programs and real processes: values in commands, where tables are found, and what is refused before the
//! first game.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use support::{has_strict, run};

/// Plays on the first free square. It ends with status 3 if its words are not those of lineup with n=3 on its side.
const PROGRAM: &str = r#"
case "$*" in "3 1 O 4 w" | "3 2 X 4 b") ;; *) echo "the words $*" >&2; exit 3 ;; esac
taken=' '
play() {
    for c in A B C; do for r in 0 1 2; do
        case "$taken" in *" $c$r "*) ;; *) taken="$taken$c$r "; echo "I play $c$r"; return ;; esac
    done; done
}
[ "$2" = 1 ] && play
while printf 'row: ' && read -r r && printf 'column: ' && read -r c; do
    taken="$taken$c$r "
    play
done
"#;

const TABLE: &str = r#"
[console]
needs = { n = 3 }
ask = [{ prompt = 'row: ', send = "{ply.y}" }, { prompt = 'column: ', send = "{ply.COL}" }]
move = 'I play (?<COL>[A-C])(?<y>\d)'
"#;

const COMMAND: &str =
    "command = ['sh', 'player.sh', '{n}', '{first:1|2}', '{side}', '{seconds}', '{side:O=w,X=b}']\n";

/// A folder with the program and this `bot.toml`.
fn program(folder: &Path, manifest: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("player.sh"), PROGRAM).unwrap();
    fs::write(folder.join("bot.toml"), manifest).unwrap();
}

#[test]
fn the_command_has_the_values_of_each_game() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("first-free");
    program(&bot, &format!("{COMMAND}dialect = 'console'\n{TABLE}"));
    let log = folder.path().join("games.pgn");
    for name in [bot.to_str().unwrap().to_owned(), format!("console:{}", bot.display())] {
        let words = ["play", "lineup", &name, "builtin:random", "--set", "n=3", "--games", "2", "--strict"];
        let ran = run(&[&words[..], &["--time", "396+0.1", "--log", log.to_str().unwrap()]].concat());
        assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
        assert!(fs::read_to_string(&log).unwrap().contains("[Result "), "{}", ran.stderr);
        fs::remove_file(&log).unwrap();
    }
    for (words, why) in [
        (&["lineup", "--set", "n=4"][..], "it needs n=3, not n=4: set it with --set, or in [options]"),
        (&["loa"], "it needs n=3, and loa has no option n"),
        (&["flipflop"], "the dialect `console` cannot play flipflop, where a turn may have two plies"),
        (
            &["lineup", "--set", "n=3", "--opening-plies", "2"],
            "because `turn` in its table has no {board}: write `opening-plies = 0`",
        ),
        (
            &["lineup", "--set", "n=3", "--position", "O2/3/3 X"],
            "leave out --opening-plies, --openings and --position",
        ),
    ] {
        let words = [&["play", words[0], bot.to_str().unwrap(), "builtin:random"], &words[1..]].concat();
        let ran = run(&words);
        assert!(ran.status != Some(0) && ran.stderr.contains(why), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn groups_of_another_game_are_refused_before_the_first_one() {
    let folder = tempfile::tempdir().unwrap();
    for (game, groups, why) in [
        ("loa", "(?<col>[a-h])(?<row>\\d)", "name no ply of loa, where it has two squares"),
        (
            "lineup",
            "(?<from.x>\\d)(?<from.y>\\d)(?<to.x>\\d)(?<to.y>\\d)",
            "name no ply of lineup, where it has one",
        ),
    ] {
        let bot = folder.path().join(game);
        program(
            &bot,
            &format!("command = 'sh player.sh'\ndialect = 'console'\n[console]\nmove = '{groups}'\n"),
        );
        let ran = run(&["play", game, bot.to_str().unwrap(), "builtin:random"]);
        assert!(ran.status != Some(0) && ran.stderr.contains(why), "{game}: {}", ran.stderr);
    }
}

#[test]
fn a_dialect_is_named_once_and_a_person_has_none() {
    for (bot, why) in [
        ("codingame:ugi:x", "it names two dialects, codingame and ugi; name one"),
        ("codingame:human", "a person has no dialect; write human"),
    ] {
        let ran = run(&["play", "loa", bot, "builtin:random"]);
        assert!(ran.status == Some(2) && ran.stderr.contains(why), "{bot}: {}", ran.stderr);
    }
}

#[test]
fn a_table_of_the_organiser_counts_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lineup.toml"), TABLE).unwrap();
    program(&folder.path().join("class/ann"), COMMAND);
    program(
        &folder.path().join("class/ben"),
        &format!("{COMMAND}dialect = 'console'\n[console]\nmvoe = '('"),
    );
    let cup = folder.path().join("cup.toml");
    let write = |opening_plies: &str, folders: &str| {
        let text = format!(
            "game = 'lineup'\n[options]\nn = 3\n[schedule]\n{opening_plies}\n[time]\nmove = '10s'\n[limits]\nsandbox = 'basic'\n\
             [[bots]]\nfolder = 'class'\n{folders}\n[[bot]]\nname = 'con'\ncommand = {COMMAND}dir = 'class/ann'\nconsole = 'lineup.toml'\n",
            COMMAND = COMMAND.strip_prefix("command = ").unwrap(),
        );
        fs::write(&cup, text).unwrap();
        run(&["tournament", cup.to_str().unwrap(), "--strict"])
    };
    let refused = write("", "console = 'lineup.toml'");
    assert!(
        refused.status != Some(0) && refused.stderr.contains("`opening-plies = 0` in [schedule]"),
        "{}",
        refused.stderr
    );
    let missing = write("opening-plies = 0", "console = 'linup.toml'");
    assert!(missing.status != Some(0) && missing.stderr.contains("linup.toml"), "{}", missing.stderr);
    let played = write("opening-plies = 0", "console = 'lineup.toml'");
    assert_eq!(played.status, Some(0), "{}{}", played.stdout, played.stderr);
}

#[test]
fn a_program_with_scratch_writes_beside_itself_anew_each_game() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("tracer");
    let command = COMMAND.replace("'sh', 'player.sh'", "'./player.sh'");
    program(&bot, &format!("{command}dialect = 'console'\nscratch = true\n{TABLE}"));
    let script =
        format!("#!/bin/sh\n[ ! -e trace ] && echo begin >trace && [ -f ./player.sh ] || exit 4\n{PROGRAM}");
    let file = bot.join("player.sh");
    fs::write(&file, script).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    symlink("/etc/passwd", bot.join("link")).unwrap();
    let play = |sandbox: &str, set: &str| {
        let words = [
            "play",
            "lineup",
            bot.to_str().unwrap(),
            "builtin:random",
            "--set",
            set,
            "--games",
            "2",
            "--strict",
        ];
        run(&[&words[..], &["--time", "396+0.1", "--sandbox", sandbox]].concat())
    };
    let levels: &[&str] =
        if has_strict("a copy under it") { &["off", "basic", "strict"] } else { &["off", "basic"] };
    for sandbox in levels {
        let ran = play(sandbox, "n=3");
        assert_eq!(ran.status, Some(0), "{sandbox}: {}{}", ran.stdout, ran.stderr);
        assert!(!bot.join("trace").exists());
    }
    fs::File::create(bot.join("large")).and_then(|file| (&file).write_all(&vec![1; 80 << 20])).unwrap();
    for sandbox in levels {
        let ran = play(sandbox, "n=3");
        assert_ne!(ran.status, Some(0), "{sandbox}: its folder is larger than a scratch folder may be");
    }
    fs::remove_file(bot.join("large")).unwrap();
    fs::write(bot.join("bot.toml"), format!("{command}dialect = 'console'\n{TABLE}")).unwrap();
    if levels.contains(&"strict") {
        assert_ne!(play("strict", "n=3").status, Some(0), "without scratch it cannot write");
    }
    fs::remove_file(bot.join("trace")).unwrap_or_default();
}
