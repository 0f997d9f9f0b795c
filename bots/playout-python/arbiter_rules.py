"""Loads the rules of a board game from one Python file, as arbiter does. Standard library only, Python 3.8 or newer.

In a bot, with a copy of the rules file and of this file beside it:

    import arbiter_rules

    rules = arbiter_rules.load("connect4.py", {"rows": 7})  # options that are not given have their defaults
    position = rules.start()                    # or rules.read(TEXT) of the line `position` of the protocol
    while rules.ending(position) is None:       # None, or (winner, reason); the winner of a draw is None
        move = rules.moves(position)[0]         # the legal moves as texts, sorted, as in the line `moves`
        position = rules.play(position, move)   # a new position; the old one stays as it is

A position has `text`, `side` (the letter of the side to move), `board` (a fresh list of rows, each a list of letters)
and `rest` (what else is remembered). It can be a key of a dictionary. What was computed for it is kept with it.
`rules` has `sides`, `pieces` (the letters of each side), `rows`, `columns`, `row_names`, `column_names`, `title`,
`options`, and `squares(position, move)`, the squares of a move as (row, column).

`Fault` is a mistake of the rules file, with its line. `ValueError` is a text that is no position, no legal move or no
option.

As a program, `python3 arbiter_rules.py FILE` answers arbiter's questions about the rules in FILE, a line for a line.
"""

from __future__ import annotations

import functools
import json
import os
import re
import sys
import types

EMPTY, BLOCK = ".", "#"
MOST_ROWS = 32
MOST_MOVES = 2000
MOST_SQUARES = 64  # of one move
LONGEST_MOVE = 31
LONGEST_POSITION = 4000  # a line of the protocol has at most 4,095 bytes
WORD = re.compile(r"[A-Za-z0-9]([A-Za-z0-9+\-*/=:.,]*[A-Za-z0-9+\-*/=:,])?")
MOVE_NUMBER = re.compile(r"[0-9]+\.")
RESERVED = set("resign moves board help quit undo note 1-0 0-1 1/2-1/2".split())
REASON = re.compile(r"[a-z][a-z0-9-]{0,30}")
REASONS_OF_THE_REFEREE = set(
    "timeout memory-limit process-limit output-limit crash protocol illegal-move no-start".split()
    + "repetition max-plies resign aborted broken rules rules-time".split()
)
NUMBER = re.compile(r"0|-?[1-9][0-9]*")
REST_WORD = re.compile(r"[!#-\[\]-~]+")  # printable ASCII but for space, quote and backslash
SQUARE_NAME = re.compile(r"[A-Za-z0-9]{1,3}")
KEY = re.compile(r"[a-z][a-z0-9_-]{0,30}")
OPTION_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,30}")


class Fault(Exception):
    """A mistake in a rules file: what is wrong, in which function (None: outside of all), in which file and line."""

    def __init__(self, what, function, file, line):
        place = file if line is None else f"{file}, line {line}"
        super().__init__(f"{place}{f', in {function}' if function else ''}: {what}")
        self.what, self.function, self.file, self.line = what, function, file, line


class PositionError(ValueError):
    """A text that is no position of the game."""


class OptionError(ValueError):
    """An option that the game does not have, or a value that the option does not take."""


class Mistake(Exception):
    """A sentence about a value of the author's, before it is known in which function and line."""


class Position:
    """A position of a game: nothing but its text, which is read."""

    __slots__ = ("text", "lines", "side", "rest", "_ending", "_moves")

    def __init__(self, text, lines, side, rest):
        self.text, self.lines, self.side, self.rest = text, lines, side, rest
        self._ending = self._moves = None

    @property
    def board(self):
        return [list(line) for line in self.lines]

    def __eq__(self, other):
        return isinstance(other, Position) and self.text == other.text

    def __hash__(self):
        return hash(self.text)

    def __repr__(self):
        return f"Position({self.text!r})"


def load(path, options=None) -> Rules:
    """The rules in the file at `path` with these options, a dictionary of key and value. Raises `Fault` for a mistake in
    the file, `ValueError` for a wrong option, `OSError` if the file cannot be read."""
    with open(path, "rb") as file:
        source = file.read()
    rules = Rules(path, source)
    if options:
        chosen = {str(key): str(value) for key, value in options.items()}
        for key, value in chosen.items():
            rules.check_option(key, value)
        rules = Rules(path, source, chosen)
    rules.start()
    return rules


