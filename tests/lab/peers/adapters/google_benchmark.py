"""Google Benchmark's compare.py, as Debian packages it: a two-sided U test over repetitions, and colours by size."""

from __future__ import annotations

import json
import re
import statistics
from dataclasses import dataclass
from pathlib import Path

from peers.comparison import Comparison, Processes, means_of_blocks_ns, parts, process_medians_ns
from peers.peer import Peer, Rule, UnreadVerdict, Verdicts
from peers.places import Places
from peers.tool_run import run_tool
from peers.verdict import Verdict

REPETITIONS = 10
"""Repetitions of one process. With nine or more, compare.py does not warn that its U test is unreliable."""
PART = 400
"""Comparisons in one call. The time of compare.py's grouping by name grows with their square."""

_RED, _GREEN = "\x1b[91m", "\x1b[32m"
"""gbench/report.py: FAIL and OKGREEN."""


@dataclass(frozen=True)
class Repetitions:
    """Which repetitions compare.py gets."""

    word: str
    given: str
    cost: str


ONE_PROCESS = Repetitions("one", f"process 1 of each side, cut into {REPETITIONS} repetitions of consecutive steps",
                          "1+1")
ALL_PROCESSES = Repetitions("all", "better than common use: the median of every process as one repetition", "K+K")


class GoogleBenchmark(Peer):
    def __init__(self, places: Places, repetitions: Repetitions) -> None:
        self._places = places
        self._kind = repetitions

    @property
    def rules(self) -> tuple[Rule, ...]:
        return (Rule(f"gbench.utest.{self._kind.word}", "compare.py, U test", self._kind.given,
                     "the p-value of the time is coloured significant (< 0.05) and the change of the median is positive",
                     self._kind.cost),
                Rule(f"gbench.colour.{self._kind.word}", "compare.py, colour", self._kind.given,
                     "the change of the median is coloured red (compare.py: above +5 %)", self._kind.cost))

    def decide(self, comparisons: list[Comparison], folder: Path) -> Verdicts:
        said: list[Said] = []
        for part in parts(comparisons, PART):
            text = self._compare(part, folder)
            said += [read_verdicts(text, comparison.name) for comparison in part]
        utest, colour = self.rules
        return {utest.key: [one.utest for one in said], colour.key: [one.colour for one in said]}

    def _compare(self, part: list[Comparison], folder: Path) -> str:
        names = []
        for side in ("base", "head"):
            values = {c.name: _repetitions(c.base_ns if side == "base" else c.head_ns, self._kind) for c in part}
            path = folder / f"{side}.json"
            path.write_text(json.dumps(document(values)))
            names.append(path.name)
        return run_tool([self._places.python, self._places.compare_py, "benchmarks", *names], folder).output


def _repetitions(processes: Processes, kind: Repetitions) -> list[float]:
    return process_medians_ns(processes) if kind is ALL_PROCESSES else means_of_blocks_ns(processes[0], REPETITIONS)


def document(times_ns: dict[str, list[float]]) -> dict[str, object]:
    """The output of a Google Benchmark program with --benchmark_repetitions: each repetition, then mean and median."""
    rows = []
    for family, (name, times) in enumerate(times_ns.items()):
        shared = {"family_index": family, "per_family_instance_index": 0, "run_name": name, "repetitions": len(times),
                  "threads": 1, "iterations": 1, "time_unit": "ns"}
        rows += [dict(shared, name=name, run_type="iteration", repetition_index=i, real_time=t, cpu_time=t)
                 for i, t in enumerate(times)]
        for aggregate, value in (("mean", statistics.fmean(times)), ("median", statistics.median(times))):
            rows.append(dict(shared, name=f"{name}_{aggregate}", run_type="aggregate", aggregate_name=aggregate,
                             aggregate_unit="time", real_time=value, cpu_time=value))
    return {"context": {"date": "", "num_cpus": 1, "mhz_per_cpu": 1000, "library_build_type": "release", "caches": []},
            "benchmarks": rows}


@dataclass(frozen=True)
class Said:
    utest: Verdict
    colour: Verdict


def read_verdicts(text: str, name: str) -> Said:
    """Reads the colours of the U test and of the median, and the sign of the median's change. Throws UnreadVerdict."""
    median = re.search(rf"{name}_median\s*\x1b\[\d*m(\x1b\[\d+m)\s*([+-]\d+\.\d+)", text)
    p_value = re.search(rf"{name}_pvalue\s*\x1b\[\d*m(\x1b\[\d+m)\s*(\d+\.\d+)", text)
    if median is None or p_value is None:
        raise UnreadVerdict(f"compare.py printed no median or no p-value for {name}:\n{text[:2000]}")
    slower = float(median[2]) > 0
    significant = p_value[1] == _GREEN
    return Said(Verdict.RED if significant and slower else Verdict.FINE,
                Verdict.RED if median[1] == _RED else Verdict.FINE)
