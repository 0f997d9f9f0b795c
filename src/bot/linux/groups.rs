//! Control groups (cgroup v2), where one was delegated to whoever runs arbiter: there the kernel holds the memory and the
//! processes of a bot to their limits, whatever it starts (cgroups(7); kernel documentation, "Control Group v2").
//!
//! A group that has groups below it holds no processes itself, so this process moves into one of its own beside those of
//! its bots, and back at the end.

use crate::bot::{Namespaces, Policy};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Controllers without which a group is of no use here.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];
/// More processes and threads than are allowed may come into being before the referee sees it.
const NEIGHBOURS: u64 = 64;

/// A delegated group, below which each bot gets one.
#[derive(Debug)]
pub struct Groups {
    folder: PathBuf,
    /// Where this process is meanwhile.
    own: PathBuf,
    /// The controllers that were switched on for the groups below.
    added: Vec<&'static str>,
}

impl Groups {
    /// Takes over the group that this process is in; none if it was not delegated, lacks a controller, or holds other
    /// processes.
    #[must_use]
    pub fn take() -> Option<Groups> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        Groups::take_at(&of_this_process(&mounts, &groups)?).ok()
    }

    fn take_at(folder: &Path) -> io::Result<Groups> {
        if !folder.join("cgroup.type").exists() {
            return Err(io::ErrorKind::Unsupported.into()); // the root of all: nobody delegated it
        }
        let offered = fs::read_to_string(folder.join("cgroup.controllers"))?;
        let offers = |name: &&str| offered.split_ascii_whitespace().any(|offered| offered == *name);
        if !CONTROLLERS.iter().all(offers) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let own = folder.join(format!("arbiter-{}", std::process::id()));
        fs::create_dir(&own)?;
        let before = fs::read_to_string(folder.join("cgroup.subtree_control"))?;
        let added =
            CONTROLLERS.into_iter().filter(|name| !before.split_ascii_whitespace().any(|on| on == *name));
        let groups = Groups { folder: folder.to_owned(), own, added: added.collect() };
        // From here on dropping it undoes what was done.
        fs::write(groups.own.join("cgroup.procs"), "0")?;
        groups.switch('+')?;
        Ok(groups)
    }

    fn switch(&self, sign: char) -> io::Result<()> {
        let words: Vec<String> = self.added.iter().map(|name| format!("{sign}{name}")).collect();
        fs::write(self.folder.join("cgroup.subtree_control"), words.join(" "))
    }

    /// Where the groups of bots are made.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        // Whoever delegated the group removes it with all below; nothing depends on this.
        let _ = self.switch('-');
        let _ = fs::write(self.folder.join("cgroup.procs"), "0");
        let _ = fs::remove_dir(&self.own);
    }
}

/// The folder of the group that a process is in, from its `mountinfo` and its `cgroup` (proc(5)).
fn of_this_process(mounts: &str, groups: &str) -> Option<PathBuf> {
    let group = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|line| {
        let (mount, rest) = line.split_once(" - ")?;
        let mut fields = mount.split(' ').skip(3);
        let (root, place) = (fields.next()?, fields.next()?);
        let below = Path::new(group).strip_prefix(root).ok().filter(|_| rest.starts_with("cgroup2 "))?;
        Some(Path::new(place).join(below))
    })
}

/// The group of one bot; it goes with it.
pub(in crate::bot) struct Group(PathBuf);

