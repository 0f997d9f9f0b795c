//! The functions of a submission, each called alone: its objects are linked with a test main of
//! ours, which runs the calls (`trial`).

use super::compiler::{Compiler, MAIN_OBJECT, WRITING_MAIN};
use super::failure::{StepFailure, broken};
use super::objects::{Objects, Unit, object_name};
use super::program::{no_constant, sources, with_size};
use super::reader::{Extent, LeftOut};
use super::runner::{built_program, case_bounds};
use super::submissions::{last_name, read, write_readable};
use super::trial::{BoardCalls, MODES, Slow, Trial};
use crate::debug_info::ObjectFacts;
use crate::functions::{Answers, Call, TestMain, Verdict, calls, input};
use crate::text::text_faults;
use crate::{CaseMark, Found, MarkedPart, Sheet, Worth, of_limit};
use arbiter_config::assignment::{Board, Part, PartKind, Weights};
use arbiter_game::{Exit, ProgramEnd};
use arbiter_host::bot::BotError;
use arbiter_rules::text::printable;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The most bytes that a test main without calls writes.
const MAIN_OUTPUT: usize = 1 << 16;
/// The board of a game that has no other.
const ONLY: Board = Board { n: 8, p: None, l: None, b: None, s: None };
/// Maximum number of missing functions that are named.
const UNDEFINED: usize = 5;
/// Maximum number of bytes of a prototype or of a compiler's message that are shown.
const SHOWN: usize = 200;

/// The marks of the functions of a part, one for each; none in a game without a test main.
///
/// # Errors
/// Something in arbiter or on the machine failed.
pub(super) fn functions(
    objects: &mut Objects<'_>,
    part: &Part,
    file: &str,
) -> Result<Vec<MarkedPart>, BotError> {
    let (PartKind::Functions { points: worth, text, weights }, Some(main)) =
        (&part.kind, objects.compiler.main)
    else {
        return Ok(Vec::new());
    };
    let mut parts: BTreeMap<&str, MarkedPart> = BTreeMap::new();
    for (function, _) in main.functions {
        if let Some(most) = worth.get(*function) {
            let name = format!("{}: {function}", part.name);
            parts.insert(function, MarkedPart { name, most: *most, ..MarkedPart::default() });
        }
    }
    if objects.source(file).is_some() {
        call_all(objects, main, file, &mut parts)?;
    } else {
        say_of_all(&mut parts, &objects.files.not_handed_in(file));
    }
    let sources = sources(objects, &[file.to_owned()]);
    let equal = Weights::new();
    let mut marked = Vec::new();
    // In the order of the hand-out.
    for (function, _) in main.functions {
        let Some(mut one) = parts.remove(function) else { continue };
        // The note says once what is wrong with all of them.
        if !one.notes.is_empty() {
            one.cases.clear();
        }
        one.text = text_faults(&one.cases, &sources);
        let weights = weights.get(*function).unwrap_or(&equal);
        one.points = Worth { most: one.most, text: *text, weights }.points(&one.cases);
        // A constant answer is right in a part of the cases, which shows nothing.
        if one.points == 0.0 && one.cases.iter().any(|case| case.share > 0.0) {
            one.notes.push(format!(
                "`{function}` is right no more often than a function that returns the same value \
                 for every input, so it earns no points"
            ));
        }
        marked.push(one);
    }
    Ok(marked)
}

/// Adds a note to all functions.
fn say_of_all(parts: &mut BTreeMap<&str, MarkedPart>, note: &str) {
    for part in parts.values_mut() {
        part.notes.push(note.to_owned());
    }
}

/// Makes the calls of these functions on all boards of the assignment.
fn call_all(
    objects: &mut Objects<'_>,
    main: TestMain,
    file: &str,
    parts: &mut BTreeMap<&str, MarkedPart>,
) -> Result<(), BotError> {
    let Sheet { assignment, seed, .. } = &objects.compiler.sheet;
    let mut ended = true;
    let mut slow = Slow::new();
    let boards = match &assignment.boards[..] {
        [] => vec![None],
        boards => boards.iter().copied().map(Some).collect(),
    };
    for board in boards {
        let mut calls = calls(assignment.game.name(), board.unwrap_or(ONLY), *seed);
        calls.retain(|call| parts.contains_key(call.function));
        let made = if ended {
            calls_on_board(objects, main, board, file, &calls, &mut slow)
        } else {
            let why = "was not called: the calls on a board before this one did not end";
            Err(StepFailure::OfSubmission(why.to_owned()))
        };
        let made = match made {
            Ok(made) => made,
            Err(failure) => {
                let why = failure.of_submission()?;
                // Without the submission's own board there is nothing to call.
                if board == objects.own_board() {
                    say_of_all(parts, &why);
                    return Ok(());
                }
                let rules = Some(Found::uninformative(&why));
                let failed = Verdict { rules, ..Verdict::default() };
                let verdicts = vec![failed; calls.len()];
                BoardCalls { verdicts, ended, ..BoardCalls::default() }
            }
        };
        ended = made.ended;
        objects.reads_outside.extend(made.harmless);
        // On further boards the same functions are missing.
        if board == objects.own_board() {
            for (function, note) in &made.missing {
                if let Some(part) = parts.get_mut(function) {
                    part.notes.push(note.clone());
                }
            }
        }
        for (call, mut verdict) in std::iter::zip(&calls, made.verdicts) {
            if let Some(note) = made.missing.get(call.function) {
                verdict.rules = Some(Found::uninformative(with_size(board, note)));
            }
            if let Some(part) = parts.get_mut(call.function) {
                let Verdict { rules: found, text } = verdict;
                let has_text = found.is_none();
                let share = f64::from(u8::from(has_text));
                let case = CaseMark::of_call(call, board);
                let mark = CaseMark { share, found, has_text, text, ..case };
                part.cases.push(mark.on_board(objects.own_board()));
            }
        }
    }
    Ok(())
}

