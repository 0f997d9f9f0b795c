//! `arbiter turning`: where lost games were lost, proved.

use super::replay::{find, wanted_game};
use super::{CommandResult, Verdict};
use anyhow::anyhow;
use arbiter_cup::report::text::game;
use arbiter_cup::report::turning::{json, loser, text};
use arbiter_game::proof::{NODES, Turning, Unproved};
use arbiter_game::record::{LogError, Record};
use arbiter_ground::failure::Failure;
use arbiter_ground::input_file::{NO_GAME, records_of};
use arbiter_ground::output::{complain, print_if_open, write_out};
use arbiter_rules::text::counted;
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  arbiter turning spring-cup                      of all games
  arbiter turning games.pgn conny~randy.1         of one, ply by ply";

/// Show where games were lost, by what is proved of their plies
///
/// Of a game that a side lost by the rules, it names forced wins that the loser did not play, and
/// the ply from which on the loss is proved, with the plies of the proof. Draws by repetition and
/// by the limit of plies count as the game had them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TurningCommand {
    /// A result folder (its games.pgn), a game log, or - for standard input
    #[arg(value_name = "DIR|LOG")]
    path: PathBuf,
    /// A game: its GameId or SentId, or its number in the log from 1; all games if it is left out
    #[arg(value_name = "GAMEID|N")]
    game: Option<String>,
    /// The most positions that are looked at for a game: with more, more is proved
    #[arg(long, value_name = "N", default_value_t = NODES)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Print one JSON object for each game on standard output
    #[arg(long)]
    json: bool,
}

/// How many games of a log there are of each kind.
#[derive(Default)]
struct Tally {
    games: u64,
    lost: u64,
    /// Of those that were lost, why nothing is proved of them.
    unproved: BTreeMap<String, u64>,
    invalid: u64,
}

impl TurningCommand {
    pub(super) fn run(self) -> CommandResult {
        let mut tally = Tally::default();
        match &self.game {
            Some(game) => self.show_one(game, &mut tally)?,
            None => self.show_all(&mut tally)?,
        }
        let Tally { games, lost, unproved, invalid } = tally;
        if !self.json && self.game.is_none() {
            print_if_open(format_args!(
                "{}, {lost} of them lost by the rules",
                counted(games, "game")
            ))?;
            for (why, count) in unproved {
                print_if_open(format_args!(
                    "Nothing is proved of {}: {why}",
                    counted(count, "game")
                ))?;
            }
        }
        let mut reasons = Vec::new();
        if invalid > 0 {
            reasons.push(format!("{} not as the rules say", counted(invalid, "game")));
        }
        Ok(Verdict::because(1, reasons))
    }

    fn show_one(&self, game: &str, tally: &mut Tally) -> Result<(), Failure> {
        let (name, number, readable) = find(&self.path, &wanted_game(&self.path, Some(game)))?;
        let read = match (readable.record, readable.error) {
            (_, Some(error)) => Err(error),
            (Some(record), None) => Ok(record),
            (None, None) => return Err(anyhow!("{name}: {NO_GAME}").into()),
        };
        self.show(&name, number as u64, read, tally)
    }

    fn show_all(&self, tally: &mut Tally) -> Result<(), Failure> {
        let mut stopped = Ok(());
        // An error does not stop the reader, so the games behind it are skipped.
        let repeated = records_of(std::slice::from_ref(&self.path), |_, name, read| {
            if stopped.is_ok() {
                stopped = self.show(name, tally.games + 1, read, tally);
            }
        })?;
        stopped?;
        if repeated > 0 {
            let path = self.path.display();
            let games = counted(repeated, "game");
            complain(format_args!(
                "arbiter: {path}: {games} left out, given twice; name one by its number in the log"
            ));
        }
        if tally.games == 0 {
            return Err(anyhow!("{}: {NO_GAME}", self.path.display()).into());
        }
        Ok(())
    }

    /// Shows what is proved of the game of this number; of all games those of which nothing is are
    /// left out.
    fn show(
        &self,
        name: &str,
        number: u64,
        read: Result<Record, LogError>,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        tally.games += 1;
        let record = match read {
            Ok(record) => record,
            Err(error) => {
                tally.invalid += 1;
                complain(format_args!("arbiter: {name}: {error}"));
                return Ok(());
            }
        };
        let turning = Turning::of(&record, self.nodes);
        if loser(&record, &turning).is_some() {
            tally.lost += 1;
            if let Err(why) = &turning {
                *tally.unproved.entry(why.to_string()).or_default() += 1;
            }
        }
        if let Err(why @ Unproved::Invalid { .. }) = &turning {
            tally.invalid += 1;
            complain(format_args!("arbiter: {name}: game {number}: {why}"));
        }
        if self.json {
            return write_out(format_args!("{}\n", json(&record, &turning)));
        }
        match turning {
            Ok(turning) => {
                write_out(text(&record, &turning) + if self.game.is_none() { "\n" } else { "" })
            }
            Err(Unproved::Invalid { .. }) => Ok(()),
            Err(why) if self.game.is_some() => {
                write_out(format_args!("{}\n\nNothing is proved of it: {why}.\n", game(&record)))
            }
            Err(_) => Ok(()),
        }
    }
}
