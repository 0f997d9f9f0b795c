"""One process for each move: it reads input.txt, writes its move to output.txt, and ends.

input.txt has a line with the side, BLACK, WHITE or the letter of its pieces, a line with the
seconds that are left (0 without a clock), and the rows of the board. The first line of output.txt
is the move. The adapter starts the bot's command itself, in the bot's folder: it needs
`scratch = true` to write there, and a match whose `processes` are 2 or more. What it prints goes to
standard error. For other files copy this adapter and change `turn`.
"""

from arbiter_adapter import FilesBot, fault, run

COLOURS = {"B": "BLACK", "W": "WHITE"}


class Files(FilesBot):
    def turn(self):
        game = self.game
        seconds = (game.clock.own or 0) / 1000
        lines = [COLOURS.get(game.side, game.side), f"{seconds:.3f}", *game.board]
        return self.run_bot(lines)[0].strip() or fault("wrote an empty line to output.txt")


run(Files)
