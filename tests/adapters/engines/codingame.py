"""A bot of CodinGame's Lines of Action: plays the first move of the list, or what its arguments say, one for each turn."""

import sys


def lines():
    while True:
        line = sys.stdin.readline()
        if not line:
            sys.exit()
        yield line.rstrip("\n")


read = lines().__next__
script = sys.argv[1:]
colour = read()
assert colour in ("b", "w"), colour
while True:
    board = [read() for _ in range(8)]
    last = read()
    moves = [read() for _ in range(int(read()))]
    assert all(set(row) <= set("bw.") and len(row) == 8 for row in board), board
    assert moves == sorted(moves) and moves, moves
    said = script.pop(0) if script else moves[0] + " after " + last
    if said == "exit":
        sys.exit()
    print(said.replace("MOVE", moves[0]).replace("/", "\n"), flush=True)
