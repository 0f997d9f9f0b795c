//! The functions of a submission, each called alone: its objects are linked with a test main of
//! ours, which runs the calls.

use super::compiler::MAIN_OBJECT;
use super::mark::sources;
use super::objects::{Objects, Unit};
use super::reader::{Extent, LeftOut};
use super::runner::{Patience, built_program};
use super::submissions::{read, write_readable};

use crate::debug_info::ObjectFacts;
use crate::functions::{
    Answer, Answers, Call, Fate, Mode, Place, TestMain, Verdict, calls, input, is_outside, judge,
};
use crate::text::text_faults;
use crate::{CaseMark, Found, MarkedPart, Sheet, Worth, of_limit};
use arbiter_config::assignment::{Board, Part, PartKind, Weights};
use arbiter_game::{Exit, ProgramEnd};
use arbiter_host::bot::BotError;
use arbiter_rules::text::printable;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// The runs of a build: the board lies before memory without access, and behind it.
const MODES: [Mode; 2] =
    [Mode { alone: false, place: Place::Front }, Mode { alone: false, place: Place::End }];
/// The runs in which the board lies amid empty squares and pieces.
const AMID: [Mode; 3] = [
    Mode { alone: false, place: Place::Amid(0) },
    Mode { alone: false, place: Place::Amid(1) },
    Mode { alone: false, place: Place::Amid(2) },
];
/// The build that tells where undefined behaviour is.
const SANITIZER: &str = "-fsanitize=undefined";
/// Builds in which variables without a value have different ones.
const WITHOUT_VALUE: [&str; 2] =
    ["-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init=pattern"];
/// The most bytes that a test main without calls writes.
const MAIN_OUTPUT: usize = 1 << 16;
/// The board of a game that has no other.
const ONLY: Board = Board { n: 8, p: None, l: None, b: None, s: None };
/// How many functions are named that are called and not there.
const UNDEFINED: usize = 5;
/// How much of a prototype or of a place is shown.
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
    let Sheet { assignment, seed, .. } = &objects.compiler.sheet;
    let PartKind::Functions { points: worth, text, weights } = &part.kind else {
        return Ok(Vec::new());
    };
    let Some(main) = TestMain::of(assignment.game.name()) else { return Ok(Vec::new()) };
    let mut parts: BTreeMap<&str, MarkedPart> = BTreeMap::new();
    for (function, _) in main.functions {
        if let Some(most) = worth.get(*function) {
            let name = format!("{}: {function}", part.name);
            parts.insert(function, MarkedPart { name, most: *most, ..MarkedPart::default() });
        }
    }
    if objects.source(file).is_some() {
        call_all(objects, file, &mut parts, *seed)?;
    } else {
        say_of_all(&mut parts, &objects.not_handed_in(file));
    }
    let sources = sources(objects, &[file.to_owned()]);
    let equal = Weights::new();
    let mut marked = Vec::new();
    // In the order of the hand-out.
    for (function, _) in main.functions {
        let Some(mut one) = parts.remove(function) else { continue };
        // What is wrong with all of them is said once, by the note.
        if !one.notes.is_empty() {
            one.cases.clear();
        }
        one.text = text_faults(&one.cases, &sources);
        let weights = weights.get(*function).unwrap_or(&equal);
        one.points = Worth { most: one.most, text: *text, weights }.points(&one.cases);
        // A constant answer is right in a part of the cases, which shows nothing.
        if one.points == 0.0 && one.cases.iter().any(|case| case.share > 0.0) {
            one.notes.push(format!(
                "`{function}` is right no more often than a function that does the same whatever \
                 it is asked, so no answer counts"
            ));
        }
        marked.push(one);
    }
    Ok(marked)
}

/// Says something of all functions.
fn say_of_all(parts: &mut BTreeMap<&str, MarkedPart>, note: &str) {
    for part in parts.values_mut() {
        part.notes.push(note.to_owned());
    }
}

