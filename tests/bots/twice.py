"""A bot that answers each question twice: twice.py MILLISECONDS, or twice.py early.

The first answer has an `info` line with the number of the ply that it answers. The second one, another legal ply, is
written this much later, or in the same write if that is 0. With `early` the first one comes before the bot has read
`go`, so that either may be the answer, and both have the line. Arbiter must take none for the answer to the next
question.
"""

import os
import sys
import time

EARLY = sys.argv[1] == "early"
DELAY = 0 if EARLY else float(sys.argv[1]) / 1000


def say(text):
    os.write(1, text.encode())


turn = None
for line in sys.stdin:
    words = line.split() or [""]
    if words[0] == "start":
        say("ready\n")
    elif words[0] == "turn":
        turn = words[1]
    elif words[0] == "moves":
        answer, late = f"info {turn}\nmove {words[1]}\n", f"move {words[-1]}\n"
        if EARLY:
            say(answer)
    elif words[0] == "go":
        if EARLY:
            say(f"info {turn}\n{late}")
        elif DELAY == 0:
            say(answer + late)
        else:
            say(answer)
            time.sleep(DELAY)
            say(late)
