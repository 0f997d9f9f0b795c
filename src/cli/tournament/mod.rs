//! `arbiter tournament`: plays the tournament of a configuration, or continues it.

mod absence_pages;
mod builds;
mod entrants;
mod estimate;
mod key;
mod live;
mod recorded;
mod report;
mod result_files;
mod run;
mod sharing;
mod watch;

pub(super) use builds::Builds;
pub(super) use live::{LivePage, LiveSetup, entered, listen};
pub(super) use recorded::Recorded;
pub(super) use report::{
    TournamentReport, aliases, each_recorded_game, names_in, public_names, tournament_page,
    tournament_report, verdict,
};
pub(super) use result_files::{ResultFiles, summarise};

use super::conditions::{Origin, conditions};
use super::input_file::{read_named_text, read_text};
use super::merge::Sources;
use super::settings::parse_pause;
use super::{CommandResult, Failure, complain, isolation, write_out};
use crate::arena::{Conditions, SentSource, fail_writes_beyond_limit};
use crate::config::{Config, DEFAULT, Names, Restored};
use crate::game::Sandbox;
use crate::openings::Openings;
use crate::report::anonymizer::Anonymizer;
use crate::report::escape::line;
use crate::sandbox::Isolation;
use crate::schedule::FormatName;
use crate::seed::RunSeed;
use crate::serve::ServerAddress;
use crate::store::journal::{Journal, JournalError, Opened};
use crate::store::{FolderError, ResultFolder};
use crate::text::{Word, printable};
use crate::tournament::roster::{self, RosterError, RunPlan};
use crate::tournament::{
    Absentee, Entrant, JournalContents, JournalEntry, JournalHead, Share, TournamentProgress, progress,
};
use absence_pages::AbsencePages;
use anyhow::{Context, anyhow, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use entrants::{Candidates, Entrants, ReadyBot, TrialSetup};
use report::anonymizer;
use sharing::Sharing;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  arbiter tournament --print-default > cup.toml   a commented configuration to start from
  arbiter tournament cup.toml --concurrency 4     plays it; the same command continues it
  arbiter tournament cup.toml --strict            for CI: exit status 1 after a forfeit
  arbiter tournament cup.toml --restart           begins anew
  arbiter tournament cup.toml --shard 2/3         plays a third of it; `arbiter merge` joins the thirds";

/// Groups of options in the help.
const OUTPUT: &str = "Output";
const EARLIER: &str = "Games of earlier runs";

/// Play the tournament of a configuration, or continue it
///
/// Results go to a folder named after the tournament, beside its configuration; the same command continues an
/// interrupted tournament. Ctrl-C lets the running games finish, a second Ctrl-C stops them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TournamentCommand {
    /// The configuration
    #[arg(value_name = "CONFIG.toml", required_unless_present = "print_default")]
    config: Option<PathBuf>,
    /// The folder for the results, instead of one named after the tournament beside its configuration
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The number of games played at a time; default: the available cores less one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Wait this long between two plies, such as 300ms, for spectators; no clock runs
    #[arg(long, value_name = "TIME", value_parser = parse_pause, help_heading = OUTPUT)]
    pause: Option<Duration>,
    /// Serve the page of the tournament to browsers on this address while it is played, such as 127.0.0.1:0 for any free
    /// port of this machine; the address to open is printed on standard error
    #[arg(long, value_name = "ADDR", help_heading = OUTPUT)]
    serve: Option<String>,
    /// Print one JSON object for each game on standard output, and one for the match if there are two bots
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
    /// Explain every figure of the tables
    #[arg(long, conflicts_with = "json", help_heading = OUTPUT)]
    explain: bool,
    /// Exit with status 1 after a forfeit or an aborted game, or when a bot could not be scheduled; with a
    /// name, of that bot
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, help_heading = OUTPUT)]
    #[expect(clippy::option_option, reason = "--strict, --strict=NAME or neither, as clap reads it")]
    strict: Option<Option<String>>,
    /// Count games that were played with an earlier content of a bot, instead of playing them again
    #[arg(long, help_heading = EARLIER)]
    keep_changed: bool,
    /// Begin anew: the journal of this folder is kept as journal.1.jsonl, and counts no more
    #[arg(long, conflicts_with = "keep_changed", help_heading = EARLIER)]
    restart: bool,
    #[command(flatten)]
    sharing: Sharing,
    /// Refuse to start below this level of isolation, whatever the configuration says
    #[arg(long, value_name = "LEVEL", value_parser = levels())]
    require_isolation: Option<Sandbox>,
    /// Print how many games there are to play, the time that they take and a number of shards for it, and
    /// play nothing; with the recorded games of the result folder, and of those of --from and --missing, the
    /// time is their mean
    #[arg(long, help_heading = sharing::SHARDS)]
    print_plan: bool,
    /// Print a commented configuration with every key at its default, and do nothing else
    #[arg(long)]
    print_default: bool,
}

