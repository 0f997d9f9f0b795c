use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::HashSet;

fn game<'a>(first: &'a str, second: &'a str, score: Score) -> Scored<'a> {
    Scored { score: Some(score), outcome: "win", ..Scored::between(first, second) }
}

#[test]
fn every_kind_of_result_is_counted_once() {
    let mut standings = Standings::new(Ranking::Points);
    standings.enter("a");
    standings.enter("b");
    standings.add(&game("a", "b", Score::Win));
    standings.add(&Scored { outcome: "suicide", ..game("b", "a", Score::Loss) });
    standings.add(&Scored {
        outcome: "forfeit",
        termination: "timeout",
        ..game("a", "b", Score::Loss)
    });
    standings.add(&game("b", "a", Score::Draw));
    standings.add(&Scored::between("a", "b"));
    standings.add(&Scored { outcome: "", ..game("b", "a", Score::Win) });
    let table = standings.table();
    let line = |row: &Row| {
        let counts =
            [row.games, row.wins, row.draws, row.losses, row.suicides, row.forfeits, row.aborted];
        (row.name.clone(), row.half_points, counts)
    };
    assert_eq!(line(table[0].row), ("a".to_owned(), 5, [5, 2, 1, 2, 0, 1, 1]));
    assert_eq!(line(table[1].row), ("b".to_owned(), 5, [5, 2, 1, 2, 1, 0, 1]));
    assert_eq!((table[0].rank, table[1].rank), (1, 1));
    assert_eq!(table[0].row.faults[0], 1, "by reason");
    assert_eq!(standings.first_side(), FirstSideResults { wins: 2, draws: 1, losses: 2 });
}

#[test]
fn pairs_are_put_together_and_odd_games_stand_alone() {
    let mut standings = Standings::new(Ranking::Points);
    let paired =
        |first, second, score, pair| Scored { pair: Some(pair), ..game(first, second, score) };
    standings.add(&paired("a", "b", Score::Win, "1"));
    standings.add(&paired("a", "b", Score::Draw, "2"));
    standings.add(&paired("b", "a", Score::Draw, "1")); // a scores 3/2 of pair 1
    standings.add(&game("b", "a", Score::Win));
    standings.end_of_log();
    let mut expected = Encounters::default();
    expected.add_pair(0, 1, [Score::Win, Score::Draw]);
    expected.add_single(0, 1, Score::Draw);
    expected.add_single(1, 0, Score::Win);
    assert_eq!(standings.encounters(), &expected);
    // Points of a: 3/2 in a pair, 1/2, 0; its share is 1/2, so that the deviations are 1/2, 0 and
    // -1/2.
    let error = standings.share_errors()[0].unwrap();
    assert!((error - Z * 0.5f64.sqrt() / 4.0).abs() < 1e-12, "{error}");
    assert_eq!(standings.crosstable().versus(0, 1), Versus { games: 4, half_points: 4 });
}

proptest! {
    #[test]
    fn a_game_repeats_exactly_if_it_was_there(games in vec((0..200_u64, 0..3_usize, any::<bool>()), 0..400)) {
        let mut ids = KnownGames::default();
        let mut slow = HashSet::new();
        for (number, white, autumn) in games {
            let (white, event) = (["a", "b", "c"][white], if autumn { "autumn" } else { "spring" });
            let id = format!("a~b.{number}");
            let tag = |name: &str| match name {
                "GameId" => Some(&*id),
                "White" => Some(white),
                "Black" => Some(if white == "a" { "b" } else { "a" }),
                "Event" => Some(event),
                "WhiteDigest" | "BlackDigest" => Some("0"),
                _ => None,
            };
            let is_known = !slow.insert((number, event, white));
            prop_assert_eq!(ids.repeats(tag, ()), is_known, "{} {}", id, white);
        }
    }
}

#[test]
fn the_largest_number_is_a_number_and_no_id_repeats_nothing() {
    let mut ids = KnownGames::default();
    for id in [
        "~.18446744073709551615",
        "~.18446744073709551614",
        "~.18446744073709551616",
        "~.1",
        "~.2",
        "?",
    ] {
        let tag = |name: &str| (name == "GameId").then_some(id);
        assert_eq!([ids.repeats(tag, ()), ids.repeats(tag, ())], [false, true], "{id}");
    }
    assert!(!ids.repeats(|_| None, ()) && !ids.repeats(|_| None, ()));
}

#[test]
fn games_of_another_board_have_ids_of_their_own() {
    let mut ids = KnownGames::default();
    for id in ["a~b.1", "seven"] {
        for (game, options) in [("loa", ""), ("gekitai", ""), ("gekitai", "board=8")] {
            let tag = |name: &str| match name {
                "GameId" => Some(id),
                "Game" => Some(game),
                "Options" => Some(options),
                "White" => Some("a"),
                "Black" => Some("b"),
                _ => None,
            };
            assert_eq!(
                [ids.repeats(tag, ()), ids.repeats(tag, ())],
                [false, true],
                "{id} {game} {options}"
            );
        }
    }
}

