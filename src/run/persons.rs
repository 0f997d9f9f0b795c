//! Games of persons at browsers against bots of a tournament.
//!
//! Each game runs on a thread of its own, which looks at the clock, sends the state of the game to
//! its browser, and ends the game if the browser is gone.

use super::match_store::open_log;
use crate::display::watched_games::WatchedGames;
use crate::tables::recorded::Recorded;
use crate::tables::report::{add_to_page, anonymizer};
use anyhow::{Context, anyhow};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::page::PageGames;
use arbiter_game::clock::TimeControl;
use arbiter_game::game_id::game_id;
use arbiter_game::{PersonTurn, legal_texts, typed_reply};
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
    self, Conditions, Finished, GameQueue, GameRow, Match, Person, PersonReplies, PlayerSpec,
    RowGame, Run,
};
use arbiter_play::store::GameLog;
use arbiter_rank::standings::Standings;
use arbiter_rules::own::Rules;
use arbiter_rules::{BySide, Ply, Position, Side};
use arbiter_show::serve::{PersonGames, RunningGame};
use arbiter_show::view::LiveGame;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The BOT that is a person, and what a person is called.
pub const PERSON: &str = "human";
/// The most games of persons at a time, with those whose bot is still being started.
const GAMES: usize = 4;
/// The most games whose state is kept.
const KEPT: usize = 16;
/// How often a game is looked at.
const TICK: Duration = Duration::from_millis(50);
/// A person whose browser is gone this long has left.
const GONE: Duration = Duration::from_secs(60);
/// At the end of the program, games get this long to end.
const ENDING: Duration = Duration::from_secs(5);
/// What a person reads whose answer no turn waits for.
const NOT_ASKED: &str = "it is not your turn";

/// What all games of persons share.
struct TableSetup {
    entered: RecordedBots,
    anonymizer: Anonymizer,
    /// The conditions of the games, before a bot is chosen.
    preparation: Preparation,
    /// The bots by the names that others may see.
    bots: BTreeMap<String, String>,
    /// The person's name, which no bot has.
    person: String,
    log: Mutex<GameLog>,
    /// The path of the log, as it was given.
    log_path: String,
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

/// A game of a person.
struct PersonTable {
    number: u64,
    side: Side,
    start: Position,
    games: WatchedGames,
    state: Mutex<TableState>,
    /// The state as JSON, for the browser.
    sent: watch::Sender<String>,
}

/// What is known of a game beside its plies.
#[derive(Default)]
struct TableState {
    game: Option<RunningGame>,
    turn: Option<PersonTurn>,
    /// Where the person's answers go; `None` if the person has left or the game has not started.
    replies: Option<PersonReplies>,
    /// Whether the person has begun another game instead.
    has_left: bool,
    /// The finished game, for the page, and the file that has its log.
    finished: Option<String>,
    saved: Option<String>,
    /// Why there is no game, or why it was broken off.
    trouble: Option<String>,
    is_over: bool,
    /// Whether something has changed beside the plies since it was last sent.
    is_new: bool,
    presence: Presence,
}

/// Whether a person is there.
#[derive(Default)]
struct Presence(Option<Instant>);

impl Presence {
    /// Whether nothing has been seen of the person for too long; `is_there` is what is seen now.
    fn is_gone(&mut self, is_there: bool, now: Instant) -> bool {
        if is_there {
            self.0 = None;
            return false;
        }
        now.saturating_duration_since(*self.0.get_or_insert(now)) >= GONE
    }
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

/// The body of an answer in a game.
#[derive(Deserialize)]
struct TypedAnswer {
    /// The number of the ply.
    number: usize,
    text: String,
}

impl PersonTables {
    /// Tables for the bots of this tournament.
    ///
    /// # Errors
    /// This machine cannot enforce its settings, or the log cannot be opened.
    pub fn new(wanted: &PersonSetup<'_>, recorded: &Recorded) -> Result<PersonTables, Failure> {
        // With the own names of bots, by which their programs are found.
        let config = recorded_config(&recorded.head)?;
        let roster = recorded.head.roster.clone();
        let entered = RecordedBots::new(config, roster, wanted.folder, wanted.from)?;
        let anonymizer = anonymizer(recorded, [&*entered.from]);
        let mut settings = entered.config.settings.with_control(TimeControl::Unlimited);
        settings.time.first_move = None;
        let ruleset = settings.ruleset.with_rules(wanted.rules);
        settings.ruleset = ruleset.map_err(|why| anyhow!("--play: {why}"))?;
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
        let mut bots = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for bot in &entered.roster {
            taken.insert(bot.name.to_ascii_lowercase());
            taken.insert(bot.private_name().to_ascii_lowercase());
            bots.insert(bot.name.clone(), bot.private_name().to_owned());
        }
        let setup = TableSetup {
            entered,
            anonymizer,
            preparation,
            bots,
            person: first_free(PERSON, |name| !taken.contains(&name.to_ascii_lowercase())),
            log: Mutex::new(open_log(wanted.log)?),
            log_path: wanted.log.display().to_string(),
        };
        Ok(PersonTables { setup: Arc::new(setup), open: Mutex::default() })
    }

