//! The canary: what a policy keeps from bots on this machine is not believed but tried, by our own program in the place
//! of a bot (`attack`).

use super::system::{attempts, is_root};
use super::{Namespaces, Sandbox};

/// What an attempt is aimed at; the line about isolation has a word for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aim {
    /// Starting processes.
    Fork,
    /// The network, and sockets of this machine.
    Net,
    /// Files that are not the bot's.
    Files,
    /// Which files and processes there are.
    Names,
    /// The referee and other processes.
    Processes,
    /// What leads around limits or out of the sandbox.
    Doors,
    /// Memory that does not count as that of the bot's processes; with a control group it counts.
    Memory,
    /// What every bot may do: a sandbox that refuses it is broken.
    Own,
}

/// What one attempt came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tried {
    /// What it was aimed at.
    pub aim: Aim,
    /// Its name.
    pub name: &'static str,
    /// It worked.
    pub open: bool,
}

/// What was found out about a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Isolation {
    /// The level.
    pub sandbox: Sandbox,
    /// Forks are allowed.
    pub forks: bool,
    /// A control group keeps it to its memory.
    pub grouped: bool,
    /// The namespaces that it has.
    pub namespaces: Namespaces,
    /// Every attempt, in their order.
    pub tried: Vec<Tried>,
    /// The user that bots are; 0 is root.
    pub uid: u32,
}

impl Isolation {
    /// Of a level that promises nothing, nothing needs to be found out.
    #[must_use]
    pub fn untried(sandbox: Sandbox) -> Isolation {
        let namespaces = Namespaces::None;
        Isolation { sandbox, forks: true, grouped: false, namespaces, tried: Vec::new(), uid: 0 }
    }

    /// What the attacker said of itself and of every attempt: its user, and what each came to. None if it did not come to
    /// its end.
    pub(crate) fn said(said: &str) -> Option<(u32, Vec<Tried>)> {
        let uid = said.lines().find_map(|line| line.strip_prefix("uid ")?.parse().ok())?;
        let tried = attempts().map(|(aim, name)| {
            let told = |outcome: &str| said.lines().any(|line| line == format!("{outcome} {name}"));
            (told("open") || told("refused")).then(|| Tried { aim, name, open: told("open") })
        });
        Some((uid, tried.collect::<Option<_>>()?))
    }

    /// The namespaces that each bot has.
    #[must_use]
    pub fn namespaces(&self) -> Namespaces {
        self.namespaces
    }

    /// Whether it is expected to see names of files or processes that it cannot open.
    fn shows_names(&self) -> bool {
        match self.namespaces {
            Namespaces::None => true,
            Namespaces::SharedProc => self.forks,
            Namespaces::All => false,
        }
    }

    /// Whether a control group keeps each bot to its memory.
    #[must_use]
    pub fn has_group(&self) -> bool {
        self.grouped
    }

    /// Attacks that worked and should not have, and what should have worked and did not.
    #[must_use]
    pub fn breaches(&self) -> Vec<&Tried> {
        let expected = |tried: &Tried| match tried.aim {
            Aim::Own => true,
            Aim::Fork => self.forks,
            Aim::Names => tried.open && self.shows_names(),
            Aim::Memory => self.grouped && tried.open, // either is as it should be there
            Aim::Net | Aim::Files | Aim::Processes | Aim::Doors => false,
        };
        if self.sandbox < Sandbox::Strict {
            return Vec::new();
        }
        self.tried.iter().filter(|tried| tried.open != expected(tried)).collect()
    }

    /// What is in force, in one line: for the user, the logs and the results.
    #[must_use]
    pub fn line(&self) -> String {
        if self.sandbox < Sandbox::Strict {
            return self.sandbox.word().to_owned();
        }
        let mut line = self.sandbox.word().to_owned();
        let aims = [
            (Aim::Fork, "fork"),
            (Aim::Net, "net"),
            (Aim::Files, "files"),
            (Aim::Names, "names"),
            (Aim::Processes, "processes"),
            (Aim::Doors, "doors"),
        ];
        for (aim, word) in aims {
            let of_aim = || self.tried.iter().filter(|tried| tried.aim == aim);
            let verdict = match of_aim().filter(|tried| tried.open).count() {
                0 => "denied",
                _ if aim == Aim::Fork && self.forks => "allowed",
                _ if aim == Aim::Names && self.shows_names() => "visible",
                count if count == of_aim().count() => "OPEN",
                _ => "PARTLY-OPEN",
            };
            line.push_str(&format!(" {word}={verdict}"));
        }
        let user = match (is_root(), self.uid) {
            (true, 0) => "root-without-capabilities",
            (true, _) => "separate",
            (false, _) => "shared",
        };
        let hidden = self.tried.iter().any(|tried| tried.aim == Aim::Memory && tried.open);
        let memory = match (self.grouped, hidden) {
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
