//! The games of a tournament that one of several runs plays.

use super::attempt_result::AttemptResult;
use super::games::{PlayedGames, progress};
use super::progress::{NextAttempt, TournamentProgress};
use super::shard::Shard;
use arbiter_config::Config;
use arbiter_rank::schedule::{Bots, Pairing, Stop};
use std::collections::{BTreeSet, HashMap};

/// The games that a run plays: those of its shard that are not known from elsewhere.
#[derive(Debug, Clone)]
pub struct Share {
    shard: Shard,
    elsewhere: PlayedGames,
    /// The number of each unit that has a game not known from elsewhere, by its index in the
    /// schedule; `None` if all units are dealt out.
    missing: Option<HashMap<u64, u64>>,
}

impl Default for Share {
    /// All games.
    fn default() -> Share {
        Share::new(Shard::WHOLE, PlayedGames::new())
    }
}

impl Share {
    /// The share of a shard in all games; those that are known from elsewhere are not played again.
    pub fn new(shard: Shard, elsewhere: PlayedGames) -> Share {
        Share { shard, elsewhere, missing: None }
    }

    /// The share of a shard in the games that are not known from elsewhere. What is missing of a
    /// league is numbered in the order of units, before its games are handed out in another order.
    pub fn of_missing(shard: Shard, elsewhere: PlayedGames, config: &Config, bots: &Bots) -> Share {
        let share = Share::new(shard, elsewhere);
        let mut units = BTreeSet::new();
        if config.schedule.format.plays_all_of_a_league() {
            // Without a schedule no game is missing.
            let _ =
                share.each_missing(config, bots, |pairing, _| _ = units.insert(pairing.share_unit));
        }
        Share { missing: Some(units.into_iter().zip(0..).collect()), ..share }
    }

    /// Calls `each` with every game that is not known from elsewhere, in schedule order; `None` if
    /// these bots cannot play in this format.
    fn each_missing(
        &self,
        config: &Config,
        bots: &Bots,
        mut each: impl FnMut(&Pairing, &TournamentProgress),
    ) -> Option<()> {
        let mut progress = progress(config, bots, u32::MAX).ok()?;
        while let NextAttempt::Play(pairing, attempt) = progress.next() {
            if let Some(ended) = self.known(&pairing.id, attempt) {
                progress.ended(pairing.index, ended);
            } else {
                each(&pairing, &progress);
                progress.left_out(pairing.index);
            }
            drop(progress.counted()); // only what is missing matters
        }
        Some(())
    }

    /// The games that are known from elsewhere.
    pub fn elsewhere(&self) -> &PlayedGames {
        &self.elsewhere
    }

    /// The number of games of the share, the most if they end by tests; `None` where it depends on
    /// results of other shares.
    pub fn games(&self, config: &Config, bots: &Bots) -> Option<u64> {
        let format = &config.schedule.format;
        if !format.kind.is_league() {
            let is_all = self.shard == Shard::WHOLE && self.elsewhere.is_empty();
            return is_all.then(|| format.total_games(bots.count()));
        }
        let mut share = self.clone();
        let mut games = 0;
        let mut climbing = BTreeSet::new();
        self.each_missing(config, bots, |pairing, progress| {
            if !share.has(pairing) {
                return;
            }
            // A bot whose games end by tests is handed out no game after one that is left out, so
            // all that it may still play is counted at the first.
            if format.stop == Stop::Decided
                && let Some(milestones) = progress.milestones()
                && let Some(bot) = milestones.measured(pairing)
            {
                if climbing.insert(bot) {
                    games += milestones.most_games(bot, format.games_of_pairing());
                }
            } else {
                games += 1;
            }
        })?;
        Some(games)
    }

    /// How an attempt at a game ended elsewhere.
    pub fn known(&self, id: &str, attempt: u32) -> Option<AttemptResult> {
        self.elsewhere.get(&(id.to_owned(), attempt)).copied()
    }

