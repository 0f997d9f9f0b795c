//! The marks of one submission, part by part.

use super::compiler::Compiler;
use super::functions::functions;
use super::objects::{Objects, windows_header};
use super::reader::{SourcesFacts, SourcesQuestion, read_sources};
use super::runner::{Patience, built_program};
use super::submissions::{Files, Submission, copied, write_readable};
use crate::cases::ProgramCase;
use crate::debug_info::Variable;
use crate::text::text_faults;
use crate::{
    CaseMark, Found, MarkedPart, MarkedSubmission, RIGHT, SCRIPTED, Sheet, Worth, judge,
    output_limit, rounded,
};
use anyhow::anyhow;
use arbiter_config::assignment::{Part, PartKind, Toolchain};
use arbiter_game::ProgramEnd;
use arbiter_ground::failure::Failure;
use arbiter_host::bot::BotError;
use arbiter_host::locate::{Program, Purpose, remove_folder};
use arbiter_rules::Game;
use arbiter_rules::text::{counted, printable};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// The file with the script of a case, in the folder that the program runs in.
const SCRIPT: &str = "script.txt";
/// How many warnings or variables are quoted.
const QUOTED: usize = 5;
/// How much of a line of the compiler is quoted.
const LINE: usize = 300;
/// After so many runs that did not end, the other cases of a part are not run, if none has ended by
/// itself before.
const NONE_ENDS: usize = 4;
/// After so many runs that did not end, the other cases of a part are not run.
const MOST_ENDLESS: usize = 40;

/// Marks the submission of this number. Its copies are removed behind.
///
/// # Errors
/// Something in arbiter or on the machine failed.
pub(super) fn mark(
    compiler: &Compiler,
    number: usize,
    submission: &Submission,
) -> Result<MarkedSubmission, Failure> {
    let folder = compiler.folder.join(number.to_string());
    let broken =
        |error: std::io::Error| Failure::Unfinished(anyhow!(error).context("the folder of a copy"));
    DirBuilder::new().create(&folder).map_err(broken)?;
    fs::set_permissions(&folder, Permissions::from_mode(0o711)).map_err(broken)?;
    let Sheet { assignment, provided, .. } = &compiler.sheet;
    let copied = copied(&submission.path, &folder.join("source"), &assignment.files, provided);
    let mut files = copied.unwrap_or_else(|error| Files {
        remarks: vec![format!("it cannot be read: {error}")],
        ..Files::default()
    });
    let facts = survey(compiler, &mut files)
        .map_err(|error| Failure::Unfinished(anyhow!("{}: {error}", submission.name)))?;
    let mut objects = Objects::new(compiler, folder.clone(), &files);
    let mut parts = Vec::new();
    for part in &assignment.parts {
        let marked = of_part(&mut objects, part).map_err(|error| {
            Failure::Unfinished(anyhow!("{}: {}: {error}", submission.name, part.name))
        })?;
        parts.extend(marked);
    }
    let linked = linked_check_line(&mut objects)
        .map_err(|error| Failure::Unfinished(anyhow!("{}: {error}", submission.name)))?;
    let mut remarks = files.remarks.clone();
    remarks.extend(linked);
    remarks.extend(remarks_on(&files, &facts));
    remarks.extend(unreached_functions(&facts.unreached));
    let _ = remove_folder(&folder); // what is left goes with the folder around it
    Ok(MarkedSubmission { name: submission.name.clone(), parts, remarks })
}

/// A remark about the function of flipflop's course that is linked where a submission has none: its
/// hand-out says twice, and not in the same way, what the directions are.
fn linked_check_line(objects: &mut Objects<'_>) -> Result<Option<String>, BotError> {
    let Sheet { assignment, .. } = &objects.compiler.sheet;
    let (true, [file]) = (assignment.game.name() == "flipflop", &assignment.files[..]) else {
        return Ok(None);
    };
    if !objects.has_source(file) {
        return Ok(None);
    }
    let board = assignment.boards.first().copied();
    if objects.object(board, file)?.file.is_none() {
        return Ok(None);
    }
    let lacks = objects.lacks(board, file, "CheckLine")?;
    Ok(lacks.then(|| {
        format!("{file} has no CheckLine, so one was linked in which xDirection 1 is the next column and yDirection 1 the next row below")
    }))
}

