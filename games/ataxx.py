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
    near = set(steps(board, side, 1))
    jumps = set(steps(board, side, 2)) - near
    return [*{to for _, to in near}, *jumps] or ["pass"]


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
    if any(steps(board, side, 2)) or any(steps(board, other(side), 2)):
        return None
    return (None, "equal-pieces") if x == o else ("X" if x > o else "O", "most-pieces")


def other(side):
    return "O" if side == "X" else "X"


def steps(board, side, most):
    """From each piece of the side to each empty square at most so many steps away."""
    for row in range(size):
        for column in range(size):
            if board[row][column] == side:
                yield from (((row, column), (r, c)) for r, c in around((row, column), most) if board[r][c] == ".")


def around(square, steps):
    """The squares of the board up to so many steps away, the square itself included."""
    rows, columns = (range(max(0, middle - steps), min(size, middle + steps + 1)) for middle in square)
    return [(row, column) for row in rows for column in columns]
