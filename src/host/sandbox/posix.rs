//! The restrictions on other systems than Linux: resource limits, which the process applies to
//! itself before it becomes the bot.
//!
//! What only Linux has (user ids for bots, pid namespaces, control groups) is a type without values
//! here, so that the warden is the same code on every system.

use super::resource_limit::{BUILT_BYTES, lower};
use super::{Isolation, Namespaces, Policy, ProbeCategory, Sandbox, StepError, step};
use crate::locate::Purpose;
use rustix::process::{Resource, geteuid, getrlimit, getuid};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// The strictest level that this system has.
pub const STRICTEST: Sandbox = Sandbox::Basic;

/// Applies the restrictions of a policy to this process, which is about to become a bot.
///
/// # Errors
/// A limit cannot be set, or the policy is `strict`, which this system does not have.
pub(crate) fn restrict_self(policy: &Policy, _command: &OsStr) -> Result<(), StepError> {
    if policy.sandbox == Sandbox::Strict {
        return Err(("strict", io::ErrorKind::Unsupported.into()));
    }
    step("resource limits", limit(policy))
}

/// Sets the limits of this process and of the processes that it starts. The number of processes is
/// not limited: the limit would be for all processes of the user, and their number is not known.
fn limit(policy: &Policy) -> io::Result<()> {
    let building = policy.purpose == Purpose::Build;
    lower(Resource::Data, policy.memory_limit().saturating_mul(2))?;
    lower(Resource::Fsize, if building { BUILT_BYTES } else { policy.scratch_limit().bytes })?;
    lower(Resource::Memlock, 0)?;
    lower(Resource::Core, 0)
}

/// How long control groups have throttled this process: only Linux has them, so zero.
pub fn throttled() -> Duration {
    Duration::ZERO
}

/// Whether this process runs as root.
pub fn is_root() -> bool {
    geteuid().is_root()
}

/// The capabilities that root lacks to give a bot a user id of its own: only Linux has them.
pub(crate) fn missing_capabilities(_: Namespaces) -> io::Result<Vec<&'static str>> {
    Ok(Vec::new())
}

/// A user id for a bot: only on Linux.
pub(crate) enum UserLease {}

impl UserLease {
    pub fn take() -> Option<UserLease> {
        None
    }

    pub fn uid(&self) -> u32 {
        match *self {}
    }
}

/// A folder that belongs to another user while a build runs: only on Linux.
pub(crate) enum OwnershipTransfer {}

impl OwnershipTransfer {
    pub fn to(_folder: &Path, _uid: u32) -> io::Result<OwnershipTransfer> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Descriptors above this number are not closed.
const MAX_DESCRIPTORS: u64 = 1 << 16;

/// Closes the descriptors above standard error, except `kept`, that are no longer wanted or that
/// the program that started arbiter left open.
pub(crate) fn close_inherited(kept: &[BorrowedFd<'_>]) -> io::Result<()> {
    let kept: Vec<i32> = kept.iter().map(AsRawFd::as_raw_fd).collect();
    let most = getrlimit(Resource::Nofile).current.unwrap_or(MAX_DESCRIPTORS).min(MAX_DESCRIPTORS);
    for descriptor in 3..most as i32 {
        if !kept.contains(&descriptor) {
            let _ = nix::unistd::close(descriptor); // fails for numbers that are not open
        }
    }
    Ok(())
}

/// The pid namespace of a bot: only on Linux.
pub(crate) enum PidNamespace {}

impl PidNamespace {
    pub fn enter() -> io::Result<PidNamespace> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn init(&self) -> u32 {
        match *self {}
    }
}

/// The control group of a bot: only on Linux.
pub(crate) enum Cgroup {}

impl Cgroup {
    pub fn for_bot(_policy: &Policy) -> io::Result<Cgroup> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn folders(&self) -> &[PathBuf] {
        match *self {}
    }

    pub fn enter(folders: &[PathBuf]) -> io::Result<()> {
        if folders.is_empty() { Ok(()) } else { Err(io::ErrorKind::Unsupported.into()) }
    }

    pub fn v2(&self) -> Option<PathBuf> {
        match *self {}
    }

    pub fn kills_one_process(&self) -> bool {
        match *self {}
    }

    pub fn over_memory(&self) -> Option<u64> {
        match *self {}
    }
}

/// Tests whether a control group limits memory: only on Linux, so this fails.
pub fn fill_memory(_cgroup: impl Iterator<Item = OsString>) -> ExitCode {
    ExitCode::FAILURE
}

/// The control groups of this run: only on Linux.
#[derive(Debug)]
pub enum Cgroups {}

impl Cgroups {
    /// None.
    pub fn new(_program: &Path) -> Option<Cgroups> {
        None
    }

    /// None.
    pub fn memory_pressure(&self) -> Option<String> {
        match *self {}
    }

    /// The folders in which the groups of bots are made.
    pub fn folders(&self) -> &[PathBuf] {
        match *self {}
    }
}

/// Whether a user id is one that bots get: no.
pub(super) fn is_bot_user(_uid: u32) -> bool {
    false
}

/// None: a build runs as the user of arbiter.
pub(crate) fn owner_unless_root(_folder: &Path) -> Option<u32> {
    None
}

/// The probes: none, because no level promises isolation.
pub(super) fn probes() -> impl Iterator<Item = (ProbeCategory, &'static str)> {
    std::iter::empty()
}

/// Advice for this system.
pub fn advice(_strict: &Isolation) -> Vec<String> {
    vec![
        "bots have all your rights: run bots that you do not trust on Linux, in a virtual machine \
         for example"
            .to_owned(),
        "the memory and the processes of a bot are not counted: on Linux they are".to_owned(),
    ]
}

/// The isolation probe without probes: writes the user id.
pub fn run_probes(_folder: Option<PathBuf>, _referee: Option<i32>) -> ExitCode {
    let written = writeln!(io::stdout(), "uid {}", getuid().as_raw());
    ExitCode::from(u8::from(written.is_err()))
}

/// Does nothing: only Linux can kill a process when its parent ends.
///
/// # Errors
/// None.
pub(crate) fn die_with_parent() -> io::Result<()> {
    Ok(())
}
