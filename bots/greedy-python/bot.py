#!/usr/bin/env python3
"""greta: a greedy bot for all four games.

It tries every legal move on the board, scores what comes out, and plays the best. It never looks at the answer.
A board is a dictionary: from a square, as a pair (column, row) counted from the upper left, to the letter that stands
there: ours, theirs, "." or "#".
"""

import random
import sys

GAMES = ["loa", "flipflop", "lineup", "gekitai"]
STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
AROUND = STRAIGHT + DIAGONAL


class Game:
    """What the referee has told us about the game being played."""

    def __init__(self):
        self.name = ""  # one of GAMES
        self.options = {}
        self.size = 8
        self.side = ""  # our letter on the board
        self.board = {}
        self.moves = []
        self.random = random.Random()

    def square(self, name):
        """The square of that name: "a2" has row 2, but in Gekitai rows count from 1; "20" is a number in FlipFlop."""
        if self.name == "flipflop":
            return int(name) % self.size, int(name) // self.size
        return ord(name[0]) - ord("a"), int(name[1:]) - (self.name == "gekitai")

    def best_move(self):
        """The best score, and a move that has it."""
        scores = {move: self.score(self.after(move)) for move in self.moves}
        best = max(scores.values())
        return best, self.random.choice([move for move in self.moves if scores[move] == best])

    def after(self, move):
        """The board after one of our moves."""
        board = dict(self.board)
        if move == "pass":
            return board
        if self.name == "loa":  # two squares: the piece goes from the first to the second
            board[self.square(move[:2])] = "."
            board[self.square(move[2:])] = self.side
            return board
        square = self.square(move)
        if self.name == "flipflop":
            for trapped in lines_trapped(board, square, self.side):
                board[trapped] = self.side
        elif self.name == "gekitai":
            push_away(board, self.board, square)
        board[square] = self.side
        return board

    def score(self, board):
        """How good a board is for us; higher is better."""
        own = {square for square, letter in board.items() if letter == self.side}
        if self.name == "loa":
            return togetherness(own)
        if self.name == "flipflop":
            return len(own)
        length = int(self.options["s" if self.name == "lineup" else "l"])
        return rows_gained(self.board, board, self.side, length)


def togetherness(own):
    """Lines of Action: a group costs 100, more than all distances together: fewer groups always win, and the distances
    decide between equals."""
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
            near = {(c + dc, r + dr) for dc, dr in AROUND} & left
            left -= near
            reached += near
    return count


def lines_trapped(board, square, side):
    """FlipFlop: the opponent's pieces between a square and a piece of ours, in all eight directions."""
    trapped = []
    for dc, dr in AROUND:
        line = []
        c, r = square[0] + dc, square[1] + dr
        while board.get((c, r), ".") not in (".", side):
            line.append((c, r))
            c, r = c + dc, r + dr
        if board.get((c, r)) == side:
            trapped += line
    return trapped


def push_away(board, before, square):
    """Gekitai: whatever stands beside the square goes one step away from it, if it can; off the board it is gone."""
    for dc, dr in AROUND:
        near = square[0] + dc, square[1] + dr
        behind = square[0] + 2 * dc, square[1] + 2 * dr
        if before.get(near, ".") != "." and before.get(behind, ".") == ".":
            board[near] = "."
            if behind in board:
                board[behind] = before[near]


def rows_gained(before, after, side, length):
    """Line 'em Up and Gekitai: how much more the rows through the changed squares are worth than they were."""
    rows = set()
    for c, r in (square for square, letter in after.items() if letter != before[square]):
        for dc, dr in ((0, 1), (1, 0), (1, 1), (1, -1)):
            rows |= {(c - k * dc, r - k * dr, dc, dr) for k in range(length)}
    gained = 0
    for c, r, dc, dr in rows:
        row = [(c + k * dc, r + k * dr) for k in range(length)]
        gained += row_worth(after, row, side) - row_worth(before, row, side)
    return gained


def row_worth(board, row, side):
    """A row counts for the side that alone occupies it, the more the fuller it is."""
    letters = [board.get(square, "#") for square in row]
    sides = set(letters) - {"."}
    if "#" in sides or len(sides) != 1:
        return 0
    worth = 8 ** (len(row) - letters.count("."))
    return worth if side in sides else -worth


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
        elif word == "game":
            game.name = rest[0]
            if game.name not in GAMES:
                sys.exit(f"greta plays {', '.join(GAMES)}; she does not know the rules of {game.name}")
        elif word == "option":
            game.options[rest[0]] = rest[1]
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
            rows = [next(sys.stdin).strip() for _ in range(game.size)]
            game.board = {(c, r): letter for r, row in enumerate(rows) for c, letter in enumerate(row)}
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
