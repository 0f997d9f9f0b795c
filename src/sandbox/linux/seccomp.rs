//! Seccomp: system calls that no bot needs to play. What is refused fails with an error that programs know how to
//! live with; nothing is killed but programs for another kind of processor.
//!
//! Own-pid rules: a process keeps its number over exec, so the filter can say "signals only to this number". That
//! keeps a bot's signals to itself on every kernel. A bot of several processes has several numbers: there Landlock
//! keeps signals within the bot.

use crate::locate::Purpose;
use crate::sandbox::Policy;
use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;

/// Rules by the number of the system call; without a rule it always matches.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// The network, and what else speaks with other programs.
const SOCKETS: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semctl,
    libc::SYS_semtimedop,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// Other processes.
const PROCESSES: &[i64] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_kcmp,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_setsid,
    libc::SYS_setpgid,
];

/// Doors that lead out of the sandbox, or to what limits do not count.
const EXOTIC: &[i64] = &[
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_userfaultfd,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_syslog,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_vhangup,
    libc::SYS_personality,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_lookup_dcookie,
    libc::SYS_nfsservctl,
    libc::SYS_seccomp,
    libc::SYS_mknodat,
];

/// What Landlock does not cover of files: owner, mode, times, attributes; and locks, by which two processes could talk.
/// A build does without this: compilers mark what they make as a program.
const ATTRIBUTES: &[i64] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_flock,
];

/// What gives a file its mode, and which argument that is. Nothing may make a program that acts as its owner: what a build
/// left behind would be the organiser's for every account of the machine. (The same bit for the group stays allowed:
/// folders of a course have it, and what is copied or unpacked in them. `mknod` is refused as a whole.)
const MODES: &[(i64, u8)] = &[(libc::SYS_fchmod, 1), (libc::SYS_fchmodat, 2), (FCHMODAT2, 2)];

/// Shortening a file by its name, which Landlock covers from its third version on; who may write a file can do it by a
/// descriptor.
const SHORTENING: &[i64] = &[libc::SYS_truncate];

/// A timer may send any signal, and so let a bot go on that is stopped because it is not on move.
const TIMERS: &[i64] = &[libc::SYS_timer_create];

/// Kernel memory that counts in a control group and nowhere else: pages that only a pipe holds, with each the huge page
/// that it is part of; files that only a list of rules holds.
const HIDDEN_MEMORY: &[i64] =
    &[libc::SYS_vmsplice, libc::SYS_splice, libc::SYS_tee, libc::SYS_landlock_create_ruleset];

/// Calls of newer kernels have the same number on all processors.
const FCHMODAT2: i64 = 452;
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;
const FILE_SETATTR: i64 = 469;

#[cfg(target_arch = "x86_64")]
mod processor {
    use super::{TargetArch, libc};

    pub(super) const ARCH: Option<TargetArch> = Some(TargetArch::x86_64);
    pub(super) const EXOTIC: &[i64] = &[
        libc::SYS_inotify_init,
        libc::SYS_iopl,
        libc::SYS_ioperm,
        libc::SYS_modify_ldt,
        libc::SYS_uselib,
        libc::SYS_mknod,
    ];
    pub(super) const ATTRIBUTES: &[i64] = &[
        libc::SYS_chmod,
        libc::SYS_chown,
        libc::SYS_lchown,
        libc::SYS_utime,
        libc::SYS_utimes,
        libc::SYS_futimesat,
    ];
    pub(super) const FORKS: &[i64] = &[libc::SYS_fork, libc::SYS_vfork];
    /// What opens beside `openat`, and which argument has its flags.
    pub(super) const OPEN: Option<(i64, u8)> = Some((libc::SYS_open, 1));
    pub(super) const MODES: &[(i64, u8)] = &[(libc::SYS_chmod, 1), (libc::SYS_creat, 1)];
    /// Where the numbers of programs with short pointers begin.
    pub(super) const OTHER_NUMBERS: Option<u32> = Some(0x4000_0000);
}

