"""A player of random moves for stand-in engines: an organiser's rules file says what is legal."""

import random


class Player:
    def __init__(self, file):
        self.rules = {"option": lambda key, default, values, about: default}
        with open(file) as text:
            exec(text.read(), self.rules)
        self.random = random.Random("1")
        self.begin()

    def begin(self):
        self.position = self.rules["start"]()

    def moves(self):
        """The legal moves by their texts."""
        board, *rest = self.position
        moves = self.rules["moves"]([list(row) for row in board], *rest)
        return {self.text(move): move for move in moves}

    def play(self, text):
        move = self.moves()[text]
        board, *rest = self.position
        self.position = self.rules["play"]([list(row) for row in board], *rest, move)

    def choose(self):
        return self.random.choice(sorted(self.moves()))

    def text(self, move):
        if isinstance(move, str):
            return move
        rows = self.rules.get("row_names") or [str(row + 1) for row in range(32)]
        squares = [move] if isinstance(move[0], int) else move
        return "".join(chr(ord("a") + column) + rows[row] for row, column in squares)
