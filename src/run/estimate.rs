//! `--print-plan`: what a tournament takes, without starting a bot.

use super::entrants::Candidates;
use super::sharing::Sharing;
use super::sources::Sources;
use anyhow::anyhow;
use arbiter_config::Names;
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::tournament::{AttemptResult, Effort, Estimate, PlayedGames, TRIES, pairs_at_once};
use arbiter_game::Pondering;
use arbiter_ground::failure::Failure;
use arbiter_ground::request::TournamentRequest;
use arbiter_play::store::ResultFolder;
use arbiter_rank::schedule::{Bots, Dependence};
use arbiter_rules::text::counted;
use std::path::Path;
use std::time::Duration;

/// What the run would play that has its results in the folder `dir`.
pub fn plan_text(
    request: &TournamentRequest,
    sharing: &Sharing,
    dir: &Path,
    at_once: u16,
) -> Result<String, Failure> {
    let config = &request.config;
    let format = &config.schedule.format;
    if format.kind.dependence == Dependence::Pairs {
        return Err(
            anyhow!("--print-plan: the number of games of a test depends on its results").into()
        );
    }
    let mut dirs = sharing.elsewhere();
    if ResultFolder::existing(dir).journal().is_file() {
        dirs.insert(0, dir.to_owned());
    }
    let sources = Sources::read(&dirs)?;
    let (roster, played) = if sources.folders.is_empty() {
        (Bots::joining(&found(request)?), PlayedGames::new())
    } else {
        let (head, _) = sources.head(None)?;
        (head.bots(), sources.games.played(&head.roster))
    };
    let bots = roster.count();
    let share = sharing.share_of(played.clone(), config, &roster);
    let games = match share.games(config, &roster) {
        Some(games) => games,
        None => format.total_games(bots).saturating_sub(settled(&played)),
    };
    // Once games are recorded, they say more than the clocks.
    let effort = match (sources.mean_time(), config.longest_game(), config.longest_wall()) {
        (Some(game), _, _) => Some(Effort { game, wall: game, is_bound: false }),
        (None, Some(game), Some(wall)) => Some(Effort { game, wall, is_bound: true }),
        (None, _, _) => None,
    };
    let estimate = Estimate {
        games,
        is_most: format.ends_by_tests(),
        bots,
        // A bot that is not on move is stopped, unless it ponders.
        cores_of_game: if config.settings.time.pondering == Pondering::On { 2 } else { 1 },
        at_once: at_once.into(),
        effort,
    };
    Ok(text(&estimate, pairs_at_once(config, bots, games), played.len()))
}

/// The number of these games that are not played again, as aborted ones are until their last try.
fn settled(played: &PlayedGames) -> u64 {
    let mut settled = 0;
    for ((_, attempt), ended) in played {
        settled += u64::from(*ended != AttemptResult::Aborted || *attempt >= TRIES);
    }
    settled
}

/// The names of the bots whose programs are there.
fn found(request: &TournamentRequest) -> Result<Vec<String>, Failure> {
    let found = Candidates::look(request)?;
    if request.config.publish.names == Names::Name {
        found.warn_of_shared_folders(&Anonymizer::unchanged());
    }
    Ok(found.found_names().cloned().collect())
}

fn text(estimate: &Estimate, pairs: u64, played: usize) -> String {
    let Estimate { games, is_most, bots, at_once, effort, .. } = *estimate;
    let at_most = if is_most { "at most " } else { "" };
    let mut out = format!("bots: {bots}\ngames to play: {at_most}{games}");
    if played > 0 {
        out += &format!(", besides {played} already recorded");
    }
    out.push('\n');
    let (Some(effort), Some(cores), Some(wall), Some(shards)) =
        (effort, estimate.core_time(), estimate.wall_time(), estimate.shards(pairs))
    else {
        out.push_str("time: unknown, because the games have no clock\n");
        return out;
    };
    let (most, source) = if effort.is_bound {
        (
            "at most ",
            "what the clocks and the ply limit allow; once games are recorded, it is their mean",
        )
    } else {
        ("", "the mean of the recorded games")
    };
    let all = if is_most { at_most } else { most };
    let at_once = counted(at_once.into(), "game");
    let is_capped = effort.wall > effort.game;
    let [time, sleepers] = if is_capped {
        ["processor time", ", if bots sleep at each ply as long as wall-cap allows"]
    } else {
        ["time", ""]
    };
    out + &format!(
        "a game: {most}{} of its bots' {time} ({source})\n\
         bots' core-hours: {all}{:.1}\n\
         wall time at {at_once} at a time: {all}{}{sleepers}\n\
         shards of about an hour: {shards}, of {} at most\n",
        span(effort.game),
        cores.as_secs_f64() / 3600.0,
        span(wall),
        counted(pairs, "pair")
    )
}

/// A time in the unit that suits it.
fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let units = [(86_400.0, "days"), (3600.0, "h"), (60.0, "min"), (1.0, "s")];
    match units.into_iter().find(|(unit, _)| seconds >= 2.0 * unit) {
        Some((unit, word)) => format!("{:.1} {word}", seconds / unit),
        None => format!("{:.0} ms", seconds * 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_is_repeated_counts_once() {
        let mut played = PlayedGames::new();
        for (attempt, expected) in [(1, 0), (2, 0), (TRIES, 1)] {
            played.insert(("a~b.1".to_owned(), attempt), AttemptResult::Aborted);
            assert_eq!(settled(&played), expected, "{attempt}");
        }
        played.insert(("a~b.2".to_owned(), 1), AttemptResult::Aborted);
        played.insert(("a~b.2".to_owned(), 2), AttemptResult::Scored([2, 0]));
        assert_eq!(settled(&played), 2);
    }

    #[test]
    fn a_time_has_the_unit_that_suits_it() {
        let shown = [0.05, 1.5, 12.0, 119.0, 121.0, 9000.0, 200_000.0]
            .map(|s| span(Duration::from_secs_f64(s)));
        assert_eq!(
            shown,
            ["50 ms", "1500 ms", "12.0 s", "119.0 s", "2.0 min", "2.5 h", "2.3 days"]
        );
    }
}
