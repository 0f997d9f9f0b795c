//! The catalogue: every known hostile behaviour, each a small program, with its verdict in a table.
//!
//! Each row is played under `--sandbox strict`, where the attempt must fail and must not affect the
//! referee, the opponent, a game beside it and the machine; and again with `--sandbox off`, where
//! the attempt must succeed, since otherwise the row would prove nothing. It is played as root,
//! whose bots get user ids of their own; as root, whose bots have to stay root; and as an ordinary
//! user. If the test does not run as root, only as its own user, and it prints that. Rows that
//! depend on namespaces are played by both users again where no namespace can be made.
//!
//! The bot is tests/bots/hostile.py. No test here asserts a duration: an attempt that is late never
//! comes.
//!
//! That is what `.ci/slow` plays (`ARBITER_ALL`). Otherwise it is the first row of each end, with
//! and without the sandbox, and one in eight of the others, under `strict` by one of these users,
//! who take turns, and once without a sandbox.
//!
//! The environment variable `ARBITER_ROWS` selects rows: numbers and the beginnings of behaviours,
//! with commas between them, as in `ARBITER_ROWS=36,grows cargo test --test alone harms`.

mod arena;
mod attacks;
mod descriptors;
mod machine;
mod pages;
mod table;
mod user;

use crate::loads_machine;
use crate::support::{Ran, marker, moves, plays_all, project, sample_of_kinds, skip};
use arena::{Played, Sandbox, neighbours, play};
use machine::{Objects, traces};
use std::collections::HashMap;
use std::mem::discriminant;
use std::ops::RangeInclusive;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::{env, fs};
use table::Ends::{Forfeits, Plays, PlaysOr, PlaysWhere};
use table::Off::{Harmful, Open, OpenBut, Same, Says};
use table::{ELSEWHERE, Row};
use user::{KEPT, Site, User};

/// The numbers of the known behaviours.
const COVERED: &[RangeInclusive<u8>] = &[1..=96];

/// Numbers that depend on namespaces: processes and memory.
const OF_NAMESPACES: &[RangeInclusive<u8>] = &[36..=46, 59..=59, 62..=62, 76..=79, 88..=88];

/// Behaviours that exist on this architecture only.
const X86_64: [&str; 2] = ["calls-as-32-bit-program", "calls-by-other-numbers"];

/// Behaviours that the kernel does not refuse to root, whose threads it does not count. The
/// isolation line says that such a bot is root.
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
        named
            .split(',')
            .any(|word| word.parse() == Ok(row.0) || !word.is_empty() && row.1.starts_with(word))
    })
}

#[test]
fn every_number_of_the_catalogue_has_a_row_that_is_played() {
    for number in COVERED.iter().cloned().flatten() {
        let found =
            rows().any(|row| row.0 == number) || ELSEWHERE.iter().any(|row| row.0 == number);
        assert!(found, "{number} has no row");
    }
    for (number, what, file, words) in ELSEWHERE {
        let text = fs::read_to_string(project(file)).unwrap();
        assert!(text.contains(words), "{number}, {what}: {file} has no {words:?}");
    }
    let list = Command::new("python3")
        .arg(project("tests/bots/hostile.py"))
        .arg("--list")
        .output()
        .unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let known: Vec<&str> =
        list.lines().filter_map(|line| line.split_ascii_whitespace().next()).collect();
    for row in rows() {
        let name = row.1.split(' ').next().unwrap();
        assert!(is_in(COVERED, row.0) && known.contains(&name), "{row:?}");
    }
}

/// A row, the user who plays it, and the level.
type Game = (&'static Row, User, Sandbox);

/// Whether the bot of a game is silent for a while.
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
    let wanted = rows().filter(here).filter(|row| is_wanted(row, named.as_deref()));
    let wanted = sample_of_kinds(wanted, if named.is_some() { 1 } else { 16 }, |row| {
        (format!("{:?}", row.3), discriminant(&row.5))
    });
    for (number, row) in wanted.into_iter().enumerate() {
        let (mut strict, mut off) = (Vec::new(), Vec::new());
        let refused = row.4.iter().any(|word| word.starts_with("refused "));
        for &user in &site.users {
            // A closed folder matters only for what is refused to a bot.
            if user.closed && !refused || user.bots == KEPT.bots && NOT_OF_ROOT.contains(&row.1) {
                continue;
            }
            if user.confined && !is_in(OF_NAMESPACES, row.0) {
                continue;
            }
            strict.push((row, user, Sandbox::Strict));
            let again = match row.5 {
                Harmful(_) => false,
                Same => user.confined || site.users.last() == Some(&user),
                Open | OpenBut(_) | Says(_) => !user.closed && !user.confined,
            };
            off.extend(again.then_some((row, user, Sandbox::Off)));
        }
        for played in [strict, off] {
            let all = plays_all() || named.is_some();
            let only = number % played.len().max(1);
            games.extend(
                played
                    .into_iter()
                    .enumerate()
                    .filter(|&(at, _)| all || at == only)
                    .map(|(_, game)| game),
            );
        }
    }
    assert!(!games.is_empty(), "no row is {named:?}");
    games
}

