"""Go: the sides place stones, which stay where they are. Stones without an empty point beside their group are taken.
After two passes in a row the side with the larger area wins: its stones, and the empty points that only they surround.
Nothing is taken off first, so stones that are dead have to be taken. A stone that would have no empty point beside its
group, and the point of a simple ko, are not allowed. komi is added to White's area."""

title = "Go"
sides = "BW"
size = option("size", 9, range(5, 20), "rows and columns of the board")
komi = option("komi", "7.5", [0, "0.5", "3.5", "5.5", "6.5", 7, "7.5"], "points for White, who moves second")

POINTS = [(row, column) for row in range(size) for column in range(size)]
BESIDE = {
    (row, column): [(r, c) for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
                    if 0 <= r < size and 0 <= c < size]
    for row, column in POINTS
}


def start():
    """Board and side, then the point that a simple ko forbids, as a number from 1, and the passes in a row."""
    return [["."] * size for row in range(size)], "B", 0, 0


def moves(board, side, ko, passes):
    liberties = {}  # of the stones that were looked at; 2 or more are as good as 2
    found = ["pass"]
    for number, point in enumerate(POINTS, 1):
        if board[point[0]][point[1]] == "." and number != ko and is_free(board, side, point, liberties):
            found.append(point)
    return found


def is_free(board, side, point, liberties):
    """Whether a stone there has an empty point beside its group, after it has taken what it takes."""
    for row, column in BESIDE[point]:
        if board[row][column] == ".":
            return True
    for stone in BESIDE[point]:
        if stone not in liberties:
            group, free = group_of(board, stone, enough=2)
            liberties.update(dict.fromkeys(group, len(free)))
        if (board[stone[0]][stone[1]] == side) == (liberties[stone] > 1):
            return True
    return False


def play(board, side, ko, passes, move):
    if move == "pass":
        return board, other(side), 0, passes + 1
    row, column = move
    board[row][column] = side
    taken = []
    for r, c in BESIDE[move]:
        if board[r][c] == other(side):
            group, free = group_of(board, (r, c))
            if not free:
                taken += group
                for stone_row, stone_column in group:
                    board[stone_row][stone_column] = "."
    ko = 0
    if len(taken) == 1:
        group, free = group_of(board, move)
        if len(group) == 1 and free == set(taken):
            ko = POINTS.index(taken[0]) + 1
    return board, other(side), ko, 0


def ending(board, side, ko, passes):
    if passes < 2:
        return None
    black, white = area(board)
    white += float(komi)
    if black == white:
        return None, "equal-areas"
    return "B" if black > white else "W", "larger-area", abs(black - white)


def identity(board, side, ko, passes):
    return ["".join("".join(row) for row in board), side, ko]


def why(board, side, ko, passes, move):
    if not isinstance(move, tuple) or not isinstance(move[0], int):
        return "a move is one point, such as d3, or pass"
    row, column = move
    if board[row][column] != ".":
        return "the point is taken"
    if POINTS.index(move) + 1 == ko:
        return "it would take back in a ko: play elsewhere first"
    return "the stone would have no empty point beside its group"


def other(side):
    return "W" if side == "B" else "B"


def group_of(board, point, enough=None):
    """The stones that are connected with the one on this point, and the empty points beside them; no more stones than
    are needed to find enough empty points."""
    letter = board[point[0]][point[1]]
    group, free, new = {point}, set(), [point]
    while new and (enough is None or len(free) < enough):
        for beside in BESIDE[new.pop()]:
            found = board[beside[0]][beside[1]]
            if found == ".":
                free.add(beside)
            elif found == letter and beside not in group:
                group.add(beside)
                new.append(beside)
    return group, free


def area(board):
    """The areas of Black and White."""
    areas = {letter: sum(row.count(letter) for row in board) for letter in sides}
    seen = set()
    for point in POINTS:
        if board[point[0]][point[1]] == "." and point not in seen:
            region, borders, new = {point}, set(), [point]
            while new:
                for beside in BESIDE[new.pop()]:
                    letter = board[beside[0]][beside[1]]
                    if letter != ".":
                        borders.add(letter)
                    elif beside not in region:
                        region.add(beside)
                        new.append(beside)
            seen |= region
            if len(borders) == 1:
                areas[borders.pop()] += len(region)
    return areas["B"], areas["W"]
