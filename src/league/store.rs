//! Where the games of a league are kept, and what is done between them: arrivals become versions,
//! versions that can play replace those that do, and `league.json` follows.

use super::board::SharedBoard;
use super::intake::{Arrival, Intake, Place, Stamp};
use super::judge::{Job, Judge, Judged, Verdict};
use super::retired::Retired;
use super::status::{STATUS, StatusParts, json, state};
use super::uploads::{Author, UploadDesk};
use super::versions::{State, Versions};
use super::workers::Leases;
use anyhow::Context;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::escape::line;
use arbiter_cup::tournament::roster::{with_bot, without_bot};
use arbiter_cup::tournament::{Absentee, Entrant, JournalHead, PublicNames};
use arbiter_ground::failure::Failure;
use arbiter_ground::limited_work::LimitedWork;
use arbiter_ground::recorder::{Interruption, RecordStore, RunScreen};
use arbiter_ground::request::TournamentRequest;
use arbiter_ground::utc;
use arbiter_host::locate::{Program, remove_folder};
use arbiter_play::arena::{Finished, GameQueue, PlayerSpec, Run};
use arbiter_play::store::replace;
use arbiter_rules::text::{Message, one_line};
use arbiter_run::absence_pages::{PublishedLinks, write_absence_pages};
use arbiter_run::begin::write_aliases;
use arbiter_run::feedback_links::{FeedbackLinks, write_table};
use arbiter_run::folder_store::{FolderStore, renamed};
use arbiter_run::ready_bot::ReadyBot;
use arbiter_run::tables::report::standings_report;
use arbiter_run::trial::Refusal;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// The least time between two writings of `league.json` for games alone.
const STATUS_PAUSE: Duration = Duration::from_secs(2);
/// Making it takes at most this part (1/n) of the time, but for news of versions.
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
    /// What takes uploads, and the number of the folder that they come to.
    pub desk: Option<(Arc<UploadDesk>, usize)>,
    /// Versions that wait for their turn.
    pub waiting: VecDeque<(Place, Stamp, u64)>,
    /// Whether a version is being tried.
    pub is_judging: bool,
    pub retired: Retired,
    /// The programs that play, by the public names of their bots.
    pub programs: HashMap<String, Arc<Program>>,
    pub written: StatusClock,
    /// Writing the pages of authors, and whether that is due.
    pub pages: LimitedWork,
    pub pages_are_due: bool,
}

/// When what follows the games is written next.
pub struct StatusClock {
    pub status: LimitedWork,
    pub ratings: Instant,
    /// The number of games at the last entry of ratings.
    pub rated: usize,
    /// Whether something else than a game has changed.
    pub is_due: bool,
}

impl StatusClock {
    pub fn new(games: usize) -> StatusClock {
        let now = Instant::now();
        StatusClock {
            status: LimitedWork::new(STATUS_PAUSE, STATUS_SHARE, now),
            ratings: now + RATINGS_PAUSE,
            rated: games,
            is_due: true,
        }
    }
}

