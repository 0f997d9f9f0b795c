//! The catalogue: every hostile behaviour that we know of, one small program each, with its verdict in a table.
//!
//! Each row plays a game under `--sandbox strict`, where the attempt must fail and the referee, the opponent, a game
//! beside it and the machine must be as if nothing had been tried; and another with `--sandbox off`, where the attempt
//! must work, for else the row would show nothing. As root, whose bots become users that nobody is; as root, whose bots
//! have to stay root; and as an ordinary user. Who is no root plays as the user that he is, and says so. Rows for which
//! namespaces matter are played by both users again where none can be made.
//!
//! The bot is tests/bots/hostile.py. No test here asserts a time: what is late never comes.
//!
//! The environment variable `ARBITER_ROWS` has only some rows played: their numbers and the beginnings of their behaviours,
//! with commas between them, as in `ARBITER_ROWS=36,grows cargo test --test catalogue harms`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod arena;
mod attacks;
mod descriptors;
mod machine;
mod pages;
#[path = "../tournament/place.rs"]
#[allow(dead_code, reason = "it is the tournament tests', who use all of it")]
mod place;
#[path = "../support/mod.rs"]
mod support;
mod table;
mod user;

use arena::{Played, Sandbox, neighbours, play};
use machine::{Objects, traces};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::{env, fs};
use support::{Ran, marker, moves, project, skip};
use table::Ends::{Forfeits, Plays, PlaysOr, PlaysWhere};
use table::Off::{Harmful, Open, OpenBut, Same, Says};
use table::{ELSEWHERE, Row};
use user::{KEPT, Site, User};

/// The numbers of the behaviours that are covered. Those that are missing are known, and nothing stops them yet.
const COVERED: &[RangeInclusive<u8>] = &[1..=82, 84..=86, 92..=92];

/// Numbers for which it makes a difference whether there are namespaces: processes and memory.
const OF_NAMESPACES: &[RangeInclusive<u8>] = &[36..=46, 59..=59, 62..=62, 76..=79];

/// Behaviours that only this processor knows.
const X86_64: [&str; 2] = ["calls-as-32-bit-program", "calls-by-other-numbers"];

/// What the kernel refuses nobody who is root: it does not count root's threads. arbiter says that such a bot is root.
const NOT_OF_ROOT: [&str; 3] = ["thread-bomb", "keeps-threads", "first-thread-ends keeps-threads"];

fn rows() -> impl Iterator<Item = &'static Row> {
    table::SILENCE_OUTPUT_ENDS.iter().chain(attacks::ATTACKS)
}

fn is_in(numbers: &[RangeInclusive<u8>], number: u8) -> bool {
    numbers.iter().any(|range| range.contains(&number))
}

/// Whether a row is among those that `ARBITER_ROWS` names.
fn is_wanted(row: &Row, named: Option<&str>) -> bool {
    named.is_none_or(|named| {
        named.split(',').any(|word| word.parse() == Ok(row.0) || !word.is_empty() && row.1.starts_with(word))
    })
}

#[test]
fn every_number_of_the_catalogue_has_a_row_that_is_played() {
    for number in COVERED.iter().cloned().flatten() {
        let found = rows().any(|row| row.0 == number) || ELSEWHERE.iter().any(|row| row.0 == number);
        assert!(found, "{number} has no row");
    }
    for (number, what, file, words) in ELSEWHERE {
        let text = fs::read_to_string(project(file)).unwrap();
        assert!(text.contains(words), "{number}, {what}: {file} has no {words:?}");
    }
    let list = Command::new("python3").arg(project("tests/bots/hostile.py")).arg("--list").output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let known: Vec<&str> = list.lines().filter_map(|line| line.split_ascii_whitespace().next()).collect();
    for row in rows() {
        let name = row.1.split(' ').next().unwrap();
        assert!(is_in(COVERED, row.0) && known.contains(&name), "{row:?}");
    }
}

