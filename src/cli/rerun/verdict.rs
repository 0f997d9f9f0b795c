//! What came of a rerun: whether it is the same game, or where it stopped.

use super::super::{CommandResult, Failure, print, write_out};
use super::debugging::LastRequest;
use super::logged::LoggedGame;
use crate::arena::Finished;
use crate::game::RecordEnded;
use crate::record::Record;
use crate::replay::{Difference, Requests, compare};
use crate::report::{escape, text};
use crate::text::harmless;
use anyhow::anyhow;
use std::process::ExitCode;

/// Gives the log of a rerun what only the first log knows: its round and pair. `then` is the program that
/// played on where the game left the log.
pub(super) fn complete(again: &mut Record, logged: &Record, then: Option<&str>) {
    again.round.clone_from(&logged.round);
    again.pair.clone_from(&logged.pair);
    again.id.clone_from(&logged.id);
    let left = then.zip(compare(logged, again));
    again.more.extend(left.map(|(bot, Difference { ply, .. })| {
        ("Rerun".to_owned(), format!("from ply {ply} on {bot} plays the side of the log"))
    }));
}

/// The verdict on a game that was played to its end, or to its first difference; `plays_on` says that it is
/// played on after that.
pub(super) fn ended(game: &LoggedGame, finished: &Finished, plays_on: bool) -> CommandResult {
    let (logged, again) = (&game.record, &finished.record);
    let Some(difference) = compare(logged, again) else {
        print(escape::line(&format!("the same game: {}", text::game(again))))?;
        return Ok(ExitCode::SUCCESS);
    };
    if let Some(what) = broken(finished, &difference) {
        return Err(Failure::Unfinished(anyhow!("{what}")));
    }
    print_difference(game, &difference)?;
    if !plays_on {
        return Ok(ExitCode::from(1));
    }
    print(text::game(again))?;
    Ok(ExitCode::SUCCESS)
}

fn print_difference(game: &LoggedGame, difference: &Difference) -> Result<(), Failure> {
    let record = &game.record;
    let id = record.id.as_deref().unwrap_or("?");
    let side =
        difference.side.map(|side| format!("{} ({}), ", record.players[side], record.ruleset().letter(side)));
    print(escape::line(&format!("{id}: {}{difference}", side.unwrap_or_default())))
}

/// What failed in arbiter, if that ended the game, and not the game's leaving the log.
fn broken<'a>(finished: &'a Finished, difference: &Difference) -> Option<&'a String> {
    let what = finished.broken.as_ref()?;
    let left = [RecordEnded::Left(difference.ply), RecordEnded::Over(difference.ply)];
    (!left.iter().any(|left| left.to_string() == *what)).then_some(what)
}

/// Prints the position and the request that the game was stopped before.
pub(super) fn stopped(game: &LoggedGame, finished: &Finished, asked: LastRequest) -> CommandResult {
    let (logged, again) = (&game.record, &finished.record);
    let plies = logged.plies.iter().take(again.plies.len()).cloned().collect();
    let so_far = Record { plies, outcome: again.outcome, reply: again.reply.clone(), ..logged.clone() };
    if let Some(difference) = compare(&so_far, again) {
        print_difference(game, &difference)?;
        return Ok(ExitCode::from(1));
    }
    let position = again.steps().filter_map(|step| step.after.ok()).last().unwrap_or(again.start);
    let (side, ply) = (position.side(), asked.ply);
    let request = match asked.request.is_empty() {
        false => asked.request,
        true => {
            let requests = Requests::of(logged, &game.settings, &game.sent, side);
            requests.turn(ply).unwrap_or_default().to_owned()
        }
    };
    let (name, letter) = (&logged.players[side], position.ruleset().letter(side));
    let id = logged.id.as_deref().unwrap_or("GAMEID");
    let page = format!(
        "{id} before ply {ply}: {letter} ({name}) is to move\n\nposition {position}\n{}\n\nthe request:\n{request}\n\
         To go on: the same command without --ply, or with --ply {}; with --attach {name} the program of {name} is stopped \
         here for a debugger.\nTo play from here: arbiter play {} BOT BOT --position '{position}'\n",
        text::board(&position),
        ply + 1,
        position.ruleset().game().name(),
    );
    write_out(harmless(&page))?;
    Ok(ExitCode::SUCCESS)
}
