//! The marks of one submission, part by part.

use super::compiler::Compiler;
use super::functions::functions;
use super::games::games;
use super::objects::{Objects, Unit};
use super::reader::{Extent, SourcesFacts, SourcesQuestion, read_sources};
use super::requirements::{forbidden, only_visual_studio, requirements};
use super::runner::{Patience, built_program};
use super::submissions::{Files, Submission, chosen, copied, read, write_readable};
use crate::cases::ProgramCase;
use crate::debug_info::Variable;
use crate::text::text_faults;
use crate::{
    CaseMark, Found, MarkedPart, MarkedSubmission, RIGHT, SCRIPTED, Sheet, Worth, judge,
    output_limit, rounded,
};
use anyhow::anyhow;
use arbiter_config::assignment::{Assignment, Board, Part, PartKind, Toolchain};
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
    let mut objects = Objects::new(compiler, folder.clone(), &files, &facts);
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
    remarks.extend(remarks_on(&objects, &files, &facts));
    remarks.extend(objects.remarks());
    let (part, further) = requirements(&objects, &files, &facts);
    parts.extend(part);
    remarks.extend(further);
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
    if objects.source(file).is_none() {
        return Ok(None);
    }
    let unit = objects.functions_unit(objects.own_board(), file)?;
    if objects.object(&unit)?.file.is_none() {
        return Ok(None);
    }
    let lacks = objects.lacks(&unit, "CheckLine")?;
    if !lacks {
        return Ok(None);
    }
    Ok(Some(format!(
        "{file} has no CheckLine, so one was linked in which xDirection 1 is the next column and \
         yDirection 1 the next row below"
    )))
}

