"""Fills the cells: every rule on every noise model and change. Uses the finished cells of an earlier run."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from peers.adapters.stepgate_pairs import StepgatePairs
from peers.cell import Cell, Counts, Plan, append_cell, read_cells
from peers.comparison import Comparison
from peers.data_source import DataSource
from peers.peer import Peer, Verdicts
from peers.verdict import Verdict


@dataclass(frozen=True)
class Experiment:
    rules: list[Peer]
    """Including stepgate's rule."""
    results: Path
    """JSON Lines with one finished cell per line."""
    progress: Callable[[str], None]

    def run(self, plans: list[Plan], source: DataSource) -> list[Cell]:
        """Cells in the order of the plans. Missing cells are measured together, because most of a tool's time is its start. Throws
        what the tools and the source throw; finished cells are kept."""
        done = read_cells(self.results)
        missing = [plan for plan in plans if plan not in done]
        for cell in self._measure(missing, source) if missing else []:
            append_cell(self.results, cell)
            done[cell.plan] = cell
        return [done[plan] for plan in plans]

    def _measure(self, plans: list[Plan], source: DataSource) -> list[Cell]:
        start = time.monotonic()
        drawn = [_drawn(plan, source) for plan in plans]
        # New numbers, because the tools identify a comparison only by its index.
        together = [replace(c, index=index) for index, c in enumerate(c for cell in drawn for c in cell)]
        answers = [_answers(peer, together) for peer in self.rules]
        seconds = (time.monotonic() - start) / len(plans)
        self.progress(f"{plans[0].model}: {len(plans)} cells, {len(together)} comparisons, {seconds * len(plans):.0f} s")
        cells, first = [], 0
        for plan, comparisons in zip(plans, drawn):
            part = slice(first, first + len(comparisons))
            cells.append(_cell(plan, answers, part, seconds))
            first = part.stop
        return cells


def _drawn(plan: Plan, source: DataSource) -> list[Comparison]:
    with tempfile.TemporaryDirectory() as folder:
        return source.comparisons(plan, Path(folder))


@dataclass(frozen=True)
class _Answers:
    verdicts: Verdicts
    pairs: dict[str, list[int]]
    """Only for rules that ask for pairs until they decide."""


def _answers(peer: Peer, comparisons: list[Comparison]) -> _Answers:
    with tempfile.TemporaryDirectory() as folder:
        verdicts = peer.decide(comparisons, Path(folder))
    return _Answers(verdicts, {peer.rules[0].key: peer.pairs} if isinstance(peer, StepgatePairs) else {})


def _cell(plan: Plan, answers: list[_Answers], part: slice, seconds: float) -> Cell:
    counts = {key: Counts(said[part].count(Verdict.RED), said[part].count(Verdict.UNDECIDED), len(said[part]))
              for one in answers for key, said in one.verdicts.items()}
    pairs = {key: statistics.fmean(asked[part]) for one in answers for key, asked in one.pairs.items()}
    return Cell(plan, counts, pairs, seconds)
