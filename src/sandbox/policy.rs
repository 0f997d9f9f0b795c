//! A policy as one argument: what the referee tells the warden, and the warden the second stage.
//!
//! Words with single spaces between them; a path has everything but plain ASCII escaped, so that no path can say
//! more than its name: `strict play memory=536870912 processes=1 threads=64 tasks=90 scratch=/tmp own=/bots/a%20b`.

use super::Sandbox;
use crate::game::{DiskUsage, Limits, SCRATCH};
use crate::locate::{Own, Purpose};
use std::ffi::OsString;
use std::fmt::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The namespaces that a bot under `strict` gets, as far as the machine allows them: it has a process tree of its own,
/// which ends as one, a root folder in which there is only what it may reach, and no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Namespaces {
    /// None.
    #[default]
    None,
    /// All of these, but no `/proc` of its own, which an ordinary user in a container that masks parts of `/proc` cannot
    /// mount: there a bot of several processes has the machine's, in which it sees which processes there are.
    SharedProc,
    /// All of these, with a `/proc` of its own.
    All,
}

/// What a bot is restricted to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// How much is kept from it.
    pub sandbox: Sandbox,
    /// What it is started for.
    pub purpose: Purpose,
    /// Memory of its processes, in bytes.
    pub memory: u64,
    /// How many processes it may be; with more than one it may fork.
    pub processes: u32,
    /// How many threads they may have together.
    pub threads: u32,
    /// How many processes and threads its user has beside it.
    pub tasks: u32,
    /// For the warden: where it makes the scratch folder. For the second stage: that folder.
    pub scratch: PathBuf,
    /// What of its folder is open to it.
    pub own: Own,
    /// What is not, though it lies there: other bots.
    pub hidden: Vec<PathBuf>,
    /// What else it may read, and cannot do without.
    pub needed: Vec<PathBuf>,
    /// What else it may read.
    pub readable: Vec<PathBuf>,
    /// The namespaces that it gets.
    pub namespaces: Namespaces,
    /// A control group, as its folder in each hierarchy: for the warden the one below which it makes the bot's, for the
    /// second stage that one. Without one the kernel does not limit its memory.
    pub groups: Vec<PathBuf>,
    /// The user that it becomes, if it can reach what it needs as that user.
    pub uid: Option<u32>,
    /// It begins as a user of its own or not at all.
    pub separate: bool,
}

/// What a build may have there.
const BUILD_SCRATCH: DiskUsage = DiskUsage { bytes: 1 << 30, files: 65_536 };

/// Memory that a build gets in any case.
const BUILD_MEMORY: u64 = 2 << 30;
/// Processes and threads that it gets in any case.
const BUILD_TASKS: u64 = 512;

impl Policy {
    /// A policy that opens nothing.
    #[must_use]
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
            own: Own::Nothing,
            hidden: Vec::new(),
            needed: Vec::new(),
            readable: Vec::new(),
            namespaces: Namespaces::None,
            groups: Vec::new(),
            uid: None,
            separate: false,
        }
    }

    /// Memory that it can have at most, in bytes: compilers get some in any case.
    #[must_use]
    pub fn memory_wall(&self) -> u64 {
        match self.purpose {
            Purpose::Play => self.memory,
            Purpose::Build => self.memory.max(BUILD_MEMORY),
        }
    }

    /// Threads that it can have at most, of which each process has one.
    #[must_use]
    pub fn tasks_wall(&self) -> u64 {
        let allowed = u64::from(self.processes.max(self.threads));
        match self.purpose {
            Purpose::Play => allowed,
            Purpose::Build => allowed.max(BUILD_TASKS),
        }
    }

    /// What it may have in its scratch folder.
    #[must_use]
    pub fn room(&self) -> DiskUsage {
        match self.purpose {
            Purpose::Play => SCRATCH,
            Purpose::Build => BUILD_SCRATCH,
        }
    }

    /// Whether it may have memory that does not count as that of its processes: builds, and where the kernel counts it.
    #[must_use]
    pub fn may_hide_memory(&self) -> bool {
        self.purpose == Purpose::Build || !self.groups.is_empty()
    }

    /// Whether it may start processes.
    #[must_use]
    pub fn forks(&self) -> bool {
        self.processes > 1 || self.purpose == Purpose::Build
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let purpose = match self.purpose {
            Purpose::Play => "play",
            Purpose::Build => "build",
        };
        write!(f, "{} {purpose} memory={} ", self.sandbox.word(), self.memory)?;
        write!(f, "processes={} threads={} tasks={}", self.processes, self.threads, self.tasks)?;
        write!(f, " scratch={}", Escaped(&self.scratch))?;
        match &self.own {
            Own::Nothing => {}
            Own::Folder(folder) => write!(f, " own={}", Escaped(folder))?,
            Own::Files(folder) => write!(f, " files={}", Escaped(folder))?,
        }
        let paths = [
            ("hide", &self.hidden),
            ("need", &self.needed),
            ("read", &self.readable),
            ("group", &self.groups),
        ];
        for (key, paths) in paths {
            for path in paths {
                write!(f, " {key}={}", Escaped(path))?;
            }
        }
        match self.namespaces {
            Namespaces::None => {}
            Namespaces::SharedProc => f.write_str(" namespaces=shared-proc")?,
            Namespaces::All => f.write_str(" namespaces=all")?,
        }
        if self.separate {
            f.write_str(" separate=1")?;
        }
        self.uid.map_or(Ok(()), |uid| write!(f, " uid={uid}"))
    }
}

