"""A lock file of its own for the launcher's runs of one process, in a private mount namespace.

The launcher holds /tmp/stepgate-run.lock while it measures (harness/environment/guard/run_lock.h), because two runs would
measure each other. Runs in virtual time do not.
"""
import ctypes
import os
import pathlib

LOCK = pathlib.Path("/tmp/stepgate-run.lock")
CLONE_NEWNS = 0x00020000
CLONE_NEWUSER = 0x10000000
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18


def take_own_lock(folder):
    """OSError where this user may not have a namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    own = pathlib.Path(folder) / f"lock-{os.getpid()}"
    own.touch()
    LOCK.touch(exist_ok=True)
    flags = CLONE_NEWNS if os.geteuid() == 0 else CLONE_NEWNS | CLONE_NEWUSER
    steps = (lambda: libc.unshare(flags), lambda: libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None),
             lambda: libc.mount(os.fsencode(own), os.fsencode(LOCK), None, MS_BIND, None))
    for step in steps:
        if step() != 0:
            raise OSError(ctypes.get_errno(), f"no lock of its own in place of {LOCK}")


def can_have_own_lock():
    """Tried in a process of its own, which ends at once."""
    child = os.fork()
    if child == 0:
        try:
            libc = ctypes.CDLL(None, use_errno=True)
            os._exit(libc.unshare(CLONE_NEWNS if os.geteuid() == 0 else CLONE_NEWNS | CLONE_NEWUSER))
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
