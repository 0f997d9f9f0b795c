//! Who plays whom: the bots with their programs, and the games that are handed out. A pair is two
//! games on one opening with sides swapped; [`League`] says which is next.

mod asked;

use arbiter_cup::tournament::{AttemptResult, Entrant};
use arbiter_game::openings::Openings;
use arbiter_play::arena::{Assignment, GameSource, NextGame, PlayerSpec};
use arbiter_rank::league::{League, NextPair, Tally, Why};
use arbiter_rank::schedule::{Bots, Pairing};
use arbiter_rules::BySide;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, VecDeque};
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
    games_before: u64,
}

/// A game that was handed out.
#[derive(Debug)]
struct OutGame {
    pair: u64,
    /// The slots of the two sides.
    sides: [usize; 2],
    /// The versions that play, which may not be the present ones when it ends.
    between: GameBetween,
}

/// A bot with its permanent number, from which sides follow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NumberedBot {
    pub entrant: Entrant,
    pub number: u32,
}

/// A game of two versions, as another process can be told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameBetween {
    pub bots: [NumberedBot; 2],
    /// The number of the game between the two, from 1.
    pub number: u64,
}

impl GameBetween {
    /// The game as it has this index in a run.
    pub fn pairing(&self, index: u64) -> Pairing {
        let names = self.bots.iter().map(|bot| bot.entrant.name.clone()).collect();
        let numbers = self.bots.iter().map(|bot| bot.number).collect();
        Pairing::in_league(&Bots::numbered(names, Some(numbers)), [0, 1], self.number, index)
    }
}

/// A game that was not handed out yet.
#[derive(Debug)]
struct WaitingGame {
    assignment: Assignment,
    game: OutGame,
}

