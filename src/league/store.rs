//! Where the games of a league are kept, and what is done between them.

mod arrivals;

pub use arrivals::{absentee, count_games, seat, told_before};

use super::board::SharedBoard;
use super::feed::feed;
use super::intake::{Intake, past};
use super::judge::{Judge, Judged};
use super::retired::Retired;
use super::retries::Retries;
use super::room::DiskRoom;
use super::status::{LeagueParts, json, state};
use super::uploads::{Author, UploadDesk};
use super::versions::{NewVersion, Versions};
use super::workers::Leases;
use anyhow::Context;
use arbiter_cup::tournament::{Entrant, JournalHead, PublicNames};
use arbiter_ground::failure::Failure;
use arbiter_ground::limited_work::LimitedWork;
use arbiter_ground::recorder::{Interruption, RecordStore, RunScreen};
use arbiter_ground::request::TournamentRequest;
use arbiter_ground::utc;
use arbiter_play::arena::{Finished, GameQueue, PlayerSpec, Run};
use arbiter_play::store::replace;
use arbiter_rank::league::NEWCOMER_GAMES;
use arbiter_run::begin::write_aliases;
use arbiter_run::display::league_file::{ATOM_FILE, LEAGUE_FILE};
use arbiter_run::feedback_links::{FeedbackLinks, write_table};
use arbiter_run::folder_store::{FolderStore, renamed};
use arbiter_run::tables::report::standings_report;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The least time between two writings of `league.json` for games alone.
const STATUS_PAUSE: Duration = Duration::from_secs(2);
/// Making it takes at most this part (1/n) of the time, except for news of versions and workers.
const STATUS_SHARE: u32 = 50;
/// The time between two entries of ratings in the journal, from which curves are drawn.
const RATINGS_PAUSE: Duration = Duration::from_hours(1);

/// The store of a league.
pub struct LeagueStore<'a> {
    pub inner: FolderStore<'a>,
    pub request: &'a TournamentRequest,
    pub names: PublicNames,
    /// What others may not read, if names are aliases.
    pub hidden: BTreeSet<String>,
    pub board: SharedBoard,
    /// The games that workers play.
    pub leases: Leases,
    pub versions: Versions,
    pub intake: Intake,
    pub judge: Judge,
    /// What takes uploads.
    pub desk: Option<Arc<UploadDesk>>,
    /// Versions that wait for their turn.
    pub waiting: VecDeque<NewVersion>,
    /// Whether a version is being tried.
    pub is_judging: bool,
    pub retired: Retired,
    /// Versions that could not be tried.
    pub retries: Retries,
    pub room: DiskRoom,
    pub clock: StatusClock,
    /// Writing the pages of authors, and whether that is due.
    pub pages: LimitedWork,
    pub pages_are_due: bool,
    /// The feed as it was last written.
    pub feed: String,
}

/// When what follows the games is written next.
pub struct StatusClock {
    pub status: LimitedWork,
    pub ratings: Instant,
    /// The games that were recorded since the last entry of ratings.
    pub unrated: u64,
    /// Whether something else than a game has changed.
    pub is_due: bool,
}

impl StatusClock {
    pub fn new() -> StatusClock {
        let now = Instant::now();
        StatusClock {
            status: LimitedWork::new(STATUS_PAUSE, STATUS_SHARE, now),
            ratings: now + RATINGS_PAUSE,
            unrated: 0,
            is_due: true,
        }
    }
}

