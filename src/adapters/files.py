"""One process for each move: it reads input.txt, writes its move to output.txt, and ends.

input.txt has a line with the side, BLACK, WHITE or the letter of its pieces, a line with the
seconds that are left (0 without a clock), and the rows of the board. The first line of output.txt
is the move. The adapter starts the bot's command itself, in the bot's folder: it needs
`scratch = true` to write there, and a match whose `processes` are 2 or more. What it prints goes to
standard error. For other files copy this adapter and change `turn`.
"""

import os
import sys

from arbiter_adapter import Adapter, fault, quote, run, tell

COLOURS = {"B": "BLACK", "W": "WHITE"}


class Files(Adapter):
    def turn(self):
        game = self.game
        seconds = (game.clock.own or 0) / 1000
        lines = [COLOURS.get(game.side, game.side), f"{seconds:.3f}", *game.board]
        return self.run_bot(lines)[0].strip() or fault("wrote an empty line to output.txt")

    def run_bot(self, lines):
        """Runs the bot with these lines as input.txt and returns those of output.txt."""
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


run(Files)
