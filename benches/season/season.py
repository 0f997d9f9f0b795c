#!/usr/bin/env python3
"""Plays a simulated season: a Swiss tournament of many tiny bots in shards, with a merge after each round,
while arbiter and bots are killed, stopped and run out of disk. Then checks that every game is there once and
that nothing leaked, and prints the figures.

    python3 benches/season/season.py                                     # a thousand bots, 100,000 games
    python3 benches/season/season.py --bots 24 --games 480 --rounds 4    # less than a minute

Linux, Python 3 (standard library) and a C compiler. Where file systems can be mounted, shard 1 lies in a
small one of its own, which is full at times; RLIMIT_FSIZE makes writes fail in any case. The exit status is 0
if all checks hold. A fault comes when a shard has as many games as the seed says, so it depends on no clock.
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
TICK = 0.05  # seconds between two looks at the shards
INSIDE = "ARBITER_SEASON"  # the environment variable of a run in its own mount namespace
PATIENCE = 120  # seconds until what has ended must be gone
# Faults that end a run of arbiter, with the exit statuses that it may have: 0 if its last game was ending.
ENDING = {
    "killed": {-signal.SIGKILL, 0},
    "killed before its first game": {-signal.SIGKILL, 0},
    "interrupted": {130, 0},
    "interrupted twice": {130, 0},
    "terminated": {130, 0},
    "disk full": {3, 0},
    "file too large": {3, 0},
}
# Faults that a run lives through.
PASSING = ["arbiter stopped and continued", "bot stopped and continued", "bot killed", "second run refused"]
MERGE_FAULTS = ["merge killed", "merge out of disk"]


def built():
    """The release build of arbiter, wherever cargo puts it."""
    command = [HERE.parent.parent / ".ci/built", "arbiter", "build", "--release", "--locked"]
    return Path(subprocess.check_output(command, text=True).strip())


def text(path):
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""


class Failures(list):
    """The checks that do not hold."""

    def check(self, holds, what):
        if not holds:
            print(f"FAILED: {what}", flush=True)
            self.append(what)


class Journal:
    """The games in a journal, which are counted as it grows."""

    def __init__(self, path):
        self.path, self.read, self.games = path, 0, 0

    def count(self):
        """Counts the complete lines that are games, reading what is new."""
        try:
            with open(self.path, "rb") as journal:
                journal.seek(self.read)
                new = journal.read()
        except FileNotFoundError:
            return self.games
        new = new[: new.rfind(b"\n") + 1]
        self.read += len(new)
        self.games += new.count(b'"type":"game"')
        return self.games


class Place:
    """The folder of the season: bots, configuration with this schedule, shards, the merged folder."""

    def __init__(self, options, schedule):
        self.dir = Path(tempfile.mkdtemp(prefix="season-", dir=options.dir)).resolve()
        os.chmod(self.dir, 0o755)
        self.arbiter, self.tmp = self.dir / "season-arbiter", self.dir / "tmp"
        self.merged = self.dir / "merged"
        self.config, self.roster = self.dir / "season.toml", self.dir / "roster.jsonl"
        self.logs = self.dir / "output"
        self.tmp.mkdir()
        self.tmp.chmod(0o1777)
        self.logs.mkdir()
        shutil.copy(options.arbiter, self.arbiter)
        self.write_bots(options.bots)
        self.config.write_text(
            'name = "season"\ngame = "loa"\n'
            f"[schedule]\nseed = {options.seed}\n{schedule}\n[match]\nmax-plies = {options.plies}\n"
            # Generous, because stopped programs and a busy machine are no fault of a bot's.
            '[time]\nbase = "60s"\nstart = "60s"\ngrace = "10s"\nmargin = "20s"\n'
            f'[limits]\nsandbox = "{options.sandbox}"\n[[bots]]\nfolder = "bots"\n'
        )
        self.small_disk = INSIDE in os.environ
        if self.small_disk:
            self.shard(1).mkdir()
            run = ["mount", "-t", "tmpfs", "-o", "size=4g,mode=755", "season", self.shard(1)]
            subprocess.run(run, check=True)

    def write_bots(self, count):
        program = self.dir / "season-bot"
        compiler = shutil.which("cc") or sys.exit("There is no C compiler `cc`: the bots cannot be compiled.")
        subprocess.run([compiler, "-O2", "-o", program, HERE / "bot.c"], check=True)
        for number in range(count):
            folder = self.dir / "bots" / f"bot-{number:05}"
            folder.mkdir(parents=True)
            shutil.copy(program, folder)
            (folder / "bot.toml").write_text(f'command = ["./season-bot", "{number}"]\n')

    def shard(self, number):
        return self.dir / f"shard-{number}"

    def resize(self, size):
        """Gives the small file system another size; without one exactly what it uses."""
        folder = self.shard(1)
        while True:
            used = os.statvfs(folder)
            bytes_ = size or (used.f_blocks - used.f_bfree) * used.f_frsize
            command = ["mount", "-o", f"remount,size={bytes_}", folder]
            # It fails if more is used meanwhile.
            if subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0:
                return

    def start(self, arguments, log, **more):
        command, env = [self.arbiter, *map(str, arguments)], {**os.environ, "TMPDIR": str(self.tmp)}
        with open(self.logs / log, "ab") as output:
            more |= {"stdout": output, "stderr": output, "start_new_session": True}
            return subprocess.Popen(command, env=env, **more)


class Usage:
    """What ended processes used: the sum of their processor time with their children's, and the most memory
    of one."""

    def __init__(self):
        self.seconds, self.rss = 0.0, 0

    def ended(self, process):
        """The exit status of a process that has ended, or None."""
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid == 0:
            return None
        process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds += used.ru_utime + used.ru_stime
        self.rss = max(self.rss, used.ru_maxrss)  # of arbiter or of one of its children, in KiB
        return process.returncode

    def wait(self, process):
        while (status := self.ended(process)) is None:
            time.sleep(TICK / 5)
        return status


def processes(place, name="season-"):
    """The processes of this season whose program has such a file name."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            program = os.readlink(f"/proc/{entry}/exe")
        except OSError:
            continue
        if program.startswith(f"{place.dir}/") and os.path.basename(program).startswith(name):
            found.append(int(entry))
    return found


