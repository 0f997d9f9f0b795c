//! Games of persons at browsers, against bots of a tournament or ([`PersonSeats`]) against each
//! other.
//!
//! Each game runs on a thread of its own, which looks at the clock, sends the state of the game to
//! its browser, and ends the game if the browser is gone.

mod seats;
mod table;

pub use seats::PersonSeats;

use super::match_store::open_log;
use crate::display::watched_games::WatchedGames;
use crate::tables::recorded::Recorded;
use crate::tables::report::{add_to_page, anonymizer};
use anyhow::{Context, anyhow};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::page::PageGames;
use arbiter_cup::tournament::Entrant;
use arbiter_game::clock::TimeControl;
use arbiter_game::game_id::game_id;
use arbiter_ground::bot_names::first_free;
use arbiter_ground::failure::Failure;
use arbiter_ground::finder::finder;
use arbiter_ground::flags::GivenSettings;
use arbiter_ground::follow::{RunEnd, follow};
use arbiter_ground::output::complain;
use arbiter_ground::preparation::{Origin, Preparation, random_seed};
use arbiter_ground::recorded_bots::{RecordedBots, SubmissionCopies, recorded_config, trusted};
use arbiter_ground::recorder::{Interruption, RecordStore, Recorder, RunScreen};
use arbiter_host::locate::{Program, Trust};
use arbiter_play::arena::{
    self, Conditions, Finished, GameQueue, GameRow, Match, PlayerSpec, RowGame,
};
use arbiter_play::store::GameLog;
use arbiter_rules::own::Rules;
use arbiter_rules::{BySide, Position, Side};
use arbiter_show::serve::PersonGames;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::iter;
use std::path::Path;
use std::slice;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use table::{PersonTable, TICK, TableScreen, TypedAnswer, end_games};
use tokio::sync::watch;

/// The BOT that is a person, and what a person is called.
pub const PERSON: &str = "human";
/// The most games of persons at a time, with those whose bot is still being started. As many others
/// may be ending, whose persons have begun another one.
const GAMES: usize = 4;
/// The most games whose state is kept.
const KEPT: usize = 16;
/// A person whose browser is gone this long has left.
const GONE: Duration = Duration::from_secs(60);

/// What all games of persons share.
struct TableSetup {
    entered: RecordedBots,
    anonymizer: Anonymizer,
    /// The conditions of the games, before a bot is chosen.
    preparation: Preparation,
    /// The person's name, which no bot has.
    person: String,
    log: Mutex<GameLog>,
    /// The path of the log, as it was given, for persons on this machine.
    log_path: Option<String>,
    /// The number of games that could not be written to the log.
    lost: AtomicU64,
}

/// What a person wants to play under.
pub struct PersonSetup<'a> {
    /// The result folder.
    pub folder: &'a Path,
    /// The folder that the configuration's paths start from, if it is not the one above.
    pub from: Option<&'a Path>,
    /// The rules of a custom game.
    pub rules: Option<&'a Rules>,
    /// Settings instead of those of the tournament.
    pub given: &'a GivenSettings,
    /// The file that games are appended to.
    pub log: &'a Path,
}

/// The games of persons.
pub struct PersonTables {
    setup: Arc<TableSetup>,
    open: Mutex<OpenTables>,
}

#[derive(Default)]
struct OpenTables {
    last: u64,
    tables: BTreeMap<u64, Arc<PersonTable>>,
    /// Whether the program ends.
    is_closed: bool,
}

/// The body of a request for a game.
#[derive(Deserialize)]
struct WantedTable {
    bot: String,
    /// The side of the person: 0 moves first.
    side: usize,
    /// For a ply that is taken back: the position before it.
    position: Option<String>,
    /// The number of the game before it in the same browser, which is broken off.
    instead: Option<u64>,
}

impl PersonTables {
    /// Tables for the bots of this tournament.
    ///
    /// # Errors
    /// This machine cannot enforce its settings, or the log cannot be opened.
    pub fn new(wanted: &PersonSetup<'_>, recorded: &Recorded) -> Result<PersonTables, Failure> {
        let setup = TableSetup::new(wanted, recorded, "--play")?;
        Ok(PersonTables { setup: Arc::new(setup), open: Mutex::default() })
    }

