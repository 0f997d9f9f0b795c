//! `arbiter hotseat`: a game between two people at one terminal.

use super::{CommandResult, RulesArguments, Verdict};
use anyhow::Context;
use arbiter_engine::hotseat::{self, HotseatSession, InputSource};
use arbiter_game::Settings;
use arbiter_ground::failure::Failure;
use arbiter_ground::output::{complain, write_out};
use clap::Args;
use std::io::{self, IsTerminal, Read};

const EXAMPLES: &str = "\
Examples:
  arbiter hotseat gekitai                         two people take turns
  arbiter hotseat loa < moves.txt | diff -Z - output.txt   what a course's program should print";

/// Two people play at one terminal, as the courses' own programs print it
///
/// Moves are read from standard input, separated by any white space. What is printed for loa and
/// gekitai is what the hand-outs show, without blanks at the end of a line; compare the output of
/// another program with diff -Z, which ignores them. The exit status is 1 if the input ends before
/// the game does.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = moves())]
pub struct HotseatCommand {
    #[command(flatten)]
    rules: RulesArguments,
}

impl HotseatCommand {
    pub(super) fn run(self) -> CommandResult {
        let mut input = io::stdin().lock();
        let source = if input.is_terminal() { InputSource::Terminal } else { InputSource::Pipe };
        let start = self.rules.position(&Settings::of_play().limits)?;
        let ruleset = start.ruleset();
        let title = ruleset.game().title();
        let (mut game, opening) = HotseatSession::begin(start, source).with_context(|| {
            format!("no course has a program of {title} for two people at one terminal")
        })?;
        write_out(opening)?;
        let mut chunk = [0; 4096];
        while !game.is_over() {
            let count = match input.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.context("reading standard input").map_err(Failure::Unfinished)?,
            };
            if count > 0 {
                write_out(game.read(&chunk[..count]))?;
                continue;
            }
            write_out(game.finish())?;
            if !game.is_over() {
                // At a terminal the cursor is still on the line of the prompt.
                let lead = if source == InputSource::Terminal { "\n" } else { "" };
                complain(format_args!("{lead}arbiter: the input ended before the game did"));
                return Ok(Verdict::of(1));
            }
        }
        Ok(Verdict::DONE)
    }
}

/// What a move looks like in each game.
fn moves() -> String {
    let moves: Vec<String> =
        hotseat::programs().map(|(game, text)| format!("{text} in {}", game.name())).collect();
    format!("A move is {}.", moves.join(", "))
}
