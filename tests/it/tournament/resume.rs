//! A tournament that is killed at any moment and started again until it ends: no game is lost or
//! played twice, and the result is that of a run without interruptions.

use crate::support::place::{FIRST, ILLEGAL, Place, cup};
use crate::support::{marker, plays_all, wait_for, wait_until_gone};
use std::collections::HashSet;
use std::fs;
use std::process::Child;
use std::time::{Duration, Instant};

/// The formats and one that ends early, and the status with which each ends.
fn formats(marker: &str) -> [(&'static str, String, i32); 5] {
    let shell = format!("sh first/bot.sh {marker}");
    let bots = [
        ("ada", "builtin:random"),
        ("bea", "builtin:greedy"),
        ("cid", &*shell),
        ("dan", "builtin:random"),
        ("eva", "builtin:greedy"),
    ];
    let [ada, bea, ..] = bots;
    let test = "[sprt]\nelo0 = 0\nelo1 = 100\nmodel = 'logistic'\nmax-pairs = 60";
    let five = "[options]\nn = 5";
    [
        ("round-robin", cup("games = 3", "", &bots), 0),
        ("swiss", cup("format = 'swiss'\nrounds = 4\ngames = 4", "", &bots), 0),
        ("knockout", cup("format = 'knockout'\nbest-of = 6", "", &bots), 0),
        ("sprt", cup("format = 'sprt'", test, &[bea, ada]).replace("[options]\nn = 4", five), 0),
        (
            "stopped",
            cup("games = 4\nstop-after-forfeits = 6", "", &[ada, bea, ("fay", "sh bad.sh")]),
            0,
        ),
    ]
}

#[test]
fn killed_and_started_again_until_it_ends_it_has_the_games_of_an_unbroken_run() {
    let mut chance = Chance(0x5eed);
    let marker = marker("killed");
    // In each format.
    let least = if plays_all() { 8 } else { 2 };
    for (format, config, status) in formats(&marker) {
        let place = Place::new();
        place.write("first/bot.sh", FIRST);
        place.write("bad.sh", ILLEGAL);
        place.ends(status, &config, "whole", &["--concurrency", "1"]);
        let whole = place.results("whole");
        // A fast machine may finish before enough kills; then the rest of them happen in another
        // folder.
        let (mut kills, mut folder) = (0, 0);
        while kills < least {
            folder += 1;
            let out = format!("broken{folder}");
            kills += play_with_kills(&place, &config, &out, status, &mut chance);
            assert_eq!(place.results(&out), whole, "{format}");
            let games = place.journal(&out);
            let different: HashSet<_> =
                games.iter().map(|(id, attempt, _)| (id, attempt)).collect();
            assert_eq!(different.len(), games.len(), "{format}: no game twice");
        }
        wait_until_gone(&marker);
        // A partly written file that a kill left was overwritten and renamed.
        let left = place
            .snapshot("broken1")
            .into_keys()
            .find(|path| path.extension().is_some_and(|end| end == "new"));
        assert_eq!(left, None, "{format}");
        // Started again when all is done: nothing is played and nothing changes.
        let before = place.snapshot("broken1");
        place.ends(status, &config, "broken1", &[]);
        assert_eq!(place.snapshot("broken1"), before, "{format}");
    }
}

/// Starts the tournament and kills it, again and again until it ends by itself; returns the number
/// of kills.
pub fn play_with_kills(
    place: &Place,
    config: &str,
    out: &str,
    status: i32,
    chance: &mut Chance,
) -> usize {
    let journal = place.path(&format!("{out}/journal.jsonl"));
    let (mut kills, mut before) = (0, Vec::new());
    loop {
        let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
        let had = lines(&before);
        let mut child = place.start(config, out, &["--concurrency", "2"]);
        let ended = match chance.below(3) {
            // At some moment, perhaps before anything is written.
            0 => {
                let moment = Instant::now() + Duration::from_micros(chance.below(120_000));
                wait_for("a moment", || {
                    ended(&mut child).or((Instant::now() >= moment).then_some(None))
                })
            }
            // After some more games.
            _ => {
                let more = 1 + chance.below(4) as usize;
                let grown = || lines(&fs::read(&journal).unwrap_or_default()) >= had + more;
                wait_for("a longer journal", || ended(&mut child).or(grown().then_some(None)))
            }
        };
        let _ = child.kill(); // it may have ended
        let ended = ended.or(child.wait().unwrap().code());
        let after = fs::read(&journal).unwrap_or_default();
        assert!(
            after.starts_with(&before),
            "every whole line from before the kill is there after it"
        );
        if let Some(code) = ended {
            assert_eq!(code, status, "{}", place.text("err.txt"));
            return kills;
        }
        kills += 1;
        before = after;
        let whole = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        before.truncate(whole);
    }
}

/// The status of a child if it has ended, for polling.
fn ended(child: &mut Child) -> Option<Option<i32>> {
    child.try_wait().unwrap().map(|status| status.code())
}

/// Delays that are the same in every run of the test.
pub struct Chance(pub u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[test]
fn a_torn_tail_is_cut_and_played_again() {
    let place = Place::new();
    let config = cup(
        "games = 2",
        "",
        &[("a", "builtin:random"), ("b", "builtin:greedy"), ("c", "builtin:random")],
    );
    place.ends(0, &config, "whole", &[]);
    let whole = place.results("whole");
    let journal = fs::read(place.path("whole/journal.jsonl")).unwrap();
    let ends: Vec<usize> = journal
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1)
        .collect();
    let last = ends[ends.len() - 2];
    // Nothing but a part of the head; between two lines; the first, a middle and the last byte of
    // the last line missing.
    let cuts = [
        0,
        5,
        40,
        ends[0] - 1,
        ends[0],
        ends[1] + 9,
        last,
        last + 1,
        (last + journal.len()) / 2,
        journal.len() - 1,
    ];
    for (number, cut) in cuts.into_iter().enumerate() {
        let out = format!("cut{number}");
        fs::create_dir(place.path(&out)).unwrap();
        fs::write(place.path(&format!("{out}/journal.jsonl")), &journal[..cut]).unwrap();
        let ran = place.ends(0, &config, &out, &[]);
        let torn = cut > 0 && journal[cut - 1] != b'\n';
        assert_eq!(
            ran.stderr.contains("its last line is incomplete or damaged"),
            torn,
            "{cut}: {ran:?}"
        );
        assert_eq!(place.results(&out), whole, "{cut}");
        let kept = ends.iter().filter(|&&end| end <= cut).max().copied().unwrap_or_default();
        let now = fs::read(place.path(&format!("{out}/journal.jsonl"))).unwrap();
        assert_eq!(now[..kept], journal[..kept], "{cut}");
        assert_eq!(place.journal(&out).len(), 6, "{cut}");
    }
    // A file system may leave a last line of the right length with other content.
    let mut zeros = journal.clone();
    zeros[last..].fill(0);
    fs::create_dir(place.path("zeros")).unwrap();
    fs::write(place.path("zeros/journal.jsonl"), zeros).unwrap();
    place.ends(0, &config, "zeros", &[]);
    assert_eq!(place.results("zeros"), whole);
}
