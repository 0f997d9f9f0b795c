//! The result of the isolation probe: what bots can do on this machine under a policy.
//!
//! It is not derived from the versions of kernel and libraries but tried, by arbiter's own program
//! in the place of a bot (`probe`, started by `bot::probe_isolation`).

use super::system::{is_root, probes};
use super::{Namespaces, ProbeCategory, Sandbox};
use std::collections::HashMap;

/// The result of one probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeResult {
    /// What it tried.
    pub category: ProbeCategory,
    pub name: &'static str,
    /// Whether it succeeded.
    pub open: bool,
}

/// What bots can do under a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Isolation {
    /// The level.
    pub sandbox: Sandbox,
    /// Whether bots may fork.
    pub forks: bool,
    /// Whether a control group limits the memory of each bot.
    pub has_cgroup: bool,
    /// The namespaces of each bot.
    pub namespaces: Namespaces,
    /// The result of every probe.
    pub probes: Vec<ProbeResult>,
    /// The user id of bots; 0 is root.
    pub uid: u32,
}

impl Isolation {
    /// For a level that promises nothing: no probe is run.
    pub fn unprobed(sandbox: Sandbox) -> Isolation {
        Isolation {
            sandbox,
            forks: true,
            has_cgroup: false,
            namespaces: Namespaces::None,
            probes: Vec::new(),
            uid: 0,
        }
    }

    /// Reads the output of the probing program: its user id and the result of every probe. `None`
    /// if one is missing.
    pub(crate) fn parse_output(output: &str) -> Option<(u32, Vec<ProbeResult>)> {
        let uid = output.lines().find_map(|line| line.strip_prefix("uid ")?.parse().ok())?;
        let mut outcomes = HashMap::new();
        for line in output.lines() {
            // A probe that was found open stays so, whatever comes after it.
            if let Some((outcome, name)) = line.split_once(' ')
                && outcomes.get(name) != Some(&"open")
            {
                outcomes.insert(name, outcome);
            }
        }
        let mut results = Vec::new();
        for (category, name) in probes() {
            let open = match *outcomes.get(name)? {
                "open" => true,
                "refused" => false,
                _ => return None,
            };
            results.push(ProbeResult { category, name, open });
        }
        Some((uid, results))
    }

    /// Whether a bot is expected to see the names of files or processes that it cannot open.
    fn shows_names(&self) -> bool {
        match self.namespaces {
            Namespaces::None => true,
            Namespaces::SharedProc => self.forks,
            Namespaces::All => false,
        }
    }

    /// Under `strict`, the probes with another result than the policy promises: what succeeded and
    /// should be refused, and what was refused and should succeed.
    pub fn breaches(&self) -> Vec<&ProbeResult> {
        if self.sandbox < Sandbox::Strict {
            return Vec::new();
        }
        self.probes.iter().filter(|probe| self.is_breach(probe)).collect()
    }

    fn is_breach(&self, probe: &ProbeResult) -> bool {
        match probe.category {
            ProbeCategory::Baseline => !probe.open,
            ProbeCategory::Fork => probe.open != self.forks,
            ProbeCategory::Names => probe.open && !self.shows_names(),
            ProbeCategory::Memory => probe.open && !self.has_cgroup,
            ProbeCategory::Net
            | ProbeCategory::Files
            | ProbeCategory::Processes
            | ProbeCategory::Doors => probe.open,
        }
    }

    /// How many probes of a category succeeded, and how many there are.
    fn count(&self, category: ProbeCategory) -> (usize, usize) {
        let mut open = 0;
        let mut all = 0;
        for probe in &self.probes {
            if probe.category == category {
                open += usize::from(probe.open);
                all += 1;
            }
        }
        (open, all)
    }

    /// The isolation in one line, for the user, the logs and the results.
    pub fn line(&self) -> String {
        if self.sandbox < Sandbox::Strict {
            return self.sandbox.word().to_owned();
        }
        let mut line = self.sandbox.word().to_owned();
        let words = [
            (ProbeCategory::Fork, "fork"),
            (ProbeCategory::Net, "net"),
            (ProbeCategory::Files, "files"),
            (ProbeCategory::Names, "names"),
            (ProbeCategory::Processes, "processes"),
            (ProbeCategory::Doors, "doors"),
        ];
        for (category, word) in words {
            let (open, all) = self.count(category);
            let verdict = match open {
                0 => "denied",
                _ if category == ProbeCategory::Fork && self.forks => "allowed",
                _ if category == ProbeCategory::Names && self.shows_names() => "visible",
                _ if open == all => "OPEN",
                _ => "PARTLY-OPEN",
            };
            line.push_str(&format!(" {word}={verdict}"));
        }
        let user = if !is_root() {
            "shared"
        } else if self.uid == 0 {
            "root-without-capabilities"
        } else {
            "separate"
        };
        let memory = if self.has_cgroup {
            "cgroup"
        } else if self.count(ProbeCategory::Memory).0 == 0 {
            "watched"
        } else {
            "OPEN"
        };
        let tree = match self.namespaces {
            Namespaces::None => "warden",
            Namespaces::SharedProc => "namespace,shared-proc",
            Namespaces::All => "namespace",
        };
        line.push_str(&format!(" user={user} memory={memory} tree={tree}"));
        line
    }
}
