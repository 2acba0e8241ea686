"""A mount namespace in which everything but one folder is read-only, so that no mutation can touch the machine."""

import ctypes
import os

CLONE_NEWNS = 0x00020000
CLONE_NEWUSER = 0x10000000
MS_RDONLY, MS_NOSUID, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 32, 4096, 16384, 1 << 18
RUN_LOCK = b"/tmp/stepgate-run.lock"  # the only file that stepgate writes outside the folders that it is given
libc = ctypes.CDLL(None, use_errno=True)


def enter(writable):
    """Moves this process into the namespace; only `writable`, a new tmpfs, takes files. False where this user may not."""
    flags = CLONE_NEWNS if os.geteuid() == 0 else CLONE_NEWNS | CLONE_NEWUSER
    if libc.unshare(flags) != 0:
        return False
    if libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) != 0:
        return False
    if libc.mount(b"tmpfs", os.fsencode(writable), b"tmpfs", MS_NOSUID, b"size=4g") != 0:
        return False
    own_lock = os.path.join(os.fsencode(writable), b"run.lock")
    for file in (own_lock, RUN_LOCK):
        os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o666))
    if libc.mount(own_lock, RUN_LOCK, None, MS_BIND, None) != 0:
        return False
    for point in mount_points():
        if point not in (os.fsencode(writable), RUN_LOCK) and not point.startswith(b"/dev/pts"):
            libc.mount(None, point, None, MS_REMOUNT | MS_BIND | MS_RDONLY, None)  # a mount below a hidden folder fails; no harm
    return not can_write("/") and not can_write("/dev/shm")


def mount_points():
    with open("/proc/self/mountinfo", "rb") as table:
        return sorted({line.split()[4].decode("unicode_escape").encode("latin-1") for line in table})


def can_write(folder):
    probe = os.path.join(folder, f"stepgate-attack-{os.getpid()}")
    try:
        os.close(os.open(probe, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except OSError:
        return False
    os.unlink(probe)
    return True
