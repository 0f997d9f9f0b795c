//! The live page of a tournament: follows its journal, which this or another process writes, what
//! a league says of itself, and the running games, and sends what is new to browsers.

use super::league_file::{ATOM_FILE, LeagueFile};
use super::watched_games::WatchedGames;
use crate::tables::recorded::Recorded;
use crate::tables::report::{
    PAGE_GAMES, add_to_page, anonymizer, games_for_page, standings_report,
};
use anyhow::{Context, bail};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::page::{PageGames, live_page, live_policy, rules};
use arbiter_cup::report::standings;
use arbiter_cup::tournament::RecordedGame;
use arbiter_ground::limited_work::LimitedWork;
use arbiter_ground::output::complain;
use arbiter_show::serve::{
    Feed, FeedChange, LeagueChange, PersonGames, RunningGame, SeatGames, Server, ServerAddress,
    ServerSetup, Uploads, most_readers,
};
use serde_json::json;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Making tables, reading what a league says, and making pages take at most this part (1/n) of the
/// time each.
const SHARE: u32 = 50;
/// The least time between two tables, and between two looks at a league.
const TABLE_PAUSE: Duration = Duration::from_millis(500);
/// The least time between two pages: a browser that takes longer to load one has to load it anew.
const PAGE_PAUSE: Duration = Duration::from_secs(30);
/// A page that lacks more bytes of games than this is made anew, so that no more of them are kept.
const KEPT_BYTES: usize = 4 << 20;

/// Room for fewer readers than this draws a note, where others can reach the page.
const READERS: usize = 1000;

/// What is served.
pub struct LiveSetup {
    /// Where to serve.
    pub address: ServerAddress,
    /// The tournament as it is known when the page is first made.
    pub recorded: Recorded,
    /// The running games, if this process plays them.
    pub watched: Option<WatchedGames>,
    /// Games of persons, if there are any.
    pub persons: Option<Arc<dyn PersonGames>>,
    /// Games of two persons against each other, and what the two are called, if there are any.
    pub seats: Option<(Arc<dyn SeatGames>, [String; 2])>,
    /// What authors hand in, if they can.
    pub uploads: Option<Arc<dyn Uploads>>,
    /// The address that browsers see behind a proxy, if there is one.
    pub public: Option<String>,
}

impl LiveSetup {
    /// The page of this tournament alone.
    pub fn new(address: ServerAddress, recorded: Recorded) -> LiveSetup {
        LiveSetup {
            address,
            recorded,
            watched: None,
            persons: None,
            seats: None,
            uploads: None,
            public: None,
        }
    }
}

/// What a page has to know of games of persons.
struct PersonBlock {
    /// The bots that a person can play against, if one can.
    opponents: Option<Vec<String>>,
    /// What two persons are called who can play each other.
    seats: Option<[String; 2]>,
}

/// A page that is served and follows its tournament, until it is dropped: then browsers get the
/// last state.
pub struct LivePage {
    server: Server,
    /// The thread that publishes, until it has ended.
    publisher: Option<JoinHandle<()>>,
    ends: Arc<AtomicBool>,
    /// Wakes the publisher.
    pace: SyncSender<()>,
}

/// Listens on the host and port of a page. An address that others reach draws a warning, and is
/// refused where a person is to play.
///
/// # Errors
/// A sentence that names the option.
pub fn listen(option: &str, address: &str, plays: bool) -> anyhow::Result<ServerAddress> {
    let listened = ServerAddress::listen(address).with_context(|| format!("{option} {address}"))?;
    if !listened.is_loopback() {
        if plays {
            bail!(
                "--play: it is for a person on this machine, and others can reach {address}; leave \
                 out one of them"
            );
        }
        complain(format_args!(
            "warning: {address} can be reached from other machines; who knows the address with its \
             token sees the page"
        ));
    }
    Ok(listened)
}

