//! The same game again.

use crate::rerun::{NTH, assert_same, game, in_folder, moves_of, rerun};
use crate::support::place::{Place, cup};
use crate::support::{Ran, arbiter, moves, plays_all};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

/// The logs of the losses of each bot, by its name and the file.
fn losses(place: &Place, out: &str) -> BTreeMap<(String, String), String> {
    let mut losses = BTreeMap::new();
    for (path, text) in place.snapshot(&format!("{out}/feedback")) {
        if path.extension().is_some_and(|extension| extension == "pgn") {
            let bot = path.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
            let file = path.file_name().unwrap().to_str().unwrap().to_owned();
            losses.insert((bot, file), String::from_utf8(text).unwrap());
        }
    }
    losses
}

/// Plays every loss of a tournament again: by its loser alone, from the feedback, and by both bots,
/// from the journal.
fn all_again(place: &Place, out: &str, bots: &[(&str, &str)]) -> usize {
    let losses = losses(place, out);
    let feedback = place.path(&format!("{out}/feedback"));
    for ((name, file), log) in &losses {
        let page = place.text(&format!("{out}/feedback/{name}.md"));
        let id = file.strip_suffix(".pgn").unwrap();
        assert!(page.contains(&id.replace('~', "\\~")), "{page}");
        let command = bots.iter().find(|(bot, _)| bot == name).unwrap().1;
        let command = command.replace("nth.py", place.path("nth.py").to_str().unwrap());
        let (log_file, program) = (format!("{name}/{file}"), format!("{name}={command}"));
        let again = place.path("again.pgn");
        let again = again.to_str().unwrap();
        let alone = in_folder(&feedback, &[&log_file, id, "--bot", &program, "--log", again]);
        assert_same(&alone);
        assert_eq!(moves_of(place, "again.pgn"), moves(log));
        let both = rerun(place, &[out, id, "--log", again]);
        assert_same(&both);
        assert!(!both.stderr.contains("plays the plies of the log"), "{both:?}");
        assert_eq!(moves_of(place, "again.pgn"), moves(log));
    }
    losses.len()
}

#[test]
fn every_loss_of_a_swiss_is_played_again() {
    let place = Place::new();
    place.write("nth.py", NTH);
    let specials = ["", "", "crash", "illegal", "resign", "closed", "twice"];
    let (most, rounds, least) = if plays_all() { (14, 3, 30) } else { (6, 1, 4) };
    let mut bots: Vec<(String, String)> = (1..=most)
        .map(|step| {
            let special = specials[step % specials.len()];
            (format!("bot{step}{special}"), format!("python3 nth.py {step} {special}"))
        })
        .collect();
    bots.push(("randy".to_owned(), "builtin:random".to_owned()));
    bots.push(("greta".to_owned(), "builtin:greedy".to_owned()));
    let bots: Vec<(&str, &str)> =
        bots.iter().map(|(name, command)| (&**name, &**command)).collect();
    let swiss = format!("format = 'swiss'\nrounds = {rounds}\ngames = 2");
    place.ends(0, &cup(&swiss, "", &bots), "out", &[]);
    let played = all_again(&place, "out", &bots);
    assert!(played >= least, "{played}");
}

#[test]
fn the_settings_of_a_game_are_those_of_its_log() {
    let place = Place::new();
    place.write("nth.py", NTH);
    let bots = [
        ("ada", "python3 nth.py 3"),
        ("bea", "python3 nth.py 5 twice"),
        ("cid", "python3 nth.py 2 illegal"),
    ];
    let other = cup("games = 2", "", &bots)
        .replace(
            "move = '120s'",
            "base = '100s'\nincrement = '3s'\nclock = 'cpu'\nwall-cap = '10x+60s'\npondering = 'on'",
        )
        .replace(
            "sandbox = 'basic'",
            "sandbox = 'strict'\nmemory = '300MiB'\nprocesses = 3\noutput = '64KiB'",
        )
        .replace("[schedule]", "[match]\nattempts = 2\nmax-plies = 60\nrepetition = 0\n[schedule]");
    place.ends(0, &other, "out", &[]);
    assert!(all_again(&place, "out", &bots) >= 2);
    let log = place.text("out/games.pgn");
    let tag = "[Settings \"--time 100+3 --start 120s --clock cpu --wall-cap 10x+60s --pondering on --attempts 2 --max-plies 60 \
               --repetition 0 --sandbox strict --memory 300MiB --processes 3 --output 64KiB ";
    assert!(log.contains(tag.trim_end()), "{log}");
}

