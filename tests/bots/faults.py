"""A minimal bot with one fault: faults.py FAULT."""

import sys
import time

FAULT = sys.argv[1]


def find_fork():
    return [][3]


def say(text):
    print(text, flush=True)


if FAULT == "reads-lines":
    say("ready")
    lines = sys.stdin.readlines()
elif FAULT == "reads-all":
    lines = sys.stdin.read().splitlines()
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
    elif word == "go":
        if FAULT == "finds-fork":
            find_fork()
        while FAULT == "computes":
            pass
        if FAULT == "late":
            time.sleep(1.5)
        if FAULT == "much-stderr":
            print("Permission denied: fork\n" * 10_000, file=sys.stderr)
        if FAULT == "colon":
            say("move: " + moves[0])
            continue
        if FAULT == "twice" and before:
            say("move " + before)
        if FAULT == "older" and before:
            say("move a1a1")
        before = moves[0]
        say("move " + before)
        if FAULT == "one-answer":
            break
