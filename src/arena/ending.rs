//! What is known of how a game ended beside its outcome: the words for the log and for the bots.

use crate::bot::Testimony;
use crate::explain::{Allowed, Case, explain};
use crate::protocol::Answer;
use crate::record::{Abort, Fault, NOTE_BYTES, Note, Outcome};
use crate::referee::{Referee, Step};
use crate::rules::{BySide, Position, Side};

/// Why a bot is not ready.
pub(super) enum NotReady {
    /// It is the bot's own fault; why.
    Fault(String),
    /// Something of ours failed.
    Broken(String),
}

/// What is known of how the game ended beside its outcome.
#[derive(Default)]
pub(super) struct Ending {
    /// Why each bot did not start.
    unready: BySide<Option<String>>,
    /// What the bot that lost by forfeit did wrong.
    sentence: Option<String>,
    /// The offending reply.
    pub reply: Option<Note>,
    /// What of ours failed.
    pub broken: Option<String>,
}

impl Ending {
    /// Judges the start of both bots.
    pub fn start(&mut self, referee: &mut Referee, ready: BySide<Result<(), NotReady>>) {
        let failed = ready.map(Result::err);
        let is_fault = failed.as_ref().map(|why| matches!(why, Some(NotReady::Fault(_))));
        let mut broken = None;
        self.unready = failed.map(|why| match why {
            Some(NotReady::Fault(sentence)) => Some(sentence),
            Some(NotReady::Broken(what)) => {
                broken = Some(what);
                None
            }
            None => None,
        });
        if broken.is_some() {
            self.broken = broken;
            let _ = referee.abort();
            return;
        }
        if let Step::Over(Outcome::Forfeit(..)) = referee.fail_start(is_fault) {
            self.reply = Some(Note::default());
        }
    }

    /// Notes a forfeit: the sentence, and the offending reply for the log.
    pub fn forfeit(
        &mut self,
        fault: Fault,
        before: &Position,
        answer: &Answer<'_>,
        allowed: Allowed<'_>,
        testimony: &Testimony,
    ) {
        self.sentence = Some(sentence(fault, before, answer, allowed, testimony));
        let mut text = match answer.reply {
            Some(reply) => reply.line(),
            None if !testimony.partial.is_empty() => testimony.partial.clone(),
            None => testimony.strays.last().cloned().unwrap_or_default(),
        };
        text.truncate(NOTE_BYTES);
        self.reply = Some(Note { wall: Some(answer.used), cpu: answer.cpu, text });
    }

    /// The `Detail` tag: who did what.
    pub fn detail(&self, outcome: Outcome, names: &BySide<String>) -> Option<String> {
        match outcome {
            Outcome::Forfeit(loser, _) => {
                let sentence = self.sentence.as_ref().or(self.unready[loser].as_ref())?;
                Some(format!("{}: {sentence}", names[loser]))
            }
            Outcome::Aborted(Abort::NoStart) => {
                let both = Side::BOTH.map(|side| {
                    format!("{}: {}", names[side], self.unready[side].as_deref().unwrap_or("did not start"))
                });
                Some(both.join("; "))
            }
            Outcome::Aborted(Abort::Broken) => self.broken.as_ref().map(|what| format!("arbiter: {what}")),
            _ => None,
        }
    }
}

/// Why the bot lost.
pub(super) fn sentence(
    fault: Fault,
    position: &Position,
    answer: &Answer<'_>,
    allowed: Allowed<'_>,
    testimony: &Testimony,
) -> String {
    explain(&Case {
        fault,
        position,
        answer: *answer,
        allowed,
        partial: &testimony.partial,
        strays: &testimony.strays,
        stderr: &testimony.stderr,
        quotable: testimony.quotable,
        program: &testimony.program,
        silence: testimony.silence.as_ref(),
    })
}
