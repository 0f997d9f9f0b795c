//! The warden: the supervisor of one bot, a process above it that makes sure that nothing of the
//! bot survives.
//!
//! Processes: the *referee* starts the warden and holds the other end of its channel. The *warden*
//! (this file) starts the *exec stage* (`exec_stage`), which becomes the *bot*. On Linux every
//! process that the bot starts, however it detaches, is a descendant of the warden. The bot
//! controls its own processes and what it writes to standard output and standard error; it has no
//! descriptor of the channel.
//!
//! When the referee closes the channel or ends, and when the bot's own program ends, the warden
//! kills every process below it. Then it reports `gone` and exits, or reports the processes that it
//! could not kill.

use super::Usage;
use super::exec_stage::{self, BotToExec};
use super::ipc::{Report, Started, receive_order};
use super::system;
use crate::locate::clear_set_id;
use crate::sandbox::{
    self, Cgroup, Namespaces, OwnershipTransfer, PidNamespace, Policy, Scratch, StepError,
    UserLease, step,
};
use arbiter_game::adapters;
use arbiter_game::{DiskUsage, Exit, LimitExceeded, Sandbox};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::net::RecvFlags;
use rustix::process::{Pid, WaitId, waitid};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// First argument of the program when it is a warden.
pub const WARDEN: &str = "__launch";