def control_groups():
    """The control groups of runs of arbiter, with the pid of the run."""
    found = set()
    for folder, below, _ in os.walk("/sys/fs/cgroup"):
        found.update(name for name in below if re.fullmatch(r"arbiter-\d+-\d+", name))
        below[:] = [name for name in below if not name.startswith("arbiter-")]
    return found


class ShardRun:
    """A shard in one round: its runs one after the other, and the faults that are still to come."""

    def __init__(self, season, number, round_number, faults):
        self.season, self.number, self.faults = season, number, faults
        self.journal = Journal(season.place.shard(number) / "journal.jsonl")
        self.arguments = ["tournament", season.place.config, "--shard", f"{number}/{season.options.shards}"]
        self.arguments += ["--out", season.place.shard(number), "--roster", season.place.roster]
        self.arguments += ["--concurrency", 1] + (["--from", season.place.merged] if round_number > 1 else [])
        self.log = f"shard-{number}.round-{round_number}.txt"
        self.process, self.awaited, self.done = None, None, False
        self.before_round = self.journal.count()
        self.series, self.runs = [], 0

    @property
    def games(self):
        return self.journal.games

    def start(self):
        self.process = self.season.place.start(self.arguments, self.log)
        self.at_start, self.runs = self.games, self.runs + 1
        self.season.pids.add(self.process.pid)

    def step(self):
        """Looks at the run: does a fault whose time has come, and starts it again after its end."""
        status = self.season.usage.ended(self.process)
        if status is not None:
            self.ended(status)
            return
        self.journal.count()
        if self.awaited or not self.faults:
            return
        at, kind = self.faults[0]
        early = kind == "killed before its first game" and self.games - self.before_round >= at
        if early and self.bots() or self.games > self.at_start and self.games - self.before_round >= at:
            self.do(kind)

    def ended(self, status):
        kind, self.awaited = self.awaited, None
        self.journal.count()
        if self.season.place.small_disk and kind == "disk full":
            self.season.place.resize("4g")
        expected = ENDING[kind] if kind else {0}
        last = text(self.season.place.logs / self.log)[-300:]
        what = f"shard {self.number} ended with {status} after: {kind or 'no fault'}; {last}"
        self.season.failures.check(status in expected, what)
        self.done = status == 0
        if not self.done and self.runs < 100:
            self.start()
        elif not self.done:
            sys.exit(f"shard {self.number} was started 100 times: {last}")

    def bots(self):
        """The bots of this run: descendants of its process."""
        parents = {}
        for pid in processes(self.season.place, "season-bot"):
            above, steps = pid, 0
            while above > 1 and above != self.process.pid and steps < 10:
                fields = text(f"/proc/{above}/stat").rpartition(")")[2].split()
                above, steps = int(fields[1]) if len(fields) > 1 else 0, steps + 1
            parents[pid] = above
        return [pid for pid, above in parents.items() if above == self.process.pid]

    def do(self, kind):
        pid, bots = self.process.pid, self.bots() if "bot" in kind else []
        if kind.startswith("bot") and not bots:
            return  # between two games: the next look finds some
        self.faults.pop(0)
        victim = self.season.random.choice(bots) if bots else None
        self.season.faults[kind] += 1
        self.awaited = kind if kind in ENDING else None
        if kind.startswith("killed"):
            os.kill(pid, signal.SIGKILL)
        elif kind.startswith("interrupted"):
            os.kill(pid, signal.SIGINT)
            if kind.endswith("twice"):
                time.sleep(TICK)
                os.kill(pid, signal.SIGINT)
        elif kind == "terminated":
            os.kill(pid, signal.SIGTERM)
        elif kind == "disk full":
            self.season.place.resize(None)
        elif kind == "file too large":
            size = self.journal.path.stat().st_size + 500
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, size))
        elif kind == "second run refused":
            status = self.season.usage.wait(self.season.place.start(self.arguments, "second.txt"))
            # The first one may have ended meanwhile.
            running = self.process.pid in processes(self.season.place, "season-arbiter")
            what = f"a second run in the folder of shard {self.number} ended with {status}"
            self.season.failures.check(status == 3 or status == 0 and not running, what)
        elif "stopped" in kind:
            self.pause(pid if kind.startswith("arbiter") else victim)
        elif kind == "bot killed":
            self.signal(victim, signal.SIGKILL)

    def pause(self, pid):
        self.signal(pid, signal.SIGSTOP)
        time.sleep(10 * TICK)
        self.signal(pid, signal.SIGCONT)

    @staticmethod
    def signal(pid, number):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass

    def measure(self):
        """Notes games, memory (KiB) and open descriptors of a run that plays."""
        if self.process is None or self.games == self.at_start:
            return
        memory = re.search(r"VmRSS:\s+(\d+)", text(f"/proc/{self.process.pid}/status"))
        try:
            descriptors = len(os.listdir(f"/proc/{self.process.pid}/fd"))
        except OSError:
            return
        if memory:
            self.series.append((self.runs, self.games - self.at_start, int(memory[1]), descriptors))


