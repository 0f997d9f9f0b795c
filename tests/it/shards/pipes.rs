//! A folder may come from another person: what is no regular file in it is refused, and never
//! waited for. What the command line names may be a pipe.

use crate::shards::{merges, play_shards};
use crate::support::place::{BOTS, Place, cup};
use crate::support::{Ran, arbiter, wait_or_say};
use std::fs;
use std::os::unix::net::UnixListener;
use std::process::{Child, Command, Stdio};

/// Puts a named pipe in the place of a file.
fn pipe(place: &Place, name: &str) {
    let path = place.path(name);
    let _ = fs::remove_file(&path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success(), "{name}");
}

/// Waits until a program ends by itself.
fn ended(mut child: Child, what: &str) -> Ran {
    let mut end = || child.try_wait().unwrap().map(drop);
    wait_or_say(&mut end, || format!("the end of {what}"));
    child.wait_with_output().unwrap().into()
}

/// Runs a command, `{}` being the folder of the place.
fn runs(place: &Place, command: &str) -> Ran {
    let folder = place.path("").display().to_string();
    let words: Vec<String> = command.split(' ').map(|word| word.replace("{}/", &folder)).collect();
    let mut program = arbiter(&words.iter().map(String::as_str).collect::<Vec<_>>());
    program.env_remove("GITHUB_STEP_SUMMARY");
    let child = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    ended(child, command)
}

/// A place with a shard in `one`, and its configuration in `cup.toml`.
fn shared() -> (Place, String) {
    let place = Place::with_bots();
    let config = cup("games = 2", "", &BOTS);
    play_shards(&place, &config, 2, "shard", &[]);
    place.write("cup.toml", &config);
    (place, config)
}

#[test]
fn nothing_but_a_regular_file_is_read_from_a_folder_or_for_a_configuration() {
    let (place, config) = shared();
    let game = place.journal("shard1")[0].0.clone();
    pipe(&place, "j/journal.jsonl");
    fs::create_dir(place.path("s")).unwrap();
    let _socket = UnixListener::bind(place.path("s/journal.jsonl")).unwrap();
    pipe(&place, "g/games.pgn");
    fs::copy(place.path("shard1/journal.jsonl"), place.path("g/journal.jsonl")).unwrap();
    pipe(&place, "key");
    pipe(&place, "openings");
    place.write("keyed.toml", &format!("{config}[publish]\nnames = 'alias'\nkey-file = 'key'\n"));
    place.write("listed.toml", &config.replace("opening-plies = 2", "openings = 'openings'"));
    let tournament = "tournament {}/cup.toml --out {}/out";
    let journal = [
        "merge {}/shard1 {}/J --out {}/out".to_owned(),
        "merge {}/shard1 --out {}/J".to_owned(),
        format!("rerun {{}}/J {game}"),
        format!("{tournament} --shard 1/2 --from {{}}/J"),
        format!("{tournament} --missing {{}}/J"),
        format!("{tournament} --shard 1/2 --roster {{}}/J/journal.jsonl"),
        "tournament {}/cup.toml --out {}/J".to_owned(),
    ];
    for (folder, command) in
        ["j", "s"].into_iter().flat_map(|folder| journal.iter().map(move |one| (folder, one)))
    {
        let ran = runs(&place, &command.replace("{}/J", &format!("{{}}/{folder}")));
        let said = format!("{folder}/journal.jsonl: is not a regular file");
        assert!(ran.status == Some(2) && ran.stderr.contains(&said), "{command}: {ran:?}");
    }
    let other = [
        ("verify {}/g", "g/games.pgn: is not a regular file"),
        ("replay {}/g --plain", "g/games.pgn: is not a regular file"),
        ("standings {}/shard1 {}/g", "g/games.pgn: is not a regular file"),
        ("report {}/shard1 {}/g", "g/games.pgn: is not a regular file"),
        ("tournament {}/keyed.toml --out {}/out", "key: is not a regular file"),
        ("tournament {}/listed.toml --out {}/out", "openings: is not a regular file"),
    ];
    for (command, said) in other {
        let ran = runs(&place, command);
        let text =
            ran.stderr.replace(": it must hold a secret; `openssl rand -hex 32` prints one", "");
        assert!(ran.status == Some(2) && text.contains(said), "{command}: {ran:?}");
    }
}

#[test]
fn a_pipe_in_the_place_of_a_result_is_replaced() {
    let (place, _) = shared();
    merges(0, &place, &["shard1", "shard2"], "whole");
    let game = place.journal("shard1").into_iter().find(|game| game.0.contains("fresh")).unwrap().0;
    for name in [
        "games.pgn",
        "standings.md",
        "report.html",
        "feedback/ada.md",
        "bots/kept/trial.log",
        &format!("bots/fresh/{game}.log"),
        ".games.pgn.new",
        ".report.html.new",
    ] {
        pipe(&place, &format!("out/{name}"));
    }
    fs::copy(place.path("shard1/journal.jsonl"), place.path("out/journal.jsonl")).unwrap();
    place.write(&format!("shard1/bots/fresh/{game}.log"), "== stderr\n");
    place.write("shard1/bots/kept/trial.log", "text");
    let ran = runs(&place, "merge {}/shard1 {}/shard2 --out {}/out");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(place.results("out"), place.results("whole"));
    assert_eq!(place.text("out/bots/kept/trial.log"), "text");
}

#[test]
fn what_the_command_line_names_may_be_a_pipe_where_it_is_read_once() {
    let (place, config) = shared();
    merges(0, &place, &["shard1", "shard2"], "whole");
    pipe(&place, "fifo");
    let given = |from: &str, command: &str| {
        let mut writer = Command::new("sh");
        writer.args(["-c", "cat \"$0\" > \"$1\""]).arg(place.path(from)).arg(place.path("fifo"));
        let mut writer = writer.spawn().unwrap();
        let ran = runs(&place, command);
        let _ = writer.kill(); // one that nothing reads waits
        writer.wait().unwrap();
        ran
    };
    let config = config.replace("last/bot.py", &place.path("last/bot.py").display().to_string());
    place.write(
        "absolute.toml",
        &config.replace("first/bot.sh", &place.path("first/bot.sh").display().to_string()),
    );
    for (from, command, said) in [
        ("whole/games.pgn", "verify {}/fifo", "fifo: 12 games, valid"),
        ("whole/games.pgn", "standings {}/fifo", "kept"),
        ("whole/games.pgn", "replay {}/fifo 1 --plain", "\n1. "),
        ("absolute.toml", "tournament {}/fifo --out {}/out", "kept"),
    ] {
        let ran = given(from, command);
        assert!(ran.status == Some(0) && ran.stdout.contains(said), "{command}: {ran:?}");
    }
    for command in ["report {}/fifo", "standings {}/fifo --verify"] {
        let ran = given("whole/games.pgn", command);
        assert!(
            ran.status == Some(2) && ran.stderr.contains("fifo: logs are read twice"),
            "{command}: {ran:?}"
        );
    }
}
