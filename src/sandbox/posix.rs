//! What is kept from a bot: limits, set by the process that is about to become it.

use super::{Aim, Isolation, Policy, Sandbox};
use crate::locate::Purpose;
use rustix::process::{Resource, Rlimit, geteuid, getrlimit, getuid, setrlimit};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The longest file that a bot may write.
const FILE_BYTES: u64 = 64 << 20;
/// The longest file that a build may write.
const BUILT_BYTES: u64 = 4 << 30;
/// Memory that compilers get in any case.
const BUILD_MEMORY: u64 = 2 << 30;

/// The strictest level that there is.
pub const STRICTEST: Sandbox = Sandbox::Basic;

/// What was being done, and what went wrong with it.
pub(crate) type Step = (&'static str, io::Error);

/// Puts the restrictions of a policy on this process, which is about to become a bot. What cannot be kept is not
/// promised: under `strict` no bot begins.
pub(crate) fn enter(policy: &Policy, _command: &OsStr) -> Result<(), Step> {
    if policy.sandbox == Sandbox::Strict {
        return Err(("strict", io::ErrorKind::Unsupported.into()));
    }
    limit(policy).map_err(|error| ("limits", error))
}

/// Sets the limits of this process and of those that it starts. (Processes are not counted: the limit would be for all
/// that the user has, and nobody tells how many these are.)
fn limit(policy: &Policy) -> io::Result<()> {
    let building = policy.purpose == Purpose::Build;
    let memory = if building { policy.memory.max(BUILD_MEMORY) } else { policy.memory };
    lower(Resource::Data, memory.saturating_mul(2))?;
    lower(Resource::Fsize, if building { BUILT_BYTES } else { FILE_BYTES })?;
    lower(Resource::Memlock, 0)?;
    lower(Resource::Core, 0)
}

/// Lowers a limit for good; one that is lower already cannot be raised, and stays.
fn lower(resource: Resource, value: u64) -> io::Result<()> {
    let value = getrlimit(resource).maximum.map_or(value, |hard| hard.min(value));
    Ok(setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })?)
}

/// Whether this process has the administrator's rights.
pub(crate) fn is_root() -> bool {
    geteuid().is_root()
}

/// A user that is lent to a bot: there are none.
pub(crate) enum Lease {}

impl Lease {
    pub fn take() -> Option<Lease> {
        None
    }

    pub fn uid(&self) -> u32 {
        match *self {}
    }
}

/// A folder that is another user's for a while: there is no such user.
pub(crate) enum Handed {}

impl Handed {
    pub fn over(_folder: &Path, _uid: u32) -> io::Result<Handed> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// A pid namespace of a bot: there are none.
pub(crate) enum PidNamespace {}

impl PidNamespace {
    pub fn enter(_program: &Path) -> io::Result<PidNamespace> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn init(&self) -> u32 {
        match *self {}
    }
}

/// What the first process of a pid namespace does: there are none.
pub fn init() -> ExitCode {
    ExitCode::FAILURE
}

/// A control group of a bot: there are none.
pub(crate) enum Group {}

impl Group {
    pub fn of(_policy: &Policy) -> io::Result<Group> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn folders(&self) -> &[PathBuf] {
        match *self {}
    }

    pub fn enter(folders: &[PathBuf]) -> io::Result<()> {
        if folders.is_empty() { Ok(()) } else { Err(io::ErrorKind::Unsupported.into()) }
    }

    pub fn ends_one_process(&self) -> bool {
        match *self {}
    }

    pub fn over_memory(&self) -> Option<u64> {
        match *self {}
    }
}

/// Word by which the program knows that it is to try a control group.
pub const FILL: &str = "__fill";

/// Tries a control group: there are none.
pub fn fill(_group: impl Iterator<Item = OsString>) -> ExitCode {
    ExitCode::FAILURE
}

/// Control groups of this run: there are none.
#[derive(Debug)]
pub enum Groups {}

impl Groups {
    /// Makes one: there is none.
    #[must_use]
    pub fn take(_program: &Path) -> Option<Groups> {
        None
    }

    /// Where the groups of bots are made.
    #[must_use]
    pub fn folders(&self) -> &[PathBuf] {
        match *self {}
    }
}

/// The user that a build is to be: whoever arbiter is.
pub(crate) fn owner(_folder: &Path) -> Option<u32> {
    None
}

/// What the attacker attempts: nothing, for there is nothing that it would show.
pub(super) fn attempts() -> impl Iterator<Item = (Aim, &'static str)> {
    std::iter::empty()
}

/// What would help against what was found out.
pub(crate) fn advice(_strict: &Isolation) -> Vec<String> {
    vec!["bots can do what you can: let those of strangers play on Linux".to_owned()]
}

/// Says what the attacker says beside its attempts: who it is.
pub fn attack(_bait: Option<PathBuf>, _referee: Option<i32>) -> ExitCode {
    let said = writeln!(io::stdout(), "uid {}", getuid().as_raw());
    ExitCode::from(u8::from(said.is_err()))
}

/// Has this process end when its warden ends: that cannot be had.
pub(crate) fn end_with_warden() -> io::Result<()> {
    Ok(())
}
