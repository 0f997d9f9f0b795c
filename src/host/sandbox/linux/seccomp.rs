//! Seccomp: refuses system calls that no bot needs to play. A refused call fails with an error that
//! programs handle; only programs for another architecture are killed.
//!
//! A process keeps its pid over exec, so a filter can allow signals to this pid only. That works on
//! every kernel. A bot of several processes has several pids: there Landlock keeps signals within
//! the bot, on kernels that support it.

use super::bpf::{SyscallRules, compile};
use crate::locate::Purpose;
use crate::sandbox::{Namespaces, Policy};
use nix::libc;
use seccompiler::{
    BpfProgram, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule, TargetArch,
    apply_filter,
};
use std::collections::btree_map::Entry;
use std::io;

/// The network, and other ways to communicate with other programs.
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

/// Calls that act on other processes.
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

/// `libc` has no name for it with musl on ARM.
const KEXEC_FILE_LOAD: i64 = if cfg!(target_arch = "x86_64") { 320 } else { 294 };

/// Calls that lead out of the sandbox, or to resources that limits do not count.
const EXOTIC: &[i64] = &[
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_io_setup,
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
    STATMOUNT,
    LISTMOUNT,
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
    KEXEC_FILE_LOAD,
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

/// Changes of files that Landlock does not cover: owner, mode, times, attributes; and locks, by
/// which two processes could communicate. Allowed in a build: compilers set the mode of the
/// programs that they make.
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

/// Calls that set the mode of a file, and the index of the argument with the mode. No call may set
/// the set-uid bit: a program that a build leaves behind would give every account of the machine
/// the organiser's rights. The set-gid bit stays allowed: shared folders of a course have it, and
/// so have files that are copied or unpacked in them. `mknod` is refused altogether.
const MODES: &[(i64, u8)] = &[(libc::SYS_fchmod, 1), (libc::SYS_fchmodat, 2), (FCHMODAT2, 2)];

/// Truncating a file by its path, which Landlock covers only from version 3 on. A program that may
/// write a file can truncate it by a descriptor.
const TRUNCATION: &[i64] = &[libc::SYS_truncate];

/// Writing what all programs have changed to the disks: the other programs, and the referee's
/// journal, wait meanwhile.
const DISKS: &[i64] = &[libc::SYS_sync, libc::SYS_syncfs];

/// Reserving room for a file takes no time, so a bot could take a whole disk before its scratch
/// folder is looked at. It fails as on a file system that cannot do it, and the C library writes
/// instead, which takes as long as any write. In a mount namespace the scratch folder has a file
/// system of limited size.
const RESERVATION: &[i64] = &[libc::SYS_fallocate];

/// Timers go off while a bot is stopped. One of the first kind can send any signal, so that a bot
/// that is stopped while it is not on move resumes itself. Many of the second kind, each in many
/// epolls, take milliseconds of its opponent's time in interrupts, which count for no process.
const TIMERS: &[i64] = &[libc::SYS_timer_create, libc::SYS_timerfd_create];

/// Calls that use kernel memory which only a control group counts: pages held by a pipe, each with
/// the huge page that it is part of, and files held by a Landlock rule set.
const UNCOUNTED_MEMORY: &[i64] =
    &[libc::SYS_vmsplice, libc::SYS_splice, libc::SYS_tee, libc::SYS_landlock_create_ruleset];

/// Calls that show which pages of a file are in the page cache, which two games could communicate
/// by. (How long a read takes shows it too; nothing prevents that.)
const PAGE_CACHE: &[i64] = &[libc::SYS_mincore, CACHESTAT];

/// Calls that read something of the process that an argument names, and the index of that argument;
/// 0 is the calling process. Refused for other processes where no pid namespace hides them.
const VIEWS_OF_PROCESSES: &[(i64, u8)] = &[
    (libc::SYS_getpgid, 0),
    (libc::SYS_getsid, 0),
    (libc::SYS_getpriority, 1),
    (libc::SYS_ioprio_get, 1),
    (libc::SYS_sched_getaffinity, 0),
    (libc::SYS_sched_getattr, 0),
    (libc::SYS_sched_getparam, 0),
    (libc::SYS_sched_getscheduler, 0),
    (libc::SYS_sched_rr_get_interval, 0),
    (libc::SYS_get_robust_list, 0),
];

/// Operations of `futex` on locks with priority inheritance. Such a lock holds the id of its owner,
/// which may be any process: whether there is one shows in the error. Unlocking is refused as well,
/// because the C library tries it to find out whether there are such locks.
const LOCKS_WITH_OWNERS: [i32; 6] = [
    libc::FUTEX_LOCK_PI,
    libc::FUTEX_TRYLOCK_PI,
    libc::FUTEX_WAIT_REQUEUE_PI,
    libc::FUTEX_CMP_REQUEUE_PI,
    libc::FUTEX_LOCK_PI2,
    libc::FUTEX_UNLOCK_PI,
];

/// Calls whose first argument is a clock, which may be the processor clock of any process.
const CLOCKS: [i64; 3] =
    [libc::SYS_clock_gettime, libc::SYS_clock_getres, libc::SYS_clock_nanosleep];

// Calls of newer kernels have the same number on all architectures.
const CACHESTAT: i64 = 451;
const FCHMODAT2: i64 = 452;
const STATMOUNT: i64 = 457;
const LISTMOUNT: i64 = 458;
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;
const FILE_SETATTR: i64 = 469;

#[cfg(target_arch = "x86_64")]
mod architecture {
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
    /// The call beside `openat` that opens files, and the index of the argument with its flags.
    pub(super) const OPEN: Option<(i64, u8)> = Some((libc::SYS_open, 1));
    pub(super) const MODES: &[(i64, u8)] = &[(libc::SYS_chmod, 1), (libc::SYS_creat, 1)];
    /// The first number of the x32 calls, which programs with 32-bit pointers use.
    pub(super) const X32_CALLS: Option<u32> = Some(0x4000_0000);
}

#[cfg(not(target_arch = "x86_64"))]
mod architecture {
    use super::TargetArch;

    pub(super) const ARCH: Option<TargetArch> =
        if cfg!(target_arch = "aarch64") { Some(TargetArch::aarch64) } else { None };
    pub(super) const EXOTIC: &[i64] = &[];
    pub(super) const ATTRIBUTES: &[i64] = &[];
    pub(super) const FORKS: &[i64] = &[];
    pub(super) const OPEN: Option<(i64, u8)> = None;
    pub(super) const MODES: &[(i64, u8)] = &[];
    pub(super) const X32_CALLS: Option<u32> = None;
}

/// Filters, ready to be applied.
pub(super) struct SyscallFilters(Vec<BpfProgram>);

impl SyscallFilters {
    /// Builds the filters for this process, which keeps its pid when it becomes the bot.
    ///
    /// On an architecture without filters there are none; the isolation probe shows it.
    pub fn new(policy: &Policy) -> io::Result<SyscallFilters> {
        let Some(arch) = architecture::ARCH else { return Ok(SyscallFilters(Vec::new())) };
        let without_namespaces =
            policy.purpose == Purpose::Play && policy.namespaces == Namespaces::None;
        // A filter cannot read the flags of these, which are behind a pointer; libraries fall back
        // to `clone` and `openat`.
        let mut missing = always(&[libc::SYS_clone3, libc::SYS_openat2]);
        if without_namespaces {
            missing.extend(views_of_other_processes()?);
        }
        let mut filters = vec![compile(missing, architecture::X32_CALLS, libc::ENOSYS, arch)?];
        if without_namespaces {
            filters.push(compile(always(RESERVATION), None, libc::EOPNOTSUPP, arch)?);
        }
        if !policy.forks() {
            filters.push(compile(forks()?, None, libc::EAGAIN, arch)?);
            filters.push(compile(locks()?, None, 0, arch)?);
        }
        // Last, because it refuses further filters.
        filters.push(compile(refused(policy)?, None, libc::EPERM, arch)?);
        Ok(SyscallFilters(filters))
    }

    /// Applies them to this process.
    pub fn apply(&self) -> io::Result<()> {
        for filter in &self.0 {
            apply_filter(filter).map_err(io::Error::other)?;
        }
        Ok(())
    }
}

/// Calls that start a process, and not a thread.
fn forks() -> io::Result<SyscallRules> {
    let process = condition(0, SeccompCmpOp::MaskedEq(bits(libc::CLONE_THREAD)), 0)?;
    let mut rules = always(architecture::FORKS);
    rules.insert(libc::SYS_clone, vec![rule(vec![process])?]);
    Ok(rules)
}

/// Record locks of files, by which two bots could communicate: each can take a read lock on a file
/// that both may read, and the other sees it. For a bot of one process these calls succeed without
/// effect, since a database does not open without them.
fn locks() -> io::Result<SyscallRules> {
    Ok(SyscallRules::from([(libc::SYS_fcntl, any_value(1, &LOCKS)?)]))
}

const LOCKS: [i32; 4] = [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW];

fn refused(policy: &Policy) -> io::Result<SyscallRules> {
    let mut rules = SyscallRules::new();
    for calls in [SOCKETS, PROCESSES, EXOTIC, architecture::EXOTIC, TRUNCATION, PAGE_CACHE] {
        rules.extend(always(calls));
    }
    // A build that stays root may not change modes: it could change those of any file of root.
    if policy.purpose == Purpose::Play || super::is_root() {
        for calls in [ATTRIBUTES, architecture::ATTRIBUTES, DISKS] {
            rules.extend(always(calls));
        }
    } else {
        rules.remove(&libc::SYS_setpgid); // make puts its children into process groups
        rules.remove(&libc::SYS_socketpair); // build tools communicate with their children by it
    }
    if policy.purpose == Purpose::Play {
        rules.extend(mappings(policy)?);
        rules.extend(always(TIMERS));
    }
    if !policy.allows_uncounted_memory() {
        rules.extend(always(UNCOUNTED_MEMORY));
    }
    rules.extend(only_this_process(policy.forks())?);
    rules.extend(by_argument(policy)?);
    for (call, flags) in [(libc::SYS_openat, 2)].into_iter().chain(architecture::OPEN) {
        rules.insert(call, refused_opens(flags)?);
    }
    for &(call, mode) in MODES.iter().chain(architecture::MODES) {
        // Unless the call is refused altogether.
        if let Entry::Vacant(place) = rules.entry(call) {
            place.insert(vec![rule(vec![set_uid(mode)?])?]);
        }
    }
    rules.insert(libc::SYS_clone, refused_clones()?);
    let unshare = has_bits(2, CLOSE_RANGE_UNSHARE)?;
    rules.insert(libc::SYS_close_range, vec![rule(vec![unshare])?]);
    Ok(rules)
}

/// What a call that opens files must not do; `flags` is the index of the argument with its flags.
fn refused_opens(flags: u8) -> io::Result<Vec<SeccompRule>> {
    // `O_TRUNC` truncates also with `O_RDONLY`, which Landlock covers only from version 3 on.
    let mask = bits(libc::O_TRUNC | libc::O_ACCMODE);
    let truncates = bits(libc::O_TRUNC | libc::O_RDONLY);
    let mut rules = vec![rule(vec![condition(flags, SeccompCmpOp::MaskedEq(mask), truncates)?])?];
    // Only a call that creates a file has a mode argument, after the flags.
    for flag in [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY] {
        rules.push(rule(vec![has_bits(flags, bits(flag))?, set_uid(flags + 1)?])?);
    }
    Ok(rules)
}

/// Namespaces, which would give a bot capabilities, and threads with descriptor tables of their
/// own: each could open as many files again as the limit allows the process.
fn refused_clones() -> io::Result<Vec<SeccompRule>> {
    let namespaces = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let mut rules = any_bits(0, &namespaces)?;
    let mask = SeccompCmpOp::MaskedEq(bits(libc::CLONE_THREAD | libc::CLONE_FILES));
    rules.push(rule(vec![condition(0, mask, bits(libc::CLONE_THREAD))?])?);
    Ok(rules)
}

/// Flag of `close_range` that gives the calling thread its own descriptor table (close_range(2)).
const CLOSE_RANGE_UNSHARE: u64 = 2;

/// Allows signals and changes of limits only for the pid of this process.
fn only_this_process(forks: bool) -> io::Result<SyscallRules> {
    let other_pid = condition(0, SeccompCmpOp::Ne, own_pid())?;
    let mut rules = SyscallRules::new();
    if !forks {
        let signals = [
            libc::SYS_kill,
            libc::SYS_tgkill,
            libc::SYS_tkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_rt_tgsigqueueinfo,
        ];
        for call in signals {
            rules.insert(call, vec![rule(vec![other_pid.clone()])?]);
        }
    }
    let not_zero = condition(0, SeccompCmpOp::Ne, 0)?;
    rules.insert(libc::SYS_prlimit64, vec![rule(vec![other_pid, not_zero])?]);
    Ok(rules)
}

/// Reading something of another process than this one. The error is `ENOSYS`: the C library accepts
/// that when it asks for the cores of a thread by its id, which a filter cannot tell from another
/// process's.
fn views_of_other_processes() -> io::Result<SyscallRules> {
    let own = own_pid();
    // Names the process behind a pointer.
    let mut rules = always(&[libc::SYS_capget]);
    for &(call, argument) in VIEWS_OF_PROCESSES {
        let not_own = condition(argument, SeccompCmpOp::Ne, own)?;
        let not_zero = condition(argument, SeccompCmpOp::Ne, 0)?;
        rules.insert(call, vec![rule(vec![not_own, not_zero])?]);
    }
    let mut locks = Vec::new();
    for lock in LOCKS_WITH_OWNERS {
        let command = SeccompCmpOp::MaskedEq(FUTEX_COMMAND);
        locks.push(rule(vec![condition(1, command, bits(lock))?])?);
    }
    rules.insert(libc::SYS_futex, locks);
    // A clock of a process is a negative number: the complement of its pid, and three bits for the
    // kind of clock. The kernel permits a clock of a thread only to the process of that thread.
    let of_process = SeccompCmpOp::MaskedEq(CLOCK_OF_PID | CLOCK_OF_THREAD);
    let mut clocks = vec![condition(0, of_process, CLOCK_OF_PID)?];
    for pid in [own, 0] {
        for kind in 0..3 {
            let clock = (!pid << 3) & 0xffff_ffff | kind;
            clocks.push(condition(0, SeccompCmpOp::Ne, clock)?);
        }
    }
    for call in CLOCKS {
        rules.insert(call, vec![rule(clocks.clone())?]);
    }
    Ok(rules)
}

/// Bits of a clock: it belongs to a process or thread, and to a thread.
const CLOCK_OF_PID: u64 = 1 << 31;
const CLOCK_OF_THREAD: u64 = 4;

/// The pid of this process, which stays the same when it becomes the bot.
fn own_pid() -> u64 {
    u64::from(std::process::id())
}

/// Calls that are refused for some values of an argument.
fn by_argument(policy: &Policy) -> io::Result<SyscallRules> {
    // A larger pipe counts against the limit of the user's other programs. By the hints the owner
    // of a file leaves a mark with it that outlives the game, without a right to write. The others
    // send signals.
    let mut fcntl = vec![
        libc::F_SETPIPE_SZ,
        F_SET_RW_HINT,
        F_SET_FILE_RW_HINT,
        libc::F_SETOWN,
        F_SETOWN_EX,
        libc::F_SETLEASE,
        libc::F_NOTIFY,
    ];
    // Locks without effect would corrupt the files of a bot of several processes, so they are
    // refused. A build needs real locks.
    if policy.forks() && policy.purpose == Purpose::Play {
        fcntl.extend(LOCKS);
    }
    let mut ioctl = any_value(1, &[TIOCSTI, TIOCLINUX])?;
    // A build may change what it owns, as it may change modes.
    if policy.purpose == Purpose::Play || super::is_root() {
        for kind in FILE_SYSTEM_COMMANDS {
            ioctl.push(rule(vec![condition(1, SeccompCmpOp::MaskedEq(COMMAND_KIND), kind)?])?);
        }
    }
    // The process must die with its warden, and the referee must be able to read its `/proc` files.
    let prctl = [
        libc::PR_SET_PDEATHSIG,
        libc::PR_SET_DUMPABLE,
        libc::PR_SET_PTRACER,
        libc::PR_SET_MM,
        libc::PR_SET_SECCOMP,
        PR_SCHED_CORE,
        libc::PR_SET_MEMORY_MERGE, // what `MADV_MERGEABLE` does, for all memory
        PR_FUTEX_HASH,
    ];
    // By two of these a bot stalls for memory when it likes, so that the machine seems to be short
    // of it. The third has the kernel look for equal pages of all programs, which takes the
    // machine's time and shows in how long a write takes whether another program has such a page.
    let madvise = [libc::MADV_COLD, libc::MADV_PAGEOUT, libc::MADV_MERGEABLE];
    Ok(SyscallRules::from([
        (libc::SYS_madvise, any_value(2, &madvise)?),
        // Removing a file from the page cache, and reading only what is there.
        (libc::SYS_fadvise64, any_value(3, &[libc::POSIX_FADV_DONTNEED])?),
        (libc::SYS_preadv2, any_bits(5, &[RWF_NOWAIT, RWF_DONTCACHE])?),
        (libc::SYS_fcntl, any_value(1, &fcntl)?),
        (libc::SYS_ioctl, ioctl),
        (libc::SYS_prctl, any_value(0, &prctl)?),
    ]))
}

/// Mappings that are not counted as memory of a process, or that limits do not cover.
///
/// Shared anonymous memory stays allocated when a process unmaps its page tables, and then counts
/// for no process. (`MAP_SHARED_VALIDATE` has the bit of `MAP_SHARED`.) Huge pages come from a pool
/// of the machine. A mapping that grows like a stack counts neither as data nor as stack
/// (setrlimit(2)).
fn mappings(policy: &Policy) -> io::Result<SyscallRules> {
    let mut refused = vec![libc::MAP_HUGETLB, libc::MAP_GROWSDOWN];
    if !policy.allows_uncounted_memory() {
        refused.push(libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    }
    Ok(SyscallRules::from([(libc::SYS_mmap, any_bits(3, &refused)?)]))
}

const F_SETOWN_EX: i32 = 15;
const F_SET_RW_HINT: i32 = 1036;
const F_SET_FILE_RW_HINT: i32 = 1038;
// Flags of `preadv2`: preadv2(2).
const RWF_NOWAIT: i32 = 0x08;
const RWF_DONTCACHE: i32 = 0x80;
// The type of `libc::TIOCSTI` depends on the C library.
const TIOCSTI: i32 = 0x5412;
const TIOCLINUX: i32 = 0x541c;
/// The bits of an `ioctl` command that say what kind it is: ioctl(2).
const COMMAND_KIND: u64 = 0xff00;
/// The kinds `f`, `v` and `X`: attributes, versions and keys of files, which their owner may set by
/// a descriptor for reading, past Landlock. They outlive a game.
const FILE_SYSTEM_COMMANDS: [u64; 3] = [0x6600, 0x7600, 0x5800];
/// Of a `futex` operation, what remains without its flags: futex(2).
const FUTEX_COMMAND: u64 = 0x7f;
/// Names other processes, and keeps them from running on the other half of a core.
const PR_SCHED_CORE: i32 = 62;
/// Makes a table in kernel memory, of any size, that `/proc` does not count.
const PR_FUTEX_HASH: i32 = 78;

/// A condition on an argument of which the kernel uses 32 bits.
fn condition(argument: u8, compared: SeccompCmpOp, value: u64) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, compared, value)
        .map_err(io::Error::other)
}

