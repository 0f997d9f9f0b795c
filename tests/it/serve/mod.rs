//! `arbiter serve` and `tournament --serve`: who is refused, the updates, games of persons.

mod custom_games;
mod league;
mod seats;

use crate::support::browser::{Browser, ENTER};
use crate::support::served::{Answer, Events, Served};
use crate::support::{run, skip, wait_for};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

const WHAT: &str = "the served page in a browser";

/// A tournament of two built-in bots with this many games, and more of its configuration.
fn configured(dir: &Path, games: u32, more: &str) -> PathBuf {
    let config = dir.join("cup.toml");
    let bots = "[[bot]]\nname = \"ann\"\ncommand = \"builtin:random\"\n[[bot]]\nname = \"bob\"\ncommand = \"builtin:greedy\"\n";
    let text = format!(
        "name = \"cup\"\ngame = \"gekitai\"\n[schedule]\ngames = {games}\n[limits]\nsandbox = \"basic\"\n{more}\n{bots}"
    );
    fs::write(&config, text).unwrap();
    config
}

/// The result folder of a tournament that has been played.
fn played(games: u32, more: &str) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let config = configured(dir.path(), games, more);
    let ran = run(&["tournament", config.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let folder = dir.path().join("cup");
    (dir, folder)
}

// Who is refused.

#[test]
fn requests_without_the_token_or_from_elsewhere_are_refused_without_a_word() {
    let (_dir, folder) = played(2, "");
    let before = listing(&folder);
    let served = Served::folder(&folder, &[]);
    let own = format!("Host: {}\r\n", served.address);
    let page = served.page();
    assert_eq!(page.status(), "200", "{page:?}");
    assert!(
        page.body.starts_with("<!doctype html>") && page.head.contains("content-type: text/html")
    );
    for header in [
        "referrer-policy: no-referrer",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        "x-frame-options: deny",
    ] {
        assert!(page.head.contains(header), "{header}: {}", page.head);
    }
    let policy = page.head.split_once("content-security-policy: ").unwrap().1;
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-")
            && policy.contains("connect-src 'self'")
    );
    let refuse = |what: &str, answer: Answer| {
        assert!(answer.status() == "404" && answer.body.is_empty(), "{what}: {answer:?}");
        assert!(answer.head.contains("cache-control: no-store"), "{what}: {answer:?}");
    };
    let token = &served.token;
    let wrong = format!("{}{}", if token.starts_with('0') { '1' } else { '0' }, &token[1..]);
    for path in [
        "/",
        "//",
        "/TOKEN",
        "/x/TOKEN/",
        "/index.html",
        "/TOKEN/journal.jsonl",
        "/TOKEN/..",
        "/TOKEN/../cup.toml",
        "/TOKEN/%2e%2e/cup.toml",
        "/TOKEN/%2e%2e%2fcup.toml",
        "/TOKEN//etc/passwd",
        "/TOKEN/events",
        "/TOKEN/events?from=x",
        "/TOKEN/play",
        "/TOKEN/play/1/events",
        "/../TOKEN/",
        "/%54OKEN/",
        &format!("/{wrong}/"),
        &format!("/{}/", &token[..31]),
        &format!("/{token}0/"),
    ] {
        refuse(path, served.get(path, &own));
    }
    let port = served.address.port();
    for host in [
        "",
        "Host: evil.example\r\n",
        &format!("Host: evil.example:{port}\r\n"),
        "Host: 127.0.0.1\r\n",
    ] {
        refuse(host, served.get("/TOKEN/", host));
    }
    refuse("two hosts", served.get("/TOKEN/", &format!("{own}{own}")));
    for origin in ["null", "http://evil.example", &format!("https://{}", served.address)] {
        refuse(origin, served.get("/TOKEN/", &format!("{own}Origin: {origin}\r\n")));
    }
    refuse("POST", served.post("", "{}"));
    refuse("no game of a person", served.post("play", "{\"bot\":\"ann\",\"side\":0}"));
    refuse("HEAD", served.raw(&format!("HEAD /{token}/ HTTP/1.1\r\n{own}\r\n")));
    refuse("a proxy's request", served.get(&format!("http://{}/TOKEN/", served.address), &own));
    let same = format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n");
    assert_eq!(served.get("/TOKEN/", &same).status(), "200");
    drop(served);
    assert_eq!(listing(&folder), before, "nothing is written");
}

/// The files of a folder with their contents.
fn listing(folder: &Path) -> HashMap<PathBuf, Vec<u8>> {
    let mut files = HashMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(listing(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            files.insert(path, bytes);
        }
    }
    files
}