impl LivePage {
    /// Serves the page of a tournament.
    ///
    /// # Errors
    /// The journal cannot be read, or the server cannot begin.
    pub fn start(setup: LiveSetup) -> anyhow::Result<LivePage> {
        let LiveSetup { address, recorded, watched, persons: games, seats, uploads, public } =
            setup;
        if public.is_some() || !address.is_loopback() {
            note_room();
        }
        let (seats, names) = seats.unzip();
        let opponents = games.as_ref().map(|games| games.opponents());
        let persons = PersonBlock { opponents, seats: names };
        let anonymizer = anonymizer(&recorded, []);
        let mut league = LeagueFile::beside(recorded.journal.path());
        let first = league.read_on();
        let (page, table) = whole_page(&recorded, &anonymizer, 0, &persons, &league)?;
        let feed = Arc::new(Feed::new(page, table));
        feed.publish(FeedChange { league: first, ..FeedChange::default() });
        let (pace, allowed) = sync_channel(1);
        // Readers of a league, and of its Atom feed, come back after a restart.
        let is_endless = recorded.config.schedule.format.kind.is_endless;
        let key = recorded.head.key.as_ref().filter(|_| is_endless);
        let server = Server::start(ServerSetup {
            address,
            token: key.map(|key| key.address(&["page"])),
            feed: Arc::clone(&feed),
            policy: live_policy(),
            games,
            seats,
            uploads,
            public,
            atom: recorded.journal.path().with_file_name(ATOM_FILE),
            pace: pace.clone(),
        })
        .context("serving the page")?;
        let now = Instant::now();
        let publisher = Publisher {
            recorded,
            is_other: false,
            anonymizer,
            watched,
            persons,
            seen: Vec::new(),
            feed,
            table: LimitedWork::new(TABLE_PAUSE, SHARE, now),
            has_new_table: false,
            league,
            league_looks: LimitedWork::new(TABLE_PAUSE, SHARE, now),
            is_league_new: false,
            page: LimitedWork::new(PAGE_PAUSE, SHARE, now),
        };
        let ends = Arc::new(AtomicBool::new(false));
        let ending = Arc::clone(&ends);
        let publisher = thread::spawn(move || publisher.follow(&allowed, &ending));
        Ok(LivePage { server, publisher: Some(publisher), ends, pace })
    }

    /// The URLs of the page for two persons, if they can play.
    pub fn seat_urls(&self) -> Vec<String> {
        self.server.seat_urls()
    }

    /// The URL of the page, with its token.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Another URL, which leads to the page once.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn url_for_once(&self) -> io::Result<String> {
        self.server.url_for_once()
    }
}

impl Drop for LivePage {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Release);
        // Wakes the publisher now, not when the server's use of the processor allows it. If the
        // channel is full, the publisher wakes up anyway.
        let _ = self.pace.try_send(());
        if let Some(publisher) = self.publisher.take() {
            let _ = publisher.join(); // a panic of it has been printed
        }
    }
}

/// Says how many browsers can follow the page, if that is few.
fn note_room() {
    let most = most_readers();
    if most < READERS {
        complain(format_args!(
            "note: at most {most} browsers can follow the page at a time, because this process may \
             have few open files; `ulimit -n 8192` before it, or LimitNOFILE=8192 in a unit of \
             systemd, allows more"
        ));
    }
}

/// The page with all games so far, and its table as JSON. The browser asks for updates after the
/// one of this number.
fn whole_page(
    recorded: &Recorded,
    anonymizer: &Anonymizer,
    number: u64,
    persons: &PersonBlock,
    league: &LeagueFile,
) -> anyhow::Result<(String, String)> {
    let games = games_for_page(recorded, anonymizer, Some(PAGE_GAMES))?;
    let table = standings::json(&standings_report(recorded, anonymizer)?);
    let PersonBlock { opponents, seats } = persons;
    let is_played = opponents.is_some() || seats.is_some();
    let rules = is_played.then(|| rules(&recorded.config.settings.ruleset));
    let live = json!({ "from": number, "opponents": opponents, "seats": seats, "rules": rules });
    let live = live.to_string();
    let page = live_page(&recorded.head.name, &table, games, &live, league.text().as_deref());
    Ok((page, table))
}

/// Sends what is new.
struct Publisher {
    recorded: Recorded,
    /// Whether the journal is that of another tournament by now, and is to be read anew.
    is_other: bool,
    anonymizer: Anonymizer,
    watched: Option<WatchedGames>,
    persons: PersonBlock,
    /// The running games as they were last seen.
    seen: Vec<Option<RunningGame>>,
    feed: Arc<Feed>,
    table: LimitedWork,
    /// Whether the table has changed since it was last sent.
    has_new_table: bool,
    league: LeagueFile,
    league_looks: LimitedWork,
    /// Whether the page has an older state of the league.
    is_league_new: bool,
    page: LimitedWork,
}

