"""Where comparisons come from: stepgate's own simulator, or files of recorded traces in its format."""

from __future__ import annotations

import hashlib
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from peers.cell import Plan
from peers.comparison import Comparison, read_comparisons
from peers.tool_run import run_tool


STORED = ", stored base"
"""Ending of the names of models with a stored base."""


class DataSource(ABC):
    @abstractmethod
    def comparisons(self, plan: Plan, folder: Path) -> list[Comparison]:
        """The comparisons of one cell, in order. Throws ToolFailed or ValueError."""


@dataclass(frozen=True)
class Simulator(DataSource):
    lab_samples: Path

    def comparisons(self, plan: Plan, folder: Path) -> list[Comparison]:
        """Uses a file in `folder`, because a cell has about 20 MB."""
        command = [str(self.lab_samples), "--model", plan.model, "--change", str(plan.change), "--comparisons",
                   str(plan.comparisons), "--seed", str(plan.seed), "--processes", str(plan.processes), "--steps",
                   str(plan.steps)]
        path = folder / "comparisons.jsonl"
        path.write_text(run_tool(command, folder).output)
        found = list(read_comparisons(path))
        path.unlink()
        if len(found) != plan.comparisons:
            raise ValueError(f"lab_samples printed {len(found)} comparisons of {plan.model}, not {plan.comparisons}")
        return found


    def digest(self, model: str, seed: int) -> str:
        """Digest of one comparison: shows whether a later program still draws the same data."""
        with tempfile.TemporaryDirectory() as folder:
            text = run_tool([str(self.lab_samples), "--model", model, "--change", "0.05", "--comparisons", "1", "--seed",
                             str(seed)], Path(folder)).output
        return hashlib.sha256(text.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class StoredBase(DataSource):
    """Each head with the base of another comparison from another session, like the stored baseline in common use of most tools.
    stepgate does not judge such data by pairs; its row shows why."""

    source: DataSource

    def comparisons(self, plan: Plan, folder: Path) -> list[Comparison]:
        found = self.source.comparisons(replace(plan, model=plan.model.removesuffix(STORED)), folder)
        return [replace(c, model=plan.model, base_ns=found[i - 1].base_ns) for i, c in enumerate(found)]


@dataclass(frozen=True)
class Recorded(DataSource):
    file: Path

    def all(self) -> Iterator[Comparison]:
        return read_comparisons(self.file)

    def cells(self) -> dict[tuple[str, float], int]:
        """Model and change -> number of its comparisons in the file."""
        found: dict[tuple[str, float], int] = {}
        for comparison in self.all():
            key = (comparison.model, comparison.change)
            found[key] = found.get(key, 0) + 1
        return found

    def comparisons(self, plan: Plan, folder: Path) -> list[Comparison]:
        return [c for c in self.all() if (c.model, c.change) == (plan.model, plan.change)]
