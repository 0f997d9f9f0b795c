"""The Go Text Protocol, for engines of Go and of other games in which pieces are placed.

Columns are A to Z without I and rows count from below, as in GTP; in `hex` and `othello` columns have
an I and rows count from the top, as in engines for these games. The option `komi` of a game is sent.
Pieces of the first position are placed by `play`, but for the four with which `othello` begins.
Boards are squares of up to 25 rows, 26 with an I.
"""

from arbiter_adapter import Adapter, number, quote, run

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
COLUMNS_WITH_I = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Gtp(Adapter):
    lean = reuse = True

    def start(self):
        game, clock = self.game, self.game.clock
        if game.rows != game.columns or game.rows > len(self.columns()):
            most = len(self.columns())
            self.fault(f"plays by GTP, where a board is a square of up to {most} rows")
        self.ask(f"boardsize {game.rows}", "clear_board")
        if "komi" in game.options:
            self.ask(f"komi {game.options['komi']}")
        if clock.move:
            self.try_out(f"time_settings 0 {seconds(clock.move)} 1")
        elif clock.base:
            increment = clock.increment // 1000
            stones = 1 if increment else 0
            self.try_out(f"time_settings {seconds(clock.base)} {increment} {stones}")
        self.has_time_left = self.try_out("known_command time_left") == "= true"

    def turn(self):
        game = self.game
        commands = self.set_up() if game.is_first_turn else []
        for side, move in game.since:
            commands.append(f"play {self.colour(side)} {self.word(move)}")
        own = self.colour(game.side)
        if self.has_time_left and game.clock.own is not None:
            stones = 1 if game.clock.move else 0
            commands.append(f"time_left {own} {seconds(game.clock.own)} {stones}")
        return self.move(self.ask(*commands, f"genmove {own}")[1:].strip())

    def quit(self):
        self.bot.send("quit")

    def ask(self, *commands):
        """Sends commands and returns the answer to the last one."""
        self.bot.send(*commands)
        for command in commands:
            answer = self.answer_line()
            if answer[0] == "?":
                self.fault(f"answered {quote(answer)} to {quote(command)}")
        return answer

    def try_out(self, command):
        """Sends a command that an engine need not know."""
        self.bot.send(command)
        return self.answer_line()

    def answer_line(self):
        while True:
            line = self.bot.line()
            if line.startswith(("=", "?")):
                return line

    def set_up(self):
        pieces = list(self.game.pieces())
        if self.game.name == "othello" and len(pieces) == 4:
            return []
        return [
            f"play {self.colour(letter)} {self.word(self.game.square(row, column))}"
            for letter, row, column in pieces
        ]

    def colour(self, side):
        return "b" if side == self.game.colour("B") else "w"

    def from_top(self, row):
        """Counts rows from the other end where GTP does."""
        return row if self.has_i() else self.game.rows - 1 - row

    def has_i(self):
        return self.game.name in ("hex", "othello")

    def columns(self):
        return COLUMNS_WITH_I if self.has_i() else COLUMNS

    def word(self, move):
        places = self.game.places(move)
        if len(places) > 1:
            self.fault(f"plays by GTP, where a move is one square, not {quote(move)}")
        if not places:
            return move
        row, column = places[0]
        return f"{self.columns()[column]}{self.from_top(row) + 1}"

    def move(self, vertex):
        """A move in arbiter's words."""
        word = vertex.lower()
        row = number(word[1:])
        if row is None:
            return word if word.isalpha() else self.fault()
        column = self.columns().find(word[0].upper())
        return self.game.square(self.from_top(row - 1), column) or self.fault()


def seconds(milliseconds):
    return max(1, milliseconds // 1000)


run(Gtp)
