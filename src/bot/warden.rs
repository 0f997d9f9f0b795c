//! The warden: one process above each bot, which sees to it that nothing of the bot survives.
//!
//! Cast: the *referee* starts the warden and holds the other end of its control channel; the *warden* (this file)
//! starts the *second stage* (`confine`), which becomes the *bot*; on Linux whatever the bot starts ends up below the
//! warden, however it detaches. The bot controls its own processes and what it writes to its standard
//! output and error; it holds no descriptor of the channel and cannot speak on it.
//!
//! When the referee closes the channel or dies (`watch_referee` tells), and when the bot's own program ends, the warden
//! ends everything below it. Only then does it say `gone` and go itself. What it cannot end it names.

use super::Usage;
use super::ipc::{Report, receive_descriptor, send_descriptor};
use super::system;
use crate::game::LimitExceeded;
use crate::game::{Exit, Sandbox};
use crate::locate::{Own, Purpose, take_set_id};
use crate::sandbox::{self, Group, Handed, Lease, Namespaces, PidNamespace, Policy, Scratch, Step};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, WaitId, waitid};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Word by which the program, started as a warden, knows that it is one.
pub const WARDEN: &str = "__launch";
/// Word by which the program, started as the second stage, knows that it is one.
pub const CONFINE: &str = "__confine";
/// Runs the stage: `program` is what to start the second stage with, and `policy` what for; `referee` is the process that
/// this one obeys, `command` the bot's program and its arguments. Its standard input is the control channel, its
/// standard output and error are the bot's.
pub fn warden(program: &Path, policy: Policy, referee: i32, command: &[OsString]) -> ExitCode {
    let Ok(channel) = io::stdin().as_fd().try_clone_to_owned() else { return ExitCode::FAILURE };
    let mut reports = File::from(channel);
    let mut ground =
        Ground { policy, scratch: None, lease: None, group: None, handed: None, namespace: None, bot: None };
    let result = watch(program, &mut ground, referee, command, &mut reports);
    if let Err((step, error)) = &result {
        say(&mut reports, &Report::Broken(format!("warden, {step}: {error}")));
    }
    let ended = system::end_all(ground.bot, ground.namespace.as_mut());
    let ended = ended.map_err(|error| ("ending the bot's processes", error));
    let ended = ended.and_then(|left| ground.tidy().map(|()| left));
    drop(ground); // what is left is killed, and does not come back from the kernel to its program
    match ended {
        Ok(left) if left.is_empty() => say(&mut reports, &Report::Gone(usage())),
        Ok(left) => say(&mut reports, &Report::Left(left.join(", "))),
        Err((step, error)) => say(&mut reports, &Report::Broken(format!("warden, {step}: {error}"))),
    }
    if result.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What a bot is given for as long as it lives.
struct Ground {
    policy: Policy,
    scratch: Option<Scratch>,
    /// Given back before its user is another bot's.
    handed: Option<Handed>,
    lease: Option<Lease>,
    group: Option<Group>,
    namespace: Option<PidNamespace>,
    /// Its own program, once it was started.
    bot: Option<Pid>,
}

/// How often it is looked at what the kernel does not end a bot for: a scratch folder that no file system keeps to its
/// size, a process of several that was ended for its memory.
const LOOK_EVERY: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

impl Ground {
    /// Under `strict`: a user of its own if arbiter is root, a scratch folder, and what of a control group and a pid
    /// namespace can be had. `program` is what to start the namespace's first process with.
    fn prepare(&mut self, program: &Path) -> io::Result<()> {
        let policy = &mut self.policy;
        if policy.sandbox != Sandbox::Strict {
            return Ok(());
        }
        if sandbox::is_root() {
            let building = match (&policy.own, policy.purpose) {
                (Own::Folder(folder), Purpose::Build) => Some(folder),
                _ => None,
            };
            policy.uid = building.and_then(|folder| sandbox::owner(folder));
            if policy.uid.is_none() {
                self.lease = Lease::take();
                policy.uid = self.lease.as_ref().map(Lease::uid);
                // Nothing of a stranger's is run as root, which could change the mode of any file that is root's.
                if let (Some(folder), Some(uid)) = (building, policy.uid) {
                    self.handed = Some(Handed::over(folder, uid)?);
                }
            }
        }
        let scratch = self.scratch.insert(Scratch::make(&policy.scratch)?);
        policy.scratch.clone_from(&scratch.0);
        if !policy.groups.is_empty() {
            policy.groups = self.group.insert(Group::of(policy)?).folders().to_owned();
        }
        if policy.namespaces != Namespaces::None {
            self.namespace = Some(PidNamespace::enter(program)?);
        }
        Ok(())
    }

    /// Leaves nothing of a build behind by which another account of the machine could act as the organiser. The system calls
    /// for the owner's rights are refused to it, those for the group's are not: folders of a course need them.
    fn tidy(&self) -> Result<(), Step> {
        let Policy {
            sandbox: Sandbox::Strict, purpose: Purpose::Build, own: Own::Folder(folder), uid, ..
        } = &self.policy
        else {
            return Ok(());
        };
        let owners: Vec<u32> = uid.iter().copied().chain([rustix::process::geteuid().as_raw()]).collect();
        take_set_id(folder, &owners).map_err(|error| ("taking set-id bits from what was built", error))
    }

    /// Whether its scratch folder has to be looked at.
    fn is_open_ended(&self) -> bool {
        self.scratch.is_some() && self.policy.namespaces == Namespaces::None
    }

    /// Whether processes of it may live on after one of them was ended for the memory of all.
    fn may_lose_a_process(&self) -> bool {
        self.policy.forks() && self.group.as_ref().is_some_and(Group::ends_one_process)
    }

    fn has_to_be_looked_at(&self) -> bool {
        self.is_open_ended() || self.may_lose_a_process()
    }

    /// The memory that it had, if the kernel ended it or a process of it for that.
    fn over_memory(&self) -> Option<LimitExceeded> {
        self.group.as_ref().and_then(Group::over_memory).map(LimitExceeded::Memory)
    }

    /// What it has too much of.
    fn excess(&self) -> Option<LimitExceeded> {
        let memory = self.may_lose_a_process().then(|| self.over_memory()).flatten();
        memory.or_else(|| self.is_open_ended().then(|| self.overflow()).flatten())
    }

    /// What is in its scratch folder, if that is too much.
    fn overflow(&self) -> Option<LimitExceeded> {
        let most = self.policy.room();
        let used = self.scratch.as_ref()?.used(most);
        (used.bytes > most.bytes || used.files > most.files).then_some(LimitExceeded::Scratch(used))
    }

    /// Where the bot finds its scratch folder, unless its configuration says otherwise.
    fn environment(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let unset = ["HOME", "TMPDIR"].into_iter().filter(|name| std::env::var_os(name).is_none());
        unset.filter_map(|name| Some((name, self.scratch.as_ref()?.0.as_path())))
    }
}

fn watch(
    program: &Path,
    ground: &mut Ground,
    referee: i32,
    command: &[OsString],
    reports: &mut File,
) -> Result<(), Step> {
    let at = |name: &'static str| move |error: io::Error| (name, error);
    let Some(referee) = system::watch_referee(reports, referee)? else { return Ok(()) };
    let input = receive_descriptor(&*reports).map_err(at("taking the bot's standard input"))?;

    let (above, below) = UnixStream::pair().map_err(at("a channel to the second stage"))?;
    ground.prepare(program).map_err(at("preparing the ground"))?;
    let stage = Command::new(program)
        .arg0("arbiter")
        .args([CONFINE, &ground.policy.to_string(), "--"])
        .args(command)
        .envs(ground.environment())
        .stdin(Stdio::from(OwnedFd::from(below)))
        .spawn()
        .map_err(at("starting the second stage"))?;
    let pid = Pid::from_child(&stage);
    ground.bot = Some(pid);
    send_descriptor(&above, &input).map_err(at("handing on standard input"))?;
    drop(input);
    let_go_of_bots_pipes().map_err(at("letting go of the bot's pipes"))?;
    let bot = system::watch_child(pid).map_err(at("watching the bot"))?;

    hold_on_until_ended(ground, &referee, &bot, above, reports, pid)
}

/// Reports the bot's start and end; comes back when the bot's program has ended or nobody wants it any more.
fn hold_on_until_ended(
    ground: &Ground,
    referee: &OwnedFd,
    bot: &OwnedFd,
    mut stage: UnixStream,
    reports: &mut File,
    pid: Pid,
) -> Result<(), Step> {
    let mut complaint = Vec::new();
    let mut confined = true;
    loop {
        let [referee_gone, told, ended, spoke] = {
            let orders = reports.as_fd();
            let mut watched = vec![watch_for(referee), watch_for(&orders), watch_for(bot)];
            watched.extend(confined.then(|| watch_for(&stage)));
            let pause = ground.has_to_be_looked_at().then_some(&LOOK_EVERY);
            retry_on_intr(|| poll(&mut watched, pause)).map_err(|error| ("waiting", error.into()))?;
            let ready = |index: usize| watched.get(index).is_some_and(|fd| !fd.revents().is_empty());
            [ready(0), ready(1), ready(2), ready(3)]
        };
        if referee_gone || told {
            return Ok(());
        }
        if spoke {
            let mut chunk = [0; 4096];
            match stage.read(&mut chunk) {
                Ok(0) if complaint.is_empty() => {
                    confined = false;
                    let init = ground.namespace.as_ref().map(PidNamespace::init);
                    say(reports, &Report::Started(pid.as_raw_nonzero().get().unsigned_abs(), init));
                }
                Ok(0) => {
                    let line = String::from_utf8_lossy(&complaint);
                    let report = line.trim_end().parse();
                    say(
                        reports,
                        &report.unwrap_or_else(|()| Report::Broken(format!("second stage: {line}"))),
                    );
                    return Ok(());
                }
                Ok(count) => complaint.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(("listening to the second stage", error)),
            }
        } else if ended {
            if let Some(excess) = ground.over_memory() {
                say(reports, &Report::Over(excess));
            }
            say(reports, &Report::Ended(status(pid)?));
            return Ok(());
        } else if let Some(excess) = ground.excess() {
            say(reports, &Report::Over(excess));
            return Ok(());
        }
    }
}

fn watch_for<'a>(descriptor: &'a impl AsFd) -> PollFd<'a> {
    PollFd::new(descriptor, PollFlags::IN)
}

/// How the bot's program ended.
fn status(pid: Pid) -> Result<Exit, Step> {
    let status = retry_on_intr(|| waitid(WaitId::Pid(pid), system::ENDED))
        .map_err(|error| ("the bot's exit status", error.into()))?;
    let status = status.ok_or(("the bot's exit status", io::ErrorKind::NotFound.into()))?;
    Ok(match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Exit::Status(code),
        (None, signal) => Exit::Signal(signal.unwrap_or_default()),
    })
}

/// The warden must not hold the bot's pipes: the referee would never see their end.
fn let_go_of_bots_pipes() -> io::Result<()> {
    let null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}

fn say(reports: &mut File, report: &Report) {
    let _ = writeln!(reports, "{report}"); // without a referee there is nobody to tell
}

/// What everything below has used: all of it is reaped by now.
fn usage() -> Usage {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::{TimeVal, TimeValLike};
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Usage::default() };
    let time = |time: TimeVal| std::time::Duration::from_micros(time.num_microseconds().unsigned_abs());
    Usage {
        user: time(usage.user_time()),
        system: time(usage.system_time()),
        peak_kib: usage.max_rss().unsigned_abs() / system::RSS_PER_KIB,
    }
}
