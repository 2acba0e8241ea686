#!/usr/bin/env python3
"""Exits 0 only if a complete verdict.json of the right commit says that every case was measured and none is worse.

    require_green.py VERDICT.json --commit SHA [--may-skip CASE,...] [--allow-loosening NAME]

For the required job of a branch protection. make, CTest and shells lose exit statuses, and skipped jobs count as passed. Here a
file that is missing, incomplete or from another commit is never green, and neither is one in a git checkout: a pull request can
commit a file of any name there. Both commits must have all their digits, because a short id can be ground out in minutes.

A skipped case is red, unless --may-skip names it: a runner that never runs a case says so in its workflow, in the variable
STEPGATE_MAY_SKIP that `stepgate gate` reads too.

Limits that the commit loosens where its base asks for consent are red, unless the verdict names the same person who allows them as
--allow-loosening does. The measured commit could give any name to its own gate; this one comes from the workflow.
"""

import argparse
import json
import math
import os
import pathlib
import re
import stat
import sys

# A red case with fifty metrics and its findings takes 46 kB, a green one half of this: room for 11 000 red cases. The job reads such a
# file in less than 2 GB.
LARGEST_BYTES = 512 * 1024 * 1024
LONGEST_LINE = 2000
MOST_LINKS = 40  # as many as Linux follows
FULL_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
GREEN = ("pass", "improved")
# What this script reads. The rest of a verdict (intervals, findings, samples) is most of its bytes.
READ = {"schema", "name", "major", "minor", "commit", "exit_status", "status", "outcomes_by_status", "expected_cases", "missing_cases",
        "outcomes", "case", "group", "detail", "metrics", "metric", "gating", "limits", "allowed_by", "lacks_consent", "changes", "place",
        "needs_consent"}


class NotGreen(Exception):
    """Why the document is not green."""


def value_at(holder, key, kind, where="it"):
    """The value of a key that has to be there. Exact types: False is no 0, and True no 1."""
    if type(holder) is not dict or key not in holder:
        raise NotGreen(f"damaged: {where} has no \"{key}\"")
    if type(holder[key]) is not kind:
        raise NotGreen(f"damaged: \"{key}\" of {where} is not of type {kind.__name__}")
    return holder[key]


def texts_at(holder, key):
    texts = value_at(holder, key, list)
    if any(type(text) is not str for text in texts):
        raise NotGreen(f"damaged: \"{key}\" holds more than names")
    return texts


def check_schema(document):
    schema = value_at(document, "schema", dict)
    name, major = value_at(schema, "name", str, "schema"), value_at(schema, "major", int, "schema")
    minor = value_at(schema, "minor", int, "schema")  # a newer one only adds keys
    if name != "stepgate.verdict" or major != 1 or minor < 0:
        raise NotGreen(f"this script does not know the schema {schema}")


def check_commit(document, commit):
    measured = value_at(document, "commit", str)
    if not FULL_COMMIT.fullmatch(commit):
        raise NotGreen(f"--commit '{commit}' is not the full id of a commit (40 or 64 hexadecimal digits)")
    if measured != commit:
        raise NotGreen(f"the verdict is for commit '{measured}', but the check is for '{commit}'")


def check_metrics(outcome, said):
    """A case is as bad as the worst of its gating metrics."""
    for number, metric in enumerate(value_at(outcome, "metrics", list, said)):
        name, status = (value_at(metric, key, str, f"metric {number} of {said}") for key in ("metric", "status"))
        if value_at(metric, "gating", bool, f"{name} of {said}") and status not in GREEN + ("skipped", "not-judged"):
            raise NotGreen(f"{said}; but its metric {name} is {status}")


def statuses_of(outcomes, may_skip):
    """The status of each outcome, all of them green or allowed."""
    statuses = []
    for number, outcome in enumerate(outcomes):
        case, group, status, detail = (value_at(outcome, key, str, f"outcome {number}")
                                       for key in ("case", "group", "status", "detail"))
        said = f"{case} ({group}): {status}: {detail}"
        if status == "skipped" and case not in may_skip:
            raise NotGreen(f"{said}; if this runner never runs it, name it in --may-skip (STEPGATE_MAY_SKIP)")
        if status not in GREEN + ("skipped",):
            raise NotGreen(said)
        check_metrics(outcome, said)
        statuses.append(status)
    return statuses


def check_cases(document, may_skip):
    expected, missing = texts_at(document, "expected_cases"), texts_at(document, "missing_cases")
    outcomes = value_at(document, "outcomes", list)
    statuses = statuses_of(outcomes, may_skip)
    measured = {outcome["case"] for outcome in outcomes}
    lost = missing + [case for case in expected if case not in measured]
    if lost:
        raise NotGreen("expected but not measured: " + ", ".join(lost))
    if not any(status in GREEN for status in statuses):
        raise NotGreen("nothing was measured")
    return statuses


