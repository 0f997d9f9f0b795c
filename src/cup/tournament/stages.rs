//! Stages of a tournament whose games depend on earlier results: the games that can begin before
//! further results are known, which are a round, or a further pair of each level pairing of a
//! knockout. All shards of a stage have to know the same results of the stages before it; a hash of
//! these results shows whether they did.

use super::entries::PreviousResults;
use super::games::{PlayedGames, progress};
use super::progress::{CountedGame, NextAttempt, TournamentProgress};
use arbiter_config::Config;
use arbiter_game::content::sha256;
use arbiter_rank::schedule::{Bots, Dependence, Pairing, ScheduleError};
use std::collections::BTreeSet;

impl PreviousResults {
    /// Adds the result of the next game.
    fn add(&mut self, game: &CountedGame) {
        let result = match game.ended.half_points() {
            Some([one, other]) => format!("{one} {other}"),
            None => "aborted".to_owned(),
        };
        self.games += 1;
        self.sha256 = sha256(format!("{}\n{} {result}", self.sha256, game.pairing.id).as_bytes());
    }
}

/// The first stage with a game that is not known. Where no game depends on results, all games are
/// one stage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenStage {
    /// The results of the stages before it.
    pub previous: PreviousResults,
    /// The ids of its games that are not known, in schedule order; empty if all games of the
    /// tournament are known.
    pub missing: Vec<String>,
    /// The round of the first of them.
    pub round: u32,
    /// Whether another game of it is known.
    pub has_begun: bool,
}

/// The first stage with a game that is not among the `known` ones.
///
/// # Errors
/// These bots cannot play in this format.
pub fn open_stage(
    config: &Config,
    bots: &Bots,
    known: &PlayedGames,
) -> Result<OpenStage, ScheduleError> {
    let depends = config.schedule.format.kind.dependence == Dependence::Rounds;
    let mut progress = progress(config, bots, u32::MAX)?;
    let mut results = PreviousResults::default();
    let mut stage = OpenStage::default();
    let mut begun = 0;
    loop {
        let mut open = Vec::new();
        let mut is_over = true;
        while let NextAttempt::Play(pairing, attempt) = progress.next() {
            is_over = false;
            begun += u64::from(attempt == 1);
            open.push((pairing, attempt));
            // Games that wait for no result need not all be kept: there may be millions.
            if !depends {
                settle(&mut progress, open.drain(..), known, &mut stage);
                drop(progress.counted());
            }
        }
        settle(&mut progress, open.into_iter(), known, &mut stage);
        for counted in progress.counted() {
            results.add(&counted);
        }
        // Otherwise a game is missing, or is played again.
        if depends && results.games == begun {
            stage = OpenStage { previous: results.clone(), ..OpenStage::default() };
        }
        if is_over {
            return Ok(stage);
        }
    }
}

/// Ends the games that are known, and leaves out the others.
fn settle(
    progress: &mut TournamentProgress,
    open: impl Iterator<Item = (Pairing, u32)>,
    known: &PlayedGames,
    stage: &mut OpenStage,
) {
    for (pairing, attempt) in open {
        let game = (pairing.id, attempt);
        if let Some(&result) = known.get(&game) {
            stage.has_begun = true;
            progress.ended(pairing.index, result);
        } else {
            if stage.missing.is_empty() {
                stage.round = pairing.round;
            }
            stage.missing.push(game.0);
            progress.left_out(pairing.index);
        }
    }
}

/// The results after these numbers of games, in schedule order, up to the first game that is not
/// known.
///
/// # Errors
/// These bots cannot play in this format.
pub fn results_after(
    config: &Config,
    bots: &Bots,
    known: &PlayedGames,
    counts: &BTreeSet<u64>,
) -> Result<Vec<PreviousResults>, ScheduleError> {
    let mut progress = progress(config, bots, u32::MAX)?;
    let mut results = PreviousResults::default();
    let mut found = Vec::new();
    while let NextAttempt::Play(pairing, attempt) = progress.next() {
        let Some(&result) = known.get(&(pairing.id, attempt)) else { break };
        progress.ended(pairing.index, result);
        for counted in progress.counted() {
            results.add(&counted);
            if counts.contains(&results.games) {
                found.push(results.clone());
            }
        }
    }
    Ok(found)
}