#[cfg(target_arch = "aarch64")]
mod processor {
    use super::TargetArch;

    pub(super) const ARCH: Option<TargetArch> = Some(TargetArch::aarch64);
    pub(super) const EXOTIC: &[i64] = &[];
    pub(super) const ATTRIBUTES: &[i64] = &[];
    pub(super) const FORKS: &[i64] = &[];
    pub(super) const OPEN: Option<(i64, u8)> = None;
    pub(super) const MODES: &[(i64, u8)] = &[];
    pub(super) const OTHER_NUMBERS: Option<u32> = None;
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod processor {
    use super::TargetArch;

    pub(super) const ARCH: Option<TargetArch> = None;
    pub(super) const EXOTIC: &[i64] = &[];
    pub(super) const ATTRIBUTES: &[i64] = &[];
    pub(super) const FORKS: &[i64] = &[];
    pub(super) const OPEN: Option<(i64, u8)> = None;
    pub(super) const MODES: &[(i64, u8)] = &[];
    pub(super) const OTHER_NUMBERS: Option<u32> = None;
}

/// Filters, ready to be put on.
pub(super) struct Calls(Vec<BpfProgram>);

impl Calls {
    /// Makes the filters for this process, which keeps its number when it becomes the bot.
    ///
    /// For processors that the filters do not know there are none, which the canary finds out.
    pub fn new(policy: &Policy) -> io::Result<Calls> {
        let Some(arch) = processor::ARCH else { return Ok(Calls(Vec::new())) };
        let filter = |rules: Rules, errno: i32| {
            let errno = SeccompAction::Errno(errno.unsigned_abs());
            SeccompFilter::new(rules, SeccompAction::Allow, errno, arch)
                .and_then(BpfProgram::try_from)
                .map_err(io::Error::other)
        };
        // These hide their flags behind a pointer; without them libraries use `clone` and `openat`.
        let hidden = [libc::SYS_clone3, libc::SYS_openat2].map(|call| (call, Vec::new()));
        let mut filters = vec![filter(Rules::from(hidden), libc::ENOSYS)?];
        filters.extend(processor::OTHER_NUMBERS.map(without_other_numbers));
        if !policy.forks() {
            filters.push(filter(forks()?, libc::EAGAIN)?);
            filters.push(filter(locks()?, 0)?);
        }
        filters.push(filter(refused(policy)?, libc::EPERM)?); // last: it refuses more filters
        Ok(Calls(filters))
    }

    /// Puts them on.
    pub fn close(&self) -> io::Result<()> {
        self.0.iter().try_for_each(|filter| apply_filter(filter)).map_err(io::Error::other)
    }
}

/// Programs with short pointers (x32) make the same calls by other numbers, from `first` on: those do not exist then, as on
/// most kernels anyway. (Rules for each of them would double what the kernel does at every start of a bot.)
fn without_other_numbers(first: u32) -> BpfProgram {
    const LOAD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS; the number comes first of what can be loaded
    const JUMP: u16 = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    const RETURN: u16 = 0x06; // BPF_RET | BPF_K
    let errno = u32::from(SeccompAction::Errno(libc::ENOSYS.unsigned_abs()));
    vec![
        sock_filter { code: LOAD, jt: 0, jf: 0, k: 0 },
        sock_filter { code: JUMP, jt: 0, jf: 1, k: first },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: errno },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: u32::from(SeccompAction::Allow) },
    ]
}

/// What starts a process; a `clone` that makes a thread is none.
fn forks() -> io::Result<Rules> {
    let process = condition(0, SeccompCmpOp::MaskedEq(bits(libc::CLONE_THREAD)), 0)?;
    let mut rules: Rules = processor::FORKS.iter().map(|&call| (call, Vec::new())).collect();
    rules.insert(libc::SYS_clone, vec![rule(vec![process])?]);
    Ok(rules)
}

