"""The list of cells in the table."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from peers.cell import Plan

FALSE_ALARM_CHANGES = (0.0, 0.01)
"""No change, and stepgate's ignore margin."""
MISSED_CHANGES = (0.03, 0.05, 0.08)
FURTHER_CHANGES = (0.02, 0.04, 0.12)
"""Only for the smallest change that is detected in 95 %; each has half as many comparisons."""


@dataclass(frozen=True)
class Size:
    comparisons: int
    processes: int
    steps: int
    seed: int


def plans_of(model: str, size: Size, tools: str) -> list[Plan]:
    return [Plan(model, change, size.comparisons if change in FALSE_ALARM_CHANGES + MISSED_CHANGES
                 else max(1, size.comparisons // 2), size.processes, size.steps, size.seed, tools)
            for change in sorted(FALSE_ALARM_CHANGES + MISSED_CHANGES + FURTHER_CHANGES)]


def digest_of(files: list[Path]) -> str:
    """Twelve hexadecimal digits of a digest over the contents."""
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
