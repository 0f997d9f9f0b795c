//! The runs of a test that is made again whenever a bot has changed: each is a result folder of its
//! own. The last one has the path that the user names, those before it the same path with a number.
//!
//! One rename puts a run away and one brings it back, each under the lock of its journal, so a kill
//! at any moment loses no game.

use super::entrants::Candidates;
use crate::tables::recorded::Recorded;
use anyhow::Context;
use arbiter_config::Config;
use arbiter_cup::tournament::roster;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::complain;
use arbiter_ground::request::TournamentRequest;
use arbiter_ground::utc;
use arbiter_play::store::ResultFolder;
use arbiter_play::store::journal::Journal;
use std::fs;
use std::path::{Path, PathBuf};

/// The most differences that are named.
const NAMED: usize = 3;

/// A run of a test.
pub struct TestRun {
    /// Its result folder.
    pub dir: PathBuf,
    pub recorded: Recorded,
    /// When it was last at work, in the form of RFC 3339.
    pub time: String,
}

impl TestRun {
    /// Reads the run of a result folder; `None` if there is no journal, or one without a head.
    fn read(folder: &ResultFolder) -> anyhow::Result<Option<TestRun>> {
        let journal = folder.journal();
        let Ok(meta) = fs::metadata(&journal) else { return Ok(None) };
        let mut has_head = false;
        Journal::read_only(&journal, |_, _| has_head = true)?;
        if !has_head {
            return Ok(None); // a kill came before it
        }
        let recorded = Recorded::read(&journal)?;
        let time = match recorded.runs.last() {
            Some(run) => run.time.clone(),
            // It was killed, so nothing but the file says when.
            None => utc::timestamp(meta.modified()?),
        };
        Ok(Some(TestRun { dir: folder.dir().to_owned(), recorded, time }))
    }
}

/// The runs of the test whose last run is in `dir`, the oldest first.
///
/// # Errors
/// A journal cannot be read.
pub fn test_runs(dir: &Path) -> anyhow::Result<Vec<TestRun>> {
    let last = ResultFolder::existing(dir);
    let before = last.put_away_before().context(dir.display().to_string())?;
    let mut runs = Vec::new();
    for folder in before.iter().chain([&last]) {
        runs.extend(TestRun::read(folder)?);
    }
    runs.sort_by_key(|run| run.time.clone());
    Ok(runs)
}

/// Makes `dir` the result folder of the run that is asked for. If it holds a run of other bots,
/// other settings or another content of a bot, that run is put away first. If the run that is asked
/// for was put away earlier, it comes back. Each change is noted on standard error.
///
/// # Errors
/// A journal or a bot cannot be read, or a folder cannot be renamed.
pub fn choose_run(request: &TournamentRequest, dir: &Path) -> Result<(), Failure> {
    let folder = ResultFolder::existing(dir);
    let current = TestRun::read(&folder)?;
    if current.is_none() && fs::symlink_metadata(dir).is_ok() {
        return Ok(()); // whether results may be written into it is found out later
    }
    let asked = Candidates::look(request)?;
    let mut why = None;
    if let Some(run) = &current {
        why = difference(request, &asked, run)?;
        if why.is_none() {
            return Ok(());
        }
    }
    let mut known = None;
    for before in test_runs(dir)?.into_iter().rev() {
        if before.dir != dir && difference(request, &asked, &before)?.is_none() {
            known = Some(ResultFolder::existing(&before.dir));
            break;
        }
    }
    if let Some(why) = &why {
        let away = folder.put_away()?;
        let what = if known.is_some() { "an earlier run goes on" } else { "a new run begins" };
        complain(format_args!("{what}: {why}; the last one is kept in {}", away.dir().display()));
    }
    if let Some(known) = known {
        known.rename(&folder)?;
        complain(format_args!(
            "what was in {} is in {} again",
            known.dir().display(),
            dir.display()
        ));
    }
    Ok(())
}

/// What differs between a run and what is asked for, in words; `None` if the run can go on.
fn difference(
    request: &TournamentRequest,
    asked: &Candidates,
    run: &TestRun,
) -> anyhow::Result<Option<String>> {
    let TournamentRequest { config, listed, .. } = request;
    let config = &run.recorded.head.public_names().config(config);
    let Recorded { head, config: before, .. } = &run.recorded;
    let folders = [before, config].map(folder_list);
    let bots = [before, config].map(bot_list);
    let mut differences = Vec::new();
    for (what, [was, is]) in [("the folder", folders), ("the test", bots)] {
        if was != is && !was.is_empty() && !is.is_empty() {
            differences.push(format!("{what} was {was}, is {is}"));
        }
    }
    differences.extend(roster::differing_keys(
        &head.deciding,
        &roster::identity(config, listed.as_deref()),
        ["was", "is"],
    ));
    for now in asked.unbuilt(std::slice::from_ref(&run.dir), &head.roster)? {
        let earlier = head.roster.iter().find(|bot| bot.private_name() == now.name);
        if let Some(earlier) = earlier
            && let Some(what) = roster::difference(earlier, &now)
        {
            differences.push(format!("{} has other content ({what})", earlier.name));
        }
    }
    let more = differences.len().saturating_sub(NAMED);
    differences.truncate(NAMED);
    if more > 0 {
        differences.push(format!("and {more} more"));
    }
    Ok(if differences.is_empty() { None } else { Some(differences.join("; ")) })
}

fn folder_list(config: &Config) -> String {
    let folders: Vec<&str> = config.folders.iter().map(|folder| &*folder.folder).collect();
    folders.join(", ")
}

fn bot_list(config: &Config) -> String {
    let bots: Vec<&str> = config.bots.iter().map(|bot| &*bot.name).collect();
    bots.join(" against ")
}
