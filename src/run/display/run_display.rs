//! Shows a run of many games: as a block on a terminal, else a line for each game, or with `--json`
//! an object for each game.

use super::keys::Keys;
use super::watched_games::{GameChoice, WatchedGames};
use arbiter_cup::report::standings::{about_time, trial_line};
use arbiter_cup::report::{json, text as shown};
use arbiter_cup::tournament::{Milestones, TournamentProgress};
use arbiter_game::Outcome;
use arbiter_game::record::Record;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::{can_draw, colour, complain, fitted, print};
use arbiter_play::arena::{Run, Watchers};
use arbiter_rank::rating::Trial;
use arbiter_rank::standings::{Row, Standings};
use arbiter_rules::text::counted;
use arbiter_show::view::{Block, PROGRESS_FRAME, Progress, terminal_size};
use std::collections::HashMap;
use std::io::{IsTerminal, Stderr, stderr, stdout};
use std::time::{Duration, Instant};

/// Which finished games leave a line above the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptLines {
    /// Every game.
    Every,
    /// Forfeits and aborted games.
    Notable,
    /// Forfeits and aborted games, on standard error. The run is one line, in place of the block,
    /// and has no table: who asked for it shows the result.
    Trouble,
}

/// The display of a run.
pub struct RunDisplay {
    json: bool,
    kept: KeptLines,
    block: Option<Block<Stderr>>,
    /// The games of the workers, if a board of them is shown, and the keys that choose one.
    games: Option<GameChoice>,
    keys: Option<Keys>,
    progress: Progress,
    began: Instant,
    /// Without a terminal, when the run is shown next as a line, after its beginning.
    next_line: Duration,
    before: u64,
}

/// The time between two lines of a run where there is no terminal.
const LINE_PAUSE: Duration = Duration::from_secs(10);

/// What the tests of a tournament have found so far, in a line; none without tests.
fn remark(progress: &TournamentProgress) -> Option<String> {
    let of_trial = |trial: &Trial| {
        let (lower, upper) = trial.sprt().bounds();
        format!("LLR {:.2} ({lower:.2} to {upper:.2}), pairs {:?}", trial.llr(), trial.counts())
    };
    let of_milestones = |milestones: &Milestones| {
        let measured = progress.schedule().bots() - milestones.steps().len();
        let open = (0..progress.schedule().bots())
            .filter(|bot| !milestones.steps().contains(bot) && milestones.place(*bot).is_some());
        format!(
            "milestones: {} of {} decided",
            measured - open.count(),
            counted(measured as u64, "bot")
        )
    };
    progress.trial().map(of_trial).or_else(|| progress.milestones().map(of_milestones))
}

/// The games of one bot against others in a line.
fn league_line(
    standings: &Standings,
    played: u64,
    left: Option<u64>,
    game_time: Option<Duration>,
) -> String {
    let score = standings.rows().first().and_then(Row::share);
    let score = score.map(|share| format!("  score {:.1} %", 100.0 * share)).unwrap_or_default();
    let games = left.map_or_else(
        || counted(played, "game"),
        |left| format!("{played} of {}", counted(played + left, "game")),
    );
    let time = left
        .zip(game_time)
        .map(|(left, time)| format!("  about {} left", about_time(time.mul_f64(left as f64))));
    format!("try: {games}{score}{}", time.unwrap_or_default())
}

impl RunDisplay {
    /// A display of the run of this title and number of games, if that is known; `before` games
    /// were played in earlier runs.
    pub fn new(
        json: bool,
        kept: KeptLines,
        title: &str,
        total: Option<u64>,
        before: u64,
    ) -> RunDisplay {
        // Objects that are printed on the same terminal would break the block.
        let live = can_draw(&stderr()) && !(json && stdout().is_terminal());
        RunDisplay {
            json,
            kept,
            block: live.then(|| Block::new(stderr(), colour(), || terminal_size(stderr()))),
            games: None,
            keys: None,
            progress: Progress {
                title: title.to_owned(),
                played: before,
                total,
                ..Progress::default()
            },
            began: Instant::now(),
            next_line: LINE_PAUSE,
            before,
        }
    }

    /// Shows a board of one of these games, if there is a block. Returns the watchers of the
    /// workers if it does.
    pub fn watch(&mut self, games: &WatchedGames) -> Watchers {
        if self.block.is_none() || self.kept == KeptLines::Trouble {
            return Watchers::new();
        }
        let watchers = games.watchers();
        self.games = Some(GameChoice::new(games.clone()));
        self.keys = if watchers.len() > 1 { Keys::begin() } else { None };
        self.progress.hint = self.keys.is_some().then_some("tab: another game");
        watchers
    }

    /// Whether every finished game leaves a line.
    pub fn keeps_every_line(&self) -> bool {
        self.kept == KeptLines::Every
    }

