//! `arbiter grade`: finds the submissions, marks them under isolation, and writes their pages.
//!
//! ```text
//! grade(request)
//!   Preparation::new, isolate     as for games, but strict is required
//!   submissions::find             files and folders
//!   mark::mark                    on several threads, each with one submission at a time
//!     part, program, functions or games
//!       Objects                   copies, replaces constants, keeps what was compiled
//!       Compiler                  compiles
//!       reader                    reads sources and objects, in a child
//!       Runner                    runs all of these, and what was compiled
//! ```
//!
//! Each submission passes through these layers once. The [`Sheet`] holds the assignment with its
//! cases, and writes the pages.

mod compiler;
mod failure;
mod functions;
mod games;
mod mark;
mod objects;
mod program;
mod reader;
mod requirements;
mod runner;
mod submissions;
mod trial;

pub use reader::{READER, run_reader};

use crate::cases::ProgramCase;
use crate::{Format, MarkedSubmission, Sheet, aligned, page_names};
use anyhow::{Context, anyhow};
use arbiter_cup::report::anonymizer::Anonymizer;
use arbiter_cup::report::escape;
use arbiter_game::{Sandbox, Settings, StderrAccess};
use arbiter_ground::failure::Failure;
use arbiter_ground::output::{complain, print_if_open, write_out};
use arbiter_ground::preparation::{Origin, Preparation};
use arbiter_host::files::make_folder;
use arbiter_host::sandbox::{Scratch, is_root, temporary_folder};
use arbiter_play::arena::EndSignals;
use arbiter_rules::text::counted;
use compiler::Compiler;
use mark::mark;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use submissions::{Submission, find};

/// The folder of the pages of students in that of `--out`.
const STUDENTS: &str = "students";
/// After this many submissions of a class its whole time is estimated.
const SURVEYED: usize = 5;
/// A file that is written to find out whether pages can be written.
const PROBE: &str = ".arbiter";

/// The arguments of `arbiter grade`, without the assignment.
#[derive(Debug)]
pub struct GradeRequest {
    /// Submissions: files and folders.
    pub submissions: Vec<PathBuf>,
    /// A folder of submissions.
    pub class: Option<PathBuf>,
    /// The folder for pages.
    pub out: Option<PathBuf>,
    /// The form for another system.
    pub format: Option<Format>,
    /// The folder for cases.
    pub cases: Option<PathBuf>,
    /// The level of isolation; `None` for `strict`.
    pub sandbox: Option<Sandbox>,
    /// Number of submissions that are marked at a time.
    pub concurrency: usize,
}

/// Marks submissions by a sheet: prints a line for each and a table.
///
/// # Errors
/// There is no such submission, arbiter could not mark one, or it was interrupted.
pub fn grade(sheet: Sheet, request: &GradeRequest) -> Result<(), Failure> {
    if let Some(folder) = &request.cases {
        write_cases(folder, &sheet.cases)
            .with_context(|| format!("--cases {}", folder.display()))
            .map_err(Failure::Unfinished)?;
    }
    let submissions = find(&request.submissions, request.class.as_deref(), request.out.as_deref())?;
    if submissions.is_empty() {
        return Ok(());
    }
    if let Some(format) = request.format
        && format.is_of_one()
        && submissions.len() > 1
    {
        let count = submissions.len();
        return Err(anyhow!(
            "--format {format} is about one submission, and {count} are given; mark each alone"
        )
        .into());
    }
    if let Some(out) = &request.out {
        // Marking takes long, so a folder that cannot be written is reported before it.
        make_out(out)
            .map_err(|error| Failure::writing(format_args!("--out {}", out.display()), error))?;
    }
    // An interrupt is a message like the marks, so that finished marks are kept.
    let (sender, messages) = channel();
    let signals = sender.clone();
    EndSignals::forward(move || signals.send(Message::Interrupted).is_ok());
    let preparation = prepare(request, sheet.seed)?;
    let folder = Scratch::make(&temporary_folder()).context("the folder of the copies");
    let folder = folder.map_err(Failure::Unfinished)?;
    // A program that is a user of its own must be able to pass through this folder to its copy.
    let mode = if is_root() { 0o711 } else { 0o700 };
    fs::set_permissions(folder.path(), Permissions::from_mode(mode))
        .context("the folder of the copies")
        .map_err(Failure::Unfinished)?;
    let compiler = Compiler::new(sheet, preparation, folder.path().to_owned());
    let is_text = request.format.is_none() || request.out.is_some();
    let names = page_names(submissions.iter().map(|submission| &*submission.name));
    let pages =
        request.out.as_ref().map(|out| Pages { sheet: &compiler.sheet, out, names: &names });
    // The number of the submission that is marked next, by whichever thread is free.
    let next = AtomicUsize::new(0);
    let marked = thread::scope(|scope| {
        for _ in 0..request.concurrency.min(submissions.len()) {
            scope.spawn(|| mark_each(&compiler, &submissions, &next, &sender));
        }
        let marked = follow(submissions.len(), &messages, is_text, pages.as_ref());
        // What still runs is ended, and its folder is left before it is removed.
        compiler.runner.launcher.stop();
        marked
    });
    let marked = marked?;
    if let Some(out) = &request.out {
        write_page(&out.join("class.md"), &compiler.sheet.class(&marked))?;
        write_page(&out.join("class.csv"), &compiler.sheet.class_csv(&marked))?;
        if let Some(format) = request.format {
            let text = compiler.sheet.formatted(format, &marked).map_err(|why| anyhow!(why))?;
            write_page(&out.join(format.file()), &text)?;
        }
        if request.class.is_some() {
            tell_other_pages(&out.join(STUDENTS), &names);
        }
    }
    match (request.format, &marked[..]) {
        (Some(format), _) if !is_text => {
            write_out(compiler.sheet.formatted(format, &marked).map_err(|why| anyhow!(why))?)
        }
        (_, [one]) if request.out.is_none() => {
            print_if_open(compiler.sheet.student_as_text(one).trim_end())
        }
        _ => print_table(&marked),
    }
}