impl FromStr for Policy {
    type Err = ();

    fn from_str(text: &str) -> Result<Policy, ()> {
        let mut words = text.split(' ');
        let sandbox = words.next().and_then(named).ok_or(())?;
        let mut policy = Policy::new(sandbox);
        policy.purpose = match words.next() {
            Some("play") => Purpose::Play,
            Some("build") => Purpose::Build,
            _ => return Err(()),
        };
        for word in words {
            let (key, value) = word.split_once('=').ok_or(())?;
            let path = || unescape(value).ok_or(());
            let number = || value.parse().map_err(|_| ());
            match key {
                "memory" => policy.memory = value.parse().map_err(|_| ())?,
                "processes" => policy.processes = number()?,
                "threads" => policy.threads = number()?,
                "tasks" => policy.tasks = number()?,
                "scratch" => policy.scratch = path()?,
                "own" => policy.own = Own::Folder(path()?),
                "files" => policy.own = Own::Files(path()?),
                "hide" => policy.hidden.push(path()?),
                "need" => policy.needed.push(path()?),
                "read" => policy.readable.push(path()?),
                "group" => policy.groups.push(path()?),
                "namespaces" => policy.namespaces = namespaces(value).ok_or(())?,
                "separate" if value == "1" => policy.separate = true,
                "uid" => policy.uid = Some(number()?),
                _ => return Err(()),
            }
        }
        Ok(policy)
    }
}

fn namespaces(word: &str) -> Option<Namespaces> {
    match word {
        "shared-proc" => Some(Namespaces::SharedProc),
        "all" => Some(Namespaces::All),
        _ => None,
    }
}

fn named(word: &str) -> Option<Sandbox> {
    [Sandbox::Off, Sandbox::Basic, Sandbox::Strict].into_iter().find(|sandbox| sandbox.word() == word)
}

/// A path as a word of plain ASCII.
struct Escaped<'a>(&'a Path);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &byte in self.0.as_os_str().as_bytes() {
            match byte {
                b'%' | ..=b' ' | 0x7f.. => write!(f, "%{byte:02x}")?,
                _ => f.write_char(char::from(byte))?,
            }
        }
        Ok(())
    }
}

fn unescape(word: &str) -> Option<PathBuf> {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        bytes.push(match first {
            b'%' => {
                let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
                rest = &rest[2..];
                u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?
            }
            byte => byte,
        });
    }
    Some(PathBuf::from(OsString::from_vec(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_is_read_as_it_is_written() {
        let odd = PathBuf::from(OsString::from_vec(b"/a b/%41/=\n\xff\x00x".to_vec()));
        let mut policy = Policy::new(Sandbox::Strict);
        for own in [Own::Nothing, Own::Folder(odd.clone()), Own::Files("/".into())] {
            policy.own = own;
            assert_eq!(policy.to_string().parse(), Ok(policy.clone()), "{policy}");
        }
        policy.hidden = vec![odd.clone(), "/x".into()];
        policy.needed = vec!["/n".into()];
        policy.readable = vec!["/r".into(), odd];
        policy.purpose = Purpose::Build;
        policy.separate = true;
        policy.namespaces = Namespaces::SharedProc;
        assert_eq!(policy.to_string().parse(), Ok(policy.clone()));
        policy.namespaces = Namespaces::All;
        policy.groups = vec!["/groups/a b".into(), "/other".into()];
        policy.uid = Some(60_700);
        (policy.memory, policy.processes, policy.threads, policy.tasks) = (1, 2, 3, 4);
        let text = policy.to_string();
        assert_eq!(text.parse(), Ok(policy));
        assert!(text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' '), "{text}");
    }

    #[test]
    fn what_is_no_policy_is_refused() {
        for text in [
            "",
            "strict",
            "strict ",
            "loose play",
            "strict rest",
            "strict play memory",
            "strict play memory=x",
            "strict play colour=1",
            "strict play namespaces=some",
            "strict play own=/a b",
            "strict play own=/a%2",
            "strict play own=%+1",
            "strict play  uid=1",
        ] {
            assert_eq!(text.parse::<Policy>(), Err(()), "{text:?}");
        }
    }
}
