//! Swiss pairings compared with an exhaustive search written from the definition.

use super::*;
use crate::plays_all;
use std::cmp::Reverse;

/// The four sums of a round; an earlier one outranks the later ones.
type Sums = [i64; 4];

/// The state of a tournament before a round.
struct Tournament {
    bots: usize,
    games: i64,
    points: Vec<i64>,
    met: BTreeSet<(usize, usize)>,
    byes: Vec<u32>,
    /// Games as first side less games as second side.
    balance: Vec<i64>,
}

/// All ways to put `left` into pairs.
fn ways(left: &[usize]) -> Vec<Vec<(usize, usize)>> {
    let Some((&first, others)) = left.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for &other in others {
        let rest: Vec<usize> = others.iter().copied().filter(|&bot| bot != other).collect();
        for mut way in ways(&rest) {
            way.push((first, other));
            all.push(way);
        }
    }
    all
}

impl Tournament {
    fn new(bots: usize, games: u32) -> Tournament {
        let (points, byes, balance) = (vec![0; bots], vec![0; bots], vec![0; bots]);
        Tournament { bots, games: games.into(), points, met: BTreeSet::new(), byes, balance }
    }

    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.bots).collect();
        order.sort_by_key(|&bot| (Reverse(self.points[bot]), bot));
        order
    }

    fn rematches(&self, way: &[(usize, usize)]) -> i64 {
        way.iter().filter(|&&(a, b)| self.met.contains(&(a.min(b), a.max(b)))).count() as i64
    }

    /// The sums of a pairing of all bots, with the sides chosen as well as possible.
    fn sums(&self, way: &[(usize, usize)], order: &[usize]) -> Sums {
        let mut sums = [self.rematches(way), 0, 0, 0];
        for &(a, b) in way {
            let place = |bot| order.iter().position(|&other| other == bot).unwrap();
            let (a, b) = if place(a) < place(b) { (a, b) } else { (b, a) };
            sums[1] += (self.points[a] - self.points[b]).pow(2);
            if self.games % 2 == 1 {
                let named = |first: usize, second: usize| {
                    (self.balance[first] + 1).pow(2) + (self.balance[second] - 1).pow(2)
                };
                sums[2] += named(a, b).min(named(b, a));
            }
            let group = |bot: usize| -> Vec<usize> {
                order
                    .iter()
                    .copied()
                    .filter(|&other| self.points[other] == self.points[bot])
                    .collect()
            };
            let inside =
                |bot: usize| group(bot).iter().position(|&other| other == bot).unwrap() as i64;
            let size = group(a).len() as i64;
            sums[3] += if self.points[a] == self.points[b] {
                (2 * (inside(b) - inside(a)) - size).pow(2)
            } else {
                (2 * (size - 1 - inside(a))).pow(2) + (2 * inside(b)).pow(2)
            };
        }
        sums
    }

    /// The bot that must have the bye: of those with the fewest byes, the ones that leave the
    /// fewest rematches; of these the lowest.
    fn bye(&self) -> Option<usize> {
        if self.bots.is_multiple_of(2) {
            return None;
        }
        let fewest = self.byes.iter().min().unwrap();
        let rest =
            |bot: usize| self.order().into_iter().filter(|&other| other != bot).collect::<Vec<_>>();
        let leaves =
            |bot: usize| ways(&rest(bot)).iter().map(|way| self.rematches(way)).min().unwrap();
        self.order()
            .into_iter()
            .rev()
            .filter(|&bot| self.byes[bot] == *fewest)
            .min_by_key(|&bot| leaves(bot))
    }

    /// Checks that a round is optimal, and updates the tournament with its results.
    fn check_round(&mut self, games: &[&Pairing], bye: Option<usize>, seed: u64) -> Sums {
        assert_eq!(bye, self.bye());
        let mut order = self.order();
        order.retain(|&bot| Some(bot) != bye);
        let named: Vec<(usize, usize)> = games
            .iter()
            .filter(|game| game.game == 1)
            .map(|game| (game.first, game.second))
            .collect();
        let playing: BTreeSet<usize> = named.iter().flat_map(|&(a, b)| [a, b]).collect();
        assert_eq!(playing.len(), order.len(), "everybody once");
        let sums = self.sums(&named, &order);
        assert_eq!(Some(sums), ways(&order).iter().map(|way| self.sums(way, &order)).min());
        for &(a, b) in &named {
            let is_better =
                order.iter().position(|&bot| bot == a) < order.iter().position(|&bot| bot == b);
            let fair = self.games % 2 == 0 || self.balance[a] == self.balance[b];
            assert!(
                if fair { is_better } else { self.balance[a] < self.balance[b] },
                "who is named first"
            );
            self.met.insert((a.min(b), a.max(b)));
        }
        for game in games {
            let [first, second] = score(game, seed).unwrap_or_default();
            self.points[game.first] += i64::from(first);
            self.points[game.second] += i64::from(second);
            self.balance[game.first] += 1;
            self.balance[game.second] -= 1;
        }
        if let Some(bot) = bye {
            self.points[bot] += 2 * self.games;
            self.byes[bot] += 1;
        }
        sums
    }
}