class Rules:
    """The rules of one game with its options."""

    def __init__(self, path, source, chosen=None):
        self.path = os.fspath(path)
        self.file = os.path.basename(self.path)
        self.name = os.path.splitext(self.file)[0]
        self.specs = []  # key, default, values and about of each option, in the order of their calls
        self.options = {}
        self._source = source
        self._chosen = chosen or {}
        self._functions = {}
        self._square_names = {}
        self._squares = None  # by their names; None before the size of the board is known
        self._lines = {}  # the row of each text of a row that was read
        self._words = set()  # the moves that are words and were found right
        self._globals = self._execute()
        self._read_functions()
        self._read_sides()

    # The rules, as a bot asks for them. A position is a `Position` or a text.

    def start(self) -> Position:
        """The start position."""
        return self.read(self._ask("start", (), self._read_start))

    def moves(self, position) -> list:
        """The texts of the legal moves, sorted; none if the game is over."""
        return sorted(self.table(position))

    def play(self, position, move) -> Position:
        """The position after a legal move."""
        position = self._position(position)
        table = self.table(position)
        if move not in table:
            raise ValueError(f"`{move}` is no legal move in {position.text}")
        return self.read(self._ask("play", self._arguments(position, table[move]), self._read_next))

    def ending(self, position):
        """None, or the winner's letter (None for a draw) and the reason."""
        position = self._position(position)
        if position._ending is None:
            position._ending = (self._ask("ending", self._arguments(position), self._read_ending),)
        return position._ending[0]

    def squares(self, position, move) -> list:
        """The squares of a move, each as (row, column), as far as they are known."""
        form = self.table(position).get(move) or self._move_of(move)
        if not isinstance(form, str):
            return [form] if isinstance(form[0], int) else list(form)
        if "squares" not in self._functions:
            return []
        return self._ask("squares", self._arguments(position, form), self._read_squares)

    def read(self, text) -> Position:
        """The position of a text; raises `PositionError`."""
        if self._squares is None:
            self._ask("start", (), self._read_start)
        count = self._rest_count
        wanted = f"{2 + count} are needed (rows, " + ("the side to move" if count else "then the side to move")
        wanted += f", and {count} more)" if count else ")"
        if not text:
            raise PositionError(f"position: it is empty; {wanted}")
        if len(text) > LONGEST_POSITION:
            raise PositionError(f"position: {len(text)} bytes; it may have {LONGEST_POSITION}")
        lines, *fields = text.split(" ")
        if not lines or not all(fields):
            raise PositionError("position: stray space; its fields are separated by single spaces")
        if len(fields) != 1 + count:
            raise PositionError(f"position: {counted(1 + len(fields), 'field')} where {wanted}")
        side, *rest = fields
        lines = lines.split("/")
        if len(lines) != self.rows:
            raise PositionError(f"position: {counted(len(lines), 'row')} where {self.rows} are needed")
        lines = [self._lines.get(line) or self._read_line(row, line) for row, line in enumerate(lines)]
        if side not in self._sides:
            raise PositionError(f'position: unknown side to move "{side}"; it is {self.sides[0]} or {self.sides[1]}')
        for word in rest:
            if not REST_WORD.fullmatch(word):
                raise PositionError(f"position: {shown(word)} is no word of printable ASCII characters")
        return Position(text, lines, side, tuple(int(word) if NUMBER.fullmatch(word) else word for word in rest))

    # What else arbiter asks.

    def table(self, position) -> dict:
        """The legal moves: of each text the form in which the author's `moves` returned it."""
        position = self._position(position)
        if position._moves is None:
            over = self.ending(position) is not None
            position._moves = {} if over else self._ask("moves", self._arguments(position), self._read_moves)
        return position._moves

    def identity(self, position):
        """What must be equal for a repetition, as text; None if it is the whole position."""
        if "identity" not in self._functions:
            return None
        return self._ask("identity", self._arguments(position), self._read_identity)

    def why(self, position, move):
        """The author's sentence on an illegal move; None without one."""
        if "why" not in self._functions:
            return None
        form = self.table(position).get(move) or self._move_of(move)
        return self._ask("why", self._arguments(position, form), self._read_why)

    def check_option(self, key, value):
        """Raises `OptionError` if there is no such option or it does not take this value."""
        spec = next((spec for spec in self.specs if spec["key"] == key), None)
        if spec is None:
            known = ", ".join(spec["key"] for spec in self.specs)
            known = f"its options are: {known}" if known else "it has no options"
            raise OptionError(f"unknown option `{key}` of {self.name}; {known}")
        if value not in map(str, spec["values"]):
            wanted = f"it is {in_words(spec['values'])} (default {spec['default']})"
            raise OptionError(f"option `{key}` cannot be `{value}`: {wanted}")

    # The author's file.

    def _execute(self):
        """Executes it, and returns its global names."""
        module = types.ModuleType("own_game")
        sys.modules["own_game"] = module  # where dataclasses look
        names = vars(module)
        names.update(__file__=self.path, option=self._option, print=print_to_stderr)
        try:
            exec(compile(self._source, self.path, "exec", dont_inherit=True), names)
        except (KeyboardInterrupt, OptionError):
            raise
        except BaseException as error:
            raise self._fault(error, None) from None
        return names

    def _option(self, key=None, default=None, values=None, about="", *more):
        """`option` of the author's file."""
        if values is None or more:
            raise Mistake("option is called as option(key, default, values, about)")
        if self._functions:
            raise Mistake("option is called in a function; it is called when the file is read")
        if not isinstance(key, str) or not KEY.fullmatch(key):
            raise Mistake(f"{shown(key)} is no key of an option; it has small letters, digits, - and _, a letter first")
        if any(spec["key"] == key for spec in self.specs):
            raise Mistake(f"option `{key}` is asked for twice")
        if not isinstance(values, (list, tuple, range)) or not 0 < len(values) <= 1000:
            raise Mistake(f"option `{key}`: its values are a range or a list of up to 1,000 words, not {shown(values)}")
        for value in values:
            if type(value) is not int and not (isinstance(value, str) and OPTION_WORD.fullmatch(value)):
                raise Mistake(f"option `{key}`: {shown(value)} is neither a word nor a whole number")
        by_text = {str(value): value for value in values}
        if len(by_text) < len(values):
            raise Mistake(f"option `{key}`: a value is listed twice")
        if type(default) not in (int, str) or str(default) not in by_text:
            raise Mistake(f"option `{key}`: its default {shown(default)} is not among its values")
        if not is_line(about, least=0, most=300):
            raise Mistake(f"option `{key}`: what it is about is a line of at most 300 bytes, not {shown(about)}")
        self.specs.append({"key": key, "default": default, "values": list(values), "about": about})
        text = self._chosen.get(key, str(default))
        self.check_option(key, text)
        self.options[key] = by_text[text]
        return by_text[text]

    def _given(self, name, otherwise):
        """A global value of the file. A function of this name is something else of the author's."""
        value = self._globals.get(name, otherwise)
        return otherwise if callable(value) else value

    def _wrong(self, name, what):
        """The fault of a global name of the file."""
        return Fault(what, None, self.file, self._line_of(name) if name in self._globals else None)

    def _read_functions(self):
        for name in ("start", "moves", "play", "ending", "identity", "why", "squares"):
            function = self._globals.get(name)
            if callable(function):
                self._functions[name] = function
            elif name in ("start", "moves", "play", "ending"):
                raise self._wrong(name, f"there is no function {name}; there must be start, moves, play and ending")

    def _read_sides(self):
        self.title = self._given("title", self.name)
        if not is_line(self.title, least=1, most=100):
            raise self._wrong("title", f"title is {shown(self.title)}; it is a line of at most 100 bytes")
        self.adapter = self._given("adapter", None)
        if self.adapter is not None and not is_line(self.adapter, least=1, most=100):
            raise self._wrong("adapter", f"adapter is {shown(self.adapter)}; it is the name of a file")
        sides = self.sides = self._given("sides", None)
        if not is_letters(sides) or len(set(sides)) != 2 or len(sides) != 2:
            what = "sides is missing" if sides is None else f"sides is {shown(sides)}"
            raise self._wrong("sides", f'{what}; it has the letters of both sides, such as "XO"')
        self._sides = set(sides)
        self.black = self._given("black", None)
        if self.black is not None and self.black not in list(sides):
            rule = f"it is the side that is black elsewhere, {sides[0]!r} or {sides[1]!r}"
            raise self._wrong("black", f"black is {shown(self.black)}; {rule}")
        given = self._given("pieces", {})
        if not isinstance(given, dict) or not set(given) <= self._sides or not all(map(is_letters, given.values())):
            rule = f"it has the letters of each side's pieces, such as {{{sides[0]!r}: 'KQ', {sides[1]!r}: 'kq'}}"
            raise self._wrong("pieces", f"pieces is {shown(given)}; {rule}")
        self.pieces = {side: side + given.get(side, "").replace(side, "") for side in sides}
        letters = "".join(self.pieces.values())
        for letter in letters:
            if letters.count(letter) > 1:
                raise self._wrong("pieces", f'pieces: the letter "{letter}" is given to two pieces')
        self._letters = {EMPTY, BLOCK, *letters}

    def _read_names(self):
        """Reads the names of rows and columns, once the size of the board is known."""
        usual = {
            "row_names": [str(row + 1) for row in range(self.rows)],
            "column_names": [usual_column(column) for column in range(self.columns)],
        }
        for key, names in usual.items():
            given = self._given(key, names)
            if not isinstance(given, (list, tuple, str)) or len(given) != len(names):
                raise self._wrong(key, f"{key} is {shown(given)}; the board needs a list of {len(names)}")
            for name in given:
                if not isinstance(name, str) or not SQUARE_NAME.fullmatch(name):
                    raise self._wrong(key, f"{key}: {shown(name)} is no name of one to three letters and digits")
                if list(given).count(name) > 1:
                    raise self._wrong(key, f'{key}: "{name}" is given twice')
            setattr(self, key, list(given))
        self._names = [[column + row for column in self.column_names] for row in self.row_names]
        twice = two_readings([name for names in self._names for name in names])
        if twice:
            key = "column_names" if "column_names" in self._globals else "row_names"
            what = "{} can be read as the squares {} and as {}".format(*twice)
            raise self._wrong(key, f"{what}; change row_names or column_names")
        for row, names in enumerate(self._names):
            self._square_names.update({(row, column): name for column, name in enumerate(names)})
        self._squares = {name: square for square, name in self._square_names.items()}
        for word in sorted(RESERVED | {"pass"}):
            if self._move_of(word) != word:
                what = f"names of squares make the word {word}, which arbiter reads as something else"
                raise self._wrong("row_names", f"{what}; change row_names or column_names")

    # Its functions.

    def _position(self, position) -> Position:
        return position if isinstance(position, Position) else self.read(position)

    def _arguments(self, position, *move):
        """What an author's function is called with: a fresh board each time, which it may change."""
        position = self._position(position)
        return (position.board, position.side, *position.rest, *move)

    def _ask(self, function, arguments, read):
        """What `read` makes of the answer of the author's function; every mistake in it becomes a `Fault`."""
        try:
            return read(function, self._functions[function](*arguments))
        except (KeyboardInterrupt, Fault):
            raise
        except BaseException as error:  # also SystemExit and MemoryError
            raise self._fault(error, function) from None

    def _fault(self, error, function):
        """The fault of an exception. Its line is that of the innermost call in the author's file."""
        line, calls, trace = None, [], error.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename == self.path:
                line = trace.tb_lineno
                calls.append(f"  {self.file}, line {line}, in {code.co_name}")
            trace = trace.tb_next
        if isinstance(error, SyntaxError) and error.filename == self.path:
            line = error.lineno or None
        if isinstance(error, Mistake):
            what = str(error)
        else:
            what = f"{type(error).__name__}: {message_of(error)}".rstrip(": ")
            print(*calls[-20:], what, sep="\n", file=sys.stderr, flush=True)
        if line is None and function:
            line = self._line_of(function)
        return Fault(" ".join(what.split())[:500], function, self.file, line)

    def _line_of(self, name):
        """The line where a global name of the author's file is defined; None if it is not found."""
        code = getattr(self._functions.get(name), "__code__", None)
        if code is not None and code.co_filename == self.path:
            return code.co_firstlineno
        import ast

        line = None
        for statement in ast.parse(self._source).body:
            if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
                        line = node.lineno
        return line

    # Positions.

    def _read_start(self, function, value):
        """The text of what `start` returned. The first time it tells the size of the board."""
        if self._squares is not None:
            return self._read_next(function, value)
        board = value[0] if isinstance(value, tuple) and value else None
        if isinstance(board, (list, tuple)) and board and isinstance(board[0], (list, tuple, str)):
            self.rows, self.columns, self._rest_count = len(board), len(board[0]), len(value) - 2
            if not (self.rows <= MOST_ROWS and 1 <= self.columns <= MOST_ROWS):
                size = f"{counted(self.rows, 'row')} and {counted(self.columns, 'column')}"
                raise Mistake(f"{function} returned a board of {size}; there are 1 to {MOST_ROWS} of each")
        text = self._read_next(function, value)
        self._read_names()
        return text

    def _read_next(self, function, value):
        """The text of the position that `start` or `play` returned."""
        if not isinstance(value, tuple) or len(value) < 2:
            raise returned(function, value, "it returns a position: board, side to move, and what else is remembered")
        board, side, *rest = value
        if not isinstance(board, (list, tuple)) or not board:
            raise returned(function, board, "a board is a list of rows", "as the board")
        if not isinstance(side, str) or side not in self._sides:
            raise returned(function, side, f"it is {self.sides[0]!r} or {self.sides[1]!r}", "as the side to move")
        lines = [self._read_row(function, number, row) for number, row in enumerate(board[: MOST_ROWS + 1])]
        if len(lines) != self.rows:
            raise Mistake(f"{function} returned a board of {counted(len(board), 'row')}, not {self.rows}")
        if len(rest) != self._rest_count:
            start = f"start returned {self._rest_count}"
            raise Mistake(f"{function} returned {counted(len(rest), 'value')} after the side; {start}")
        text = " ".join(["/".join(map(squeeze, lines)), side, *[rest_text(function, value) for value in rest]])
        if len(text) > LONGEST_POSITION:
            most = f"it may have {LONGEST_POSITION}"
            raise Mistake(f"{function} returned a position whose text has {len(text)} bytes; {most}")
        return text

    def _read_row(self, function, number, row):
        if not isinstance(row, (list, tuple, str)):
            raise returned(function, row, "a row is a list of letters", f"as row {number} of the board")
        if len(row) != self.columns:
            squares = counted(len(row), "square")
            raise Mistake(f"{function} returned a board with {squares} in row {number}, not {self.columns}")
        try:
            if self._letters.issuperset(row):
                return "".join(row)
        except TypeError:
            pass  # there is a list or None in it
        for column, letter in enumerate(row):
            if not isinstance(letter, str) or letter not in self._letters:
                pieces = "".join(sorted(self._letters - {EMPTY, BLOCK}))
                rule = f'a square has the letter of a piece ({pieces}), "." or "#"'
                raise returned(function, letter, rule, f"in row {number}, column {column} of the board")
        return "".join(row)

    def _read_line(self, row, text):
        """The row of its text in a position text."""
        line = ""
        fault = f"position, row {row + 1} from the top:"
        for run, letter in re.findall(r"([0-9]+)|([^0-9])", text, re.DOTALL):
            if run.startswith("0"):
                raise PositionError(f"{fault} a run of empty squares cannot be `{run}`")
            if len(run) > 2 or run and int(run) > self.columns:
                raise PositionError(f"{fault} a run of {run} empty squares does not fit a board {self.columns} wide")
            if letter and letter not in self._letters - {EMPTY}:
                pieces = ", ".join(f"`{letter}`" for letter in sorted(self._letters - {EMPTY, BLOCK}))
                raise PositionError(f"{fault} unknown letter {shown(letter)}; pieces are {pieces}, no square is `#`")
            line += letter or EMPTY * int(run)
        if len(line) != self.columns:
            raise PositionError(f"{fault} {counted(len(line), 'square')} wide, not {self.columns}")
        if len(self._lines) >= 50_000:
            self._lines.clear()
        self._lines[text] = line
        return line

    # Moves and the other answers.

    def _read_moves(self, function, value):
        if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
            raise returned(function, value, "it returns a list of moves")
        table = {}
        for move in value:
            text, form = self._read_move(function, move)
            if text in table:
                raise Mistake(f"{function} returned the move {text} twice")
            table[text] = form
            if len(table) > MOST_MOVES:
                raise Mistake(f"{function} returned more than {MOST_MOVES} moves")
        if not table:
            rule = 'a side that cannot move has the one move "pass"'
            raise Mistake(f"{function} returned no move where ending returned None; {rule}")
        return table

    def _read_move(self, function, move):
        """The text of a move, and the form in which `play` gets it."""
        quick = self._quick_text(move)
        if quick:
            return quick, move
        if isinstance(move, str):
            text = form = "".join([move])
            if not WORD.fullmatch(text):
                rule = "a word has letters, digits and +-*/=:.,; a letter or digit first, no full stop at its end"
                raise returned(function, text, rule, "as a move")
            small = text.lower()
            if small != text and self._move_of(text) == text and self._move_of(small) != small:
                rule = "a word cannot be the names of squares in capitals; return the squares"
                raise returned(function, text, rule, "as a move")
        elif isinstance(move, (tuple, list)) and move and isinstance(move[0], (tuple, list)):
            form = tuple([self._square(function, square) for square in move])
            text = "".join([self._names[row][column] for row, column in form])
        elif isinstance(move, (tuple, list)) and move:
            row, column = form = self._square(function, move)
            text = self._names[row][column]
        else:
            raise returned(function, move, "a move is a square (row, column), several squares, or a word", "as a move")
        if len(text) > LONGEST_MOVE:
            raise returned(function, text, f"a move has up to {LONGEST_MOVE} letters", "as a move")
        if text in RESERVED or MOVE_NUMBER.match(text):
            raise returned(function, text, "arbiter reads that as something else", "as a move")
        if isinstance(form, str) and len(self._words) < 50_000:
            self._words.add(text)
        return text, form

    def _quick_text(self, move):
        """The text of a move that is surely right, as nearly all are; None for others, which are looked at in detail. Types
        are compared before values, since (1.0, True) equals (1, 1)."""
        if type(move) is str:
            return move if move in self._words else None
        if type(move) is not tuple or len(move) != 2:
            return None
        one, two = move
        if type(one) is type(two) is int:
            return self._square_names.get(move)
        if type(one) is type(two) is tuple and len(one) == len(two) == 2:
            if type(one[0]) is type(one[1]) is type(two[0]) is type(two[1]) is int:
                if one in self._square_names and two in self._square_names:
                    return self._square_names[one] + self._square_names[two]
        return None

    def _square(self, function, square):
        if not isinstance(square, (tuple, list)) or len(square) != 2 or not type(square[0]) is type(square[1]) is int:
            raise returned(function, square, "a square is (row, column), two whole numbers", "as a square")
        row, column = square
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            size = f"{counted(self.rows, 'row')} and {counted(self.columns, 'column')}"
            raise returned(function, square, f"the board has {size}, counted from 0", "as a square")
        return row, column

    def _move_of(self, text):
        """The form of a move that is not among the legal ones: squares if it reads so, else the word."""
        ends = {0: ()}  # of each place in the text the squares up to it
        for at in range(len(text)):
            for end in range(at + 1, at + 7):
                if at in ends and text[at:end] in self._squares:
                    ends[end] = ends[at] + (self._squares[text[at:end]],)
        squares = ends.get(len(text))
        return text if not squares else squares[0] if len(squares) == 1 else squares

    def _read_ending(self, function, value):
        if value is None:
            return None
        if not isinstance(value, (tuple, list)) or len(value) not in (2, 3):
            raise returned(
                function, value, f"it returns None, or winner and reason, such as ({self.sides[0]!r}, 'line')"
            )
        winner, reason, *margin = value
        if winner is not None and not (isinstance(winner, str) and winner in self._sides):
            rule = f"it is {self.sides[0]!r}, {self.sides[1]!r}, or None for a draw"
            raise returned(function, winner, rule, "as the winner")
        if not isinstance(reason, str) or not REASON.fullmatch(reason):
            rule = "a reason is a word of up to 31 small letters, digits and hyphens, such as most-pieces"
            raise returned(function, reason, rule, "as the reason")
        if reason in REASONS_OF_THE_REFEREE:
            raise returned(function, reason, "only the referee may say so", "as the reason")
        if margin:
            margin = [self._margin(function, winner, *margin)]
        return winner and "".join([winner]), "".join([reason]), *margin

    def _margin(self, function, winner, number):
        if winner is None:
            raise returned(function, number, "a draw has none", "as the margin")
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
        if not is_number or not 0.005 < number <= 1_000_000:
            raise returned(function, number, "it is a number above 0, up to 1000000", "as the margin")
        return round(number, 2)

    def _read_squares(self, function, value):
        if value is None:
            return []
        if isinstance(value, (tuple, list)) and len(value) == 2 and isinstance(value[0], int):
            value = [value]
        if isinstance(value, str) or not hasattr(value, "__iter__"):
            raise returned(function, value, "it returns the squares of a move, each (row, column)")
        squares = {}
        for count, square in enumerate(value):
            if count >= MOST_SQUARES:
                raise Mistake(f"{function} returned more than {MOST_SQUARES} squares")
            squares[self._square(function, square)] = True
        return list(squares)

    def _read_identity(self, function, value):
        try:
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        except (TypeError, ValueError):
            raise returned(function, value, "it returns a text, a number, or a list of them") from None
        if len(text) > 1000:  # what differs has another digest
            import hashlib

            text = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return None if value is None else text

    def _read_why(self, function, value):
        if value is not None and not isinstance(value, str):
            raise returned(function, value, "it returns a sentence")
        return value and " ".join(value.split())[:500]


