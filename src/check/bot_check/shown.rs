//! What one situation showed.

use super::CheckSetup;
use super::judge::{self, Verdict, finding, judge};
use super::stage::{Stage, play};
use arbiter_engine::bot_check::{CheckResult, Exercise, Finding, Line, Scenario, Situation};
use arbiter_game::{Channel, Outcome};
use arbiter_ground::failure::Failure;
use arbiter_host::rules_process::try_adapter;
use arbiter_play::arena::Finished;
use arbiter_rules::Ply;
use std::time::Duration;

/// What one situation showed.
pub struct Shown {
    pub situation: Situation,
    pub finding: Finding,
    /// The trial in which a game of it was lost, else the last one.
    pub trial: Vec<Scenario>,
    /// The plies of each game of that trial.
    pub plies: Vec<Vec<Ply>>,
    /// How the machine disturbed its games, if it did.
    pub disturbed: Option<String>,
    /// The first answer that the bot wrote without being asked, with the line before it.
    pub unasked: Vec<Line>,
    /// The first other line that is not part of the protocol, with the line before it.
    pub strange: Vec<Line>,
    /// Whether the bot asked to play several games in one process.
    pub wishes_reuse: bool,
    /// Whether it resigned a game.
    pub has_resigned: bool,
    /// The time of its plies, with that of an answer by which it lost.
    pub used: Duration,
}

impl Shown {
    /// A situation without games.
    pub fn unplayed(setup: &CheckSetup<'_>, situation: &Situation, verdict: &Verdict) -> Shown {
        Shown {
            situation: situation.clone(),
            finding: finding(setup, situation, verdict, None),
            trial: Vec::new(),
            plies: Vec::new(),
            disturbed: None,
            unasked: Vec::new(),
            strange: Vec::new(),
            wishes_reuse: false,
            has_resigned: false,
            used: Duration::ZERO,
        }
    }

    /// One that is left out, because an earlier one fails.
    pub fn left_out(setup: &CheckSetup<'_>, situation: &Situation, why: &str) -> Shown {
        Shown::unplayed(setup, situation, &Verdict::Cannot(format!("not tried: {why}")))
    }

    /// The same result, as that of another situation.
    pub fn in_place_of(mut self, situation: Situation) -> Shown {
        self.finding.situation = situation.name();
        self.finding.what = situation.what();
        self.situation = situation;
        self
    }

    /// Plays the trials of a situation up to the first that is not right.
    ///
    /// # Errors
    /// Something in arbiter failed.
    pub fn of_all(setup: &CheckSetup<'_>, exercise: &Exercise) -> Result<Shown, Failure> {
        let situation = &exercise.situation;
        if let Some(why) = exercise.skipped {
            return Ok(Shown::unplayed(setup, situation, &Verdict::Cannot(why.to_owned())));
        }
        let mut last = Shown::unplayed(setup, situation, &Verdict::Fine);
        for trial in &exercise.trials {
            let mut shown = Shown::of(setup, situation, trial)?;
            shown.unasked.splice(0..0, last.unasked);
            shown.strange.splice(0..0, last.strange);
            last = shown;
            if last.finding.result != CheckResult::Ok {
                break;
            }
        }
        Ok(last)
    }

    /// Plays one trial of a situation.
    ///
    /// # Errors
    /// Something in arbiter failed.
    pub fn of(
        setup: &CheckSetup<'_>,
        situation: &Situation,
        trial: &[Scenario],
    ) -> Result<Shown, Failure> {
        if let Err(why) = can_begin(setup, trial) {
            return Ok(Shown::unplayed(setup, situation, &Verdict::Cannot(why)));
        }
        let stage = play(setup, trial, None)?;
        let mut verdict = judge(setup.name, situation, &stage)?;
        let mut plies = judge::plies(&stage);
        if *situation == Situation::SameSeed && verdict == Verdict::Fine {
            plies.extend(judge::plies(&play(setup, trial, None)?));
            if plies.first() != plies.last() {
                verdict = Verdict::Remark(OTHER_PLIES.to_owned(), None);
            }
        }
        let has_lost =
            !matches!(verdict, Verdict::Fine | Verdict::Remark(_, None) | Verdict::Cannot(_));
        // What a bot writes after a game that it has lost is not strange: arbiter keeps reading to
        // find out why it was silent.
        let heard = if has_lost { stage.heard.asked_at } else { stage.heard.ended_at };
        let (unasked, strange) = not_of_the_protocol(setup, &stage.heard.lines[..heard]);
        let disturbed = stage.games.iter().find_map(disturbance);
        let mut finding = finding(setup, situation, &verdict, Some(&stage));
        if setup.program.spec.dialect() != Default::default() {
            finding.cure.clear(); // it has the words of the native dialect
        }
        Ok(Shown {
            situation: situation.clone(),
            finding,
            trial: trial.to_vec(),
            plies,
            disturbed,
            unasked,
            strange,
            wishes_reuse: stage.heard.lines.iter().any(is_wish_for_reuse),
            has_resigned: has_resigned(&stage),
            used: stage.heard.used,
        })
    }
}

