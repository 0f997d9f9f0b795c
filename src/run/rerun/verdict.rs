//! What came of a rerun: whether it is the same game, or where it stopped.

use super::debugging::LastRequest;
use super::logged::LoggedGame;
use anyhow::anyhow;
use arbiter_cup::report::{escape, text};
use arbiter_game::RecordEnded;
use arbiter_game::record::Record;
use arbiter_game::replay::{Difference, Requests, compare};
use arbiter_ground::failure::Failure;
use arbiter_ground::output::{print, write_out};
use arbiter_ground::rules_faults::RulesFaults;
use arbiter_ground::verdict::Verdict;
use arbiter_play::arena::Finished;
use arbiter_rules::text::harmless;

/// A game that was played again.
pub struct PlayedAgain {
    finished: Finished,
    /// The last question.
    asked: LastRequest,
}

impl PlayedAgain {
    /// Gives the log of the game what only the first log knows: its round and pair. `then` is the
    /// program that played on where the game left the log.
    pub fn new(
        mut finished: Finished,
        asked: LastRequest,
        game: &LoggedGame,
        then: Option<&str>,
    ) -> PlayedAgain {
        let again = &mut finished.record;
        let logged = &game.record;
        again.round.clone_from(&logged.round);
        again.pair.clone_from(&logged.pair);
        again.id.clone_from(&logged.id);
        if let Some(bot) = then
            && let Some(Difference { ply, .. }) = compare(logged, again)
        {
            let left = format!("from ply {ply} on {bot} plays the side of the log");
            again.more.push(("Rerun".to_owned(), left));
        }
        PlayedAgain { finished, asked }
    }

    /// Its log.
    pub fn record(&self) -> &Record {
        &self.finished.record
    }

    /// Whether the ply of this number was asked for.
    pub fn has_reached(&self, ply: usize) -> bool {
        self.asked.ply >= ply
    }

    /// Prints the verdict on a game that was played to its end, or to its first difference;
    /// `plays_on` says that it is played on after that.
    ///
    /// # Errors
    /// The game was not played so far.
    pub fn print_ended(&self, game: &LoggedGame, plays_on: bool) -> Result<Verdict, Failure> {
        let logged = &game.record;
        let again = self.record();
        let Some(difference) = compare(logged, again) else {
            print(escape::line(&format!("the same game: {}", line(again, game))))?;
            return Ok(Verdict::DONE);
        };
        if let Some(what) = broken(&self.finished, &difference) {
            return Err(Failure::Unfinished(anyhow!("{}", game.anonymizer.clean(what))));
        }
        print_difference(game, &difference)?;
        let mut faults = RulesFaults::default();
        if let Some(fault) = &self.finished.fault {
            faults.add(fault);
        }
        if let Some(verdict) = faults.verdict("the rules failed".to_owned()) {
            return Ok(verdict);
        }
        if !plays_on {
            return Ok(Verdict::of(1));
        }
        print(line(again, game))?;
        Ok(Verdict::DONE)
    }

    /// Prints the position and the request that the game was stopped before.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub fn print_stopped(&self, game: &LoggedGame) -> Result<Verdict, Failure> {
        let logged = &game.record;
        let again = self.record();
        let asked = &self.asked;
        // The logged game as if it had been stopped there too.
        let mut so_far = logged.clone();
        so_far.plies.truncate(again.plies.len());
        so_far.outcome = again.outcome;
        so_far.reply.clone_from(&again.reply);
        if let Some(difference) = compare(&so_far, again) {
            print_difference(game, &difference)?;
            return Ok(Verdict::of(1));
        }
        let mut position = again.start.clone();
        for step in again.steps() {
            if let Ok(after) = step.after {
                position = after;
            }
        }
        let side = position.side();
        let ply = asked.ply;
        // The log was asked, not a program: the request that a program would have got.
        let request = if asked.request.is_empty() {
            let requests = Requests::new(logged, &game.settings, &game.sent, side);
            requests.turn(ply).unwrap_or_default().to_owned()
        } else {
            asked.request.clone()
        };
        let name = &logged.players[side];
        let letter = position.ruleset().letter(side);
        let id = logged.id.as_deref().unwrap_or("GAMEID");
        let words = position.ruleset().command_words();
        let page = format!(
            "{id} before ply {ply}: {letter} ({name}) is to move\n\n\
             position {position}\n{}\n\n\
             the request:\n{request}\n\
             To go on: the same command without --ply, or with --ply {}; with --attach {name} the \
             program of {name} is stopped here for a debugger.\n\
             To play from here: arbiter play {} BOT BOT --position '{position}'\n",
            text::board(&position),
            ply + 1,
            shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default(),
        );
        write_out(harmless(&page))?;
        Ok(Verdict::DONE)
    }
}

fn print_difference(game: &LoggedGame, difference: &Difference) -> Result<(), Failure> {
    let record = &game.record;
    let id = record.id.as_deref().unwrap_or("?");
    let side = match difference.side {
        Some(side) => format!("{} ({}), ", record.players[side], record.ruleset().letter(side)),
        None => String::new(),
    };
    let difference = game.anonymizer.clean(&difference.to_string());
    print(escape::line(&format!("{id}: {side}{difference}")))
}

/// The line of a game that was played again, with the names of the logged one.
fn line(record: &Record, game: &LoggedGame) -> String {
    text::game(&game.anonymizer.record(record.clone()))
}

/// What failed in arbiter, if that ended the game, and not the game's leaving the log.
fn broken<'a>(finished: &'a Finished, difference: &Difference) -> Option<&'a String> {
    let what = finished.broken.as_ref()?;
    let left = [RecordEnded::Left(difference.ply), RecordEnded::Over(difference.ply)];
    (!left.iter().any(|left| left.to_string() == *what)).then_some(what)
}
