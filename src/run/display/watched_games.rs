//! The running games of a run of many games, as those who watch see them: the last state of each
//! worker's game. A display shows one of them, a served page all.

use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_game::{Channel, Event, Watcher};
use arbiter_play::arena::Watchers;
use arbiter_rules::BySide;
use arbiter_show::view::LiveGame;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A game that has ended stays this long on the screen before another one takes its place.
const LOOKED_AT: Duration = Duration::from_secs(1);

/// The games of all workers.
#[derive(Clone)]
pub struct WatchedGames {
    workers: Arc<[Arc<WatchedWorker>]>,
}

/// The games of all workers, one of which is shown.
pub(crate) struct GameChoice {
    games: WatchedGames,
    shown: Option<ShownGame>,
}

/// The game that is shown: its worker, its last known state, and when its end was first seen.
struct ShownGame {
    worker: usize,
    game: LiveGame,
    ended: Option<Instant>,
}

/// The game that a worker plays, and the one that it played before.
struct WatchedWorker {
    anonymizer: Arc<Anonymizer>,
    games: Mutex<WorkerGames>,
}

#[derive(Default)]
struct WorkerGames {
    now: Option<LiveGame>,
    before: Option<LiveGame>,
    /// The real names of the players of the game that is played.
    players: BySide<String>,
}

impl WatchedGames {
    /// The games of this number of workers, as others may see them.
    pub fn new(workers: usize, anonymizer: Anonymizer) -> WatchedGames {
        let anonymizer = Arc::new(anonymizer);
        let mut watched = Vec::new();
        for _ in 0..workers {
            let anonymizer = Arc::clone(&anonymizer);
            watched.push(Arc::new(WatchedWorker { anonymizer, games: Mutex::default() }));
        }
        WatchedGames { workers: watched.into() }
    }

    /// The watchers of the workers.
    pub fn watchers(&self) -> Watchers {
        self.workers.iter().map(|worker| Arc::clone(worker) as Arc<dyn Watcher>).collect()
    }

    /// The game of each worker, or the one that it played last.
    pub fn now(&self) -> Vec<Option<LiveGame>> {
        self.workers.iter().map(|worker| worker.games().now.clone()).collect()
    }

    /// The games that have not ended, with their workers.
    fn running(&self) -> Vec<(usize, LiveGame)> {
        let mut running = Vec::new();
        for (worker, game) in self.now().into_iter().enumerate() {
            if let Some(game) = game
                && game.ended().is_none()
            {
                running.push((worker, game));
            }
        }
        running
    }
}

impl GameChoice {
    /// A choice among these games.
    pub fn new(games: WatchedGames) -> GameChoice {
        GameChoice { games, shown: None }
    }

    /// The game to show: the one that was shown last until it has ended and has been looked at,
    /// then the running game whose players have the least sum of ranks.
    pub fn shown(&mut self, now: Instant, rank: impl Fn(&str) -> usize) -> Option<&LiveGame> {
        if !self.follow(now) {
            let mut best = usize::MAX;
            // If no game is running, the last one stays.
            for (worker, game) in self.games.running() {
                let ranks = rank(&game.players.first) + rank(&game.players.second);
                if ranks < best {
                    best = ranks;
                    self.shown = Some(ShownGame { worker, game, ended: None });
                }
            }
        }
        self.shown.as_ref().map(|shown| &shown.game)
    }

    /// Shows the running game of the next worker that has one.
    pub fn show_next(&mut self) {
        let after = self.shown.as_ref().map_or(0, |shown| shown.worker + 1);
        let mut running = self.games.running();
        if running.is_empty() {
            self.shown = None;
            return;
        }
        let next = running.iter().position(|(worker, _)| *worker >= after).unwrap_or(0);
        let (worker, game) = running.swap_remove(next);
        self.shown = Some(ShownGame { worker, game, ended: None });
    }

