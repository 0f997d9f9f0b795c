"""A minimal bot that never flushes its answers; with the argument `ready`, nor `ready`."""

import sys

moves = []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "start":
        print("ready", flush="ready" not in sys.argv)
    elif word == "moves":
        moves = rest
    elif word == "go":
        print("move", moves[0])
