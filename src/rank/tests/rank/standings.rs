//! Standings compared with a slow second implementation, written from definitions 12 and 14 to 16:
//! plain loops over a list of games, in points instead of halves and quarters of them.

use arbiter_game::Fault;
use arbiter_rank::standings::{
    Cluster, Encounters, Occurrences, RankedBot, Ranking, Score, Scored, Standings,
};
use arbiter_rules::seed::Generator;
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A random game.
#[derive(Debug, Clone, PartialEq)]
struct Game {
    first: usize,
    second: usize,
    /// Points of the first side.
    score: Option<f64>,
    outcome: &'static str,
    termination: &'static str,
    pair: Option<String>,
    plies: Option<u64>,
}

impl Game {
    fn has(&self, bot: usize) -> bool {
        [self.first, self.second].contains(&bot)
    }

    /// Neither bot started: both lost, and ratings leave the game out.
    fn is_lost_by_both(&self) -> bool {
        self.score.is_none() && self.outcome == "forfeit"
    }

    fn is_lost_by(&self, bot: usize) -> bool {
        self.is_lost_by_both() || self.score.is_some() && self.points(bot) == 0.0
    }

    /// The points of a bot in it.
    fn points(&self, bot: usize) -> f64 {
        let score = self.score.unwrap();
        if bot == self.first { score } else { 1.0 - score }
    }

    fn score(&self) -> Option<Score> {
        self.score.map(|score| Score::ALL[(2.0 * score) as usize])
    }
}

/// The whole input of standings.
#[derive(Debug, Clone)]
struct Cup {
    bots: usize,
    games: Vec<Game>,
    /// Pairings, for Buchholz; may be empty.
    pairings: Vec<[usize; 2]>,
    /// Bots and points.
    byes: Vec<(usize, f64)>,
}

fn name(bot: usize) -> String {
    format!("bot{}", 9 - bot)
}

impl Cup {
    /// Games with a score of each side.
    fn counted(&self) -> impl Iterator<Item = &Game> {
        self.games.iter().filter(|game| game.score.is_some())
    }

    fn points(&self, bot: usize) -> f64 {
        let games: f64 =
            self.counted().filter(|game| game.has(bot)).map(|game| game.points(bot)).sum();
        games + self.byes.iter().filter(|bye| bye.0 == bot).map(|bye| bye.1).sum::<f64>()
    }

    /// With byes and without.
    fn sonneborn_berger(&self, bot: usize) -> [f64; 2] {
        let mut played = 0.0;
        for game in self.counted().filter(|game| game.has(bot)) {
            played += game.points(bot) * self.points(game.first + game.second - bot);
        }
        let byes = self.byes.iter().filter(|bye| bye.0 == bot);
        [played + byes.map(|bye| bye.1 * self.points(bot)).sum::<f64>(), played]
    }

    fn buchholz(&self, bot: usize) -> [f64; 2] {
        let mut played = 0.0;
        for &[one, other] in self.pairings.iter().filter(|pairing| pairing.contains(&bot)) {
            played += self.points(one + other - bot);
        }
        if self.pairings.is_empty() {
            let met = |other: &usize| self.met(bot, *other) > 0;
            played = (0..self.bots).filter(met).map(|other| self.points(other)).sum();
        }
        let byes = self.byes.iter().filter(|bye| bye.0 == bot).count() as f64;
        [played + byes * self.points(bot), played]
    }

    fn met(&self, bot: usize, other: usize) -> usize {
        self.counted().filter(|game| bot != other && game.has(bot) && game.has(other)).count()
    }

    /// Points against the bots with the same points, if those met equally often.
    fn head_to_head(&self, bot: usize) -> Option<f64> {
        let tied: Vec<usize> =
            (0..self.bots).filter(|&other| self.points(other) == self.points(bot)).collect();
        let mut often: Vec<usize> = Vec::new();
        for &one in &tied {
            often.extend(
                tied.iter().filter(|&&other| other != one).map(|&other| self.met(one, other)),
            );
        }
        let equally = often.iter().all(|&games| games == often[0] && games > 0);
        let among =
            |game: &&Game| game.has(bot) && tied.contains(&(game.first + game.second - bot));
        (tied.len() > 1 && equally)
            .then(|| self.counted().filter(among).map(|game| game.points(bot)).sum())
    }

    fn wins(&self, bot: usize) -> f64 {
        self.counted().filter(|game| game.has(bot) && game.points(bot) == 1.0).count() as f64
    }

