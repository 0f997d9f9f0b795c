"""A console program for lineup on a board of 5 without blocks that does one thing wrong: console.py BEHAVIOUR 1|2.

1 says that it moves first. It asks for the size of the board, then for each ply of its opponent, and takes the first free square.
"""

import sys
import time

behaviour, begins = sys.argv[1], sys.argv[2] == "1"
SQUARES = [f"{letter}{row}" for row in range(5) for letter in "abcde"]
taken = set()


def say(text, end="\n"):
    print(text, end=end, flush=True)


def ask(prompt):
    say(prompt, end="")
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return line.strip()


def wait_for_ever():
    while True:
        time.sleep(60)


if behaviour == "silent":
    wait_for_ever()
if behaviour == "dies-in-setup":
    say("no configuration")
    sys.exit(3)
if behaviour == "prompts-for-ever":
    # Long lines, so that the limit of its output comes long before that of its time.
    while True:
        ask("#" * 10_000 + "\nSize of the board: ")
if behaviour == "deaf":
    say("Size of the board: ", end="")
    wait_for_ever()
ask("Size of the board: ")
if behaviour == "never-prompts":
    say("Please choose a square with the mouse.")
    wait_for_ever()

on_move = begins
if behaviour == "moves-unasked":
    on_move = True
while True:
    if not on_move:
        square = ask("your move: ")
        while behaviour == "refuses":
            say(f"{square} is not allowed!")
            square = ask("your move: ")
        if behaviour == "exits":
            sys.exit()
        taken.add(square)
    if behaviour == "two-persons":
        taken.add(ask("your move: "))
    elif behaviour == "off-board":
        say("I play z9")
    elif behaviour == "floods":
        while True:
            say("thinking " * 1000)
    elif behaviour == "computes":
        while True:
            pass
    else:
        square = next(square for square in SQUARES if square not in taken)
        taken.add(square)
        say(f"I play {square}")
        if behaviour == "twice":
            say(f"I play {square}")
    on_move = False
    if behaviour == "moves-unasked":
        wait_for_ever()