/// Makes the calls of these functions on all boards of the assignment.
fn call_all(
    objects: &mut Objects<'_>,
    file: &str,
    parts: &mut BTreeMap<&str, MarkedPart>,
    seed: u64,
) -> Result<(), BotError> {
    let assignment = &objects.compiler.sheet.assignment;
    let mut ended = true;
    let mut slow = Slow::new();
    let boards = match &assignment.boards[..] {
        [] => vec![None],
        boards => boards.iter().copied().map(Some).collect(),
    };
    for (number, board) in boards.into_iter().enumerate() {
        let mut calls = calls(assignment.game.name(), board.unwrap_or(ONLY), seed);
        calls.retain(|call| parts.contains_key(call.function));
        let tried = if ended {
            tried(objects, board, file, &calls, &mut slow, number == 0)?
        } else {
            Err("was not called: the calls on a board before this one did not end".to_owned())
        };
        let tried = match tried {
            Ok(tried) => tried,
            // Without the submission's own board there is nothing to call.
            Err(why) if number == 0 => {
                say_of_all(parts, &why);
                return Ok(());
            }
            Err(why) => {
                let rules = Some(Found::uninformative(&why));
                let failed = Verdict { rules, ..Verdict::default() };
                Tried {
                    verdicts: vec![failed; calls.len()],
                    missing: BTreeMap::new(),
                    harmless: BTreeSet::new(),
                    ended,
                }
            }
        };
        ended = tried.ended;
        objects.reads_outside.extend(tried.harmless);
        // On further boards the same functions are missing.
        if number == 0 {
            for (function, note) in &tried.missing {
                if let Some(part) = parts.get_mut(function) {
                    part.notes.push(note.clone());
                }
            }
        }
        for (call, mut verdict) in std::iter::zip(&calls, tried.verdicts) {
            if let Some(note) = tried.missing.get(call.function) {
                verdict.rules = Some(Found::uninformative(with_size(board, note)));
            }
            if let Some(part) = parts.get_mut(call.function) {
                part.cases.push(mark(call, board, verdict).on_board(objects.own_board()));
            }
        }
    }
    Ok(())
}

/// A sentence about a function on a board.
fn with_size(board: Option<Board>, sentence: &str) -> String {
    match board {
        Some(board) => format!("with {} squares a side, {sentence}", board.n),
        None => sentence.to_owned(),
    }
}

fn mark(call: &Call, board: Option<Board>, verdict: Verdict) -> CaseMark {
    let Verdict { rules, text } = verdict;
    let is_right = rules.is_none();
    let share = if is_right { 1.0 } else { 0.0 };
    CaseMark { share, found: rules, has_text: is_right, text, ..CaseMark::of_call(call, board) }
}

/// How slow the calls of each function were so far, on all boards together: one that takes too
/// long, again and again, is not called any more.
type Slow = BTreeMap<&'static str, usize>;

/// What came of the calls on a board.
struct Tried {
    /// What is wrong with each call.
    verdicts: Vec<Verdict>,
    /// The functions that are not there as they should be, with what is said of each.
    missing: BTreeMap<&'static str, String>,
    /// The functions that read memory beside the board, which changes nothing.
    harmless: BTreeSet<&'static str>,
    /// Whether the test main came to its end.
    ended: bool,
}

