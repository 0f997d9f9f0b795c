//! Plays the games of a situation, and records the lines that are exchanged in them.

use super::CheckSetup;
use anyhow::anyhow;
use arbiter_engine::bot_check::{Buffering, Length, Line, Moment, Scenario};
use arbiter_game::{
    Abort, Channel, Continuation, Event, Outcome, Pin, Played, RecordedPlayer, Sandbox, Watcher,
};
use arbiter_ground::failure::Failure;
use arbiter_ground::follow::games_of;
use arbiter_host::bot::{Launcher, myself};
use arbiter_host::locate::Program;
use arbiter_play::arena::{
    Finished, GameQueue, GameRow, Match, PlayerSpec, Players, Rerun, RerunRole, RowGame, run_beside,
};
use arbiter_rules::{BySide, Ply, Side};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Maximum number of lines of a bot after a question that are kept; all lines to it are.
const KEPT: usize = 300;

/// The lines between arbiter and a bot in games that it plays in a row.
#[derive(Debug, Clone, Default)]
pub struct Heard {
    /// The lines, in order.
    pub lines: Vec<Line>,
    /// The number of lines before the last question to the bot, and before the last end of a game.
    pub asked_at: usize,
    pub ended_at: usize,
    /// The time of its plies in all games together, with that of an answer by which it lost.
    pub used: Duration,
    /// Its side in the games, and how many have begun.
    pub sides: Vec<Side>,
    begun: usize,
    /// The number of lines that it has written since it was last sent one.
    written: usize,
    /// Whether it has lost a game by a forfeit; later games are not recorded, as they do not show
    /// why.
    has_failed: bool,
}

/// Games that were played in a row.
pub struct Stage {
    /// Each game.
    pub games: Vec<Finished>,
    /// The lines.
    pub heard: Heard,
    /// The channel that the bot itself reads; `None` if arbiter calls a function of it.
    read: Option<Channel>,
}

impl Stage {
    /// What the bot was sent until the last game was over.
    pub fn requests(&self) -> String {
        let mut requests = String::new();
        for line in &self.heard.lines[..self.heard.ended_at] {
            if Some(line.channel) == self.read {
                requests += &String::from_utf8_lossy(&line.bytes);
                requests.push('\n');
            }
        }
        requests
    }
}

impl Heard {
    /// Whether this is its side in the game that is played.
    fn is_own(&self, side: Side) -> bool {
        self.begun > 0 && self.sides.get(self.begun - 1) == Some(&side)
    }

    /// The lines from the last question on, until the game was over.
    pub fn last_lines(&self) -> Vec<Line> {
        self.lines[self.asked_at.min(self.ended_at)..self.ended_at].to_vec()
    }
}

struct Listener(Mutex<Heard>);

impl Watcher for Listener {
    fn wants(&self, _: Channel) -> bool {
        true
    }

    fn event(&self, event: Event) {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if heard.has_failed {
            return;
        }
        match event {
            Event::Began { .. } => heard.begun += 1,
            Event::Line { channel, line, .. } => {
                heard.written = if channel == Channel::Request { 0 } else { heard.written + 1 };
                if heard.written <= KEPT {
                    heard.lines.push(Line { channel, bytes: line });
                }
            }
            Event::Asked { side, .. } if heard.is_own(side) => heard.asked_at = heard.lines.len(),
            Event::Played { side, played, .. } if heard.is_own(side) => {
                heard.used += played.note.and_then(|note| note.wall).unwrap_or_default();
            }
            Event::Ended { outcome, reply, .. } => {
                heard.ended_at = heard.lines.len();
                heard.has_failed =
                    matches!(outcome, Outcome::Forfeit(loser, _) if heard.is_own(loser));
                if heard.has_failed {
                    heard.used += reply.and_then(|note| note.wall).unwrap_or_default();
                }
            }
            Event::Asked { .. }
            | Event::Played { .. }
            | Event::Ready { .. }
            | Event::Held { .. }
            | Event::Refused { .. } => {}
        }
    }
}

