//! `arbiter check BOT`: each situation finds the bot that fails in it and no other, and healthy
//! bots fail in none.
//!
//! The bots that fail in one situation each are in tests/bots/picky.py. What the command prints and
//! writes is tested in tests/it/check/command.rs, the broken bots of other tests in
//! tests/it/check/broken_bots.rs. `.ci/slow` tries all bots (`ARBITER_ALL`). Otherwise it is the
//! first with a fault, the first with a remark and one in eight of the others, and the first
//! healthy one of each kind but for those behind an adapter.

use crate::support::{
    Ran, arbiter, has_strict, judge_all, plays_all, project, sample_of_kinds, skip,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// What picky.py is about, the game, the first situation that is not right with its result, the
/// shortest game that shows it, if that is known, and words of the sentence.
type Row = (&'static str, &'static str, (&'static str, &'static str), Option<u64>, &'static str);

const TABLE: &[Row] = &[
    ("third-answer", "loa", ("whole-game", "fault"), Some(4), "its third answer"),
    ("one-ply", "loa", ("one-legal-ply", "fault"), Some(0), "it chooses among two"),
    ("pass", "loa", ("forced-pass", "fault"), Some(1), "a pass"),
    ("pass", "flipflop", ("forced-pass", "fault"), Some(1), "a pass"),
    ("position", "loa", ("other-start", "fault"), Some(0), "an unusual start"),
    ("long-line", "loa", ("long-game", "fault"), None, "a line that is too long"),
    ("size-20", "lineup", ("largest-board", "fault"), None, "a board of 20 rows"),
    ("option", "loa", ("option-stuck", "fault"), None, "an option that it does not know"),
    ("time-move", "loa", ("time-move", "fault"), None, "a time that it does not know"),
    ("time-none", "loa", ("time-none", "fault"), Some(0), "KeyError: 'left'"),
    ("unknown", "loa", ("unknown-lines", "fault"), None, "a word that it does not know"),
    ("illegal", "loa", ("attempts", "fault"), None, "it cannot take a ply back"),
    ("keeps-its-turn", "loa", ("reuse", "fault"), None, "too many turns"),
    ("keeps-a-count", "loa", ("reuse", "remark"), None, "something of an earlier game is left"),
    ("stays", "loa", ("quit", "remark"), None, "was killed"),
    ("stays-at-end", "loa", ("end-of-input", "remark"), None, "was killed"),
    ("unflushed", "loa", ("flush", "remark"), None, "PYTHONUNBUFFERED=1"),
    ("slow", "loa", ("short-clock", "fault"), None, "came after"),
];

/// Rows that need `strict`.
const STRICT: &[Row] = &[
    ("network", "loa", ("ready", "fault"), None, "there is no network"),
    ("threads", "loa", ("limits", "remark"), None, "it is near its limits"),
];

/// Checks a bot in a game, in this folder.
fn check(dir: &Path, bot: &str, game: &str, more: &[&str]) -> (Ran, Vec<Value>) {
    let words = [&["check", bot, "--game", game, "--json"], more].concat();
    let ran: Ran = arbiter(&words).current_dir(dir).output().unwrap().into();
    let objects = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (ran, objects)
}

/// Whether a bot lost by the clock of 100 ms, on which a busy machine may lose.
fn is_of_short_clock(object: &Value) -> bool {
    object["situation"] == "short-clock" && object["fault"] == "timeout"
}

fn judge(&(about, game, (situation, result), plies, words): &Row, more: &[&str]) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let bot = format!("python3 {} {about}", project("tests/bots/picky.py").display());
    let (ran, objects) = check(dir.path(), &bot, game, more);
    // Faults come before remarks; where a bot plays in a position by chance, others may fail alike.
    let of = |wanted: &str| {
        objects.iter().filter(move |object| object["result"] == wanted).collect::<Vec<_>>()
    };
    let worst = [of("fault"), of("remark")].concat();
    let status = if result == "fault" { 1 } else { 0 };
    let is_disturbed = |object: &Value| {
        object["sentence"].as_str().is_some_and(|text| text.contains("when it is idle"))
    };
    let is_kept_waiting =
        situation != "short-clock" && of("fault").iter().any(|object| is_of_short_clock(object));
    if is_kept_waiting
        || of("remark")
            .iter()
            .any(|object| object["situation"] == situation && is_disturbed(object))
    {
        skip(&format!("{about} in {game}: the machine is too busy for a short clock"));
        return Vec::new();
    }
    let Some(first) = worst.iter().find(|object| object["situation"] == situation) else {
        return vec![format!("{about} in {game}: not found in {situation}: {ran:?}")];
    };
    let mut complaints = Vec::new();
    let causes: BTreeSet<String> =
        of("fault").iter().map(|object| object["cause"].to_string()).collect();
    let sentence = first["sentence"].as_str().unwrap_or_default();
    if ran.status != Some(status) || first["result"] != result || !sentence.contains(words) {
        complaints.push(format!("{about} in {game}: {status} {result} {words:?}: {first} {ran:?}"));
    }
    if causes.len() > 1 || plies.is_some_and(|plies| worst[0]["plies"] != plies) {
        complaints.push(format!(
            "{about} in {game}: one cause, shown by {plies:?} plies: {causes:?} {}",
            worst[0]
        ));
    }
    // The faults of one cause do not depend on isolation, and can be shown without arbiter; but for
    // what time decides.
    let file = worst[0]["file"].as_str();
    let is_shown = result != "fault" || ["short-clock", "ready"].contains(&situation);
    if !is_shown && !file.is_some_and(|file| dir.path().join(file).is_file()) {
        complaints.push(format!("{about} in {game}: no file: {}", worst[0]));
    }
    complaints
}

#[test]
fn each_situation_finds_the_bot_that_fails_in_it() {
    let rows = sample_of_kinds(TABLE, 8, |row| row.2.1);
    let complaints = judge_all(&rows, 2, |row| judge(row, &["--sandbox", "basic"]));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn isolation_is_named_where_it_is_the_cause() {
    if !has_strict("what only isolation forbids") {
        return;
    }
    let complaints = judge_all(STRICT, 2, |row| judge(row, &[]));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    let dir = tempfile::tempdir().unwrap();
    let picky =
        |about: &str| format!("python3 {} {about}", project("tests/bots/picky.py").display());
    // What is not installed is told in other words under less isolation, and fails there too.
    let rows =
        [("network", "ready", true), ("module", "ready", false), ("time-none", "time-none", false)];
    let tried = if plays_all() { &rows[..] } else { &rows[..2] };
    for &(about, situation, is_cause) in tried {
        let (ran, objects) = check(dir.path(), &picky(about), "loa", &[]);
        let found = objects.iter().find(|object| object["situation"] == situation).unwrap();
        assert_eq!(found["isolation"], is_cause, "{about}: {ran:?}");
    }
}

/// BOTs without a fault, and the games that they play.
const HEALTHY: &[(&str, &[&str])] = &[
    ("builtin:random", &["loa", "flipflop", "lineup", "gekitai"]),
    ("builtin:greedy", &["loa", "gekitai"]),
    ("builtin:search", &["lineup"]),
    ("ugi:builtin:greedy", &["flipflop"]),
    ("bots/minimal-shell", &["lineup"]),
    ("bots/random-python", &["gekitai"]),
    ("bots/greedy-python", &["loa"]),
    ("bots/playout-python", &["flipflop"]),
    ("adapter:codingame python3 tests/adapters/engines/codingame.py", &["loa"]),
    ("bots/console/board-python", &["loa"]),
    ("bots/console/menus-python", &["lineup"]),
];

#[test]
fn a_healthy_bot_has_no_fault() {
    let all = HEALTHY.iter().flat_map(|&(bot, games)| games.iter().map(move |&game| (bot, game)));
    // A bot behind an adapter starts slowly, and the next test has a healthy one.
    let all = all.filter(|(bot, _)| plays_all() || !bot.starts_with("adapter:"));
    // A built-in bot, one behind UGI, and a sample bot in each language: in shell and in Python.
    let rows = sample_of_kinds(all, 20, |(bot, _)| match bot.strip_prefix("bots/") {
        Some(folder) => folder.rsplit('-').next(),
        None => bot.split(':').next(),
    });
    let complaints = judge_all(&rows, 2, |&(bot, game)| {
        let out = tempfile::tempdir().unwrap();
        let bot = match bot.split_once(':') {
            Some(_) => bot.to_owned(),
            None => project(bot).display().to_string(),
        };
        let more = ["--out", out.path().to_str().unwrap()];
        let (ran, objects) = check(&project(""), &bot, game, &more);
        let faults: Vec<&Value> =
            objects.iter().filter(|object| object["result"] == "fault").collect();
        let is_kept_waiting = faults.iter().any(|object| is_of_short_clock(object));
        let faults: Vec<&Value> =
            faults.into_iter().filter(|object| !is_of_short_clock(object)).collect();
        let is_healthy = (ran.status == Some(0) || is_kept_waiting) && faults.is_empty();
        if is_healthy && objects.len() > 15 {
            Vec::new()
        } else {
            vec![format!("{bot} in {game}: {faults:?} {ran:?}")]
        }
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// An adapter of a course whose lines cannot say where pieces stand, and a bot behind it that takes
/// the first move, or answers with no move after some.
const COURSE: [(&str, &str); 2] = [
    (
        "lines.py",
        "from arbiter_adapter import Adapter, run\n\
         class Lines(Adapter):\n    \
             def turn(self):\n        \
                 if any(self.game.pieces()):\n            \
                     self.fault('cannot say where pieces stand')\n        \
                 self.bot.send('choose ' + ' '.join(self.game.moves))\n\
         run(Lines)\n",
    ),
    (
        "bot.py",
        "import sys\n\
         for number, line in enumerate(iter(input, ''), 1):\n    \
             print('nowhere' if sys.argv[1:] == [str(number)] else line.split()[1], flush=True)\n",
    ),
];

#[test]
fn a_bot_behind_an_adapter_is_checked_as_far_as_its_lines_go() {
    if !has_strict("the check of a bot behind an adapter") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (file, text) in COURSE {
        std::fs::write(dir.path().join(file), text).unwrap();
    }
    let (ran, objects) = check(dir.path(), "adapter:lines.py python3 bot.py", "gekitai", &[]);
    let faults: Vec<&Value> = objects.iter().filter(|object| object["result"] == "fault").collect();
    assert!(faults.iter().all(|object| is_of_short_clock(object)), "{ran:?}");
    let why = "its adapter cannot begin there: cannot say where pieces stand";
    let other_start = objects.iter().find(|object| object["situation"] == "other-start").unwrap();
    assert!(other_start["result"] == "skipped" && other_start["sentence"] == why, "{ran:?}");

    // What repeats a fault by hand is what the bot was sent, not what its adapter was.
    let (ran, objects) = check(dir.path(), "adapter:lines.py python3 bot.py 1", "gekitai", &[]);
    let opening = objects.iter().find(|object| object["situation"] == "opening").unwrap();
    let file = dir.path().join(opening["file"].as_str().unwrap());
    let sent = std::fs::read_to_string(file).unwrap();
    assert!(ran.status == Some(1) && sent.starts_with("choose a1 "), "{ran:?} {sent}");
    assert!(sent.lines().all(|line| line.starts_with("choose ")), "{sent}");
}
