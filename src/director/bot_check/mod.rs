//! Checks a bot: puts it in the situations of [`bot_check`](crate::bot_check), one game each and side, and says what came of them.
//!
//! Owns the order in which situations are played, and which are left out because an earlier one fails. What the situations are
//! is data of `bot_check`; the games are played by `stage`, judged by `judge`, and shortened by `shorten`.

mod judge;
mod shorten;
mod stage;

use super::{Failure, Preparation};
use crate::arena;
use crate::bot::BotError;
use crate::bot_check::{CheckResult, Exercise, Finding, Line, RulesScope, Scenario, Situation, Terms};
use crate::game::{Channel, Fault, Sandbox, Settings};
use crate::locate::Program;
use crate::rules::Ply;
use anyhow::anyhow;
use judge::{UNRUNNABLE, Verdict, finding, judge};
use stage::{Stage, play};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// What a bot is checked under: one game of it, on this machine.
pub struct CheckSetup<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its program.
    pub program: &'a Program,
    /// The conditions of its games, isolated, with users separated.
    pub preparation: &'a Preparation,
    /// The settings of its games, with the game.
    pub settings: Settings,
    /// Whether options, board and clock may be varied.
    pub scope: RulesScope,
    /// The level under which a failing game is played once more, to see whether isolation is the cause; none if the program
    /// must not run with less isolation.
    pub again_under: Option<Sandbox>,
}

/// So many situations at a time.
const AT_A_TIME: usize = 2;
/// After so many situations in which nothing came, the rest is not tried: each takes the whole patience.
const MOST_SILENT: usize = 3;

/// What one situation showed.
struct Shown {
    situation: Situation,
    finding: Finding,
    /// The fault, and the trial that it was in.
    fault: Option<Fault>,
    trial: Vec<Scenario>,
    /// The plies of each game of the last trial.
    plies: Vec<Vec<Ply>>,
    /// Answers that it wrote without being asked, and other lines that are none of the protocol; the first of each.
    unasked: Vec<Line>,
    strange: Vec<Line>,
    wishes_reuse: bool,
}

/// Checks a bot in one game; `found` gets each finding as soon as its games are played, in any order. Returns the findings in
/// the order of what to mend first. Of several with one cause, the first has the shortest game.
///
/// # Errors
/// Something in arbiter failed.
pub fn check_bot(setup: &CheckSetup<'_>, found: &mut dyn FnMut(&Finding)) -> Result<Vec<Finding>, Failure> {
    let game = setup.settings.ruleset.game().name();
    let mut findings = vec![build(setup, game)?];
    found(&findings[0]);
    let terms = Terms {
        settings: setup.settings,
        scope: setup.scope,
        dialect: setup.program.dialect,
        seed: setup.preparation.conditions.seed.unwrap_or_default(),
    };
    let mut exercises = terms.exercises();
    if findings[0].result == CheckResult::Fault {
        let first = [Situation::Starts, Situation::Ready].map(without_games);
        let left: Vec<Exercise> = first.into_iter().chain(exercises).collect();
        findings.extend(left.iter().map(|exercise| leave_out(game, exercise, "it is not built")));
        return Ok(findings);
    }
    let rest = exercises.split_off(1);
    let mut shown = Vec::new();
    if let Some(opening) = exercises.first() {
        let first = begin(setup, game, opening, found)?;
        let stops = first.stops;
        findings.extend(first.before);
        shown.push(first.opening);
        if let Some(why) = stops {
            let mut all = finish(setup, game, shown, found)?;
            findings.append(&mut all);
            findings.extend(rest.iter().map(|exercise| leave_out(game, exercise, why)));
            return Ok(findings);
        }
    }
    let wishes_reuse = shown.iter().any(|shown| shown.wishes_reuse)
        || setup.program.conversation().is_ok_and(|conversation| conversation.is_reusable());
    let rest: Vec<Exercise> = rest
        .into_iter()
        .map(|exercise| match exercise.situation {
            Situation::Reuse if !wishes_reuse => {
                Exercise { skipped: Some("it does not wish `reuse`"), ..exercise }
            }
            _ => exercise,
        })
        .collect();
    shown.extend(play_all(setup, game, &rest, found)?);
    findings.append(&mut finish(setup, game, shown, found)?);
    Ok(findings)
}

fn without_games(situation: Situation) -> Exercise {
    Exercise { situation, trials: Vec::new(), skipped: None }
}

fn leave_out(game: &str, exercise: &Exercise, why: &str) -> Finding {
    finding(game, exercise, &Verdict::Cannot(format!("not tried: {why}")), None)
}