proptest! {
    #![proptest_config(crate::cases(600))]

    #[test]
    fn no_round_could_be_better(bots in 2..=9_usize, games in 1..4_u32, rounds in 1..9_u32, seed in any::<u64>()) {
        check(bots, games, rounds, seed);
    }
}

proptest! {
    #![proptest_config(crate::cases(40))]

    #[test]
    fn no_round_of_ten_could_be_better(games in 1..4_u32, seed in any::<u64>()) {
        check(10, games, 11, seed);
    }
}

fn check(bots: usize, games: u32, rounds: u32, seed: u64) {
    let told = play(Format { games, rounds, ..named("swiss") }, &names(bots), seed, 1, 0);
    check_numbers(&told.games, &names(bots));
    let mut tournament = Tournament::new(bots, games);
    let mut notes = told.notes.iter().peekable();
    if rounds as usize * 2 > bots {
        let many = format!("[schedule] rounds = {rounds}: with {bots} bots, ");
        assert!(notes.next().unwrap().starts_with(&many));
    }
    for round in 1..=rounds {
        let of_round: Vec<&Pairing> =
            told.games.iter().filter(|game| game.round == round).collect();
        assert_eq!(of_round.len(), bots / 2 * games as usize);
        let bye = told.byes.iter().find(|bye| bye.round == round).map(|bye| bye.bot);
        let [rematches, ..] = tournament.check_round(&of_round, bye, seed);
        for _ in 0..rematches {
            let note = notes.next().unwrap();
            assert!(
                note.starts_with(&format!("round {round}: ")) && note.contains(" meet again, "),
                "{note}"
            );
        }
    }
    assert_eq!(notes.next(), None);
}

#[test]
fn many_bots_in_nine_rounds() {
    let tournaments = [(151, 1), (301, 1), (300, 1), (300, 2)];
    for &(bots, games) in if plays_all() { &tournaments } else { &tournaments[..1] } {
        let told = play(Format { games, rounds: 9, ..named("swiss") }, &names(bots), 3, 8, 1);
        check_numbers(&told.games, &names(bots));
        assert_eq!(told.games.len(), bots / 2 * games as usize * 9);
        assert_eq!(told.notes, [""; 0], "nobody meets twice");
        let paused: BTreeSet<usize> = told.byes.iter().map(|bye| bye.bot).collect();
        assert_eq!(paused.len(), if bots % 2 == 1 { 9 } else { 0 }, "nobody pauses twice");
    }
}

#[test]
fn the_first_round_is_upper_half_against_lower_half() {
    let told = play(Format { games: 2, rounds: 1, ..named("swiss") }, &names(8), 0, 1, 0);
    let pairs: Vec<_> =
        told.games.iter().step_by(2).map(|game| (game.first, game.second)).collect();
    assert_eq!(pairs, [(0, 4), (1, 5), (2, 6), (3, 7)]);
}

#[test]
fn notes_name_key_and_bots() {
    let told = play(Format { games: 2, rounds: 2, ..named("swiss") }, &names(2), 0, 1, 0);
    assert!(told.notes[0].starts_with("[schedule] rounds = 2: with 2 bots"), "{:?}", told.notes);
    assert_eq!(
        told.notes[1],
        "round 2: m0 and Z1 meet again, because no other pairing of all bots was possible"
    );
}
