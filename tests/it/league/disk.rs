//! A league whose disk or whose share of it is full, and what else fails in the machine.

use super::{BOT, Place, check_tables};
use crate::support::disk::{Disk, fill};
use crate::support::served::Served;
use crate::support::{run, skip, wait_for};
use std::fs;

/// Waits for a line on standard error with this text.
fn wait_for_line(served: &Served, text: &str) {
    wait_for(text, || served.stderr.try_iter().find(|line| line.contains(text)));
}

/// Waits until a version of a bot could not be tried, and waits for another try.
fn wait_for_retry(place: &Place, bot: &str) {
    let why = wait_for("a version that waits", || {
        let status = place.status()?;
        let mut versions = status["versions"].as_array()?.iter();
        let version = versions.find(|version| version["bot"] == bot)?;
        assert_ne!(version["state"], "refused", "{version}");
        let said = version["said"].as_str()?;
        (version["state"] == "waits" && !said.is_empty()).then(|| said.to_owned())
    });
    assert!(why.starts_with("the server could not try it, and tries it again within "), "{why}");
}

#[test]
fn at_its_bound_a_league_begins_nothing_and_goes_on_when_there_is_room() {
    let links = "command = \"sh bot.sh\"\n[uploads]\n[publish]\nfeedback = \"links\"";
    let place = Place::new(links);
    let config = fs::read_to_string(place.config()).unwrap();
    fs::write(place.config(), config.replace("[league]", "[league]\ndisk = \"64MiB\"")).unwrap();
    place.hand_in("ann", &BOT.replace("TALKS", "one"));
    let served = Served::league(&place.config(), &["--concurrency", "2"]);
    place.wait("ann", 1, "plays");
    place.wait_for_games("ann", 2);
    let filler = place.results().join("bots/filler");
    fs::write(&filler, vec![b'x'; 64 << 20]).unwrap();
    wait_for_line(&served, "the 64MiB that `disk` allows: no game begins");
    wait_for("the end of the running games", || {
        let status = place.status()?;
        let is_idle = status["running"].as_array()?.is_empty() && status["full"].is_string();
        is_idle.then_some(())
    });
    let text = run(&["league", place.config().to_str().unwrap(), "--status"]).stdout;
    assert!(text.starts_with("nothing begins until there is room: the league has"), "{text}");
    let games = place.games().len();
    // A submission waits, and an upload is to be sent again.
    place.hand_in("bob", &BOT.replace("TALKS", "two"));
    place.wait("bob", 1, "waits");
    let links = fs::read_to_string(place.results().join("feedback-links.txt")).unwrap();
    let address = links.lines().find(|line| line.contains("\tann\t")).unwrap();
    let address = address.split_once(".html").unwrap().0;
    let answer = served.raw(&format!(
        "PUT /a/{address}/bot.sh HTTP/1.1\r\nHost: {}\r\nContent-Length: 1\r\n\r\nx",
        served.address
    ));
    assert!(answer.status() == "503" && answer.body.contains("disk is full"), "{answer:?}");
    assert_eq!(place.games().len(), games, "no game has begun");
    // There is room again.
    fs::remove_file(&filler).unwrap();
    place.wait("bob", 1, "plays");
    place.wait_for_games("bob", 2);
    assert!(place.status().unwrap()["full"].is_null());
}

#[test]
fn a_full_disk_loses_no_game_and_is_not_held_against_an_author() {
    // Larger than what is there in advance.
    const BUILD: &str = "head -c 10000000 /dev/zero >big\n";
    let place = Place::new("");
    let Some(_disk) = Disk::of("32m", &place.results()) else {
        return skip("no file system can be mounted here: a league on a full disk");
    };
    place.hand_in_to_build("ann", &BOT.replace("TALKS", "one"), "true\n");
    let mut served = Served::league(&place.config(), &["--concurrency", "2"]);
    place.wait("ann", 1, "plays");
    place.wait_for_games("ann", 2);
    // 1. There is room for the copy, and not for what the build makes.
    let filler = place.results().join("filler");
    fs::write(&filler, vec![b'x'; 24 << 20]).unwrap();
    place.hand_in_to_build("bob", &BOT.replace("TALKS", "two"), BUILD);
    wait_for_retry(&place, "bob");
    fs::remove_file(&filler).unwrap();
    place.wait("bob", 1, "plays");
    place.wait_for_games("bob", 2);
    // 2. Nothing can be written: the games wait.
    for _ in served.stderr.try_iter() {} // what was said of the first time
    fill(&filler);
    // The league may check the disk while the last MiB is being filled.
    wait_for_line(&served, " MiB left: no game begins");
    fs::remove_file(&filler).unwrap();
    place.wait_for_games("ann", 2);
    place.wait_for_games("bob", 2);
    assert_eq!(served.interrupt(), Some(0));
    check_tables(&place.results());
}

#[test]
fn a_build_that_was_killed_is_not_held_against_an_author() {
    let place = Place::new("");
    place.hand_in_to_build("ann", &BOT.replace("TALKS", "one"), "kill -9 $$\n");
    let played = place.play();
    wait_for_retry(&place, "ann");
    // What comes meanwhile is the same version, and is tried at once.
    place.take_away("ann");
    place.hand_in_to_build("ann", &BOT.replace("TALKS", "two"), "true\n");
    place.wait("ann", 1, "plays");
    assert_eq!(played.end(), Some(0));
}
