"""The clock of pytest-benchmark: only the recorded steps advance it. It exists only in pytest's process."""

from __future__ import annotations


class VirtualClock:
    def __init__(self) -> None:
        self._now_ns = 0

    def advance(self, step_ns: int) -> None:
        self._now_ns += step_ns

    def seconds(self) -> float:
        return self._now_ns * 1e-9


_CLOCK = VirtualClock()  # global, because --benchmark-timer takes only a function of a module


def advance(step_ns: int) -> None:
    _CLOCK.advance(step_ns)


def now_s() -> float:
    return _CLOCK.seconds()
