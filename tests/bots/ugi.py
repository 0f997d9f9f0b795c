"""Speaks the Universal Game Interface and plays the first legal move of a game whose rules are a Python file: ugi.py RULES.py
[FAULT].
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bots/playout-python"))
import arbiter_rules

FAULT = sys.argv[2] if len(sys.argv) > 2 else ""


def say(text):
    print(text, flush=True)


def main():
    options, rules, position = {}, None, None
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "ugi" and FAULT != "never-ugiok":
            say("id name first\nugiok")
            if FAULT == "dies":
                sys.exit(3)
        elif word == "setoption" and rest[1] not in ("Game", "RandomSeed"):
            options[rest[1]] = rest[3]
        elif word == "uginewgame":
            rules, options = arbiter_rules.load(sys.argv[1], options), {}
        elif word == "isready":
            say({"no-readyok": "bestmove 1", "before-go": "readyok\nbestmove 1"}.get(FAULT, "readyok"))
        elif word == "position":
            at = rest.index("moves") if "moves" in rest else len(rest)
            position = rules.start() if rest[0] == "startpos" else rules.read(" ".join(rest[1:at]))
            for move in rest[at + 1 :]:
                position = rules.play(position, move)
        elif word == "go" and FAULT != "before-go":
            say("bestmove " + (FAULT if FAULT in ("zz9", "(none)", "resign") else rules.moves(position)[0]))
        elif word == "quit":
            break


main()
