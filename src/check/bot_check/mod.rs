//! Checks a bot: puts it in the situations of [`bot_check`](arbiter_engine::bot_check), one game
//! for each situation and side, and judges what it did.
//!
//! Owns the order in which situations are played, and which are left out because an earlier one
//! fails. What the situations are is data of `bot_check`.
//!
//! ```text
//! check_bot                                build, opening, all others
//!   Shown::of: the games of a situation    shown
//!     play: scenarios to games and lines   stage
//!     judge: games to a verdict            judge
//!   finish: again, together, causes        finish
//!     shorten: the shortest game           shorten
//! ```

mod finish;
mod judge;
mod shorten;
mod shown;
mod stage;

use anyhow::anyhow;
use arbiter_engine::bot_check::{CheckResult, Exercise, Finding, RulesScope, Situation, Terms};
use arbiter_game::{Fault, Sandbox, Settings};
use arbiter_ground::failure::Failure;
use arbiter_ground::parallel::in_parallel;
use arbiter_ground::preparation::Preparation;
use arbiter_host::bot::BotError;
use arbiter_host::locate::Program;
use arbiter_play::arena;
use finish::finish;
pub use judge::RULES_FAILED;
use judge::{UNRUNNABLE, Verdict, finding};
pub use shown::Shown;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A bot and the conditions of its check in one game, on this machine.
pub struct CheckSetup<'a> {
    pub name: &'a str,
    pub program: &'a Program,
    /// The conditions of its games, isolated, with users separated.
    pub preparation: &'a Preparation,
    /// The settings of its games, with the game.
    pub settings: Settings,
    /// Whether options, board and clock may be varied.
    pub scope: RulesScope,
    /// The level, below that of the check, under which a failing game is played once more, to see
    /// whether isolation is the cause; `None` if the program must not run with less isolation.
    pub again_under: Option<Sandbox>,
}

/// The number of situations that are played at a time.
const AT_A_TIME: usize = 2;
/// After this many situations without an answer the others are left out: in each the whole
/// patience would pass.
const MOST_SILENT: usize = 3;

/// Checks a bot in one game; `played` is called once for each situation, when its games are played
/// or it is left out. Returns the findings in the order in which to fix them. Of several with one
/// cause, the first has the shortest game.
///
/// # Errors
/// Something in arbiter failed.
pub fn check_bot(
    setup: &CheckSetup<'_>,
    played: &mut dyn FnMut(),
) -> Result<Vec<Finding>, Failure> {
    let terms = Terms {
        settings: setup.settings.clone(),
        scope: setup.scope,
        dialect: setup.program.spec.dialect(),
        seed: setup.preparation.conditions.seed.unwrap_or_default(),
    };
    let built = build(setup)?;
    played();
    let mut exercises = terms.exercises();
    let opening = exercises.remove(0);
    let (mut shown, stops) = if built.result == CheckResult::Fault {
        let why = "it is not built";
        let first = [Situation::Starts, Situation::Ready, Situation::Opening];
        let left_out = first.map(|situation| Shown::left_out(setup, &situation, why));
        (Vec::from(left_out), Some(why))
    } else {
        begin(setup, &opening)?
    };
    for _ in &shown {
        played();
    }
    if let Some(why) = stops {
        for exercise in &exercises {
            shown.push(Shown::left_out(setup, &exercise.situation, why));
            played();
        }
    } else {
        let mut wishes_reuse = shown.iter().any(|shown| shown.wishes_reuse);
        if let Ok(conversation) = setup.program.conversation() {
            wishes_reuse |= conversation.is_reusable();
        }
        for exercise in &mut exercises {
            if exercise.situation == Situation::Reuse && !wishes_reuse {
                exercise.skipped = Some("it does not wish `reuse`");
            }
        }
        shown.extend(play_all(setup, &exercises, played)?);
    }
    let mut findings = vec![built];
    findings.extend(finish(setup, shown)?);
    Ok(findings)
}

