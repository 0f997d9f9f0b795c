"""An XBoard engine for the game of a rules file, its word; it always has the same start."""

import sys

from rules import Player

player = Player(sys.argv[1])
for line in sys.stdin:
    command, _, word = line.strip().partition(" ")
    if command == "protover":
        print('feature myname="a random one" usermove=1 setboard=1 ping=1 done=1', flush=True)
    elif command == "ping":
        print("pong", word, flush=True)
    elif command == "new":
        player.begin()
    elif command == "usermove":
        word = "pass" if word == "@@@@" else word
        if word in player.moves():
            player.play(word)
        else:
            print("Illegal move:", word, flush=True)
    elif command == "go":
        word = player.choose()
        player.play(word)
        print("move", "@@@@" if word == "pass" else word, flush=True)
    elif command == "quit":
        break
