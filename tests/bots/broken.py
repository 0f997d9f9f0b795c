#!/usr/bin/env python3
"""A correct minimal bot, except for one behaviour: broken.py BEHAVIOUR [ARGUMENT].

It answers with the first of `moves`. `broken.py --list` names the behaviours. Further words are ignored: a test finds its
processes by them. "For ever" is ten minutes, so that a test that fails leaves nothing behind for good.
"""

import io
import os
import signal
import sys
import time

FOR_EVER = 600  # seconds
BEHAVIOURS = {}


def behaviour(when):
    """Enters a function in the table, to be called at `launch`, `start`, the `first go` (healthy from then on) or `every go`."""

    def enter(function):
        BEHAVIOURS[function.__name__.replace("_", "-")] = (when, function)
        return function

    return enter


class Bot:
    """What the bot knows of its game, and what it can do."""

    def __init__(self, argument):
        self.argument = argument  # what follows BEHAVIOUR on the command line, or None
        self.game = b""  # the id that it was sent of its game
        self.side = "B"
        self.moves = []
        self.ready = b"ready"
        self.line_end = b"\n"
        self.at_end = None  # called after `quit` or the end of input

    def say(self, text):
        write(1, text + self.line_end)

    def answer(self):
        self.say(b"move " + self.moves[0])

    def a_move(self):
        """`a1c1` where that is legal (the start position, side B), else the first move."""
        return b"a1c1" if b"a1c1" in self.moves else self.moves[0]


def write(fd, data):
    """Writes all of it at once, past every buffer. (A pipe takes a part when a stop signal comes between.)"""
    while data:
        data = data[os.write(fd, data) :]


def note(text):
    write(2, text.encode() + b"\n")


def sleep_on():
    time.sleep(FOR_EVER)
    os._exit(86)


def say_unflushed(text):
    """What print does on a pipe: the text stays in a buffer until the program ends."""
    out = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)))
    out.write(text.decode() + "\n")
    for _ in sys.stdin.buffer:
        pass
    out.flush()  # as at the end of every program
    sys.exit()


def fork_daemon(pid_file):
    """A process of its own session that holds stdout and stderr open, sleeps, and ignores what should end it."""
    try:
        child = os.fork()
    except OSError as refusal:
        return note(f"fork refused: {refusal}")
    if child:
        return os.waitpid(child, 0)
    try:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        daemon = os.fork()
        if daemon and pid_file:
            with open(pid_file, "w") as file:
                file.write(f"{daemon}\n")
        if not daemon:
            os.close(0)
            time.sleep(FOR_EVER)
    except OSError as refusal:
        note(f"daemon: {refusal}")
    os._exit(0)


# Healthy, or nearly


@behaviour("launch")
def healthy(bot):
    """Nothing is wrong."""


@behaviour("launch")
def healthy_reuse(bot):
    """Nothing is wrong, and it plays several games: `ready reuse`."""
    bot.ready = b"ready reuse"


@behaviour("launch")
def crlf(bot):
    r"""Ends its lines with \r\n."""
    bot.line_end = b"\r\n"


@behaviour("every go")
def move_spaces(bot):
    """Answers with the two squares as two words: `move a1 c1`."""
    bot.say(b"move " + bot.moves[0][:2] + b" " + bot.moves[0][2:])


@behaviour("every go")
def info(bot):
    """Two `info` lines, then the answer."""
    bot.say(b"info depth 1 score 0")
    bot.say(b"info depth 2 score 0.5 pv " + bot.moves[0])
    bot.answer()


@behaviour("every go")
def stray_debug(bot):
    """`thinking...` on stdout and `depth 3` on stderr before each answer."""
    bot.say(b"thinking...")
    note("depth 3")
    bot.answer()


@behaviour("every go")
def bad_utf8_stray(bot):
    """A stray line of invalid UTF-8 and terminal escapes before each answer."""
    bot.say(b"\xff\xfe \x1b]0;pwned\x07\x1b[2J")
    bot.answer()


@behaviour("every go")
def stderr_flood(bot):
    """20 MiB on stderr before each answer."""
    for _ in range(20 * 16):
        write(2, b"All work and no play makes Jack.\n" * 1985 + b"x" * 31)
    bot.answer()


@behaviour("every go")
def chatty_off_move(bot):
    """200 lines of noise after each answer."""
    bot.answer()
    bot.say(b"\n".join([b"noise"] * 200))


