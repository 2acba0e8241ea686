"""The rows of emulated.json: faults that are gated on an emulated GPU, and what its own log must say of each."""
import json

from fault_rows import ENDINGS, FOLDER, Refused
from machine_log import is_figure
from patches import patch_of

ROWS = f"{FOLDER}/emulated.json"
PATCHES = f"{FOLDER}/emulated"  # of faults that no CPU case can have
REQUIRED = {"name", "case", "cause", "metrics", "log"}
FIELDS = REQUIRED | {"line", "no_line", "hazards", "only_here", "both_ways"}
OF_RANKS = {"char_lm_parallel"}
CHANGES = ("more", "fewer", "equal")

# What the machine's log must say where a verdict gives such a cause; any of the named figures is enough. A cause without
# a row here is backed by the `log` of its fault alone.
LOG_OF_CAUSE = {
    "host-sync-added": (("waits", "more"),),
    "pinning-lost": (("copies_pageable", "more"),),
    "host-made-tensor": (("copies_host_to_device", "more"),),
    "pinned-in-step": (("pinned_allocations", "more"),),
    "allocator-waited": (("device_allocations", "more"),),
    "reserved-grew": (("reserved_bytes", "more"), ("device_allocations", "more")),
    "graphs-after-warmup": (("captures", "more"),),
    "graph-grew": (("graph_nodes", "more"),),
    "stream-hazard": (("hazards", "more"),),
    "operator-added": (("own_kernels", "more"), ("library_kernels", "more"), ("copies", "more"), ("memsets", "more")),
    "calls-per-item": (("own_kernels", "more"), ("library_kernels", "more"), ("copies", "more")),
    "copy-added": (("own_kernels", "more"), ("copies", "more")),
    "copy-after-permute": (("own_kernels", "more"), ("copies", "more")),
    "cast-round-trip": (("own_kernels", "more"),),
}


def problem_of(row, root):
    """What is wrong with a row, "" if nothing."""
    if unknown := row.keys() - FIELDS:
        return f"there is no field {', '.join(sorted(unknown))}"
    if missing := REQUIRED - row.keys():
        return f"{', '.join(sorted(missing))} is missing"
    if ("line" in row) == ("no_line" in row):
        return "give either line or no_line"
    if bool(row["log"]) == (row["case"].split("/")[1] in OF_RANKS):
        return "log names what the machine's own log says of it, and is empty for several ranks, which write none"
    for name, change in row["log"].items():
        if not is_figure(name):
            return f"log: there is no figure {name}"
        if change not in CHANGES and (not isinstance(change, int) or isinstance(change, bool) or change == 0):
            return f"log: {name} is a number of a step other than 0, or one of {', '.join(CHANGES)}"
    if ("only_here" in row) != (root / PATCHES / f"{row['name']}.patch").is_file():
        return f"only_here says why no CPU sees it, and its patch stands in {PATCHES}: give both or neither"
    return ""


def emulated_faults_of(root):
    faults = json.loads((root / ROWS).read_text())["faults"]
    for row in faults:
        if problem := problem_of(row, root):
            raise Refused(f"{ROWS}: {row.get('name')}: {problem}")
        row["tier"] = "exact"
        for ending in ENDINGS:
            if not patch_of(root, row["name"] + ending).is_file():
                raise Refused(f"{ROWS}: {row['name']}: there is no patch {row['name'] + ending}.patch")
    if len({row["name"] for row in faults}) != len(faults):
        raise Refused(f"{ROWS}: a fault has two rows")
    files = {path.stem for path in (root / PATCHES).glob("*.patch")}
    if strange := files - {row["name"] + ending for row in faults for ending in ENDINGS}:
        raise Refused(f"{PATCHES} has patches without a row: {', '.join(sorted(strange))}")
    return faults
