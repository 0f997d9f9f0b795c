//! The marks of one submission, part by part.

use super::compiler::Compiler;
use super::functions::functions;
use super::games::games;
use super::objects::{Objects, Unit};
use super::program::program;
use super::reader::{SourcesFacts, SourcesQuestion, read_sources};
use super::requirements::{forbidden, only_visual_studio, requirements};
use super::submissions::{Files, Submission, chosen, copied};
use crate::debug_info::Variable;
use crate::{CaseMark, MarkedPart, MarkedSubmission, Sheet, Worth, rounded};
use anyhow::{Context, anyhow};
use arbiter_config::assignment::{Assignment, Board, Part, PartKind};
use arbiter_ground::failure::Failure;
use arbiter_host::bot::BotError;
use arbiter_host::locate::remove_folder;
use arbiter_rules::text::{counted, printable};
use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Maximum number of warnings or variables that are quoted.
const QUOTED: usize = 5;
/// Maximum number of bytes of a line that are quoted.
const LINE: usize = 300;

/// Marks the submission of this number, and removes its copies.
///
/// # Errors
/// Something in arbiter or on the machine failed.
pub(super) fn mark(
    compiler: &Compiler,
    number: usize,
    submission: &Submission,
) -> Result<MarkedSubmission, Failure> {
    let folder = compiler.folder.join(number.to_string());
    // Programs that run as another user pass through it, and cannot list it.
    fs::create_dir(&folder)
        .and_then(|()| fs::set_permissions(&folder, Permissions::from_mode(0o711)))
        .context("the folder of a copy")
        .map_err(Failure::Unfinished)?;
    let marked = marked(compiler, &folder, submission)
        .map_err(|error| Failure::Unfinished(anyhow!("{}: {error}", submission.name)));
    let _ = remove_folder(&folder); // what is left goes with the folder around it
    marked
}