impl Group {
    /// Makes one for a bot of this policy.
    pub fn make(folder: &Path, policy: &Policy) -> io::Result<Group> {
        let group = Group(folder.join(format!("bot-{}", std::process::id())));
        let _ = fs::remove_dir(&group.0); // of a warden that was killed and had the same number
        fs::create_dir(&group.0)?;
        let set = |file: &str, value: String| fs::write(group.0.join(file), value);
        // What it puts into a scratch folder in memory counts as its memory.
        let in_memory = policy.namespaces != Namespaces::None;
        let scratch = if in_memory { policy.room().bytes } else { 0 };
        set("memory.max", (policy.memory_wall() + scratch).to_string())?;
        set("memory.oom.group", "1".to_owned())?;
        let _ = set("memory.swap.max", "0".to_owned()); // not every kernel counts swapping
        set("pids.max", (policy.tasks_wall() + NEIGHBOURS).to_string())?;
        Ok(group)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Moves the calling process into a group.
    pub fn enter(group: &Path) -> io::Result<()> {
        fs::write(group.join("cgroup.procs"), "0")
    }

    /// The most memory that the bot had, if the kernel ended it for that.
    pub fn over_memory(&self) -> Option<u64> {
        let read = |file: &str| fs::read_to_string(self.0.join(file)).ok();
        let events = read("memory.events")?;
        // It met its own limit, and was killed: kills alone are also those of the whole machine.
        let has = |name: &str| {
            events.lines().find_map(|line| line.strip_prefix(name)).is_some_and(|count| count.trim() != "0")
        };
        let peak = read("memory.peak").or_else(|| read("memory.max"))?;
        (has("oom ") && has("oom_kill ")).then(|| peak.trim().parse().ok())?
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0); // it is empty by now; see `Groups`
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::Sandbox;

    #[test]
    fn the_group_of_a_process_is_found_wherever_it_is_mounted() {
        let mounts = "24 1 0:22 / /sys rw - sysfs sysfs rw\n\
                      30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
        let found = |mounts, groups| of_this_process(mounts, groups).map(|path| path.display().to_string());
        assert_eq!(found(mounts, "0::/user.slice/a.scope\n").unwrap(), "/sys/fs/cgroup/user.slice/a.scope");
        let mixed = "31 24 0:27 /docker/x /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let groups = "4:memory:/x\n0::/docker/x/y\n";
        assert_eq!(found(mixed, groups).unwrap(), "/sys/fs/cgroup/unified/y");
        assert_eq!(found(mixed, "0::/elsewhere\n"), None);
        assert_eq!(found(mounts, "4:memory:/x\n"), None);
        assert_eq!(found("24 1 0:22 / /sys rw - sysfs sysfs rw\n", "0::/\n"), None);
    }

    /// Plain folders in the place of the kernel's show what is written where.
    #[test]
    fn limits_are_written_and_events_are_read() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Groups::take_at(folder.path()).is_err(), "no controllers");
        for (file, text) in [
            ("cgroup.controllers", "cpu memory pids\n"),
            ("cgroup.subtree_control", "cpu\n"),
            ("cgroup.type", ""),
        ] {
            fs::write(folder.path().join(file), text).unwrap();
        }
        let groups = Groups::take_at(folder.path()).unwrap();
        let enabled = fs::read_to_string(folder.path().join("cgroup.subtree_control")).unwrap();
        assert_eq!(enabled, "+memory +pids");
        let mut policy = Policy::new(Sandbox::Strict);
        (policy.memory, policy.processes, policy.threads) = (1 << 20, 2, 10);
        let group = Group::make(groups.folder(), &policy).unwrap();
        let read = |file: &str| fs::read_to_string(group.path().join(file)).unwrap();
        assert_eq!((&*read("memory.max"), &*read("pids.max")), ("1048576", "74"));
        Group::enter(group.path()).unwrap();
        assert_eq!(read("cgroup.procs"), "0");
        assert_eq!(group.over_memory(), None);
        let events = |oom, killed| {
            let text = format!("low 0\nhigh 0\nmax 5\noom {oom}\noom_kill {killed}\noom_group_kill 0\n");
            fs::write(group.path().join("memory.events"), text).unwrap();
        };
        events(1, 0);
        assert_eq!(group.over_memory(), None);
        events(0, 1);
        assert_eq!(group.over_memory(), None, "the machine was out of memory, not the bot over its limit");
        events(1, 1);
        assert_eq!(group.over_memory(), Some(1 << 20));
    }
}
