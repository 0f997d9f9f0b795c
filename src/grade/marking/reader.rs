//! Reads the sources and objects of a submission.
//!
//! Their bytes are a stranger's, and what reads them may have faults, or need time and memory
//! without end. So they are read in a child: arbiter started again, under the limits and the
//! isolation of a bot. If the child fails, the submission has failed.
//!
//! ```text
//! parent                                          child (`arbiter __read`, in their folder)
//!   the question, JSON on standard input      ->
//!                                             <-  the answer or a sentence, a line of JSON
//!                                             <-  the sources as they are compiled
//! ```

use super::failure::StepFailure;
use super::runner::Runner;
use super::submissions::last_name;
use crate::debug_info::{ObjectFacts, ObjectQuestion, facts};
use crate::definitions::{TakenOut, defined, unreached, with_int_main, without_main};
use crate::forbidden::{Forbidden, first_use};
use crate::source::{
    calls, has_address, has_comments, has_name, has_student_number, hides_warnings, included,
    readable, top_comments,
};
use crate::{of_limit, replace_constants};
use arbiter_game::{Exit, Limits, ProgramEnd, ProgramRun};
use arbiter_host::bot::{BotError, RunBounds};
use arbiter_host::locate::{Access, FolderAccess, Program};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// First argument of the program when it reads files of a submission.
pub const READER: &str = "__read";

/// The processor time of a child.
const READING: Duration = Duration::from_secs(20);
/// How long it may do nothing.
const SILENCE: Duration = Duration::from_secs(5);
/// The most bytes of its answer, beside the sources.
const ANSWER: usize = 1 << 20;
/// How many different files a source may include: more than any homework has.
const INCLUDED: usize = 200;
/// Maximum number of functions that were left out that are named.
const LEFT_OUT: usize = 100;
/// The bytes of the longest name of a file or a function.
const LONGEST_NAME: usize = 255;
/// The most bytes of an object. The compiler may write no longer files.
const OBJECT: u64 = 64 << 20;

/// A question about the sources of a submission.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SourcesQuestion {
    /// The names of the files of the assignment.
    pub sources: Vec<String>,
    /// The names of the files that they may include.
    pub headers: Vec<String>,
    /// The size of all of them in bytes.
    pub bytes: u64,
    /// The functions that are asked for.
    pub functions: Vec<String>,
    /// Constants, with the values that they get.
    pub values: Vec<(String, u32)>,
    /// Names that requirements forbid.
    pub forbidden: Vec<Forbidden>,
    /// What of the sources is sent, as it is compiled; `None` for nothing.
    pub contents: Option<Extent>,
}

/// How much of the sources is compiled.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Extent {
    /// All of them.
    Whole,
    /// All of them, with changed files of the course in place of those.
    OwnHeaders,
    /// All but `main` and the functions that do not compile: the lines with errors of each
    /// compilation so far, with their files.
    WithoutMain(Vec<Vec<(String, usize)>>),
}

/// Facts about the sources of a submission.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SourcesFacts {
    /// About each file of the assignment, in the order of the question.
    pub sources: Vec<SourceFacts>,
    /// The names of the files that the other ones include.
    pub included_by_headers: BTreeSet<String>,
    /// The functions that are asked for and that `main` does not lead to.
    pub unreached: Vec<String>,
    /// Which of the constants were found.
    pub found: Vec<bool>,
    /// The functions that were left out because they do not compile.
    pub left_out: Vec<LeftOut>,
    /// The size of each file that follows the answer.
    lengths: Vec<usize>,
}

/// Facts about a source.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SourceFacts {
    /// Whether there is an e-mail address in the comments at its top.
    pub has_address: bool,
    /// Whether it calls `system`.
    pub calls_system: bool,
    /// Whether it switches warnings off.
    pub hides_warnings: bool,
    /// Whether it has `void main`.
    pub has_void_main: bool,
    /// The names of the files that it includes, each once.
    pub included: Vec<String>,
    /// Which of the functions that are asked for it defines, and `main`.
    pub defines: Vec<String>,
    /// Whether there is a number of a student in the comments at its top.
    pub has_number: bool,
    /// Whether something there looks like a name.
    pub has_name: bool,
    /// Whether it has comments behind those.
    pub has_comments: bool,
    /// The first use of a name that each requirement forbids, with its line.
    pub forbidden: Vec<Option<(String, usize)>>,
}

/// A function that was left out of a source because it does not compile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    pub function: TakenOut,
    /// The file that defines it.
    pub file: String,
}

#[derive(Serialize, Deserialize)]
enum Question {
    Sources(SourcesQuestion),
    Object { file: String, question: ObjectQuestion },
}

