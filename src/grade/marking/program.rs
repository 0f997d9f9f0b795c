//! A program of a submission that plays whole games with itself: it is built for each board, run
//! with the input of each case, and judged by what it prints.

use super::compiler::Compiler;
use super::failure::broken;
use super::mark::{does_not_compile, quoted};
use super::objects::{Objects, Unit, object_name};
use super::reader::Extent;
use super::runner::{built_program, case_bounds, shortened};
use super::submissions::{read, write_readable};
use crate::cases::ProgramCase;
use crate::text::text_faults;
use crate::{CaseMark, Found, MarkedPart, RIGHT, SCRIPTED, judge, output_limit};
use arbiter_config::assignment::{Board, Toolchain};
use arbiter_game::ProgramEnd;
use arbiter_host::bot::BotError;
use arbiter_host::locate::{Program, Purpose};
use arbiter_rules::Game;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

/// The file with the script of a case, in the folder that the program runs in.
const SCRIPT: &str = "script.txt";
/// After this many runs that did not end, the other cases of a part are not run if no run has ended
/// by itself.
const NONE_ENDS: usize = 4;
/// After this many runs that did not end, the other cases of a part are not run in any case.
const MOST_ENDLESS: usize = 40;

/// The part of a program that is run with whole games: each case once, with the program that is
/// built for its board.
///
/// # Errors
/// Something in arbiter or on the machine failed.
pub(super) fn program(
    objects: &mut Objects<'_>,
    part: &mut MarkedPart,
    files: &[String],
) -> Result<(), BotError> {
    let compiler = objects.compiler;
    let assignment = &compiler.sheet.assignment;
    let mut programs: BTreeMap<_, Result<PathBuf, NotBuilt>> = BTreeMap::new();
    let mut runs =
        CaseRuns { compiler, folder: &objects.files.folder, is_short: false, count: 0, endless: 0 };
    for case in &compiler.sheet.cases {
        // A case with a script is linked with another class, so it needs a program of its own.
        let key = (case.board, case.script.is_some());
        let made = match programs.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(match &assignment.toolchain {
                Toolchain::Command(_) => Ok(PathBuf::new()),
                Toolchain::Compile(_) => built(objects, case, files)?,
            }),
        };
        let mark = match &*made {
            Err(not_built) => untried(case, not_built.sentence()),
            Ok(_) if runs.are_over() => {
                let note = format!(
                    "{} runs did not end; further cases were not run, and count as such",
                    runs.endless
                );
                if !part.notes.contains(&note) {
                    part.notes.push(note);
                }
                untried(case, "it was not run, because too many before it did not end".to_owned())
            }
            Ok(file) => runs.mark(case, file)?,
        };
        part.cases.push(mark.on_board(objects.own_board()));
    }
    part.notes.splice(0..0, notes_of(programs.values().filter_map(|built| built.as_ref().err())));
    // The notes say once what is wrong with all of them.
    if programs.values().all(Result::is_err) {
        part.cases.clear();
    }
    part.text = text_faults(&part.cases, &sources(objects, files));
    Ok(())
}

/// The runs of a program with one case after the other. How a run ends tells how long to wait for
/// the next one.
struct CaseRuns<'a> {
    compiler: &'a Compiler,
    /// The folder of the copy of the submission.
    folder: &'a Path,
    /// Whether runs are ended early, because earlier ones did not end by themselves.
    is_short: bool,
    /// The number of runs, and of those that did not end by themselves.
    count: usize,
    endless: usize,
}

impl CaseRuns<'_> {
    /// Whether too many runs did not end: each costs the whole time of a case.
    fn are_over(&self) -> bool {
        self.endless >= MOST_ENDLESS || self.endless >= NONE_ENDS && self.endless == self.count
    }

    /// The mark of a case by a run of the program in this file.
    fn mark(&mut self, case: &ProgramCase, file: &Path) -> Result<CaseMark, BotError> {
        let program = self.program(case, file)?;
        let (mut mark, mut is_endless) = self.run(&program, case)?;
        // It was ended early: perhaps it would have played on.
        if is_endless && mark.share < 1.0 && self.is_short {
            self.is_short = false;
            (mark, is_endless) = self.run(&program, case)?;
        }
        self.count += 1;
        if is_endless && mark.share < 1.0 {
            self.endless += 1;
        } else if is_endless {
            // One that waits at the end of a game does so at the end of each.
            self.is_short = true;
        }
        Ok(mark)
    }

    /// The program as it is started for a case: in this file, or by the command of the assignment.
    fn program(&self, case: &ProgramCase, file: &Path) -> Result<Program, BotError> {
        if let Toolchain::Command(command) = &self.compiler.sheet.assignment.toolchain {
            let line = format!("exec {command}");
            return Ok(Program::of_shell("submission", &line, self.folder, Purpose::Play));
        }
        if let Some(script) = &case.script {
            write_readable(&file.with_file_name(SCRIPT), script)
                .map_err(broken("writing a script"))?;
        }
        Ok(built_program(file))
    }

    /// The mark of a case by one run, and whether that did not end by itself.
    fn run(&self, program: &Program, case: &ProgramCase) -> Result<(CaseMark, bool), BotError> {
        let Compiler { sheet, runner, .. } = self.compiler;
        let mut bounds = case_bounds(sheet.assignment.time, output_limit(&case.expected));
        if self.is_short {
            bounds = shortened(bounds);
        }
        let run = runner.run(program, case.input.as_bytes(), &bounds, &runner.limits)?;
        let is_endless = matches!(run.end, ProgramEnd::Computing | ProgramEnd::Waiting);
        Ok((judge(case, &run, &sheet.assignment.same), is_endless))
    }
}

