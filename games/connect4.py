"""Connect Four: two sides drop pieces by turns into the columns of an upright board. A piece falls to the lowest empty square
of its column. Four of one side in a row, column or diagonal win; a full board is a draw."""

title = "Connect Four"
sides = "XO"  # the letter of the side that begins, then the other
rows = option("rows", 6, range(4, 13), "rows of the board")
columns = option("columns", 7, range(4, 13), "columns of the board")
length = option("length", 4, range(3, 6), "pieces in a line that win")


def start():
    return [["."] * columns for row in range(rows)], "X"


def moves(board, side):
    return [str(column + 1) for column in range(columns) if board[0][column] == "."]


def play(board, side, move):
    column = int(move) - 1
    row = max(row for row in range(rows) if board[row][column] == ".")
    board[row][column] = side
    return board, "O" if side == "X" else "X"


def ending(board, side):
    for row in range(rows):
        for column in range(columns):
            for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                if board[row][column] != "." and has_line(board, row, column, down, right):
                    return board[row][column], "line"
    return None if "." in board[0] else (None, "full-board")


def has_line(board, row, column, down, right):
    cells = [(row + step * down, column + step * right) for step in range(length)]
    return all(r < rows and 0 <= c < columns and board[r][c] == board[row][column] for r, c in cells)
