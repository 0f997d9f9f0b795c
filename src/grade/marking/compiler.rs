//! The compiler of the assignment, and what it compiles once a run: test mains, and the classes
//! that clients are built with.

use super::failure::broken;
use super::runner::Runner;
use super::submissions::{make_readable, write_readable};
use crate::functions::TestMain;
use crate::{Sheet, of_limit, provided};
use arbiter_config::assignment::{Board, Toolchain};
use arbiter_game::{Exit, Limits, ProgramEnd};
use arbiter_ground::preparation::Preparation;
use arbiter_host::bot::{BotError, RunBounds};
use arbiter_host::locate::{Program, Purpose};
use arbiter_play::arena::Conditions;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The processor time of a compiler run.
const COMPILING: Duration = Duration::from_secs(60);
/// The bytes of memory of a compiler run.
const COMPILER_MEMORY: u64 = 2 << 30;
/// The size of the longest file that it may write, 64 MiB, in the blocks of 512 bytes that `ulimit`
/// of POSIX counts in. `reader` reads an object of no more bytes.
const COMPILED: u32 = 64 << 11;
/// The processes and threads of a compiler run.
const COMPILER_TASKS: u32 = 512;
/// The most bytes of a compiler's output.
const COMPILER_OUTPUT: usize = 1 << 20;
/// The folder of headers that Linux does not have.
pub const STAND_INS: &str = "arbiter-headers";

/// With debug information, errors of the linker would name the source of a shared object by its
/// path in the folder of the copies. The compiler may add that by the course's own flags, so this
/// comes behind them.
const NO_DEBUG_INFO: &str = "-g0";

/// What fails if the test main cannot be put into a folder.
pub const WRITING_MAIN: &str = "writing the test main";
/// What fails if the class of a client cannot be put into a folder.
const WRITING_CLASS: &str = "writing the class of a client";
/// What fails around the compilation of a shared object.
const SHARING: &str = "compiling what all submissions are linked with";
/// The object of a test main, in the folder that it is built in.
pub const MAIN_OBJECT: &str = "arbiter-main.o";

/// What a compiler run made, or what it wrote.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The file that was made; `None` if compiling failed.
    pub file: Option<PathBuf>,
    /// The output of the compiler: errors and warnings.
    pub output: String,
    /// Whether the compiler exceeded a limit.
    pub is_over: bool,
}

impl Compiled {
    /// The lines with warnings.
    pub fn warnings(&self) -> Vec<&str> {
        // Lines of the source, which the compiler shows, begin with a blank; a source may quote a
        // warning.
        self.output
            .lines()
            .filter(|line| !line.starts_with(' ') && line.contains(": warning: "))
            .collect()
    }

    /// The number of errors, without one that ended the compilation.
    pub fn errors(&self) -> usize {
        // The last one is written `: fatal error: `.
        self.output.lines().filter(|line| line.contains(": error: ")).count()
    }

    /// The first line that says why no file was made.
    pub fn error(&self) -> String {
        let mut first = None;
        for line in self.output.lines() {
            if line.trim().is_empty() {
                continue;
            }
            // Of the compiler, of the assembler, and two of the linker, which writes no `error`.
            for word in ["error: ", "Error: ", "undefined reference", "multiple definition"] {
                if line.contains(word) {
                    return line.to_owned();
                }
            }
            first = first.or(Some(line));
        }
        first.unwrap_or("the compiler made no file").to_owned()
    }
}

/// An object that all submissions are linked with.
#[derive(Clone)]
enum SharedObject {
    /// Its content, which is kept here because without `strict` a submission could change a file.
    Compiled(Vec<u8>),
    /// The first error of the compiler.
    Failed(String),
}

impl SharedObject {
    fn read(compiled: Compiled) -> Result<SharedObject, BotError> {
        match &compiled.file {
            Some(file) => Ok(SharedObject::Compiled(fs::read(file).map_err(broken(SHARING))?)),
            None => Ok(SharedObject::Failed(compiled.error())),
        }
    }
}

/// What compiles all submissions of a run.
pub struct Compiler {
    pub sheet: Sheet,
    pub runner: Runner,
    /// The test main of the game, if it has one.
    pub main: Option<TestMain>,
    /// The conditions of games.
    pub preparation: Preparation,
    /// The folder of copies.
    pub folder: PathBuf,
    /// The objects that all submissions are linked with, by their names.
    shared: Mutex<BTreeMap<String, SharedObject>>,
}

impl Compiler {
    pub fn new(sheet: Sheet, preparation: Preparation, folder: PathBuf) -> Compiler {
        let Conditions { launcher, settings, .. } = &preparation.conditions;
        let runner = Runner { launcher: launcher.clone(), limits: settings.limits };
        let main = TestMain::of(sheet.assignment.game.name());
        Compiler { sheet, runner, main, preparation, folder, shared: Mutex::default() }
    }

