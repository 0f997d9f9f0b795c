#!/usr/bin/env python3
"""A bot that attacks: hostile.py BEHAVIOUR [told=FOLDER] [MARKER]. It has the behaviours of broken.py, which lies beside it, as well.

At its first `go` it makes its attempts, each of which says on standard error what came of it, `open NAME` or
`refused NAME: ERRNO`, and plays on. Whom to attack it reads from the files of FOLDER, for a path in its arguments would
be opened to it. Attempts are bounded, so that they do no harm that lasts where they work.
"""

import contextlib
import ctypes
import errno
import fcntl
import mmap
import os
import platform
import resource
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time

sys.dont_write_bytecode = True  # what a behaviour leaves behind is its own doing
import broken
from broken import FOR_EVER, behaviour, note, sleep_on, write

LIBC = ctypes.CDLL(None, use_errno=True)
# Numbers of system calls that Python has no name for, on x86_64 and aarch64 (asm/unistd.h).
NUMBERS = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "cachestat": (451, 451),
    "capget": (125, 90),
    "chroot": (161, 51),
    "clock_getres": (229, 114),
    "clock_gettime": (228, 113),
    "exit": (60, 93),
    "clone3": (435, 435),
    "fadvise64": (221, 223),
    "fanotify_init": (300, 262),
    "futex": (202, 98),
    "get_robust_list": (274, 100),
    "inotify_init1": (294, 26),
    "io_setup": (206, 0),
    "io_uring_setup": (425, 425),
    "ioprio_get": (252, 31),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "listmount": (458, 458),
    "memfd_create": (319, 279),
    "mincore": (27, 232),
    "mount": (165, 40),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "msgctl": (71, 187),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "preadv2": (327, 286),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "rt_sigqueueinfo": (129, 138),
    "seccomp": (317, 277),
    "semctl": (66, 191),
    "semget": (64, 190),
    "set_tid_address": (218, 96),
    "setns": (308, 268),
    "shmctl": (31, 195),
    "shmget": (29, 194),
    "statmount": (457, 457),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "tgkill": (234, 131),
    "timer_create": (222, 107),
    "timerfd_create": (283, 85),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
ON_X86 = platform.machine() == "x86_64"
FUTEX_LOCK_PI, PR_SCHED_CORE, PR_SET_MEMORY_MERGE, PR_FUTEX_HASH = 6, 62, 67, 78
# Marks of a file: name, the commands of ioctl that read and write it, and its size (linux/fs.h).
MARKS = [
    ("flags", 0x80086601, 0x40086602, 8),
    ("more flags", 0x801C581F, 0x401C5820, 28),
    ("a version", 0x80087601, 0x40087602, 8),
]
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS  # mmap.mmap(-1, …) would be shared


def attack(function):
    """Enters a behaviour that makes its attempts at the first `go`, and plays on."""

    def misbehave(bot):
        function(bot)
        bot.answer()

    misbehave.__name__, misbehave.__doc__ = function.__name__, function.__doc__
    return behaviour("first go")(misbehave)


def attempt(name, action, *arguments):
    """Makes an attempt, and tells what came of it."""
    try:
        action(*arguments)
    except OSError as refusal:
        return note(f"refused {name}: {errno.errorcode[refusal.errno]}")
    note(f"open {name}")


def call(name, *arguments):
    """A system call by its number, past every library."""
    words = [word if isinstance(word, (bytes, ctypes.Array)) else ctypes.c_long(word) for word in arguments]
    result = LIBC.syscall(ctypes.c_long(NUMBERS[name][not ON_X86]), *words)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def knock(name, *arguments, called=None):
    """An attempt with arguments that can have no effect: that the kernel minds them shows that the door is open."""

    def knocks():
        try:
            call(name, *arguments)
        except OSError as answer:
            if answer.errno in (errno.EPERM, errno.EACCES, errno.ENOSYS):
                raise

    attempt(called or name, knocks)


def told(name):
    """A fact from the folder of facts, once it is there."""
    folder = next(word for word in sys.argv if word.startswith("told=")).removeprefix("told=")
    path = os.path.join(folder, name)
    end = time.monotonic() + FOR_EVER
    while not os.path.exists(path) and time.monotonic() < end:
        time.sleep(0.005)
    with open(path) as file:
        return file.read()


def opponent():
    """The number of the opponent's process, which the test looks up when it reads this."""
    note("asks for its opponent")
    return int(told("opponent"))


def scratch(name=""):
    return os.path.join(os.environ["TMPDIR"], name)


def own(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)


def read(path):
    with open(path, "rb") as file:
        file.read(1)


def make(path):
    with open(path, "xb"):
        pass
    os.remove(path)


@behaviour("launch")
def decoy(bot):
    """A healthy bot that lets others of its user look into it, which some systems refuse unless they are told to."""
    LIBC.prctl(0x59616D61, ctypes.c_long(-1), 0, 0, 0)  # PR_SET_PTRACER, to anybody; refused under strict


