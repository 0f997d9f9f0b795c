"""Adapters translate between arbiter's protocol and a bot that speaks another one.

An adapter is a class. arbiter starts it beside the bot and calls its methods:

    start()                 a game begins: send the bot its handshake, wait until it is ready
    turn()                  the bot is on move: send it what it needs
    read(line)              returns the move that the bot's line means, None if it is no answer
    over(result, reason)    the game has ended, such as ("win", "line")

Only `turn` has to be written. The smallest adapter, for bots that read the last move and print
their own:

    from arbiter_adapter import Adapter, run

    class Lines(Adapter):
        def turn(self):
            self.bot.send(self.game.last or "begin")

    run(Lines)

A move is a word of `game.moves`, or "resign". `turn` may return one itself: then no line is read.
"""

import os
import select
import sys

PATIENCE = 100  # ms until arbiter learns what the bot was asked, in case it never answers
LONGEST_LINE = 65000  # bytes: with what stands before it, it is as long as a line may be
LONGEST_QUOTE = 120  # characters
LONGEST_FAULT = 2000
CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

arbiter = 1  # the descriptor that arbiter reads from
pending = []  # lines to arbiter, which are written together because a system call takes its time


def tell(line):
    """Sends arbiter a line, at the latest with the next answer."""
    pending.append(line)
    if len(pending) > 1000:
        flush()


def flush():
    data = "".join([line + "\n" for line in pending]).encode(errors="replace")
    pending.clear()
    while data:
        data = data[os.write(arbiter, data) :]


class Ended(SystemExit):
    """The adapter has said what is to be said."""


def fault(text):
    """Ends the adapter. The bot loses, and its author reads this reason."""
    tell("fault " + " ".join(text.split())[:LONGEST_FAULT])
    flush()
    raise Ended


def failed(error, what="the adapter failed"):
    """Ends an adapter that an exception has stopped."""
    sys.excepthook(*sys.exc_info())
    place = place_in(sys.argv[0], error)
    tell(f"fault {what}: {place}{type(error).__name__}: {error}")
    flush()
    sys.exit(1)