@behaviour("every go")
def two_answers(bot):
    """The first two moves as two answers in a single write."""
    bot.say(b"move " + bot.moves[0] + bot.line_end + b"move " + bot.moves[:2][-1])


@behaviour("start")
def early_answer(bot):
    """An answer before any `go`, in the same write as `ready`."""
    bot.say(bot.ready + bot.line_end + b"move a1c1")


@behaviour("start")
def early_half(bot):
    """The answer line begins before `go`, in the same write as `ready`, and ends after it."""

    def rest():
        bot.say(b"ve " + bot.moves[0])
        del bot.answer  # healthy from then on

    write(1, bot.ready + bot.line_end + b"mo")
    bot.answer = rest


# Silence and time


@behaviour("launch")
def silent_start(bot):
    """Never says `ready`; sleeps."""
    sleep_on()


@behaviour("start")
def unflushed_ready(bot):
    """`ready` stays in its buffer."""
    say_unflushed(bot.ready)


@behaviour("start")
def never_reads(bot):
    """Says `ready`, then never reads again."""
    bot.say(bot.ready)
    sleep_on()


@behaviour("every go")
def silent(bot):
    """Never answers, keeps reading."""


@behaviour("first go")
def spinning(bot):
    """Computes for ever."""
    end = time.monotonic() + FOR_EVER
    while time.monotonic() < end:
        pass


@behaviour("first go")
def late(bot):
    """Sleeps ARGUMENT seconds (3), then answers, and goes on."""
    time.sleep(float(bot.argument or 3))
    bot.answer()


