"""A UCI engine for the game of a rules file, which is its word; it always has the same start."""

import sys

from rules import Player

player = Player(sys.argv[1])
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name random\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        player.begin()
        for word in words[3:]:
            player.play("pass" if word == "0000" else word)
    elif words[0] == "go":
        print(f"info depth 1 score cp 0\nbestmove {player.choose()}", flush=True)
    elif words[0] == "quit":
        break
