//! A policy: what a bot is restricted to, and its text form, which the referee sends to the warden.
//!
//! The text is words with single spaces between them. In a path every byte but printable ASCII is escaped, so
//! that a path cannot add words: `strict play memory=536870912 processes=1 threads=64 tasks=90 scratch=/tmp
//! folder=/bots/a%20b`.

use super::Sandbox;
use crate::game::{DiskUsage, Limits, SCRATCH};
use crate::locate::{FolderAccess, Purpose};
use std::ffi::OsString;
use std::fmt::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The namespaces of a bot under `strict`, as far as the machine allows them: a pid namespace, whose
/// processes the kernel kills together, a mount namespace with a root folder that contains only the paths
/// that the bot may reach, and network, IPC and UTS namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Namespaces {
    /// None.
    #[default]
    None,
    /// All of them, but without a `/proc` of its own: an ordinary user cannot mount one in a container that
    /// masks parts of `/proc`. A bot of several processes has the machine's `/proc` then, in which it sees
    /// which processes exist.
    SharedProc,
    /// All of them, with a `/proc` of its own.
    All,
}

/// What a bot is restricted to.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// For the warden: the folder to make the scratch folder in. For the exec stage: the scratch folder.
    pub scratch: PathBuf,
    /// How much of the folder that it runs in it may reach.
    pub folder: FolderAccess,
    /// Paths in that folder that it may not reach: other bots.
    pub hidden: Vec<PathBuf>,
    /// Further paths that it may read, and cannot run without.
    pub required: Vec<PathBuf>,
    /// Further paths that it may read.
    pub readable: Vec<PathBuf>,
    /// Its namespaces.
    pub namespaces: Namespaces,
    /// The folder of a control group in each hierarchy: for the warden the group to make the bot's group in,
    /// for the exec stage the bot's group. Empty if the kernel does not limit its memory.
    pub cgroups: Vec<PathBuf>,
    /// The user id that it gets if that user can read the required paths.
    pub uid: Option<u32>,
    /// It is not started if it cannot get that user id.
    pub separate: bool,
}

/// What a build may have in its scratch folder.
const BUILD_SCRATCH_LIMIT: DiskUsage = DiskUsage { bytes: 1 << 30, files: 65_536 };

/// Bytes of memory that a build may have if the bot may have less.
const BUILD_MEMORY: u64 = 2 << 30;
/// Processes and threads that a build may have if the bot may have fewer.
const BUILD_TASKS: u64 = 512;

impl Policy {
    /// A policy under which no path can be reached, with default limits.
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
            folder: FolderAccess::Nothing,
            hidden: Vec::new(),
            required: Vec::new(),
            readable: Vec::new(),
            namespaces: Namespaces::None,
            cgroups: Vec::new(),
            uid: None,
            separate: false,
        }
    }

    /// The memory limit that the kernel enforces, in bytes.
    #[must_use]
    pub fn memory_limit(&self) -> u64 {
        match self.purpose {
            Purpose::Play => self.memory,
            Purpose::Build => self.memory.max(BUILD_MEMORY),
        }
    }

    /// The limit of threads that the kernel enforces; each process has at least one.
    #[must_use]
    pub fn task_limit(&self) -> u64 {
        let allowed = u64::from(self.processes.max(self.threads));
        match self.purpose {
            Purpose::Play => allowed,
            Purpose::Build => allowed.max(BUILD_TASKS),
        }
    }

    /// What it may have in its scratch folder.
    #[must_use]
    pub fn scratch_limit(&self) -> DiskUsage {
        match self.purpose {
            Purpose::Play => SCRATCH,
            Purpose::Build => BUILD_SCRATCH_LIMIT,
        }
    }

    /// Whether it may use kinds of memory that `/proc` does not count for its processes. A control group
    /// counts them; builds are not measured.
    #[must_use]
    pub fn allows_uncounted_memory(&self) -> bool {
        self.purpose == Purpose::Build || !self.cgroups.is_empty()
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
        match &self.folder {
            FolderAccess::Nothing => {}
            FolderAccess::Folder(folder) => write!(f, " folder={}", Escaped(folder))?,
            FolderAccess::Files(folder) => write!(f, " files={}", Escaped(folder))?,
        }
        let paths = [
            ("hide", &self.hidden),
            ("require", &self.required),
            ("read", &self.readable),
            ("cgroup", &self.cgroups),
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
        let sandbox = words.next().and_then(parse_level).ok_or(())?;
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
                "folder" => policy.folder = FolderAccess::Folder(path()?),
                "files" => policy.folder = FolderAccess::Files(path()?),
                "hide" => policy.hidden.push(path()?),
                "require" => policy.required.push(path()?),
                "read" => policy.readable.push(path()?),
                "cgroup" => policy.cgroups.push(path()?),
                "namespaces" => policy.namespaces = parse_namespaces(value).ok_or(())?,
                "separate" if value == "1" => policy.separate = true,
                "uid" => policy.uid = Some(number()?),
                _ => return Err(()),
            }
        }
        Ok(policy)
    }
}

fn parse_namespaces(word: &str) -> Option<Namespaces> {
    match word {
        "shared-proc" => Some(Namespaces::SharedProc),
        "all" => Some(Namespaces::All),
        _ => None,
    }
}

fn parse_level(word: &str) -> Option<Sandbox> {
    [Sandbox::Off, Sandbox::Basic, Sandbox::Strict].into_iter().find(|sandbox| sandbox.word() == word)
}

/// A path as one word of printable ASCII: other bytes are written as `%` and two hexadecimal digits.
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
    fn a_printed_policy_parses_to_the_same_policy() {
        let odd = PathBuf::from(OsString::from_vec(b"/a b/%41/=\n\xff\x00x".to_vec()));
        let mut policy = Policy::new(Sandbox::Strict);
        for folder in
            [FolderAccess::Nothing, FolderAccess::Folder(odd.clone()), FolderAccess::Files("/".into())]
        {
            policy.folder = folder;
            assert_eq!(policy.to_string().parse(), Ok(policy.clone()), "{policy}");
        }
        policy.hidden = vec![odd.clone(), "/x".into()];
        policy.required = vec!["/n".into()];
        policy.readable = vec!["/r".into(), odd];
        policy.purpose = Purpose::Build;
        policy.separate = true;
        policy.namespaces = Namespaces::SharedProc;
        assert_eq!(policy.to_string().parse(), Ok(policy.clone()));
        policy.namespaces = Namespaces::All;
        policy.cgroups = vec!["/groups/a b".into(), "/other".into()];
        policy.uid = Some(60_700);
        (policy.memory, policy.processes, policy.threads, policy.tasks) = (1, 2, 3, 4);
        let text = policy.to_string();
        assert_eq!(text.parse(), Ok(policy));
        assert!(text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' '), "{text}");
    }

    #[test]
    fn other_text_does_not_parse() {
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
            "strict play folder=/a b",
            "strict play folder=/a%2",
            "strict play folder=%+1",
            "strict play  uid=1",
        ] {
            assert_eq!(text.parse::<Policy>(), Err(()), "{text:?}");
        }
    }
}