/// A pair whose games are not all over.
#[derive(Debug)]
struct OutPair {
    /// The slots of the two bots.
    bots: [usize; 2],
    /// Its second game, until that is handed out.
    second: Option<WaitingGame>,
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
    /// Games that were lent and came back without a result: the workers of this process play them.
    returned: VecDeque<Assignment>,
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
            returned: VecDeque::new(),
            index: 0,
            is_paused: false,
        }
    }

    /// From now on no game begins, or games begin again. Returns whether it was paused before.
    pub fn pause(&mut self, is_paused: bool) -> bool {
        mem::replace(&mut self.is_paused, is_paused)
    }

    /// A bot joins, or its new version replaces the one that plays, which is returned.
    pub fn join(
        &mut self,
        entrant: &Entrant,
        number: u32,
        player: PlayerSpec,
    ) -> Option<PlayerSpec> {
        let entrant = entrant.clone();
        let mut replaced = None;
        let bot = match self.slot(&entrant.name) {
            Some(bot) => {
                replaced = self.slots[bot].player.replace(player);
                self.slots[bot].entrant = entrant;
                self.drop_second_games(bot);
                bot
            }
            None => {
                self.slots.push(Slot { entrant, number, player: Some(player), games_before: 0 });
                self.slots.len() - 1
            }
        };
        self.slots[bot].games_before += self.league.games(bot);
        self.league.join(bot, self.slots[bot].games_before);
        replaced
    }

    /// A bot leaves; its running games end. Returns what has played.
    pub fn leave(&mut self, name: &str) -> Option<PlayerSpec> {
        let bot = self.slot(name)?;
        let left = self.slots[bot].player.take();
        self.drop_second_games(bot);
        self.league.leave(bot);
        left
    }

    /// The result of a game of present versions that the journal has: the one of this number there,
    /// from 1, before any pair begins; 0 after that.
    pub fn add_result(&mut self, number: u64, first: &str, second: &str, ended: AttemptResult) {
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
            let why = match why {
                Why::AskedFor => format!("{why} by {}", names[0]),
                why => why.to_string(),
            };
            shown.push((names, why));
        }
        shown
    }

    /// The versions that play the game of this index.
    pub fn versions_of(&self, index: u64) -> Option<[Entrant; 2]> {
        Some(self.games.get(&index)?.between.bots.clone().map(|bot| bot.entrant))
    }

    /// A game for another process; `None` while a returned game waits, because the next one may
    /// fail there for the same reason.
    pub fn lend(&mut self) -> Option<(Assignment, GameBetween)> {
        if !self.returned.is_empty() {
            return None;
        }
        let NextGame::Play(assignment) = self.new_game() else { return None };
        let between = self.games.get(&assignment.pairing.index)?.between.clone();
        Some((*assignment, between))
    }

    /// A game that was lent came back without a result. It is played here, unless a bot of it has
    /// another version by now.
    pub fn give_back(&mut self, assignment: Assignment) {
        let index = assignment.pairing.index;
        let Some(game) = self.games.get(&index) else { return };
        if self.are_present(&game.between) {
            self.returned.push_back(assignment);
        } else {
            self.game_ended(index, AttemptResult::Aborted);
        }
    }

    /// A game that an earlier run has lent, which may still come back; `None` if a bot of it has
    /// another version by now.
    pub fn adopt(&mut self, between: &GameBetween) -> Option<Assignment> {
        if !self.are_present(between) {
            return None;
        }
        let names = between.bots.each_ref().map(|bot| bot.entrant.name.clone());
        let [Some(one), Some(other)] = names.each_ref().map(|name| self.slot(name)) else {
            return None;
        };
        let last = self.last_numbers.entry(sorted(names)).or_default();
        // Its pair keeps both numbers.
        *last = (*last).max(between.number + between.number % 2);
        let number = self.league.next_number();
        let game = self.assignment(between.clone(), [one, other], number).ok()?;
        self.league.begin(number, [one, other]);
        let pair = OutPair { bots: [one, other], second: None, open: 1, tally: Tally::default() };
        self.pairs.insert(number, pair);
        Some(self.hand_out(game))
    }

    /// Whether these versions play.
    fn are_present(&self, between: &GameBetween) -> bool {
        between.bots.iter().all(|NumberedBot { entrant: wanted, .. }| {
            let Some(bot) = self.slot(&wanted.name) else { return false };
            let Slot { entrant, player, .. } = &self.slots[bot];
            player.is_some() && entrant.digest == wanted.digest
        })
    }

    /// The number of counted games of a bot's present version.
    pub fn games(&self, name: &str) -> u64 {
        self.slot(name).map_or(0, |bot| self.league.games(bot))
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.slots.iter().position(|slot| slot.entrant.name == name)
    }

    /// A new version does not play what is left for an old one: a pair whose second game was not
    /// handed out is over with its first one, and games that came back are not played.
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
        for game in mem::take(&mut self.returned) {
            let index = game.pairing.index;
            if self.games.get(&index).is_some_and(|out| out.sides.contains(&bot)) {
                self.game_ended(index, AttemptResult::Aborted);
            } else {
                self.returned.push_back(game);
            }
        }
    }

    fn next_game(&mut self) -> NextGame {
        if !self.is_paused
            && let Some(game) = self.returned.pop_front()
        {
            return NextGame::Play(Box::new(game));
        }
        self.new_game()
    }

    /// A game that was not handed out before.
    fn new_game(&mut self) -> NextGame {
        if self.is_paused {
            return NextGame::Wait;
        }
        if let Some(second) = self.pairs.values_mut().find_map(|pair| pair.second.take()) {
            return NextGame::Play(Box::new(self.hand_out(second)));
        }
        let Some(NextPair { number, one, other, .. }) = self.league.next_pair() else {
            return NextGame::Wait;
        };
        match self.begin_pair(number, [one, other]) {
            Ok(game) => NextGame::Play(Box::new(game)),
            Err(why) => NextGame::Broken(why),
        }
    }

    /// Begins a pair, and hands out its first game.
    fn begin_pair(&mut self, number: u64, bots: [usize; 2]) -> Result<Assignment, String> {
        let numbered = bots.map(|bot| {
            let slot = &self.slots[bot];
            NumberedBot { entrant: slot.entrant.clone(), number: slot.number }
        });
        let names = numbered.each_ref().map(|bot| bot.entrant.name.clone());
        let last = self.last_numbers.entry(sorted(names)).or_default();
        // The number of a pair's first game is odd, also after one that was broken off.
        let at = *last + 1 + *last % 2;
        *last = at + 1;
        let first = GameBetween { bots: numbered, number: at };
        let second = GameBetween { number: at + 1, ..first.clone() };
        let first = self.assignment(first, bots, number)?;
        let second = self.assignment(second, bots, number)?;
        self.league.begin(number, bots);
        let pair = OutPair { bots, second: Some(second), open: 2, tally: Tally::default() };
        self.pairs.insert(number, pair);
        Ok(self.hand_out(first))
    }

    /// A game of the pair of this number, of the bots in these slots.
    fn assignment(
        &mut self,
        between: GameBetween,
        slots: [usize; 2],
        pair: u64,
    ) -> Result<WaitingGame, String> {
        let pairing = between.pairing(self.index);
        self.index += 1;
        let sides = [pairing.first, pairing.second].map(|side| slots[side]);
        let start = self.openings.get(pairing.opening).map_err(|error| error.to_string())?;
        let [first, second] = sides.map(|bot| {
            let slot = &self.slots[bot];
            Some((slot.entrant.name.clone(), slot.player.clone()?))
        });
        let (Some(first), Some(second)) = (first, second) else {
            return Err("a bot that has left is paired, which is a fault of arbiter".to_owned());
        };
        let players = BySide { first, second };
        let assignment = Assignment { pairing, players, attempt: 1, start };
        Ok(WaitingGame { assignment, game: OutGame { pair, sides, between } })
    }

    fn hand_out(&mut self, WaitingGame { assignment, game }: WaitingGame) -> Assignment {
        self.games.insert(assignment.pairing.index, game);
        assignment
    }

    fn game_ended(&mut self, index: u64, ended: AttemptResult) {
        let Some(OutGame { pair: number, sides, .. }) = self.games.remove(&index) else { return };
        let Some(pair) = self.pairs.get_mut(&number) else { return };
        let result = tally(ended);
        let of_first = if sides == pair.bots { result } else { result.of_opponent() };
        pair.tally = pair.tally.plus(of_first);
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

/// The names of two bots as an id has them.
fn sorted(mut names: [String; 2]) -> (String, String) {
    names.sort();
    let [one, other] = names;
    (one, other)
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

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_play::arena::Person;
    use arbiter_rules::Ruleset;

    fn entrant(name: &str, digest: &str) -> Entrant {
        Entrant {
            name: name.to_owned(),
            private: None,
            program: String::new(),
            digest: Some(digest.to_owned()),
            content: None,
            products: BTreeMap::new(),
            folder: None,
            display: None,
        }
    }

    /// A board with the bots `a` and `b`, which have never played.
    fn board() -> Board {
        let mut board = Board::new(
            Openings::random(Ruleset::named("gekitai", "").unwrap(), 0, 0),
            HashMap::new(),
        );
        for (name, number) in [("a", 1), ("b", 2)] {
            board.join(&entrant(name, "one"), number, PlayerSpec::Person(Person::new(|_| {}).0));
        }
        board
    }

    fn next_id(board: &mut Board) -> String {
        match board.next_game() {
            NextGame::Play(game) => game.pairing.id,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_game_that_comes_back_is_played_here_and_lends_no_other() {
        let mut board = board();
        let (game, between) = board.lend().unwrap();
        assert_eq!(game.pairing, between.pairing(game.pairing.index));
        assert_eq!(game.pairing.id, "a~b.1");
        board.give_back(game);
        assert!(board.lend().is_none());
        assert_eq!(next_id(&mut board), "a~b.1");
        assert_eq!(board.lend().unwrap().0.pairing.id, "a~b.2");
    }

    #[test]
    fn what_an_old_version_was_lent_is_not_played_by_the_new_one() {
        let mut board = board();
        let games = [board.lend().unwrap().0, board.lend().unwrap().0];
        let person = PlayerSpec::Person(Person::new(|_| {}).0);
        let [before, after] = games;
        board.give_back(before);
        board.join(&entrant("a", "two"), 1, person);
        board.give_back(after);
        assert_eq!(next_id(&mut board), "a~b.3");
        assert!(board.pairs.len() == 1 && board.games.len() == 1, "{board:?}");
    }

    #[test]
    fn a_game_that_an_earlier_run_has_lent_keeps_its_number() {
        let between = board().lend().unwrap().1;
        let mut after = board();
        let adopted = after.adopt(&between).unwrap();
        assert_eq!(adopted.pairing.id, "a~b.1");
        assert_eq!(next_id(&mut after), "a~b.3", "2 belongs to its pair");
        after.game_ended(adopted.pairing.index, AttemptResult::Scored([2, 0]));
        assert_eq!(after.games("a"), 1);
        let mut other = board();
        other.leave("b");
        assert!(other.adopt(&between).is_none());
    }
}
