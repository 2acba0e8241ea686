"""Kills every writing command at each of its system calls on the project's files, and lets each of these calls fail.

strace does it to the real program. Whatever happens, a baseline and every other document is old or new, never torn, and
the same command run again succeeds. A call that a signal interrupts is no failure, and a killed writer leaves no file of its own.
"""

import json
import os
import random as random_numbers
import re
import shutil

import study_targets
from file_attack import (AB, ACCEPT, BEGIN, CHECK, GATE, HISTORY_ACK, HISTORY_ADD, JUDGED, MERGE, PROFILE, REPORT, SWEEP, TIMELINE, expect,
                         reset)
from invariants import broken
from workplace import CASE

ERRORS = {
    "openat": ("EACCES", "EMFILE", "ENOSPC"), "write": ("ENOSPC", "EIO"), "pwrite64": ("ENOSPC",), "fsync": ("EIO",), "fdatasync": ("EIO",),
    "rename": ("EACCES", "ENOSPC"), "renameat": ("EACCES",), "renameat2": ("EACCES",), "mkdir": ("EACCES", "ENOSPC"), "mkdirat": ("EACCES",),
    "unlink": ("EACCES",), "unlinkat": ("EACCES",), "link": ("EMLINK",), "linkat": ("EMLINK",), "symlink": ("EACCES",), "ftruncate": ("EFBIG",),
    "flock": ("ENOLCK",), "fchmod": ("EPERM",), "copy_file_range": ("EIO",), "sendfile": ("EIO",),
}
# POSIX lets these be interrupted, on a slow network file system at least. A call of the C++ library is never repeated.
INTERRUPTED = {"write", "pwrite64", "fsync", "fdatasync", "rename", "link", "linkat", "ftruncate", "flock", "fchmod"}
REPORT_FILES = ("report", CASE, "--build", "build", "--markdown", "summary.md", "--junit", "junit.xml")
# name, project, command, status without a fault
COMMANDS = [("accept", "pending", ACCEPT, 0), ("gate", "green", GATE, 0), ("check", "red", CHECK, 1), ("report", "green", REPORT_FILES, 0),
            ("last lines", "green", JUDGED, 77), ("timeline", "green", TIMELINE, 0), ("begin", "green", BEGIN, 0), ("edited gate", "edited", GATE, 1), ("sweep", "green", SWEEP, 0), ("pairs", "pairs", AB, 4),
            ("history", "green", HISTORY_ADD, 0), ("import", "imported", study_targets.IMPORT, 0), ("plot", "imported", study_targets.PLOT, 0),
            ("table", "imported", study_targets.TABLE, 0), ("shard", "shared", study_targets.SHARD, 0), ("profile", "green", PROFILE, 0),
            ("acknowledge", "alert", HISTORY_ACK, 0), ("merge", "red plan", MERGE, 1),
            ("new project", "green", ("init", "new"), 0),
            ("plan", "green", ("plan", "ab", CASE, "--build", "build", "--base-build", "base", "--tier", "exact", "--shards", "2", "--out", "plan"), 0)]


def traced_calls(place, words):
    """(name, number) of each call of the launcher on a file of the project. strace counts each name on its own."""
    log = place.folder / "tmp/calls"
    place.run(*words, prefix=("strace", "-qq", "-y", "-e", "trace=" + ",".join(ERRORS), "-o", str(log)), limit_s=60)
    seen, calls = {}, []
    for line in log.read_text(errors="replace").splitlines():
        match = re.match(r"([a-z0-9]+)\(", line)
        if not match:
            continue
        name = match.group(1)
        seen[name] = seen.get(name, 0) + 1
        if is_of_project(line, str(place.folder)):
            calls.append((name, seen[name]))
    return calls


def is_of_project(line, folder):
    """The first path of a call decides: strace also shows the current folder. Its own streams are attacked elsewhere."""
    paths = re.findall(r'"([^"]*)"', line)
    if line.startswith("linkat"):  # a file without a name has one in /proc only
        paths = paths[1:]
    elsewhere = paths and paths[0].startswith("/") and not paths[0].startswith(folder)
    return folder in line and "/tmp/std" not in line and not elsewhere