def returned(function, value, rule, what=""):
    """The mistake that a function returned this value, which breaks this rule."""
    return Mistake(f"{function} returned {shown(value)}{' ' if what else ''}{what}; {rule}")


def rest_text(function, value):
    """The text of what a position has after its side."""
    if isinstance(value, int):
        return str(int(value))
    if not isinstance(value, str) or not REST_WORD.fullmatch(value):
        rule = "it is a whole number, or a word without spaces, quotes and backslashes"
        raise returned(function, value, rule, "after the side")
    if NUMBER.fullmatch(value):
        raise returned(
            function, value, f"a text that reads as a number comes back as one, so return {value}", "after the side"
        )
    return "".join([value])


@functools.lru_cache(maxsize=50_000)
def squeeze(line):
    """A row as in a position text: a run of empty squares is a number."""
    return re.sub(r"\.+", lambda run: str(len(run[0])), line)


def two_readings(names):
    """A text that is two sequences of these names, with both; None if every text is at most one.

    This is the test of Sardinas and Patterson: two sequences are made longer by turns. How they can go on depends only on
    what one of them has more than the other, and there are few such ends of names."""
    known = set(names)
    if len(known) < len(names):
        name = next(name for name in names if names.count(name) > 1)
        return name, name, f"{name} elsewhere"
    longer = {}  # of each beginning of a name the names that begin so
    for name in names:
        for length in range(1, len(name)):
            longer.setdefault(name[:length], []).append(name)
    found = {}  # of each such end: the longer sequence, and the other one
    waiting = [(other[len(name) :], (other,), (name,)) for name in names for other in longer.get(name, ())]
    while waiting:
        end, first, second = waiting.pop()
        if end in found:
            continue
        found[end] = first, second
        if end in known:
            return "".join(first), " ".join(first), " ".join(second + (end,))
        waiting += [(name[len(end) :], second + (name,), first) for name in longer.get(end, ())]
        for length in range(1, len(end)):
            if end[:length] in known:
                waiting.append((end[length:], first, second + (end[:length],)))
    return None