#[test]
fn requests_that_are_too_long_or_do_not_come_keep_no_other_waiting() {
    let (_dir, folder) = played(2, "");
    let served = Served::folder(&folder, &["--play", "--log", "/dev/null"]);
    // These send a part of a request and wait.
    let mut slow: Vec<TcpStream> = (0..50).map(|_| served.connect()).collect();
    for (number, stream) in slow.iter_mut().enumerate() {
        let part = &format!("GET /{}/ HTTP/1.1\r\nHost: {}\r\n", served.token, served.address)
            [..1 + number];
        stream.write_all(part.as_bytes()).unwrap();
    }
    assert_eq!(served.page().status(), "200");
    let host = format!("Host: {}\r\n", served.address);
    let long = served.get(&format!("/{}", "x".repeat(1 << 17)), &host);
    assert!(
        ["400", "404", "414", "431", ""].contains(&long.status()) && long.body.is_empty(),
        "{long:?}"
    );
    let long = served.get("/TOKEN/", &format!("{host}X: {}\r\n", "x".repeat(1 << 17)));
    assert!(["400", "431", ""].contains(&long.status()) && long.body.is_empty(), "{long:?}");
    let many = served.get("/TOKEN/", &format!("{host}{}", "X: y\r\n".repeat(1000)));
    assert!(["400", "431", ""].contains(&many.status()) && many.body.is_empty(), "{many:?}");
    let body = served.post("play", &format!("{{\"bot\":\"{}\",\"side\":0}}", "x".repeat(1 << 20)));
    assert!(["404", "413", ""].contains(&body.status()) && body.body.is_empty(), "{body:?}");
    assert_eq!(served.page().status(), "200");
    // After a while they are disconnected.
    for mut stream in slow {
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}"),
        }
        assert!(!String::from_utf8_lossy(&answer).contains("200 OK"));
    }
}

#[test]
fn connections_that_wait_for_nothing_keep_no_place_from_who_has_the_token() {
    let (_dir, folder) = played(2, "");
    // Half of the descriptors are places.
    let served = Served::folder_with(&folder, 256);
    let part = format!("GET /{}/ HTTP/1.1\r\nHost:", served.token);
    let waiting: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut stream = served.connect();
            let _ = stream.write_all(part.as_bytes()); // it may have been closed already
            stream
        })
        .collect();
    // Those that follow the games need places for long.
    let followers: Vec<Events> =
        (0..24).map(|_| served.events(&format!("events?from={}", u64::MAX))).collect();
    for _ in 0..24 {
        assert_eq!(served.page().status(), "200");
    }
    drop(waiting);
    // More of them than places: who comes too late is told so, and comes in when another one has
    // gone.
    let mut more = Vec::new();
    let refused = (0..100).find_map(|_| match served.try_events("events?from=0") {
        Ok(events) => {
            more.push(events);
            None
        }
        Err(head) => Some(head),
    });
    let is_told = refused.as_ref().is_some_and(|head| head.starts_with("http/1.1 503 "));
    assert!(is_told, "{} follow, then {refused:?}", more.len());
    drop((followers, more));
    wait_for("a place", || (served.page().status() == "200").then_some(()));
}

/// Whether the other end has not closed a connection.
fn is_open(events: &mut Events) -> bool {
    let mut stream = events.stream();
    stream.set_nonblocking(true).unwrap();
    loop {
        match stream.read(&mut [0; 4096]) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
    }
}

#[test]
fn one_address_with_the_token_does_not_take_all_places() {
    let (_dir, folder) = played(2, "");
    // Half of the descriptors are places, and three quarters of those are for connections with the
    // token.
    let served = Served::folder_with(&folder, 1024);
    let path = format!("events?from={}", u64::MAX);
    let mut followers: Vec<Events> =
        (0..400).map(|_| served.events_from(Ipv4Addr::new(127, 0, 0, 2), &path)).collect();
    wait_for("the oldest to end", || {
        let open: Vec<bool> = followers.iter_mut().map(is_open).collect();
        (open.iter().filter(|open| **open).count() <= 128).then_some(())
    });
    assert!(followers.last_mut().is_some_and(is_open), "who comes is answered");
    assert_eq!(served.page().status(), "200");
    served.events("events?from=0");
}

// Updates.

/// The number of finished games that the page of this text contains.
fn first_update(page: &Answer) -> u64 {
    let text = crate::support::page::text_of(&page.body);
    let live = text.split_once("id=\"live: ").unwrap().1;
    serde_json::from_str::<Value>(live.lines().next().unwrap()).unwrap()["from"].as_u64().unwrap()
}