/// Builds the bot, if it has a build command.
fn build(setup: &CheckSetup<'_>) -> Result<Finding, Failure> {
    let conditions = &setup.preparation.conditions;
    let verdict = match setup.program.spec.build {
        None => Verdict::Cannot("it has no build command".to_owned()),
        Some(_) => Verdict::Fine,
    };
    let built = finding(setup, &Situation::Builds, &verdict, None);
    match arena::build(conditions, setup.program, conditions.stderr, &mut Vec::new()) {
        Ok(()) => Ok(built),
        Err(BotError::Unstartable(sentence)) => {
            Ok(Finding { result: CheckResult::Fault, sentence, ..built })
        }
        Err(BotError::Broken(what)) => {
            Err(Failure::Unfinished(anyhow!("{}: arbiter: {what}", setup.name)))
        }
    }
}

/// Plays the opening on both sides, which shows whether the bot starts, gets ready and answers.
/// Returns also why all other situations are left out, if they are.
fn begin(
    setup: &CheckSetup<'_>,
    opening: &Exercise,
) -> Result<(Vec<Shown>, Option<&'static str>), Failure> {
    let situation = &opening.situation;
    let mut sides =
        side_by_side(&opening.trials, |trial| Shown::of(setup, situation, trial), &mut || {})?;
    // The worse of both sides counts: a bot that does not start, else any fault.
    let fails_always = sides.iter().all(|shown| shown.finding.fault.is_some());
    let silent = sides.iter().position(|shown| shown.finding.fault == Some(Fault::NoStart));
    let failed = sides.iter().position(|shown| shown.finding.fault.is_some());
    let shown = sides.swap_remove(silent.or(failed).unwrap_or_default());
    let starts = Shown::unplayed(setup, &Situation::Starts, &Verdict::Fine);
    if shown.finding.fault != Some(Fault::NoStart) {
        let verdict = match setup.program.conversation() {
            Ok(conversation) if !conversation.is_ready() => Verdict::Fine,
            _ => Verdict::Cannot("its dialect has no line for that".to_owned()),
        };
        let ready = Shown::unplayed(setup, &Situation::Ready, &verdict);
        let stops = fails_always.then_some("it does not answer in the start position");
        return Ok((vec![starts, ready, shown], stops));
    }
    if shown.finding.sentence.contains(UNRUNNABLE) {
        let why = "it does not start";
        let [ready, first_ply] = [Situation::Ready, Situation::Opening]
            .map(|skipped| Shown::left_out(setup, &skipped, why));
        return Ok((vec![shown.in_place_of(Situation::Starts), ready, first_ply], Some(why)));
    }
    let why = "it does not get ready";
    let first_ply = Shown::left_out(setup, &Situation::Opening, why);
    Ok((vec![starts, shown.in_place_of(Situation::Ready), first_ply], Some(why)))
}

/// Plays all situations, some at a time. Each has settings of its own, and whether one is played at
/// all depends on what others showed, so they are many short runs and not one queue of games.
fn play_all(
    setup: &CheckSetup<'_>,
    exercises: &[Exercise],
    played: &mut dyn FnMut(),
) -> Result<Vec<Shown>, Failure> {
    let silent = AtomicUsize::new(0);
    side_by_side(exercises, |exercise| play_next(setup, exercise, &silent), played)
}

/// Plays a situation, unless the bot was silent in too many others.
fn play_next(
    setup: &CheckSetup<'_>,
    exercise: &Exercise,
    silent: &AtomicUsize,
) -> Result<Shown, Failure> {
    if silent.load(Ordering::Relaxed) >= MOST_SILENT {
        let why = "it did not answer in too many others";
        return Ok(Shown::left_out(setup, &exercise.situation, why));
    }
    let shown = Shown::of_all(setup, exercise)?;
    if shown.finding.fault == Some(Fault::Timeout) {
        silent.fetch_add(1, Ordering::Relaxed);
    }
    Ok(shown)
}

/// Plays these, [`AT_A_TIME`] at once; `played` is called after each.
fn side_by_side<T: Sync>(
    all: &[T],
    play: impl Fn(&T) -> Result<Shown, Failure> + Sync,
    played: &mut dyn FnMut(),
) -> Result<Vec<Shown>, Failure> {
    let mut found = Vec::new();
    in_parallel(
        all,
        AT_A_TIME,
        || (),
        play,
        |shown| {
            found.push(shown?);
            played();
            Ok::<(), Failure>(())
        },
    )?;
    Ok(found)
}
