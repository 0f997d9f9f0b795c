"""A bot that answers each question twice: twice.py MILLISECONDS.

The first answer has an `info` line with the number of the ply that it answers. The second one, another legal ply, is
written this much later, or in the same write if that is 0: arbiter must take none of them for the answer to the next
question.
"""

import os
import sys
import time

DELAY = float(sys.argv[1]) / 1000


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
        first, second = words[1], words[-1]
    elif words[0] == "go":
        answer, late = f"info {turn}\nmove {first}\n", f"move {second}\n"
        if DELAY == 0:
            say(answer + late)
        else:
            say(answer)
            time.sleep(DELAY)
            say(late)
