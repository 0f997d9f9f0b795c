"""Starts an adapter whose sources come in the command line: the text of the module, the adapter's
name, its text, and the adapter's own words."""

import sys


def show(*error):
    import linecache
    import traceback

    for file, text in sources.items():
        linecache.cache[file] = len(text), None, text.splitlines(True), file
    traceback.print_exception(*error)


_, module, name, adapter, *words = sys.argv
sources = {"arbiter_adapter.py": module, name: adapter}
sys.argv = [name, *words]
sys.excepthook = show
loaded = sys.modules["arbiter_adapter"] = type(sys)("arbiter_adapter")
exec(compile(module, "arbiter_adapter.py", "exec"), vars(loaded))
try:
    exec(compile(adapter, name, "exec"), {"__name__": "__main__", "__file__": name})
except Exception as error:
    loaded.failed(error)