impl LeagueStore<'_> {
    /// Goes on with other bots.
    fn change_head(&mut self, head: JournalHead) -> Result<(), Failure> {
        let recorded = &mut self.inner.recorded;
        recorded.change_head(head)?;
        write_aliases(self.inner.files.folder, &self.names, &recorded.private_names)?;
        self.hide_names();
        self.tell_desk();
        let links = FeedbackLinks::of(&self.request.config, &self.inner.recorded.head);
        write_table(links.as_ref(), self.inner.files.folder)
    }

    /// Hides the own names of all bots that are known, and what they were ever labelled, if names
    /// are aliases.
    fn hide_names(&mut self) {
        let recorded = &self.inner.recorded;
        self.hidden.extend(recorded.private_names.iter().cloned());
        self.hidden.extend(recorded.head.roster.iter().filter_map(|bot| bot.display.clone()));
        self.hidden.extend(self.request.config.display_names.values().cloned());
        self.inner.anonymizer.hide_instead(self.hidden.iter().cloned());
    }

    /// Writes the pages of authors if a verdict or a game of a new version has changed them, in a
    /// part of the time: they take seconds, and the games wait.
    fn write_author_pages(&mut self) -> Result<(), Failure> {
        if !self.pages_are_due || !self.pages.is_due() {
            return Ok(());
        }
        self.pages_are_due = false;
        let FolderStore { recorded, files, anonymizer, .. } = &self.inner;
        let report = standings_report(recorded, anonymizer).map_err(Failure::Unfinished)?;
        let written = self.pages.run(|| files.write_feedback(recorded, &report));
        or_when_there_is_room(written, &mut self.pages_are_due)
    }

    /// Puts a game into the journal that these versions have played.
    fn keep_as(&mut self, finished: &mut Finished, played: &[Entrant]) -> Result<(), Failure> {
        let head = &mut self.inner.recorded.head;
        let is_current = played.iter().all(|version| head.roster.contains(version));
        let roster = std::mem::replace(&mut head.roster, played.to_vec());
        let kept = self.inner.keep(finished);
        let recorded = &mut self.inner.recorded;
        recorded.head.roster = roster;
        if kept.is_ok() && !is_current {
            recorded.index.follow_roster(&recorded.head);
        }
        kept
    }

    fn write_versions(&self) -> Result<(), Failure> {
        self.versions.write().context("league/versions.json").map_err(Failure::Unfinished)?;
        self.tell_desk();
        Ok(())
    }

    fn tell_desk(&self) {
        let head = &self.inner.recorded.head;
        tell_desk(self.desk.as_ref(), self.request, head, &self.versions);
    }

    /// This does not play any more.
    fn retire(&mut self, player: Option<PlayerSpec>) {
        if let Some(PlayerSpec::Program(program)) = player {
            self.retired.add(program);
        }
    }

    /// Writes `league.json` if it is due.
    fn write_status(&mut self, run: &Run) -> Result<(), Failure> {
        if !self.clock.is_due && !self.clock.status.is_due() {
            return Ok(());
        }
        self.clock.is_due = false;
        // Before the board is locked: a worker that asks for a game locks the queue first.
        let running = run.queue(GameQueue::running);
        let parts = LeagueParts {
            league: &self.inner.recorded.head.name,
            versions: &self.versions,
            names: &self.names,
            anonymizer: self.inner.anonymizer,
            runs: &self.inner.recorded.runs,
            frozen: past(self.request.config.league.freeze.as_ref()),
        };
        let shortage = self.room.shortage.as_ref();
        let workers = self.leases.count();
        let state = self.clock.status.run(|| {
            let board = self.board.lock();
            state(&parts, &board, running, workers, shortage)
        });
        let text = json(&state).map_err(Failure::Unfinished)?;
        let dir = self.inner.files.folder.dir();
        let mut written = replace(&dir.join(LEAGUE_FILE), &text).context(LEAGUE_FILE);
        let feed = feed(&parts);
        if written.is_ok() && feed != self.feed {
            written = replace(&dir.join(ATOM_FILE), &feed).context(ATOM_FILE);
            if written.is_ok() {
                self.feed = feed;
            }
        }
        or_when_there_is_room(written, &mut self.clock.is_due)
    }

    /// Enters the ratings into the journal from time to time.
    fn enter_ratings(&mut self, screen: &mut dyn RunScreen) -> Result<(), Failure> {
        let now = Instant::now();
        if now < self.clock.ratings {
            return Ok(());
        }
        self.clock.ratings = now + RATINGS_PAUSE;
        let games = std::mem::take(&mut self.clock.unrated);
        if games == 0 {
            return Ok(());
        }
        let report = standings_report(&self.inner.recorded, self.inner.anonymizer)
            .map_err(Failure::Unfinished)?;
        let run = self.inner.enter_run(&[], games, &report, screen).map_err(Failure::Unfinished)?;
        self.inner.recorded.runs.push(run);
        Ok(())
    }
}

