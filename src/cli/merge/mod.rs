//! `arbiter merge`: joins the results of shards, or of interrupted copies, into one folder, each game once.

mod sources;

pub(super) use sources::{JournalAccess, Sources};

use super::tournament::{
    Recorded, ResultFiles, TournamentReport, aliases, folder_failure, journal_failure, list, names_in,
    public_names, summarise, verdict,
};
use super::{CommandResult, Failure, complain, counted, end_with, fitted, print_if_open};
use crate::arena::fail_writes_beyond_limit;
use crate::config::Config;
use crate::game_id;
use crate::report::anonymizer::Anonymizer;
use crate::report::standings::{Explanation, text};
use crate::store::journal::Journal;
use crate::store::{MISSING, ResultFolder};
use crate::tournament::{
    DifferingGame, JournalEntry, JournalHead, PlayedGames, RecordCopy, RecordedGame, RunEntry, open_stage,
};
use anyhow::Context;
use clap::Args;
use std::collections::{BTreeSet, HashMap};
use std::io::stdout;
use std::path::PathBuf;

/// The most missing games that are named on standard error.
const NAMED: usize = 20;

const EXAMPLES: &str = "\
Examples:
  arbiter merge cup.shard-*-of-3 --out cup        joins three shards
  arbiter standings cup                           its table; report, replay, serve and rerun take it too
  arbiter tournament cup.toml --missing cup       plays what a lost shard left out, into a folder of its own

Exit status: 0 all games are there; 1 games are missing, which missing.txt in the folder lists (or --strict, \
[expect]); 2 the folders do not belong together, or a game in them is none of the tournament; 4 none is missing so far, \
and the shards can play the next round.";

/// Join the results of shards, or of interrupted copies of a run, into one folder
///
/// Each game is taken once, by its id and the contents of its bots, whatever the order of the folders and
/// however often a game is in them; those that OUT has already stay. Shards may still be running: what they
/// have recorded is taken, and the same command takes the rest later. Records of one game with different
/// plies or results are reported; the lowest attempt counts, then the smallest SHA-256 of the line in the
/// journal.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MergeCommand {
    /// The result folders
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// The folder for all of their games
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Exit with status 1 after a forfeit or an aborted game, or when a bot could not be scheduled; with a
    /// name, of that bot
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "--strict, --strict=NAME or neither, as clap reads it")]
    strict: Option<Option<String>>,
}

impl MergeCommand {
    pub(super) fn run(self) -> CommandResult {
        fail_writes_beyond_limit().context("catching SIGXFSZ").map_err(Failure::Unfinished)?;
        let mut sources = Sources::default();
        // First, so that it is locked even if it is among the folders.
        if ResultFolder::of(&self.out).journal().is_file() {
            sources.add(&self.out, JournalAccess::Lock)?;
        }
        for dir in &self.dirs {
            sources.add(dir, JournalAccess::Read)?;
        }
        let (head, config) = sources.head(None)?;
        sources.check_games(&head, &config, &sources.games.played(&head.roster))?;
        let folder = ResultFolder::open(&self.out).map_err(folder_failure)?;
        // Held until the end, so that no tournament plays in the folder meanwhile.
        let locked = sources.folders.iter().any(|source| source.folder.dir() == self.out);
        let lock = (!locked).then(|| Journal::open(&folder.journal(), |_, _| {})).transpose();
        let _lock = lock.map_err(journal_failure)?;
        let names = aliases(&config, &head, names_in(&head));
        let differing_mask = Anonymizer::new(names.clone(), []);
        let (recorded, differing) =
            write_journal(&sources, &folder, head, config).map_err(Failure::Unfinished)?;
        for game in &differing {
            complain(differing_mask.names(&sentence(game, &sources)));
        }
        if !names.is_empty() {
            folder.replace_aliases(&list(&names)).context("aliases.txt").map_err(Failure::Unfinished)?;
        }
        let mask = public_names(&recorded);
        self.write_results(&sources, &folder, recorded, &mask)
    }

