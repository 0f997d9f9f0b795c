#!/usr/bin/env python3
"""greta: a greedy bot for Lines of Action.

It tries every legal move on the board, scores what comes out, and plays the best. It never looks at the answer.
"""

import random
import sys


class Game:
    """What the referee has told us about the game being played."""

    def __init__(self):
        self.size = 8
        self.side = "B"  # our letter on the board
        self.board = []  # strings; column c of row r is board[r][c]
        self.moves = []  # texts such as "a2c4": from column a, row 2 to column c, row 4
        self.random = random.Random()

    def own_pieces(self):
        """The squares of our pieces, as pairs (column, row)."""
        return {(c, r) for r, row in enumerate(self.board) for c, piece in enumerate(row) if piece == self.side}

    def best_move(self):
        """The best score, and a move that has it."""
        own = self.own_pieces()
        scores = {}
        for move in self.moves:
            start, end = squares(move)
            scores[move] = score(own - {start} | {end})
        best = max(scores.values())
        return best, self.random.choice([move for move in self.moves if scores[move] == best])


def squares(move):
    """The two squares of a move: "a2c4" gives ((0, 2), (2, 4))."""
    return (ord(move[0]) - ord("a"), int(move[1])), (ord(move[2]) - ord("a"), int(move[3]))


def score(own):
    """How good these squares are for our pieces; higher is better.

    A group costs 100, more than all distances together: fewer groups always win, and the distances decide between equals.
    """
    centre_c = sum(c for c, _ in own) / len(own)
    centre_r = sum(r for _, r in own) / len(own)
    distances = sum(max(abs(c - centre_c), abs(r - centre_r)) for c, r in own)
    return -100 * groups(own) - distances


def groups(own):
    """Into how many groups the pieces fall; neighbours in all eight directions belong together."""
    left = set(own)
    count = 0
    while left:
        count += 1
        reached = [left.pop()]
        while reached:
            c, r = reached.pop()
            near = {(c + dc, r + dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1)} & left
            left -= near
            reached += near
    return count


def say(text):
    """One line to the referee. The flush matters: an answer left in our own buffer loses on time."""
    print(text, flush=True)


def main():
    game = Game()
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        # Before the game: `arena`, then a line for each setting, then `start`.
        if word == "arena":
            game = Game()  # another game: forget the last one
        elif word == "size":
            game.size = int(rest[0])
        elif word == "you":
            game.side = rest[0]
        elif word == "seed":
            game.random = random.Random(int(rest[0]))  # the same seed plays the same game again
        elif word == "start":
            say("ready reuse")  # `reuse`: this process can play the next game as well
        # Our turn: `board` and its rows, `moves`, then `go`. The clock runs until our `move` line is complete.
        elif word == "board":
            game.board = [next(sys.stdin).strip() for _ in range(game.size)]
        elif word == "moves":
            game.moves = rest
        elif word == "go":
            best, move = game.best_move()
            say(f"info score {best:.1f}")  # for the game log; leave it out if you like
            say(f"move {move}")
        elif word == "quit":
            break
        # Everything else (`clock`, `since`, `end`, ...) is good to know and safe to ignore.


if __name__ == "__main__":
    main()
