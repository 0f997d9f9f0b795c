//! Who plays whom: the bots with their programs, and the games that are handed out. A pair is two
//! games on one opening with sides swapped; [`League`] says which is next.

use arbiter_cup::tournament::{AttemptResult, Entrant};
use arbiter_game::openings::Openings;
use arbiter_play::arena::{Assignment, GameSource, NextGame, PlayerSpec};
use arbiter_rank::league::{League, NextPair, Tally};
use arbiter_rank::schedule::{Bots, Pairing};
use arbiter_rules::BySide;
use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A bot that plays, or has played.
#[derive(Debug)]
struct Slot {
    /// The bot as its present version is, or its last one was.
    entrant: Entrant,
    /// Its permanent number, from which sides follow.
    number: u32,
    /// What plays; `None` for one that has left.
    player: Option<PlayerSpec>,
    /// The games of its earlier versions.
    before: u64,
}

/// A game that was handed out.
#[derive(Debug)]
struct OutGame {
    pair: u64,
    /// The slots of the two sides.
    sides: [usize; 2],
    /// The versions that play, which may not be the present ones when it ends.
    versions: [Entrant; 2],
}

/// A pair whose games are not all over.
#[derive(Debug)]
struct OutPair {
    /// The slots of the two bots.
    bots: [usize; 2],
    /// Its second game, until that is handed out.
    second: Option<Assignment>,
    /// Its games that have not ended.
    open: u32,
    /// The results so far, as the first of the two bots sees them.
    tally: Tally,
}

/// The bots and the pairs under way.
#[derive(Debug)]
pub struct Board {
    league: League,
    slots: Vec<Slot>,
    openings: Openings,
    /// The greatest number of a game between two bots, by their names as an id has them.
    last_numbers: HashMap<(String, String), u64>,
    pairs: BTreeMap<u64, OutPair>,
    games: BTreeMap<u64, OutGame>,
    /// The index of the next game.
    index: u64,
    /// Whether no game begins.
    is_paused: bool,
}

impl Board {
    /// A board without bots. `last_numbers` are those of all games that were ever played.
    pub fn new(openings: Openings, last_numbers: HashMap<(String, String), u64>) -> Board {
        Board {
            league: League::new(),
            slots: Vec::new(),
            openings,
            last_numbers,
            pairs: BTreeMap::new(),
            games: BTreeMap::new(),
            index: 0,
            is_paused: false,
        }
    }

    /// From now on no game begins, or games begin again. Returns whether it was paused before.
    pub fn pause(&mut self, is_paused: bool) -> bool {
        mem::replace(&mut self.is_paused, is_paused)
    }

    /// A bot joins, or its new version replaces the one that plays.
    pub fn join(&mut self, entrant: &Entrant, number: u32, player: PlayerSpec) {
        let bot = match self.slot(&entrant.name) {
            Some(bot) => {
                self.slots[bot].player = Some(player);
                self.slots[bot].entrant = entrant.clone();
                self.drop_second_games(bot);
                bot
            }
            None => {
                let entrant = entrant.clone();
                self.slots.push(Slot { entrant, number, player: Some(player), before: 0 });
                self.slots.len() - 1
            }
        };
        self.slots[bot].before += self.league.games(bot);
        self.league.join(bot, self.slots[bot].before);
    }

    /// A bot leaves; its running games end.
    pub fn leave(&mut self, name: &str) {
        let Some(bot) = self.slot(name) else { return };
        self.slots[bot].player = None;
        self.drop_second_games(bot);
        self.league.leave(bot);
    }

    /// The result of a game of present versions that the journal has: the one of this number there,
    /// from 1, before any pair begins; 0 after that.
    pub fn known(&mut self, number: u64, first: &str, second: &str, ended: AttemptResult) {
        let (Some(first), Some(second)) = (self.slot(first), self.slot(second)) else { return };
        self.league.add(number.div_ceil(2), [first, second], tally(ended));
    }

    /// The pairs that would be next if nothing ended meanwhile, with the reasons.
    pub fn next_pairs(&self, most: usize) -> Vec<([String; 2], String)> {
        let mut shown = Vec::new();
        let mut league = self.league.clone();
        while shown.len() < most
            && let Some(NextPair { number, one, other, why }) = league.next_pair()
        {
            league.begin(number, [one, other]);
            let names = [one, other].map(|bot| self.slots[bot].entrant.name.clone());
            shown.push((names, why.to_string()));
        }
        shown
    }

    /// The versions that play the game of this index.
    pub fn versions_of(&self, index: u64) -> Option<[Entrant; 2]> {
        self.games.get(&index).map(|game| game.versions.clone())
    }

    /// The number of counted games of a bot's present version.
    pub fn games(&self, name: &str) -> u64 {
        self.slot(name).map_or(0, |bot| self.league.games(bot))
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.slots.iter().position(|slot| slot.entrant.name == name)
    }