    /// Shows a finished game.
    ///
    /// # Errors
    /// Standard output is closed or cannot be written to.
    pub fn game(&mut self, record: &Record, attempt: u32) -> Result<(), Failure> {
        self.progress.played += 1;
        let is_notable = matches!(
            record.outcome,
            Outcome::Forfeit(..) | Outcome::NeitherStarted | Outcome::Aborted(_)
        );
        match &mut self.block {
            _ if self.kept == KeptLines::Trouble => {
                if is_notable {
                    self.note(&shown::game(record));
                }
                Ok(())
            }
            _ if self.json => print(json::game(record, attempt)),
            // If standard output is the same terminal, lines printed there would break the block.
            Some(block) if stdout().is_terminal() => {
                if is_notable || self.kept == KeptLines::Every {
                    block.write_above(&shown::game(record));
                }
                Ok(())
            }
            _ => print(fitted(&shown::game(record), stdout())),
        }
    }

    /// Shows a line on standard error, above the block if there is one.
    pub fn note(&mut self, line: &str) {
        match &mut self.block {
            Some(block) => block.write_above(line),
            None => complain(line),
        }
    }

    /// Draws the block, if there is one and it is due.
    pub fn draw(&mut self, run: &Run, standings: &Standings) {
        if self.kept == KeptLines::Trouble {
            return self.draw_line(run, standings);
        }
        let Some(block) = self.block.as_mut().filter(|block| block.is_due(PROGRESS_FRAME)) else {
            return;
        };
        let progress = &mut self.progress;
        progress.elapsed = self.began.elapsed();
        let fresh = progress.played - self.before;
        progress.left = progress.total.filter(|_| fresh > 0).map(|total| {
            let each = progress.elapsed.as_secs_f64() / fresh as f64;
            Duration::from_secs_f64(each * total.saturating_sub(progress.played) as f64)
        });
        let (running, remark) = run.queue(|queue| (queue.running(), remark(queue.progress())));
        progress.running = running;
        progress.remark = remark;
        // Sorted by points alone: tie-breaks of a thousand bots would take longer than a frame.
        let mut rows: Vec<&Row> = standings.rows().iter().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.half_points));
        progress.bots = rows.len();
        let leaders = rows.iter().filter(|row| row.games > 0).take(Progress::LEADERS);
        progress.leaders = leaders.map(|row| (row.name.clone(), row.points(), row.games)).collect();
        let ranks: HashMap<&str, usize> = rows.iter().map(|row| &*row.name).zip(0..).collect();
        let now = Instant::now();
        let game = self.games.as_mut().and_then(|games| {
            let tabs = self.keys.iter().flat_map(Keys::pressed).filter(|key| *key == b'\t').count();
            for _ in 0..tabs {
                games.show_next();
            }
            games.shown(now, |name| ranks.get(name).copied().unwrap_or(usize::MAX / 2))
        });
        block.draw(progress.draw(game, now, colour(), block.room()));
    }

    /// Draws the run as one line, or prints it every ten seconds where there is no terminal.
    fn draw_line(&mut self, run: &Run, standings: &Standings) {
        let elapsed = self.began.elapsed();
        let columns = match &self.block {
            Some(block) if block.is_due(PROGRESS_FRAME) => block.room().0,
            None if elapsed >= self.next_line => usize::MAX,
            _ => return,
        };
        let fresh = self.progress.played - self.before;
        let game_time = (fresh > 0).then(|| elapsed.div_f64(fresh as f64));
        let line = match run.queue(|queue| queue.progress().trial().cloned()) {
            Some(trial) => {
                let pairs: u64 = trial.counts().iter().sum();
                let most =
                    self.progress.total.map_or(u64::MAX, |games| (games / 2).saturating_sub(pairs));
                trial_line(&trial, most, game_time.map(|time| 2 * time), columns)
            }
            None => {
                let left =
                    self.progress.total.map(|total| total.saturating_sub(self.progress.played));
                league_line(standings, self.progress.played, left, game_time)
            }
        };
        match &mut self.block {
            Some(block) => block.draw_lines(&[line]),
            None => {
                complain(line);
                self.next_line = elapsed + LINE_PAUSE;
            }
        }
    }

    /// Removes the block.
    pub fn end(&mut self) {
        self.keys = None;
        if let Some(block) = &mut self.block {
            block.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_config::Config;
    use arbiter_cup::tournament::{AttemptResult, NextAttempt, progress};
    use arbiter_rank::schedule::Bots;

    #[test]
    fn a_run_with_milestones_says_how_many_bots_are_decided() {
        let names = ["step", "weak", "strong"].map(String::from);
        let bots =
            names.each_ref().map(|name| format!("[[bot]]\nname = '{name}'\ncommand = 'x'\n"));
        let text = "schedule = { format = 'gauntlet', games = 100 }\nmilestones = { steps = ['step'], stop = 'decided' }\n";
        let config = Config::parse(&(text.to_owned() + &bots.concat())).unwrap();
        let mut progress = progress(&config, &Bots::joining(&names), 1).unwrap();
        assert_eq!(remark(&progress).unwrap(), "milestones: 0 of 2 bots decided");
        while let NextAttempt::Play(game, _) = progress.next() {
            // The weak one loses all games, the strong one only every other.
            let is_won = [game.first, game.second].contains(&2) && game.number % 2 == 0;
            let half_points = if (game.first == 0) == is_won { [0, 2] } else { [2, 0] };
            progress.ended(game.index, AttemptResult::Scored(half_points));
        }
        assert_eq!(remark(&progress).unwrap(), "milestones: 1 of 2 bots decided");
        assert!(progress.is_complete());
    }
}
