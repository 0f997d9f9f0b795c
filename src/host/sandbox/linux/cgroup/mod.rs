//! Control groups, if this process may make them: the kernel then limits the memory and the number
//! of processes of a bot (cgroups(7); kernel documentation, "Control Group v2" and "Memory Resource
//! Controller").
//!
//! ```text
//! PARENT/arbiter-PID-N        the group of this run; it has the controllers enabled
//! PARENT/arbiter-PID-N/bot-…  the group of a bot: made by its warden, entered by the exec stage
//! ```
//!
//! In cgroup v1 these exist twice, in the hierarchies for memory and for processes, and a third
//! time in cgroup v2 if that is mounted beside it: its groups can be frozen. A parent is used only
//! if the kernel kills a process that uses more memory there than allowed; this is tested each
//! time.

mod folders;
mod parents;

pub use parents::throttled;

use crate::files::list;
use crate::sandbox::{FILL, Namespaces, Policy};
use folders::{BOT, CgroupFolders, RUN, remove_left_over};
use parents::{CONTROLLERS, CgroupParent, cgroup_parents, missing_controllers};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FsWord, statfs};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::ffi::OsString;
use std::hint::black_box;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{fs, io};

/// Processes and threads above the allowed number that the group permits: the referee sees that
/// there are too many and says so.
const SPARE_TASKS: u64 = 64;
/// Bytes: the limit of the group that is tested, and the memory that the test allocates in it.
const TEST_LIMIT: u64 = 16 << 20;
const TEST_ALLOCATION: usize = 64 << 20;
/// How long the test may take on a very busy machine.
const TEST_TIME: Timespec = Timespec { tv_sec: 20, tv_nsec: 0 };

/// The group of this run, in which each bot gets a group. Dropping it removes it.
#[derive(Debug)]
pub struct Cgroups {
    folders: CgroupFolders,
    /// Other changes to undo.
    changed: Changes,
}

/// Changes that were made to existing groups.
#[derive(Debug, Default)]
struct Changes {
    /// The group whose controllers were enabled for the groups in it, and which controllers.
    enabled: Option<(PathBuf, Vec<&'static str>)>,
    /// The group that this process was in before.
    left: Option<PathBuf>,
}

impl Cgroups {
    /// Makes a group in the best parent where the kernel enforces the memory limit; `None` if there
    /// is no such parent. `program` is arbiter's own program, which runs the test as `__fill`.
    pub fn new(program: &Path) -> Option<Cgroups> {
        for parent in cgroup_parents() {
            if let Ok(cgroups) = Cgroups::make_in(&parent)
                && cgroups.limits_memory(program)
            {
                return Some(cgroups);
            }
        }
        None
    }

    fn make_in(parent: &CgroupParent) -> io::Result<Cgroups> {
        let parents = match parent {
            CgroupParent::Enabled(folder)
            | CgroupParent::Own(folder)
            | CgroupParent::Root(folder) => std::slice::from_ref(folder),
            CgroupParent::V1(folders) => folders,
        };
        remove_left_over(parents, RUN);
        let folders = CgroupFolders::make(parents, RUN)?;
        let mut cgroups = Cgroups { folders, changed: Changes::default() };
        // From here on an error drops it, which undoes the changes.
        let run = cgroups.folders.paths()[0].clone();
        if let CgroupParent::Own(own) = parent {
            let referee = run.join("referee");
            fs::create_dir(&referee)?;
            cgroups.changed.left = Some(own.clone());
            enter(&referee)?;
        }
        if let CgroupParent::Own(folder) | CgroupParent::Root(folder) = parent {
            let missing = missing_controllers(folder, "cgroup.subtree_control");
            cgroups.changed.enabled = Some((folder.clone(), missing.clone()));
            set_controllers(folder, '+', &missing)?;
        }
        if !matches!(parent, CgroupParent::V1(_)) {
            set_controllers(&run, '+', &CONTROLLERS)?;
        }
        Ok(cgroups)
    }