    /// The ranking criteria; greater is better.
    fn key(&self, ranking: &Ranking, bot: usize) -> Vec<f64> {
        let (points, berger) = (self.points(bot), self.sonneborn_berger(bot)[0]);
        match ranking {
            Ranking::Points => {
                vec![points, self.head_to_head(bot).unwrap_or(0.0), berger, self.wins(bot)]
            }
            Ranking::Swiss => vec![points, self.buchholz(bot)[0], berger],
            Ranking::Knockout(places) | Ranking::Rating(places) => {
                vec![-(places[bot] as f64)]
            }
        }
    }

    /// Pairs with sides exchanged, and games without partner; their order does not matter.
    fn clusters(&self) -> Vec<Vec<&Game>> {
        let mut clusters: Vec<Vec<&Game>> = Vec::new();
        for game in self.counted() {
            let is_partner = |cluster: &Vec<&Game>| {
                let other = cluster[0];
                let swapped = (other.first, other.second) == (game.second, game.first);
                cluster.len() == 1 && swapped && game.pair.is_some() && other.pair == game.pair
            };
            match clusters.iter().position(is_partner) {
                Some(at) => clusters[at].push(game),
                None => clusters.push(vec![game]),
            }
        }
        clusters
    }

    /// The clusters, each with the number of its copies: those with the same games repeat each
    /// other.
    fn copies(&self) -> Vec<(Vec<&Game>, u32)> {
        let key = |cluster: &[&Game]| {
            let game = |game: &&Game| {
                Some((game.first, game.second, game.score.map(f64::to_bits), game.plies?))
            };
            let mut games = cluster.iter().map(game).collect::<Option<Vec<_>>>()?;
            games.sort_unstable();
            Some(games)
        };
        let mut copies: Vec<(Vec<&Game>, u32)> = Vec::new();
        for cluster in self.clusters() {
            let own = key(&cluster);
            match copies.iter_mut().find(|(other, _)| own.is_some() && key(other) == own) {
                Some((_, count)) => *count += 1,
                None => copies.push((cluster, 1)),
            }
        }
        copies
    }

    fn share_error(&self, bot: usize) -> Option<f64> {
        let lost =
            self.games.iter().filter(|game| game.has(bot) && game.is_lost_by_both()).count() as f64;
        let games = self.counted().filter(|game| game.has(bot)).count() as f64 + lost;
        let points: f64 =
            self.counted().filter(|game| game.has(bot)).map(|game| game.points(bot)).sum();
        let mut sum = if games > 0.0 { lost * (points / games).powi(2) } else { 0.0 };
        for (cluster, copies) in self.copies().iter().filter(|(cluster, _)| cluster[0].has(bot)) {
            let scored: f64 = cluster.iter().map(|game| game.points(bot)).sum();
            sum += (f64::from(*copies) * (scored - points / games * cluster.len() as f64)).powi(2);
        }
        (games > 0.0).then(|| 1.959_963_984_540_054 * sum.sqrt() / games)
    }

    fn encounters(&self) -> Encounters {
        let mut encounters = Encounters::default();
        for (games, copies) in self.copies() {
            let scores: Vec<Score> = games.iter().filter_map(|game| game.score()).collect();
            let cluster = match scores[..] {
                [one, other] => Cluster::Pair([one, other]),
                _ => Cluster::Single(scores[0]),
            };
            (0..copies)
                .for_each(|copy| encounters.add(games[0].first, games[0].second, cluster, copy));
        }
        encounters
    }

    /// The standings under test; byes and pairings are added between the games.
    fn standings(&self, ranking: Ranking) -> Standings {
        let mut standings = Standings::new(ranking);
        for bot in 0..self.bots {
            assert_eq!(standings.enter(&name(bot)), bot);
        }
        for bye in self.byes.iter().take(1) {
            standings.bye(bye.0, (2.0 * bye.1) as u64);
        }
        for game in &self.games {
            let (first, second) = (name(game.first), name(game.second));
            standings.add(&Scored {
                margin: None,
                first: &first,
                second: &second,
                score: game.score(),
                outcome: game.outcome,
                termination: game.termination,
                pair: game.pair.as_deref(),
                plies: game.plies,
            });
        }
        for bye in self.byes.iter().skip(1) {
            standings.bye(bye.0, (2.0 * bye.1) as u64);
        }
        for &[one, other] in &self.pairings {
            standings.pair(one, other);
        }
        standings
    }
}

