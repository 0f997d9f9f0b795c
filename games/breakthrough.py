"""Breakthrough: a piece goes one square forward, straight or diagonally, to an empty square; diagonally it may also
take a piece of the other side. White begins and plays upwards. A side wins with a piece on the last row, or when it has
taken all pieces of the other side."""

title = "Breakthrough"
sides = "WB"
rows = option("rows", 8, range(3, 17), "rows of the board; below five each side has one row of pieces")
columns = option("columns", 8, range(2, 17), "columns of the board")
row_names = [str(rows - row) for row in range(rows)]  # as in chess: a1 is at the lower left

DEEP = 2 if rows >= 5 else 1  # rows of pieces


def start():
    empty = rows - 2 * DEEP
    return ["B" * columns] * DEEP + ["." * columns] * empty + ["W" * columns] * DEEP, "W"


def moves(board, side):
    found = []
    forward = -1 if side == "W" else 1
    for row in range(rows):
        for column in range(columns):
            if board[row][column] == side:
                for right in (-1, 0, 1):
                    if may_enter(board, side, row + forward, column + right, right != 0):
                        found.append(((row, column), (row + forward, column + right)))
    return found


def may_enter(board, side, row, column, may_take):
    if not (0 <= row < rows and 0 <= column < columns):
        return False
    return board[row][column] == "." or (may_take and board[row][column] != side)


def play(board, side, move):
    (from_row, from_column), (to_row, to_column) = move
    board[from_row][from_column] = "."
    board[to_row][to_column] = side
    return board, "B" if side == "W" else "W"


def ending(board, side):
    if "W" in board[0]:
        return "W", "last-row"
    if "B" in board[-1]:
        return "B", "last-row"
    for winner, loser in ("WB", "BW"):
        if not any(loser in row for row in board):
            return winner, "took-all"
    return None  # a side with a piece has a move: the foremost piece has a free or a taken square diagonally before it