@behaviour("first go")
def dripping(bot):
    """A byte of `move xxxx` each 0.2 s, for ever, never a newline."""
    for _ in range(FOR_EVER * 5 // 9):
        for byte in b"move xxxx":
            write(1, bytes([byte]))
            time.sleep(0.2)


@behaviour("first go")
def unflushed(bot):
    """The answer stays in its buffer."""
    say_unflushed(b"move " + bot.moves[0])


@behaviour("first go")
def no_newline(bot):
    """The answer has no newline."""
    write(1, b"move " + bot.a_move())


@behaviour("first go")
def stops_itself(bot):
    """SIGSTOP to itself, again whenever it is continued."""
    while True:
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(0.01)


# Wrong answers


def says(text):
    """A behaviour that says the text at its first `go`, with a move for `%s`."""

    def misbehave(bot):
        bot.say(text.replace(b"%s", bot.a_move()))

    misbehave.__doc__ = f"Says {text}."
    return "first go", misbehave


BEHAVIOURS |= {
    "bare-move": says(b"%s"),
    "uppercase": says(b"MOVE %s"),
    "extra-words": says(b"move %s please"),
    "illegal": says(b"move a0a0"),
    "nul": says(b"move \0%s"),
    "bad-utf8": says(b"move \xff\xfe"),
    "resigns": says(b"resign"),
    "resign-words": says(b"resign now"),
}


@behaviour("every go")
def illegal_always(bot):
    """Says move a0a0, however often it is asked."""
    bot.say(b"move a0a0")


@behaviour("first go")
def illegal_and_legal(bot):
    """An illegal answer and a legal one, not the first of `moves`, in a single write."""
    bot.say(b"move a0a0" + bot.line_end + b"move " + bot.moves[:2][-1])


@behaviour("first go")
def other_side(bot):
    """A move of the opponent's piece that would be legal for the opponent at the start."""
    bot.say(b"move b0b2" if bot.side == "B" else b"move a1c1")


@behaviour("first go")
def garbage(bot):
    """20 lines of printable and high bytes, always the same."""
    import random  # the other bots start faster without it

    chance = random.Random(1)
    for _ in range(20):
        bot.say(bytes(chance.choice([*range(0x20, 0x7F), *range(0x80, 0x100)]) for _ in range(60)))


@behaviour("first go")
def endless_line(bot):
    """Writes `x` for ever, without a newline."""
    while True:
        write(1, b"x" * 4096)


@behaviour("first go")
def endless_lines(bot):
    """Writes `spam` lines for ever."""
    while True:
        write(1, b"spam\n" * 800)


@behaviour("first go")
def chatty_bare_move(bot):
    """Twenty lines of noise, then a move without the word `move`."""
    bot.say(bot.line_end.join([b"noise"] * 20 + [bot.a_move()]))


@behaviour("first go")
def chatty_nul(bot):
    """Twenty lines of noise, then a line with a NUL."""
    bot.say(bot.line_end.join([b"noise"] * 20 + [b"move \0" + bot.a_move()]))


# Ends and crashes


@behaviour("launch")
def exit_at_once(bot):
    """Exits with 0 before `ready`."""
    sys.exit()


@behaviour("start")
def exit_3_at_start(bot):
    """Exits with 3 at `start`."""
    sys.exit(3)


@behaviour("first go")
def exit_after_answer(bot):
    """Answers and exits with 0."""
    bot.answer()
    sys.exit()


@behaviour("first go")
def crash_segv(bot):
    """Dies of SIGSEGV."""
    os.kill(os.getpid(), signal.SIGSEGV)
    import ctypes

    ctypes.string_at(0)  # the first process of a PID namespace gets no signal from itself: a true fault


@behaviour("first go")
def crash_abort(bot):
    """Dies of SIGABRT."""
    os.abort()


@behaviour("first go")
def exception(bot):
    """Dies of an exception, with a traceback on stderr."""
    raise ValueError("my bug")


@behaviour("first go")
def closes_stdout(bot):
    """Closes stdout and lives on."""
    os.close(1)
    sleep_on()


@behaviour("first go")
def closes_stdin(bot):
    """Closes stdin and lives on."""
    os.close(0)
    sleep_on()


@behaviour("start")
def deaf(bot):
    """Closes stdin, says `ready` and lives on."""
    os.close(0)
    bot.say(bot.ready)
    sleep_on()


@behaviour("launch")
def ignores_sigterm(bot):
    """Plays well, but ignores SIGTERM and SIGINT and lives on after `quit` and the end of input."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    bot.at_end = sleep_on


# Processes; where fork is refused, stderr says so


@behaviour("first go")
def daemon(bot):
    """Leaves a daemon behind that holds stdout open (its pid goes to the file ARGUMENT), and plays well."""
    fork_daemon(bot.argument)
    bot.answer()


@behaviour("first go")
def daemon_exit(bot):
    """The same daemon, but the bot exits with 0 instead of answering."""
    fork_daemon(bot.argument)
    sys.exit()


@behaviour("first go")
def orphans(bot):
    """Leaves twenty processes behind that end at once, and plays well when none of them is a zombie any more."""
    ours, theirs = os.pipe()
    for _ in range(20):
        if child := os.fork():
            os.waitpid(child, 0)
        elif os.fork() == 0:
            write(theirs, b"%d\n" % os.getpid())
            os._exit(0)
        else:
            os._exit(0)
    os.close(theirs)
    with open(ours, "rb") as pids:
        left = [int(pid) for pid in pids]  # to the end: all have ended
    while any(is_zombie(pid) for pid in left):
        time.sleep(0.01)
    bot.answer()


def is_zombie(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False


@behaviour("first go")
def hopper(bot):
    """A process that forks and exits for ever (a minute at most), while the bot sleeps."""
    end = time.monotonic() + 60
    try:
        hopping = os.fork() == 0
    except OSError as refusal:
        hopping = note(f"fork refused: {refusal}")
    while hopping and time.monotonic() < end:
        try:
            if os.fork():
                os._exit(0)
        except OSError:
            time.sleep(0.001)  # no process left to hop to: sit and try again
    if hopping:
        os._exit(0)
    sleep_on()


def main():
    if sys.argv[1:] == ["--list"]:
        for name, (when, function) in BEHAVIOURS.items():
            print(f"{name:18} {when:9} {function.__doc__}")
        return
    if len(sys.argv) < 2 or sys.argv[1] not in BEHAVIOURS:
        sys.exit("usage: broken.py BEHAVIOUR [ARGUMENT]; broken.py --list names them")

    when, misbehave = BEHAVIOURS[sys.argv[1]]
    bot = Bot(sys.argv[2] if len(sys.argv) > 2 else None)
    if when == "launch":
        misbehave(bot)
    for line in sys.stdin.buffer:
        word, *rest = line.split() or [b""]
        if word == b"id":
            bot.game = rest[0]
        elif word == b"you":
            bot.side = rest[0].decode()
        elif word == b"start":
            misbehave(bot) if when == "start" else bot.say(bot.ready)
        elif word == b"moves":
            bot.moves = rest
        elif word == b"go" and when in ("first go", "every go"):
            when = when if when == "every go" else "no more"
            misbehave(bot)
        elif word == b"go":
            bot.answer()
        elif word == b"quit":
            break
    if bot.at_end:
        bot.at_end()


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # the referee has gone, or has had enough
        os._exit(0)
