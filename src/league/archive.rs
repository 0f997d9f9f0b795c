//! The end of a season: the result folder is put away under another name, so that the same command
//! begins the next season with the submissions that are there.

use super::status;
use super::told_before;
use super::versions::Versions;
use anyhow::{Context, anyhow};
use arbiter_config::Config;
use arbiter_ground::failure::Failure;
use arbiter_ground::request::TournamentRequest;
use arbiter_ground::utc;
use arbiter_host::locate::{copy_folder, remove_folder_if_there};
use arbiter_play::store::journal::Journal;
use arbiter_play::store::{ResultFolder, replace};
use arbiter_run::display::league_file::LEAGUE_FILE;
use arbiter_run::result_files::ResultFiles;
use arbiter_run::tables::recorded::Recorded;
use arbiter_run::tables::report::{anonymizer, standings_report};
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The folder of an archive with the versions that played last, from which a final can be played.
const SUBMISSIONS: &str = "submissions";

/// Where a season was put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    pub dir: PathBuf,
    /// For each `[[bots]]` folder, where the versions lie that played last.
    pub submissions: Vec<PathBuf>,
}

/// Archives the league in `dir`: writes all results, copies the versions that play, and renames the
/// folder to its name with the date. If it is killed, the same call archives it.
///
/// # Errors
/// No league was played there, it is being played, or a file cannot be written.
pub fn archive(request: &TournamentRequest, dir: &Path) -> Result<Archive, Failure> {
    let folder = ResultFolder::existing(dir);
    if !folder.journal().is_file() {
        let why = anyhow!("{}: no league was played there", dir.display());
        return Err(Failure::Usage(why));
    }
    // 1. Nobody plays, from here to the end of this function.
    let lock = Journal::open(&folder.journal(), |_, _| {})?;
    let recorded = Recorded::read(&folder.journal())?;
    check_folders(&recorded, &request.config)?;
    let versions = Versions::read(dir, &request.config)?;
    // 2. All results: a league that was killed has not written them.
    write_results(&folder, &recorded, &versions)?;
    // 3. What a final plays with: authors may have changed their folders since the deadline.
    let kept = keep_submissions(dir, &versions).context(SUBMISSIONS);
    let kept = kept.map_err(Failure::Unfinished)?;
    // 4. In one step, which locks the journal itself.
    drop(lock);
    let place = free_place(dir);
    folder.rename(&ResultFolder::existing(&place))?;
    let mut submissions = Vec::new();
    for name in kept {
        submissions.push(place.join(name));
    }
    Ok(Archive { dir: place, submissions })
}

/// # Errors
/// A bot plays from a folder that the configuration does not name: its version would be left out.
fn check_folders(recorded: &Recorded, config: &Config) -> Result<(), Failure> {
    for bot in &recorded.head.roster {
        if let Some(missing) = &bot.folder
            && config.folders.iter().all(|one| one.folder != *missing)
        {
            let why = anyhow!(
                "the league has bots of [[bots]] folder = {missing:?}, which the configuration \
                 does not name"
            );
            return Err(Failure::Usage(why));
        }
    }
    Ok(())
}

/// The name of the folder with the date; with a number behind it if there is one of this name.
fn free_place(dir: &Path) -> PathBuf {
    let now = utc::now();
    let date = now.split('T').next().unwrap_or_default();
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    let mut place = dir.with_file_name(format!("{name}-{date}"));
    let mut number = 1;
    while fs::symlink_metadata(&place).is_ok() {
        number += 1;
        place = dir.with_file_name(format!("{name}-{date}-{number}"));
    }
    place
}

/// Writes the tables, the pages and the state of a league that nobody plays.
fn write_results(
    folder: &ResultFolder,
    recorded: &Recorded,
    versions: &Versions,
) -> Result<(), Failure> {
    let anonymizer = anonymizer(recorded, []);
    let report = standings_report(recorded, &anonymizer).map_err(Failure::Unfinished)?;
    let told = told_before(versions, &anonymizer);
    let files = ResultFiles { folder, anonymizer: &anonymizer, told };
    files.write(recorded, &report).map_err(Failure::Unfinished)?;
    // A league that was killed has never had a state, or was killed in a game.
    if let Ok(mut state) = status::read(folder.dir()) {
        state.running.clear();
        state.next.clear();
        state.full = None;
        state.workers = 0;
        let text = status::json(&state).map_err(Failure::Unfinished)?;
        let written = replace(&folder.dir().join(LEAGUE_FILE), &text).context(LEAGUE_FILE);
        written.map_err(Failure::Unfinished)?;
    }
    Ok(())
}

/// Copies the versions that play into the result folder `dir`, and returns the paths there, one for
/// each `[[bots]]` folder. What a killed call has left is replaced.
fn keep_submissions(dir: &Path, versions: &Versions) -> anyhow::Result<Vec<PathBuf>> {
    let kept = dir.join(SUBMISSIONS);
    remove_folder_if_there(&kept)?;
    // It has the bots' own names.
    DirBuilder::new().mode(0o700).create(&kept)?;
    let playing = versions.playing();
    let mut folders = Vec::new();
    for (number, copies) in (1..).zip(&playing) {
        let mut below = PathBuf::from(SUBMISSIONS);
        if playing.len() > 1 {
            below.push(number.to_string());
            DirBuilder::new().mode(0o700).create(dir.join(&below))?;
        }
        for (name, copy) in copies {
            copy_folder(copy, &dir.join(&below).join(name))?;
        }
        folders.push(below);
    }
    Ok(folders)
}
