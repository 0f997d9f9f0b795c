//! How to improve isolation and fairness on a machine with Linux.

use super::is_root;
use crate::sandbox::{Isolation, Namespaces};
use rustix::fs::{FsWord, statfs};
use std::fs;
use std::path::Path;

/// Advice for this machine, from the isolation under `strict` and from settings of the kernel.
pub fn advice(strict: &Isolation) -> Vec<String> {
    let mut advice: Vec<String> = Vec::new();
    let release = read("/proc/sys/kernel/osrelease");
    let is_windows_file = statfs(".").is_ok_and(|system| system.f_type == V9FS_MAGIC);
    advice.extend(on_windows(&release, is_windows_file).map(str::to_owned));
    if !is_refused(strict, "read another's file") {
        let security = read("/sys/kernel/security/lsm");
        let how = if security.is_empty() || security.contains("landlock") {
            "use Linux 5.13 or later, built with Landlock"
        } else {
            "add landlock to the kernel's `lsm=` parameter"
        };
        advice.push(format!("bots can read your files: {how}"));
    }
    if !is_refused(strict, "start a process") {
        advice.push("bots can start processes: use Linux on x86_64 or aarch64 with seccomp".into());
    }
    if strict.uid == 0 {
        advice.push("bots stay root, without capabilities: run arbiter as an ordinary user".into());
    }
    if read("/proc/sys/kernel/yama/ptrace_scope") == "0" {
        let what = "other programs of yours can look into bots: sysctl kernel.yama.ptrace_scope=1";
        advice.push(what.to_owned());
    }
    let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if !matches!(&*governor, "" | "performance") {
        advice.push(format!(
            "the processor's governor is {governor}: with `performance` thinking times vary less"
        ));
    }
    match strict.namespaces {
        Namespaces::None => advice.push(format!(
            "bots see the names, sizes and times of files that they cannot read, because there \
             are no namespaces: {}",
            how_to_get_namespaces()
        )),
        Namespaces::SharedProc => advice.push(
            "a bot of several processes sees which processes exist, because the container masks \
             parts of /proc, so that bots cannot have a /proc of their own: \
             docker run --security-opt systempaths=unconfined"
                .to_owned(),
        ),
        Namespaces::All => {}
    }
    if !strict.has_cgroup {
        advice.push(format!(
            "a bot's memory is watched and not limited by the kernel: {}",
            how_to_get_cgroups()
        ));
    }
    advice
}

/// The value of a setting of the kernel; empty if there is none.
fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

fn is_refused(strict: &Isolation, name: &str) -> bool {
    strict.probes.iter().any(|probe| probe.name == name && !probe.open)
}

/// How the user gets namespaces.
fn how_to_get_namespaces() -> &'static str {
    if read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1" {
        "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
    } else if read("/proc/sys/kernel/unprivileged_userns_clone") == "0" {
        "sudo sysctl kernel.unprivileged_userns_clone=1"
    } else if read("/proc/sys/user/max_user_namespaces") == "0" {
        "sudo sysctl user.max_user_namespaces=15000"
    } else {
        "in a container, let it make user namespaces"
    }
}

/// `f_type` of the files of Windows in WSL2, which come by the protocol 9P; magic.h of the kernel.
const V9FS_MAGIC: FsWord = 0x0102_1997;

/// Advice for Linux on Windows, from the name of the kernel and from the file system of the working
/// folder.
fn on_windows(release: &str, is_windows_file: bool) -> Option<&'static str> {
    // "4.4.0-19041-Microsoft" is WSL1, "6.6.87.2-microsoft-standard-WSL2" is WSL2.
    if release.contains("Microsoft") {
        return Some(
            "this is WSL1, where strict does not exist: in PowerShell, \
             `wsl --set-version Ubuntu 2` (the name is in `wsl --list`)",
        );
    }
    if release.contains("microsoft") && is_windows_file {
        return Some(
            "this folder is on a disk of Windows, which is slow from WSL2: \
             keep bots and results in your Linux home (cd ~)",
        );
    }
    None
}

/// How the user gets control groups with the memory controller.
fn how_to_get_cgroups() -> &'static str {
    if Path::new("/run/systemd/system").exists() {
        return if is_root() {
            "systemd-run --scope -p Delegate=yes arbiter …"
        } else {
            "systemd-run --user --scope -p Delegate=yes arbiter …"
        };
    }
    if read("/proc/sys/kernel/osrelease").contains("microsoft") {
        return "let WSL2 start systemd: `[boot] systemd=true` in /etc/wsl.conf, \
                then `wsl --shutdown` in PowerShell";
    }
    let mounts = read("/proc/self/mountinfo");
    if !mounts.contains(" - cgroup2 ") && !mounts.contains(" - cgroup ") {
        return "mount cgroup2 at /sys/fs/cgroup, in a container read-write";
    }
    let controllers = read("/proc/cgroups");
    let mut lines = controllers.lines();
    if !lines.any(|line| line.starts_with("memory\t") && line.ends_with("\t1")) {
        return "the kernel has no memory controller: remove cgroup_disable=memory from its \
                parameters, or add cgroup_enable=memory";
    }
    if is_root() {
        "let control groups be made in /sys/fs/cgroup: in a container it has to be mounted \
         read-write"
    } else {
        "start arbiter as root, or in a control group that root has given to your user \
         (cgroups(7), Delegation)"
    }
}

#[cfg(test)]
mod tests {
    use super::on_windows;

    #[test]
    fn wsl_is_told_from_its_kernels_name() {
        let says = |release, is_windows_file, words: &str| {
            on_windows(release, is_windows_file).is_some_and(|advice| advice.contains(words))
        };
        assert!(says("4.4.0-19041-Microsoft\n", false, "wsl --set-version"));
        assert!(says("6.6.87.2-microsoft-standard-WSL2\n", true, "cd ~"));
        assert_eq!(on_windows("6.6.87.2-microsoft-standard-WSL2\n", false), None);
        assert_eq!(on_windows("6.12.0-generic\n", true), None);
    }
}
