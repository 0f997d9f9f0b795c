# Line 'em Up: takes a square that wins, else one that keeps the opponent from winning, else the first.
import sys

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def wins(board, s, row, column, letter):
    n = len(board)
    for dy, dx in DIRECTIONS:
        count = 1
        for sign in (1, -1):
            y, x = row + sign * dy, column + sign * dx
            while 0 <= y < n and 0 <= x < n and board[y][x] == letter:
                count += 1
                y, x = y + sign * dy, x + sign * dx
        if count >= s:
            return True
    return False


def is_free(board, row, column):
    return board[row][column] == "."


def choose(board, s, me, other):
    n = len(board)
    free = [(y, x) for y in range(n) for x in range(n) if is_free(board, y, x)]
    for letter in (me, other):
        for y, x in free:
            if wins(board, s, y, x, letter):
                return y, x
    return free[0]


def main():
    n = s = 0
    me = other = ""
    board = []
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "option" and rest[0] == "s":
            s = int(rest[1])
        elif word == "size":
            n = int(rest[0])
        elif word == "you":
            me = rest[0]
        elif word == "opponent":
            other = rest[0]
        elif word == "start":
            print("ready", flush=True)
        elif word == "board":
            board = [list(sys.stdin.readline().strip()) for _ in range(n)]
        elif word == "go":
            row, column = choose(board, s, me, other)
            print(f"move {chr(ord('a') + column)}{row}", flush=True)
        elif word == "quit":
            return


main()
