"""A minimal bot with one fault: faults.py FAULT."""

import os
import sys
import time

FAULT = sys.argv[1]


def find_fork():
    return [][3]


def dig(depth):
    return dig(depth + 1)


def connect():
    import socket

    socket.create_connection(("127.0.0.1", 9))


def parse():
    import json

    return json.loads("{x")


def start_threads():
    import threading

    threading.stack_size(600 << 20)
    for _ in range(3):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()


def print_error():
    import traceback

    try:
        find_fork()
    except IndexError:
        traceback.print_exc(file=sys.stdout)


def run_asyncio():
    import asyncio

    asyncio.run(asyncio.sleep(0))


def make_pool():
    import multiprocessing

    multiprocessing.Pool(2)


def wait_beside_a_thread():
    import threading

    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    input()


AT_GO = {
    "finds-fork": find_fork,
    "recurses": lambda: dig(0),
    "connects": connect,
    "parses": parse,
    "threads": start_threads,
    "package": lambda: __import__("forkpy"),
    "refused": os.setsid,
    "prints-error": print_error,
    "asks": lambda: input("your move> "),
    "waits": input,
    "waits-beside": wait_beside_a_thread,
    "aborts": os.abort,
    "asyncio": run_asyncio,
    "pool": make_pool,
    "stderr": lambda: sys.stderr.write(f"move {moves[0]}\n"),
}

INSTEAD = {"colon": "move: ", "colours": "\x1b[31mmove ", "resigns": "I resign, as after "}


def say(text):
    print(text, flush=True)


if FAULT == "reads-lines":
    say("ready")
    lines = sys.stdin.readlines()
elif FAULT == "reads-all":
    lines = sys.stdin.read().splitlines()
elif FAULT == "prompts":
    lines = iter(lambda: input("next> "), None)
else:
    lines = sys.stdin

moves, before = [], None
for line in lines:
    word, *rest = line.split() or [""]
    if word == "start" and FAULT == "opens-data":
        open("data/weights.txt").close()
    if word == "start" and FAULT not in ("never-ready", "reads-lines"):
        say("ready")
    elif word == "moves":
        moves = rest
        if FAULT == "two":  # reads "go" with them
            next(lines)
    elif word == "go":
        AT_GO.get(FAULT, int)()
        if FAULT in ("prints-error", "stderr"):
            continue
        while FAULT == "computes":
            pass
        if FAULT == "late":
            time.sleep(1.5)
        if FAULT == "much-stderr":
            print("Permission denied: fork\n" * 10_000, file=sys.stderr)
        if FAULT in INSTEAD:
            say(INSTEAD[FAULT] + moves[0])
            continue
        if FAULT == "none":
            say(f"move {None}")
        if FAULT == "twice" and before:
            say("move " + before)
        if FAULT == "older" and before:
            say("move a1a1")
        before = moves[0]
        say("move " + before)
        if FAULT == "one-answer":
            break
