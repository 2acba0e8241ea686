"""Small comparisons with a known answer, for the tests."""

from __future__ import annotations

import random

from peers.comparison import Comparison, Processes

STEP_NS = 50_000_000


def processes(seed: int, level: float, count: int = 20, steps: int = 100, spread: float = 0.01) -> Processes:
    """Normal steps around STEP_NS * level; `spread` is their standard deviation as a share."""
    draw = random.Random(seed)
    return [[round(STEP_NS * level * (1 + draw.gauss(0, spread))) for _ in range(steps)] for _ in range(count)]


def slower_by(change: float, index: int = 0) -> Comparison:
    """The head's steps are the base's steps times 1 + change, so every summary differs by exactly `change`."""
    base = processes(index, 1.0)
    head = [[round(step * (1 + change)) for step in process] for process in base]
    return Comparison("test", change, index, base, head, (True, False) * 10)


def noisy(change: float, spread: float, index: int = 0) -> Comparison:
    """Both sides drawn independently, with a spread that makes their step times overlap."""
    return Comparison("test", change, index, processes(2 * index, 1.0, spread=spread),
                      processes(2 * index + 1, 1 + change, spread=spread), (True, False) * 10)