#[test]
fn repeated_games_are_those_of_the_same_sides() {
    let mut standings = Standings::new(Ranking::Points);
    for (first, second, plies) in [("a", "b", 7), ("b", "a", 7), ("a", "b", 8), ("a", "b", 7)] {
        standings.add(&Scored { plies: Some(plies), ..game(first, second, Score::Win) });
    }
    assert_eq!(standings.rows()[0].repeated, 1);
}

#[test]
fn games_on_other_boards_and_without_a_ply_of_the_loser_repeat_nothing() {
    let repeated = |log: &str| {
        let mut standings = LogStandings::default();
        let add = |game: &_| {
            standings.add("a.pgn", game);
            Ok::<_, std::io::Error>(())
        };
        arbiter_game::record::read_heads(log.as_bytes(), add).unwrap();
        standings.end_of_log();
        standings.table().rows()[0].repeated
    };
    let game =
        |tags: &str, moves: &str| format!("[White \"a\"] [Black \"b\"] {tags} {moves} 1-0\n");
    let twice =
        |one: &str, other: &str| repeated(&(game(one, "1. a1 b2") + &game(other, "1. a1 b2")));
    assert_eq!(twice("", ""), 1);
    assert_eq!(twice("[Game \"gekitai\"]", "[Game \"gekitai\"]"), 1);
    assert_eq!(twice("[Game \"gekitai\"]", "[Game \"loa\"]"), 0);
    assert_eq!(twice("[Options \"n=5\"]", "[Options \"n=6\"]"), 0);
    assert_eq!(twice("[FEN \"x\"]", "[FEN \"y\"]"), 0);
    let forfeits = |moves: &str| repeated(&game("[Outcome \"forfeit\"]", moves).repeat(2));
    assert_eq!(["", "1. a1", "1. a1 b2"].map(forfeits), [0, 0, 1]);
}

#[test]
fn head_to_head_decides_only_among_bots_that_met_equally_often() {
    let mut standings = Standings::new(Ranking::Points);
    for name in ["a", "b", "c", "d"] {
        standings.enter(name);
    }
    // a and b have a point each; b beat a.
    standings.add(&game("b", "a", Score::Win));
    standings.add(&game("a", "c", Score::Win));
    standings.add(&game("c", "d", Score::Win));
    standings.add(&game("c", "d", Score::Win));
    let names: Vec<&str> =
        standings.table().iter().map(|placed| placed.row.name.as_str()).collect();
    assert_eq!(names, ["c", "b", "a", "d"]);
    // A third bot with a point that met only one of them: now Sonneborn-Berger decides.
    standings.add(&game("d", "a", Score::Win));
    let table = standings.table();
    assert!(table.iter().all(|placed| placed.ties.head_to_head.is_none()), "{table:?}");
}

#[test]
fn margins_rank_bots_with_the_same_points_if_they_are_the_tie_break() {
    let names = |standings: &Standings| {
        standings.table().iter().map(|placed| placed.row.name.clone()).collect::<String>()
    };
    let mut standings = Standings::new(Ranking::Points);
    let won = |first, second, score, margin| Scored {
        margin: Margin::new(margin),
        ..game(first, second, score)
    };
    standings.add(&won("a", "b", Score::Win, 2.5));
    standings.add(&won("c", "b", Score::Loss, 4.0));
    standings.add(&won("c", "a", Score::Win, 12.5));
    assert_eq!(names(&standings), "abc", "they are equal in all tie-breaks");
    standings.rank_by(Ranking::Points, TieBreak::Margin);
    assert_eq!(names(&standings), "cba", "margins of 8.5, 1.5 and -10");
    assert_eq!(standings.order()[..2], ["points", "margin"]);
    standings.add(&game("a", "b", Score::Win));
    assert_eq!(names(&standings), "acb", "points come first");
}

#[test]
fn a_bye_is_a_pairing_won_against_oneself() {
    let mut standings = Standings::new(Ranking::Swiss);
    for name in ["a", "b", "c"] {
        standings.enter(name);
    }
    standings.add(&game("a", "b", Score::Win));
    standings.add(&game("b", "a", Score::Draw));
    standings.pair(0, 1);
    standings.bye(2, 4);
    let table = standings.table();
    let line = |placed: &RankedBot<'_>| {
        let ties = placed.ties;
        (placed.row.half_points, ties.buchholz, ties.buchholz_played, ties.sonneborn_berger)
    };
    assert_eq!(table[0].row.name, "c");
    assert_eq!(line(&table[0]), (4, 8, 0, 16));
    assert_eq!(line(&table[1]), (3, 2, 2, 3)); // a: 3/2 points against b's 1/2
    assert_eq!(table[0].row.share(), None, "a bye is no game");
}
