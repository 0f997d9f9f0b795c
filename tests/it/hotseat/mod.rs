//! `arbiter hotseat` as the courses test programs: moves come from a pipe, and the output is
//! compared byte for byte.

mod transcript;

use crate::support::{Ran, arbiter, run};
use arbiter::hotseat;
use arbiter::rules::{Ply, Position, Ruleset};
use arbiter::seed::Generator;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

const ENDED: &str = "arbiter: the input ended before the game did\n";

const LOA_MOVES: [&str; 12] = [
    "a2 c4", "C0 b1", "j0 b1", "c0 c8", "c0 d1", "c0 d2", "c0 b1", "a1 d1", "a6 a1", "h1 h7",
    "d7 b5", "c4 g0",
];

/// What the hand-out's program prints for [`LOA_MOVES`], up to the prompt at which the input ends.
const LOA_PRINTED: &str = "  a b c d e f g h
0 . W W W W W W .
1 B . . . . . . B
2 B . . . . . . B
3 B . . . . . . B
4 B . . . . . . B
5 B . . . . . . B
6 B . . . . . . B
7 . W W W W W W .
B's move:   a b c d e f g h
0 . W W W W W W .
1 B . . . . . . B
2 . . . . . . . B
3 B . . . . . . B
4 B . B . . . . B
5 B . . . . . . B
6 B . . . . . . B
7 . W W W W W W .
W's move: Invalid move. Try again!
W's move: Invalid move. Try again!
W's move: Invalid move. Try again!
W's move: Invalid move. Try again!
W's move: Invalid move. Try again!
W's move:   a b c d e f g h
0 . W . W W W W .
1 B W . . . . . B
2 . . . . . . . B
3 B . . . . . . B
4 B . B . . . . B
5 B . . . . . . B
6 B . . . . . . B
7 . W W W W W W .
B's move: Invalid move. Try again!
B's move: Invalid move. Try again!
B's move:   a b c d e f g h
0 . W . W W W W .
1 B W . . . . . .
2 . . . . . . . B
3 B . . . . . . B
4 B . B . . . . B
5 B . . . . . . B
6 B . . . . . . B
7 . W W W W W W B
W's move:   a b c d e f g h
0 . W . W W W W .
1 B W . . . . . .
2 . . . . . . . B
3 B . . . . . . B
4 B . B . . . . B
5 B W . . . . . B
6 B . . . . . . B
7 . W W . W W W B
B's move:   a b c d e f g h
0 . W . W W W B .
1 B W . . . . . .
2 . . . . . . . B
3 B . . . . . . B
4 B . . . . . . B
5 B W . . . . . B
6 B . . . . . . B
7 . W W . W W W B
W's move: ";

const GEKITAI_MOVES: [&str; 8] = ["H3", "Z -1", "A 1", "a6", "a6", "c3", "d4", "c3"];

/// What the hand-out's program prints for [`GEKITAI_MOVES`].
const GEKITAI_PRINTED: &str = "Round 1:
   A B C D E F
 1 . . . . . .
 2 . . . . . .
 3 . . . . . .
 4 . . . . . .
 5 . . . . . .
 6 . . . . . .
Player X's turn: Invalid move!
Player X's turn: Invalid move!
Player X's turn: Round 2:
   A B C D E F
 1 X . . . . .
 2 . . . . . .
 3 . . . . . .
 4 . . . . . .
 5 . . . . . .
 6 . . . . . .
Player O's turn: Round 3:
   A B C D E F
 1 X . . . . .
 2 . . . . . .
 3 . . . . . .
 4 . . . . . .
 5 . . . . . .
 6 O . . . . .
Player X's turn: Invalid move!
Player X's turn: Round 4:
   A B C D E F
 1 X . . . . .
 2 . . . . . .
 3 . . X . . .
 4 . . . . . .
 5 . . . . . .
 6 O . . . . .
Player O's turn: Round 5:
   A B C D E F
 1 X . . . . .
 2 . X . . . .
 3 . . . . . .
 4 . . . O . .
 5 . . . . . .
 6 O . . . . .
Player X's turn: Game over:
   A B C D E F
 1 X . . . . .
 2 . X . . . .
 3 . . X . . .
 4 . . . . . .
 5 . . . . O .
 6 O . . . . .
Player X wins!
";

/// Runs `arbiter hotseat` with these arguments and these chunks as its whole standard input.
fn play<'a>(arguments: &[&str], chunks: impl IntoIterator<Item = &'a [u8]>) -> Ran {
    let mut command = arbiter(&[&["hotseat"], arguments].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    // Read in a thread of its own: otherwise both processes could wait for each other with full
    // pipes.
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes).unwrap();
        bytes
    });
    for chunk in chunks {
        if input.write_all(chunk).is_err() {
            break; // the program stops reading when the game is over
        }
    }
    drop(input);
    let stdout = reader.join().unwrap();
    let mut ran = Ran::from(child.wait_with_output().unwrap());
    ran.stdout = String::from_utf8(stdout).unwrap();
    ran
}