    /// Whether the kernel kills a process that allocates more memory than its group allows.
    fn limits_memory(&self, program: &Path) -> bool {
        let Ok(group) = Cgroup::make(self.folders(), TEST_LIMIT, 1) else { return false };
        let mut command = Command::new(program);
        command.arg0("arbiter").arg(FILL).args(group.folders()).env_clear();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(mut filler) = command.spawn() else { return false };
        if let Ok(ended) = pidfd_open(Pid::from_child(&filler), PidfdFlags::empty()) {
            let _ = poll(&mut [PollFd::new(&ended, PollFlags::IN)], Some(&TEST_TIME));
        }
        let _ = filler.kill(); // it has ended unless the limit had no effect
        let _ = filler.wait();
        group.over_memory().is_some()
    }

    /// The content of `memory.pressure`: how long processes of these groups waited for memory.
    /// `None` if no folder is in cgroup v2, and on a kernel without pressure stall information.
    pub fn memory_pressure(&self) -> Option<String> {
        for folder in self.folders() {
            if let Ok(pressure) = fs::read_to_string(folder.join("memory.pressure")) {
                return Some(pressure);
            }
        }
        None
    }

    /// The folders in which the groups of bots are made, one in each hierarchy.
    pub fn folders(&self) -> &[PathBuf] {
        self.folders.paths()
    }
}

impl Drop for Cgroups {
    fn drop(&mut self) {
        // An error means that other groups use the controllers, or that the delegated group is
        // gone; nothing is left to do then.
        if let Some((folder, added)) = self.changed.enabled.take() {
            let _ = set_controllers(&self.folders()[0], '-', &CONTROLLERS);
            if !others_are_limited(&folder, &self.folders()[0]) {
                let _ = set_controllers(&folder, '-', &added);
            }
        }
        if let Some(left) = self.changed.left.take() {
            let _ = enter(&left);
        }
    }
}

/// Enables (`+`) or disables (`-`) controllers for the groups in a group of cgroup v2.
fn set_controllers(folder: &Path, sign: char, controllers: &[&str]) -> io::Result<()> {
    if controllers.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = controllers.iter().map(|name| format!("{sign}{name}")).collect();
    fs::write(folder.join("cgroup.subtree_control"), words.join(" "))
}

/// Files with limits that a group loses when its controllers are disabled.
const LIMITS: [&str; 5] = ["memory.max", "memory.high", "memory.low", "memory.min", "pids.max"];

/// Whether other groups in `folder` than `own` have limits set. (If such a group has enabled the
/// controllers itself, the kernel refuses to disable them.)
fn others_are_limited(folder: &Path, own: &Path) -> bool {
    for group in list(folder) {
        if group == own || !group.is_dir() {
            continue;
        }
        for file in LIMITS {
            let value = fs::read_to_string(group.join(file)).unwrap_or_default();
            if !matches!(value.trim(), "" | "0" | "max") {
                return true;
            }
        }
    }
    false
}

fn enter(folder: &Path) -> io::Result<()> {
    fs::write(folder.join("cgroup.procs"), "0") // 0 is the writing process
}

/// Enters a group and allocates more memory than it allows. Exit status 0 means that the limit had
/// no effect.
pub fn fill_memory(folders: impl Iterator<Item = OsString>) -> ExitCode {
    let folders: Vec<PathBuf> = folders.map(PathBuf::from).collect();
    // Without a limit it would use the memory of other programs.
    if folders.is_empty() || Cgroup::enter(&folders).is_err() {
        return ExitCode::FAILURE;
    }
    black_box(vec![1_u8; TEST_ALLOCATION]);
    ExitCode::SUCCESS
}

/// The control group of a bot. Dropping it removes it.
pub(crate) struct Cgroup(CgroupFolders);

impl Cgroup {
    /// Makes the group for a bot of this policy, whose scratch folder exists already.
    pub fn for_bot(policy: &Policy) -> io::Result<Cgroup> {
        // Files of a scratch folder in memory count as memory of the group.
        let in_memory = policy.namespaces != Namespaces::None || is_in_memory(&policy.scratch);
        let scratch = if in_memory { policy.scratch_limit().bytes } else { 0 };
        Cgroup::make(&policy.cgroups, policy.memory_limit() + scratch, policy.task_limit())
    }

