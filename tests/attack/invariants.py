"""What must hold after every command, whatever was fed to it."""

import re

from workplace import MEMORY_LIMIT_KIB

STATUSES = {0, 1, 2, 3, 4, 5, 77}
# Bytes that move a cursor, change colours or end a line early: C0 without tab and line end, DEL, and C1 in UTF-8.
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
# What GitHub's runner obeys: ::command after leading blanks, and ##[command] anywhere in a line.
COMMAND = re.compile(rb"^\s*::[a-zA-Z][\w-]*(\s[^\n]*)?::|##\[[a-zA-Z]", re.MULTILINE)
# Commands that `history check` prints to be copied: what a shell would obey in them is quoted.
PRINTED_COMMAND = re.compile(rb"^  (?:accept|gone) +(\S.*)$", re.MULTILINE)
QUOTED = re.compile(rb"'[^']*'|\\'|\"\.\.\.\"")
PLAIN = re.compile(rb"[\w./=,:+@ -]*")


def broken(outcome):
    """Sentences that say what is wrong with how a command ended; empty if all is well."""
    problems = []
    if outcome.status is None:
        problems.append(f"hung: killed after {outcome.seconds:.0f} s")
    elif outcome.status not in STATUSES:
        problems.append(f"ended with status {outcome.status}")
    if outcome.peak_kib > MEMORY_LIMIT_KIB:
        problems.append(f"took {outcome.peak_kib // 1024} MiB")
    if outcome.status not in (0, None) and not (outcome.stderr + outcome.stdout).strip():
        problems.append("failed without a word")
    if b"Read-only file system" in outcome.stderr + outcome.stdout and outcome.words[0] not in ("doctor", "ablate"):  # they say so
        problems.append("tried to write outside its folders")
    if b"this should not happen" in outcome.stderr:
        problems.append("an error without a remedy")
    for command in PRINTED_COMMAND.findall(outcome.stdout):
        if not PLAIN.fullmatch(QUOTED.sub(b"", command)):
            problems.append(f"a command to copy that a shell would obey otherwise: {command!r}")
    own_colours = re.compile(rb"\x1b\[[0-9;]*m") if "always" in " ".join(outcome.words) else re.compile(rb"(?!)")
    for name, text in (("stdout", outcome.stdout), ("stderr", outcome.stderr)):
        problems += hostile_bytes(name, own_colours.sub(b"", text))
    return problems


def hostile_bytes(name, text):
    """Sentences about what a terminal or GitHub's runner would obey in a text without colours."""
    problems = []
    for what, pattern in (("a control byte", CONTROL), ("a workflow command", COMMAND)):
        found = pattern.search(text)
        if found:
            around = text[max(0, found.start() - 30):found.end() + 30]
            problems.append(f"{what} on {name}: {around!r}")
    return problems
