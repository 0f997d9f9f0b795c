#!/usr/bin/env python3
"""A bot that plays a legal move at random: your idea goes into choose()."""

import random
import sys


class Game:
    """What the referee has said about the game."""

    def __init__(self):
        self.name = ""  # loa, flipflop, lineup, gekitai, or a custom game
        self.options = {}  # the rules that can be set, such as {"n": "8"}
        self.me = ""  # the letter of our pieces
        self.opponent = ""  # the letter of theirs
        self.rows = 0  # the number of rows of the board
        self.board = []  # the rows from the top: board[0][2] is a square of the first row;
                         # "." is an empty one, "#" a block
        self.moves = []  # every legal move of this turn
        self.time = None  # the milliseconds that are left on our clock; None without a clock


def choose(game):
    """Returns one of game.moves."""
    # YOUR IDEA GOES HERE
    return random.choice(game.moves)


def say(text):
    """Sends a line. Without the flush it may stay in our buffer, and we lose on time."""
    print(text, flush=True)


def main():
    game = Game()
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "game":
            game.name = rest[0]
        elif word == "option":
            game.options[rest[0]] = rest[1]
        elif word == "size":
            game.rows = int(rest[0])  # if there is a second number, it is that of the columns
        elif word == "you":
            game.me = rest[0]
        elif word == "opponent":
            game.opponent = rest[0]
        elif word == "seed":
            random.seed(int(rest[0]))  # the same seed plays the same game again
        elif word == "start":
            say("ready")
        elif word == "clock":
            game.time = int(rest[0])
        elif word == "board":
            game.board = [sys.stdin.readline().strip() for _ in range(game.rows)]
        elif word == "moves":
            game.moves = rest
        elif word == "go":
            say("move " + choose(game))
        elif word == "quit":
            break
        # All other lines can be ignored.


if __name__ == "__main__":
    main()
