"""Line 'em Up in numbers: two lines that do not matter, then size, length and who begins, then a column and a row a line."""

import sys

sys.stdin.readline()
sys.stdin.readline()
n, s, begins = map(int, sys.stdin.readline().split())
taken = set()


def play():
    """Takes the first free square of the row with the most room."""
    room = {y: sum((x, y) not in taken for x in range(n)) for y in range(n)}
    y = max(room, key=room.get)
    x = next((x for x in range(n) if (x, y) not in taken), None)
    if x is not None:
        taken.add((x, y))
        print(x + 1, y + 1, flush=True)


if begins == 1:
    play()
for line in sys.stdin:
    x, y = map(int, line.split())
    taken.add((x - 1, y - 1))
    play()