/// Makes the calls on a board; those on the first one also tell variables without a value, and
/// where undefined behaviour is. An error is a sentence: there is no program.
fn tried(
    objects: &mut Objects<'_>,
    board: Option<Board>,
    file: &str,
    calls: &[Call],
    slow: &mut Slow,
    is_first: bool,
) -> Result<Result<Tried, String>, BotError> {
    let game = objects.compiler.sheet.assignment.game.name();
    let Some(main) = TestMain::of(game) else { return Ok(Err(format!("{game} has no functions"))) };
    let unit = objects.functions_unit(board, file)?;
    let folder = match objects.build_folder(board, &unit.extent) {
        Ok(folder) => folder,
        Err(failure) => {
            return Ok(Err(format!("{file} cannot be read: {}", failure.of_submission()?)));
        }
    };
    let size = board.unwrap_or(ONLY);
    if let Some(name) = folder.missing.first() {
        let n = size.n;
        return Ok(Err(format!(
            "the board of {n} squares a side cannot be tried: no constant {name} was found, such \
             as `const int {name} = {n};`"
        )));
    }
    let Some(object) = objects.object(&unit)?.file else {
        // On the first board this is about the file as it was handed in.
        let shown = if is_first { None } else { board };
        return Ok(Err(with_size(shown, &format!("{file} does not compile"))));
    };
    let facts = match objects.object_facts(&unit) {
        Ok(facts) => facts,
        Err(failure) => return failure.of_submission().map(Err),
    };
    let missing = absent(objects, main, &facts, &unit, &folder.left_out);
    if missing.len() == main.functions.len() {
        return Ok(Ok(Tried {
            verdicts: vec![Verdict::default(); calls.len()],
            missing,
            harmless: BTreeSet::new(),
            ended: true,
        }));
    }
    if let Err(why) = prepare_test_main(objects, main, size, &unit, &folder.path)? {
        return Ok(Err(why));
    }
    let built = build(objects, &folder.path, &file_name(&object), "arbiter-calls", &[])?;
    let (program, undefined) = match built {
        Ok(built) => built,
        Err(why) => return Ok(Err(format!("{file} cannot be linked: {why}"))),
    };
    if let Some(how) = ends_before_main(objects, &program)? {
        return Ok(Err(format!(
            "the functions of {file} cannot be called: {how} before main begins"
        )));
    }
    let mut trial = Trial {
        objects,
        dir: &folder.path,
        file,
        calls,
        slow,
        runs: Vec::new(),
        missing: BTreeMap::new(),
    };
    let mut tried = trial.run_all(&program, main, &facts, missing, is_first)?;
    if !undefined.is_empty() {
        let names = Vec::from_iter(undefined).join(", ");
        for verdict in &mut tried.verdicts {
            if let Some(found) = &mut verdict.rules
                && found.sentence.contains(" crashes")
            {
                found.sentence += &format!("; it may call what is missing: {names}");
            }
        }
    }
    Ok(Ok(tried))
}

/// The functions that an object does not have as they should be; of those that were left out of it
/// so that the others compile, with the error of the compiler.
fn absent(
    objects: &Objects<'_>,
    main: TestMain,
    facts: &ObjectFacts,
    unit: &Unit,
    left_out: &[LeftOut],
) -> BTreeMap<&'static str, String> {
    let mut absent = missing(main, facts, None);
    for function in left_out {
        let why = objects.why_left_out(unit, function).unwrap_or_default();
        let name = function.name.rsplit("::").next().unwrap_or_default();
        if let Some(note) = absent.get_mut(name) {
            *note = format!("`{name}` does not compile: {}", printable(why.as_bytes(), SHOWN));
        }
    }
    absent
}

/// Puts the compiled test main into a folder. It knows the members of a class by the header that
/// the unit has; why it does not compile with that is a sentence.
fn prepare_test_main(
    objects: &Objects<'_>,
    main: TestMain,
    board: Board,
    unit: &Unit,
    dir: &Path,
) -> Result<Result<(), String>, BotError> {
    let compiler = objects.compiler;
    if unit.extent != Extent::OwnHeaders {
        write_readable(&dir.join(MAIN_OBJECT), compiler.test_main(main, board)?).map_err(broken)?;
        return Ok(Ok(()));
    }
    let header = read(&dir.join(main.header.unwrap_or_default())).map_err(broken)?;
    let header = String::from_utf8_lossy(&header);
    let compiled = compiler.compile_test_main(main, board, &header, dir)?;
    if compiled.file.is_some() {
        return Ok(Ok(()));
    }
    let error = printable(compiled.error().as_bytes(), SHOWN);
    Ok(Err(format!("the functions cannot be called with the header of the submission: {error}")))
}

