"""Ataxx: a side puts a new piece beside one of its own, in any of the eight directions, or lets a piece jump to an empty
square two steps away. Then all pieces of the other side around that square change sides. A side that can do neither passes.
The game is over when a side has no piece or neither can move; more pieces win."""

title = "Ataxx"
sides = "XO"
size = option("size", 7, range(5, 13), "rows and columns of the board")
blocks = option("blocks", "none", ["none", "four"], "blocked squares: none, or four around the centre")
row_names = [str(size - row) for row in range(size)]  # a1 is at the lower left


def start():
    board = [["."] * size for row in range(size)]
    board[0][0] = board[-1][-1] = "X"
    board[0][-1] = board[-1][0] = "O"
    if blocks == "four":
        low, high = (size - 1) // 2 - 1, size // 2 + 1
        board[low][low] = board[low][high] = board[high][low] = board[high][high] = "#"
    return board, "X"


def moves(board, side):
    """New pieces are one square, jumps are two."""
    own = [square for square in around((size // 2, size // 2), size) if at(board, square) == side]
    new = {square for piece in own for square in around(piece, 1) if at(board, square) == "."}
    jumps = [(piece, square) for piece in own for square in around(piece, 2) if at(board, square) == "."]
    return [*new, *(jump for jump in jumps if distance(*jump) == 2)] or ["pass"]


def play(board, side, move):
    if move != "pass":
        if isinstance(move[0], tuple):
            (row, column), move = move
            board[row][column] = "."
        for row, column in around(move, 1):
            if board[row][column] == other(side):
                board[row][column] = side
        board[move[0]][move[1]] = side
    return board, other(side)


def ending(board, side):
    x, o = (sum(row.count(letter) for row in board) for letter in sides)
    if not x or not o:
        return ("X" if x else "O" if o else None), "no-pieces"
    if moves(board, side) != ["pass"] or moves(board, other(side)) != ["pass"]:
        return None
    return (None, "equal-pieces") if x == o else ("X" if x > o else "O", "most-pieces")


def other(side):
    return "O" if side == "X" else "X"


def at(board, square):
    return board[square[0]][square[1]]


def around(square, steps):
    """The squares of the board up to so many steps away, the square itself included."""
    rows, columns = (range(max(0, middle - steps), min(size, middle + steps + 1)) for middle in square)
    return [(row, column) for row in rows for column in columns]


def distance(one, two):
    return max(abs(one[0] - two[0]), abs(one[1] - two[1]))