    /// Ends all games, and returns when that is done.
    pub fn end(&self) {
        let tables: Vec<_> = {
            let mut open = self.open();
            open.is_closed = true;
            open.tables.values().cloned().collect()
        };
        let began = Instant::now();
        while began.elapsed() < ENDING {
            let mut is_open = false;
            for table in &tables {
                let mut state = table.state();
                // In each round: a game that is still starting begins to wait for its person later.
                state.replies = None;
                is_open |= !state.is_over;
            }
            if !is_open {
                return;
            }
            thread::sleep(TICK);
        }
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
        self.setup.bots.keys().cloned().collect()
    }

    fn begin(&self, request: &[u8]) -> Result<u64, String> {
        let wanted: WantedTable =
            serde_json::from_slice(request).map_err(|error| error.to_string())?;
        let name = wanted.bot;
        let bot = self.setup.bots.get(&name).ok_or("there is no bot of that name")?.clone();
        let side = *Side::BOTH.get(wanted.side).ok_or("side: write 0 or 1")?;
        // Before the lock: the rules of a custom game may take a while to read a position.
        let start = self.setup.start(wanted.position.as_deref())?;
        let mut open = self.open();
        if open.is_closed {
            return Err("the server ends".to_owned());
        }
        let mut over = Vec::new();
        let mut playing = 0;
        for (&number, table) in &open.tables {
            if table.state().is_over {
                over.push(number);
            } else if wanted.instead != Some(number) {
                playing += 1;
            }
        }
        if playing >= GAMES {
            return Err(format!(
                "{GAMES} games are being played, and there may be no more at a time"
            ));
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
        let state = table.state();
        table.send(&state); // so that its clocks are those of now
        Some(table.sent.subscribe())
    }
}

impl TableSetup {
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
        let mut state = table.state();
        state.is_over = true;
        state.turn = None;
        state.replies = None;
        // A fault of the rules is there already, and says more.
        if let Err(failure) = played
            && let Some(error) = failure.error()
            && state.trouble.is_none()
        {
            state.trouble = Some(self.anonymizer.clean(&format!("{error:#}")));
        }
        table.send(&state);
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
        let programs = iter::once((name.to_owned(), &program));
        preparation.separate_users(programs, &self.anonymizer)?;
        preparation.try_out(name, &program).with_context(|| format!("{name} cannot be run"))?;
        let asked = Arc::clone(table);
        let (person, replies) = Person::new(move |turn| asked.ask(turn));
        let bots = [
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
        let plan = Match {
            conditions: preparation.conditions,
            concurrency: 1,
            watchers: table.games.watchers(),
        };
        let only = RowGame {
            id: game_id(&self.person, name, table.number),
            names: BySide::from_own(table.side, self.person.clone(), name.to_owned()),
            start: table.start.clone(),
        };
        let queue = GameQueue::new(GameRow::new(vec![only], bots.into()));
        let mut recorder = Recorder::new(TableStore { setup: self, table }, &**table);
        match follow(&mut arena::run_beside(plan, queue), TICK, &mut recorder)? {
            RunEnd::Broken(what) => Err(Failure::Unfinished(anyhow!(what))),
            RunEnd::Played | RunEnd::RulesFail | RunEnd::TimeUp | RunEnd::Interrupted => Ok(()),
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

/// Keeps the game of a table.
struct TableStore<'a> {
    setup: &'a TableSetup,
    table: &'a PersonTable,
}

impl RunScreen for &PersonTable {
    fn draw(&mut self, _: &Run, _: &Standings) {
        self.look();
    }
}

impl RecordStore for TableStore<'_> {
    fn keep(&mut self, finished: &mut Finished) -> Result<(), Failure> {
        let record = &finished.record;
        let logged = self.setup.log.lock().unwrap_or_else(PoisonError::into_inner).append(record);
        logged.context("the log of the game is lost").map_err(Failure::Unfinished)?;
        let mut games = PageGames::new(None);
        add_to_page(&mut games, self.setup.anonymizer.record(record.clone()), None);
        let mut state = self.table.state();
        state.is_new = true;
        state.finished = Some(games.json());
        state.saved = Some(self.setup.log_path.clone());
        if let Some(fault) = &finished.fault {
            state.trouble = Some(self.setup.anonymizer.clean(&fault.to_string()));
        }
        Ok(())
    }

    /// The server watches for signals, and ends the games itself.
    fn interrupt(&mut self, _: Interruption, _: u64, _: &mut dyn RunScreen) -> Result<(), Failure> {
        Ok(())
    }
}

impl PersonTable {
    fn state(&self) -> MutexGuard<'_, TableState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game as it is now, when it has begun.
    fn seen(&self) -> Option<LiveGame> {
        self.games.now().into_iter().flatten().next()
    }

