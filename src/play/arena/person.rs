//! A person who plays: questions go to a user interface, and answers come from it.
//!
//! The user interface holds the [`PersonReplies`]; the [`Person`] is the
//! [`PlayerSpec`](super::PlayerSpec). The interface explains input that is no legal ply itself, so
//! that it costs a person no attempt; what it sends all the same is judged like any answer.

use arbiter_game::{Answer, Forfeit, PersonTurn, Reply, Turn};
use arbiter_host::bot::{BotError, Delays, StallDetector};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Why a game of a person is broken off: the person has left, or the program ends.
pub(super) const PERSON_LEFT: &str = "the person left the game";
pub(super) const STOPPED: &str = "arbiter was stopped";

/// A message of the user interface.
enum PersonMessage {
    /// The number of a ply, and the answer for it; without a reply, if the flag has fallen.
    Answer(usize, Option<Reply>),
    /// The program ends.
    Stopped,
}

/// A person as a player.
#[derive(Clone)]
pub struct Person {
    ask: Arc<dyn Fn(PersonTurn) + Send + Sync>,
    replies: Arc<Mutex<UnboundedReceiver<PersonMessage>>>,
    /// How long arbiter itself did not run while the person was asked.
    stalled: Duration,
}

/// The way of a person's answers to the game. If it is dropped, the game is broken off.
#[derive(Debug)]
pub struct PersonReplies(UnboundedSender<PersonMessage>);

impl PersonReplies {
    /// Answers the question about the ply of this number; with nothing, if the flag has fallen. An
    /// answer after the deadline is late: the referee judges by the time that has passed.
    pub fn send(&self, number: usize, reply: Option<Reply>) {
        let _ = self.0.send(PersonMessage::Answer(number, reply)); // fails if the game is over
    }

    /// Breaks off the game because the program ends.
    pub fn stop(&self) {
        let _ = self.0.send(PersonMessage::Stopped); // as above
    }
}

impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Person")
    }
}

impl Person {
    /// A person who is asked by calling `ask`, and the way of the answers. The user interface
    /// watches the clock: at the deadline of a question it answers nothing.
    pub fn new(ask: impl Fn(PersonTurn) + Send + Sync + 'static) -> (Person, PersonReplies) {
        let (answers, replies) = unbounded_channel();
        let replies = Arc::new(Mutex::new(replies));
        let person = Person { ask: Arc::new(ask), replies, stalled: Duration::ZERO };
        (person, PersonReplies(answers))
    }

    /// Asks for a ply.
    ///
    /// # Errors
    /// The person has left, or the program ends.
    pub(super) async fn ask(&mut self, turn: &Turn<'_>) -> Result<Answer, BotError> {
        let began = Instant::now();
        let asked = PersonTurn {
            side: turn.side,
            number: turn.number(),
            deadline: turn.allowance.wall.map(|wall| began + wall),
            refused: turn.refused.map(str::to_owned),
        };
        let number = asked.number;
        (self.ask)(asked);
        let mut stalls = StallDetector::start();
        let mut replies = self.replies.lock().await;
        let reply = loop {
            match stalls.watch(replies.recv()).await {
                Some(PersonMessage::Answer(answered, reply)) if answered == number => break reply,
                Some(PersonMessage::Answer(..)) => {} // for an earlier ply
                Some(PersonMessage::Stopped) => return Err(BotError::Broken(STOPPED.to_owned())),
                None => return Err(BotError::Broken(PERSON_LEFT.to_owned())),
            }
        };
        self.stalled = self.stalled.max(stalls.take());
        Ok(Answer { reply, used: began.elapsed(), cpu: Some(Duration::ZERO), ..Answer::default() })
    }

    /// The delays of arbiter while the person was asked, since this was last called.
    pub(super) fn take_delays(&mut self) -> Delays {
        Delays { stalled: std::mem::take(&mut self.stalled), ..Delays::default() }
    }

    /// Returns when the person has left or the program ends, and which of these. Answers until
    /// then are for no question.
    pub(super) async fn left(&self) -> BotError {
        let mut replies = self.replies.lock().await;
        loop {
            match replies.recv().await {
                Some(PersonMessage::Answer(..)) => {}
                Some(PersonMessage::Stopped) => return BotError::Broken(STOPPED.to_owned()),
                None => return BotError::Broken(PERSON_LEFT.to_owned()),
            }
        }
    }

    /// A sentence on why the person lost by forfeit, and the offending reply, which is empty.
    pub(super) fn explain(&self, forfeit: &Forfeit<'_>) -> (String, Vec<u8>) {
        let sentence = match (forfeit.refused, forfeit.limit) {
            (Some(refused), _) => refused.to_owned(),
            (None, Some(limit)) => {
                format!(
                    "the flag fell: expected a ply within {:.3} s (margin included)",
                    limit.as_secs_f64()
                )
            }
            (None, None) => "no ply came".to_owned(),
        };
        (sentence, Vec::new())
    }
}
