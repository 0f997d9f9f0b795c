//! A Slurm cluster of three virtual nodes, in a folder and on free ports.
//!
//! Each node is a namespace of processes, so that killing its first process ends everything on it at once,
//! as a power cut does.

use crate::support::place::Place;
use crate::support::{ARBITER, PATIENCE, Ran, project};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The commands that have to be installed.
pub const NEEDS: [&str; 7] =
    ["munged", "slurmctld", "slurmd", "sbatch", "scontrol", "unshare", "setpriv"];

/// The names of the nodes.
const NODES: [&str; 3] = ["n1", "n2", "n3"];

/// How long to wait between two looks at the cluster: each look starts a program.
const PAUSE: Duration = Duration::from_millis(200);

/// How long a task that is queued again waits at least. Slurm's default is 120. It cannot be shortened for
/// one task: within this time a node refuses a job that it has ended.
const SECONDS_BEFORE_AGAIN: u32 = 10;

pub struct Cluster {
    dir: PathBuf,
    /// A small disk that all nodes see.
    pub disk: PathBuf,
    daemons: Vec<Child>,
    nodes: BTreeMap<&'static str, Child>,
    began: Instant,
}

/// The jobs that the recipe has submitted.
pub struct Jobs {
    pub array: String,
    merge: String,
}

impl Cluster {
    /// Starts the cluster in a folder that exists, and waits until all nodes are idle.
    pub fn start(dir: &Path) -> Cluster {
        for name in ["state", "run", "log", "disk", "spool"] {
            fs::create_dir(dir.join(name)).unwrap();
        }
        let disk = dir.join("disk");
        rustix::mount::mount(
            "tmpfs",
            &disk,
            "tmpfs",
            rustix::mount::MountFlags::empty(),
            c"size=1m",
        )
        .unwrap();
        let mut key = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(dir.join("key"))
            .unwrap();
        key.write_all(&crate::support::random().to_be_bytes().repeat(16)).unwrap();
        fs::write(dir.join("slurm.conf"), configuration(dir)).unwrap();
        let mut cluster = Cluster {
            dir: dir.to_owned(),
            disk,
            daemons: Vec::new(),
            nodes: BTreeMap::new(),
            began: Instant::now(),
        };
        cluster.daemon("munged", &munged(dir));
        cluster.wait("munged", |_| dir.join("run/munge.socket").exists().then_some(()));
        cluster.daemon("slurmctld", &["slurmctld".into(), "-D".into()]);
        for node in NODES {
            cluster.start_node(node);
        }
        cluster
    }

    /// Prints a line of the transcript, with the seconds since the cluster began.
    pub fn say(&self, what: &str) {
        println!("{:5} s  {what}", self.began.elapsed().as_secs());
    }

