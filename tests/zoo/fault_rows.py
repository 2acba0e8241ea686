"""The rows of zoo.json: what each fault is, and what the gate must say about it."""
import json
import re

FOLDER = "tests/zoo"
ENDINGS = ("", "_unchanged")
TIERS = ("exact", "numeric", "timed")
CLASSES = ("sync", "copy", "loader", "memory", "numerics", "optimizer", "dtype", "shape", "work", "distributed",
           "resource", "growth", "background")
PEERS = ("kernel_benchmark", "compare_py", "golden_loss")
REQUIRED = {"name", "case", "cause", "metrics", "tier", "class", *PEERS}
FIELDS = REQUIRED | {"line", "no_line", "green"}


class Refused(Exception):
    pass


def problem_of(row):
    """What is wrong with a row, "" if nothing."""
    if unknown := row.keys() - FIELDS:
        return f"there is no field {', '.join(sorted(unknown))}"
    if missing := REQUIRED - row.keys():
        return f"{', '.join(sorted(missing))} is missing"
    if ("line" in row) == ("no_line" in row):
        return "give either line or no_line"
    if row["tier"] not in TIERS:
        return f"tier {row['tier']} is none of {', '.join(TIERS)}"
    if row["class"] not in CLASSES:
        return f"class {row['class']} is none of {', '.join(CLASSES)}"
    for peer in PEERS:
        if not re.match(r"(yes|no): .", row[peer]):
            return f"{peer} must begin with 'yes: ' or 'no: ' and say why"
    return ""


def faults_of(root):
    faults = json.loads((root / FOLDER / "zoo.json").read_text())["faults"]
    for row in faults:
        if problem := problem_of(row):
            raise Refused(f"{FOLDER}/zoo.json: {row.get('name')}: {problem}")
    files = {path.stem for path in (root / FOLDER / "patches").glob("*.patch")}
    named = {row["name"] + ending for row in faults for ending in ENDINGS}
    if files != named:
        raise Refused(f"{FOLDER}/zoo.json and {FOLDER}/patches differ: {', '.join(sorted(files ^ named))}")
    return faults


def chosen(faults, names):
    unknown = set(names) - {row["name"] for row in faults}
    if unknown:
        raise Refused(f"there is no fault {', '.join(sorted(unknown))}; ci/zoo --list names them")
    return [row for row in faults if not names or row["name"] in names]


def sample_of(faults, number):
    """As many, evenly spaced over the list: the same ones in each run."""
    if number >= len(faults):
        return faults
    return [faults[index * len(faults) // number] for index in range(number)]