/// Reads the sources in a folder. Returns also their contents, if they are asked for.
///
/// # Errors
/// They cannot be read.
pub fn read_sources(
    runner: &Runner,
    folder: &Path,
    question: SourcesQuestion,
) -> Result<(SourcesFacts, Vec<Vec<u8>>), StepFailure> {
    // UTF-16 becomes at most half as long again, and each constant a few bytes longer.
    let most = match question.contents {
        Some(_) => usize::try_from(question.bytes).unwrap_or_default() * 4,
        None => 0,
    };
    let (facts, mut rest): (SourcesFacts, Vec<u8>) =
        ask(runner, folder, &Question::Sources(question), most + ANSWER)?;
    let mut contents = Vec::new();
    for &length in &facts.lengths {
        if length > rest.len() {
            return Err(StepFailure::OfSubmission("its sources cannot be read".to_owned()));
        }
        let behind = rest.split_off(length);
        contents.push(std::mem::replace(&mut rest, behind));
    }
    Ok((facts, contents))
}

/// Reads an object in a folder.
///
/// # Errors
/// It cannot be read.
pub fn read_object(
    runner: &Runner,
    folder: &Path,
    file: &str,
    question: ObjectQuestion,
) -> Result<ObjectFacts, StepFailure> {
    let question = Question::Object { file: file.to_owned(), question };
    Ok(ask(runner, folder, &question, ANSWER)?.0)
}

/// Asks a child; returns its answer and what follows that.
fn ask<A: DeserializeOwned>(
    runner: &Runner,
    folder: &Path,
    question: &Question,
    most: usize,
) -> Result<(A, Vec<u8>), StepFailure> {
    let arbiter = &runner.launcher.program;
    let input = serde_json::to_vec(question)
        .map_err(|error| BotError::Broken(format!("the reader: {error}")))?;
    let program = Program {
        name: "reader".to_owned(),
        command: arbiter.clone(),
        arguments: vec![READER.into()],
        dir: folder.to_owned(),
        built_in: true,
        access: Access {
            folder: FolderAccess::Folder(folder.to_owned()),
            read: vec![arbiter.clone()],
            ..Access::default()
        },
        ..Program::default()
    };
    let bounds = RunBounds { processor_time: READING, silence: SILENCE, output: most };
    let limits = Limits { processes: 1, ..runner.limits };
    let ProgramRun { mut output, end, .. } = runner.run(&program, &input, &bounds, &limits)?;
    let why = match end {
        ProgramEnd::Ended(Exit::Status(0)) => {
            let line = output.iter().position(|&byte| byte == b'\n').unwrap_or(output.len());
            match serde_json::from_slice::<Result<A, String>>(&output[..line]) {
                Ok(Ok(answer)) => {
                    output.drain(..output.len().min(line + 1));
                    return Ok((answer, output));
                }
                Ok(Err(why)) => why,
                Err(error) => format!("reading it failed: {error}"),
            }
        }
        ProgramEnd::Ended(exit) => format!("reading it failed: the reader {exit}"),
        ProgramEnd::Computing | ProgramEnd::Waiting => {
            format!("reading it takes more than {} s", READING.as_secs())
        }
        ProgramEnd::Endless => "there is too much in it to be read".to_owned(),
        ProgramEnd::Exceeded(limit) => format!("reading it failed: the reader {}", of_limit(limit)),
    };
    Err(StepFailure::OfSubmission(why))
}

/// Runs as the child: answers the question on standard input.
pub fn run_reader() -> ExitCode {
    match answer(&mut io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE, // the parent is gone, or the question is none of its
    }
}

fn answer(input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    let question: Question = serde_json::from_reader(input)?;
    match question {
        Question::Sources(question) => match of_sources(&question) {
            Ok((facts, contents)) => {
                serde_json::to_writer(&mut *output, &Ok::<_, String>(facts))?;
                output.write_all(b"\n")?;
                for content in contents {
                    output.write_all(&content)?;
                }
            }
            Err(why) => serde_json::to_writer(&mut *output, &Err::<SourcesFacts, _>(why))?,
        },
        Question::Object { file, question } => {
            let answer =
                content(Path::new(&file), OBJECT).and_then(|object| facts(&object, &question));
            serde_json::to_writer(&mut *output, &answer)?;
        }
    }
    output.flush()
}

