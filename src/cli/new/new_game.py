"""Three in a row: the sides place a piece in turn, and three of one side in a line win.

Change it into your own game; docs/reference/custom-games.md says what each function returns. `arbiter check --rules FILE` tries it out.
"""

title = "Three in a row"
sides = "XO"  # the letter of the side that begins, then the other
size = option("size", 3, range(3, 8), "rows and columns of the board")


def start():
    return [["."] * size for row in range(size)], "X"


def moves(board, side):
    squares = [(row, column) for row in range(size) for column in range(size)]
    return [(row, column) for row, column in squares if board[row][column] == "."]


def play(board, side, move):
    row, column = move
    board[row][column] = side
    return board, "O" if side == "X" else "X"


def ending(board, side):
    for row in range(size):
        for column in range(size):
            for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                if board[row][column] != "." and is_line(board, row, column, down, right):
                    return board[row][column], "line"
    return None if any("." in line for line in board) else (None, "full-board")


def is_line(board, row, column, down, right):
    cells = [(row + step * down, column + step * right) for step in range(3)]
    inside = all(0 <= r < size and 0 <= c < size for r, c in cells)
    return inside and len({board[r][c] for r, c in cells}) == 1


def why(board, side, move):
    if isinstance(move[0], int) and board[move[0]][move[1]] != ".":  # not several squares, and not a text
        return "there is a piece already"
