"""A bot that plays a legal move at random: your idea goes into choose()."""

import random


def choose(game):
    """Returns one of game.moves. `game` has the board, both sides, the clock and all moves so far
    (docs/guides/bots-as-they-are.md of arbiter)."""
    # YOUR IDEA GOES HERE
    return random.choice(game.moves)