def number(text):
    """The number of a text of up to four digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else None


def quote(text):
    return f"`{text}`" if len(text) <= LONGEST_QUOTE else f"`{text[:LONGEST_QUOTE]}…`"


class Clock:
    """Times in milliseconds; None without a clock."""

    own = None  # what the bot may use for this move
    opponent = None  # what the opponent has
    base = None  # what the bot has for the game, and what is added for each of its moves
    increment = 0
    opponent_increment = 0
    move = None  # a time for each move, in place of one for the game


class Game:
    """The game as the bot sees it."""

    def __init__(self):
        self.name = ""  # such as "go"
        self.options = {}  # of its rules: {"size": 9, "komi": "7.5"}
        self.rows = self.columns = 0  # the size of the board
        self.row_names, self.column_names = [], []  # of its squares, from the top left
        self.side = self.opponent = ""  # the letters of the bot's and of the opponent's pieces
        self.clock = Clock()
        self.limits = {}  # such as {"memory": 536870912}
        self.seed = 0  # random bits, the same ones if the game is played again

        # Known from the bot's first turn on:
        self.position = ""  # where the game begins, as text
        self.first = ""  # the letter of the side that moves first there
        self.turn = 0  # the number of the move that the bot is asked for, from 1
        self.board = []  # texts, the top row first; "." is an empty square, "#" no square
        self.moves = []  # all legal moves, unless the match withholds them
        self.piece = None  # in flipflop which piece of a turn, 1 or 2
        self.last = None  # the last move
        self.history = []  # all moves since `position`: pairs of a side's letter and a move
        self.since = []  # those that were played after the bot's last answer
        self.illegal = None  # why the bot's answer was refused, if it is asked again
        self.is_first_turn = True  # of the bot

        self.black = None  # the side that is black elsewhere, if the rules say so
        self.next = ""  # the side that is to move if sides alternate
        self.was_asked = False  # whether the next move that arbiter tells is the bot's answer

    def colour(self, letter):
        """The side that is black, "B", or white, "W", in the bot's world: as the rules say, or the
        side B or W. Where letters are as in chess, the one in capitals is white. Of other sides the
        first to move is either."""
        if self.black:
            white = self.opponent if self.side == self.black else self.side
            return white if letter == "W" else self.black
        if {self.side, self.opponent} == {"B", "W"}:
            return letter
        if letter == "W" and self.side.isupper() != self.opponent.isupper():
            return max(self.side, self.opponent, key=str.isupper)
        return self.first

    def has_double_turn(self):
        """Whether a side has moved, or is to move, twice in a row since the bot's last answer."""
        latest = self.history[-len(self.since) - 1 :]
        sides = [side for side, _ in latest] + [self.side]
        return any(one == other for one, other in zip(sides, sides[1:]))

    def square(self, row, column):
        """The name of a square, whose row and column count from 0; None if it is off the board, and
        of what is no number."""
        if row in range(self.rows) and column in range(self.columns):
            return self.column_names[int(column)] + self.row_names[int(row)]
        return None

    def places(self, move):
        """Row and column of each square of a move; none of a word such as "pass"."""
        places = []
        name = ""
        for letter in move + "a":
            if letter.isalpha() and name[-1:].isdigit():
                column = name.rstrip("0123456789")
                row = name[len(column) :]
                if column not in self.column_names or row not in self.row_names:
                    return []
                places.append((self.row_names.index(row), self.column_names.index(column)))
                name = ""
            name += letter
        return places

    def pieces(self):
        """The pieces in `position`: letter, row and column of each."""
        for row, text in enumerate(self.position.split(" ")[0].split("/")):
            column = run = 0
            for letter in text:
                if letter.isdigit():
                    run = 10 * run + int(letter)
                else:
                    column, run = column + run + 1, 0
                    if letter != "#":
                        yield letter, row, column - 1

    def fen(self):
        """`position` as chess programs write it; None if it is the usual one, or if the letters of
        the sides are not as in chess: a capital for White and a small one for Black."""
        board, side, *rest = self.position.split()
        white = self.colour("W")
        black = self.opponent if self.side == white else self.side
        if board == CHESS or not (white.isupper() and black.islower()):
            return None
        rest += ["-", "-", "0", "1"][len(rest) :]
        return " ".join([board, "w" if side == white else "b", *rest])

    def name_squares(self):
        """Gives squares their usual names, unless arbiter has told others."""
        alphabet = "abcdefghijklmnopqrstuvwxyz"
        lowest = 0 if self.name in ("loa", "lineup") else 1
        self.row_names = self.row_names or [str(row + lowest) for row in range(self.rows)]
        self.column_names = self.column_names or list(alphabet) + ["a" + b for b in alphabet]

    def play(self, moves):
        """Records the moves since the last turn. The bot's answer is the first one. The others
        are the opponent's, but for a pass that was forced and therefore not asked for."""
        self.since = []
        for move in moves:
            if move == "pass":
                side = self.next
            else:
                side = self.side if self.was_asked else self.opponent
            self.next = self.opponent if side == self.side else self.side
            self.history.append((side, move))
            if not self.was_asked:
                self.since.append((side, move))
            self.was_asked = False
        if moves:
            self.last = moves[-1]


class Bot:
    """The bot: lines to it and from it."""

    def __init__(self, descriptors):
        self._from, self._to = map(int, descriptors.split())
        self._poll = select.poll()
        self._poll.register(self._from, select.POLLIN)
        self._lines = []  # that were read and not yet asked for, the last one first
        self._rest = b""  # the beginning of a line
        self._is_stale = False  # whether that was written before the last question
        self.sent = self.said = ""  # the last lines

    def send(self, *lines):
        """Sends lines."""
        for self.sent in lines:
            tell("sent " + self.sent)
        data = "".join([line + "\n" for line in lines]).encode()
        try:
            while data:
                data = data[os.write(self._to, data) :]
        except OSError:
            pass  # it does not read any more: what it says, or how it ends, tells why

    def line(self, seconds=None):
        """Waits for the next line; None if there is none in this time. If the bot has ended, the
        adapter ends too, and arbiter says how the bot ended."""
        while not self._lines:
            if not self._poll.poll(PATIENCE if seconds is None else 1000 * seconds):
                flush()
                if seconds is not None:
                    return None
                self._wait()
            self._read()
        self.said = self._lines.pop()
        tell("said " + self.said)
        if self._is_stale:
            self._is_stale = False
            return self.line(seconds)
        return self.said

    def _wait(self):
        """Waits until the bot says something. If arbiter closes its own end meanwhile, to see
        whether the bot waits for more, the bot's input is closed too."""
        self._poll.register(0, 0)  # only hanging up is reported
        found = self._poll.poll()
        self._poll.unregister(0)
        if found == [(0, select.POLLHUP)]:
            os.close(self._to)
            self._to = -1
            self._poll.poll()

    def skip(self):
        """Skips what came so far, because it answers nothing that comes now: also a line that has
        begun."""
        while self._poll.poll(0):
            self._read()
        self._is_stale = False
        while self._lines:
            self.line()
        self._is_stale = self._rest != b""

    def close(self):
        """Tells the bot that nothing follows, and waits for its end."""
        if self._to >= 0:
            os.close(self._to)
        while True:
            self.line()

    def _read(self):
        data = os.read(self._from, 65536)
        if not data:
            rest = [self._rest.decode(errors="replace")] if self._rest else []
            for line in self._lines[::-1] + rest:
                tell("said " + line)
            flush()
            sys.exit()
        lines, newline, self._rest = (self._rest + data).rpartition(b"\n")
        if newline:
            lines = lines.decode(errors="replace").split("\n")
            self._lines = [line.rstrip() for line in reversed(lines)] + self._lines
        if max(len(self._rest), *map(len, self._lines), 0) > LONGEST_LINE:
            fault(f"wrote a line of more than {LONGEST_LINE} bytes")