/// Feeds the moves one on each line, all on one line without a newline at the end, and byte by
/// byte.
fn each_way(arguments: &[&str], moves: &[&str], stdout: &str, status: i32, stderr: &str) {
    let lines = moves.join("\n") + "\n";
    let line = moves.join(" ");
    for chunks in
        [vec![lines.as_bytes()], vec![line.as_bytes()], lines.as_bytes().chunks(1).collect()]
    {
        let ran = play(arguments, chunks);
        assert_eq!(ran.stdout, stdout);
        assert_eq!((ran.status, &*ran.stderr), (Some(status), stderr));
    }
}

#[test]
fn the_sample_of_lines_of_action_is_byte_for_byte_the_hand_outs() {
    each_way(&["loa"], &LOA_MOVES, LOA_PRINTED, 1, ENDED);
}

#[test]
fn the_sample_of_gekitai_is_byte_for_byte_the_hand_outs() {
    each_way(&["gekitai"], &GEKITAI_MOVES, GEKITAI_PRINTED, 0, "");
}

#[test]
fn a_draw_at_gekitai() {
    let ran = play(&["gekitai"], [&b"e6 a2 e4 c2 e3 d2 c5 e1 b6 c4"[..]]);
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
    let expected = transcript::gekitai(
        &Ruleset::named("gekitai", "").unwrap(),
        &["e6", "a2", "e4", "c2", "e3", "d2", "c5", "e1", "b6", "c4"],
    );
    assert_eq!(ran.stdout, expected);
    assert!(ran.stdout.ends_with("\nDraw game!\n"));
    assert!(!ran.stdout.contains("Invalid"));
}

#[test]
fn a_game_of_loa_to_its_end() {
    // Two pieces are on row 5, so that c5 b5 is too short a move.
    let arguments = ["loa", "--position", "6W1/8/8/8/8/B1B5/8/7W B"];
    let ran = play(&arguments, [&b"c5b5 c5b6 never read"[..]]);
    assert_eq!(
        ran.stdout.split_once("B's move: ").unwrap().1,
        "Invalid move. Try again!
B's move:   a b c d e f g h
0 . . . . . . W .
1 . . . . . . . .
2 . . . . . . . .
3 . . . . . . . .
4 . . . . . . . .
5 B . . . . . . .
6 . B . . . . . .
7 . . . . . . . W
B wins!
"
    );
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
}

#[test]
fn three_wrong_tries_at_flipflop_hand_the_turn_over() {
    let ran = play(&["flipflop"], [&b"0\nx\n27\n26 26 nothing"[..]]);
    let (board, said) = ran.stdout.split_once("White, first piece: ").unwrap();
    assert_eq!(
        board,
        "   0   1   2   3   4   5   6   7
   8   9  10  11  12  13  14  15
  16  17  18  19  20  21  22  23
  24  25  26   W   B  29  30  31
  32  33  34   B   W  37  38  39
  40  41  42  43  44  45  46  47
  48  49  50  51  52  53  54  55
  56  57  58  59  60  61  62  63
"
    );
    assert_eq!(
        said,
        "Illegal move
White, first piece: Illegal move
White, first piece: Illegal move
Three wrong tries: the turn goes to Black
Black, first piece: Black has placed the first piece
Black has captured 1 piece
   0   1   2   3   4   5   6   7
   8   9  10  11  12  13  14  15
  16  17  18  19  20  21  22  23
  24  25   B   B   B  29  30  31
  32  33  34   B   W  37  38  39
  40  41  42  43  44  45  46  47
  48  49  50  51  52  53  54  55
  56  57  58  59  60  61  62  63
White, first piece: Illegal move
White, first piece: Illegal move
White, first piece: "
    );
    assert_eq!((ran.status, &*ran.stderr), (Some(1), ENDED));
}

#[test]
fn a_side_of_flipflop_keeps_its_turn_when_the_other_one_cannot_move() {
    // Only White can place a piece, on 58, which earns no second one.
    let ran = play(
        &["flipflop", "--position", "8/8/8/8/8/8/8/WB6 W 1"],
        [&b"no way, not at all, never, 58"[..]],
    );
    let (before, after) =
        ran.stdout.split_once("Three wrong tries: the turn goes to Black\n").unwrap();
    assert_eq!(before.matches("Illegal move\n").count(), 3);
    assert!(
        after.starts_with("Black is unable to move\nWhite, first piece: Illegal move\n"),
        "{after}"
    );
    assert!(
        after.ends_with(
            "Black is unable to move\nWhite is unable to move\nWhite: 3, Black: 0\nWhite wins!\n"
        ),
        "{after}"
    );
    assert_eq!(ran.status, Some(0));
}

