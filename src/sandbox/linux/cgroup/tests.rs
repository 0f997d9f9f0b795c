//! Plain folders in the place of the kernel's show what is written where, and what is concluded from what is read.
#![cfg(test)]

use super::*;
use crate::game::Sandbox;

fn policy(groups: Vec<PathBuf>) -> Policy {
    let mut policy = Policy::new(Sandbox::Strict);
    (policy.memory, policy.processes, policy.threads) = (1 << 20, 2, 10);
    (policy.groups, policy.scratch) = (groups, "/proc".into());
    policy
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn the_second_version_is_told_limits_and_tells_events() {
    let place = tempfile::tempdir().unwrap();
    let groups = Groups::at(&Place::Open(place.path().to_owned())).unwrap();
    let [run] = groups.folders() else { panic!("{groups:?}") };
    assert_eq!(read(run, "cgroup.subtree_control"), "+memory +pids");
    assert!(!place.path().join("cgroup.subtree_control").exists(), "nothing is changed there");
    fs::write(run.join("cgroup.controllers"), "memory pids").unwrap();
    let group = Group::of(&policy(groups.folders().to_owned())).unwrap();
    let [folder] = group.folders() else { panic!() };
    assert!(folder.starts_with(run));
    let set = ["memory.max", "memory.swap.max", "memory.oom.group", "pids.max"];
    assert_eq!(set.map(|file| read(folder, file)), ["1048576", "0", "1", "74"]);
    Group::enter(group.folders()).unwrap();
    assert_eq!(read(folder, "cgroup.procs"), "0");
    assert!(!group.ends_one_process());
    assert_eq!(group.over_memory(), None);
    let events = |oom, killed| {
        let text = format!("low 0\nhigh 0\nmax 5\noom {oom}\noom_kill {killed}\noom_group_kill 0\n");
        fs::write(folder.join("memory.events"), text).unwrap();
    };
    events(1, 0);
    assert_eq!(group.over_memory(), None);
    events(0, 1);
    assert_eq!(group.over_memory(), None, "the machine was out of memory, not the bot over its limit");
    events(1, 1);
    assert_eq!(group.over_memory(), Some(1 << 20));
    fs::write(folder.join("memory.peak"), "1052672\n").unwrap();
    assert_eq!(group.over_memory(), Some(1_052_672));
}

#[test]
fn the_first_version_is_told_limits_and_tells_events() {
    let (memory, pids) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let place = Place::Split(vec![memory.path().to_owned(), pids.path().to_owned()]);
    let groups = Groups::at(&place).unwrap();
    let [one, two] = groups.folders() else { panic!("{groups:?}") };
    assert!(one.starts_with(&memory) && two.starts_with(&pids));
    assert_eq!(fs::read_dir(one).unwrap().count(), 0, "controllers need not be handed on");
    let mut policy = policy(groups.folders().to_owned());
    policy.namespaces = Namespaces::All;
    let group = Group::of(&policy).unwrap();
    let [folder, processes] = group.folders() else { panic!() };
    let most = ((1 << 20) + policy.room().bytes).to_string();
    let set = ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"];
    assert_eq!(set.map(|file| read(folder, file)), [&*most, &*most, "0"]);
    assert_eq!(read(processes, "pids.max"), "74");
    Group::enter(group.folders()).unwrap();
    assert_eq!([folder, processes].map(|folder| read(folder, "cgroup.procs")), ["0", "0"]);
    assert!(group.ends_one_process());
    assert_eq!(group.over_memory(), None);
    let write = |file: &str, text: &str| fs::write(folder.join(file), text).unwrap();
    let peak = (policy.memory + policy.room().bytes) - 4096;
    write("memory.max_usage_in_bytes", &format!("{}\n", peak / 2));
    write("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
    assert_eq!(group.over_memory(), None, "the machine was out of memory, not the bot over its limit");
    write("memory.max_usage_in_bytes", &format!("{peak}\n"));
    assert_eq!(group.over_memory(), Some(peak));
    write("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
    assert_eq!(group.over_memory(), None, "the limit was met, and something could be dropped");
}

#[test]
fn what_is_switched_on_is_switched_off_unless_others_need_it() {
    let place = tempfile::tempdir().unwrap();
    let control = || read(place.path(), "cgroup.subtree_control");
    fs::write(place.path().join("cgroup.subtree_control"), "cpu pids\n").unwrap();
    let groups = Groups::at(&Place::Root(place.path().to_owned())).unwrap();
    assert_eq!(control(), "+memory", "the other is on already");
    let another = place.path().join("another");
    fs::create_dir(&another).unwrap();
    fs::write(another.join("memory.max"), "max\n").unwrap();
    drop(groups);
    assert_eq!(control(), "-memory");
    let groups = Groups::at(&Place::Root(place.path().to_owned())).unwrap();
    fs::write(another.join("memory.max"), "4096\n").unwrap();
    drop(groups);
    assert_eq!(control(), "+memory +pids");
}

#[test]
fn a_group_that_is_this_processs_own_is_left_for_as_long_as_bots_play() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("cgroup.subtree_control"), "\n").unwrap();
    let groups = Groups::at(&Place::Own(place.path().to_owned())).unwrap();
    assert_eq!(read(&groups.folders()[0], "referee/cgroup.procs"), "0");
    assert_eq!(read(place.path(), "cgroup.subtree_control"), "+memory +pids");
    assert!(!place.path().join("cgroup.procs").exists());
    drop(groups);
    assert_eq!(read(place.path(), "cgroup.procs"), "0");
}

#[test]
fn where_nothing_holds_the_limit_no_group_is_taken() {
    let place = tempfile::tempdir().unwrap();
    let groups = Groups::at(&Place::Split(vec![place.path().to_owned()])).unwrap();
    assert!(!groups.hold(Path::new("/bin/true")) && !groups.hold(Path::new("/nonexistent")));
    assert!(Groups::at(&Place::Split(vec![place.path().join("none")])).is_err());
    assert_eq!(fill(std::iter::empty()), ExitCode::FAILURE);
}