    /// Whether a game is played here that is not known from elsewhere. Call it for every such game
    /// in schedule order, also for those that this run's own journal has.
    pub fn has(&mut self, game: &Pairing) -> bool {
        let mut unit = game.share_unit;
        if let Some(missing) = &mut self.missing {
            let next = missing.len() as u64;
            unit = *missing.entry(unit).or_insert(next);
        }
        self.shard.plays(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn config(format: &str) -> Config {
        let bots = ["a", "b", "c", "d", "e"]
            .map(|name| format!("[[bot]]\nname = '{name}'\ncommand = 'x'\n"));
        Config::parse(&format!("[schedule]\n{format}\n{}", bots.concat())).unwrap()
    }

    fn shard(number: u32, count: u32) -> Shard {
        format!("{number}/{count}").parse().unwrap()
    }

    fn bots() -> Bots {
        Bots::joining(&["a", "b", "c", "d", "e"].map(String::from))
    }

    /// The ids of the games of a share, with the index of their pairs.
    fn games(share: &mut Share, config: &Config) -> Vec<(String, u64)> {
        let mut progress = progress(config, &bots(), u32::MAX).unwrap();
        let mut games = Vec::new();
        while let NextAttempt::Play(pairing, attempt) = progress.next() {
            match share.known(&pairing.id, attempt) {
                Some(ended) => progress.ended(pairing.index, ended),
                None => {
                    if share.has(&pairing) {
                        games.push((pairing.id.clone(), pairing.share_unit));
                    }
                    progress.left_out(pairing.index);
                }
            }
        }
        games
    }

    proptest! {
        #[test]
        fn shards_deal_out_every_game_once(
            count in 1..9_u32,
            each in 1..6_u32,
            rounds in 1..3_u32,
        ) {
            let config = config(&format!("games = {each}\nrounds = {rounds}"));
            let mut whole = games(&mut Share::default(), &config);
            prop_assert_eq!(whole.len() as u64, config.schedule.format.total_games(5));
            let mut dealt = Vec::new();
            for number in 1..=count {
                let shard = shard(number, count);
                let share = Share::new(shard, PlayedGames::new());
                let of_shard = games(&mut share.clone(), &config);
                prop_assert_eq!(share.games(&config, &bots()), Some(of_shard.len() as u64));
                let shard_of = |pair: u64| pair % u64::from(count) + 1;
                prop_assert!(of_shard.iter().all(|&(_, pair)| shard_of(pair) == u64::from(number)));
                dealt.extend(of_shard);
            }
            dealt.sort();
            whole.sort();
            prop_assert_eq!(dealt, whole);
        }

        #[test]
        fn what_is_missing_is_dealt_out_evenly(count in 1..5_u32, known in vec(any::<bool>(), 30)) {
            let config = config("games = 3");
            let whole = games(&mut Share::default(), &config);
            let mut elsewhere = PlayedGames::new();
            let mut missing = Vec::new();
            for (game, is_known) in whole.iter().zip(&known) {
                if *is_known {
                    elsewhere.insert((game.0.clone(), 1), AttemptResult::Scored([1, 1]));
                } else {
                    missing.push(game.clone());
                }
            }
            let (mut dealt, mut pairs) = (Vec::new(), Vec::new());
            for number in 1..=count {
                let shard = shard(number, count);
                let mut share = Share::of_missing(shard, elsewhere.clone(), &config, &bots());
                let of_shard = games(&mut share, &config);
                let of_pairs: BTreeSet<u64> = of_shard.iter().map(|(_, pair)| *pair).collect();
                pairs.push(of_pairs.len());
                dealt.extend(of_shard);
            }
            dealt.sort();
            missing.sort();
            prop_assert_eq!(dealt, missing);
            let most = pairs.iter().max().unwrap();
            prop_assert!(most - pairs.iter().min().unwrap() <= 1, "{:?}", pairs);
        }
    }
}