fn broken(error: io::Error) -> BotError {
    BotError::Broken(format!("writing the test main: {error}"))
}

/// The calls on a board, and the answers to them so far.
struct Trial<'a, 'w> {
    objects: &'a Objects<'w>,
    /// The folder of the submission for this board.
    dir: &'a Path,
    file: &'a str,
    calls: &'a [Call],
    slow: &'a mut Slow,
    runs: Vec<Answers>,
    missing: BTreeMap<&'static str, String>,
}

impl Trial<'_, '_> {
    /// Makes all calls in all modes.
    fn run_all(
        &mut self,
        program: &Path,
        main: TestMain,
        facts: &ObjectFacts,
        absent: BTreeMap<&'static str, String>,
        is_first: bool,
    ) -> Result<Tried, BotError> {
        // 1. All calls. Where the test main does not come to its end, nothing more is tried.
        let all: Vec<&Call> = self.calls.iter().collect();
        let (first, mut ended) = self.run(program, MODES[0], &all)?;
        self.runs.push(first);
        if ended {
            ended = self.run_again(program, MODES[1])?;
        }
        self.missing = missing(main, facts, self.runs.first());
        self.missing.extend(absent);
        let mut verdicts = self.judged();
        let mut harmless = BTreeSet::new();
        // 2. Failing calls once more, which takes back or explains what is wrong with them.
        if ended {
            harmless = self.harmless(program, &mut verdicts)?;
            self.alone(program, &mut verdicts)?;
        }
        // 3. Other builds, which say the same on every board.
        if ended && is_first {
            self.without_value(&mut verdicts)?;
            self.places(&mut verdicts)?;
        }
        Ok(Tried { verdicts, missing: std::mem::take(&mut self.missing), harmless, ended })
    }

