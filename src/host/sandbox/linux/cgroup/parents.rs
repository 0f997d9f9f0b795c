//! The groups in which this process may make control groups, found from its mounts and its own
//! group (cgroups(7), proc(5)).

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// The controllers that a bot's group needs.
pub(super) const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// A group in which a group for the run may be made, if the kernel permits it to this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CgroupParent {
    /// In cgroup v2: a group whose controllers are enabled for the groups in it.
    Enabled(PathBuf),
    /// In cgroup v2: the group of this process, which is the only one in it. The process has to
    /// leave the group before its controllers can be enabled, because that is refused for a group
    /// with processes.
    Own(PathBuf),
    /// In cgroup v2: the root group, which may have processes and enabled controllers.
    Root(PathBuf),
    /// In cgroup v1: the groups of this process, the first for memory and the last for processes;
    /// between them its group in cgroup v2, if that is mounted as well.
    V1(Vec<PathBuf>),
}

/// How long groups that this process is in were not let run because they had used up their
/// processor time, since they were made (`cpu.stat`). Zero where nothing limits that.
pub fn throttled() -> Duration {
    let mounts = read("/proc/self/mountinfo");
    let groups = read("/proc/self/cgroup");
    let mut throttled = Duration::ZERO;
    for hierarchy in [find_v2(&mounts, &groups), find_v1(&mounts, &groups, "cpu")] {
        for folder in hierarchy.iter().flat_map(Hierarchy::groups) {
            throttled += throttled_in(&read(folder.join("cpu.stat")));
        }
    }
    throttled
}

/// The same in a file `cpu.stat`.
fn throttled_in(stat: &str) -> Duration {
    for line in stat.lines() {
        match line.split_once(' ') {
            // In cgroup v2.
            Some(("throttled_usec", time)) => {
                return Duration::from_micros(time.parse().unwrap_or_default());
            }
            // In cgroup v1.
            Some(("throttled_time", time)) => {
                return Duration::from_nanos(time.parse().unwrap_or_default());
            }
            _ => {}
        }
    }
    Duration::ZERO
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// The possible parents, best first: those where nothing has to be changed before the others, and
/// cgroup v2 before v1.
pub(super) fn cgroup_parents() -> Vec<CgroupParent> {
    let mounts = read("/proc/self/mountinfo");
    let groups = read("/proc/self/cgroup");
    let mut parents = Vec::new();
    if let Some(found) = find_v2(&mounts, &groups) {
        parents.extend(v2_parents(&found));
    }
    parents.extend(v1_parents(&mounts, &groups));
    parents
}

fn v2_parents(hierarchy: &Hierarchy) -> Vec<CgroupParent> {
    let mut parents = Vec::new();
    for folder in hierarchy.groups() {
        if has_all(folder, "cgroup.subtree_control") {
            parents.push(CgroupParent::Enabled(folder.to_owned()));
        }
    }
    // Only the root group has no type.
    let Hierarchy { mount, own } = hierarchy;
    let own_is_root = !own.join("cgroup.type").exists();
    if has_all(own, "cgroup.controllers") && !own_is_root && is_alone(own) {
        parents.push(CgroupParent::Own(own.clone()));
    }
    let mount_is_root = !mount.join("cgroup.type").exists();
    if has_all(mount, "cgroup.controllers") && mount_is_root {
        parents.push(CgroupParent::Root(mount.clone()));
    }
    parents
}

/// The controllers that a file of a group does not list.
pub(super) fn missing_controllers(folder: &Path, file: &str) -> Vec<&'static str> {
    let words = read(folder.join(file));
    let mut missing = CONTROLLERS.to_vec();
    missing.retain(|name| !words.split_ascii_whitespace().any(|word| word == *name));
    missing
}

fn has_all(folder: &Path, file: &str) -> bool {
    missing_controllers(folder, file).is_empty()
}

/// Whether this process is the only one in a group.
fn is_alone(folder: &Path) -> bool {
    let own = std::process::id().to_string();
    fs::read_to_string(folder.join("cgroup.procs")).is_ok_and(|processes| processes.trim() == own)
}

/// A hierarchy of control groups.
#[derive(Debug, PartialEq, Eq)]
struct Hierarchy {
    /// Where it is mounted.
    mount: PathBuf,
    /// The folder of the group of this process.
    own: PathBuf,
}

