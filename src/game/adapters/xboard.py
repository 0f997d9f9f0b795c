"""The protocol of XBoard (CECP), for engines of chess and its relatives.

The engine gets the position where the game begins as FEN if White's side is a capital letter and
Black's a small one, and its variant with the name of the game if it has one. A pass is `@@@@`.
Without a clock it has a second for each move.

GNU Chess 6 hangs in this mode: one of its threads holds the lock of standard input while it waits
for a line, and another one needs that lock to begin (for `setbuffer`). It gets it by chance, when
further lines come. It plays by UCI, `adapter:uci gnuchess --uci`.
"""

from arbiter_adapter import Adapter, quote, run

# Seconds for each line of features: some engines send none. The protocol says 2, which is not
# enough for slow starts on a busy machine.
PATIENCE = 5


class Xboard(Adapter):
    lean = reuse = alternates = True
    features = None

    def start(self):
        if self.features is None:
            self.features = {}
            self.bot.send("xboard", "protover 2")
            self.read_features()
        self.bot.send("new")
        if self.game.name in self.features.get("variants", "").split(","):
            self.bot.send(f"variant {self.game.name}")
        self.bot.send("force", "easy", "nopost", self.level())
        if self.features.get("ping") == "1":
            self.bot.send("ping 1")
            while self.bot.line() != "pong 1":
                pass

    def turn(self):
        game, clock = self.game, self.game.clock
        lines = ["force"]
        fen = game.fen() if game.is_first_turn else None
        if fen and self.features.get("setboard") != "1":
            self.fault(f"has no feature `setboard`, so it cannot play from {quote(fen)}")
        if fen:
            lines.append(f"setboard {fen}")
        prefix = "usermove " if self.features.get("usermove") == "1" else ""
        lines += [prefix + self.word(move) for _, move in game.since]
        if clock.own is not None:
            lines += [f"time {clock.own // 10}", f"otim {clock.opponent // 10}"]
        self.bot.send(*lines, "go")

    def read(self, line):
        self.read_feature(line)
        words = line.split()
        white = self.game.side == self.game.colour("W")
        if words[:1] == ["resign"] or words[:1] == ["0-1" if white else "1-0"]:
            return "resign"
        if line.startswith(("Illegal move", "tellusererror")):
            self.fault(f"answered {quote(line)} to {quote(self.game.last or 'go')}")
        # Older engines write `1. ... e2e4` or `My move is: e2e4`.
        is_move = words[:1] == ["move"] or words[1:2] == ["..."] or words[:2] == ["My", "move"]
        if len(words) < 2 or not is_move:
            return None
        return "pass" if words[-1] == "@@@@" else words[-1]

    def word(self, move):
        return "@@@@" if move == "pass" else move

    def quit(self):
        self.bot.send("quit")

    def level(self):
        clock = self.game.clock
        if clock.base is None:
            return f"st {max(1, (clock.move or 0) // 1000)}"
        minutes, seconds = divmod(max(1, clock.base // 1000), 60)
        return f"level 0 {minutes}:{seconds:02} {clock.increment / 1000:g}"

    def read_features(self):
        seconds = PATIENCE
        while self.features.get("done") != "1" and self.bot.line(seconds) is not None:
            self.read_feature(self.bot.said)
            if self.features.get("done") == "0":
                seconds = None  # it asks for more time

    def read_feature(self, line):
        """Reads a line such as `feature ping=1 variants="normal,suicide" done=1`."""
        if line.startswith("feature "):
            parts = line[8:].split('"')
            texts = iter(parts[1::2])
            for word in " ".join(parts[::2]).split():
                name, _, value = word.partition("=")
                self.features[name] = value or next(texts, "")


run(Xboard)
