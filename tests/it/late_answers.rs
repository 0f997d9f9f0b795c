//! A second answer to a question is no answer to the next one, whenever it is written and however
//! bots are stopped. `.ci/slow` plays all matches (`ARBITER_ALL`), otherwise it is one in seven.

use crate::support::{project, run, sample};
use std::fs;
use std::path::Path;

fn twice(milliseconds: &str) -> String {
    format!("python3 {} {milliseconds}", project("tests/bots/twice.py").display())
}

/// Plays a game in which each square stays legal until it is taken, so that a late answer is legal,
/// too. Complains if a ply of the bot, which has the first side, is not its answer to that
/// question.
fn play(dir: &Path, milliseconds: &str, opponent: &str, options: &[&str]) -> Option<String> {
    let log = dir.join("game.pgn");
    let _ = fs::remove_file(&log);
    let bot = twice(milliseconds);
    let base =
        ["play", "lineup", &bot, opponent, "--seed", "7", "--start", "120s", "--time", "600+0"];
    let ran = run(&[&base[..], &["--log", log.to_str().unwrap()], options].concat());
    let text = fs::read_to_string(&log).unwrap_or_default();
    let comments: Vec<&str> =
        text.split('{').skip(1).filter_map(|part| part.split('}').next()).collect();
    let is_own = |number: usize, comment: &str| {
        comment.split_whitespace().last() == Some(&(number + 1).to_string())
    };
    let wrong: Vec<_> = comments
        .iter()
        .enumerate()
        .step_by(2)
        .filter(|&(number, comment)| !is_own(number, comment))
        .collect();
    let is_well = ran.status == Some(0)
        && comments.len() >= 10
        && !text.contains("forfeit")
        && wrong.is_empty();
    (!is_well)
        .then(|| format!("{milliseconds} ms, {opponent}, {options:?}: {wrong:?} {ran:?}\n{text}"))
}

#[test]
fn a_second_answer_is_never_the_next_ply() {
    let dir = tempfile::tempdir().unwrap();
    let opponents = ["builtin:random".to_owned(), twice("3")];
    // Stopped by signals or frozen with a control group; running on; on one core with arbiter and
    // on any.
    let ways: [&[&str]; 5] = [
        &["--sandbox", "basic"],
        &["--sandbox", "strict", "--processes", "4"],
        &["--sandbox", "basic", "--pin", "off"],
        &["--sandbox", "basic", "--pondering", "on"],
        &["--sandbox", "basic", "--pondering", "on", "--pin", "on"],
    ];
    let mut matches = Vec::new();
    for way in ways {
        for opponent in &opponents {
            for milliseconds in ["0", "0.05", "2", "5", "early"] {
                matches.push((milliseconds, opponent, way));
            }
        }
    }
    let mut complaints = Vec::new();
    // One in seven, so that each way to stop has one and each time, too.
    for (milliseconds, opponent, way) in sample(matches, 7) {
        complaints.extend(play(dir.path(), milliseconds, opponent, way));
    }
    assert!(complaints.is_empty(), "{} games: {}", complaints.len(), complaints.join("\n"));
}