# A. Silence and time


@behaviour("first go")
def answers_after_the_flag(bot):
    """Answers when its input is closed, which is when its time is over."""
    for _ in sys.stdin.buffer:
        pass
    bot.answer()
    sleep_on()


@behaviour("start")
def fills_its_pipe(bot):
    """Answers and never reads, so that the requests fill its input (19 squares a side, 19 in a row)."""
    columns = "abcdefghijklmnopqrs"
    plies = [f"{column}{5 + index % 2}" for index, column in enumerate(columns)]
    plies += [f"{column}{row}" for column in "srq" for row in range(18, 7, -1)]
    bot.say(bot.ready)
    seen = 0
    for ply in plies:
        while waiting() <= seen:
            time.sleep(0.001)
        seen = waiting()
        bot.say(f"move {ply}".encode())
    sleep_on()


def waiting():
    """Bytes that wait in standard input."""
    count = bytearray(4)
    fcntl.ioctl(0, termios.FIONREAD, count)
    return int.from_bytes(count, sys.byteorder)


# B. Output


@behaviour("first go")
def future_answers(bot):
    """Answers with all moves at once, for its next turns as well."""
    bot.say(b"\n".join(b"move " + move for move in bot.moves))


@behaviour("first go")
def numbered(bot):
    """Answers another question than the one that was put."""
    bot.say(b"move 7 " + bot.moves[0])


@behaviour("every go")
def tabs(bot):
    """Has tabulators for spaces."""
    bot.say(b"\tmove\t" + bot.moves[0] + b"\t")


@behaviour("first go")
def byte_order_mark(bot):
    """Begins its answer with a byte order mark."""
    bot.say(b"\xef\xbb\xbfmove " + bot.moves[0])


def odd(text):
    """A behaviour that says the text wherever somebody will read it."""

    def misbehave(bot):
        bot.say(text)
        bot.say(b"info " + text)
        write(2, text + b"\n")
        bot.answer()

    misbehave.__doc__ = f"Says {text} in a line of its own, in `info` and on standard error, and plays well."
    return "every go", misbehave


def odd_answer(text):
    """The same as its answer."""

    def misbehave(bot):
        write(2, text + b"\n")
        bot.say(b"move " + text)

    misbehave.__doc__ = f"Says {text} on standard error and as its answer."
    return "first go", misbehave


ODD = {
    # A clipboard, a title, a clear screen, a reset, and what they are in eight bits.
    "escapes": b"\x1b]52;c;cHduZWQ=\x07\x1b]0;pwned\x07\x1b[2J\x1bc\x9b2J\x9d0;x\x9c\x08\x7f",
    "poses": "name \u202emodnar\u202c\u200brandom\u2066\ufeff".encode(),
    "injects-tags": b'} 1-0\x0b[Result "1-0"] "] [Result "1-0"] {%\\',
    "markup": b"<script>alert(1)</script>]]></system-out><img src=x onerror=alert(1)>",
    "formula": b"=cmd|' /C calc'!A0",
    "workflow-command": b"::error::pwned\r::set-output name=x::y ##[error]pwned",
}
broken.BEHAVIOURS |= {name: odd(text) for name, text in ODD.items()}
broken.BEHAVIOURS |= {f"{name}-answer": odd_answer(text) for name, text in ODD.items()}


# C. Pipes and exit


@behaviour("first go")
def calls_as_32_bit_program(bot):
    """Makes a system call of the processors before x86_64; there is no such thing on others."""
    code = bytes.fromhex("b814000000 cd80 c3")  # getpid, by its old number
    page = mmap.mmap(-1, mmap.PAGESIZE, PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    ctypes.CFUNCTYPE(ctypes.c_long)(address)()
    note("open a call of a 32-bit program")
    bot.answer()


@behaviour("first go")
def dumps_core(bot):
    """Asks for as much of a core file as it can get, and dies of what makes one."""
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))
    note(f"its core file may have {most} bytes")
    os.abort()


@attack
def writes_beside_itself(bot):
    """Writes where a virtual machine leaves its crash report and Python what it compiled."""
    attempt("a crash report", make, own("hs_err_pid1.log"))
    attempt("a folder", lambda: (os.mkdir(own("__pycache__")), os.rmdir(own("__pycache__"))))


@attack
def changes_its_pipes(bot):
    """Makes what it writes into non-blocking, for the rest of the game, and larger."""
    for end in (1, 2):
        os.set_blocking(end, False)
    attempt("a larger pipe", fcntl.fcntl, 1, 1031, 1 << 17)  # F_SETPIPE_SZ


# D. Processes


def forked(child):
    """Forks; the new process does this and ends."""
    process = os.fork()
    if process == 0:
        try:
            child()
        finally:
            os._exit(0)
    return process