impl Hierarchy {
    /// The folders of the group of this process and of those above it, as far as they are mounted.
    fn groups(&self) -> impl Iterator<Item = &Path> {
        self.own.ancestors().take_while(|folder| folder.starts_with(&self.mount))
    }
}

/// The hierarchy of cgroup v2.
fn find_v2(mounts: &str, groups: &str) -> Option<Hierarchy> {
    let group = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    find_mounted(mounts, group, |kind, _| kind == "cgroup2")
}

fn v1_parents(mounts: &str, groups: &str) -> Vec<CgroupParent> {
    let Some(own) = v1_groups(mounts, groups) else { return Vec::new() };
    let mut parents = Vec::new();
    if let [memory, processes] = &own[..]
        && let Some(v2) = find_v2(mounts, groups)
    {
        parents.push(CgroupParent::V1(vec![memory.clone(), v2.own, processes.clone()]));
    }
    parents.push(CgroupParent::V1(own));
    parents
}

/// The hierarchy of a controller of cgroup v1.
fn find_v1(mounts: &str, groups: &str, controller: &str) -> Option<Hierarchy> {
    for line in groups.lines() {
        // proc_pid_cgroup(5): NUMBER:CONTROLLERS:GROUP
        let mut fields = line.splitn(3, ':').skip(1);
        if let (Some(names), Some(group)) = (fields.next(), fields.next())
            && has_word(names, controller)
        {
            return find_mounted(mounts, group, |kind, options| {
                kind == "cgroup" && has_word(options, controller)
            });
        }
    }
    None
}

/// Whether a list with commas has a word.
fn has_word(words: &str, word: &str) -> bool {
    words.split(',').any(|listed| listed == word)
}

/// The groups of this process with the controllers of cgroup v1; `None` if one is not mounted.
fn v1_groups(mounts: &str, groups: &str) -> Option<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for controller in CONTROLLERS {
        folders.push(find_v1(mounts, groups, controller)?.own);
    }
    folders.dedup(); // one hierarchy may have both
    Some(folders)
}

/// Finds a mount by its type and options, and the folder of `group` in it.
fn find_mounted(
    mounts: &str,
    group: &str,
    wanted: impl Fn(&str, &str) -> bool,
) -> Option<Hierarchy> {
    mounts.lines().find_map(|line| in_mount(line, group, &wanted))
}

