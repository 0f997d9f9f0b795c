//! What `arbiter grade` is asked for.

use crate::config::assignment::Assignment;
use crate::game::Sandbox;
use crate::grade::Format;
use std::path::PathBuf;

/// Files that a course gives out: names and content.
pub type Provided = Vec<(String, Vec<u8>)>;

/// What `arbiter grade` is asked for.
#[derive(Debug, Clone)]
pub struct GradeRequest {
    /// The assignment.
    pub assignment: Assignment,
    /// The files that the course gives out: names and content.
    pub provided: Provided,
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
    /// The seed of the cases.
    pub seed: u64,
    /// The level of isolation; none for `strict`.
    pub sandbox: Option<Sandbox>,
    /// How many submissions are marked at a time.
    pub concurrency: usize,
}