/// What was written, unless the disk is full: then it is due again as soon as there is room.
fn or_when_there_is_room(written: anyhow::Result<()>, is_due: &mut bool) -> Result<(), Failure> {
    let written = written.map_err(Failure::Unfinished);
    if written.as_ref().is_err_and(Failure::is_disk_full) {
        *is_due = true;
        return Ok(());
    }
    written
}

/// Tells a desk whose links take uploads, and what can be taken back.
pub fn tell_desk(
    desk: Option<&Arc<UploadDesk>>,
    request: &TournamentRequest,
    head: &JournalHead,
    versions: &Versions,
) {
    let Some(desk) = desk else { return };
    let links = FeedbackLinks::of(&request.config, head);
    let names = head.public_names();
    let number = desk.folder();
    let folder = &request.config.folders[number].folder;
    let mut authors = Vec::new();
    for (bot, address) in links.iter().flat_map(|links| links.in_folder(folder)) {
        authors.push(Author {
            address: address.to_owned(),
            bot: bot.to_owned(),
            shown: names.name(bot),
            before: versions.before(&(number, bot.to_owned())),
        });
    }
    desk.set_authors(authors);
}

impl RecordStore for LeagueStore<'_> {
    fn look(&mut self, run: &Run, screen: &mut dyn RunScreen) -> Result<(), Failure> {
        self.look_for_room(run, screen);
        if self.is_disk_full() {
            // What has arrived and what was tried waits: there is no room to record it.
            self.retired.remove_unused();
            self.write_status(run)?;
            return self.inner.look(run, screen);
        }
        let mut arrivals: Vec<_> = self.intake.arrived().collect();
        // In the order that others know: that of own names would tell which alias is whose.
        arrivals.sort_by_cached_key(|(arrival, _)| self.names.name(&arrival.place().1));
        for (arrival, time) in arrivals {
            self.arrive(arrival, &utc::timestamp(time), screen)?;
        }
        // Before the next try: the judge is idle then.
        let verdicts: Vec<Judged> = self.judge.judged().collect();
        for judged in verdicts {
            self.take_verdict(judged, run, screen)?;
        }
        self.try_next()?;
        let workers = self.leases.count();
        self.leases.look(run, &self.board, screen);
        self.clock.is_due |= self.leases.count() != workers;
        self.retired.remove_unused();
        self.write_author_pages()?;
        self.enter_ratings(screen)?;
        self.write_status(run)?;
        self.inner.look(run, screen)
    }

    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure> {
        if self.versions.are_moved() {
            return Err(renamed());
        }
        // It belongs to the versions that played it, also if others have taken their places.
        let played = self.board.lock().versions_of(finished.pairing.index);
        let Some(played) = played else { return self.inner.keep(finished) };
        self.keep_as(finished, &played)?;
        self.clock.unrated += 1;
        // The author of a new version waits for its first results; the tables of all follow later.
        let board = self.board.lock();
        let is_new = played.iter().any(|version| board.games(&version.name) < NEWCOMER_GAMES);
        drop(board);
        self.pages_are_due |= is_new;
        self.leases.kept(finished.pairing.index);
        Ok(())
    }

    fn outlasts_output(&self) -> bool {
        true
    }

    fn waits_for_room(&self) -> bool {
        true
    }

    fn interrupt(
        &mut self,
        interruption: Interruption,
        played: u64,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        self.inner.interrupt(interruption, played, screen)
    }
}
