"""A game whose rules have one fault: what the option `what` names, in the function that `where` names.

The sides take the squares of a board of three rows and columns by turns; a full board is a draw. The rules are healthy
while less than two squares are taken, but for `start` and `file`, which is the file itself as it is executed. README.md
has a table of the faults. "For ever" is ten minutes, so that a test that fails leaves nothing behind for good."""

import os
import random
import signal
import sys
import time

FUNCTIONS = ["start", "moves", "play", "ending", "identity", "why", "squares"]
BEHAVIOURS = {}
FOR_EVER = 600  # seconds


def behaviour(function):
    """Enters a function in the table. It gets the healthy value, and returns what is returned in its place."""
    BEHAVIOURS[function.__name__.replace("_", "-")] = function
    return function


@behaviour
def nothing(value):
    return value


# What happens while the function runs.


@behaviour
def raises(value):
    return [][3]


@behaviour
def recurses(value):
    return recurses(value)


@behaviour
def leaves(value):
    sys.exit(3)


@behaviour
def exits(value):
    os._exit(3)


@behaviour
def is_killed(value):
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(FOR_EVER)


@behaviour
def hangs(value):
    end = time.monotonic() + FOR_EVER
    while time.monotonic() < end:
        pass
    return value


@behaviour
def sleeps(value):
    time.sleep(FOR_EVER)
    return value


@behaviour
def grows(value):
    """1,536 MiB, then for ever."""
    kept = [bytes(os.urandom(1)) * (1 << 20) for _ in range(1536)]
    time.sleep(FOR_EVER)
    return value if kept else None


@behaviour
def floods(value):
    """256 MiB on standard error."""
    for _ in range(1 << 12):
        os.write(2, b"%s\n" % (b"x" * 65535))
    return value


@behaviour
def prints(value):
    print("prints:", value)
    sys.stdout.write("prints on sys.stdout\n")
    sys.stdout.flush()
    sys.__stdout__.write("prints on sys.__stdout__\n")
    sys.__stdout__.flush()
    os.write(1, b"prints on descriptor 1\n")
    return value


@behaviour
def reads(value):
    """Standard input is empty."""
    return value if sys.stdin.read() == "" and os.read(0, 1) == b"" else None


@behaviour
def scribbles(value):
    """Garbage on every descriptor that there is: also on the one for answers, wherever it is."""
    for descriptor in range(1, 64):
        try:
            os.write(descriptor, b"garbage\n")
        except OSError:
            pass
    return value


@behaviour
def closes(value):
    """Every descriptor is closed: no answer can be written any more."""
    os.closerange(0, 64)
    return value


# Another answer the second time.

calls = 0


@behaviour
def counts(value):
    """Every second call has another value."""
    global calls
    calls += 1
    return another(value) if calls % 2 else value


@behaviour
def gambles(value):
    """The value depends on chance."""
    return random.choice([value, another(value)])


@behaviour
def is_unordered(value):
    """Harmless: the moves come in an order that is another one in each process."""
    return sorted(value, key=lambda move: hash(str(move)))


def another(value):
    """Another healthy value of the same function."""
    if where == "moves":
        return value[1:]
    if where == "play":
        return value[0], "X" if value[1] == "O" else "O"
    if where == "ending":
        return "X", "luck"
    return f"{value}, again"


# Values that are wrong whatever they stand for.


@behaviour
def none(value):
    return None


@behaviour
def number(value):
    return 7


@behaviour
def text(value):
    return "X"


@behaviour
def nested(value):
    """A list that contains itself."""
    value = []
    value.append(value)
    return value


# Wrong positions, for `start` and `play`.


@behaviour
def no_rows(value):
    return [], value[1]


@behaviour
def a_row_more(value):
    return value[0] + [["."] * 3], value[1]


@behaviour
def a_square_less(value):
    return [*value[0][:2], value[0][2][:2]], value[1]


@behaviour
def row_of_none(value):
    return [*value[0][:2], None], value[1]


@behaviour
def square_of_none(value):
    return [*value[0][:2], [None, ".", "."]], value[1]


@behaviour
def letters(value):
    return [*value[0][:2], [".", "XO", "."]], value[1]


@behaviour
def strange_letter(value):
    return [*value[0][:2], "..Z"], value[1]


@behaviour
def strange_side(value):
    return value[0], "Z"


@behaviour
def no_side(value):
    return value[0]


@behaviour
def rest_more(value):
    return (*value, 1)


# Wrong moves.


@behaviour
def twice(value):
    return [*value, value[0]]


@behaviour
def empty(value):
    return []


@behaviour
def many(value):
    return (f"w{number}" for number in range(10**9))


@behaviour
def off_the_board(value):
    return [*value, (3, 0)]


@behaviour
def negative(value):
    return [*value, (-1, 0)]


@behaviour
def fraction(value):
    return [*value, (1.0, 2)]


@behaviour
def three_numbers(value):
    return [*value, (0, 1, 2)]


@behaviour
def no_word(value):
    return [*value, "a b"]


@behaviour
def long_word(value):
    return [*value, "w" * 32]


@behaviour
def word_of_arbiter(value):
    return [*value, "resign"]


@behaviour
def capitals(value):
    return [*value, "A1"]


@behaviour
def result(value):
    return [*value, "1-0"]


@behaviour
def move_number(value):
    return [*value, "12.a1"]


@behaviour
def full_stop(value):
    return [*value, "a1."]


@behaviour
def breaks_off(value):
    """A generator that fails behind its first move."""
    yield value[0]
    yield value[99]


# Wrong endings.


@behaviour
def winner_alone(value):
    return ("X",)


@behaviour
def strange_winner(value):
    return "Z", "line"


@behaviour
def margin_of_a_draw(value):
    return None, "line", 3


@behaviour
def strange_margin(value):
    return "X", "line", -1


@behaviour
def no_reason(value):
    return "X", "three in a row"


@behaviour
def reason_of_the_referee(value):
    return "X", "timeout"


title = "A game with a fault"
sides = "XO"
what = option("what", "nothing", list(BEHAVIOURS), "the fault")
where = option("where", "play", [*FUNCTIONS, "file"], "the function that has it")


def at_fault(function, board, value):
    is_early = function not in ("start", "file") and sum(row.count(".") for row in board) > 7
    return value if function != where or is_early else BEHAVIOURS[what](value)


def start():
    return at_fault("start", None, ([["."] * 3 for row in range(3)], "X"))


def moves(board, side):
    found = [(row, column) for row in range(3) for column in range(3) if board[row][column] == "."]
    if where == "squares":
        found = [f"take-{row}-{column}" for row, column in found]
    return at_fault("moves", board, found)


def play(board, side, move):
    row, column = map(int, move.split("-")[1:]) if isinstance(move, str) else move
    board[row][column] = side
    return at_fault("play", board, (board, "O" if side == "X" else "X"))


def ending(board, side):
    return at_fault("ending", board, None if any("." in row for row in board) else (None, "full-board"))


def identity(board, side):
    return at_fault("identity", board, "/".join("".join(row) for row in board) + side)


def why(board, side, move):
    return at_fault("why", board, f"{move} is taken")


def squares(board, side, move):
    return at_fault("squares", board, [tuple(map(int, move.split("-")[1:]))])


at_fault("file", None, None)
