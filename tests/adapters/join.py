"""Joins an adapter and a bot as arbiter does: `python3 join.py gtp COMMAND…` is a bot for arbiter.

An adapter that starts its bot itself gets the command as its words: `python3 join.py python FILE`.
`python3 join.py FILE.py COMMAND…` takes an adapter of one's own. A first word `adapter:WORD` is a
word of the adapter.
"""

import os
import sys

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "adapters")
STARTS_ITS_BOT = ("python", "files")


def read(path):
    with open(path) as file:
        return file.read()


name, *command = sys.argv[1:]
path = name if name.endswith(".py") else os.path.join(SOURCES, name + ".py")
words = []
while command and command[0].startswith("adapter:"):
    words.append(command.pop(0)[len("adapter:") :])
if name in STARTS_ITS_BOT:
    words += command[0].split(":") + command[1:]
else:
    bot_reads, to_bot = os.pipe()
    from_bot, bot_writes = os.pipe()
    os.posix_spawnp(
        command[0],
        command,
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, bot_reads, 0),
            (os.POSIX_SPAWN_DUP2, bot_writes, 1),
        ],
    )
    os.close(bot_reads)
    os.close(bot_writes)
    os.set_inheritable(from_bot, True)
    os.set_inheritable(to_bot, True)
    os.environ["ARBITER_BOT"] = f"{from_bot} {to_bot}"
boot, module = (read(os.path.join(SOURCES, file)) for file in ("boot.py", "arbiter_adapter.py"))
source = [boot, module, os.path.basename(path), read(path)]
os.execvp("python3", ["python3", "-I", "-S", "-B", "-c", *source, *words])
