"""Other detectors of change points on the series of trend_lab, in one table, and Otava's speed. ci/lab_trend calls it."""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy
import ruptures
from asv.step_detect import detect_steps
from otava.analysis import compute_change_points

TOLERANCE = 3
IGNORE_MARGIN = math.log1p(0.01)
SERIES_TO_COMPARE = 300
"""So many segmentations at least must equal those of ruptures."""


@dataclass(frozen=True)
class Series:
    family: str
    values: list[float]
    """Natural logarithms."""
    levels: list[float]
    steps: list[int]
    found: list[int]
    penalty: float
    optimal: list[int]

    def times(self) -> list[float]:
        """As other tools are given them: not logarithms."""
        return [100 * math.exp(value) for value in self.values]


Detector = Callable[[Series], list[int]]


@dataclass
class Score:
    points: int = 0
    steps: int = 0
    found: int = 0
    matched: int = 0
    false: int = 0

    def add(self, series: Series, changes: list[int]) -> None:
        self.points += len(series.values)
        self.steps += len(series.steps)
        self.found += len(changes)
        self.matched += matches(series.steps, changes)
        self.false += false_changes(series, changes)


def main() -> int:
    options = read_options()
    all_series = [Series(**json.loads(line)) for line in options.series.read_text().splitlines()]
    different = compare_segments(all_series)
    print_table(all_series)
    if options.drifts:
        print_drifts([json.loads(line) for line in options.drifts.read_text().splitlines()])
    if options.speed:
        compare_speed(options.speed, options.otava_series)
    return 1 if different else 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("series", type=Path, help="file of trend_lab --write")
    parser.add_argument("--drifts", type=Path, help="file of trend_lab --write-drifts")
    parser.add_argument("--speed", type=Path, help="the program trend_speed; its times are printed beside Otava's")
    parser.add_argument("--otava-series", type=int, default=5000, help="series of 200 points for Otava's time (default 5000)")
    return parser.parse_args()


def matches(steps: list[int], changes: list[int]) -> int:
    """Pairs of a step and a found change, one to one; as score_changes in trend_score.cpp."""
    left = sorted(changes)
    count = 0
    for step in steps:
        near = [change for change in left if abs(change - step) <= TOLERANCE]
        if near:
            left = [change for change in left if change > near[0]]
            count += 1
    return count


def false_changes(series: Series, changes: list[int]) -> int:
    """Changes where the true level moves by less than the ignore margin; as is_false in trend_score.cpp."""
    ends = [0, *sorted(changes), len(series.values)]
    means = [statistics.fmean(series.levels[begin:end]) for begin, end in zip(ends, ends[1:])]
    return sum(abs(after - before) < IGNORE_MARGIN for before, after in zip(means, means[1:]))


def compare_segments(all_series: list[Series]) -> int:
    """The number of series that ruptures segments differently."""
    different = 0
    for series in all_series:
        signal = numpy.array(series.values).reshape(-1, 1)
        exact = ruptures.KernelCPD(kernel="linear", min_size=1).fit(signal).predict(pen=series.penalty)
        different += exact[:-1] != series.optimal
    changes = sum(len(series.optimal) for series in all_series)
    print(f"segments equal those of ruptures {ruptures.__version__}, KernelCPD(linear), on {len(all_series) - different} of "
          f"{len(all_series)} series with {changes} changes")
    if len(all_series) < SERIES_TO_COMPARE:
        sys.exit(f"too few series: write at least {SERIES_TO_COMPARE}")
    return different


def detectors() -> dict[str, Detector]:
    return {
        "stepgate": lambda series: series.found,
        "Otava, defaults": lambda series: otava(series),
        "Otava, p 1e-5, magnitude 1 %": lambda series: otava(series, max_pvalue=1e-5, min_magnitude=0.01),
        "ruptures KernelCPD rbf, penalty 3 ln n": lambda series: kernel_segments(series, "rbf", 3 * math.log(len(series.values))),
        "ruptures KernelCPD linear, stepgate's penalty": lambda series: kernel_segments(series, "linear", series.penalty),
        "asv detect_steps": lambda series: [left for left, *_ in detect_steps(series.times())[1:]],
    }


def otava(series: Series, **settings: float) -> list[int]:
    changes, _ = compute_change_points(series.times(), **settings)  # a list: an array would lose the window
    return [int(change.index) for change in changes]


def kernel_segments(series: Series, kernel: str, penalty: float) -> list[int]:
    values = numpy.array(series.values)
    if kernel == "rbf":
        values = (values - values.mean()) / values.std()
    found = ruptures.KernelCPD(kernel=kernel, min_size=1 if kernel == "linear" else 2).fit(values.reshape(-1, 1))
    return found.predict(pen=penalty)[:-1]


def print_table(all_series: list[Series]) -> None:
    print("\n| detector | F1 | precision | recall | false of 1000 | unchanged | us a point |\n|---|---|---|---|---|---|---|")
    for name, detect in detectors().items():
        with_steps, unchanged = Score(), Score()
        start = time.perf_counter()
        for i, series in enumerate(all_series):
            (unchanged if i % 2 else with_steps).add(series, detect(series))  # written in turns
        us = 1e6 * (time.perf_counter() - start) / (with_steps.points + unchanged.points)
        print(f"| {name} | {ratio(2 * with_steps.matched, with_steps.found + with_steps.steps)} | "
              f"{ratio(with_steps.matched, with_steps.found)} | {ratio(with_steps.matched, with_steps.steps)} | "
              f"{1000 * with_steps.false / with_steps.points:.2f} | {1000 * unchanged.false / unchanged.points:.2f} | "
              f"{'' if name == 'stepgate' else f'{us:.1f}'} |", flush=True)


def print_drifts(rows: list[dict]) -> None:
    """The share of series in which a detector reports a rise, with the points up to 20 sessions after a drift of 5 %."""
    shapes = list(dict.fromkeys(row["shape"] for row in rows))
    print(f"\n| detector | {' | '.join(shapes)} |\n|{'---|' * (len(shapes) + 1)}")
    for name, detect in detectors().items():
        shares = []
        for shape in shapes:
            of_shape = [row for row in rows if row["shape"] == shape and row["family"] != "random-walk"]
            red = sum(row["red"] if name == "stepgate" else rises(row["values"], detect) for row in of_shape)
            shares.append(f"{100 * red / len(of_shape):.1f} %")
        print(f"| {name} | {' | '.join(shares)} |", flush=True)


def rises(values: list[float], detect: Detector) -> bool:
    penalty = 3 * math.log(len(values)) * (statistics.stdev(b - a for a, b in zip(values, values[1:])) ** 2) / 2
    changes = sorted(detect(Series("", values, values, [], [], penalty, [])))
    ends = [0, *changes, len(values)]
    means = [statistics.fmean(values[begin:end]) for begin, end in zip(ends, ends[1:])]
    return any(after > before for before, after in zip(means, means[1:]))


def ratio(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def compare_speed(program: Path, count: int) -> None:
    print()
    subprocess.run([str(program)], check=True)
    draw = numpy.random.default_rng(20261123)
    some = [(100 * numpy.exp(draw.normal(0, 0.01, 200))).tolist() for _ in range(count)]
    start = time.perf_counter()
    for times in some:
        compute_change_points(times)
    seconds = time.perf_counter() - start
    print(f"Otava, the same run: {count} series of 200 points without change: {seconds:.2f} s, "
          f"{5 * seconds / count * 1000:.2f} s for 1 million points")


if __name__ == "__main__":
    sys.exit(main())
