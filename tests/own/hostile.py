"""A healthy game whose rules, in `start`, try what rules may not do under `--sandbox strict`.

What came of each attempt stands on standard error, `open NAME` or `refused NAME: ERRNO`, as for tests/bots/hostile.py. All
attempts are bounded: forty processes that end, one file that is removed, signals that have no effect."""

import errno
import os
import signal
import socket
import subprocess
import sys
import time

title = "Hostile rules"
sides = "XO"


def attempt(name, action, *arguments):
    try:
        action(*arguments)
    except OSError as refusal:
        return print(f"refused {name}: {errno.errorcode[refusal.errno]}", file=sys.stderr)
    print(f"open {name}", file=sys.stderr)


def read(path):
    os.close(os.open(path, os.O_RDONLY))


def make(path):
    with open(path, "xb"):
        os.remove(path)


def connect():
    """A connection that is refused by its port was not refused by the sandbox."""
    with socket.socket() as connection:
        if connection.connect_ex(("127.0.0.1", 9)) not in (0, errno.ECONNREFUSED):
            raise OSError(errno.EPERM, "connect")


def fork_bomb():
    for _ in range(40):
        if os.fork() == 0:
            time.sleep(1)
            os._exit(0)


def start():
    folder = os.path.dirname(os.path.abspath(__file__))
    parent = os.getppid()
    attempt("its own file", read, __file__)
    attempt("the file of users", read, "/etc/passwd")
    attempt("files beside it", os.listdir, folder)
    attempt("its own file for writing", lambda: os.close(os.open(__file__, os.O_WRONLY)))
    attempt("a file beside it", make, os.path.join(folder, "made-by-hostile-rules"))
    attempt("a file in the working folder", make, "made-by-hostile-rules")
    attempt("a file in /tmp", make, "/tmp/made-by-hostile-rules")
    attempt("the network", connect)
    attempt("forks", fork_bomb)
    attempt("a program", subprocess.run, ["/bin/true"])
    attempt("the environment of its parent", read, f"/proc/{parent}/environ")
    attempt("the memory of its parent", read, f"/proc/{parent}/mem")
    attempt("a signal to its parent", os.kill, parent, signal.SIGCONT)
    attempt("a signal to all", os.kill, -1, 0)
    return ["..."] * 3, "X"


def moves(board, side):
    return [(row, column) for row in range(3) for column in range(3) if board[row][column] == "."]


def play(board, side, move):
    board[move[0]][move[1]] = side
    return board, "O" if side == "X" else "X"


def ending(board, side):
    return None if any("." in row for row in board) else (None, "full-board")
