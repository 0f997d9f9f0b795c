//! What all submissions of a run are marked by.

use super::course::cases_of;
use super::request::{GradeRequest, Provided};
use crate::arena::Conditions;
use crate::config::assignment::{Assignment, Board};
use crate::grade::cases::ProgramCase;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// What all submissions are marked by.
pub struct Marking {
    pub assignment: Assignment,
    pub provided: Provided,
    pub conditions: Conditions,
    /// The cases of whole programs.
    pub cases: Vec<ProgramCase>,
    /// The seed of cases.
    pub seed: u64,
    /// The compiled test mains of boards.
    pub mains: Mutex<BTreeMap<Board, Vec<u8>>>,
    /// Set when everything is to end.
    pub stop: AtomicBool,
    /// Where copies are made.
    pub folder: PathBuf,
}

impl Marking {
    /// Makes the cases.
    pub fn new(request: &GradeRequest, conditions: Conditions, folder: PathBuf) -> Marking {
        Marking {
            assignment: request.assignment.clone(),
            provided: request.provided.clone(),
            conditions,
            cases: cases_of(&request.assignment, request.seed),
            seed: request.seed,
            mains: Mutex::default(),
            stop: AtomicBool::new(false),
            folder,
        }
    }

    /// Ends everything that runs.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
