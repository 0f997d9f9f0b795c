"""Connect6: B puts one stone on the board, then the sides put two stones each by turns. Six or more stones of one side in a
row, column or diagonal win, also with the first stone of a turn. A full board is a draw.

A turn is two moves of the same side. As one move it would be a pair of 361 points: far more than the 2,000 moves that a
position may have."""

title = "Connect6"
sides = "BW"
size = option("size", 19, range(6, 20), "rows and columns of the board")


def start():
    return ["." * size] * size, "B"


def moves(board, side):
    return [(row, column) for row in range(size) for column in range(size) if board[row][column] == "."]


def play(board, side, move):
    row, column = move
    board[row][column] = side
    stones = size * size - sum(line.count(".") for line in board)
    if stones % 2 == 0:  # 1, 3, 5, … stones are whole turns
        return board, side
    return board, "W" if side == "B" else "B"


def ending(board, side):
    rising = [["/"] * row + line + ["/"] * (size - row) for row, line in enumerate(board)]
    falling = [["/"] * (size - row) + line + ["/"] * row for row, line in enumerate(board)]
    lines = [*board, *zip(*board), *zip(*rising), *zip(*falling)]
    text = "/".join("".join(line) for line in lines)
    for side in sides:
        if side * 6 in text:
            return side, "line"
    return None if "." in text else (None, "full-board")