    /// Brings the shown game up to date. Returns whether it is to be shown further.
    fn follow(&mut self, now: Instant) -> bool {
        let Some(shown) = &mut self.shown else { return false };
        if shown.ended.is_none() {
            let games = self.games.workers[shown.worker].games();
            let id = shown.game.id();
            // If it is none of the worker's last two games, more than one has ended since.
            let mut is_over = true;
            for game in [&games.before, &games.now].into_iter().flatten() {
                if game.id() == id {
                    shown.game = game.clone();
                    is_over = game.ended().is_some();
                }
            }
            if is_over {
                shown.ended = Some(now);
            }
        }
        shown.ended.is_none_or(|ended| now.saturating_duration_since(ended) < LOOKED_AT)
    }
}

impl WatchedWorker {
    fn games(&self) -> MutexGuard<'_, WorkerGames> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher for WatchedWorker {
    fn wants(&self, _: Channel) -> bool {
        false
    }

    fn event(&self, event: Event) {
        let now = Instant::now();
        let mut games = self.games();
        if let Event::Began { players, .. } = &event {
            games.players = players.clone();
            games.before = games.now.take();
        }
        let event = self.anonymizer.event(event, &games.players);
        LiveGame::follow(&mut games.now, &event, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_game::Outcome;
    use arbiter_rules::{Ruleset, Side};

    fn begin(watchers: &Watchers, worker: usize, players: [&str; 2]) {
        let start = Ruleset::named("gekitai", "").unwrap().start();
        let [first, second] = players.map(str::to_owned);
        watchers[worker].event(Event::Began {
            number: 1,
            players: BySide { first, second },
            start,
        });
    }

    fn end(watchers: &Watchers, worker: usize) {
        let outcome = Outcome::Resigned(Side::First);
        watchers[worker].event(Event::Ended { outcome, detail: None, reply: None });
    }

    fn rank(name: &str) -> usize {
        name.len()
    }

    #[test]
    fn the_game_of_the_best_stays_until_its_end_has_been_looked_at() {
        let watched = WatchedGames::new(3, Anonymizer::unchanged());
        let (watchers, mut games) = (watched.watchers(), GameChoice::new(watched));
        let now = Instant::now();
        let shown = |choice: &mut GameChoice, at| choice.shown(at, rank).map(LiveGame::id);
        assert_eq!(shown(&mut games, now), None);
        begin(&watchers, 0, ["aaa", "bbb"]);
        begin(&watchers, 1, ["c", "dd"]);
        assert_eq!(shown(&mut games, now).unwrap(), "c~dd.1");
        begin(&watchers, 2, ["e", "f"]);
        assert_eq!(shown(&mut games, now).unwrap(), "c~dd.1", "it has not ended");
        end(&watchers, 1);
        begin(&watchers, 1, ["g", "h"]);
        assert_eq!(shown(&mut games, now).unwrap(), "c~dd.1");
        assert_eq!(games.shown(now, rank).unwrap().ended(), Some("dd wins by resign"));
        assert_eq!(shown(&mut games, now + LOOKED_AT).unwrap(), "g~h.1");
        games.show_next();
        assert_eq!(shown(&mut games, now).unwrap(), "e~f.1");
        games.show_next();
        assert_eq!(shown(&mut games, now).unwrap(), "aaa~bbb.1");
        (0..3).for_each(|worker| end(&watchers, worker));
        assert_eq!(shown(&mut games, now).unwrap(), "aaa~bbb.1");
        assert_eq!(shown(&mut games, now + LOOKED_AT).unwrap(), "aaa~bbb.1", "no other game runs");
        games.show_next();
        assert_eq!(shown(&mut games, now), None);
    }

    #[test]
    fn the_end_of_a_game_quotes_no_own_name() {
        let names = ["secret", "x"].map(str::to_owned);
        let watched = WatchedGames::new(1, Anonymizer::hiding(names, []));
        let (watchers, mut games) = (watched.watchers(), GameChoice::new(watched));
        begin(&watchers, 0, ["bot 6", "bot 1"]);
        let players = &games.shown(Instant::now(), rank).unwrap().players;
        assert_eq!((&*players.first, &*players.second), ("bot 6", "bot 1"));
        let (outcome, detail) = (Outcome::NeitherStarted, Some("bot 1: said secret".to_owned()));
        watchers[0].event(Event::Ended { outcome, detail, reply: None });
        let game = games.shown(Instant::now(), rank).unwrap();
        assert!(game.ended().unwrap().ends_with(" (bot 1: said (…))"), "{:?}", game.ended());
    }
}