    /// Writes everything that follows from the journal, and says what is missing.
    fn write_results(
        &self,
        sources: &Sources,
        folder: &ResultFolder,
        mut recorded: Recorded,
        mask: &Anonymizer,
    ) -> CommandResult {
        let bots: BTreeSet<String> = recorded.head.names().into_iter().collect();
        let folders: Vec<&ResultFolder> = sources.folders.iter().map(|source| &source.folder).collect();
        let copied = folder.copy_first_outputs(&folders, &bots);
        copied.context("copying what bots wrote before the first game").map_err(Failure::Unfinished)?;
        let files = ResultFiles::new(folder, mask);
        let mut tables = files.write_tables(&recorded).map_err(Failure::Unfinished)?;
        if let Some(run) = enter_run(sources, &mut recorded, &tables.report).map_err(Failure::Unfinished)? {
            tables.report.add_run(&run, mask);
            files.write_json(&tables.report).map_err(Failure::Unfinished)?;
        }
        files.write_pages(&recorded, &tables).map_err(Failure::Unfinished)?;
        let table = &tables.report;
        summarise(table)?;
        let Recorded { config, head, index, .. } = &recorded;
        let open = open_stage(config, &head.names(), &index.played()).map_err(anyhow::Error::from)?;
        let is_next = !open.has_begun && open.previous.games > 0 && !open.missing.is_empty();
        let ids = open.missing.iter().filter(|_| !is_next).map(|id| mask.names(id));
        let ids: Vec<String> = ids.collect();
        let replaced = folder.replace_missing(&ids);
        replaced
            .with_context(|| folder.dir().join(MISSING).display().to_string())
            .map_err(Failure::Unfinished)?;
        let shown = fitted(&text(&table.standings_report(), Explanation::Short), stdout());
        print_if_open(shown.trim_end())?;
        if is_next {
            let (round, out) = (open.round, folder.dir().display());
            return end_with(4, &[format!("round {round} is to be played next: --shard I/N --from {out}")]);
        }
        if ids.is_empty() {
            return verdict(table, self.strict.as_ref(), mask);
        }
        end_with(1, &[missing_sentence(&ids, folder)])
    }
}

/// Writes the merged journal and the outputs of the bots in the games.
fn write_journal(
    sources: &Sources,
    folder: &ResultFolder,
    head: JournalHead,
    config: Config,
) -> anyhow::Result<(Recorded, Vec<DifferingGame>)> {
    let merged = sources.games.records();
    let logs = folder.bot_logs().with_context(|| folder.dir().display().to_string())?;
    let mut journal = Journal::beside(&folder.journal())?;
    let digests = head.roster.iter().map(|bot| (bot.name.as_str(), bot.digest.as_ref())).collect();
    journal.append_unsynced(&JournalEntry::Head(head.clone()))?;
    let mut places = Vec::with_capacity(merged.records.len());
    for at in &merged.records {
        let source = &sources.folders[at.journal];
        let game = source.journal.game(at.place)?;
        if source.folder.dir() != folder.dir() && is_current(&game, &digests) {
            let from = source.folder.read_bot_logs();
            let (one, other) = game_id::names_in(&game.id).unwrap_or_default();
            for bot in [one, other] {
                let copied = logs.copy(&from, bot, &game.id);
                copied.with_context(|| format!("{}: what {bot} wrote in {}", source.name, game.id))?;
            }
        }
        places.push(journal.append_unsynced(&JournalEntry::Game(game))?);
    }
    journal.put_in_place(&folder.journal())?;
    let (index, elsewhere) = (sources.games.merged(&head, &places), PlayedGames::new());
    let recorded = Recorded { config, head, journal, index, runs: Vec::new(), elsewhere };
    Ok((recorded, merged.differing))
}

/// Whether a game was played with these contents of its bots.
fn is_current(game: &RecordedGame, digests: &HashMap<&str, Option<&String>>) -> bool {
    let of = |name| digests.get(name).copied().flatten();
    match (&game.digests, game_id::names_in(&game.id)) {
        (Some([one, other]), Some(names)) => of(names.0) == Some(one) && of(names.1) == Some(other),
        _ => true,
    }
}

/// Writes the end of the run that all of them are together: it ended with the last of them. None if none has
/// ended.
fn enter_run(
    sources: &Sources,
    recorded: &mut Recorded,
    table: &TournamentReport,
) -> anyhow::Result<Option<RunEntry>> {
    let runs = sources.folders.iter().flat_map(|source| &source.runs);
    let Some(time) = runs.map(|run| run.time.clone()).max() else { return Ok(None) };
    let run = RunEntry { time, games: recorded.index.count() as u64, bots: table.run_bots(&recorded.head) };
    recorded.journal.append(&JournalEntry::Run(run.clone()))?;
    Ok(Some(run))
}

fn missing_sentence(ids: &[String], folder: &ResultFolder) -> String {
    let named = ids[..ids.len().min(NAMED)].join(", ");
    let more = match ids.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let list = folder.dir().join(MISSING);
    let missing = counted(ids.len() as u64, "game");
    format!("{missing} missing: {named}{more}; {} lists them", list.display())
}

/// What is said of a game with different records.
fn sentence(game: &DifferingGame, sources: &Sources) -> String {
    let place =
        |copy: &RecordCopy| format!("{} (attempt {})", sources.folders[copy.at.journal].name, copy.attempt);
    let others: Vec<String> = game.others.iter().map(place).collect();
    format!(
        "{} was played more than once, and differently: that of {} counts, not that of {}",
        game.id,
        place(&game.counts),
        others.join(", ")
    )
}