/// Builds it, if it has a build command.
fn build(setup: &CheckSetup<'_>, game: &str) -> Result<Finding, Failure> {
    let (exercise, conditions) = (without_games(Situation::Builds), &setup.preparation.conditions);
    let verdict = match &setup.program.build {
        None => Verdict::Cannot("it has no build command".to_owned()),
        Some(_) => match arena::build(conditions, setup.program, conditions.stderr, &mut Vec::new()) {
            Ok(()) => Verdict::Fine,
            Err(BotError::Unstartable(why)) => Verdict::Fault(Fault::NoStart, why),
            Err(BotError::Broken(what)) => return Err(broken(setup, &what)),
        },
    };
    Ok(finding(game, &exercise, &verdict, None))
}

fn broken(setup: &CheckSetup<'_>, what: &str) -> Failure {
    Failure::Unfinished(anyhow!("{}: arbiter: {what}", setup.name))
}

/// The first games of a bot.
struct Beginning {
    /// What is said of them before the opening: whether it starts, and gets ready.
    before: Vec<Finding>,
    opening: Shown,
    /// Why nothing more is tried, if so.
    stops: Option<&'static str>,
}

/// Plays the opening on both sides, which shows whether it starts, gets ready and answers.
fn begin(
    setup: &CheckSetup<'_>,
    game: &str,
    opening: &Exercise,
    found: &mut dyn FnMut(&Finding),
) -> Result<Beginning, Failure> {
    let mut sides = thread::scope(|scope| {
        let mut playing = Vec::new();
        for trial in &opening.trials {
            playing.push(scope.spawn(move || try_out(setup, game, opening, trial)));
        }
        playing.into_iter().map(joined).collect::<Result<Vec<Shown>, Failure>>()
    })?;
    let failed = sides.iter().filter(|shown| shown.fault.is_some()).count();
    let fails_always = failed == sides.len();
    let worst = sides.iter().position(|shown| shown.fault == Some(Fault::NoStart));
    let worst = worst.or_else(|| sides.iter().position(|shown| shown.fault.is_some()));
    let mut shown = sides.swap_remove(worst.unwrap_or_default());
    let mut before: Vec<Finding> = [Situation::Starts, Situation::Ready]
        .map(|situation| finding(game, &without_games(situation), &Verdict::Fine, None))
        .into();
    let mut stops = fails_always.then_some("it does not answer in the start position");
    if shown.fault == Some(Fault::NoStart) {
        let lost = format!("lost by no-start: {UNRUNNABLE}");
        let (at, why) = match shown.finding.sentence.starts_with(&lost) {
            true => (0, "it does not start"),
            false => (1, "it does not get ready"),
        };
        let Finding { situation, what, .. } = before[at].clone();
        before[at] = Finding { situation, what, ..shown.finding.clone() };
        for later in &mut before[at + 1..] {
            (later.result, later.sentence) = (CheckResult::Skipped, format!("not tried: {why}"));
        }
        shown.finding = leave_out(game, opening, why);
        stops = Some(why);
    } else if setup.program.conversation().is_ok_and(|conversation| conversation.is_ready()) {
        before[1].result = CheckResult::Skipped;
        "its dialect has no handshake".clone_into(&mut before[1].sentence);
    }
    before.iter().chain([&shown.finding]).for_each(found);
    Ok(Beginning { before, opening: shown, stops })
}

/// Plays all situations, some at a time; those that time decides are played again by themselves if they fail.
fn play_all(
    setup: &CheckSetup<'_>,
    game: &str,
    exercises: &[Exercise],
    found: &mut dyn FnMut(&Finding),
) -> Result<Vec<Shown>, Failure> {
    let (next, silent) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut all: Vec<Option<Shown>> = exercises.iter().map(|_| None).collect();
    let (sender, shown) = channel();
    thread::scope(|scope| {
        let work = |sender: Sender<(usize, Result<Shown, Failure>)>| {
            while let Some((at, exercise)) =
                Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, exercises.get(at)?)))
            {
                let shown = match silent.load(Ordering::Relaxed) < MOST_SILENT {
                    true => try_all(setup, game, exercise),
                    false => Ok(unplayed(
                        exercise.situation,
                        leave_out(game, exercise, "too often it does not answer"),
                    )),
                };
                if let Ok(Shown { fault: Some(Fault::Timeout), .. }) = &shown {
                    silent.fetch_add(1, Ordering::Relaxed);
                }
                if sender.send((at, shown)).is_err() {
                    break; // another one failed
                }
            }
        };
        for _ in 0..AT_A_TIME {
            let sender = sender.clone();
            scope.spawn(move || work(sender));
        }
        drop(sender);
        for (at, shown) in shown {
            let shown = shown?;
            found(&shown.finding);
            all[at] = Some(shown);
        }
        Ok(())
    })
    .map_err(|failure: Failure| failure)?;
    Ok(all.into_iter().flatten().collect())
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, Result<T, Failure>>) -> Result<T, Failure> {
    let panicked = |_| Err(Failure::Unfinished(anyhow!("a thread panicked, which is a fault of arbiter")));
    thread.join().unwrap_or_else(panicked)
}