/// Makes the calls on a board. Those on the submission's own board also find uninitialised variables
/// and the places of undefined behaviour.
///
/// # Errors
/// There is no program of the submission for that board, or it does not come to the test main.
fn calls_on_board(
    objects: &mut Objects<'_>,
    main: TestMain,
    board: Option<Board>,
    file: &str,
    calls: &[Call],
    slow: &mut Slow,
) -> Result<BoardCalls, StepFailure> {
    let is_own = board == objects.own_board();
    // 1. The object of the file, or of as much of it as compiles.
    let unit = objects.functions_unit(objects.built_as(board), file)?;
    let folder = objects
        .build_folder(unit.board, &unit.extent)
        .map_err(|failure| failure.with_context(&format!("{file} cannot be read")))?;
    let size = board.unwrap_or(ONLY);
    if let [name, ..] = &folder.missing[..] {
        return Err(StepFailure::OfSubmission(no_constant(size, name, name)));
    }
    if objects.object(&unit)?.file.is_none() {
        // On its own board the file is as it was handed in.
        let shown = board.filter(|_| !is_own);
        let why = with_size(shown, &format!("{file} does not compile"));
        return Err(StepFailure::OfSubmission(why));
    }
    // 2. Without any function there is nothing to link.
    let facts = objects.object_facts(&unit)?;
    let missing = missing_in_object(objects, main, &facts, &unit, &folder.left_out);
    if missing.len() == main.functions.len() {
        let verdicts = vec![Verdict::default(); calls.len()];
        return Ok(BoardCalls { verdicts, missing, ended: true, ..BoardCalls::default() });
    }
    // 3. The program: the object with the test main in place of its own.
    prepare_test_main(objects, main, size, &unit, &folder.path)?;
    let (program, undefined) =
        link_calls(objects, &folder.path, &object_name(&unit.file), "arbiter-calls", &[])
            .map_err(|failure| failure.with_context(&format!("{file} cannot be linked")))?;
    if let Some(how) = ends_before_main(objects, &program)? {
        return Err(StepFailure::OfSubmission(format!(
            "the functions of {file} cannot be called: {how} before main begins"
        )));
    }
    // 4. The calls.
    let trial = Trial {
        objects,
        dir: &folder.path,
        file,
        calls,
        slow,
        program: &program,
        runs: Vec::new(),
        made: BoardCalls::default(),
    };
    let mut made = trial.run_all(main, &facts, missing, is_own)?;
    if !undefined.is_empty() {
        let names = Vec::from_iter(undefined).join(", ");
        for verdict in &mut made.verdicts {
            if let Some(found) = &mut verdict.rules
                && found.sentence.contains(" crashes")
            {
                found.sentence += &format!("; it may call what is missing: {names}");
            }
        }
    }
    Ok(made)
}

/// The functions that an object does not have as they should be; of those that were left out of it
/// so that the others compile, with the error of the compiler.
fn missing_in_object(
    objects: &Objects<'_>,
    main: TestMain,
    facts: &ObjectFacts,
    unit: &Unit,
    left_out: &[LeftOut],
) -> BTreeMap<&'static str, String> {
    let mut missing = missing_functions(main, facts, None);
    for one in left_out {
        let why = objects.why_left_out(unit, one).unwrap_or_default();
        let name = last_name(&one.function.name);
        if let Some(note) = missing.get_mut(name) {
            *note = format!("`{name}` does not compile: {}", printable(why.as_bytes(), SHOWN));
        }
    }
    missing
}

/// Puts the compiled test main into a folder. It knows the members of a class by the header that
/// the unit has.
///
/// # Errors
/// It does not compile with that header.
fn prepare_test_main(
    objects: &Objects<'_>,
    main: TestMain,
    board: Board,
    unit: &Unit,
    dir: &Path,
) -> Result<(), StepFailure> {
    let compiler = objects.compiler;
    if unit.extent != Extent::OwnHeaders {
        write_readable(&dir.join(MAIN_OBJECT), compiler.test_main(main, board)?)
            .map_err(broken(WRITING_MAIN))?;
        return Ok(());
    }
    let header = read(&dir.join(main.header.unwrap_or_default())).map_err(broken(WRITING_MAIN))?;
    let header = String::from_utf8_lossy(&header);
    let compiled = compiler.compile_test_main(main, board, &header, dir)?;
    if compiled.file.is_some() {
        return Ok(());
    }
    let error = printable(compiled.error().as_bytes(), SHOWN);
    Err(StepFailure::OfSubmission(format!(
        "the functions cannot be called with the header of the submission: {error}"
    )))
}