class NothingSaid(BaseException):
    """The adapter waits for a line of a stand-in."""


class StandIn:
    """In place of the bot, where arbiter tries an adapter out before the first game: up to the
    first line that the adapter waits for, since nobody else knows what a bot would say."""

    sent = said = ""
    is_asked = False

    def send(self, *lines):
        for self.sent in lines:
            tell("sent " + self.sent)

    def line(self, seconds=None):
        self.is_asked = True
        raise NothingSaid

    def skip(self):
        pass


class Adapter:
    """What all adapters have. `game` is the game, `bot` the bot."""

    reuse = False  # whether the bot's process can play several games: then `start` comes again
    lean = False  # whether game.board and game.moves are not needed, which saves time
    alternates = False  # whether the bot can only play games in which sides move by turns

    def __init__(self):
        self.game = Game()
        bot = os.environ.get("ARBITER_BOT")
        self.bot = StandIn() if bot == "stand-in" else Bot(bot) if bot else None

    def start(self):
        """A game begins."""

    def turn(self):
        """The bot is on move."""
        raise NotImplementedError("an adapter needs a method `turn`")

    def again(self):
        """The bot's answer was illegal, and `attempts` allows another one. Most bots have moved on
        their own board by then, so the same answer is given again."""
        return self.answer

    def read(self, line):
        """Returns the move that a line means; None if it is no answer."""
        return line.strip()

    def word(self, move):
        """A move in the bot's words. arbiter tries it with every move of the first position."""
        return move

    def over(self, result, reason):
        """The game has ended."""

    def quit(self):
        """The last game has ended."""

    def fault(self, text=None):
        """Ends the adapter: the bot loses. Without a text, because its last line is no answer."""
        if text is None:
            bot = self.bot
            text = f"answered {quote(bot.said)} to {quote(bot.sent)}" if bot else "gave no move"
        fault(text)

    def info(self, text):
        """A comment on the move, which goes into the game's log."""
        tell("info " + text)

    def _failure(self):
        """What has failed where an exception has stopped the adapter."""
        said = self.bot.said if self.bot else ""
        return "the adapter failed" + (f" after the bot's line {quote(said)}" if said else "")

    def _answer(self):
        if isinstance(self.bot, StandIn):
            self._rehearse()
        if self.game.illegal is not None:
            return self.again()
        if self.alternates and self.game.has_double_turn():
            fault("speaks a protocol in which no side moves twice in a row, as one did here")
        # What a bot says before its first turn may be its answer: some begin without being asked.
        if self.bot and not self.game.is_first_turn:
            self.bot.skip()
        move = self.turn()
        while move is None:
            move = self.read(self.bot.line())
        return move

    def _rehearse(self):
        """A first turn with a stand-in, after which the adapter ends."""
        for move in self.game.moves:
            self.word(move)
        try:
            if not self.bot.is_asked:
                self.turn()
        except NothingSaid:
            pass
        flush()
        sys.exit()


def run(adapter_class):
    """Plays until arbiter says `quit`."""
    adapter = None
    try:
        adapter = adapter_class()
        talk(adapter)
    except BrokenPipeError:
        pass  # arbiter has ended
    except Exception as error:
        failed(error, adapter._failure() if adapter else "the adapter failed")


def place_in(file, error):
    """The innermost line of a file that an exception passed through."""
    number = None
    trace = error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == file:
            number = trace.tb_lineno
        trace = trace.tb_next
    return f"{file}, line {number}: " if number else ""