@attack
def fork_bomb(bot):
    """Forks forty processes, in every way that there is."""
    attempt("forks", lambda: [forked(lambda: time.sleep(FOR_EVER)) for _ in range(40)])
    attempt("a program", lambda: os.waitpid(os.posix_spawn("/bin/true", ["true"], os.environ), 0))
    attempt("clone3", clone3)


def clone3():
    """As libraries fork, where they may."""
    arguments = (ctypes.c_uint64 * 8)()
    arguments[4] = signal.SIGCHLD
    process = call("clone3", arguments, ctypes.sizeof(arguments))
    if process == 0:
        os._exit(0)
    os.waitpid(process, 0)


@attack
def detaches(bot):
    """Leaves processes behind that have left its session, hold all of its pipes and ignore what should end them."""

    def stays():
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        for _ in range(5):
            forked(lambda: time.sleep(FOR_EVER))

    attempt("a daemon", lambda: os.waitpid(forked(stays), 0))


@attack
def hops(bot):
    """Two processes that fork and exit for ever, a minute at most, so that nobody finds them where they were."""

    def hop():
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                if os.fork():
                    os._exit(0)
            except OSError:
                time.sleep(0.001)

    attempt("a hopper", lambda: [forked(hop) for _ in range(2)])


@behaviour("launch")
def wraps(bot):
    """Starts the true bot as a process below itself, where it should become it."""
    command = [sys.executable, own("broken.py"), "healthy"]
    attempt("a program below itself", lambda: subprocess.run(command, check=True))
    sys.exit(1)


@attack
def zombies(bot):
    """Forks and never waits."""
    attempt("a zombie", lambda: [forked(lambda: None) for _ in range(40)])


@attack
def hides_its_children(bot):
    """Has the kernel forget what its children used."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    attempt("a helper", lambda: [forked(lambda: sum(range(100_000))) for _ in range(4)])


@attack
def helps_itself(bot):
    """Has a process of its own that thinks while the bot is not on move."""

    def think():
        end = time.monotonic() + FOR_EVER
        while time.monotonic() < end:
            pass

    attempt("a helper", lambda: forked(think))


@attack
def thread_bomb(bot):
    """Starts as many threads as it is told."""
    threading.stack_size(64 << 10)
    over = threading.Event()

    def start():
        for _ in range(int(told("threads"))):
            try:
                threading.Thread(target=over.wait, daemon=True).start()
            except RuntimeError:
                raise OSError(errno.EAGAIN, "no more threads") from None

    attempt("many threads", start)
    over.set()


@behaviour("first go")
def kills_itself(bot):
    """Kills itself."""
    os.kill(os.getpid(), signal.SIGKILL)


def go_on_without_first_thread(rest):
    """Ends the first thread, and only that, and does the rest in another, in a process that only SIGKILL ends."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    lives = ctypes.c_int(1)  # the kernel sets this to 0 when the thread ends: set_tid_address(2)
    LIBC.syscall(ctypes.c_long(NUMBERS["set_tid_address"][not ON_X86]), ctypes.byref(lives))

    def run():
        try:
            while lives.value:
                time.sleep(0.001)
            rest()
        except BaseException as end:
            if not isinstance(end, (BrokenPipeError, SystemExit)):  # the referee has gone, or it is meant
                sys.excepthook(type(end), end, end.__traceback__)
                os._exit(1)
        os._exit(0)

    threading.Thread(target=run).start()
    call("exit", 0)


@behaviour("launch")
def first_thread_ends(bot):
    """Ends its first thread, so that it looks like a zombie, and is the behaviour ARGUMENT in another."""
    del sys.argv[1]

    def rest():
        note("its first thread has ended")
        broken.main()

    go_on_without_first_thread(rest)


@behaviour("launch")
def lives_on(bot):
    """Plays well, and sleeps after `quit` and the end of input."""
    bot.at_end = sleep_on


@attack
def leaves_process_without_first_thread(bot):
    """Leaves a process of its own session behind that holds its pipes and whose first thread has ended."""
    reader, writer = os.pipe()

    def sleep_for_ever():
        os.write(writer, b"x")
        time.sleep(FOR_EVER)

    def daemon():
        with contextlib.suppress(PermissionError):  # it may not leave its session
            os.setsid()
        forked(lambda: go_on_without_first_thread(sleep_for_ever))

    def leave():
        os.waitpid(forked(daemon), 0)
        os.close(writer)
        if os.read(reader, 1) != b"x":
            raise OSError(errno.EAGAIN, "it could not fork")

    attempt("a grandchild", leave)
    os.close(reader)


@attack
def keeps_threads(bot):
    """Starts a hundred threads and, if it is let, keeps them until it is stopped for that."""
    threading.stack_size(64 << 10)
    over = threading.Event()

    def start():
        for _ in range(100):
            try:
                threading.Thread(target=over.wait, daemon=True).start()
            except RuntimeError:
                over.set()
                raise OSError(errno.EAGAIN, "no more threads") from None
        sleep_on()

    attempt("a hundred threads", start)


