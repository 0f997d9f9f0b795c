"""A bot that uses something for each answer: using.py BEHAVIOUR [AMOUNT] [MARKER].

It says in its `info` what processor time it used between its last answer and this question, and how many cores it has.
Two rules beside the protocol: nothing is measured here that depends on the speed of the machine, and everything ends
when its input does.
"""

import ctypes
import os
import signal
import sys
import threading
import time

BEHAVIOUR = sys.argv[1]
AMOUNT = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0


def compute(seconds):
    """So much processor time of this process."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def in_a_child(seconds):
    child = os.fork()
    if child == 0:
        compute(seconds)
        os._exit(0)
    return child


def in_a_grandchild(seconds):
    """In a process whose parent has ended; a pipe tells when it is done."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        if os.fork() == 0:
            compute(seconds)
            os.write(writer, b"x")
            time.sleep(3600)
        os._exit(0)
    os.waitpid(child, 0)
    os.read(reader, 1)


def in_children_that_nobody_waits_for(seconds):
    """In processes of 4 ms, one after the other, whose time the kernel adds to no other process."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(round(seconds / 0.004)):
        reader, writer = os.pipe()
        if os.fork() == 0:
            compute(0.004)
            os._exit(0)
        os.close(writer)
        os.read(reader, 1)  # returns when the child has ended
        os.close(reader)


def in_calls_that_go_on(seconds):
    """In calls of other threads, each of which lasts longer than it takes to stop this process and does not end sooner."""
    read_only, private_anonymous_unreserved, no_huge_pages, populate_read = 1, 0x4022, 15, 22
    size = 4 << 30
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p

    def populate():
        where = ctypes.c_void_p(libc.mmap(None, ctypes.c_size_t(size), read_only, private_anonymous_unreserved, -1, 0))
        libc.madvise(where, ctypes.c_size_t(size), no_huge_pages)
        libc.madvise(where, ctypes.c_size_t(size), populate_read)
        libc.munmap(where, ctypes.c_size_t(size))

    before = time.thread_time()
    populate()
    calls = int(seconds / (time.thread_time() - before)) + 1
    threads = [threading.Thread(target=populate, daemon=True) for _ in range(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:  # until it is in the call
        while thread.is_alive() and time.clock_gettime(time.pthread_getcpuclockid(thread.ident)) < 0.002:
            os.sched_yield()


def join(group):
    """Goes into a control group, in which the kernel runs it seldom."""
    with open(f"{group}/cgroup.procs", "w") as processes:
        processes.write(str(os.getpid()))


def when_told(folder):
    """Says in a file that it waits, and goes on when another file is there."""
    open(f"{folder}/waits", "w").close()
    while not os.path.exists(f"{folder}/go"):
        time.sleep(0.001)


def use():
    if BEHAVIOUR in ("seldom-run", "seldom-run-and-nice"):
        os.nice(19 if BEHAVIOUR == "seldom-run-and-nice" else 0)
        join(sys.argv[3])
        compute(AMOUNT)
    elif BEHAVIOUR == "when-told":
        when_told(sys.argv[3])
    elif BEHAVIOUR == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif BEHAVIOUR == "cpu":
        compute(AMOUNT)
    elif BEHAVIOUR in ("sleep", "after-and-slow"):
        time.sleep(AMOUNT)
    elif BEHAVIOUR == "child":
        os.waitpid(in_a_child(AMOUNT), 0)
    elif BEHAVIOUR == "grandchild":
        in_a_grandchild(AMOUNT)
    elif BEHAVIOUR == "unseen-children":
        in_children_that_nobody_waits_for(AMOUNT)
    elif BEHAVIOUR == "memory":
        block = bytearray(int(AMOUNT) << 20)
        block[:: 4096] = b"x" * len(block[:: 4096])
    elif BEHAVIOUR == "calls":
        in_calls_that_go_on(AMOUNT)
    elif BEHAVIOUR == "hoard":
        HOARD.append(b"x" * (int(AMOUNT) << 20))


def ponder():
    while True:
        pass


HOARD = []
if BEHAVIOUR == "ponder":
    threading.Thread(target=ponder, daemon=True).start()
elif BEHAVIOUR == "ponder-in-a-child":
    if os.fork() == 0:
        ponder()
elif BEHAVIOUR == "sleep-at-start":
    time.sleep(AMOUNT)
elif BEHAVIOUR == "start-when-told":
    when_told(sys.argv[3])
answered = 0.0
moves = []
for line in sys.stdin:
    words = line.split() or [""]
    if words[0] == "start":
        print("ready", flush=True)
        if BEHAVIOUR == "start-when-told":
            open(f"{sys.argv[3]}/done", "w").close()
        answered = time.process_time()
    elif words[0] == "moves":
        moves = words[1:]
    elif words[0] == "go":
        off_move = time.process_time() - answered
        use()
        print(f"info {off_move:.3f} {len(os.sched_getaffinity(0))}\nmove {moves[0]}", flush=True)
        if BEHAVIOUR == "when-told":
            open(f"{sys.argv[3]}/done", "w").close()
        answered = time.process_time()
        if BEHAVIOUR in ("after", "after-and-slow"):
            compute(AMOUNT)