fn unplayed(situation: Situation, finding: Finding) -> Shown {
    Shown {
        situation,
        finding,
        fault: None,
        trial: Vec::new(),
        plies: Vec::new(),
        unasked: Vec::new(),
        strange: Vec::new(),
        wishes_reuse: false,
    }
}

/// Plays the trials of a situation until one fails.
fn try_all(setup: &CheckSetup<'_>, game: &str, exercise: &Exercise) -> Result<Shown, Failure> {
    if let Some(why) = exercise.skipped {
        return Ok(unplayed(
            exercise.situation,
            finding(game, exercise, &Verdict::Cannot(why.to_owned()), None),
        ));
    }
    let mut last = unplayed(exercise.situation, finding(game, exercise, &Verdict::Fine, None));
    for trial in &exercise.trials {
        let mut shown = try_out(setup, game, exercise, trial)?;
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
fn try_out(
    setup: &CheckSetup<'_>,
    game: &str,
    exercise: &Exercise,
    trial: &[Scenario],
) -> Result<Shown, Failure> {
    let stage = play(setup, trial, None)?;
    let mut verdict = judge(setup.name, exercise.situation, &stage)?;
    let mut plies = judge::plies(&stage);
    if exercise.situation == Situation::SameSeed && verdict == Verdict::Fine {
        plies.extend(judge::plies(&play(setup, trial, None)?));
        if plies.first() != plies.last() {
            let what = "the same game with the same `seed` went another way: what it plays cannot be looked at again by a rerun";
            verdict = Verdict::Remark(what.to_owned());
        }
    }
    let (unasked, strange) = not_of_the_protocol(setup, &stage);
    let is_wish = |line: &Line| {
        let mut words = line.bytes.split(u8::is_ascii_whitespace);
        line.channel == Channel::Reply && words.next() == Some(b"ready") && words.any(|word| word == b"reuse")
    };
    let fault = match verdict {
        Verdict::Fault(fault, _) => Some(fault),
        Verdict::Fine | Verdict::Remark(_) | Verdict::Cannot(_) => None,
    };
    Ok(Shown {
        situation: exercise.situation,
        finding: finding(game, exercise, &verdict, Some(&stage)),
        fault,
        trial: trial.to_vec(),
        plies,
        unasked,
        strange,
        wishes_reuse: stage.heard.lines.iter().any(is_wish),
    })
}

/// The first answer that was not asked for, and the first line that is none of the protocol; each with the line that the bot was
/// sent before.
fn not_of_the_protocol(setup: &CheckSetup<'_>, stage: &Stage) -> (Vec<Line>, Vec<Line>) {
    let (mut unasked, mut strange) = (Vec::new(), Vec::new());
    let Ok(conversation) = setup.program.conversation() else { return (unasked, strange) };
    let position = setup.settings.ruleset.start();
    let lines = &stage.heard.lines[..stage.heard.ended_at];
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.channel == Channel::Unrecognised) {
        let is_answer = conversation.read(&position, &line.bytes).is_answer();
        let kept = if is_answer { &mut unasked } else { &mut strange };
        if kept.is_empty() {
            kept.extend(at.checked_sub(1).map(|before| lines[before].clone()));
            kept.push(line.clone());
        }
    }
    (unasked, strange)
}

/// Decides what only all situations together show, plays again what may have been chance, and shortens what fails.
fn finish(
    setup: &CheckSetup<'_>,
    game: &str,
    mut shown: Vec<Shown>,
    found: &mut dyn FnMut(&Finding),
) -> Result<Vec<Finding>, Failure> {
    let all = |lines: fn(&Shown) -> &Vec<Line>, shown: &[Shown]| {
        shown.iter().map(lines).find(|lines| !lines.is_empty()).cloned()
    };
    let unasked = all(|shown| &shown.unasked, &shown);
    let strange = all(|shown| &shown.strange, &shown);
    remark(
        &mut shown,
        game,
        Situation::OneAnswer,
        unasked,
        "it wrote an answer that was not asked for; it does not count, and one that comes late may be taken for the answer to the next question",
    );
    remark(
        &mut shown,
        game,
        Situation::Stdout,
        strange,
        "it writes lines to standard output that are none of the protocol: they go to standard error",
    );
    let mut known = HashSet::new();
    for shown in &mut shown {
        if known.insert(shown.finding.cause.clone()) && shown.fault.is_some() {
            shorten::shorten(setup, shown)?;
            found(&shown.finding);
        }
    }
    Ok(shown.into_iter().map(|shown| shown.finding).collect())
}

fn remark(shown: &mut [Shown], game: &str, situation: Situation, lines: Option<Vec<Line>>, sentence: &str) {
    let Some(at) = shown.iter_mut().find(|shown| shown.situation == situation) else { return };
    let Some(lines) = lines else { return };
    let verdict = Verdict::Remark(sentence.to_owned());
    at.finding = Finding { lines, ..finding(game, &without_games(situation), &verdict, None) };
}
