"""nvbench's compare scripts (cuda-bench): the older one uses means and standard deviations, the newer one is "robust"."""

from __future__ import annotations

import json
import math
import re
import statistics
import struct
from dataclasses import dataclass
from pathlib import Path

from peers.comparison import Comparison, Processes, parts, process_medians_ns
from peers.peer import Peer, Rule, UnreadVerdict, Verdicts
from peers.places import Places
from peers.tool_run import run_tool
from peers.verdict import Verdict

PART = 200
"""Comparisons in one call. This also keeps the older script's exit status (a count of changes) below 256."""
CLOCK_HZ = 1_500_000_000.0
"""A locked SM clock. The robust script needs one and confirms gaps in cycles. The data have no noise from clocks."""

_STATUS = {"SLOW": Verdict.RED, "FAST": Verdict.FINE, "SAME": Verdict.FINE, "AMBG": Verdict.UNDECIDED, "????": Verdict.UNDECIDED}
_MODULE = "cuda.bench.scripts."


@dataclass(frozen=True)
class Script:
    word: str
    module: str
    label: str
    red: str


@dataclass(frozen=True)
class Samples:
    word: str
    given: str
    cost: str


LEGACY = Script("legacy", _MODULE + "nvbench_compare", "nvbench-compare-legacy", "its status column says SLOW")
ROBUST = Script("robust", _MODULE + "nvbench_compare_robust", "nvbench-compare-robust",
                  "its status column says SLOW; AMBG and ???? count as undecided")
ONE_PROCESS = Samples("one", "process 1 of each side, every step a sample, clocks locked", "1+1")
ALL_PROCESSES = Samples("all", "better than common use: the median of every process as one sample, clocks locked", "K+K")


class Nvbench(Peer):
    def __init__(self, places: Places, script: Script, samples: Samples) -> None:
        self._places = places
        self._script = script
        self._kind = samples

    @property
    def rules(self) -> tuple[Rule, ...]:
        return (Rule(f"nvbench.{self._script.word}.{self._kind.word}", self._script.label, self._kind.given,
                     self._script.red, self._kind.cost),)

    def decide(self, comparisons: list[Comparison], folder: Path) -> Verdicts:
        said: list[Verdict] = []
        for part in parts(comparisons, PART):
            self._write(part, folder)
            said += self._compare(part, folder)
        return {self.rules[0].key: said}

    def _write(self, part: list[Comparison], folder: Path) -> None:
        for side in ("base", "head"):
            states = []
            for comparison in part:
                processes = comparison.base_ns if side == "base" else comparison.head_ns
                times_s = [t * 1e-9 for t in _samples(processes, self._kind)]
                files = write_sample_files(times_s, folder, f"{side}-{comparison.name}")
                states.append(state(comparison.index, times_s, files))
            (folder / f"{side}.json").write_text(json.dumps(document(states)))

    def _compare(self, part: list[Comparison], folder: Path) -> list[Verdict]:
        command = [self._places.python, "-m", self._script.module, "--no-color", "base.json", "head.json"]
        # The older script's exit status is the number of changes, also of faster ones. It is no verdict.
        statuses = tuple(range(len(part) + 1)) if self._script is LEGACY else (0,)
        said = read_statuses(run_tool(command, folder, statuses).output)
        missing = [c.index for c in part if c.index not in said]
        if missing:
            raise UnreadVerdict(f"{self._script.label} printed no status for comparison {missing[0]}")
        return [said[c.index] for c in part]


def _samples(processes: Processes, kind: Samples) -> list[float]:
    return process_medians_ns(processes) if kind is ALL_PROCESSES else [float(t) for t in processes[0]]


@dataclass(frozen=True)
class SampleFiles:
    """Files beside the JSON with little-endian 32-bit floats, as nvbench writes them with --jsonbin."""

    times: str
    clocks: str
    count: int


def write_sample_files(times_s: list[float], folder: Path, stem: str) -> SampleFiles:
    files = SampleFiles(f"{stem}.bin", f"{stem}-freqs.bin", len(times_s))
    (folder / files.times).write_bytes(struct.pack(f"<{len(times_s)}f", *times_s))
    (folder / files.clocks).write_bytes(struct.pack(f"<{len(times_s)}f", *[CLOCK_HZ] * len(times_s)))
    return files


def _number(tag: str, value: float) -> dict[str, object]:
    # nvbench writes numbers as text, and null for infinite noise (fewer than 5 samples).
    text = repr(value) if math.isfinite(value) else None
    return {"tag": tag, "name": tag, "data": [{"name": "value", "type": "float64", "value": text}]}


def _file(tag: str, name: str, count: int) -> dict[str, object]:
    return {"tag": tag, "name": tag, "data": [{"name": "filename", "type": "string", "value": name},
                                              {"name": "size", "type": "int64", "value": str(count)}]}


def state(index: int, times_s: list[float], files: SampleFiles) -> dict[str, object]:
    """One benchmark state. Mean and deviation (n - 1) as nvbench writes them. The robust script computes quartiles from the
    samples."""
    mean = statistics.fmean(times_s)
    deviation = statistics.stdev(times_s) if len(times_s) >= 5 else math.inf
    return {"name": f"Device=0 comparison={index}", "device": 0, "is_skipped": False,
            "axis_values": [{"name": "comparison", "type": "int64", "value": str(index)}],
            "summaries": [_number("nv/cold/time/gpu/mean", mean),
                          _number("nv/cold/time/gpu/stdev/absolute", deviation),
                          _number("nv/cold/time/gpu/stdev/relative", deviation / mean),
                          _number("nv/cold/sm_clock_rate/mean", CLOCK_HZ),
                          _file("nv/json/bin:nv/cold/sample_times", files.times, files.count),
                          _file("nv/json/freqs-bin:nv/cold/sample_freqs", files.clocks, files.count)]}


def document(states: list[dict[str, object]]) -> dict[str, object]:
    """One benchmark with one state for each comparison, on one device."""
    axis = {"name": "comparison", "type": "int64", "flags": "", "values": []}
    return {"meta": {"version": {"json": {"major": 1, "minor": 0, "patch": 0, "string": "1.0.0"}}},
            "devices": [{"id": 0, "name": "device", "sm_default_clock_rate": int(CLOCK_HZ)}],
            "benchmarks": [{"name": "step", "index": 0, "devices": [0], "axes": [axis], "states": states}]}


def read_statuses(text: str) -> dict[int, Verdict]:
    """The status in every row of the table, by the comparison in the first column. Throws UnreadVerdict."""
    said: dict[int, Verdict] = {}
    for row in re.finditer(r"^\|\s*(\d+)\s*\|.*$", text, re.MULTILINE):
        words = [word for word in _STATUS if word in row[0]]
        if len(words) != 1:
            raise UnreadVerdict(f"nvbench printed a row without one status: {row[0]}")
        said[int(row[1])] = _STATUS[words[0]]
    return said