/// Locks of parts of a file, by which two bots could talk: one for reading can be taken on any file that both may read, and
/// is seen by the other. For a bot of one process they succeed without being taken, as they would if it were alone:
/// databases do not open without them.
fn locks() -> io::Result<Rules> {
    let lock = |&how: &i32| rule(vec![condition(1, SeccompCmpOp::Eq, bits(how))?]);
    Ok(Rules::from([(libc::SYS_fcntl, LOCKS.iter().map(lock).collect::<io::Result<_>>()?)]))
}

const LOCKS: [i32; 4] = [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW];

fn refused(policy: &Policy) -> io::Result<Rules> {
    let mut rules: Rules = [SOCKETS, PROCESSES, EXOTIC, processor::EXOTIC, SHORTENING]
        .into_iter()
        .flatten()
        .map(|&call| (call, Vec::new()))
        .collect();
    // Of a root that it had to stay, a build could change the mode of too much.
    if policy.purpose == Purpose::Play || super::is_root() {
        let more = ATTRIBUTES.iter().chain(processor::ATTRIBUTES).chain(TIMERS);
        rules.extend(more.map(|&call| (call, Vec::new())));
    } else {
        rules.remove(&libc::SYS_setpgid); // make puts its children into groups
        rules.remove(&libc::SYS_socketpair); // how build tools speak with their own children
    }
    if policy.purpose == Purpose::Play {
        rules.extend(mappings(policy)?);
    }
    if !policy.may_hide_memory() {
        rules.extend(HIDDEN_MEMORY.iter().map(|&call| (call, Vec::new())));
    }
    rules.extend(only_to_itself(policy.forks())?);
    rules.extend(by_argument(policy)?);
    for (call, argument) in [(libc::SYS_openat, 2)].into_iter().chain(processor::OPEN) {
        // The same as shortening by name: opening for reading, and emptying.
        let emptying = u64::from((libc::O_TRUNC | libc::O_ACCMODE).cast_unsigned());
        let read_only = u64::from((libc::O_TRUNC | libc::O_RDONLY).cast_unsigned());
        let emptying = rule(vec![condition(argument, SeccompCmpOp::MaskedEq(emptying), read_only)?])?;
        // Only what makes a file has a mode behind its flags.
        let making = [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY].into_iter().map(bits).map(|bit| {
            rule(vec![condition(argument, SeccompCmpOp::MaskedEq(bit), bit)?, set_uid(argument + 1)?])
        });
        rules.insert(call, [emptying].into_iter().map(Ok).chain(making).collect::<io::Result<_>>()?);
    }
    for &(call, argument) in MODES.iter().chain(processor::MODES) {
        // For those that may change modes at all.
        let refused = || Ok::<_, io::Error>(vec![rule(vec![set_uid(argument)?])?]);
        if let Entry::Vacant(place) = rules.entry(call) {
            place.insert(refused()?);
        }
    }
    let spaces = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let spaces =
        spaces.into_iter().map(bits).map(|bit| rule(vec![condition(0, SeccompCmpOp::MaskedEq(bit), bit)?]));
    // A thread with descriptors of its own would have as many files and pipes again as the limit allows its process.
    let with_files = bits(libc::CLONE_THREAD | libc::CLONE_FILES);
    let without = rule(vec![condition(0, SeccompCmpOp::MaskedEq(with_files), bits(libc::CLONE_THREAD))?]);
    rules.insert(libc::SYS_clone, spaces.chain([without]).collect::<io::Result<_>>()?);
    let unshare = condition(2, SeccompCmpOp::MaskedEq(CLOSE_RANGE_UNSHARE), CLOSE_RANGE_UNSHARE)?;
    rules.insert(libc::SYS_close_range, vec![rule(vec![unshare])?]);
    Ok(rules)
}

/// Has `close_range` give a thread descriptors of its own (close_range(2)).
const CLOSE_RANGE_UNSHARE: u64 = 2;

