"""A GTP engine that places stones where it has seen none, at random but the same each time. With the
word `hex` its columns have an I."""

import random
import sys

random = random.Random("1")
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ" if sys.argv[1:] != ["hex"] else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
free = []
for line in sys.stdin:
    command, *words = line.split()
    answer = ""
    if command == "boardsize":
        size = int(words[0])
    elif command == "clear_board":
        free = [column + str(row + 1) for column in COLUMNS[:size] for row in range(size)]
    elif command == "known_command":
        answer = "true"
    elif command == "play" and words[1] == "swap":
        # The first stone, which is its own, becomes the opponent's on the mirrored square.
        free.append(answered)
        free.remove(COLUMNS[int(answered[1:]) - 1] + str(COLUMNS.index(answered[0]) + 1))
    elif command == "play" and words[1] != "pass":
        if words[1] not in free:
            print("? illegal move\n", flush=True)
            continue
        free.remove(words[1])
    elif command == "genmove":
        answer = answered = random.choice(free)
        free.remove(answer)
    print(f"= {answer}\n", flush=True)
    if command == "quit":
        break