impl LeagueStore<'_> {
    fn now() -> String {
        utc::timestamp(SystemTime::now())
    }

    /// A submission has arrived or gone.
    fn arrive(&mut self, arrival: Arrival, screen: &mut dyn RunScreen) -> Result<(), Failure> {
        self.written.is_due = true;
        // Before the first message about it.
        self.inner.recorded.private_names.insert(arrival.place().1.clone());
        self.hide_names();
        match arrival {
            Arrival::There(place, stamp) => {
                // One that still waits is the same version, in a newer state.
                if self.versions.is_waiting(&place)
                    && let Some(waiting) =
                        self.waiting.iter_mut().find(|(other, ..)| *other == place)
                {
                    waiting.1 = stamp;
                    return Ok(());
                }
                let now = Self::now();
                let number = self.versions.arrived(&place, now.clone());
                if let Some(why) = self.why_taken(&place) {
                    self.versions.set(&place, number, State::Refused, &why);
                    self.versions.judged(&place, &stamp);
                    let note = Message::from("a submission does not play: ");
                    screen.note(&note.quoted(why));
                    return self.write_versions();
                }
                if let Some(freeze) = self.request.config.league.freeze.as_ref()
                    && *freeze <= now
                {
                    let why = format!("it came after the deadline, which was {freeze}");
                    self.versions.set(&place, number, State::Refused, &why);
                    self.write_versions()?;
                    return self.refuse(&place, number, Refusal::from(why), screen);
                }
                self.waiting.push_back((place, stamp, number));
                Ok(())
            }
            Arrival::Gone(place) => {
                self.waiting.retain(|(other, ..)| *other != place);
                let is_playing = self.versions.of(&place).is_some_and(|bot| bot.current.is_some());
                self.versions.withdraw(&place);
                self.write_versions()?;
                if !is_playing {
                    // A bot of this name may play that is not this submission.
                    let mut head = self.inner.recorded.head.clone();
                    let folder = Some(&self.request.config.folders[place.0].folder);
                    head.absent.retain(|absent| {
                        absent.private_name() != place.1 || absent.folder.as_ref() != folder
                    });
                    return self.change_head(head);
                }
                let name = self.names.name(&place.1);
                self.board.lock().leave(&name);
                self.retire(&name);
                screen.note(&format!("{name} is withdrawn").into());
                self.change_head(without_bot(&self.inner.recorded.head, &place.1, None))
            }
        }
    }

    /// Why a submission cannot have its name, if another bot has it.
    fn why_taken(&self, place: &Place) -> Option<String> {
        let name = &place.1;
        let mut others: Vec<&str> = Vec::new();
        for bot in &self.request.config.bots {
            others.push(&bot.name);
        }
        for (other, bot) in self.versions.bots() {
            if other != place && bot.has_played() {
                others.push(&other.1);
            }
        }
        let taken = others.into_iter().find(|other| other.eq_ignore_ascii_case(name))?;
        Some(format!("another bot is called {taken}; rename the folder (case is ignored)"))
    }

    /// Gives the judge the version that has waited longest, if it is idle.
    fn try_next(&mut self) -> Result<(), Failure> {
        if self.is_judging {
            return Ok(());
        }
        let Some((place, stamp, number)) = self.waiting.pop_front() else { return Ok(()) };
        let copy = self.versions.place_for_copy(&place, number);
        let copy = copy.context("league/versions").map_err(Failure::Unfinished)?;
        self.versions.set(&place, number, State::Tried, "");
        self.is_judging = true;
        self.written.is_due = true;
        self.judge.judge(Job { place, stamp, number, copy });
        Ok(())
    }

    /// A version was tried.
    fn take_verdict(
        &mut self,
        judged: Judged,
        run: &Run,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        self.is_judging = false;
        self.written.is_due = true;
        let Judged { job: Job { place, stamp, number, .. }, verdict } = judged;
        if !self.versions.is_tried(&place, number) {
            return Ok(()); // it was withdrawn meanwhile
        }
        match verdict {
            Verdict::Plays(bot, remark) => {
                let digest = bot.entrant.digest.clone();
                self.versions.plays(&place, number, digest, &remark);
                self.versions.judged(&place, &stamp);
                self.write_versions()?;
                self.put_in(*bot, &place, number, screen)?;
                run.wake();
                Ok(())
            }
            Verdict::Refused(refusal) => {
                // Its build may have filled the disk.
                let built = self.versions.build(&place, number);
                if built.exists() {
                    remove_folder(&built).context("league/builds").map_err(Failure::Unfinished)?;
                }
                let why = one_line(&refusal.why);
                self.versions.set(&place, number, State::Refused, &why);
                self.versions.judged(&place, &stamp);
                self.write_versions()?;
                self.refuse(&place, number, *refusal, screen)
            }
            // When it has settled it arrives again, and is the version of this number then.
            Verdict::Changed => {
                self.versions.forget(&place, number);
                self.intake.again(place);
                Ok(())
            }
            Verdict::BrokenOff => Ok(()),
        }
    }

    /// A version plays from now on.
    fn put_in(
        &mut self,
        mut bot: ReadyBot,
        place: &Place,
        number: u64,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        let head = with_bot(&self.inner.recorded.head, bot.entrant.clone());
        let name = bot.entrant.name.clone();
        self.change_head(head)?;
        bot.schedule(&bot.entrant.clone());
        self.inner.files.told.remove(&place.1);
        let numbers = self.inner.recorded.head.numbers.as_ref();
        let sides = numbers.and_then(|known| known.get(&name)).copied().unwrap_or_default();
        let player = PlayerSpec::Program(Arc::clone(&bot.program));
        self.retire(&name);
        self.programs.insert(name.clone(), Arc::clone(&bot.program));
        let mut board = self.board.lock();
        board.join(&bot.entrant, sides, player);
        // Games of this content that were played before count again.
        drop(board);
        self.tell_board(&name)?;
        screen.note(&format!("{name}: version {number} plays").into());
        self.pages_are_due = true;
        Ok(())
    }

    /// Tells the board which games of a bot count that the journal has.
    fn tell_board(&self, name: &str) -> Result<(), Failure> {
        let recorded = &self.inner.recorded;
        let names = recorded.head.names();
        let mut board = self.board.lock();
        let counted = recorded.counted(|counted, _| {
            let [first, second] =
                [counted.pairing.first, counted.pairing.second].map(|bot| &*names[bot]);
            if first == name || second == name {
                board.known(0, first, second, counted.ended);
            }
            Ok(())
        });
        counted.map(drop).map_err(Failure::Unfinished)
    }

    /// A version cannot play; its author is told at once.
    fn refuse(
        &mut self,
        place: &Place,
        number: u64,
        refusal: Refusal,
        screen: &mut dyn RunScreen,
    ) -> Result<(), Failure> {
        let name = self.names.name(&place.1);
        let note = Message::from(format!("{name}: version {number} does not play: "));
        screen.note(&note.quoted(&*refusal.why));
        let is_playing = self.versions.of(place).is_some_and(|bot| bot.current.is_some());
        let why = self.inner.anonymizer.clean(&refusal.why);
        if is_playing {
            self.inner.files.told.insert(place.1.clone(), told(number, &why));
            self.pages_are_due = true;
            return Ok(());
        }
        let absent = absentee(self.request, place, &why).named(&self.names);
        let head = without_bot(&self.inner.recorded.head, &place.1, Some(absent.clone()));
        self.change_head(head)?;
        let links = FeedbackLinks::of(&self.request.config, &self.inner.recorded.head);
        let names = self.names.clone();
        let anonymizer = self.inner.anonymizer;
        let links = links.map(|links| PublishedLinks { links, names, anonymizer });
        let refused = [(absent, refusal)];
        write_absence_pages(
            self.request,
            self.inner.files.folder,
            &[],
            &refused,
            None,
            links.as_ref(),
        )
    }

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

    /// Writes the pages of authors if a verdict has changed them, in a part of the time: with many
    /// games they take seconds, and the games wait.
    fn write_author_pages(&mut self) -> Result<(), Failure> {
        if !self.pages_are_due || !self.pages.is_due() {
            return Ok(());
        }
        self.pages_are_due = false;
        let FolderStore { recorded, files, anonymizer, .. } = &self.inner;
        let report = standings_report(recorded, anonymizer).map_err(Failure::Unfinished)?;
        let written = self.pages.run(|| files.write_feedback(recorded, &report));
        written.map_err(Failure::Unfinished)
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
            recorded.index.follow_roster(&recorded.head.roster, recorded.head.keep_changed);
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

    /// The program of a bot does not play any more.
    fn retire(&mut self, name: &str) {
        if let Some(program) = self.programs.remove(name) {
            self.retired.add(program);
        }
    }

    /// Writes `league.json` if it is due.
    fn write_status(&mut self, run: &Run) -> Result<(), Failure> {
        if !self.written.is_due && !self.written.status.is_due() {
            return Ok(());
        }
        self.written.is_due = false;
        // Before the board is locked: a worker that asks for a game locks the queue first.
        let running = run.queue(GameQueue::running);
        let state = self.written.status.run(|| {
            state(StatusParts {
                board: &self.board.lock(),
                versions: &self.versions,
                names: &self.names,
                anonymizer: self.inner.anonymizer,
                running,
                workers: self.leases.count(),
                runs: &self.inner.recorded.runs,
                freeze: self.request.config.league.freeze.as_deref(),
            })
        });
        let text = json(&state).map_err(Failure::Unfinished)?;
        let path = self.inner.files.folder.dir().join(STATUS);
        replace(&path, &text).context(STATUS).map_err(Failure::Unfinished)
    }

    /// Enters the ratings into the journal from time to time.
    fn enter_ratings(&mut self, screen: &mut dyn RunScreen) -> Result<(), Failure> {
        let now = Instant::now();
        if now < self.written.ratings {
            return Ok(());
        }
        self.written.ratings = now + RATINGS_PAUSE;
        let games = self.inner.recorded.index.count();
        if games == self.written.rated {
            return Ok(());
        }
        // Of a bot that was replaced fewer games count than before.
        let before = self.written.rated.min(games) as u64;
        self.written.rated = games;
        let report = standings_report(&self.inner.recorded, self.inner.anonymizer)
            .map_err(Failure::Unfinished)?;
        let run =
            self.inner.enter_run(&[], before, &report, screen).map_err(Failure::Unfinished)?;
        self.inner.recorded.runs.push(run);
        Ok(())
    }
}

