"""A bot that reads input.txt, writes a move on an empty square to output.txt, and ends. Its word is
the number of the lowest row."""

import sys

lowest = int(sys.argv[1])
with open("input.txt") as file:
    side, seconds, *board = file.read().splitlines()
free = [
    "abcdefghijklmnopqrstuvwxyz"[column] + str(lowest + row)
    for row, line in enumerate(board)
    for column, letter in enumerate(line)
    if letter == "."
]
print("one of", len(free))
with open("output.txt", "w") as file:
    file.write(free[len(free) * 7 // 11] + "\n")
