"""Fills the cells: every rule on every noise model and change, taking over what an earlier run has finished."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from peers.adapters.stepgate_pairs import StepgatePairs
from peers.cell import Cell, Counts, Plan, append_cell, read_cells
from peers.comparison import Comparison
from peers.data_source import DataSource
from peers.peer import Peer
from peers.verdict import Verdict


@dataclass(frozen=True)
class Experiment:
    rules: list[Peer]
    """Stepgate's own among them."""
    results: Path
    """JSON Lines, one finished cell each."""
    progress: Callable[[str], None]

    def run(self, plans: Iterable[Plan], source: DataSource) -> list[Cell]:
        """Cells in the order of the plans. Throws what the tools and the source throw; cells finished before are kept."""
        done = read_cells(self.results)
        cells = []
        for plan in plans:
            if plan not in done:
                done[plan] = self._measure(plan, source)
                append_cell(self.results, done[plan])
                self.progress(f"{plan.model} {plan.change:+.1%}: {plan.comparisons} comparisons, {done[plan].seconds:.0f} s")
            cells.append(done[plan])
        return cells

    def _measure(self, plan: Plan, source: DataSource) -> Cell:
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            comparisons = source.comparisons(plan, Path(folder))
        counts: dict[str, Counts] = {}
        pairs: dict[str, float] = {}
        for peer in self.rules:
            counts.update(_counts(peer, comparisons))
            if isinstance(peer, StepgatePairs):
                pairs[peer.rules[0].key] = peer.mean_pairs
        return Cell(plan, counts, pairs, time.monotonic() - start)


def _counts(peer: Peer, comparisons: list[Comparison]) -> dict[str, Counts]:
    with tempfile.TemporaryDirectory() as folder:
        verdicts = peer.decide(comparisons, Path(folder))
    return {key: Counts(said.count(Verdict.RED), said.count(Verdict.UNDECIDED), len(said)) for key, said in verdicts.items()}
