//! The beginning of a run: opens the journal, builds and tests the bots, and agrees with earlier
//! and other runs on who plays.

use super::absence_pages::{PublishedLinks, write_absence_pages};
use super::entrants::{Candidates, Entrants};
use super::feedback_links::FeedbackLinks;
use super::key::key_source;
use super::options::RunOptions;
use super::ready_bot::ReadyBot;
use super::seeds::seeds;
use super::sources::Sources;
use super::trial::TrialSetup;
use crate::tables::recorded::Recorded;
use crate::tables::report;
use anyhow::{Context, anyhow, bail};
use arbiter_config::{Config, Names, Restored};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::escape::line;
use arbiter_cup::tournament::roster::{self, KeySource, RosterError, RunPlan};
use arbiter_cup::tournament::{
    Absentee, JournalContents, JournalEntry, JournalHead, PlayedGames, PublicNames, Share,
    TournamentProgress, progress,
};
use arbiter_ground::builds::Builds;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::complain;
use arbiter_ground::preparation::Preparation;
use arbiter_ground::public_names::anonymizer_of;
use arbiter_ground::request::TournamentRequest;
use arbiter_ground::verdict::Strict;
use arbiter_play::arena::SentSource;
use arbiter_play::store::ResultFolder;
use arbiter_play::store::journal::Journal;
use arbiter_rules::seed::RunSeed;
use arbiter_rules::text::printable;
use std::collections::BTreeSet;

/// A tournament whose bots are ready.
pub struct ReadyTournament {
    pub progress: TournamentProgress,
    pub bots: Vec<ReadyBot>,
    /// The copies of submissions, which play. Fields are dropped in this order: the copies are
    /// removed before the journal is unlocked.
    pub builds: Builds,
    pub recorded: Recorded,
    /// The games that this run plays.
    pub share: Share,
    /// Whether the bots differ from those of the run before.
    pub changed: bool,
    /// What others may not see.
    pub anonymizer: Anonymizer,
}

