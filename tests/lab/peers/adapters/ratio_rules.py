"""The plain ratio rules of CI actions: new value / old value with a limit. They are plain arithmetic without a tool to run."""

from __future__ import annotations

import statistics
from pathlib import Path

from peers.comparison import Comparison, Processes, process_medians_ns
from peers.peer import Peer, Rule, Verdicts
from peers.verdict import Verdict

_ONE = "the mean step of process 1 of each side"
_ALL = "better than common use: the mean of all processes' medians of each side"


class RatioRules(Peer):
    @property
    def rules(self) -> tuple[Rule, ...]:
        return (Rule("ratio.200.one", "ratio above 200 %", _ONE, "head / base is above 2, a common default", "1+1"),
                Rule("ratio.5.one", "ratio above 105 %", _ONE, "head / base is above 1.05", "1+1"),
                Rule("ratio.5.all", "ratio above 105 %", _ALL, "head / base is above 1.05", "K+K"))

    def decide(self, comparisons: list[Comparison], folder: Path) -> Verdicts:
        one = [statistics.fmean(c.head_ns[0]) / statistics.fmean(c.base_ns[0]) for c in comparisons]
        all_of = [_mean_of_medians(c.head_ns) / _mean_of_medians(c.base_ns) for c in comparisons]
        return {"ratio.200.one": _above(one, 2.0), "ratio.5.one": _above(one, 1.05), "ratio.5.all": _above(all_of, 1.05)}


def _mean_of_medians(processes: Processes) -> float:
    return statistics.fmean(process_medians_ns(processes))


def _above(ratios: list[float], limit: float) -> list[Verdict]:
    return [Verdict.RED if ratio > limit else Verdict.FINE for ratio in ratios]
