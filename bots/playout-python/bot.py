#!/usr/bin/env python3
"""playa: plays any game whose rules are one Python file, by playouts: bot.py [FILE.py] [playouts=N].

It plays games at random from the position on, as many as it has time for, and takes the move that most of them began with.
Moves that have won more are tried more often (the method is called UCT). Without FILE.py the rules are in the file beside
this one that has the name of the game. With playouts=N each move takes so many, and the same seed plays the same game again;
otherwise a part of the clock is used, or 400 playouts where there is none.
"""

import math
import os
import random
import sys
import time

import arbiter_rules

LONGEST = 400  # plies of a playout; a longer one counts as a draw
WITHOUT_CLOCK = 400  # playouts of a move


class Node:
    """A position in the tree of those that were reached more than once."""

    def __init__(self, position):
        self.position = position
        self.untried = None  # the moves without a node yet, once they are known
        self.children = {}  # from a move to its node
        self.visits = 0
        self.score = 0.0  # for the side that moved into this position: a win is 1, a draw one half

    def most_promising(self):
        """The move whose results, or whose lack of them, promise most."""
        logarithm = math.log(self.visits)

        def promise(move):
            child = self.children[move]
            return child.score / child.visits + math.sqrt(logarithm / child.visits)

        return max(self.children, key=promise)


class OutOfTime(Exception):
    """The time for this move is over in the middle of a playout."""


class Player:
    def __init__(self, rules, seed, playouts):
        self.rules = rules
        self.random = random.Random(seed)
        self.playouts = playouts  # of each move, or None
        self.end = math.inf  # of the time for this move

    def best_move(self, text, seconds):
        """The best move in a position, and what to tell about it."""
        root = Node(self.rules.read(text))
        self.end = math.inf if seconds is None or self.playouts else time.monotonic() + seconds
        most = self.playouts or (WITHOUT_CLOCK if seconds is None else math.inf)
        try:
            while root.visits < most:
                self.playout(root)
        except OutOfTime:
            pass
        except arbiter_rules.Fault as fault:
            print(f"the rules fail in a playout: {fault}", file=sys.stderr)
        moves = root.children or {move: Node(root.position) for move in self.rules.moves(root.position)}
        # Where there was time for a few playouts alone, most moves have as many, and the score decides.
        move = max(moves, key=lambda move: (moves[move].visits, moves[move].score))
        share = moves[move].score / max(1, moves[move].visits)
        return move, f"playouts {root.visits} score {share:.2f}"

    def playout(self, root):
        """Plays a game to its end: first within the tree, which grows by one node, then at random."""
        rules, node, path = self.rules, root, [root]
        while rules.ending(node.position) is None:
            if node.untried is None:
                node.untried = rules.moves(node.position)
                self.random.shuffle(node.untried)
            is_new = bool(node.untried)
            move = node.untried.pop() if is_new else node.most_promising()
            if is_new:
                node.children[move] = Node(rules.play(node.position, move))
            node = node.children[move]
            path.append(node)
            if is_new:
                break
        winner = self.winner(node.position)
        root.visits += 1
        for parent, child in zip(path, path[1:]):
            child.visits += 1
            child.score += 0.5 if winner is None else float(winner == parent.position.side)

    def winner(self, position):
        """The winner of a game that is played to its end at random; None for a draw."""
        for _ in range(LONGEST):
            if time.monotonic() > self.end:
                raise OutOfTime
            ending = self.rules.ending(position)
            if ending is not None:
                return ending[0]
            position = self.rules.play(position, self.random.choice(self.rules.moves(position)))
        return None


def load(file, game, options):
    """The rules of a game: those in `file`, or in the file beside this one; None if there are none beside it."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{game}.py")
    try:
        return arbiter_rules.load(file or beside, options)
    except (OSError, ValueError, arbiter_rules.Fault) as error:
        if file:
            sys.exit(f"the rules in {file} cannot be used: {error}")
        print(f"it plays at random, for it has no rules of {game}: {error}", file=sys.stderr)
        return None


def say(text):
    """One line to the referee. The flush matters: an answer left in our own buffer loses on time."""
    print(text, flush=True)


def main():
    file = next((word for word in sys.argv[1:] if word.endswith(".py")), None)
    playouts = next((int(word[9:]) for word in sys.argv[1:] if word.startswith("playouts=")), None)
    game, options, seed, is_per_move = "", {}, 0, False
    player, moves, position, seconds = None, [], "", None
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        # Before the game: `arena`, then a line for each setting, then `start`. The time until `ready` is free.
        if word == "arena":
            options, seconds = {}, None
        elif word == "game":
            game = rest[0]
        elif word == "option":
            options[rest[0]] = rest[1]
        elif word == "time":
            is_per_move = rest[0] == "move"
        elif word == "seed":
            seed = int(rest[0])
        elif word == "start":
            rules = load(file, game, options)
            player = Player(rules, seed, playouts)
            say("ready reuse position")  # `position`: each turn has the text of its position
        # Our turn. The clock runs until our `move` line is complete.
        elif word == "position":
            position = " ".join(rest)
        elif word == "moves":
            moves = rest
        elif word == "clock":
            seconds = int(rest[0]) / 1000 * (0.7 if is_per_move else 0.04)
        elif word == "go":
            if player.rules is None or len(moves) == 1:
                say(f"move {player.random.choice(moves)}")
                continue
            move, told = player.best_move(position, seconds)
            say(f"info {told}")  # for the game log; leave it out if you like
            say(f"move {move}")
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