fn some_game(bots: usize) -> impl Strategy<Value = Game> {
    let outcome = prop_oneof![
        Just(("win", "normal")),
        Just(("suicide", "normal")),
        Just(("forfeit", "timeout")),
        Just(("forfeit", "crash")),
        Just(("", "")),
    ];
    let pair = prop_oneof![3 => Just(None), 7 => (0..4_u32).prop_map(Some)];
    let score = prop_oneof![1 => Just(None), 9 => (0..3_u32).prop_map(Some)];
    (0..bots, 1..bots, score, outcome, pair, prop::option::of(0..4_u64)).prop_map(
        move |(first, step, score, (outcome, termination), pair, plies)| Game {
            first,
            second: (first + step) % bots,
            score: score.map(|halves| f64::from(halves) / 2.0),
            outcome,
            termination,
            pair: pair.map(|pair| pair.to_string()),
            plies,
        },
    )
}

fn some_cup() -> impl Strategy<Value = Cup> {
    (2..7_usize).prop_flat_map(|bots| {
        let pairing = (0..bots, 1..bots).prop_map(move |(one, step)| [one, (one + step) % bots]);
        let byes = prop::collection::vec(
            (0..bots, (1..5_u32).prop_map(|halves| f64::from(halves) / 2.0)),
            0..3,
        );
        let games = prop::collection::vec(some_game(bots), 0..30);
        (games, prop::collection::vec(pairing, 0..8), byes).prop_map(
            move |(mut games, pairings, byes)| {
                // At most two games have the same tag: with three, the partners would depend on
                // their order.
                let mut uses: BTreeMap<(usize, usize, String), usize> = BTreeMap::new();
                for game in &mut games {
                    let Some(pair) = &game.pair else { continue };
                    let key =
                        (game.first.min(game.second), game.first.max(game.second), pair.clone());
                    let count = uses.entry(key).or_default();
                    *count += 1;
                    if *count > 2 {
                        game.pair = None;
                    }
                }
                Cup { bots, games, pairings, byes }
            },
        )
    })
}

fn some_ranking() -> impl Strategy<Value = Ranking> {
    let places = prop::collection::vec(1..4_usize, 6);
    prop_oneof![Just(Ranking::Points), Just(Ranking::Swiss), places.prop_map(Ranking::Knockout)]
}

/// The result of the slow implementation in halves or quarters of a point.
fn times(factor: f64, points: [f64; 2]) -> [u64; 2] {
    points.map(|points| (factor * points) as u64)
}

/// The copies, clusters and squares of each two bots and result, without regard to which of them
/// had the first side in game 1 of a pair.
fn unordered(encounters: &Encounters) -> BTreeMap<(usize, usize, Cluster), [u64; 3]> {
    let mut counts = BTreeMap::new();
    for ((first, second), cell) in encounters.iter() {
        for (cluster, occurred) in cell.clusters() {
            let key = match cluster {
                Cluster::Pair([one, other]) if second < first => {
                    (second, first, Cluster::Pair([other, one]))
                }
                _ => (first, second, cluster),
            };
            let sums: &mut [u64; 3] = counts.entry(key).or_default();
            let Occurrences { copies, clusters, squares } = occurred;
            for (sum, count) in sums.iter_mut().zip([copies, clusters, squares]) {
                *sum += count;
            }
        }
    }
    counts
}