def talk(adapter):
    lines = lines_of_arbiter()
    game = adapter.game
    for line in lines:
        word, _, text = line.partition(" ")
        if word == "turn":
            game.turn = int(text)
        elif word == "since":
            game.play(text.split())
        elif word == "clock":
            own, opponent = text.split()
            game.clock.own = int(own)
            game.clock.opponent = int(opponent)
        elif word == "piece":
            game.piece = int(text)
        elif word == "board":
            game.board = [next(lines) for _ in range(game.rows)]
        elif word == "moves":
            game.moves = text.split()
        elif word == "go":
            adapter.answer = adapter._answer()
            game.was_asked = True
            game.is_first_turn = False
            game.illegal = None
            tell("resign" if adapter.answer == "resign" else "move " + adapter.answer)
            flush()
        elif word == "illegal":
            game.illegal = text
        elif word == "position":
            game.position = text
        elif word == "first":
            game.first = game.next = text
        elif word == "end":
            adapter.over(*text.split(" ", 1))
        elif word == "quit":
            break
        elif word == "arena":
            game = adapter.game = Game()
        elif word == "start":
            game.name_squares()
            try:
                adapter.start()
            except NothingSaid:
                pass
            tell("ready" + " reuse" * adapter.reuse + " lean" * adapter.lean)
            flush()
        else:
            read_setting(game, word, text.split())
    adapter.quit()
    flush()
    if adapter.bot:
        adapter.bot.close()


def read_setting(game, word, words):
    """A line between `arena` and `start`."""
    values = [int(value) if value.isdigit() else value for value in words]
    clock = game.clock
    if word == "game":
        game.name = words[0]
    elif word == "option":
        game.options[words[0]] = values[1]
    elif word == "size":
        game.rows, game.columns = values[0], values[-1]
    elif word == "rows":
        game.row_names = words
    elif word == "columns":
        game.column_names = words
    elif word == "black":
        game.black = words[0]
    elif word == "you":
        game.side = words[0]
    elif word == "opponent":
        game.opponent = words[0]
    elif word == "seed":
        game.seed = values[0]
    elif word == "limit":
        game.limits[words[0]] = values[1]
    elif word == "time" and words[0] == "move":
        clock.move = values[1]
    elif word == "time" and words[0].isdigit():
        clock.base = values[0]
        clock.increment = clock.opponent_increment = values[1]
    elif word == "opponent-time":
        clock.opponent_increment = values[1] if words[0].isdigit() else 0


def lines_of_arbiter():
    rest = b""
    while True:
        data = os.read(0, 65536)
        if not data:
            return
        lines, newline, rest = (rest + data).rpartition(b"\n")
        if newline:
            yield from lines.decode().split("\n")


class FilesBot(Adapter):
    """A bot of which one process plays one move: the words of its command are those of the adapter,
    whose `turn` calls `run_bot`."""

    def run_bot(self, lines):
        """Runs the bot with these lines as input.txt and returns those of output.txt."""
        if self.bot:
            self.bot.line()
        with open("input.txt", "w") as file:
            file.write("".join(line + "\n" for line in lines))
        if os.path.exists("output.txt"):
            os.remove("output.txt")
        for line in lines:
            tell("sent " + line)
        ended = run_command(sys.argv[1:])
        if not os.path.exists("output.txt"):
            fault(f"{ended} and wrote no output.txt")
        with open("output.txt", errors="replace") as file:
            lines = file.read(65536).split("\n")
        for line in lines:
            tell("said " + line)
        return lines


def run_command(words):
    """Runs a command and says how it ended."""
    nothing = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
    prints = (os.POSIX_SPAWN_DUP2, 2, 1)
    try:
        pid = os.posix_spawnp(words[0], words, os.environ, file_actions=[nothing, prints])
    except OSError as error:
        fault(f"{quote(words[0])} cannot be run: {error.strerror}")
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return f"was ended by signal {os.WTERMSIG(status)}"
    return f"ended with status {os.WEXITSTATUS(status)}"


