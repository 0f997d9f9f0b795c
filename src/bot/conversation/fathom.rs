//! Why a bot said nothing, or nothing that is an answer: found out before it is ended.

use super::{Bot, CLOSING, STRAY_BYTES, hear};
use crate::bot::Testimony;
use crate::bot::system;
use crate::protocol::Silence;
use crate::protocol::native::{self, Said};
use std::time::{Duration, Instant};

/// How long a silent bot is looked at to see whether it computes, each time.
const GLANCE: Duration = Duration::from_millis(30);
/// How often it must be seen to: the threads of a virtual machine compute now and then while its program waits.
const GLANCES: u32 = 8;
/// How long an answer may take to appear once the bot's input is closed.
const LAST_WORDS: Duration = Duration::from_millis(500);

impl Bot {
    /// What may explain the last answer. It waits a moment for what the bot last wrote to its standard error.
    pub async fn testimony(&mut self) -> Testimony {
        self.meter.thaw();
        self.process.settle_stderr(if self.output_closed { CLOSING } else { Duration::from_millis(2) }).await;
        let partial = self.lines.partial();
        Testimony {
            partial: partial[..partial.len().min(STRAY_BYTES)].to_vec(),
            strays: self.strays.clone(),
            stderr: self.process.stderr().last_lines(5),
            quotable: true,
            program: self.program.clone(),
            silence: None,
        }
    }

    /// Why a bot that was asked says nothing; none if that cannot be told. It has lost already: its input is closed to see
    /// whether an answer comes out of it that it never flushed.
    pub async fn fathom(&mut self) -> Option<Silence> {
        let pid = self.process.pid().filter(|_| self.process.lives() && !self.output_closed)?;
        // Apart from those that it said while it was asked: of many lines not all are kept.
        let before = std::mem::take(&mut self.strays);
        let silence = self.fathom_silence(pid).await;
        self.strays.splice(0..0, before);
        silence
    }

    async fn fathom_silence(&mut self, pid: u32) -> Option<Silence> {
        let mut doing = Silence::Computing;
        for _ in 0..GLANCES {
            let ticks = system::ticks(pid);
            self.hear_for(GLANCE).await;
            doing = system::look(pid)?;
            if doing != Silence::Computing && system::ticks(pid) == ticks {
                break;
            }
            doing = Silence::Computing;
        }
        if doing == Silence::Computing {
            return Some(doing);
        }
        if !self.strays.is_empty() {
            return None; // it spoke in the meantime, only too late
        }
        self.input = None;
        self.hear_for(LAST_WORDS).await;
        let answer = |line: &&Vec<u8>| !matches!(native::hear(line), Said::Stray | Said::Info(_));
        match self.strays.iter().find(answer).map(Vec::as_slice).or(Some(self.lines.partial())) {
            Some(answer) if !answer.is_empty() => Some(Silence::Unflushed(answer.to_vec())),
            _ => Some(doing),
        }
    }

    /// Listens for so long, or until the bot closes its output; whatever comes is put aside.
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
