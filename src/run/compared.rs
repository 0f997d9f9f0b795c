//! What a bot scored against others, beside what an earlier content of it scored.

use super::successive_runs::{TestRun, test_runs};
use crate::tables::recorded::Recorded;
use arbiter_cup::report::comparison::{ComparedOpponent, PairPoints};
use arbiter_cup::tournament::{Entrant, JournalHead};
use std::collections::BTreeMap;
use std::path::Path;

/// The newest run of the test beside the one in `dir` that was made under the same settings with
/// another content of the first bot.
///
/// # Errors
/// A journal cannot be read.
pub fn last_of_other_content(dir: &Path, now: &Recorded) -> anyhow::Result<Option<TestRun>> {
    for run in test_runs(dir)?.into_iter().rev() {
        let Recorded { head, config, .. } = &run.recorded;
        let is_same_test =
            head.deciding == now.head.deciding && config.folders == now.config.folders;
        if run.dir != dir && is_same_test && first_digest(head) != first_digest(&now.head) {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

/// The content of the bot that is tested.
fn first_digest(head: &JournalHead) -> Option<&String> {
    head.roster.first()?.digest.as_ref()
}

/// The opponents of the first bot of a run, with what it scored in whole pairs, and what it scored
/// in an earlier run against those that had the same content then.
///
/// # Errors
/// A journal cannot be read.
pub fn compared(now: &Recorded, last: Option<&Recorded>) -> anyhow::Result<Vec<ComparedOpponent>> {
    let mut points = pair_points(now)?;
    let mut before = BTreeMap::new();
    let mut then: &[Entrant] = &[];
    if let Some(last) = last {
        before = pair_points(last)?;
        then = &last.head.roster;
    }
    let mut opponents = Vec::new();
    for bot in now.head.roster.iter().skip(1) {
        let mut opponent = ComparedOpponent {
            name: bot.name.clone(),
            points: points.remove(&bot.name).unwrap_or_default(),
            last: None,
        };
        if then.iter().any(|other| other.name == bot.name && other.digest == bot.digest) {
            opponent.last = before.remove(&bot.name);
        }
        opponents.push(opponent);
    }
    Ok(opponents)
}

/// The points of the first bot in its whole pairs, by opponent.
fn pair_points(recorded: &Recorded) -> anyhow::Result<BTreeMap<String, PairPoints>> {
    let names = recorded.head.names();
    let mut halves: BTreeMap<(usize, u64), Vec<u8>> = BTreeMap::new();
    recorded.counted(|counted, _| {
        let pairing = &counted.pairing;
        if let (Some(pair), Some([first, second])) = (pairing.pair, counted.ended.half_points()) {
            let (opponent, points) =
                if pairing.first == 0 { (pairing.second, first) } else { (pairing.first, second) };
            halves.entry((opponent, pair)).or_default().push(points as u8); // at most 2
        }
        Ok(())
    })?;
    let mut points: BTreeMap<String, PairPoints> = BTreeMap::new();
    for ((opponent, pair), games) in halves {
        // A pair with one game is not compared: the side that moves first has an advantage.
        if let [one, other] = games[..] {
            points.entry(names[opponent].clone()).or_default().insert(pair, one + other);
        }
    }
    Ok(points)
}
