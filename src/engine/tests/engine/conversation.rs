//! Properties of the conversation: no bytes in any chunks cause a panic, and written messages are
//! read back.

use arbiter_engine::builtin::{Action, BuiltinBot};
use arbiter_game::clock::TimeControl;
use arbiter_game::protocol::{Conversation, Dialect, LineBuffer, ParsedLine};
use arbiter_game::{Answer, LINE_CAP, Referee, Reply, Settings, Step};
use arbiter_rules::text::{is_visible, one_column, printable};
use arbiter_rules::{Cell, Game, Ruleset};
use proptest::collection::vec;
use proptest::prelude::*;
use std::time::Duration;

fn conversation() -> Box<dyn Conversation> {
    Dialect::default().conversation().unwrap()
}

/// Bytes similar to a bot's output: words of the protocol, plies, other bytes, newlines.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let words: Vec<Vec<u8>> = [
        "move ", "a2c4", "a2 c4", "a2-c4", "pass", "resign", "info ", "ready ", "reuse", "\n",
        "\r\n", "\0", " ",
    ]
    .iter()
    .map(|word| word.as_bytes().to_vec())
    .chain([vec![0xff, 0xfe], vec![b'x'; LINE_CAP], "é\u{202e}".as_bytes().to_vec()])
    .collect();
    let piece = prop_oneof![4 => prop::sample::select(words), 1 => vec(any::<u8>(), 0..20)];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_bytes_in_any_chunking_harm_the_referee(bytes in bytes(), cut in 1_usize..5000) {
        let mut settings = Settings::default().with_control(TimeControl::Unlimited);
        settings.rules.attempts = 3;
        let mut referee = Referee::new(&settings, settings.ruleset.start());
        let mut conversation = conversation();
        let mut lines = LineBuffer::default();
        for chunk in bytes.chunks(cut) {
            lines.push(chunk);
            while let Some(line) = lines.next_line() {
                let _ = printable(line.bytes(), 100);
                let reply = match conversation.read(referee.position(), line.bytes()) {
                    ParsedLine::Reply(reply) => reply,
                    ParsedLine::Ready(words) => {
                        let _ = conversation.ready_with(words);
                        continue;
                    }
                    _ => continue,
                };
                let step = referee.answer(&mut Answer { reply: Some(reply), ..Answer::default() });
                prop_assert_eq!(referee.outcome().is_some(), matches!(step, Step::Over(_)));
            }
            prop_assert!(lines.partial().len() <= LINE_CAP);
        }
    }

    #[test]
    fn what_is_printable_is_one_harmless_line(
        bytes in vec(any::<u8>(), 0..300),
        most in 0_usize..400,
    ) {
        let text = printable(&bytes, most);
        // `one_column` replaces what controls a terminal or changes the direction of writing.
        prop_assert!(text.chars().all(|c| is_visible(c) && one_column(c) == c), "{}", text);
    }

    #[test]
    fn no_line_harms_a_built_in_bot(lines in vec(".{0,40}|(turn|since|board|moves|clock|you|game|option|position|seed|time|go|start|illegal) .{0,20}", 0..30)) {
        let mut player = BuiltinBot::named("greedy").unwrap();
        for line in lines {
            match player.receive(&line) {
                Err(_) => break,
                Ok(Some(Action::Think)) => drop(player.think(&mut || Duration::ZERO)),
                Ok(_) => {}
            }
        }
    }

    /// A bot can follow a game by the `since` lines alone, or by board and moves of each turn
    /// block; the `since` lines together are the whole game.
    #[test]
    fn turn_blocks_tell_the_whole_game(
        game in prop::sample::select(Game::ALL.to_vec()),
        choices in vec(any::<prop::sample::Index>(), 1..60),
    ) {
        let start = Ruleset::named(game.name(), "").unwrap().start();
        let ruleset = start.ruleset();
        let settings = Settings::for_ruleset(ruleset.clone()).with_control(TimeControl::Unlimited);
        let mut referee = Referee::new(&settings, start);
        let mut conversations = [conversation(), conversation()];
        for conversation in &mut conversations {
            prop_assert!(conversation.ready_with(b"position").is_empty());
        }
        let mut heard: [Vec<String>; 2] = [Vec::new(), Vec::new()];
        for choice in choices {
            let Some(turn) = referee.ask() else { break };
            let bot = turn.side as usize;
            let mut block = String::new();
            conversations[bot].push_turn(&mut block, &turn).unwrap();

            let field = |word: &str| {
                block.lines().find_map(|line| line.strip_prefix(word)).unwrap().trim().to_owned()
            };
            heard[bot].extend(field("since").split_ascii_whitespace().map(str::to_owned));
            prop_assert_eq!(
                ruleset.read_position(&field("position")).unwrap(),
                referee.position().clone()
            );
            prop_assert_eq!(field("turn"), turn.number().to_string());
            let board = block.lines().skip_while(|line| *line != "board").skip(1);
            let rows: Vec<&str> = board.take(ruleset.rows()).collect();
            for (row, cells) in rows.iter().enumerate() {
                for (column, cell) in cells.chars().enumerate() {
                    prop_assert_eq!(cell, match referee.position().cell(row, column) {
                        Cell::Empty => '.',
                        Cell::Block => '#',
                        Cell::Piece(side) => ruleset.letter(side),
                    });
                }
            }
            let piece = block.lines().find_map(|line| line.strip_prefix("piece "));
            prop_assert_eq!(
                piece.map(str::to_owned),
                referee.position().piece().map(|number| number.to_string())
            );
            let moves = field("moves");
            let moves: Vec<&str> = moves.split(' ').collect();
            prop_assert!(moves.is_sorted());
            prop_assert!(block.lines().all(|line| line.len() <= 4095));

            let answer = format!("move {}", moves[choice.index(moves.len())]);
            let parsed = conversations[bot].read(turn.position, answer.as_bytes());
            let ParsedLine::Reply(Reply::Ply(ply)) = parsed else { panic!("{answer}") };
            let _ = referee.answer(&mut Answer::ply(ply));
        }
        let plies = referee.plies().iter();
        let played: Vec<String> = plies.map(|&ply| ruleset.ply_text(ply).to_string()).collect();
        for bot in heard {
            prop_assert_eq!(&bot[..], &played[..bot.len()]);
        }
    }
}