    /// The number of games so far that could not be written to the log.
    pub fn lost(&self) -> u64 {
        self.setup.lost.load(Ordering::Relaxed)
    }

    /// Ends all games, and returns when that is done.
    pub fn end(&self) {
        let tables: Vec<_> = {
            let mut open = self.open();
            open.is_closed = true;
            open.tables.values().cloned().collect()
        };
        end_games(&tables);
    }

    fn open(&self) -> MutexGuard<'_, OpenTables> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn table(&self, number: u64) -> Option<Arc<PersonTable>> {
        self.open().tables.get(&number).cloned()
    }
}

impl PersonGames for PersonTables {
    fn opponents(&self) -> Vec<String> {
        let roster = self.setup.entered.roster.iter();
        let mut names: Vec<String> = roster.map(|bot| bot.name.clone()).collect();
        names.sort();
        names
    }

    fn begin(&self, request: &[u8]) -> Result<u64, String> {
        let wanted: WantedTable =
            serde_json::from_slice(request).map_err(|error| error.to_string())?;
        let name = wanted.bot;
        let mut roster = self.setup.entered.roster.iter();
        let bot = roster.find(|bot| bot.name == name).ok_or("there is no bot of that name")?;
        let bot = bot.private_name().to_owned();
        let side = *Side::BOTH.get(wanted.side).ok_or("side: write 0 or 1")?;
        // Before the lock: the rules of a custom game may take a while to read a position.
        let start = self.setup.start(wanted.position.as_deref())?;
        let mut open = self.open();
        if open.is_closed {
            return Err("the server ends".to_owned());
        }
        let mut over = Vec::new();
        let mut playing = 0;
        let mut ending = 0;
        for (&number, table) in &open.tables {
            let state = table.state();
            if state.is_over {
                over.push(number);
            } else if state.has_left || wanted.instead == Some(number) {
                ending += 1;
            } else {
                playing += 1;
            }
        }
        if playing >= GAMES {
            return Err(format!(
                "{GAMES} games are being played, and there may be no more at a time"
            ));
        }
        if playing + ending > 2 * GAMES {
            return Err("games before this one have not ended yet; try again soon".to_owned());
        }
        if let Some(table) = wanted.instead.and_then(|number| open.tables.get(&number)) {
            let mut state = table.state();
            state.has_left = true;
            state.replies = None;
        }
        // The state of the oldest games that are over is forgotten.
        let too_many = (open.tables.len() + 1).saturating_sub(KEPT);
        for number in over.iter().take(too_many) {
            let _ = open.tables.remove(number);
        }
        open.last += 1;
        let number = open.last;
        let table = Arc::new(PersonTable {
            number,
            side,
            start,
            games: WatchedGames::new(1, Anonymizer::unchanged()),
            state: Mutex::default(),
            gone: GONE,
            sent: watch::Sender::new("{}".to_owned()),
        });
        open.tables.insert(number, Arc::clone(&table));
        let setup = Arc::clone(&self.setup);
        thread::spawn(move || setup.run(&table, &name, &bot));
        Ok(number)
    }

    fn answer(&self, game: u64, request: &[u8]) -> Result<(), String> {
        let answer: TypedAnswer =
            serde_json::from_slice(request).map_err(|error| error.to_string())?;
        self.table(game).ok_or("there is no such game")?.answer(&answer)
    }

    fn follow(&self, game: u64) -> Option<watch::Receiver<String>> {
        let table = self.table(game)?;
        table.send(&mut table.state()); // so that its clocks are those of now
        Some(table.sent.subscribe())
    }
}