/// Makes the folder of `--out` with that of the pages, and tries to write there.
fn make_out(out: &Path) -> io::Result<()> {
    let students = out.join(STUDENTS);
    make_folder(out)?;
    make_folder(&students)?;
    fs::write(students.join(PROBE), "")?;
    fs::remove_file(students.join(PROBE))
}

/// Writes a file of the folder of `--out`.
fn write_page(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).with_context(|| path.display().to_string()).map_err(Failure::Unfinished)
}

/// Notes on standard error that a folder has pages of an earlier run with other submissions.
fn tell_other_pages(folder: &Path, names: &[String]) {
    let mut others = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !names.contains(&name) {
            others.push(name);
        }
    }
    others.sort_unstable();
    if let [first, ..] = &others[..] {
        let count = counted(others.len() as u64, "file");
        let folder = folder.display();
        complain(format_args!(
            "{folder} has {count} of no submission of this class, such as {}",
            escape::line(first)
        ));
    }
}

/// Writes input and expected output of each case as files into a folder, which is made.
fn write_cases(folder: &Path, cases: &[ProgramCase]) -> io::Result<()> {
    make_folder(folder)?;
    for ProgramCase { name, input, expected, .. } in cases {
        fs::write(folder.join(format!("{name}.in")), input)?;
        fs::write(folder.join(format!("{name}.out")), expected)?;
    }
    Ok(())
}

fn prepare(request: &GradeRequest, seed: u64) -> Result<Preparation, Failure> {
    let mut settings = Settings::of_play();
    settings.limits.sandbox = request.sandbox.unwrap_or(Sandbox::Strict);
    // Homework is a stranger's: where strict is not possible, the user has to choose to do without.
    if settings.limits.sandbox == Sandbox::Strict {
        settings.limits.require_isolation = Some(Sandbox::Strict);
    } else {
        complain(format_args!(
            "isolation: {}: submissions can read your files and reach the network: mark only \
             programs that you trust",
            settings.limits.sandbox.word()
        ));
    }
    let mut preparation =
        Preparation::new(settings, "grade", seed, StderrAccess::Public, Origin::Flags)?;
    preparation.isolate().map_err(|failure| match request.sandbox {
        None => failure.reworded(|why| format!("{why}; --sandbox basic marks without it")),
        Some(_) => failure,
    })?;
    preparation.separate_users(std::iter::empty(), &Anonymizer::unchanged())?;
    Ok(preparation)
}

/// Messages of the marking threads, and of the one that waits for signals.
enum Message {
    /// The submission of this number is marked.
    Marked(usize, Box<Result<MarkedSubmission, Failure>>),
    /// A signal asks for the end.
    Interrupted,
}

/// Marks one submission after the other, each the next that no other thread has taken.
fn mark_each(
    compiler: &Compiler,
    submissions: &[Submission],
    next: &AtomicUsize,
    sender: &Sender<Message>,
) {
    while !compiler.runner.launcher.is_stopped() {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some(submission) = submissions.get(at) else { return };
        let marked = without_panic(&submission.name, || mark(compiler, at, submission));
        if sender.send(Message::Marked(at, Box::new(marked))).is_err() {
            return;
        }
    }
}

