//! The conditions that all games of a run share.

use arbiter_game::{Allowance, Answer, Fault, Forfeit, Sandbox, SentLines, Settings, StderrAccess};
use arbiter_host::bot::Launcher;
use arbiter_rules::Position;
use arbiter_rules::seed::RunSeed;
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
    /// The run's seed, for the `Seed` tag; `None` if it is not known.
    pub seed: Option<u64>,
    /// What bots are sent of each game.
    pub sent: SentSource,
    /// The `Isolation` tag: the isolation in force on this machine, in one line.
    pub isolation: String,
    /// The program that starts bots.
    pub launcher: Launcher,
    /// The most attempts at a game that keeps being aborted; at least 1.
    pub tries: u32,
    /// Whether sentences about forfeits may quote a bot's standard error.
    pub stderr: StderrAccess,
    /// Games are broken off before this ply, or the next one that is asked for; `None` for never.
    pub stop_before: Option<usize>,
    /// The first opening that is not the start of the game; `None` if all games begin there.
    /// Adapters are tried from it, because some bots can only play from the start.
    pub opening: Option<Position>,
    /// How long to wait between two plies, for spectators; no clock runs.
    pub pause: Duration,
}

/// Where the lines `id` and `seed` of a game come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentSource {
    /// They follow from the game's own id.
    Run(RunSeed),
    /// They are these, as a log has them.
    Logged(SentLines),
}

impl Conditions {
    /// What the bots of the game with this id are sent of it.
    pub(super) fn sent(&self, id: &str) -> SentLines {
        match &self.sent {
            SentSource::Run(seed) => SentLines::new(seed, id, &self.settings.ruleset),
            SentSource::Logged(sent) => sent.clone(),
        }
    }

    /// The isolation under `strict`, which may be why a bot fails; `None` under other levels.
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
            number: 0,
            answer,
            refused: None,
            limit,
            allowance: Allowance { wall: limit, ..Allowance::default() },
            isolation: self.strict_isolation(),
            stderr,
        }
    }
}
