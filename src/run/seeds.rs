//! The seeds of a tournament: the ranks that another one gave to its bots. They are matched by the
//! bots' own names, which stay in the journals of both.

use crate::tables::recorded::Recorded;
use crate::tables::report::standings_report;
use anyhow::{Context, bail};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_ground::output::complain;
use arbiter_ground::request::TournamentRequest;
use arbiter_play::store::ResultFolder;
use std::path::Path;

/// The most result folders that are named beside a wrong one.
const NAMED: usize = 5;

/// The own names of the bots in the result folder that `[schedule] seeds` names, the best first;
/// `None` if it names none. `bots` are those that can play in the tournament that is seeded.
///
/// # Errors
/// It is no result folder, has no results, or none of its bots is here.
pub fn seeds<'a>(
    request: &TournamentRequest,
    bots: impl Iterator<Item = &'a String>,
) -> anyhow::Result<Option<Vec<String>>> {
    let Some(folder) = &request.config.schedule.seeds else { return Ok(None) };
    let path = request.from.join(folder);
    let file = request.file.display();
    let place = format!("{file}: [schedule] seeds = {folder:?}: {}", path.display());
    let recorded = league(&path).with_context(|| place.clone())?;
    let ranked = ranked_names(&recorded).with_context(|| place.clone())?;
    let mut seeded = 0;
    let mut unknown = 0;
    for bot in bots {
        if ranked.iter().any(|name| name.eq_ignore_ascii_case(bot)) {
            seeded += 1;
        } else {
            unknown += 1;
        }
    }
    if seeded == 0 {
        bail!(
            "{place}: none of its bots plays here; \
             name the result folder of a tournament of these bots"
        );
    }
    if unknown > 0 {
        complain(format_args!(
            "note: seeds = {folder:?}: {seeded} bots are seeded by their ranks there; bots that \
             are not there and come last: {unknown}"
        ));
    }
    if recorded.config.publish.names != request.config.publish.names {
        complain(format_args!(
            "WARNING: seeds = {folder:?}: only one of the two tournaments has aliases, and who \
             compares their tables can tell from the order whose each alias is"
        ));
    }
    Ok(Some(ranked))
}

/// The tournament in this folder.
fn league(path: &Path) -> anyhow::Result<Recorded> {
    let journal = ResultFolder::existing(path).journal();
    if journal.is_file() {
        return Recorded::read(&journal);
    }
    let what = if path.is_dir() { "it has no journal.jsonl" } else { "there is no such folder" };
    let mut others = Vec::new();
    let beside = path.parent().and_then(|above| above.read_dir().ok());
    for entry in beside.into_iter().flatten().flatten() {
        // The folder of this run has an empty journal.
        let other = ResultFolder::existing(&entry.path()).journal();
        if other.metadata().is_ok_and(|file| file.len() > 0) {
            others.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    others.sort();
    others.truncate(NAMED);
    let near = if others.is_empty() {
        String::new()
    } else {
        format!("; beside it there are {}", others.join(", "))
    };
    bail!("{what}; name the result folder of a tournament, as `arbiter tournament` writes it{near}")
}

fn ranked_names(recorded: &Recorded) -> anyhow::Result<Vec<String>> {
    let report = standings_report(recorded, &Anonymizer::unchanged())?;
    if report.games.is_none_or(|games| games.played == 0) {
        bail!("no game there has a result yet; play that tournament first");
    }
    let mut names = Vec::new();
    for placed in report.standings.table() {
        names.push(recorded.head.roster[placed.bot].private_name().to_owned());
    }
    Ok(names)
}