/// Reads what the sources say. If they cannot be read, they count as not handed in, with a remark.
fn survey(compiler: &Compiler, files: &mut Files) -> Result<SourcesFacts, BotError> {
    choose_candidates(compiler, files)?;
    if files.sources.is_empty() {
        return Ok(SourcesFacts::default());
    }
    let parts = &compiler.sheet.assignment.parts;
    let functions = parts.iter().flat_map(Part::functions).cloned().collect();
    let forbidden = forbidden(&compiler.sheet.assignment.requirements);
    let question = SourcesQuestion { functions, forbidden, ..files.question() };
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

/// Takes files for those of the assignment that are not there under their names: each that which
/// defines most of what is asked for there.
fn choose_candidates(compiler: &Compiler, files: &mut Files) -> Result<(), BotError> {
    if files.candidates.is_empty() {
        return Ok(());
    }
    let Assignment { parts, .. } = &compiler.sheet.assignment;
    let mut functions: Vec<String> = parts.iter().flat_map(Part::functions).cloned().collect();
    functions.push("main".to_owned());
    let question = SourcesQuestion { functions, ..files.candidates_question() };
    let facts = match read_sources(&compiler.runner, &files.folder, question) {
        Ok((facts, _)) => facts.sources,
        Err(failure) => {
            let why = failure.of_submission()?;
            files.remarks.push(format!("{} cannot be read: {why}", files.candidates.join(" and ")));
            return Ok(());
        }
    };
    for name in files.missing.clone() {
        let mut asked = Vec::new();
        for part in parts {
            if !part.files.is_empty() && !part.files.contains(&name) {
                continue;
            }
            asked.extend(part.functions().cloned());
            if matches!(part.kind, PartKind::Program { .. }) {
                asked.push("main".to_owned());
            }
        }
        // What was taken for one file is none of the others.
        let mut candidates = Vec::new();
        for (file, source) in files.candidates.iter().zip(&facts) {
            if !files.sources.values().any(|taken| taken == file) {
                candidates.push((file.as_str(), source));
            }
        }
        if let Some((file, why)) = chosen(&name, &candidates, files.missing.len() == 1, &asked) {
            files.renamed.push(why);
            files.take(&name, &file);
            files.headers.retain(|header| *header != file);
        }
    }
    Ok(())
}

/// Remarks about sources.
fn remarks_on(objects: &Objects<'_>, files: &Files, facts: &SourcesFacts) -> Vec<String> {
    let mut remarks = Vec::new();
    for (name, source) in files.sources.keys().zip(&facts.sources) {
        if source.calls_system {
            remarks.push(format!(
                "{name} calls system(), which runs another program; here it does nothing"
            ));
        }
        if source.hides_warnings {
            remarks.push(format!("{name} switches warnings off by #pragma GCC"));
        }
        for other in objects.others_included(name) {
            remarks.push(format!(
                "{name} includes {other}, and is marked without it: include the header instead"
            ));
        }
        remarks.extend(only_visual_studio(objects, name, source));
    }
    remarks
}

/// The marks of a part; of functions several.
fn of_part(objects: &mut Objects<'_>, part: &Part) -> Result<Vec<MarkedPart>, BotError> {
    let files = match &part.files[..] {
        [] => objects.compiler.sheet.assignment.files.clone(),
        files => files.to_vec(),
    };
    let mut unmarked = MarkedPart { name: part.name.clone(), ..MarkedPart::default() };
    for file in &files {
        if objects.source(file).is_none() {
            unmarked.notes.push(objects.not_handed_in(file));
        }
    }
    let marked = match &part.kind {
        // Each of them notes what is missing itself.
        PartKind::Functions { .. } => return functions(objects, part, &files[0]),
        PartKind::Builds { points: most, .. }
        | PartKind::Globals { points: most }
        | PartKind::Program { points: most, .. }
        | PartKind::Games { points: most, .. }
            if !unmarked.notes.is_empty() =>
        {
            MarkedPart { most: *most, ..unmarked }
        }
        PartKind::Builds { points: most, each_warning, at_least, only_visual_studio } => {
            let losses = [*each_warning, *only_visual_studio];
            builds(objects, MarkedPart { most: *most, ..unmarked }, &files, losses, *at_least)?
        }
        PartKind::Globals { points: most } => {
            globals(objects, MarkedPart { most: *most, ..unmarked }, &files)?
        }
        PartKind::Program { points: most, text, weights } => {
            let worth = Worth { most: *most, text: *text, weights };
            program(objects, MarkedPart { most: *most, ..unmarked }, &files, &worth)?
        }
        PartKind::Games { points: most, weights } => {
            let mut played = games(objects, MarkedPart { most: *most, ..unmarked }, weights)?;
            let worth = Worth { most: *most, text: 0.0, weights };
            played.points = points_of_boards(objects, &worth, &played);
            played
        }
    };
    Ok(vec![marked])
}

fn builds(
    objects: &mut Objects<'_>,
    mut part: MarkedPart,
    files: &[String],
    [each_warning, for_visual_studio]: [f64; 2],
    at_least: f64,
) -> Result<MarkedPart, BotError> {
    let board = objects.own_board();
    let provided = &objects.compiler.sheet.provided;
    let mut warnings = 0;
    let mut is_of_visual_studio = false;
    let mut fails = false;
    for file in files {
        let compiled = objects.object(&Unit::whole(board, file))?;
        if compiled.file.is_none() {
            part.notes.push(does_not_compile(file, &compiled.error()));
            fails = true;
            continue;
        }
        if let Some(source) = objects.source_facts(file) {
            is_of_visual_studio |= !only_visual_studio(objects, file, source).is_empty();
        }
        let mut found = compiled.warnings();
        // What the course gave out is as the course wanted it.
        found
            .retain(|line| !provided.iter().any(|(name, _)| line.starts_with(&format!("{name}:"))));
        warnings += found.len();
        for line in found.iter().take(QUOTED) {
            part.notes.push(quoted(line));
        }
        if found.len() > QUOTED {
            part.notes
                .push(format!("and {}", counted((found.len() - QUOTED) as u64, "further warning")));
        }
    }
    if !fails {
        let mut points = part.most + each_warning * warnings as f64;
        if is_of_visual_studio {
            points += for_visual_studio;
        }
        part.points = rounded(points.max(at_least));
    }
    Ok(part)
}

fn does_not_compile(file: &str, error: &str) -> String {
    format!("{file} does not compile: {}", quoted(error))
}

fn quoted(line: &str) -> String {
    printable(line.as_bytes(), LINE)
}

fn globals(
    objects: &mut Objects<'_>,
    mut part: MarkedPart,
    files: &[String],
) -> Result<MarkedPart, BotError> {
    let board = objects.own_board();
    let mut found = BTreeSet::new();
    let mut count = 0;
    for file in files {
        let unit = Unit::whole(board, file);
        if objects.object(&unit)?.file.is_none() {
            part.notes.push(format!("{file} does not compile, so its variables are not known"));
            return Ok(part);
        }
        let facts = match objects.object_facts(&unit) {
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
    let mut programs: BTreeMap<_, Result<PathBuf, NotBuilt>> = BTreeMap::new();
    let mut endless = 0;
    let mut runs = 0;
    // One that waits at the end of a game does so at the end of each, and need not be waited for.
    let usual = Patience::of_case(assignment.time);
    let mut patience = usual;
    for case in &sheet.cases {
        let key = (case.board, case.script.is_some());
        let known = programs.get(&key).cloned();
        let built = match (known, &assignment.toolchain) {
            (Some(known), _) => known,
            (None, Toolchain::Command(_)) => Ok(PathBuf::new()),
            (None, Toolchain::Compile(_)) => built(objects, case, files)?,
        };
        programs.insert(key, built.clone());
        let mark = match &built {
            Err(not_built) => untried(case, not_built.sentence()),
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
        part.cases.push(mark.on_board(objects.own_board()));
    }
    part.notes.splice(0..0, notes_of(programs.values().filter_map(|built| built.as_ref().err())));
    // What is wrong with all of them is said once, by the notes.
    if programs.values().all(Result::is_err) {
        part.cases.clear();
    }
    part.text = text_faults(&part.cases, &sources(objects, files));
    part.points = points_of_boards(objects, worth, &part);
    Ok(part)
}

fn does_not_end(end: ProgramEnd) -> bool {
    matches!(end, ProgramEnd::Computing | ProgramEnd::Waiting)
}

/// The points of a program: half of them for the board of the submission, half for all others.
fn points_of_boards(objects: &Objects<'_>, worth: &Worth<'_>, part: &MarkedPart) -> f64 {
    let own_board = objects.own_board();
    let mut own = Vec::new();
    let mut others = Vec::new();
    for case in &part.cases {
        if case.board == own_board { own.push(case.clone()) } else { others.push(case.clone()) }
    }
    if others.is_empty() {
        return worth.points(&own);
    }
    rounded((worth.points(&own) + worth.points(&others)) / 2.0)
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
        match self.board {
            Some(board) => format!("with {} squares a side, {}", board.n, self.why),
            None => self.why.clone(),
        }
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
        let n = board.n;
        return Ok(Err(NotBuilt::on_all(format!(
            "the board of {n} squares a side cannot be tried: no constant {constants} was found, \
             such as `const int {first} = {n};`"
        ))));
    }
    let mut names = Vec::new();
    let mut moves = false;
    for file in files {
        let unit = Unit::whole(case.board, file);
        let compiled = objects.object(&unit)?;
        if compiled.file.is_none() {
            let why = does_not_compile(file, &compiled.error());
            let own = objects.object(&Unit::whole(objects.own_board(), file))?;
            let board = case.board.filter(|_| own.file.is_some());
            return Ok(Err(NotBuilt { board, why }));
        }
        if case.script.is_some() {
            moves |= objects.lacks(&unit, "LinesOfAction::move")?;
        }
        names.push(format!("{file}.o"));
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
        write_readable(&folder.path.join(name), source)
            .map_err(|error| BotError::Broken(format!("writing a file of the course: {error}")))?;
        names.push(name.to_owned());
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
