#!/usr/bin/env python3
"""A correct bot, except in one situation: picky.py SITUATION. It answers with the first of `moves`.

`arbiter check` must find each in the situation that it is about (tests/it/check).
"""

import sys
import time

situation = sys.argv[1]
reuse = situation in ("keeps-a-count", "keeps-its-turn")
games = 0
answers = 0
answered = 0  # of this process
clock = {}
moves = []


def say(text):
    print(text, flush=situation != "unflushed")


def fails_at(wanted, what):
    """Ends with an error if this is the bot that cannot stand that."""
    if situation == wanted:
        raise ValueError(what)


if situation == "module":
    import a_module_that_no_machine_has
if situation == "network":
    import socket

    socket.socket()
if situation == "threads":  # the default limit is 64
    import _thread

    for _ in range(58):
        _thread.start_new_thread(time.sleep, (600,))

for line in sys.stdin:
    word, *words = line.split() or [""]
    if word == "arena":
        games += 1
        if situation != "keeps-its-turn":
            answers = 0
    elif word == "size" and words == ["20"]:
        fails_at("size-20", "a board of 20 rows")
    elif word == "option" and words == ["stuck", "loss"]:
        fails_at("option", "an option that it does not know")
    elif word == "time":
        clock = {"kind": words[0]}
        if words[0] == "move":
            fails_at("time-move", "a time that it does not know")
    elif word == "clock":
        clock["left"] = int(words[0])
    elif word == "start":
        say("ready reuse" if reuse else "ready")
    elif word == "position" and words[0] != "1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1":
        fails_at("position", "an unusual start")
    elif word == "since":
        if len(line) > 4095:
            fails_at("long-line", "a line that is too long")
        if "pass" in words:
            fails_at("pass", "a pass")
    elif word == "illegal":
        fails_at("illegal", "it cannot take a ply back")
    elif word == "moves":
        moves = words
    elif word == "go":
        if situation == "one-ply" and len(moves) == 1:
            fails_at("one-ply", "it chooses among two")
        if situation == "time-none":
            clock["left"] // 30
        if situation == "keeps-its-turn" and games > 1 and answers > 8:
            fails_at("keeps-its-turn", "too many turns")
        if situation == "third-answer" and answers == 2:
            fails_at("third-answer", "its third answer")
        if situation == "slow" and clock["kind"] in ("100", "10000"):
            time.sleep(0.6)
        say("move " + moves[(games if situation == "keeps-a-count" else 1) % len(moves)])
        answers += 1
    elif word == "quit":
        if situation == "stays":
            time.sleep(600)
        break
    elif word not in (
        "id game option size you opponent limit seed first position turn board piece end why".split()
    ) and not set(word) <= set(".#BWOX"):
        fails_at("unknown", "a word that it does not know")
if situation == "stays-at-end":
    time.sleep(600)
