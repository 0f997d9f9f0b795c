//! The system calls and their arguments that a filter is about, in lists by what they do, each with
//! why no bot gets it. When a list is refused is said in `seccomp`.

use nix::libc;

/// The network, and other ways to communicate with other programs.
pub(super) const SOCKETS: &[i64] = &[
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
pub(super) const PROCESSES: &[i64] = &[
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
pub(super) const EXOTIC: &[i64] = &[
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
pub(super) const ATTRIBUTES: &[i64] = &[
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
pub(super) const MODES: &[(i64, u8)] =
    &[(libc::SYS_fchmod, 1), (libc::SYS_fchmodat, 2), (FCHMODAT2, 2)];

/// Truncating a file by its path, which Landlock covers only from version 3 on. A program that may
/// write a file can truncate it by a descriptor.
pub(super) const TRUNCATION: &[i64] = &[libc::SYS_truncate];

/// Writing what all programs have changed to the disks: the other programs, and the referee's
/// journal, wait meanwhile.
pub(super) const DISKS: &[i64] = &[libc::SYS_sync, libc::SYS_syncfs];

/// Reserving room for a file takes no time, so a bot could take a whole disk before its scratch
/// folder is looked at. It fails as on a file system that cannot do it, and the C library writes
/// instead, which takes as long as any write. In a mount namespace the scratch folder has a file
/// system of limited size.
pub(super) const RESERVATION: &[i64] = &[libc::SYS_fallocate];

/// Timers go off while a bot is stopped. One of the first kind can send any signal, so that a bot
/// that is stopped while it is not on move resumes itself. Many of the second kind, each in many
/// epolls, take milliseconds of its opponent's time in interrupts, which count for no process.
pub(super) const TIMERS: &[i64] = &[libc::SYS_timer_create, libc::SYS_timerfd_create];

/// Calls that use kernel memory which only a control group counts: pages held by a pipe, each with
/// the huge page that it is part of, and files held by a Landlock rule set.
pub(super) const UNCOUNTED_MEMORY: &[i64] =
    &[libc::SYS_vmsplice, libc::SYS_splice, libc::SYS_tee, libc::SYS_landlock_create_ruleset];

/// Calls that show which pages of a file are in the page cache, which two games could communicate
/// by. (How long a read takes shows it too; nothing prevents that.)
pub(super) const PAGE_CACHE: &[i64] = &[libc::SYS_mincore, CACHESTAT];

/// Calls that read something of the process that an argument names, and the index of that argument;
/// 0 is the calling process. Refused for other processes where no pid namespace hides them.
pub(super) const VIEWS_OF_PROCESSES: &[(i64, u8)] = &[
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
pub(super) const LOCKS_WITH_OWNERS: [i32; 6] = [
    libc::FUTEX_LOCK_PI,
    libc::FUTEX_TRYLOCK_PI,
    libc::FUTEX_WAIT_REQUEUE_PI,
    libc::FUTEX_CMP_REQUEUE_PI,
    libc::FUTEX_LOCK_PI2,
    libc::FUTEX_UNLOCK_PI,
];

/// Calls whose first argument is a clock, which may be the processor clock of any process.
pub(super) const CLOCKS: [i64; 3] =
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
pub(super) mod architecture {
    use super::libc;
    use seccompiler::TargetArch;

    pub(in super::super) const ARCH: Option<TargetArch> = Some(TargetArch::x86_64);
    pub(in super::super) const EXOTIC: &[i64] = &[
        libc::SYS_inotify_init,
        libc::SYS_iopl,
        libc::SYS_ioperm,
        libc::SYS_modify_ldt,
        libc::SYS_uselib,
        libc::SYS_mknod,
    ];
    pub(in super::super) const ATTRIBUTES: &[i64] = &[
        libc::SYS_chmod,
        libc::SYS_chown,
        libc::SYS_lchown,
        libc::SYS_utime,
        libc::SYS_utimes,
        libc::SYS_futimesat,
    ];
    pub(in super::super) const FORKS: &[i64] = &[libc::SYS_fork, libc::SYS_vfork];
    /// The call beside `openat` that opens files, and the index of the argument with its flags.
    pub(in super::super) const OPEN: Option<(i64, u8)> = Some((libc::SYS_open, 1));
    pub(in super::super) const MODES: &[(i64, u8)] = &[(libc::SYS_chmod, 1), (libc::SYS_creat, 1)];
    /// The first number of the x32 calls, which programs with 32-bit pointers use.
    pub(in super::super) const X32_CALLS: Option<u32> = Some(0x4000_0000);
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) mod architecture {
    use seccompiler::TargetArch;

    pub(in super::super) const ARCH: Option<TargetArch> =
        if cfg!(target_arch = "aarch64") { Some(TargetArch::aarch64) } else { None };
    pub(in super::super) const EXOTIC: &[i64] = &[];
    pub(in super::super) const ATTRIBUTES: &[i64] = &[];
    pub(in super::super) const FORKS: &[i64] = &[];
    pub(in super::super) const OPEN: Option<(i64, u8)> = None;
    pub(in super::super) const MODES: &[(i64, u8)] = &[];
    pub(in super::super) const X32_CALLS: Option<u32> = None;
}

/// Commands of `fcntl` for record locks of files.
pub(super) const LOCKS: [i32; 4] =
    [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW];

/// Flag of `close_range` that gives the calling thread its own descriptor table (close_range(2)).
pub(super) const CLOSE_RANGE_UNSHARE: u64 = 2;

/// Bits of a clock: it belongs to a process or thread, and to a thread.
pub(super) const CLOCK_OF_PID: u64 = 1 << 31;
pub(super) const CLOCK_OF_THREAD: u64 = 4;

// `libc` does not have these for every system: fcntl.h of the kernel.
pub(super) const F_SETOWN_EX: i32 = 15;
pub(super) const F_SET_RW_HINT: i32 = 1036;
pub(super) const F_SET_FILE_RW_HINT: i32 = 1038;
// Flags of `preadv2`: preadv2(2).
pub(super) const RWF_NOWAIT: i32 = 0x08;
pub(super) const RWF_DONTCACHE: i32 = 0x80;
// The type of `libc::TIOCSTI` depends on the C library.
pub(super) const TIOCSTI: i32 = 0x5412;
pub(super) const TIOCLINUX: i32 = 0x541c;
/// The bits of an `ioctl` command that say what kind it is: ioctl(2).
pub(super) const COMMAND_KIND: u64 = 0xff00;
/// The kinds `f`, `v` and `X`: attributes, versions and keys of files, which their owner may set by
/// a descriptor for reading, past Landlock. They outlive a game.
pub(super) const FILE_SYSTEM_COMMANDS: [u64; 3] = [0x6600, 0x7600, 0x5800];
/// Mask of the command in a `futex` operation, without its flags: futex(2).
pub(super) const FUTEX_COMMAND: u64 = 0x7f;
/// Names other processes, and keeps them from running on the other half of a core.
pub(super) const PR_SCHED_CORE: i32 = 62;
/// Makes a table in kernel memory, of any size, that `/proc` does not count.
pub(super) const PR_FUTEX_HASH: i32 = 78;
