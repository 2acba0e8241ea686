"""What one decision costs once the data are there, and whether it is the one that the batch got."""

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
    """A peer asked about comparisons one by one, as its users would ask it."""

    processor_s: dict[str, float]
    """By the key of the rule: processor time of one decision, start of the tool included. Not the time on the wall, which on a
    machine with other work says little."""
    asked: dict[str, int]
    differing: dict[str, int]
    """Comparisons that it decided otherwise than within a batch. Anything above 0 is a fault of the adapter."""


def _processor_s() -> float:
    """Of this process and of the tools that it has waited for."""
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
