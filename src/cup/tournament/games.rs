//! The games of a tournament: those that its configuration asks for, and those in its journal.

use super::TRIES;
use super::attempt_result::AttemptResult;
use super::entries::{Entrant, JournalHead, RecordedGame};
use super::milestones::Milestones;
use super::progress::{CountedGame, NextAttempt, PairTests, TournamentProgress, TournamentRules};
use super::recorded_game::{FirstName, GameFacts, GameSummary, RecordedGameError};
use arbiter_config::{Config, MilestonesConfig, SprtConfig};
use arbiter_game::game_id::{names_in, parts_of};
use arbiter_game::record::SideTimes;
use arbiter_rank::rating::{Sprt, Trial};
use arbiter_rank::schedule::{Bots, Dependence, Format, Pairing, Schedule, ScheduleError};
use arbiter_rules::BySide;
use std::collections::{BTreeSet, HashMap, HashSet};

/// What the pairs of these bots are tested for.
fn tests(config: &Config, names: &[String]) -> PairTests {
    if config.schedule.format.kind.dependence == Dependence::Pairs {
        let SprtConfig { elo0, elo1, alpha, beta, model } = config.sprt;
        return PairTests::Sprt(Trial::new(Sprt { elo0, elo1, alpha, beta, model }));
    }
    let MilestonesConfig { steps, rule } = &config.milestones;
    if steps.is_empty() {
        return PairTests::None;
    }
    // A roster has all bots that the configuration names one by one.
    let mut places = Vec::new();
    for step in steps {
        places.extend(names.iter().position(|name| name == step));
    }
    PairTests::Milestones(Milestones::new(places, *rule))
}

/// The progress of a tournament before its first game. `ahead` is how many pairs a test may begin
/// beyond the finished ones.
///
/// # Errors
/// These bots cannot play in this format.
pub fn progress(
    config: &Config,
    bots: &Bots,
    ahead: u32,
) -> Result<TournamentProgress, ScheduleError> {
    let schedule = Schedule::of(Format { ahead, ..config.schedule.format }, bots.clone())?;
    let stop_after_forfeits = config.schedule.stop_after_forfeits;
    let rules =
        TournamentRules { tries: TRIES, stop_after_forfeits, tests: tests(config, bots.names()) };
    Ok(TournamentProgress::new(schedule, rules))
}

/// Results of games that were played before, by id and attempt.
pub type PlayedGames = HashMap<(String, u32), AttemptResult>;

/// A game of a journal.
#[derive(Debug, Clone, Copy)]
struct KnownGame {
    game: IndexedGame,
    /// The digests of its bots by their numbers in [`GameIndex::digests`].
    digests: [usize; 2],
}

/// What tables need of a game of a journal: its log is not read for them.
#[derive(Debug, Clone, Copy)]
pub struct IndexedGame {
    /// Its position in the journal.
    pub place: u64,
    pub facts: GameFacts,
}

/// Which games of a journal count (docs/reference/tournaments.md, Content of bots): by id and
/// attempt, their position in the journal and what came of them.
#[derive(Debug, Clone, Default)]
pub struct CountingGames {
    games: HashMap<(String, u32), IndexedGame>,
    /// The number of ids whose games were played with another content of a bot.
    pub kept: u64,
}

/// How the games of a bot that count differ from others that would count.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unlike {
    /// The number of ids without a game there.
    pub missing: usize,
    /// The number of ids without this game there.
    pub different: usize,
}