/// Reads what the sources say. If they cannot be read, they count as not handed in, with a remark.
fn survey(compiler: &Compiler, files: &mut Files) -> Result<SourcesFacts, BotError> {
    if files.sources.is_empty() {
        return Ok(SourcesFacts::default());
    }
    let mut functions = Vec::new();
    for part in &compiler.sheet.assignment.parts {
        if let PartKind::Functions { points, .. } = &part.kind {
            functions.extend(points.keys().cloned());
        }
    }
    let question = SourcesQuestion { functions, ..files.question() };
    match read_sources(&compiler.runner, &files.folder, question) {
        Ok((facts, _)) => Ok(facts),
        Err(failure) => {
            let why = failure.of_submission()?;
            let names: Vec<&str> = files.sources.keys().map(String::as_str).collect();
            files.remarks.push(format!("{} cannot be read: {why}", names.join(" and ")));
            files.sources.clear();
            Ok(SourcesFacts::default())
        }
    }
}

/// A remark about functions that are asked for and that the program does not use.
fn unreached_functions(lost: &[String]) -> Option<String> {
    let names = lost.join(", ");
    (!lost.is_empty()).then(|| {
        format!(
            "main does not lead to a call of {names}: the program does without what is asked for"
        )
    })
}

/// Remarks about sources.
fn remarks_on(files: &Files, facts: &SourcesFacts) -> Vec<String> {
    let mut remarks = Vec::new();
    for (name, source) in files.sources.keys().zip(&facts.sources) {
        if !source.has_address {
            remarks.push(format!("{name} has no comment with an e-mail address at its top"));
        }
        if source.calls_system {
            remarks.push(format!(
                "{name} calls system(), which runs another program; here it does nothing"
            ));
        }
        if source.hides_warnings {
            remarks.push(format!("{name} switches warnings off by #pragma GCC"));
        }
        for header in &source.included {
            if windows_header(header).is_some() {
                let header = printable(header.as_bytes(), LINE);
                remarks.push(format!(
                    "{name} includes {header}, which only Visual Studio has; a small or empty one took its place"
                ));
            }
        }
    }
    remarks
}

/// The marks of a part; of functions several.
fn of_part(objects: &mut Objects<'_>, part: &Part) -> Result<Vec<MarkedPart>, BotError> {
    let files = match &part.files[..] {
        [] => objects.compiler.sheet.assignment.files.clone(),
        files => files.to_vec(),
    };
    let missing: Vec<String> =
        files.iter().filter(|file| !objects.has_source(file)).cloned().collect();
    let none = |most: f64| MarkedPart {
        name: part.name.clone(),
        most,
        notes: missing.iter().map(|file| format!("{file} was not handed in")).collect(),
        ..MarkedPart::default()
    };
    match &part.kind {
        PartKind::Builds { points: most, .. }
        | PartKind::Globals { points: most }
        | PartKind::Program { points: most, .. }
            if !missing.is_empty() =>
        {
            Ok(vec![none(*most)])
        }
        PartKind::Builds { points: most, each_warning, at_least } => {
            Ok(vec![builds(objects, none(*most), &files, *each_warning, *at_least)?])
        }
        PartKind::Globals { points: most } => Ok(vec![globals(objects, none(*most), &files)?]),
        PartKind::Program { points: most, text, weights } => {
            let worth = Worth { most: *most, text: *text, weights };
            Ok(vec![program(objects, none(*most), &files, &worth)?])
        }
        PartKind::Functions { .. } => functions(objects, part, &files[0]),
    }
}

