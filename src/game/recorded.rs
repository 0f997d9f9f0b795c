//! A player that plays the plies of a logged game.

use super::{
    Answer, DiskUsage, Exit, Fault, Garbled, LimitExceeded, Note, Outcome, Played, Reply, Tasks,
    Turn,
};
use arbiter_rules::Side;
use arbiter_rules::seed::Generator;
use std::sync::Arc;
use std::time::Duration;

/// Both sides of a logged game: each turn is answered with the ply of the log and takes the time of
/// the log.
///
/// ```
/// use arbiter_game::{Abort, Outcome, Played, RecordedPlayer, Referee, Settings};
/// let settings = Settings::default();
/// let start = settings.ruleset.start();
/// let plies = ["a2c4", "b0b2"].map(|ply| settings.ruleset.read_ply(ply).unwrap());
/// let logged = plies.map(|ply| Played { ply, note: None });
/// let mut player = RecordedPlayer::new(logged.into(), Outcome::Aborted(Abort::Broken));
/// let mut referee = Referee::new(&settings, start);
/// while let Ok(mut answer) = player.answer(&referee.ask().unwrap()) {
///     let _ = referee.answer(&mut answer);
/// }
/// assert_eq!(referee.plies(), plies);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedPlayer {
    /// Every ply of the log, of both sides.
    plies: Arc<[Played]>,
    /// The number of plies of the game that were found to be those of the log. They are not
    /// compared again at the next question: a game may have a million plies.
    agreed: usize,
    /// How the game ended.
    outcome: Outcome,
    /// The log's sentence about that, if it has one.
    detail: Option<String>,
    /// The reply that lost.
    reply: Note,
    continuation: Option<Continuation>,
}

/// How a side goes on when a logged game has no answer: it plays at random, and resigns later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Continuation {
    /// The seed of its plies: the same seed gives the same plies in the same positions.
    pub seed: u64,
    /// The number of the ply, from 1, instead of which it resigns, or of its next ply after that.
    pub resigns_at: usize,
}

impl Continuation {
    fn answer(self, turn: &Turn<'_>) -> Answer {
        if turn.number() >= self.resigns_at {
            return Answer { reply: Some(Reply::Resign), ..Answer::default() };
        }
        let plies = turn.position.sorted_plies();
        let chosen = Generator::new(&[&self.seed, &turn.number()]).below(plies.len() as u64);
        Answer::ply(plies[chosen as usize])
    }
}

/// Why a logged game has no answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordEnded {
    /// The log has no more plies.
    #[error("the logged game has no ply {0}")]
    Over(usize),
    /// A ply of the game differs from the log.
    #[error("ply {0} is not the one of the logged game")]
    Left(usize),
}

impl RecordedPlayer {
    /// A player for either side of a game with these plies, forced passes included, which ended so.
    pub fn new(plies: Vec<Played>, outcome: Outcome) -> RecordedPlayer {
        RecordedPlayer {
            plies: plies.into(),
            agreed: 0,
            outcome,
            detail: None,
            reply: Note::default(),
            continuation: None,
        }
    }

    /// Lets the player go on when the log has no answer.
    pub fn going_on(self, continuation: Continuation) -> RecordedPlayer {
        RecordedPlayer { continuation: Some(continuation), ..self }
    }

    /// Sets the log's sentence about a forfeit and the reply that lost.
    pub fn explained(self, detail: Option<String>, reply: Option<Note>) -> RecordedPlayer {
        RecordedPlayer { detail, reply: reply.unwrap_or_default(), ..self }
    }

    /// Whether the player of this side got ready.
    pub fn got_ready(&self, side: Side) -> bool {
        match self.outcome {
            Outcome::Forfeit(loser, Fault::NoStart) => loser != side,
            Outcome::NeitherStarted => false,
            _ => true,
        }
    }

    /// Answers a question with the ply of the log, or with what ended the logged game: the
    /// resignation or the fault.
    ///
    /// # Errors
    /// The game differs from the log, or the log has no answer to this question, and no
    /// [`Continuation`] is set.
    pub fn answer(&mut self, turn: &Turn<'_>) -> Result<Answer, RecordEnded> {
        match (self.logged_answer(turn), self.continuation) {
            (Err(_), Some(continuation)) => Ok(continuation.answer(turn)),
            (logged, _) => logged,
        }
    }

    fn logged_answer(&mut self, turn: &Turn<'_>) -> Result<Answer, RecordEnded> {
        // Fewer plies than before: another game has begun.
        if turn.plies.len() < self.agreed {
            self.agreed = 0;
        }
        for (played, logged) in turn.plies[self.agreed..].iter().zip(&self.plies[self.agreed..]) {
            if *played != logged.ply {
                return Err(RecordEnded::Left(self.agreed + 1));
            }
            self.agreed += 1;
        }
        let answer = match self.plies.get(turn.plies.len()) {
            Some(Played { ply, note }) => {
                timed(Answer::ply(*ply), &note.clone().unwrap_or_default())
            }
            None if turn.plies.len() > self.plies.len() => {
                return Err(RecordEnded::Left(self.plies.len() + 1));
            }
            None => match self.outcome {
                Outcome::Resigned(loser) if loser == turn.side => {
                    Answer { reply: Some(Reply::Resign), ..Answer::default() }
                }
                Outcome::Forfeit(loser, fault) if loser == turn.side => {
                    // The text of this note is the reply that lost, not an `info`.
                    timed(faulty(fault), &Note { text: Vec::new(), ..self.reply.clone() })
                }
                _ => return Err(RecordEnded::Over(turn.number())),
            },
        };
        Ok(within(answer, turn))
    }

