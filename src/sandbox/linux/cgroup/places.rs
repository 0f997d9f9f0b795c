//! Where this process may make control groups, from what the kernel tells of it (cgroups(7), proc(5)).

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Controllers without which a group is of no use here.
pub(super) const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// A group in which another may be made, if the kernel lets this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// Of cgroup v2, which hands the controllers on to the groups below it.
    Open(PathBuf),
    /// Of cgroup v2: the group that this process is in, alone. It has to leave it before the controllers are handed on,
    /// because a group with processes hands on none.
    Own(PathBuf),
    /// Of cgroup v2: the root of all groups, which may have processes and hand on controllers.
    Root(PathBuf),
    /// Of cgroup v1: the groups of this process, one for memory and one for processes.
    Split(Vec<PathBuf>),
}

/// The places of this process, best first: where nothing has to be changed comes before the rest, and one hierarchy
/// before two.
pub(super) fn places() -> Vec<Place> {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let (mounts, groups) = (read("/proc/self/mountinfo"), read("/proc/self/cgroup"));
    let mut places = Vec::new();
    if let Some(found) = unified(&mounts, &groups) {
        places.extend(of_unified(&found));
    }
    places.extend(split(&mounts, &groups));
    places
}

fn of_unified(Found { mount, own }: &Found) -> Vec<Place> {
    let ways = own.ancestors().take_while(|folder| folder.starts_with(mount));
    let open = ways.filter(|folder| has_all(folder, "cgroup.subtree_control"));
    let mut places: Vec<Place> = open.map(|folder| Place::Open(folder.to_owned())).collect();
    let is_root_of_all = |folder: &Path| !folder.join("cgroup.type").exists();
    if has_all(own, "cgroup.controllers") && !is_root_of_all(own) && is_alone(own) {
        places.push(Place::Own(own.clone()));
    }
    if has_all(mount, "cgroup.controllers") && is_root_of_all(mount) {
        places.push(Place::Root(mount.clone()));
    }
    places
}

/// The controllers that are not among the words of a file of a group.
pub(super) fn lacking(folder: &Path, file: &str) -> Vec<&'static str> {
    let words = fs::read_to_string(folder.join(file)).unwrap_or_default();
    CONTROLLERS.into_iter().filter(|name| !words.split_ascii_whitespace().any(|word| word == *name)).collect()
}

fn has_all(folder: &Path, file: &str) -> bool {
    lacking(folder, file).is_empty()
}

/// Whether a group has no process but this one.
fn is_alone(folder: &Path) -> bool {
    let own = std::process::id().to_string();
    fs::read_to_string(folder.join("cgroup.procs")).is_ok_and(|processes| processes.trim() == own)
}

/// Where a hierarchy is mounted, and the group that this process is in there.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    mount: PathBuf,
    own: PathBuf,
}

fn unified(mounts: &str, groups: &str) -> Option<Found> {
    let group = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    find(mounts, group, |kind, _| kind == "cgroup2")
}

fn split(mounts: &str, groups: &str) -> Option<Place> {
    let of = |controller: &str| {
        let has = |words: &str| words.split(',').any(|word| word == controller);
        let group = groups.lines().find_map(|line| {
            let (names, group) = line.split_once(':')?.1.split_once(':')?;
            has(names).then_some(group)
        })?;
        find(mounts, group, |kind, options| kind == "cgroup" && has(options)).map(|found| found.own)
    };
    let mut folders = CONTROLLERS.into_iter().map(of).collect::<Option<Vec<PathBuf>>>()?;
    folders.dedup(); // one hierarchy may have both
    Some(Place::Split(folders))
}

/// Finds a mount by its type and options, and the group in it.
fn find(mounts: &str, group: &str, wanted: impl Fn(&str, &str) -> bool) -> Option<Found> {
    mounts.lines().find_map(|line| {
        let (mount, rest) = line.split_once(" - ")?;
        let mut kind = rest.split(' ');
        if !wanted(kind.next()?, kind.next_back()?) {
            return None;
        }
        let mut fields = mount.split(' ').skip(3);
        let (root, place) = (fields.next()?, Path::new(fields.next()?));
        let below = Path::new(group).strip_prefix(root).ok()?;
        // A group outside of what is mounted here is told by dots.
        let inside = below.components().all(|part| matches!(part, Component::Normal(_)));
        inside.then(|| Found { mount: place.to_owned(), own: place.join(below).components().collect() })
    })
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
        let found =
            |mounts, groups| unified(mounts, groups).map(|found| found.own.to_str().unwrap().to_owned());
        assert_eq!(found(UNIFIED, "0::/user.slice/a.scope\n").unwrap(), "/sys/fs/cgroup/user.slice/a.scope");
        assert_eq!(found(UNIFIED, "0::/\n").unwrap(), "/sys/fs/cgroup");
        let mixed = "31 24 0:27 /docker/x /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let groups = "4:memory:/x\n0::/docker/x/y\n";
        assert_eq!(found(mixed, groups).unwrap(), "/sys/fs/cgroup/unified/y");
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
    fn the_two_groups_of_the_first_version_are_found() {
        let folders = |mounts, groups| match split(mounts, groups) {
            Some(Place::Split(folders)) => Some(folders),
            _ => None,
        };
        let found = folders(SPLIT, "8:pids:/\n4:memory:/a/b\n0::/\n").unwrap();
        assert_eq!(found, [Path::new("/sys/fs/cgroup/memory/a/b"), Path::new("/sys/fs/cgroup/pids")]);
        let both = "35 31 0:32 / /cgroup rw - cgroup cgroup rw,pids,memory\n";
        assert_eq!(folders(both, "4:memory,pids:/a\n").unwrap(), [Path::new("/cgroup/a")]);
        assert_eq!(folders(SPLIT, "4:memory:/a\n0::/\n"), None, "no group of processes");
        assert_eq!(folders(UNIFIED, "0::/\n"), None);
    }

    #[test]
    fn the_nearest_group_that_hands_controllers_on_comes_first() {
        let root = tempfile::tempdir().unwrap();
        let own = root.path().join("slice/scope");
        fs::create_dir_all(&own).unwrap();
        let write = |place: &str, file: &str, text: &str| {
            fs::write(root.path().join(place).join(file), text).unwrap();
        };
        let places = || of_unified(&Found { mount: root.path().to_owned(), own: own.clone() });
        assert_eq!(places(), []);
        for place in ["", "slice", "slice/scope"] {
            write(place, "cgroup.controllers", "cpu memory pids\n");
        }
        let all = Place::Root(root.path().to_owned());
        assert_eq!(places(), slice::from_ref(&all), "the root has no type");
        write("slice", "cgroup.type", "domain\n");
        write("slice/scope", "cgroup.type", "domain\n");
        write("slice/scope", "cgroup.procs", &format!("{}\n", std::process::id()));
        assert_eq!(places(), [Place::Own(own.clone()), all.clone()]);
        write("slice/scope", "cgroup.procs", &format!("1\n{}\n", std::process::id()));
        assert_eq!(places(), slice::from_ref(&all), "it is not alone");
        write("slice", "cgroup.subtree_control", "memory\n");
        assert_eq!(places(), slice::from_ref(&all), "memory without processes");
        write("slice", "cgroup.subtree_control", "cpu memory pids\n");
        write("", "cgroup.subtree_control", "memory pids\n");
        let open = |path: &Path| Place::Open(path.to_owned());
        assert_eq!(places(), [open(&root.path().join("slice")), open(root.path()), all]);
    }
}