impl CountingGames {
    /// The ids of all of them, once for each attempt.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.games.keys().map(|(id, _)| id.as_str())
    }

    /// For each bot: of the ids of its games, how many have no game among those of `other`, or
    /// other ones.
    pub(super) fn unlike(&self, other: &CountingGames) -> HashMap<&str, Unlike> {
        let known: HashSet<&str> = other.ids().collect();
        // By ids, because a game of several attempts counts once.
        let mut different: HashSet<&str> = HashSet::new();
        for (game, own) in &self.games {
            if other.games.get(game).is_none_or(|there| there.place != own.place) {
                different.insert(&game.0);
            }
        }
        let mut unlike: HashMap<&str, Unlike> = HashMap::new();
        for id in different {
            let Some((one, two)) = names_in(id) else { continue };
            for bot in [one, two] {
                let count = unlike.entry(bot).or_default();
                count.different += 1;
                count.missing += usize::from(!known.contains(id));
            }
        }
        unlike
    }

    /// The position in the journal of the last attempt at a game.
    pub fn last_place(&self, id: &str) -> Option<u64> {
        let attempts = self.games.iter().filter(|((known, _), _)| known == id);
        attempts.max_by_key(|((_, attempt), _)| *attempt).map(|(_, known)| known.place)
    }
}

/// The games of a journal.
#[derive(Debug, Clone, Default)]
pub struct GameIndex {
    /// By id, in the order of the journal.
    games: HashMap<String, Vec<KnownGame>>,
    /// Each digest with its number, from 0 in the order of their first occurrence.
    digests: HashMap<String, usize>,
    /// The numbers of the digests that each bot was scheduled or played with, by its own name in
    /// small letters: one that is renamed from `alice` to `ALICE` is the same author's.
    versions: HashMap<String, BTreeSet<usize>>,
    /// The own names of bots that others call otherwise, in small letters.
    own_names: HashMap<String, String>,
    counting: CountingGames,
    /// The times of the games whose logs have them, by their positions in the journal.
    times: HashMap<u64, BySide<SideTimes>>,
    /// The first game that cannot be read.
    error: Option<RecordedGameError>,
}

impl GameIndex {
    /// The index of a journal with this roster, before its first game.
    pub(super) fn new(roster: &[Entrant]) -> GameIndex {
        let mut index = GameIndex::default();
        index.add_roster(roster);
        index
    }

    /// Adds the bots of a roster.
    pub(super) fn add_roster(&mut self, roster: &[Entrant]) {
        for bot in roster {
            if let Some(private) = &bot.private {
                self.own_names.insert(bot.name.clone(), private.to_ascii_lowercase());
            }
            if let Some(digest) = &bot.digest {
                self.add_version(&bot.name, digest);
            }
        }
    }