/// The same by one line of the mounts (proc(5)): ID PARENT DEVICE ROOT PLACE … - TYPE SOURCE
/// OPTIONS.
fn in_mount(line: &str, group: &str, wanted: impl Fn(&str, &str) -> bool) -> Option<Hierarchy> {
    let (mount, rest) = line.split_once(" - ")?;
    let mut kind = rest.split(' ');
    if !wanted(kind.next()?, kind.next_back()?) {
        return None;
    }
    let mut fields = mount.split(' ').skip(3);
    let root = fields.next()?;
    let place = Path::new(fields.next()?);
    let below = Path::new(group).strip_prefix(root).ok()?;
    // The kernel writes `/../..` for a group outside of what is mounted here.
    if !below.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    Some(Hierarchy { mount: place.to_owned(), own: place.join(below).components().collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice;

    const UNIFIED: &str = "24 1 0:22 / /sys rw - sysfs sysfs rw\n\
                           30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
    const SPLIT: &str = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n\
                         35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
                         39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n";

    #[test]
    fn the_group_of_a_process_is_found_wherever_it_is_mounted() {
        let found = |mounts, groups| {
            find_v2(mounts, groups).map(|found| found.own.to_str().unwrap().to_owned())
        };
        assert_eq!(
            found(UNIFIED, "0::/user.slice/a.scope\n").unwrap(),
            "/sys/fs/cgroup/user.slice/a.scope"
        );
        assert_eq!(found(UNIFIED, "0::/\n").unwrap(), "/sys/fs/cgroup");
        let mixed = "31 24 0:27 /docker/x /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        assert_eq!(
            found(mixed, "4:memory:/x\n0::/docker/x/y\n").unwrap(),
            "/sys/fs/cgroup/unified/y"
        );
        for (mounts, groups) in [
            (mixed, "0::/elsewhere\n"),
            (UNIFIED, "4:memory:/x\n"),
            (UNIFIED, "0::/../x\n"),
            ("24 1 0:22 / /sys rw - sysfs sysfs rw\n", "0::/\n"),
        ] {
            assert_eq!(found(mounts, groups), None, "{groups}");
        }
    }

    #[test]
    fn the_time_that_a_group_was_not_let_run_is_read_in_both_versions() {
        let v2 = "usage_usec 100\nnr_periods 5\nnr_throttled 3\nthrottled_usec 2500\n";
        assert_eq!(throttled_in(v2), Duration::from_micros(2500));
        assert_eq!(
            throttled_in("nr_periods 5\nnr_throttled 3\nthrottled_time 7000\n"),
            Duration::from_micros(7)
        );
        assert_eq!(throttled_in("usage_usec 100\n"), Duration::ZERO);
    }

    #[test]
    fn the_two_groups_of_cgroup_v1_are_found() {
        let folders = v1_groups;
        let found = folders(SPLIT, "8:pids:/\n4:memory:/a/b\n0::/\n").unwrap();
        assert_eq!(
            found,
            [Path::new("/sys/fs/cgroup/memory/a/b"), Path::new("/sys/fs/cgroup/pids")]
        );
        let both = "35 31 0:32 / /cgroup rw - cgroup cgroup rw,pids,memory\n";
        assert_eq!(folders(both, "4:memory,pids:/a\n").unwrap(), [Path::new("/cgroup/a")]);
        assert_eq!(folders(SPLIT, "4:memory:/a\n0::/\n"), None, "no group of processes");
        assert_eq!(folders(UNIFIED, "0::/\n"), None);
    }

    #[test]
    fn groups_of_cgroup_v1_have_a_third_folder_where_cgroup_v2_is_mounted() {
        let groups = "8:pids:/\n4:memory:/a\n0::/b\n";
        let [memory, v2, pids] =
            ["memory/a", "unified/b", "pids"].map(|name| Path::new("/sys/fs/cgroup").join(name));
        let without = CgroupParent::V1(vec![memory.clone(), pids.clone()]);
        assert_eq!(v1_parents(SPLIT, groups), slice::from_ref(&without));
        let hybrid =
            format!("{SPLIT}40 31 0:37 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
        assert_eq!(
            v1_parents(&hybrid, groups),
            [CgroupParent::V1(vec![memory, v2, pids]), without]
        );
        assert_eq!(v1_parents(UNIFIED, groups), []);
    }

    #[test]
    fn the_nearest_group_with_enabled_controllers_comes_first() {
        let root = tempfile::tempdir().unwrap();
        let own = root.path().join("slice/scope");
        fs::create_dir_all(&own).unwrap();
        let write = |place: &str, file: &str, text: &str| {
            fs::write(root.path().join(place).join(file), text).unwrap();
        };
        let parents = || v2_parents(&Hierarchy { mount: root.path().to_owned(), own: own.clone() });
        assert_eq!(parents(), []);
        for place in ["", "slice", "slice/scope"] {
            write(place, "cgroup.controllers", "cpu memory pids\n");
        }
        let all = CgroupParent::Root(root.path().to_owned());
        assert_eq!(parents(), slice::from_ref(&all), "only the root group has no type");
        write("slice", "cgroup.type", "domain\n");
        write("slice/scope", "cgroup.type", "domain\n");
        write("slice/scope", "cgroup.procs", &format!("{}\n", std::process::id()));
        assert_eq!(parents(), [CgroupParent::Own(own.clone()), all.clone()]);
        write("slice/scope", "cgroup.procs", &format!("1\n{}\n", std::process::id()));
        assert_eq!(parents(), slice::from_ref(&all), "another process is in it");
        write("slice", "cgroup.subtree_control", "memory\n");
        assert_eq!(parents(), slice::from_ref(&all), "the controller of processes is not enabled");
        write("slice", "cgroup.subtree_control", "cpu memory pids\n");
        write("", "cgroup.subtree_control", "memory pids\n");
        let enabled = |path: &Path| CgroupParent::Enabled(path.to_owned());
        assert_eq!(parents(), [enabled(&root.path().join("slice")), enabled(root.path()), all]);
    }
}
