"""pyperf compare_to: a pooled t test over the values of all processes."""

from __future__ import annotations

import re
from pathlib import Path

from peers.comparison import Comparison, Processes, means_of_blocks_ns
from peers.peer import Peer, Rule, UnreadVerdict, Verdicts
from peers.places import Places
from peers.tool_run import run_tool
from peers.verdict import Verdict

VALUES = 3
"""Values of each process. pyperf's default is 20 processes of 3 values."""

_GIVEN = f"all processes of each side, {VALUES} values each (means of consecutive steps)"


class Pyperf(Peer):
    def __init__(self, places: Places, min_speed_percent: int | None = None) -> None:
        self._places = places
        self._min_speed_percent = min_speed_percent

    @property
    def rules(self) -> tuple[Rule, ...]:
        limit = self._min_speed_percent
        if limit is None:
            return (Rule("pyperf.significant", "pyperf compare_to", _GIVEN,
                         'its table says "slower"; a change that it hides as not significant is not red', "K+K"),)
        return (Rule("pyperf.min_speed", f"pyperf compare_to --min-speed {limit}", _GIVEN,
                     f'its table says "slower": significant, and by {limit} % or more', "K+K"),)

    def decide(self, comparisons: list[Comparison], folder: Path) -> Verdicts:
        write_suite({c.name: c.base_ns for c in comparisons}, folder / "base.json")
        write_suite({c.name: c.head_ns for c in comparisons}, folder / "head.json")
        return {self.rules[0].key: self._compare(comparisons, folder)}

    def _compare(self, comparisons: list[Comparison], folder: Path) -> list[Verdict]:
        options = [] if self._min_speed_percent is None else ["--min-speed", str(self._min_speed_percent)]
        command = [self._places.python, "-m", "pyperf", "compare_to", "--table", *options, "base.json", "head.json"]
        said = read_table(run_tool(command, folder).output)
        missing = [c.name for c in comparisons if c.name not in said]
        if missing:
            raise UnreadVerdict(f"the output of pyperf compare_to lacks {missing[0]}")
        return [said[c.name] for c in comparisons]


def write_suite(processes: dict[str, Processes], path: Path) -> None:
    """One benchmark for each comparison, one run for each process, through pyperf's own classes."""
    import pyperf  # only the peers' environment has it

    benchmarks = []
    for name, sides in processes.items():
        runs = [pyperf.Run([t * 1e-9 for t in means_of_blocks_ns(steps, VALUES)],
                           metadata={"name": name, "unit": "second", "loops": max(1, len(steps) // VALUES)},
                           collect_metadata=False) for steps in sides]
        benchmarks.append(pyperf.Benchmark(runs))
    pyperf.BenchmarkSuite(benchmarks).dump(str(path), replace=True)


def read_table(text: str) -> dict[str, Verdict]:
    """Reads rows with "slower", "faster" or "no change", then the list of benchmarks hidden as not significant."""
    said: dict[str, Verdict] = {}
    for row in re.finditer(r"^\|\s*(\w+)\s*\|.*\|\s*[^|]*(slower|faster|no change)\s*\|$", text, re.MULTILINE):
        said[row[1]] = Verdict.RED if row[2] == "slower" else Verdict.FINE
    hidden = re.search(r"Benchmark hidden because not significant \(\d+\): (.*)", text)
    if hidden:
        said.update({name.strip(): Verdict.FINE for name in hidden[1].split(",")})
    said.pop("Geometric", None)
    return said
