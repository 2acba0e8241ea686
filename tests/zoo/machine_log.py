"""Figures of the emulated machine's own log (harness/emulator/machine/call_log.h): a second account of what a fault does."""
import dataclasses
import json

from fault_rows import Refused

COUNTED = "counts "
BEGIN = "counts begin"
KERNEL = "own_kernel."
HAZARDS = "hazards"  # of the process, since a hazard can lie between two steps
OF_THE_RUN = {"reserved_bytes", HAZARDS}  # steps free some of the bytes


@dataclasses.dataclass
class MachineLog:
    """`stretches`: what was done between two marks. `hazards`: accesses that nothing orders, found by another process."""
    stretches: list = dataclasses.field(default_factory=list)
    hazards: int = 0


def hazards_in(path):
    """Of the file's last line. A process that did not come to its end has written none."""
    last = json.loads(path.read_text().splitlines()[-1])
    if not last.get("end"):
        raise Refused(f"{path} has no end: the process that looked for hazards was cut off")
    return last["hazards"]


def total(amounts, part=""):
    return sum(amount["count"] for name, amount in amounts.items() if part in name)


def of_copies(part):
    return lambda stretch: total(stretch["copies"], part)


def of_allocations(kind):
    return lambda stretch: stretch["allocations"].get(kind, {"count": 0})["count"]


def captures(stretch):
    return sum(count for name, count in stretch["calls"].items() if name.startswith("cudaStreamBeginCapture"))


# Each is a number of one stretch. Reserved bytes are what the stretch took and did not give back.
FIGURES = {
    "own_kernels": lambda stretch: sum(stretch["own_kernels"].values()),
    "library_kernels": lambda stretch: sum(stretch["library_kernels"].values()),
    "memsets": lambda stretch: stretch["memsets"]["count"],
    "waits": lambda stretch: sum(stretch["waits"].values()),
    "copies": of_copies(""),
    "copies_host_to_device": of_copies("host_to_device"),
    "copies_device_to_host": of_copies("device_to_host"),
    "copies_device_to_device": of_copies("device_to_device"),
    "copies_pageable": of_copies("pageable"),
    "copied_bytes": lambda stretch: sum(amount["bytes"] for amount in stretch["copies"].values()),
    "device_allocations": of_allocations("device"),
    "pinned_allocations": of_allocations("pinned"),
    "graph_launches": lambda stretch: stretch["graph_launches"],
    "graph_nodes": lambda stretch: stretch["graph_nodes"],
    "collectives": lambda stretch: total(stretch["collectives"]),
    "captures": captures,
    "reserved_bytes": lambda stretch: (sum(amount["bytes"] for amount in stretch["allocations"].values()) -
                                       sum(amount["bytes"] for amount in stretch["frees"].values())),
}


def is_figure(name):
    return name in FIGURES or name == HAZARDS or (name.startswith(KERNEL) and name != KERNEL)


def figure_of(name, stretch):
    if name.startswith(KERNEL):
        part = name[len(KERNEL):]
        return sum(count for kernel, count in stretch["own_kernels"].items() if part in kernel)
    return FIGURES[name](stretch)


def counted_steps(stretches):
    return [stretch for stretch in stretches if stretch["mark"].startswith(COUNTED)
            and not stretch["mark"].startswith(BEGIN)]


def change_of(name, base, head):
    """{"last": of the last counted step, "all": of all counted steps, "run": of the whole process}: head less base."""
    if name == HAZARDS:
        more = head.hazards - base.hazards
        return {"last": more, "all": more, "run": more}

    def difference(of_head, of_base):
        return sum(figure_of(name, one) for one in of_head) - sum(figure_of(name, one) for one in of_base)
    base_steps, head_steps = counted_steps(base.stretches), counted_steps(head.stretches)
    return {"last": difference(head_steps[-1:], base_steps[-1:]), "all": difference(head_steps, base_steps),
            "run": difference(head.stretches, base.stretches)}


def problem_of_change(name, expected, change):
    """What the log does not confirm, "" if it confirms it."""
    over = change["run" if name in OF_THE_RUN else "all"]
    if expected == "more":
        return "" if over > 0 else f"the log has no more {name}: {over:+d}"
    if expected == "fewer":
        return "" if over < 0 else f"the log has no fewer {name}: {over:+d}"
    if expected == "equal":
        return "" if change["last"] == 0 and over == 0 else f"the log has other {name}: {over:+d}"
    return "" if change["last"] == expected else f"the log has {change['last']:+d} {name} a step, expected {expected:+d}"
