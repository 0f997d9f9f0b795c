//! Checks a bot: puts it in the situations of [`bot_check`](arbiter_engine::bot_check), one game each and
//! side, and says what came of them.
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
use arbiter_engine::bot_check::{
    CheckResult, Exercise, Finding, RulesScope, Scenario, Situation, Terms,
};
use arbiter_game::{Fault, Sandbox, Settings};
use arbiter_ground::failure::Failure;
use arbiter_ground::preparation::Preparation;
use arbiter_host::bot::BotError;
use arbiter_host::locate::Program;
use arbiter_play::arena;
use finish::finish;
pub use judge::RULES_FAILED;
use judge::{UNRUNNABLE, Verdict, finding};
use shown::Shown;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// What a bot is checked under: one game of it, on this machine.
pub struct CheckSetup<'a> {
    pub name: &'a str,
    pub program: &'a Program,
    /// The conditions of its games, isolated, with users separated.
    pub preparation: &'a Preparation,
    /// The settings of its games, with the game.
    pub settings: Settings,
    /// Whether options, board and clock may be varied.
    pub scope: RulesScope,
    /// The level under which a failing game is played once more, to see whether isolation is the
    /// cause; none if the program must not run with less isolation.
    pub again_under: Option<Sandbox>,
}

impl CheckSetup<'_> {
    fn game(&self) -> &str {
        self.settings.ruleset.game().name()
    }
}

/// So many situations are played at a time.
const AT_A_TIME: usize = 2;
/// After so many situations in which it did not answer, the rest is not tried: each takes the whole
/// patience.
const MOST_SILENT: usize = 3;

/// Checks a bot in one game; `played` is called once for each situation, when its games are played
/// or it is left out. Returns the findings in the order of what to mend first. Of several with one
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
    let (mut shown, stops) = match built.result {
        CheckResult::Fault => {
            let first = [Situation::Starts, Situation::Ready, Situation::Opening];
            let why = "it is not built";
            (
                first.map(|situation| Shown::left_out(setup.game(), &situation, why)).into(),
                Some(why),
            )
        }
        CheckResult::Ok | CheckResult::Remark | CheckResult::Skipped => begin(setup, &opening)?,
    };
    for _ in &shown {
        played();
    }
    match stops {
        Some(why) => {
            for exercise in &exercises {
                shown.push(Shown::left_out(setup.game(), &exercise.situation, why));
                played();
            }
        }
        None => {
            let wishes_reuse = shown.iter().any(|shown| shown.wishes_reuse)
                || setup
                    .program
                    .conversation()
                    .is_ok_and(|conversation| conversation.is_reusable());
            let unwished =
                |exercise: &&mut Exercise| exercise.situation == Situation::Reuse && !wishes_reuse;
            exercises
                .iter_mut()
                .filter(unwished)
                .for_each(|exercise| exercise.skipped = Some("it does not wish `reuse`"));
            shown.extend(play_all(setup, &exercises, played)?);
        }
    }
    Ok([vec![built], finish(setup, shown)?].concat())
}

/// Builds it, if it has a build command.
fn build(setup: &CheckSetup<'_>) -> Result<Finding, Failure> {
    let game = setup.game();
    let conditions = &setup.preparation.conditions;
    let verdict = match setup.program.spec.build {
        None => Verdict::Cannot("it has no build command".to_owned()),
        Some(_) => Verdict::Fine,
    };
    let built = finding(game, &Situation::Builds, &verdict, None);
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

/// Plays the opening on both sides, which shows whether it starts, gets ready and answers; and why
/// nothing more is to be tried, if so.
fn begin(
    setup: &CheckSetup<'_>,
    opening: &Exercise,
) -> Result<(Vec<Shown>, Option<&'static str>), Failure> {
    let situation = &opening.situation;
    let play = |trial: &Vec<Scenario>| Shown::of(setup, situation, trial);
    let mut sides = side_by_side(&opening.trials, play, &mut || {})?;
    let failed = sides.iter().filter(|shown| shown.fault.is_some()).count();
    let fails_always = failed == sides.len();
    let worst = sides.iter().position(|shown| shown.fault == Some(Fault::NoStart));
    let worst = worst.or_else(|| sides.iter().position(|shown| shown.fault.is_some()));
    let shown = sides.swap_remove(worst.unwrap_or_default());
    let game = setup.game();
    let fine = |situation: &Situation| Shown::unplayed(game, situation, &Verdict::Fine);
    let left_out = |situation: &Situation, why| Shown::left_out(game, situation, why);
    if shown.fault != Some(Fault::NoStart) {
        let has_handshake =
            setup.program.conversation().is_ok_and(|conversation| !conversation.is_ready());
        let ready = if has_handshake {
            fine(&Situation::Ready)
        } else {
            let why = "its dialect has no line for that".to_owned();
            Shown::unplayed(game, &Situation::Ready, &Verdict::Cannot(why))
        };
        let stops = fails_always.then_some("it does not answer in the start position");
        return Ok((vec![fine(&Situation::Starts), ready, shown], stops));
    }
    let of = |situation: Situation| {
        let name = situation.name();
        let what = situation.what();
        Shown {
            situation,
            finding: Finding { situation: name, what, ..shown.finding.clone() },
            ..shown
        }
    };
    if shown.finding.sentence.contains(UNRUNNABLE) {
        let why = "it does not start";
        let later =
            [Situation::Ready, Situation::Opening].map(|situation| left_out(&situation, why));
        return Ok(([of(Situation::Starts)].into_iter().chain(later).collect(), Some(why)));
    }
    let why = "it does not get ready";
    Ok((
        vec![fine(&Situation::Starts), of(Situation::Ready), left_out(&Situation::Opening, why)],
        Some(why),
    ))
}

/// Plays all situations, some at a time. Each has settings of its own, and whether one is played at
/// all depends on what others showed, so they are many short runs and not one queue of games.
fn play_all(
    setup: &CheckSetup<'_>,
    exercises: &[Exercise],
    played: &mut dyn FnMut(),
) -> Result<Vec<Shown>, Failure> {
    let silent = AtomicUsize::new(0);
    let play = |exercise: &Exercise| {
        if silent.load(Ordering::Relaxed) >= MOST_SILENT {
            let why = "it did not answer in too many others";
            return Ok(Shown::left_out(setup.game(), &exercise.situation, why));
        }
        let shown = Shown::of_all(setup, exercise)?;
        if shown.fault == Some(Fault::Timeout) {
            silent.fetch_add(1, Ordering::Relaxed);
        }
        Ok(shown)
    };
    side_by_side(exercises, play, played)
}

/// Plays these, some at a time; `played` is called once for each.
fn side_by_side<T: Sync>(
    all: &[T],
    play: impl Fn(&T) -> Result<Shown, Failure> + Sync,
    played: &mut dyn FnMut(),
) -> Result<Vec<Shown>, Failure> {
    let next = &AtomicUsize::new(0);
    let play = &play;
    let mut shown: Vec<Option<Shown>> = all.iter().map(|_| None).collect();
    thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..AT_A_TIME {
            let sender = sender.clone();
            scope.spawn(move || {
                while let (at, Some(one)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    (at, all.get(at))
                } {
                    if sender.send((at, play(one))).is_err() {
                        break; // another one failed
                    }
                }
            });
        }
        drop(sender);
        for (at, result) in results {
            shown[at] = Some(result?);
            played();
        }
        Ok::<(), Failure>(())
    })?;
    Ok(shown.into_iter().flatten().collect())
}