/// The functions that are not there, with the prototype that was found instead: by their object
/// and, if there is one, by a run of the test main.
pub(super) fn missing_functions(
    main: TestMain,
    facts: &ObjectFacts,
    run: Option<&Answers>,
) -> BTreeMap<&'static str, String> {
    let mut missing = BTreeMap::new();
    for (function, prototype) in main.functions {
        // The name in the object carries the parameters, but not the type that is returned.
        let returned = facts.returned(function);
        let is_right = returned.is_empty()
            || returned.iter().any(|kind| prototype.starts_with(&format!("{kind} {function}(")));
        // What the program says of itself is not enough: other functions of it may have written
        // that.
        let is_defined = main.names(function).iter().any(|name| !facts.prototypes(name).is_empty());
        let is_there = run.is_none_or(|run| run.there.iter().any(|one| one == function));
        if is_right && is_defined && is_there {
            continue;
        }
        let said = match facts.prototypes(function).first() {
            None if returned.is_empty() => format!("there is no function `{prototype}`"),
            None => format!(
                "`{function}` is static, inline or extern \"C\", so no other file can call it as \
                 C++; `{prototype}` is asked for"
            ),
            Some(found) => {
                let found = [returned.first().map_or("", String::as_str), found].join(" ");
                let found = printable(found.trim_start().as_bytes(), SHOWN);
                format!("there is `{found}`, and `{prototype}` is asked for")
            }
        };
        missing.insert(*function, said);
    }
    missing
}

/// Links an object with the test main; returns the program and what it calls that is not there.
///
/// # Errors
/// It cannot be linked: a sentence of the linker.
pub(super) fn link_calls(
    objects: &Objects<'_>,
    dir: &Path,
    object: &str,
    out: &str,
    flags: &[&str],
) -> Result<(PathBuf, BTreeSet<String>), StepFailure> {
    // The linker keeps the first of several weak definitions, such as those of inline functions and
    // templates: that of the submission counts.
    let arguments = [&[object, MAIN_OBJECT, "-Wl,--wrap=main"], flags].concat();
    let mut linked = objects.compile(dir, &arguments, out)?;
    let mut undefined = BTreeSet::new();
    for line in linked.output.lines() {
        if let Some((_, name)) = line.split_once("undefined reference to `")
            && undefined.len() < UNDEFINED
        {
            let name = name.trim_end_matches('\'');
            undefined.insert(format!("`{}`", printable(name.as_bytes(), SHOWN)));
        }
    }
    if linked.file.is_none() && !undefined.is_empty() {
        // A function that is not there costs itself, and the calls of those that call it. Where
        // addresses are not fixed, its address would not be null.
        let lenient = ["-no-pie", "-Wl,--unresolved-symbols=ignore-all"];
        linked = objects.compile(dir, &[&arguments[..], &lenient].concat(), out)?;
    }
    match linked.file {
        Some(program) => Ok((program, undefined)),
        None => Err(StepFailure::OfSubmission(printable(linked.error().as_bytes(), SHOWN))),
    }
}

/// How a program ends that does not come to the test main, because its global variables or
/// constructors end or stop it; none if it comes there.
fn ends_before_main(objects: &Objects<'_>, program: &Path) -> Result<Option<String>, BotError> {
    let text = input(MODES[0], 1, &Slow::new(), []);
    let Compiler { sheet, runner, .. } = objects.compiler;
    let bounds = case_bounds(sheet.assignment.time, MAIN_OUTPUT);
    let run = runner.run(&built_program(program), text.as_bytes(), &bounds, &runner.limits)?;
    // The first thing that the test main writes.
    if run.output.split(|&byte| byte == b'\n').any(|line| line.starts_with(b"has ")) {
        return Ok(None);
    }
    Ok(Some(match run.end {
        ProgramEnd::Ended(Exit::Status(0)) => {
            "the program ends, or reads the standard input,".to_owned()
        }
        ProgramEnd::Ended(Exit::Status(status)) => {
            format!("the program ends with status {status}, or reads the standard input,")
        }
        ProgramEnd::Ended(Exit::Signal(number)) => {
            format!("the program is ended by signal {number}")
        }
        ProgramEnd::Computing => "the program computes without an end".to_owned(),
        ProgramEnd::Waiting => "the program waits without an end".to_owned(),
        ProgramEnd::Endless => "the program prints without an end".to_owned(),
        ProgramEnd::Exceeded(limit) => format!("the program {}", of_limit(limit)),
    }))
}