/// A row as somebody plays it.
type Game = (&'static Row, User, Sandbox);

/// Whether in a game nothing happens for a while.
fn is_quiet(&(row, ..): &Game) -> bool {
    matches!(row.3, Forfeits("timeout" | "no-start" | "protocol"))
}

/// Every game of the catalogue.
fn games(site: &Site) -> Vec<Game> {
    let here = |row: &&Row| cfg!(target_arch = "x86_64") || !X86_64.contains(&row.1);
    if !cfg!(target_arch = "x86_64") {
        skip("system calls of other processors: this is no x86_64");
    }
    let mut games = Vec::new();
    let named = env::var("ARBITER_ROWS").ok();
    if let Some(named) = &named {
        skip(&format!("all rows of the catalogue but {named}"));
    }
    for row in rows().filter(here).filter(|row| is_wanted(row, named.as_deref())) {
        let refused = row.4.iter().any(|word| word.starts_with("refused "));
        for &user in &site.users {
            // A closed folder makes a difference only to what a bot is refused.
            if user.closed && !refused || user.bots == KEPT.bots && NOT_OF_ROOT.contains(&row.1) {
                continue;
            }
            if user.confined && !is_in(OF_NAMESPACES, row.0) {
                continue;
            }
            games.push((row, user, Sandbox::Strict));
            let again = match row.5 {
                Harmful(_) => false,
                Same => user.confined || site.users.last() == Some(&user),
                Open | OpenBut(_) | Says(_) => !user.closed && !user.confined,
            };
            games.extend(again.then_some((row, user, Sandbox::Off)));
        }
    }
    assert!(!games.is_empty(), "no row is {named:?}");
    games
}

#[test]
fn no_hostile_bot_harms_anybody() {
    let site = Site::new();
    // The decoy is a healthy bot, and whoever has the opponent in its name plays against it.
    let mut healthy = HashMap::new();
    for &user in &site.users {
        for behaviour in ["healthy", "healthy opponent"] {
            let moves = moves(&play(&site, user, behaviour, Sandbox::Strict).log);
            assert!(moves.contains("a0"), "{moves}");
            healthy.insert((user.name, behaviour), moves);
        }
    }
    let open = site.users.iter().filter(|user| !user.closed && !user.confined);
    let alone: Vec<_> = open.map(|&user| (user, neighbours(&site, user))).collect();
    for (user, alone) in &alone {
        assert_eq!((alone.status, alone.stdout.lines().count()), (Some(0), 2), "{}: {alone:?}", user.name);
    }

    let games = games(&site);
    // Four at a time; and beside them four of those that wait and need no machine for that.
    let (quiet, busy): (Vec<Game>, Vec<Game>) = games.iter().partition(|game| is_quiet(game));
    let played_out = |games: &[Game], next: &AtomicUsize| {
        let mut complaints = Vec::new();
        while let Some(&game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (row, user, sandbox) = game;
            let opponent = if row.1.contains("opponent") { "healthy opponent" } else { "healthy" };
            let played = play(&site, user, &asked(row), sandbox);
            let found = judge(game, &played, &healthy[&(user.name, opponent)]);
            let who = format!("{} {} ({}) as {}, {sandbox:?}", row.0, row.1, row.2, user.name);
            complaints.extend(found.into_iter().map(|what| format!("{who}: {what}")));
        }
        complaints
    };
    let done = AtomicBool::new(false);
    let heard = |(user, alone): &(User, Ran)| {
        std::iter::from_fn(|| (!done.load(Ordering::Relaxed)).then(|| neighbours(&site, *user)))
            .find(|ran| ran.status != Some(0) || ran.stdout != alone.stdout)
    };
    let queues = [(&quiet, AtomicUsize::new(0)), (&busy, AtomicUsize::new(0))];
    let (complaints, disturbed) = thread::scope(|scope| {
        let beside: Vec<_> = alone.iter().map(|alone| scope.spawn(|| heard(alone))).collect();
        let players = queues.iter().flat_map(|(games, next)| (0..4).map(move |_| (games, next)));
        let players: Vec<_> = players.map(|(games, next)| scope.spawn(|| played_out(games, next))).collect();
        let played: Vec<_> = players.into_iter().map(ScopedJoinHandle::join).collect();
        done.store(true, Ordering::Relaxed);
        let complaints: Vec<String> = played.into_iter().flat_map(|played| played.unwrap()).collect();
        let disturbed: Vec<Ran> = beside.into_iter().filter_map(|beside| beside.join().unwrap()).collect();
        (complaints, disturbed)
    });
    assert!(
        complaints.is_empty(),
        "{} of {} games:\n{}",
        complaints.len(),
        games.len(),
        complaints.join("\n")
    );
    assert!(disturbed.is_empty(), "a healthy match beside was disturbed: {disturbed:#?}");
}

/// A row's behaviour with its options; what never comes is not waited for longer than a bot needs that says what it says.
fn asked(row: &Row) -> String {
    if row.3 != Forfeits("timeout") || row.1.contains("--move-time") {
        return row.1.to_owned();
    }
    let options = if row.1.contains(" -- ") { "" } else { " --" };
    format!("{}{options} --move-time 2s", row.1)
}

/// What is not as the row says, or is not as it was.
fn judge((row, user, sandbox): Game, played: &Played, healthy: &str) -> Vec<String> {
    let &(_, _, _, ends, words, off) = row;
    let mut complaints = Vec::new();
    let mut expect = |holds: bool, what: &str| {
        if !holds {
            complaints.push(format!("{what}; {:?}; the bot: {}", played.ran, played.said));
        }
    };
    expect(played.ran.status.is_some(), "arbiter does not end by itself");
    expect(played.left.is_empty(), &format!("left over: {:#?}", played.left));
    expect(played.odd.is_empty(), &format!("characters that steer a screen: {:?}", played.odd));
    if sandbox == Sandbox::Strict {
        expect(played.touched.is_empty(), &format!("not as it was: {:?}", played.touched));
        let whole = ["net=denied files=denied ", " processes=denied doors=denied ", user.bots];
        let said = whole.iter().all(|words| played.log.contains(words));
        expect(said, "not all of strict is in force, or another user");
        expect(!user.confined || played.log.contains(" names=visible "), "there are namespaces");
    } else {
        let opened = match off {
            Open => opened(words, &[]),
            OpenBut(others) => opened(words, others),
            Says(words) => words.iter().map(|&word| word.to_owned()).collect(),
            Same | Harmful(_) => Vec::new(),
        };
        for word in opened {
            expect(
                played.said.contains(&word),
                &format!("it shows nothing, for there is no {word:?} without it"),
            );
        }
        if off != Same {
            return complaints;
        }
    }
    let game = played.game();
    let word = |key: &str| game[key].as_str().unwrap_or_default();
    let (outcome, result) = (word("outcome"), word("result"));
    let names = word("white") == "hostile" && matches!(word("black"), "random" | "decoy");
    let plays = matches!(outcome, "win" | "suicide" | "draw") && game["detail"].is_null();
    let looked_at = played.log.contains(" names=visible ");
    let forfeit = match ends {
        Plays => None,
        PlaysOr(why) => Some(why).filter(|why| looked_at && word("termination") == *why),
        PlaysWhere(isolation, why) => Some(why).filter(|_| !played.log.contains(&format!(" {isolation}"))),
        Forfeits(why) => Some(why),
    };
    let (holds, told) = match forfeit {
        None => (plays && moves(&played.log) == healthy, played.said.clone()),
        Some(why) => (
            (outcome, word("termination"), result) == ("forfeit", why, "0-1"),
            format!("{}\n{}", word("detail"), played.ran.stdout),
        ),
    };
    let words = match ends {
        PlaysOr(_) | PlaysWhere(..) if forfeit.is_some() => &["the match allows"],
        _ => words,
    };
    expect(holds && names && played.sound, &format!("it does not end as {ends:?}"));
    for word in words.iter().filter(|word| !is_told(&told, word)) {
        expect(false, &format!("its author does not read {word:?}"));
    }
    complaints
}

/// What a file that may not be reached is refused with: Landlock says the first of these; in namespaces it is not there, or lies
/// on a file system that is read-only, or on another one.
const UNREACHABLE: [&str; 4] = ["EACCES", "ENOENT", "EROFS", "EXDEV"];

/// What a signal or a look at a process that may not be reached is refused with: in a pid namespace its number means none.
const OUT_OF_REACH: [&str; 2] = ["EPERM", "ESRCH"];

/// Whether these words are there; one way of not being reached is as good as another.
fn is_told(told: &str, words: &str) -> bool {
    let alike = [&UNREACHABLE[..], &OUT_OF_REACH].into_iter().find_map(|ways| {
        let attempt = ways.iter().find_map(|way| words.strip_suffix(way))?;
        attempt
            .starts_with("refused ")
            .then(|| ways.iter().any(|way| told.contains(&format!("{attempt}{way}"))))
    });
    alike.unwrap_or_else(|| told.contains(words))
}

/// What a bot says where that works which it says here to be refused, but for these.
fn opened(words: &[&str], others: &[&str]) -> Vec<String> {
    let names = words.iter().filter_map(|word| Some(word.strip_prefix("refused ")?.split_once(": ")?.0));
    names.filter(|name| !others.contains(name)).map(|name| format!("open {name}")).collect()
}

#[test]
fn what_would_be_left_or_touched_is_seen() {
    let site = Site::new();
    let user = *site.users.last().unwrap();
    let touched = |behaviour: &str| play(&site, user, behaviour, Sandbox::Off).touched;
    for (behaviour, file) in [
        ("changes-opponent", "decoy/new"),
        ("fills-the-disk", "tmp/large"),
        ("reaches-through-scratch", "tmp/folder"),
    ] {
        let touched = touched(behaviour);
        assert!(touched.iter().any(|path| path.ends_with(file)), "{behaviour}: {touched:?}");
    }
    assert_eq!(touched("healthy"), [""; 0].map(PathBuf::from));
    let (marker, objects) = (marker("seen"), Objects::new());
    let mut process = Command::new("sleep").arg0(&marker).arg("600").spawn().unwrap();
    let name = &objects.name;
    let _socket = UnixListener::bind_addr(&SocketAddr::from_abstract_name(name).unwrap()).unwrap();
    let shared = fs::File::create(format!("/dev/shm/{name}"));
    let found = traces(&marker, &objects);
    process.kill().unwrap();
    process.wait().unwrap();
    let _ = fs::remove_file(format!("/dev/shm/{name}")); // where it could not be made, there is none
    assert_eq!(found.len(), if shared.is_ok() { 3 } else { 2 }, "{found:?}");
    assert_eq!(traces(&marker, &objects).len(), 1, "the socket is still there");
}
