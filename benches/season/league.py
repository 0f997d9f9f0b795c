#!/usr/bin/env python3
"""Measures how long a league with many games takes from its start to the first new game, and from Ctrl-C to
its tables, its page and its end.

    python3 benches/season/league.py                                     # 300 bots, 25,000 games
    python3 benches/season/league.py --bots 20 --games 500 --sandbox strict

The bots are those of season.py, which plays a whole season. The league is interrupted when it has so many
games; then it is continued and interrupted after its first new game, as often as `--times` says. Linux, Python 3
(standard library) and a C compiler.
"""

import argparse
import os
import shutil
import signal
import sys
import time
from pathlib import Path

from season import Journal, Place, built, text

TICK = 0.002  # seconds between two looks at the journal
# In the order in which they are written.
FILES = ["games.pgn", "standings.md", "standings.json", "report.html"]


class League:
    def __init__(self, options):
        pairings = options.bots * (options.bots - 1) // 2
        games = -(-max(2 * options.games, 100_000) // pairings)  # so many that none of the runs plays the last one
        schedule = f'format = "round-robin"\ngames = {games + games % 2}'
        self.options, self.place = options, Place(options, schedule)
        self.out = self.place.dir / "league"
        self.journal = Journal(self.out / "journal.jsonl")
        self.process = None
        self.ends = []  # of each run: for each file, and for the end, the seconds from Ctrl-C on

    def run(self, games):
        """Continues the league until so many games are new; the seconds from its start to the first of them."""
        before, began = self.journal.count(), time.time()
        arguments = ["tournament", self.place.config, "--out", self.out, "--concurrency", self.options.concurrency]
        process = self.process = self.place.start(arguments, "league.txt")
        first = None
        while self.journal.count() < before + games:
            if process.poll() is not None:
                sys.exit(f"the league ended with {process.returncode}: {text(self.place.logs / 'league.txt')[-500:]}")
            first = first or (time.time() if self.journal.games > before else None)
            time.sleep(TICK)
        first, interrupted = first or time.time(), time.time()
        process.send_signal(signal.SIGINT)
        if process.wait() not in (0, 130):
            sys.exit(f"the league ended with {process.returncode}: {text(self.place.logs / 'league.txt')[-500:]}")
        written = [(self.out / name).stat().st_ctime for name in FILES]
        self.ends.append([moment - interrupted for moment in [*written, time.time()]])
        return first - began

    def measure(self):
        options = self.options
        print(f"{options.bots} bots under {options.sandbox}, at most {options.plies} plies a game", flush=True)
        empty = self.run(options.games)
        size = self.journal.path.stat().st_size / 1e6
        print(f"{self.journal.games} games are recorded, {size:.0f} MB", flush=True)
        later = [self.run(1) for _ in range(options.times)]
        show = lambda what, times: print(f"  {what:<48}" + "".join(f"{seconds:8.2f}" for seconds in times) + " s")
        show("start to the first game, in an empty folder", [empty])
        show("start to the first new game", later)
        for name, *times in zip([*FILES, "the end"], *self.ends[1:]):
            show(f"Ctrl-C to {name}", times)


def arguments():
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("--arbiter", type=Path, help="default: what cargo builds for release")
    parser.add_argument("--bots", type=int, default=300)
    parser.add_argument("--games", type=int, default=25_000, help="that are recorded")
    parser.add_argument("--plies", type=int, default=20, help="of the longest game")
    parser.add_argument("--times", type=int, default=3, help="how often it is continued")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sandbox", default="basic", choices=["off", "basic", "strict"])
    parser.add_argument("--dir", default=None, help="where its folder is made and removed; default: TMPDIR")
    options = parser.parse_args()
    options.arbiter = options.arbiter or built()
    return options


def main():
    os.environ.pop("ARBITER_SEASON", None)  # without a file system of its own
    # A shell's background jobs ignore SIGINT, and arbiter respects that. A signal that is caught here has its default in a
    # program that is started.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    league = League(arguments())
    try:
        league.measure()
    finally:
        if league.process and league.process.poll() is None:
            league.process.kill()  # after an error of this script; its bots end with it
            league.process.wait()
        shutil.rmtree(league.place.dir)


if __name__ == "__main__":
    main()
