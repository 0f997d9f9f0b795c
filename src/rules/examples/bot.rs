//! A bot in Rust that plays every game by the rules of arbiter: it wins where it can, and otherwise avoids plies after which its
//! opponent can win. Play it with `arbiter play loa target/debug/examples/bot builtin:greedy`.

#![allow(clippy::print_stdout, reason = "the referee reads it")]

use arbiter_rules::{Ply, Position, Ruleset};
use std::error::Error;
use std::io::stdin;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut game, mut options) = (String::new(), Vec::new());
    let mut position: Option<Position> = None;
    for line in stdin().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match (word, &mut position) {
            ("game", _) => game = rest.to_owned(),
            ("option", _) => options.extend(
                rest.split_once(' ').map(|(key, value)| (key.to_owned(), value.to_owned())),
            ),
            ("start", _) => println!("ready lean"), // the plies in `since` are enough
            ("position", _) => {
                position = Some(Ruleset::with_options(&game, &options)?.read_position(rest)?)
            }
            ("since", Some(position)) => {
                for text in rest.split_whitespace() {
                    position.play(position.ruleset().read_ply(text)?);
                }
            }
            ("go", Some(position)) => {
                println!("move {}", position.ruleset().ply_text(best(position)))
            }
            ("quit", _) => break,
            _ => {}
        }
    }
    Ok(())
}

/// The ply that is worth most.
fn best(position: &Position) -> Ply {
    position.plies().max_by_key(|&ply| worth(position, ply)).expect("a bot that is asked has a ply")
}

/// What a ply is worth to the side that plays it: more where it wins, less where it loses or lets the opponent win.
fn worth(position: &Position, ply: Ply) -> i32 {
    let after = position.after(ply);
    let won_by = |position: &Position| position.ending().and_then(|ending| ending.winner);
    match won_by(&after) {
        Some(winner) if winner == position.side() => 2,
        Some(_) => -2,
        None if after.ending().is_some() => 0,
        None if after
            .plies()
            .any(|reply| won_by(&after.after(reply)) == Some(!position.side())) =>
        {
            -1
        }
        None => 1,
    }
}
