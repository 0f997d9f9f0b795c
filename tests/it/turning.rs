//! `arbiter turning`: what it prints, and which games it proves nothing of. What it says of lost
//! games is confirmed in src/engine/tests/engine/turning.rs.

use crate::support::{project, run};

/// The page shows a game as the program does.
#[test]
fn the_transcript_of_the_page_is_what_the_program_prints() {
    let page = std::fs::read_to_string(project("docs/reference/commands.md")).unwrap();
    let (_, transcript) = page.split_once("$ arbiter turning ").unwrap();
    let (arguments, printed) = transcript.split_once('\n').unwrap();
    let arguments: Vec<&str> = std::iter::once("turning").chain(arguments.split(' ')).collect();
    let ran = run(&arguments);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout, printed.split_once("```").unwrap().0);
}

#[test]
fn games_that_were_not_lost_by_the_rules_are_counted_and_said_to_be_so_when_they_are_asked_for() {
    let log = "tests/vectors/games/ends.pgn";
    let all = run(&["turning", log]);
    assert_eq!(
        (all.status, all.stdout.as_str()),
        (Some(0), "6 games, 0 of them lost by the rules\n")
    );
    let one = run(&["turning", log, "2"]);
    assert_eq!(one.status, Some(0));
    assert!(
        one.stdout.ends_with(
            "\nNothing is proved of it: no side lost it by the rules: it ended by resign.\n"
        ),
        "{one:?}"
    );
    let none = run(&["turning", log, "7"]);
    assert_eq!(none.status, Some(2));
    assert!(none.stderr.contains("there is no game 7: it has 6 games"), "{none:?}");
    let idle = run(&["turning", log, "--nodes", "0"]);
    assert!(idle.status == Some(2) && idle.stderr.contains("0 is not in 1.."), "{idle:?}");
}

#[test]
fn games_with_the_id_of_an_earlier_one_are_left_out_and_said_to_be() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("twice.pgn");
    let game = |plies: &str| {
        format!(
            "[White \"o\"]\n[Black \"x\"]\n[Result \"1-0\"]\n[Game \"lineup\"]\n[Outcome \"win\"]\n[Termination \"line\"]\n\
             [Options \"n=3 s=3 blocks=none\"]\n[GameId \"2\"]\n\n{plies} 1-0\n\n"
        )
    };
    let lost_late = game("1. a0 b1 2. b0 a1 3. c0");
    let games = lost_late.clone() + &lost_late;
    std::fs::write(&log, games).unwrap();
    let log = log.display().to_string();
    let all = run(&["turning", &log]);
    assert!(all.stdout.ends_with("1 game, 1 of them lost by the rules\n"), "{all:?}");
    let said = format!(
        "arbiter: {log}: 1 game left out, given twice; name one by its number in the log\n"
    );
    assert_eq!(all.stderr, said);
    assert!(
        run(&["turning", &log, "2"]).stdout.contains("\nply 4, X x: a1 loses by force in 2"),
        "the second game of the log"
    );
}

/// The games of the test vectors, of which some begin from a set-up position and under options.
#[test]
fn the_object_of_a_game_has_the_keys_of_the_page_and_a_wrong_game_is_named() {
    let page = std::fs::read_to_string(project("docs/reference/gamelog.md")).unwrap();
    let mut lost = 0;
    for game in ["loa", "loa-options", "flipflop", "lineup-options", "gekitai-options"] {
        let log = format!("tests/vectors/games/{game}.pgn");
        let ran = run(&["turning", &log, "--json", "--nodes", "3000"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{game}");
        for line in ran.stdout.lines() {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            for key in object.as_object().unwrap().keys() {
                assert!(page.contains(&format!("`{key}`")), "{key}");
            }
            assert_eq!(object["loser"].is_null(), object["unproved"].is_string(), "{line}");
            lost += u32::from(object["loser"].is_string());
        }
    }
    assert!(lost >= 10, "{lost}");
    let wrong = run(&["turning", "tests/vectors/games/bad/01.pgn"]);
    assert_eq!(wrong.status, Some(1), "{wrong:?}");
    assert!(
        wrong.stderr.contains("01.pgn: game ")
            && wrong.stderr.contains("1 game not as the rules say"),
        "{wrong:?}"
    );
}

/// A game of more plies than are looked at was lost all the same.
#[test]
fn games_that_are_not_proved_are_counted_with_the_reason() {
    let plies = "a1c1 b0b2 c1a1 b2b0 ".repeat(25_001);
    let end = "a1c3 b0b2 a3d3 g0b0 a2c4 e7g5 a4d4 b0b3 a5d2 f7h5 h4e4 d0h0 h2f4 d7f5 h3f5 c0e2 a6e2 f0g1 h1h5 e0g0 f5g4";
    let log = format!(
        "[White \"random\"]\n[Black \"greedy\"]\n[Result \"0-1\"]\n[Game \"loa\"]\n[Outcome \"win\"]\n\
         [Termination \"connected\"]\n\n{plies}{end} 0-1\n"
    );
    let place = std::env::temp_dir().join(format!("arbiter-turning-{}", std::process::id()));
    std::fs::create_dir_all(&place).unwrap();
    let path = place.join("long.pgn");
    std::fs::write(&path, log).unwrap();
    let path = path.to_str().unwrap();
    let ran = run(&["turning", path]);
    let json = run(&["turning", "--json", path]);
    std::fs::remove_dir_all(&place).unwrap();
    assert_eq!(
        ran.stdout,
        "1 game, 1 of them lost by the rules\n\
         Nothing is proved of 1 game: it has 100025 plies, and proofs are for games of at most 100000\n"
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert!(json.stdout.contains("\"loser\":\"random\""), "{json:?}");
}

/// Whoever lost: a log that contradicts the rules is said to.
#[test]
fn drawn_and_forfeited_games_that_contradict_the_rules_are_named() {
    let log = "[White \"o\"]\n[Black \"x\"]\n[Result \"1/2-1/2\"]\n[Game \"lineup\"]\n[Outcome \"draw\"]\n\
               [Termination \"full-board\"]\n[Options \"n=3 s=3 blocks=none\"]\n\na0 a1 b0 b1 c0 1/2-1/2\n";
    let path =
        std::env::temp_dir().join(format!("arbiter-turning-draw-{}.pgn", std::process::id()));
    std::fs::write(&path, log).unwrap();
    let ran = run(&["turning", path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("game 1: it contradicts the rules"), "{ran:?}");
}

/// `replay` says it too, as far as a short search goes.
#[test]
fn a_game_that_is_printed_ends_with_what_is_proved_of_it() {
    let log = "tests/vectors/games/gekitai.pgn";
    let printed = run(&["replay", "--plain", log, "2"]);
    let proved = "\n\nply 17, X bot-7: a3 loses by force in 4; b3 does not lose within 13\n\
                  proof: 17. a3  18. d2  19. a1  20. b6\nThe loss of bot-7 (X) is proved from ply 17 on.\n";
    assert!(printed.status == Some(0) && printed.stdout.ends_with(proved), "{printed:?}");
    let resigned = run(&["replay", "--plain", "tests/vectors/games/ends.pgn", "2"]);
    assert!(!resigned.stdout.contains("proved"), "{resigned:?}");
}
