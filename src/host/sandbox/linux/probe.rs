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
use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use rustix::fs::{
    Advice, AtFlags, CWD, FileType, FlockOperation, MemfdFlags, Mode, Timespec, Timestamps,
    UTIME_OMIT, XattrFlags,
};
use rustix::net::{AddressFamily, SocketType};
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit};
use std::ffi::CString;
use std::fs::{self, File};
use std::io::{self, IoSlice, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What the attempts are made against.
struct Target {
    /// A folder that is not the bot's, with the file `secret`.
    folder: PathBuf,
    referee: Option<Pid>,
}

type Attempt = fn(&Target) -> io::Result<()>;

/// Every probe: its category, its name, and the attempt.
const PROBES: &[(ProbeCategory, &str, Attempt)] = &[
    (ProbeCategory::Baseline, "a thread", |_| {
        let thread = std::thread::Builder::new().spawn(|| ())?;
        thread.join().map_err(|_| io::Error::other("it panicked"))
    }),
    (ProbeCategory::Baseline, "write into the scratch folder", |_| {
        fs::write(scratch("a")?, "text")
    }),
    (ProbeCategory::Baseline, "signal itself", |_| {
        Ok(rustix::process::test_kill_process(rustix::process::getpid())?)
    }),
    (ProbeCategory::Baseline, "read about itself", |_| fs::read("/proc/self/status").map(drop)),
    (ProbeCategory::Baseline, "read a system library", |_| fs::read_dir("/usr").map(drop)),
    (ProbeCategory::Fork, "start a process", |_| {
        Command::new("/proc/self/exe").arg(PROBE).status().map(drop)
    }),
    (ProbeCategory::Fork, "start a shell", |_| {
        Command::new("/bin/sh").args(["-c", ":"]).status().map(drop)
    }),
    (ProbeCategory::Net, "listen on TCP", |_| TcpListener::bind("127.0.0.1:0").map(drop)),
    (ProbeCategory::Net, "send UDP", |_| {
        UdpSocket::bind("127.0.0.1:0")?.send_to(b"x", "127.0.0.1:9").map(drop)
    }),
    (ProbeCategory::Net, "a unix socket", |_| UnixListener::bind(scratch("socket")?).map(drop)),
    (ProbeCategory::Net, "netlink", |_| socket(AddressFamily::NETLINK, SocketType::RAW)),
    (ProbeCategory::Net, "vsock", |_| socket(AddressFamily::VSOCK, SocketType::STREAM)),
    (ProbeCategory::Files, "read another's file", |target| fs::read(target.secret()).map(drop)),
    (ProbeCategory::Files, "read it through a link", |target| {
        symlink(target.secret(), scratch("link")?)?;
        fs::read(scratch("link")?).map(drop)
    }),
    (ProbeCategory::Files, "link it", |target| fs::hard_link(target.secret(), scratch("hard")?)),
    (ProbeCategory::Files, "list another's folder", |target| {
        fs::read_dir(&target.folder).map(drop)
    }),
    (ProbeCategory::Files, "write another's file", |target| {
        File::options().append(true).open(target.secret()).map(drop)
    }),
    (ProbeCategory::Files, "shorten another's file", |target| {
        let empty =
            File::options().read(true).custom_flags(O_TRUNC).open(target.secret()).map(drop);
        let path = CString::new(target.secret().as_os_str().as_bytes())?;
        empty.or_else(|_| Ok(nix::unistd::truncate(path.as_c_str(), 0)?))
    }),
    (ProbeCategory::Files, "write beside it", |target| {
        fs::write(target.folder.join("new"), "text")
    }),
    (ProbeCategory::Files, "write into /tmp", |_| write_and_remove(Path::new("/tmp"))),
    (ProbeCategory::Files, "write into /dev/shm", |_| write_and_remove(Path::new("/dev/shm"))),
    (ProbeCategory::Files, "change its mode", |target| {
        Ok(rustix::fs::chmod(target.secret(), Mode::from_raw_mode(0o644))?)
    }),
    (ProbeCategory::Files, "change its times", |target| {
        let omit = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
        let now = Timespec { tv_sec: 1, tv_nsec: 0 };
        let times = Timestamps { last_access: now, last_modification: omit };
        Ok(rustix::fs::utimensat(CWD, target.secret(), &times, AtFlags::empty())?)
    }),
    (ProbeCategory::Files, "change its attributes", |target| {
        Ok(rustix::fs::setxattr(target.secret(), c"user.arbiter", b"x", XattrFlags::empty())?)
    }),
    (ProbeCategory::Files, "read root's secrets", |_| fs::read("/etc/shadow").map(drop)),
    (ProbeCategory::Names, "see that a file is there", |target| {
        fs::symlink_metadata(target.secret()).map(drop)
    }),
    (ProbeCategory::Names, "see that a process is there", |target| {
        fs::symlink_metadata(format!("/proc/{}", target.referee()?.as_raw_nonzero())).map(drop)
    }),
    (ProbeCategory::Processes, "signal the referee", |target| {
        Ok(rustix::process::test_kill_process(target.referee()?)?)
    }),
    (ProbeCategory::Processes, "signal the warden", |_| {
        Ok(rustix::process::test_kill_process(warden()?)?)
    }),
    (ProbeCategory::Processes, "hold the referee", |target| {
        Ok(rustix::process::pidfd_open(target.referee()?, PidfdFlags::empty()).map(drop)?)
    }),
    (ProbeCategory::Processes, "limit the referee", |target| {
        let nice = rustix::process::getrlimit(Resource::Nice);
        Ok(rustix::process::prlimit(Some(target.referee()?), Resource::Nice, nice).map(drop)?)
    }),
    (ProbeCategory::Processes, "move the referee to another core", |target| {
        let cores = rustix::thread::sched_getaffinity(Some(target.referee()?))?;
        Ok(rustix::thread::sched_setaffinity(Some(target.referee()?), &cores)?)
    }),
    (ProbeCategory::Processes, "slow the referee", |target| {
        let priority = rustix::process::getpriority_process(Some(target.referee()?))?;
        Ok(rustix::process::setpriority_process(Some(target.referee()?), priority)?)
    }),
    (ProbeCategory::Processes, "read the referee's environment", |target| target.read("environ")),
    (ProbeCategory::Processes, "read the referee's memory map", |target| target.read("maps")),
    (ProbeCategory::Processes, "read the referee's arguments", |target| target.read("cmdline")),
    (ProbeCategory::Processes, "read the referee's processor time", |target| {
        let referee = nix::unistd::Pid::from_raw(target.referee()?.as_raw_nonzero().get());
        Ok(clock_gettime(clock_getcpuclockid(referee)?).map(drop)?)
    }),
    (ProbeCategory::Processes, "look at the warden's files", |_| {
        fs::read_dir(format!("/proc/{}/fd", warden()?.as_raw_nonzero())).map(drop)
    }),
    (ProbeCategory::Processes, "list processes", |_| {
        let names = fs::read_dir("/proc")?.flatten().map(|entry| entry.file_name());
        let mut numbers = names.filter_map(|name| name.to_str()?.parse().ok());
        let found = numbers.find(|&number| !is_own_process(number));
        found.map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }),
    (ProbeCategory::Doors, "memory that is a file", |_| {
        Ok(rustix::fs::memfd_create(c"x", MemfdFlags::empty()).map(drop)?)
    }),
    (ProbeCategory::Doors, "watch files", |_| {
        Ok(rustix::fs::inotify::init(rustix::fs::inotify::CreateFlags::empty()).map(drop)?)
    }),
    (ProbeCategory::Doors, "a timer with any signal", |_| {
        use nix::sys::timer::Timer;
        let event =
            SigEvent::new(SigevNotify::SigevSignal { signal: NixSignal::SIGCONT, si_value: 0 });
        Ok(Timer::new(ClockId::CLOCK_MONOTONIC, event).map(drop)?)
    }),
    (ProbeCategory::Doors, "lock files", |_| {
        let file = File::create(scratch("lock")?)?;
        Ok(rustix::fs::flock(&file, FlockOperation::LockExclusive)?)
    }),
    (ProbeCategory::Doors, "remove a file from memory", |_| {
        Ok(rustix::fs::fadvise(File::create(scratch("cached")?)?, 0, None, Advice::DontNeed)?)
    }),
    (ProbeCategory::Doors, "make a pipe with a name", |_| {
        Ok(rustix::fs::mknodat(CWD, scratch("fifo")?, FileType::Fifo, Mode::RWXU, 0)?)
    }),
    (ProbeCategory::Doors, "change the root", |_| Ok(rustix::process::chroot("/")?)),
    (ProbeCategory::Doors, "raise a limit", |_| {
        let most = Rlimit { current: Some(0), maximum: None };
        Ok(rustix::process::setrlimit(Resource::Memlock, most)?)
    }),
    (ProbeCategory::Doors, "hide from the out-of-memory killer", |_| {
        fs::write("/proc/self/oom_score_adj", "0")
    }),
    (ProbeCategory::Memory, "shared anonymous memory", |_| {
        let memory = Map::bytes(PAGE).anywhere().anonymously().with_kind(Shared).with(perms::Read);
        Ok(memory.map(drop)?)
    }),
    (ProbeCategory::Memory, "shared memory of /dev/zero", |_| {
        let mut zero = File::open("/dev/zero")?;
        Ok(Map::bytes(PAGE)
            .anywhere()
            .from(&mut zero, 0)
            .with_kind(Shared)
            .with(perms::Read)
            .map(drop)?)
    }),
    (ProbeCategory::Memory, "pages that only a pipe holds", |_| {
        let (_reader, writer) = io::pipe()?;
        Ok(vmsplice(writer, &[IoSlice::new(b"page")], SpliceFFlags::empty()).map(drop)?)
    }),
];

/// Bytes of the smallest page.
const PAGE: usize = 4096;

/// The files that attempts make in the scratch folder.
const MADE_FILES: [&str; 7] = ["a", "socket", "link", "hard", "lock", "cached", "fifo"];

/// Category and name of every probe, in the order in which they are run.
pub(in crate::sandbox) fn probes() -> impl Iterator<Item = (ProbeCategory, &'static str)> {
    PROBES.iter().map(|&(category, name, _)| (category, name))
}

/// Runs every probe against the file `secret` in `folder` and the process with the pid `referee`.
/// Without a folder it does nothing: so it is started by the probe that starts a process.
pub fn run_probes(folder: Option<PathBuf>, referee: Option<i32>) -> ExitCode {
    let Some(folder) = folder else { return ExitCode::SUCCESS };
    let target = Target { folder, referee: referee.and_then(Pid::from_raw) };
    let mut output = format!("uid {}\n", rustix::process::getuid().as_raw());
    for (_, name, attempt) in PROBES {
        let outcome = if attempt(&target).is_ok() { "open" } else { "refused" };
        output.push_str(&format!("{outcome} {name}\n"));
    }
    // Without a scratch folder these files are in the folder for temporary files of all programs.
    for name in MADE_FILES {
        let _ = scratch(name).and_then(fs::remove_file); // fails if the attempt was refused
    }
    match io::stdout().write_all(output.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

impl Target {
    fn secret(&self) -> PathBuf {
        self.folder.join("secret")
    }

    /// The referee's pid. An error in a pid namespace where this pid is one of the bot's processes.
    fn referee(&self) -> io::Result<Pid> {
        let referee = self.referee.filter(|pid| !is_own_process(pid.as_raw_nonzero().get()));
        referee.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Reads a file of the referee in `/proc`.
    fn read(&self, what: &str) -> io::Result<()> {
        fs::read(format!("/proc/{}/{what}", self.referee()?.as_raw_nonzero())).map(drop)
    }
}

/// The warden's pid. An error in a pid namespace: there the parent has no pid.
fn warden() -> io::Result<Pid> {
    rustix::process::getppid().ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// Whether a pid is that of this process, or of pid 1 of its own pid namespace.
fn is_own_process(number: i32) -> bool {
    number == rustix::process::getpid().as_raw_nonzero().get() || (number == 1 && warden().is_err())
}

/// A path in the scratch folder, or without one in the folder for temporary files.
fn scratch(name: &str) -> io::Result<PathBuf> {
    Ok(std::env::temp_dir().join(format!("{}-{name}", std::process::id())))
}

fn write_and_remove(folder: &Path) -> io::Result<()> {
    let path = folder.join(format!("arbiter-probe-{}", std::process::id()));
    File::create_new(&path)?;
    fs::remove_file(path)
}

fn socket(family: AddressFamily, kind: SocketType) -> io::Result<()> {
    Ok(rustix::net::socket(family, kind, None).map(drop)?)
}
