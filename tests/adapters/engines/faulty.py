"""Answers the first lines of PROTOCOL and then with a fault: the words are PROTOCOL and FAULT."""

import os
import sys
import time

ANSWERS = {
    "gtp": {"boardsize": "=\n", "clear": "=\n", "time": "=\n", "known": "= true\n"},
    "gomocup": {"START": "OK"},
    "uci": {"uci": "uciok", "isready": "readyok"},
    "xboard": {"protover": "feature setboard=1 done=1"},
    "lines": {},
}
QUESTIONS = {"gtp": "genmove", "gomocup": "BEGIN", "uci": "go", "xboard": "go", "lines": "begin"}
ILLEGAL = {
    "gtp": "= Z99\n",
    "gomocup": "99,99",
    "uci": "bestmove z9",
    "xboard": "move z9",
    "lines": "z9",
}
ODD = {"gtp": "= a\u00b2\n", "gomocup": "\u00b2,1"}  # a digit that is no number
REFUSAL = {"gtp": "? no\n", "gomocup": "ERROR no", "xboard": "Illegal move: z9", "uci": "bestmove"}
FIRST = {"gomocup": "0,0", "uci": "bestmove a1", "xboard": "move a1"}
COMMENT = {"gomocup": "MESSAGE thinking", "uci": "info depth 1"}
protocol, kind = sys.argv[1:]
kept = []
for line in sys.stdin:
    word = line.split()[0].split("_")[0]
    if word in ANSWERS[protocol]:
        print(ANSWERS[protocol][word], flush=True)
    elif word == QUESTIONS[protocol]:
        if kind == "plays":
            print(FIRST[protocol], flush=True)
        elif kind == "illegal":
            print(ILLEGAL[protocol], flush=True)
        elif kind == "odd":
            print(ODD[protocol], flush=True)
        elif kind == "refusal":
            print(REFUSAL.get(protocol, "no"), flush=True)
        elif kind == "garbage":
            sys.stdout.buffer.write(b"\x00\xff\xfe what?\n")
            sys.stdout.flush()
        elif kind == "long":
            print("x" * 100000, flush=True)
        elif kind == "crash":
            sys.exit("it breaks")
        elif kind == "late":
            print(COMMENT.get(protocol, "thinking"), flush=True)
            time.sleep(30)
            print(ILLEGAL[protocol], flush=True)
        elif kind == "silent":
            time.sleep(3600)
        elif kind == "closes":
            os.close(1)
            time.sleep(3600)
        elif kind == "buffered":
            kept.append(FIRST[protocol])
print(*kept, sep="\n")