impl TableSetup {
    /// What games under the settings of this tournament share; `option` asks for them.
    ///
    /// # Errors
    /// This machine cannot enforce its settings, or the log cannot be opened.
    fn new(
        wanted: &PersonSetup<'_>,
        recorded: &Recorded,
        option: &str,
    ) -> Result<TableSetup, Failure> {
        // With the own names of bots, by which their programs are found.
        let config = recorded_config(&recorded.head)?;
        let roster = recorded.head.roster.clone();
        let entered = RecordedBots::new(config, roster, wanted.folder, wanted.from)?;
        let anonymizer = anonymizer(recorded, [&*entered.from]);
        let mut settings = entered.config.settings.with_control(TimeControl::Unlimited);
        settings.time.first_move = None;
        let ruleset = settings.ruleset.with_rules(wanted.rules);
        settings.ruleset = ruleset.map_err(|why| anyhow!("{option}: {why}"))?;
        if !wanted.given.has("sandbox") {
            settings.limits.sandbox = trusted(settings.limits.sandbox, "configuration");
        }
        settings.rules.replay_disturbed = false; // a game with a person is played once
        wanted.given.lay_over(&mut settings).map_err(anyhow::Error::msg)?;
        wanted.given.own.check(&[]).map_err(anyhow::Error::msg)?;
        let event = entered.config.name.as_deref().unwrap_or("?");
        let stderr = entered.config.publish.stderr;
        let mut preparation =
            Preparation::new(settings, event, random_seed(), stderr, Origin::Flags)?;
        preparation.conditions.tries = 1;
        preparation.isolate()?;
        Ok(TableSetup {
            person: first_free(PERSON, |name| !is_bot(&entered.roster, name)),
            entered,
            anonymizer,
            preparation,
            log: Mutex::new(open_log(wanted.log)?),
            log_path: Some(wanted.log.display().to_string()),
            lost: AtomicU64::new(0),
        })
    }

    /// The position that a game begins from: the usual one, or that before a ply that is taken
    /// back. A bot learns it as it does where any game begins, so it needs to know nothing of this.
    ///
    /// # Errors
    /// A sentence for the person: there are clocks, or it is no position that can be played from.
    fn start(&self, wanted: Option<&str>) -> Result<Position, String> {
        let settings = &self.preparation.conditions.settings;
        let Some(text) = wanted else { return Ok(settings.ruleset.start()) };
        if settings.time.control.common() != Some(TimeControl::Unlimited) {
            return Err("with a clock no ply can be taken back".to_owned());
        }
        let position = settings.ruleset.read_position(text).map_err(|error| error.to_string())?;
        match position.ending() {
            Some(_) => Err("the game is over in this position".to_owned()),
            None => Ok(position),
        }
    }

    /// Plays the game of a table, as [`play`](TableSetup::play), and tells its person how it ended.
    fn run(&self, table: &Arc<PersonTable>, name: &str, bot: &str) {
        let played = self.play(table, name, bot);
        self.show_end(table, played.err().as_ref());
    }

    /// Tells a person that the game is over; without a failure, the page knows how.
    fn show_end(&self, table: &PersonTable, failure: Option<&Failure>) {
        let mut state = table.state();
        state.is_over = true;
        state.turn = None;
        state.replies = None;
        // A fault of the rules is there already, and says more.
        if let Some(error) = failure.and_then(Failure::error)
            && state.trouble.is_none()
        {
            state.trouble = Some(self.anonymizer.clean(&format!("{error:#}")));
        }
        table.send(&mut state);
    }

    /// Plays the game of a table against the bot of the own name `bot`, which others see by the
    /// name `name`.
    ///
    /// # Errors
    /// The bot cannot be started, the game cannot be played, or its log cannot be written.
    fn play(&self, table: &Arc<PersonTable>, name: &str, bot: &str) -> Result<(), Failure> {
        let mut copies = SubmissionCopies::default();
        let mut preparation = self.preparation.for_seed(random_seed());
        let program = self
            .program(name, bot, &mut copies)
            .with_context(|| format!("{name} cannot be run"))?;
        if table.state().has_left {
            return Ok(());
        }
        let programs = iter::once((name.to_owned(), &program));
        preparation.separate_users(programs, &self.anonymizer)?;
        preparation.try_out(name, &program).with_context(|| format!("{name} cannot be run"))?;
        let (person, replies) = table.person();
        let bots = vec![
            (self.person.clone(), PlayerSpec::Person(person)),
            (name.to_owned(), PlayerSpec::Program(Arc::new(program))),
        ];
        {
            let mut state = table.state();
            // Of a person who has left the way for answers is dropped: the game ends as soon as it
            // asks.
            if state.has_left {
                drop(replies);
            } else {
                state.replies = Some(replies);
            }
        }
        let only = RowGame {
            id: game_id(&self.person, name, table.number),
            names: BySide::from_own(table.side, self.person.clone(), name.to_owned()),
            start: table.start.clone(),
        };
        self.play_game(slice::from_ref(table), preparation.conditions, only, bots)
    }