/// Opens the journal, and builds and tests the bots. If a step fails, nothing in the folder has
/// changed except who may open the journal, the list of aliases, the output of builds, the copies
/// that they run in, and the pages of bots that do not play.
///
/// # Errors
/// The journal is of another tournament, a bot of the organiser does not start, or the runs that
/// share the tournament do not agree on who plays.
pub fn begin(
    request: &TournamentRequest,
    options: &RunOptions,
    preparation: &mut Preparation,
    folder: &ResultFolder,
) -> Result<ReadyTournament, Failure> {
    let workers = options.concurrency;
    // 1. The journal first: it is locked, and what does not fit it is refused before anything is
    // built.
    let mut earlier = EarlierRuns::open(folder, options, request)?;
    // 2. Other runs, before the bots are found: another shard's journal may have an older
    // assignment of folders to bots.
    let mut others = OtherRuns::read(options, &mut earlier.contents)?;
    // 3. Names, before the first message about a bot: what is printed from here on has aliases.
    let key = key_source(request, &options.sharing, &others.sources, others.agreed.as_ref())?;
    let before = earlier.contents.head.as_ref();
    let secret = roster::secret_key(&request.config, before, key.clone());
    let published = request.config.publish.names;
    let names = PublicNames::of(published, secret.map_err(anyhow::Error::from)?);
    let builds =
        Builds::new(folder, &preparation.conditions.launcher).map_err(Failure::Unfinished)?;
    let candidates = Candidates::find(
        request,
        &preparation.conditions.launcher,
        Some(&builds),
        &earlier.contents,
        &names,
    )?;
    let mut known = earlier.contents.private_names.clone();
    known.extend(candidates.all_names().cloned());
    // The organiser's list first, so that an alias in a message can be looked up.
    write_aliases(folder, &names, &known)?;
    let early_anonymizer = candidates.anonymizer(&names, &known);
    candidates.warn_of_shared_folders(&early_anonymizer);
    // The users that the bots run as, before any of them runs.
    preparation.separate_users(candidates.programs(), &early_anonymizer)?;
    preparation
        .try_adapters(candidates.programs().map(|(_, program)| program))
        .map_err(|why| anyhow!(early_anonymizer.clean(&why)))?;
    // Before anything is built: a folder of seeds that is no result folder ends the run. A head has
    // the seeds that the tournament began with.
    if earlier.contents.head.is_none() && others.head().is_none() {
        others.seeds = seeds(request, candidates.found_names())?;
    }
    // 4. Builds and tests, before the roster: only a bot that starts is on it. The organiser's
    // files are compared by what they are, not by their names.
    let organisers = [folder.dir().to_owned(), request.file.clone()];
    let trial = TrialSetup {
        conditions: &preparation.conditions,
        folder,
        contents: &earlier.contents,
        organisers: &organisers,
        names: &names,
    };
    let entrants = candidates.try_out(&trial, workers.into(), &early_anonymizer)?;
    let agreed = others.agree(request, options, key, &entrants, &earlier.contents);
    // 5. Pages for the authors of bots that do not play. Written even if the run is refused: these
    // authors have to fix something first.
    let agreed_head = agreed.as_ref().ok();
    let linked = agreed_head
        .or(earlier.contents.head.as_ref())
        .and_then(|head| published_links(&request.config, head, &early_anonymizer));
    let Entrants { mut bots, absent } = entrants;
    write_absence_pages(request, folder, &bots, &absent, agreed_head, linked.as_ref())?;
    let mut head = agreed.map_err(|error| published_error(error, &early_anonymizer))?;
    // 6. The roster: who plays, by the names of all runs.
    let agreed_names = PublicNames::of(published, head.key.clone());
    known.extend(head.private_names());
    if agreed_names != names {
        // Another shard has written the roster since this run looked for it, with its own key.
        write_aliases(folder, &agreed_names, &known)?;
    }
    let config = agreed_names.config(&request.config);
    schedule_listed(&mut bots, &head);
    let roster_anonymizer = anonymizer_of(&request.config, &head, known, []);
    for Absentee { name, reason, .. } in &head.absent {
        let name = printable(name.as_bytes(), 200);
        let reason = roster_anonymizer.clean(&line(reason));
        complain(format_args!("{name} does not play: {reason}"));
    }
    let mut unable = Vec::new();
    for (bot, _) in absent {
        unable.push(bot.named(&agreed_names));
    }
    options.sharing.check_absent(&unable)?;
    check_names(&options.strict, &request.config, &head)?;
    // 7. The share of this run, before the journal gets the head: the head has the results that
    // the games of this run are chosen by.
    let share = options.sharing.share(&others.sources, &mut head, &config)?;
    if let PublicNames::Aliases(alias_key) = &agreed_names {
        preparation.conditions.sent = SentSource::Run(RunSeed::Secret(alias_key.clone()));
    }
    let progress = progress(&config, &head.bots(), workers.into()).map_err(anyhow::Error::from)?;
    // 8. From here on the folder is that of this run.
    let elsewhere = share.elsewhere().clone();
    let (recorded, changed) = earlier.go_on(folder, config, head, elsewhere, &roster_anonymizer)?;
    let mut folders = vec![request.from.as_path()];
    for bot in &bots {
        folders.extend([&*bot.program.dir, bot.program.source()]);
    }
    let anonymizer = report::anonymizer(&recorded, folders);
    Ok(ReadyTournament { progress, bots, builds, recorded, share, changed, anonymizer })
}

/// Keeps the bots that the roster lists, with what it says of them.
fn schedule_listed(bots: &mut Vec<ReadyBot>, head: &JournalHead) {
    bots.retain_mut(|bot| {
        let own_name = bot.entrant.private_name();
        let Some(listed) = head.roster.iter().find(|entrant| entrant.private_name() == own_name)
        else {
            return false;
        };
        bot.schedule(listed);
        true
    });
}

