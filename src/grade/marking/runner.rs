//! Runs the children of marking to their end, below wardens and under the isolation of the run:
//! compilers, readers, and programs of submissions.

use arbiter_game::{Limits, ProgramRun};
use arbiter_host::bot::{BotError, Launcher, RunBounds, run_whole};
use arbiter_host::locate::{Access, FolderAccess, Program};
use std::path::Path;
use std::time::Duration;

/// The processor time of all calls of a run.
const CALLING: Duration = Duration::from_secs(100);
/// The processes and threads of a test main.
const CALLING_TASKS: u32 = 8;
/// The most bytes of its answers.
const CALLS_OUTPUT: usize = 64 << 20;
/// How long a program of a submission may do nothing.
const SILENCE: Duration = Duration::from_secs(5);
/// The bounds of one that does not end by itself when its game is over.
const SHORT_TIME: Duration = Duration::from_millis(300);
const SHORT_SILENCE: Duration = Duration::from_millis(500);
/// How long a test main may do nothing: it ends a call that does so for three seconds, and repeats
/// it.
const CALLS_SILENCE: Duration = Duration::from_secs(10);

/// The bounds of a program of a submission with the processor time of a case.
pub fn case_bounds(processor_time: Duration, output: usize) -> RunBounds {
    RunBounds { processor_time, silence: SILENCE, output }
}

/// The bounds for a program that does not end when its game is over.
pub fn shortened(usual: RunBounds) -> RunBounds {
    let processor_time = usual.processor_time.min(SHORT_TIME);
    RunBounds { processor_time, silence: SHORT_SILENCE, ..usual }
}

/// What starts the children of a run of marking.
pub struct Runner {
    pub launcher: Launcher,
    /// The limits of a program of a submission.
    pub limits: Limits,
}

impl Runner {
    /// Runs a program to its end.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn run(
        &self,
        program: &Program,
        input: &[u8],
        bounds: &RunBounds,
        limits: &Limits,
    ) -> Result<ProgramRun, BotError> {
        run_whole(&self.launcher, program, limits, input, bounds)
    }

    /// Runs a test main with its calls. It starts processes, and has time for all calls.
    ///
    /// # Errors
    /// Something in arbiter or on the machine failed.
    pub fn run_calls(&self, file: &Path, input: &[u8]) -> Result<ProgramRun, BotError> {
        let bounds =
            RunBounds { processor_time: CALLING, silence: CALLS_SILENCE, output: CALLS_OUTPUT };
        let limits = Limits { processes: CALLING_TASKS, threads: CALLING_TASKS, ..self.limits };
        self.run(&built_program(file), input, &bounds, &limits)
    }
}

/// A program that was built, in its folder.
pub fn built_program(file: &Path) -> Program {
    let dir = file.parent().unwrap_or(Path::new("/")).to_owned();
    Program {
        name: "submission".to_owned(),
        command: file.to_owned(),
        dir: dir.clone(),
        access: Access {
            folder: FolderAccess::Folder(dir),
            file: file.to_owned(),
            ..Access::default()
        },
        ..Program::default()
    }
}