    /// Plays a game, which the persons of these tables see.
    fn play_game(
        &self,
        tables: &[Arc<PersonTable>],
        conditions: Conditions,
        only: RowGame,
        players: Vec<(String, PlayerSpec)>,
    ) -> Result<(), Failure> {
        let watchers = tables.first().map(|table| table.games.watchers()).unwrap_or_default();
        let plan = Match { conditions, concurrency: 1, watchers };
        let queue = GameQueue::new(GameRow::new(vec![only], players.into_iter().collect()));
        let mut recorder = Recorder::new(TableStore { setup: self, tables }, TableScreen(tables));
        match follow(&mut arena::run_beside(plan, queue), TICK, &mut recorder) {
            Ok(RunEnd::Broken(what)) => Err(Failure::Unfinished(anyhow!(what))),
            Ok(RunEnd::Played | RunEnd::RulesFail | RunEnd::TimeUp | RunEnd::Interrupted) => Ok(()),
            Err(failure) => {
                // Only the store can fail. Persons see it on their page; the host must see it, too.
                self.lost.fetch_add(1, Ordering::Relaxed);
                if let Some(error) = failure.error() {
                    let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
                    complain(format_args!("--log {}: {error:#}", log.path().display()));
                }
                Err(failure)
            }
        }
    }

    fn program(
        &self,
        name: &str,
        bot: &str,
        copies: &mut SubmissionCopies,
    ) -> anyhow::Result<Program> {
        let Conditions { launcher, settings, .. } = &self.preparation.conditions;
        let game = settings.ruleset.game();
        let finder = finder(&self.entered.from, &launcher.program, game, Trust::Stranger);
        let mut program = self.entered.program(bot, finder)?;
        program.spec.time = None; // it has the clock that the person has
        if let Some(note) = self.entered.foreign_commands(name, &program) {
            complain(self.anonymizer.message(&note));
        }
        copies.in_copy(bot, program, launcher)
    }
}

/// Whether a bot has this name, also one that others do not see.
fn is_bot(roster: &[Entrant], name: &str) -> bool {
    roster.iter().any(|bot| {
        bot.name.eq_ignore_ascii_case(name) || bot.private_name().eq_ignore_ascii_case(name)
    })
}

/// Keeps the game of these tables.
struct TableStore<'a> {
    setup: &'a TableSetup,
    tables: &'a [Arc<PersonTable>],
}

impl RecordStore for TableStore<'_> {
    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure> {
        let record = self.setup.anonymizer.record(finished.record.clone());
        let mut log = self.setup.log.lock().unwrap_or_else(PoisonError::into_inner);
        let logged = log.append(&record).context("the log of the game is lost");
        drop(log);
        logged.map_err(Failure::Unfinished)?;
        let mut games = PageGames::new(None);
        add_to_page(&mut games, record, None);
        let finished_game = games.json();
        for table in self.tables {
            let mut state = table.state();
            state.is_new = true;
            state.finished = Some(finished_game.clone());
            state.saved = self.setup.log_path.clone();
            if let Some(fault) = &finished.fault {
                state.trouble = Some(self.setup.anonymizer.clean(&fault.to_string()));
            }
        }
        Ok(())
    }

    /// The server watches for signals, and ends the games itself.
    fn interrupt(&mut self, _: Interruption, _: u64, _: &mut dyn RunScreen) -> Result<(), Failure> {
        Ok(())
    }
}