fn of_sources(question: &SourcesQuestion) -> Result<(SourcesFacts, Vec<Vec<u8>>), String> {
    let mut texts = Vec::new();
    for name in question.sources.iter().chain(&question.headers) {
        texts.push(readable(&content(Path::new(name), question.bytes)?));
    }
    let mut answer =
        SourcesFacts { found: vec![false; question.values.len()], ..SourcesFacts::default() };
    let (sources, headers) = texts.split_at(question.sources.len());
    for text in headers {
        answer.included_by_headers.extend(short_names(included(text)));
    }
    // An answer has a bound, and headers may include more than has room in it.
    while answer.included_by_headers.len() > INCLUDED {
        answer.included_by_headers.pop_last();
    }
    for text in sources {
        let mut defines = defined(text);
        defines.retain(|name| name == "main" || is_asked(&question.functions, name));
        let top = top_comments(text);
        answer.sources.push(SourceFacts {
            has_address: has_address(top),
            calls_system: calls(text, "system"),
            hides_warnings: hides_warnings(text),
            has_void_main: with_int_main(text).is_some(),
            included: short_names(included(text)),
            defines: defines.into_iter().collect(),
            has_number: has_student_number(top),
            has_name: has_name(top),
            has_comments: has_comments(&text[top.len()..]),
            forbidden: question.forbidden.iter().map(|names| first_use(text, names)).collect(),
        });
    }
    let names: Vec<&String> = question.sources.iter().chain(&question.headers).collect();
    let is_used = used(&names, &texts, question.sources.len());
    if !question.functions.is_empty() {
        let mut compiled: Vec<&[u8]> = Vec::new();
        for (text, is_included) in texts.iter().zip(&is_used) {
            if *is_included {
                compiled.push(text);
            }
        }
        answer.unreached = unreached(&compiled, &question.functions);
    }
    let Some(extent) = &question.contents else { return Ok((answer, Vec::new())) };
    let mut contents = Vec::new();
    for (at, (name, text)) in names.into_iter().zip(&texts).enumerate() {
        let replaced = replace_constants(text, &question.values);
        for (found, here) in answer.found.iter_mut().zip(&replaced.found) {
            *found |= here & is_used[at];
        }
        let content = match extent {
            Extent::Whole | Extent::OwnHeaders => {
                with_int_main(&replaced.source).unwrap_or(replaced.source)
            }
            Extent::WithoutMain(rounds) => {
                let (reduced, taken_out) = without_main(&replaced.source, &lines_of(rounds, name));
                for mut function in taken_out {
                    function.name.truncate(function.name.floor_char_boundary(LONGEST_NAME));
                    answer.left_out.push(LeftOut { function, file: name.clone() });
                }
                reduced
            }
        };
        answer.lengths.push(content.len());
        contents.push(content);
    }
    answer.left_out.truncate(LEFT_OUT);
    Ok((answer, contents))
}

/// Which of these files the first `sources` of them include, directly or by others; these are used
/// themselves. What else lies in a folder, such as an older version, says nothing.
fn used(names: &[&String], texts: &[Vec<u8>], sources: usize) -> Vec<bool> {
    let mut indexes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, name) in names.iter().enumerate() {
        indexes.entry(name.to_ascii_lowercase()).or_default().push(index);
    }
    let mut is_used: Vec<bool> = (0..names.len()).map(|at| at < sources).collect();
    let mut open: Vec<usize> = (0..sources).collect();
    while let Some(at) = open.pop() {
        for name in included(&texts[at]) {
            // Removed: what has been found once is not looked at again.
            for other in indexes.remove(&name.to_ascii_lowercase()).unwrap_or_default() {
                if !is_used[other] {
                    is_used[other] = true;
                    open.push(other);
                }
            }
        }
    }
    is_used
}

/// Names of files, each once, and no more than an answer has room for.
fn short_names(mut names: Vec<String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    names.retain(|name| name.len() <= LONGEST_NAME && known.insert(name.clone()));
    names.truncate(INCLUDED);
    names
}

/// Whether a function is one of those that are asked for, also as a member of a class.
fn is_asked(functions: &[String], name: &str) -> bool {
    functions.iter().any(|function| function == last_name(name))
}

/// The lines of a file in each round.
fn lines_of(rounds: &[Vec<(String, usize)>], file: &str) -> Vec<BTreeSet<usize>> {
    let mut lines = Vec::new();
    for round in rounds {
        lines.push(round.iter().filter(|(name, _)| name == file).map(|(_, line)| *line).collect());
    }
    lines
}

/// The content of a file of the submission, or why it cannot be read.
fn content(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let mut content = Vec::new();
    match File::open(path).and_then(|file| file.take(most).read_to_end(&mut content)) {
        Ok(_) => Ok(content),
        Err(error) => Err(format!("it cannot be read: {error}")),
    }
}