# What the files of plain text hold that commands read again.
TEXTS = {"plan/ended/*": rb"done\n|unfit: .+\n", "plan/decided/**/*": rb"[0-9]+\n", "plan/lost/**/*": rb"no attempt is left\n",
         "out/ab-unfinished.txt": rb"[0-9]+\n", "plan/ab-unfinished.txt": rb"[0-9]+\n", "out/suite.txt": rb"[0-9]+\n"}


def torn_files(place):
    """Documents of JSON and files of plain text that are neither old nor new. A perftest's own record may be: the launcher checks it."""
    for file in sorted(place.folder.rglob("*.json")):
        if file.name.startswith(".") or "records" in file.parts or file.name.endswith(".record.json"):
            continue
        try:
            json.loads(file.read_bytes())
        except ValueError:
            yield f"torn file {file.relative_to(place.folder)}"
    for pattern, whole in TEXTS.items():
        for file in sorted(place.folder.glob(pattern)):
            if file.is_file() and not file.name.startswith(".") and not re.fullmatch(whole, file.read_bytes()):
                yield f"torn file {file.relative_to(place.folder)}"


def has_nameless_files(folder):
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
        return True
    except OSError:
        return False


def leftovers(place):
    """Files that a killed writer made for itself."""
    for pattern in (".stepgate-*.tmp", ".*.new"):
        yield from (f"left {file.relative_to(place.folder)}" for file in sorted(place.folder.rglob(pattern)))


def injected(fault, call, number):
    return ("strace", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={number}")


def faults_of(calls):
    for call, number in calls:
        yield "signal=KILL", call, number
        for error in ERRORS[call]:
            yield f"error={error}", call, number
        if call in INTERRUPTED:
            yield "error=EINTR", call, number


def run(projects, place, options):
    """Yields a text for each fault that broke a rule. So many faults as asked for are drawn; 0: every one. Of these, this part's."""
    if shutil.which("strace") is None:
        yield "strace is missing: apt-get install strace"
        return
    faults = []
    for row in COMMANDS:
        reset(projects, place, row[1])
        expect(lambda row=row: place.run(*row[2]), row[3])
        reset(projects, place, row[1])
        faults += [(row, fault) for fault in faults_of(traced_calls(place, row[2]))]
    most, (part, of) = options.faults, options.part
    drawn = faults if most == 0 else random_numbers.Random(options.seed).sample(faults, min(most, len(faults)))
    drawn = drawn[part - 1::of]
    print(f"faults of system calls: {len(drawn)} of {len(faults)}", flush=True)
    for row, fault in drawn:
        yield from (f"{row[0]} with {' '.join(map(str, fault))}: {problem}" for problem in tried(projects, place, row, fault))


def tried(projects, place, row, fault):
    _, project, words, status = row
    reset(projects, place, project)
    outcome = place.run(*words, prefix=injected(*fault), limit_s=30)  # pairs under strace take up to 10 s on a busy machine
    killed = fault[0].startswith("signal")
    if not killed:
        yield from (f"{problem}: {outcome.text[:300]!r}" for problem in broken(outcome))
    yield from torn_files(place)
    # Replacing a file has one moment, between its link and its rename, at which the new one has a name of its own.
    if killed and not fault[1].startswith("rename") and has_nameless_files(place.folder):
        yield from leftovers(place)
    if fault[0] == "error=EINTR" and outcome.status != status:
        yield f"an interrupted call is a failure: status {outcome.status}, expected {status}: {outcome.text[:300]!r}"
    if project == "edited" and place.run(*REPORT).status == 0:
        yield "the green of the program before the edit counts"
    if words[0] == "baseline" and (place.folder / "baselines").exists():
        lint = place.run("baseline", "lint", "--build", "build")
        if lint.status != 0 and not (killed and "stray-file" in lint.text):  # lint names what a kill left, to delete it
            yield f"lint fails afterwards: {lint.text[:300]!r}"
    if outcome.status == 0 and status == 0 and words[0] == "baseline" and not place.baseline.exists():
        yield "status 0, but the baseline is missing"
    again = place.run(*words, limit_s=20)
    accepted = words[0] == "baseline" and place.baseline.exists()
    if again.status != status and not accepted:
        yield f"run again: status {again.status}, expected {status}: {again.text[:300]!r}"
