"""The clock that pytest-benchmark is told to use: it stands still but for the recorded steps. Lives in pytest's process only."""

from __future__ import annotations


class VirtualClock:
    def __init__(self) -> None:
        self._now_ns = 0

    def advance(self, step_ns: int) -> None:
        self._now_ns += step_ns

    def seconds(self) -> float:
        return self._now_ns * 1e-9


_CLOCK = VirtualClock()  # --benchmark-timer names a function of a module: this is the one place where it can live


def advance(step_ns: int) -> None:
    _CLOCK.advance(step_ns)


def now_s() -> float:
    return _CLOCK.seconds()
