//! The games of a program that plays against arbiter: it is built and asked for moves as a bot.

use super::objects::Objects;
use super::submissions::write_readable;
use crate::cases::lineup::{self, GameCase};
use crate::{CaseMark, Found, MarkedPart};
use arbiter_check::{CheckSetup, Shown};
use arbiter_config::FolderConfig;
use arbiter_config::assignment::Weights;
use arbiter_cup::report::check::lines;
use arbiter_engine::bot_check::{CheckResult, RulesScope, Situation};
use arbiter_game::{Fault, Settings, StderrAccess};
use arbiter_ground::failure::Failure;
use arbiter_ground::finder::finder;
use arbiter_host::bot::BotError;
use arbiter_host::locate::{Program, Trust};
use arbiter_play::arena;
use arbiter_play::store::remove_if_there;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How far a move may exceed the limit of time: the machine has other work.
const MARGIN: Duration = Duration::from_millis(500);
/// A game that is lost by time alone is played up to this many times: the machine may be slow.
const TRIES: usize = 3;
/// By how much the moves of all games may exceed the limit before no more games are played.
const LATE: Duration = Duration::from_secs(60);
/// After this many games for which the program did not get ready no more are played.
const NO_STARTS: usize = 3;
/// The most bytes of a line of the conversation that are shown.
const LINE: usize = 200;

const NAME: &str = "the program";

/// The part with its cases, but for classes that weigh nothing. Without a program there are none,
/// and a note says why.
///
/// # Errors
/// Something in arbiter or on the machine failed.
pub(super) fn games(
    objects: &Objects<'_>,
    part: &mut MarkedPart,
    weights: &Weights,
) -> Result<(), BotError> {
    let compiler = objects.compiler;
    let assignment = &compiler.sheet.assignment;
    let folder = &objects.files.folder;
    let program = match built(objects) {
        Ok(program) => program,
        Err(BotError::Unstartable(why)) => {
            part.notes.push(without_folder(&why, folder));
            return Ok(());
        }
        Err(broken) => return Err(broken),
    };
    let seed = compiler.sheet.seed;
    let mut late = Duration::ZERO;
    let mut no_starts = 0;
    for &board in &assignment.boards {
        let ruleset =
            board.ruleset(&assignment.game).map_err(|why| BotError::Broken(why.to_string()))?;
        let mut settings = Settings { ruleset, ..compiler.preparation.conditions.settings.clone() };
        settings.time.margin = MARGIN;
        let setup = CheckSetup {
            name: NAME,
            program: &program,
            preparation: &compiler.preparation,
            settings,
            scope: RulesScope::Fixed, // each board of the assignment is tried as it is
            again_under: None,
        };
        let dialect = program.spec.dialect();
        for case in lineup::cases(board, &setup.settings, assignment.time, dialect, seed) {
            if weights.get(case.class) == Some(&0.0) {
                continue;
            }
            let stops = if late > LATE {
                Some("its moves have exceeded the limit of time by more than a minute in all")
            } else if no_starts >= NO_STARTS {
                Some("the program did not get ready for those before it")
            } else {
                None
            };
            if let Some(why) = stops {
                let found = Found::uninformative(format!("it was not played, because {why}"));
                part.cases.push(CaseMark { found: Some(found), ..unmarked(&case) });
                continue;
            }
            let shown = played(&setup, &case).map_err(broken)?;
            let plies: usize = shown.plies.iter().map(Vec::len).sum();
            // The time of an answer that lost the game counts, too, so it is one more move.
            let moves =
                if shown.finding.fault.is_some() { plies / 2 + 1 } else { plies.div_ceil(2) };
            late += shown.used.saturating_sub(assignment.time * moves as u32);
            no_starts += usize::from(shown.finding.fault == Some(Fault::NoStart));
            // One that cannot be put into the situation is not asked: it receives no board, for
            // instance. One that cannot be started for the game has lost it.
            if !shown.plies.is_empty() {
                part.cases.push(judged(&case, &shown, folder));
            }
        }
    }
    Ok(())
}

/// The program of the submission, found and built as in a tournament.
fn built(objects: &Objects<'_>) -> Result<Program, BotError> {
    let compiler = objects.compiler;
    let assignment = &compiler.sheet.assignment;
    let folder = &objects.files.folder;
    // What a submission has in the place of a file goes first: a link, through which a write would
    // go anywhere, or a file of the course that it changed.
    for (name, file) in objects.renamed() {
        let place = folder.join(name);
        remove_if_there(&place)
            .and_then(|()| fs::hard_link(folder.join(file), place))
            .map_err(|why| BotError::Unstartable(format!("{file} cannot become {name}: {why}")))?;
    }
    for (name, content) in &compiler.sheet.provided {
        let place = folder.join(name);
        remove_if_there(&place)
            .and_then(|()| write_readable(&place, content))
            .map_err(|why| BotError::Unstartable(format!("{name} of the course: {why}")))?;
    }
    let conditions = &compiler.preparation.conditions;
    let arbiter = &conditions.launcher.program;
    let finder = finder(&compiler.sheet.folder, arbiter, &assignment.game, Trust::Stranger);
    let bots = FolderConfig {
        folder: folder.display().to_string(),
        bots: assignment.player.clone(),
        exclude: Vec::new(),
    };
    let found = finder.submitted(folder, &bots);
    let program = found.map_err(|why| BotError::Unstartable(why.to_string()))?;
    let program = Program { name: NAME.to_owned(), ..program };
    arena::build(conditions, &program, StderrAccess::Public, &mut Vec::new())?;
    Ok(program)
}

/// Plays a game, and again if it is lost by time alone.
fn played(setup: &CheckSetup<'_>, case: &GameCase) -> Result<Shown, Failure> {
    let trial = [case.scenario.clone()];
    let mut shown = Shown::of(setup, &case.situation, &trial)?;
    for _ in 1..TRIES {
        if case.situation != Situation::LongClock || shown.finding.fault != Some(Fault::Timeout) {
            break;
        }
        shown = Shown::of(setup, &case.situation, &trial)?;
    }
    Ok(shown)
}

fn unmarked(case: &GameCase) -> CaseMark {
    CaseMark {
        name: case.name.clone(),
        class: case.class,
        labels: case.labels.clone(),
        board: Some(case.board),
        ..CaseMark::default()
    }
}

fn judged(case: &GameCase, shown: &Shown, folder: &Path) -> CaseMark {
    let mut mark = unmarked(case);
    let finding = &shown.finding;
    mark.length = finding.plies.unwrap_or_default();
    if shown.has_resigned {
        let sentence = "it gave up, and the game was not over".to_owned();
        mark.found = Some(Found { sentence, ..Found::default() });
    } else if finding.result == CheckResult::Ok {
        mark.share = 1.0;
    } else {
        mark.found = Some(Found {
            sentence: without_folder(&finding.sentence, folder),
            shown: without_folder(&lines(finding, LINE).join("\n"), folder),
            ..Found::default()
        });
    }
    mark
}

/// The folder of the copy is another one in each run.
fn without_folder(text: &str, folder: &Path) -> String {
    text.replace(&format!("{}/", folder.display()), "")
}

fn broken(failure: Failure) -> BotError {
    let why = failure.error().map(|why| format!("{why:#}"));
    BotError::Broken(why.unwrap_or_else(|| "the games were not played".to_owned()))
}
