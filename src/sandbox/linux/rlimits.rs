//! Resource limits: walls that the kernel holds, wide enough that only a bot out of hand runs into them.
//!
//! Never `RLIMIT_AS`: runtimes such as Java, node and Go reserve address space that they never use.

use super::is_root;
use crate::game::Sandbox;
use crate::locate::Purpose;
use crate::sandbox::{Namespaces, Policy};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;

/// Open files of one process; java and node open some dozens.
const FILES: u64 = 256;
/// The longest file that a build may write.
const BUILT_BYTES: u64 = 4 << 30;
/// The stack that a program has by default, and may have in any case.
const STACK: u64 = 8 << 20;
/// Signals that may wait for a process; timers count as such.
const SIGNALS: u64 = 128;
/// How many processes and threads the same user's other programs may add while a bot runs.
const NEIGHBOURS: u64 = 512;
/// Processes of arbiter's own in a bot's user namespace: its warden, and pid 1 of its pid namespace.
const OURS: u64 = 2;

/// Sets the limits of this process and of those that it starts.
pub(super) fn set(policy: &Policy) -> io::Result<()> {
    let building = policy.purpose == Purpose::Build;
    // Twice what is allowed: the verdict is the referee's, who looks at what is in use; this is the wall behind it.
    lower(Resource::Data, policy.memory_wall().saturating_mul(2))?;
    // Not what it has but what it may become, as large as all its memory: recursion in C++ needs it.
    bound(Resource::Stack, policy.memory_wall().max(STACK))?;
    lower(Resource::Fsize, if building { BUILT_BYTES } else { policy.room().bytes })?;
    lower(Resource::Memlock, 0)?; // and so no io_uring before kernel 5.12
    lower(Resource::Sigpending, SIGNALS)?;
    lower(Resource::Msgqueue, 0)?;
    lower(Resource::Nice, 0)?;
    lower(Resource::Rtprio, 0)?;
    // A limit of 1, not 0: with 0 a core pattern that is a pipe would still get its core (core(5)).
    lower(Resource::Core, 1)?;
    if policy.sandbox == Sandbox::Strict && !building {
        lower(Resource::Nofile, FILES)?;
    }
    // The kernel counts all of a user's processes and threads together, in each user namespace apart. With a user id
    // of its own the bot is alone, in such a namespace almost.
    let others = match policy.uid {
        Some(_) if !building => 0,
        None if policy.namespaces != Namespaces::None && !is_root() => OURS,
        _ => u64::from(policy.tasks) + NEIGHBOURS,
    };
    lower(Resource::Nproc, policy.tasks_wall() + others)
}

/// Lowers a limit for good; one that is lower already cannot be raised, and stays.
fn lower(resource: Resource, value: u64) -> io::Result<()> {
    let value = getrlimit(resource).maximum.map_or(value, |hard| hard.min(value));
    Ok(setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })?)
}

/// Lowers how far a limit may be raised, and the limit only where it is above that.
fn bound(resource: Resource, most: u64) -> io::Result<()> {
    let Rlimit { current, maximum } = getrlimit(resource);
    let maximum = maximum.map_or(most, |hard| hard.min(most));
    let current = current.map_or(maximum, |soft| soft.min(maximum));
    Ok(setrlimit(resource, Rlimit { current: Some(current), maximum: Some(maximum) })?)
}
