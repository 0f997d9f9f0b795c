"""A function or a class in a Python file, such as `def choose(game): return game.moves[0]`.

The command is FILE, or FILE:NAME for a certain function or class. PythonBot in arbiter_adapter.py
says what is called. Prints go to standard error. An exception loses; the reason is the innermost
line of the bot's own files.
"""

from arbiter_adapter import PythonBot, run

run(PythonBot)
