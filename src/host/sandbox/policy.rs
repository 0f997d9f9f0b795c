//! A policy: what a bot is restricted to. The referee sends it to the warden.

use super::Sandbox;
use crate::locate::{FolderAccess, Purpose, raw_path};
use arbiter_game::{DiskUsage, Limits, SCRATCH};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The namespaces of a bot under `strict`, as far as the machine allows them: a pid namespace,
/// whose processes the kernel kills together, a mount namespace with a root folder that contains
/// only the paths that the bot may reach, and network, IPC and UTS namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Namespaces {
    #[default]
    None,
    /// All of them, but without a `/proc` of its own: an ordinary user cannot mount one in a
    /// container that masks parts of `/proc`. A bot of several processes has the machine's `/proc`
    /// then, in which it sees which processes exist.
    SharedProc,
    /// All of them, with a `/proc` of its own.
    All,
}

/// What a bot is restricted to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The level.
    pub sandbox: Sandbox,
    /// What the program is started for.
    pub purpose: Purpose,
    /// Memory of all its processes together, in bytes.
    pub memory: u64,
    /// Number of processes it may have; with more than one it may fork.
    pub processes: u32,
    /// Number of threads they may have together.
    pub threads: u32,
    /// Number of processes and threads that its user has beside it.
    pub tasks: u32,
    /// For the warden: the folder to make the scratch folder in. For the exec stage: the scratch
    /// folder.
    #[serde(with = "raw_path")]
    pub scratch: PathBuf,
    /// Whether it may write nothing, not even into its scratch folder.
    pub read_only: bool,
    /// The folder that it is copied from into its scratch folder before it starts, to run there; at
    /// most one. (A list, for which serde has the form of a raw path.)
    #[serde(with = "raw_path::list")]
    pub copied: Vec<PathBuf>,
    /// How much of the folder that it runs in it may reach.
    pub folder: FolderAccess,
    /// Paths in that folder that it may not reach: other bots.
    #[serde(with = "raw_path::list")]
    pub hidden: Vec<PathBuf>,
    /// Further paths that it may read, and cannot run without.
    #[serde(with = "raw_path::list")]
    pub required: Vec<PathBuf>,
    /// Further paths that it may read.
    #[serde(with = "raw_path::list")]
    pub readable: Vec<PathBuf>,
    pub namespaces: Namespaces,
    /// The folder of a control group in each hierarchy: for the warden the group to make the bot's
    /// group in, for the exec stage the bot's group. Empty if the kernel does not limit its memory.
    #[serde(with = "raw_path::list")]
    pub cgroups: Vec<PathBuf>,
    /// The user id that it gets if that user can read the required paths.
    pub uid: Option<u32>,
    /// It is not started if it cannot get that user id.
    pub separate: bool,
    /// Its soft limit of open files, if that is not arbiter's own.
    pub open_files: Option<u64>,
    /// The command of the adapter that is started beside it; empty if it has none.
    pub adapter: Vec<String>,
}

/// What a build may have in its scratch folder.
const BUILD_SCRATCH_LIMIT: DiskUsage = DiskUsage { bytes: 1 << 30, files: 65_536 };

/// Bytes of memory that a build may have if the bot may have less.
const BUILD_MEMORY: u64 = 2 << 30;
/// Processes and threads that a build may have if the bot may have fewer.
const BUILD_TASKS: u64 = 512;

impl Policy {
    /// A policy under which no path can be reached, with default limits.
    pub fn new(sandbox: Sandbox) -> Policy {
        let Limits { memory, processes, threads, .. } = Limits::default();
        Policy {
            sandbox,
            purpose: Purpose::Play,
            memory,
            processes,
            threads,
            tasks: 0,
            scratch: PathBuf::from("/tmp"),
            read_only: false,
            copied: Vec::new(),
            folder: FolderAccess::Nothing,
            hidden: Vec::new(),
            required: Vec::new(),
            readable: Vec::new(),
            namespaces: Namespaces::None,
            cgroups: Vec::new(),
            uid: None,
            separate: false,
            open_files: None,
            adapter: Vec::new(),
        }
    }

    /// The memory limit that the kernel enforces, in bytes.
    pub fn memory_limit(&self) -> u64 {
        match self.purpose {
            Purpose::Play => self.memory,
            Purpose::Build => self.memory.max(BUILD_MEMORY),
        }
    }

    /// The limit of threads that the kernel enforces; each process has at least one.
    pub fn task_limit(&self) -> u64 {
        let allowed = u64::from(self.processes.max(self.threads)) + u64::from(self.has_adapter());
        match self.purpose {
            Purpose::Play => allowed,
            Purpose::Build => allowed.max(BUILD_TASKS),
        }
    }

    /// What it may have in its scratch folder.
    pub fn scratch_limit(&self) -> DiskUsage {
        match self.purpose {
            Purpose::Play => SCRATCH,
            Purpose::Build => BUILD_SCRATCH_LIMIT,
        }
    }

    /// Whether it may use kinds of memory that `/proc` does not count for its processes. A control
    /// group counts them; builds are not measured.
    pub fn allows_uncounted_memory(&self) -> bool {
        self.purpose == Purpose::Build || !self.cgroups.is_empty()
    }

    /// The folder that is built, if it is started for that.
    pub fn built_folder(&self) -> Option<&Path> {
        match &self.folder {
            FolderAccess::Folder(folder) if self.purpose == Purpose::Build => Some(folder),
            _ => None,
        }
    }

    /// Whether an adapter runs beside it.
    pub fn has_adapter(&self) -> bool {
        !self.adapter.is_empty()
    }

    /// Whether it may start processes.
    pub fn forks(&self) -> bool {
        self.processes > 1 || self.purpose == Purpose::Build
    }
}