/// Runs the warden. `referee` is the pid of the process that this one serves; `command` is the
/// bot's program and its arguments. Standard input is the channel to the referee, standard output
/// and standard error are the bot's.
pub fn warden(referee: i32, command: &[OsString]) -> ExitCode {
    let Ok(channel) = io::stdin().as_fd().try_clone_to_owned() else { return ExitCode::FAILURE };
    let mut reports = File::from(channel);
    let referee = match system::watch_referee(&reports, referee) {
        Ok(Some(referee)) => referee,
        Ok(None) => return ExitCode::SUCCESS, // it has ended
        Err(error) => {
            say(&mut reports, &broken(&error));
            return ExitCode::FAILURE;
        }
    };
    let (policy, input) = match step("receiving the policy", receive_order(&reports)) {
        Ok(order) => order,
        Err(error) => {
            say(&mut reports, &broken(&error));
            return ExitCode::FAILURE;
        }
    };
    let mut resources = BotResources {
        policy,
        scratch: None,
        transfer: None,
        lease: None,
        cgroup: None,
        namespace: None,
        bot: None,
        behind: None,
    };
    let result = watch(&mut resources, &referee, command, input, &mut reports);
    if let Err(error) = &result {
        say(&mut reports, &broken(error));
    }
    // Whatever happened, nothing of the bot may survive; only then its resources are released.
    let killed = end_bot(&resources);
    drop(resources); // processes that are left are killed and never run in user mode again
    let last = match killed {
        Ok(left) if left.is_empty() => Report::Gone(usage()),
        Ok(left) => Report::Left(left.join(", ")),
        Err(error) => broken(&error),
    };
    say(&mut reports, &last);
    if result.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Kills every process of the bot, and returns those that cannot be killed.
fn end_bot(resources: &BotResources) -> Result<Vec<String>, StepError> {
    let killed = system::kill_all(resources.bot, resources.namespace.as_ref());
    let left = step("killing the bot's processes", killed)?;
    // After the processes, which could make further files.
    resources.clear_built_set_id()?;
    Ok(left)
}

fn broken((step, error): &StepError) -> Report {
    Report::Broken(format!("warden, {step}: {error}"))
}

/// What the warden holds for one bot. Dropping it removes and releases everything, in the order of
/// the fields.
struct BotResources {
    policy: Policy,
    scratch: Option<Scratch>,
    /// Before the lease: files go back to root before another bot can get the user id.
    transfer: Option<OwnershipTransfer>,
    lease: Option<UserLease>,
    cgroup: Option<Cgroup>,
    namespace: Option<PidNamespace>,
    /// The pid of the program that arbiter talks to, once it was started: the bot's own, or its
    /// adapter.
    bot: Option<Pid>,
    /// The pid of a bot behind an adapter.
    behind: Option<Pid>,
}

/// How often the warden checks limits that the kernel does not enforce by itself: the size of a
/// scratch folder on a disk, and memory where the kernel kills only one of several processes.
const CHECK_EVERY: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
/// How long a bot may take to end after its adapter has.
const LAST_OF_BOT: Timespec = Timespec { tv_sec: 0, tv_nsec: 500_000_000 };
/// How often ended processes of a bot that may start any number of them are reaped.
const REAP_EVERY: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

impl BotResources {
    /// Under `strict`, acquires a user id if arbiter is root, a scratch folder, and the control
    /// group and pid namespace of the policy; else only the scratch folder of a bot that runs in
    /// one.
    ///
    /// # Errors
    /// One of these cannot be made.
    fn prepare(&mut self) -> io::Result<()> {
        let policy = &mut self.policy;
        if policy.sandbox != Sandbox::Strict {
            if !policy.copied.is_empty() {
                let scratch = self.scratch.insert(Scratch::make(&policy.scratch)?);
                policy.scratch = scratch.path().to_owned();
            }
            return Ok(());
        }
        if sandbox::is_root() && sandbox::missing_capabilities(policy.namespaces)?.is_empty() {
            let built = policy.built_folder().map(Path::to_owned);
            // A build runs as the owner of its folder.
            if let Some(folder) = &built {
                policy.uid = sandbox::owner_unless_root(folder);
            }
            if policy.uid.is_none() {
                self.lease = UserLease::take();
                policy.uid = self.lease.as_ref().map(UserLease::uid);
                // If that is root, it runs as another user, who owns the folder meanwhile: as root
                // it could change the mode of any file of root.
                if let (Some(folder), Some(uid)) = (&built, policy.uid) {
                    self.transfer = Some(OwnershipTransfer::to(folder, uid)?);
                }
            }
        }
        let scratch = self.scratch.insert(Scratch::make(&policy.scratch)?);
        policy.scratch = scratch.path().to_owned();
        if !policy.cgroups.is_empty() {
            policy.cgroups = self.cgroup.insert(Cgroup::for_bot(policy)?).folders().to_owned();
        }
        if policy.namespaces != Namespaces::None {
            self.namespace = Some(PidNamespace::enter()?);
        }
        Ok(())
    }

    /// After a build under `strict`, clears the set-id bits of the files that it made: with them
    /// another account of the machine could run them with the organiser's rights. The sandbox
    /// refuses to set the set-uid bit and allows the set-gid bit, which shared folders need.
    fn clear_built_set_id(&self) -> Result<(), StepError> {
        if self.policy.sandbox == Sandbox::Strict
            && let Some(folder) = self.policy.built_folder()
        {
            let mut owners = vec![rustix::process::geteuid().as_raw()];
            owners.extend(self.policy.uid);
            step("clearing set-id bits of the build", clear_set_id(folder, &owners))?;
        }
        Ok(())
    }

    /// Whether its scratch folder is on a disk, where nothing limits its size.
    fn has_unlimited_scratch(&self) -> bool {
        self.scratch.is_some() && self.policy.namespaces == Namespaces::None
    }

    /// Whether it may have several processes, and the others survive when the kernel kills one for
    /// the memory of all.
    fn may_survive_memory_kill(&self) -> bool {
        (self.policy.forks() || self.policy.has_adapter())
            && self.cgroup.as_ref().is_some_and(Cgroup::kills_one_process)
    }

    /// Whether it runs as root outside of a pid namespace. Ended processes of other users count for
    /// the limit of their number, and are kept for that until the bot is killed; root has no such
    /// limit, so its would use up the pids of the machine.
    fn has_no_task_limit(&self) -> bool {
        sandbox::is_root() && self.policy.uid.is_none() && self.namespace.is_none()
    }

    /// The peak of its memory, if the kernel has killed a process of it for that.
    fn over_memory(&self) -> Option<LimitExceeded> {
        self.cgroup.as_ref().and_then(Cgroup::over_memory).map(LimitExceeded::Memory)
    }

    /// The limit that it has exceeded, if any.
    fn limit_exceeded(&self) -> Option<LimitExceeded> {
        if self.may_survive_memory_kill()
            && let Some(exceeded) = self.over_memory()
        {
            return Some(exceeded);
        }
        if self.has_unlimited_scratch() { self.scratch_exceeded() } else { None }
    }

    /// The usage of its scratch folder, if it is above the limit. Files that it has deleted count
    /// as long as one of its processes holds them, and a process that does not show them may hold
    /// any number.
    fn scratch_exceeded(&self) -> Option<LimitExceeded> {
        let limit = self.policy.scratch_limit();
        let scratch = self.scratch.as_ref()?;
        let mut used = scratch.usage(limit);
        let deleted = system::deleted_files(scratch.path())
            .unwrap_or(DiskUsage { files: limit.files + 1, bytes: 0 });
        used.files += deleted.files;
        used.bytes += deleted.bytes;
        let is_over = used.bytes > limit.bytes || used.files > limit.files;
        is_over.then_some(LimitExceeded::Scratch(used))
    }

    /// A program of the bot, with the standard output of this process.
    fn to_exec<'a>(&'a self, command: &'a [OsString], input: OwnedFd) -> BotToExec<'a> {
        let environment = self.environment();
        let policy = &self.policy;
        let copied = policy.copied.first().map(PathBuf::as_path);
        BotToExec { policy, command, environment, copied, input, output: None, kept: Vec::new() }
    }

    /// What the referee has to know of the bot, whose program has this pid.
    fn started(&self, pid: Pid) -> Started {
        let cgroup = self.cgroup.as_ref().filter(|_| self.policy.forks());
        Started {
            pid: number(pid),
            behind: self.behind.map(number),
            init: self.namespace.as_ref().map(PidNamespace::init),
            group: cgroup.and_then(Cgroup::v2),
        }
    }

    /// How the program with this pid ended. If it is an adapter that ended with status 0: how the
    /// bot behind it ended, because an adapter ends with its bot.
    fn exit(&self, pid: Pid) -> Result<Exit, StepError> {
        let exit = status(pid)?;
        let Some(behind) = self.behind else { return Ok(exit) };
        if exit != Exit::Status(0) {
            return Ok(exit);
        }
        let watched = step("watching the bot", system::watch_child(behind))?;
        let ended = retry_on_intr(|| poll(&mut [watch_for(&watched)], Some(&LAST_OF_BOT)));
        if step("waiting for the bot", ended)? > 0 { status(behind) } else { Ok(exit) }
    }

    /// Environment variables with the scratch folder, except those that the configuration sets.
    fn environment(&self) -> Vec<(&'static str, OsString)> {
        let mut environment = Vec::new();
        if let Some(scratch) = &self.scratch {
            for name in ["HOME", "TMPDIR"] {
                if std::env::var_os(name).is_none() {
                    environment.push((name, scratch.path().into()));
                }
            }
        }
        environment
    }
}

fn number(pid: Pid) -> u32 {
    pid.as_raw_nonzero().get().unsigned_abs()
}

/// Starts the bot, whose standard input is `input`, and watches it until it ends or is no longer
/// wanted.
fn watch(
    resources: &mut BotResources,
    referee: &OwnedFd,
    command: &[OsString],
    input: OwnedFd,
    reports: &mut File,
) -> Result<(), StepError> {
    step("preparing the sandbox", resources.prepare())?;
    let started = if resources.policy.has_adapter() {
        start_with_adapter(resources, command, input)
    } else {
        exec_stage::start(resources.to_exec(command, input))
    };
    let (pid, above) = step("starting the exec stage", started)?;
    // Before anything else can fail, so that it is killed in any case.
    resources.bot = Some(pid);
    step("closing the bot's pipes", close_bots_pipes())?;
    let bot = step("watching the bot", system::watch_child(pid))?;
    wait_for_end(resources, referee, &bot, above, reports, pid)
}

/// Starts a bot and then its adapter, joined by pipes, each restricted as a bot is. Returns the pid
/// of the adapter and the channel to its exec stage; the bot's own, if the bot cannot be run.
fn start_with_adapter(
    resources: &mut BotResources,
    command: &[OsString],
    input: OwnedFd,
) -> io::Result<(Pid, UnixStream)> {
    let (bot_reads, adapter_writes) = io::pipe()?;
    let (adapter_reads, bot_writes) = io::pipe()?;
    let bot = resources.to_exec(command, bot_reads.into());
    let (pid, stage) = exec_stage::start(BotToExec { output: Some(bot_writes.into()), ..bot })?;
    resources.behind = Some(pid);
    // It becomes readable by a report or by a successful exec, which closes it.
    retry_on_intr(|| poll(&mut [watch_for(&stage)], None))?;
    if rustix::net::recv(&stage, &mut [0; 1], RecvFlags::PEEK)?.0 > 0 {
        return Ok((pid, stage));
    }
    let kept: Vec<OwnedFd> = vec![adapter_reads.into(), adapter_writes.into()];
    let numbers = kept.iter().map(|end| end.as_raw_fd().to_string()).collect::<Vec<_>>();
    let words: Vec<OsString> = resources.policy.adapter.iter().map(OsString::from).collect();
    let mut adapter = resources.to_exec(&words, input);
    adapter.environment.push((adapters::BOT, numbers.join(" ").into()));
    adapter.kept = kept;
    adapter.copied = None; // the copy is the bot's
    exec_stage::start(adapter)
}

/// Reports the start and the end of the bot's program. Returns when it has ended, has exceeded a
/// limit, or is no longer wanted.
fn wait_for_end(
    resources: &BotResources,
    referee: &OwnedFd,
    bot: &OwnedFd,
    mut stage: UnixStream,
    reports: &mut File,
    pid: Pid,
) -> Result<(), StepError> {
    let mut report = Vec::new();
    let mut stage_open = true;
    let reaps = resources.has_no_task_limit();
    // How often it looks at what no descriptor shows.
    let pause = if reaps {
        Some(&REAP_EVERY)
    } else if resources.has_unlimited_scratch() || resources.may_survive_memory_kill() {
        Some(&CHECK_EVERY)
    } else {
        None // until something happens
    };
    loop {
        let channel = reports.as_fd();
        let mut watched = vec![watch_for(referee), watch_for(&channel), watch_for(bot)];
        if stage_open {
            watched.push(watch_for(&stage));
        }
        step("waiting", retry_on_intr(|| poll(&mut watched, pause)))?;
        let [referee_gone, channel_closed, ended] = [0, 1, 2].map(|at| is_ready(&watched[at]));
        let stage_spoke = stage_open && is_ready(&watched[3]);
        drop(watched);
        if referee_gone || channel_closed {
            return Ok(());
        }
        if reaps {
            let mut kept = vec![pid];
            kept.extend(resources.behind);
            system::reap_others(&kept);
        }
        // The exec stage first: the program of a bot that ended at once has started.
        if stage_spoke {
            let mut chunk = [0; 4096];
            match stage.read(&mut chunk) {
                Ok(0) if report.is_empty() => {
                    stage_open = false;
                    say(reports, &Report::Started(resources.started(pid)));
                }
                Ok(0) => {
                    let line = String::from_utf8_lossy(&report);
                    let failed = Report::read(&line)
                        .unwrap_or_else(|_| Report::Broken(format!("exec stage: {line}")));
                    say(reports, &failed);
                    return Ok(());
                }
                Ok(count) => report.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(("reading from the exec stage", error)),
            }
        } else if ended {
            if let Some(exceeded) = resources.over_memory() {
                say(reports, &Report::Over(exceeded));
            }
            say(reports, &Report::Ended(resources.exit(pid)?));
            return Ok(());
        } else if let Some(exceeded) = resources.limit_exceeded() {
            say(reports, &Report::Over(exceeded));
            return Ok(());
        }
    }
}

fn watch_for<'a>(descriptor: &'a impl AsFd) -> PollFd<'a> {
    PollFd::new(descriptor, PollFlags::IN)
}

