//! Shows a run of many games: as a block on a terminal, else a line for each game, or with `--json`
//! an object for each game.

use super::keys::Keys;
use super::watched_games::{GameChoice, WatchedGames};
use arbiter_cup::report::standings::{about_time, trial_line};
use arbiter_cup::report::{json, text as shown};
use arbiter_cup::tournament::TournamentProgress;
use arbiter_game::Outcome;
use arbiter_game::record::Record;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::{can_draw, colour, complain, fitted, print};
use arbiter_play::arena::{Run, Watchers};
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

/// What the tests of a tournament have found so far, in a line; `None` without tests.
fn remark(progress: &TournamentProgress) -> Option<String> {
    if let Some(trial) = progress.trial() {
        let (lower, upper) = trial.sprt().bounds();
        let llr = trial.llr();
        let pairs = trial.counts();
        return Some(format!("LLR {llr:.2} ({lower:.2} to {upper:.2}), pairs {pairs:?}"));
    }
    let milestones = progress.milestones()?;
    let mut measured = 0;
    let mut decided = 0;
    for bot in 0..progress.schedule().bots() {
        if !milestones.steps().contains(&bot) {
            measured += 1;
            decided += u64::from(milestones.place(bot).is_none());
        }
    }
    Some(format!("milestones: {decided} of {} decided", counted(measured, "bot")))
}

/// The games of one bot against others in a line.
fn league_line(
    standings: &Standings,
    played: u64,
    left: Option<u64>,
    game_time: Option<Duration>,
) -> String {
    let mut line = match left {
        Some(left) => format!("try: {played} of {}", counted(played + left, "game")),
        None => format!("try: {}", counted(played, "game")),
    };
    if let Some(share) = standings.rows().first().and_then(Row::share) {
        line += &format!("  score {:.1} %", 100.0 * share);
    }
    if let (Some(left), Some(time)) = (left, game_time) {
        line += &format!("  about {} left", about_time(time.mul_f64(left as f64)));
    }
    line
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
        if watchers.len() > 1 {
            self.keys = Keys::begin();
        }
        if self.keys.is_some() {
            self.progress.hint = Some("tab: another game");
        }
        watchers
    }

    /// Whether every finished game leaves a line.
    pub(crate) fn keeps_every_line(&self) -> bool {
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
        // If standard output is the same terminal, lines printed there would break the block.
        let goes_above = self.block.is_some() && !self.json && stdout().is_terminal();
        if goes_above || self.kept == KeptLines::Trouble {
            if is_notable || self.kept == KeptLines::Every {
                self.note(&shown::game(record));
            }
            return Ok(());
        }
        if self.json {
            return print(json::game(record, attempt));
        }
        print(fitted(&shown::game(record), stdout()))
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
        let Some(block) = &mut self.block else { return };
        if !block.is_due(PROGRESS_FRAME) {
            return;
        }
        let progress = &mut self.progress;
        progress.elapsed = self.began.elapsed();
        let fresh = progress.played - self.before;
        if let Some(total) = progress.total
            && fresh > 0
        {
            // Games of earlier runs may have been played on another machine.
            let each = progress.elapsed.as_secs_f64() / fresh as f64;
            let missing = total.saturating_sub(progress.played);
            progress.left = Some(Duration::from_secs_f64(each * missing as f64));
        }
        run.queue(|queue| {
            progress.running = queue.running();
            progress.remark = queue.progress().and_then(remark);
        });
        // Sorted by points alone: tie-breaks of a thousand bots would take longer than a frame.
        let mut rows: Vec<&Row> = standings.rows().iter().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.half_points));
        progress.bots = rows.len();
        progress.leaders.clear();
        for row in &rows {
            if row.games > 0 && progress.leaders.len() < Progress::LEADERS {
                progress.leaders.push((row.name.clone(), row.points(), row.games));
            }
        }
        let now = Instant::now();
        let mut game = None;
        if let Some(games) = &mut self.games {
            for key in self.keys.iter().flat_map(Keys::pressed) {
                if key == b'\t' {
                    games.show_next();
                }
            }
            let ranks: HashMap<&str, usize> = rows.iter().map(|row| &*row.name).zip(0..).collect();
            // Half of the maximum, because the ranks of two players are added.
            game = games.shown(now, |name| ranks.get(name).copied().unwrap_or(usize::MAX / 2));
        }
        block.draw(&progress.draw(game, now, block.room()));
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
        let game_time = if fresh > 0 { Some(elapsed.div_f64(fresh as f64)) } else { None };
        let Progress { played, total, .. } = self.progress;
        let line = match run.queue(|queue| queue.progress()?.trial().cloned()) {
            Some(trial) => {
                let pairs: u64 = trial.counts().iter().sum();
                let most = match total {
                    Some(games) => (games / 2).saturating_sub(pairs),
                    None => u64::MAX,
                };
                trial_line(&trial, most, game_time.map(|time| 2 * time), columns)
            }
            None => {
                let left = total.map(|total| total.saturating_sub(played));
                league_line(standings, played, left, game_time)
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
