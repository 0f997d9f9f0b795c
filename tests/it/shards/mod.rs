//! Shards and merging as a user runs them, with real processes: the merged folder is that of an
//! unsharded run.

mod league;
mod merging;
mod milestones;
mod missing;
mod pipes;
mod plan;
mod recipes;
mod rounds;

use crate::support::everything::everything;
use crate::support::place::Place;
use crate::support::{Ran, arbiter};

/// Merges these folders of the place.
fn merge(place: &Place, dirs: &[&str], out: &str) -> Ran {
    let mut command = arbiter(&["merge"]);
    command.args(dirs.iter().map(|dir| place.path(dir))).arg("--out").arg(place.path(out));
    command.env_remove("GITHUB_STEP_SUMMARY").output().unwrap().into()
}

/// Merges, and checks the exit status.
fn merges(status: i32, place: &Place, dirs: &[&str], out: &str) -> Ran {
    let ran = merge(place, dirs, out);
    assert_eq!(ran.status, Some(status), "{ran:?}");
    ran
}

/// Plays the shards of a tournament, one after the other, into `OUT1`, `OUT2` …; returns the names
/// of the folders.
fn play_shards(place: &Place, config: &str, count: usize, out: &str, more: &[&str]) -> Vec<String> {
    (1..=count)
        .map(|number| {
            let (shard, folder) = (format!("{number}/{count}"), format!("{out}{number}"));
            let ran = place.play(config, &folder, &[&["--shard", &shard], more].concat());
            assert_eq!(ran.status, Some(0), "{ran:?}");
            folder
        })
        .collect()
}
