//! Whether the tags of logs show that White, or the side that the game says, moved first.
//!
//! Some tools name the winner first and write no other tags: rated with an advantage of the first
//! side, such games give it hundreds of Elo, and every rating a wide interval.

use super::hash_of;
use arbiter_game::record::GameHead;
use arbiter_rules::Ruleset;
use std::collections::HashMap;

/// What the tags of the games so far show.
#[derive(Debug, Clone, Default)]
pub(super) struct SideEvidence {
    games: u64,
    /// The games whose tags show which side moved first.
    shown: u64,
    /// The last game with its options, and whether there is such a game.
    last_rules: (String, String),
    is_last_known: bool,
    /// The last round of each two players.
    rounds: HashMap<u64, RoundOfTwo>,
}

/// The games of two players in a round, by a hash of its name.
#[derive(Debug, Clone, Copy)]
struct RoundOfTwo {
    round: u64,
    games: u32,
    /// Whether the lesser name was White in the first of them.
    is_lesser_white: bool,
    /// Whether they are two games with sides exchanged.
    is_pair: bool,
}

impl SideEvidence {
    /// Adds a game that has a result.
    pub fn add(&mut self, game: &GameHead) {
        self.games += 1;
        if game.tag("FEN").is_some() || game.tag("Pair").is_some() || self.is_known_game(game) {
            self.shown += 1;
        } else {
            self.add_to_round(game);
        }
    }

    /// Whether an advantage of the first side can be estimated. Nine of ten games suffice, because
    /// a run that was cut off leaves games without partners.
    pub fn is_sufficient(&self) -> bool {
        10 * self.shown >= 9 * self.games
    }

    /// Whether it is a game of arbiter with options, such as a size, that this game has.
    fn is_known_game(&mut self, game: &GameHead) -> bool {
        let Some(name) = game.tag("Game") else { return false };
        let options = game.tag("Options").unwrap_or_default();
        if (&*self.last_rules.0, &*self.last_rules.1) != (name, options) {
            self.last_rules = (name.to_owned(), options.to_owned());
            self.is_last_known = Ruleset::named(name, options).is_ok();
        }
        self.is_last_known
    }

    /// Two games of a round with sides exchanged show the sides. A third one shows that the tag
    /// says nothing: some tools write the same round in all games.
    fn add_to_round(&mut self, game: &GameHead) {
        let tags = ["Round", "White", "Black"].map(|name| game.tag(name));
        let [Some(name), Some(white), Some(black)] = tags else { return };
        if ["", "?", "-"].contains(&name) {
            return;
        }
        // 7.1 and 7.2 are games of round 7.
        let round = hash_of(&name.rsplit_once('.').map_or(name, |(round, _)| round));
        let players = hash_of(&[white.min(black), white.max(black)]);
        let is_lesser_white = white < black;
        let begun = RoundOfTwo { round, games: 0, is_lesser_white, is_pair: false };
        let of_two = self.rounds.entry(players).or_insert(begun);
        if of_two.round != round {
            *of_two = begun;
        }
        of_two.games += 1;
        if of_two.is_pair {
            of_two.is_pair = false;
            self.shown -= 2;
        } else if of_two.games == 2 && of_two.is_lesser_white != is_lesser_white {
            of_two.is_pair = true;
            self.shown += 2;
        }
    }
}
