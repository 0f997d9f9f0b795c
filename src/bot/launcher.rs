//! What a launcher restricts a program to.

use super::process::Launcher;
use super::system::tasks_of_this_user;
use crate::game::{Limits, Sandbox};
use crate::locate::{Program, needed, of_search_path};
use crate::sandbox::Policy;
use std::env;

impl Launcher {
    /// What a program is restricted to.
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
        policy.groups = self.groups.as_ref().map(|groups| groups.folders().to_owned()).unwrap_or_default();
        policy.own = program.access.own.clone();
        policy.hidden.clone_from(&program.access.hidden);
        policy.needed = needed(program);
        policy.needed.extend(program.access.read.iter().cloned());
        policy.readable = of_search_path(program.access.purpose);
        policy
    }
}