#[test]
fn no_hostile_bot_harms_anybody() {
    let site = &Site::new();
    // The decoy is a working bot; behaviours with the opponent in their name play against it.
    let mut healthy = HashMap::new();
    for &user in &site.users {
        for behaviour in ["healthy", "healthy opponent"] {
            let played = play(site, user, behaviour, Sandbox::Strict);
            let moves = moves(&played.log);
            assert!(moves.contains("a0"), "{} as {}: {played:?}", behaviour, user.name);
            healthy.insert((user.name, behaviour), moves);
        }
    }
    let open = site.users.iter().filter(|user| !user.closed && !user.confined);
    let alone: Vec<(User, Ran)> = thread::scope(|scope| {
        let begun: Vec<_> =
            open.map(|&user| (user, scope.spawn(move || neighbours(site, user)))).collect();
        begun.into_iter().map(|(user, ran)| (user, ran.join().unwrap())).collect()
    });
    for (user, alone) in &alone {
        assert_eq!(
            (alone.status, alone.stdout.lines().count()),
            (Some(0), 2 + 1),
            "{}: {alone:?}",
            user.name
        );
    }

    let games = games(site);
    let machine = loads_machine();
    // Four at a time; and beside them four of those that wait and use no processor, which may go
    // on beside other tests.
    let (quiet, busy): (Vec<Game>, Vec<Game>) = games.iter().partition(|game| is_quiet(game));
    let played_out = |games: &[Game], next: &AtomicUsize| {
        let mut complaints = Vec::new();
        while let Some(&game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (row, user, sandbox) = game;
            let opponent = if row.1.contains("opponent") { "healthy opponent" } else { "healthy" };
            let played = play(site, user, &asked(row), sandbox);
            let found = judge(game, &played, &healthy[&(user.name, opponent)]);
            let who = format!("{} {} ({}) as {}, {sandbox:?}", row.0, row.1, row.2, user.name);
            complaints.extend(found.into_iter().map(|what| format!("{who}: {what}")));
        }
        complaints
    };
    let done = AtomicBool::new(false);
    let heard = |(user, alone): &(User, Ran)| {
        std::iter::from_fn(|| (!done.load(Ordering::Relaxed)).then(|| neighbours(site, *user)))
            .find(|ran| ran.status != Some(0) || ran.stdout != alone.stdout)
    };
    let queues = [(&quiet, AtomicUsize::new(0)), (&busy, AtomicUsize::new(0))];
    let (complaints, disturbed) = thread::scope(|scope| {
        let beside: Vec<_> = alone.iter().map(|alone| scope.spawn(|| heard(alone))).collect();
        let [waiting, loading] = queues
            .each_ref()
            .map(|(games, next)| [(); 4].map(|()| scope.spawn(|| played_out(games, next))));
        let mut played: Vec<_> = loading.into_iter().map(ScopedJoinHandle::join).collect();
        drop(machine);
        played.extend(waiting.into_iter().map(ScopedJoinHandle::join));
        done.store(true, Ordering::Relaxed);
        let complaints: Vec<String> =
            played.into_iter().flat_map(|played| played.unwrap()).collect();
        let disturbed: Vec<Ran> =
            beside.into_iter().filter_map(|beside| beside.join().unwrap()).collect();
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

/// A row's behaviour with its options. A row that must time out gets 2 s for a ply, which is enough
/// for a bot that answers.
fn asked(row: &Row) -> String {
    if row.3 != Forfeits("timeout") || row.1.contains("--move-time") {
        return row.1.to_owned();
    }
    let options = if row.1.contains(" -- ") { "" } else { " --" };
    format!("{}{options} --move-time 2s", row.1)
}

/// Everything in a game that differs from the row, or has changed on the machine.
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
    let looked_at =
        played.log.contains(" names=visible ") || !played.log.contains("[Isolation \"strict");
    let forfeit = match ends {
        Plays => None,
        PlaysOr(why) => Some(why).filter(|why| looked_at && word("termination") == *why),
        PlaysWhere(isolation, why) => {
            Some(why).filter(|_| !played.log.contains(&format!(" {isolation}")))
        }
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

/// The errors for a file that the bot may not reach: the first is Landlock's; in namespaces the
/// file does not exist, or is on a file system that is read-only, or on another one.
const UNREACHABLE: [&str; 4] = ["EACCES", "ENOENT", "EROFS", "EXDEV"];

/// The errors for a process that the bot may not reach: in a pid namespace its pid does not exist;
/// without one, calls that read something of a process are refused as if the kernel did not have
/// them.
const OUT_OF_REACH: [&str; 3] = ["EPERM", "ESRCH", "ENOSYS"];

/// Whether a text contains these words, with any of the errors for the same refusal.
fn is_told(told: &str, words: &str) -> bool {
    let alike = [&UNREACHABLE[..], &OUT_OF_REACH].into_iter().find_map(|ways| {
        let attempt = ways.iter().find_map(|way| words.strip_suffix(way))?;
        attempt
            .starts_with("refused ")
            .then(|| ways.iter().any(|way| told.contains(&format!("{attempt}{way}"))))
    });
    alike.unwrap_or_else(|| told.contains(words))
}

/// The text of a bot whose attempts succeed, from the words with refusals, except for these.
fn opened(words: &[&str], others: &[&str]) -> Vec<String> {
    let names =
        words.iter().filter_map(|word| Some(word.strip_prefix("refused ")?.split_once(": ")?.0));
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
    let _ = fs::remove_file(format!("/dev/shm/{name}")); // fails if it could not be made
    assert_eq!(found.len(), if shared.is_ok() { 3 } else { 2 }, "{found:?}");
    assert_eq!(traces(&marker, &objects).len(), 1, "the socket is still there");
}