# E. The opponent


def stop_and_go(process):
    os.kill(process, signal.SIGSTOP)
    os.kill(process, signal.SIGCONT)


@attack
def kills_opponent(bot):
    """Stops and kills its opponent."""
    victim = opponent()
    attempt("stop", stop_and_go, victim)
    told_by_queue = (ctypes.c_int * 32)(0, 0, -1)  # SI_QUEUE
    attempt("a queued signal", call, "rt_sigqueueinfo", victim, 0, told_by_queue)
    attempt("a signal to a thread", call, "tgkill", victim, victim, 0)
    attempt("a descriptor of it", lambda: os.close(os.pidfd_open(victim)))
    attempt("kill", os.kill, victim, signal.SIGKILL)


@attack
def hampers_opponent(bot):
    """Takes processor time from its opponent."""
    victim = opponent()
    attempt("limit", resource.prlimit, victim, resource.RLIMIT_CPU, (600, 600))
    attempt("priority", os.setpriority, os.PRIO_PROCESS, victim, 19)
    attempt("core", os.sched_setaffinity, victim, {min(os.sched_getaffinity(0))})
    attempt("scheduler", os.sched_setscheduler, victim, os.SCHED_IDLE, os.sched_param(0))
    attempt("disk priority", call, "ioprio_set", 1, victim, 3 << 13)
    attempt("shared core", call, "prctl", PR_SCHED_CORE, 2, victim, 0, 0)


@attack
def looks_into_opponent(bot):
    """Reads and writes the memory of its opponent."""
    victim = opponent()
    attempt("memory", lambda: os.close(os.open(f"/proc/{victim}/mem", os.O_RDWR)))
    attempt("memory map", read, f"/proc/{victim}/maps")
    attempt("environment", read, f"/proc/{victim}/environ")
    knock("process_vm_readv", victim, 0, 0, 0, 0, 0)
    knock("process_vm_writev", victim, 0, 0, 0, 0, 0)
    knock("kcmp", os.getpid(), victim, 0, 0, 0)

    def trace():
        seize, interrupt, detach = 0x4206, 0x4207, 17
        call("ptrace", seize, victim, 0, 0)
        call("ptrace", interrupt, victim, 0, 0)
        os.waitpid(victim, 0x40000000)  # __WALL
        call("ptrace", detach, victim, 0, 0)

    attempt("ptrace", trace)


@attack
def commands_opponent(bot):
    """Tells its opponent to quit, in the referee's name."""
    victim = opponent()

    def write_to_it():
        with open(f"/proc/{victim}/fd/0", "wb") as there:
            there.write(b"quit\n")

    attempt("its input", write_to_it)
    attempt("its output", lambda: open(f"/proc/{victim}/fd/1", "rb").close())
    attempt("its descriptors", os.listdir, f"/proc/{victim}/fd")

    def take():
        handle = os.pidfd_open(victim)
        descriptor = call("pidfd_getfd", handle, 0, 0)
        os.close(descriptor)
        os.close(handle)

    attempt("take its input", take)


@attack
def reads_opponent(bot):
    """Reads all that it can find of its opponent, and of its own game."""
    victim, place = opponent(), told("decoy")
    attempt("source", read, os.path.join(place, "decoy.py"))
    attempt("secret", read, os.path.join(place, "secret"))
    attempt("folder", os.listdir, place)
    attempt("log", read, told("log"))
    attempt("logs", os.listdir, told("logs"))
    attempt("transcript", read, told("transcript"))
    attempt("command line", read, f"/proc/{victim}/cmdline")
    attempt("working folder", os.readlink, f"/proc/{victim}/cwd")
    attempt("program", read, f"/proc/{victim}/exe")
    attempt("root", os.listdir, f"/proc/{victim}/root/")
    attempt("processes", os.listdir, "/proc")


@attack
def changes_opponent(bot):
    """Changes files of its opponent."""
    place = told("decoy")
    secret, new = os.path.join(place, "secret"), os.path.join(place, "new")
    attempt("mode", os.chmod, secret, 0o600)
    attempt("times", os.utime, secret, (1, 1))
    attempt("owner", os.chown, secret, os.getuid(), os.getgid())
    attempt("attribute", os.setxattr, secret, "user.arbiter", b"x")
    attempt("append", lambda: open(secret, "ab").close())
    attempt("truncate", os.truncate, secret, 0)
    attempt("make", make, new)
    attempt("link", lambda: (os.link(secret, scratch("linked")), os.remove(scratch("linked"))))
    attempt("rename", os.rename, secret, new)
    attempt("remove", os.remove, os.path.join(place, "decoy.py"))


@attack
def plays_as_opponent(bot):
    """Becomes its opponent's engine, which knows the best answer."""
    engine = os.path.join(told("decoy"), "engine")
    attempt("engine", os.execv, engine, [engine])  # where that works the engine says so


