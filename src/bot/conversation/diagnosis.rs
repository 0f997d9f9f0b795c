//! What a bot that has lost left behind, and why it was silent: found out before it is ended.

use super::{Bot, CLOSING, LINE_BYTES, hear};
use crate::bot::system;
use crate::game::{Evidence, Fault, Forfeit, NOTE_BYTES, Silence, explain};
use crate::protocol::Said;
use std::time::{Duration, Instant};

/// How long a silent bot is looked at to see whether it computes, each time.
const LOOK: Duration = Duration::from_millis(30);
/// How often it must be seen to: the threads of a virtual machine compute now and then while its program waits.
const LOOKS: u32 = 8;
/// How long an answer may take to appear once the bot's input is closed.
const LAST_OUTPUT: Duration = Duration::from_millis(500);

impl Bot {
    /// Why the bot lost, in a sentence, and the offending reply as a log keeps it. The bot cannot be asked again: its input may
    /// be closed to see whether an answer comes out that was never flushed.
    pub async fn explain(&mut self, forfeit: &Forfeit<'_>) -> (String, Vec<u8>) {
        let mut evidence = self.evidence().await;
        let silent = forfeit.answer.reply.is_none();
        if silent && matches!(forfeit.fault, Fault::Timeout | Fault::NoStart) {
            evidence.silence = self.diagnose_silence().await;
        }
        let sentence = explain(forfeit, &self.settings, &evidence, &*self.conversation);
        let mut reply = evidence.offending_reply();
        reply.truncate(NOTE_BYTES);
        (sentence, reply)
    }

    /// What the bot left behind. It waits a moment for what the bot last wrote to its standard error.
    async fn evidence(&mut self) -> Evidence {
        self.meter.thaw();
        self.process.settle_stderr(if self.output_closed { CLOSING } else { Duration::from_millis(2) }).await;
        let partial = self.lines.partial();
        Evidence {
            reply: (!self.reply.is_empty()).then(|| self.reply.clone()),
            partial: partial[..partial.len().min(LINE_BYTES)].to_vec(),
            unrecognised: self.unrecognised.clone(),
            stderr: self.process.stderr().last_lines(5),
            program: self.program.clone(),
            silence: None,
        }
    }

    /// Why a bot that was asked says nothing; none if that cannot be told.
    async fn diagnose_silence(&mut self) -> Option<Silence> {
        let pid = self.process.pid().filter(|_| self.process.lives() && !self.output_closed)?;
        // Lines of the question stay apart from those that come now.
        self.unrecognised.clear();
        let mut doing = Silence::Computing;
        for _ in 0..LOOKS {
            let ticks = system::cpu_ticks(pid);
            self.hear_for(LOOK).await;
            doing = system::observe_silence(pid)?;
            if doing != Silence::Computing && system::cpu_ticks(pid) == ticks {
                break;
            }
            doing = Silence::Computing;
        }
        if doing == Silence::Computing {
            return Some(doing);
        }
        if !self.unrecognised.is_empty() {
            return None; // it spoke in the meantime, only too late
        }
        self.input = None;
        self.hear_for(LAST_OUTPUT).await;
        let answer =
            |line: &&Vec<u8>| !matches!(self.conversation.read(line), Said::Unrecognised | Said::Info(_));
        match self.unrecognised.iter().find(answer).map(Vec::as_slice).or(Some(self.lines.partial())) {
            Some(answer) if !answer.is_empty() => Some(Silence::Unflushed(answer.to_vec())),
            _ => Some(doing),
        }
    }

    /// Listens for so long, or until the bot closes its output; what comes is set aside.
    async fn hear_for(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while !self.output_closed && Instant::now() < deadline {
            let heard = hear(&mut self.output, &mut self.chunk, &mut self.alarm, Some(deadline)).await;
            let Some(count) = heard else { break };
            self.take_in(count);
            self.set_aside();
        }
    }
}
