//! The conditions that all games of a run share.

use crate::bot::Launcher;
use crate::game::{Allowance, Answer, Fault, Forfeit, Sandbox, Settings, Start, StderrAccess};
use crate::rules::{Position, Side};
use crate::schedule::Pairing;
use crate::seed::bot_seed;
use std::time::Duration;

/// What all games of a run share: the settings, and what the run adds to them.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The settings of each game.
    pub settings: Settings,
    /// The `Event` tag.
    pub event: String,
    /// The `Date` tag, `YYYY.MM.DD`.
    pub date: String,
    /// The run's seed.
    pub seed: u64,
    /// The `Isolation` tag: the isolation in force on this machine, in one line.
    pub isolation: String,
    /// The program that starts bots.
    pub launcher: Launcher,
    /// The most attempts at a game that keeps being aborted; at least 1.
    pub tries: u32,
    /// Whether sentences about forfeits may quote a bot's standard error.
    pub stderr: StderrAccess,
    /// Games are broken off before this ply is asked for, or the next one that is; none for never.
    pub stop_before: Option<usize>,
    /// How long to wait between two plies, for spectators; no clock runs.
    pub pause: Duration,
}

impl Conditions {
    /// The start message for the bot on side `you`.
    pub(super) fn start<'a>(&'a self, pairing: &'a Pairing, position: &'a Position, you: Side) -> Start<'a> {
        let seed = bot_seed(self.seed, &pairing.id, position.ruleset().letter(you));
        Start { id: &pairing.id, position, you, settings: &self.settings, seed }
    }

    /// The isolation under `strict`, which may be the reason why a bot fails; else none.
    pub(super) fn strict_isolation(&self) -> Option<&str> {
        (self.launcher.sandbox == Sandbox::Strict).then_some(&*self.isolation)
    }

    /// The forfeit of a bot that did not get ready.
    pub(super) fn no_start<'a>(
        &'a self,
        position: &'a Position,
        answer: &'a Answer,
        stderr: StderrAccess,
    ) -> Forfeit<'a> {
        let limit = Some(self.settings.time.start);
        Forfeit {
            fault: Fault::NoStart,
            position,
            answer,
            refused: None,
            limit,
            allowance: Allowance { wall: limit, cpu: None },
            isolation: self.strict_isolation(),
            stderr,
        }
    }
}
