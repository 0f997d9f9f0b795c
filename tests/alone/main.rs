//! Tests that have the machine to themselves, because they measure it, load all of it, or count
//! what is left on it: clocks, isolation, hostile bots, processes that outlive their game.
//!
//! cargo runs one test program after the other, so these are a program of their own: beside the
//! games of `tests/it` they would measure those, and a bot that takes all that its user may have
//! would take it from theirs. A test that holds [`loads_machine`] runs beside none that holds
//! [`measures_machine`].

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(
    clippy::shadow_unrelated,
    clippy::too_many_lines,
    reason = "a test runs the program again and again, and one story is told in one function"
)]

mod clocks;
#[cfg(target_os = "linux")]
mod hostile_bots;
#[cfg(target_os = "linux")]
mod left_processes;
#[cfg(target_os = "linux")]
mod sandbox;
#[path = "../it/support/mod.rs"]
mod support;
mod survivors;

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

static MACHINE: RwLock<()> = RwLock::new(());

/// Held by a test that loads the whole machine.
fn loads_machine() -> RwLockWriteGuard<'static, ()> {
    MACHINE.write().unwrap_or_else(PoisonError::into_inner)
}

/// Held by a test that measures how much of the machine a bot uses; others may measure, too.
fn measures_machine() -> RwLockReadGuard<'static, ()> {
    MACHINE.read().unwrap_or_else(PoisonError::into_inner)
}
