//! Plain folders in the place of control groups show which files are written, and what is concluded
//! from those that are read.
#![cfg(test)]

use super::*;
use arbiter_game::Sandbox;

fn policy(groups: Vec<PathBuf>) -> Policy {
    let mut policy = Policy::new(Sandbox::Strict);
    (policy.memory, policy.processes, policy.threads) = (1 << 20, 2, 10);
    (policy.cgroups, policy.scratch) = (groups, "/proc".into());
    policy
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn cgroup_v2_gets_limits_and_reports_kills() {
    let parent = tempfile::tempdir().unwrap();
    let groups = Cgroups::make_in(&CgroupParent::Enabled(parent.path().to_owned())).unwrap();
    let [run] = groups.folders() else { panic!("{groups:?}") };
    assert_eq!(read(run, "cgroup.subtree_control"), "+memory +pids");
    assert!(!parent.path().join("cgroup.subtree_control").exists(), "the parent is not changed");
    fs::write(run.join("cgroup.controllers"), "memory pids").unwrap();
    let group = Cgroup::for_bot(&policy(groups.folders().to_owned())).unwrap();
    let [folder] = group.folders() else { panic!() };
    assert!(folder.starts_with(run));
    let set = ["memory.max", "memory.swap.max", "memory.oom.group", "pids.max"];
    assert_eq!(set.map(|file| read(folder, file)), ["1048576", "0", "1", "74"]);
    Cgroup::enter(group.folders()).unwrap();
    assert_eq!(read(folder, "cgroup.procs"), "0");
    assert!(!group.kills_one_process());
    assert_eq!(group.over_memory(), None);
    let events = |oom, killed| {
        let text =
            format!("low 0\nhigh 0\nmax 5\noom {oom}\noom_kill {killed}\noom_group_kill 0\n");
        fs::write(folder.join("memory.events"), text).unwrap();
    };
    events(1, 0);
    assert_eq!(group.over_memory(), None);
    events(0, 1);
    assert_eq!(
        group.over_memory(),
        None,
        "the machine was out of memory, not the bot over its limit"
    );
    events(1, 1);
    assert_eq!(group.over_memory(), Some(1 << 20));
    fs::write(folder.join("memory.peak"), "1052672\n").unwrap();
    assert_eq!(group.over_memory(), Some(1_052_672));
}

#[test]
fn cgroup_v1_gets_limits_and_reports_kills() {
    let (memory, pids) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let parent = CgroupParent::V1(vec![memory.path().to_owned(), pids.path().to_owned()]);
    let groups = Cgroups::make_in(&parent).unwrap();
    let [one, two] = groups.folders() else { panic!("{groups:?}") };
    assert!(one.starts_with(&memory) && two.starts_with(&pids));
    assert_eq!(fs::read_dir(one).unwrap().count(), 0, "nothing has to be enabled");
    let mut policy = policy(groups.folders().to_owned());
    policy.namespaces = Namespaces::All;
    let group = Cgroup::for_bot(&policy).unwrap();
    let [folder, processes] = group.folders() else { panic!() };
    let most = ((1 << 20) + policy.scratch_limit().bytes).to_string();
    let set = ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"];
    assert_eq!(set.map(|file| read(folder, file)), [&*most, &*most, "0"]);
    assert_eq!(read(processes, "pids.max"), "74");
    Cgroup::enter(group.folders()).unwrap();
    assert_eq!([folder, processes].map(|folder| read(folder, "cgroup.procs")), ["0", "0"]);
    assert!(group.kills_one_process());
    assert_eq!(group.over_memory(), None);
    let write = |file: &str, text: &str| fs::write(folder.join(file), text).unwrap();
    let peak = (policy.memory + policy.scratch_limit().bytes) - 4096;
    write("memory.max_usage_in_bytes", &format!("{}\n", peak / 2));
    write("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
    assert_eq!(
        group.over_memory(),
        None,
        "the machine was out of memory, not the bot over its limit"
    );
    write("memory.max_usage_in_bytes", &format!("{peak}\n"));
    assert_eq!(group.over_memory(), Some(peak));
    write("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
    assert_eq!(group.over_memory(), None, "the limit was met, and memory could be reclaimed");
}

#[test]
fn controllers_are_disabled_again_unless_others_need_them() {
    let parent = tempfile::tempdir().unwrap();
    let control = || read(parent.path(), "cgroup.subtree_control");
    fs::write(parent.path().join("cgroup.subtree_control"), "cpu pids\n").unwrap();
    let groups = Cgroups::make_in(&CgroupParent::Root(parent.path().to_owned())).unwrap();
    assert_eq!(control(), "+memory", "the other is enabled already");
    let another = parent.path().join("another");
    fs::create_dir(&another).unwrap();
    fs::write(another.join("memory.max"), "max\n").unwrap();
    drop(groups);
    assert_eq!(control(), "-memory");
    let beside_limited = Cgroups::make_in(&CgroupParent::Root(parent.path().to_owned())).unwrap();
    fs::write(another.join("memory.max"), "4096\n").unwrap();
    drop(beside_limited);
    assert_eq!(control(), "+memory +pids");
}

#[test]
fn the_own_group_is_left_while_bots_play() {
    let parent = tempfile::tempdir().unwrap();
    fs::write(parent.path().join("cgroup.subtree_control"), "\n").unwrap();
    let groups = Cgroups::make_in(&CgroupParent::Own(parent.path().to_owned())).unwrap();
    assert_eq!(read(&groups.folders()[0], "referee/cgroup.procs"), "0");
    assert_eq!(read(parent.path(), "cgroup.subtree_control"), "+memory +pids");
    assert!(!parent.path().join("cgroup.procs").exists());
    drop(groups);
    assert_eq!(read(parent.path(), "cgroup.procs"), "0");
}

#[test]
fn a_parent_without_limits_is_not_used() {
    let parent = tempfile::tempdir().unwrap();
    let groups = Cgroups::make_in(&CgroupParent::V1(vec![parent.path().to_owned()])).unwrap();
    assert!(
        !groups.limits_memory(Path::new("/bin/true"))
            && !groups.limits_memory(Path::new("/nonexistent"))
    );
    assert!(Cgroups::make_in(&CgroupParent::V1(vec![parent.path().join("none")])).is_err());
    assert_eq!(fill_memory(std::iter::empty()), ExitCode::FAILURE);
}