    /// Asks the person for a ply.
    fn ask(&self, turn: PersonTurn) {
        let mut state = self.state();
        state.turn = Some(turn);
        state.is_new = true;
    }

    /// Takes what the person has typed.
    fn answer(&self, answer: &TypedAnswer) -> Result<(), String> {
        if !matches!(&self.state().turn, Some(turn) if turn.number == answer.number) {
            return Err(NOT_ASKED.to_owned());
        }
        // Rules that have to say why a ply is illegal may take a while: nothing is locked then.
        let game = self.seen().ok_or("the game has not begun")?;
        let reply = typed_reply(game.position(), &answer.text)?;
        // The flag may have fallen meanwhile, or the same person answered twice.
        let mut state = self.state();
        let turn = state.turn.take_if(|turn| turn.number == answer.number).ok_or(NOT_ASKED)?;
        state.is_new = true;
        if let Some(replies) = &state.replies {
            replies.send(turn.number, Some(reply));
        }
        Ok(())
    }

    /// Looks at the game, the clock and the browser, and sends the state if it has changed.
    fn look(&self) {
        let now = Instant::now();
        let mut state = self.state();
        if state.presence.is_gone(self.sent.receiver_count() > 0, now) {
            state.replies = None;
        }
        let is_late = |turn: &mut PersonTurn| turn.deadline.is_some_and(|deadline| now >= deadline);
        if let Some(turn) = state.turn.take_if(is_late)
            && let Some(replies) = &state.replies
        {
            replies.send(turn.number, None);
        }
        let game = self.seen().map(|game| RunningGame::after(state.game.as_ref(), &game));
        if game != state.game || state.is_new {
            state.game = game;
            state.is_new = false;
            self.send(&state);
        }
    }

    /// Sends the state to the browser, if it is another one than before.
    fn send(&self, state: &TableState) {
        let mut question = None;
        if let (Some(turn), Some(game)) = (&state.turn, self.seen()) {
            let position = game.position();
            let plies = position.sorted_plies().into_iter();
            let squares: Vec<_> = plies.map(|ply| square_numbers(position, ply)).collect();
            question = Some(json!({
                "number": turn.number,
                "legal": legal_texts(position),
                "squares": squares,
                "refused": turn.refused,
            }));
        }
        let object = json!({
            "number": self.number,
            "you": self.side as u8,
            "turn": question,
            "trouble": state.trouble,
            "saved": state.saved,
            "over": state.is_over,
        });
        let game = match &state.game {
            Some(game) => game.whole(0, Instant::now()),
            None => "null".to_owned(),
        };
        let finished = state.finished.as_deref().unwrap_or("null");
        let text = format!("{{\"state\":{object},\"game\":{game},\"finished\":{finished}}}");
        self.sent.send_if_modified(|sent| {
            let is_new = *sent != text;
            *sent = text;
            is_new
        });
    }
}

/// The squares of a ply as a page numbers them: row by row from the one that is printed first.
fn square_numbers(position: &Position, ply: Ply) -> Vec<usize> {
    let columns = position.ruleset().columns();
    position.squares(ply).into_iter().map(|(row, column)| row * columns + column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_gone_when_nothing_is_seen_for_a_minute() {
        let (mut presence, began) = (Presence::default(), Instant::now());
        let at = |seconds| began + Duration::from_secs(seconds);
        assert!(!presence.is_gone(false, at(0)) && !presence.is_gone(false, at(59)));
        assert!(!presence.is_gone(true, at(59)), "the page was loaded anew");
        assert!(!presence.is_gone(false, at(61)) && !presence.is_gone(false, at(120)));
        assert!(presence.is_gone(false, at(121)));
    }
}
