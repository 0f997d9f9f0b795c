//! The result of the isolation probe: what bots can do on this machine under a policy.
//!
//! It is not derived from the versions of kernel and libraries but tried, by arbiter's own program
//! in the place of a bot (`probe`, started by `bot::probe_isolation`).

use super::system::{is_root, probes};
use super::{Namespaces, ProbeCategory, Sandbox};

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
    #[must_use]
    pub fn unprobed(sandbox: Sandbox) -> Isolation {
        let namespaces = Namespaces::None;
        Isolation {
            sandbox,
            forks: true,
            has_cgroup: false,
            namespaces,
            probes: Vec::new(),
            uid: 0,
        }
    }

    /// Reads the output of the probing program: its user id and the result of every probe. None if
    /// one is missing.
    pub(crate) fn parse_output(output: &str) -> Option<(u32, Vec<ProbeResult>)> {
        let uid = output.lines().find_map(|line| line.strip_prefix("uid ")?.parse().ok())?;
        let results = probes().map(|(category, name)| {
            let has_line =
                |outcome: &str| output.lines().any(|line| line == format!("{outcome} {name}"));
            let open = has_line("open");
            (open || has_line("refused")).then_some(ProbeResult { category, name, open })
        });
        Some((uid, results.collect::<Option<_>>()?))
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
    #[must_use]
    pub fn breaches(&self) -> Vec<&ProbeResult> {
        let expected = |probe: &ProbeResult| match probe.category {
            ProbeCategory::Baseline => true,
            ProbeCategory::Fork => self.forks,
            ProbeCategory::Names => probe.open && self.shows_names(),
            ProbeCategory::Memory => self.has_cgroup && probe.open, // with a group both are right
            ProbeCategory::Net
            | ProbeCategory::Files
            | ProbeCategory::Processes
            | ProbeCategory::Doors => false,
        };
        if self.sandbox < Sandbox::Strict {
            return Vec::new();
        }
        self.probes.iter().filter(|probe| probe.open != expected(probe)).collect()
    }

    /// The isolation in one line, for the user, the logs and the results.
    #[must_use]
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
            let probes = || self.probes.iter().filter(|probe| probe.category == category);
            let verdict = match probes().filter(|probe| probe.open).count() {
                0 => "denied",
                _ if category == ProbeCategory::Fork && self.forks => "allowed",
                _ if category == ProbeCategory::Names && self.shows_names() => "visible",
                count if count == probes().count() => "OPEN",
                _ => "PARTLY-OPEN",
            };
            line.push_str(&format!(" {word}={verdict}"));
        }
        let user = match (is_root(), self.uid) {
            (true, 0) => "root-without-capabilities",
            (true, _) => "separate",
            (false, _) => "shared",
        };
        let uncounted =
            self.probes.iter().any(|probe| probe.category == ProbeCategory::Memory && probe.open);
        let memory = match (self.has_cgroup, uncounted) {
            (true, _) => "cgroup",
            (false, false) => "watched",
            (false, true) => "OPEN",
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