/// Signals and limits, which take the number of a process: only this one's.
fn only_to_itself(forks: bool) -> io::Result<Rules> {
    let own = u64::from(rustix::process::getpid().as_raw_nonzero().get().unsigned_abs());
    let not_own = || condition(0, SeccompCmpOp::Ne, own);
    let mut rules = Rules::new();
    if !forks {
        let signals = [
            libc::SYS_kill,
            libc::SYS_tgkill,
            libc::SYS_tkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_rt_tgsigqueueinfo,
        ];
        for call in signals {
            rules.insert(call, vec![rule(vec![not_own()?])?]);
        }
    }
    let not_the_caller = condition(0, SeccompCmpOp::Ne, 0)?;
    rules.insert(libc::SYS_prlimit64, vec![rule(vec![not_own()?, not_the_caller])?]);
    Ok(rules)
}

/// Calls of which some uses are refused.
fn by_argument(policy: &Policy) -> io::Result<Rules> {
    let any_of = |argument: u8, values: &[i64]| {
        let equal = |&value: &i64| rule(vec![condition(argument, SeccompCmpOp::Eq, value.unsigned_abs())?]);
        values.iter().map(equal).collect::<io::Result<Vec<_>>>()
    };
    // Pipes may not grow, which would take them from the user's other programs; no signals by way of a descriptor.
    let control = [libc::F_SETPIPE_SZ, libc::F_SETOWN, F_SETOWN_EX, libc::F_SETLEASE, libc::F_NOTIFY];
    // A lock that binds nobody would spoil the files of a bot of several processes. A build needs true ones.
    let locks = if policy.forks() && policy.purpose == Purpose::Play { &LOCKS[..] } else { &[] };
    let control: Vec<i64> = control.iter().chain(locks).map(|&how| i64::from(how)).collect();
    let devices = [i64::from(u32::try_from(libc::TIOCSTI).unwrap_or_default()), TIOCLINUX];
    // To end with its warden, and to be seen by the referee.
    let process = [
        libc::PR_SET_PDEATHSIG,
        libc::PR_SET_DUMPABLE,
        libc::PR_SET_PTRACER,
        libc::PR_SET_MM,
        libc::PR_SET_SECCOMP,
    ];
    Ok(Rules::from([
        (libc::SYS_fcntl, any_of(1, &control)?),
        (libc::SYS_ioctl, any_of(1, &devices)?),
        (libc::SYS_prctl, any_of(0, &process.map(i64::from))?),
    ]))
}

/// Mappings that do not count as memory of the process that made them, and those that limits do not know.
///
/// Shared anonymous memory (`MAP_SHARED_VALIDATE` has the bit of `MAP_SHARED`) stays when a process takes it out of its
/// page tables, and is then in no process. Huge pages are taken from a store that the machine has. A mapping that grows
/// like a stack counts neither as data nor as stack (setrlimit(2)).
fn mappings(policy: &Policy) -> io::Result<Rules> {
    let shared = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
    let shared = (!policy.may_hide_memory()).then_some(shared);
    let refused = [libc::MAP_HUGETLB, libc::MAP_GROWSDOWN].into_iter().chain(shared).map(bits);
    let rules = refused.map(|flags| rule(vec![condition(3, SeccompCmpOp::MaskedEq(flags), flags)?]));
    Ok(Rules::from([(libc::SYS_mmap, rules.collect::<io::Result<_>>()?)]))
}

const F_SETOWN_EX: i32 = 15;
const TIOCLINUX: i64 = 0x541c;

/// What the kernel takes of these arguments is 32 bits wide.
fn condition(argument: u8, compared: SeccompCmpOp, value: u64) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, compared, value).map_err(io::Error::other)
}

/// That a mode makes a program act as its owner.
fn set_uid(argument: u8) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::MaskedEq(libc::S_ISUID.into()), libc::S_ISUID.into())
}

fn rule(conditions: Vec<SeccompCondition>) -> io::Result<SeccompRule> {
    SeccompRule::new(conditions).map_err(io::Error::other)
}

fn bits(flag: i32) -> u64 {
    u64::from(flag.cast_unsigned())
}
