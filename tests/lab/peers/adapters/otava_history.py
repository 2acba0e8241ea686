"""Apache Otava: change points in a history of runs, one point for each run."""

from __future__ import annotations

import csv
import json
import statistics
from dataclasses import dataclass
from pathlib import Path

from peers.comparison import Comparison
from peers.peer import Peer, Rule, Verdicts
from peers.places import Places
from peers.tool_run import run_tool
from peers.verdict import Verdict

FEW = 5
"""New runs of the first rule: about as many as a nightly job adds before somebody checks the results."""
MAGNITUDE = 0.01
"""For the third rule: stepgate's ignore margin, so that Otava also ignores a change of 1 %."""
SLACK = 2
"""A change point up to this many runs before the first new run also counts, because Otava places it at the best split."""

_RED = (f"it reports a change point at most {SLACK} runs before the first run of the head, or later, with a higher mean"
        " after it (p < 0.001, its default)")


@dataclass(frozen=True)
class History:
    key: str
    label: str
    new_runs: int | None
    """None: all processes of the head."""
    options: tuple[str, ...]
    given: str
    cost: str


_ALL_GIVEN = "better than common use: the medians of all base processes as history, then those of all head processes"
HISTORIES = (
    History("otava.few", f"Otava, {FEW} new runs", FEW, (),
             f"the medians of all base processes as history, then those of {FEW} head processes", f"K+{FEW}"),
    History("otava.all", "Otava, as many new runs", None, (), _ALL_GIVEN, "K+K"),
    History("otava.magnitude", f"Otava, as many new runs, --magnitude {MAGNITUDE}", None,
             ("--magnitude", str(MAGNITUDE)), _ALL_GIVEN, "K+K"))


class Otava(Peer):
    def __init__(self, places: Places, history: History) -> None:
        self._places = places
        self._history = history

    @property
    def rules(self) -> tuple[Rule, ...]:
        return (Rule(self._history.key, self._history.label, self._history.given, _RED, self._history.cost),)

    def decide(self, comparisons: list[Comparison], folder: Path) -> Verdicts:
        series = {c.name: _points_ms(c, self._history.new_runs) for c in comparisons}
        write_csv(series, folder / "history.csv")
        (folder / "otava.yaml").write_text(configuration(list(series), "history.csv"))
        command = [self._places.otava_python, "-m", "otava.main", "analyze", "steps", "--config-file", "otava.yaml",
                   "--since=2024-01-01", "--output", "json", *self._history.options]  # default: only the last year's runs
        done = run_tool(command, folder, environment={"HOME": str(folder)})  # without a configuration of the user
        red = read_rises(done.output, {c.name: len(c.base_ns) - SLACK for c in comparisons})
        return {self._history.key: [Verdict.RED if c.name in red else Verdict.FINE for c in comparisons]}


def _points_ms(comparison: Comparison, new_runs: int | None) -> list[float]:
    runs = comparison.base_ns + comparison.head_ns[:new_runs]
    return [statistics.median(steps) * 1e-6 for steps in runs]


def write_csv(series: dict[str, list[float]], path: Path) -> None:
    """One row for each run, an hour apart; one column for each comparison. All series must be of one length."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["time", *series])
        for run, points in enumerate(zip(*series.values(), strict=True)):
            writer.writerow([f"2024-01-{1 + run // 24:02d} {run % 24:02d}:00:00 +0000", *map(repr, points)])


def configuration(names: list[str], file: str) -> str:
    """Otava's configuration. It is YAML, and JSON is valid YAML."""
    metrics = {name: {"column": name, "direction": -1, "scale": 1} for name in names}
    return json.dumps({"tests": {"steps": {"type": "csv", "file": file, "time_column": "time", "metrics": metrics,
                                           "csv_options": {"delimiter": ",", "quote_char": "'"}}}})


def read_rises(text: str, earliest: dict[str, int]) -> set[str]:
    """The series for which Otava reports a rise at or after run `earliest` (0 is the first)."""
    groups = json.loads(text)["steps"]
    return {change["metric"] for group in groups for change in group["changes"]
            if change["index"] >= earliest[change["metric"]] and float(change["mean_after"]) > float(change["mean_before"])}
