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
"""Of each process, as pyperf's default: 20 processes of 3 values."""
MIN_SPEED_PERCENT = 5
"""For the second rule: the same 5 % as the other tools' limits."""

_GIVEN = f"all processes of each side, {VALUES} values each (means of consecutive steps)"


class Pyperf(Peer):
    def __init__(self, places: Places) -> None:
        self._places = places

    @property
    def rules(self) -> tuple[Rule, ...]:
        return (Rule("pyperf.significant", "pyperf compare_to", _GIVEN,
                     'its table says "slower"; what it hides as not significant is fine'),
                Rule("pyperf.min_speed", f"pyperf compare_to --min-speed {MIN_SPEED_PERCENT}", _GIVEN,
                     f'its table says "slower": significant, and by {MIN_SPEED_PERCENT} % or more'))

    def decide(self, comparisons: list[Comparison], folder: Path) -> Verdicts:
        write_suite({c.name: c.base_ns for c in comparisons}, folder / "base.json")
        write_suite({c.name: c.head_ns for c in comparisons}, folder / "head.json")
        return {"pyperf.significant": self._compare(comparisons, folder, []),
                "pyperf.min_speed": self._compare(comparisons, folder, ["--min-speed", str(MIN_SPEED_PERCENT)])}

    def _compare(self, comparisons: list[Comparison], folder: Path, options: list[str]) -> list[Verdict]:
        command = [self._places.python, "-m", "pyperf", "compare_to", "--table", *options, "base.json", "head.json"]
        said = read_table(run_tool(command, folder).output)
        missing = [c.name for c in comparisons if c.name not in said]
        if missing:
            raise UnreadVerdict(f"pyperf compare_to said nothing about {missing[0]}")
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
    """Rows with "slower", "faster" or "no change", then the list of what is hidden as not significant."""
    said: dict[str, Verdict] = {}
    for row in re.finditer(r"^\|\s*(\w+)\s*\|.*\|\s*[^|]*(slower|faster|no change)\s*\|$", text, re.MULTILINE):
        said[row[1]] = Verdict.RED if row[2] == "slower" else Verdict.FINE
    hidden = re.search(r"Benchmark hidden because not significant \(\d+\): (.*)", text)
    if hidden:
        said.update({name.strip(): Verdict.FINE for name in hidden[1].split(",")})
    said.pop("Geometric", None)
    return said
