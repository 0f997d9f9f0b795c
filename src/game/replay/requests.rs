//! The requests of a logged game, as a dialect writes them.

use crate::protocol::{Conversation, Dialect};
use crate::record::Record;
use crate::{End, Referee, SentLines, Settings, Start};
use arbiter_rules::Side;

/// Everything that one bot was sent in a logged game. The clocks are those of the log. A bot that
/// asked for shorter turns got shorter ones, but a log does not say so.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Requests {
    /// What was sent before the first turn: the start block, up to `start`; nothing in a dialect
    /// without a handshake.
    pub start: String,
    /// The turn blocks of its plies, each with the number of the ply. The first one begins with the
    /// start position.
    pub turns: Vec<(usize, String)>,
    /// The end block and `quit`.
    pub end: String,
}

impl Requests {
    /// The requests to the bot on side `you` in arbiter's own dialect, with these lines `id` and
    /// `seed`.
    ///
    /// ```
    /// use arbiter_game::{SentLines, Settings, record::read_log, replay::Requests};
    /// use arbiter_rules::{Side, seed::RunSeed};
    /// let log = b"[White \"conny\"] [Black \"randy\"] [Result \"1-0\"] [Game \"loa\"]
    ///     [Outcome \"win\"] [Termination \"resign\"] 1. a2c4 {0.012s} 1-0";
    /// let record = read_log(log).next().unwrap().unwrap();
    /// let sent = SentLines::new(&RunSeed::Open(42), "conny~randy.1", &record.ruleset());
    /// let requests = Requests::new(&record, &Settings::default(), &sent, Side::Second);
    /// assert!(requests.start.starts_with("arena 1\n"));
    /// assert!(requests.turns[0].1.starts_with("first B\nposition "));
    /// assert!(requests.turns[0].1.contains("\nturn 2\nsince a2c4\nclock 10000 10088\n"));
    /// assert!(requests.end.ends_with("end win resign\nquit\n"));
    /// ```
    pub fn new(record: &Record, settings: &Settings, sent: &SentLines, you: Side) -> Requests {
        // Only `console` needs more than its name, so this never fails.
        let Ok(mut native) = Dialect::Native.conversation() else { return Requests::default() };
        Requests::in_dialect(record, settings, sent, you, &mut *native)
    }

    /// The requests as [`new`](Requests::new), in the dialect of a conversation that has not begun.
    pub fn in_dialect(
        record: &Record,
        settings: &Settings,
        sent: &SentLines,
        you: Side,
        conversation: &mut dyn Conversation,
    ) -> Requests {
        let mut requests = Requests::default();
        let start = Start { sent, position: &record.start, you, settings };
        if conversation.push_start(&mut requests.start, &start).is_err() {
            return requests;
        }
        conversation.push_rest(&mut requests.start);
        let mut player = record.player();
        let mut referee = Referee::new(settings, record.start.clone());
        let have_started = player.got_ready(you) && player.got_ready(!you);
        // Refused answers are not in the log, so what was asked after them is not known.
        while let Some(turn) = referee.ask()
            && turn.refused.is_none()
        {
            if turn.side == you && have_started {
                let mut block = String::new();
                if conversation.push_turn(&mut block, &turn).is_err() {
                    break;
                }
                conversation.push_rest(&mut block);
                requests.turns.push((turn.number(), block));
            }
            let Ok(mut answer) = player.answer(&turn) else { break };
            // The outcome is that of the log, whatever the referee says.
            let _ = referee.answer(&mut answer);
        }
        let position = referee.position();
        let plies = referee.plies();
        let outcome = record.outcome;
        let detail = record.detail.as_deref();
        conversation.push_end(&mut requests.end, &End { you, position, plies, outcome, detail });
        conversation.push_quit(&mut requests.end);
        requests
    }

    /// The request for this ply, or for the next one that this bot is asked for.
    pub fn turn(&self, ply: usize) -> Option<&str> {
        let (_, block) = self.turns.iter().find(|(number, _)| *number >= ply)?;
        Some(block)
    }

    /// All requests, one after the other.
    pub fn text(&self) -> String {
        let mut text = self.start.clone();
        for (_, block) in &self.turns {
            text.push_str(block);
        }
        text + &self.end
    }
}
