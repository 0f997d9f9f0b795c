//! Tables and pages of a tournament, computed from its journal.

pub mod bot_times;
pub mod rate;
pub mod recorded;
pub mod report;