    /// A pair whose second game was not handed out is over with its first one: a new version does
    /// not play the second half of an old one's pair.
    fn drop_second_games(&mut self, bot: usize) {
        let mut over = Vec::new();
        for (number, pair) in &mut self.pairs {
            if pair.bots.contains(&bot) && pair.second.take().is_some() {
                pair.open -= 1;
                if pair.open == 0 {
                    over.push(*number);
                }
            }
        }
        for number in over {
            self.end_pair(number);
        }
    }

    fn next_game(&mut self) -> NextGame {
        if self.is_paused {
            return NextGame::Wait;
        }
        let waiting = self.pairs.iter_mut().find(|(_, pair)| pair.second.is_some());
        if let Some((&number, pair)) = waiting
            && let Some(second) = pair.second.take()
        {
            let [one, other] = pair.bots;
            let sides = if second.players.first.0 == self.slots[one].entrant.name {
                [one, other]
            } else {
                [other, one]
            };
            return self.hand_out(number, sides, second);
        }
        let Some(NextPair { number, one, other, .. }) = self.league.next_pair() else {
            return NextGame::Wait;
        };
        match self.begin_pair(number, [one, other]) {
            Ok(game) => game,
            Err(why) => NextGame::Broken(why),
        }
    }

    /// Begins a pair, and hands out its first game.
    fn begin_pair(&mut self, number: u64, bots: [usize; 2]) -> Result<NextGame, String> {
        let [one, other] = bots.map(|bot| &self.slots[bot]);
        let mut names = vec![one.entrant.name.clone(), other.entrant.name.clone()];
        let known = Bots::numbered(names.clone(), Some(vec![one.number, other.number]));
        names.sort();
        let key = (names[0].clone(), names[1].clone());
        let last = self.last_numbers.entry(key).or_default();
        // The number of a pair's first game is odd, also after one that was broken off.
        let first_game = *last + 1 + *last % 2;
        *last = first_game + 1;
        let mut games = Vec::new();
        for at in [first_game, first_game + 1] {
            let pairing = Pairing::in_league(&known, [0, 1], at, self.index);
            self.index += 1;
            let sides = [pairing.first, pairing.second].map(|side| bots[side]);
            let start = self.openings.get(pairing.opening).map_err(|error| error.to_string())?;
            let [first, second] = sides.map(|bot| {
                let slot = &self.slots[bot];
                Some((slot.entrant.name.clone(), slot.player.clone()?))
            });
            let (Some(first), Some(second)) = (first, second) else {
                return Err("a bot that has left is paired, which is a fault of arbiter".to_owned());
            };
            let players = BySide { first, second };
            games.push((sides, Assignment { pairing, players, attempt: 1, start }));
        }
        self.league.begin(number, bots);
        let second = games.pop().map(|(_, game)| game);
        let tally = Tally::default();
        self.pairs.insert(number, OutPair { bots, second, open: 2, tally });
        match games.pop() {
            Some((sides, game)) => Ok(self.hand_out(number, sides, game)),
            None => Ok(NextGame::Wait),
        }
    }

    fn hand_out(&mut self, pair: u64, sides: [usize; 2], game: Assignment) -> NextGame {
        let versions = sides.map(|bot| self.slots[bot].entrant.clone());
        self.games.insert(game.pairing.index, OutGame { pair, sides, versions });
        NextGame::Play(Box::new(game))
    }

    fn game_ended(&mut self, index: u64, ended: AttemptResult) {
        let Some(OutGame { pair: number, sides, .. }) = self.games.remove(&index) else { return };
        let Some(pair) = self.pairs.get_mut(&number) else { return };
        let result = tally(ended);
        pair.tally =
            pair.tally.plus(if sides == pair.bots { result } else { result.of_opponent() });
        pair.open -= 1;
        if pair.open == 0 {
            self.end_pair(number);
        }
    }

    fn end_pair(&mut self, number: u64) {
        if let Some(OutPair { bots, tally, .. }) = self.pairs.remove(&number) {
            self.league.add(number, bots, tally);
        }
    }
}

/// The result of a game as the first side sees it; nothing if it was aborted.
fn tally(ended: AttemptResult) -> Tally {
    let mut tally = Tally::default();
    match ended.half_points() {
        Some([2, 0]) => tally.wins = 1,
        Some([0, 2]) => tally.losses = 1,
        Some([1, 1]) => tally.draws = 1,
        // Neither started, or nothing came of it: it says nothing of who is stronger.
        _ => {}
    }
    tally
}

/// A board that the workers and the league share.
#[derive(Debug, Clone)]
pub struct SharedBoard(Arc<Mutex<Board>>);

impl SharedBoard {
    pub fn new(board: Board) -> SharedBoard {
        SharedBoard(Arc::new(Mutex::new(board)))
    }

    pub fn lock(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl GameSource for SharedBoard {
    fn next(&mut self) -> NextGame {
        self.lock().next_game()
    }

    fn ended(&mut self, index: u64, ended: AttemptResult) {
        self.lock().game_ended(index, ended);
    }
}