/// Ends by itself if it may not use 200 MiB, else plays on.
const HUNGRY: &str = "import sys
for line in sys.stdin:
    words = line.split()
    if words[:1] == ['start']:
        print('ready', flush=True)
    elif words[:1] == ['moves']:
        ply = words[1]
    elif words[:1] == ['go']:
        much = bytearray(200 << 20)
        print('move', ply, flush=True)
";

#[test]
fn the_command_of_the_feedback_repeats_a_crash_at_home() {
    let place = Place::new();
    place.write("hungry/bot.py", HUNGRY);
    place.write("hungry/bot.toml", "command = 'python3 bot.py'\n");
    let config = cup("games = 2", "", &[("hungry", "hungry"), ("ada", "builtin:random")])
        .replace("[limits]", "[limits]\nmemory = '64MiB'\nprocesses = 3");
    place.ends(0, &config, "out", &[]);
    let page = place.text("out/feedback/hungry.md");
    assert!(page.contains("## 1. Lost by forfeit, crash: 2 games"), "{page}");
    assert!(!page.contains(place.path("").to_str().unwrap()), "{page}");
    let command =
        page.split("To play it again:\n\n```sh\n").nth(1).unwrap().split("\n```").next().unwrap();
    // At home there are the feedback and the bot's own folder, and nothing else.
    let home = Place::new();
    let copy = |from: &str| {
        assert!(
            Command::new("cp")
                .arg("-r")
                .arg(place.path(from))
                .arg(home.path(""))
                .status()
                .unwrap()
                .success()
        )
    };
    copy("hungry");
    copy("out/feedback");
    let arguments = command.strip_prefix("arbiter rerun ").unwrap().replace("FOLDER", "../hungry");
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let ran = in_folder(&home.path("feedback"), &arguments);
    assert_same(&ran);
    assert!(
        ran.stdout.contains("forfeit crash") && ran.stdout.contains("64 MiB of memory"),
        "{ran:?}"
    );
    let enough = [&arguments[..], &["--memory", "1GiB"]].concat();
    let ran = in_folder(&home.path("feedback"), &enough);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("--memory 1GiB instead of 64MiB"), "{ran:?}");
    assert!(ran.stdout.contains("the log has the end: forfeit, crash"), "{ran:?}");
}

#[test]
fn a_submission_is_built_again_in_a_copy() {
    let place = Place::new();
    place.write("in/built/source.py", NTH);
    place.write(
        "in/built/bot.toml",
        "command = 'python3 bot.py 3'\nbuild = 'cp source.py bot.py'\n",
    );
    let folder = "[[bots]]\nfolder = 'in'\n";
    let config = cup("games = 2", folder, &[("ada", "builtin:random")]);
    place.ends(0, &config, "out", &[]);
    let before = place.snapshot("in");
    for id in ["ada~built.1", "ada~built.2"] {
        assert_same(&rerun(&place, &["out", id]));
    }
    assert_eq!(place.snapshot("in"), before);
    // Where the folder is not beside the results, the log plays for the bots that are not there.
    std::fs::rename(place.path("in"), place.path("away")).unwrap();
    let ran = rerun(&place, &["out", "ada~built.1"]);
    assert_same(&ran);
    assert!(ran.stderr.contains("note: built plays the plies of the log"), "{ran:?}");
}

