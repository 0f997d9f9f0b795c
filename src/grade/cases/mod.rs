//! The cases of whole programs: which games they are given, and what they must print for them.

mod case;
pub mod gekitai;
pub mod lineup;
pub mod loa;

pub use case::{Entry, ProgramCase};
