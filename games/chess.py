"""Chess, by the rules of FIDE. A move is from and to; a king that castles moves two squares; a pawn that is promoted
has the letter of the new piece behind the squares, as in e7e8q. The sides are K, which is White, and k. Draws are
stalemate, fifty moves of each side without a pawn's move or a capture, and positions in which no side has more than a
king and one knight or bishop."""

title = "Chess"
sides = "Kk"
black = "k"
pieces = {"K": "KQRBNP", "k": "kqrbnp"}
row_names = [str(8 - row) for row in range(8)]

KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
RIDERS = {"r": STRAIGHT, "b": DIAGONAL, "q": STRAIGHT + DIAGONAL}
# The rights to castle: the king's and the rook's square of each.
RIGHTS = {"K": ((7, 4), (7, 7)), "Q": ((7, 4), (7, 0)), "k": ((0, 4), (0, 7)), "q": ((0, 4), (0, 0))}


def start():
    """Board and side, then as in FEN: rights to castle, square behind a pawn that moved two, plies without progress."""
    back = "rnbqkbnr"
    return [back, "p" * 8, *["." * 8] * 4, "P" * 8, back.upper()], "K", "KQkq", "-", 0


def moves(board, side, rights, passed, quiet):
    found = []
    for move in candidates(board, side, rights, passed):
        after = [row[:] for row in board]
        put(after, side, move, passed)
        if not is_attacked(after, king(after, side), other(side)):
            found.append(move)
    return found


def play(board, side, rights, passed, quiet, move):
    (row, column), (to_row, to_column) = squares(board, side, rights, passed, quiet, move)
    is_pawn = board[row][column] in "Pp"
    is_quiet = not is_pawn and board[to_row][to_column] == "."
    put(board, side, move, passed)
    touched = {(row, column), (to_row, to_column)}
    rights = "".join(right for right in rights if right in RIGHTS and not touched & set(RIGHTS[right])) or "-"
    passed = "-"
    if is_pawn and abs(to_row - row) == 2:
        pawn = "p" if side == "K" else "P"
        beside = [board[to_row][c] for c in (column - 1, column + 1) if 0 <= c < 8]
        if pawn in beside:
            passed = "abcdefgh"[column] + row_names[(row + to_row) // 2]
    return board, other(side), rights, passed, quiet + 1 if is_quiet else 0


def ending(board, side, rights, passed, quiet):
    if not moves(board, side, rights, passed, quiet):
        if is_attacked(board, king(board, side), other(side)):
            return other(side), "checkmate"
        return None, "no-moves"
    if quiet >= 100:
        return None, "fifty-moves"
    left = sorted(letter.lower() for row in board for letter in row if letter not in ".Kk")
    if left in ([], ["b"], ["n"]):
        return None, "no-material"
    return None


def identity(board, side, rights, passed, quiet):
    return ["".join("".join(row) for row in board), side, rights, passed]


def why(board, side, rights, passed, quiet, move):
    if isinstance(move, tuple) and len(move) == 2 and isinstance(move[0], tuple):
        row, column = move[0]
        if owner(board[row][column]) != side:
            return "no piece of yours stands on the first square"
        if any(move == squares(board, side, rights, passed, quiet, legal) and isinstance(legal, str)
               for legal in moves(board, side, rights, passed, quiet)):
            return "the letter of the new piece is missing, as in e7e8q"
        if move in candidates(board, side, rights, passed):
            return "the king would be in check"
        return "the piece does not move so"
    return "a move is two squares, such as e2e4, with the letter of the new piece behind it if a pawn is promoted"


def squares(board, side, rights, passed, quiet, move):
    return (square(move[:2]), square(move[2:4])) if isinstance(move, str) else move


def square(name):
    return row_names.index(name[1]), "abcdefgh".index(name[0])


def name(row, column):
    return "abcdefgh"[column] + row_names[row]


def other(side):
    return "k" if side == "K" else "K"


def owner(letter):
    return None if letter == "." else "K" if letter.isupper() else "k"


def king(board, side):
    return next((row, board[row].index(side)) for row in range(8) if side in board[row])


def candidates(board, side, rights, passed):
    """All moves, also those that leave the king in check."""
    for row in range(8):
        for column in range(8):
            letter = board[row][column]
            if owner(letter) != side:
                continue
            kind = letter.lower()
            if kind == "p":
                yield from of_pawn(board, side, passed, row, column)
            elif kind in RIDERS:
                for down, right in RIDERS[kind]:
                    r, c = row + down, column + right
                    while 0 <= r < 8 and 0 <= c < 8 and owner(board[r][c]) != side:
                        yield (row, column), (r, c)
                        if board[r][c] != ".":
                            break
                        r, c = r + down, c + right
            else:
                for down, right in KNIGHT if kind == "n" else STRAIGHT + DIAGONAL:
                    r, c = row + down, column + right
                    if 0 <= r < 8 and 0 <= c < 8 and owner(board[r][c]) != side:
                        yield (row, column), (r, c)
    for right in rights:
        if right != "-" and right.isupper() == (side == "K"):
            (row, column), (_, rook) = RIGHTS[right]
            step = 1 if rook > column else -1
            between = [board[row][c] for c in range(column + step, rook, step)]
            way = [(row, column), (row, column + step)]
            if set(between) == {"."} and not any(is_attacked(board, square, other(side)) for square in way):
                yield (row, column), (row, column + 2 * step)


def of_pawn(board, side, passed, row, column):
    up = -1 if side == "K" else 1
    places = []
    if board[row + up][column] == ".":
        places.append((row + up, column))
        if row == (6 if side == "K" else 1) and board[row + 2 * up][column] == ".":
            places.append((row + 2 * up, column))
    for c in (column - 1, column + 1):
        if 0 <= c < 8:
            taken = board[row + up][c]
            if owner(taken) == other(side) or taken == "." and name(row + up, c) == passed:
                places.append((row + up, c))
    for r, c in places:
        if r in (0, 7):
            yield from (name(row, column) + name(r, c) + new for new in "qrbn")
        else:
            yield (row, column), (r, c)


def put(board, side, move, passed):
    """Plays a move on the board."""
    promoted = move[4] if isinstance(move, str) else None
    (row, column), (r, c) = squares(board, side, None, passed, 0, move)
    letter = board[row][column]
    board[row][column] = "."
    if letter in "Pp" and c != column and board[r][c] == ".":
        board[row][c] = "."  # a pawn that has just passed
    if letter in "Kk" and abs(c - column) == 2:
        rook = 7 if c > column else 0
        board[r][(c + column) // 2] = board[r][rook]
        board[r][rook] = "."
    if promoted:
        letter = promoted.upper() if side == "K" else promoted
    board[r][c] = letter


def is_attacked(board, square, by):
    row, column = square

    def at(down, right):
        r, c = row + down, column + right
        return board[r][c] if 0 <= r < 8 and 0 <= c < 8 else "#"

    def is_of(letter, kinds):
        return letter != "#" and owner(letter) == by and letter.lower() in kinds

    down = 1 if by == "K" else -1
    if any(is_of(at(down, right), "p") for right in (-1, 1)):
        return True
    if any(is_of(at(*step), "n") for step in KNIGHT) or any(is_of(at(*step), "k") for step in STRAIGHT + DIAGONAL):
        return True
    for kinds, steps in (("rq", STRAIGHT), ("bq", DIAGONAL)):
        for down, right in steps:
            distance = 1
            while at(down * distance, right * distance) == ".":
                distance += 1
            if is_of(at(down * distance, right * distance), kinds):
                return True
    return False