#[test]
fn the_prompt_comes_before_the_answer_is_waited_for() {
    for (game, prompt) in [
        ("loa", "B's move: "),
        ("gekitai", "Player X's turn: "),
        ("lineup", "Player O's turn: "),
        ("flipflop", "White, first piece: "),
    ] {
        let mut command = arbiter(&["hotseat", game]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut shown = Vec::new();
        while !shown.ends_with(prompt.as_bytes()) {
            // Would block for ever if the prompt were buffered; a prompt ends with its space.
            assert!(
                output.read_until(b' ', &mut shown).unwrap() > 0,
                "{}",
                String::from_utf8_lossy(&shown)
            );
        }
        drop(child.stdin.take());
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn garbage_does_no_harm_and_is_not_printed() {
    let mut generator = Generator::new(&[&"garbage"]);
    let mut garbage: Vec<u8> = (0..200_000).map(|_| generator.next_u64() as u8).collect();
    garbage.extend(vec![b'9'; 3_000_000]);
    garbage.extend(b"\0\0\x1b[2J\n");
    for (game, _) in hotseat::programs() {
        let ran = play(&[game.name()], [&garbage[..]]);
        assert!(matches!(ran.status, Some(0 | 1)), "{game:?}: {:?} {}", ran.status, ran.stderr);
        assert!(
            ran.stdout.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)),
            "{game:?}"
        );
    }
}

#[test]
fn bad_usage_has_status_2() {
    for arguments in [
        &["hotseat", "chess"][..],
        &["hotseat"],
        &["hotseat", "gekitai", "--set", "n=9"],
        &["hotseat", "loa", "--position", "8/8 B"],
    ] {
        let ran = run(arguments);
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{arguments:?}");
        assert!(!ran.stderr.is_empty());
    }
    let help = run(&["hotseat", "--help-all"]);
    assert_eq!(help.status, Some(0));
    assert!(
        help.stdout.contains("--set <KEY=VALUE>") && help.stdout.contains("hand-outs"),
        "{}",
        help.stdout
    );
}

/// A random game from a start position: its positions, and the ply after each but the last.
fn random_game(ruleset: &Ruleset, generator: &mut Generator) -> (Vec<Position>, Vec<Ply>) {
    let (mut positions, mut plies) = (vec![ruleset.start()], Vec::new());
    loop {
        let position = positions[positions.len() - 1].clone();
        if position.ending().is_some() {
            return (positions, plies);
        }
        let choices = position.sorted_plies();
        let ply = choices[generator.below(choices.len() as u64) as usize];
        positions.push(position.after(ply));
        plies.push(ply);
    }
}

/// Plays random games with these options and compares the whole output.
fn random_games(game: &str, options: &str, count: u32) {
    let ruleset = Ruleset::named(game, options).unwrap();
    let mut arguments = vec![game];
    arguments.extend(options.split_whitespace().flat_map(|option| ["--set", option]));
    for number in 0..count {
        let (positions, plies) =
            random_game(&ruleset, &mut Generator::new(&[&"hotseat", &game, &options, &number]));
        let texts: Vec<String> = plies
            .iter()
            .filter(|&&ply| ply != Ply::Pass)
            .map(|&p| ruleset.ply_text(p).to_string())
            .collect();
        let lines = texts.join("\n") + "\n";
        let (typed, expected) = match game {
            "loa" => (texts.join(" "), transcript::loa(&positions, &plies)),
            "gekitai" => {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                (lines.to_uppercase(), transcript::gekitai(&ruleset, &texts))
            }
            "lineup" => (lines, transcript::lineup(&positions)),
            _ => transcript::flipflop(&positions, &plies),
        };
        let ran = play(&arguments, [typed.as_bytes()]);
        assert_eq!(ran.stdout, expected, "{arguments:?}, game {number}, {typed}");
        assert_eq!((ran.status, &*ran.stderr), (Some(0), ""), "{arguments:?}, game {number}");
    }
}

#[test]
fn whole_games_are_printed_as_the_rules_have_them() {
    random_games("loa", "", 20);
    random_games("loa", "stuck=loss simultaneous=mover", 5);
    random_games("flipflop", "", 20);
    random_games("lineup", "", 20);
    random_games("gekitai", "", 20);
}

#[test]
fn whole_games_on_other_boards() {
    random_games("flipflop", "n=10", 2);
    random_games("flipflop", "n=24", 1);
    random_games("lineup", "n=10 b=4 seed=3", 3);
    random_games("lineup", "n=11 s=5", 2);
    random_games("lineup", "n=19 s=6 blocks=a0,s18", 1);
    random_games("gekitai", "n=5", 5);
    random_games("gekitai", "n=7", 5);
    random_games("gekitai", "n=8 l=4 p=12 simultaneous=mover", 5);
}
