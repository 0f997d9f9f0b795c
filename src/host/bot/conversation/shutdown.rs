//! The end of a conversation: what the bot wrote is taken, it is asked to quit, and what is left of
//! it is killed.

use super::Bot;
use crate::bot::{ExitReport, Notes};
use std::time::Duration;

/// Processor time off move, in one game, that a bot's log tells of.
const PONDERED: Duration = Duration::from_millis(100);

impl Bot {
    /// What the bot wrote for its author since this was last called.
    pub fn take_notes(&mut self) -> Notes {
        self.set_aside();
        let pondered = self.note_pondered();
        Notes {
            stderr: self.process.take_stderr(),
            unrecognised: std::mem::take(&mut self.all_unrecognised),
            pondered,
        }
    }

    /// What it used off move; if that is much, a line in its log says so.
    fn note_pondered(&mut self) -> Duration {
        let pondered = self.meter.take_pondered();
        if pondered >= PONDERED {
            let line = format!(
                "(processor time while it was not on move: {:.3} s)\n",
                pondered.as_secs_f64()
            );
            self.all_unrecognised.push(line.as_bytes());
        }
        pondered
    }

    /// Says `quit`, closes the bot's input, gives it its grace to exit, and ends whatever is left.
    pub async fn stop(mut self) -> ExitReport {
        self.set_aside();
        let ended_early = !self.process.lives();
        self.request.clear();
        self.conversation.push_quit(&mut self.request);
        self.send_without_waiting();
        self.input = None;
        // Reading goes on, so that a full pipe does not keep the program from ending.
        let left = self.hear_for(self.settings.time.grace, |_| false).await;
        let exit = self.process.exit(left).await;
        let killed = matches!(exit, Ok(None));
        let pondered = self.note_pondered();
        let report = self.process.end().await;
        let notes = Notes { unrecognised: self.all_unrecognised, pondered, ..report.notes };
        ExitReport { killed, ended_early, notes, ..report }
    }
}
