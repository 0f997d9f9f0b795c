#!/usr/bin/env python3
"""Marks a class of made-up submissions of gekitai and prints its time and memory.

    python3 benches/grade/class.py                                       # 200 submissions
    python3 benches/grade/class.py --size 20 --concurrency 1

The class is the right program, its mutants of tests/grade/programs.toml, and programs that do not compile, do not end,
write without end, call themselves without end, crash and wait for more input, in turn. Python 3.11 and g++.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BROKEN = {
    "no C++": "int main() { this is no C++ }",
    "endless loop": "int main() { volatile int i = 0; while (true) i = 1; }",
    "endless output": '#include <cstdio>\nint main() { while (true) puts("Invalid move!"); }',
    "endless recursion": "int deep(int n) { volatile int m = n; return deep(m + 1) + m; }\nint main() { return deep(1); }",
    "crash": "int main() { volatile int *p = nullptr; *p = 1; }",
    "nothing printed": "int main() {}",
}


def built():
    """The release build of arbiter, wherever cargo puts it."""
    command = [ROOT / ".ci/built", "arbiter", "build", "--release", "--locked"]
    return subprocess.check_output(command, text=True).strip()


def programs(size):
    """Returns `size` pairs of a name and a source."""
    right = (ROOT / "src/grade/provided/gekitai.cpp").read_text()
    mutants = tomllib.loads((ROOT / "tests/grade/programs.toml").read_text())["gekitai"]
    kinds = [("right", right)] + [(m["name"], right.replace(m["old"], m["new"])) for m in mutants]
    kinds += [item for item in BROKEN.items() for _ in range(2)]
    return [kinds[i % len(kinds)] for i in range(size)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arbiter", type=Path, help="default: what cargo builds for release")
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--concurrency", type=int, default=2)
    arguments = parser.parse_args()
    arbiter = arguments.arbiter or built()
    with tempfile.TemporaryDirectory() as folder:
        handed_in, out = Path(folder) / "handed-in", Path(folder) / "marks"
        made = programs(arguments.size)
        for number, (kind, source) in enumerate(made, 1):
            student = handed_in / f"{number:03} {kind}".replace("/", " ")
            student.mkdir(parents=True)
            (student / "gekitai.cpp").write_text(source)
        command = [arbiter, "grade", "gekitai", "--class", handed_in, "--out", out]
        began = time.monotonic()
        status = subprocess.run([*command, "--concurrency", str(arguments.concurrency)], stdout=subprocess.DEVNULL).returncode
        took = time.monotonic() - began
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        if status != 0:
            sys.exit(f"arbiter ended with {status}")
        rows = (out / "class.csv").read_text().splitlines()[1:]
        if len(rows) != len(made):
            sys.exit(f"class.csv has {len(rows)} students, not {len(made)}")
        print(f"{len(made)} submissions of {len(Counter(kind for kind, _ in made))} kinds, {arguments.concurrency} at a time")
        print(f"{took:.0f} s, {took / len(made):.1f} s each; processor time {used.ru_utime + used.ru_stime:.0f} s")
        print(f"largest process {used.ru_maxrss / 1024:.0f} MiB")


main()
