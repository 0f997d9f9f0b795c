//! Landlock: an allow-list of files, made before the process gives up its rights and put on after.
//!
//! It also keeps signals and abstract sockets within the bot's own processes where the kernel knows how, and hides what
//! `/proc` tells of others. It does not cover changes of owner, mode and times; `calls` does.

use crate::locate::{Own, Purpose, SYSTEM};
use crate::sandbox::{Namespaces, Policy};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The newest version that is asked for; of an older kernel, what it has.
const VERSION: ABI = ABI::V9;

/// What describes the machine and tells nothing of its processes; java, node and Go look at some of it.
const MACHINE: [&str; 9] = [
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/proc/filesystems",
    "/proc/sys/vm",
    "/proc/sys/kernel/random",
    "/sys/devices/system/cpu",
    "/sys/kernel/mm/transparent_hugepage",
];

/// What of `/etc` is read by programs and holds no secrets. A bot that had to keep the user id 0 could read the rest.
const ETC: [&str; 28] = [
    "alternatives",
    "bash.bashrc",
    "ca-certificates",
    "crypto-policies",
    "default/locale",
    "fonts",
    "group",
    "host.conf",
    "hosts",
    "inputrc",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "ld.so.preload",
    "locale.conf",
    "localtime",
    "lsb-release",
    "mime.types",
    "nsswitch.conf",
    "os-release",
    "passwd",
    "perl",
    "pki/tls/openssl.cnf",
    "protocols",
    "services",
    "ssl/certs",
    "ssl/openssl.cnf",
    "timezone",
];
/// The same, by how their names begin.
const ETC_FAMILIES: [&str; 9] = ["java", "python", "node", "php", "ruby", "mono", "dotnet", "lua", "julia"];

const DEVICES: [&str; 4] = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"];

/// How many files beside a bot's own are opened one by one.
const MOST_FILES: usize = 2000;

/// A file or a folder that a bot may reach, beside its own folder and its scratch folder.
pub(super) struct Place {
    pub path: PathBuf,
    rights: BitFlags<AccessFs>,
}

/// What a program may reach under a policy. What is not there is named as well.
pub(super) fn places(policy: &Policy, command: &Path, root: bool) -> Vec<Place> {
    let etc = Path::new("/etc");
    // What is secret there is not an ordinary user's to read anyway.
    let described: Vec<PathBuf> = match root {
        true => ETC.iter().map(|name| etc.join(name)).chain(families(etc)).collect(),
        false => vec![etc.to_owned()],
    };
    // A bot of several processes has `/proc` in whole only where it is its own, and a build always: of processes that are
    // not below it others show only names.
    let own_proc = policy.namespaces == Namespaces::All && policy.forks();
    let processes = if policy.purpose == Purpose::Build || own_proc { "/proc" } else { "/proc/self" };
    let fixed = SYSTEM.iter().chain(&MACHINE).chain([&processes]).map(PathBuf::from);
    let found = policy.needed.iter().chain(&policy.readable).cloned();
    // What lies in its folder comes with it: a link there opens nothing elsewhere.
    let of_folder = matches!(&policy.own, Own::Folder(folder) if command.starts_with(folder));
    let command = (!of_folder).then(|| command.to_owned());
    let readable = fixed.chain(described).chain(found).chain(command);
    let read = AccessFs::from_read(VERSION);
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev;
    // Mapped as shared it is memory that counts as no process's.
    let zero = policy.may_hide_memory().then_some("/dev/zero");
    let devices = DEVICES.into_iter().chain(zero).map(|path| Place { path: path.into(), rights: device });
    readable.map(|path| Place { path, rights: read }).chain(devices).collect()
}

/// The list, ready to be put on. It holds the files that it names, so it is made while they can still be reached.
pub(super) struct Files(RulesetCreated);

impl Files {
    /// Makes the list for a policy and the places beside the bot's own.
    pub fn open(policy: &Policy, places: &[Place]) -> io::Result<Files> {
        let all = AccessFs::from_all(VERSION);
        let read = AccessFs::from_read(VERSION);
        let ruleset = Ruleset::default()
            .handle_access(all)
            .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(VERSION)))
            .and_then(|ruleset| ruleset.scope(Scope::from_all(VERSION)))
            .and_then(Ruleset::create)
            .map_err(io::Error::other)?
            .set_compatibility(landlock::CompatLevel::BestEffort);
        let mut list = List(ruleset);
        for place in places {
            list.allow(&place.path, place.rights)?;
        }
        let made = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::MakeFifo;
        let write = all & !(made | AccessFs::IoctlDev);
        list.allow(&policy.scratch, write)?;
        let own = if policy.purpose == Purpose::Build { write } else { read };
        match &policy.own {
            Own::Nothing => {}
            Own::Folder(folder) => list.allow_but(folder, &policy.hidden, own)?,
            Own::Files(folder) => {
                // Names may be listed: Python finds what a script imports by listing its folder.
                list.allow(folder, AccessFs::ReadDir.into())?;
                for path in plain_files(folder, &policy.hidden) {
                    list.allow(&path, own)?;
                }
            }
        }
        Ok(Files(list.0))
    }

    /// Puts it on; without Landlock in the kernel that changes nothing, which the canary finds out.
    pub fn close(self) -> io::Result<()> {
        self.0.restrict_self().map(drop).map_err(io::Error::other)
    }
}

struct List(RulesetCreated);

impl List {
    /// Opens a file, or a folder with all that is in it; what is not there needs no rule.
    fn allow(&mut self, path: &Path, rights: BitFlags<AccessFs>) -> io::Result<()> {
        let Ok(place) = PathFd::new(path) else { return Ok(()) };
        let folder = fs::metadata(path).is_ok_and(|meta| meta.is_dir());
        let rights = if folder { rights } else { rights & AccessFs::from_file(VERSION) };
        let rule = PathBeneath::new(place, rights);
        (&mut self.0).add_rule(rule).map(drop).map_err(io::Error::other)
    }

    /// Opens a folder, but for what is hidden in it.
    fn allow_but(&mut self, folder: &Path, hidden: &[PathBuf], rights: BitFlags<AccessFs>) -> io::Result<()> {
        let within = |path: &Path| hidden.iter().any(|hidden| hidden.starts_with(path));
        if !within(folder) {
            return self.allow(folder, rights);
        }
        self.allow(folder, AccessFs::ReadDir.into())?;
        for entry in entries(folder) {
            if hidden.contains(&entry) {
                continue;
            }
            if within(&entry) {
                self.allow_but(&entry, hidden, rights)?;
            } else {
                self.allow(&entry, rights)?;
            }
        }
        Ok(())
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().map(|entry| entry.path()).take(MOST_FILES).collect()
}

/// The files of a folder that only those belong to a bot.
pub(super) fn plain_files(folder: &Path, hidden: &[PathBuf]) -> Vec<PathBuf> {
    let visible = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        !name.as_encoded_bytes().starts_with(b".") && !hidden.contains(path)
    };
    let plain = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file());
    entries(folder).into_iter().filter(visible).filter(plain).collect()
}

fn families(etc: &Path) -> impl Iterator<Item = PathBuf> {
    entries(etc).into_iter().filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        ETC_FAMILIES.iter().any(|family| name.starts_with(family))
    })
}
