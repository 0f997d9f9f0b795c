//! Control groups, wherever this process may make them: there the kernel holds the memory and the processes of a bot to
//! their limits, whatever it starts (cgroups(7); kernel documentation, "Control Group v2" and "Memory Resource
//! Controller").
//!
//! ```text
//! PLACE/arbiter-PID-N        of this run of arbiter; handed on controllers are switched on here
//! PLACE/arbiter-PID-N/bot-…  of a bot, made by its warden, entered by the process that becomes the bot
//! ```
//!
//! With cgroup v1 the same lies in two hierarchies, one for memory and one for processes. A place counts only if a
//! process that takes more memory there than it may is ended by the kernel: that is tried each time.

mod folders;
mod places;

use crate::sandbox::{Namespaces, Policy};
use folders::{BOT, Folders, RUN, remove_left_over};
use places::{CONTROLLERS, Place, lacking, places};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::ffi::OsString;
use std::hint::black_box;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{fs, io};

/// Word by which the program knows that it is to take more memory than its group allows.
pub const FILL: &str = "__fill";

/// More processes and threads than are allowed may come into being before the referee sees it.
const NEIGHBOURS: u64 = 64;
/// The limit of the group that is tried, and what is taken there.
const TRIAL: u64 = 16 << 20;
const TRIAL_TAKES: usize = 64 << 20;
/// How long that may take; it is a bound for machines that are very busy, not a wait.
const TRIAL_TIME: Timespec = Timespec { tv_sec: 20, tv_nsec: 0 };

/// The group of this run, below which each bot gets one.
#[derive(Debug)]
pub struct Groups {
    folders: Folders,
    /// What else has to be undone.
    changed: Changed,
}

#[derive(Debug, Default)]
struct Changed {
    /// The group whose controllers were switched on for the groups below, and which.
    switched: Option<(PathBuf, Vec<&'static str>)>,
    /// The group that this process was in.
    left: Option<PathBuf>,
}

impl Groups {
    /// Makes a group at the best place where the kernel holds its limits; none where there is no such place. `program` is
    /// what tries it, started as `__fill`.
    #[must_use]
    pub fn take(program: &Path) -> Option<Groups> {
        places().iter().find_map(|place| Groups::at(place).ok().filter(|groups| groups.hold(program)))
    }

    fn at(place: &Place) -> io::Result<Groups> {
        let parents = match place {
            Place::Open(folder) | Place::Own(folder) | Place::Root(folder) => std::slice::from_ref(folder),
            Place::Split(folders) => folders,
        };
        remove_left_over(parents, RUN);
        let mut groups = Groups { folders: Folders::make(parents, RUN)?, changed: Changed::default() };
        // From here on dropping it undoes what was done.
        let run = groups.folders.paths()[0].clone();
        if let Place::Own(own) = place {
            let referee = run.join("referee");
            fs::create_dir(&referee)?;
            groups.changed.left = Some(own.clone());
            enter(&referee)?;
        }
        if let Place::Own(folder) | Place::Root(folder) = place {
            let lacking = lacking(folder, "cgroup.subtree_control");
            groups.changed.switched = Some((folder.clone(), lacking.clone()));
            switch(folder, '+', &lacking)?;
        }
        if !matches!(place, Place::Split(_)) {
            switch(&run, '+', &CONTROLLERS)?;
        }
        Ok(groups)
    }

    /// Whether the kernel ends a process that takes too much memory in a group there.
    fn hold(&self, program: &Path) -> bool {
        let Ok(group) = Group::make(self.folders(), TRIAL, 1) else { return false };
        let mut command = Command::new(program);
        command.arg0("arbiter").arg(FILL).args(group.folders()).env_clear();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(mut filler) = command.spawn() else { return false };
        if let Ok(ended) = pidfd_open(Pid::from_child(&filler), PidfdFlags::empty()) {
            let _ = poll(&mut [PollFd::new(&ended, PollFlags::IN)], Some(&TRIAL_TIME));
        }
        let _ = filler.kill(); // as a rule it has ended
        let _ = filler.wait();
        group.over_memory().is_some()
    }