/// The lines of a transcript to one bot.
fn sent(transcript: &str, bot: &str) -> String {
    let mark = format!(" {bot} > ");
    transcript
        .lines()
        .filter_map(|line| Some(line.split_once(&*mark)?.1.to_owned() + "\n"))
        .collect()
}

#[test]
fn the_requests_of_a_game_are_printed_as_they_were_sent() {
    let place = Place::new();
    place.write("nth.py", NTH);
    let flags = ["--transcript", "lines.txt", "--opening-plies", "2"];
    let log = game(&place, "python3 nth.py 3", "builtin:random", &flags);
    let transcript = place.text("lines.txt");
    let requests = rerun(&place, &["game.pgn", "--requests", "nth"]);
    assert_eq!(requests.stdout, sent(&transcript, "nth"), "clocks to the millisecond");
    // The built-in bot asks for turns without board and moves, which a log does not say.
    let turns = |text: &str| -> Vec<String> {
        let is_turn =
            |line: &&str| ["turn ", "since", "clock "].iter().any(|word| line.starts_with(word));
        text.lines().filter(is_turn).map(str::to_owned).collect()
    };
    let requests_of_other = rerun(&place, &["game.pgn", "--requests", "random"]).stdout;
    assert_eq!(turns(&requests_of_other), turns(&sent(&transcript, "random")));
    // A bot that is fed by a pipe gives the answers of the game.
    let mut bot = Command::new("python3")
        .args(["nth.py", "3"])
        .current_dir(place.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    bot.stdin.take().unwrap().write_all(requests.stdout.as_bytes()).unwrap();
    let said: Ran = bot.wait_with_output().unwrap().into();
    let plies = moves(&log);
    let plies: Vec<&str> =
        plies.split(' ').filter(|word| !word.ends_with('.') && !word.contains('-')).collect();
    let own: Vec<String> = plies.iter().step_by(2).map(|ply| format!("move {ply}")).collect();
    let said: Vec<&str> = said.stdout.lines().filter(|line| line.starts_with("move")).collect();
    assert_eq!(said, own);
}

#[test]
fn a_game_of_a_match_is_played_alone_by_its_id() {
    let place = Place::new();
    place.write("nth.py", NTH);
    let bots = ["python3 nth.py 3", "builtin:random"];
    let all = game(&place, bots[0], bots[1], &["-n", "6", "--opening-plies", "2"]);
    let all: Vec<&str> = all.split("[Event ").skip(1).collect();
    std::fs::remove_file(place.path("game.pgn")).unwrap();
    for number in [1, 4, 5] {
        let id = format!("nth~random.{number}");
        let of = |log: &str, tag: &str| crate::support::place::tags(log, tag).join(",");
        for id in [id, of(all[number - 1], "SentId")] {
            let one = game(&place, bots[0], bots[1], &["--game-id", &id, "--opening-plies", "2"]);
            std::fs::remove_file(place.path("game.pgn")).unwrap();
            assert_eq!(moves(&one), moves(all[number - 1]));
            for tag in [
                "White",
                "Black",
                "FEN",
                "GameId",
                "Pair",
                "Seed",
                "SentId",
                "WhiteSeed",
                "BlackSeed",
            ] {
                assert_eq!(of(&one, tag), of(all[number - 1], tag), "{id}, {tag}");
            }
        }
    }
    for id in [
        "nth~other.1",
        "nth~random.0",
        "nth~random.01",
        "nth~random",
        "random~nth.1",
        "nth~random.x",
        "0123456789abcdef",
    ] {
        let mut command = arbiter(&["play", "lineup", bots[0], bots[1], "--game-id", id]);
        let ran: Ran = command.current_dir(place.path("")).output().unwrap().into();
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(
            ran.stderr
                .contains(&format!("--game-id {id}: the games of these bots are nth~random.1")),
            "{ran:?}"
        );
    }
}
