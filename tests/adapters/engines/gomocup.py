"""A brain of Gomocup that places stones where it has seen none."""

import random
import sys

random = random.Random("1")
free = set()


def place(x, y):
    if (x, y) not in free:
        print(f"ERROR {x},{y} is taken", flush=True)
    free.discard((x, y))


def answer():
    x, y = random.choice(sorted(free))
    free.discard((x, y))
    print("MESSAGE thinking", flush=True)
    print(f"{x},{y}", flush=True)


for line in sys.stdin:
    command, _, text = line.strip().partition(" ")
    if command == "START":
        free = {(x, y) for x in range(int(text)) for y in range(int(text))}
        print("OK", flush=True)
    elif command == "BOARD":
        for line in sys.stdin:
            if line == "DONE\n":
                break
            x, y, _ = map(int, line.split(","))
            place(x, y)
        answer()
    elif command == "TURN":
        place(*map(int, text.split(",")))
        answer()
    elif command == "BEGIN":
        answer()
    elif command == "END":
        break
    elif command != "INFO":
        print("UNKNOWN", flush=True)