/// Matches these calls whatever their arguments are.
fn always(calls: &[i64]) -> SyscallRules {
    calls.iter().map(|&call| (call, Vec::new())).collect()
}

/// Matches if an argument has one of these values.
fn any_value(argument: u8, values: &[i32]) -> io::Result<Vec<SeccompRule>> {
    let mut rules = Vec::new();
    for &value in values {
        rules.push(rule(vec![condition(argument, SeccompCmpOp::Eq, bits(value))?])?);
    }
    Ok(rules)
}

/// Matches if an argument has all bits of one of these flags.
fn any_bits(argument: u8, flags: &[i32]) -> io::Result<Vec<SeccompRule>> {
    let mut rules = Vec::new();
    for &flag in flags {
        rules.push(rule(vec![has_bits(argument, bits(flag))?])?);
    }
    Ok(rules)
}

/// That an argument has all of these bits.
fn has_bits(argument: u8, bits: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::MaskedEq(bits), bits)
}

/// That a mode has the set-uid bit.
fn set_uid(argument: u8) -> io::Result<SeccompCondition> {
    has_bits(argument, libc::S_ISUID.into())
}

fn rule(conditions: Vec<SeccompCondition>) -> io::Result<SeccompRule> {
    SeccompRule::new(conditions).map_err(io::Error::other)
}

fn bits(flag: i32) -> u64 {
    u64::from(flag.cast_unsigned())
}