/// The runs that this one shares the tournament with.
struct OtherRuns {
    sources: Sources,
    /// The head that one of them has written for all.
    agreed: Option<JournalHead>,
    /// The seeds that this run has read, because no head has any.
    seeds: Option<Vec<String>>,
}

impl OtherRuns {
    /// Reads them; `own` learns which bots they know.
    ///
    /// # Errors
    /// A folder or the roster cannot be read.
    fn read(options: &RunOptions, own: &mut JournalContents) -> Result<OtherRuns, Failure> {
        let sources = Sources::read(&options.sharing.elsewhere())?;
        let agreed = options.sharing.roster()?;
        for head in sources.heads().chain(&agreed) {
            own.meet(head);
        }
        Ok(OtherRuns { sources, agreed, seeds: None })
    }

    /// The head that says who plays, if one of them has any.
    fn head(&self) -> Option<&JournalHead> {
        self.agreed.as_ref().or_else(|| self.sources.heads().next())
    }

    /// The head of the journal of this run, which agrees with theirs on who plays.
    ///
    /// # Errors
    /// They do not agree, or nobody can play.
    fn agree(
        &self,
        request: &TournamentRequest,
        options: &RunOptions,
        key: KeySource,
        entrants: &Entrants,
        earlier: &JournalContents,
    ) -> anyhow::Result<JournalHead> {
        let TournamentRequest { name, text, config, .. } = request;
        let mut playing = Vec::new();
        for bot in &entrants.bots {
            let entrant = bot.entrant.clone();
            playing.push(match config.schedule.restored {
                Restored::Count => entrant,
                Restored::Anew => earlier.as_version(entrant),
            });
        }
        let plan = RunPlan {
            name,
            text,
            config,
            openings: request.listed.as_deref(),
            entrants: playing,
            absent: entrants.absent.iter().map(|(bot, _)| bot.clone()).collect(),
            keep_changed: options.keep_changed,
            shard: options.sharing.shard,
            key,
            seeds: self.seeds.clone(),
            other: self.sources.heads().next(),
        };
        options.sharing.agree(plan, earlier)
    }
}

/// The journal of a folder, before it is known who plays.
struct EarlierRuns {
    journal: Journal,
    contents: JournalContents,
    /// Whether the journal is put away.
    restarts: bool,
}

impl EarlierRuns {
    /// Opens the journal and checks that it is of this tournament.
    ///
    /// # Errors
    /// It cannot be read, is of another tournament, or has a game that cannot count.
    fn open(
        folder: &ResultFolder,
        options: &RunOptions,
        request: &TournamentRequest,
    ) -> Result<EarlierRuns, Failure> {
        let mut contents = JournalContents::default();
        let journal = Journal::open(&folder.journal(), |place, entry| contents.add(place, entry))?;
        let restarts = options.restart && contents.head.is_some();
        if restarts {
            contents = JournalContents::default();
        }
        if let Some(before) = &contents.head {
            let published = request.config.publish.names;
            roster::check_published_names(before, published).map_err(anyhow::Error::from)?;
            let config = PublicNames::of(published, before.key.clone()).config(&request.config);
            let identity = roster::identity(&config, request.listed.as_deref());
            roster::check_identity(before, &identity).map_err(anyhow::Error::from)?;
            // Before anything is built: a game that cannot count is a reason to begin anew.
            contents.games.check::<anyhow::Error>(&config, before)?;
        }
        // Before builds, which may take minutes, and not only with the head that has the key.
        let has_key = contents.head.as_ref().is_some_and(|head| head.key.is_some());
        if has_key || request.config.publish.needs_key() {
            journal.close_to_others()?;
        }
        Ok(EarlierRuns { journal, contents, restarts })
    }

