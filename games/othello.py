"""Othello: a side puts a piece on a square from which a straight line of the other side's pieces, in any of the eight
directions, ends at a piece of its own. The pieces on all such lines change sides. A side without such a square passes;
when neither side has one, more pieces win."""

title = "Othello"
sides = "BW"
size = option("size", 8, range(4, 17, 2), "rows and columns of the board")

DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def start():
    board = [["."] * size for row in range(size)]
    half = size // 2
    board[half - 1][half - 1] = board[half][half] = "W"
    board[half - 1][half] = board[half][half - 1] = "B"
    return board, "B"


def moves(board, side):
    return list(places(board, side)) or ["pass"]


def play(board, side, move):
    if move != "pass":
        row, column = move
        for r, c in trapped(board, side, row, column):
            board[r][c] = side
        board[row][column] = side
    return board, other(side)


def ending(board, side):
    if any(places(board, side)) or any(places(board, other(side))):
        return None
    black, white = (sum(row.count(letter) for row in board) for letter in sides)
    if black == white:
        return None, "equal-pieces"
    return "B" if black > white else "W", "most-pieces"


def why(board, side, move):
    if move == "pass":
        return "only a side that has no square to play may pass"
    if isinstance(move, tuple) and isinstance(move[0], int):
        row, column = move
        return "the square is taken" if board[row][column] != "." else "no piece of the other side is trapped there"
    return "a move is one square, such as d3"


def other(side):
    return "W" if side == "B" else "B"


def places(board, side):
    """The squares where the side may put a piece."""
    for row in range(size):
        for column in range(size):
            if board[row][column] == "." and trapped(board, side, row, column):
                yield row, column


def trapped(board, side, row, column):
    """The squares of the other side's pieces that change sides when the side puts a piece on this square."""
    found = []
    for down, right in DIRECTIONS:
        line = []
        r, c = row + down, column + right
        while 0 <= r < size and 0 <= c < size and board[r][c] == other(side):
            line.append((r, c))
            r, c = r + down, c + right
        if 0 <= r < size and 0 <= c < size and board[r][c] == side:
            found += line
    return found