impl Publisher {
    /// Sends what is new whenever that is allowed, until the end; then the last state.
    fn follow(mut self, allowed: &Receiver<()>, ends: &AtomicBool) {
        let mut failure = None;
        while allowed.recv().is_ok() {
            let is_last = ends.load(Ordering::Acquire);
            match self.advance(is_last) {
                Ok(()) => failure = None,
                Err(error) => {
                    // It may be read again later, as when a journal is being replaced.
                    let text = format!("note: the page does not follow the journal: {error:#}");
                    let text = self.anonymizer.clean(&text);
                    if failure.as_ref() != Some(&text) {
                        complain(&text);
                    }
                    failure = Some(text);
                }
            }
            if is_last {
                return;
            }
        }
    }

    fn advance(&mut self, is_last: bool) -> anyhow::Result<()> {
        let news = if self.is_other { None } else { self.recorded.read_on()? };
        let Some(news) = news else { return self.begin_anew() };
        self.has_new_table |= !news.games.is_empty() || news.runs > 0;
        let games = if news.games.is_empty() { None } else { Some(self.games(&news.games)?) };
        // The games are read only once, so they are published though the table may fail.
        let (table, failure) = match self.new_table(is_last) {
            Ok(table) => (table, None),
            Err(error) => (None, Some(error)),
        };
        let league = self.new_league(is_last);
        self.is_league_new |= league.is_some();
        self.watch();
        let running = self.seen.clone();
        self.feed.publish(FeedChange { games, table, league, running, is_over: is_last });
        match failure {
            Some(error) => Err(error),
            None => self.renew_page(),
        }
    }

    /// The games that have ended, for the page.
    fn games(&self, ended: &[RecordedGame]) -> anyhow::Result<String> {
        let mut games = PageGames::new(None);
        for game in ended {
            let stderr = self.recorded.public_stderr(game, &self.anonymizer);
            add_to_page(&mut games, self.anonymizer.record(game.record()?), stderr.as_deref());
        }
        Ok(games.json())
    }

    /// The table, if it has changed and a browser wants it.
    fn new_table(&mut self, is_last: bool) -> anyhow::Result<Option<String>> {
        let is_wanted = is_last || self.feed.is_followed() && self.table.is_due();
        if !self.has_new_table || !is_wanted {
            return Ok(None);
        }
        let report = self.table.run(|| standings_report(&self.recorded, &self.anonymizer))?;
        self.has_new_table = false;
        Ok(Some(standings::json(&report)))
    }

    /// What a league says of itself, if it has changed and a browser wants it.
    fn new_league(&mut self, is_last: bool) -> Option<LeagueChange> {
        if is_last || self.feed.is_followed() && self.league_looks.is_due() {
            self.league_looks.run(|| self.league.read_on())
        } else {
            None
        }
    }

    /// Looks at the running games.
    fn watch(&mut self) {
        let Some(watched) = &self.watched else { return };
        let mut seen = Vec::new();
        for (slot, game) in watched.now().iter().enumerate() {
            let before = self.seen.get(slot).and_then(Option::as_ref);
            seen.push(game.as_ref().map(|game| RunningGame::after(before, game)));
        }
        self.seen = seen;
    }

    /// Makes the page anew if it lacks games or the state of the league and a browser got it, or if
    /// it lacks many games.
    fn renew_page(&mut self) -> anyhow::Result<()> {
        let (missing, is_wanted) = self.feed.missing_in_page();
        let is_old = missing > 0 || self.is_league_new;
        if missing > KEPT_BYTES || is_old && is_wanted && self.page.is_due() {
            let number = self.feed.number();
            let Publisher { recorded, anonymizer, persons, league, page, .. } = self;
            let (page, _) =
                page.run(|| whole_page(recorded, anonymizer, number, persons, league))?;
            self.feed.replace_page(page);
            self.is_league_new = false;
        }
        Ok(())
    }

    /// Reads the other tournament that the journal has now, and has browsers load its page.
    fn begin_anew(&mut self) -> anyhow::Result<()> {
        self.is_other = true;
        let recorded = Recorded::read(self.recorded.journal.path())?;
        let anonymizer = anonymizer(&recorded, []);
        let number = self.feed.number() + 1;
        let (page, table) =
            whole_page(&recorded, &anonymizer, number, &self.persons, &self.league)?;
        self.recorded = recorded;
        self.anonymizer = anonymizer;
        self.is_other = false;
        self.feed.begin_anew(page, table);
        Ok(())
    }
}