class PythonBot(Adapter):
    """A bot that is a function or a class in a Python file and runs in this process. The words of
    the command are the file and a name; without a name it is the function `choose`, or else the
    first class that has one of `methods`.

    The function or method is called for each move and returns it, as a word of `game.moves`. If
    there is `update` or `turn`, it is called for each move played, of both sides, as `update(move)`
    or `update(side, move)`. A parameter with the name of an attribute of the game receives that,
    such as `board`, `moves` or `side`, and any other one the game.

    For other shapes an adapter replaces `methods`, `make`, `choose` or `played`.
    """

    methods = ("action", "move", "get_action", "play")
    is_loaded = False  # whether the bot's file has been run

    def _failure(self):
        # It may have changed whatever it found here.
        if self.is_loaded:
            return f"{os.path.basename(self.file)} broke the adapter that it runs in"
        return "the adapter failed"

    def start(self):
        if self.bot:
            self.bot.line()
        keep_lines_of_arbiter()
        file, *names = sys.argv[1:]
        name = names[0] if names else ""
        self.file = os.path.abspath(file)
        self.is_loaded = True
        if isinstance(self.methods, str):
            self.methods = [self.methods]
        module = self.blamed(load, self.file)
        if "random" in sys.modules:  # then the same seed plays the same game again
            sys.modules["random"].seed(self.game.seed)
        found = find(vars(module), name, self.methods)
        if found is None:
            wanted = name or f"function choose(game) and no class with {' or '.join(self.methods)}"
            fault(f"{os.path.basename(file)} has no {wanted}")
        self.update = None
        self.told = 0
        self.blamed(self.make, found)

    def turn(self):
        for side, move in self.game.history[self.told :]:
            self.blamed(self.played, side, move)
        self.told = len(self.game.history)
        move = self.blamed(self.choose)
        # A class of the bot may be a text with methods of its own.
        words = str.split(move) if isinstance(move, str) else []
        if not words:
            shown = quote(self.blamed(repr, move))
            fault(f"returned {shown} in place of a word of game.moves")
        return " ".join(words)

    def again(self):
        return self.turn()

    def make(self, found):
        """Makes the bot of a function or a class."""
        self.function = found
        if isinstance(found, type):
            bot = found(*self.values(parameters(found.__init__)[1:]))
            self.function = next(getattr(bot, name) for name in self.methods if hasattr(bot, name))
            self.update = getattr(bot, "update", None) or getattr(bot, "turn", None)
        self.parameters = parameters(self.function)

    def choose(self):
        """Returns the bot's move."""
        return self.function(*self.values(self.parameters))

    def played(self, side, move):
        """A move was played."""
        if self.update:
            self.update(*[side, move][2 - len(parameters(self.update)) :])

    def values(self, names):
        return [vars(self.game).get(name, self.game) for name in names]

    def blamed(self, function, *arguments):
        """Calls what is the bot's: its exceptions are its faults."""
        try:
            return function(*arguments)
        except Ended:
            raise
        except BaseException as error:
            sys.excepthook(*sys.exc_info())
            try:
                text = str(error)
            except Exception as other:
                text = f"its text cannot be shown: {type(other).__name__}"
            fault(f"{self.place(error)}{type(error).__name__}: {text}")

    def place(self, error):
        """The innermost line of an exception in the bot's folder."""
        folder = os.path.dirname(self.file) + os.sep
        file, number = getattr(error, "filename", None), getattr(error, "lineno", None)
        trace = error.__traceback__
        while trace:
            if trace.tb_frame.f_code.co_filename.startswith(folder):
                file, number = trace.tb_frame.f_code.co_filename, trace.tb_lineno
            trace = trace.tb_next
        if not number:
            return place_in(sys.argv[0], error) or os.path.basename(self.file) + ": "
        import linecache  # which says nothing of a line that does not exist

        line = linecache.getline(file, number).strip()
        shown = quote(line) + ": " if line else ""
        return f"{os.path.relpath(file, folder)}, line {number}: {shown}"


def keep_lines_of_arbiter():
    """What the bot prints goes to standard error, and there is nothing for it to read."""
    global arbiter
    arbiter = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    sys.stdin = open(os.devnull)


def load(path):
    """The module of a Python file."""
    folder, file = os.path.split(path)
    sys.path.insert(0, folder)
    name = os.path.splitext(file)[0]
    module = sys.modules[name] = type(sys)(name)
    module.__file__ = path
    with open(path, "rb") as text:
        exec(compile(text.read(), path, "exec"), vars(module))
    return module


def find(names, name, methods):
    """What a module has that can play."""
    if name or "choose" in names:
        return names.get(name or "choose")
    for value in names.values():
        if isinstance(value, type) and value.__module__ == names["__name__"]:
            if any(hasattr(value, method) for method in methods):
                return value
    return None


def parameters(function):
    """The names of the parameters that a caller has to give."""
    code = getattr(function, "__code__", None)
    if code is None:
        return ()
    names = code.co_varnames[: code.co_argcount - len(function.__defaults__ or ())]
    return names[1:] if hasattr(function, "__self__") else names