    fn make(parents: &[PathBuf], memory: u64, tasks: u64) -> io::Result<Cgroup> {
        remove_left_over(parents, BOT); // those of killed wardens
        let group = Cgroup(CgroupFolders::make(parents, BOT)?);
        let memory = memory.to_string();
        if group.is_v2() {
            group.set("memory.max", &memory)?;
            group.set("memory.oom.group", "1")?;
            let _ = group.set("memory.swap.max", "0"); // fails on a kernel that does not count swap
        } else {
            // Kill and do not block, which the group may have inherited.
            let _ = group.set("memory.oom_control", "0");
            group.set("memory.limit_in_bytes", &memory)?;
            // Fails on a kernel that does not count swap.
            let _ = group.set("memory.memsw.limit_in_bytes", &memory);
        }
        // The last hierarchy is the one for processes; with cgroup v2 it is the only one.
        let folder = group.folders().last().ok_or(io::ErrorKind::NotFound)?;
        fs::write(folder.join("pids.max"), (tasks + SPARE_TASKS).to_string())?;
        Ok(group)
    }

    /// Whether it is in cgroup v2.
    fn is_v2(&self) -> bool {
        self.memory().with_file_name("cgroup.controllers").exists()
    }

    /// The folder with the files of the memory controller.
    fn memory(&self) -> &Path {
        &self.0.paths()[0]
    }

    fn set(&self, file: &str, value: &str) -> io::Result<()> {
        fs::write(self.memory().join(file), value)
    }

    fn read(&self, file: &str) -> Option<String> {
        fs::read_to_string(self.memory().join(file)).ok()
    }

    fn number(&self, file: &str) -> Option<u64> {
        self.read(file)?.trim().parse().ok()
    }

    /// Whether a file counts at least one event with this name.
    fn has_event(&self, file: &str, name: &str) -> bool {
        for line in self.read(file).unwrap_or_default().lines() {
            if let Some((word, count)) = line.split_once(' ')
                && word == name
                && count.trim().parse().is_ok_and(|count: u64| count > 0)
            {
                return true;
            }
        }
        false
    }

    /// Its folders, one in each hierarchy.
    pub fn folders(&self) -> &[PathBuf] {
        self.0.paths()
    }

    /// Moves the calling process into a group.
    pub fn enter(folders: &[PathBuf]) -> io::Result<()> {
        for folder in folders {
            enter(folder)?;
        }
        Ok(())
    }

    /// Its folder in cgroup v2 of Linux 5.2 or later, where it can be frozen.
    pub fn v2(&self) -> Option<PathBuf> {
        self.folders().iter().find(|folder| folder.join("cgroup.freeze").exists()).cloned()
    }

    /// Whether the kernel kills only one process when the group has too much memory, as cgroup v1
    /// does. The caller has to kill the others then.
    pub fn kills_one_process(&self) -> bool {
        !self.is_v2()
    }

    /// The peak of the group's memory in bytes, if the kernel has killed a process in it for
    /// exceeding the limit.
    pub fn over_memory(&self) -> Option<u64> {
        // Both the limit was met and a process was killed: kills are also counted when the whole
        // machine is out of memory.
        if self.is_v2() {
            let is_over = self.has_event("memory.events", "oom")
                && self.has_event("memory.events", "oom_kill");
            if !is_over {
                return None;
            }
            return self.number("memory.peak").or_else(|| self.number("memory.max"));
        }
        // `memory.failcnt` should count how often the limit was met, but stays 0 on some kernels.
        // The peak may be below the limit, by the several pages of the refused allocation.
        let peak = self.number("memory.max_usage_in_bytes")?;
        let limit = self.number("memory.limit_in_bytes")?;
        let is_over =
            peak >= limit - limit / 16 && self.has_event("memory.oom_control", "oom_kill");
        is_over.then_some(peak)
    }
}

/// `f_type` of a file system in memory (tmpfs): statfs(2).
const TMPFS_MAGIC: FsWord = 0x0102_1994;

fn is_in_memory(folder: &Path) -> bool {
    statfs(folder).is_ok_and(|system| system.f_type == TMPFS_MAGIC)
}

#[cfg(test)]
mod tests;
