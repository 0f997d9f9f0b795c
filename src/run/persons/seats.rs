//! Games of two persons against each other, each at a link of their own.
//!
//! There are two seats. When both persons have said that they are ready, a game begins; after it
//! the next one, with sides swapped. A seat stays a person's: their browser may come and go, and
//! follows one stream of states over all games.

use super::table::{NOT_ASKED, PersonTable, TypedAnswer, end_games};
use super::{PersonSetup, TableSetup, is_bot};
use crate::display::watched_games::WatchedGames;
use crate::tables::recorded::Recorded;
use anyhow::bail;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_game::game_id::game_id;
use arbiter_ground::failure::Failure;
use arbiter_ground::preparation::random_seed;
use arbiter_play::arena::{PlayerSpec, RowGame};
use arbiter_rank::schedule::is_bot_name;
use arbiter_rules::{BySide, Side};
use arbiter_show::serve::SeatGames;
use serde::Deserialize;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::sync::watch;

/// A person whose browser is gone this long has left: a telephone that sleeps has not.
const GONE: Duration = Duration::from_mins(10);

/// The games of two persons.
pub struct PersonSeats {
    row: Arc<SeatRow>,
}

/// What the requests of browsers and the thread that plays share.
struct SeatRow {
    setup: TableSetup,
    names: [String; 2],
    /// What spectators see.
    games: WatchedGames,
    /// The states for the browsers of each seat.
    sent: [watch::Sender<String>; 2],
    open: Mutex<OpenSeats>,
    /// Both are ready, or there are no further games.
    changed: Condvar,
}

struct OpenSeats {
    /// The game that is played, or the last one, as each seat sees it.
    tables: [Arc<PersonTable>; 2],
    /// Who is ready for the next one.
    ready: [bool; 2],
    is_closed: bool,
}

/// The body of a request of a seat.
#[derive(Deserialize)]
#[serde(untagged)]
enum SeatRequest {
    Ply {
        /// The number of the game, because the next one has plies of the same numbers.
        game: u64,
        #[serde(flatten)]
        answer: TypedAnswer,
    },
    /// Whether the person is ready for the next game.
    Ready { ready: bool },
}

impl PersonSeats {
    /// Seats for two persons of these names, under the settings of this tournament.
    ///
    /// # Errors
    /// The names cannot stand in a log, this machine cannot enforce the settings, or the log cannot
    /// be opened.
    pub fn new(
        wanted: &PersonSetup<'_>,
        names: [String; 2],
        recorded: &Recorded,
    ) -> Result<PersonSeats, Failure> {
        let mut setup = TableSetup::new(wanted, recorded, "--persons")?;
        check_names(&names, &setup)?;
        setup.log_path = None; // the persons are elsewhere
        let games = WatchedGames::new(1, Anonymizer::unchanged());
        let sent = [watch::Sender::new("{}".to_owned()), watch::Sender::new("{}".to_owned())];
        let row = SeatRow {
            open: Mutex::new(OpenSeats {
                tables: tables(0, &setup, &games, &sent),
                ready: [false; 2],
                is_closed: false,
            }),
            setup,
            names,
            games,
            sent,
            changed: Condvar::new(),
        };
        for table in &row.open().tables {
            let mut state = table.state();
            state.is_over = true; // there was none
            state.ready = Some([false; 2]);
            table.send(&mut state);
        }
        let row = Arc::new(row);
        let played = Arc::clone(&row);
        thread::spawn(move || played.play_all()); // until `end`
        Ok(PersonSeats { row })
    }

    /// What spectators see of the games.
    pub fn games(&self) -> WatchedGames {
        self.row.games.clone()
    }

    /// What the persons are called.
    pub fn names(&self) -> [String; 2] {
        self.row.names.clone()
    }

    /// The number of games so far that could not be written to the log.
    pub fn lost(&self) -> u64 {
        self.row.setup.lost.load(Ordering::Relaxed)
    }

    /// Ends the game, and returns when that is done.
    pub fn end(&self) {
        let tables = {
            let mut open = self.row.open();
            open.is_closed = true;
            open.tables.clone()
        };
        self.row.changed.notify_all();
        end_games(&tables);
    }
}

