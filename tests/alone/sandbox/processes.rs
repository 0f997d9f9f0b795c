//! Bots of several processes under `strict`: each process finds itself in `/proc`, on machines with
//! and without namespaces.

use crate::measures_machine;
use crate::sandbox::{CALM, folder, plays, python, write};
use crate::support::{Ran, arbiter, copy_program, has, project};
use std::path::Path;
use std::process::Command;

/// The kind of machine that a bot runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Machine {
    /// This machine.
    Plain,
    /// An ordinary user in a container that masks a part of `/proc`, so that no new `/proc` can be
    /// mounted.
    MaskedProc,
    /// A machine without user namespaces.
    NoNamespaces,
}

/// A script that sets up the machine and then becomes the command after it; exit status 77 if that
/// is not possible.
const MASKED: &str = "mount -t tmpfs none /proc/sys || exit 77\n\
                      as='setpriv --reuid 65534 --regid 65534 --clear-groups --'\n\
                      $as $PYTHON -c '' || exit 77\n\
                      exec $as \"$@\"";
const NO_NAMESPACES: &str = "echo 0 > /proc/sys/user/max_user_namespaces || exit 77\n\
                             exec setpriv --ambient-caps=-all --inh-caps=-all -- \"$@\"";

impl Machine {
    const ALL: [Machine; 3] = [Machine::Plain, Machine::MaskedProc, Machine::NoNamespaces];

    /// Runs arbiter on such a machine; none if it cannot be set up.
    fn run(self, program: &Path, arguments: &[&str]) -> Option<Ran> {
        let (options, script): (&[&str], _) = match self {
            Machine::Plain => (&[], ""),
            Machine::MaskedProc => (&["-m"], MASKED),
            Machine::NoNamespaces => (&["-U", "--map-user=1000", "--keep-caps"], NO_NAMESPACES),
        };
        let mut command = if options.is_empty() {
            Command::new(program)
        } else {
            let mut command = Command::new("unshare");
            command.args(options).args(["sh", "-c", script, "sh"]).arg(program);
            command
        };
        command.env("PYTHON", python3());
        let ran: Ran = command.args(arguments).current_dir(project("")).output().unwrap().into();
        let arranged = ran.status != Some(77)
            && !["unshare:", "setpriv:", "mount:"].iter().any(|word| ran.stderr.contains(word));
        arranged.then_some(ran)
    }
}

/// The Python that other users can probably run too.
fn python3() -> &'static str {
    if Path::new("/usr/bin/python3").exists() { "/usr/bin/python3" } else { "python3" }
}

/// Plays a bot of up to two processes on every kind of machine that can be set up, and returns what
/// each match printed. `reached` is a folder that every user may enter.
fn on_every_machine(reached: &Path, bot: &str) -> Vec<(Machine, Ran)> {
    let program = reached.join("arbiter");
    copy_program(arbiter(&[]).get_program(), &program);
    let tools = has("unshare", "machines without namespaces") && has("setpriv", "other users");
    let basic =
        ["play", "loa", bot, "builtin:random", "--sandbox", "strict", "--json", "--processes", "2"];
    let machines = Machine::ALL.into_iter().filter(|&machine| machine == Machine::Plain || tools);
    let games = machines.filter_map(|machine| {
        let ran = machine.run(&program, &[&basic[..], &CALM].concat());
        if ran.is_none() {
            crate::support::skip(&format!("{machine:?}: this user cannot arrange such a machine"));
        }
        Some((machine, ran?))
    });
    games.collect()
}

#[test]
fn each_process_of_a_bot_finds_itself() {
    let _machine = measures_machine();
    let folder = folder();
    let what = "import subprocess\n\
                own = 'import os, sys; sys.exit(os.readlink(\"/proc/self/exe\") == os.environ[\"PARENT\"])'\n\
                os.environ['PARENT'] = os.readlink('/proc/self/exe')\n\
                shell = subprocess.run(['/bin/sh', '-c', 'exec readlink /proc/self/exe'], capture_output=True, text=True)\n\
                seen('shell ' + shell.stdout.strip() + shell.stderr)\n\
                child = subprocess.run([sys.executable, '-c', own])\n\
                seen(f'same program {child.returncode}')\n\
                sys.exit(9)";
    let bot = write(&folder.path().join("bot/bot.py"), &python(what));
    write(&folder.path().join("bot/bot.toml"), &format!("command = '{} {bot}'", python3()));
    for (machine, ran) in
        on_every_machine(folder.path(), folder.path().join("bot").to_str().unwrap())
    {
        assert_eq!(ran.status, Some(0), "{machine:?}: {ran:?}");
        let detail = ran.stdout.split("\"detail\":").nth(1).unwrap_or_default();
        let found = detail.contains("exit status 9") && detail.contains("same program 1");
        assert!(
            found && detail.contains("shell /") && !detail.contains("shell /usr/bin/python"),
            "{machine:?}: {ran:?}"
        );
        // With a namespace of its own for each bot nothing is missing, so the tree is not named.
        match machine {
            Machine::Plain => assert!(ran.stderr.contains("isolation: strict"), "{ran:?}"),
            Machine::MaskedProc => assert!(ran.stderr.contains("tree="), "{ran:?}"),
            Machine::NoNamespaces => assert!(ran.stderr.contains("tree=warden"), "{ran:?}"),
        }
    }
}

#[test]
fn java_plays_as_a_child_of_a_script() {
    let _machine = measures_machine();
    if !has("javac", "java as a child of an adapter") {
        return;
    }
    let folder = folder();
    let dir = folder.path().join("bot");
    write(&dir.join("Play.java"), crate::sandbox::languages::JAVA);
    let compiled = Command::new("javac").arg("Play.java").current_dir(&dir).output().unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    write(&dir.join("wrap.sh"), "#!/bin/sh\njava -cp . Play\nexit 0\n");
    let adapter = "import subprocess, sys\n\
                   java = subprocess.Popen(['java', '-cp', '.', 'Play'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)\n\
                   for line in sys.stdin:\n    \
                       java.stdin.write(line)\n    java.stdin.flush()\n    \
                       if line.split()[:1] in (['start'], ['go']): print(java.stdout.readline(), end='', flush=True)\n";
    write(&dir.join("adapter.py"), adapter);
    for command in ["./wrap.sh".to_owned(), format!("{} adapter.py", python3())] {
        write(&dir.join("bot.toml"), &format!("command = '{command}'\n"));
        for (machine, ran) in on_every_machine(folder.path(), dir.to_str().unwrap()) {
            assert!(!ran.stderr.contains("panicked"), "{machine:?}");
            plays(&ran);
        }
    }
}