@attack
def watches_opponent(bot):
    """Reads of its opponent's process what the kernel tells anyone who names its pid, and its own clocks, which it may."""
    victim = opponent()
    clock = ~victim << 3 | 2  # CPUCLOCK_SCHED: clock_getcpuclockid(3)

    def ask(name):
        """Asks for a clock; the kernel says EINVAL of the clock of a process that there is not."""
        try:
            call(name, clock, (ctypes.c_long * 2)())
        except OSError as refusal:
            if refusal.errno == errno.EINVAL:
                raise OSError(errno.ESRCH, name) from None
            raise

    attempt("processor time", ask, "clock_gettime")
    attempt("clock", ask, "clock_getres")
    attempt("group", os.getpgid, victim)
    attempt("session", os.getsid, victim)
    attempt("cores", os.sched_getaffinity, victim)
    attempt("priority", os.getpriority, os.PRIO_PROCESS, victim)
    attempt("scheduler", os.sched_getscheduler, victim)
    attempt("disk priority", call, "ioprio_get", 1, victim)
    attempt("capabilities", call, "capget", struct.pack("=Ii", 0x20080522, victim), ctypes.create_string_buffer(24))
    attempt("list of locks", call, "get_robust_list", victim, (ctypes.c_long * 1)(), (ctypes.c_long * 1)())

    def take_lock():
        """Waits, until a time that is over, for a lock that holds the opponent's pid."""
        try:
            call("futex", struct.pack("=I", victim), FUTEX_LOCK_PI, 0, struct.pack("=qq", 0, 1), 0, 0)
        except OSError as answer:
            if answer.errno in (errno.ESRCH, errno.ENOSYS):
                raise  # any other answer says that there is such a process

    attempt("lock", take_lock)
    own_clocks = [~os.getpid() << 3 | 2, time.pthread_getcpuclockid(threading.get_ident()), -6, -2]
    note(f"its own clocks: {all(time.clock_gettime(own) > 0 for own in own_clocks)}")
    note(f"its own cores: {len(os.sched_getaffinity(0)) > 0 and os.getpgid(0) == os.getpgrp()}")


@attack
def burns(bot):
    """Uses all the memory bandwidth that it can get on its own turn, which it may."""
    block = bytearray(8 << 20)
    for _ in range(20):
        block[:] = bytes(8 << 20)
    note("burnt")


