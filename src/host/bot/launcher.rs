//! What starts bots, and the policy of each: the limits of the launcher, and the paths that the
//! program needs.

use super::system::{starved_in, tasks_of_this_user};
use crate::locate::{Program, read_paths, search_path_folders};
use crate::sandbox::{Cgroups, Namespaces, Policy, open_files_of_bots, temporary_folder};
use arbiter_game::{Limits, Sandbox};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The program that runs as warden and exec stage: arbiter itself. Only the command line knows
/// where it is.
#[derive(Debug, Clone)]
pub struct Launcher {
    pub program: PathBuf,
    /// The level of isolation in force.
    pub sandbox: Sandbox,
    /// Under `strict`, the namespaces that each bot gets.
    pub namespaces: Namespaces,
    /// Under `strict`, the control groups below which each bot gets its own; `None` where they
    /// cannot be used.
    pub cgroups: Option<Arc<Cgroups>>,
    /// As root under `strict`: whether a bot that cannot have a user id of its own must not start.
    pub separate: bool,
    /// Set when what it and its clones have started is to end.
    pub stop: Arc<AtomicBool>,
}

impl Launcher {
    /// One without namespaces and control groups.
    pub fn new(program: PathBuf, sandbox: Sandbox) -> Launcher {
        Launcher {
            program,
            sandbox,
            namespaces: Namespaces::None,
            cgroups: None,
            separate: false,
            stop: Arc::default(),
        }
    }

    /// Ends the builds, whole programs and games of short runs that it and its clones have started.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// How long bots that it started waited for memory; `None` where no control group counts that.
    pub fn starved_bots(&self) -> Option<Duration> {
        Some(starved_in(&self.cgroups.as_ref()?.memory_pressure()?))
    }

    /// The policy that a program is started under. Below `strict` it has only limits.
    pub(super) fn policy(&self, program: &Program, limits: &Limits) -> Policy {
        let mut policy = Policy::new(self.sandbox);
        policy.purpose = program.access.purpose;
        policy.memory = limits.memory;
        policy.processes = limits.processes;
        policy.threads = limits.threads;
        policy.tasks = tasks_of_this_user();
        policy.scratch = temporary_folder();
        policy.open_files = open_files_of_bots();
        policy.adapter = program.adapter_beside();
        if program.spec.scratch {
            policy.copied.push(program.dir.clone());
        }
        if self.sandbox != Sandbox::Strict {
            return policy;
        }
        policy.namespaces = self.namespaces;
        policy.separate = self.separate;
        if let Some(cgroups) = &self.cgroups {
            policy.cgroups = cgroups.folders().to_owned();
        }
        policy.read_only = program.access.read_only;
        policy.folder = program.access.folder.clone();
        policy.hidden.clone_from(&program.access.hidden);
        policy.required = read_paths(program);
        policy.required.extend(program.access.read.iter().cloned());
        policy.readable = search_path_folders(program);
        policy
    }
}
