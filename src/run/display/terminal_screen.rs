//! Shows the games of a run on the terminal: as a display of many games, or to spectators of a
//! match.

use super::audience::Spectators;
use super::run_display::RunDisplay;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::text;
use arbiter_game::Outcome;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::complain;
use arbiter_ground::recorder::RunScreen;
use arbiter_play::arena::{Finished, Run};
use arbiter_rank::standings::Standings;
use arbiter_rules::Side;
use arbiter_rules::text::Message;
use std::io;
use std::time::Duration;

/// Where the games of a run are shown.
pub struct TerminalScreen {
    /// What others may see.
    pub anonymizer: Anonymizer,
    /// `None` if the spectators have a board.
    pub display: Option<RunDisplay>,
    pub spectators: Option<Spectators>,
}

impl TerminalScreen {
    /// The run is over; returns when everything is shown. Lines can still be shown after it.
    ///
    /// # Errors
    /// The transcript is not complete.
    pub fn finish(&mut self) -> io::Result<()> {
        if let Some(display) = &mut self.display {
            display.end();
        }
        match self.spectators.take() {
            Some(spectators) => spectators.finish(),
            None => Ok(()),
        }
    }
}

impl RunScreen for TerminalScreen {
    fn draw(&mut self, run: &Run, standings: &Standings) {
        if let Some(display) = &mut self.display {
            display.draw(run, standings);
        }
    }

    fn game(&mut self, finished: &Finished) -> Result<(), Failure> {
        for note in early_ends(finished) {
            self.note(&note.into());
        }
        if self.display.as_ref().is_none_or(RunDisplay::keeps_every_line) {
            for note in pondering(finished) {
                self.note(&note.into());
            }
        }
        let record = self.anonymizer.record(finished.record.clone());
        if let Some(display) = &mut self.display {
            return display.game(&record, finished.attempt);
        }
        if let Some(spectators) = &self.spectators {
            spectators.end(text::game(&record));
        }
        Ok(())
    }

    fn note(&mut self, line: &Message) {
        let line = self.anonymizer.message(line);
        match (&mut self.display, &self.spectators) {
            (Some(display), _) => display.note(&line),
            (None, Some(spectators)) => spectators.note(line),
            (None, None) => complain(line),
        }
    }
}

/// Notes on bots that ended early without losing by it, because they were not asked again: their
/// authors should know.
fn early_ends(finished: &Finished) -> Vec<String> {
    let mut notes = Vec::new();
    for side in Side::BOTH {
        let is_expected = match finished.record.outcome {
            Outcome::Forfeit(loser, _) | Outcome::Resigned(loser) => loser == side,
            Outcome::NeitherStarted | Outcome::Aborted(_) => true,
            Outcome::Rules(_) | Outcome::Own { .. } | Outcome::Repetition | Outcome::MaxPlies => {
                false
            }
        };
        let Some(end) = &finished.exits[side] else { continue };
        if is_expected || !end.ended_early {
            continue;
        }
        let name = &finished.record.players[side];
        let game = &finished.pairing.id;
        let how = match end.exit {
            Some(exit) => exit.to_string(),
            None => "ended".to_owned(),
        };
        notes.push(format!(
            "note: {name} {how} before game {game} was over; it was not asked again"
        ));
    }
    notes
}

/// Processor time off move is reported if it is more than this time, and more than this part (1/n)
/// of the opponent's time: what starts up late or cleans up is not reported.
const PONDERED: (Duration, u32) = (Duration::from_millis(100), 20);

/// With pondering allowed: notes on bots that used processor time while they were not on move.
fn pondering(finished: &Finished) -> Vec<String> {
    let record = &finished.record;
    let mut notes = Vec::new();
    for side in Side::BOTH {
        let pondered = finished.notes[side].pondered;
        let mut opponent = Duration::ZERO;
        for step in record.steps() {
            if step.side != side
                && let Some(note) = step.note
            {
                opponent += note.wall.unwrap_or_default();
            }
        }
        if pondered > PONDERED.0 && pondered * PONDERED.1 > opponent {
            notes.push(format!(
                "note: {} used {:.3} s of processor time while it was not on move in game {}, in \
                 which its opponent took {:.3} s",
                record.players[side],
                pondered.as_secs_f64(),
                finished.pairing.id,
                opponent.as_secs_f64()
            ));
        }
    }
    notes
}