    /// What is wrong with each call in any of the runs.
    fn judged(&self) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        for (index, call) in self.calls.iter().enumerate() {
            let mut all = Verdict::default();
            for run in &self.runs {
                let Some(answer) = run.calls.get(index) else { continue };
                let one = judge(call, answer);
                all.rules = all.rules.or(one.rules);
                if all.text.is_empty() {
                    all.text = one.text;
                }
            }
            verdicts.push(all);
        }
        verdicts
    }

    /// Takes back what is wrong with calls that only read memory beside the board, and return the
    /// same whatever is there. Returns their functions.
    fn harmless(
        &mut self,
        program: &Path,
        verdicts: &mut [Verdict],
    ) -> Result<BTreeSet<&'static str>, BotError> {
        let calls = self.calls;
        let mut outside = Vec::new();
        for (index, call) in calls.iter().enumerate() {
            if verdicts[index].rules.is_none() {
                continue;
            }
            let is_harmless = self.runs.iter().all(|run| {
                let answer = &run.calls[index];
                is_outside(answer) || judge(call, answer).rules.is_none()
            });
            if is_harmless {
                outside.push(index);
            }
        }
        let mut functions = BTreeSet::new();
        if outside.is_empty() {
            return Ok(functions);
        }
        let again = calls_at(calls, &outside);
        let mut runs = Vec::new();
        for mode in AMID {
            runs.push(self.run(program, mode, &again)?.0);
        }
        for (at, &index) in outside.iter().enumerate() {
            let mut amid = Vec::new();
            for run in &runs {
                amid.push(judge(&calls[index], &run.calls[at]));
            }
            if amid.iter().all(|verdict| verdict.rules.is_none()) {
                verdicts[index] = amid.swap_remove(0);
                functions.insert(calls[index].function);
            }
        }
        Ok(functions)
    }

    /// The calls that are worth making once more: their functions are there, and what was slow once
    /// is not waited for again.
    fn worth_repeating(&self) -> Vec<usize> {
        let mut indices = Vec::new();
        for (index, call) in self.calls.iter().enumerate() {
            if !self.missing.contains_key(call.function) && !is_slow(&self.runs, index) {
                indices.push(index);
            }
        }
        indices
    }

    /// The answers to calls, and whether the test main came to its end.
    fn run(
        &mut self,
        program: &Path,
        mode: Mode,
        calls: &[&Call],
    ) -> Result<(Answers, bool), BotError> {
        let seconds = self.objects.compiler.sheet.assignment.time.as_secs().max(1);
        let text = input(mode, seconds, self.slow, calls.iter().copied());
        let run = self.objects.compiler.runner.run_calls(program, text.as_bytes())?;
        let answers = Answers::read(&run.output, calls.len());
        for (call, answer) in calls.iter().zip(&answers.calls) {
            *self.slow.entry(call.function).or_default() += answer.slow;
        }
        Ok((answers, matches!(run.end, ProgramEnd::Ended(_))))
    }

    /// Makes the calls of the first run in another mode; those that were slow are not made again,
    /// and what is not made keeps its answer. Returns whether the test main came to its end.
    fn run_again(&mut self, program: &Path, mode: Mode) -> Result<bool, BotError> {
        let mut made: Vec<usize> = (0..self.calls.len()).collect();
        made.retain(|&index| !is_slow(&self.runs, index));
        let (run, ended) = self.run(program, mode, &calls_at(self.calls, &made))?;
        let mut answers = Answers { there: run.there, calls: self.runs[0].calls.clone() };
        for (index, answer) in made.into_iter().zip(run.calls) {
            if answer.fate != Fate::Skipped {
                answers.calls[index] = answer;
            }
        }
        self.runs.push(answers);
        Ok(ended)
    }

    /// Repeats failing calls, each in a fresh process: one that then passes depends on calls before
    /// it, which is said of it.
    fn alone(&mut self, program: &Path, verdicts: &mut [Verdict]) -> Result<(), BotError> {
        let calls = self.calls;
        let failing = self.failing(verdicts);
        if failing.is_empty() {
            return Ok(());
        }
        let again = calls_at(calls, &failing);
        let mut runs = Vec::new();
        for mode in MODES {
            runs.push(self.run(program, Mode { alone: true, ..mode }, &again)?.0);
        }
        for (at, &index) in failing.iter().enumerate() {
            let passes =
                runs.iter().all(|run| judge(&calls[index], &run.calls[at]).rules.is_none());
            if let Some(found) = &mut verdicts[index].rules
                && passes
            {
                found.sentence += "; called first it is right, so it depends on earlier calls";
            }
        }
        Ok(())
    }

    /// The calls that fail and are worth making once more.
    fn failing(&self, verdicts: &[Verdict]) -> Vec<usize> {
        let mut failing = self.worth_repeating();
        failing.retain(|&index| verdicts[index].rules.is_some());
        failing
    }

    /// Finds calls that depend on variables without a value.
    fn without_value(&mut self, verdicts: &mut [Verdict]) -> Result<(), BotError> {
        let calls = self.calls;
        let tried = self.worth_repeating();
        let all = calls_at(calls, &tried);
        let mut runs = Vec::new();
        for (number, flag) in WITHOUT_VALUE.into_iter().enumerate() {
            let Some(program) = self.rebuilt(flag, &number.to_string())? else { return Ok(()) };
            runs.push(self.run(&program, MODES[0], &all)?.0);
        }
        for (at, index) in tried.into_iter().enumerate() {
            if runs.iter().any(|run| run.calls[at].fate == Fate::Skipped) {
                continue;
            }
            let [zero, pattern] =
                [0, 1].map(|build: usize| judge(&calls[index], &runs[build].calls[at]).rules);
            // Where both are wrong, the value does not matter; where it does, one may be right.
            if zero.is_some() != pattern.is_some() {
                let mut one = zero.or(pattern).unwrap_or_default();
                one.sentence += "; what it does depends on a variable without a value";
                verdicts[index].rules = Some(one);
            }
        }
        Ok(())
    }

    /// Finds file and line of failing calls by a build that checks for undefined behaviour.
    fn places(&mut self, verdicts: &mut [Verdict]) -> Result<(), BotError> {
        let failing = self.failing(verdicts);
        if failing.is_empty() {
            return Ok(());
        }
        let Some(program) = self.rebuilt(SANITIZER, "checked")? else { return Ok(()) };
        let again = calls_at(self.calls, &failing);
        let (answers, _) = self.run(&program, Mode { alone: true, place: Place::Front }, &again)?;
        for (answer, index) in answers.calls.iter().zip(failing) {
            if let Some(found) = &mut verdicts[index].rules {
                found.place = place(answer);
            }
        }
        Ok(())
    }

    /// Compiles the file once more with a flag and links it; none if that does not succeed.
    fn rebuilt(&self, flag: &str, name: &str) -> Result<Option<PathBuf>, BotError> {
        if self.objects.has_been_over() {
            return Ok(None); // it would be so again, for a minute
        }
        let object = format!("arbiter-{name}.o");
        let compiled = self.objects.compile_source(self.dir, self.file, &[flag], &object)?;
        if compiled.file.is_none() {
            return Ok(None);
        }
        let out = format!("arbiter-calls-{name}");
        match build(self.objects, self.dir, &object, &out, &[flag])? {
            Ok((program, _)) => Ok(Some(program)),
            Err(_) => Ok(None),
        }
    }
}