@attack
def whispers(bot):
    """Looks for a way to speak with its twin in another game."""
    key, name = int(told("key")), told("name")
    text = name.encode() + b"\0"

    def lock_file():
        with open(own("hostile.py"), "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)

    def lock_part(how):
        """A lock for reading, if it can be seen from outside, which is as good as from another process."""
        form, see = "hhqqi4x", 36  # struct flock; F_OFD_GETLK
        with open(own("hostile.py"), "rb") as file, open(own("hostile.py"), "rb") as outside:
            fcntl.fcntl(file, how, struct.pack(form, fcntl.F_RDLCK, 0, 0, 0, 0))
            seen = fcntl.fcntl(outside, see, struct.pack(form, fcntl.F_WRLCK, 0, 0, 0, 0))
            if struct.unpack(form, seen)[0] == fcntl.F_UNLCK:
                raise OSError(errno.ENOLCK, "nobody sees it")

    def kernel_object(get, size, control):
        identity = call(get, key, *size, 0o600 | 0o1000)  # IPC_CREAT
        # IPC_RMID is 0 and comes second, or third for one of a set.
        call(control, identity, *([0] if control == "semctl" else []), 0, 0)

    def abstract_socket():
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("\0" + name)

    def queue():
        call("mq_open", text, os.O_CREAT | os.O_RDWR, 0o600, 0)
        call("mq_unlink", text)

    attempt("flock", lock_file)
    attempt("lock", lock_part, fcntl.F_SETLK)
    attempt("lock of a descriptor", lock_part, 37)  # F_OFD_SETLK
    attempt("abstract socket", abstract_socket)
    attempt("shared memory", kernel_object, "shmget", [4096], "shmctl")
    attempt("semaphore", kernel_object, "semget", [1], "semctl")
    attempt("message queue", kernel_object, "msgget", [], "msgctl")
    attempt("named message queue", queue)
    attempt("file in memory", make, f"/dev/shm/{name}")
    knock("add_key", 0, 0, 0, 0, 0)


# F. The referee and the machine


def attack_above(victim):
    """Stops, limits and looks into a process of arbiter's."""
    attempt("stop", stop_and_go, victim)
    attempt("limit", resource.prlimit, victim, resource.RLIMIT_CORE, (1, 1))
    slower = os.getpriority(os.PRIO_PROCESS, 0) + 1  # less than now, however arbiter was started
    attempt("slow", os.setpriority, os.PRIO_PROCESS, victim, slower)
    attempt("group", lambda: os.killpg(os.getpgid(victim), 0))
    attempt("descriptors", os.listdir, f"/proc/{victim}/fd")
    attempt("environment", read, f"/proc/{victim}/environ")
    attempt("memory", lambda: os.close(os.open(f"/proc/{victim}/mem", os.O_RDWR)))


@attack
def attacks_referee(bot):
    """Stops, limits and looks into the referee."""
    attack_above(int(told("referee")))


@attack
def attacks_warden(bot):
    """Stops, limits and looks into its warden."""
    attack_above(os.getppid() or 1)  # in a pid namespace: its first process, which ends with the warden


@attack
def reaches_through_scratch(bot):
    """Leads out of its scratch folder by links, and leaves there what could hold up who removes it."""
    secret = os.path.join(told("decoy"), "secret")
    os.symlink(told("decoy"), scratch("folder"))
    os.symlink(secret, scratch("file"))
    os.symlink(scratch("loop"), scratch("loop"))
    attempt("through a link", read, scratch("folder/secret"))
    attempt("into a link", lambda: open(scratch("file"), "ab").close())
    attempt("a hard link", os.link, secret, scratch("hard"))
    attempt("a named pipe", os.mkfifo, scratch("fifo"))
    attempt("the log", lambda: open(told("log"), "ab").close())
    attempt("beside the logs", make, os.path.join(told("logs"), "made"))


@attack
def fills_the_disk(bot):
    """Writes more than it may (a hole, which takes no room where it works), and many files."""
    with open(scratch("large"), "wb") as file:
        attempt("a large file", file.truncate, 65 << 20)
    for number in range(500):
        open(scratch(f"file{number}"), "wb").close()
    note("made five hundred files")


@attack
def deep_tree(bot):
    """Leaves a tree that is deeper than any path, names that are no text, and folders that are closed."""
    os.chdir(scratch())
    for name in (b"-rf", b"a\nb", b"\xff\xfe", b"*", b"x" * 255, b"..." * 9):
        os.mkdir(name)
    os.mkdir("closed")
    os.mkdir("closed/inner", 0)
    os.mkdir("gone", 0)
    for _ in range(40):
        os.mkdir("d" * 250)
        os.chdir("d" * 250)
    note("made a tree")


@attack
def hoards_descriptors(bot):
    """Opens three hundred files."""
    held = []
    attempt("three hundred files", lambda: held.extend(os.open("/dev/null", os.O_RDONLY) for _ in range(300)))
    for descriptor in held:
        os.close(descriptor)


@attack
def hoards_kernel_objects(bot):
    """Uses up what all programs of a user share."""
    attempt("watched files", lambda: os.close(call("inotify_init1", 0)))
    identity = (ctypes.c_int * 1)()
    attempt("two hundred timers", lambda: [call("timer_create", 1, 0, identity) for _ in range(200)])
    attempt("timers to read", lambda: [os.close(call("timerfd_create", 1, 0))])
    knock("mq_open", 0, 0, 0, 0)
    knock("keyctl", -1, 0, 0, 0, 0)
    knock("fanotify_init", -1, 0)


def grow(block):
    """Fills the memory that this makes, 4 MiB at a time, up to 200 MiB, and keeps it."""
    held = []
    for _ in range(50):
        held.append(block())
        for at in range(0, 4 << 20, 4096):
            held[-1][at] = 1
    sleep_on()


@behaviour("first go")
def grows(bot):
    """Uses more memory than it may."""
    grow(lambda: bytearray(4 << 20))


@attack
def grows_shared(bot):
    """Uses more memory than it may, of the kind that is shared and counts for no limit."""
    attempt("shared memory", grow, lambda: mmap.mmap(-1, 4 << 20))


def hide(block):
    """Fills memory and takes each part out of the page tables, so that it counts no more; then looks whether all is there."""
    part = 16 << 20
    for check in (False, True):
        for begin in range(0, len(block), part):
            tag = 1 + begin // part % 255
            for at in range(begin, min(begin + part, len(block)), mmap.PAGESIZE):
                if not check:
                    block[at] = tag
                elif block[at] != tag:
                    raise OSError(errno.ENODATA, "it is lost")
            block.madvise(mmap.MADV_DONTNEED)
    block.close()


@attack
def hides_shared_memory(bot):
    """Has 1,536 MiB of shared memory and seems to have less than 32."""
    attempt("shared memory", lambda: hide(mmap.mmap(-1, 1536 << 20)))


@attack
def hides_memory_of_devices(bot):
    """The same by other ways, with 256 MiB: a device that is mapped (one that is open for reading only makes no memory), and
    huge pages, which count for no process."""
    size, huge = 256 << 20, 0x40000  # MAP_HUGETLB

    def device():
        with open("/dev/zero", "r+b", buffering=0) as file:
            return mmap.mmap(file.fileno(), size)

    attempt("memory of /dev/zero", lambda: hide(device()))
    for name, kind in (("private", mmap.MAP_PRIVATE), ("shared", mmap.MAP_SHARED)):
        attempt(f"{name} huge pages", lambda: hide(mmap.mmap(-1, size, kind | mmap.MAP_ANONYMOUS | huge)))


@attack
def page_tables(bot):
    """Has ARGUMENT MiB of page tables, by reading one page for each of them; no page of its own is needed for that."""
    tables = int(sys.argv[2]) << 20
    reach = mmap.PAGESIZE // 8 * mmap.PAGESIZE  # what one table leads to
    block = mmap.mmap(-1, tables // mmap.PAGESIZE * reach, PRIVATE, mmap.PROT_READ)
    block.madvise(mmap.MADV_NOHUGEPAGE)
    for at in range(0, len(block), reach):
        block[at]
    with open(f"/proc/self/task/{threading.get_native_id()}/status") as file:
        used = next(int(line.split()[1]) for line in file if line.startswith("VmPTE:"))
    note(f"has page tables: {used >= tables >> 10}")
    block.close()


@attack
def hidden_memory(bot):
    """Looks for memory that nobody counts, and for more than there is."""
    attempt("a gigabyte", lambda: mmap.mmap(-1, 1 << 30, PRIVATE).close())
    attempt("a file of memory", lambda: os.close(call("memfd_create", b"x\0", 0)))
    page = mmap.mmap(-1, mmap.PAGESIZE, PRIVATE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))

    def mlock():
        if LIBC.mlock(ctypes.c_void_p(address), mmap.PAGESIZE):
            raise OSError(ctypes.get_errno(), "mlock")

    attempt("memory that stays", mlock)


@attack
def survives_the_machine(bot):
    """Has others killed in its place when the machine runs out of memory."""
    with open("/proc/self/oom_score_adj") as file:
        score = file.read().strip()
    note(f"it is killed first: {score}")

    def change():
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write(score)

    attempt("to be killed later", change)


@attack
def gains_rights(bot):
    """Looks whether a program could give it the rights of another user."""
    with open("/proc/self/status") as file:
        status = dict(line.split(":", 1) for line in file)
    note("refused new rights: EPERM" if status["NoNewPrivs"].strip() == "1" else "open new rights")


@attack
def connects(bot):
    """Speaks with servers of this machine, and with other machines."""

    def connect(family, kind, address):
        with socket.socket(family, kind) as there:
            there.connect(address)

    attempt("a socket with a path", connect, socket.AF_UNIX, socket.SOCK_STREAM, told("socket"))
    attempt("TCP", connect, socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(told("port"))))
    attempt("UDP", connect, socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int(told("port"))))
    attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close())
    attempt("a pair of sockets", lambda: [end.close() for end in socket.socketpair()])


