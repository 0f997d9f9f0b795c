//! Resource limits of the kernel (setrlimit(2)). They are wide: a bot that keeps to its limits does
//! not meet them, because the referee measures it; they stop one that is out of control.
//!
//! `RLIMIT_AS` is not set: runtimes such as Java, node and Go reserve address space that they never
//! use.

use super::is_root;
use crate::locate::Purpose;
use crate::sandbox::resource_limit::{BUILT_BYTES, lower};
use crate::sandbox::{Namespaces, Policy};
use arbiter_game::Sandbox;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;

/// Open files of one process; java and node need some dozens.
const FILES: u64 = 256;
/// Bytes of stack that a program may have if its memory is less: the default of the system.
const STACK: u64 = 8 << 20;
/// Queued signals of one user; timers count too.
const SIGNALS: u64 = 128;
/// Processes and threads that other programs of the same user may start while a bot runs.
const OTHER_TASKS: u64 = 512;
/// Processes of arbiter in a bot's user namespace: the warden, and pid 1 of the pid namespace.
const ARBITER_TASKS: u64 = 2;

/// Sets the limits of this process and of the processes that it starts.
pub(super) fn set(policy: &Policy) -> io::Result<()> {
    let building = policy.purpose == Purpose::Build;
    // Twice what is allowed: the referee looks at the memory in use and decides; this stops what
    // grows faster than it looks.
    lower(Resource::Data, policy.memory_limit().saturating_mul(2))?;
    // The hard limit only, so that a program can raise its stack to all its memory: deep recursion
    // in C++ needs it.
    lower_maximum(Resource::Stack, policy.memory_limit().max(STACK))?;
    lower(Resource::Fsize, if building { BUILT_BYTES } else { policy.scratch_limit().bytes })?;
    lower(Resource::Memlock, 0)?; // also prevents io_uring before Linux 5.12
    lower(Resource::Sigpending, SIGNALS)?;
    lower(Resource::Msgqueue, 0)?; // bytes in POSIX message queues, which are kernel memory
    // A bot must not raise its priority above its opponent's.
    lower(Resource::Nice, 0)?;
    lower(Resource::Rtprio, 0)?;
    // 1 and not 0: with 0 a core dump is still written if the core pattern is a pipe (core(5)).
    lower(Resource::Core, 1)?;
    if policy.sandbox == Sandbox::Strict && !building {
        lower(Resource::Nofile, FILES)?;
    }
    // The kernel counts all processes and threads of a user together, separately in each user
    // namespace. A bot with a user id of its own is the only one; in a user namespace there are
    // only arbiter's own beside it.
    let others = match policy.uid {
        Some(_) if !building => 0,
        None if policy.namespaces != Namespaces::None && !is_root() => ARBITER_TASKS,
        _ => u64::from(policy.tasks) + OTHER_TASKS,
    };
    lower(Resource::Nproc, policy.task_limit() + others)
}

/// Lowers the hard limit, and the soft limit only if it is above that.
fn lower_maximum(resource: Resource, most: u64) -> io::Result<()> {
    let Rlimit { current, maximum } = getrlimit(resource);
    let maximum = maximum.map_or(most, |hard| hard.min(most));
    let current = current.map_or(maximum, |soft| soft.min(maximum));
    Ok(setrlimit(resource, Rlimit { current: Some(current), maximum: Some(maximum) })?)
}