/// Why there is no program for a board.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NotBuilt {
    /// The board, if it is built for another one.
    board: Option<Board>,
    why: String,
}

impl NotBuilt {
    fn on_all(why: String) -> NotBuilt {
        NotBuilt { board: None, why }
    }

    fn sentence(&self) -> String {
        with_size(self.board, &self.why)
    }
}

/// The sentence that a board cannot be tried because these constants were not found; `first` is the
/// name of the size.
pub(super) fn no_constant(Board { n, .. }: Board, constants: &str, first: &str) -> String {
    format!(
        "the board of {n} squares a side cannot be tried: no constant {constants} was found, such \
         as `const int {first} = {n};`"
    )
}

/// A sentence about a submission on a board.
pub(super) fn with_size(board: Option<Board>, sentence: &str) -> String {
    match board {
        Some(board) => format!("with {} squares a side, {sentence}", board.n),
        None => sentence.to_owned(),
    }
}

/// What is said of programs that there are not: each reason once, and one for all boards where that
/// of the submission is another case.
fn notes_of<'n>(failures: impl Iterator<Item = &'n NotBuilt>) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    let mut sizes = Vec::new();
    let mut first = None;
    for failure in failures {
        match failure.board {
            Some(board) => {
                sizes.push(board.n.to_string());
                first.get_or_insert(&failure.why);
            }
            None if notes.contains(&failure.why) => {}
            None => notes.push(failure.why.clone()),
        }
    }
    if let Some(why) = first {
        notes.push(format!("with {} squares a side, {why}", sizes.join(" or ")));
    }
    notes
}

/// The program for a case, or why there is none.
fn built(
    objects: &mut Objects<'_>,
    case: &ProgramCase,
    files: &[String],
) -> Result<Result<PathBuf, NotBuilt>, BotError> {
    let folder = match objects.build_folder(case.board, &Extent::Whole) {
        Ok(folder) => folder,
        Err(failure) => {
            let why = failure.of_submission()?;
            let why = format!("{} cannot be read: {why}", files.join(" and "));
            return Ok(Err(NotBuilt::on_all(why)));
        }
    };
    if let (Some(board), [first, ..]) = (case.board, &folder.missing[..]) {
        let constants = folder.missing.join(" and ");
        return Ok(Err(NotBuilt::on_all(no_constant(board, &constants, first))));
    }
    let mut names = Vec::new();
    let mut moves = false;
    for file in files {
        let unit = Unit::whole(case.board, file);
        let compiled = objects.object(&unit)?;
        if compiled.file.is_none() {
            let why = does_not_compile(file, &compiled.error());
            // What compiles nowhere is said without a board.
            let own = objects.object(&Unit::whole(objects.own_board(), file))?;
            let board = case.board.filter(|_| own.file.is_some());
            return Ok(Err(NotBuilt { board, why }));
        }
        // Any of the files may be the one that plays.
        if case.script.is_some() {
            moves |= objects.lacks(&unit, "LinesOfAction::move")?;
        }
        names.push(object_name(file));
    }
    if case.script.is_some() && !moves {
        return Ok(Err(NotBuilt::on_all(format!(
            "{} does not call `move` of the class, so it plays no game",
            files.join(" and ")
        ))));
    }
    if let Some((name, source)) =
        companion(&objects.compiler.sheet.assignment.game, case.script.is_some())
    {
        let (input, content) = match objects.compiler.class(name, source)? {
            Some(object) => (object_name(name), object),
            None => (name.to_owned(), source.into()),
        };
        write_readable(&folder.path.join(&input), content)
            .map_err(broken("writing a file of the course"))?;
        names.push(input);
    }
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let out = if case.script.is_some() { "program-scripted" } else { "program" };
    let linked = objects.compile(&folder.path, &words, out)?;
    let files = files.join(" and ");
    let why = format!("{files} cannot be made into a program: {}", quoted(&linked.error()));
    Ok(linked.file.ok_or(NotBuilt::on_all(why)))
}

/// The source that a program of this game is built with beside the submission, if there is one: its
/// name and content.
fn companion(game: &Game, scripted: bool) -> Option<(&'static str, &'static str)> {
    match (game, scripted) {
        (Game::Loa, true) => Some(("arbiter-scripted.cpp", SCRIPTED)),
        (Game::Loa, false) => Some(("arbiter-right.cpp", RIGHT)),
        _ => None,
    }
}

/// The mark of a case that was not run.
fn untried(case: &ProgramCase, sentence: String) -> CaseMark {
    CaseMark { found: Some(Found::uninformative(sentence)), ..CaseMark::of_program(case, 0.0) }
}

/// The names and texts of files of a submission, as they are compiled; those that cannot be read
/// are left out.
pub(super) fn sources(objects: &mut Objects<'_>, files: &[String]) -> Vec<(String, String)> {
    let assignment = &objects.compiler.sheet.assignment;
    if matches!(assignment.toolchain, Toolchain::Command(_)) {
        return Vec::new();
    }
    let own_board = objects.own_board();
    let Ok(folder) = objects.build_folder(own_board, &Extent::Whole) else { return Vec::new() };
    let mut sources = Vec::new();
    for file in files {
        if let Ok(text) = read(&folder.path.join(file)) {
            sources.push((file.clone(), String::from_utf8_lossy(&text).into_owned()));
        }
    }
    sources
}