    /// Adds the game at this position of the journal; it counts until the next
    /// [`follow_roster`](GameIndex::follow_roster). The first that cannot be read is an error of
    /// every [`walk`](GameIndex::walk).
    pub fn add(&mut self, place: u64, game: Result<GameSummary, RecordedGameError>) {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                self.error.get_or_insert(error);
                return;
            }
        };
        let GameSummary { id, digests, facts, times } = game;
        if let Some((one, other)) = names_in(&id) {
            self.add_version(one, &digests[0]);
            self.add_version(other, &digests[1]);
        }
        let digests = [self.number(&digests[0]), self.number(&digests[1])];
        if let Some(times) = times {
            self.times.insert(place, times);
        }
        let indexed = IndexedGame { place, facts };
        self.games.entry(id.clone()).or_default().push(KnownGame { game: indexed, digests });
        self.counting.games.insert((id, facts.attempt), indexed);
    }

    /// The times of the game at this position of the journal, if its log has them.
    pub fn times(&self, place: u64) -> Option<&BySide<SideTimes>> {
        self.times.get(&place)
    }

    fn add_version(&mut self, name: &str, digest: &str) {
        let number = self.number(digest);
        let own = match self.own_names.get(name) {
            Some(own) => own.clone(),
            None => name.to_ascii_lowercase(),
        };
        self.versions.entry(own).or_default().insert(number);
    }

    /// The number of versions that the bot of this own name was scheduled or played with.
    pub fn versions(&self, name: &str) -> usize {
        self.versions.get(&name.to_ascii_lowercase()).map_or(0, BTreeSet::len)
    }

    /// Whether the bot of this own name was scheduled or played with this digest.
    pub(super) fn has_version(&self, name: &str, digest: &str) -> bool {
        match (self.digests.get(digest), self.versions.get(&name.to_ascii_lowercase())) {
            (Some(number), Some(versions)) => versions.contains(number),
            _ => false,
        }
    }

    fn number(&mut self, digest: &str) -> usize {
        // Most digests are known, and are not copied to be looked up.
        if let Some(&number) = self.digests.get(digest) {
            return number;
        }
        let next = self.digests.len();
        self.digests.insert(digest.to_owned(), next);
        next
    }

    /// The games that count by this head: both bots are in its roster, with the digests of the
    /// record. With `keep_changed` those of the newest record count where there are none.
    pub fn counting_for(&self, head: &JournalHead) -> CountingGames {
        let mut current: HashMap<&str, Option<usize>> = HashMap::new();
        for bot in &head.roster {
            let number = bot.digest.as_ref().and_then(|digest| self.digests.get(digest));
            current.insert(&bot.name, number.copied());
        }
        let mut counting = CountingGames::default();
        for (id, known) in &self.games {
            let Some((one, other)) = names_in(id) else { continue };
            let (Some(&one), Some(&other)) = (current.get(one), current.get(other)) else {
                continue; // one of them does not play any more
            };
            let mut chosen = one.zip(other).map(|(one, other)| [one, other]);
            if !known.iter().any(|game| Some(game.digests) == chosen) {
                if !head.keep_changed {
                    continue;
                }
                let Some(newest) = known.last() else { continue };
                chosen = Some(newest.digests);
                counting.kept += 1;
            }
            for KnownGame { game, digests } in known {
                if Some(*digests) == chosen {
                    counting.games.insert((id.clone(), game.facts.attempt), *game);
                }
            }
        }
        counting
    }

    /// Lets the games of the bots in this head count, some of which may be new or changed; games
    /// that are added later count too.
    pub fn follow_roster(&mut self, head: &JournalHead) {
        self.add_roster(&head.roster);
        self.counting = self.counting_for(head);
    }

    /// Whether a game that was added just now counts by this head. One of other versions counts no
    /// more from here on.
    pub fn counts_for(&mut self, head: &JournalHead, game: &RecordedGame) -> bool {
        let (one, other) = names_in(&game.id).unwrap_or_default();
        let mut is_present = true;
        for (name, digest) in [one, other].into_iter().zip(&game.digests) {
            let bot = head.roster.iter().find(|bot| bot.name == name);
            let present = bot.map(|bot| bot.digest.as_deref().unwrap_or_default());
            is_present &= present == Some(digest);
        }
        if !is_present {
            self.follow_roster(head);
        }
        self.counting.games.contains_key(&(game.id.clone(), game.attempt))
    }

    pub fn counting(&self) -> &CountingGames {
        &self.counting
    }

    /// The number of games that count, with each attempt at a game.
    pub fn count(&self) -> usize {
        self.counting.games.len()
    }

    /// The results of the games that count.
    pub fn played(&self) -> PlayedGames {
        let games = self.counting.games.iter();
        games.map(|(game, known)| (game.clone(), known.facts.outcome.into())).collect()
    }

    /// Lets the games count that this head says, and checks them as every reader of the journal
    /// does.
    ///
    /// # Errors
    /// As for [`walk`](GameIndex::walk).
    pub fn check<E: From<RecordedGameError> + From<ScheduleError>>(
        &mut self,
        config: &Config,
        head: &JournalHead,
    ) -> Result<(), E> {
        self.follow_roster(head);
        self.walk(config, &head.bots(), &PlayedGames::new(), |_, _| Ok(())).map(drop)
    }

    /// Advances a new progress by the games of the journal, in schedule order, as far as possible,
    /// and by those that are known from `elsewhere`, whose results stand. `each` gets every game of
    /// the journal that counts.
    ///
    /// # Errors
    /// A game of the journal cannot be read or was played by other bots or sides than the schedule
    /// says, the bots cannot play in this format, or `each` fails.
    pub fn walk<E: From<RecordedGameError> + From<ScheduleError>>(
        &self,
        config: &Config,
        bots: &Bots,
        elsewhere: &PlayedGames,
        mut each: impl FnMut(&CountedGame, &IndexedGame) -> Result<(), E>,
    ) -> Result<TournamentProgress, E> {
        if let Some(error) = &self.error {
            return Err(error.clone().into());
        }
        let mut progress = progress(config, bots, u32::MAX)?;
        if config.schedule.format.kind.is_endless {
            self.walk_in_order(bots, each)?;
            return Ok(progress);
        }
        let games = &self.counting.games;
        let mut left = games.len();
        while let NextAttempt::Play(pairing, attempt) = progress.next() {
            self.check_sides(&pairing, bots)?;
            let game = (pairing.id, attempt);
            let own = games.get(&game).map(|own| own.facts.outcome.into());
            left -= usize::from(own.is_some());
            let known = elsewhere.get(&game).copied().or(own);
            match known {
                Some(result) => progress.ended(pairing.index, result),
                None => progress.left_out(pairing.index),
            }
            for counted in progress.counted() {
                if let Some(known_game) = games.get(&(counted.pairing.id.clone(), counted.attempt))
                {
                    each(&counted, known_game)?;
                }
            }
            if left == 0 && known.is_none() {
                break; // no game after this one is in the journal
            }
        }
        Ok(progress)
    }

    /// Calls `each` with every game that counts of a league without an end, in the order of the
    /// journal: no schedule says which games it has.
    fn walk_in_order<E: From<RecordedGameError>>(
        &self,
        bots: &Bots,
        mut each: impl FnMut(&CountedGame, &IndexedGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut places = HashMap::new();
        for (place, name) in bots.names().iter().enumerate() {
            places.insert(&**name, place);
        }
        let mut games: Vec<_> = self.counting.games.iter().collect();
        games.sort_unstable_by_key(|(_, game)| game.place);
        for (index, ((id, attempt), game)) in (0..).zip(games) {
            let (Some((one, other)), Some((_, number))) = (names_in(id), parts_of(id)) else {
                continue;
            };
            // A game counts only if both bots are scheduled.
            let (Some(&one), Some(&other)) = (places.get(one), places.get(other)) else {
                continue;
            };
            let pairing = Pairing::in_league(bots, [one, other], number, index);
            self.check_sides(&pairing, bots)?;
            let ended = game.facts.outcome.into();
            each(&CountedGame { pairing, attempt: *attempt, ended }, game)?;
        }
        Ok(())
    }

    /// Checks that every attempt at a game was played by the sides that the schedule says. Also
    /// those that do not count now: they may again when a bot is what it was.
    fn check_sides(&self, pairing: &Pairing, bots: &Bots) -> Result<(), RecordedGameError> {
        let names = bots.names();
        let first = FirstName::new(&names[pairing.first], &names[pairing.second]);
        for KnownGame { game, .. } in self.games.get(&pairing.id).into_iter().flatten() {
            if game.facts.first != first {
                return Err(RecordedGameError::other_bots(&pairing.id, Some(game.place)));
            }
        }
        Ok(())
    }

    /// The greatest number of a game between each two bots that have met, by their names as an id
    /// has them; games with other contents of the bots are among them.
    pub fn last_numbers(&self) -> HashMap<(String, String), u64> {
        let mut last = HashMap::new();
        for id in self.games.keys() {
            let (Some((one, other)), Some((_, number))) = (names_in(id), parts_of(id)) else {
                continue;
            };
            let known = last.entry((one.to_owned(), other.to_owned())).or_default();
            *known = number.max(*known);
        }
        last
    }
}
