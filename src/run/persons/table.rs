//! A game as a person at a browser has it: what is asked, what comes, and what is shown.

use crate::display::watched_games::WatchedGames;
use arbiter_game::{PersonTurn, legal_texts, typed_reply};
use arbiter_ground::recorder::RunScreen;
use arbiter_play::arena::{Person, PersonReplies, Run};
use arbiter_rank::standings::Standings;
use arbiter_rules::{Ply, Position, Side};
use arbiter_show::serve::RunningGame;
use arbiter_show::view::LiveGame;
use serde::Deserialize;
use serde_json::json;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// What a person reads whose answer no turn waits for.
pub const NOT_ASKED: &str = "it is not your turn";
/// How often a game is looked at.
pub const TICK: Duration = Duration::from_millis(50);

/// A game as a person has it; if two play each other, each has one.
pub struct PersonTable {
    pub number: u64,
    pub side: Side,
    pub start: Position,
    pub games: WatchedGames,
    pub state: Mutex<TableState>,
    /// A person whose browser is gone this long has left.
    pub gone: Duration,
    /// The state as JSON, for the browser.
    pub sent: watch::Sender<String>,
}

/// What is known of a game beside its plies.
#[derive(Default)]
pub struct TableState {
    pub game: Option<RunningGame>,
    pub turn: Option<PersonTurn>,
    /// Where the person's answers go; `None` if the person has left, the game has not started, or
    /// the program ends.
    pub replies: Option<PersonReplies>,
    /// Whether the person has begun another game instead.
    pub has_left: bool,
    /// The finished game, for the page, and the file that has its log.
    pub finished: Option<String>,
    pub saved: Option<String>,
    /// Why there is no game, or why it was broken off.
    pub trouble: Option<String>,
    pub is_over: bool,
    /// Of two persons, whether this one and the other one are ready for the next game.
    pub ready: Option<[bool; 2]>,
    /// Whether something has changed beside the plies since it was last sent.
    pub is_new: bool,
    presence: Presence,
}

/// Whether a person is there.
#[derive(Default)]
struct Presence(Option<Instant>);

impl Presence {
    /// Whether nothing has been seen of the person for this long; `is_there` is what is seen now.
    fn is_gone(&mut self, is_there: bool, now: Instant, long: Duration) -> bool {
        if is_there {
            self.0 = None;
            return false;
        }
        now.saturating_duration_since(*self.0.get_or_insert(now)) >= long
    }
}

/// The body of an answer in a game.
#[derive(Deserialize)]
pub struct TypedAnswer {
    /// The number of the ply.
    number: usize,
    text: String,
}

/// Shows persons their game.
pub struct TableScreen<'a>(pub &'a [Arc<PersonTable>]);

impl RunScreen for TableScreen<'_> {
    fn draw(&mut self, _: &Run, _: &Standings) {
        for table in self.0 {
            table.look();
        }
    }
}

/// Breaks off these games because the program ends, and returns when they are over.
pub fn end_games(tables: &[Arc<PersonTable>]) {
    loop {
        let mut is_open = false;
        for table in tables {
            let mut state = table.state();
            // In each round: a game that is still starting begins to wait for its person later.
            if let Some(replies) = state.replies.take() {
                replies.stop();
            }
            is_open |= !state.is_over;
        }
        if !is_open {
            return;
        }
        thread::sleep(TICK);
    }
}

impl PersonTable {
    pub fn state(&self) -> MutexGuard<'_, TableState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The person as a player, who is asked here, and the way of the answers.
    pub fn person(self: &Arc<PersonTable>) -> (Person, PersonReplies) {
        let asked = Arc::clone(self);
        Person::new(move |turn| asked.ask(turn))
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
    pub fn answer(&self, answer: &TypedAnswer) -> Result<(), String> {
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
        if state.presence.is_gone(self.sent.receiver_count() > 0, now, self.gone) {
            state.replies = None;
        }
        let late = state.turn.take_if(|turn| turn.deadline.is_some_and(|deadline| now >= deadline));
        if let Some(turn) = late
            && let Some(replies) = &state.replies
        {
            replies.send(turn.number, None);
        }
        let game = self.seen().map(|game| RunningGame::after(state.game.as_ref(), &game));
        if game != state.game || state.is_new {
            state.is_new = false;
            self.send(&mut state);
        }
    }

    /// Sends the state to the browser, if it is another one than before.
    pub fn send(&self, state: &mut TableState) {
        let seen = self.seen();
        state.game = seen.as_ref().map(|game| RunningGame::after(state.game.as_ref(), game));
        let mut question = None;
        if let (Some(turn), Some(game)) = (&state.turn, &seen) {
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
            "ready": state.ready,
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
    use arbiter_cup::report::anonymizer::Anonymizer;
    use arbiter_game::Event;
    use arbiter_rules::{BySide, Ruleset};
    use serde_json::Value;

    const GONE: Duration = Duration::from_secs(60);

    #[test]
    fn a_page_that_comes_when_a_person_has_just_been_asked_gets_the_game_too() {
        let start = Ruleset::named("gekitai", "").unwrap().start();
        let games = WatchedGames::new(1, Anonymizer::unchanged());
        let table = PersonTable {
            number: 1,
            side: Side::First,
            start: start.clone(),
            games: games.clone(),
            state: Mutex::default(),
            gone: GONE,
            sent: watch::Sender::default(),
        };
        let players = BySide { first: "human".to_owned(), second: "bot".to_owned() };
        games.watchers()[0].event(Event::Began { number: 1, players, start });
        table.ask(PersonTurn { side: Side::First, number: 1, deadline: None, refused: None });
        table.send(&mut table.state());
        let sent: Value = serde_json::from_str(&table.sent.borrow()).unwrap();
        assert_eq!(sent["state"]["turn"]["number"], 1);
        assert_eq!(sent["game"]["game"]["players"], json!(["human", "bot"]));
    }

    #[test]
    fn a_person_is_gone_when_nothing_is_seen_for_a_minute() {
        let mut presence = Presence::default();
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        assert!(!presence.is_gone(false, at(0), GONE) && !presence.is_gone(false, at(59), GONE));
        assert!(!presence.is_gone(true, at(59), GONE), "the page was loaded anew");
        assert!(!presence.is_gone(false, at(61), GONE) && !presence.is_gone(false, at(120), GONE));
        assert!(presence.is_gone(false, at(121), GONE));
    }
}