/// The marks of a submission; a panic is a failure of arbiter with the submission's name. Without
/// this the run would wait for ever: it holds a sender itself, so that the channel stays open when
/// a worker is gone.
fn without_panic(
    name: &str,
    mark: impl FnOnce() -> Result<MarkedSubmission, Failure>,
) -> Result<MarkedSubmission, Failure> {
    let panic = match catch_unwind(AssertUnwindSafe(mark)) {
        Ok(marked) => return marked,
        Err(panic) => panic,
    };
    // A panic with a fixed text has a `&str`, one with a formatted text a `String`.
    let why = if let Some(text) = panic.downcast_ref::<&str>() {
        *text
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.as_str()
    } else {
        ""
    };
    Err(Failure::Unfinished(anyhow!("{name}: arbiter has a fault, please report it: {why}")))
}

/// The pages of students in the folder of `--out`, by the numbers of their submissions.
struct Pages<'a> {
    sheet: &'a Sheet,
    out: &'a Path,
    names: &'a [String],
}

/// Takes the marks of all submissions, and prints a line for each, in their order, if that is
/// wanted. A page is written when its submission is marked, so that an interrupt does not lose it.
fn follow(
    count: usize,
    messages: &Receiver<Message>,
    is_text: bool,
    pages: Option<&Pages<'_>>,
) -> Result<Vec<MarkedSubmission>, Failure> {
    let began = Instant::now();
    let mut marked: Vec<Option<MarkedSubmission>> = vec![None; count];
    let mut shown = 0;
    while shown < count {
        match messages.recv() {
            Ok(Message::Marked(at, done)) => {
                let done = (*done)?;
                if let Some(Pages { sheet, out, names }) = pages {
                    write_page(&out.join(STUDENTS).join(&names[at]), &sheet.student(&done))?;
                }
                marked[at] = Some(done);
                if marked.iter().flatten().count() == SURVEYED && count > 2 * SURVEYED {
                    complain(estimate(began.elapsed(), count));
                }
            }
            Ok(Message::Interrupted) => {
                let done = marked.iter().flatten().count();
                let all = counted(count as u64, "submission");
                return Err(Failure::Interrupted(anyhow!("interrupted after {done} of {all}")));
            }
            Err(_) => return Err(Failure::Unfinished(anyhow!("the threads that mark have ended"))),
        }
        // Lines stand in the order of submissions, whichever is marked first.
        while let Some(Some(done)) = marked.get(shown) {
            if is_text {
                print_if_open(line(done))?;
            }
            shown += 1;
        }
    }
    Ok(marked.into_iter().flatten().collect())
}

/// How long all submissions will take, by the time that the first ones took.
fn estimate(took: Duration, count: usize) -> String {
    let all = took.as_secs_f64() * count as f64 / SURVEYED as f64;
    let all = if all < 120.0 {
        format!("{} s", all.ceil())
    } else {
        format!("{} minutes", (all / 60.0).ceil())
    };
    format!("{SURVEYED} of {count} submissions are marked; all of them take about {all}")
}

/// A line about a submission: its name and points.
fn line(marked: &MarkedSubmission) -> String {
    let mut parts = Vec::new();
    for part in &marked.parts {
        parts.push(format!("{} {}/{}", part.name, part.points, part.most));
    }
    format!("{}  {:.1}/{}  {}", marked.name, marked.points(), marked.most(), parts.join(", "))
}

/// A table: a row a submission, a column a part.
fn print_table(marked: &[MarkedSubmission]) -> Result<(), Failure> {
    let Some(first) = marked.first() else { return Ok(()) };
    let mut head = vec!["submission".to_owned()];
    for part in &first.parts {
        head.push(format!("{} /{}", part.name, part.most));
    }
    head.push("all".to_owned());
    let mut rows = vec![head];
    for one in marked {
        let mut row = vec![one.name.clone()];
        for part in &one.parts {
            row.push(format!("{:.1}", part.points));
        }
        row.push(format!("{:.1}", one.points()));
        rows.push(row);
    }
    print_if_open(format_args!("\n{}", aligned(&rows).trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_told_how_long_it_takes() {
        for (seconds, count, expected) in [(10, 20, "about 40 s"), (10, 200, "about 7 minutes")] {
            let said = estimate(Duration::from_secs(seconds), count);
            assert!(said.ends_with(expected), "{said}");
        }
    }

    #[test]
    fn a_submission_at_which_arbiter_panics_ends_the_run_with_a_message() {
        let (sender, messages) = channel();
        let marked = without_panic("ada", || panic!("submission {}", 0));
        sender.send(Message::Marked(0, Box::new(marked))).unwrap();
        let failure = follow(2, &messages, false, None).unwrap_err();
        let why = format!("{:#}", failure.error().unwrap());
        assert!(why.contains("ada: ") && why.contains("submission 0"), "{why}");
    }
}
