//! The isolation probe: arbiter's own program, started as a bot, tries what a hostile bot would.
//!
//! Every attempt is harmless if it succeeds: signals are signal 0, values are set to what they
//! were. For each it writes one line, `open NAME` or `refused NAME`;
//! [`Isolation`](crate::sandbox::Isolation) judges them.

use crate::sandbox::{PROBE, ProbeCategory};
use mmarinus::{Map, Shared, perms};
use nix::fcntl::{SpliceFFlags, vmsplice};
use nix::libc::O_TRUNC;
use nix::sys::signal::{SigEvent, SigevNotify, Signal as NixSignal};
use nix::sys::timer::Timer;
use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use nix::unistd::truncate;
use rustix::fs::{
    Advice, AtFlags, CWD, FileType, FlockOperation, MemfdFlags, Mode, Timespec, Timestamps,
    UTIME_OMIT, XattrFlags, chmod, fadvise, flock, inotify, memfd_create, mknodat, setxattr,
    utimensat,
};
use rustix::net::{AddressFamily, SocketType, socket};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, chroot, getpid, getppid, getpriority_process, getrlimit,
    getuid, pidfd_open, prlimit, setpriority_process, setrlimit, test_kill_process,
};
use rustix::thread::{sched_getaffinity, sched_setaffinity};
use std::fs::{self, File};
use std::io::{self, IoSlice, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;

/// The names of the probes of each category, in the order in which they are run.
const PROBES: &[(ProbeCategory, &[&str])] = &[
    (
        ProbeCategory::Baseline,
        &[
            "a thread",
            "write into the scratch folder",
            "signal itself",
            "read about itself",
            "read a system library",
        ],
    ),
    (ProbeCategory::Fork, &["start a process", "start a shell"]),
    (ProbeCategory::Net, &["listen on TCP", "send UDP", "a unix socket", "netlink", "vsock"]),
    (
        ProbeCategory::Files,
        &[
            "read another's file",
            "read it through a link",
            "link it",
            "list another's folder",
            "write another's file",
            "shorten another's file",
            "write beside it",
            "write into /tmp",
            "write into /dev/shm",
            "change its mode",
            "change its times",
            "change its attributes",
            "read root's secrets",
        ],
    ),
    (ProbeCategory::Names, &["see that a file is there", "see that a process is there"]),
    (
        ProbeCategory::Processes,
        &[
            "signal the referee",
            "signal the warden",
            "hold the referee",
            "limit the referee",
            "move the referee to another core",
            "slow the referee",
            "read the referee's environment",
            "read the referee's memory map",
            "read the referee's arguments",
            "read the referee's processor time",
            "look at the warden's files",
            "list processes",
        ],
    ),
    (
        ProbeCategory::Doors,
        &[
            "memory that is a file",
            "watch files",
            "a timer with any signal",
            "lock files",
            "remove a file from memory",
            "make a pipe with a name",
            "change the root",
            "raise a limit",
            "hide from the out-of-memory killer",
        ],
    ),
    (
        ProbeCategory::Memory,
        &["shared anonymous memory", "shared memory of /dev/zero", "pages that only a pipe holds"],
    ),
];

/// Tries what a probe of this category and name tries.
///
/// # Errors
/// It is refused.
fn attempt(category: ProbeCategory, name: &str, target: &Target) -> io::Result<()> {
    match category {
        ProbeCategory::Baseline | ProbeCategory::Fork | ProbeCategory::Net => attempt_common(name),
        ProbeCategory::Files => attempt_files(name, target),
        ProbeCategory::Names | ProbeCategory::Processes => attempt_processes(name, target),
        ProbeCategory::Doors | ProbeCategory::Memory => attempt_calls(name),
    }
}

/// What ordinary programs do.
fn attempt_common(name: &str) -> io::Result<()> {
    match name {
        "a thread" => {
            let thread = thread::Builder::new().spawn(|| ())?;
            thread.join().map_err(|_| io::Error::other("it panicked"))?;
        }
        "write into the scratch folder" => fs::write(scratch("a"), "text")?,
        "signal itself" => test_kill_process(getpid())?,
        "read about itself" => drop(fs::read("/proc/self/status")?),
        "read a system library" => drop(fs::read_dir("/usr")?),
        "start a process" => {
            Command::new("/proc/self/exe").arg(PROBE).status()?;
        }
        "start a shell" => {
            Command::new("/bin/sh").args(["-c", ":"]).status()?;
        }
        "listen on TCP" => drop(TcpListener::bind("127.0.0.1:0")?),
        "send UDP" => {
            UdpSocket::bind("127.0.0.1:0")?.send_to(b"x", "127.0.0.1:9")?;
        }
        "a unix socket" => drop(UnixListener::bind(scratch("socket"))?),
        "netlink" => drop(socket(AddressFamily::NETLINK, SocketType::RAW, None)?),
        "vsock" => drop(socket(AddressFamily::VSOCK, SocketType::STREAM, None)?),
        _ => no_attempt(name),
    }
    Ok(())
}

/// What reaches files that are not the bot's.
fn attempt_files(name: &str, target: &Target) -> io::Result<()> {
    let secret = &target.secret;
    match name {
        "read another's file" => drop(fs::read(secret)?),
        "read it through a link" => {
            symlink(secret, scratch("link"))?;
            drop(fs::read(scratch("link"))?);
        }
        "link it" => fs::hard_link(secret, scratch("hard"))?,
        "list another's folder" => drop(fs::read_dir(&target.folder)?),
        "write another's file" => drop(File::options().append(true).open(secret)?),
        "shorten another's file" => {
            if File::options().read(true).custom_flags(O_TRUNC).open(secret).is_err() {
                truncate(secret, 0)?;
            }
        }
        "write beside it" => fs::write(target.folder.join("new"), "text")?,
        "write into /tmp" => write_and_remove(Path::new("/tmp"))?,
        "write into /dev/shm" => write_and_remove(Path::new("/dev/shm"))?,
        "change its mode" => chmod(secret, Mode::from_raw_mode(0o644))?,
        "change its times" => {
            let omit = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
            let now = Timespec { tv_sec: 1, tv_nsec: 0 };
            let times = Timestamps { last_access: now, last_modification: omit };
            utimensat(CWD, secret, &times, AtFlags::empty())?;
        }
        "change its attributes" => setxattr(secret, c"user.arbiter", b"x", XattrFlags::empty())?,
        "read root's secrets" => drop(fs::read("/etc/shadow")?),
        _ => no_attempt(name),
    }
    Ok(())
}

/// What sees or reaches other processes, and whether a file can be seen.
fn attempt_processes(name: &str, target: &Target) -> io::Result<()> {
    match name {
        "see that a file is there" => {
            fs::symlink_metadata(&target.secret)?;
        }
        "see that a process is there" => {
            fs::symlink_metadata(format!("/proc/{}", target.referee()?.as_raw_nonzero()))?;
        }
        "signal the referee" => test_kill_process(target.referee()?)?,
        "signal the warden" => test_kill_process(warden()?)?,
        "hold the referee" => drop(pidfd_open(target.referee()?, PidfdFlags::empty())?),
        "limit the referee" => {
            let nice = getrlimit(Resource::Nice);
            prlimit(Some(target.referee()?), Resource::Nice, nice)?;
        }
        "move the referee to another core" => {
            let cores = sched_getaffinity(Some(target.referee()?))?;
            sched_setaffinity(Some(target.referee()?), &cores)?;
        }
        "slow the referee" => {
            let priority = getpriority_process(Some(target.referee()?))?;
            setpriority_process(Some(target.referee()?), priority)?;
        }
        "read the referee's environment" => target.read("environ")?,
        "read the referee's memory map" => target.read("maps")?,
        "read the referee's arguments" => target.read("cmdline")?,
        "read the referee's processor time" => {
            let referee = target.referee()?.as_raw_nonzero().get();
            clock_gettime(clock_getcpuclockid(nix::unistd::Pid::from_raw(referee))?)?;
        }
        "look at the warden's files" => {
            drop(fs::read_dir(format!("/proc/{}/fd", warden()?.as_raw_nonzero()))?);
        }
        "list processes" => {
            for entry in fs::read_dir("/proc")?.flatten() {
                if let Some(file_name) = entry.file_name().to_str()
                    && let Ok(number) = file_name.parse()
                    && !is_own_process(number)
                {
                    return Ok(());
                }
            }
            return Err(io::ErrorKind::NotFound.into());
        }
        _ => no_attempt(name),
    }
    Ok(())
}

/// What only system calls do that few programs need.
fn attempt_calls(name: &str) -> io::Result<()> {
    match name {
        "memory that is a file" => drop(memfd_create(c"x", MemfdFlags::empty())?),
        "watch files" => drop(inotify::init(inotify::CreateFlags::empty())?),
        "a timer with any signal" => {
            let signal = SigevNotify::SigevSignal { signal: NixSignal::SIGCONT, si_value: 0 };
            drop(Timer::new(ClockId::CLOCK_MONOTONIC, SigEvent::new(signal))?);
        }
        "lock files" => {
            let file = File::create(scratch("lock"))?;
            flock(&file, FlockOperation::LockExclusive)?;
        }
        "remove a file from memory" => {
            fadvise(File::create(scratch("cached"))?, 0, None, Advice::DontNeed)?;
        }
        "make a pipe with a name" => mknodat(CWD, scratch("fifo"), FileType::Fifo, Mode::RWXU, 0)?,
        "change the root" => chroot("/")?,
        "raise a limit" => {
            setrlimit(Resource::Memlock, Rlimit { current: Some(0), maximum: None })?;
        }
        "hide from the out-of-memory killer" => fs::write("/proc/self/oom_score_adj", "0")?,
        "shared anonymous memory" => {
            drop(Map::bytes(PAGE).anywhere().anonymously().with_kind(Shared).with(perms::Read)?);
        }
        "shared memory of /dev/zero" => {
            let mut zero = File::open("/dev/zero")?;
            let place = Map::bytes(PAGE).anywhere().from(&mut zero, 0);
            drop(place.with_kind(Shared).with(perms::Read)?);
        }
        "pages that only a pipe holds" => {
            let (_reader, writer) = io::pipe()?;
            vmsplice(writer, &[IoSlice::new(b"page")], SpliceFFlags::empty())?;
        }
        _ => no_attempt(name),
    }
    Ok(())
}

/// Ends the program, and so fails the whole probe: a missing attempt must not count as refused.
fn no_attempt(name: &str) -> ! {
    unreachable!("the probe `{name}` has no attempt")
}

/// Bytes of the smallest page.
const PAGE: usize = 4096;

/// The files that attempts make in the scratch folder.
const MADE_FILES: [&str; 7] = ["a", "socket", "link", "hard", "lock", "cached", "fifo"];

/// Category and name of every probe, in the order in which they are run.
pub(in crate::sandbox) fn probes() -> impl Iterator<Item = (ProbeCategory, &'static str)> {
    PROBES.iter().flat_map(|&(category, names)| names.iter().map(move |&name| (category, name)))
}

/// Runs every probe against the file `secret` in `folder` and the process with the pid `referee`.
/// Without a folder it does nothing: so it is started by the probe that starts a process.
pub fn run_probes(folder: Option<PathBuf>, referee: Option<i32>) -> ExitCode {
    let Some(folder) = folder else { return ExitCode::SUCCESS };
    let secret = folder.join("secret");
    let target = Target { folder, secret, referee: referee.and_then(Pid::from_raw) };
    let mut output = format!("uid {}\n", getuid().as_raw());
    for (category, name) in probes() {
        let outcome = if attempt(category, name, &target).is_ok() { "open" } else { "refused" };
        output.push_str(&format!("{outcome} {name}\n"));
    }
    // Without a scratch folder these files are in the folder for temporary files of all programs.
    for name in MADE_FILES {
        let _ = fs::remove_file(scratch(name)); // fails if the attempt was refused
    }
    match io::stdout().write_all(output.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// What the attempts are made against.
struct Target {
    /// A folder that is not the bot's, and the file in it.
    folder: PathBuf,
    secret: PathBuf,
    referee: Option<Pid>,
}

impl Target {
    /// The referee's pid. An error in a pid namespace where this pid is one of the bot's processes.
    fn referee(&self) -> io::Result<Pid> {
        match self.referee {
            Some(pid) if !is_own_process(pid.as_raw_nonzero().get()) => Ok(pid),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Reads a file of the referee in `/proc`.
    fn read(&self, what: &str) -> io::Result<()> {
        fs::read(format!("/proc/{}/{what}", self.referee()?.as_raw_nonzero())).map(drop)
    }
}

/// The warden's pid. An error in a pid namespace: there the parent has no pid.
fn warden() -> io::Result<Pid> {
    Ok(getppid().ok_or(io::ErrorKind::NotFound)?)
}

/// Whether a pid is that of this process, or of pid 1 of its own pid namespace.
fn is_own_process(number: i32) -> bool {
    number == getpid().as_raw_nonzero().get() || (number == 1 && warden().is_err())
}

/// A path in the scratch folder, or without one in the folder for temporary files.
fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("{}-{name}", std::process::id()))
}

fn write_and_remove(folder: &Path) -> io::Result<()> {
    let path = folder.join(format!("arbiter-probe-{}", std::process::id()));
    File::create_new(&path)?;
    fs::remove_file(path)
}