    /// Why the game was lost, without the loser's name, and the reply that lost.
    pub fn explain(&self) -> (String, Vec<u8>) {
        let sentence = match &self.detail {
            Some(detail) => detail.split_once(": ").map_or(&**detail, |(_, sentence)| sentence),
            None => "the log does not say more",
        };
        (sentence.to_owned(), self.reply.text.clone())
    }
}

/// The answer with the times and the text of its note.
fn timed(answer: Answer, note: &Note) -> Answer {
    Answer { info: note.text.clone(), used: note.wall.unwrap_or_default(), cpu: note.cpu, ..answer }
}

/// The answer with no more time than the turn allows: a log may come from a game with longer times.
fn within(answer: Answer, turn: &Turn<'_>) -> Answer {
    let mut used = answer.used.min(turn.allowance.wall.unwrap_or(Duration::MAX));
    let cpu = answer.cpu.map(|cpu| cpu.min(turn.allowance.cpu.unwrap_or(Duration::MAX)));
    // If processor time is charged, `limit` is about that; without it, wall time is charged.
    if cpu.is_none() {
        used = used.min(turn.limit.unwrap_or(Duration::MAX));
    }
    Answer { used, cpu, ..answer }
}

/// An answer that the referee judges as this fault.
fn faulty(fault: Fault) -> Answer {
    let mut answer = Answer::default();
    match fault {
        // No reply and no other fault.
        Fault::Timeout | Fault::NoStart => {}
        Fault::MemoryLimit => answer.exceeded = Some(LimitExceeded::Memory(0)),
        Fault::ProcessLimit => answer.exceeded = Some(LimitExceeded::Tasks(Tasks::default())),
        Fault::OutputLimit => {
            answer.exceeded = Some(LimitExceeded::Scratch(DiskUsage::default()));
        }
        Fault::Crash => answer.exit = Some(Exit::Status(0)),
        Fault::Protocol => answer.garbled = Some(Garbled::Nul),
        Fault::IllegalMove => {
            let reason = "it was illegal in the logged game".to_owned();
            answer.reply = Some(Reply::Illegal(reason));
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Abort, Referee, Settings, Step};

    /// The outcome of a logged game that ended so after one ply, played by the log on both sides.
    fn again(outcome: Outcome, settings: &Settings) -> Outcome {
        let start = settings.ruleset.start();
        let note = Some(Note { wall: Some(Duration::from_hours(1)), ..Note::default() });
        let plies = vec![Played { ply: settings.ruleset.read_ply("a2c4").unwrap(), note }];
        let mut player = RecordedPlayer::new(plies, outcome);
        let mut referee = Referee::new(settings, start);
        loop {
            let mut answer = player.answer(&referee.ask().unwrap()).unwrap();
            if let Step::Over(ended) = referee.answer(&mut answer) {
                return ended;
            }
        }
    }

    #[test]
    fn a_game_ends_again_as_it_ended() {
        let mut settings = Settings::default();
        for attempts in [1, 3] {
            settings.rules.attempts = attempts;
            for fault in Fault::ALL.into_iter().filter(|&fault| fault != Fault::NoStart) {
                let outcome = Outcome::Forfeit(Side::Second, fault);
                assert_eq!(again(outcome, &settings), outcome);
            }
            let resigned = Outcome::Resigned(Side::Second);
            assert_eq!(again(resigned, &settings), resigned);
        }
    }

    #[test]
    fn a_side_that_goes_on_plays_legal_plies_until_it_resigns() {
        let settings = Settings::default();
        let game = |seed| {
            let continuation = Continuation { seed, resigns_at: 8 };
            let record = RecordedPlayer::new(Vec::new(), Outcome::Aborted(Abort::Broken));
            let mut player = record.going_on(continuation);
            let mut referee = Referee::new(&settings, settings.ruleset.start());
            while let Some(turn) = referee.ask() {
                let mut answer = player.answer(&turn).unwrap();
                let _: Step = referee.answer(&mut answer);
            }
            (referee.plies().to_vec(), referee.outcome())
        };
        let (plies, outcome) = game(1);
        assert_eq!((plies.len(), outcome), (7, Some(Outcome::Resigned(Side::Second))));
        assert_eq!(game(1).0, plies);
        assert_ne!(game(2).0, plies);
    }

    #[test]
    fn a_player_that_did_not_get_ready_does_not_in_the_replay() {
        let ready = |outcome| {
            let player = RecordedPlayer::new(Vec::new(), outcome);
            Side::BOTH.map(|side| player.got_ready(side))
        };
        assert_eq!(ready(Outcome::Forfeit(Side::First, Fault::NoStart)), [false, true]);
        assert_eq!(ready(Outcome::NeitherStarted), [false, false]);
        assert_eq!(ready(Outcome::Forfeit(Side::First, Fault::Crash)), [true, true]);
    }
}
