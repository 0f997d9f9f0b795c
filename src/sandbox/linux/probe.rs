//! The attacker: our own program, started as a bot, that tries what a hostile one would.
//!
//! Each attempt is harmless where it works: signals are signal 0, what is set is set to what it was. It says one line
//! an attempt, `open NAME` or `refused NAME`; who started it (`canary`) judges.

use crate::sandbox::{ATTACK, Aim};
use mmarinus::{Map, Shared, perms};
use nix::fcntl::{SpliceFFlags, vmsplice};
use nix::libc::O_TRUNC;
use nix::sys::signal::{SigEvent, SigevNotify, Signal as NixSignal};
use nix::time::ClockId;
use rustix::fs::{
    AtFlags, CWD, FileType, FlockOperation, MemfdFlags, Mode, Timespec, Timestamps, UTIME_OMIT, XattrFlags,
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

/// What the attacker has before it.
struct Target {
    /// A folder with the file `secret`, which is not the bot's.
    bait: PathBuf,
    /// The referee.
    referee: Option<Pid>,
}

type Attempt = fn(&Target) -> io::Result<()>;

/// Every attempt: what it is aimed at, its name, and how it is made.
const ATTEMPTS: &[(Aim, &str, Attempt)] = &[
    (Aim::Own, "a thread", |_| {
        let thread = std::thread::Builder::new().spawn(|| ())?;
        thread.join().map_err(|_| io::Error::other("it panicked"))
    }),
    (Aim::Own, "write into the scratch folder", |_| fs::write(scratch("a")?, "text")),
    (Aim::Own, "signal itself", |_| Ok(rustix::process::test_kill_process(rustix::process::getpid())?)),
    (Aim::Own, "read about itself", |_| fs::read("/proc/self/status").map(drop)),
    (Aim::Own, "read a system library", |_| fs::read_dir("/usr").map(drop)),
    (Aim::Fork, "start a process", |_| Command::new("/proc/self/exe").arg(ATTACK).status().map(drop)),
    (Aim::Fork, "start a shell", |_| Command::new("/bin/sh").args(["-c", ":"]).status().map(drop)),
    (Aim::Net, "listen on TCP", |_| TcpListener::bind("127.0.0.1:0").map(drop)),
    (Aim::Net, "send UDP", |_| UdpSocket::bind("127.0.0.1:0")?.send_to(b"x", "127.0.0.1:9").map(drop)),
    (Aim::Net, "a unix socket", |_| UnixListener::bind(scratch("socket")?).map(drop)),
    (Aim::Net, "netlink", |_| socket(AddressFamily::NETLINK, SocketType::RAW)),
    (Aim::Net, "vsock", |_| socket(AddressFamily::VSOCK, SocketType::STREAM)),
    (Aim::Files, "read another's file", |target| fs::read(target.secret()).map(drop)),
    (Aim::Files, "read it through a link", |target| {
        symlink(target.secret(), scratch("link")?)?;
        fs::read(scratch("link")?).map(drop)
    }),
    (Aim::Files, "link it", |target| fs::hard_link(target.secret(), scratch("hard")?)),
    (Aim::Files, "list another's folder", |target| fs::read_dir(&target.bait).map(drop)),
    (Aim::Files, "write another's file", |target| {
        File::options().append(true).open(target.secret()).map(drop)
    }),
    (Aim::Files, "shorten another's file", |target| {
        let empty = File::options().read(true).custom_flags(O_TRUNC).open(target.secret()).map(drop);
        let path = CString::new(target.secret().as_os_str().as_bytes())?;
        empty.or_else(|_| Ok(nix::unistd::truncate(path.as_c_str(), 0)?))
    }),
    (Aim::Files, "write beside it", |target| fs::write(target.bait.join("new"), "text")),
    (Aim::Files, "write into /tmp", |_| write_and_remove(Path::new("/tmp"))),
    (Aim::Files, "write into /dev/shm", |_| write_and_remove(Path::new("/dev/shm"))),
    (Aim::Files, "change its mode", |target| {
        Ok(rustix::fs::chmod(target.secret(), Mode::from_raw_mode(0o644))?)
    }),
    (Aim::Files, "change its times", |target| {
        let omit = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
        let now = Timespec { tv_sec: 1, tv_nsec: 0 };
        let times = Timestamps { last_access: now, last_modification: omit };
        Ok(rustix::fs::utimensat(CWD, target.secret(), &times, AtFlags::empty())?)
    }),
    (Aim::Files, "change its attributes", |target| {
        Ok(rustix::fs::setxattr(target.secret(), c"user.arbiter", b"x", XattrFlags::empty())?)
    }),
    (Aim::Files, "read root's secrets", |_| fs::read("/etc/shadow").map(drop)),
    (Aim::Names, "see that a file is there", |target| fs::symlink_metadata(target.secret()).map(drop)),
    (Aim::Names, "see that a process is there", |target| {
        fs::symlink_metadata(format!("/proc/{}", target.referee()?.as_raw_nonzero())).map(drop)
    }),
    (Aim::Processes, "signal the referee", |target| {
        Ok(rustix::process::test_kill_process(target.referee()?)?)
    }),
    (Aim::Processes, "signal the warden", |_| Ok(rustix::process::test_kill_process(warden()?)?)),
    (Aim::Processes, "hold the referee", |target| {
        Ok(rustix::process::pidfd_open(target.referee()?, PidfdFlags::empty()).map(drop)?)
    }),
    (Aim::Processes, "limit the referee", |target| {
        let nice = rustix::process::getrlimit(Resource::Nice);
        Ok(rustix::process::prlimit(Some(target.referee()?), Resource::Nice, nice).map(drop)?)
    }),
    (Aim::Processes, "move the referee to another core", |target| {
        let cores = rustix::thread::sched_getaffinity(Some(target.referee()?))?;
        Ok(rustix::thread::sched_setaffinity(Some(target.referee()?), &cores)?)
    }),
    (Aim::Processes, "slow the referee", |target| {
        let priority = rustix::process::getpriority_process(Some(target.referee()?))?;
        Ok(rustix::process::setpriority_process(Some(target.referee()?), priority)?)
    }),
    (Aim::Processes, "read the referee's environment", |target| target.read("environ")),
    (Aim::Processes, "read the referee's memory map", |target| target.read("maps")),
    (Aim::Processes, "read the referee's arguments", |target| target.read("cmdline")),
    (Aim::Processes, "look at the warden's files", |_| {
        fs::read_dir(format!("/proc/{}/fd", warden()?.as_raw_nonzero())).map(drop)
    }),
    (Aim::Processes, "list processes", |_| {
        let names = fs::read_dir("/proc")?.flatten().map(|entry| entry.file_name());
        let mut numbers = names.filter_map(|name| name.to_str()?.parse().ok());
        let found = numbers.find(|&number| !is_of_this_tree(number));
        found.map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }),
    (Aim::Doors, "memory that is a file", |_| {
        Ok(rustix::fs::memfd_create(c"x", MemfdFlags::empty()).map(drop)?)
    }),
    (Aim::Doors, "watch files", |_| {
        Ok(rustix::fs::inotify::init(rustix::fs::inotify::CreateFlags::empty()).map(drop)?)
    }),
    (Aim::Doors, "a timer with any signal", |_| {
        use nix::sys::timer::Timer;
        let event = SigEvent::new(SigevNotify::SigevSignal { signal: NixSignal::SIGCONT, si_value: 0 });
        Ok(Timer::new(ClockId::CLOCK_MONOTONIC, event).map(drop)?)
    }),
    (Aim::Doors, "lock files", |_| {
        let file = File::create(scratch("lock")?)?;
        Ok(rustix::fs::flock(&file, FlockOperation::LockExclusive)?)
    }),
    (Aim::Doors, "make a pipe with a name", |_| {
        Ok(rustix::fs::mknodat(CWD, scratch("fifo")?, FileType::Fifo, Mode::RWXU, 0)?)
    }),
    (Aim::Doors, "change the root", |_| Ok(rustix::process::chroot("/")?)),
    (Aim::Doors, "raise a limit", |_| {
        let most = Rlimit { current: Some(0), maximum: None };
        Ok(rustix::process::setrlimit(Resource::Memlock, most)?)
    }),
    (Aim::Doors, "hide from the out-of-memory killer", |_| fs::write("/proc/self/oom_score_adj", "0")),
    (Aim::Memory, "shared anonymous memory", |_| {
        let memory = Map::bytes(PAGE).anywhere().anonymously().with_kind(Shared).with(perms::Read);
        Ok(memory.map(drop)?)
    }),
    (Aim::Memory, "shared memory of /dev/zero", |_| {
        let mut zero = File::open("/dev/zero")?;
        Ok(Map::bytes(PAGE).anywhere().from(&mut zero, 0).with_kind(Shared).with(perms::Read).map(drop)?)
    }),
    (Aim::Memory, "pages that only a pipe holds", |_| {
        let (_reader, writer) = io::pipe()?;
        Ok(vmsplice(writer, &[IoSlice::new(b"page")], SpliceFFlags::empty()).map(drop)?)
    }),
];

/// The size of a page, or a part of one.
const PAGE: usize = 4096;

/// What attempts leave in the scratch folder.
const MADE: [&str; 6] = ["a", "socket", "link", "hard", "lock", "fifo"];

/// What is attempted: aim and name of each, in their order.
pub(in crate::sandbox) fn attempts() -> impl Iterator<Item = (Aim, &'static str)> {
    ATTEMPTS.iter().map(|&(aim, name, _)| (aim, name))
}

/// Makes every attempt against the file `secret` in a folder, and the process of this number; without both it does nothing.
pub fn attack(bait: Option<PathBuf>, referee: Option<i32>) -> ExitCode {
    let Some(bait) = bait else { return ExitCode::SUCCESS };
    let target = Target { bait, referee: referee.and_then(Pid::from_raw) };
    let mut said = format!("uid {}\n", rustix::process::getuid().as_raw());
    for (_, name, attempt) in ATTEMPTS {
        let outcome = if attempt(&target).is_ok() { "open" } else { "refused" };
        said.push_str(&format!("{outcome} {name}\n"));
    }
    // Without a scratch folder of its own this lies where everybody's files do.
    for name in MADE {
        let _ = scratch(name).and_then(fs::remove_file); // what was refused is not there
    }
    match io::stdout().write_all(said.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

impl Target {
    fn secret(&self) -> PathBuf {
        self.bait.join("secret")
    }

    /// The referee's number, where it can mean the referee.
    fn referee(&self) -> io::Result<Pid> {
        let referee = self.referee.filter(|pid| !is_of_this_tree(pid.as_raw_nonzero().get()));
        referee.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Reads what `/proc` has of the referee.
    fn read(&self, what: &str) -> io::Result<()> {
        fs::read(format!("/proc/{}/{what}", self.referee()?.as_raw_nonzero())).map(drop)
    }
}

/// The warden's number; in a pid namespace of its own a bot has a parent without a number.
fn warden() -> io::Result<Pid> {
    rustix::process::getppid().ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// Whether this number means the attacker, or the first process of its own pid namespace.
fn is_of_this_tree(number: i32) -> bool {
    number == rustix::process::getpid().as_raw_nonzero().get() || (number == 1 && warden().is_err())
}

/// A path in the scratch folder, or where files go without one.
fn scratch(name: &str) -> io::Result<PathBuf> {
    Ok(std::env::temp_dir().join(format!("{}-{name}", std::process::id())))
}

fn write_and_remove(folder: &Path) -> io::Result<()> {
    let path = folder.join(format!("arbiter-attack-{}", std::process::id()));
    File::create_new(&path)?;
    fs::remove_file(path)
}

fn socket(family: AddressFamily, kind: SocketType) -> io::Result<()> {
    Ok(rustix::net::socket(family, kind, None).map(drop)?)
}
