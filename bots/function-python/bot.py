"""A bot that plays a legal move at random: your idea goes into choose()."""

import random


def choose(game):
    """Returns one of game.moves. `game` has the board, both sides, the clock and all moves so far
    (docs/bots-as-they-are.md of arbiter)."""
    # YOUR IDEA GOES HERE
    chance = random.Random(game.seed + game.turn)  # the same seed plays the same game again
    return chance.choice(game.moves)
