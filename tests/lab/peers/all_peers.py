"""The list of all rules that are compared, in the order of the table."""

from __future__ import annotations

from peers.adapters import google_benchmark, nvbench
from peers.adapters.google_benchmark import GoogleBenchmark
from peers.adapters.nvbench import Nvbench
from peers.adapters.otava_history import HISTORIES, Otava
from peers.adapters.pyperf_suites import Pyperf
from peers.adapters.pytest_compare_fail import PytestCompareFail
from peers.adapters.ratio_rules import RatioRules
from peers.peer import Peer
from peers.places import Places

PYPERF_MIN_SPEED_PERCENT = 5
"""The same 5 % as the limits of the other tools' rules."""


def all_peers(places: Places) -> list[Peer]:
    """Each peer calls its tool once for each batch of comparisons."""
    return [
        GoogleBenchmark(places, google_benchmark.ONE_PROCESS),
        GoogleBenchmark(places, google_benchmark.ALL_PROCESSES),
        Nvbench(places, nvbench.LEGACY, nvbench.ONE_PROCESS),
        Nvbench(places, nvbench.LEGACY, nvbench.ALL_PROCESSES),
        Nvbench(places, nvbench.ROBUST, nvbench.ONE_PROCESS),
        Nvbench(places, nvbench.ROBUST, nvbench.ALL_PROCESSES),
        Pyperf(places),
        Pyperf(places, PYPERF_MIN_SPEED_PERCENT),
        PytestCompareFail(places),
        *(Otava(places, history) for history in HISTORIES),
        RatioRules(),
    ]
