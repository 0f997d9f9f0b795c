use super::*;

/// The games of a log.
pub(in crate::view::replay) fn listed(log: &[u8]) -> Vec<ListedGame> {
    let mut games = Vec::new();
    let _ = list_games(log, &WantedGame::Number(1), |input| {
        if let ListPart::Games(batch, _) = input {
            games.extend(batch);
        }
        ControlFlow::Continue(())
    });
    games
}

fn list(log: &str) -> GameList {
    let mut list = GameList::default();
    for game in listed(log.as_bytes()) {
        list.push(game);
    }
    list
}

fn game(players: [&str; 2], result: &str, end: [&str; 2], moves: &str) -> String {
    format!(
        "[White \"{}\"]\n[Black \"{}\"]\n[Game \"loa\"]\n[Result \"{result}\"]\n[Outcome \"{}\"]\n\
         [Termination \"{}\"]\n\n{moves} {result}\n\n",
        players[0], players[1], end[0], end[1]
    )
}

#[test]
fn games_are_found_by_bot_result_termination_and_length() {
    // In loa Black moves first and stands in front.
    let log = game(["conny", "Randy"], "0-1", ["win", "connected"], "a2c4")
        + &game(["greta", "randy"], "1-0", ["forfeit", "timeout"], "a2c4 c0b1")
        + &game(["greta", "conny"], "1/2-1/2", ["draw", "repetition"], "a2c4 c0b1 a4a5")
        + "[White \"cut\"]\n\n1. a2";
    let list = list(&log);
    assert_eq!(list.len(), 4);
    let line = list.get(1).unwrap();
    assert_eq!(
        (line.players, line.end, line.plies),
        (["randy", "greta"], ["forfeit", "timeout"], 2)
    );
    for (filter, expected) in [
        ("", &[0, 1, 2, 3][..]),
        ("randy", &[0, 1]),
        ("RANDY conny", &[0]),
        ("0-1", &[1]),
        ("1-0", &[0]),
        ("1/2-1/2 greta", &[2]),
        ("1/2", &[2]),
        ("forfeit", &[1]),
        ("timeo", &[1]),
        (">1 <3", &[1]),
        (">1 <", &[1, 2]),
        ("broken", &[3]),
        ("nothing", &[]),
    ] {
        assert_eq!(list.filtered(&Filter::parse(filter), 0), expected, "{filter}");
    }
    assert_eq!(list.filtered(&Filter::parse("greta"), 2), [2]);
}

#[test]
fn long_names_are_cut() {
    let log = game(["b", &"é".repeat(100)], "*", ["aborted", "aborted"], "");
    assert_eq!(list(&log).get(0).unwrap().players[0], "é".repeat(32));
}