/// Plays these games in a row, under this level of isolation instead of the usual one if it is
/// given.
///
/// # Errors
/// Something in arbiter failed.
pub fn play(
    setup: &CheckSetup<'_>,
    games: &[Scenario],
    level: Option<Sandbox>,
) -> Result<Stage, Failure> {
    let sides = games.iter().map(|game| game.side).collect();
    let listener = Arc::new(Listener(Mutex::new(Heard { sides, ..Heard::default() })));
    let watcher: Arc<dyn Watcher> = Arc::<Listener>::clone(&listener);
    let mut conditions = setup.preparation.conditions.clone();
    if let Some(first) = games.first() {
        conditions.settings = first.settings.clone();
        let start = &first.moment.start;
        conditions.opening = (*start != first.settings.ruleset.start()).then(|| start.clone());
    }
    conditions.tries = 1;
    conditions.pause = Duration::ZERO;
    conditions.stop_before = None;
    // Situations are played side by side in runs of their own, which do not know each other's
    // cores.
    conditions.settings.rules.pin = Pin::Off;
    if let Some(level) = level {
        conditions.launcher = Launcher::new(myself(), level);
        conditions.settings.limits.sandbox = level;
        level.word().clone_into(&mut conditions.isolation);
    }
    let mut bots = Players::new();
    let mut row = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let opponent = format!("opponent-{number}");
        bots.insert(setup.name.to_owned(), bot(setup, game));
        bots.insert(opponent.clone(), PlayerSpec::Recorded(Arc::new(opponent_of(game))));
        row.push(row_game(setup.name, opponent, game));
    }
    let queue = GameQueue::new(GameRow::new(row, bots));
    let plan = Match { conditions, concurrency: 1, watchers: vec![watcher] };
    let mut finished = match games_of(run_beside(plan, queue)) {
        Err(Failure::Unfinished(what)) => {
            return Err(Failure::Unfinished(anyhow!("{}: arbiter: {what:#}", setup.name)));
        }
        played => played?,
    };
    let heard = listener.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    finished.truncate(heard.begun); // those after a lost one were not listened to
    let read = match &setup.program.adapter {
        None => Some(Channel::Request),
        Some(_) if setup.program.has_adapter_beside() => Some(Channel::Sent),
        Some(_) => None,
    };
    Ok(Stage { games: finished, heard, read })
}

/// A log of these plies, whose game goes on.
fn log(plies: &[Ply]) -> RecordedPlayer {
    let plies = plies.iter().map(|&ply| Played { ply, note: None }).collect();
    RecordedPlayer::new(plies, Outcome::Aborted(Abort::Broken))
}

fn bot(setup: &CheckSetup<'_>, game: &Scenario) -> PlayerSpec {
    let mut program: Program = setup.program.clone();
    program.variation = game.variation;
    program.spec.time = None; // a situation has a clock of its own
    if game.buffering == Buffering::Own {
        program.spec.env.insert("PYTHONUNBUFFERED".to_owned(), String::new());
    }
    let program = Arc::new(program);
    if game.takes_over == 0 {
        return PlayerSpec::Program(program);
    }
    let record = Arc::new(log(&game.moment.plies[..game.takes_over]));
    PlayerSpec::Rerun(Rerun { program, record, role: RerunRole::Successor })
}

fn opponent_of(game: &Scenario) -> RecordedPlayer {
    log(&game.moment.plies).going_on(Continuation { seed: game.seed, resigns_at: game.last_ply() })
}

fn row_game(name: &str, opponent: String, game: &Scenario) -> RowGame {
    let Scenario { side, moment: Moment { start, .. }, seed, length, .. } = game;
    let names = match side {
        Side::First => BySide { first: name.to_owned(), second: opponent },
        Side::Second => BySide { first: opponent, second: name.to_owned() },
    };
    // The lines `id` and `seed` follow from it: the same game has the same ones.
    let kind = if *length == Length::Whole { "whole" } else { "part" };
    RowGame { id: format!("check~{kind}.{seed}"), names, start: start.clone() }
}