    /// The tournament of this run, and whether its bots differ from those of the run before. Writes
    /// the head of this run if it differs from the last one, and says what that changes.
    ///
    /// # Errors
    /// The journal cannot be written.
    fn go_on(
        self,
        folder: &ResultFolder,
        config: Config,
        head: JournalHead,
        elsewhere: PlayedGames,
        anonymizer: &Anonymizer,
    ) -> Result<(Recorded, bool), Failure> {
        let EarlierRuns { mut journal, mut contents, restarts } = self;
        let path = folder.journal().display().to_string();
        if restarts {
            folder.put_journal_away()?;
            journal = Journal::open(&folder.journal(), |_, _| {})?;
        } else if journal.torn() > 0 {
            let torn = journal.torn();
            complain(format_args!(
                "{path}: its last line is incomplete or damaged; its {torn} bytes are removed"
            ));
        }
        for change in roster::changes(&contents, &head).iter() {
            complain(anonymizer.message(change));
        }
        journal.remove_incomplete_tail()?;
        let changed = contents.head.as_ref() != Some(&head);
        if changed {
            let entry = JournalEntry::Head(head.clone());
            let place = journal.append(&entry)?;
            contents.add(place, entry);
        }
        let JournalContents { games: mut index, runs, private_names, .. } = contents;
        index.follow_roster(&head);
        if index.count() > 0 {
            complain(format_args!("continuing: {} games are in {path}", index.count()));
        }
        let recorded = Recorded { config, head, journal, index, runs, elsewhere, private_names };
        Ok((recorded, changed))
    }
}

/// Every bot named by `--strict`, `[ratings]` or `[expect]` must exist.
fn check_names(strict: &Strict, config: &Config, head: &JournalHead) -> anyhow::Result<()> {
    let mut named = Vec::new();
    named.extend(strict.bot().map(|name| ("--strict", name)));
    for (name, _) in &config.ratings.anchors {
        named.push(("[ratings]", name));
    }
    for expected in &config.expect {
        named.push(("[expect]", &expected.bot));
    }
    for (place, name) in named {
        if head.public_name(name).is_some() {
            continue;
        }
        let known: Vec<&str> = head.known_names().map(|(public, _)| public).collect();
        let known = known.join(", ");
        // An unknown name is mostly a private one with a slip.
        match config.publish.names {
            Names::Name => bail!("{place}: no bot is called {name}; there are {known}"),
            Names::Alias => bail!(
                "{place}: it names a bot that does not exist (aliases hide the name); \
                 there are {known}"
            ),
        }
    }
    Ok(())
}

/// The links to the pages of authors, if they are published.
fn published_links<'a>(
    config: &Config,
    head: &JournalHead,
    anonymizer: &'a Anonymizer,
) -> Option<PublishedLinks<'a>> {
    let links = FeedbackLinks::of(config, head)?;
    let names = PublicNames::of(config.publish.names, head.key.clone());
    Some(PublishedLinks { links, names, anonymizer })
}

/// An error about the roster of a run, as others may read it.
fn published_error(error: anyhow::Error, anonymizer: &Anonymizer) -> anyhow::Error {
    let Some(RosterError(message)) = error.downcast_ref::<RosterError>() else { return error };
    let whole = format!("{error:#}");
    let plain = message.to_string();
    let place = whole.strip_suffix(&*plain).unwrap_or_default();
    anyhow!("{place}{}", anonymizer.message(message))
}

/// Writes the organiser's list, if names are not published: a line for each of these bots, in the
/// order of their names.
///
/// # Errors
/// It cannot be written.
pub fn write_aliases(
    folder: &ResultFolder,
    names: &PublicNames,
    bots: &BTreeSet<String>,
) -> Result<(), Failure> {
    if !names.are_aliases() {
        return Ok(());
    }
    let mut list = String::new();
    for name in bots {
        let shown = printable(name.as_bytes(), usize::MAX);
        list += &format!("{} {shown}\n", names.name(name));
    }
    folder.replace_aliases(&list).context("aliases.txt").map_err(Failure::Unfinished)
}
