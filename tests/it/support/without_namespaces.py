"""Becomes a command where no namespace can be made: without_namespaces.py COMMAND [ARGUMENT]...

It runs in a user namespace of its own, in which the limit for further namespaces of every kind is 0. Users have the same
numbers there as outside: all of them for root, else only the user that this is, who has no capability there. Exit status
77: this machine does not allow that.
"""

import ctypes
import os
import sys

CLONE_NEWUSER = 0x10000000
LIMITS = "/proc/sys/user"


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def map_users(process, users, groups):
    write(f"/proc/{process}/uid_map", users)
    write(f"/proc/{process}/gid_map", groups)


def map_all_from_outside():
    """Starts a process that maps all users, which has to be outside of the new namespace; returns what it waits for."""
    process, (below, above) = os.getpid(), os.pipe()
    child = os.fork()
    if child == 0:
        os.close(above)
        os.read(below, 1)
        try:
            map_users(process, *["0 0 4294967295"] * 2)
        except OSError:
            os._exit(1)
        os._exit(0)
    os.close(below)
    return child, above


def arrange():
    user, group = os.getuid(), os.getgid()
    child, channel = map_all_from_outside() if user == 0 else (None, None)
    libc = ctypes.CDLL(None, use_errno=True)
    refused = libc.unshare(CLONE_NEWUSER) and OSError(ctypes.get_errno(), "unshare")
    if child:
        os.close(channel)
        if os.waitpid(child, 0)[1]:
            refused = refused or OSError("the users could not be mapped")
    if refused:
        raise refused
    if not child:
        write("/proc/self/setgroups", "deny")
        map_users("self", f"{user} {user} 1", f"{group} {group} 1")
    for limit in os.listdir(LIMITS):
        if limit.endswith("_namespaces"):
            write(os.path.join(LIMITS, limit), "0")


try:
    arrange()
except OSError as refusal:
    print(f"without_namespaces: {refusal}", file=sys.stderr)
    sys.exit(77)
os.execvp(sys.argv[1], sys.argv[1:])
