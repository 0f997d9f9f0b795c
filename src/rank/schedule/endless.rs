//! A league without an end: its games are chosen while it is played ([`crate::league`]), so it
//! schedules none. It says which game a number between two bots is.

use super::format::{Format, FormatKind, FormatState, NextGames};
use super::results::Results;
use super::{Bots, Pairing, round_robin};
use arbiter_game::game_id::game_id;

pub(super) const KIND: FormatKind = FormatKind {
    word: "league",
    help: "without an end (`arbiter league`): who meets whom is chosen by the ratings so far",
    keys: &[],
    is_endless: true,
    games: |_, _| 0,
    openings: |_| 1,
    pairs_at_once: |_, _| u64::MAX,
    begin: |_: &Format, _: &Bots| Box::new(Endless),
    ..round_robin::KIND
};

#[derive(Debug)]
struct Endless;

impl FormatState for Endless {
    fn next(&mut self, _: &Results, _: u64) -> NextGames {
        NextGames::Over
    }
}

impl Pairing {
    /// The game of this number, from 1, between two bots of a league without an end. Games 2k-1 and
    /// 2k are a pair: both begin with opening k, with sides swapped.
    pub fn in_league(bots: &Bots, pair: [usize; 2], number: u64, index: u64) -> Pairing {
        let [odd, even] = bots.by_sides(pair);
        let [first, second] = if number % 2 == 1 { [odd, even] } else { [even, odd] };
        let opening = number.div_ceil(2);
        Pairing {
            id: game_id(&bots.names()[odd], &bots.names()[even], number),
            index,
            share_unit: index,
            meeting: index,
            round: 1,
            game: number,
            number,
            first,
            second,
            pair: Some(opening),
            opening,
        }
    }
}
