"""Hex: the sides put stones by turns on the cells of a rhombus, each of which has six neighbours: in its row, in its
column, and at the upper right and the lower left. X wins with a chain of stones from the top row to the bottom row, O
with one from the left column to the right column. There are no draws. Instead of its first stone O may answer "swap".
"""

title = "Hex"
sides = "XO"
size = option("size", 11, range(2, 20), "rows and columns of the board")
swap = option("swap", "on", ["on", "off"], "whether the second side may take over the first stone")

NEIGHBOURS = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1)]


def start():
    return ["." * size] * size, "X"


def moves(board, side):
    found = [(row, column) for row in range(size) for column in range(size) if board[row][column] == "."]
    return found + ["swap"] if may_swap(board, side) else found


def may_swap(board, side):
    return swap == "on" and side == "O" and len(stones(board)) == 1


def play(board, side, move):
    if move == "swap":
        # The stone becomes O's, on the cell that means to O what its cell meant to X: it is mirrored at the long diagonal,
        # which goes from the upper left corner to the lower right one. So a stone of X on b1 becomes one of O on a2.
        [(row, column)] = stones(board)
        board[row][column] = "."
        row, column = column, row
    else:
        row, column = move
    board[row][column] = side
    return board, "O" if side == "X" else "X"


def ending(board, side):
    across = [list(column) for column in zip(*board)]  # mirrored: what O joins is at the top and at the bottom
    if joins_top_and_bottom(board, "X"):
        return "X", "connected"
    return ("O", "connected") if joins_top_and_bottom(across, "O") else None


def squares(board, side, move):
    """Where a click means "swap": on the stone."""
    return stones(board)


def stones(board):
    return [(row, column) for row in range(size) for column in range(size) if board[row][column] != "."]


def joins_top_and_bottom(board, side):
    waiting = [(0, column) for column in range(size) if board[0][column] == side]
    reached = set(waiting)
    while waiting:
        row, column = waiting.pop()
        if row == size - 1:
            return True
        for down, right in NEIGHBOURS:
            r, c = row + down, column + right
            if 0 <= r < size and 0 <= c < size and board[r][c] == side and (r, c) not in reached:
                reached.add((r, c))
                waiting.append((r, c))
    return False