class Season:
    def __init__(self, options):
        self.options, self.random = options, random.Random(options.seed)
        self.faults, self.failures, self.usage = Counter(), Failures(), Usage()
        self.groups = control_groups()
        self.mounts = text("/proc/self/mountinfo")
        schedule = f'format = "swiss"\nrounds = {options.rounds}\ngames = {options.per_pairing}'
        self.place, self.merges, self.calm, self.pids = Place(options, schedule), [], [], set()
        if not self.place.small_disk:
            del ENDING["disk full"]

    def plan(self):
        """For each round and shard the faults with the number of games that the shard has then. The last
        shard is never ended, so that memory and descriptors of a long run can be followed."""
        rounds, shards = range(1, self.options.rounds + 1), range(1, self.options.shards)
        places = [(number, shard) for number in rounds for shard in shards]
        plan = {place: [] for place in places + [(number, self.options.shards) for number in rounds]}
        share = self.options.per_pairing * (self.options.bots // 2) // self.options.shards
        turn = 0
        at = lambda: self.random.randrange(share * 9 // 10)
        for kind in list(ENDING) * self.options.endings:
            number, shard = places[turn % len(places)]
            plan[number, 1 if kind == "disk full" else shard].append((at(), kind))
            turn += 1
        for kind in PASSING * self.options.passing:
            plan[self.random.choice(list(plan))].append((at(), kind))
        return plan

    def play(self):
        plan, began = self.plan(), time.monotonic()
        for number in range(1, self.options.rounds + 1):
            shards = range(1, self.options.shards + 1)
            runs = [ShardRun(self, shard, number, sorted(plan[number, shard])) for shard in shards]
            self.play_round(runs)
            self.calm.append(runs[-1].series)
            for run in runs:  # what came too late for this round happens in the next one
                plan.setdefault((number + 1, run.number), []).extend((0, kind) for _, kind in run.faults)
            self.check_left_over(f"after round {number}")
            self.merge(number)
            took = time.monotonic() - began
            print(f"round {number}: {sum(run.games for run in runs)} games, {took:.0f} s so far", flush=True)
        self.wall = time.monotonic() - began
        late = [faults for (number, _), faults in plan.items() if number > self.options.rounds]
        self.too_late = Counter(kind for faults in late for _, kind in faults)

    def play_round(self, runs):
        waiting, next_measure = list(runs), 0.0
        while any(not run.done for run in runs):
            active = [run for run in runs if run.process and not run.done]
            for run in waiting[: self.options.jobs - len(active)]:
                waiting.remove(run)
                run.start()
            for run in active:
                run.step()
            if time.monotonic() >= next_measure:
                next_measure = time.monotonic() + self.options.measure
                for run in active:
                    run.measure()
            time.sleep(TICK)

    def merge(self, number):
        place = self.place
        folders = [place.shard(shard) for shard in range(1, self.options.shards + 1)]
        arguments = ["merge", *folders, "--out", place.merged]
        killed = place.start(arguments, "merge.txt")
        time.sleep(self.random.random() * (self.merges[-1]["seconds"] if self.merges else 0.1))
        os.kill(killed.pid, signal.SIGKILL)  # Popen.kill() would take the status of one that has just ended
        self.usage.wait(killed)
        self.faults["merge killed"] += 1
        limited = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        status = self.usage.wait(place.start(arguments, "merge.txt", preexec_fn=limited))
        self.failures.check(status == 3, f"a merge whose files may have 20,000 bytes ended with {status}")
        self.faults["merge out of disk"] += 1
        own, began = Usage(), time.monotonic()
        status = own.wait(place.start(arguments, f"merge-{number}.txt"))
        took = time.monotonic() - began
        self.usage.seconds += own.seconds
        self.merges.append({"seconds": took, "processor": own.seconds, "rss": own.rss})
        expected = 0 if number == self.options.rounds else 4
        printed = text(place.logs / f"merge-{number}.txt")[-300:]
        self.failures.check(status == expected, f"merge of round {number} ended with {status}: {printed}")

    def end(self):
        """Ends what runs after an error of this script."""
        for pid in processes(self.place):
            os.kill(pid, signal.SIGKILL)

    # --- checks

    def check_left_over(self, when):
        """No process, control group, mount or scratch folder is left."""
        deadline = time.monotonic() + PATIENCE
        while True:
            groups = [group for group in control_groups() if int(group.split("-")[1]) in self.pids]
            left = {"processes": processes(self.place), "control groups": groups}
            left["scratch folders"] = os.listdir(self.place.tmp)
            if not any(left.values()) or time.monotonic() > deadline:
                break
            time.sleep(TICK)
        for what, found in left.items():
            self.failures.check(not found, f"{when}, {what} are left: {found}")

    def games_of(self, journal):
        """The ids of the games in a journal in its order, their plies, how they ended, and whether all lines
        are whole."""
        ids, plies, reasons, whole = [], 0, Counter(), True
        with open(journal, encoding="utf-8") as lines:
            for line in lines:
                whole &= line.endswith("\n")
                entry = json.loads(line)["entry"]
                if entry["type"] == "game":
                    ids.append(entry["id"])
                    plies += int(re.search(r'\[PlyCount "(\d+)"', entry["log"])[1])
                    tags = re.findall(r'\[(?:Outcome|Termination) "([^"]*)"', entry["log"])
                    reasons[" ".join(dict.fromkeys(tags))] += 1
        return ids, plies, reasons, whole

    def check_games(self):
        """Every game of the tournament is in the merged journal once, and in one shard once."""
        options, check = self.options, self.failures.check
        ids, self.plies, self.reasons, whole = self.games_of(self.place.merged / "journal.jsonl")
        self.ids = set(ids)
        check(whole and len(ids) == len(self.ids), "a game is in the merged journal twice, or a line is torn")
        met = {}
        for game in ids:
            pairing, number = game.rsplit(".", 1)
            met.setdefault(pairing, set()).add(int(number))
        numbers = set(range(1, options.per_pairing + 1))
        check(all(found == numbers for found in met.values()), "a pairing has not all of its games")
        pairings = Counter(name for pairing in met for name in pairing.split("~"))
        names = {f"bot-{number:05}" for number in range(options.bots)}
        check(set(pairings) == names and set(pairings.values()) == {options.rounds}, "a bot missed a round")
        check(len(ids) == self.expected, f"{len(ids)} games, not {self.expected}")
        in_shards = Counter()
        for shard in range(1, options.shards + 1):
            in_shards.update(self.games_of(self.place.shard(shard) / "journal.jsonl")[0])
        check(set(in_shards) == self.ids and max(in_shards.values()) == 1, "a game is in no shard, or in two")
        plan = self.run("tournament", self.place.config, "--out", self.place.merged, "--print-plan")
        check("games to play: 0" in plan, f"the plan of the merged folder: {plan}")
        self.verified = self.run("verify", self.place.merged)
        self.run("standings", self.place.merged)
        lost = sum(count for reason, count in self.reasons.items() if reason.startswith("forfeit"))
        killed = self.faults["bot killed"]
        check(lost <= killed, f"{lost} forfeits, {killed} bots were killed")

    def run(self, *arguments):
        """What a command prints; it has to end with status 0."""
        began, process = time.monotonic(), self.place.start(arguments, f"{arguments[0]}.txt")
        own = Usage()
        status = own.wait(process)
        printed = text(self.place.logs / f"{arguments[0]}.txt")
        self.failures.check(status == 0, f"{arguments[0]} ended with {status}: {printed[-300:]}")
        print(f"{arguments[0]}: {time.monotonic() - began:.1f} s, {own.rss / 1024:.0f} MB", flush=True)
        return printed

    def check_files(self):
        """The result folders have no file that no page names."""
        known = {"journal.jsonl", "games.pgn", "standings.json", "standings.md", "junit.xml", "report.html"}
        known |= {"bots", "feedback"}
        for folder in [self.place.merged, *map(self.place.shard, range(1, self.options.shards + 1))]:
            strange = [name for name in os.listdir(folder) if name not in known]
            for page in sorted((folder / "feedback").glob("*")):
                if page.is_dir():
                    named = text(f"{page}.md").replace("\\", "")  # Markdown: the page has bot-1\~bot-2.1
                    strange += [str(log) for log in page.iterdir() if f"{log.stem} against" not in named]
                elif page.name.startswith(".") or page.suffix != ".md":
                    strange.append(str(page))
            for log in (folder / "bots").glob("*/*"):
                if log.name not in ("build.log", "trial.log") and log.stem not in self.ids:
                    strange.append(str(log))
            what = f"{folder.name} has {len(strange)} files that belong to nothing: {strange[:20]}"
            self.failures.check(not strange, what)

    def check_calm(self):
        """The last shard's runs were never ended: in the second half of their games memory grows only with
        the games that are remembered, and descriptors do not grow."""
        for series in self.calm:
            games = max((played for _, played, _, _ in series), default=0)
            # Not the end, where all tables are computed.
            later = [sample for sample in series if games // 2 <= sample[1] < games]
            if len(later) < 2:
                continue
            (_, first, memory, opened), (_, last, most, open_now) = later[0], later[-1]
            self.growth.append((last - first, memory, most, opened, open_now))
            # A game leaves its id, result and place. Tables are computed meanwhile: memory for each bot.
            leaks = (most - memory) * 1024 > 8_000_000 + 20_000 * self.options.bots + 2_000 * (last - first)
            what = f"memory of a run grew from {memory} to {most} KiB in {last - first} games"
            self.failures.check(not leaks, what)
            what = f"open descriptors of a run grew from {opened} to {open_now}"
            self.failures.check(open_now <= opened + 16, what)

    def check(self):
        pairings = self.options.bots // 2 * self.options.rounds
        self.growth, self.expected = [], self.options.per_pairing * pairings
        self.check_games()
        self.check_files()
        self.check_calm()
        self.check_left_over("at the end")
        lines = lambda mounts: {line for line in mounts.splitlines() if str(self.place.dir) not in line}
        self.failures.check(lines(text("/proc/self/mountinfo")) == lines(self.mounts), "mounts are left")

    def report(self):
        options, mib = self.options, 1 << 20
        within = lambda paths: (file for path in paths for file in [path, *path.rglob("*")])
        size = lambda *paths: sum(file.stat().st_blocks * 512 for file in within(paths))
        files = lambda path: sum(1 for _ in path.rglob("*"))
        merged = self.place.merged
        shards = [self.place.shard(shard) for shard in range(1, options.shards + 1)]
        counts = f"rounds: {options.rounds}, games: {self.expected}, plies: {self.plies}"
        print(f"\nbots: {options.bots}, {counts}")
        print(f"shards: {options.shards}, {options.jobs} at a time; sandbox {options.sandbox}")
        core_hours = self.usage.seconds / 3600
        print(f"wall time: {self.wall:.0f} s; core-hours: {core_hours:.3f} of arbiter and its bots")
        print(f"most memory of one process: {self.usage.rss / 1024:.0f} MB (playing)")
        for number, merge in enumerate(self.merges, 1):
            seconds, core, memory = merge["seconds"], merge["processor"], merge["rss"] / 1024
            print(f"merge after round {number}: {seconds:.1f} s, {core:.1f} s of a core, {memory:.0f} MB")
        for name in ("journal.jsonl", "games.pgn", "feedback", "bots", "report.html", "standings.json"):
            print(f"merged {name}: {size(merged / name) / mib:.1f} MiB")
        print(f"merged folder: {size(merged) / mib:.1f} MiB in {files(merged)} files")
        print(f"shards: {size(*shards) / mib:.1f} MiB in {sum(map(files, shards))} files")
        for games, memory, most, opened, open_now in self.growth:
            sizes = f"{memory / 1024:.1f} to {most / 1024:.1f} MB, descriptors {opened} to {open_now}"
            print(f"a run that was not ended, over the last {games} games: {sizes}")
        for kind, count in sorted(self.faults.items()):
            print(f"fault, {kind}: {count}")
        print(f"faults for which the season was too short: {dict(self.too_late) or 'none'}")
        ends = (f"{reason} {count}" for reason, count in self.reasons.most_common())
        print("ends of games: " + ", ".join(ends))
        print(f"checks that failed: {len(self.failures)}")


def arguments():
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("--arbiter", type=Path, help="default: what cargo builds for release")
    parser.add_argument("--bots", type=int, default=1000, help="an even number")
    parser.add_argument("--games", type=int, default=100_000, help="at least so many, in all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plies", type=int, default=0, help="of the longest game; 0 for the default")
    parser.add_argument("--shards", type=int, default=3, help="at least 2")
    parser.add_argument("--jobs", type=int, default=2, help="shards that play at a time")
    parser.add_argument("--seed", type=int, default=None, help="of faults and games; printed")
    parser.add_argument("--sandbox", default="strict", choices=["off", "basic", "strict"])
    parser.add_argument("--endings", type=int, default=2, help="faults of each kind that ends a run")
    parser.add_argument("--passing", type=int, default=40, help="faults of each other kind")
    parser.add_argument("--measure", type=float, default=5, help="seconds between two looks at memory")
    parser.add_argument("--dir", default=None, help="where the folder of the season is made; default: TMPDIR")
    parser.add_argument("--keep", action="store_true", help="do not remove it at the end")
    options = parser.parse_args()
    options.arbiter = options.arbiter or built()
    options.seed = random.randrange(1 << 32) if options.seed is None else options.seed
    pairings = options.bots // 2 * options.rounds
    options.per_pairing = -(-options.games // pairings)
    options.per_pairing += options.per_pairing % 2
    return options


def main():
    options = arguments()
    # In a mount namespace of its own, so that the small file system goes with it.
    alone = ["unshare", "--mount", "--propagation", "private"]
    if os.geteuid() == 0 and INSIDE not in os.environ and shutil.which("unshare"):
        tried = [*alone, "mount", "-t", "tmpfs", "season", "/tmp"]
        if subprocess.run(tried, stderr=subprocess.DEVNULL).returncode == 0:
            command = [*alone, sys.executable, __file__, *sys.argv[1:]]
            os.execvpe(alone[0], command, {**os.environ, INSIDE: "1"})
    print(f"seed: {options.seed}", flush=True)
    season = Season(options)
    try:
        season.play()
        season.check()
    finally:
        season.end()
    season.report()
    if options.keep or season.failures:
        print(f"kept: {season.place.dir} (without shard 1 if that had a file system of its own)")
    else:
        if season.place.small_disk:
            subprocess.run(["umount", season.place.shard(1)], check=True)
        shutil.rmtree(season.place.dir)
    return 1 if season.failures else 0


if __name__ == "__main__":
    sys.exit(main())
