//! A running game as pages see it: its plies as the page draws them, and its clocks.

use crate::view::LiveGame;
use arbiter_cup::report::page;
use arbiter_rules::{BySide, Position, Side};
use serde_json::json;
use std::time::{Duration, Instant};

/// A running game, or one that has ended and is still looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct RunningGame {
    /// When it began, which tells it from other attempts at the same game.
    began: Instant,
    /// Its id, players, board and start.
    head: String,
    /// Each ply as the page draws it.
    steps: Vec<String>,
    position: Position,
    clocks: BySide<RunningClock>,
    /// How it ended, in words.
    ended: Option<String>,
}

/// The clock of a side: what was left when it last stopped, and since when it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RunningClock {
    left: Option<Duration>,
    since: Option<Instant>,
}

impl RunningGame {
    /// This game, when it is first seen.
    pub fn new(game: &LiveGame) -> RunningGame {
        let BySide { first, second } = &game.players;
        let head = json!({
            "id": game.id(),
            "players": [first, second],
            "board": page::board(&game.start.ruleset()),
            "start": game.start.to_string(),
        });
        let none = RunningClock { left: None, since: None };
        let mut running = RunningGame {
            began: game.began,
            head: head.to_string(),
            steps: Vec::new(),
            position: game.start.clone(),
            clocks: BySide { first: none, second: none },
            ended: None,
        };
        running.advance(game);
        running
    }

    /// This game as it is now; `before` is what was seen last at its place.
    pub fn after(before: Option<&RunningGame>, game: &LiveGame) -> RunningGame {
        match before {
            Some(before) if before.began == game.began => {
                let mut running = before.clone();
                running.advance(game);
                running
            }
            _ => RunningGame::new(game),
        }
    }

    fn advance(&mut self, game: &LiveGame) {
        for played in game.plies().skip(self.steps.len()) {
            let before = self.position.clone();
            self.position.play(played.ply);
            let step = page::step(&before, played.side, played.ply, &self.position, played.used);
            self.steps.push(step.to_string());
        }
        for side in Side::BOTH {
            let clock = RunningClock { left: game.left(side), since: game.asked_since(side) };
            self.clocks[side] = clock;
        }
        self.ended = game.result().map(str::to_owned);
    }

    /// The whole game as a JSON object; times are those of `now`.
    pub fn whole(&self, slot: usize, now: Instant) -> String {
        self.object(slot, Some(&self.head), 0, now)
    }

    /// What has changed since `before`, as a JSON object: the plies that came, or another game;
    /// `None` if nothing has.
    pub(super) fn since(
        &self,
        before: Option<&RunningGame>,
        slot: usize,
        now: Instant,
    ) -> Option<String> {
        match before {
            Some(before) if before == self => None,
            Some(before) if before.began == self.began => {
                Some(self.object(slot, None, before.steps.len(), now))
            }
            _ => Some(self.whole(slot, now)),
        }
    }

    /// The plies after the first `from`, with what is known beside them.
    fn object(&self, slot: usize, head: Option<&str>, from: usize, now: Instant) -> String {
        let clocks = json!([self.clocks.first.values(now), self.clocks.second.values(now)]);
        let head = match head {
            Some(head) => format!("\"game\":{head},"),
            None => String::new(),
        };
        let steps = self.steps[from..].join(",");
        let ended = json!(self.ended);
        // By hand: steps are JSON texts already, made once for all browsers.
        format!(
            "{{\"slot\":{slot},{head}\"from\":{from},\"steps\":[{steps}],\
             \"clocks\":{clocks},\"ended\":{ended}}}"
        )
    }
}

impl RunningClock {
    /// What is left, and for how long it has been running, in milliseconds.
    fn values(self, now: Instant) -> [Option<u64>; 2] {
        let running = self.since.map(|since| now.saturating_duration_since(since));
        [self.left, running].map(|time| Some(time?.as_millis() as u64))
    }
}