@attack
def reads_environment(bot):
    """Looks for a secret in its environment and in that of its parents."""
    with open("/proc/self/environ", "rb") as file:
        first = file.read()
    secret = "ARBITER_SECRET" in os.environ or b"ARBITER_SECRET" in first
    note("open a secret" if secret else "refused a secret: ENOENT")
    note("variables: " + " ".join(sorted(os.environ)))


@attack
def inherits(bot):
    """Uses a descriptor that whoever started arbiter had open."""
    attempt("descriptor 9", os.fstat, 9)
    note("descriptors: " + " ".join(sorted(os.listdir("/proc/self/fd"), key=int)[:-1]))


@attack
def types_for_the_user(bot):
    """Puts words into a terminal as if the user had typed them."""
    for name, request in (("typing", termios.TIOCSTI), ("the console", 0x541C)):
        attempt(name, fcntl.ioctl, 0, request, b"x")
    attempt("the terminal", lambda: open("/dev/tty", "rb").close())
    attempt("a terminal of its own", lambda: [os.close(end) for end in os.openpty()])


@attack
def tries_doors(bot):
    """Knocks at the kernel's odd doors."""
    knock("io_uring_setup", 0, 0)
    knock("userfaultfd", -1)
    knock("bpf", -1, 0, 0)
    knock("perf_event_open", 0, 0, -1, -1, 0)
    knock("keyctl", -1, 0, 0, 0, 0)
    knock("mount", 0, 0, 0, 0, 0)
    knock("statmount", 0, 0, 0, 0)
    knock("listmount", 0, 0, 0, 0)
    knock("pivot_root", 0, 0)
    knock("chroot", 0)
    knock("unshare", 0)
    knock("setns", -1, 0)
    knock("personality", 0xFFFFFFFF)
    knock("name_to_handle_at", -1, 0, 0, 0, 0)
    knock("seccomp", -1, 0, 0)


@attack
def calls_by_other_numbers(bot):
    """Makes a system call by the number that it has for programs with short pointers."""

    def ask():
        if LIBC.syscall(ctypes.c_long(0x40000000 + 110)) < 0:  # getppid
            raise OSError(ctypes.get_errno(), "getppid")

    attempt("a call by another number", ask)