fn marked(
    compiler: &Compiler,
    folder: &Path,
    submission: &Submission,
) -> anyhow::Result<MarkedSubmission> {
    let Sheet { assignment, provided, .. } = &compiler.sheet;
    let copied = copied(&submission.path, &folder.join("source"), &assignment.files, provided);
    // A submission that cannot be copied counts as an empty one.
    let mut files = copied.unwrap_or_else(|error| Files {
        remarks: vec![format!("it cannot be read: {error}")],
        ..Files::default()
    });
    let facts = survey(compiler, &mut files)?;
    let mut objects = Objects::new(compiler, folder.to_owned(), &files, &facts);
    let mut parts = Vec::new();
    for part in &assignment.parts {
        let of_part = of_part(&mut objects, part);
        parts.extend(of_part.map_err(|error| anyhow!("{}: {error}", part.name))?);
    }
    let linked = linked_check_line(&mut objects)?;
    // Remarks come after all parts, because most of them are found while these are marked.
    let mut remarks = files.remarks.clone();
    remarks.extend(linked);
    remarks.extend(remarks_on(&objects));
    remarks.extend(objects.remarks());
    let (part, further) = requirements(&objects);
    parts.extend(part);
    remarks.extend(further);
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
    if !objects.lacks(&unit, "CheckLine")? {
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
    let names: Vec<String> = files.sources.keys().cloned().collect();
    let facts = facts_of(compiler, files, question, &names)?;
    if facts.is_none() {
        files.sources.clear();
    }
    Ok(facts.unwrap_or_default())
}

/// The facts about files; `None` if they cannot be read, which a remark then says of these names.
fn facts_of(
    compiler: &Compiler,
    files: &mut Files,
    question: SourcesQuestion,
    names: &[String],
) -> Result<Option<SourcesFacts>, BotError> {
    match read_sources(&compiler.runner, &files.folder, question) {
        Ok((facts, _)) => Ok(Some(facts)),
        Err(failure) => {
            let why = failure.of_submission()?;
            files.remarks.push(format!("{} cannot be read: {why}", names.join(" and ")));
            Ok(None)
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
    let names = files.candidates.clone();
    let Some(facts) = facts_of(compiler, files, question, &names)? else { return Ok(()) };
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
        for (file, source) in files.candidates.iter().zip(&facts.sources) {
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
fn remarks_on(objects: &Objects<'_>) -> Vec<String> {
    let mut remarks = Vec::new();
    for (name, source) in objects.sources() {
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
    let most = part.most();
    let mut marked = MarkedPart { name: part.name.clone(), most, ..MarkedPart::default() };
    for file in &files {
        if objects.source(file).is_none() {
            marked.notes.push(objects.files.not_handed_in(file));
        }
    }
    match &part.kind {
        // Each of them notes what is missing itself.
        PartKind::Functions { .. } => return functions(objects, part, &files[0]),
        _ if !marked.notes.is_empty() => {}
        PartKind::Builds { each_warning, at_least, only_visual_studio, .. } => {
            let losses = [*each_warning, *only_visual_studio];
            builds(objects, &mut marked, &files, losses, *at_least)?;
        }
        PartKind::Globals { .. } => globals(objects, &mut marked, &files)?,
        PartKind::Program { text, weights, .. } => {
            program(objects, &mut marked, &files)?;
            let worth = Worth { most, text: *text, weights };
            marked.points = points_of_boards(&marked, objects.own_board(), &worth);
        }
        PartKind::Games { weights, .. } => {
            games(objects, &mut marked, weights)?;
            let worth = Worth { most, text: 0.0, weights };
            marked.points = points_of_boards(&marked, objects.own_board(), &worth);
        }
    }
    Ok(vec![marked])
}

/// The points of a program: half of them for the board of the submission, half for all others.
fn points_of_boards(part: &MarkedPart, own_board: Option<Board>, worth: &Worth<'_>) -> f64 {
    let (own, others): (Vec<CaseMark>, Vec<CaseMark>) =
        part.cases.iter().cloned().partition(|case| case.board == own_board);
    if others.is_empty() {
        return worth.points(&own);
    }
    rounded((worth.points(&own) + worth.points(&others)) / 2.0)
}

/// The part of building: its points less those for warnings and for what only Visual Studio takes.
fn builds(
    objects: &mut Objects<'_>,
    part: &mut MarkedPart,
    files: &[String],
    [each_warning, for_visual_studio]: [f64; 2],
    at_least: f64,
) -> Result<(), BotError> {
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
        part.notes.extend(found.iter().take(QUOTED).map(|line| quoted(line)));
        if found.len() > QUOTED {
            let more = counted((found.len() - QUOTED) as u64, "further warning");
            part.notes.push(format!("and {more}"));
        }
    }
    if !fails {
        let mut points = part.most + each_warning * warnings as f64;
        if is_of_visual_studio {
            points += for_visual_studio;
        }
        part.points = rounded(points.max(at_least));
    }
    Ok(())
}

/// The note that a file does not compile, with the first error.
pub(super) fn does_not_compile(file: &str, error: &str) -> String {
    format!("{file} does not compile: {}", quoted(error))
}

/// A line of the compiler, or the name of a variable, as a note quotes it.
pub(super) fn quoted(line: &str) -> String {
    printable(line.as_bytes(), LINE)
}

/// The part of global variables: all of its points if there are none.
fn globals(
    objects: &mut Objects<'_>,
    part: &mut MarkedPart,
    files: &[String],
) -> Result<(), BotError> {
    let board = objects.own_board();
    let mut found = BTreeSet::new();
    let mut count = 0;
    for file in files {
        let unit = Unit::whole(board, file);
        if objects.object(&unit)?.file.is_none() {
            part.notes.push(format!("{file} does not compile, so its variables are not known"));
            return Ok(());
        }
        let facts = match objects.object_facts(&unit) {
            Ok(facts) => facts,
            Err(failure) => {
                let why = failure.of_submission()?;
                part.notes.push(format!("{why}, so its variables are not known"));
                return Ok(());
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
        part.notes.push(if *line > 0 {
            format!("{file}:{line}: {name} is a global variable")
        } else {
            format!("{file}: {name} is a global variable, which asm defines")
        });
    }
    if count > QUOTED {
        part.notes.push(format!("and {}", counted((count - QUOTED) as u64, "further one")));
    }
    if count == 0 {
        part.points = part.most;
    }
    Ok(())
}