proptest! {
    #![proptest_config(crate::cases(3000))]

    #[test]
    fn ranks_and_tie_breaks_are_those_of_the_definitions(cup in some_cup(), ranking in some_ranking()) {
        let standings = cup.standings(ranking.clone());
        let table = standings.table();
        let better = |one: usize, other: usize| {
            let [one, other] = [one, other].map(|bot| cup.key(&ranking, bot));
            one.partial_cmp(&other) == Some(Ordering::Greater)
        };
        for RankedBot { rank, bot, row, ties } in &table {
            let bot = *bot;
            prop_assert_eq!(&row.name, &name(bot));
            prop_assert_eq!(row.points(), cup.points(bot));
            prop_assert_eq!([ties.sonneborn_berger, ties.sonneborn_berger_played], times(4.0, cup.sonneborn_berger(bot)));
            prop_assert_eq!([ties.buchholz, ties.buchholz_played], times(4.0, cup.buchholz(bot)));
            prop_assert_eq!(ties.head_to_head, cup.head_to_head(bot).map(|points| (2.0 * points) as u64));
            prop_assert_eq!(*rank, 1 + (0..cup.bots).filter(|&other| better(other, bot)).count());
        }
        prop_assert!(table.is_sorted_by_key(|placed| (placed.rank, placed.bot)), "equals in the order of entering");
        prop_assert_eq!(table.len(), cup.bots);
    }

    #[test]
    fn counts_are_those_of_plain_loops(cup in some_cup()) {
        let mut standings = cup.standings(Ranking::Points);
        for (bot, row) in standings.rows().iter().enumerate() {
            let count = |what: &dyn Fn(&Game) -> bool| cup.games.iter().filter(|game| game.has(bot) && what(game)).count() as u64;
            let scored = |points: f64| count(&|game| game.score.is_some() && game.points(bot) == points);
            let lost_by = |outcome, reason: &str| count(&|game| {
                game.is_lost_by(bot) && game.outcome == outcome && game.termination.contains(reason)
            });
            prop_assert_eq!([row.wins, row.draws, row.losses], [scored(1.0), scored(0.5), count(&|game| game.is_lost_by(bot))]);
            prop_assert_eq!(row.games, row.wins + row.draws + row.losses);
            prop_assert_eq!(row.aborted, count(&|game| game.score.is_none() && !game.is_lost_by_both()));
            prop_assert_eq!([row.suicides, row.forfeits], [lost_by("suicide", ""), lost_by("forfeit", "")]);
            for (fault, &faults) in Fault::ALL.iter().zip(&row.faults) {
                prop_assert_eq!(faults, lost_by("forfeit", fault.word()));
            }
            let byes: Vec<f64> = cup.byes.iter().filter(|bye| bye.0 == bot).map(|bye| bye.1).collect();
            prop_assert_eq!((standings.byes(bot), row.bye_half_points), (byes.len(), (2.0 * byes.iter().sum::<f64>()) as u64));
            let points = cup.points(bot) - byes.iter().sum::<f64>();
            prop_assert_eq!(row.share(), (row.games > 0).then(|| points / row.games as f64));
            let counted: Vec<&Game> = cup.counted().collect();
            let again = counted.iter().enumerate().filter(|(at, game)| {
                let same = |other: &&Game| (other.first, other.second, other.plies) == (game.first, game.second, game.plies);
                game.has(bot) && game.plies.is_some() && counted[..*at].iter().any(same)
            });
            prop_assert_eq!(row.repeated, again.count() as u64);
        }
        let of_first = |points| cup.counted().filter(|game| game.score == Some(points)).count() as u64;
        let first = standings.first_side();
        prop_assert_eq!([first.wins, first.draws, first.losses], [1.0, 0.5, 0.0].map(of_first));
        // Checked before the end of the log and after it: only the clusters differ.
        for _ in 0..2 {
            let crosstable = standings.crosstable();
            for (one, other) in (0..cup.bots).flat_map(|one| (0..cup.bots).map(move |other| (one, other))) {
                let versus = crosstable.versus(one, other);
                prop_assert_eq!(versus.games, cup.met(one, other) as u64);
                let both = cup.counted().filter(|game| one != other && game.has(one) && game.has(other));
                prop_assert_eq!(versus.half_points as f64 / 2.0, both.map(|game| game.points(one)).sum::<f64>());
            }
            standings.end_of_log();
        }
        prop_assert_eq!(unordered(standings.encounters()), unordered(&cup.encounters()));
        for (bot, error) in standings.share_errors().into_iter().enumerate() {
            let expected = cup.share_error(bot);
            prop_assert_eq!(error.is_some(), expected.is_some());
            let (error, expected) = (error.unwrap_or(0.0), expected.unwrap_or(0.0));
            prop_assert!((error - expected).abs() < 1e-9, "{} {}", error, expected);
        }
    }

    #[test]
    fn the_order_of_games_changes_nothing_but_who_began_a_pair(
        cup in some_cup(), ranking in some_ranking(), order in any::<u64>(),
    ) {
        let mut mixed = cup.clone();
        let mut lot = Generator::from_state(order);
        for at in (1..mixed.games.len()).rev() {
            mixed.games.swap(at, lot.below(at as u64 + 1) as usize);
        }
        for pairing in &mut mixed.pairings {
            pairing.reverse();
        }
        mixed.pairings.reverse();
        let [mut one, mut other] = [&cup, &mixed].map(|cup| cup.standings(ranking.clone()));
        prop_assert_eq!(one.rows(), other.rows());
        prop_assert_eq!(one.first_side(), other.first_side());
        prop_assert_eq!(one.crosstable(), other.crosstable());
        let lines = |standings: &Standings| -> Vec<_> {
            standings.table().iter().map(|placed| (placed.rank, placed.bot, placed.ties)).collect()
        };
        prop_assert_eq!(lines(&one), lines(&other));
        // Until then, which of several games of a tag waits for its partner is a matter of their
        // order.
        one.end_of_log();
        other.end_of_log();
        for (error, again) in one.share_errors().into_iter().zip(other.share_errors()) {
            prop_assert!((error.unwrap_or(-1.0) - again.unwrap_or(-1.0)).abs() < 1e-9);
        }
        prop_assert_eq!(unordered(one.encounters()), unordered(other.encounters()));
    }
}
