#!/usr/bin/env python3
"""Exits 0 only if a complete verdict.json of the right commit says that every case was measured and none is worse.

    require_green.py VERDICT.json --commit SHA

For the required job of a branch protection. make, CTest and shells lose exit statuses, and skipped jobs count as passed. Here a
file that is missing, incomplete or from another commit is never green, and neither is one in a git checkout: a pull request can
commit a file of any name there. Both commits must have all their digits, because a short id can be ground out in minutes.
"""

import argparse
import json
import pathlib
import re
import sys

LARGEST_BYTES = 64 * 1024 * 1024  # a thousand cases with fifty metrics take a third of this
LONGEST_LINE = 2000
FULL_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
GREEN = ("pass", "improved")


def problem_of(document, commit):
    """Why the document is not green, or None."""
    schema = document.get("schema", {})
    if schema.get("name") != "stepgate.verdict" or schema.get("major") != 1:
        return f"this script does not know the schema {schema}"
    measured = document.get("commit", "")
    if not FULL_COMMIT.fullmatch(commit):
        return f"--commit '{commit}' is not the full id of a commit (40 or 64 hexadecimal digits)"
    if measured != commit:
        return f"the verdict is for commit '{measured}', but the check is for '{commit}'"
    if document.get("missing_cases"):
        return "expected but not measured: " + ", ".join(document["missing_cases"])
    outcomes = document.get("outcomes") or []
    for outcome in outcomes:
        if outcome["status"] not in GREEN + ("skipped",):
            return f"{outcome['case']} ({outcome['group']}): {outcome['status']}: {outcome['detail']}"
    if not any(outcome["status"] in GREEN for outcome in outcomes):
        return "nothing was measured"
    if document.get("exit_status") != 0 or document.get("status") not in GREEN:
        return f"exit status {document.get('exit_status')}, status {document.get('status')}"
    return None


def checkout_of(path):
    """The git work tree that holds the file, or None."""
    return next((folder for folder in path.resolve().parents if (folder / ".git").exists()), None)


def problem_of_file(path, commit):
    try:
        if checkout := checkout_of(path):
            return f"lies in the checkout {checkout}, where a pull request can commit it: download it to another folder"
        if path.stat().st_size > LARGEST_BYTES:
            return f"larger than {LARGEST_BYTES} bytes"
        if not path.is_file():
            return "is not a file"
        return problem_of(json.loads(path.read_text(encoding="utf-8")), commit)
    except OSError as error:
        return f"cannot be read ({error.strerror}): nothing was measured, or the artefact is lost"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return f"damaged ({type(error).__name__}: {error})"


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
    arguments = parser.parse_args()
    problem = problem_of_file(arguments.verdict, arguments.commit)
    if problem is None:
        print("green: no case is worse than its baseline")
        return 0
    print("not green: " + log_text(f"{arguments.verdict}: {problem}"))
    return 1


if __name__ == "__main__":
    sys.exit(main())