def usual_column(column):
    """a to z, then aa, ab, …"""
    letter = chr(ord("a") + column % 26)
    return letter if column < 26 else usual_column(column // 26 - 1) + letter


def print_to_stderr(*values, **how):
    """`print` of the author's file: standard output belongs to a protocol."""
    how.setdefault("file", sys.stderr)
    print(*values, **how)


def is_letters(text):
    return isinstance(text, str) and text.isascii() and text.isalpha()


def is_line(text, least, most):
    is_one = isinstance(text, str) and text == " ".join(text.split()) and text.isprintable()
    return is_one and least <= len(text.encode("utf-8", "replace")) <= most


def counted(count, noun):
    return f"{count} {noun}{'' if count == 1 else 's'}"


def in_words(values):
    """`4 to 12`, or `draw or mover`."""
    if len(values) > 1 and isinstance(values[0], int) and values == list(range(values[0], values[0] + len(values))):
        return f"{values[0]} to {values[-1]}"
    return " or ".join(map(str, values))


def shown(value):
    """A value as Python writes it, shortened."""
    import reprlib

    try:
        text = reprlib.repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."


def message_of(error):
    """The message of an exception, whose class the author may have written."""
    try:
        return str(error.msg if isinstance(error, SyntaxError) else error)
    except Exception:
        return ""


class Driver:
    """Answers arbiter's questions about a rules file. An answer depends on the options that were set, and on no other
    question before it."""

    def __init__(self, path):
        self.path = path
        self.source = None
        self.chosen = {}
        self.plain = None  # the rules without options, which tell what options there are
        self.rules = None  # those with the chosen options, once they are needed
        self.recent = {}  # positions by their texts, with the forms of their moves

    def answer(self, line):
        """The answer to a line, as what becomes JSON."""
        verb, _, rest = line.partition(" ")
        try:
            return getattr(self, f"do_{verb}", self.unknown)(rest)
        except Fault as fault:
            return {"fault": {"what": fault.what, "function": fault.function, "file": fault.file, "line": fault.line}}
        except ValueError as error:
            return {"error": str(error)}
        except OSError as error:
            file = os.path.basename(self.path)
            what = f"{file} cannot be read: {error.strerror}"
            return {"fault": {"what": what, "function": None, "file": file, "line": None}}

    def unknown(self, _):
        raise ValueError("unknown request; there are rules, set, start, advance, at and why")

    def load(self, chosen):
        if self.source is None:
            with open(self.path, "rb") as file:
                self.source = file.read()
        return Rules(self.path, self.source, chosen)

    def do_rules(self, version):
        if version != "1":
            raise ValueError(f"version {version} of the protocol is not known; it is 1")
        self.plain = self.load({})
        answer = {"game": self.plain.name, "title": self.plain.title, "options": self.plain.specs}
        optional = {"adapter": self.plain.adapter, "black": self.plain.black}
        answer.update({key: value for key, value in optional.items() if value is not None})
        return answer

    def do_set(self, rest):
        key, _, value = rest.partition(" ")
        if self.plain is None:
            self.plain = self.load({})
        self.plain.check_option(key, value)
        self.chosen[key] = value
        self.rules = None
        return {}

    def loaded(self):
        if self.rules is None:
            self.rules = self.load(self.chosen)
            self.recent.clear()
        return self.rules

    def do_start(self, _):
        rules = self.loaded()
        state = self.state(rules.start())
        names = ("sides", "rows", "columns", "row_names", "column_names", "pieces")
        return {**{name: getattr(rules, name) for name in names}, **state}

    def do_at(self, position):
        return self.state(self.loaded().read(position))

    def before(self, rest):
        """Position and move of a question, the position with its table of moves if that was asked for lately."""
        position, _, move = rest.partition("\t")
        rules = self.loaded()
        return self.recent.get(position) or rules.read(position), move

    def do_advance(self, rest):
        position, move = self.before(rest)
        return self.state(self.rules.play(position, move))

    def do_why(self, rest):
        position, move = self.before(rest)
        return self.rules.why(position, move)

    def state(self, position):
        """What follows from a position that was just read: all of it is asked of the author's functions now."""
        rules = self.rules
        ending, table = rules.ending(position), rules.table(position)
        answer = {"position": position.text, "moves": list(table), "ending": ending and list(ending)}
        identity = rules.identity(position)
        if identity is not None:
            answer["identity"] = identity
        unclear = [move for move, form in table.items() if move != "pass" and (isinstance(form, str) or len(form) > 2)]
        squares = {move: rules.squares(position, move) for move in unclear}
        if any(squares.values()):
            answer["squares"] = {move: found for move, found in squares.items() if found}
        if len(self.recent) >= 64:
            self.recent.clear()
        self.recent[position.text] = position
        return answer


def main(path):
    """Reads questions on standard input until its end, and writes an answer to each. The author's code has an empty
    standard input, and what it prints goes to standard error."""
    questions, answers = os.dup(0), os.dup(1)
    empty, end = os.pipe()
    os.dup2(empty, 0)
    os.close(empty)
    os.close(end)
    os.dup2(2, 1)
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    sys.stdout = sys.stderr
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    driver = Driver(path)
    status = 0
    try:
        with open(questions, "rb") as lines:
            for line in lines:
                answer = encode(driver.answer(line.decode("utf-8", "replace").rstrip("\r\n")))
                sys.stderr.flush()
                rest = f"{answer}\n".encode("utf-8", "replace")
                while rest:
                    rest = rest[os.write(answers, rest) :]
    except KeyboardInterrupt:
        status = 130
    except Exception as error:  # such as a closed pipe
        status = 1
        print(f"{type(error).__name__}: {message_of(error)}", file=sys.stderr)
    finally:
        os._exit(status)  # no thread and no exit handler of the author's holds it up


if __name__ == "__main__":
    main(sys.argv[-1])
