"""The file that pytest collects: one benchmark for each comparison. Each round takes as long as one recorded step."""

from __future__ import annotations

import json
import os
from pathlib import Path

import virtual_clock


def pytest_generate_tests(metafunc) -> None:
    recorded = json.loads(Path(os.environ["STEPGATE_STEPS"]).read_text())
    metafunc.parametrize("steps_ns", list(recorded.values()), ids=list(recorded))


def test_step(benchmark, steps_ns: list[int]) -> None:
    steps = iter(steps_ns)
    benchmark.pedantic(lambda: virtual_clock.advance(next(steps)), rounds=len(steps_ns), iterations=1)
