"""Plays Lines of Action for b or r: reads the board, eight lines of eight words, and prints a move."""

import sys

own = sys.argv[1]
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


def line_length(board, y, x, dy, dx):
    """How many pieces stand on the whole line through a square."""
    count = 1
    for sign in (1, -1):
        cy, cx = y + sign * dy, x + sign * dx
        while 0 <= cy < 8 and 0 <= cx < 8:
            count += board[cy][cx] != "e"
            cy, cx = cy + sign * dy, cx + sign * dx
    return count


def moves(board):
    for y in range(8):
        for x in range(8):
            if board[y][x] != own:
                continue
            for dy, dx in WAYS:
                steps = line_length(board, y, x, dy, dx)
                for sign in (1, -1):
                    ty, tx = y + sign * steps * dy, x + sign * steps * dx
                    if not (0 <= ty < 8 and 0 <= tx < 8) or board[ty][tx] == own:
                        continue
                    between = [board[y + sign * i * dy][x + sign * i * dx] for i in range(1, steps)]
                    if all(cell in ("e", own) for cell in between):
                        yield x, y, tx, ty


def spread(board, move):
    """How far the pieces stand from their middle after a move."""
    x, y, tx, ty = move
    squares = [(i, j) for i in range(8) for j in range(8) if board[i][j] == own and (i, j) != (y, x)]
    squares.append((ty, tx))
    middle = [sum(square[axis] for square in squares) / len(squares) for axis in (0, 1)]
    return sum(max(abs(square[axis] - middle[axis]) for axis in (0, 1)) for square in squares)


while True:
    rows = [sys.stdin.readline().split() for _ in range(8)]
    if not rows[7]:
        break
    print("move:", *min(moves(rows), key=lambda move: spread(rows, move)), flush=True)
