//! A bot in Rust that plays every game by the rules of arbiter: it wins where it can, and otherwise
//! avoids plies after which its opponent can win. Play it with
//! `arbiter play loa target/debug/examples/bot builtin:greedy`.

#![allow(clippy::print_stdout, reason = "the referee reads it")]

use arbiter_rules::{Ply, Position, Ruleset};
use std::error::Error;
use std::io::stdin;

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = String::new();
    let mut options = Vec::new();
    let mut position: Option<Position> = None;
    for line in stdin().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match (word, &mut position) {
            ("game", _) => game = rest.to_owned(),
            ("option", _) => {
                if let Some((key, value)) = rest.split_once(' ') {
                    options.push((key.to_owned(), value.to_owned()));
                }
            }
            ("start", _) => println!("ready lean"), // the plies in `since` are enough
            ("position", _) => {
                position = Some(Ruleset::with_options(&game, &options)?.read_position(rest)?);
            }
            ("since", Some(position)) => {
                for text in rest.split_whitespace() {
                    position.play(position.ruleset().read_ply(text)?);
                }
            }
            ("go", Some(position)) => {
                println!("move {}", position.ruleset().ply_text(best(position)));
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

/// What a ply is worth to the side that plays it: more where it wins, less where it loses or lets
/// the opponent win.
fn worth(position: &Position, ply: Ply) -> i32 {
    let side = position.side();
    let after = position.after(ply);
    if let Some(ending) = after.ending() {
        return match ending.winner {
            Some(winner) if winner == side => 2,
            Some(_) => -2,
            None => 0,
        };
    }
    for reply in after.plies() {
        if after.after(reply).ending().is_some_and(|ending| ending.winner == Some(!side)) {
            return -1;
        }
    }
    1
}