/// The calls of these indices.
fn calls_at<'a>(calls: &'a [Call], indices: &[usize]) -> Vec<&'a Call> {
    indices.iter().map(|&index| &calls[index]).collect()
}

/// File, line and what is wrong there: `gekitai.cpp:12:5: runtime error: index 6 out of bounds for
/// type 'char [6]'`.
fn place(answer: &Answer) -> Option<String> {
    let errors = String::from_utf8_lossy(&answer.errors).into_owned();
    let line = errors.lines().find(|line| line.contains(": runtime error: "))?;
    let line = line.rsplit('/').next().unwrap_or(line).replace(": runtime error: ", ": ");
    Some(printable(line.as_bytes(), SHOWN))
}

/// The functions that are not there, with the prototype that was found instead: by their object
/// and, if there is one, by a run of the test main.
fn missing(
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

/// Links an object with the test main; returns the program and what it calls that is not there. An
/// error is a sentence of the linker.
fn build(
    objects: &Objects<'_>,
    dir: &Path,
    object: &str,
    out: &str,
    flags: &[&str],
) -> Result<Result<(PathBuf, BTreeSet<String>), String>, BotError> {
    let arguments = [&[MAIN_OBJECT, object, "-Wl,--wrap=main"], flags].concat();
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
    Ok(match linked.file {
        Some(program) => Ok((program, undefined)),
        None => Err(printable(linked.error().as_bytes(), SHOWN)),
    })
}

/// Whether a call was slow in one of these runs, or was not made because others were.
fn is_slow(runs: &[Answers], index: usize) -> bool {
    runs.iter().any(|run| run.calls[index].slow > 0 || run.calls[index].fate == Fate::Skipped)
}

/// How a program ends that does not come to the test main, because its global variables or
/// constructors end or stop it; none if it comes there.
fn ends_before_main(objects: &Objects<'_>, program: &Path) -> Result<Option<String>, BotError> {
    let text = input(MODES[0], 1, &Slow::new(), []);
    let compiler = objects.compiler;
    let time = compiler.sheet.assignment.time;
    let program = built_program(program);
    let run = compiler.runner.run_case(
        &program,
        text.as_bytes(),
        MAIN_OUTPUT,
        Patience::of_case(time),
    )?;
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

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
