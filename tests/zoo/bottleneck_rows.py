"""The rows of bottlenecks.json: what was planted into which program, and which kind of bottleneck that is."""
import json
import pathlib
import re
import tempfile

from fault_rows import FOLDER, Refused
from patches import Applied, changed_files
from zoo_run import copy_files

KINDS = ("input", "launch", "sync", "copy", "communication", "optimizer", "logging", "compute", "bandwidth",
         "operators")
# The experiments whose interval a row may name, with the kind that each shows: harness/core/study/experiment.h. Not
# those that no profile runs yet, and not the replay of single operators, which predicts and proves nothing.
EXPERIMENTS = {"synthetic-batch": "input", "delayed-loader": "input", "doubled-batch": "launch",
               "resident-batch": "copy", "extra-sync": "sync", "exchange-off": "communication",
               "optimizer-skipped": "optimizer", "optimizer-fused": "optimizer", "logging-off": "logging",
               "doubled-threads": "compute", "busy-core": "bandwidth", "bandwidth-thief": "bandwidth"}
# Kinds that no row can be asked to prove on a CPU: an operator has computed when its call returns, what twice the threads
# win and what a thief of bandwidth costs depends on the machine, and of single operators a gain is predicted.
SELDOM_PROVEN = {"sync", "compute", "bandwidth", "operators"}
LOOP = "foreign/forecast/loop"  # owns its batches, optimizer and logging, so that no profile takes them away
PROVEN_OF_LOOP = {"launch", "compute", "bandwidth"}
REQUIRED = {"name", "case", "kind", "planted", "says"}
FIELDS = REQUIRED | {"mended", "experiment", "calls_of", "also"}


def problem_of(row):
    """What is wrong with a row, "" if nothing."""
    if unknown := row.keys() - FIELDS:
        return f"there is no field {', '.join(sorted(unknown))}"
    if missing := REQUIRED - row.keys():
        return f"{', '.join(sorted(missing))} is missing"
    if not re.fullmatch(r"[a-z0-9_]+", row["name"]):
        return "a name has lower case letters, digits and underscores"
    also = row.get("also", {})
    if strange := ({row["kind"]} | also.keys()) - set(KINDS):
        return f"{', '.join(sorted(strange))} is none of {', '.join(KINDS)}"
    if row["kind"] in also or not all(also.values()):
        return "also has other kinds than the planted one, each with its reason"
    if "calls_of" in row and ("experiment" in row or not row["calls_of"]):
        return "it names either an experiment or the places whose calls run twice"
    if "experiment" not in row:
        return ""
    if row["experiment"] not in EXPERIMENTS:
        return f"{row['experiment']} is none of {', '.join(EXPERIMENTS)}"
    shows = EXPERIMENTS[row["experiment"]]
    return "" if shows == row["kind"] else f"{row['experiment']} shows {shows}, not {row['kind']}"


def is_provable(row):
    """Whether a profile on a CPU can be asked to prove the row's kind, or what the calls of its place cost."""
    if "calls_of" in row:
        return True
    if row["case"] == LOOP and row["kind"] not in PROVEN_OF_LOOP:
        return False
    return "experiment" in row or row["kind"] not in SELDOM_PROVEN


def with_unpatched(row, kinds):
    """The row with what limits its unpatched program, too."""
    also = {kind: reason for kind, reason in kinds.items() if kind != row["kind"]}
    return {**row, "also": {**also, **row.get("also", {})}}


def bottlenecks_of(root):
    document = json.loads((root / FOLDER / "bottlenecks.json").read_text())
    rows, unpatched = document["bottlenecks"], document.get("unpatched", {})
    names = [row.get("name") for row in rows]
    for row in rows:
        problem = problem_of(row) or ("the name stands twice" if names.count(row["name"]) > 1 else "")
        if problem:
            raise Refused(f"{FOLDER}/bottlenecks.json: {row.get('name')}: {problem}")
    files = {path.name for path in (root / FOLDER / "bottlenecks").glob("*.patch")}
    named = {row[side] for row in rows for side in ("planted", "mended") if side in row}
    if files != named:
        raise Refused(f"{FOLDER}/bottlenecks.json and {FOLDER}/bottlenecks differ: {', '.join(sorted(files ^ named))}")
    return [with_unpatched(row, unpatched.get(row["case"], {})) for row in rows]


def patch_of(root, row, side):
    """The patch of the planted or of the mended program; None where the mended program is the unpatched one."""
    return root / FOLDER / "bottlenecks" / row[side] if side in row else None


def check_patches(root, rows):
    """Each patch applies alone to the unpatched files. Returns how many there are."""
    patches = [patch_of(root, row, side) for row in rows for side in ("planted", "mended") if side in row]
    with tempfile.TemporaryDirectory(prefix="stepgate-bottlenecks-") as folder:
        tree = pathlib.Path(folder).resolve() / "stepgate"
        copy_files(root, sorted({name for patch in patches for name in changed_files(patch)}), tree)
        for patch in patches:
            with Applied(tree, [patch]):
                pass
    return len(patches)


def part_of(rows, number, parts):
    """Every parts-th row from the number-th on, so that each part has a bit of everything."""
    if not 1 <= number <= parts:
        raise Refused(f"there is no part {number} of {parts}")
    return rows[number - 1::parts]