fn has_resigned(stage: &Stage) -> bool {
    let mut games = stage.games.iter().zip(&stage.heard.sides);
    games.any(|(game, &side)| game.record.outcome == Outcome::Resigned(side))
}

/// A bot may have lost because it, or arbiter, waited this long for a processor.
const NOTABLE_WAIT: Duration = Duration::from_millis(20);

/// How the machine disturbed a game, if it did: the signs of its log, or that the bot could run and
/// had no processor.
fn disturbance(game: &Finished) -> Option<String> {
    for (name, signs) in &game.record.more {
        if name == "Disturbed" {
            return Some(signs.clone());
        }
    }
    let time = game.waited.filter(|&time| time >= NOTABLE_WAIT)?;
    Some(format!("it waited {} ms for a processor", time.as_millis()))
}

const OTHER_PLIES: &str = "the same game with the same `seed` went another way, so a rerun may not \
     show again what it did; take all random numbers from the line `seed` (a search that ends by \
     the clock differs in any case)";

const NO_BOARD: &str = "it knows only games that it has played from the usual start, because \
     `turn` in its table has no {board}";

/// Whether the bot can be put into these games.
///
/// # Errors
/// Its lines cannot say where one begins, or it takes one over and receives no board.
pub fn can_begin(setup: &CheckSetup<'_>, trial: &[Scenario]) -> Result<(), String> {
    let needs_board = setup.program.spec.table().is_some_and(|it| it.check_openings().is_err());
    for game in trial {
        let is_elsewhere = game.moment.start != game.settings.ruleset.start();
        if needs_board && (is_elsewhere || game.takes_over > 0) {
            return Err(NO_BOARD.to_owned());
        }
        if is_elsewhere && let Some(adapter) = &setup.program.adapter {
            let launcher = &setup.preparation.conditions.launcher;
            let limits = &game.settings.limits;
            let env = &setup.program.spec.env;
            try_adapter(adapter, env.clone(), &game.moment.start, launcher, limits)
                .map_err(|why| format!("its adapter cannot begin there: {why}"))?;
        }
    }
    Ok(())
}

fn is_wish_for_reuse(line: &Line) -> bool {
    let mut words = line.bytes.split(u8::is_ascii_whitespace);
    line.channel == Channel::Reply
        && words.next() == Some(b"ready")
        && words.any(|word| word == b"reuse")
}

/// The first answer that was not asked for, and the first other line that is not part of the
/// protocol; each with the line before it.
fn not_of_the_protocol(setup: &CheckSetup<'_>, lines: &[Line]) -> (Vec<Line>, Vec<Line>) {
    let mut unasked = Vec::new();
    let mut strange = Vec::new();
    let Ok(mut conversation) = setup.program.conversation() else { return (unasked, strange) };
    // Of a program that talks to a person no line is strange.
    if conversation.prompts().is_some() {
        return (unasked, strange);
    }
    let position = setup.settings.ruleset.start();
    for (at, line) in lines.iter().enumerate() {
        if line.channel == Channel::Unrecognised {
            let is_answer = conversation.read(&position, &line.bytes).is_answer();
            let kept = if is_answer { &mut unasked } else { &mut strange };
            if kept.is_empty() {
                kept.extend_from_slice(&lines[at.saturating_sub(1)..=at]);
            }
        }
    }
    (unasked, strange)
}
