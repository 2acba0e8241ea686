"""Where comparisons come from: stepgate's own simulator, or files of recorded traces in its format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from peers.cell import Plan
from peers.comparison import Comparison, read_comparisons
from peers.tool_run import run_tool


class DataSource(ABC):
    @abstractmethod
    def comparisons(self, plan: Plan, folder: Path) -> list[Comparison]:
        """Those of one cell, in order. Throws ToolFailed or ValueError."""


@dataclass(frozen=True)
class Simulator(DataSource):
    lab_samples: Path

    def comparisons(self, plan: Plan, folder: Path) -> list[Comparison]:
        """Prints them into a file in `folder` first: a cell is some 20 MB."""
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


@dataclass(frozen=True)
class Recorded(DataSource):
    file: Path

    def cells(self) -> dict[tuple[str, float], int]:
        """Model and change -> comparisons that the file holds of it."""
        found: dict[tuple[str, float], int] = {}
        for comparison in read_comparisons(self.file):
            key = (comparison.model, comparison.change)
            found[key] = found.get(key, 0) + 1
        return found

    def comparisons(self, plan: Plan, folder: Path) -> list[Comparison]:
        return [c for c in read_comparisons(self.file) if (c.model, c.change) == (plan.model, plan.change)]
