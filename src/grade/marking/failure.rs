//! Why a step of marking has no result.

use arbiter_host::bot::BotError;
use std::io;

/// Why a step of marking has no result: by the submission, which costs it points, or by what fails
/// the whole run.
#[derive(Debug)]
pub enum StepFailure {
    /// A sentence for the author of the submission.
    OfSubmission(String),
    /// Something in arbiter or on the machine failed.
    Broken(BotError),
}

/// Turns an I/O error during `what` into a failure of arbiter.
pub fn broken(what: &'static str) -> impl Fn(io::Error) -> BotError {
    move |error| BotError::Broken(format!("{what}: {error}"))
}

impl From<BotError> for StepFailure {
    fn from(error: BotError) -> StepFailure {
        StepFailure::Broken(error)
    }
}

impl StepFailure {
    /// The sentence about the submission.
    ///
    /// # Errors
    /// It is not the submission's fault.
    pub fn of_submission(self) -> Result<String, BotError> {
        match self {
            StepFailure::OfSubmission(why) => Ok(why),
            StepFailure::Broken(error) => Err(error),
        }
    }

    /// The same with these words before the sentence about the submission.
    pub fn with_context(self, before: &str) -> StepFailure {
        match self {
            StepFailure::OfSubmission(why) => StepFailure::OfSubmission(format!("{before}: {why}")),
            StepFailure::Broken(error) => StepFailure::Broken(error),
        }
    }
}