@attack
def feigns_shortage(bot):
    """Has its own file removed from memory, to wait for it again: the machine seems to be short of memory."""
    with open(own("hostile.py"), "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
    attempt("pages out", mapped.madvise, 21)  # MADV_PAGEOUT
    attempt("pages that are cold", mapped.madvise, 20)  # MADV_COLD
    mapped.madvise(mmap.MADV_DONTNEED)


@attack
def leaves_traces_in_the_page_cache(bot):
    """Looks for ways to set and to read which pages of a file are in memory, which outlives its game."""
    knock("fadvise64", -1, 0, 0, 4)  # POSIX_FADV_DONTNEED
    for name, flag in (("RWF_NOWAIT", 8), ("RWF_DONTCACHE", 0x80)):
        knock("preadv2", -1, 0, 0, 0, 0, flag, called=name)
    knock("mincore", 0, 0, 0)
    knock("cachestat", -1, 0, 0, 0)
    with open(own("hostile.py"), "rb") as file:
        for advice in (os.POSIX_FADV_SEQUENTIAL, os.POSIX_FADV_RANDOM, os.POSIX_FADV_WILLNEED, os.POSIX_FADV_NOREUSE):
            os.posix_fadvise(file.fileno(), 0, 0, advice)
        note(f"reads on: {os.preadv(file.fileno(), [bytearray(9)], 0) == 9}")


@attack
def hoards_asynchronous_io(bot):
    """Takes a place for asynchronous input and output, of which the machine has some ten thousand."""
    knock("io_setup", 0, 0)


@attack
def has_a_table_of_locks(bot):
    """Has the kernel make a table for its locks, as large as its memory."""
    attempt("a table of locks", call, "prctl", PR_FUTEX_HASH, 1, 1 << 20, 0, 0)


@attack
def shares_equal_pages(bot):
    """Has the kernel search the memory of all programs for pages like its own."""
    page = mmap.mmap(-1, mmap.PAGESIZE, flags=PRIVATE)
    attempt("equal pages", page.madvise, 12)  # MADV_MERGEABLE
    attempt("all equal pages", call, "prctl", PR_SET_MEMORY_MERGE, 1, 0, 0, 0)


@attack
def marks_its_files(bot):
    """Leaves marks at files that it may only read, for its next game."""
    with open(own("hostile.py"), "rb") as file:
        attempt("a hint", fcntl.fcntl, file, 1036, struct.pack("=Q", 0))  # F_SET_RW_HINT
        for name, read, write, size in MARKS:
            mark = bytearray(size)
            try:
                fcntl.ioctl(file, read, mark)
            except OSError:
                pass  # the level refuses to read it as well, or the file system has no such marks
            attempt(name, fcntl.ioctl, file, write, bytes(mark))


@attack
def writes_to_disks(bot):
    """Has all programs wait for the disks."""
    knock("syncfs", -1)
    knock("sync")


@attack
def rewrites_itself(bot):
    """Changes its own files between two games."""
    script, new = own("hostile.py"), own("new.py")
    attempt("append", lambda: open(script, "ab").close())
    attempt("rename", lambda: (os.rename(script, new), os.rename(new, script)))
    attempt("make", make, new)
    attempt("mode", os.chmod, script, os.stat(script).st_mode)


@behaviour("launch")
def looks_around(bot):
    """Tells what it could know a test by."""
    places = {os.environ.get(name): name for name in ("HOME", "TMPDIR")}
    for name, value in sorted(os.environ.items()):
        note(f"environment {name}={places.get(value, value)}")
    note("arguments " + " ".join(sys.argv[1:]))
    note(f"folder {os.path.relpath(os.getcwd(), own(''))}")


# Many games in one run


def number(bot):
    """Which game of the run it is, from 1: by the ids that are sent, in their order, which are a fact."""
    return told("ids").split().index(bot.game.decode()) + 1


@attack
def waits(bot):
    """Waits at its first question until it is told to go on, and says so."""
    note(f"waits in game {number(bot)}")
    told(f"go-on-{number(bot)}")


@behaviour("every go")
def falls_silent(bot):
    """Answers once, and never again."""
    if not hasattr(bot, "asked"):
        bot.asked = True
        bot.answer()


@behaviour("start")
def in_turn(bot):
    """Another behaviour in each game, of those that ARGUMENT names with commas between them."""
    names = bot.argument.split(",")
    when, function = broken.BEHAVIOURS[names[(number(bot) - 1) % len(names)]]
    if when == "start":
        return function(bot)
    if when == "launch":
        function(bot)
    else:
        healthy = bot.answer

        def misbehave():
            bot.answer = healthy
            function(bot)
            if when == "every go":
                bot.answer = misbehave

        bot.answer = misbehave
    bot.say(bot.ready)


if __name__ == "__main__":
    try:
        broken.main()
    except BrokenPipeError:  # the referee has gone, or has had enough
        os._exit(0)
