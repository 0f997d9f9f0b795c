"""The protocol of Gomocup, for brains of gomoku and its relatives.

A brain gets the position by BOARD in its first turn, or BEGIN if the board is empty, and then each
move of its opponent by TURN. INFO tells times and memory: `timeout_turn` is a twentieth of what is
left and the increment, or the time for each move.
"""

from arbiter_adapter import Adapter, number, quote, run

COMMENTS = ("MESSAGE", "DEBUG", "SUGGEST", "UNKNOWN")


class Gomocup(Adapter):
    lean = alternates = True

    def start(self):
        game, clock = self.game, self.game.clock
        square = game.rows == game.columns
        self.bot.send(f"START {game.rows}" if square else f"RECTSTART {game.columns},{game.rows}")
        while not self.bot.line().startswith("OK"):
            if not self.bot.said.startswith(COMMENTS):
                self.fault()
        self.bot.send(
            f"INFO timeout_turn {clock.move or clock.increment + (clock.base or 0) // 20}",
            f"INFO timeout_match {clock.base or 0}",
            f"INFO max_memory {game.limits['memory']}",
        )

    def turn(self):
        game, clock = self.game, self.game.clock
        if any("#" in row for row in game.board):
            self.fault("plays by Gomocup, whose boards have no blocks")
        if clock.own is not None and not clock.move:
            self.bot.send(
                f"INFO timeout_turn {clock.increment + (clock.own - clock.increment) // 20}",
                f"INFO time_left {clock.own}",
            )
        if not game.is_first_turn:
            self.bot.send(*[f"TURN {self.word(move)}" for _, move in game.since])
        elif game.since or list(game.pieces()):
            self.bot.send("BOARD", *self.stones(), "DONE")
        else:
            self.bot.send("BEGIN")

    def read(self, line):
        if not line or line.startswith(COMMENTS):
            return None
        column, comma, row = line.partition(",")
        column, row = number(column), number(row.strip())
        if column is None or row is None:
            self.fault()
        return self.game.square(row, column) or self.fault()

    def quit(self):
        self.bot.send("END")

    def stones(self):
        """The lines of BOARD: the stones in the order in which they were placed."""
        for side, row, column in self.game.pieces():
            yield f"{column},{row},{1 if side == self.game.side else 2}"
        for side, move in self.game.since:
            yield f"{self.word(move)},{1 if side == self.game.side else 2}"

    def word(self, move):
        places = self.game.places(move)
        if len(places) != 1:
            self.fault(f"plays by Gomocup, where a move is one square, not {quote(move)}")
        row, column = places[0]
        return f"{column},{row}"


run(Gomocup)
