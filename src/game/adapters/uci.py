"""UCI, the protocol of chess engines, for games whose moves are written as in chess.

Words of the adapter NAME=VALUE are options of the engine, such as `UCI_Variant=atomic`. If the
engine has a variant with the name of the game, it gets that by itself. The engine gets the position
where the game begins as FEN if White's side is a capital letter and Black's a small one, and
otherwise `startpos`. A pass is `0000`. Without a clock it has a second for each move.
"""

import sys

from arbiter_adapter import Adapter, run


class Uci(Adapter):
    lean = reuse = alternates = True
    is_started = False

    def start(self):
        self.infos = ""
        if not self.is_started:
            self.is_started = True
            self.set_options()
        self.bot.send("ucinewgame", "isready")
        while self.bot.line() != "readyok":
            pass

    def turn(self):
        game, clock = self.game, self.game.clock
        fen = game.fen()
        begin = f"position fen {fen} moves" if fen else "position startpos moves"
        moves = [self.word(move) for _, move in game.history]
        if clock.base is None:
            limit = f"movetime {clock.own or 1000}"
        else:
            own, other = "wb" if game.side == game.colour("W") else "bw"
            limit = (
                f"{own}time {clock.own} {other}time {clock.opponent}"
                f" {own}inc {clock.increment} {other}inc {clock.opponent_increment}"
            )
        self.bot.send(" ".join([begin, *moves]), f"go {limit}")

    def read(self, line):
        words = line.split()
        if words[:1] == ["info"]:
            self.infos = line[5:]
        if words[:1] != ["bestmove"]:
            return None
        if self.infos:
            self.info(self.infos)
            self.infos = ""
        if len(words) == 1:
            self.fault()
        return "pass" if words[1] == "0000" else words[1]

    def word(self, move):
        return "0000" if move == "pass" else move

    def set_options(self):
        options = []
        self.bot.send("uci")
        while self.bot.line() != "uciok":
            words = self.bot.said.split()
            if words[:3] == ["option", "name", "UCI_Variant"] and self.game.name in words[3:]:
                options.append(f"UCI_Variant={self.game.name}")
        for option in options + sys.argv[1:]:
            name, _, value = option.partition("=")
            self.bot.send(f"setoption name {name} value {value}")

    def quit(self):
        self.bot.send("quit")


run(Uci)