    /// Runs the compiler of the assignment in a folder, with these arguments and the name of what
    /// it makes.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn compile(&self, dir: &Path, arguments: &[&str], out: &str) -> Result<Compiled, BotError> {
        let Toolchain::Compile(command) = &self.sheet.assignment.toolchain else {
            return Err(BotError::Broken(
                "an assignment without a compiler compiles nothing".to_owned(),
            ));
        };
        let command = shlex::split(command).unwrap_or_default();
        // Without -pipe the messages of the assembler name a temporary file, another one in each
        // run.
        let headers = ["-pipe", "-idirafter", STAND_INS, "-o", out];
        let words =
            command.iter().map(String::as_str).chain(arguments.iter().copied()).chain(headers);
        let line = shlex::try_join(words).map_err(|error| {
            BotError::Unstartable(format!("the command of the compiler: {error}"))
        })?;
        let line = format!("ulimit -f {COMPILED}; exec {line} 2>&1");
        let mut program = Program::of_shell("compiler", &line, dir, Purpose::Build);
        program.spec.env = [("LC_ALL".to_owned(), "C.UTF-8".to_owned())].into();
        let bounds =
            RunBounds { processor_time: COMPILING, silence: COMPILING, output: COMPILER_OUTPUT };
        let limits = Limits {
            memory: COMPILER_MEMORY,
            processes: COMPILER_TASKS,
            threads: COMPILER_TASKS,
            ..self.runner.limits
        };
        let run = self.runner.run(&program, b"", &bounds, &limits)?;
        // The linker names sources by their whole path, which is another one in each run.
        let mut output =
            String::from_utf8_lossy(&run.output).replace(&format!("{}/", dir.display()), "");
        match &run.end {
            ProgramEnd::Ended(Exit::Status(0)) => {
                return Ok(Compiled { file: Some(dir.join(out)), output, is_over: false });
            }
            // The shell has found no such command: sh(1p).
            ProgramEnd::Ended(Exit::Status(127)) => {
                return Err(BotError::Unstartable(format!(
                    "the compiler cannot be started: {}",
                    output.trim_end()
                )));
            }
            ProgramEnd::Ended(exit) if output.trim().is_empty() => {
                output = format!("the compiler {exit}")
            }
            ProgramEnd::Ended(_) => {}
            ProgramEnd::Computing | ProgramEnd::Waiting => {
                output = format!("error: compiling takes more than {} s", COMPILING.as_secs());
            }
            ProgramEnd::Endless => output += "\nerror: the compiler writes more than 1 MiB",
            ProgramEnd::Exceeded(limit) => {
                output = format!("error: the compiler {}", of_limit(*limit))
            }
        }
        let is_over = !matches!(run.end, ProgramEnd::Ended(_));
        Ok(Compiled { file: None, output, is_over })
    }

    /// The compiled test main for a board; it is compiled once a run.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn test_main(&self, main: TestMain, board: Board) -> Result<Vec<u8>, BotError> {
        let name =
            if main.depends_on_size { format!("main-{}", board.n) } else { "main".to_owned() };
        let header = match self.course_header() {
            Some(content) => String::from_utf8_lossy(content),
            None => main.header.and_then(provided).unwrap_or_default().into(),
        };
        match self.once(name, |dir| self.compile_test_main(main, board, &header, dir))? {
            SharedObject::Compiled(content) => Ok(content),
            SharedObject::Failed(error) => {
                Err(BotError::Broken(format!("the test main does not compile: {error}")))
            }
        }
    }

    /// The object of a class that clients are built with, which is compiled once a run; `None` if
    /// the assignment has no header for it, so that each submission has its own, or if it does not
    /// compile with that.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn class(&self, file: &str, source: &str) -> Result<Option<Vec<u8>>, BotError> {
        if self.course_header().is_none() {
            return Ok(None);
        }
        match self.once(file.to_owned(), |dir| self.compile_class(file, source, dir))? {
            SharedObject::Compiled(content) => Ok(Some(content)),
            SharedObject::Failed(_) => Ok(None),
        }
    }

    /// The header of the functions as the course provides it, which may differ from arbiter's.
    fn course_header(&self) -> Option<&[u8]> {
        let header = self.main?.header?;
        let (_, content) = self.sheet.provided.iter().find(|(name, _)| name == header)?;
        Some(content)
    }

    /// What this compiled in a folder of its own when it was first asked for under this name.
    fn once(
        &self,
        name: String,
        compile: impl FnOnce(&Path) -> Result<Compiled, BotError>,
    ) -> Result<SharedObject, BotError> {
        // Others wait until it is compiled.
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shared.get(&name) {
            return Ok(known.clone());
        }
        let dir = self.folder.join("course");
        make_readable(&dir).map_err(broken(SHARING))?;
        let object = compile(&dir).and_then(SharedObject::read);
        // Also after a failure: the next thread tries again, and its failure is the same one.
        let removed = fs::remove_dir_all(&dir).map_err(broken(SHARING));
        let object = object?;
        removed?;
        shared.insert(name, object.clone());
        Ok(object)
    }

    /// Compiles the test main for a board with the text of its header, in a folder.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn compile_test_main(
        &self,
        main: TestMain,
        board: Board,
        header: &str,
        dir: &Path,
    ) -> Result<Compiled, BotError> {
        write_readable(&dir.join("arbiter-main.cpp"), main.source(header))
            .map_err(broken(WRITING_MAIN))?;
        let size = format!("-DBOARD_N={}", board.n);
        // Optimising it takes longer than running it.
        let flags = ["-w", "-O0", NO_DEBUG_INFO, &size, "-c", "arbiter-main.cpp"];
        self.compile(dir, &flags, MAIN_OBJECT)
    }

    /// Compiles a class that clients are built with, beside the files of the course, in a folder.
    fn compile_class(&self, file: &str, source: &str, dir: &Path) -> Result<Compiled, BotError> {
        for (name, content) in &self.sheet.provided {
            write_readable(&dir.join(name), content).map_err(broken(WRITING_CLASS))?;
        }
        write_readable(&dir.join(file), source).map_err(broken(WRITING_CLASS))?;
        self.compile(dir, &["-w", NO_DEBUG_INFO, "-c", file], "class.o")
    }
}