def check_limits(document, allowed_by):
    """What is loosened against the base, where its policy asks for consent, is allowed by whom this job was told of."""
    if "limits" not in document:
        return
    limits = value_at(document, "limits", dict)
    said, lacks = value_at(limits, "allowed_by", str, "limits"), value_at(limits, "lacks_consent", bool, "limits")
    asks = [value_at(change, "place", str, f"change {number} of limits")
            for number, change in enumerate(value_at(limits, "changes", list, "limits"))
            if value_at(change, "needs_consent", bool, f"change {number} of limits")]
    if not asks and not lacks:
        return
    if lacks or not said:
        raise NotGreen(f"limits are loosened without consent: {', '.join(asks)}")
    if said != allowed_by:
        raise NotGreen(f"the verdict says that '{said}' allows the loosened limits, and the workflow names "
                       f"{repr(allowed_by) if allowed_by else 'nobody'}")


def check_suite(document, statuses):
    """The summary has to be what the outcomes add up to: who edits one of them forgets the other."""
    counted = {status: statuses.count(status) for status in set(statuses)}
    stated = value_at(document, "outcomes_by_status", dict)
    if {status: count for status, count in stated.items() if count != 0} != counted:
        raise NotGreen(f"outcomes_by_status is {stated}, but the outcomes add up to {counted}")
    worst = next(status for status in ("skipped", "improved", "pass") if status in statuses)
    status, exit_status = value_at(document, "status", str), value_at(document, "exit_status", int)
    if (status, exit_status) != (worst, 77 if worst == "skipped" else 0):
        raise NotGreen(f"exit status {exit_status}, status {status}, but the outcomes add up to {worst}")


def what_is_read(pairs):
    """The keys of an object that this script reads. Readers differ in which one of two equal keys they take, so none may be there
    twice. An object of counts alone stays whole, because a count of an unknown status has to be seen."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    if all(type(value) is int for value in found.values()):
        return found
    return {key: value for key, value in found.items() if key in READ}


def finite(text):
    if not math.isfinite(number := float(text)):
        raise ValueError(f"{text[:80]} is not a finite number")
    return number


def parsed(text):
    return json.loads(text, object_pairs_hook=what_is_read, parse_float=finite, parse_constant=finite)


def folders_behind(path):
    """Every folder that the path leads through, those behind symbolic links included."""
    yield from pathlib.Path(os.path.realpath(path)).parents
    path = pathlib.Path(os.path.abspath(path))
    for _ in range(MOST_LINKS):
        yield from path.parents
        link = next((folder for folder in reversed(path.parents) if folder.is_symlink()), None)
        if link is None:
            return
        path = pathlib.Path(os.path.normpath(link.parent / os.readlink(link) / path.relative_to(link)))
    raise NotGreen("its folders are a circle of symbolic links")


def check_place(path):
    checkout = next((folder for folder in folders_behind(path) if (folder / ".git").exists()), None)
    if checkout:
        raise NotGreen(f"lies in the checkout {checkout}, where a pull request can commit it: download it to another folder")


def text_of(path):
    """The text of a regular file. A link could lead to any file; opening a pipe would wait."""
    if path.is_symlink():
        raise NotGreen("is a symbolic link: hand over the file itself")
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise NotGreen("is not a file")
        if status.st_size > LARGEST_BYTES:
            raise NotGreen(f"larger than {LARGEST_BYTES} bytes")
        return file.read(LARGEST_BYTES).decode("utf-8")


def problem_of_file(path, commit, may_skip, allowed_by=""):
    """Why the file is not green, or None."""
    try:
        check_place(path)
        document = parsed(text_of(path))
        check_schema(document)
        check_commit(document, commit)
        check_limits(document, allowed_by)
        check_suite(document, check_cases(document, may_skip))
    except NotGreen as problem:
        return str(problem)
    except OSError as error:
        return f"cannot be read ({error.strerror}): nothing was measured, or the artefact is lost"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"damaged ({type(error).__name__}: {error})"
    return None


def log_text(text):
    """One line in which neither a terminal nor a runner finds a command: they read "##[command]" anywhere in a line."""
    line = "".join(c if c.isprintable() else "?" for c in text[:LONGEST_LINE])
    while "##" in line:
        line = line.replace("##", "# #")
    return line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verdict", type=pathlib.Path)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--may-skip", default="", metavar="CASE,...", help="cases that this runner never runs")
    parser.add_argument("--allow-loosening", default="", metavar="NAME", help="who allows limits that the commit loosens")
    arguments = parser.parse_args()
    may_skip = {name.strip() for name in arguments.may_skip.split(",")} - {""}
    problem = problem_of_file(arguments.verdict, arguments.commit, may_skip, arguments.allow_loosening)
    if problem is None:
        print("green: no case is worse than its baseline")
        return 0
    print("not green: " + log_text(f"{arguments.verdict}: {problem}"))
    return 1


if __name__ == "__main__":
    sys.exit(main())
