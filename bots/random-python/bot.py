#!/usr/bin/env python3
"""randy: plays a legal move at random. This is a complete bot."""

import random
import sys

moves = []

for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "start":  # a game is about to begin
        print("ready", flush=True)
    elif word == "moves":  # every legal move of this turn
        moves = rest
    elif word == "go":  # your turn: the clock is running
        print("move", random.choice(moves), flush=True)
