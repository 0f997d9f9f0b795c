"""A bot of CodinGame that plays random moves; its word is the number of rows of the board."""

import random
import sys

random = random.Random("1")
rows = int(sys.argv[1])
assert input() in ("b", "w")
while True:
    board = [input() for _ in range(rows)]
    assert all(set(row) <= set(".bw") for row in board), board
    last = input()
    moves = [input() for _ in range(int(input()))]
    assert moves and moves == sorted(moves), moves
    print(random.choice([*moves, "random"]), "one of", len(moves), flush=True)
