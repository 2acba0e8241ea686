"""The cost of one decision on given data, and whether it equals the decision in a batch."""

from __future__ import annotations

import resource
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from peers.comparison import Comparison
from peers.peer import Peer


@dataclass(frozen=True)
class Alone:
    """The results of a peer that decides comparisons one by one, as for its users."""

    processor_s: dict[str, float]
    """Key of the rule -> processor time of one decision, including the start of the tool. On a shared machine wall time would
    say little."""
    asked: dict[str, int]
    differing: dict[str, int]
    """Number of comparisons with another decision than in the batch. Anything above 0 is a fault of the adapter."""


def _processor_s() -> float:
    """Processor time of this process and of the finished tools."""
    own, tools = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + tools.ru_utime + tools.ru_stime


def ask_alone(peer: Peer, comparisons: list[Comparison]) -> Alone:
    with tempfile.TemporaryDirectory() as folder:
        batch = peer.decide(comparisons, Path(folder))
    times, differing = [], {rule.key: 0 for rule in peer.rules}
    for position, comparison in enumerate(comparisons):
        with tempfile.TemporaryDirectory() as folder:
            start = _processor_s()
            alone = peer.decide([comparison], Path(folder))
            times.append(_processor_s() - start)
        for key, verdicts in alone.items():
            differing[key] += verdicts[0] != batch[key][position]
    keys = [rule.key for rule in peer.rules]
    return Alone({key: statistics.median(times) for key in keys}, {key: len(comparisons) for key in keys}, differing)
