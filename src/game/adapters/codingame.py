"""The lines of CodinGame: board, last move, number of moves, moves; the answer begins with a move.

There is no handshake. With its first turn, and only then, the program receives its colour: `b` for
the side B, or for the side that moves first if the sides are not B and W; else `w`. The board has
`b`, `w` and `.`. The last move is `null` if there is none. The answer `random` is a random move.
What follows a move is a comment. arbiter asks for no forced pass, so the program is asked for it
when it is on move again, in games whose moves go from one square to another: it answers `pass`.

Lines of Action has rows and columns exchanged as on the site, and rows count from below. Other
games have arbiter's squares and moves.
"""

from arbiter_adapter import Adapter, quote, run

LOA = {c + r: "abcdefgh"[int(r)] + str(104 - ord(c) + 1) for c in "abcdefgh" for r in "01234567"}
FROM_LOA = {theirs: ours for ours, theirs in LOA.items()}


class Codingame(Adapter):
    def start(self):
        self.is_loa = self.game.name == "loa"

    def turn(self):
        game = self.game
        if game.is_first_turn:
            self.bot.send(self.letter(game.side))
            self.board = [["."] * game.columns for _ in range(game.rows)]
            for letter, row, column in game.pieces():
                self.board[row][column] = letter
            last = None
        else:
            last = self.answer
            self.move_piece(last)
        for side, move in game.since:
            if move == "pass" and side == game.side and self.board:
                self.send_turn(self.board, last, ["pass"])
                self.read_pass()
            self.move_piece(move)
            last = move
        self.send_turn(game.board, last, game.moves)
        self.board = [list(row) for row in game.board]

    def read(self, line):
        line = line.strip()
        word = line[:4] if self.is_loa and line[:2] in FROM_LOA else line.split(" ")[0]
        if word == "random":
            moves = sorted(self.shown)
            mixed = (self.game.seed + self.game.turn) * 0x9E3779B97F4A7C15 % 2**64
            move = self.shown[moves[(mixed >> 32) % len(moves)]]
        elif word in self.shown:
            move = self.shown[word]
        elif self.is_loa:
            if len(word) < 4 or word[:2] not in FROM_LOA or word[2:] not in FROM_LOA:
                return None
            move = FROM_LOA[word[:2]] + FROM_LOA[word[2:]]
        elif word == "pass" or self.game.places(word):
            move = word
        else:
            return None
        comment = line[len(word) :].strip()
        if comment:
            self.info(comment)
        return move

    def read_pass(self):
        while True:
            move = self.read(self.bot.line())
            if move == "pass":
                return
            if move:
                self.fault(f"answered {quote(self.bot.said)} where `pass` was the only move")

    def send_turn(self, board, last, moves):
        rows = zip(*board) if self.is_loa else board
        self.shown = {self.text(move): move for move in moves}
        self.bot.send(
            *["".join([self.letter(cell) for cell in row]) for row in rows],
            self.text(last) if last else "null",
            str(len(moves)),
            *sorted(self.shown),
        )

    def move_piece(self, move):
        """Moves a piece on the board of the last turn, where a forced pass is shown."""
        places = self.game.places(move)
        if len(places) == 2 and self.board:
            (row, column), (to_row, to_column) = places
            self.board[to_row][to_column] = self.board[row][column]
            self.board[row][column] = "."
        elif move != "pass":
            self.board = None

    def letter(self, cell):
        if cell in ".#":
            return "."
        return "b" if cell == self.game.colour("B") else "w"

    def text(self, move):
        return LOA[move[:2]] + LOA[move[2:]] if self.is_loa and move != "pass" else move


run(Codingame)