fn builds(
    objects: &mut Objects<'_>,
    mut part: MarkedPart,
    files: &[String],
    each_warning: f64,
    at_least: f64,
) -> Result<MarkedPart, BotError> {
    let board = objects.compiler.sheet.assignment.boards.first().copied();
    let mut warnings = 0;
    let mut fails = false;
    for file in files {
        let compiled = objects.object(board, file)?;
        if compiled.file.is_none() {
            part.notes.push(does_not_compile(file, &compiled.error()));
            fails = true;
            continue;
        }
        let found = compiled.warnings();
        warnings += found.len();
        part.notes.extend(found.iter().take(QUOTED).map(|line| quoted(line)));
        if found.len() > QUOTED {
            part.notes
                .push(format!("and {}", counted((found.len() - QUOTED) as u64, "further warning")));
        }
    }
    if !fails {
        part.points = rounded((part.most + each_warning * warnings as f64).max(at_least));
    }
    Ok(part)
}

/// Why a file does not compile, in plain words where beginners do not know them.
fn does_not_compile(file: &str, error: &str) -> String {
    let plain = match error {
        error if error.contains("must return") => ": write `int main()`; `void main()` is no C++",
        _ => "",
    };
    format!("{file} does not compile{plain}: {}", quoted(error))
}

fn quoted(line: &str) -> String {
    printable(line.as_bytes(), LINE)
}

fn globals(
    objects: &mut Objects<'_>,
    mut part: MarkedPart,
    files: &[String],
) -> Result<MarkedPart, BotError> {
    let board = objects.compiler.sheet.assignment.boards.first().copied();
    let mut found = BTreeSet::new();
    let mut count = 0;
    for file in files {
        if objects.object(board, file)?.file.is_none() {
            part.notes.push(format!("{file} does not compile, so its variables are not known"));
            return Ok(part);
        }
        let facts = match objects.object_facts(board, file) {
            Ok(facts) => facts,
            Err(failure) => {
                let why = failure.of_submission()?;
                part.notes.push(format!("{why}, so its variables are not known"));
                return Ok(part);
            }
        };
        let before = found.len();
        let listed = facts.globals.len();
        found.extend(facts.globals);
        // Several files may include one header.
        count += facts.globals_count - listed + (found.len() - before);
    }
    for Variable { file, line, name } in found.iter().take(QUOTED) {
        let name = quoted(name);
        let place = if *line > 0 { format!("{file}:{line}") } else { file.clone() };
        let how = if *line > 0 { "" } else { ", which asm defines" };
        part.notes.push(format!("{place}: {name} is a global variable{how}"));
    }
    if count > QUOTED {
        part.notes.push(format!("and {}", counted((count - QUOTED) as u64, "further one")));
    }
    if count == 0 {
        part.points = part.most;
    }
    Ok(part)
}

fn program(
    objects: &mut Objects<'_>,
    mut part: MarkedPart,
    files: &[String],
    worth: &Worth<'_>,
) -> Result<MarkedPart, BotError> {
    let Compiler { sheet, runner, .. } = objects.compiler;
    let assignment = &sheet.assignment;
    let mut programs = BTreeMap::new();
    let mut endless = 0;
    let mut runs = 0;
    // One that waits at the end of a game does so at the end of each, and need not be waited for.
    let usual = Patience::of_case(assignment.time);
    let mut patience = usual;
    for case in &sheet.cases {
        let key = (case.board, case.script.is_some());
        let known = programs.get(&key).cloned();
        let built: Result<PathBuf, String> = match (known, &assignment.toolchain) {
            (Some(known), _) => known,
            (None, Toolchain::Command(_)) => Ok(PathBuf::new()),
            (None, Toolchain::Compile(_)) => built(objects, case, files)?,
        };
        if let Err(why) = &built
            && !part.notes.contains(why)
        {
            part.notes.push(why.clone());
        }
        programs.insert(key, built.clone());
        let mark = match &built {
            Err(why) => untried(case, why.clone()),
            Ok(_) if endless >= MOST_ENDLESS || endless >= NONE_ENDS && endless == runs => {
                let note = format!(
                    "{endless} runs did not end; further cases were not run, and count as such"
                );
                if !part.notes.contains(&note) {
                    part.notes.push(note);
                }
                untried(case, "it was not run, because too many before it did not end".to_owned())
            }
            Ok(file) => {
                let most = output_limit(&case.expected);
                let program = match &assignment.toolchain {
                    Toolchain::Command(command) => {
                        let line = format!("exec {command}");
                        let folder = objects.submitted_folder();
                        Program::of_shell("submission", &line, folder, Purpose::Play)
                    }
                    Toolchain::Compile(_) => {
                        if let Some(script) = &case.script {
                            write_readable(&file.with_file_name(SCRIPT), script).map_err(
                                |error| BotError::Broken(format!("writing a script: {error}")),
                            )?;
                        }
                        built_program(file)
                    }
                };
                let input = case.input.as_bytes();
                let mut run = runner.run_case(&program, input, most, patience)?;
                let mut mark = judge(case, &run, &assignment.same);
                let does_not_end = |end| matches!(end, ProgramEnd::Computing | ProgramEnd::Waiting);
                if does_not_end(run.end) && mark.share < 1.0 && patience != usual {
                    patience = usual;
                    run = runner.run_case(&program, input, most, patience)?;
                    mark = judge(case, &run, &assignment.same);
                }
                runs += 1;
                if does_not_end(run.end) {
                    if mark.share < 1.0 {
                        endless += 1;
                    } else {
                        patience = patience.shortened();
                    }
                }
                mark
            }
        };
        part.cases.push(mark);
    }
    // What is wrong with all of them is said once, by the notes.
    if programs.values().all(Result::is_err) {
        part.cases.clear();
    }
    part.text = text_faults(&part.cases, &sources(objects, files));
    part.points = worth.points(&part.cases, part.text.len());
    Ok(part)
}

