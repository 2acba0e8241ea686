"""One comparison of a base with a head: the step times of every process of both sides."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

Processes = list[list[int]]
"""Step times in nanoseconds, one list for each process."""


@dataclass(frozen=True)
class Comparison:
    model: str
    change: float
    """The true change of the head, as a share: 0.05 is 5 % slower."""
    index: int
    base_ns: Processes
    head_ns: Processes
    head_first: tuple[bool, ...]
    """For each pair of processes: whether the head's ran first. Only stepgate uses this."""

    @property
    def name(self) -> str:
        """The name that the tools get; sorts like the index."""
        return f"c{self.index:06d}"


def parse_comparison(line: str) -> Comparison:
    """Reads one line of lab_samples. Throws ValueError naming what is missing or empty."""
    fields = json.loads(line)
    missing = {"model", "change", "index", "base", "head", "head_first"} - fields.keys()
    if missing:
        raise ValueError(f"a comparison lacks {', '.join(sorted(missing))}")
    base, head = fields["base"], fields["head"]
    if not base or len(base) != len(head) or not all(base) or not all(head):
        raise ValueError(f"comparison {fields['index']}: both sides need the same number of processes, none of them empty")
    return Comparison(fields["model"], fields["change"], fields["index"], base, head, tuple(fields["head_first"]))


def read_comparisons(path: Path) -> Iterator[Comparison]:
    """One comparison per line, as lab_samples prints them."""
    with path.open() as lines:
        yield from (parse_comparison(line) for line in lines if line.strip())


def process_medians_ns(processes: Processes) -> list[float]:
    """The median step of each process."""
    return [statistics.median(steps) for steps in processes]


def means_of_blocks_ns(steps: list[int], blocks: int) -> list[float]:
    """The means of consecutive blocks of (nearly) equal length, as a repetition of many iterations reports them. Never more
    blocks than steps."""
    count = min(blocks, len(steps))
    edges = [len(steps) * i // count for i in range(count + 1)]
    return [statistics.fmean(steps[a:b]) for a, b in zip(edges, edges[1:])]


def parts(comparisons: list[Comparison], size: int) -> Iterable[list[Comparison]]:
    """Consecutive parts of at most `size`: the time of some tools grows with the square of their input."""
    return (comparisons[i:i + size] for i in range(0, len(comparisons), size))