/// Reads a level of isolation that can be required.
fn levels() -> impl TypedValueParser<Value = Sandbox> {
    let levels = [Sandbox::Basic, Sandbox::Strict].map(Sandbox::word);
    PossibleValuesParser::new(levels).try_map(|word| Sandbox::named(&word).ok_or("there is no such level"))
}

/// A configuration, read with the files that it names.
struct TournamentRequest {
    name: String,
    text: String,
    config: Config,
    /// Its absolute path.
    file: PathBuf,
    /// The folder that relative paths start from.
    from: PathBuf,
    /// The text of its file of openings.
    listed: Option<String>,
}

impl TournamentRequest {
    fn read(path: &Path) -> anyhow::Result<TournamentRequest> {
        let file = path.display().to_string();
        let text = read_named_text(path).with_context(|| file.clone())?;
        let config = Config::parse(&text)
            .map_err(|errors| anyhow!("{}", errors.display(&file).to_string().trim_end()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = config.name.clone().unwrap_or(stem);
        let file = std::path::absolute(path).with_context(|| file.clone())?;
        let from = file.parent().unwrap_or(Path::new("/")).to_owned();
        let listed = read_openings(&config, &from)?;
        Ok(TournamentRequest { name, text, config, file, from, listed })
    }
}

/// Everything that a run needs beside its bots.
struct Plan {
    conditions: Conditions,
    openings: Openings,
    folder: ResultFolder,
    concurrency: u16,
    /// Where to serve the page.
    address: Option<ServerAddress>,
    /// The games that this run plays.
    share: Share,
}

/// A tournament whose bots are ready.
struct ReadyTournament {
    progress: TournamentProgress,
    bots: Vec<ReadyBot>,
    recorded: Recorded,
    /// The games that this run plays.
    share: Share,
    builds: Builds,
    /// Whether the bots differ from those of the run before.
    changed: bool,
    /// What others may not see.
    mask: Anonymizer,
}

impl TournamentCommand {
    pub(super) fn run(self) -> CommandResult {
        let Some(path) = self.config.as_deref().filter(|_| !self.print_default) else {
            write_out(DEFAULT)?;
            return Ok(ExitCode::SUCCESS);
        };
        fail_writes_beyond_limit().context("catching SIGXFSZ").map_err(Failure::Unfinished)?;
        let mut request = TournamentRequest::read(path)?;
        self.sharing.check(&request.config)?;
        let default = || request.from.join(self.sharing.folder_name(&request.name));
        let dir = self.out.clone().unwrap_or_else(default);
        let concurrency = self.concurrency.unwrap_or_else(spare_cores);
        if self.print_plan {
            return estimate::print_plan(&request, &self.sharing, &dir, concurrency);
        }
        let required = self.require_isolation;
        let limits = &mut request.config.settings.limits;
        limits.require_isolation = required.or(limits.require_isolation);
        let address = self.serve.as_deref().map(|address| listen("--serve", address, false)).transpose()?;
        let Config { settings, schedule, publish, .. } = &request.config;
        let mut conditions =
            conditions(*settings, &request.name, schedule.seed, publish.stderr, Origin::Configuration)?;
        conditions.pause = self.pause.unwrap_or_default();
        let isolation = isolation::establish(&mut conditions.launcher, &settings.limits)?;
        conditions.isolation = isolation.line();
        let openings = openings(&request.config, request.listed.as_deref())?;
        let folder = ResultFolder::open(&dir).map_err(folder_failure)?;
        let ReadyTournament { progress, bots, recorded, share, builds, changed, mask } =
            self.begin(&request, &mut conditions, isolation, &folder, concurrency)?;
        let plan = Plan { conditions, openings, folder, concurrency, address, share };
        let ended = run::play(&self, plan, progress, &bots, recorded, changed, &mask);
        drop(builds); // the programs of submissions are in this folder, so it is removed only now
        ended.map_err(|failure| failure.reworded(|text| mask.names(text)))
    }

    /// Opens the journal, and builds and tests the bots. If a step fails, nothing in the folder has changed
    /// except the output of builds, the copies that they run in, and the pages of bots that do not play.
    fn begin(
        &self,
        request: &TournamentRequest,
        conditions: &mut Conditions,
        isolation: Isolation,
        folder: &ResultFolder,
        concurrency: u16,
    ) -> Result<ReadyTournament, Failure> {
        let TournamentRequest { name, text, config, file, from, listed: openings } = request;
        let mut contents = JournalContents::default();
        let opened = Journal::open(&folder.journal(), |place, entry| contents.add(place, entry));
        let Opened { mut journal, torn } = opened.map_err(journal_failure)?;
        let restarts = self.restart && contents.head.is_some();
        if restarts {
            contents = JournalContents::default();
        }
        let identity = roster::identity(config, openings.as_deref());
        if let Some(before) = &contents.head {
            roster::check_identity(before, &identity).map_err(anyhow::Error::from)?;
            roster::check_published_names(before, config.publish.names).map_err(anyhow::Error::from)?;
            // Before anything is built: a game that cannot count is a reason to begin anew.
            contents.games.check(config, before).map_err(|error: anyhow::Error| {
                let aliases = aliases(config, before, names_in(before));
                anyhow!(Anonymizer::new(aliases, []).names(&format!("{error:#}")))
            })?;
        }
        let sources = Sources::read(&self.sharing.elsewhere())?;
        // Other runs may know for longer who is in which folder.
        let agreed = self.sharing.roster()?;
        sources.heads().chain(&agreed).for_each(|head| contents.meet(head));
        let key = key::key_source(request, &self.sharing, &sources)?;
        let builds = Builds::new(folder, &conditions.launcher).map_err(Failure::Unfinished)?;
        let found = Candidates::find(config, from, &conditions.launcher, Some(&builds), &contents)?;
        let limits = &config.settings.limits;
        let mask = found.mask(config.publish.names);
        let launcher = &mut conditions.launcher;
        let isolation = isolation::separate_users(launcher, isolation, limits, found.programs(), &mask)?;
        conditions.isolation = isolation.line();
        let organisers = [folder.dir().to_owned(), file.clone()]; // compared by what they are, not by their names
        let trial = TrialSetup { conditions, folder, contents: &contents, organisers: &organisers };
        let Entrants { mut bots, absent: refused } = found.try_out(&trial, concurrency.into(), &mask)?;
        let version = |bot: &ReadyBot| match config.schedule.restored {
            Restored::Count => bot.entrant.clone(),
            Restored::Anew => contents.as_version(bot.entrant.clone()),
        };
        let found: Vec<Entrant> = bots.iter().map(version).collect();
        let unable: Vec<Absentee> = refused.iter().map(|bot| bot.absentee.clone()).collect();
        let known = contents.head.iter().flat_map(names_in).chain(bots.iter().map(|bot| &bot.entrant.name));
        let known: Vec<String> = known.cloned().collect();
        let (keep_changed, shard) = (self.keep_changed, self.sharing.shard);
        let head = self.sharing.agree(&found, &unable, key, |entrants, absent, key| {
            let identity = identity.clone();
            let plan = RunPlan { name, text, config, identity, entrants, absent, keep_changed, shard, key };
            roster::head(plan, &contents)
        });
        // Also where nothing can be played: these authors have to act first.
        AbsencePages { tournament: name, config, folder }.write(&bots, &refused, head.as_ref().ok())?;
        let mut head = head.map_err(|error| {
            // Only the bots of a journal or a roster are named.
            let Some(head) = contents.head.clone().or(agreed) else { return error };
            let known = known.iter().chain(names_in(&head));
            published(error, &Anonymizer::new(aliases(config, &head, known), []))
        })?;
        bots.retain_mut(|bot| {
            let scheduled = head.roster.iter().find(|entrant| entrant.name == bot.entrant.name);
            scheduled.map(|entrant| bot.schedule(entrant)).is_some()
        });
        let before = contents.head.iter().flat_map(names_in);
        let withdrawn = contents.runs.iter().flat_map(|run| run.bots.iter().map(|bot| &bot.name));
        let known = names_in(&head).chain(before).chain(withdrawn);
        let aliases = aliases(config, &head, known);
        let listed = list(&aliases);
        let mask = Anonymizer::new(aliases, []);
        for absent in &head.absent {
            let name = printable(mask.name(&absent.name).as_bytes(), 200);
            complain(format_args!("{name} does not play: {}", mask.text_by_bot(&line(&absent.reason))));
        }
        self.sharing.check_absent(&unable, &mask)?;
        self.check_names(config, &head, &mask)?;
        let share = self.sharing.share(&sources, &mut head, config)?;
        if let (Names::Alias, Some(key)) = (config.publish.names, &head.key) {
            conditions.sent = SentSource::Run(RunSeed::Secret(key.clone()));
        }
        let progress = progress(config, &head.names(), concurrency.into()).map_err(anyhow::Error::from)?;
        let path = folder.journal().display().to_string();
        if restarts {
            folder.put_journal_away().map_err(journal_failure)?;
            journal = Journal::open(&folder.journal(), |_, _| {}).map_err(journal_failure)?.journal;
        } else if torn > 0 {
            complain(format_args!("{path}: its last line is incomplete; these {torn} bytes are removed"));
        }
        roster::changes(&contents, &head).iter().for_each(|change| complain(mask.message(change)));
        journal.remove_incomplete_tail().map_err(journal_failure)?;
        let changed = contents.head.as_ref() != Some(&head);
        if changed {
            let entry = JournalEntry::Head(head.clone());
            let place = journal.append(&entry).map_err(journal_failure)?;
            contents.add(place, entry);
        }
        let JournalContents { games: mut index, runs, .. } = contents;
        index.select(index.counting_for(&head.roster, head.keep_changed));
        if !listed.is_empty() {
            folder.replace_aliases(&listed).with_context(|| path.clone()).map_err(Failure::Unfinished)?;
        }
        if index.count() > 0 {
            complain(format_args!("continuing: {} games are in {path}", index.count()));
        }
        if index.counting().undigested > 0 {
            complain(format_args!(
                "note: {} of them were recorded by an arbiter that did not note the content of bots; they count",
                index.counting().undigested
            ));
        }
        let elsewhere = share.elsewhere().clone();
        let recorded = Recorded { config: config.clone(), head, journal, index, runs, elsewhere };
        let mask = anonymizer(&recorded, &bots, from);
        Ok(ReadyTournament { progress, bots, recorded, share, builds, changed, mask })
    }

    /// Every bot named by `--strict`, `anchor` or `[expect]` must exist.
    fn check_names(&self, config: &Config, head: &JournalHead, mask: &Anonymizer) -> anyhow::Result<()> {
        let strict = self.strict.iter().flatten().map(|name| ("--strict", name));
        let anchor = config.ratings.anchor.iter().map(|name| ("[ratings] anchor", name));
        let expect = config.expect.iter().map(|expected| ("[expect]", &expected.bot));
        for (place, name) in strict.chain(anchor).chain(expect) {
            if !names_in(head).any(|known| known == name) {
                let known: Vec<&str> = names_in(head).map(|known| mask.name(known)).collect();
                bail!("{place}: no bot is called {name}; there are {}", known.join(", "));
            }
        }
        Ok(())
    }
}

/// An error about the roster of a run, as others may read it.
fn published(error: anyhow::Error, mask: &Anonymizer) -> anyhow::Error {
    match error.downcast_ref::<RosterError>() {
        Some(RosterError(message)) => {
            let (whole, plain) = (format!("{error:#}"), message.to_string());
            let place = whole.strip_suffix(&*plain).unwrap_or_default();
            anyhow!("{place}{}", mask.message(message))
        }
        None => anyhow!(mask.names(&format!("{error:#}"))),
    }
}

/// The text of the organiser's list: a line for each bot, in the order of their names.
pub(super) fn list(aliases: &BTreeMap<String, String>) -> String {
    let line =
        |(name, alias): (&String, &String)| format!("{alias} {}\n", printable(name.as_bytes(), usize::MAX));
    aliases.iter().map(line).collect()
}

/// Reads the file of openings, if the configuration names one.
fn read_openings(config: &Config, from: &Path) -> anyhow::Result<Option<String>> {
    let Some(file) = &config.schedule.openings else { return Ok(None) };
    let path = from.join(file);
    read_text(&path).map(Some).with_context(|| format!("[schedule] openings = {file:?}: {}", path.display()))
}

/// The positions that games begin from. If the needed number of openings is known and there are too few, this
/// is reported before the first game.
fn openings(config: &Config, listed: Option<&str>) -> anyhow::Result<Openings> {
    let schedule = &config.schedule;
    let needed = match schedule.format {
        FormatName::Sprt => u64::from(config.sprt.max_pairs),
        FormatName::RoundRobin | FormatName::Gauntlet => {
            u64::from(schedule.games).div_ceil(2) * u64::from(schedule.rounds)
        }
        FormatName::Swiss => u64::from(schedule.games).div_ceil(2),
        FormatName::Knockout => u64::from(schedule.best_of).div_ceil(2),
    };
    let Some(text) = listed else {
        let mut openings = Openings::random(config.settings.ruleset, schedule.opening_plies, schedule.seed);
        openings.get(needed).context("[schedule]")?;
        return Ok(openings);
    };
    let place = || format!("[schedule] openings = {:?}", schedule.openings.as_deref().unwrap_or_default());
    let openings = Openings::listed(config.settings.ruleset, text).with_context(place)?;
    if let Some(count) = openings.count().filter(|&count| count < needed) {
        let short = format!("{}: {needed} are needed and {count} are there", place());
        if schedule.format == FormatName::Sprt {
            bail!("{short}; add some, or lower max-pairs");
        }
        complain(format_args!("note: {short}; they are reused from the first"));
    }
    Ok(openings)
}

pub(super) fn spare_cores() -> u16 {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    cores.saturating_sub(1).clamp(1, u16::MAX.into()) as u16
}

pub(super) fn folder_failure(error: FolderError) -> Failure {
    match error {
        FolderError::Foreign { .. } => Failure::Usage(anyhow!(error)),
        FolderError::Io { .. } => Failure::Unfinished(anyhow!(error)),
    }
}

pub(super) fn journal_failure(error: JournalError) -> Failure {
    match error {
        JournalError::Busy(_) | JournalError::Io { .. } => Failure::Unfinished(anyhow!(error)),
        JournalError::Damaged { .. }
        | JournalError::Unknown { .. }
        | JournalError::TooLong { .. }
        | JournalError::Foreign(_)
        | JournalError::NoFile(_)
        | JournalError::Newer { .. } => Failure::Usage(anyhow!(error)),
    }
}
