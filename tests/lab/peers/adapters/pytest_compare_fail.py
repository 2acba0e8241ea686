"""pytest-benchmark: --benchmark-compare with --benchmark-compare-fail.

The recorded steps are played back through its fixture and clock option. So the tool stores, loads, compares and fails as in
normal use."""

from __future__ import annotations

import json
import re
from pathlib import Path

from peers.comparison import Comparison
from peers.peer import Peer, Rule, UnreadVerdict, Verdicts
from peers.places import Places
from peers.tool_run import Finished, run_tool
from peers.verdict import Verdict

FIELDS = ("mean", "median", "min")
"""The fields in its manual and in workflows of users; each with 5 %."""
LIMIT = "5%"


class PytestCompareFail(Peer):
    def __init__(self, places: Places, fields: tuple[str, ...] = FIELDS) -> None:
        self._places = places
        self._fields = fields

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(Rule(f"pytest.{field}", f"pytest-benchmark, compare-fail {field}:{LIMIT}",
                          "process 1 of each side, every step a round",
                          "the run fails and names the benchmark and this field", "1+1") for field in self._fields)

    def decide(self, comparisons: list[Comparison], folder: Path) -> Verdicts:
        self.play({c.name: c.base_ns[0] for c in comparisons}, folder, ["--benchmark-save=base"])
        # One option with all values: if the option is given twice, the second replaces the first without a message.
        checks = ["--benchmark-compare-fail", *(f"{field}:{LIMIT}" for field in self._fields)]
        head = self.play({c.name: c.head_ns[0] for c in comparisons}, folder, ["--benchmark-compare=0001", *checks])
        failed = read_failures(head)
        return {f"pytest.{field}": [Verdict.RED if (c.name, field) in failed else Verdict.FINE for c in comparisons]
                for field in self._fields}

    def play(self, steps_ns: dict[str, list[int]], folder: Path, options: list[str]) -> Finished:
        """Runs pytest on played_back.py with these steps. Status 0, or 1 if the tool fails the run."""
        (folder / "steps.json").write_text(json.dumps(steps_ns))
        here = Path(__file__).parent / "play_back"
        command = [self._places.python, "-m", "pytest", "-q", "-p", "pytest_benchmark.plugin", "-p", "no:cacheprovider",
                   "-c", "/dev/null", f"--rootdir={here}", str(here / "played_back.py"), "--benchmark-columns=mean",
                   f"--benchmark-storage=file://{folder / 'storage'}", "--benchmark-timer=virtual_clock.now_s", *options]
        done = run_tool(command, folder, (0, 1), {"STEPGATE_STEPS": str(folder / "steps.json"), "PYTHONPATH": str(here),
                                                  "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
        # "N passed" is missing if the tool finds a regression, because it raises in its summary. The dots are always there.
        if sum(len(dots) for dots in re.findall(r"^(\.+) *\[ *\d+%\]$", done.output, re.MULTILINE)) != len(steps_ns):
            raise UnreadVerdict(f"pytest did not play all {len(steps_ns)} benchmarks:\n{(done.output + done.talk)[-2000:]}")
        return done


def read_failures(done: Finished) -> set[tuple[str, str]]:
    """Benchmark and field of each line "NAME - Field 'FIELD' has failed PercentageRegressionCheck". Throws UnreadVerdict if
    status and lines disagree."""
    failed = set(re.findall(r"\[(\w+)\].* - Field '(\w+)' has failed PercentageRegressionCheck", done.output + done.talk))
    if bool(failed) != (done.status == 1):
        raise UnreadVerdict(f"pytest ended with {done.status} and named {len(failed)} failures:\n{done.output[-2000:]}")
    return failed