/// A submission that does not play, for this reason, which others may read.
pub fn absentee(request: &TournamentRequest, place: &Place, why: &str) -> Absentee {
    let (number, name) = place;
    Absentee {
        name: name.clone(),
        private: None,
        reason: line(why),
        folder: Some(request.config.folders[*number].folder.clone()),
        excluded: false,
    }
}

/// What an author is told whose newest version was refused.
fn told(number: u64, why: &str) -> String {
    format!("Your newest version ({number}) does not play, the one before plays on: {why}")
}

/// What authors are told by their own names when a run begins.
pub fn told_before(versions: &Versions, anonymizer: &Anonymizer) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for ((_, own_name), bot) in versions.bots() {
        if let Some(newest) = bot.newest()
            && newest.state == State::Refused
            && bot.current.is_some()
        {
            let why = anonymizer.clean(&newest.said);
            all.insert(own_name.clone(), told(newest.number, &why));
        }
    }
    all
}

/// Tells a desk whose links take uploads, and what can be taken back.
pub fn tell_desk(
    desk: Option<&(Arc<UploadDesk>, usize)>,
    request: &TournamentRequest,
    head: &JournalHead,
    versions: &Versions,
) {
    if let Some((desk, number)) = desk {
        desk.set_authors(authors(request, head, versions, *number));
    }
}

/// Whose links take uploads to the `[[bots]]` folder of this number.
fn authors(
    request: &TournamentRequest,
    head: &JournalHead,
    versions: &Versions,
    number: usize,
) -> Vec<Author> {
    let links = FeedbackLinks::of(&request.config, head);
    let names = head.public_names();
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
    authors
}

impl RecordStore for LeagueStore<'_> {
    fn look(&mut self, run: &Run, screen: &mut dyn RunScreen) -> Result<(), Failure> {
        let mut arrivals: Vec<Arrival> = self.intake.arrived().collect();
        // In the order that others know: that of own names would tell which alias is whose.
        arrivals.sort_by_cached_key(|arrival| self.names.name(&arrival.place().1));
        for arrival in arrivals {
            self.arrive(arrival, screen)?;
        }
        let verdicts: Vec<Judged> = self.judge.judged().collect();
        for judged in verdicts {
            self.take_verdict(judged, run, screen)?;
        }
        self.try_next()?;
        self.leases.look(run, &self.board, screen);
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
        self.leases.kept(finished.pairing.index);
        Ok(())
    }

    fn outlasts_output(&self) -> bool {
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
