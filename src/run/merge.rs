//! Joining the results of shards, or of interrupted copies, into one folder, each game once.

use super::begin::write_aliases;
use super::feedback_links::{FeedbackLinks, write_table};
use super::result_files::{ResultFiles, summarise};
use super::sources::{JournalAccess, Sources};
use crate::tables::recorded::Recorded;
use crate::tables::report::{anonymizer, rules_faults, run_bots, standings_report, verdict};
use anyhow::Context;
use arbiter_config::Config;
use arbiter_cup::report::standings::{Explanation, StandingsReport, text};
use arbiter_cup::report::text::first_of;
use arbiter_cup::tournament::{
    DifferingGame, JournalEntry, JournalHead, JournalPlace, MergedRecords, PlayedGames, RecordCopy,
    RecordedRules, RunEntry, open_stage,
};
use arbiter_game::content::{sha256, short_digest};
use arbiter_game::game_id;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::{complain, fitted, print_if_open};
use arbiter_ground::verdict::{Strict, Verdict};
use arbiter_play::store::journal::{Journal, JournalError};
use arbiter_play::store::{MISSING, ResultFolder};
use arbiter_rules::text::{Message, counted};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{self, stdout};
use std::path::{Path, PathBuf};

/// The most missing games that are named on standard error.
const NAMED: usize = 20;

/// Joins these result folders into the folder `out`.
///
/// # Errors
/// They do not belong together, or a file cannot be read or written.
pub fn merge(dirs: &[PathBuf], out: &Path, strict: &Strict) -> Result<Verdict, Failure> {
    let mut sources = Sources::default();
    // First, so that it is locked even if it is among the folders.
    if ResultFolder::existing(out).journal().is_file() {
        sources.add(out, JournalAccess::Lock)?;
    }
    for dir in dirs {
        sources.add(dir, JournalAccess::Read)?;
    }
    let (head, config) = sources.head(None)?;
    sources.check_games(&head, &config, &sources.games.played(&head.roster))?;
    let folder = ResultFolder::open(out)?;
    // Held until the end, so that no tournament plays in the folder meanwhile. If the folder is
    // among the sources, that one holds the lock.
    let mut _lock = None;
    if sources.folders.iter().all(|source| source.folder.dir() != out) {
        _lock = Some(Journal::open(&folder.journal(), |_, _| {})?);
    }
    let (recorded, merged) =
        write_journal(&sources, &folder, head, config).map_err(Failure::Unfinished)?;
    // Logs of bots come after the journal: they may be large, and no game needs them.
    if let Some(warning) = copy_bot_logs(&sources, &folder, &recorded, &merged.records) {
        complain(anonymizer(&recorded, []).message(&warning));
    }
    for game in &merged.differing {
        complain(sentence(game, &sources));
    }
    write_aliases(&folder, &recorded.head.public_names(), &recorded.private_names)?;
    write_results(&sources, &folder, recorded, strict)
}

/// Takes the copy of rules that are a file from the first folder that has it as the games were
/// played by it.
fn copy_rules(sources: &Sources, folder: &ResultFolder, head: &JournalHead) -> io::Result<()> {
    let Some(RecordedRules { file, digest, .. }) = &head.rules else { return Ok(()) };
    for source in &sources.folders {
        if let Some(content) = source.folder.rules_copy(file)?
            && short_digest(&sha256(&content)) == *digest
        {
            return folder.replace_rules(|dir| fs::write(dir.join(file), content));
        }
    }
    Ok(())
}

/// Writes everything that follows from the journal, and says what is missing.
fn write_results(
    sources: &Sources,
    folder: &ResultFolder,
    mut recorded: Recorded,
    strict: &Strict,
) -> Result<Verdict, Failure> {
    let anonymizer = &anonymizer(&recorded, []);
    let mut bots = BTreeSet::new();
    for bot in &recorded.head.roster {
        bots.insert(bot.private_name().to_owned());
    }
    let folders: Vec<&ResultFolder> = sources.folders.iter().map(|source| &source.folder).collect();
    let links = FeedbackLinks::of(&recorded.config, &recorded.head);
    let absent = match &links {
        Some(links) => links.of_absent(&recorded.head),
        None => BTreeSet::new(),
    };
    folder
        .copy_first_outputs(&folders, &bots, &absent)
        .context("copying what bots wrote before the first game")
        .map_err(Failure::Unfinished)?;
    write_table(links.as_ref(), folder)?;
    let files = ResultFiles { folder, anonymizer, told: BTreeMap::new() };
    let mut report = standings_report(&recorded, anonymizer).map_err(Failure::Unfinished)?;
    if let Some(run) = enter_run(sources, &mut recorded, &report).map_err(Failure::Unfinished)? {
        report.history.push(anonymizer.run(&run));
    }
    files.write(&recorded, &report).map_err(Failure::Unfinished)?;
    summarise(&report)?;
    let Recorded { config, head, index, .. } = &recorded;
    let open = open_stage(config, &head.bots(), &index.played()).map_err(anyhow::Error::from)?;
    // A shard that played all games of a round alone may have gone on with the next one.
    let is_begun = open.has_begun
        && sources.folders.iter().any(|source| source.previous.contains(&open.previous));
    let is_next = !is_begun && open.previous.games > 0 && !open.missing.is_empty();
    // Games of a round that nobody has begun are not missing.
    let ids = if is_next { Vec::new() } else { open.missing };
    let list = ids.join("\n") + "\n";
    folder
        .replace_or_remove(MISSING, if ids.is_empty() { None } else { Some(&list) })
        .context(folder.dir().join(MISSING).display().to_string())
        .map_err(Failure::Unfinished)?;
    let shown = fitted(&text(&report, Explanation::Short), stdout());
    print_if_open(shown.trim_end())?;
    if is_next {
        let round = open.round;
        let out = folder.dir().display();
        let next = format!("round {round} is to be played next: --shard I/N --from {out}");
        return Ok(Verdict::because(4, vec![next]));
    }
    if let Some(verdict) = rules_faults(&recorded).map_err(Failure::Unfinished)?.of_run(false) {
        return Ok(verdict);
    }
    if ids.is_empty() {
        return verdict(&report, strict, head);
    }
    Ok(Verdict::because(1, vec![missing_sentence(&ids, folder)]))
}