impl SeatGames for PersonSeats {
    fn answer(&self, seat: usize, request: &[u8]) -> Result<(), String> {
        match serde_json::from_slice(request).map_err(|error| error.to_string())? {
            SeatRequest::Ready { ready } => self.row.set_ready(seat, ready),
            SeatRequest::Ply { game, answer } => {
                let table = Arc::clone(&self.row.open().tables[seat]);
                if table.number == game { table.answer(&answer) } else { Err(NOT_ASKED.to_owned()) }
            }
        }
    }

    fn follow(&self, seat: usize) -> watch::Receiver<String> {
        let table = Arc::clone(&self.row.open().tables[seat]);
        table.send(&mut table.state()); // so that its clocks are those of now
        self.row.sent[seat].subscribe()
    }
}

impl SeatRow {
    fn open(&self) -> MutexGuard<'_, OpenSeats> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The person of this seat is ready for the next game.
    fn set_ready(&self, seat: usize, ready: bool) -> Result<(), String> {
        let mut open = self.open();
        if !open.tables[seat].state().is_over {
            return Err("a game is being played".to_owned());
        }
        open.ready[seat] = ready;
        open.show_ready();
        self.changed.notify_all();
        Ok(())
    }

    /// Plays game after game, until the seats are closed.
    fn play_all(&self) {
        for number in 1.. {
            let mut open = self.open();
            while open.ready != [true; 2] && !open.is_closed {
                open = self.changed.wait(open).unwrap_or_else(PoisonError::into_inner);
            }
            if open.is_closed {
                return;
            }
            open.ready = [false; 2];
            open.tables = tables(number, &self.setup, &self.games, &self.sent);
            let tables = open.tables.clone();
            drop(open);
            let played = self.play(&tables);
            // Who reads that the game is over may say at once to be ready for the next one.
            open = self.open();
            for table in &tables {
                self.setup.show_end(table, played.as_ref().err());
            }
            open.show_ready();
        }
    }

    /// Plays a game.
    ///
    /// # Errors
    /// It cannot be played, or its log cannot be written.
    fn play(&self, tables: &[Arc<PersonTable>; 2]) -> Result<(), Failure> {
        let mut bots = Vec::new();
        for (table, name) in tables.iter().zip(&self.names) {
            let (person, replies) = table.person();
            bots.push((name.clone(), PlayerSpec::Person(person)));
            table.state().replies = Some(replies);
        }
        let [table, _] = tables;
        let [one, other] = &self.names;
        let only = RowGame {
            id: game_id(one, other, table.number),
            names: BySide::from_own(table.side, one.clone(), other.clone()),
            start: table.start.clone(),
        };
        let preparation = self.setup.preparation.for_seed(random_seed());
        self.setup.play_game(tables, preparation.conditions, only, bots)
    }
}

impl OpenSeats {
    /// Tells both browsers who is ready.
    fn show_ready(&self) {
        let [one, other] = self.ready;
        for (table, ready) in self.tables.iter().zip([[one, other], [other, one]]) {
            let mut state = table.state();
            state.ready = Some(ready);
            table.send(&mut state);
        }
    }
}

/// Refuses names that a log cannot have, or that would be taken for a bot.
fn check_names(names: &[String; 2], setup: &TableSetup) -> anyhow::Result<()> {
    for name in names {
        if !is_bot_name(name) {
            bail!(
                "--persons {name}: a name has up to 64 of A-Z, a-z, 0-9, `.`, `_` and `-`, and \
                 begins with a letter or digit"
            );
        }
        if is_bot(&setup.entered.roster, name) {
            bail!("--persons {name}: a bot of the tournament has this name; choose another one");
        }
    }
    if names[0].eq_ignore_ascii_case(&names[1]) {
        bail!("--persons: the two persons need different names");
    }
    Ok(())
}

/// The tables of a game, by seats. The first person moves first in the games of odd numbers.
fn tables(
    number: u64,
    setup: &TableSetup,
    games: &WatchedGames,
    sent: &[watch::Sender<String>; 2],
) -> [Arc<PersonTable>; 2] {
    let [one, other] = sent;
    let side = if number.is_multiple_of(2) { Side::Second } else { Side::First };
    let start = setup.preparation.conditions.settings.ruleset.start();
    [(side, one), (!side, other)].map(|(own_side, own_sent)| {
        Arc::new(PersonTable {
            number,
            side: own_side,
            start: start.clone(),
            games: games.clone(),
            state: Mutex::default(),
            gone: GONE,
            sent: own_sent.clone(),
        })
    })
}
