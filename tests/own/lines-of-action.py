"""Lines of Action as a custom game, with the rules of the built-in game `loa` (docs/reference/rules.md): a piece moves in a
straight line exactly as many squares as there are pieces on that line; who has all pieces in one group wins.

The tests compare it with the built-in game ply by ply. Position texts are equal but for one more field behind the side:
how many forced passes in a row led to the position, 0 to 2. Built-in positions do not tell it, and begin with 0."""

title = "Lines of Action"
sides = "BW"
simultaneous = option("simultaneous", "draw", ["draw", "mover"], "what a ply does that connects both sides")
stuck = option("stuck", "pass", ["pass", "loss"], "what a side without a move does: it passes, or it has lost")
row_names = [str(row) for row in range(8)]

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]  # and back


def start():
    return [".WWWWWW."] + ["B......B"] * 6 + [".WWWWWW."], "B", 0


def moves(board, side, passes):
    return steps(board, side) or ["pass"]


def play(board, side, passes, move):
    if move == "pass":
        return board, other(side), min(passes + 1, 2)
    (row, column), (to_row, to_column) = move
    board[row][column] = "."
    board[to_row][to_column] = side
    return board, other(side), 0


def ending(board, side, passes):
    mover = other(side)
    mine, theirs = connected(board, mover), connected(board, side)
    if mine and theirs:
        return mover if simultaneous == "mover" else None, "simultaneous"
    if mine or theirs:
        return (mover, "connected") if mine else (side, "suicide")
    if passes == 2:
        return None, "stalemate"
    if stuck == "loss" and not steps(board, side):
        return mover, "stuck"
    return None


def identity(board, side, passes):
    return board, side


def other(side):
    return "W" if side == "B" else "B"


def steps(board, side):
    found = []
    for row, column in pieces(board, side):
        for down, right in DIRECTIONS:
            ahead, behind = line(row, column, down, right), line(row, column, -down, -right)
            count = 1 + sum(board[r][c] != "." for r, c in ahead + behind)
            for way in (ahead, behind):
                if count <= len(way):
                    *between, (r, c) = way[:count]
                    if board[r][c] != side and all(board[i][j] != other(side) for i, j in between):
                        found.append(((row, column), (r, c)))
    return found


def line(row, column, down, right):
    """The squares from a square, without it, to the edge."""
    squares = [(row + step * down, column + step * right) for step in range(1, 8)]
    return [(r, c) for r, c in squares if 0 <= r < 8 and 0 <= c < 8]


def pieces(board, side):
    return [(row, column) for row in range(8) for column in range(8) if board[row][column] == side]


def connected(board, side):
    left = set(pieces(board, side))
    waiting = [left.pop()]
    while waiting:
        row, column = waiting.pop()
        near = {square for square in left if abs(square[0] - row) <= 1 and abs(square[1] - column) <= 1}
        left -= near
        waiting += near
    return not left