fn is_ready(descriptor: &PollFd<'_>) -> bool {
    !descriptor.revents().is_empty()
}

/// How the bot's program ended.
fn status(pid: Pid) -> Result<Exit, StepError> {
    let waited = retry_on_intr(|| waitid(WaitId::Pid(pid), system::WAIT_FOR_EXIT));
    let Some(status) = step("the bot's exit status", waited)? else {
        return Err(("the bot's exit status", io::ErrorKind::NotFound.into()));
    };
    Ok(match status.exit_status() {
        Some(code) => Exit::Status(code),
        None => Exit::Signal(status.terminating_signal().unwrap_or_default()),
    })
}

/// Replaces the bot's pipes by `/dev/null`: as long as the warden held them, the referee would not
/// see their end.
fn close_bots_pipes() -> io::Result<()> {
    let null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}

/// Sends a report with one system call: each wakes the referee.
fn say(reports: &mut File, report: &Report) {
    let _ = reports.write_all(report.line().as_bytes()); // fails if the referee has ended
}

/// The resource usage of all reaped descendants.
fn usage() -> Usage {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::{TimeVal, TimeValLike};
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Usage::default() };
    let time = |time: TimeVal| Duration::from_micros(time.num_microseconds().unsigned_abs());
    Usage {
        user: time(usage.user_time()),
        system: time(usage.system_time()),
        peak_kib: usage.max_rss().unsigned_abs() / system::RSS_PER_KIB,
    }
}