/// Copies the rules and writes the merged journal. If that fails, the folder keeps the journal that
/// it had.
fn write_journal(
    sources: &Sources,
    folder: &ResultFolder,
    head: JournalHead,
    config: Config,
) -> anyhow::Result<(Recorded, MergedRecords)> {
    copy_rules(sources, folder, &head).context("copying the rules")?;
    let merged = sources.games.records();
    let mut journal = Journal::beside(&folder.journal())?;
    let places = match write_entries(&mut journal, sources, &head, &merged.records) {
        Ok(places) => places,
        Err(error) => {
            journal.remove();
            return Err(error.into());
        }
    };
    journal.put_in_place(&folder.journal())?;
    let index = sources.games.merged(&head, &places);
    let elsewhere = PlayedGames::new();
    let private_names = head.private_names().collect();
    let recorded =
        Recorded { config, head, journal, index, runs: Vec::new(), elsewhere, private_names };
    Ok((recorded, merged))
}

/// Writes a head and these games; returns the places of the games.
fn write_entries(
    journal: &mut Journal,
    sources: &Sources,
    head: &JournalHead,
    records: &[JournalPlace],
) -> Result<Vec<u64>, JournalError> {
    journal.append_unsynced(&JournalEntry::Head(head.clone()))?;
    let mut places = Vec::with_capacity(records.len());
    for at in records {
        let game = sources.folders[at.journal].journal.game(at.place)?;
        places.push(journal.append_unsynced(&JournalEntry::Game(game))?);
    }
    Ok(places)
}

/// Copies what the bots wrote in these games. Returns a warning if that fails for some.
fn copy_bot_logs(
    sources: &Sources,
    folder: &ResultFolder,
    recorded: &Recorded,
    records: &[JournalPlace],
) -> Option<Message> {
    let folders: HashMap<&str, &str> = recorded.head.known_names().collect();
    let mut digests = HashMap::new();
    for bot in &recorded.head.roster {
        digests.insert(bot.name.as_str(), bot.digest.as_ref());
    }
    let mut failed: u64 = 0;
    let mut first = None;
    for at in records {
        let source = &sources.folders[at.journal];
        if source.folder.dir() == folder.dir() {
            continue;
        }
        let Ok(game) = source.journal.game(at.place) else { continue };
        let (one, other) = game_id::names_in(&game.id).unwrap_or_default();
        // What was written by an earlier content of a bot stays where it is.
        let [of_one, of_other] = &game.digests;
        if digests.get(one) != Some(&Some(of_one)) || digests.get(other) != Some(&Some(of_other)) {
            continue;
        }
        for bot in [one, other] {
            let own_name = folders.get(bot).unwrap_or(&bot);
            if let Err(error) = folder.copy_bot_log(&source.folder, own_name, &game.id) {
                failed += 1;
                let what = format!("{}: what {bot} wrote in {}: ", source.name, game.id);
                first.get_or_insert_with(|| Message::from(what).quoted(error.to_string()));
            }
        }
    }
    let logs = counted(failed, "log");
    let warning = format!("warning: {logs} of bots could not be copied, the first from ");
    Some(Message::from(warning).and(first?))
}

/// Writes the end of the run that all of them are together: it ended with the last of them. `None`
/// if none has ended.
fn enter_run(
    sources: &Sources,
    recorded: &mut Recorded,
    report: &StandingsReport,
) -> anyhow::Result<Option<RunEntry>> {
    let runs = sources.folders.iter().flat_map(|source| &source.runs);
    let Some(time) = runs.map(|run| &run.time).max() else { return Ok(None) };
    let run = RunEntry {
        time: time.clone(),
        games: recorded.index.count() as u64,
        bots: run_bots(report, &recorded.head),
    };
    recorded.journal.append(&JournalEntry::Run(run.clone()))?;
    Ok(Some(run))
}

fn missing_sentence(ids: &[String], folder: &ResultFolder) -> String {
    let list = folder.dir().join(MISSING);
    let missing = counted(ids.len() as u64, "game");
    format!("{missing} missing: {}; {} lists them", first_of(ids, NAMED), list.display())
}

/// What is said of a game with different records.
fn sentence(game: &DifferingGame, sources: &Sources) -> String {
    let others: Vec<String> = game.others.iter().map(|copy| place(copy, sources)).collect();
    format!(
        "{} was played more than once, and differently: that of {} counts, not that of {}",
        game.id,
        place(&game.counts, sources),
        others.join(", ")
    )
}

fn place(copy: &RecordCopy, sources: &Sources) -> String {
    format!("{} (attempt {})", sources.folders[copy.at.journal].name, copy.facts.attempt)
}