    /// A command that talks to this cluster, with arbiter on PATH.
    fn command(&self, words: &[String]) -> Command {
        let programs = Path::new(ARBITER).parent().unwrap().display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::null());
        command
            .env("SLURM_CONF", self.dir.join("slurm.conf"))
            .env("PATH", format!("{programs}:{path}"));
        command.env_remove("PYTHONUNBUFFERED").env_remove("GITHUB_STEP_SUMMARY");
        command
    }

    /// Runs a command of Slurm to its end.
    fn run(&self, line: &str) -> Ran {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        self.command(&words).output().unwrap().into()
    }

    fn daemon(&mut self, name: &str, words: &[String]) {
        let child = self.in_background(name, words);
        self.daemons.push(child);
    }

    /// Starts a program; what it prints goes to a file in `log`.
    fn in_background(&self, name: &str, words: &[String]) -> Child {
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(self.dir.join("log").join(name))
            .unwrap();
        let mut command = self.command(words);
        command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap()
    }

    /// Starts a node, and waits until it is idle.
    pub fn start_node(&mut self, node: &'static str) {
        // The shell is the first process of the node: it outlives slurmd, and takes in its orphans.
        let mut words =
            vec!["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
        words.extend(["sh", "-c", "\"$@\" & wait; while sleep 1; do :; done", "node"]);
        words.extend(["env", "--default-signal"]); // the shell lets what runs in the background ignore SIGINT
        if !rustix::process::getuid().is_root() {
            words.extend(["setpriv", "--ambient-caps=-all", "--inh-caps=-all"]);
        }
        words.extend(["slurmd", "-D", "-N", node]);
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let child = self.in_background(node, &words);
        self.nodes.insert(node, child);
        self.wait(&format!("node {node} to be idle"), |cluster| {
            let state = cluster.node_state(node);
            if state.contains("DOWN") && !state.contains("NOT_RESPONDING") {
                cluster.run(&format!("scontrol update nodename={node} state=resume"));
            }
            (state == "IDLE").then_some(())
        });
    }

    /// The state of a node as `scontrol` has it, such as `IDLE` or `DOWN*`.
    pub fn node_state(&self, node: &str) -> String {
        let ran = self.run(&format!("scontrol -o show node {node}"));
        fields(&ran.stdout).remove("State").unwrap_or_default()
    }

    /// Ends all processes of a node at once.
    pub fn kill_node(&mut self, node: &str) {
        let mut child = self.nodes.remove(node).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        self.say(&format!("{node} is killed: slurmd, slurmstepd, arbiter and bots"));
    }

    /// Ends slurmd alone, with SIGKILL: the tasks of the node run on.
    pub fn kill_slurmd(&self, node: &str) {
        let first = children(self.nodes[node].id())[0];
        let is_slurmd = |pid: &u32| {
            fs::read_to_string(format!("/proc/{pid}/comm"))
                .is_ok_and(|name| name.trim_end() == "slurmd")
        };
        let slurmd = children(first).into_iter().find(is_slurmd).unwrap();
        let pid = rustix::process::Pid::from_raw(slurmd.cast_signed()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        self.say(&format!("slurmd of {node} is killed; its task plays on"));
    }

    /// Waits until `look` returns something. After [`PATIENCE`] it panics with the state of the cluster.
    pub fn wait<T>(&self, what: &str, mut look: impl FnMut(&Cluster) -> Option<T>) -> T {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if let Some(found) = look(self) {
                return found;
            }
            std::thread::sleep(PAUSE);
        }
        let jobs = self.run("scontrol -o show job").stdout;
        let nodes = self.run("scontrol -o show node").stdout;
        let mut logs = String::new();
        for entry in self.dir.join("log").read_dir().unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap_or_default();
            let last: Vec<&str> = text.lines().rev().take(20).collect();
            let last: Vec<&str> = last.into_iter().rev().collect();
            logs.push_str(&format!("{}:\n{}\n", path.display(), last.join("\n")));
        }
        panic!("waited for {what}\n{jobs}\n{nodes}\n{logs}");
    }

    /// Runs the recipe.
    pub fn recipe(&self, place: &Place, shards: &str, environment: &[(&str, &str)]) -> Ran {
        let recipe = project("configs/cluster/slurm.sh").display().to_string();
        let mut command =
            self.command(&[recipe, "cup.toml".into(), shards.into(), "merged".into()]);
        command.current_dir(place.path("")).env("CORES", "1").envs(environment.iter().copied());
        command.output().unwrap().into()
    }

    /// Submits three shards by the recipe.
    pub fn submit(&self, place: &Place, environment: &[(&str, &str)]) -> Jobs {
        let ran = self.recipe(place, "3", environment);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let numbers: Vec<String> = ran
            .stdout
            .split(|letter: char| !letter.is_ascii_digit())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let variables: String =
            environment.iter().map(|(name, value)| format!("{name}={value} ")).collect();
        self.say(&format!(
            "{variables}slurm.sh cup.toml 3 merged: array {}, merge {}",
            numbers[0], numbers[1]
        ));
        Jobs { array: numbers[0].clone(), merge: numbers[1].clone() }
    }

    /// A job or a task `ARRAY_INDEX`: what `scontrol` says of it.
    pub fn job(&self, id: &str) -> BTreeMap<String, String> {
        fields(&self.run(&format!("scontrol -o show job {id}")).stdout)
    }

    /// The node of a running task.
    pub fn node_of(&self, jobs: &Jobs, task: usize) -> &'static str {
        let host = self.job(&format!("{}_{task}", jobs.array))["BatchHost"].clone();
        NODES.into_iter().find(|&node| node == host).unwrap()
    }

    /// Waits until a task is queued again for this number of times.
    pub fn is_queued_again(&self, jobs: &Jobs, task: usize, restarts: u32) {
        let id = format!("{}_{task}", jobs.array);
        self.wait(&format!("task {id} to be queued again"), |cluster| {
            (*cluster.job(&id).get("Restarts")? == restarts.to_string()).then_some(())
        });
        self.say(&format!("task {id} is queued again"));
    }

    /// Runs a command, `scontrol requeue` or `scancel`, with the id of a task.
    pub fn tell(&self, command: &str, jobs: &Jobs, task: usize) {
        let line = format!("{command} {}_{task}", jobs.array);
        let ran = self.run(&line);
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        self.say(&line);
    }

    /// Waits for the merge, and checks its exit status.
    pub fn merges(&self, status: i32, place: &Place, jobs: &Jobs) {
        let code = self.wait("the merge", |cluster| {
            let job = cluster.job(&jobs.merge);
            let ended = matches!(
                job.get("JobState")?.as_str(),
                "COMPLETED" | "FAILED" | "CANCELLED" | "TIMEOUT"
            );
            ended.then(|| job["ExitCode"].clone())
        });
        let log = place.text("merged.slurm-merge.log");
        assert_eq!(code, format!("{status}:0"), "{log}");
        self.say(&format!("the merge ended with status {status}"));
    }

    /// The number of jobs that are not ended.
    pub fn queued(&self) -> usize {
        self.run("squeue --noheader").stdout.lines().count()
    }
}

