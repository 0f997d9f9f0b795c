//! Landlock: an allow-list of files and folders. It is built while the process still has its
//! rights, and applied after it has given them up.
//!
//! Where the kernel supports it, it also keeps signals and abstract sockets within the bot's
//! processes, and hides what `/proc` shows of others. It does not cover changes of owner, mode and
//! times; `seccomp` does.

use crate::files::list;
use crate::locate::installation::system_folders;
use crate::locate::{FolderAccess, Purpose};
use crate::sandbox::{Namespaces, Policy};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The newest version whose rules are requested; an older kernel applies those that it has.
const VERSION: ABI = ABI::V9;

/// Files that describe the machine without its processes; java, node and Go read some of them.
const MACHINE_FILES: [&str; 9] = [
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

/// Files in `/etc` that programs read and that contain no secrets. A bot that stays root could read
/// the others.
const ETC_FILES: [&str; 28] = [
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
/// The same, by the first letters of their names.
const ETC_PREFIXES: [&str; 9] =
    ["java", "python", "node", "php", "ruby", "mono", "dotnet", "lua", "julia"];

const DEVICES: [&str; 4] = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"];

/// Number of entries of a folder that get a rule each, at most.
const MAX_ENTRIES: usize = 2000;

/// A file, or a folder with everything in it, that a bot may reach beside its own folder and its
/// scratch folder.
pub(super) struct AllowedPath {
    pub path: PathBuf,
    rights: BitFlags<AccessFs>,
}

/// The paths that a program may reach under a policy, whether they exist or not.
pub(super) fn allowed_paths(policy: &Policy, command: &Path, root: bool) -> Vec<AllowedPath> {
    let mut readable: Vec<PathBuf> = system_folders().map(Path::to_owned).collect();
    readable.extend(MACHINE_FILES.map(PathBuf::from));
    // A bot of several processes gets the whole of `/proc` only if that is its own. A build always
    // gets it: of processes that are not its descendants it sees only names there.
    let own_proc = policy.namespaces == Namespaces::All && policy.forks();
    let all_processes = policy.purpose == Purpose::Build || own_proc;
    readable.push(if all_processes { "/proc" } else { "/proc/self" }.into());
    // An ordinary user cannot read the secret files of `/etc` anyway.
    let etc = Path::new("/etc");
    if root {
        readable.extend(ETC_FILES.map(|name| etc.join(name)));
        for path in list(etc).take(MAX_ENTRIES) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if ETC_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
                readable.push(path);
            }
        }
    } else {
        readable.push(etc.to_owned());
    }
    readable.extend_from_slice(&policy.required);
    readable.extend_from_slice(&policy.readable);
    // A command in the bot's folder is covered by that folder; following it here could allow the
    // target of a link.
    if !matches!(&policy.folder, FolderAccess::Folder(folder) if command.starts_with(folder)) {
        readable.push(command.to_owned());
    }
    let mut devices = DEVICES.to_vec();
    // A shared mapping of it is memory that `/proc` does not count for any process.
    if policy.allows_uncounted_memory() {
        devices.push("/dev/zero");
    }
    let mut paths = Vec::new();
    for path in readable {
        paths.push(AllowedPath { path, rights: AccessFs::from_read(VERSION) });
    }
    for device in devices {
        let rights = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev;
        paths.push(AllowedPath { path: device.into(), rights });
    }
    paths
}

/// The allow-list, ready to be applied. It holds descriptors of its files, so it must be built
/// while they can be opened.
pub(super) struct FileAllowList(RulesetCreated);

impl FileAllowList {
    /// Builds the list from a policy and the paths beside the bot's own folder.
    pub fn new(policy: &Policy, paths: &[AllowedPath]) -> io::Result<FileAllowList> {
        let all = AccessFs::from_all(VERSION);
        let read = AccessFs::from_read(VERSION);
        let ruleset = without_rights(all).map_err(io::Error::other)?;
        let mut list = FileAllowList(ruleset.set_compatibility(CompatLevel::BestEffort));
        for AllowedPath { path, rights } in paths {
            list.allow(path, *rights)?;
        }
        let made =
            AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::MakeFifo;
        let write = all & !(made | AccessFs::IoctlDev);
        list.allow(&policy.scratch, if policy.read_only { read } else { write })?;
        let own = if policy.purpose == Purpose::Build { write } else { read };
        match &policy.folder {
            FolderAccess::Nothing => {}
            FolderAccess::Folder(folder) => list.allow_except(folder, &policy.hidden, own)?,
            FolderAccess::Files(folder) => {
                // Listing is allowed: Python lists the folder of a script to find what it imports.
                list.allow(folder, AccessFs::ReadDir.into())?;
                for path in plain_files(folder, &policy.hidden) {
                    list.allow(&path, own)?;
                }
            }
        }
        Ok(list)
    }

    /// Applies it to this process. On a kernel without Landlock this has no effect and no error;
    /// the isolation probe shows it.
    pub fn apply(self) -> io::Result<()> {
        self.0.restrict_self().map(drop).map_err(io::Error::other)
    }

    /// Allows a file, or a folder with everything in it. A path that does not exist needs no rule.
    /// Rights that only folders have are left out for a file.
    fn allow(&mut self, path: &Path, rights: BitFlags<AccessFs>) -> io::Result<()> {
        let Ok(descriptor) = PathFd::new(path) else { return Ok(()) };
        let rule = PathBeneath::new(descriptor, rights);
        (&mut self.0).add_rule(rule).map(drop).map_err(io::Error::other)
    }

    /// Allows a folder except for the hidden paths in it.
    fn allow_except(
        &mut self,
        folder: &Path,
        hidden: &[PathBuf],
        rights: BitFlags<AccessFs>,
    ) -> io::Result<()> {
        if !hidden.iter().any(|path| path.starts_with(folder)) {
            return self.allow(folder, rights);
        }
        self.allow(folder, AccessFs::ReadDir.into())?;
        for entry in list(folder).take(MAX_ENTRIES) {
            if !hidden.contains(&entry) {
                self.allow_except(&entry, hidden, rights)?;
            }
        }
        Ok(())
    }
}

/// A ruleset that handles all rights to files, to the network, and to signals and sockets of
/// others.
fn without_rights(files: BitFlags<AccessFs>) -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .handle_access(files)?
        .handle_access(AccessNet::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?
        .create()
}

/// The files directly in a folder, without links, hidden paths, and names that begin with a dot:
/// the files of a bot whose folder may belong to others.
pub(super) fn plain_files(folder: &Path, hidden: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in list(folder).take(MAX_ENTRIES) {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        if !name.starts_with(b".")
            && !hidden.contains(&path)
            && fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file())
        {
            files.push(path);
        }
    }
    files
}
