//! Seccomp: refuses system calls that no bot needs to play. A refused call fails with an error that
//! programs handle; only programs for another architecture are killed.
//!
//! A process keeps its pid over exec, so a filter can allow signals to this pid only. That works on
//! every kernel. A bot of several processes has several pids: there Landlock keeps signals within
//! the bot, on kernels that support it.
//!
//! Which calls there are is in `syscalls`; here is under which policy each is refused.

use super::bpf::{
    SyscallRules, always, any_bits, any_value, bits, compile, condition, has_bits, rule, set_uid,
};
use super::syscalls::{
    ATTRIBUTES, CLOCK_OF_PID, CLOCK_OF_THREAD, CLOCKS, CLOSE_RANGE_UNSHARE, COMMAND_KIND, DISKS,
    EXOTIC, F_SET_FILE_RW_HINT, F_SET_RW_HINT, F_SETOWN_EX, FILE_SYSTEM_COMMANDS, FUTEX_COMMAND,
    LOCKS, LOCKS_WITH_OWNERS, MODES, PAGE_CACHE, PR_FUTEX_HASH, PR_SCHED_CORE, PROCESSES,
    RESERVATION, RWF_DONTCACHE, RWF_NOWAIT, SOCKETS, TIMERS, TIOCLINUX, TIOCSTI, TRUNCATION,
    UNCOUNTED_MEMORY, VIEWS_OF_PROCESSES, architecture,
};
use crate::locate::Purpose;
use crate::sandbox::{Namespaces, Policy};
use nix::libc;
use seccompiler::{BpfProgram, SeccompCmpOp, SeccompRule, apply_filter};
use std::collections::btree_map::Entry;
use std::io;

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