/// The words KEY=VALUE of a line of `scontrol -o`.
fn fields(line: &str) -> BTreeMap<String, String> {
    let words = line.lines().next().unwrap_or_default().split(' ');
    words
        .filter_map(|word| word.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

/// The child processes of a process with one thread.
fn children(pid: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
    text.split_ascii_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

fn munged(dir: &Path) -> Vec<String> {
    let path = |name: &str| dir.join(name).display().to_string();
    vec![
        "munged".into(),
        "--foreground".into(),
        "--force".into(),
        format!("--key-file={}", path("key")),
        format!("--socket={}", path("run/munge.socket")),
        format!("--pid-file={}", path("run/munged.pid")),
        format!("--log-file={}", path("log/munged.log")),
        format!("--seed-file={}", path("state/munged.seed")),
    ]
}

/// Ports that no program listened on a moment ago.
fn free_ports() -> [u16; 4] {
    let listeners = [(); 4].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.each_ref().map(|listener| listener.local_addr().unwrap().port())
}

/// The content of slurm.conf. An array of three tasks is the largest.
fn configuration(dir: &Path) -> String {
    let dir = dir.display();
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let host = host.trim().split('.').next().unwrap();
    let id = Command::new("id").arg("-un").output().unwrap();
    let user = String::from_utf8(id.stdout).unwrap();
    let user = user.trim();
    let [controller, ports @ ..] = free_ports();
    let mut text = format!(
        "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser={user}\nSlurmdUser={user}\n\
         SlurmctldPort={controller}\nAuthType=auth/munge\n\
         AuthInfo=socket={dir}/run/munge.socket,cred_expire={SECONDS_BEFORE_AGAIN}\n\
         CryptoType=crypto/munge\nStateSaveLocation={dir}/state\nSlurmdSpoolDir={dir}/spool/%n\n\
         SlurmctldPidFile={dir}/run/slurmctld.pid\nSlurmdPidFile={dir}/run/slurmd-%n.pid\n\
         ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nSelectType=select/cons_tres\n\
         SelectTypeParameters=CR_Core,CR_LLN\nSlurmdParameters=config_overrides\nReturnToService=2\n\
         SlurmdTimeout=15\nSchedulerParameters=sched_interval=2,bf_interval=2\n\
         MaxArraySize=4\nMpiDefault=none\n\
         PartitionName=all Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP\n"
    );
    for (node, port) in NODES.into_iter().zip(ports) {
        text.push_str(&format!(
            "NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory=1000 \
             State=UNKNOWN\n"
        ));
    }
    text
}
