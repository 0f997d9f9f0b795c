//! The end of a conversation: what the bot wrote is taken, it is told to quit, and whatever is left of it is ended.

use super::{Bot, hear};
use crate::bot::process::Ended;
use crate::bot::{Farewell, Notes};
use crate::protocol::native;
use std::time::{Duration, Instant};

/// Processor time off move, in one game, that a bot's log tells of.
const PONDERED: Duration = Duration::from_millis(100);

impl Bot {
    /// What the bot wrote for its author since this was last asked.
    pub fn take_notes(&mut self) -> Notes {
        self.set_aside();
        let pondered = self.note_pondered();
        Notes { stderr: self.process.take_stderr(), astray: std::mem::take(&mut self.astray), pondered }
    }

    /// What it used off move; when that is much its log says so too.
    fn note_pondered(&mut self) -> Duration {
        let pondered = self.meter.take_pondered();
        if pondered >= PONDERED {
            let line =
                format!("(processor time while it was not on move: {:.3} s)\n", pondered.as_secs_f64());
            self.astray.push(line.as_bytes());
        }
        pondered
    }

    /// Says `quit`, closes the bot's input, gives it its grace to exit, and ends whatever is left.
    pub async fn stop(mut self) -> Farewell {
        self.set_aside();
        let ended_early = !self.process.lives();
        self.tell(native::QUIT);
        self.input = None;
        let grace = self.limits.grace;
        self.end_within(grace, ended_early).await
    }

    /// Closes the program's input and waits until it ends by itself, `limit` at most; then ends whatever is left.
    pub async fn run_to_end(mut self, limit: Duration) -> Farewell {
        self.input = None;
        self.end_within(limit, false).await
    }

    async fn end_within(mut self, grace: Duration, ended_early: bool) -> Farewell {
        let deadline = Instant::now() + grace;
        // Reading goes on, so that a program with something left to say is not held up by its pipe. One that never
        // stops talking must not keep us from the clock.
        while !self.output_closed && Instant::now() < deadline {
            let heard = hear(&mut self.output, &mut self.chunk, &mut self.alarm, Some(deadline)).await;
            let Some(count) = heard else { break };
            self.take_in(count);
            self.set_aside();
        }
        let exit = self.process.exit(deadline.saturating_duration_since(Instant::now())).await;
        let killed = matches!(exit, Ok(None));
        let pondered = self.note_pondered();
        let Ended { exit, usage, stderr, broken } = self.process.end().await;
        let notes = Notes { stderr, astray: self.astray, pondered };
        Farewell { exit, killed, ended_early, usage, notes, broken }
    }
}
