//! The policy of a program: the limits of the launcher, and the paths that the program needs.

use super::process::Launcher;
use super::system::tasks_of_this_user;
use crate::game::{Limits, Sandbox};
use crate::locate::{Program, read_paths, search_path_folders};
use crate::sandbox::Policy;
use std::env;

impl Launcher {
    /// The policy that a program is started under. Below `strict` it has only limits.
    pub(super) fn policy(&self, program: &Program, limits: &Limits) -> Policy {
        let mut policy = Policy::new(self.sandbox);
        policy.purpose = program.access.purpose;
        policy.memory = limits.memory;
        policy.processes = limits.processes;
        policy.threads = limits.threads;
        policy.tasks = tasks_of_this_user();
        policy.scratch = env::temp_dir();
        if self.sandbox != Sandbox::Strict {
            return policy;
        }
        policy.namespaces = self.namespaces;
        policy.separate = self.separate;
        policy.cgroups =
            self.cgroups.as_ref().map(|cgroups| cgroups.folders().to_owned()).unwrap_or_default();
        policy.folder = program.access.folder.clone();
        policy.hidden.clone_from(&program.access.hidden);
        policy.required = read_paths(program);
        policy.required.extend(program.access.read.iter().cloned());
        policy.readable = search_path_folders(program);
        policy
    }
}