/// A bot that waits before its second and third answer until there are the files `seen` and
/// `followed` beside it.
const WAITS: &str = r#"
import os, sys, time
files = {2: "seen", 3: "followed"}
moves, answers = [], 0
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "start": print("ready", flush=True)
    elif word == "moves": moves = rest
    elif word == "go":
        answers += 1
        file = os.path.join(os.path.dirname(sys.argv[0]), files.get(answers, "waits.py"))
        while not os.path.exists(file): time.sleep(0.01)
        print("move", moves[0], flush=True)
"#;

/// The configuration of the bot of [`WAITS`], which is written into this folder.
fn waiting_bot(dir: &Path) -> String {
    let script = dir.join("waits.py");
    fs::write(&script, WAITS).unwrap();
    let command = format!("command = \"python3 {}\"", script.display());
    format!("[time]\nmove = \"600s\"\n[[bot]]\nname = \"waits\"\n{command}\n")
}

#[test]
fn a_page_follows_a_running_tournament_to_its_last_state() {
    let dir = tempfile::tempdir().unwrap();
    let config = configured(dir.path(), 4, &waiting_bot(dir.path()));
    let mut served = Served::tournament(&config, &["--concurrency", "2"]);
    let from = first_update(&served.page());
    // One address has 128 places, of which the oldest gives way to a further one.
    let path = format!("events?from={from}");
    let events: Vec<Events> = (0..200)
        .map(|number| served.events_from(Ipv4Addr::new(127, 0, 0, 2 + number % 2), &path))
        .collect();
    // These never read.
    let _silent: Vec<TcpStream> = (0..50)
        .map(|_| {
            let mut stream = served.connect();
            let request = format!(
                "GET /{}/events?from={from} HTTP/1.1\r\nHost: {}\r\n\r\n",
                served.token, served.address
            );
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    let readers: Vec<_> = events
        .into_iter()
        .map(|events| (events, dir.path().to_owned()))
        .map(|(events, dir)| thread::spawn(move || followed(events, &dir)))
        .collect();
    let states: Vec<Followed> = readers.into_iter().map(|reader| reader.join().unwrap()).collect();
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
    let standings = fs::read_to_string(dir.path().join("cup/standings.json")).unwrap();
    let standings: Value = serde_json::from_str(&standings).unwrap();
    // The tournament ends only after running games were seen ply by ply: a bot waits for that.
    for state in &states {
        assert_eq!(state.table.as_ref().unwrap(), &standings);
        assert!(state.is_over && state.batches > 0);
    }
}

/// What a follower has seen at the end.
#[derive(Debug, Default)]
struct Followed {
    table: Option<Value>,
    /// Updates with finished games.
    batches: usize,
    /// Plies of running games that came one update after the other.
    plies: usize,
    is_over: bool,
}

/// Follows to the end. Says in the folder that the game of [`WAITS`] has been seen, and then that
/// plies followed.
fn followed(events: Events, dir: &Path) -> Followed {
    let mut state = Followed::default();
    let mut games: HashMap<u64, u64> = HashMap::new();
    for update in events {
        if let Some(table) = update.get("table") {
            state.table = Some(table.clone());
        }
        state.batches += usize::from(!update["games"].as_array().unwrap().is_empty());
        for game in update["running"].as_array().unwrap() {
            let steps = game["steps"].as_array().unwrap().len() as u64;
            let (slot, from) = (game["slot"].as_u64().unwrap(), game["from"].as_u64().unwrap());
            match game.get("game") {
                Some(game) => {
                    assert_eq!(from, 0);
                    if game["players"].as_array().unwrap().contains(&json!("waits")) {
                        fs::write(dir.join("seen"), "").unwrap();
                    }
                }
                None => {
                    assert_eq!(games[&slot], from, "no ply is missing");
                    state.plies += steps as usize;
                    if state.plies > 0 {
                        fs::write(dir.join("followed"), "").unwrap();
                    }
                }
            }
            games.insert(slot, from + steps);
        }
        state.is_over = update["over"] == true;
    }
    state
}

#[test]
fn a_folder_is_followed_while_another_process_plays() {
    let (dir, folder) = played(2, "");
    let served = Served::folder(&folder, &[]);
    let from = first_update(&served.page());
    let mut events = served.events(&format!("events?from={from}"));
    let whole = events.next().unwrap();
    assert_eq!(whole["games"], json!([]), "{whole}");
    assert_eq!(whole["table"]["games"]["played"], 2);
    let config = configured(dir.path(), 6, "");
    assert_eq!(run(&["tournament", config.to_str().unwrap(), "--restart"]).status, Some(0));
    // Begun anew, it is another tournament: the page is loaded anew.
    while events
        .find(|update| update["reload"] == true || update["table"]["games"]["played"] == 6)
        .is_some_and(|update| update["reload"] == true)
    {
        events = served.events(&format!("events?from={}", first_update(&served.page())));
    }
}

#[test]
fn a_merged_folder_is_served_and_a_later_merge_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let config = configured(dir.path(), 6, "");
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (one, two, merged) = (path("one"), path("two"), path("merged"));
    for (shard, out) in [("1/2", &one), ("2/2", &two)] {
        let ran = run(&["tournament", config.to_str().unwrap(), "--shard", shard, "--out", out]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    assert_eq!(
        run(&["merge", &one, "--out", &merged]).status,
        Some(1),
        "the games of shard 2 are missing"
    );
    let served = Served::folder(Path::new(&merged), &[]);
    let mut events = served.events(&format!("events?from={}", first_update(&served.page())));
    // Shard 1 has the first and the third of the three pairs.
    assert_eq!(events.next().unwrap()["table"]["games"]["played"], 4);
    assert_eq!(run(&["merge", &one, &two, "--out", &merged]).status, Some(0));
    // A merge puts another journal in place: the page is loaded anew.
    while events
        .find(|update| update["reload"] == true || update["table"]["games"]["played"] == 6)
        .expect("an update with all games")["reload"]
        == true
    {
        events = served.events(&format!("events?from={}", first_update(&served.page())));
    }
    let standings = fs::read_to_string(path("merged/standings.json")).unwrap();
    let standings: Value = serde_json::from_str(&standings).unwrap();
    let mut events = served.events(&format!("events?from={}", first_update(&served.page())));
    // The entry of the run, which the ratings of its history come from, is read after the games.
    assert!(events.any(|update| update["table"] == standings), "{standings}");
}

#[test]
fn what_is_private_is_not_served() {
    let more = "[publish]\nnames = \"alias\"\n";
    let dir = tempfile::tempdir().unwrap();
    let config = configured(dir.path(), 6, &(more.to_owned() + &waiting_bot(dir.path())));
    let served = Served::tournament(&config, &[]);
    let page = served.page();
    let events = served.events(&format!("events?from={}", first_update(&page)));
    for file in ["seen", "followed"] {
        fs::write(dir.path().join(file), "").unwrap();
    }
    let text = crate::support::page::text_of(&page.body)
        + &events.map(|update| update.to_string()).collect::<String>();
    let folder = dir.path().to_str().unwrap();
    for private in ["\"ann\"", "\"bob\"", "\"waits\"", "ann~bob", "ann wins", "bob wins", folder] {
        assert!(!text.contains(private), "{private}");
    }
    assert!(text.contains("\"running\":[{"), "running games were seen");
}

// Games of persons.

#[test]
fn a_game_whose_person_was_asked_while_arbiter_was_stopped_says_so() {
    let (dir, folder) = played(2, "");
    let log = dir.path().join("mine.pgn");
    let flags = ["--play", "--move-time", "600s", "--log", log.to_str().unwrap()];
    let served = Served::folder(&folder, &flags);
    assert_eq!(served.post("play", "{\"bot\":\"ann\",\"side\":0}").body, "{\"game\":1}");
    let mut events = served.events("play/1/events");
    when(&mut events, |state| state["state"]["turn"].is_object());
    let pid = Pid::from_child(&served.child);
    kill_process(pid, Signal::STOP).unwrap();
    wait_for("a stopped arbiter", || {
        (crate::support::Stat::of(pid.as_raw_nonzero().get())?.state == 'T').then_some(())
    });
    thread::sleep(Duration::from_secs(1));
    kill_process(pid, Signal::CONT).unwrap();
    let answer = served.post("play/1", "{\"number\":1,\"text\":\"resign\"}");
    assert_eq!(answer.body, "{}", "{answer:?}");
    when(&mut events, |state| state["state"]["over"] == true);
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("[Disturbed \"arbiter itself did not run for "), "{text}");
}

/// The state of a person's game when the condition holds.
fn when(events: &mut Events, holds: impl Fn(&Value) -> bool) -> Value {
    events.find(|state| holds(state)).unwrap()
}

/// The state in which a person is asked in a game.
fn asked(served: &Served, number: u64) -> Value {
    when(&mut served.events(&format!("play/{number}/events")), |state| {
        state["state"]["turn"].is_object()
    })
}

#[test]
fn a_person_plays_a_bot_to_its_end_and_finds_the_game_in_the_log() {
    let (dir, folder) = played(2, "");
    let log = dir.path().join("mine.pgn");
    let mut served = Served::folder(&folder, &["--play", "--log", log.to_str().unwrap()]);
    assert_eq!(
        served.post("play", "{\"bot\":\"nobody\",\"side\":0}").body,
        "there is no bot of that name"
    );
    for (side, number) in [(0, 1), (1, 2)] {
        let begun = served.post("play", &format!("{{\"bot\":\"ann\",\"side\":{side}}}"));
        assert_eq!(begun.body, format!("{{\"game\":{number}}}"), "{begun:?}");
        let path = format!("play/{number}");
        let mut events = served.events(&format!("{path}/events"));
        let mut asked = 0;
        let last = loop {
            let state = when(&mut events, |state| {
                state["state"]["over"] == true
                    || state["state"]["turn"]["number"].as_u64().is_some_and(|ply| ply > asked)
            });
            if state["state"]["over"] == true {
                break state;
            }
            let turn = &state["state"]["turn"];
            let ply = turn["number"].as_u64().unwrap();
            if asked == 0 {
                let refused = served.post(&path, &format!("{{\"number\":{ply},\"text\":\"z9\"}}"));
                assert_eq!(refused.status(), "409");
                assert!(refused.body.starts_with("expected one of 3"), "{refused:?}");
                assert!(refused.body.contains("; came \"z9\": "), "{refused:?}");
                let late =
                    served.post(&path, &format!("{{\"number\":{},\"text\":\"a1\"}}", ply + 1));
                assert_eq!(late.body, "it is not your turn");
            }
            asked = ply;
            let legal = turn["legal"].as_array().unwrap();
            let text = legal[ply as usize % legal.len()].as_str().unwrap();
            let answer = served.post(&path, &format!("{{\"number\":{ply},\"text\":\"{text}\"}}"));
            assert_eq!(answer.body, "{}", "{answer:?}");
        };
        assert!(
            last["finished"]["games"].is_string() && last["state"]["trouble"].is_null(),
            "{last}"
        );
    }
    assert_eq!(served.interrupt(), Some(0));
    let verified = run(&["verify", log.to_str().unwrap()]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    let games = fs::read_to_string(&log).unwrap();
    assert!(
        games.contains("[GameId \"ann~human.1\"]") && games.contains("[GameId \"ann~human.2\"]"),
        "{games}"
    );
}

#[test]
fn a_ply_is_taken_back_by_a_game_from_the_position_before_it() {
    let (dir, folder) = played(2, "");
    let log = dir.path().join("mine.pgn");
    let mut served = Served::folder(&folder, &["--play", "--log", log.to_str().unwrap()]);
    assert_eq!(served.post("play", "{\"bot\":\"ann\",\"side\":0}").body, "{\"game\":1}");
    asked(&served, 1);
    let position = "6/1X4/6/3O2/6/6 X";
    let wanted = |position: &str| {
        format!("{{\"bot\":\"ann\",\"side\":0,\"position\":\"{position}\",\"instead\":1}}")
    };
    let long = "6/".repeat(1_998) + "6 X"; // as long as the text of a position may be
    for (position, why) in [
        ("6/6 X", "2 rows where 6 are needed"),
        ("XXX3/6/6/6/6/6 O", "the game is over"),
        (&long, "1999 rows where 6 are needed"),
    ] {
        let refused = served.post("play", &wanted(position));
        assert!(refused.status() == "409" && refused.body.contains(why), "{refused:?}");
    }
    assert_eq!(served.post("play", &wanted(position)).body, "{\"game\":2}");
    let state = asked(&served, 2);
    assert_eq!(
        (&state["game"]["game"]["start"], &state["state"]["turn"]["number"]),
        (&json!(position), &json!(1))
    );
    let broken_off =
        when(&mut served.events("play/1/events"), |state| state["state"]["over"] == true);
    assert_eq!(broken_off["state"]["saved"], log.to_str().unwrap());
    assert_eq!(served.interrupt(), Some(0));
    let games = fs::read_to_string(&log).unwrap();
    assert!(
        games.contains("the person left the game")
            && games.contains("arbiter was stopped")
            && games.contains(&format!("[FEN \"{position}\"]")),
        "{games}"
    );

    // So is a game that is still starting.
    let served = Served::folder(&folder, &["--play", "--log", log.to_str().unwrap()]);
    assert_eq!(served.post("play", "{\"bot\":\"ann\",\"side\":0}").body, "{\"game\":1}");
    assert_eq!(served.post("play", &wanted(position)).body, "{\"game\":2}");
    when(&mut served.events("play/1/events"), |state| state["state"]["over"] == true);

    let timed =
        Served::folder(&folder, &["--play", "--time", "60", "--log", log.to_str().unwrap()]);
    let refused = timed.post("play", &wanted(position));
    assert_eq!(refused.body, "with a clock no ply can be taken back");
}

#[test]
fn a_game_ends_with_its_server_and_there_are_only_four() {
    let dir = tempfile::tempdir().unwrap();
    let mute = crate::support::broken("silent");
    let config = configured(
        dir.path(),
        2,
        &format!(
            "[[bot]]\nname = \"mute\"\ncommand = '{mute}'\ntime = {{ move = \"50ms\" }}\n[time]\nmove = \"100ms\"\n"
        ),
    );
    let ran = run(&["tournament", config.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let log = dir.path().join("mine.pgn");
    let mut served =
        Served::folder(&dir.path().join("cup"), &["--play", "--log", log.to_str().unwrap()]);
    for number in 1..=4 {
        let begun = served.post("play", "{\"bot\":\"mute\",\"side\":1}");
        assert_eq!(begun.body, format!("{{\"game\":{number}}}"), "{begun:?}");
    }
    let refused = served.post("play", "{\"bot\":\"ann\",\"side\":0}");
    assert!(
        refused.status() == "409" && refused.body.starts_with("4 games are being played"),
        "{refused:?}"
    );
    for number in 1..=4 {
        let mut events = served.events(&format!("play/{number}/events"));
        // The bot is asked and thinks without a clock.
        when(&mut events, |state| state["game"]["clocks"][0][1].is_number());
    }
    assert_eq!(served.interrupt(), Some(0));
    let games = fs::read_to_string(&log).unwrap();
    assert_eq!(games.matches("[Termination \"aborted\"]").count(), 4, "{games}");
    assert_eq!(games.matches("arbiter was stopped").count(), 4, "{games}");
}

/// A bot that lives on after its game has a while to end, and the game is in the log only then.
#[test]
fn a_game_that_takes_long_to_end_is_not_lost_with_its_server() {
    let dir = tempfile::tempdir().unwrap();
    let stays = crate::support::broken("ignores-sigterm");
    let config =
        configured(dir.path(), 2, &format!("[[bot]]\nname = \"stays\"\ncommand = '{stays}'\n"));
    let ran = run(&["tournament", config.to_str().unwrap()]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let log = dir.path().join("mine.pgn");
    let flags = ["--play", "--grace", "6s", "--log", log.to_str().unwrap()];
    let mut served = Served::folder(&dir.path().join("cup"), &flags);
    assert_eq!(served.post("play", "{\"bot\":\"stays\",\"side\":0}").body, "{\"game\":1}");
    asked(&served, 1);
    assert_eq!(served.post("play/1", "{\"number\":1,\"text\":\"resign\"}").body, "{}");
    assert_eq!(served.interrupt(), Some(0));
    let games = fs::read_to_string(&log).unwrap();
    assert!(games.contains("[Termination \"resign\"]"), "{games}");

    // Nobody has to wait for it.
    let patient = ["--play", "--grace", "120s", "--log", log.to_str().unwrap()];
    let mut served = Served::folder(&dir.path().join("cup"), &patient);
    assert_eq!(served.post("play", "{\"bot\":\"stays\",\"side\":0}").body, "{\"game\":1}");
    asked(&served, 1);
    served.signal();
    let told = served.stderr.iter().find(|line| line.contains("interrupt again to stop"));
    assert!(told.is_some());
    assert_eq!(served.interrupt(), Some(130));
}

#[test]
fn a_game_that_is_not_in_the_log_is_reported_to_the_host() {
    let (_dir, folder) = played(2, "");
    // A journal is no game log.
    let journal = folder.join("journal.jsonl");
    let ran =
        run(&["serve", folder.to_str().unwrap(), "--play", "--log", journal.to_str().unwrap()]);
    assert!(ran.status == Some(2) && ran.stderr.contains("no game log"), "{ran:?}");
    if !Path::new("/dev/full").exists() {
        return skip("there is no /dev/full");
    }
    let mut served = Served::folder(&folder, &["--play", "--log", "/dev/full"]);
    assert_eq!(served.post("play", "{\"bot\":\"ann\",\"side\":0}").body, "{\"game\":1}");
    asked(&served, 1);
    assert_eq!(served.post("play/1", "{\"number\":1,\"text\":\"resign\"}").body, "{}");
    when(&mut served.events("play/1/events"), |state| state["state"]["over"] == true);
    assert_eq!(served.interrupt(), Some(3));
    let said: Vec<String> = served.stderr.iter().collect();
    let lost = "--log /dev/full: the log of the game is lost: ";
    for words in [lost, "exit status 3: not in the log: 1 game"] {
        assert!(said.iter().any(|line| line.contains(words)), "{words}: {said:?}");
    }
}

#[test]
fn what_cannot_be_served_is_said_at_once() {
    let (dir, folder) = played(2, "");
    let folder = folder.to_str().unwrap();
    let ran = run(&["serve", dir.path().to_str().unwrap()]);
    assert!(ran.status == Some(2) && ran.stderr.contains("journal.jsonl"), "{ran:?}");
    let ran = run(&["serve", folder, "--addr", "nonsense"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("nonsense"), "{ran:?}");
    let ran = run(&["serve", folder, "--addr", "0.0.0.0:0", "--play", "--log", "/dev/null"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("--play"), "{ran:?}");
    let ran = run(&["serve", folder, "--play", "--log", "/dev/null", "--time", "ann=1+0"]);
    assert!(
        ran.status == Some(2)
            && ran.stderr.contains("--time ann=1+0: here all have the same clock"),
        "{ran:?}"
    );
    let config = dir.path().join("cup.toml");
    let ran = run(&["tournament", config.to_str().unwrap(), "--out", "new", "--serve", "nonsense"]);
    assert!(
        ran.status == Some(2) && ran.stderr.contains("--serve nonsense: write HOST:PORT"),
        "{ran:?}"
    );
    assert!(!Path::new("new").exists(), "nothing was built or written");
    let served = Served::folder(Path::new(folder), &["--addr", "0.0.0.0:0"]);
    let warning = served.stderr.iter().next().unwrap();
    assert!(warning.contains("warning: 0.0.0.0:0 can be reached from other machines"), "{warning}");
}

// In a browser.

#[test]
fn the_live_page_is_in_step_with_its_tournament_in_a_browser() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let dir = tempfile::tempdir().unwrap();
    // A third bot does not answer until the browser follows, so the tournament cannot end before
    // that.
    let [waits, go] = ["waits.sh", "go"].map(|name| dir.path().join(name));
    let text = format!(
        "while read -r word first rest; do case $word in start) echo ready ;; moves) ply=$first ;;\n\
         go) until [ -e '{}' ]; do sleep 0.05; done; echo \"move $ply\" ;; esac; done\n",
        go.display()
    );
    fs::write(&waits, text).unwrap();
    let more = format!(
        "processes = 4\n[time]\nbase = \"1h\"\n[[bot]]\nname = \"eve\"\ncommand = \"sh {}\"\n",
        waits.display()
    );
    let config = configured(dir.path(), 4, &more);
    let mut served = Served::tournament(&config, &["--pause", "10ms", "--concurrency", "1"]);
    browser.go(&served.url());
    browser.wait("document.documentElement.dataset.live === 'true'");
    browser.run("document.querySelector('#section-about h2 a').focus();");
    // Nothing is called incomplete while it runs, even if the connection is lost for a while.
    let facts = browser.run(
        "setState('lost', ''); const { textContent } = document.getElementById('facts'); \
         setState('true', ''); return textContent;",
    );
    // A warning may follow: a busy machine makes bots wait.
    let facts = facts.as_str().unwrap();
    assert!(!facts.contains("INCOMPLETE") && !facts.contains("no game"), "{facts}");
    // A running game has half of the page, up to the size of a board of a finished game.
    browser.wait("document.querySelectorAll('#running svg.board').length === 1");
    let parts = browser.run(
        "const parts = ['#running .board', '#running', '#front']; \
         return parts.map((part) => document.querySelector(part).clientWidth);",
    );
    let [board, running, front] = [0, 1, 2].map(|at| parts[at].as_f64().unwrap());
    assert!(running == front && board > 0.45 * running, "board, running, front: {parts}");
    fs::write(&go, "").unwrap();
    browser.wait("document.documentElement.dataset.live === 'over' && due.timer === null");
    let status = served.child.wait().unwrap();
    let said: Vec<String> = served.stderr.try_iter().collect();
    assert_eq!(status.code(), Some(0), "{said:?}");
    let file = fs::read_to_string(dir.path().join("cup/standings.json")).unwrap();
    // The browser writes both, because it writes some numbers in another way than arbiter.
    let table = browser.run("return JSON.stringify(table);");
    assert_eq!(table, browser.run(&format!("return JSON.stringify({file});")));
    let standings: Value = serde_json::from_str(&file).unwrap();
    let ids = browser.run("return games.map(({ id }) => id);");
    assert_eq!(ids.as_array().unwrap().len(), 12, "{ids}");
    let shown = browser.run("return Array.from(document.querySelectorAll('#section-table tbody tr'), (row) => row.cells[2].textContent);");
    let points = standings["bots"].as_array().unwrap().iter();
    let points: Vec<String> =
        points.map(|bot| format!("{:.1}", bot["points"].as_f64().unwrap())).collect();
    assert_eq!(shown, json!(points), "{standings}");
    // What had the focus has it, though the table was drawn anew; and what is typed is chosen.
    let focused = browser.run("return document.activeElement.outerHTML;");
    let href = browser.run("return document.activeElement.getAttribute('href');");
    assert_eq!(href, "#about", "{focused}");
    browser.run("const filter = document.getElementById('filter'); filter.value = 'eve'; filter.dispatchEvent(new Event('input'));");
    browser.wait("location.hash === '#games?filter=eve'");
    assert_eq!(
        browser.run("return document.getElementById('found').textContent;"),
        "8 of 12 games"
    );
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_person_plays_in_a_browser_with_clicks_and_keys() {
    let Some(browser) = Browser::open(WHAT) else { return };
    let (dir, folder) = played(2, "");
    let log = dir.path().join("mine.pgn");
    let served = Served::folder(&folder, &["--play", "--log", log.to_str().unwrap()]);
    browser.go(&served.url());
    browser.wait("document.documentElement.dataset.live === 'true'");
    browser.run("document.getElementById('person-begin').click();");
    browser.wait("own !== null && own.state?.turn?.number === 1");
    // Typed nonsense is explained; a typed ply is played.
    browser.run("document.getElementById('person-ply').focus();");
    browser.press(&format!("z9{ENTER}"));
    browser.wait(
        "document.getElementById('person-said').textContent.startsWith('expected one of 36 legal moves')",
    );
    browser.press(&format!("a1{ENTER}"));
    // The ply is taken back: the bot is asked from the position before it. The legal plies are
    // shown on demand.
    browser.wait("own.state.turn?.number > 1");
    let listed = "return Array.from(document.querySelectorAll('#person-plies li'), (ply) => ply.textContent);";
    assert_eq!(browser.run(listed)[0], "1. X a1");
    browser.run("document.getElementById('person-back').click();");
    browser.wait("own.state?.number === 2 && own.state.turn?.number === 1");
    assert_eq!(browser.run(listed), json!([]));
    let dots = "return document.querySelectorAll('#person-board .dot').length;";
    assert_eq!(browser.run(dots), 0);
    browser.run("document.getElementById('person-shows-legal').click();");
    assert_eq!(browser.run(dots), 36);
    assert_eq!(
        browser.run("return document.querySelectorAll('#person-plies-legal button').length;"),
        36
    );
    browser.run("document.querySelector('#person-plies-legal button').click();");
    // The rest by clicks: on a square that the server calls legal, until the game is over.
    browser.wait("own.state.turn?.number > 1");
    let click = "
        const { turn } = own.state;
        if (turn === null || turn.number === window.answered || own.state.over) { return; }
        window.answered = turn.number;
        const { board } = own.game;
        const square = board.squares.indexOf(turn.legal[turn.number % turn.legal.length]);
        const picture = document.querySelector('#person-board svg.board');
        const point = new DOMPoint(square % board.columns.length + 0.5, Math.floor(square / board.columns.length) + 0.5)
          .matrixTransform(picture.getScreenCTM());
        picture.dispatchEvent(new MouseEvent('click', { clientX: point.x, clientY: point.y }));";
    wait_for("the end of the game", || {
        browser.run(click);
        browser.run("return own.state.over && due.timer === null;").as_bool().filter(|&over| over)
    });
    // How it ended is said once, and where its log is; it can be stepped through like any game, and
    // played again.
    browser.wait("own.finished !== null");
    let said = browser.run("return document.getElementById('section-person').innerText;");
    let said = said.as_str().unwrap();
    assert_eq!(said.matches(" wins by ").count() + said.matches("draw by").count(), 1, "{said}");
    assert!(said.contains(&format!("The log of the game is in {}.", log.display())), "{said}");
    browser.run("document.getElementById('person-step').click();");
    browser.wait(
        "view?.open.game.id === 'ann~human.2' && view.open.game.players.join() === 'human,ann'",
    );
    browser.run("location.hash = '';");
    browser.wait("view === null");
    browser.run("document.getElementById('person-other').click();");
    browser.wait("own.state?.number === 3 && own.state.you === 1 && own.state.turn?.number === 2");
    assert_eq!(browser.run("return document.querySelectorAll('#person-rules li').length;"), 5);
    // The page that is loaded anew has the same game. Another one ends it, also if it is asked for
    // twice at once.
    browser.run("window.isOld = true; location.reload();");
    browser.wait("window.isOld === undefined && document.documentElement.dataset.live === 'true' && own?.state?.turn?.number === 2");
    assert_eq!(browser.run("return own.number;"), 3);
    for number in 4..=9 {
        browser.run(
            "const begin = document.getElementById('person-begin'); begin.click(); begin.click();",
        );
        browser.wait(&format!("own.number === {number} && own.state?.turn?.number === 1"));
    }
    // Chromium reports the refused ply as an answer of status 409.
    assert!(browser.console().iter().all(|line| line.contains("409")));
    let verified = run(&["verify", log.to_str().unwrap()]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    assert!(fs::read_to_string(&log).unwrap().contains("1. a1 "));
}