/// The program for a case, or why there is none.
fn built(
    objects: &mut Objects<'_>,
    case: &ProgramCase,
    files: &[String],
) -> Result<Result<PathBuf, String>, BotError> {
    let (dir, missing) = match objects.board(case.board) {
        Ok(prepared) => prepared,
        Err(failure) => {
            let why = failure.of_submission()?;
            return Ok(Err(format!("{} cannot be read: {why}", files.join(" and "))));
        }
    };
    if let (Some(board), [_, ..]) = (case.board, &missing[..]) {
        let constants = missing.join(" and ");
        return Ok(Err(format!(
            "the board of {} squares a side cannot be tried: no constant {constants} was found, such as `const int {} = {};`",
            board.n, missing[0], board.n
        )));
    }
    let mut names = Vec::new();
    let mut moves = false;
    for file in files {
        let compiled = objects.object(case.board, file)?;
        if compiled.file.is_none() {
            return Ok(Err(does_not_compile(file, &compiled.error())));
        }
        if case.script.is_some() {
            moves |= objects.lacks(case.board, file, "LinesOfAction::move")?;
        }
        names.push(format!("{file}.o"));
    }
    if case.script.is_some() && !moves {
        return Ok(Err(format!(
            "{} does not call `move` of the class, so it plays no game",
            files.join(" and ")
        )));
    }
    if let Some((name, source)) =
        companion(&objects.compiler.sheet.assignment.game, case.script.is_some())
    {
        write_readable(&dir.join(name), source)
            .map_err(|error| BotError::Broken(format!("writing a file of the course: {error}")))?;
        names.push(name.to_owned());
    }
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let out = if case.script.is_some() { "program-scripted" } else { "program" };
    let linked = objects.compile(&dir, &words, out)?;
    let files = files.join(" and ");
    let why = || format!("{files} cannot be made into a program: {}", quoted(&linked.error()));
    Ok(linked.file.clone().ok_or_else(why))
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

/// The names and texts of files of a submission, as they are compiled; those that cannot be read are
/// left out.
pub(super) fn sources(objects: &mut Objects<'_>, files: &[String]) -> Vec<(String, String)> {
    let assignment = &objects.compiler.sheet.assignment;
    if matches!(assignment.toolchain, Toolchain::Command(_)) {
        return Vec::new();
    }
    let board = assignment.boards.first().copied();
    let Ok((dir, _)) = objects.board(board) else { return Vec::new() };
    let mut sources = Vec::new();
    for file in files {
        if let Ok(text) = fs::read(dir.join(file)) {
            sources.push((file.clone(), String::from_utf8_lossy(&text).into_owned()));
        }
    }
    sources
}