    /// Where the groups of bots are made, in each hierarchy.
    #[must_use]
    pub fn folders(&self) -> &[PathBuf] {
        self.folders.paths()
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        // What cannot be undone is in use by others, or goes with the group that was delegated.
        if let Some((folder, added)) = self.changed.switched.take() {
            let _ = switch(&self.folders()[0], '-', &CONTROLLERS);
            if !others_are_limited(&folder, &self.folders()[0]) {
                let _ = switch(&folder, '-', &added);
            }
        }
        if let Some(left) = self.changed.left.take() {
            let _ = enter(&left);
        }
    }
}

/// Switches controllers on or off for the groups below a group of cgroup v2.
fn switch(folder: &Path, sign: char, controllers: &[&str]) -> io::Result<()> {
    if controllers.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = controllers.iter().map(|name| format!("{sign}{name}")).collect();
    fs::write(folder.join("cgroup.subtree_control"), words.join(" "))
}

/// Whether groups beside this one have come to be limited by controllers that were switched on for this one. (Those that
/// hand the controllers on are safe: the kernel does not switch them off then.)
fn others_are_limited(folder: &Path, but: &Path) -> bool {
    const LIMITS: [&str; 5] = ["memory.max", "memory.high", "memory.low", "memory.min", "pids.max"];
    let limited = |group: &Path| {
        let value = |file| fs::read_to_string(group.join(file)).unwrap_or_default();
        LIMITS.into_iter().any(|file| !matches!(value(file).trim(), "" | "0" | "max"))
    };
    let groups = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    groups.into_iter().any(|group| group != but && group.is_dir() && limited(&group))
}

fn enter(folder: &Path) -> io::Result<()> {
    fs::write(folder.join("cgroup.procs"), "0") // the process that writes
}

/// Takes more memory than the trial's group allows, in that group. Success says that nothing held it.
pub fn fill(group: impl Iterator<Item = OsString>) -> ExitCode {
    let folders: Vec<PathBuf> = group.map(PathBuf::from).collect();
    // Without a group it would take memory from others.
    if folders.is_empty() || Group::enter(&folders).is_err() {
        return ExitCode::FAILURE;
    }
    black_box(vec![1_u8; TRIAL_TAKES]);
    ExitCode::SUCCESS
}

/// The group of one bot; it goes with it.
pub(crate) struct Group(Folders);

impl Group {
    /// Makes one for a bot of this policy, whose scratch folder is there already.
    pub fn of(policy: &Policy) -> io::Result<Group> {
        // What it puts into a scratch folder in memory counts as its memory.
        let in_memory = policy.namespaces != Namespaces::None || is_in_memory(&policy.scratch);
        let scratch = if in_memory { policy.room().bytes } else { 0 };
        Group::make(&policy.groups, policy.memory_wall() + scratch, policy.tasks_wall())
    }

    fn make(parents: &[PathBuf], memory: u64, tasks: u64) -> io::Result<Group> {
        remove_left_over(parents, BOT); // of wardens that were killed
        let group = Group(Folders::make(parents, BOT)?);
        let memory = memory.to_string();
        if group.is_unified() {
            group.set("memory.max", &memory)?;
            group.set("memory.oom.group", "1")?;
            let _ = group.set("memory.swap.max", "0"); // not every kernel counts swapping
        } else {
            let _ = group.set("memory.oom_control", "0"); // ends, and does not wait: a group inherits what is set above
            group.set("memory.limit_in_bytes", &memory)?;
            let _ = group.set("memory.memsw.limit_in_bytes", &memory); // the same
        }
        let processes = group.0.paths().last().map(|folder| folder.join("pids.max"));
        fs::write(processes.unwrap_or_default(), (tasks + NEIGHBOURS).to_string())?;
        Ok(group)
    }

    /// Whether it is a group of cgroup v2.
    fn is_unified(&self) -> bool {
        let above = self.memory().parent();
        above.is_some_and(|above| above.join("cgroup.controllers").exists())
    }

    fn memory(&self) -> &Path {
        &self.0.paths()[0]
    }

    fn set(&self, file: &str, value: &str) -> io::Result<()> {
        fs::write(self.memory().join(file), value)
    }

    /// Its folders, one a hierarchy.
    pub fn folders(&self) -> &[PathBuf] {
        self.0.paths()
    }

    /// Moves the calling process into a group.
    pub fn enter(folders: &[PathBuf]) -> io::Result<()> {
        folders.iter().try_for_each(|folder| enter(folder))
    }

    /// Whether the kernel ends only one process of those that have too much memory together, as cgroup v1 does, so that
    /// the others have to be ended when that is seen.
    pub fn ends_one_process(&self) -> bool {
        !self.is_unified()
    }

    /// The most memory that the bot had, if the kernel ended a process of it for that.
    pub fn over_memory(&self) -> Option<u64> {
        let read = |file: &str| fs::read_to_string(self.memory().join(file)).ok();
        let some = |file: &str, name: &str| {
            let told =
                |text: String| text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
            read(file).and_then(told).is_some_and(|count: u64| count > 0)
        };
        // It met its own limit, and was killed: kills alone are also those of the whole machine.
        let (over, peak) = if self.is_unified() {
            let over = some("memory.events", "oom ") && some("memory.events", "oom_kill ");
            (over, read("memory.peak").or_else(|| read("memory.max"))?)
        } else {
            // `memory.failcnt` would say whether it met its limit; some kernels let it stand at 0.
            let number = |file| read(file)?.trim().parse::<u64>().ok();
            let met = number("memory.max_usage_in_bytes") >= number("memory.limit_in_bytes").map(nearly);
            (met && some("memory.oom_control", "oom_kill "), read("memory.max_usage_in_bytes")?)
        };
        over.then(|| peak.trim().parse().ok())?
    }
}

/// What a process has at least that the kernel ends for wanting more than a limit: it may have wanted several pages.
fn nearly(limit: u64) -> u64 {
    limit - limit / 16
}

fn is_in_memory(folder: &Path) -> bool {
    rustix::fs::statfs(folder).is_ok_and(|system| system.f_type == 0x0102_1994) // tmpfs: statfs(2)
}

#[cfg(test)]
mod tests;
